//! Looks of moves: a person's first impression of each move.

use crate::Game;

/// Immediate effect of a move. Greater values are noticed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Urgency {
    /// The move loses at once.
    Loses,
    /// The move has none of the other effects.
    Quiet,
    /// The move prevents the opponent from winning at once.
    Blocks,
    /// The move wins at once.
    Wins,
}

/// First impression of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// Immediate effect.
    pub urgency: Urgency,
    /// Attractiveness of the move: any finite number, larger for better-looking moves. A difference
    /// of 1 separates a move that looks as good as any from one that looks useless.
    pub appeal: f64,
}

/// Game that tells how its moves look to a person who does not think ahead.
pub trait Intuitive: Game {
    /// Replaces the contents of `looks` with the looks of the legal moves of an unfinished state,
    /// in the order of [`Game::moves_into`].
    fn looks_into(&self, state: &Self::State, looks: &mut Vec<Look>);
}
