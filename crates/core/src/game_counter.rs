//! Counter of the finished games of an experiment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Phase, Progress, Watch};

/// Counts finished games and reports them to a watch.
pub struct GameCounter<'a> {
    watch: &'a dyn Watch,
    done: Mutex<GamesDone>,
    planned: GamesDone,
    failed: AtomicBool,
}

/// Number of games, finished or planned, and their work in any unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct GamesDone {
    /// Number of games.
    pub games: u64,
    /// Total work.
    pub work: u64,
}

impl GamesDone {
    /// `games` games with one unit of work each.
    #[must_use]
    pub fn alike(games: u64) -> GamesDone {
        GamesDone { games, work: games }
    }

    /// Adds the games and work of `other`.
    pub fn add(&mut self, other: GamesDone) {
        self.games += other.games;
        self.work = self.work.saturating_add(other.work);
    }
}

impl<'a> GameCounter<'a> {
    /// Starts a counter with the finished and the planned games, and reports the first progress.
    pub fn new(watch: &'a dyn Watch, done: GamesDone, planned: GamesDone) -> Self {
        let failed = AtomicBool::new(false);
        let counter = GameCounter { watch, done: Mutex::new(done), planned, failed };
        counter.over(GamesDone::default());
        counter
    }

    /// Counts further finished games and reports the progress.
    pub fn over(&self, more: GamesDone) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.add(more);
        let games = Some((done.games, self.planned.games));
        let progress = Progress::new(Phase::Games, done.work, self.planned.work);
        self.watch.progress(Progress { games, ..progress });
    }

    /// Marks the experiment as failed, so that its other games stop early.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Tests whether to stop: the watch requests it, or the experiment has failed.
    #[must_use]
    pub fn stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stop()
    }
}
