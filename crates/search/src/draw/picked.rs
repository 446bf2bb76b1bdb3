//! Choosing the part of a tree that a picture can show.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{Outline, OutlineNode};

/// How a tree is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Style {
    /// Nodes sized by visits and coloured by their average.
    #[default]
    Plain,
    /// As Williams 2010 draws: nodes sized by visits, the number of visits on each edge, weak
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
}

impl Default for Limits {
    fn default() -> Self {
        Limits { children_max: 6, nodes_max: 44 }
    }
}

/// The part of a tree that a picture shows.
#[derive(Clone, Debug)]
pub struct Picked<'o> {
    /// The whole tree.
    pub outline: &'o Outline,
    /// How it is drawn.
    pub style: Style,
    /// The nodes shown, each after its parent, children from left to right: the principal
    /// variation first, then by visits.
    pub nodes: Vec<PickedNode>,
}

/// A node of a picture.
#[derive(Clone, Debug)]
pub struct PickedNode {
    /// The index of its parent in the picture; `None` at the root.
    pub parent: Option<usize>,
    /// What it shows.
    pub what: Shown,
    /// Whether the move is weak ([`Style::Williams`]).
    pub weak: bool,
}

/// What a node of a picture shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shown {
    /// A node of the outline, by index, and whether some of what is below it is left out.
    Node {
        /// The index in the outline.
        index: usize,
        /// Whether it has children that are not shown, not even folded.
        cut: bool,
    },
    /// Siblings that are too many.
    Folded {
        /// How many they are.
        count: usize,
        /// The sum of their visits.
        visits: u64,
    },
}

impl Picked<'_> {
    /// A node of the outline that a shown node stands for.
    pub(super) fn outline_node(&self, index: usize) -> &OutlineNode {
        &self.outline.nodes[index]
    }
}

/// Chooses what to show: from the root, always opening the node with the most visits, until the
/// picture is full.
#[must_use]
pub fn pick(outline: &Outline, style: Style, limits: Limits) -> Picked<'_> {
    let mut nodes: Vec<PickedNode> = Vec::new();
    // By visits, then the earlier one: the heap gives the largest.
    let mut open = BinaryHeap::new();
    if let Some(root) = outline.nodes.first() {
        nodes.push(PickedNode {
            parent: None,
            what: Shown::Node { index: 0, cut: !root.children.is_empty() },
            weak: false,
        });
        open.push((root.visits, Reverse(0usize), 0usize));
    }
    while let Some((_, Reverse(index), shown)) = open.pop() {
        let node = &outline.nodes[index];
        if node.children.is_empty() || nodes[shown].weak {
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
        if let Shown::Node { cut, .. } = &mut nodes[shown].what {
            *cut = false;
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
                what: Shown::Node { index: child, cut: cut && !weak },
                weak,
            });
            open.push((c.visits, Reverse(child), place));
        }
        if folded > 0 {
            let visits = children[kept..].iter().map(|&c| u64::from(outline.nodes[c].visits)).sum();
            nodes.push(PickedNode {
                parent: Some(shown),
                what: Shown::Folded { count: folded, visits },
                weak: false,
            });
        }
    }
    Picked { outline, style, nodes }
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
