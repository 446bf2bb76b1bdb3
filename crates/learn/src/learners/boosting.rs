//! Gradient boosting of trees (Friedman 2001), by forust.

use forust_ml::Matrix;
use forust_ml::gradientbooster::GradientBooster;
use forust_ml::objective::ObjectiveType;

use super::failed;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::{Fitted, Link};
use crate::tree::{Node, Split, Tree};

/// Gradient boosting: each tree learns the errors that the trees before it left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Boosting {
    /// Number of trees.
    pub trees: usize,
    /// Factor of each tree's prediction: more than 0, at most 1.
    pub rate: f64,
    /// Greatest depth of a tree.
    pub depth: usize,
    /// Share of the attributes that each tree sees, drawn at random: more than 0, at most 1.
    pub columns: f64,
    /// Least sum of second derivatives of the loss in a leaf: for squared errors, examples.
    pub leaf_min: f64,
}

impl Default for Boosting {
    fn default() -> Self {
        Boosting { trees: 100, rate: 0.1, depth: 3, columns: 1.0, leaf_min: 1.0 }
    }
}

impl Learner for Boosting {
    fn name(&self) -> String {
        let Boosting { trees, rate, depth, columns, leaf_min } = self;
        let columns = match *columns < 1.0 {
            true => format!(",columns={columns}"),
            false => String::new(),
        };
        let leaf_min = match *leaf_min > 1.0 {
            true => format!(",leaf_min={leaf_min}"),
            false => String::new(),
        };
        format!("boosting(trees={trees},rate={rate},depth={depth}{columns}{leaf_min})")
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        if examples.is_constant() {
            return Ok(Fitted::Constant { value: examples.mean() });
        }
        let (objective, link) = match examples.task() {
            Task::Classes => (ObjectiveType::LogLoss, Link::Logistic),
            Task::Values => (ObjectiveType::SquaredLoss, Link::Identity),
        };
        // The library rounds the number of attributes down.
        let columns =
            if self.columns * examples.width() as f64 >= 1.0 { self.columns } else { 1.0 };
        let mut booster = GradientBooster::default()
            .set_objective_type(objective)
            .set_iterations(self.trees)
            .set_learning_rate(self.rate as f32)
            .set_max_depth(self.depth)
            .set_colsample_bytree(columns)
            .set_min_leaf_weight(self.leaf_min as f32)
            .set_max_leaves(1 << self.depth.min(16))
            .set_seed(seed)
            .set_parallel(false)
            .set_initialize_base_score(true);
        // Column by column.
        let columns: Vec<f64> = (0..examples.width())
            .flat_map(|n| examples.rows().iter().map(move |row| row[n]))
            .collect();
        let data = Matrix::new(&columns, examples.len(), examples.width());
        booster
            .fit_unweighted(&data, examples.targets(), None)
            .map_err(|error| failed(self, error))?;
        let trees = booster.trees.iter().map(converted).collect();
        Ok(Fitted::Sum { base: booster.base_score, trees, link })
    }
}

/// Converts a tree of the library. There a row goes left if its attribute is less than the split
/// value, here if it is at most the next smaller float.
fn converted(tree: &forust_ml::tree::Tree) -> Tree {
    let nodes = tree.nodes.iter().map(|node| Node {
        examples: 0,
        mean: f64::from(node.weight_value),
        split: (!node.is_leaf).then(|| Split {
            attribute: node.split_feature,
            threshold: node.split_value.next_down(),
            left: node.left_child,
            right: node.right_child,
        }),
    });
    Tree::of_nodes(nodes.collect())
}
