//! Positions and moves of chess, by the rules of cozy-chess.

use std::fmt;

use crate::Step;
use cozy_chess::util::{display_san_move, display_uci_move};
use cozy_chess::{BitBoard, Board, Color, File, GameStatus, Move, Piece, Square};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;
use treegauge_human::exchange::worth;

use crate::chess::fen::{self, ReadFen};
use crate::chess::spelling::{castled, meant};

/// Legal position of chess.
#[derive(Clone, PartialEq, Eq)]
pub struct Position(Board);

/// Reason that a text is not a position.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PositionError {
    /// The number of fields is not from 2 to 6.
    #[error("a FEN has from two to six fields, first the board and the side to move; this has {0}")]
    Fields(usize),
    /// There is nothing behind the board.
    #[error("the side to move is missing: `w` or `b` stands behind the board")]
    NoSide,
    /// A field is invalid.
    #[error("the FEN has an error: {0}")]
    Fen(String),
    /// A king or rook that may castle is not on its square of orthodox chess.
    #[error(
        "castling as in Chess960 is not supported; a position without castling has `-` as third field"
    )]
    Chess960,
}

/// Text that does not name exactly one legal move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.words())]
pub struct MoveError {
    /// Text that was read.
    pub played: String,
    /// FEN of the position.
    pub fen: String,
    /// Moves that the text may mean, in algebraic notation: empty if no legal move fits, two or
    /// more if it is ambiguous.
    pub may_be: Vec<String>,
}

impl MoveError {
    fn words(&self) -> String {
        let MoveError { played, fen, may_be } = self;
        if may_be.is_empty() {
            return format!("{played:?} is not a legal move in {fen}");
        }
        format!("{played:?} is ambiguous in {fen}: it may be {}", may_be.join(", "))
    }
}

/// Reason that the game is over in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ending {
    /// The side to move is checkmated.
    Mate,
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Neither side can ever be mated: only kings are left, or kings and one bishop or knight, or
    /// kings and bishops that all stand on squares of one colour.
    Dead,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ending::Mate => "the game is over in this position: it is mate",
            Ending::Stalemate => "the game is over in this position: it is stalemate",
            Ending::Dead => "the game is over in this position: no side can be mated",
        })
    }
}

impl Position {
    /// Reads a position in Forsyth-Edwards notation (FEN). Fields after the side to move may be
    /// missing: castling and en passant are then `-`, the halfmove clock is 0, and the move number 1. A
    /// halfmove clock from 101 to 150 counts as 100.
    ///
    /// # Errors
    ///
    /// When the text is not a FEN, or the position cannot arise in a game: a side without a king, a
    /// king that could be taken, pawns on the last rank, castling with a king that has moved, and the
    /// like. Castling as in Chess960 is not supported.
    pub fn parse(fen: &str) -> Result<Position, PositionError> {
        let ReadFen { board, misfits } = fen::read(fen)?;
        misfits.first().map_or(Ok(Position(board)), |misfit| Err(misfit.error()))
    }

    /// Reads a position as [`Self::parse`] does, without the castling rights and the en passant square
    /// that do not fit its men. These are returned in words.
    pub(crate) fn read(fen: &str) -> Result<(Position, Vec<String>), PositionError> {
        let ReadFen { board, misfits } = fen::read(fen)?;
        Ok((Position(board), misfits.iter().map(ToString::to_string).collect()))
    }

    pub(crate) fn of(board: Board) -> Position {
        Position(board)
    }

    pub(crate) fn board(&self) -> &Board {
        &self.0
    }

    /// FEN of the position.
    #[must_use]
    pub fn fen(&self) -> String {
        self.0.to_string()
    }

    /// Tests whether White is to move.
    #[must_use]
    pub fn white_to_move(&self) -> bool {
        self.0.side_to_move() == Color::White
    }

    /// Tests whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        !self.0.checkers().is_empty()
    }

    /// Tests whether the side to move is mated.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.0.status() == GameStatus::Won
    }

    /// Legal moves, in the order of cozy-chess.
    #[must_use]
    pub fn moves(&self) -> Vec<ChessMove> {
        let mut moves = Vec::new();
        self.0.generate_moves(|of_piece| {
            moves.extend(of_piece.into_iter().map(ChessMove));
            false
        });
        moves
    }

    /// Reason that the game is over; `None` if it is not.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        if self.moves().is_empty() {
            return Some(if self.is_check() { Ending::Mate } else { Ending::Stalemate });
        }
        let of = |piece| self.0.pieces(piece);
        let bishops = of(Piece::Bishop);
        let minor = bishops | of(Piece::Knight);
        let only_minor = self.0.occupied() == (of(Piece::King) | minor);
        let is_dead = minor.len() <= 1
            || minor == bishops
                && [BitBoard::DARK_SQUARES, BitBoard::LIGHT_SQUARES]
                    .into_iter()
                    .any(|squares| bishops.is_subset(squares));
        (only_minor && is_dead).then_some(Ending::Dead)
    }

    /// Tests whether a move is legal here.
    #[must_use]
    pub fn is_legal(&self, played: ChessMove) -> bool {
        self.0.is_legal(played.0)
    }

    /// Reads a move as people or engines write it: `Nf3`, `exd5`, `O-O`, `a8=Q+`, `e2e4`, `e1g1`,
    /// `a7a8q`.
    ///
    /// # Errors
    ///
    /// When no legal move fits the text, or several do.
    pub fn parse_move(&self, text: &str) -> Result<ChessMove, MoveError> {
        let found = meant(&self.0, text);
        if let [one] = found[..] {
            return Ok(ChessMove(one));
        }
        let may_be = found.into_iter().map(|one| self.san(ChessMove(one))).collect();
        Err(MoveError { played: text.to_owned(), fen: self.fen(), may_be })
    }

    /// Position after a move.
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

    /// Move in the notation of UCI, such as `e1g1`.
    #[must_use]
    pub fn uci(&self, played: ChessMove) -> String {
        display_uci_move(&self.0, played.0).to_string()
    }

    /// Move in standard algebraic notation, such as `O-O`.
    #[must_use]
    pub fn san(&self, played: ChessMove) -> String {
        display_san_move(&self.0, played.0).to_string()
    }

    /// Squares of a move and its distance, the greater of the files and ranks that the piece moves.
    /// Squares are numbered from a1 = 0 along the ranks. A king that castles moves two files, and
    /// `second` holds the squares of its rook.
    #[must_use]
    pub fn step(&self, played: ChessMove) -> Step {
        let Move { from, to, .. } = played.0;
        let Some(king) = castled(&self.0, played.0) else {
            return Step {
                from: from as u16,
                to: to as u16,
                second: None,
                distance: distance(from, to),
            };
        };
        let rook = if king.file() == File::G { File::F } else { File::D };
        let second = Some((to as u16, Square::new(rook, from.rank()) as u16));
        Step { from: from as u16, to: king as u16, second, distance: distance(from, king) }
    }

    /// Material of the side to move and of the opponent: pawn 1, knight and bishop 3, rook 5, queen
    /// 9.
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

/// Move of chess.
///
/// Its text names the square that the man leaves, the one that it reaches, and the piece that a
/// pawn becomes. A king that castles goes to the square of its rook. The text is therefore the same
/// in every position, and can be read back without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChessMove(Move);

impl fmt::Display for ChessMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for ChessMove {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ChessMove {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(ChessMove).map_err(|_| de::Error::custom("not a move"))
    }
}

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

    /// Engines crash on positions that cannot arise in a game.
    #[test]
    fn positions_that_no_game_comes_to_are_refused() {
        for (fen, part) in [
            ("", "this has 0"),
            ("nonsense", "this has 1"),
            ("k7/8/8/8/8/8/8/K7", "the side to move is missing"),
            ("8/8/8/8/8/8/8/8 w - - 0 1", "White has 0 kings"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
            ("k7/Q7/8/8/8/8/8/K7 w - - 0 1", "in check"),
            ("k6P/8/8/8/8/8/8/K7 w - - 0 1", "first or last rank"),
            ("k7/8/8/8/8/8/8/K7 x - - 0 1", "side to move"),
            ("k7/8/8/8/8/8/8/K7 w K - 0 1", "castling"),
            ("k7/8/8/8/8/8/8/K7 w - e3 0 1", "en passant"),
            ("k7/8/8/8/8/8/8/K7 w - - x 1", "halfmove"),
            ("k7/8/8/8/8/8/8/K7 w - - 0 1 9", "this has 7"),
            ("k7/8/8/8/8/8/8 w - - 0 1", "7 ranks"),
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
        assert_eq!(castling.parse_move("O-O"), Ok(short));
        assert_eq!(serde_json::to_string(&short).unwrap(), "\"e1h1\"");
        assert_eq!(serde_json::from_str::<ChessMove>("\"e1h1\"").unwrap(), short);
        assert!(castling.is_legal(short));
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
        for bad in ["a7a9q", "e2e4", "", "nonsense", "0000", "a1a1"] {
            let error = promotion.parse_move(bad).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{bad:?} is not a legal move in {promotion:?}")
                    .replace("Position(", "")
                    .replace(')', "")
            );
        }
        let error = promotion.parse_move("a7a8").unwrap_err().to_string();
        assert!(error.starts_with("\"a7a8\" is ambiguous in 8/P6k/"), "{error}");
        assert!(error.ends_with(": it may be a8=N, a8=B, a8=R, a8=Q"), "{error}");
    }

    #[test]
    fn positions_in_which_nothing_is_left_to_play_for_are_known() {
        for (fen, ending) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(Ending::Stalemate)),
            ("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", Some(Ending::Mate)),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some(Ending::Dead)),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", Some(Ending::Dead)),
            ("4k3/8/8/8/8/8/8/4KN2 b - - 0 1", Some(Ending::Dead)),
            ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", Some(Ending::Dead)),
            // With bishops on squares of both colours, a mate in the corner is possible if the
            // other side helps.
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", None),
            ("4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", None),
            ("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", None),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 99 90", None),
        ] {
            assert_eq!(Position::parse(fen).unwrap().ending(), ending, "{fen}");
        }
    }

    #[test]
    fn castling_is_that_of_orthodox_chess() {
        let own = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w KQkq - 0 1";
        assert_eq!(Position::parse(own), Err(PositionError::Chess960));
        let odd = Position::parse(&START.replace("KQkq", "q-kQK")).unwrap();
        assert_eq!(odd.fen(), START);
        let shredder = Position::parse(&START.replace("KQkq", "HAha")).unwrap();
        assert_eq!(shredder.fen(), START);
        assert_eq!(Position::parse(&START.replace("0 1", "0 0")).unwrap().fen(), START);
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

    #[test]
    fn a_fault_of_the_board_is_named() {
        let fault =
            |board: &str| Position::parse(&format!("{board} w - -")).unwrap_err().to_string();
        for (board, part) in [
            ("6k1/5ppp/8", "has 3 ranks, not 8"),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K", "rank 1, \"3R2K\", has 7 squares, not 8"),
            ("6k1/5ppp/8/8/x7/8/5PPP/3R2K1", "rank 4, \"x7\", has 'x', not a piece"),
            ("8/5ppp/8/8/8/8/5PPP/3R2K1", "Black has 0 kings, not 1"),
            ("6kP/5ppp/8/8/8/8/5PPP/3R2K1", "no pawns on the first or last rank"),
        ] {
            assert!(fault(board).contains(part), "{}", fault(board));
        }
    }
}
