//! Positions and moves, by the rules of cozy-chess.

use std::fmt;

use cozy_chess::util::{display_san_move, display_uci_move, parse_san_move, parse_uci_move};
use cozy_chess::{Board, Color, FenParseError, File, GameStatus, Move, Piece, Square};
use thiserror::Error;
use treegauge_difficulty::Step;

/// A legal position of chess.
#[derive(Clone, PartialEq, Eq)]
pub struct Position(Board);

/// Why a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The text has another number of fields.
    #[error("a FEN has six fields, or the first four of them; this has {0}")]
    Fields(usize),
    /// A field is wrong.
    #[error("the FEN has an error: {0}")]
    Fen(String),
}

/// Why a text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{played:?} is not a legal move in {fen}")]
pub struct MoveError {
    /// The text.
    pub played: String,
    /// The position.
    pub fen: String,
}

/// What the men are worth, as in Stoiljkovikj 2015, section 2.4: a king nothing.
pub(crate) fn worth(piece: Piece) -> u32 {
    match piece {
        Piece::Pawn => 1,
        Piece::Knight | Piece::Bishop => 3,
        Piece::Rook => 5,
        Piece::Queen => 9,
        Piece::King => 0,
    }
}

impl Position {
    /// Reads a position in Forsyth-Edwards notation. The two counters at its end may be missing, as in
    /// EPD.
    ///
    /// # Errors
    ///
    /// When the text is not a FEN, or no game can come to the position: a side without a king, a king that
    /// could be taken, pawns on the last rank, and the like.
    pub fn parse(fen: &str) -> Result<Position, PositionError> {
        let mut fields: Vec<&str> = fen.split_whitespace().collect();
        match fields.len() {
            4 => fields.extend(["0", "1"]),
            6 => {}
            count => return Err(PositionError::Fields(count)),
        }
        let board = Board::from_fen(&fields.join(" "), false)
            .map_err(|error| PositionError::Fen(fen_words(error).to_owned()))?;
        Ok(Position(board))
    }

    pub(crate) fn of(board: Board) -> Position {
        Position(board)
    }

    pub(crate) fn board(&self) -> &Board {
        &self.0
    }

    /// The position as FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        self.0.to_string()
    }

    /// Whether White is to move.
    #[must_use]
    pub fn white_to_move(&self) -> bool {
        self.0.side_to_move() == Color::White
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.0.checkers().is_empty()
    }

    /// Whether the side to move is mated.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.0.status() == GameStatus::Won
    }

    /// All legal moves, in the order of the library.
    #[must_use]
    pub fn moves(&self) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(ChessMove));
            false
        });
        moves
    }

    /// Reads a move as engines write it: `e2e4`, `e1g1`, `a7a8q`.
    ///
    /// # Errors
    ///
    /// When it is not a legal move here.
    pub fn parse_move(&self, text: &str) -> Result<ChessMove, MoveError> {
        let read = parse_uci_move(&self.0, text).ok().filter(|read| self.0.is_legal(*read));
        read.map(ChessMove).ok_or_else(|| self.no_move(text))
    }

    /// Reads a move as people write it: `Nf3`, `exd5`, `O-O`, `a8=Q+`.
    ///
    /// # Errors
    ///
    /// When it is not a legal move here.
    pub fn parse_san(&self, text: &str) -> Result<ChessMove, MoveError> {
        let read = parse_san_move(&self.0, text).ok().filter(|read| self.0.is_legal(*read));
        read.map(ChessMove).ok_or_else(|| self.no_move(text))
    }

    fn no_move(&self, text: &str) -> MoveError {
        MoveError { played: text.to_owned(), fen: self.fen() }
    }

    /// The position after a move.
    ///
    /// # Panics
    ///
    /// When the move is not legal here.
    #[must_use]
    pub fn after(&self, played: ChessMove) -> Position {
        let mut board = self.0.clone();
        board.play(played.0);
        Position(board)
    }

    /// A move as engines write it.
    #[must_use]
    pub fn uci(&self, played: ChessMove) -> String {
        display_uci_move(&self.0, played.0).to_string()
    }

    /// A move as people write it.
    #[must_use]
    pub fn san(&self, played: ChessMove) -> String {
        display_san_move(&self.0, played.0).to_string()
    }

    /// Which piece a move moves, and how far: the greater of the files and ranks it goes. Squares are
    /// numbered from a1 along the ranks; a king that castles goes two files.
    #[must_use]
    pub fn step(&self, played: ChessMove) -> Step {
        let Move { from, to, .. } = played.0;
        if self.0.color_on(to) != Some(self.0.side_to_move()) {
            return Step {
                from: from as u16,
                to: to as u16,
                second: None,
                distance: distance(from, to),
            };
        }
        // The library writes castling as the king that takes its rook.
        let is_short = to.file() > from.file();
        let [king, rook] = if is_short { [File::G, File::F] } else { [File::C, File::D] };
        let [king, rook] = [king, rook].map(|file| Square::new(file, from.rank()));
        let second = Some((to as u16, rook as u16));
        Step { from: from as u16, to: king as u16, second, distance: distance(from, king) }
    }

    /// The material of the side to move and of the other: pawn 1, knight and bishop 3, rook 5, queen 9.
    #[must_use]
    pub fn material(&self) -> [u32; 2] {
        let own = self.0.side_to_move();
        [own, !own].map(|colour| {
            Piece::ALL
                .iter()
                .map(|&piece| worth(piece) * self.0.colored_pieces(colour, piece).len())
                .sum()
        })
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({})", self.0)
    }
}

/// A move of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChessMove(Move);

impl ChessMove {
    pub(crate) fn of(played: Move) -> ChessMove {
        ChessMove(played)
    }

    pub(crate) fn played(self) -> Move {
        self.0
    }
}

fn distance(a: Square, b: Square) -> u32 {
    let (files, ranks) = (a.file() as u32, a.rank() as u32);
    files.abs_diff(b.file() as u32).max(ranks.abs_diff(b.rank() as u32))
}

fn fen_words(error: FenParseError) -> &'static str {
    match error {
        FenParseError::InvalidBoard => {
            "the men cannot stand like that (a side has one king, at most 16 men and 8 pawns, none of them on the first or last rank, and is not in check when the other is to move)"
        }
        FenParseError::InvalidSideToMove => "the second field, the side to move, is not `w` or `b`",
        FenParseError::InvalidCastlingRights => {
            "the third field, castling, does not fit the kings and rooks"
        }
        FenParseError::InvalidEnPassant => {
            "the fourth field, en passant, is not a square behind a pawn that has just moved two squares"
        }
        FenParseError::InvalidHalfMoveClock => {
            "the fifth field, the halfmove clock, is not from 0 to 100"
        }
        FenParseError::InvalidFullmoveNumber => {
            "the sixth field, the move number, is not from 1 to 65535"
        }
        FenParseError::MissingField | FenParseError::TooManyFields => "it does not have six fields",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn square(text: &str) -> u16 {
        text.parse::<Square>().unwrap() as u16
    }

    #[test]
    fn a_position_reads_and_writes() {
        let start = Position::parse(START).unwrap();
        assert_eq!((start.fen().as_str(), start.moves().len()), (START, 20));
        assert_eq!(start.material(), [39, 39]);
        let short = Position::parse("8/8/8/8/8/5k2/6q1/7K w - -").unwrap();
        assert!(short.is_mate() && short.moves().is_empty());
        assert_eq!(short.material(), [0, 9]);
    }

    /// Engines crash on positions that no game comes to.
    #[test]
    fn positions_that_no_game_comes_to_are_refused() {
        for (fen, part) in [
            ("", "this has 0"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "one king"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "one king"),
            ("k7/Q7/8/8/8/8/8/K7 w - - 0 1", "in check"),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move"),
            ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling"),
            ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "en passant"),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "halfmove"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 9", "this has 7"),
            ("k7/8/8/8/8/8/8 w - - 0 1", "men"),
            ("k7/8/QQQQQQQQ/QQQQQQQQ/8/8/8/K7 b - - 0 1", "16 men and 8 pawns"),
            ("k7/8/PPPPPPPP/P7/8/8/8/K7 b - - 0 1", "16 men and 8 pawns"),
        ] {
            let error = Position::parse(fen).unwrap_err().to_string();
            assert!(error.contains(part), "{fen}: {error}");
        }
    }

    #[test]
    fn moves_are_read_and_written_as_engines_and_people_do() {
        let castling = Position::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let short = castling.parse_move("e1g1").unwrap();
        assert_eq!((castling.uci(short), castling.san(short)), ("e1g1".into(), "O-O".into()));
        assert_eq!(castling.parse_san("O-O"), Ok(short));
        let step = castling.step(short);
        let rook = Some((square("h1"), square("f1")));
        assert_eq!((step.from, step.to, step.second), (square("e1"), square("g1"), rook));
        assert_eq!(step.distance, 2);
        let long = castling.step(castling.parse_move("e1c1").unwrap());
        assert_eq!((long.to, long.second), (square("c1"), Some((square("a1"), square("d1")))));

        let promotion = Position::parse("8/P6k/8/8/8/8/8/K7 w - - 0 1").unwrap();
        let queen = promotion.parse_move("a7a8q").unwrap();
        assert_eq!(
            (promotion.san(queen), promotion.after(queen).material()),
            ("a8=Q".into(), [0, 9])
        );
        for bad in ["a7a8", "a7a9q", "e2e4", "", "nonsense", "0000", "a1a1"] {
            let error = promotion.parse_move(bad).unwrap_err();
            assert_eq!((error.played.as_str(), error.fen), (bad, promotion.fen()));
        }
    }

    /// Published counts of legal move sequences (chessprogramming.org, "Perft Results").
    #[test]
    fn perft_agrees_with_published_counts() {
        fn perft(position: &Position, depth: u32) -> u64 {
            let moves = position.moves();
            if depth == 1 {
                return moves.len() as u64;
            }
            moves.into_iter().map(|played| perft(&position.after(played), depth - 1)).sum()
        }
        for (fen, depth, count) in [
            (START, 4, 197_281),
            ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
            ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9_467),
        ] {
            assert_eq!(perft(&Position::parse(fen).unwrap(), depth), count, "{fen}");
        }
    }
}
