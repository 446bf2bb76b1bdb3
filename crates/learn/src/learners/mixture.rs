//! Mean of several learners.

use crate::learner::{Examples, LearnError, Learner};
use crate::model::Fitted;

/// Predicts the mean of the predictions of some learners.
#[derive(Debug)]
pub struct Mixture(pub Vec<Box<dyn Learner>>);

impl Learner for Mixture {
    fn name(&self) -> String {
        let names: Vec<String> = self.0.iter().map(|learner| learner.name()).collect();
        format!("mean of {}", names.join(", "))
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        if self.0.is_empty() {
            return Err(LearnError::NoLearners);
        }
        let models = self.0.iter().map(|learner| learner.fit(examples, seed));
        Ok(Fitted::Mean { models: models.collect::<Result<_, _>>()? })
    }
}
