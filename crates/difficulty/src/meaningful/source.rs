//! Where the values of moves come from.

use serde::{Deserialize, Serialize};

use super::Value;

/// A source of the values of moves: an engine, a solved game, a search.
pub trait MoveSource {
    /// A position.
    type Position: Clone;
    /// A move.
    type Move: Copy;
    /// Why there are no values.
    type Error;

    /// The best moves of a position: at least `least` of them, and as many as it takes until their values
    /// are `enough`, or all.
    ///
    /// # Errors
    ///
    /// When the values cannot be had.
    fn list(
        &mut self,
        position: &Self::Position,
        least: u32,
        enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<Listed<Self::Move>, Self::Error>;

    /// The position after a move.
    fn after(&self, position: &Self::Position, played: Self::Move) -> Self::Position;

    /// Which side is to move, in games where a side may move again; any number where the game is over.
    fn side(&self, position: &Self::Position) -> u8;

    /// The move as people write it.
    fn text(&self, position: &Self::Position, played: Self::Move) -> String;

    /// Which piece goes where, in games where moves are of pieces.
    fn step(&self, position: &Self::Position, played: Self::Move) -> Option<Step> {
        let _ = (position, played);
        None
    }

    /// The material of the side to move and of the other side, in games that have material.
    fn material(&self, position: &Self::Position) -> Option<[f64; 2]> {
        let _ = position;
        None
    }
}

/// The moves of a position, as far as they were listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<M> {
    /// All legal moves; 0 where the game is over.
    pub legal: u32,
    /// The best moves with their values for the side to move, the best first.
    pub moves: Vec<(M, Value)>,
}

/// Which piece a move moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// The square that the piece leaves.
    pub from: u16,
    /// The square that it reaches.
    pub to: u16,
    /// The same of a second piece, as the rook that castles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<(u16, u16)>,
    /// How far it goes; on a chess board the greater of files and ranks.
    pub distance: u32,
}
