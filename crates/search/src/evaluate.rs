//! Evaluators that serve every game.

use std::fmt::{self, Debug};

use treegauge_core::{Evaluator, Game, OfState};

/// The legal moves of the player to move.
///
/// Those of the other player are not looked at: rules answer only for whose turn it is. So a
/// value compares positions in which the same player is to move, as are all leaves of one
/// iteration where turns alternate: there a search looks for many moves of its own, or for few of
/// the other's, depending on who is to move at its horizon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<G: Game> Evaluator<G> for Mobility {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        game.move_count(state) as i32
    }
}

/// The score of the player to move less that of the other, in a game that is decided by scores.
#[derive(Clone, Copy)]
pub struct Margin<G: Game> {
    margin: OfState<G, i32>,
}

impl<G: Game> Margin<G> {
    /// From the function that gives the first player's score less the second's:
    /// [`Graded::margin`](treegauge_core::Graded::margin).
    #[must_use]
    pub fn new(margin: OfState<G, i32>) -> Self {
        Margin { margin }
    }
}

impl<G: Game> Debug for Margin<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Margin")
    }
}

impl<G: Game> Evaluator<G> for Margin<G> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        game.turn(state).sign() * (self.margin)(game, state)
    }
}
