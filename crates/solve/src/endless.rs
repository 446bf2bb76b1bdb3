//! Result of endless play, which no rule about single positions ends.
//!
//! A solver sees positions and no history. A game that goes round is ended by repetition or by a
//! limit of plies without progress, and the rules then say who has won. If every such ending has
//! one result, whatever the position, that result follows from the graph of positions alone:
//!
//! - Let *P* be the player who wins endless play and *Q* the other. *Q* wins where it can force a
//!   finished position that it wins, in a number of plies that falls with each move: no position of
//!   such a line occurs twice, so no repetition comes before its end. The same is true of a tie
//!   that *Q* can force. From every other position *P* can stay among such positions for ever, or
//!   reach a finished one that it wins. This is a safety game; *P* wins it.
//! - If endless play is a draw, neither player can force an end from the positions that are left.
//!
//! If the result depends on the position in which the limit is met, or if repetition and quiet
//! plies give different results, it depends on the history ([`Endless::Undecided`]). The result
//! still lies between a win of the one player and a win of the other. So a position has a known
//! value if these two cases give the same one; otherwise its value does not follow from the graph.

use serde::{Deserialize, Serialize};
use treegauge_core::{Game, HistoryEnd, Outcome, Player};

use crate::counts::Counts;
use crate::value::{ExactValue, Value};

/// Result of endless play by the rules of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endless {
    /// A draw; also for games in which no play is endless.
    #[default]
    Draw,
    /// The first player wins.
    FirstWins,
    /// The second player wins.
    SecondWins,
    /// The result depends on the history, which a solver does not see.
    Undecided,
}

impl Endless {
    /// All variants, in declaration order.
    pub const ALL: [Endless; 4] =
        [Endless::Draw, Endless::FirstWins, Endless::SecondWins, Endless::Undecided];

    /// Result by the rules of a game in which positions can come back. The ply cap is not a rule of
    /// the game and is ignored.
    pub(crate) fn by_limits<G: Game>(game: &G) -> Endless {
        let by_repetition = game.settles(HistoryEnd::Repetition);
        let by_quiet = match game.draw_plies() {
            Some(_) => game.settles(HistoryEnd::DrawPlies),
            None => by_repetition,
        };
        match by_repetition {
            Some(outcome) if by_quiet == by_repetition => match outcome {
                Outcome::Draw => Endless::Draw,
                Outcome::FirstWins => Endless::FirstWins,
                Outcome::SecondWins => Endless::SecondWins,
            },
            _ => Endless::Undecided,
        }
    }

    /// Player who wins endless play; `None` if nobody does or the history decides.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Endless::FirstWins => Some(Player::First),
            Endless::SecondWins => Some(Player::Second),
            Endless::Draw | Endless::Undecided => None,
        }
    }

    /// Number of the counted positions whose value depends on the history.
    #[must_use]
    pub fn undecided(self, counts: &Counts) -> u64 {
        if self == Endless::Undecided { counts.draw } else { 0 }
    }

    /// Returns whether a position without an end can have this value; `turn` is its player to move.
    #[must_use]
    pub(crate) fn gives(self, valued: ExactValue, turn: Player) -> bool {
        match (self.winner(), valued.value) {
            (None, Value::Draw) => valued == ExactValue::DRAW,
            (Some(winner), Value::Win) => winner == turn,
            (Some(winner), Value::Lose) => winner != turn,
            _ => false,
        }
    }

    /// Returns whether a player to move prefers endless play to a tie. That player is then left
    /// with a tie only if no move avoids one, and delays it.
    #[must_use]
    pub fn avoids_ties(self, mover: Player) -> bool {
        self.winner() == Some(mover)
    }
}

#[cfg(test)]
mod tests;
