//! The nearest examples.

use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;

/// The mean target of the nearest examples; those that are as near as the last of them count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestNeighbours {
    /// How many, at least 1.
    pub k: usize,
}

impl Learner for NearestNeighbours {
    fn name(&self) -> String {
        format!("neighbours(k={})", self.k)
    }

    fn fit(&self, examples: &Examples<'_>, _: u64) -> Result<Fitted, LearnError> {
        Ok(Fitted::Neighbours {
            k: self.k.max(1),
            rows: examples.rows().iter().map(|row| row.to_vec()).collect(),
            targets: examples.targets().to_vec(),
        })
    }
}
