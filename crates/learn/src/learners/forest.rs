//! Forests: means of many random trees.

use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::random::Random;
use crate::tree::{Growth, Thresholds, Tree};

/// A random forest (Breiman 2001): trees on samples with replacement, each split of which chooses from a
/// few attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomForest {
    /// The trees.
    pub trees: usize,
    /// The least number of examples of a leaf.
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

/// Extremely randomised trees (Geurts, Ernst and Wehenkel 2006): trees on all examples, each split of
/// which chooses from a few attributes with one random threshold each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtraTrees {
    /// The trees.
    pub trees: usize,
    /// The least number of examples of a leaf.
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

/// How many attributes a split chooses from, by the defaults of Breiman's program: the root of all for
/// classes, a third for numbers.
fn attributes_of(examples: &Examples<'_>) -> usize {
    let attributes = match examples.task() {
        Task::Classes => (examples.width() as f64).sqrt().floor() as usize,
        Task::Values => examples.width() / 3,
    };
    attributes.max(1)
}
