//! Learners that stop with a watch: a nested choice among many learners takes minutes.

use std::fmt;

use treegauge_core::Watch;

use crate::{Examples, Fitted, LearnError, Learner};

/// Learner that does not start to fit once its watch says stop.
pub struct Watched<'a, L> {
    /// Learner.
    pub learner: L,
    /// Watch polled before each fit.
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
