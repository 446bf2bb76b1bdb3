//! Values of the moves of a position, from a solved game or from a search.

use serde::{Deserialize, Serialize};
use treegauge_core::Player;
use treegauge_solve::{MoveValue, Value};

use crate::line::{Line, MoveNumber};
use crate::uct::{TriedMove, UctFound};

/// Values of the moves of a position **for the player to move**.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
#[non_exhaustive]
pub enum PositionValues {
    /// Exact values.
    Solution {
        /// All legal moves, best first; moves of equal value keep the order of the game.
        moves: Vec<ExactMove>,
    },
    /// Averages of a search.
    Search {
        /// Number of iterations made.
        iterations: u32,
        /// Tried moves, the best average first; moves of equal average keep the order of trying.
        moves: Vec<SearchedMove>,
        /// Result of perfect play: 1 a win, 0 a draw, -1 a loss; `None` unless a solver proved it.
        /// Repetitions and limits of plies are not part of a proof.
        proved: Option<i32>,
        /// Line that the search expects, beginning with the move to play; the line of the proof if
        /// there is one.
        line: Vec<String>,
    },
}

/// Move with its exact value for the player that makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExactMove {
    /// Number of the move.
    pub m: MoveNumber,
    /// Move as text.
    pub text: String,
    /// Value of the move.
    pub value: Value,
    /// Plies to the end of the game, counting the move; `None` without an end.
    pub plies: Option<u16>,
}

/// Move that a search tried, with values **for the player that makes it**.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedMove {
    /// Number of the move.
    pub m: MoveNumber,
    /// Move as text.
    pub text: String,
    /// Visit count: iterations that played the move, 1 or more.
    pub visits: u32,
    /// Average result, -1 to 1.
    pub value: f64,
    /// 95% interval of the value, within -1 to 1 and within the proved bounds: the score interval
    /// of Wilson 1927, with `(1 + value) / 2` as the share of `visits` games that are won. It
    /// assumes that iterations are independent games. They are not quite: a search prefers better
    /// moves as it goes on.
    pub interval: [f64; 2],
    /// Result of perfect play: 1 a win, 0 a draw, -1 a loss; `None` unless a solver proved it.
    pub proved: Option<i32>,
    /// Number of legal moves after this move; 0 if the game ends there.
    pub legal_moves: u32,
    /// Number of those legal moves that the search tried.
    pub tried_moves: u32,
}

impl SearchedMove {
    pub(crate) fn of(m: MoveNumber, text: String, tried: TriedMove, turn: Player) -> SearchedMove {
        let value = tried.mean_for(turn);
        let [low, high] = tried.bounds_for_first.map(|bound| f64::from(bound * turn.sign()));
        let (low, high) = (low.min(high), low.max(high));
        let interval = value_interval(value, tried.visits).map(|end| end.clamp(low, high) + 0.0);
        SearchedMove {
            m,
            text,
            visits: tried.visits,
            value,
            interval,
            proved: tried.proved_for(turn),
            legal_moves: tried.legal_moves,
            tried_moves: tried.tried_moves,
        }
    }
}

/// Ends of the 95% interval of an average of results from -1 to 1: the score interval of Wilson
/// (1927) for a share of `visits` games, at least 1, in which a draw counts half. It is approximate
/// for a search, whose visits are not independent.
#[must_use]
pub fn value_interval(mean: f64, visits: u32) -> [f64; 2] {
    /// Quantile of the normal distribution at 97.5%.
    const Z: f64 = 1.959_963_984_540_054;
    let (share, n) = ((1.0 + mean) / 2.0, f64::from(visits));
    let scale = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / scale;
    let half = Z / scale * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // Rounding may exclude the average if all results are the same.
    let ends = [(middle - half).min(share), (middle + half).max(share)];
    ends.map(|share| (2.0 * share - 1.0).clamp(-1.0, 1.0))
}

impl PositionValues {
    /// Converts the exact values of the moves of a position.
    pub(crate) fn of_rows(at: &Line, rows: Vec<MoveValue>) -> PositionValues {
        let texts = at.moves();
        let exact = |MoveValue { m, valued }: MoveValue| {
            let (value, plies) = (valued.value, valued.plies());
            ExactMove { m, text: texts[m as usize].clone(), value, plies }
        };
        PositionValues::Solution { moves: rows.into_iter().map(exact).collect() }
    }

    /// Converts the values that a search found.
    pub(crate) fn of_search(
        found: &UctFound,
        mut moves: Vec<SearchedMove>,
        line: Vec<String>,
    ) -> PositionValues {
        moves.sort_by(|a, b| b.value.total_cmp(&a.value));
        let proved = found.proved.map(|outcome| outcome.value_for(found.turn));
        PositionValues::Search { iterations: found.iterations, moves, proved, line }
    }

    /// Value of a move for the player that makes it, -1 to 1; `None` if the search did not try it.
    /// An exact tie or draw is 0.
    #[must_use]
    pub fn value_of(&self, m: MoveNumber) -> Option<f64> {
        match self {
            PositionValues::Solution { moves } => moves.iter().find(|row| row.m == m).map(worth),
            PositionValues::Search { moves, .. } => {
                moves.iter().find(|row| row.m == m).map(|row| row.value)
            }
        }
    }

    /// Value of the best move, -1 to 1; `None` without moves.
    #[must_use]
    pub fn best(&self) -> Option<f64> {
        match self {
            PositionValues::Solution { moves } => moves.first().map(worth),
            PositionValues::Search { moves, .. } => moves.first().map(|row| row.value),
        }
    }
}

fn worth(row: &ExactMove) -> f64 {
    match row.value {
        Value::Win => 1.0,
        Value::Lose => -1.0,
        Value::Tie | Value::Draw => 0.0,
    }
}
