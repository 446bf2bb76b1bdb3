//! Shape of a search tree: a number for each entry of [`FEATURES`].

use serde::{Deserialize, Serialize};
use treegauge_core::Player;

use crate::tree::{NodeId, Tree};

/// Iteration counts at which [`MoveAverages`] records the averages of the moves.
const CHECKPOINTS: [u32; 7] = [200, 500, 1_000, 5_000, 10_000, 50_000, 100_000];

/// Averages of the root's moves at the checkpoints of a search.
#[derive(Clone, Debug, Default)]
pub struct MoveAverages {
    /// Averages for the player to move, by checkpoint and move.
    averages: Vec<Vec<f64>>,
}

impl MoveAverages {
    pub(crate) fn clear(&mut self) {
        self.averages.clear();
    }

    /// Records the averages of the root's moves after `iterations`, if that is a checkpoint.
    #[inline]
    pub(crate) fn note(&mut self, iterations: u32, averages: impl FnOnce() -> Vec<f64>) {
        if CHECKPOINTS.get(self.averages.len()) == Some(&iterations) {
            self.averages.push(averages());
        }
    }

    /// Sum over moves and consecutive checkpoints of the absolute change of the average.
    fn sum(&self, unvisited: Unvisited) -> f64 {
        let mut sum = 0.0;
        for pair in self.averages.windows(2) {
            for (n, after) in pair[1].iter().enumerate() {
                match (pair[0].get(n), unvisited) {
                    (Some(before), _) => sum += (after - before).abs(),
                    (None, Unvisited::Zero) => sum += after.abs(),
                    (None, Unvisited::Skip) => {}
                }
            }
        }
        sum
    }
}

/// Averages of the visited children of the root for the player to move, in move order.
pub(crate) fn averages<M: Copy>(tree: &Tree<M>, turn: Player) -> Vec<f64> {
    let sign = f64::from(turn.sign());
    // Adding 0 turns the negative zero of an even average into zero.
    tree.children(NodeId::ROOT).iter().map(|child| sign * child.mean() + 0.0).collect()
}

/// Rounding of a third of the moves for [`Shape::spread_third`]; the result is at least 1. The
/// source leaves this open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SpreadThird {
    /// Rounded up.
    #[default]
    Up,
    /// Rounded down.
    Down,
    /// Rounded to the nearest, a half upwards.
    Nearest,
}

/// Divisor of variances and the standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variance {
    /// Number of values.
    #[default]
    Population,
    /// Number of values minus one, as in Matlab's `var`; a single value has variance 0.
    Sample,
}

/// Nodes that count for [`Shape::uct_fraction`]. The source's text and its appendix differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UctNodes {
    /// Nodes with more visits than legal moves (the appendix).
    #[default]
    Strict,
    /// Nodes with at least as many visits as legal moves, that is every node that is not a leaf
    /// (the text). The feature is then 1 minus [`Shape::leaf_fraction`].
    NonLeaf,
}

/// Contribution to [`Shape::score_drift`] of a move that was not yet tried at a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unvisited {
    /// The move counts with the average 0.
    #[default]
    Zero,
    /// The move is left out.
    Skip,
}

/// Choices that the definition of the features leaves open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ShapeOptions {
    /// Rounding for [`Shape::spread_third`].
    pub spread_third: SpreadThird,
    /// Divisor for [`Shape::var_l1`], [`Shape::effective_branching`], [`Shape::var_subtree_depth`]
    /// and [`Shape::var_subtree_width`].
    pub variance: Variance,
    /// Nodes that count for [`Shape::uct_fraction`].
    pub uct_nodes: UctNodes,
    /// Treatment of untried moves for [`Shape::score_drift`].
    pub unvisited: Unvisited,
}

/// Features of one search tree. [`FEATURES`] lists the source of each; the numbers are those of
/// Williams 2010, section 3.4.
///
/// Averages are results of playouts **for the player to move at the root**, -1 to 1. "Moves" means
/// the moves of the root that were tried. Without any, `best`, `worst` and `mean_l1` are 0; with
/// fewer than two, every spread and variance is 0 too.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// 1. Legal moves at the root, tried or not. A count, 1 or more.
    pub legal_moves: f64,
    /// 2. The greatest depth of a node, in plies; the root has depth 0.
    pub depth: f64,
    /// 3. The greatest average of a move, -1 to 1.
    pub best: f64,
    /// 4. The least average of a move, -1 to 1.
    pub worst: f64,
    /// 5. `best - worst`, 0 to 2.
    pub spread: f64,
    /// 6. Best average minus the average at a third of the ranking, 0 to 2: with n moves sorted
    ///    from the best, that of rank `max(1, ceil(n / 3))`.
    pub spread_third: f64,
    /// 7. The mean of the averages, every move counting once, -1 to 1.
    pub mean_l1: f64,
    /// 8. The variance of the averages, 0 to 1.
    pub var_l1: f64,
    /// 9. The share of nodes with fewer visits than legal moves, 0 to 1.
    pub leaf_fraction: f64,
    /// 10. The share of nodes with more visits than legal moves, 0 to 1. It includes finished
    ///     positions, which have no legal moves.
    pub uct_fraction: f64,
    /// 11. The number of moves with an average within one standard deviation of the best.
    pub effective_branching: f64,
    /// 12. The mean depth of all nodes, in plies.
    pub mean_depth: f64,
    /// 13. The mean number of legal moves of all nodes, children or not.
    pub mean_branching: f64,
    /// 14. The variance over moves of the depth of the tree below them, in plies squared.
    pub var_subtree_depth: f64,
    /// 15. The variance over moves of feature 13, taken over the move's node and all nodes below
    ///     it.
    pub var_subtree_width: f64,
    /// 16. The sum over moves of the absolute changes of their averages between 200, 500, 1,000,
    ///     5,000, 10,000, 50,000 and 100,000 iterations, up to the end of the search. 0 or more; 0
    ///     for a search of fewer than 500 iterations, which has fewer than two of these
    ///     checkpoints.
    pub score_drift: f64,
}

/// Description of one feature of a search tree, for reports, records and tables.
#[derive(Clone, Copy, Debug)]
pub struct Feature {
    /// Name in JSON, records and tables, equal to the field of [`Shape`].
    pub name: &'static str,
    /// Unit of the number: `count`, `plies`, `value` (of a move, -1 to 1), `share` (0 to 1), or the
    /// square of one of these.
    pub unit: &'static str,
    /// Least and greatest value that a tree can have, both included.
    pub range: (f64, f64),
    /// Meaning of the feature in a few plain words.
    pub meaning: &'static str,
    /// Source of the definition: author, year, section.
    pub source: &'static str,
    /// Reads the feature from a shape.
    pub of: fn(&Shape) -> f64,
}

const WILLIAMS: &str = "Williams 2010, section 3.4 and appendix B";

/// Upper bound of the number of legal moves of a position in any game.
const MOVES_MAX: f64 = 65_536.0;

/// Upper bound of the plies, and of the changes of a value, in a search.
const PLIES_MAX: f64 = 1e9;

/// All features, in the order of reports. This is the only list: a new feature is a field of
/// [`Shape`] and an entry here.
pub static FEATURES: &[Feature] = &[
    Feature {
        name: "legal_moves",
        unit: "count",
        range: (0.0, MOVES_MAX),
        meaning: "legal moves at the root",
        source: WILLIAMS,
        of: |shape| shape.legal_moves,
    },
    Feature {
        name: "depth",
        unit: "plies",
        range: (0.0, PLIES_MAX),
        meaning: "depth of the deepest node",
        source: WILLIAMS,
        of: |shape| shape.depth,
    },
    Feature {
        name: "best",
        unit: "value",
        range: (-1.0, 1.0),
        meaning: "value of the best move, -1 to 1",
        source: WILLIAMS,
        of: |shape| shape.best,
    },
    Feature {
        name: "worst",
        unit: "value",
        range: (-1.0, 1.0),
        meaning: "value of the worst move, -1 to 1",
        source: WILLIAMS,
        of: |shape| shape.worst,
    },
    Feature {
        name: "spread",
        unit: "value",
        range: (0.0, 2.0),
        meaning: "value of the best move minus that of the worst",
        source: WILLIAMS,
        of: |shape| shape.spread,
    },
    Feature {
        name: "spread_third",
        unit: "value",
        range: (0.0, 2.0),
        meaning: "value of the best move minus that of the move a third down the ranking",
        source: WILLIAMS,
        of: |shape| shape.spread_third,
    },
    Feature {
        name: "mean_l1",
        unit: "value",
        range: (-1.0, 1.0),
        meaning: "mean value of the moves",
        source: WILLIAMS,
        of: |shape| shape.mean_l1,
    },
    Feature {
        name: "var_l1",
        unit: "value squared",
        range: (0.0, 2.0),
        meaning: "variance of the values of the moves",
        source: WILLIAMS,
        of: |shape| shape.var_l1,
    },
    Feature {
        name: "leaf_fraction",
        unit: "share",
        range: (0.0, 1.0),
        meaning: "nodes with fewer visits than legal moves",
        source: WILLIAMS,
        of: |shape| shape.leaf_fraction,
    },
    Feature {
        name: "uct_fraction",
        unit: "share",
        range: (0.0, 1.0),
        meaning: "nodes with more visits than legal moves",
        source: WILLIAMS,
        of: |shape| shape.uct_fraction,
    },
    Feature {
        name: "effective_branching",
        unit: "count",
        range: (0.0, MOVES_MAX),
        meaning: "moves within one standard deviation of the best",
        source: WILLIAMS,
        of: |shape| shape.effective_branching,
    },
    Feature {
        name: "mean_depth",
        unit: "plies",
        range: (0.0, PLIES_MAX),
        meaning: "mean depth of all nodes",
        source: WILLIAMS,
        of: |shape| shape.mean_depth,
    },
    Feature {
        name: "mean_branching",
        unit: "count",
        range: (0.0, MOVES_MAX),
        meaning: "mean number of legal moves of all nodes",
        source: WILLIAMS,
        of: |shape| shape.mean_branching,
    },
    Feature {
        name: "var_subtree_depth",
        unit: "plies squared",
        range: (0.0, PLIES_MAX * PLIES_MAX),
        meaning: "variance over the moves of the greatest depth below them",
        source: WILLIAMS,
        of: |shape| shape.var_subtree_depth,
    },
    Feature {
        name: "var_subtree_width",
        unit: "count squared",
        range: (0.0, MOVES_MAX * MOVES_MAX),
        meaning: "variance over the moves of the mean number of legal moves below them",
        source: WILLIAMS,
        of: |shape| shape.var_subtree_width,
    },
    Feature {
        name: "score_drift",
        unit: "value",
        range: (0.0, PLIES_MAX),
        meaning: "change of the values during the search; 0 below 500 iterations",
        source: WILLIAMS,
        of: |shape| shape.score_drift,
    },
];

impl Feature {
    /// Feature with this name; `None` if there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Feature> {
        FEATURES.iter().find(|feature| feature.name == name)
    }
}

impl Shape {
    /// Measures a tree. `turn` is the player to move at its root. `None` for an empty tree: a
    /// finished position has no shape.
    #[must_use]
    pub fn of<M: Copy>(
        tree: &Tree<M>,
        turn: Player,
        drift: &MoveAverages,
        options: ShapeOptions,
    ) -> Option<Shape> {
        let root = tree.root()?;
        // The root counts as a subtree of its own, so that its numbers are added with the rest.
        let mut all = Totals::default();
        all.add(root.visits(), root.legal_moves(), 0, options.uct_nodes);
        let mut below_moves = Vec::new();
        let mut open: Vec<(NodeId, u32)> = Vec::new();
        for child in tree.child_ids(NodeId::ROOT) {
            let mut below = Totals::default();
            open.push((child, 1));
            while let Some((id, depth)) = open.pop() {
                let node = tree.node(id);
                below.add(node.visits(), node.legal_moves(), depth, options.uct_nodes);
                open.extend(tree.child_ids(id).map(|child| (child, depth + 1)));
            }
            below_moves.push(below);
            all.merge(below);
        }
        let averages = averages(tree, turn);
        Some(Shape::of_parts(root.legal_moves(), &averages, all, &below_moves, drift, options))
    }

    /// Shape of a tree or web whose root has `legal_moves`, from the averages of its moves, the
    /// sums over all nodes, and the sums over the nodes of each move.
    pub(crate) fn of_parts(
        legal_moves: u32,
        averages: &[f64],
        all: Totals,
        below_moves: &[Totals],
        drift: &MoveAverages,
        options: ShapeOptions,
    ) -> Shape {
        let variance = |values: &[f64]| variance(values, options.variance);
        let mut sorted = averages.to_vec();
        sorted.sort_unstable_by(|a, b| b.total_cmp(a));
        let best = sorted.first().copied().unwrap_or(0.0);
        let worst = sorted.last().copied().unwrap_or(0.0);
        let rank = match options.spread_third {
            SpreadThird::Up => sorted.len().div_ceil(3),
            SpreadThird::Down => sorted.len() / 3,
            SpreadThird::Nearest => (2 * sorted.len() + 3) / 6,
        }
        .max(1);
        let plausible = best - variance(averages).sqrt() - ROUNDING;
        let depths: Vec<f64> = below_moves.iter().map(|below| f64::from(below.depth_max)).collect();
        let width = |below: &Totals| below.legal_moves as f64 / below.nodes as f64;
        let widths: Vec<f64> = below_moves.iter().map(width).collect();
        let share = |count: u64| count as f64 / all.nodes as f64;
        Shape {
            legal_moves: f64::from(legal_moves),
            depth: f64::from(all.depth_max),
            best,
            worst,
            spread: best - worst,
            spread_third: sorted.get(rank - 1).map_or(0.0, |third| best - third),
            mean_l1: if averages.is_empty() { 0.0 } else { mean(averages) },
            var_l1: variance(averages),
            leaf_fraction: share(all.leaves),
            uct_fraction: share(all.uct_nodes),
            effective_branching: averages.iter().filter(|&&a| a >= plausible).count() as f64,
            mean_depth: share(all.depth_sum),
            mean_branching: share(all.legal_moves),
            var_subtree_depth: variance(&depths),
            var_subtree_width: variance(&widths),
            score_drift: drift.sum(options.unvisited),
        }
    }
}

/// Largest rounding error of an average minus a standard deviation, both at most 1. Moves exactly
/// one deviation below the best are common in small trees, and they count.
const ROUNDING: f64 = 1e-12;

/// Sums over nodes.
#[derive(Clone, Copy, Default)]
pub(crate) struct Totals {
    nodes: u64,
    leaves: u64,
    uct_nodes: u64,
    depth_sum: u64,
    depth_max: u32,
    legal_moves: u64,
}

impl Totals {
    pub(crate) fn add(&mut self, visits: u32, legal_moves: u32, depth: u32, uct_nodes: UctNodes) {
        self.nodes += 1;
        self.leaves += u64::from(visits < legal_moves);
        self.uct_nodes += u64::from(match uct_nodes {
            UctNodes::Strict => visits > legal_moves,
            UctNodes::NonLeaf => visits >= legal_moves,
        });
        self.depth_sum += u64::from(depth);
        self.depth_max = self.depth_max.max(depth);
        self.legal_moves += u64::from(legal_moves);
    }

    fn merge(&mut self, other: Totals) {
        self.nodes += other.nodes;
        self.leaves += other.leaves;
        self.uct_nodes += other.uct_nodes;
        self.depth_sum += other.depth_sum;
        self.depth_max = self.depth_max.max(other.depth_max);
        self.legal_moves += other.legal_moves;
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn variance(values: &[f64], kind: Variance) -> f64 {
    if values.len() < 2 {
        return 0.0;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares
        / match kind {
            Variance::Population => values.len() as f64,
            Variance::Sample => (values.len() - 1) as f64,
        }
}

#[cfg(test)]
mod tests;
