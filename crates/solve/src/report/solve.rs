//! Report of a solve.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player, Plies, Watch};

use crate::counts::{Counts, RemotenessTable};
use crate::digest::Digest;
use crate::endless::Endless;
use crate::limit::PlyLimit;
use crate::solution::Solution;
use crate::value::{ExactValue, Value};
use treegauge_core::{ReportHeader, ReportKind};

/// Result of a solve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Start of the solve, as text.
    pub position: String,
    /// Player to move in the start.
    pub turn: Player,
    /// Number of positions that can be reached from the start, symmetry not reduced.
    pub positions: u64,
    /// Number of positions that differ by more than a symmetry; null unless symmetry was reduced.
    pub canonical_positions: Option<u64>,
    /// Number of stored positions.
    pub stored_positions: u64,
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost for the player to move.
    pub lose: u64,
    /// Positions from which best play ends without a winner.
    pub tie: u64,
    /// Positions from which best play never ends, or whose value depends on the history.
    pub draw: u64,
    /// Finished positions. They are also counted as wins, losses or ties.
    pub finished: u64,
    /// Result of endless play by the rules.
    #[serde(default)]
    pub endless: Endless,
    /// Positions that the player to move wins by endless play; also counted in `win`.
    #[serde(default)]
    pub endless_win: u64,
    /// Positions that the player to move loses by endless play; also counted in `lose`.
    #[serde(default)]
    pub endless_lose: u64,
    /// Number of plies without progress after which the rules end a game; null if they have no such
    /// limit. Values ignore this limit.
    #[serde(default)]
    pub quiet_plies: Option<u32>,
    /// Number of positions with an end that is farther away than `quiet_plies`, so that the limit
    /// may come first.
    #[serde(default)]
    pub beyond_quiet_plies: u64,
    /// Value of the start.
    pub start: SolvedStart,
    /// Margin of the start when both players play for the largest margin. Null if the game is not
    /// decided by score or has no tiers, and if it was not computed.
    #[serde(default)]
    pub margin: Option<SolvedMargin>,
    /// Positions by remoteness, from 0 to the greatest.
    pub table: Vec<RemotenessCounts>,
    /// [`Digest`](crate::Digest) of all positions, in hexadecimal digits.
    pub digest: String,
    /// Length in bytes of the file that was written; left out if none was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// Peak memory of the process in bytes; null if the system does not report it.
    pub peak_memory_bytes: Option<u64>,
    /// CPU time of all threads in seconds; null if it was not measured.
    pub cpu_s: Option<f64>,
}

impl ReportKind for SolveReport {
    const KIND: &'static str = "solve";
}

/// Value of the start of a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedStart {
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end; null for endless play.
    pub remoteness: Option<u16>,
    /// Value for the player to move by a search of all lines. Left out unless the value depends on
    /// the history and few lines lead to an end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_history: Option<Value>,
    /// Limit of plies that may stop the game before the end of best play; the value ignores it.
    /// Left out if no limit may do so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<PlyLimit>,
}

impl SolvedStart {
    /// Value and plies to the end; `None` if they contradict each other.
    #[must_use]
    pub fn valued(&self) -> Option<ExactValue> {
        ExactValue::of_plies(self.value, self.remoteness)
    }
}

/// Margin by which a player wins or loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedMargin {
    /// Score of the player to move minus that of the other player.
    pub points: i32,
    /// Unit of the score, in the form used after this number: `box` after 1, else `boxes`.
    pub unit: String,
}

/// Counts of positions by value at one remoteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemotenessCounts {
    /// Plies to the end.
    pub remoteness: u64,
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost for the player to move.
    pub lose: u64,
    /// Positions from which best play ends without a winner.
    pub tie: u64,
}

impl RemotenessCounts {
    /// Rows of a table.
    #[must_use]
    pub fn of(table: &RemotenessTable) -> Vec<RemotenessCounts> {
        let rows = (0..).zip(table.rows());
        rows.map(|(remoteness, &[win, lose, tie])| RemotenessCounts { remoteness, win, lose, tie })
            .collect()
    }
}

impl SolvedMargin {
    /// Margin of the start of a solution, computed by [`Solution::start_margin`].
    #[must_use]
    pub fn find<K: KeyCode>(
        solution: &Solution<K>,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Option<SolvedMargin> {
        let [one, several] = solution.rules().margin_unit()?;
        let points = solution.start_margin(memory_bytes_max, watch)?;
        let unit = if points.abs() == 1 { one } else { several };
        Some(SolvedMargin { points, unit: unit.to_owned() })
    }
}

impl SolveReport {
    /// Reports a solution of `game` with its digest, and the length of the file that it was written
    /// to, if any. Time, memory and margin are left empty for the caller to fill in.
    #[must_use]
    pub fn new<K: KeyCode>(
        game: String,
        solution: &Solution<K>,
        digest: Digest,
        file_bytes: Option<u64>,
    ) -> SolveReport {
        let rules = solution.rules();
        let (start, valued) = (solution.start(), solution.start_valued());
        let Counts { win, lose, tie, draw, finished } = solution.reachable();
        let table = solution.remoteness_table();
        let [endless_win, endless_lose] = table.endless();
        let quiet_plies = solution.quiet_plies();
        let beyond = |limit: Plies| table.rows().iter().skip(limit.0 as usize + 1).flatten().sum();
        SolveReport {
            head: ReportHeader::NEW,
            game,
            position: rules.position_text(start),
            turn: rules.turn(start),
            positions: solution.reachable().total(),
            canonical_positions: solution.canonical_len().map(|len| len as u64),
            stored_positions: solution.len() as u64,
            win,
            lose,
            tie,
            draw,
            finished,
            endless: solution.endless(),
            endless_win,
            endless_lose,
            quiet_plies: quiet_plies.map(|limit| limit.0),
            beyond_quiet_plies: quiet_plies.map_or(0, beyond),
            start: SolvedStart {
                value: valued.value,
                remoteness: valued.plies(),
                by_history: solution.start_by_history(),
                limit: PlyLimit::before(rules, valued, solution.reachable().total()),
            },
            margin: None,
            table: RemotenessCounts::of(solution.remoteness_table()),
            digest: digest.to_string(),
            file_bytes,
            peak_memory_bytes: None,
            cpu_s: None,
        }
    }
}
