//! The values of the moves of a position.

use std::cmp::Reverse;

use treegauge_core::Game;

use crate::endless::Endless;
use crate::value::Valued;

/// A move with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue<M> {
    /// The move.
    pub m: M,
    /// The value for the player who makes the move. The remoteness counts the move itself.
    pub valued: Valued,
}

/// The moves of a position, best first, moves of equal value in the order of the game.
pub type MoveValues<M> = Vec<MoveValue<M>>;

/// The values of all moves of a position; none when the game is over. `get` gives the value of a
/// position for the player to move there, `endless` the result of endless play.
///
/// # Errors
///
/// Those of `get`.
pub fn move_values<G: Game, E>(
    game: &G,
    state: &G::State,
    endless: Endless,
    get: impl Fn(&G::State) -> Result<Valued, E>,
) -> Result<MoveValues<G::Move>, E> {
    let mut moves = Vec::new();
    if game.outcome(state).is_none() {
        game.moves_into(state, &mut moves);
    }
    let mut values = Vec::with_capacity(moves.len());
    for m in moves {
        let mut child = state.clone();
        game.play(&mut child, m);
        let seen = get(&child)?.seen(game.turn(&child) == game.turn(state));
        values.push(MoveValue { m, valued: seen.before().unwrap_or(seen) });
    }
    let avoids_ties = endless.avoids_ties(game.turn(state));
    values.sort_by_key(|value| Reverse(value.valued.preference_of(avoids_ties)));
    Ok(values)
}
