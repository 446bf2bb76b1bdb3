//! Input of a network: 112 planes of 64 squares ("classical" in Lc0).
//!
//! All planes are seen by the side to move: for Black the ranks are mirrored. The present position
//! and the seven before it have 13 planes each:
//!
//! | planes | contents |
//! |---|---|
//! | 0 to 5 | own pawns, knights, bishops, rooks, queens, king |
//! | 6 to 11 | the opponent's |
//! | 12 | 1 if the position had occurred before |
//!
//! Whose men are "own" is the same in all eight positions. Planes 104 and 105 say whether the side
//! to move may castle to the queen's side and to the king's side, 106 and 107 whether the opponent
//! may; 108 whether Black is to move; 109 holds the plies since the last capture or move of a pawn;
//! 110 is empty, and 111 is 1 everywhere.
//!
//! # Unknown history
//!
//! Before the first known position, that position is repeated (`history_fill=fen_only`, the default
//! of Lc0), unless it is the start of a game: before that, the planes are empty. If a capture en
//! passant is possible there, the repeated position has the pawn on the square that it came from.

use cozy_chess::{Board, Color, Piece, Rank, Square};

use super::{INPUTS, SQUARES};
use crate::history::ChessHistory;

const POSITIONS: usize = 8;
const OF_POSITION: usize = 13;

/// Fill of the planes of positions before the first known one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HistoryFill {
    /// They are empty (`history_fill=no` of Lc0).
    Empty,
    /// They repeat the first known position, unless it is the start of a game (`fen_only`).
    #[default]
    FenOnly,
}

/// Square as the side to move sees it.
pub(super) fn seen(square: Square, by: Color) -> usize {
    square as usize ^ if by == Color::Black { 56 } else { 0 }
}

/// Writes the planes of a position into `squares x planes` numbers.
pub(super) fn encode(history: &ChessHistory, fill: HistoryFill, planes: &mut [f32]) {
    debug_assert_eq!(planes.len(), SQUARES * INPUTS);
    planes.fill(0.0);
    let board = history.board();
    let own = board.side_to_move();
    let mut last = board;
    for index in 0..POSITIONS {
        let base = index * OF_POSITION;
        if let Some(before) = history.before(index) {
            men(before, own, base, planes);
            if history.is_repeated(index) {
                fill_plane(planes, base + 12, 1.0);
            }
            last = before;
        } else if fill == HistoryFill::Empty || is_start(last) {
            break;
        } else {
            men(last, own, base, planes);
            undo_double_step(last, own, base, planes);
        }
    }
    for (plane, side) in [(104, own), (106, !own)] {
        let rights = board.castle_rights(side);
        for (plane, right) in [(plane, rights.long), (plane + 1, rights.short)] {
            if right.is_some() {
                fill_plane(planes, plane, 1.0);
            }
        }
    }
    if own == Color::Black {
        fill_plane(planes, 108, 1.0);
    }
    fill_plane(planes, 109, f32::from(board.halfmove_clock()));
    fill_plane(planes, 111, 1.0);
}

/// Tests whether a position has the men, the side to move and the rights of the start of a game.
fn is_start(board: &Board) -> bool {
    board.same_position(&Board::default())
}

fn men(board: &Board, own: Color, base: usize, planes: &mut [f32]) {
    for (colour, base) in [(own, base), (!own, base + 6)] {
        for (n, piece) in PIECES.into_iter().enumerate() {
            for square in board.colored_pieces(colour, piece) {
                planes[seen(square, own) * INPUTS + base + n] = 1.0;
            }
        }
    }
}

const PIECES: [Piece; 6] =
    [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

/// Moves the pawn that has just gone two squares back to where it came from.
fn undo_double_step(board: &Board, own: Color, base: usize, planes: &mut [f32]) {
    let Some(file) = board.en_passant() else { return };
    let mover = !board.side_to_move();
    let plane = if mover == own { base } else { base + 6 };
    for (rank, value) in [(Rank::Second, 1.0), (Rank::Fourth, 0.0)] {
        let square = Square::new(file, rank.relative_to(mover));
        planes[seen(square, own) * INPUTS + plane] = value;
    }
}

fn fill_plane(planes: &mut [f32], plane: usize, value: f32) {
    planes.chunks_exact_mut(INPUTS).for_each(|square| square[plane] = value);
}

#[cfg(test)]
mod tests {
    use cozy_chess::util::parse_uci_move;

    use super::*;

    fn planes(history: &ChessHistory) -> Vec<f32> {
        let mut planes = vec![0.0; SQUARES * INPUTS];
        encode(history, HistoryFill::FenOnly, &mut planes);
        planes
    }

    /// Squares of a plane that are not 0.
    fn squares(planes: &[f32], plane: usize) -> Vec<String> {
        let on = |square: &Square| planes[*square as usize * INPUTS + plane] != 0.0;
        Square::ALL.into_iter().filter(on).map(|square| square.to_string()).collect()
    }

    #[test]
    fn a_game_fills_the_planes_from_its_start() {
        let mut history = ChessHistory::new(Board::default());
        for word in ["e2e4", "c7c5", "g1f3"] {
            let next = parse_uci_move(history.board(), word).unwrap();
            history.play(next);
        }
        let planes = planes(&history);
        // Black is to move: ranks are mirrored, and Black's men are own.
        assert!(squares(&planes, 0).contains(&"c4".to_owned()));
        assert_eq!(squares(&planes, 7), ["f6", "b8"]);
        assert_eq!(squares(&planes, 13 + 7), ["b8", "g8"]);
        assert!(squares(&planes, 2 * 13).contains(&"c2".to_owned()));
        assert_eq!(squares(&planes, 3 * 13 + 11), ["e8"]);
        assert_eq!(squares(&planes, 4 * 13 + 11), [""; 0], "before the start of the game");
        for plane in [104, 105, 106, 107, 108, 109, 111] {
            assert_eq!(squares(&planes, plane).len(), 64, "{plane}");
        }
        assert_eq!((planes[109], squares(&planes, 110).len()), (1.0, 0));
    }

    #[test]
    fn a_position_without_history_is_repeated() {
        let fen = "rnbqkbnr/ppp2ppp/8/3ppP2/8/8/PPPPP1PP/RNBQKBNR w KQkq e6 0 3";
        let history = ChessHistory::new(fen.parse().unwrap());
        let planes = planes(&history);
        let pawns = |base| squares(&planes, base + 6);
        assert!(pawns(0).contains(&"e5".to_owned()) && !pawns(0).contains(&"e7".to_owned()));
        for base in (1..8).map(|n| 13 * n) {
            assert!(
                pawns(base).contains(&"e7".to_owned()) && !pawns(base).contains(&"e5".to_owned())
            );
            assert_eq!(squares(&planes, base), squares(&planes, 0));
            assert_eq!(squares(&planes, base + 12).len(), 0);
        }
        let mut empty = vec![1.0; SQUARES * INPUTS];
        encode(&history, HistoryFill::Empty, &mut empty);
        assert_eq!(squares(&empty, 13 + 5).len(), 0);
        assert_eq!(squares(&empty, 5), ["e1"]);
    }

    #[test]
    fn repetitions_have_a_plane() {
        let mut history = ChessHistory::new(Board::default());
        for word in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3"] {
            let next = parse_uci_move(history.board(), word).unwrap();
            history.play(next);
        }
        let planes = planes(&history);
        let repeated: Vec<usize> =
            (0..8).filter(|n| squares(&planes, 13 * n + 12).len() == 64).collect();
        assert_eq!(repeated, [0, 1]);
    }
}
