//! Selection of the part of a tree that a picture can show.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde::{Deserialize, Serialize};
use treegauge_core::Player;

use super::{Outline, OutlineNode};
use treegauge_core::is_default;

use crate::variant::UctVariant;
use crate::web::Merge;

/// Style of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// Nodes with their visits and averages.
    #[default]
    Plain,
    /// As in Williams 2010: nodes without averages, weak moves dotted and without the nodes below
    /// them. A move is weak if its average for the player who makes it is more than a standard
    /// deviation of its siblings' averages below the best.
    Williams,
}

/// Size limits of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Most children shown per node, 1 or more; the rest are folded into one.
    pub children_max: usize,
    /// Most nodes in all, folded ones included, 1 or more.
    pub nodes_max: usize,
    /// Most plies from the root; each ply is a column of the picture.
    pub depth_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { children_max: 4, nodes_max: 44, depth_max: 6 }
    }
}

/// Part of a tree that a picture shows. It holds everything shown, so that the picture can be
/// rendered again without the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TreeSelection {
    /// Name of the game, as the caller wrote it.
    pub game: String,
    /// Position at the root.
    pub position: String,
    /// Player to move at the root. Values are for this player.
    #[serde(default = "first")]
    pub turn: Player,
    /// Number of iterations made.
    pub iterations: u32,
    /// Differences from the search of Williams 2010. Of several trees this is the first one.
    #[serde(default, skip_serializing_if = "is_default")]
    pub variant: UctVariant,
    /// Style of the picture.
    pub style: Style,
    /// Nodes shown, each after its parent, children from left to right: the principal variation
    /// first, then by visits.
    pub nodes: Vec<PickedNode>,
}

/// Node of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PickedNode {
    /// Index of the parent in the picture; `None` at the root.
    pub parent: Option<usize>,
    /// Contents of the node.
    #[serde(flatten)]
    pub what: Shown,
    /// Whether the move is weak; see [`Style::Williams`].
    #[serde(default, skip_serializing_if = "is_false")]
    pub weak: bool,
    /// In a web, the indexes of nodes with another parent that a move leads to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<usize>,
}

/// Contents of a node of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shown {
    /// Node of the tree.
    Node(ShownNode),
    /// Siblings folded into one node.
    Folded {
        /// Number of folded siblings.
        count: usize,
        /// Sum of their visits.
        visits: u64,
    },
}

/// Node of the tree as shown in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownNode {
    /// Move that led to the node; empty at the root.
    #[serde(rename = "move")]
    pub m: String,
    /// Visit count of the node.
    pub visits: u32,
    /// Average result for the first player, -1 to 1, clamped to the values that a solver has not
    /// excluded.
    pub mean_for_first: f64,
    /// Whether a solver proved the value.
    #[serde(default, skip_serializing_if = "is_false")]
    pub proved: bool,
    /// Number of legal moves; 0 if the game is over.
    pub legal_moves: u32,
    /// Whether the node lies on the principal variation.
    #[serde(default, skip_serializing_if = "is_false")]
    pub principal: bool,
    /// Whether the node has children that are not shown, not even folded.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

/// Default of `turn` for old pictures without the field: their values are for the first player.
fn first() -> Player {
    Player::First
}

/// Tests for a default flag, which JSON leaves out: most nodes of a picture have no special mark.
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

impl TreeSelection {
    /// Average of a node for the player to move at the root, or its proved value as a word; `None`
    /// in a style without averages.
    #[must_use]
    pub fn value_words(&self, shown: &ShownNode) -> Option<String> {
        let value = f64::from(self.turn.sign()) * shown.mean_for_first;
        let word = match value {
            _ if !shown.proved => None,
            1.0 => Some("win"),
            -1.0 => Some("loss"),
            _ => Some("draw"),
        };
        (self.style == Style::Plain).then(|| word.map_or_else(|| signed(value), str::to_owned))
    }

    /// Title words for the tree or web.
    #[must_use]
    pub fn grown_words(&self) -> String {
        let what = if self.variant.merge == Merge::None { "search tree" } else { "search web" };
        let what = match self.variant.threads {
            1 => format!("a {what} of"),
            trees => format!("the first of {trees} {what}s,"),
        };
        let how = UctVariant { threads: 1, ..self.variant }.to_string();
        let how = if how.is_empty() { how } else { format!(" ({how})") };
        format!("{what} {} iterations{how}", self.iterations)
    }

    /// Explains the dashed lines of a web; empty if there are none.
    #[must_use]
    pub fn links_words(&self) -> &'static str {
        if self.nodes.iter().any(|node| !node.links.is_empty()) {
            "dashed: a move to a position that other lines reach too; "
        } else {
            ""
        }
    }

    /// Explains the words and numbers of a node.
    #[must_use]
    pub fn numbers_words(&self) -> String {
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

    /// Visit count of the root; 1 for an empty tree.
    #[must_use]
    pub fn root_visits(&self) -> f64 {
        match self.nodes.first() {
            Some(PickedNode { what: Shown::Node(root), .. }) => f64::from(root.visits),
            _ => 1.0,
        }
    }
}

/// Formats a value with its sign and two decimals, without a negative zero.
#[must_use]
pub fn signed(value: f64) -> String {
    format!("{:+.2}", (value * 100.0).round() / 100.0 + 0.0)
}

/// Selects the nodes to show: the principal variation with its siblings, then repeatedly the
/// children of the most visited node, until the picture is full.
#[must_use]
pub fn pick(outline: &Outline, style: Style, limits: Limits) -> TreeSelection {
    let mut nodes: Vec<PickedNode> = Vec::new();
    // Place in the picture by index of the node.
    let mut places: BTreeMap<usize, usize> = BTreeMap::new();
    // The heap returns the largest: the principal variation first, then by visits, then the earlier
    // node.
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
        // A single extra sibling is shown rather than folded.
        let kept = if children.len() <= limits.children_max + 1 {
            children.len()
        } else {
            limits.children_max
        };
        // The root's children are shown in any case, up to the limit of nodes.
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
        // Nodes below this one have a line already.
        let mut links: Vec<usize> = shown.filter(|&to| nodes[to].parent != Some(place)).collect();
        links.sort_unstable();
        links.dedup();
        nodes[place].links = links;
    }
    TreeSelection {
        game: outline.game.clone(),
        position: outline.position.clone(),
        turn: outline.nodes.first().map_or(Player::First, |root| root.turn),
        iterations: outline.iterations,
        variant: outline.variant,
        style,
        nodes,
    }
}

/// Average for the player to move below which a move of `node` is weak.
fn weak_below(outline: &Outline, node: &OutlineNode) -> f64 {
    let sign = f64::from(node.turn.sign());
    let averages: Vec<f64> =
        node.children.iter().map(|&c| sign * outline.nodes[c].mean_for_first).collect();
    let n = averages.len() as f64;
    let mean = averages.iter().sum::<f64>() / n;
    let variance = averages.iter().map(|a| (a - mean).powi(2)).sum::<f64>() / n;
    averages.iter().copied().fold(f64::NEG_INFINITY, f64::max) - variance.sqrt()
}
