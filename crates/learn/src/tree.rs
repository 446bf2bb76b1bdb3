//! Decision and regression trees (Breiman, Friedman, Olshen and Stone 1984).
//!
//! This implementation exists because those of the libraries are unsuitable. linfa-trees 0.8 treats
//! attributes that differ by less than 1e-5 as equal, which many variances do; it breaks ties by
//! the order of a hash map and stores no counts in its leaves. smartcore 0.7 misses splits next to
//! equal attributes. With targets 0 and 1 the variance of a node is half of its Gini impurity, so
//! one tree serves both tasks.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::model::is_number;
use crate::random::Random;

/// Binary tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tree {
    /// Root first; a child has a greater index than its parent.
    nodes: Vec<Node>,
}

/// Node of a tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Number of examples that reached the node.
    pub examples: usize,
    /// Mean of their targets.
    pub mean: f64,
    /// Split of the node; `None` for a leaf.
    pub split: Option<Split>,
}

/// Decision at a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// Index of the attribute.
    pub attribute: usize,
    /// Greatest value of the attribute for which a row goes left.
    pub threshold: f64,
    /// Index of the left child.
    pub left: usize,
    /// Index of the right child.
    pub right: usize,
}

/// Limits and choices of a growing tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growth {
    /// Least number of examples of a node that is split.
    pub parent_min: usize,
    /// Least number of examples of a leaf.
    pub leaf_min: usize,
    /// Greatest depth.
    pub depth_max: usize,
    /// Number of random attributes that a split chooses from; `None` for all.
    pub attributes: Option<usize>,
    /// Thresholds that a split chooses from.
    pub thresholds: Thresholds,
}

/// Thresholds of an attribute that a split chooses from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thresholds {
    /// Middles between neighbouring values.
    All,
    /// One random threshold between the least and the greatest value (Geurts, Ernst and Wehenkel
    /// 2006).
    Random,
}

impl Growth {
    /// Defaults of Matlab's `classregtree` of 2010, which Williams 2010 used: parents of at least
    /// 10 examples, and no pruning.
    pub const WILLIAMS: Growth = Growth { parent_min: 10, ..Growth::FULL };

    /// Full growth, with all attributes and thresholds.
    pub const FULL: Growth = Growth {
        parent_min: 2,
        leaf_min: 1,
        depth_max: usize::MAX,
        attributes: None,
        thresholds: Thresholds::All,
    };
}

/// Best split of a node found so far.
struct Best {
    attribute: usize,
    threshold: f64,
    gain: f64,
}

struct Grower<'a> {
    rows: &'a [&'a [f64]],
    targets: &'a [f64],
    growth: Growth,
    random: &'a mut Random,
    nodes: Vec<Node>,
    /// Buffer for one attribute of a node's examples: value and target.
    sorted: Vec<(f64, f64)>,
}

impl Tree {
    /// Grows a tree on the rows with the indices `which`; a repeated index counts repeatedly.
    ///
    /// Of equally good splits, the one with the least attribute and threshold is taken.
    ///
    /// # Panics
    ///
    /// If `which` is empty.
    #[must_use]
    pub fn grow(
        rows: &[&[f64]],
        targets: &[f64],
        which: &[usize],
        growth: Growth,
        random: &mut Random,
    ) -> Tree {
        assert!(!which.is_empty(), "a tree grows on examples");
        let mut grower =
            Grower { rows, targets, growth, random, nodes: Vec::new(), sorted: Vec::new() };
        grower.grow(&mut which.to_vec(), 0);
        Tree { nodes: grower.nodes }
    }

    /// Creates a tree from its nodes, the root first.
    pub(crate) fn of_nodes(nodes: Vec<Node>) -> Tree {
        Tree { nodes }
    }

    /// Returns the nodes, the root first.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Returns the attribute of each split; an attribute occurs once for each split on it.
    pub fn used(&self) -> impl Iterator<Item = usize> + '_ {
        self.nodes.iter().filter_map(|node| node.split.as_ref()).map(|split| split.attribute)
    }

    /// Tests whether it is a tree over this number of attributes with finite numbers. A tree read
    /// from a file may be invalid.
    #[must_use]
    pub fn is_sound(&self, attributes: usize) -> bool {
        let mut parents = vec![0; self.nodes.len()];
        for (n, node) in self.nodes.iter().enumerate() {
            if !is_number(node.mean) {
                return false;
            }
            let Some(split) = &node.split else { continue };
            let children = [split.left, split.right];
            if !is_number(split.threshold)
                || split.attribute >= attributes
                || children.iter().any(|&child| child <= n || child >= self.nodes.len())
            {
                return false;
            }
            children.iter().for_each(|&child| parents[child] += 1);
        }
        parents.first() == Some(&0) && parents[1..].iter().all(|&count| count == 1)
    }

    /// Replaces the index of each attribute by `number` of it.
    #[must_use]
    pub fn renumbered(&self, mut number: impl FnMut(usize) -> usize) -> Tree {
        let mut tree = self.clone();
        for split in tree.nodes.iter_mut().filter_map(|node| node.split.as_mut()) {
            split.attribute = number(split.attribute);
        }
        tree
    }

    /// Returns the mean target of the leaf that a row reaches.
    #[must_use]
    pub fn predict(&self, row: &[f64]) -> f64 {
        let mut node = &self.nodes[0];
        while let Some(split) = &node.split {
            let left = row[split.attribute] <= split.threshold;
            node = &self.nodes[if left { split.left } else { split.right }];
        }
        node.mean
    }

    /// Writes the tree as indented text. `names` are the names of the attributes; `leaf` describes
    /// a node.
    #[must_use]
    pub fn text(&self, names: &[String], leaf: &dyn Fn(&Node) -> String) -> String {
        let mut text = String::new();
        self.write_text(&mut text, 0, 0, names, leaf);
        text
    }

    fn write_text(
        &self,
        text: &mut String,
        node: usize,
        depth: usize,
        names: &[String],
        leaf: &dyn Fn(&Node) -> String,
    ) {
        let indent = "  ".repeat(depth);
        let Some(split) = &self.nodes[node].split else {
            let _ = writeln!(text, "{indent}{}", leaf(&self.nodes[node]));
            return;
        };
        let Split { attribute, threshold, left, right } = split;
        let name = &names[*attribute];
        for (sign, child) in [("<=", left), (">", right)] {
            let _ = writeln!(text, "{indent}{name} {sign} {}", threshold_text(*threshold));
            self.write_text(text, *child, depth + 1, names, leaf);
        }
    }

    /// Writes the tree in the language of Graphviz.
    #[must_use]
    pub fn dot(&self, names: &[String], leaf: &dyn Fn(&Node) -> String) -> String {
        let mut text = "digraph tree {\n  ordering=out;\n  node [shape=box];\n".to_owned();
        for (n, node) in self.nodes.iter().enumerate() {
            match &node.split {
                None => {
                    let _ = writeln!(text, "  n{n} [label=\"{}\"];", leaf(node).replace('"', "'"));
                }
                Some(Split { attribute, threshold, left, right }) => {
                    let name = &names[*attribute];
                    let _ = writeln!(text, "  n{n} [label=\"{name}\", shape=ellipse];");
                    let threshold = threshold_text(*threshold);
                    let _ = writeln!(text, "  n{n} -> n{left} [label=\"<= {threshold}\"];");
                    let _ = writeln!(text, "  n{n} -> n{right} [label=\"> {threshold}\"];");
                }
            }
        }
        text.push_str("}\n");
        text
    }
}

/// Formats a threshold with about four significant digits.
#[must_use]
pub fn threshold_text(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        let digits = (3 - x.abs().max(1e-3).log10().floor() as i32).clamp(0, 6) as usize;
        format!("{x:.digits$}")
    } else {
        format!("{x:.3e}")
    }
}

impl Grower<'_> {
    /// Grows a node and its descendants; returns its index.
    fn grow(&mut self, which: &mut [usize], depth: usize) -> usize {
        let sum: f64 = which.iter().map(|&n| self.targets[n]).sum();
        let place = self.nodes.len();
        let mean = sum / which.len() as f64;
        self.nodes.push(Node { examples: which.len(), mean, split: None });
        let is_pure = which.iter().all(|&n| self.targets[n] == self.targets[which[0]]);
        if is_pure || which.len() < self.growth.parent_min || depth >= self.growth.depth_max {
            return place;
        }
        let Some(Best { attribute, threshold, .. }) = self.best_split(which, sum) else {
            return place;
        };
        // Keeps the order of the rows, so that sums do not depend on the splits above.
        let (left, right): (Vec<usize>, Vec<usize>) =
            which.iter().partition(|&&n| self.rows[n][attribute] <= threshold);
        which[..left.len()].copy_from_slice(&left);
        which[left.len()..].copy_from_slice(&right);
        let (left, right) = which.split_at_mut(left.len());
        let left = self.grow(left, depth + 1);
        let right = self.grow(right, depth + 1);
        self.nodes[place].split = Some(Split { attribute, threshold, left, right });
        place
    }

    fn best_split(&mut self, which: &[usize], sum: f64) -> Option<Best> {
        let width = self.rows[0].len();
        let mut best: Option<Best> = None;
        match self.growth.attributes.filter(|&some| some < width) {
            None => (0..width).for_each(|n| self.try_attribute(n, which, sum, &mut best)),
            Some(some) => {
                // Attributes that are constant on the examples do not count, as in Breiman's
                // forests.
                let mut left: Vec<usize> = (0..width).collect();
                let mut tried = 0;
                while tried < some && !left.is_empty() {
                    let n = left.swap_remove(self.random.below(left.len()));
                    let first = self.rows[which[0]][n];
                    if which.iter().any(|&row| self.rows[row][n] != first) {
                        self.try_attribute(n, which, sum, &mut best);
                        tried += 1;
                    }
                }
            }
        }
        best
    }

    /// Tries the thresholds of an attribute, and updates `best`.
    fn try_attribute(&mut self, n: usize, which: &[usize], sum: f64, best: &mut Option<Best>) {
        match self.growth.thresholds {
            Thresholds::All => self.try_middles(n, which, sum, best),
            Thresholds::Random => self.try_random(n, which, sum, best),
        }
    }

    /// Tries one random threshold of an attribute.
    fn try_random(&mut self, n: usize, which: &[usize], sum: f64, best: &mut Option<Best>) {
        let values = || which.iter().map(|&row| self.rows[row][n]);
        let least = values().fold(f64::INFINITY, f64::min);
        let greatest = values().fold(f64::NEG_INFINITY, f64::max);
        let threshold = least + (greatest - least) * self.random.share();
        if least == greatest || threshold >= greatest {
            return;
        }
        let left = || which.iter().filter(|&&row| self.rows[row][n] <= threshold);
        let (below, count) = (left().count(), which.len());
        if below < self.growth.leaf_min || count - below < self.growth.leaf_min {
            return;
        }
        let of_left: f64 = left().map(|&row| self.targets[row]).sum();
        let right = sum - of_left;
        let gain = of_left * of_left / below as f64 + right * right / (count - below) as f64
            - sum * sum / count as f64;
        if best.as_ref().is_none_or(|best| gain > best.gain) {
            *best = Some(Best { attribute: n, threshold, gain });
        }
    }

    /// Tries all thresholds of an attribute: the middles between neighbouring values.
    fn try_middles(&mut self, n: usize, which: &[usize], sum: f64, best: &mut Option<Best>) {
        self.sorted.clear();
        self.sorted.extend(which.iter().map(|&row| (self.rows[row][n], self.targets[row])));
        self.sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = self.sorted.len();
        let none = sum * sum / count as f64;
        let mut left = 0.0;
        for at in 1..count {
            left += self.sorted[at - 1].1;
            let (below, above) = (self.sorted[at - 1].0, self.sorted[at].0);
            if below == above || at < self.growth.leaf_min || count - at < self.growth.leaf_min {
                continue;
            }
            let right = sum - left;
            // Decrease of the squared deviations by the split.
            let gain = left * left / at as f64 + right * right / (count - at) as f64 - none;
            // Rounding must not decide between two equal splits.
            let least = best.as_ref().map_or(0.0, |best| best.gain) + 1e-9 * (1.0 + none.abs());
            let is_tie_before = best.as_ref().is_some_and(|best| {
                (gain - best.gain).abs() <= 1e-9 * (1.0 + none.abs()) && n < best.attribute
            });
            if gain > least || is_tie_before {
                let middle = below + (above - below) / 2.0;
                // Two adjacent floats have no middle.
                let threshold = if middle < above { middle } else { below };
                *best = Some(Best { attribute: n, threshold, gain });
            }
        }
    }
}
