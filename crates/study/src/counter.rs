//! Counting the games of an experiment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use treegauge_core::{Phase, Progress, Watch};

/// Counts games that are over, and says so to a watch.
pub(crate) struct GameCounter<'a> {
    watch: &'a dyn Watch,
    done: Mutex<Games>,
    planned: Games,
    failed: AtomicBool,
}

/// Games, and the work that they take in any unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Games {
    pub(crate) games: u64,
    pub(crate) work: u64,
}

impl Games {
    /// Games of equal work.
    pub(crate) fn alike(games: u64) -> Games {
        Games { games, work: games }
    }

    pub(crate) fn add(&mut self, other: Games) {
        self.games += other.games;
        self.work = self.work.saturating_add(other.work);
    }
}

impl<'a> GameCounter<'a> {
    /// Of those that are planned some are over already.
    pub(crate) fn new(watch: &'a dyn Watch, done: Games, planned: Games) -> Self {
        let failed = AtomicBool::new(false);
        let counter = GameCounter { watch, done: Mutex::new(done), planned, failed };
        counter.over(Games::default());
        counter
    }

    /// More games are over.
    pub(crate) fn over(&self, more: Games) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.add(more);
        let games = Some((done.games, self.planned.games));
        let progress = Progress::new(Phase::Games, done.work, self.planned.work);
        self.watch.progress(Progress { games, ..progress });
    }

    /// The experiment ends with an error, so no other game of it need be played to its end.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether to stop.
    pub(crate) fn stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stop()
    }
}
