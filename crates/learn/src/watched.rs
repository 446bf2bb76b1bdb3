//! Learners that stop with their watch: a nested choice among many takes minutes.

use std::fmt;

use treegauge_core::Watch;

use crate::{Examples, Fitted, LearnError, Learner};

/// A learner that does not begin to fit once its watch says stop.
pub struct Watched<'a, L> {
    /// The learner.
    pub learner: L,
    /// The watch that is asked before a fit.
    pub watch: &'a dyn Watch,
}

impl<L: Learner> fmt::Debug for Watched<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.learner.fmt(f)
    }
}

impl<L: Learner> Learner for Watched<'_, L> {
    fn name(&self) -> String {
        self.learner.name()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        if self.watch.stop() {
            return Err(LearnError::Interrupted);
        }
        self.learner.fit(examples, seed)
    }
}
