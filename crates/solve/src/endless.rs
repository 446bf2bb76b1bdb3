//! The result of play that never ends by the rules of positions.
//!
//! A solver sees positions and no history. A game that goes round is ended by repetition or by a
//! limit of plies without progress, and the rules say who has won it then. If every such ending
//! has one result, whatever the position, that result follows from the graph of positions alone:
//!
//! - Let *P* be the player who wins endless play and *Q* the other. *Q* wins where it can force a
//!   finished position that it wins, in a number of plies that falls with each move: no position of
//!   such a line occurs twice, so no repetition comes before its end. The same is true of a tie that
//!   *Q* can force. From every other position *P* can stay among such positions for ever, or reach
//!   a finished one that it wins. This is a safety game; *P* wins it.
//! - If endless play is a draw, neither player can force an end from the positions that are left.
//!
//! If the result depends on the position in which the limit is met, or repetition and quiet plies
//! give different results, it depends on the history ([`Endless::Undecided`]). Whatever it is, it
//! lies between a win of the one player and a win of the other. So a position has the value that
//! it has in both of these cases, where they agree, and else its value does not follow from the
//! graph.

use serde::{Deserialize, Serialize};
use treegauge_core::{Game, HistoryEnd, Outcome, Player};

use crate::counts::Counts;
use crate::value::{Value, Valued};

/// The result of play that never ends by the rules of positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endless {
    /// A draw, or no play is endless.
    #[default]
    Draw,
    /// A win of the first player.
    FirstWins,
    /// A win of the second player.
    SecondWins,
    /// It depends on the history, which a solver does not see.
    Undecided,
}

impl Endless {
    /// All, in the order of their numbers.
    pub const ALL: [Endless; 4] =
        [Endless::Draw, Endless::FirstWins, Endless::SecondWins, Endless::Undecided];

    /// The result by the rules of a game in which positions can come back. The ply cap is not a rule of
    /// the game and is left out.
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

    /// The player who wins endless play, if it is won.
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Endless::FirstWins => Some(Player::First),
            Endless::SecondWins => Some(Player::Second),
            Endless::Draw | Endless::Undecided => None,
        }
    }

    /// The number of positions whose value the history decides, of those that are counted.
    #[must_use]
    pub fn undecided(self, counts: &Counts) -> u64 {
        if self == Endless::Undecided { counts.draw } else { 0 }
    }

    /// Whether a position without an end, in which `turn` is to move, can have this value.
    #[must_use]
    pub(crate) fn gives(self, valued: Valued, turn: Player) -> bool {
        match (self.winner(), valued.value) {
            (None, Value::Draw) => valued == Valued::DRAW,
            (Some(winner), Value::Win) => winner == turn,
            (Some(winner), Value::Lose) => winner != turn,
            _ => false,
        }
    }

    /// Whether a player to move prefers endless play to a tie. A position is then a tie only where no
    /// move avoids one, and the player puts it off.
    #[must_use]
    pub fn avoids_ties(self, mover: Player) -> bool {
        self.winner() == Some(mover)
    }
}

#[cfg(test)]
mod tests;
