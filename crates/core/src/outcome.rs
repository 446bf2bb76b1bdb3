//! Results of finished games.

use crate::Player;

/// Result of a finished game in absolute terms: it names the winner, whichever side is to move.
///
/// [`Outcome::value`] is +1, 0 or -1 **for the first player**.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Outcome {
    /// The second player won: -1.
    SecondWins = -1,
    /// A draw: 0.
    Draw = 0,
    /// The first player won: +1.
    FirstWins = 1,
}

impl Outcome {
    /// Win of `player`.
    #[inline]
    #[must_use]
    pub const fn win_of(player: Player) -> Outcome {
        match player {
            Player::First => Outcome::FirstWins,
            Player::Second => Outcome::SecondWins,
        }
    }

    /// Outcome of a game decided by score: a positive margin is a win for the first player, 0 a
    /// draw.
    ///
    /// ```
    /// use treegauge_core::Outcome;
    /// assert_eq!(Outcome::of_margin(-3), Outcome::SecondWins);
    /// ```
    #[inline]
    #[must_use]
    pub const fn of_margin(first_minus_second: i32) -> Outcome {
        if first_minus_second > 0 {
            Outcome::FirstWins
        } else if first_minus_second < 0 {
            Outcome::SecondWins
        } else {
            Outcome::Draw
        }
    }

    /// Value for the first player: +1, 0 or -1.
    #[inline]
    #[must_use]
    pub const fn value(self) -> i32 {
        self as i32
    }

    /// Value for `player`: +1, 0 or -1.
    ///
    /// ```
    /// use treegauge_core::{Outcome, Player};
    /// assert_eq!(Outcome::FirstWins.value_for(Player::Second), -1);
    /// ```
    #[inline]
    #[must_use]
    pub const fn value_for(self, player: Player) -> i32 {
        self.value() * player.sign()
    }

    /// Winning player; `None` for a draw.
    #[inline]
    #[must_use]
    pub const fn winner(self) -> Option<Player> {
        match self {
            Outcome::FirstWins => Some(Player::First),
            Outcome::SecondWins => Some(Player::Second),
            Outcome::Draw => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_winner_is_who_has_the_value_plus_one() {
        for outcome in [Outcome::FirstWins, Outcome::Draw, Outcome::SecondWins] {
            for player in Player::BOTH {
                assert_eq!(outcome.value_for(player) == 1, outcome.winner() == Some(player));
            }
        }
        for player in Player::BOTH {
            assert_eq!(Outcome::win_of(player).winner(), Some(player));
        }
    }
}
