//! Random forests (Breiman 2001).

use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::random::Random;
use crate::tree::{Growth, Tree};

/// A random forest: trees on samples with replacement, each split of which chooses from a few attributes.
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
        // The defaults of Breiman's program: the root of the attributes for classes, a third for numbers.
        let attributes = match examples.task() {
            Task::Classes => (examples.width() as f64).sqrt().floor() as usize,
            Task::Values => examples.width() / 3,
        };
        let growth = Growth {
            parent_min: 2,
            leaf_min: self.leaf_min,
            depth_max: usize::MAX,
            attributes: Some(attributes.max(1)),
        };
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
