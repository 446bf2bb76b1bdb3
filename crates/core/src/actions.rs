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

    /// Returns the legal move of `state`, an unfinished position, that has this id; `None` if none
    /// has. The method overwrites `buffer`, which saves an allocation.
    fn move_of(
        &self,
        state: &Self::State,
        action: u32,
        buffer: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        self.moves_into(state, buffer);
        buffer.iter().copied().find(|&m| self.action_of(state, m) == action)
    }
}

/// Functions of [`Actions`] for one type of game.
pub struct ActionIds<G: Game> {
    /// [`Actions::action_count`].
    pub count: fn(&G) -> u32,
    /// [`Actions::action_of`].
    pub of: fn(&G, &G::State, G::Move) -> u32,
    /// [`Actions::move_of`].
    pub move_of: MoveOf<G>,
}

/// Signature of [`Actions::move_of`].
pub type MoveOf<G> =
    fn(&G, &<G as Game>::State, u32, &mut Vec<<G as Game>::Move>) -> Option<<G as Game>::Move>;

impl<G: Actions> ActionIds<G> {
    /// Functions that the game's type implements.
    #[must_use]
    pub fn of_type() -> Self {
        ActionIds { count: G::action_count, of: G::action_of, move_of: G::move_of }
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
