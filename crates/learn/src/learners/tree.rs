//! Single decision tree.

use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;
use crate::random::Random;
use crate::tree::{Growth, Tree};

/// Decision tree for classes or regression tree for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionTree(pub Growth);

impl Learner for DecisionTree {
    fn name(&self) -> String {
        format!("tree(parent_min={})", self.0.parent_min)
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let all: Vec<usize> = (0..examples.len()).collect();
        let tree =
            Tree::grow(examples.rows(), examples.targets(), &all, self.0, &mut Random::new(seed));
        Ok(Fitted::Trees { trees: vec![tree] })
    }
}
