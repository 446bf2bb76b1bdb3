//! Progress of long work, and requests to stop it.

use treegauge_core::{Phase, Progress, Watch};

use crate::error::{Break, SolveError};
use crate::memory::{Full, Memory};
use crate::rules::Bounds;
use crate::trend::Trend;

/// Counts the progress of a solve, reports it to a [`Watch`], and checks whether to stop.
pub(crate) struct ProgressMeter<'a> {
    watch: &'a dyn Watch,
    memory: &'a Memory,
    progress: Progress,
    trend: Trend,
    /// Number of moves of the positions done; `None` if some were made before this meter existed.
    moves: Option<u64>,
    positions_max: u64,
    /// Fewest bytes that a position takes.
    position_bytes: u64,
    /// Estimate of the bytes from the numbers of positions and moves, and its limit.
    by_number: Option<(BytesOf, u64)>,
}

/// Bytes of a number of positions with a number of moves.
type BytesOf = Box<dyn Fn(u64, u64) -> u64 + Sync>;

/// Greatest assumed error of the expected number of positions: three times the largest factor seen
/// in all games.
const TREND_ERROR_MAX: u64 = 10;

impl<'a> ProgressMeter<'a> {
    /// Creates a meter for a solve whose number of moves so far is not known.
    pub(crate) fn new(watch: &'a dyn Watch, memory: &'a Memory) -> Self {
        let progress = Progress::new(Phase::Discover, 0, 0);
        let trend = Trend::default();
        ProgressMeter {
            watch,
            memory,
            progress,
            trend,
            moves: None,
            positions_max: u64::MAX,
            position_bytes: 0,
            by_number: None,
        }
    }

    /// Limits the number of positions; `None` for unlimited.
    pub(crate) fn with_positions_max(self, positions_max: Option<u64>) -> Self {
        ProgressMeter { positions_max: positions_max.unwrap_or(u64::MAX), ..self }
    }

    /// Sets the fewest bytes that each position takes.
    pub(crate) fn with_position_bytes(self, position_bytes: u64) -> Self {
        ProgressMeter { position_bytes, ..self }
    }

    /// Limits the estimated bytes of the positions, computed from their number and that of their
    /// moves.
    pub(crate) fn with_sized_bytes_max(
        self,
        bytes_of: impl Fn(u64, u64) -> u64 + Sync + 'static,
        bytes_max: Option<u64>,
    ) -> Self {
        let by_number = bytes_max.map(|bytes_max| (Box::new(bytes_of) as BytesOf, bytes_max));
        ProgressMeter { by_number, ..self }
    }

    /// Counts the moves from now on, for a solve that has made no move yet.
    pub(crate) fn counting_moves(self) -> Self {
        ProgressMeter { moves: Some(0), ..self }
    }

    /// Begins a phase with `done` of `known` positions done.
    pub(crate) fn begin(&mut self, phase: Phase, done: u64, known: u64) {
        self.progress = Progress::new(phase, done, known);
    }

    /// Records that this number of positions was done before, in levels of unknown sizes.
    pub(crate) fn skip_levels(&mut self, len: u64) {
        self.trend.skip(len);
    }

    /// Records that all moves of a level with this number of positions were made. Fails if the
    /// sizes of the levels so far show that the memory cannot hold the whole solve: filling it
    /// first would only take time.
    pub(crate) fn level(&mut self, len: u64) -> Result<(), SolveError> {
        self.trend.add(len);
        if let Some((bytes_of, bytes_max)) = &self.by_number {
            let bytes_max = *bytes_max;
            let needed_bytes = bytes_of(self.progress.known, self.moves.unwrap_or(0));
            if needed_bytes > bytes_max {
                return Err(Full { needed_bytes, bytes_max }.into());
            }
        }
        let Some((expected, bytes_max)) = self.trend.expected().zip(self.memory.bytes_max()) else {
            return Ok(());
        };
        let least = (expected / TREND_ERROR_MAX).saturating_mul(self.position_bytes);
        if self.progress.phase == Phase::Discover && least > bytes_max {
            return Err(Full { needed_bytes: least, bytes_max }.into());
        }
        Ok(())
    }

    /// Adds moves made while positions are found.
    pub(crate) fn moved(&mut self, moves: u64) {
        self.moves = self.moves.map(|before| before + moves);
    }

    /// Current progress.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }

    /// Sizes of the complete levels.
    pub(crate) fn trend(&self) -> &Trend {
        &self.trend
    }

    /// Number of moves of all positions; `None` if some were made before this meter existed.
    pub(crate) fn moves(&self) -> Option<u64> {
        self.moves
    }

    /// Bounds for batches of children.
    pub(crate) fn bounds(&self) -> Bounds<'a> {
        Bounds::new(self.memory, self.watch)
    }

    /// Fails if the watch says stop.
    pub(crate) fn check(&self) -> Result<(), Break> {
        if self.watch.stop() { Err(Break::Stopped) } else { Ok(()) }
    }

    /// Sets the number of known positions. Fails if they are too many for the solve.
    pub(crate) fn know(&mut self, known: u64) -> Result<(), SolveError> {
        self.progress.known = known;
        let positions_max = self.positions_max;
        if known > positions_max {
            return Err(SolveError::ManyPositions { positions_max });
        }
        Ok(())
    }

    /// Adds positions that are done, and reports the progress.
    pub(crate) fn done(&mut self, more: u64) {
        let ProgressMeter { watch, memory, trend, progress, .. } = self;
        progress.done += more;
        progress.memory_bytes = memory.used();
        progress.memory_bytes_max = memory.bytes_max();
        if progress.phase == Phase::Discover {
            progress.expected = trend.expected().map(|expected| expected.max(progress.known));
        }
        watch.progress(*progress);
    }
}
