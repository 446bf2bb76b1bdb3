//! What a person sees of each move at a glance.

use crate::Game;

/// What a move does at once. A later one is noticed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// It loses at once.
    Loses,
    /// Nothing.
    Quiet,
    /// It keeps the other player from a move that wins at once.
    Blocks,
    /// It wins at once.
    Wins,
}

/// What a person sees of a move at a glance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What it does at once.
    pub urgency: Urgency,
    /// How good it looks: any finite number, more for what looks better. A difference of 1 is that
    /// between a move that is as good as any and one that looks of no use.
    pub appeal: f64,
}

/// The game says how its moves look to a person who does not think ahead.
pub trait Intuitive: Game {
    /// Replaces the contents of `looks` with the looks of the legal moves of an unfinished state, in the
    /// order of [`Game::moves_into`].
    fn looks_into(&self, state: &Self::State, looks: &mut Vec<Look>);
}
