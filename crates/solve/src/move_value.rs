//! Values of the moves of a position.

use std::cmp::Reverse;

use treegauge_core::KeyCode;

use crate::rules::Solvable;
use crate::value::ExactValue;

/// Move with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// Number of the move in the position's list of legal moves, from 0.
    pub m: u32,
    /// Value for the player who makes the move. The remoteness counts the move itself.
    pub valued: ExactValue,
}

/// Values of all moves of a position, best first; moves of equal value keep the order of the game.
/// Empty if the game is over. `get` returns the value of a position for the player to move there.
///
/// # Errors
///
/// Those of `get`.
pub fn move_values<K: KeyCode, E>(
    rules: &Solvable<K>,
    state: K,
    get: impl Fn(K) -> Result<ExactValue, E>,
) -> Result<Vec<MoveValue>, E> {
    let children = rules.children(state);
    let mut values = Vec::with_capacity(children.len());
    for (m, child) in (0..).zip(children) {
        let seen = get(child.key)?.seen(child.same_turn);
        values.push(MoveValue { m, valued: seen.before().unwrap_or(seen) });
    }
    let avoids_ties = rules.endless().avoids_ties(rules.turn(state));
    values.sort_by_key(|value| Reverse(value.valued.preference_of(avoids_ties)));
    Ok(values)
}
