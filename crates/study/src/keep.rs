//! Where the finished pieces of an experiment go.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use treegauge_core::{Phase, Progress, Watch};

/// Takes the pieces of an experiment as they are done, from many threads.
pub trait Keep<L>: Sync {
    /// One more piece is done.
    fn keep(&self, piece: &L);
}

/// Keeps nothing.
impl<L> Keep<L> for () {
    fn keep(&self, _: &L) {}
}

/// Counts games that are over, and says so to a watch.
pub(crate) struct GameCounter<'a> {
    watch: &'a dyn Watch,
    done: AtomicU64,
    total: u64,
    failed: AtomicBool,
}

impl<'a> GameCounter<'a> {
    /// `done` of `total` games are over already.
    pub(crate) fn new(watch: &'a dyn Watch, done: u64, total: u64) -> Self {
        watch.progress(Progress::new(Phase::Games, done, total));
        GameCounter { watch, done: AtomicU64::new(done), total, failed: AtomicBool::new(false) }
    }

    /// `more` more games are over.
    pub(crate) fn over(&self, games: u64) {
        let done = self.done.fetch_add(games, Ordering::Relaxed) + games;
        self.watch.progress(Progress::new(Phase::Games, done, self.total));
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
