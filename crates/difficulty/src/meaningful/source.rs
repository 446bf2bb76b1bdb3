//! Sources of move values.

use serde::{Deserialize, Serialize};

use super::Value;

/// Source of move values: an engine, a solved game, a search.
pub trait MoveSource {
    /// Position of the game.
    type Position: Clone;
    /// Move of the game.
    type Move: Copy;
    /// Reason that the values cannot be determined.
    type Error;

    /// Lists the best moves of a position: at least `least` of them, then more until their values
    /// are `enough` or all moves are listed.
    ///
    /// # Errors
    ///
    /// When the values cannot be determined.
    fn list(
        &mut self,
        position: &Self::Position,
        least: u32,
        enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<Self::Move>, Self::Error>;

    /// Position after a move.
    fn after(&self, position: &Self::Position, played: Self::Move) -> Self::Position;

    /// Number of the side to move, for games in which a side may move again; any number if the game
    /// is over.
    fn side(&self, position: &Self::Position) -> u8;

    /// Text of a move for people.
    fn text(&self, position: &Self::Position, played: Self::Move) -> String;

    /// Squares of the piece that a move moves; `None` in games without moving pieces.
    fn step(&self, position: &Self::Position, played: Self::Move) -> Option<Step> {
        let _ = (position, played);
        None
    }

    /// Material of the side to move and of the other side; `None` in games without material.
    fn material(&self, position: &Self::Position) -> Option<[f64; 2]> {
        let _ = position;
        None
    }
}

/// Best moves of a position, as many as were listed.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedMoves<M> {
    /// Number of legal moves; 0 if the game is over.
    pub legal: u32,
    /// Best moves with their values for the side to move, best first.
    pub moves: Vec<(M, Value)>,
}

/// Squares and distance of the piece that a move moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Step {
    /// The square that the piece leaves.
    pub from: u16,
    /// The square that it reaches.
    pub to: u16,
    /// Squares that a second piece leaves and reaches, such as the rook in castling; `None` for
    /// other moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<(u16, u16)>,
    /// Distance of the move; on a chess board the greater of files and ranks.
    pub distance: u32,
}
