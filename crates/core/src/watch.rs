//! How a caller watches long work and stops it.

use std::sync::Arc;
use std::time::Duration;

/// Watches long work: receives its progress, and may stop it. It is called from many threads.
pub trait Watch: Sync {
    /// Reports progress. Called from time to time.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// Receives a remark that should not wait for the end of the work.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// Whether the work should end as soon as it can. Once true, it must stay true.
    fn stop(&self) -> bool {
        false
    }
}

/// Ignores progress and never stops the work.
impl Watch for () {}

/// The progress of some work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// How much of it is done.
    pub done: u64,
    /// How much there is in all, as far as that is known.
    pub known: u64,
    /// While games are played, which take unequal work: those that are over, and all.
    pub games: Option<(u64, u64)>,
    /// While positions are searched for: an estimate of how many there are.
    pub expected: Option<u64>,
    /// The bytes that the work takes now; 0 where that is not counted.
    pub memory_bytes: u64,
    /// The bytes that it may take.
    pub memory_bytes_max: Option<u64>,
}

/// The phases of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Games are played.
    Games,
    /// All positions that can be reached are searched for.
    Discover,
    /// Moves between positions are written down.
    Link,
    /// Values are found.
    Value,
    /// Margins are found.
    Margin,
    /// A file is checked against the rules.
    Check,
    /// Positions are put in order, and their digest is found.
    Digest,
    /// A file is written.
    Write,
    /// A file is read.
    Load,
    /// Problems are measured and rated.
    Problems,
    /// Positions are searched, independently of each other.
    Searches,
    /// Games are made and judged; how much work that is, is estimated.
    Candidates,
    /// Games are gauged, one after the other.
    Gauges,
    /// Models are fitted to examples.
    Fits,
    /// One position is searched.
    Iterations,
}

impl Progress {
    /// Progress of `done` out of `known`, without an estimate or memory use.
    #[must_use]
    pub fn new(phase: Phase, done: u64, known: u64) -> Self {
        let (games, expected, memory_bytes, memory_bytes_max) = (None, None, 0, None);
        Progress { phase, done, known, games, expected, memory_bytes, memory_bytes_max }
    }
}

/// Measures time for players whose budget is time. The libraries read no clock of their own.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment; it never decreases.
    fn now(&self) -> Duration;
}

/// A clock that never advances: for players whose budget is not time.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl NoClock {
    /// A clock that can be shared.
    #[must_use]
    pub fn shared() -> Arc<dyn Clock> {
        Arc::new(NoClock)
    }
}

impl Clock for NoClock {
    fn now(&self) -> Duration {
        Duration::ZERO
    }
}
