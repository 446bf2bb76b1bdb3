//! Forests: means of many random trees.

use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::random::Random;
use crate::tree::{Growth, Thresholds, Tree};

/// Random forest (Breiman 2001): trees on bootstrap samples, whose splits choose from a few random
/// attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomForest {
    /// Number of trees.
    pub trees: usize,
    /// Least number of examples per leaf.
    pub leaf_min: usize,
}

impl Default for RandomForest {
    fn default() -> Self {
        RandomForest { trees: 300, leaf_min: 1 }
    }
}

impl Learner for RandomForest {
    fn name(&self) -> String {
        format!("forest(trees={},leaf_min={})", self.trees, self.leaf_min)
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let attributes = Some(attributes_of(examples));
        let growth = Growth { leaf_min: self.leaf_min, attributes, ..Growth::FULL };
        let mut random = Random::new(seed);
        let grow = |_| {
            let n = examples.len();
            let mut which: Vec<usize> = (0..n).map(|_| random.below(n)).collect();
            which.sort_unstable();
            Tree::grow(examples.rows(), examples.targets(), &which, growth, &mut random)
        };
        Ok(Fitted::Trees { trees: (0..self.trees.max(1)).map(grow).collect() })
    }
}

/// Extremely randomised trees (Geurts, Ernst and Wehenkel 2006): trees on all examples, whose
/// splits choose from a few random attributes with one random threshold each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraTrees {
    /// Number of trees.
    pub trees: usize,
    /// Least number of examples per leaf.
    pub leaf_min: usize,
}

impl Default for ExtraTrees {
    fn default() -> Self {
        ExtraTrees { trees: 300, leaf_min: 1 }
    }
}

impl Learner for ExtraTrees {
    fn name(&self) -> String {
        format!("extra_trees(trees={},leaf_min={})", self.trees, self.leaf_min)
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let growth = Growth {
            leaf_min: self.leaf_min,
            attributes: Some(attributes_of(examples)),
            thresholds: Thresholds::Random,
            ..Growth::FULL
        };
        let mut random = Random::new(seed);
        let all: Vec<usize> = (0..examples.len()).collect();
        let grow = |_| Tree::grow(examples.rows(), examples.targets(), &all, growth, &mut random);
        Ok(Fitted::Trees { trees: (0..self.trees.max(1)).map(grow).collect() })
    }
}

/// Returns the number of attributes per split by the defaults of Breiman's program: the square root
/// of all for classes, a third for numbers, at least 1.
fn attributes_of(examples: &Examples<'_>) -> usize {
    let attributes = match examples.task() {
        Task::Classes => (examples.width() as f64).sqrt().floor() as usize,
        Task::Values => examples.width() / 3,
    };
    attributes.max(1)
}
