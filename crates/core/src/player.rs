//! Sides of a game.

use std::fmt;

/// One of the two players. `First` makes the first move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Player {
    /// The player who moves first from the start position.
    First,
    /// The opponent of the first player.
    Second,
}

impl Player {
    /// Both players, `First` first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// Opponent of this player.
    ///
    /// ```
    /// use treegauge_core::Player;
    /// assert_eq!(Player::First.other(), Player::Second);
    /// ```
    #[inline]
    #[must_use]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// Index into arrays of two: 0 for the first player and 1 for the second.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Factor that turns a value for the first player into a value for this player, and back: +1
    /// for the first player and -1 for the second.
    #[inline]
    #[must_use]
    pub const fn sign(self) -> i32 {
        1 - 2 * (self as i32)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::First => "first",
            Player::Second => "second",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Player;

    #[test]
    fn index_and_sign_agree_with_the_order_of_both() {
        for (index, player) in Player::BOTH.into_iter().enumerate() {
            assert_eq!(player.index(), index);
            assert_eq!(player.sign(), [1, -1][index]);
            assert_eq!(player.other().other(), player);
        }
    }
}
