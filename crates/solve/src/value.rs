//! Values of positions.

use serde::{Deserialize, Serialize};
use treegauge_core::{Outcome, Player};

use crate::error::SolveError;

/// Value of a position for the player to move, with best play by both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Value {
    /// The player to move wins.
    Win = 0,
    /// The player to move loses.
    Lose = 1,
    /// Best play ends without a winner.
    Tie = 2,
    /// Best play never ends.
    Draw = 3,
}

impl Value {
    /// All values, in the order of their numbers.
    pub const ALL: [Value; 4] = [Value::Win, Value::Lose, Value::Tie, Value::Draw];

    /// Name of the value in texts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Value::Win => "win",
            Value::Lose => "lose",
            Value::Tie => "tie",
            Value::Draw => "draw",
        }
    }

    /// Value with this number, the inverse of `value as u8`.
    #[must_use]
    pub const fn of_number(number: u8) -> Option<Value> {
        match number {
            0 => Some(Value::Win),
            1 => Some(Value::Lose),
            2 => Some(Value::Tie),
            3 => Some(Value::Draw),
            _ => None,
        }
    }

    /// Value of the same position for the other player.
    #[must_use]
    #[inline]
    pub const fn for_other(self) -> Value {
        match self {
            Value::Win => Value::Lose,
            Value::Lose => Value::Win,
            other => other,
        }
    }

    /// Value for a player, converted from the value for the player to move. `same_turn` says
    /// whether the two are the same player.
    #[must_use]
    #[inline]
    pub const fn seen(self, same_turn: bool) -> Value {
        if same_turn { self } else { self.for_other() }
    }

    /// Value of a finished position for the player who would be to move.
    #[must_use]
    #[inline]
    pub fn of_outcome(outcome: Outcome, turn: Player) -> Value {
        match outcome.winner() {
            None => Value::Tie,
            Some(winner) if winner == turn => Value::Win,
            Some(_) => Value::Lose,
        }
    }
}

/// Value of a position and number of plies to the end.
///
/// The first rule that applies decides, with children seen from the mover's side, also where the
/// turn stays:
///
/// 1. A position is a win if a child is a win; its remoteness is 1 + the least of those.
/// 2. It is a tie if a child is a tie; its remoteness is 1 + the least of those.
/// 3. It is a draw if a child is a draw.
/// 4. Else it is a loss; its remoteness is 1 + the greatest of all children.
///
/// A tie is preferred to a draw, unless the limits of the game decide endless play: see
/// [`Endless`](crate::Endless).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
// Aligned like a preference, so that a vector of these can reuse the memory of a vector of those.
#[repr(align(4))]
pub struct ExactValue {
    /// Value for the player to move.
    pub value: Value,
    /// Plies to the end when the winner hurries and the loser delays, and both hurry towards a tie.
    /// 0 for a finished position and for a draw, which has no end. A win or loss by endless play
    /// has [`ExactValue::ENDLESS`].
    pub remoteness: u16,
}

impl ExactValue {
    /// Draw by endless play.
    pub const DRAW: ExactValue = ExactValue { value: Value::Draw, remoteness: 0 };

    /// Remoteness of a win or loss by endless play. Such a win is the worst win, and such a loss
    /// the best loss. Positions with an end have a smaller remoteness.
    pub const ENDLESS: u16 = u16::MAX;

    /// Value with the plies returned by [`ExactValue::plies`]; `None` if a draw has plies, or a tie has
    /// none.
    #[must_use]
    pub const fn of_plies(value: Value, plies: Option<u16>) -> Option<ExactValue> {
        match (value, plies) {
            (Value::Draw, None) => Some(ExactValue::DRAW),
            (Value::Win | Value::Lose, None) => {
                Some(ExactValue { value, remoteness: ExactValue::ENDLESS })
            }
            (Value::Draw, Some(_)) | (Value::Tie, None) | (_, Some(ExactValue::ENDLESS)) => None,
            (_, Some(remoteness)) => Some(ExactValue { value, remoteness }),
        }
    }

    /// Plies to the end; `None` for a draw and for a win or loss by endless play, which have no end
    /// by the rules of positions.
    #[must_use]
    pub const fn plies(self) -> Option<u16> {
        match (self.value, self.remoteness) {
            (Value::Draw, _) | (_, ExactValue::ENDLESS) => None,
            (_, remoteness) => Some(remoteness),
        }
    }

    /// Returns whether this is one ply nearer to the end than `parent`, as after a best move.
    #[must_use]
    #[inline]
    pub(crate) const fn is_next_of(self, parent: ExactValue) -> bool {
        self.remoteness.saturating_add(1) == parent.remoteness
            || self.remoteness == ExactValue::ENDLESS && parent.remoteness == ExactValue::ENDLESS
    }

    /// Same value with a remoteness one ply greater; `None` if that does not fit.
    #[must_use]
    #[inline]
    pub const fn before(self) -> Option<ExactValue> {
        match self.plies() {
            None => Some(self),
            Some(plies) if plies + 1 < ExactValue::ENDLESS => {
                Some(ExactValue { value: self.value, remoteness: plies + 1 })
            }
            Some(_) => None,
        }
    }

    /// Value of a finished position; `turn` is the player who would be to move.
    #[must_use]
    #[inline]
    pub fn finished(outcome: Outcome, turn: Player) -> ExactValue {
        ExactValue { value: Value::of_outcome(outcome, turn), remoteness: 0 }
    }

    /// Number that orders values by the preference of the player to move: greater is better. Quick
    /// wins are best, then slow wins, quick ties, slow ties, draws, slow losses, and quick losses.
    #[must_use]
    #[inline]
    pub const fn preference(self) -> i32 {
        let remoteness = self.remoteness as i32;
        match self.value {
            Value::Win => 0x4_0000 - remoteness,
            Value::Tie => 0x3_0000 - remoteness,
            Value::Draw => 0x1_8000,
            Value::Lose => remoteness,
        }
    }

    /// Like [`ExactValue::preference`], but a player who avoids ties ([`Endless::avoids_ties`]) prefers
    /// slow ties to quick ones.
    ///
    /// [`Endless::avoids_ties`]: crate::Endless::avoids_ties
    #[must_use]
    pub const fn preference_of(self, avoids_ties: bool) -> i32 {
        match self.value {
            Value::Tie if avoids_ties => 0x2_0000 + self.remoteness as i32,
            _ => self.preference(),
        }
    }

    /// Preference of a player for this value, without a branch. `same_turn` says whether that
    /// player is the one to move.
    #[must_use]
    #[inline]
    pub(crate) const fn seen_preference(self, same_turn: bool) -> i32 {
        const fn of(number: u8, same_turn: bool) -> [i32; 2] {
            let value = Value::of_number(number).expect("there are four values").seen(same_turn);
            let [nearest, next] = [
                ExactValue { value, remoteness: 0 }.preference(),
                ExactValue { value, remoteness: 1 }.preference(),
            ];
            [nearest, next - nearest]
        }
        const OTHER: [[i32; 2]; 4] = [of(0, false), of(1, false), of(2, false), of(3, false)];
        const SAME: [[i32; 2]; 4] = [of(0, true), of(1, true), of(2, true), of(3, true)];
        let [nearest, step] = [OTHER, SAME][same_turn as usize][self.value as usize];
        nearest + step * self.remoteness as i32
    }

    /// Converts a preference back to its value.
    #[must_use]
    #[inline]
    pub(crate) const fn of_preference(preference: i32) -> ExactValue {
        let (value, remoteness) = match preference {
            0x3_0001.. => (Value::Win, 0x4_0000 - preference),
            0x2_0001.. => (Value::Tie, 0x3_0000 - preference),
            0x1_8000 => (Value::Draw, 0),
            _ => (Value::Lose, preference),
        };
        ExactValue { value, remoteness: remoteness as u16 }
    }

    /// Value for a player, converted from the value for the player to move. `same_turn` says
    /// whether the two are the same player.
    #[must_use]
    #[inline]
    pub const fn seen(self, same_turn: bool) -> ExactValue {
        ExactValue { value: self.value.seen(same_turn), remoteness: self.remoteness }
    }
}

/// Converts a preference of the player to move to that of a player, without a branch. `same_turn`
/// says whether the two are the same player.
#[must_use]
#[inline]
pub(crate) const fn seen_preference(preference: i32, same_turn: bool) -> i32 {
    // A win is as far from the best value as the other player's loss is from the worst.
    let is_decided = preference < 0x1_0000 || preference > 0x3_0000;
    if is_decided && !same_turn { 0x4_0000 - preference } else { preference }
}

/// Value of an unfinished position, from the preferences of its children from its mover's side.
#[inline]
pub(crate) fn before(preferences: impl Iterator<Item = i32>) -> Result<ExactValue, SolveError> {
    let best = preferences.max().expect("an unfinished position has a move");
    ExactValue::of_preference(best).before().ok_or(SolveError::TooRemote)
}

/// Value of an unfinished position, from the values of its children from its mover's side.
/// `avoids_ties` says whether the mover prefers endless play to a tie.
pub(crate) fn before_avoiding(
    children: impl Iterator<Item = ExactValue>,
    avoids_ties: bool,
) -> Result<ExactValue, SolveError> {
    let best = children.max_by_key(|child| child.preference_of(avoids_ties));
    let best = best.expect("an unfinished position has a move");
    best.before().ok_or(SolveError::TooRemote)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_player_who_avoids_ties_takes_endless_play_and_puts_ties_off() {
        let of = |value, remoteness| ExactValue { value, remoteness };
        let worst_first = [
            of(Value::Lose, 0),
            of(Value::Lose, 9),
            of(Value::Lose, ExactValue::ENDLESS),
            of(Value::Tie, 1),
            of(Value::Tie, 9),
            of(Value::Win, ExactValue::ENDLESS),
            of(Value::Win, 9),
            of(Value::Win, 1),
        ];
        assert!(worst_first.is_sorted_by_key(|valued| valued.preference_of(true)));
        for (n, valued) in worst_first.into_iter().enumerate() {
            let best = before_avoiding(worst_first[..=n].iter().copied(), true).unwrap();
            assert_eq!(Some(best), valued.before());
            assert_eq!(valued.preference_of(false), valued.preference());
        }
        let most = of(Value::Tie, ExactValue::ENDLESS - 1);
        assert_eq!(most.before(), None, "a remoteness is not taken for endless play");
    }

    #[test]
    fn a_preference_gives_its_value_back() {
        for value in Value::ALL {
            let remoteness = if value == Value::Draw { 0..=0 } else { 0..=u16::MAX };
            for valued in remoteness.map(|remoteness| ExactValue { value, remoteness }) {
                assert_eq!(ExactValue::of_preference(valued.preference()), valued);
                for same_turn in [false, true] {
                    let seen = valued.seen(same_turn).preference();
                    assert_eq!(valued.seen_preference(same_turn), seen);
                    assert_eq!(seen_preference(valued.preference(), same_turn), seen);
                }
            }
        }
    }
}
