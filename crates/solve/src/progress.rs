//! How far long work is, and whether to go on.

use treegauge_core::{Phase, Progress, Watch};

use crate::error::{Break, SolveError};
use crate::memory::{Full, Memory};
use crate::rules::Bounds;
use crate::trend::Trend;

/// Counts how far a solve is, reports it to a [`Watch`], and checks whether to stop.
pub(crate) struct ProgressMeter<'a> {
    watch: &'a dyn Watch,
    memory: &'a Memory,
    progress: Progress,
    trend: Trend,
    /// The moves of the positions that are done, unless some were made before.
    moves: Option<u64>,
    positions_max: u64,
    /// The fewest bytes that a position takes.
    position_bytes: u64,
    /// The bytes that this number of positions with this number of moves takes, and the most that they may.
    by_number: Option<(BytesOf, u64)>,
}

/// The bytes of a number of positions with a number of moves.
type BytesOf = Box<dyn Fn(u64, u64) -> u64 + Sync>;

/// How many times too large the expected number of positions may be: three times what was seen in all
/// games.
const TREND_ERROR_MAX: u64 = 10;

impl<'a> ProgressMeter<'a> {
    /// A meter for a solve whose moves until now are not known.
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

    /// The same for a solve of at most this number of positions.
    pub(crate) fn with_positions_max(self, positions_max: Option<u64>) -> Self {
        ProgressMeter { positions_max: positions_max.unwrap_or(u64::MAX), ..self }
    }

    /// The same for positions that take at least this number of bytes each.
    pub(crate) fn with_position_bytes(self, position_bytes: u64) -> Self {
        ProgressMeter { position_bytes, ..self }
    }

    /// The same for positions that may take this number of bytes by their number and their moves.
    pub(crate) fn with_sized_bytes_max(
        self,
        bytes_of: impl Fn(u64, u64) -> u64 + Sync + 'static,
        bytes_max: Option<u64>,
    ) -> Self {
        let by_number = bytes_max.map(|bytes_max| (Box::new(bytes_of) as BytesOf, bytes_max));
        ProgressMeter { by_number, ..self }
    }

    /// The same for a solve that has made no move yet, so that its moves can be counted.
    pub(crate) fn counting_moves(self) -> Self {
        ProgressMeter { moves: Some(0), ..self }
    }

    /// A phase begins, with `done` of `known` done.
    pub(crate) fn begin(&mut self, phase: Phase, done: u64, known: u64) {
        self.progress = Progress::new(phase, done, known);
    }

    /// This number of positions was done before, in levels that are no longer known.
    pub(crate) fn skip_levels(&mut self, len: u64) {
        self.trend.skip(len);
    }

    /// All moves of a level with this number of positions were made. Fails where the levels until now
    /// show that the memory cannot hold what is to come: filling it first would only take time.
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

    /// Moves of positions that are being found were made.
    pub(crate) fn moved(&mut self, moves: u64) {
        self.moves = self.moves.map(|before| before + moves);
    }

    /// The last progress reported, updated.
    pub(crate) fn progress(&self) -> Progress {
        self.progress
    }

    /// The sizes of the levels that are complete.
    pub(crate) fn trend(&self) -> &Trend {
        &self.trend
    }

    /// The moves of all positions, unless some were made before.
    pub(crate) fn moves(&self) -> Option<u64> {
        self.moves
    }

    /// The bounds of batches of children.
    pub(crate) fn bounds(&self) -> Bounds<'a> {
        Bounds::new(self.memory, self.watch)
    }

    /// Whether to continue.
    pub(crate) fn check(&self) -> Result<(), Break> {
        if self.watch.stop() { Err(Break::Stopped) } else { Ok(()) }
    }

    /// More positions are known; too many for the solve to go on, perhaps.
    pub(crate) fn know(&mut self, known: u64) -> Result<(), SolveError> {
        self.progress.known = known;
        let positions_max = self.positions_max;
        if known > positions_max {
            return Err(SolveError::ManyPositions { positions_max });
        }
        Ok(())
    }

    /// More positions are done.
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
