//! Stable ids of moves.

use crate::game::Game;

/// Game whose moves have ids that are the same in all positions, as programs that learn need them.
///
/// Two moves, of one position or of two, have the same id exactly if they have the same text.
pub trait Actions: Game {
    /// Number of ids. Every id is below it; some may never occur.
    fn action_count(&self) -> u32;

    /// Returns the id of a legal move of `state`.
    fn action_of(&self, state: &Self::State, m: Self::Move) -> u32;
}

/// Functions of [`Actions`] for one type of game.
pub struct ActionIds<G: Game> {
    /// [`Actions::action_count`].
    pub count: fn(&G) -> u32,
    /// [`Actions::action_of`].
    pub of: fn(&G, &G::State, G::Move) -> u32,
}

impl<G: Actions> ActionIds<G> {
    /// Functions that the game's type implements.
    #[must_use]
    pub fn of_type() -> Self {
        ActionIds { count: G::action_count, of: G::action_of }
    }
}

// A derive would require `G: Clone`.
impl<G: Game> Clone for ActionIds<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for ActionIds<G> {}

impl<G: Game> std::fmt::Debug for ActionIds<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ActionIds")
    }
}
