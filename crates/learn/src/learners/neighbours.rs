//! Nearest neighbours.

use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;

/// Predicts the mean target of the k nearest examples; examples as near as the k-th count too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NearestNeighbours {
    /// Number of neighbours, at least 1.
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
