//! Counting the games of an experiment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Phase, Progress, Watch};

/// Counts games that are over, and says so to a watch.
pub struct GameCounter<'a> {
    watch: &'a dyn Watch,
    done: Mutex<GamesDone>,
    planned: GamesDone,
    failed: AtomicBool,
}

/// Games that are over or planned, and their work in any unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct GamesDone {
    /// The games.
    pub games: u64,
    /// Their work.
    pub work: u64,
}

impl GamesDone {
    /// Games of equal work.
    #[must_use]
    pub fn alike(games: u64) -> GamesDone {
        GamesDone { games, work: games }
    }

    /// Adds others to these.
    pub fn add(&mut self, other: GamesDone) {
        self.games += other.games;
        self.work = self.work.saturating_add(other.work);
    }
}

impl<'a> GameCounter<'a> {
    /// A counter of the games that are planned, `done` of which are over already.
    pub fn new(watch: &'a dyn Watch, done: GamesDone, planned: GamesDone) -> Self {
        let failed = AtomicBool::new(false);
        let counter = GameCounter { watch, done: Mutex::new(done), planned, failed };
        counter.over(GamesDone::default());
        counter
    }

    /// More games are over.
    pub fn over(&self, more: GamesDone) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        done.add(more);
        let games = Some((done.games, self.planned.games));
        let progress = Progress::new(Phase::Games, done.work, self.planned.work);
        self.watch.progress(Progress { games, ..progress });
    }

    /// The experiment ends with an error, so no other game of it need be played to its end.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::Relaxed);
    }

    /// Whether to stop: the watch says so, or the experiment fails.
    #[must_use]
    pub fn stop(&self) -> bool {
        self.failed.load(Ordering::Relaxed) || self.watch.stop()
    }
}
