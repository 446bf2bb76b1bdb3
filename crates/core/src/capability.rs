//! Capabilities of games beyond their rules, one trait each.

use crate::{Game, KeyCode, Outcome};

/// Game whose states have compact, injective keys.
///
/// A key is never a hash: `unkey(key(s)) == s` for every state that the rules allow.
pub trait Keyed: Game {
    /// Key of a state. Its order is the order in which solvers store positions.
    type Key: KeyCode;

    /// Returns the key of a state.
    fn key(&self, state: &Self::State) -> Self::Key;

    /// Returns the state that has this key. May panic if [`Keyed::key`] never returns the key.
    fn unkey(&self, key: Self::Key) -> Self::State;

    /// Returns the state that has this key, for keys that are read from files. `None` if the rules
    /// allow no state with that key. If the game has a notation, they allow the states that
    /// [`parse_position`](crate::Notation::parse_position) accepts.
    fn try_unkey(&self, key: Self::Key) -> Option<Self::State>;
}

/// Game whose keys are numbers, dense enough to index a table.
///
/// The code of every key is a `u64` below [`Indexed::index_len`], so it serves as an index.
pub trait Indexed: Keyed<Key: KeyCode<Code = u64>> {
    /// Length of a table of all keys. It is at least the number of reachable states; it should be
    /// at most a few dozen times that number.
    fn index_len(&self) -> u64;
}

/// Game whose moves can be taken back.
pub trait Retrograde: Game {
    /// Replaces the contents of `parents` with every unfinished state, each once, that reaches
    /// `state` in one move. It may include states that cannot be reached from the start.
    fn parents_into(&self, state: &Self::State, parents: &mut Vec<Self::State>);
}

/// Game whose every move leads to a higher tier, so that tiers can be solved one by one from the
/// highest down.
pub trait Tiered: Game {
    /// Tier of a state. Each move raises it by at least 1.
    fn tier(&self, state: &Self::State) -> u32;
}

/// Game whose board can be rotated or mirrored without changing the game.
///
/// Symmetries keep the side to move. Symmetry 0 is the identity.
pub trait Symmetric: Keyed {
    /// Number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;

    /// Image of a state under a symmetry, which is less than [`Symmetric::symmetry_count`].
    fn map_state(&self, symmetry: usize, state: &Self::State) -> Self::State;

    /// Image of a move: `map_state(play(s, m)) == play(map_state(s), map_move(m))`.
    fn map_move(&self, symmetry: usize, m: Self::Move) -> Self::Move;

    /// Image with the smallest key. If the symmetries form a group, two states have the same
    /// canonical image exactly if one is an image of the other.
    fn canonical(&self, state: &Self::State) -> Self::State {
        (0..self.symmetry_count())
            .map(|symmetry| self.map_state(symmetry, state))
            .min_by_key(|image| self.key(image))
            .expect("the identity is a symmetry")
    }
}

/// Game decided by score, so that a result has a margin.
pub trait Graded: Game {
    /// Noun for what the score counts, in singular and plural.
    const UNIT: [&'static str; 2];

    /// First player's score minus the second player's, counted in [`Graded::UNIT`]. Its sign in a
    /// terminal position is the outcome.
    fn margin(&self, state: &Self::State) -> i32;

    /// Outcome given by the sign of the margin.
    fn outcome_of_margin(&self, state: &Self::State) -> Outcome {
        Outcome::of_margin(self.margin(state))
    }
}
