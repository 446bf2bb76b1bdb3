//! Learners that report the progress of fits.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use treegauge_core::{Phase, Progress, Watch};
use treegauge_learn::{Examples, Fitted, LearnError, Learner, Watched};

/// Progress of the fits of an evaluation, in approximate microseconds: a forest takes a thousand
/// times as long as a regression.
pub(super) struct Fits<'a> {
    watch: &'a dyn Watch,
    planned: u64,
    done: AtomicU64,
}

impl<'a> Fits<'a> {
    /// Starts with nothing done out of `planned`.
    pub(super) fn new(planned: u64, watch: &'a dyn Watch) -> Self {
        Fits { watch, planned, done: AtomicU64::new(0) }
    }

    /// Watch that receives the progress and says stop.
    pub(super) fn watch(&self) -> &'a dyn Watch {
        self.watch
    }

    fn add(&self, cost: u64) {
        let done = self.done.fetch_add(cost, Ordering::Relaxed) + cost;
        self.watch.progress(Progress::new(Phase::Fits, done, self.planned.max(done)));
    }
}

/// Learner that stops with the watch of `fits`, and adds `cost` to their progress after each fit.
pub(super) struct Counted<'a, L> {
    pub(super) learner: L,
    pub(super) cost: u64,
    pub(super) fits: &'a Fits<'a>,
}

impl<L: Learner> fmt::Debug for Counted<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.learner.fmt(f)
    }
}

impl<L: Learner> Learner for Counted<'_, L> {
    fn name(&self) -> String {
        self.learner.name()
    }

    fn fit(&self, examples: &Examples<'_>, seed: u64) -> Result<Fitted, LearnError> {
        let learner = Watched { learner: &self.learner, watch: self.fits.watch };
        let fitted = learner.fit(examples, seed)?;
        self.fits.add(self.cost);
        Ok(fitted)
    }
}
