//! Choosing the part of a tree that a picture can show.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde::{Deserialize, Serialize};
use treegauge_core::Player;

use super::{Outline, OutlineNode};
use treegauge_core::is_default;

use crate::variant::UctVariant;
use crate::web::Merge;

/// The style of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Nodes with their visits and averages.
    #[default]
    Plain,
    /// As in Williams 2010: nodes without averages, weak
    /// moves dotted and what lies below them left out. A move is weak when its average for the
    /// player who makes it is more than a standard deviation of its siblings' below the best.
    Williams,
}

/// How much a picture may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Children of one node that are shown; the rest are folded into one. 1 or more.
    pub children_max: usize,
    /// Nodes in all, folded ones included. 1 or more.
    pub nodes_max: usize,
    /// Plies from the root to the last nodes that are shown: each is a column of the picture.
    pub depth_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { children_max: 4, nodes_max: 44, depth_max: 6 }
    }
}

/// The part of a tree that a picture shows. It holds everything shown, so that the picture can be
/// rendered again without the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Picked {
    /// The game as it was named.
    pub game: String,
    /// The position at the root.
    pub position: String,
    /// The player to move at the root, for whom values are given.
    #[serde(default = "first")]
    pub turn: Player,
    /// The iterations made.
    pub iterations: u32,
    /// How the search differs from that of Williams 2010. Of several trees this is the first.
    #[serde(default, skip_serializing_if = "is_default")]
    pub variant: UctVariant,
    /// The style of the picture.
    pub style: Style,
    /// The nodes shown, each after its parent, children from left to right: the principal
    /// variation first, then by visits.
    pub nodes: Vec<PickedNode>,
}

/// A node of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PickedNode {
    /// The index of its parent in the picture; `None` at the root.
    pub parent: Option<usize>,
    /// What it shows.
    #[serde(flatten)]
    pub what: Shown,
    /// Whether the move is weak ([`Style::Williams`]).
    #[serde(default, skip_serializing_if = "is_false")]
    pub weak: bool,
    /// In a web, the indexes of nodes shown elsewhere to which a move leads too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<usize>,
}

/// What a node of a picture shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// A node of the tree.
    Node(ShownNode),
    /// Siblings folded into one node.
    Folded {
        /// Their number.
        count: usize,
        /// The sum of their visits.
        visits: u64,
    },
}

/// A node of the tree as a picture shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownNode {
    /// The move that led here; empty at the root.
    #[serde(rename = "move")]
    pub m: String,
    /// Iterations through the node.
    pub visits: u32,
    /// The average result for the first player, -1 to 1, as far as a solver has not excluded it.
    pub mean_for_first: f64,
    /// Whether a solver proved the value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub proved: bool,
    /// Legal moves; 0 where the game is over.
    pub legal_moves: u32,
    /// Whether the node lies on the principal variation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub principal: bool,
    /// Whether it has children that are not shown, not even folded.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// The player to move in pictures that do not say it, as old ones: their values were for the first.
fn first() -> Player {
    Player::First
}

/// Most nodes of a picture have no special mark, and their JSON leaves these fields out.
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

impl ShownNode {
    fn of(node: &OutlineNode, cut: bool) -> ShownNode {
        ShownNode {
            m: node.m.clone(),
            visits: node.visits,
            mean_for_first: node.mean_for_first,
            proved: node.proved,
            legal_moves: node.legal_moves,
            principal: node.principal,
            cut,
        }
    }
}

impl Picked {
    /// The average of a node for the player to move at the root, or in a word what is proved, as the style has it.
    pub(super) fn value_words(&self, shown: &ShownNode) -> Option<String> {
        let value = f64::from(self.turn.sign()) * shown.mean_for_first;
        let word = match value {
            _ if !shown.proved => None,
            1.0 => Some("win"),
            -1.0 => Some("loss"),
            _ => Some("draw"),
        };
        (self.style == Style::Plain).then(|| word.map_or_else(|| signed(value), str::to_owned))
    }

    /// What the search grew, as a title says it.
    pub(super) fn grown_words(&self) -> String {
        let what = if self.variant.merge == Merge::None { "search tree" } else { "search web" };
        let what = match self.variant.threads {
            1 => format!("a {what} of"),
            trees => format!("the first of {trees} {what}s,"),
        };
        let how = UctVariant { threads: 1, ..self.variant }.to_string();
        let how = if how.is_empty() { how } else { format!(" ({how})") };
        format!("{what} {} iterations{how}", self.iterations)
    }

    /// What the dashed lines of a web are; nothing where there are none.
    pub(super) fn links_words(&self) -> &'static str {
        if self.nodes.iter().any(|node| !node.links.is_empty()) {
            "dashed: a move to a position that other lines reach too; "
        } else {
            ""
        }
    }

    /// What the words and numbers of a node are.
    pub(super) fn numbers_words(&self) -> String {
        match self.style {
            Style::Plain => {
                let proved = if self.variant.solver { "; win, loss, draw: proved" } else { "" };
                let turn = self.turn;
                format!(
                    "move, visits, value for the {turn} player, who is to move, -1 to 1{proved}"
                )
            }
            Style::Williams => {
                "move, visits; dotted: a weak move, what follows it is left out".to_owned()
            }
        }
    }

    /// The visits of the root; 1 for an empty tree.
    pub(super) fn root_visits(&self) -> f64 {
        match self.nodes.first() {
            Some(PickedNode { what: Shown::Node(root), .. }) => f64::from(root.visits),
            _ => 1.0,
        }
    }
}

/// A value with two digits and its sign; without a negative zero.
pub(super) fn signed(value: f64) -> String {
    format!("{:+.2}", (value * 100.0).round() / 100.0 + 0.0)
}

/// Chooses what to show: the principal variation with its siblings, then from the root always the
/// children of the node with the most visits, until the picture is full.
#[must_use]
pub fn pick(outline: &Outline, style: Style, limits: Limits) -> Picked {
    let mut nodes: Vec<PickedNode> = Vec::new();
    // By the index of a node, its place in the picture.
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    // The principal variation first, then by visits, then the earlier one: the heap gives the largest.
    let mut open = BinaryHeap::new();
    if let Some(root) = outline.nodes.first() {
        nodes.push(PickedNode {
            parent: None,
            what: Shown::Node(ShownNode::of(root, !root.children.is_empty())),
            weak: false,
            links: Vec::new(),
        });
        places.insert(0, 0);
        open.push((root.principal, root.visits, Reverse(0usize), 0usize));
    }
    while let Some((_, _, Reverse(index), shown)) = open.pop() {
        let node = &outline.nodes[index];
        let deepest = node.depth as usize >= limits.depth_max;
        if node.children.is_empty() || nodes[shown].weak || deepest {
            continue;
        }
        let mut children = node.children.clone();
        children.sort_by_key(|&c| {
            let child = &outline.nodes[c];
            (!child.principal, Reverse(child.visits), c)
        });
        // A single sibling too many is shown rather than folded.
        let kept = if children.len() <= limits.children_max + 1 {
            children.len()
        } else {
            limits.children_max
        };
        // The root is opened in any case, with as many children as there is room for.
        let room = limits.nodes_max.saturating_sub(nodes.len() + 1);
        let kept = if node.parent.is_none() { kept.min(room) } else { kept };
        let folded = children.len() - kept;
        if nodes.len() + kept + usize::from(folded > 0) > limits.nodes_max {
            continue;
        }
        if let Shown::Node(node) = &mut nodes[shown].what {
            node.cut = false;
        }
        let weak_below = weak_below(outline, node);
        for &child in &children[..kept] {
            let c = &outline.nodes[child];
            let sign = f64::from(node.turn.sign());
            let weak = style == Style::Williams && sign * c.mean_for_first < weak_below;
            let cut = !c.children.is_empty();
            let place = nodes.len();
            nodes.push(PickedNode {
                parent: Some(shown),
                what: Shown::Node(ShownNode::of(c, cut && !weak)),
                weak,
                links: Vec::new(),
            });
            places.insert(child, place);
            open.push((c.principal, c.visits, Reverse(child), place));
        }
        if folded > 0 {
            let visits = children[kept..].iter().map(|&c| u64::from(outline.nodes[c].visits)).sum();
            nodes.push(PickedNode {
                parent: Some(shown),
                what: Shown::Folded { count: folded, visits },
                weak: false,
                links: Vec::new(),
            });
        }
    }
    for (&index, &place) in &places {
        let links = outline.nodes[index].links.iter();
        let shown = links.filter_map(|link| places.get(&link.to).copied());
        // A line to a node below this one is there already.
        let mut links: Vec<usize> = shown.filter(|&to| nodes[to].parent != Some(place)).collect();
        links.sort_unstable();
        links.dedup();
        nodes[place].links = links;
    }
    Picked {
        game: outline.game.clone(),
        position: outline.position.clone(),
        turn: outline.nodes.first().map_or(Player::First, |root| root.turn),
        iterations: outline.iterations,
        variant: outline.variant,
        style,
        nodes,
    }
}

/// The average for the player to move below which a move of `node` is weak.
fn weak_below(outline: &Outline, node: &OutlineNode) -> f64 {
    let sign = f64::from(node.turn.sign());
    let averages: Vec<f64> =
        node.children.iter().map(|&c| sign * outline.nodes[c].mean_for_first).collect();
    let n = averages.len() as f64;
    let mean = averages.iter().sum::<f64>() / n;
    let variance = averages.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / n;
    averages.iter().copied().fold(f64::NEG_INFINITY, f64::max) - variance.sqrt()
}
