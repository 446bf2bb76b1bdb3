//! The report of a solve.

use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Player, Plies, Watch};

use crate::counts::{Counts, RemotenessTable};
use crate::digest::Digest;
use crate::endless::Endless;
use crate::limit::PlyLimit;
use crate::solution::Solution;
use crate::value::{Value, Valued};
use treegauge_core::{Head, ReportKind};

/// What a solve found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolveReport {
    /// The schema and the kind.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game.
    pub game: String,
    /// The position that was solved, as text.
    pub position: String,
    /// The player to move there.
    pub turn: Player,
    /// The positions that can be reached from there, symmetry not reduced.
    pub positions: u64,
    /// Those that no symmetry makes equal; not known unless symmetry was reduced.
    pub canonical_positions: Option<u64>,
    /// The positions that are stored.
    pub stored_positions: u64,
    /// Positions that the player to move wins.
    pub win: u64,
    /// Positions that the player to move loses.
    pub lose: u64,
    /// Positions that end without a winner.
    pub tie: u64,
    /// Positions from which best play never ends, or whose value the history decides.
    pub draw: u64,
    /// Finished positions; they are among the wins, losses and ties.
    pub finished: u64,
    /// The result of endless play by the rules.
    #[serde(default)]
    pub endless: Endless,
    /// Wins and losses by endless play, which are among the wins and losses.
    #[serde(default)]
    pub endless_win: u64,
    /// Positions that the player to move loses by endless play.
    #[serde(default)]
    pub endless_lose: u64,
    /// The plies without progress after which the rules end a game; null where they have no such
    /// limit. Values do not count them.
    #[serde(default)]
    pub quiet_plies: Option<u32>,
    /// Positions with an end that is farther away than `quiet_plies`, so that the limit may come
    /// first.
    #[serde(default)]
    pub beyond_quiet_plies: u64,
    /// The position that was solved.
    pub start: SolvedStart,
    /// The margin of the start when both play for the largest; null for a game that is not decided
    /// by score or can go round, and where it was not looked for.
    #[serde(default)]
    pub margin: Option<SolvedMargin>,
    /// The positions by remoteness, from 0 to the greatest.
    pub table: Vec<RemotenessCounts>,
    /// [`Digest`](crate::Digest) of all positions, in hexadecimal digits.
    pub digest: String,
    /// The length of the file that was written, if one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// The most memory that the process took; null where the system does not say.
    pub peak_memory_bytes: Option<u64>,
    /// The CPU time of all threads; null where it was not measured.
    pub cpu_s: Option<f64>,
}

impl ReportKind for SolveReport {
    const KIND: &'static str = "solve";
}

/// The value of the position that was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedStart {
    /// The value for the player to move.
    pub value: Value,
    /// Plies to the end; null for endless play.
    pub remoteness: Option<u16>,
    /// The value for the player to move where the history decides it and few lines lead to an end:
    /// by all of them. Left out elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_history: Option<Value>,
    /// The limit of plies that may stop the game before the end of best play: the value does not count it. Left out
    /// where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<PlyLimit>,
}

impl SolvedStart {
    /// The value with the plies to the end; `None` when they do not go together.
    #[must_use]
    pub fn valued(&self) -> Option<Valued> {
        Valued::of_plies(self.value, self.remoteness)
    }
}

/// How much a player wins or loses by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedMargin {
    /// The score of the player to move less that of the other.
    pub points: i32,
    /// What the score counts, as it is said after the number: `box` after 1, else `boxes`.
    pub unit: String,
}

/// Positions by value at one remoteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemotenessCounts {
    /// Plies to the end.
    pub remoteness: u64,
    /// Positions that the player to move wins.
    pub win: u64,
    /// Positions that the player to move loses.
    pub lose: u64,
    /// Positions that end without a winner.
    pub tie: u64,
}

impl RemotenessCounts {
    /// The rows of a table.
    #[must_use]
    pub fn of(table: &RemotenessTable) -> Vec<RemotenessCounts> {
        let rows = (0..).zip(table.rows());
        rows.map(|(remoteness, &[win, lose, tie])| RemotenessCounts { remoteness, win, lose, tie })
            .collect()
    }
}

impl SolvedMargin {
    /// The margin of the start of a solution, as [`Solution::start_margin`] finds it.
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
    /// The report of a solution of `game` with its digest, and of the file in which it was kept, if it
    /// was. Time, memory and margin are left empty for the caller to fill in.
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
            head: Head::NEW,
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
