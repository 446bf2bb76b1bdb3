//! The estimated value of an unfinished position, without search.

use std::fmt::Debug;

use crate::Game;

/// Estimated values are smaller than this in size, so that a search has room beyond them for
/// decided games.
pub const VALUE_MAX: i32 = 1 << 29;

/// Estimates unfinished positions: the leaves at the horizon of a search.
///
/// Values are whole numbers, so that a search never rounds. A formula with
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
