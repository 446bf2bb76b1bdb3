//! What a game can do beyond its rules, one trait each.

use crate::{Game, KeyCode, Outcome};

/// States have a compact injective key.
///
/// Never a hash: `unkey(key(s)) == s` for every state that the rules allow.
pub trait Keyed: Game {
    /// The key. Its order is the order in which solvers store positions.
    type Key: KeyCode;

    /// The key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// The state of a key that [`Keyed::key`] gave. For other keys it may panic.
    fn unkey(&self, key: Self::Key) -> Self::State;

    /// The state of any key; `None` where [`Keyed::key`] gives the key for no state that the rules
    /// allow, which are the states that [`parse_position`](crate::Notation::parse_position) accepts
    /// where the game has a notation. What is read from files is read so.
    fn try_unkey(&self, key: Self::Key) -> Option<Self::State>;
}

/// Keys are small numbers, dense enough for a table.
///
/// That is, every key's code is a `u64` below [`Indexed::index_len`], so the key is an index.
pub trait Indexed: Keyed<Key: KeyCode<Code = u64>> {
    /// The size of a table. At least the number of reachable states, and to be useful at most a few
    /// dozen times that number.
    fn index_len(&self) -> u64;
}

/// Moves can be taken back.
pub trait Retrograde: Game {
    /// Replaces the contents of `parents` with every unfinished state, each once, from which one
    /// move leads to `state`. States that cannot be reached from the start may be among them.
    fn parents_into(&self, state: &Self::State, parents: &mut Vec<Self::State>);
}

/// Every move leads to a higher tier, so the tiers can be solved one by one from the top.
pub trait Tiered: Game {
    /// The tier of a state: each move raises it by at least 1.
    fn tier(&self, state: &Self::State) -> u32;
}

/// The board can be turned or mirrored without changing the game.
///
/// Symmetries keep the player to move; 0 is the identity.
pub trait Symmetric: Keyed {
    /// The number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;

    /// The image of a state. `symmetry` is less than [`Symmetric::symmetry_count`].
    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State;

    /// The image of a move: `map_state(play(s, m)) == play(map_state(s), map_move(m))`.
    fn map_move(&self, symmetry: usize, m: Self::Move) -> Self::Move;

    /// The image with the smallest key: equal for two states exactly when one is an image of
    /// the other, provided the symmetries form a group.
    fn canonical(&self, state: &Self::State) -> Self::State {
        (0..self.symmetry_count())
            .map(|symmetry| self.map_state(symmetry, state))
            .min_by_key(|image| self.key(image))
            .expect("the identity is a symmetry")
    }
}

/// The game is decided by score, so a result has a size.
pub trait Graded: Game {
    /// What the score counts: one of it, and several.
    const UNIT: [&'static str; 2];

    /// The first player's score less the second player's, in [`Graded::UNIT`]. In a finished
    /// position its sign is the outcome.
    fn margin(&self, state: &Self::State) -> i32;

    /// The outcome that the margin gives.
    fn outcome_of_margin(&self, state: &Self::State) -> Outcome {
        Outcome::of_margin(self.margin(state))
    }
}
