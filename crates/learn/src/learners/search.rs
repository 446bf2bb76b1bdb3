//! Choosing among learners without a look at the examples that they are tested on.

use crate::folds::Folds;
use crate::learner::{Examples, LearnError, Learner, Task};
use crate::model::Fitted;
use crate::scores::{brier, r_squared};
use crate::validate::cross_validate;

/// Cross-validates some learners on its own examples and fits the best one, the first among equals.
/// Cross-validating it in turn is nested cross-validation: an honest estimate of the choice (Varma and
/// Simon 2006).
///
/// Classes are scored by the Brier score, numbers by the squared error.
#[derive(Debug)]
pub struct Nested<'a> {
    /// The learners.
    pub candidates: Vec<Box<dyn Learner + 'a>>,
    /// How they are compared; where the examples are too few for it, by fewer folds.
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
