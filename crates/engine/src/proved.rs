//! Results that searches prove.

use serde::{Deserialize, Serialize};

use crate::{GameInfo, Line, UctFound, UctSearch};

/// Proved result for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Proved {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Lose,
    /// Neither player can win.
    Tie,
}

impl Proved {
    /// Result with this sign: +1 for a win of the player to move, -1 for a loss, 0 for a tie.
    #[must_use]
    pub fn of_sign(sign: i32) -> Proved {
        match sign {
            1.. => Proved::Win,
            0 => Proved::Tie,
            _ => Proved::Lose,
        }
    }
}

/// Result that a search with a solver proved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvedSearch {
    /// Result of perfect play for the player to move. Repetitions and limits of plies are not part
    /// of the proof.
    pub result: Proved,
    /// Line of play that keeps the result to the end of the game.
    pub line: Vec<String>,
    /// Whether the game has repetitions or limits of plies, so that the proof may not hold in play.
    #[serde(default = "unknown")]
    pub has_limits: bool,
}

/// Default of `has_limits` for older reports without the field.
fn unknown() -> bool {
    true
}

impl ProvedSearch {
    /// Result that the last search of `at` proved; `None` if it proved none.
    #[must_use]
    pub fn of(
        info: &GameInfo,
        found: &UctFound,
        uct: &dyn UctSearch,
        at: &Line,
    ) -> Option<ProvedSearch> {
        let result = Proved::of_sign(found.proved?.value_for(found.turn));
        Some(ProvedSearch { result, line: uct.proved_line(at), has_limits: info.has_limits })
    }
}
