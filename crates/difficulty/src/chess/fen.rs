//! Forsyth-Edwards notation (FEN), as programs and people write it.

use std::fmt;

use cozy_chess::{BitBoard, Board, Color, FenParseError, File, Piece, Rank, Square};
use treegauge_core::counted;

use crate::chess::position::PositionError;

/// Board of a FEN, and the parts of the FEN that its men contradict.
#[derive(Debug)]
pub(crate) struct ReadFen {
    pub(crate) board: Board,
    /// Parts that the board is read without.
    pub(crate) misfits: Vec<Misfit>,
}

/// Part of a FEN that its men contradict.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// Letters of castling rights.
    Castling(String),
    /// En passant square.
    EnPassant(String),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Castling(letters) => {
                write!(f, "castling {letters} (king or rook not at home)")
            }
            Misfit::EnPassant(square) => {
                write!(f, "en passant square {square} (no pawn has just passed it)")
            }
        }
    }
}

impl Misfit {
    /// Error of a reader that takes no FEN with a part that does not fit.
    pub(crate) fn error(&self) -> PositionError {
        let error = match self {
            Misfit::Castling(_) => FenParseError::InvalidCastlingRights,
            Misfit::EnPassant(_) => FenParseError::InvalidEnPassant,
        };
        PositionError::Fen(fen_words(error, ""))
    }
}

/// Reads a FEN. Fields after the second may be missing, and castling rights and an en passant square
/// that the men contradict are left out.
pub(crate) fn read(text: &str) -> Result<ReadFen, PositionError> {
    let [men, side, castling, en_passant, clock, number] = fields(text)?;
    let board = |castling: &str, en_passant: &str| {
        let fen = [&men, &side, castling, en_passant, &clock, &number].join(" ");
        Board::from_fen(&fen, false)
    };
    let error = |error: FenParseError| PositionError::Fen(fen_words(error, &men));
    // The men alone decide about the rest.
    let bare = board("-", "-").map_err(error)?;
    let (rights, other) = rights(&bare, &castling)?;
    let mut misfits = Vec::new();
    if !other.is_empty() {
        misfits.push(Misfit::Castling(other));
    }
    let found = match board(&rights, &en_passant) {
        Err(FenParseError::InvalidEnPassant) if en_passant.parse::<Square>().is_ok() => {
            misfits.push(Misfit::EnPassant(en_passant));
            board(&rights, "-")
        }
        found => found,
    };
    Ok(ReadFen { board: found.map_err(error)?, misfits })
}

/// Tests whether a word has the form of the third field, castling.
pub(crate) fn may_be_castling(word: &str) -> bool {
    word == "-"
        || is_dash(word)
        || word.bytes().all(|letter| b"KQkq-ABCDEFGHabcdefgh".contains(&letter))
}

/// Tests whether a word has the form of the fourth field, en passant.
pub(crate) fn may_be_en_passant(word: &str) -> bool {
    word == "-" || is_dash(word) || word.to_lowercase().parse::<Square>().is_ok()
}

/// Tests whether a word is a dash as word processors write it.
fn is_dash(word: &str) -> bool {
    ["\u{2013}", "\u{2014}", "\u{2212}"].contains(&word)
}

/// Fields of a FEN, with those that are missing.
fn fields(text: &str) -> Result<[String; 6], PositionError> {
    let mut text = text.trim().trim_matches('"').to_owned();
    if !text.contains(char::is_whitespace) {
        // Addresses have underscores for blanks.
        text = text.replace('_', " ");
    }
    let mut fields: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
    match &fields[..] {
        [men] if men.contains('/') => return Err(PositionError::NoSide),
        [] | [_] | [_, _, _, _, _, _, _, ..] => return Err(PositionError::Fields(fields.len())),
        _ => {}
    }
    let missing = ["-", "-", "0", "1"].iter().skip(fields.len() - 2);
    fields.extend(missing.map(|&field| field.to_owned()));
    let mut fields: [String; 6] = fields.try_into().expect("the missing ones are added");
    fields[1] = match fields[1].to_lowercase().as_str() {
        "white" => "w".to_owned(),
        "black" => "b".to_owned(),
        side => side.to_owned(),
    };
    fields[3] = fields[3].to_lowercase();
    for field in &mut fields[2..4] {
        if is_dash(field) {
            *field = "-".to_owned();
        }
    }
    if fields[4].parse::<u32>().is_ok_and(|clock| (101..=150).contains(&clock)) {
        // A draw by the rule of 50 moves must be claimed; until the 75th move the game may go on.
        fields[4] = "100".to_owned();
    }
    if fields[5] == "0" {
        // Some programs count moves from 0.
        fields[5] = "1".to_owned();
    }
    Ok(fields)
}

/// Castling rights that fit the men, as the third field of a FEN, and the letters of the others.
///
/// # Errors
///
/// When a letter does not name a right, or a right is one of Chess960.
fn rights(men: &Board, letters: &str) -> Result<(String, String), PositionError> {
    let (mut fit, mut other) = (String::new(), String::new());
    for letter in letters.chars().filter(|letter| *letter != '-') {
        let side = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let file = match letter.to_ascii_lowercase() {
            'k' => File::H,
            'q' => File::A,
            file => File::try_from(file).map_err(|_| PositionError::Fen(letter_words(letter)))?,
        };
        let is_home = men.king(side) == home(side, File::E)
            && men.colored_pieces(side, Piece::Rook).has(home(side, file))
            && [File::A, File::H].contains(&file);
        if !is_home && is_chess960(men, side, letter, letters) {
            return Err(PositionError::Chess960);
        }
        let name = if file == File::H { 'k' } else { 'q' };
        let name = if side == Color::White { name.to_ascii_uppercase() } else { name };
        let (list, name) = if is_home { (&mut fit, name) } else { (&mut other, letter) };
        if !list.contains(name) {
            list.push(name);
        }
    }
    if fit.is_empty() {
        fit.push('-');
    }
    Ok((fit, other))
}

/// Square of a side's own first rank.
fn home(side: Color, file: File) -> Square {
    Square::new(file, Rank::First.relative_to(side))
}

/// Tests whether a right that does not fit orthodox chess is one of Chess960: it names the file of a
/// rook, or the side has both rights and its king stands between two rooks, but not on the e-file.
/// A king that has castled never stands so.
fn is_chess960(men: &Board, side: Color, letter: char, letters: &str) -> bool {
    let king = men.king(side);
    let rank = Rank::First.relative_to(side);
    if king.rank() != rank {
        return false;
    }
    let rooks = men.colored_pieces(side, Piece::Rook) & rank.bitboard();
    if let Ok(file) = File::try_from(letter.to_ascii_lowercase()) {
        return rooks.has(Square::new(file, rank));
    }
    let both = if side == Color::White { ['K', 'Q'] } else { ['k', 'q'] };
    let is_left = |rook: Square| rook.file() < king.file();
    let left: BitBoard = rooks.into_iter().filter(|rook| is_left(*rook)).collect();
    king.file() != File::E
        && both.iter().all(|one| letters.contains(*one))
        && !left.is_empty()
        && left != rooks
}

fn letter_words(letter: char) -> String {
    format!("the third field, castling, has {letter:?}, not one of K, Q, k and q")
}

/// Reason that a FEN is refused; `board` is its first field.
fn fen_words(error: FenParseError, board: &str) -> String {
    let words = match error {
        FenParseError::InvalidBoard => {
            if let Some(words) = board_words(board) {
                return words;
            }
            "impossible position (a side has one king, at most 16 men and 8 pawns, no pawns on the first or last rank, and is not in check when the other is to move)"
        }
        FenParseError::InvalidSideToMove => "the second field, the side to move, is not `w` or `b`",
        FenParseError::InvalidCastlingRights => {
            "the third field, castling, does not fit the kings and rooks"
        }
        FenParseError::InvalidEnPassant => {
            "the fourth field, en passant, is not a square behind a pawn that has just moved two squares"
        }
        FenParseError::InvalidHalfMoveClock => {
            "the fifth field, the halfmove clock, is not from 0 to 150"
        }
        FenParseError::InvalidFullmoveNumber => {
            "the sixth field, the move number, is not from 1 to 65535"
        }
        FenParseError::MissingField | FenParseError::TooManyFields => "it does not have six fields",
    };
    words.to_owned()
}

/// The first fault of the first field of a FEN; `None` if it describes a board with two kings.
fn board_words(board: &str) -> Option<String> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 8 {
        return Some(format!("the first field has {}, not 8", counted(ranks.len() as u64, "rank")));
    }
    for (rank, text) in (1..=8_u32).rev().zip(ranks) {
        let strange = |letter: &char| !"pnbrqkPNBRQK12345678".contains(*letter);
        if let Some(letter) = text.chars().find(strange) {
            return Some(format!("rank {rank}, \"{text}\", has {letter:?}, not a piece"));
        }
        let squares: u32 = text.chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum();
        if squares != 8 {
            let squares = counted(squares, "square");
            return Some(format!("rank {rank}, \"{text}\", has {squares}, not 8"));
        }
    }
    [('K', "White"), ('k', "Black")].into_iter().find_map(|(king, side)| {
        let kings = board.matches(king).count() as u64;
        (kings != 1).then(|| format!("{side} has {}, not 1", counted(kings, "king")))
    })
}
