//! Progress reports of long work, and requests to stop it.

use std::sync::Arc;
use std::time::Duration;

/// Observer of long work: receives its progress and may stop it. Many threads call it at once.
pub trait Watch: Sync {
    /// Reports progress; called from time to time.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// Receives a message that should not wait for the end of the work.
    fn note(&self, text: &str) {
        let _ = text;
    }

    /// Tests whether the work should end as soon as it can. Once `true`, the answer must stay
    /// `true`.
    fn stop(&self) -> bool {
        false
    }
}

/// Ignores progress and never stops the work.
impl Watch for () {}

/// Receiver of reports on unfinished work. Many threads offer reports at once.
pub trait Interim<R>: Sync {
    /// Tests whether reports are wanted at all.
    fn is_asked(&self) -> bool {
        true
    }

    /// Calls `report` if a report is due, and takes its result; `None` if there is nothing to
    /// report yet.
    fn offer(&self, report: &mut dyn FnMut() -> Option<R>);
}

/// Wants no reports.
impl<R> Interim<R> for () {
    fn is_asked(&self) -> bool {
        false
    }

    fn offer(&self, _: &mut dyn FnMut() -> Option<R>) {}
}

/// Progress of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Current phase.
    pub phase: Phase,
    /// Amount of work done in this phase.
    pub done: u64,
    /// Total amount of work of this phase known so far.
    pub known: u64,
    /// Finished and planned games, while games of unequal work are played.
    pub games: Option<(u64, u64)>,
    /// Estimated total number of positions, while positions are searched for.
    pub expected: Option<u64>,
    /// Bytes that the work uses now; 0 if they are not counted.
    pub memory_bytes: u64,
    /// Maximum number of bytes that the work may use.
    pub memory_bytes_max: Option<u64>,
}

/// Phase of long work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Games are being played.
    Games,
    /// All reachable positions are being found.
    Discover,
    /// Moves between positions are being stored.
    Link,
    /// Values of positions are being computed.
    Value,
    /// Margins of positions are being computed.
    Margin,
    /// A file is being checked against the rules.
    Check,
    /// Positions are being sorted and their digest computed.
    Digest,
    /// A file is being written.
    Write,
    /// A file is being read.
    Load,
    /// Problems are being measured and rated.
    Problems,
    /// Independent positions are being searched.
    Searches,
    /// Games are being generated and judged. The total amount of work is an estimate.
    Candidates,
    /// Games are being gauged one after the other.
    Gauges,
    /// Models are being fitted to examples.
    Fits,
    /// One position is being searched.
    Iterations,
}

impl Progress {
    /// Progress of `done` out of `known`, without games, an estimate or memory use.
    #[must_use]
    pub fn new(phase: Phase, done: u64, known: u64) -> Self {
        let (games, expected, memory_bytes, memory_bytes_max) = (None, None, 0, None);
        Progress { phase, done, known, games, expected, memory_bytes, memory_bytes_max }
    }
}

/// Clock for players with a time budget. The libraries do not read the system clock themselves.
pub trait Clock: Send + Sync {
    /// Time since some fixed moment. It never decreases.
    fn now(&self) -> Duration;
}

/// Clock that never advances, for players without a time budget.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoClock;

impl NoClock {
    /// Shared handle to a clock that never advances.
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
