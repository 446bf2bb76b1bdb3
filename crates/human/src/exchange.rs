//! Attacks of men, and the values of exchanges, by the rules of chess alone.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// Value of a man in pawns, as in Stoiljkovikj 2015, section 2.4; 0 for a king.
#[must_use]
pub fn worth(piece: Piece) -> u32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

/// Value of the man that a move captures, en passant included, in pawns; 0 if it captures nothing.
#[must_use]
pub fn captured(board: &Board, played: Move) -> u32 {
    let own = board.side_to_move();
    match (board.color_on(played.to), board.piece_on(played.to)) {
        (Some(colour), Some(piece)) if colour != own => worth(piece),
        (None, _) => {
            let is_pawn = board.piece_on(played.from) == Some(Piece::Pawn);
            u32::from(is_pawn && played.from.file() != played.to.file())
        }
        _ => 0,
    }
}

/// Squares that the man on a square attacks; empty if the square is empty.
#[must_use]
pub fn attacks(board: &Board, man: Square) -> BitBoard {
    let (Some(piece), Some(side)) = (board.piece_on(man), board.color_on(man)) else {
        return BitBoard::EMPTY;
    };
    let others = board.occupied();
    match piece {
        Piece::Pawn => get_pawn_attacks(man, side),
        Piece::Knight => get_knight_moves(man),
        Piece::Bishop => get_bishop_moves(man, others),
        Piece::Rook => get_rook_moves(man, others),
        Piece::Queen => get_bishop_moves(man, others) | get_rook_moves(man, others),
        Piece::King => get_king_moves(man),
    }
}

/// Men of a side that attack a square if only the squares of `occupied` are occupied.
fn attackers_among(board: &Board, square: Square, side: Color, occupied: BitBoard) -> BitBoard {
    let of = |piece| board.colored_pieces(side, piece);
    let queens = of(Piece::Queen);
    let found = (get_pawn_attacks(square, !side) & of(Piece::Pawn))
        | (get_knight_moves(square) & of(Piece::Knight))
        | (get_king_moves(square) & of(Piece::King))
        | (get_bishop_moves(square, occupied) & (of(Piece::Bishop) | queens))
        | (get_rook_moves(square, occupied) & (of(Piece::Rook) | queens));
    found & occupied
}

/// Men of a side that attack a square.
#[must_use]
pub fn attackers(board: &Board, square: Square, side: Color) -> BitBoard {
    attackers_among(board, square, side, board.occupied())
}

/// Static exchange evaluation: material in pawns that a side gains by beginning to capture on a
/// square, at least 0. The least valuable man captures first, and both sides stop when capturing no
/// longer pays. Pins are ignored. A king captures last, and only if nothing can capture it.
#[must_use]
pub fn exchange(board: &Board, square: Square, side: Color) -> i32 {
    let Some(victim) = board.piece_on(square) else { return 0 };
    capture_on(board, square, side, board.occupied(), worth(victim) as i32).max(0)
}

/// Material that a move gains, in pawns: its capture and promotion, less what the opponent gains by
/// capturing in turn.
///
/// # Panics
///
/// When no man stands on the square that the move leaves.
#[must_use]
pub fn gain(board: &Board, played: Move) -> i32 {
    let side = board.side_to_move();
    if board.color_on(played.to) == Some(side) {
        return 0; // castling
    }
    let piece = board.piece_on(played.from).expect("a piece moves");
    let stands = played.promotion.unwrap_or(piece);
    let promoted = worth(stands) as i32 - worth(piece) as i32;
    let occupied = board.occupied() & !played.from.bitboard();
    let lost = capture_on(board, played.to, !side, occupied, worth(stands) as i32).max(0);
    captured(board, played) as i32 + promoted - lost
}

/// Gain of the best sequence of captures on a square whose man is worth `value`, in pawns; negative
/// if the first capture does not pay.
fn capture_on(board: &Board, square: Square, side: Color, occupied: BitBoard, value: i32) -> i32 {
    let all = attackers_among(board, square, side, occupied & !square.bitboard());
    let least = Piece::ALL.into_iter().find_map(|piece| {
        // Among equal men the first as its own side sees the board, so that both colours are alike.
        let men = all & board.colored_pieces(side, piece);
        let man = match side {
            Color::White => men.next_square()?,
            Color::Black => men.flip_ranks().next_square()?.flip_rank(),
        };
        Some((piece, man))
    });
    let Some((piece, man)) = least else { return 0 };
    let occupied = occupied & !man.bitboard();
    if piece == Piece::King {
        let guards = attackers_among(board, square, !side, occupied & !square.bitboard());
        return if guards.is_empty() { value } else { 0 };
    }
    let is_last_rank = matches!(square.rank(), Rank::First | Rank::Eighth);
    let stands = if piece == Piece::Pawn && is_last_rank { Piece::Queen } else { piece };
    let promoted = worth(stands) as i32 - worth(piece) as i32;
    value + promoted - capture_on(board, square, !side, occupied, worth(stands) as i32).max(0)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cozy_chess::util::parse_uci_move;

    use super::*;

    /// Value of an exchange by trying all orders of captures, with both sides free to stop: slow
    /// and obvious.
    fn exchange_again(
        board: &Board,
        square: Square,
        side: Color,
        gone: BitBoard,
        value: i32,
    ) -> i32 {
        let men = attackers_among(board, square, side, board.occupied() & !gone);
        let capture = |man: Square| {
            let piece = board.piece_on(man).unwrap();
            let gone = gone | man.bitboard();
            let next = attackers_among(board, square, !side, board.occupied() & !gone);
            if piece == Piece::King && !next.is_empty() {
                return 0;
            }
            let last = matches!(square.rank(), Rank::First | Rank::Eighth);
            let stands = if piece == Piece::Pawn && last { Piece::Queen } else { piece };
            let promoted = (worth(stands) - worth(piece)) as i32;
            value + promoted - exchange_again(board, square, !side, gone, worth(stands) as i32)
        };
        men.iter().map(capture).max().unwrap_or(0).max(0)
    }

    #[test]
    fn exchanges_gain_what_the_best_order_of_captures_gains() {
        let mut seen = 0;
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lichess_puzzles.csv");
        for line in std::fs::read_to_string(file)
            .unwrap()
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1)
        {
            let fields: Vec<&str> = line.split(',').collect();
            let mut board: Board = fields[1].parse().unwrap();
            for word in fields[2].split_whitespace() {
                for side in [Color::White, Color::Black] {
                    let kings = board.pieces(Piece::King);
                    for square in board.colors(!side) & !kings {
                        let value = worth(board.piece_on(square).unwrap()) as i32;
                        // The man on the square does not defend itself.
                        let again = exchange_again(&board, square, side, square.bitboard(), value);
                        assert_eq!(exchange(&board, square, side), again, "{board} {square}");
                        seen += usize::from(again > 0);
                    }
                }
                let played = parse_uci_move(&board, word).unwrap();
                board.play(played);
            }
        }
        assert!(seen > 50, "{seen}");
    }
}
