//! Values of moves.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// Value of a position or of a move for one side.
///
/// Values are ordered by preference: a win in fewer plies is greater, a loss in more plies is
/// greater, and scores lie between losses and wins.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// The side loses in this many plies.
    Loses(u32),
    /// Nothing is forced. The unit is that of the source: centipawns, or a mean result.
    Score(f64),
    /// The side wins in this many plies.
    Wins(u32),
}

impl Value {
    /// Value for the other side.
    #[must_use]
    pub fn negated(self) -> Value {
        match self {
            Value::Loses(plies) => Value::Wins(plies),
            Value::Score(score) => Value::Score(-score),
            Value::Wins(plies) => Value::Loses(plies),
        }
    }

    /// Tests whether the value is a forced win or a score of at least `win`.
    #[must_use]
    pub fn is_won(self, win: f64) -> bool {
        match self {
            Value::Loses(_) => false,
            Value::Score(score) => score >= win,
            Value::Wins(_) => true,
        }
    }

    /// Score; `None` if a win or a loss is forced.
    #[must_use]
    pub fn score(self) -> Option<f64> {
        match self {
            Value::Score(score) => Some(score),
            Value::Loses(_) | Value::Wins(_) => None,
        }
    }

    /// Compares two values for the same side.
    #[must_use]
    pub fn compared_to(self, other: Value) -> Ordering {
        match (self, other) {
            (Value::Wins(a), Value::Wins(b)) => b.cmp(&a),
            (Value::Loses(a), Value::Loses(b)) => a.cmp(&b),
            (Value::Score(a), Value::Score(b)) => a.total_cmp(&b),
            (Value::Wins(_), _) | (_, Value::Loses(_)) => Ordering::Greater,
            (Value::Loses(_), _) | (_, Value::Wins(_)) => Ordering::Less,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_faster_win_and_a_slower_loss_are_better() {
        let ordered = [
            Value::Loses(2),
            Value::Loses(8),
            Value::Score(-900.0),
            Value::Score(35.0),
            Value::Wins(9),
            Value::Wins(1),
        ];
        for (n, a) in ordered.iter().enumerate() {
            for (m, b) in ordered.iter().enumerate() {
                assert_eq!(a.compared_to(*b), n.cmp(&m), "{a:?} {b:?}");
                assert_eq!(b.negated().compared_to(a.negated()), n.cmp(&m), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_least_winning_score_wins() {
        assert!(Value::Score(200.0).is_won(200.0) && !Value::Score(199.0).is_won(200.0));
        assert!(Value::Wins(11).is_won(200.0) && !Value::Loses(1).is_won(-900.0));
    }
}
