//! The exact value of a game that is small enough.

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, Watch};
use treegauge_engine::{Engine, Line};
use treegauge_solve::report::{InterestPosition, InterestReport};
use treegauge_solve::{
    AnySolved, InterestOptions, Options, PlyLimit, SolveError, Value, WorkError,
};

/// The most bytes for the attempt to solve a game before it is played. Half of them are for its positions
/// by their number: whether the game is solved must not depend on the number of threads, which what
/// a solve takes beside them does.
pub const SOLVE_BYTES_MAX: u64 = 1 << 30;

/// What a solve found of the position where the games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exact {
    /// The value for the player to move.
    pub value: Value,
    /// The plies that it takes with best play; `None` for endless play, and where repetition or
    /// quiet plies end the game.
    pub remoteness: Option<u16>,
    /// The plies without progress after which the rules end a game, if best play takes more plies,
    /// so that this limit may come first; only in reports of before, which did not leave such values out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beyond_quiet_plies: Option<u32>,
    /// The positions that can be reached, symmetry not reduced.
    pub positions: u64,
    /// The player to move.
    pub turn: Player,
    /// How well hidden the winning moves of the start are, 0 to 1.
    pub interestingness: f64,
    /// The position whose winning moves are hidden best; nothing when no position is a win before the
    /// end.
    pub most_interesting: Option<InterestPosition>,
}

/// The reason that the value of a game that is small enough is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Unsolved {
    /// There was little memory.
    Memory {
        /// The bytes that the solve would have taken next; the whole may need more.
        memory_bytes_needed: u64,
        /// The bytes that it could take.
        memory_bytes_max: u64,
    },
    /// Repetition or quiet plies decide the start by the moves before, and too many lines lead to an
    /// end.
    History {
        /// The positions that can be reached.
        positions: u64,
    },
    /// A limit of plies may stop the game before the end of best play without this limit.
    Limit {
        /// The limit.
        #[serde(flatten)]
        limit: PlyLimit,
        /// The plies to the end without it; `None` if a player wins by endless play.
        remoteness: Option<u16>,
    },
}

impl Exact {
    /// Solves the game from a position with at most `bytes_max` bytes, and no more than
    /// [`SOLVE_BYTES_MAX`]. `Ok(None)` if it has more than `positions_max` positions, these take more than
    /// half of [`SOLVE_BYTES_MAX`] by their number, or `watch` says stop.
    ///
    /// # Errors
    ///
    /// When `bytes_max` is less than [`SOLVE_BYTES_MAX`], and too little, or the history decides the
    /// value.
    pub fn of(
        engine: &dyn Engine,
        start: &Line,
        positions_max: u64,
        bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Option<Exact>, Unsolved> {
        if positions_max == 0 {
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
            let unsolved = Unsolved::Memory { memory_bytes_needed, memory_bytes_max: bytes_max };
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
            value = by_history.ok_or(Unsolved::History { positions })?;
        }
        let limit =
            analysis.start.valued().and_then(|valued| engine.ply_limit(valued, analysis.positions));
        if let Some(limit) = limit {
            let remoteness = analysis.start.remoteness;
            return Err(Unsolved::Limit { limit, remoteness });
        }
        Ok(Some(Exact {
            value,
            remoteness: analysis.start.remoteness,
            beyond_quiet_plies: None,
            positions: analysis.positions,
            turn: analysis.start.turn,
            interestingness: analysis.start.interestingness,
            most_interesting: analysis.most_interesting,
        }))
    }

    /// The result with best play, in words: "with best play the first player wins in 9 plies".
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
            (None, _, Some(_)) => format!("with best play the game is a tie, after {plies}"),
            (None, ..) => "with best play repetition or quiet plies end the game drawn".to_owned(),
        };
        if let Some(limit) = self.beyond_quiet_plies {
            words += &format!(" (leaving out that {limit} plies without progress end the game)");
        }
        words
    }

    /// The player that wins with best play of both; nothing for a tie and for endless play.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        match self.value {
            Value::Win => Some(self.turn),
            Value::Lose => Some(self.turn.other()),
            Value::Tie | Value::Draw => None,
        }
    }
}
