//! Positions with the positions before them.

use std::fmt;

use cozy_chess::{Board, Move};

/// Position of chess with the known positions of the game that came before it.
///
/// Predictors of people's moves look at the last moves: a recapture is the most frequent reply to a
/// capture. A problem with the opponent's last move alone has a history of two positions.
#[derive(Clone, PartialEq, Eq)]
pub struct ChessHistory {
    /// From the earliest one to the present one; never empty.
    boards: Vec<Board>,
    /// Moves between them.
    moves: Vec<Move>,
}

impl ChessHistory {
    /// History that begins with this position.
    #[must_use]
    pub fn new(start: Board) -> ChessHistory {
        ChessHistory { boards: vec![start], moves: Vec::new() }
    }

    /// Plays a move in the present position. cozy-chess encodes castling as a king that takes its
    /// own rook.
    ///
    /// # Panics
    ///
    /// When the move is not legal.
    pub fn play(&mut self, played: Move) {
        let mut board = self.board().clone();
        board.play(played);
        self.boards.push(board);
        self.moves.push(played);
    }

    /// The present position.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.boards[self.boards.len() - 1]
    }

    /// The last move; `None` at the start of the history.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }

    /// Move before the last `plies` moves; `None` before the start of the history.
    #[must_use]
    pub fn move_before(&self, plies: usize) -> Option<Move> {
        self.moves.len().checked_sub(plies + 1).map(|index| self.moves[index])
    }

    /// Number of moves that were played.
    #[must_use]
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// Position before the last `plies` moves; `None` before the start of the history.
    #[must_use]
    pub fn before(&self, plies: usize) -> Option<&Board> {
        self.boards.len().checked_sub(plies + 1).map(|index| &self.boards[index])
    }

    /// Tests whether the position before the last `plies` moves had occurred earlier.
    ///
    /// Two positions are the same by the rules of FIDE: same men, side to move, castling rights and
    /// possible captures en passant.
    #[must_use]
    pub fn is_repeated(&self, plies: usize) -> bool {
        let Some(index) = self.boards.len().checked_sub(plies + 1) else { return false };
        let board = &self.boards[index];
        let reversible = usize::from(board.halfmove_clock());
        (4..=reversible.min(index))
            .step_by(2)
            .any(|back| self.boards[index - back].same_position(board))
    }

    /// Legal moves of the present position, in the order of cozy-chess.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.board().generate_moves(|of_piece| {
            moves.extend(of_piece);
            false
        });
        moves
    }
}

impl Default for ChessHistory {
    /// The start of a game.
    fn default() -> ChessHistory {
        ChessHistory::new(Board::default())
    }
}

impl fmt::Debug for ChessHistory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChessHistory({} after {} plies)", self.board(), self.plies())
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;

    use super::*;

    fn played(text: &str) -> ChessHistory {
        let mut history = ChessHistory::new(Board::default());
        for word in text.split_whitespace() {
            let next = parse_uci_move(history.board(), word).unwrap();
            history.play(next);
        }
        history
    }

    #[test]
    fn positions_repeat_as_the_rules_of_fide_say() {
        let knights = played("g1f3 g8f6 f3g1 f6g8");
        assert!(knights.is_repeated(0) && !knights.is_repeated(1) && !knights.is_repeated(9));
        // A right to castle was lost.
        let kings = played("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8");
        assert!(!kings.is_repeated(0));
        assert!(played("e2e4 e7e5 e1e2 e8e7 e2e1 e7e8 e1e2 e8e7").is_repeated(0));
    }

    #[test]
    fn the_past_is_kept() {
        let history = played("e2e4 c7c5");
        assert_eq!((history.plies(), history.legal_moves().len()), (2, 30));
        assert_eq!(history.before(2), Some(&Board::default()));
        assert_eq!(history.before(3), None);
        assert_eq!(history.last_move(), "c7c5".parse().ok());
    }
}
