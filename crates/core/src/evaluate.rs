//! What an unfinished position is worth by judgement rather than by search.

use std::fmt::Debug;

use crate::Game;

/// Judged values are smaller than this in size, so that a search has room beyond them for games
/// that are decided.
pub const VALUE_MAX: i32 = 1 << 29;

/// Judges unfinished positions: the leaves of a search that cannot look any further.
///
/// Values are whole numbers, so that a search adds up nothing that rounds. A formula with
/// fractions is scaled by [`Evaluator::unit`].
pub trait Evaluator<G: Game>: Debug + Send + Sync {
    /// The value of an unfinished position **for the player to move**; larger is better, and
    /// smaller in size than [`VALUE_MAX`].
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// How many of these whole numbers make 1 in the formula's own terms.
    fn unit(&self) -> f64 {
        1.0
    }
}
