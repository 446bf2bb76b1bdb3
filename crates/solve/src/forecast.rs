//! Forecast of the memory that a whole solve needs, for solves that ran out of memory.

use treegauge_core::KeyCode;

use crate::error::{Reached, SolveError, Whole};
use crate::indexed;
use crate::memory::with_loss;
use crate::progress::ProgressMeter;
use crate::retrograde;
use crate::rules::{Reduction, Solvable};
use crate::table::Table;
use crate::value::ExactValue;
use treegauge_core::{Phase, Progress};

/// Memory sizes of the parts of a solve.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    tiered: bool,
    /// Bytes of the table of all indexes, in a solve by index.
    index_bytes: Option<u64>,
    key_table: fn(usize) -> u64,
    key_bytes: usize,
    /// Whether moves can be taken back, so that they need not be stored.
    asks: bool,
}

impl Sizes {
    pub(crate) fn of<K: KeyCode>(
        rules: &Solvable<K>,
        reduction: &Reduction,
        index_bytes: Option<u64>,
    ) -> Self {
        let asks = retrograde::can_ask(rules, reduction);
        Sizes {
            tiered: rules.has_tiers(),
            index_bytes,
            key_table: Table::<K>::bytes,
            key_bytes: size_of::<K>(),
            asks,
        }
    }

    /// Bytes of a table of this number of positions without their values.
    fn table(self, positions: u64) -> u64 {
        with_loss(match self.index_bytes {
            Some(bytes) if self.tiered => bytes + indexed::list_bytes(positions as usize),
            Some(bytes) => bytes,
            None => (self.key_table)(positions as usize),
        })
    }

    /// Least bytes that positions of a game without tiers take together with all data for their
    /// values.
    fn linked(self, positions: u64, moves: u64) -> u64 {
        let list = if self.asks { 0 } else { retrograde::moves_bytes(positions, moves) };
        let piece = retrograde::piece_bytes(self.key_bytes, positions, Some(moves));
        self.table(positions) + with_loss(retrograde::POSITION_BYTES * positions + list + piece)
    }

    /// Bytes of the values of a game with tiers.
    fn values(self, positions: u64) -> u64 {
        with_loss(positions * size_of::<ExactValue>() as u64)
    }

    /// Approximate peak of a solve with this number of positions and moves. The estimate does not
    /// depend on the number of threads.
    pub(crate) fn by_number(self, positions: u64, moves: u64) -> u64 {
        /// Keys in a half-full set, and in the list of the next positions.
        const KEYS: u64 = 3;
        let finding = match self.index_bytes {
            Some(bytes) => bytes + 2 * indexed::list_bytes(positions as usize),
            None => KEYS * self.key_bytes as u64 * positions,
        };
        let valuing = if self.tiered {
            self.table(positions) + self.values(positions)
        } else {
            self.linked(positions, moves)
        };
        with_loss(finding).max(valuing)
    }

    /// Progress of a solve that ended with `error`, and the memory that the whole solve needs, if
    /// known.
    pub(crate) fn reached(self, meter: &ProgressMeter<'_>, error: &SolveError) -> Reached {
        let tiered = self.tiered;
        let &SolveError::Memory { needed_bytes, .. } = error else { return Reached::default() };
        let Progress { phase, done, known, .. } = meter.progress();
        // The last positions are found when the moves of all positions have been made.
        let all_found = phase != Phase::Discover || !tiered && known > 0 && done == known;
        let whole = match (all_found, tiered, meter.moves(), meter.trend().expected()) {
            (true, true, ..) => Whole::Exactly { bytes: needed_bytes },
            (true, false, Some(moves), _) => {
                Whole::Exactly { bytes: needed_bytes.max(self.linked(known, moves)) }
            }
            (false, _, moves, Some(positions)) => {
                let positions = positions.max(known);
                let times = |number: u64, of: u64| {
                    (number as f64 * positions as f64 / of.max(1) as f64) as u64
                };
                let table = self.table(positions);
                let bytes = if tiered {
                    // The next levels take as much as the current ones; the rest is in tables.
                    let next = needed_bytes.saturating_sub(self.table(known));
                    table + self.values(positions) + next
                } else {
                    let found = times(needed_bytes, known) + table;
                    let linked = |moves| self.linked(positions, times(moves, done));
                    found.max(moves.map_or(0, linked))
                };
                Whole::About { positions, bytes }
            }
            _ => Whole::Unknown,
        };
        Reached { positions: known, levels: meter.trend().levels(), whole }
    }
}
