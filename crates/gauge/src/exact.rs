//! Exact value of a game that is small enough to solve.

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, Watch, is_default};
use treegauge_engine::{Engine, Line, StartingPoint};
use treegauge_solve::report::{InterestPosition, InterestReport};
use treegauge_solve::{
    AnyRated, AnySolved, InterestOptions, Options, PlyLimit, SolveError, Value, WorkError,
};

/// Upper limit of memory for solving a game before it is played, in bytes. The table of positions
/// may take half of it: the rest of a solve grows with the number of threads, and whether the game
/// is solved must not depend on that.
pub const SOLVE_BYTES_MAX: u64 = 1 << 30;

/// Exact value of the start position, and what the solution shows of the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end with best play; `None` for endless play, and if repetition or quiet plies
    /// end the game.
    pub remoteness: Option<u16>,
    /// Limit of plies without progress, if best play takes more plies, so that the limit may end
    /// the game first. Only older reports have it; such values are left out now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_quiet_plies: Option<u32>,
    /// Number of reachable positions, without symmetry reduction.
    pub positions: u64,
    /// Player to move at the start.
    pub turn: Player,
    /// Interestingness of the start, 0 to 1: the degree to which its winning moves are hidden.
    pub interestingness: f64,
    /// Position whose winning moves are hidden best; `None` if no position before the end is a win.
    pub most_interesting: Option<InterestPosition>,
    /// Whether the result is the same whatever the players do: all moves of each reachable position
    /// have the same value. False for games of more than 200,000 positions, in which this was not
    /// looked for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_without_choice: bool,
}

/// Reason why the value of a small enough game is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum UnsolvedReason {
    /// The memory was insufficient.
    Memory {
        /// Bytes that the solve needed at the point where it stopped; the whole solve may need
        /// more.
        memory_bytes_needed: u64,
        /// Bytes that it was allowed.
        memory_bytes_max: u64,
    },
    /// The value of the start depends on the moves before it, through repetition or quiet plies,
    /// and too many lines lead to an end.
    History {
        /// Number of reachable positions.
        positions: u64,
    },
    /// A limit of plies may end the game earlier than best play without that limit does.
    Limit {
        /// Limit of plies.
        #[serde(flatten)]
        limit: PlyLimit,
        /// Plies to the end without the limit; `None` if a player wins by endless play.
        remoteness: Option<u16>,
    },
}

/// Most positions of a game that is searched for a move that matters.
pub(super) const CHOICE_POSITIONS_MAX: u64 = 200_000;

/// Whether all reachable positions have the same result with best play. Exactly then all moves of
/// each position have the same value. Most games show a difference within a few positions.
fn is_without_choice(engine: &dyn Engine, rated: &dyn AnyRated) -> bool {
    let Ok(rows) = rated.sorted() else { return false };
    let mut result = None;
    (0..rows.len()).step_by(CHUNK).all(|from| {
        rows.rows(from..rows.len().min(from + CHUNK)).iter().all(|row| {
            let from = StartingPoint { position: Some(row.position.clone()), moves: Vec::new() };
            let Ok(line) = engine.begin(&from) else { return false };
            let found = winner(row.valued.value, line.turn());
            *result.get_or_insert(found) == found
        })
    })
}

/// Positions that are looked at together.
const CHUNK: usize = 256;

/// Player who wins a position of this value, in which `turn` is to move.
fn winner(value: Value, turn: Player) -> Option<Player> {
    match value {
        Value::Win => Some(turn),
        Value::Lose => Some(turn.other()),
        Value::Tie | Value::Draw => None,
    }
}

impl Exact {
    /// Solves the game from a position with at most `bytes_max` bytes, and never more than
    /// [`SOLVE_BYTES_MAX`].
    ///
    /// Returns `Ok(None)` if the game has more than `positions_max` positions, if it needs more
    /// memory than [`SOLVE_BYTES_MAX`] allows, or if `watch` says stop.
    ///
    /// # Errors
    ///
    /// If a `bytes_max` below [`SOLVE_BYTES_MAX`] is too little, if the value depends on the
    /// history, or if a limit of plies may end the game before best play does.
    pub fn of(
        engine: &dyn Engine,
        start: &Line,
        positions_max: u64,
        bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Option<Exact>, UnsolvedReason> {
        if positions_max == 0 || engine.info().spec.is_external() {
            return Ok(None);
        }
        let bytes_max = bytes_max.unwrap_or(SOLVE_BYTES_MAX).min(SOLVE_BYTES_MAX);
        let options = Options {
            memory_bytes_max: Some(bytes_max),
            sized_bytes_max: Some(bytes_max / 2),
            positions_max: Some(positions_max),
            ..Options::default()
        };
        let too_little = |memory_bytes_needed| {
            let unsolved =
                UnsolvedReason::Memory { memory_bytes_needed, memory_bytes_max: bytes_max };
            if bytes_max < SOLVE_BYTES_MAX { Err(unsolved) } else { Ok(None) }
        };
        let solution = match engine.rules().solve(&engine.code(start), options, watch) {
            Ok(AnySolved::Done(solution)) => solution,
            Err(SolveError::Memory { needed_bytes, .. }) => return too_little(needed_bytes),
            _ => return Ok(None),
        };
        let by_history = solution.start_by_history();
        let undecided = solution.undecided() > 0;
        let rated = match solution.rate(InterestOptions::default(), Some(bytes_max), watch) {
            Ok(rated) => rated,
            Err(WorkError::Memory { needed_bytes, .. }) => return too_little(needed_bytes),
            Err(_) => return Ok(None),
        };
        let InterestReport { analysis, .. } = rated.report(engine.info().canonical_name.clone());
        let mut value = analysis.start.value;
        if undecided && value == Value::Draw {
            let positions = analysis.positions;
            value = by_history.ok_or(UnsolvedReason::History { positions })?;
        }
        let limit =
            analysis.start.valued().and_then(|valued| engine.ply_limit(valued, analysis.positions));
        if let Some(limit) = limit {
            let remoteness = analysis.start.remoteness;
            return Err(UnsolvedReason::Limit { limit, remoteness });
        }
        Ok(Some(Exact {
            value,
            remoteness: analysis.start.remoteness,
            beyond_quiet_plies: None,
            positions: analysis.positions,
            turn: analysis.start.turn,
            interestingness: analysis.start.interestingness,
            most_interesting: analysis.most_interesting,
            is_without_choice: !undecided
                && analysis.positions <= CHOICE_POSITIONS_MAX
                && is_without_choice(engine, &*rated),
        }))
    }

    /// Describes the result in words, such as "with best play the first player wins in 9 plies".
    #[must_use]
    pub fn words(&self) -> String {
        let plies = match self.remoteness {
            Some(1) => "1 ply".to_owned(),
            Some(plies) => format!("{plies} plies"),
            None => String::new(),
        };
        let mut words = match (self.winner(), self.value, self.remoteness) {
            (Some(winner), _, Some(_)) => {
                format!("with best play the {winner} player wins in {plies}")
            }
            (Some(winner), ..) => {
                format!("with best play the {winner} player wins by repetition or quiet plies")
            }
            (None, Value::Draw, _) => "with best play the game never ends".to_owned(),
            (None, _, Some(_)) => format!("with best play the game is a draw, after {plies}"),
            (None, ..) => "with best play repetition or quiet plies end the game drawn".to_owned(),
        };
        if let Some(limit) = self.beyond_quiet_plies {
            words += &format!(" (leaving out that {limit} plies without progress end the game)");
        }
        words
    }

    /// Result of a game in which no move matters, in words.
    pub(super) fn words_without_choice(&self) -> String {
        match self.winner() {
            Some(winner) => format!("whatever the players do, the {winner} player wins"),
            None => "whatever the players do, the game is a draw".to_owned(),
        }
    }

    /// Returns the player who wins with best play of both; `None` for a tie and for endless play.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        winner(self.value, self.turn)
    }
}
