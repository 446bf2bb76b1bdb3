//! Estimated values of unfinished positions, without search.

use std::fmt::Debug;

use crate::Game;

/// Exclusive bound on the absolute value of an estimate. A search uses larger numbers for games
/// that are decided.
pub const VALUE_MAX: i32 = 1 << 29;

/// Estimates the values of unfinished positions at the horizon of a search.
///
/// Values are whole numbers, so that a search never rounds. [`Evaluator::unit`] is the scale of a
/// formula with fractions.
pub trait Evaluator<G: Game>: Debug + Send + Sync {
    /// Value of an unfinished position **for the side to move**. Larger is better; the absolute
    /// value is below [`VALUE_MAX`].
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// Value that stands for 1 in the formula's own terms.
    fn unit(&self) -> f64 {
        1.0
    }
}
