//! Choice among learners without access to the held-out examples.

use crate::folds::Folds;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::scores::{brier, r_squared};
use crate::validate::cross_validate;

/// Cross-validates some learners on the training examples and fits the best one, the first among
/// equals. Cross-validating this learner in turn is nested cross-validation, an honest estimate of
/// the choice (Varma and Simon 2006).
///
/// The score is the Brier score for classes and the squared error for numbers.
#[derive(Debug)]
pub struct Nested<'a> {
    /// Learners to choose from.
    pub candidates: Vec<Box<dyn Learner + 'a>>,
    /// Folds of the comparison; reduced if there are too few examples.
    pub folds: Folds,
}

impl Learner for Nested<'_> {
    fn name(&self) -> String {
        format!("best of {}", self.candidates.len())
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let folds = self.folds.fitting(examples);
        let mut best: Option<(f64, &(dyn Learner + '_))> = None;
        for candidate in &self.candidates {
            let found = cross_validate(candidate, examples, folds, seed)?;
            let score = match examples.task() {
                Task::Classes => brier(&found.predictions, examples.targets())
                    .map_or(f64::INFINITY, |score| score),
                Task::Values => r_squared(&found.predictions, examples.targets())
                    .map_or(f64::INFINITY, |score| -score),
            };
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, candidate.as_ref()));
            }
        }
        let (_, learner) = best.ok_or(LearnError::NoExamples)?;
        learner.fit(examples, seed)
    }
}
