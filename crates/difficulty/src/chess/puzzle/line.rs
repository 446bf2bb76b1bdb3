//! Puzzles of lines: EPD (S. J. Edwards 1994, section 16.2) and FEN.

use std::borrow::Cow;

use super::row::{Row, is_count, is_numbered};
use super::{Position, Puzzle, check_open};
use crate::chess::fen::{may_be_castling, may_be_en_passant};
use crate::chess::position::PositionError;
use crate::chess::spelling::may_be_move;

/// Characters that end a field of a FEN.
const ENDS: [char; 5] = [' ', '\t', ';', ',', '|'];

/// Reads a puzzle from a line of EPD or FEN.
///
/// In EPD, `pv` is the solution, `bm` its first moves (one that mates is the whole solution), `am`
/// first moves to avoid, and `id` the name. After a FEN a solution may follow: after a comma, or as
/// the third of the fields `FEN|name|solution|game`.
pub(super) fn read_line(text: &str, line: u64) -> Result<Puzzle, String> {
    // Some sets end their lines with NUL.
    let text = text.trim_end_matches(|letter: char| letter == '\0' || letter.is_whitespace());
    let (label, text) = labelled(text);
    let text = unquoted(text);
    let (fen, rest) = split_fen(&text);
    let (position, misfits) = Position::read(&fen).map_err(|error| {
        let hint = match error {
            PositionError::Fields(_) if text.contains(',') => {
                "; a table of puzzles begins with a header that has the columns `FEN` and `Moves`"
            }
            _ => "",
        };
        format!("{error}{hint}")
    })?;
    check_open(&position)?;
    let mut row = Row::of(Puzzle::of(position, line), misfits);
    if label.contains(|letter: char| letter.is_ascii_digit()) {
        row.puzzle.id = label.to_owned();
    }
    if let Some(fields) = rest.strip_prefix('|') {
        let mut fields = fields.splitn(3, '|').map(str::trim);
        let name = fields.next().filter(|name| !name.is_empty());
        row.puzzle.id = name.map_or(row.puzzle.id, str::to_owned);
        row.moves(fields.next().unwrap_or_default())?;
    } else if let Some(moves) = rest.strip_prefix(',') {
        row.moves(moves.trim().trim_matches('"'))?;
    } else {
        for operation in operations(rest) {
            row.operation(&operation)?;
        }
    }
    Ok(row.end())
}

/// Words before the board of a FEN, as in `1. FEN` or `FEN: FEN`, and the line from the board on. The
/// cells of a table are not such words.
fn labelled(text: &str) -> (&str, &str) {
    let words = text.split_inclusive(char::is_whitespace);
    let before = words.take_while(|word| word.matches('/').count() != 7);
    let at = before.map(str::len).sum();
    if at == text.len() {
        return ("", text);
    }
    let (label, behind) = text.split_at(at);
    if label.contains([',', ';', '|', '\t', '"']) {
        return ("", text);
    }
    (label.trim().trim_end_matches(['.', ':', ')']), behind)
}

/// Line whose FEN has no quotes around it, and blanks for the underscores of an address.
fn unquoted(text: &str) -> Cow<'_, str> {
    if let Some((fen, rest)) = text.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        return Cow::Owned(format!("{fen} {rest}"));
    }
    let (fen, rest) = text.split_at(text.find(ENDS).unwrap_or(text.len()));
    if fen.contains('_') {
        return Cow::Owned(fen.replace('_', " ") + rest);
    }
    Cow::Borrowed(text)
}

/// Fields of a FEN and the rest of the line. Fields after the second may be missing.
fn split_fen(text: &str) -> (String, &str) {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = text;
    while fields.len() < 6 {
        let (field, behind) = rest.split_at(rest.find(ENDS).unwrap_or(rest.len()));
        if field.is_empty() || !may_be_field(fields.len(), field) {
            break;
        }
        fields.push(field);
        rest = behind.trim_start();
        if !behind.starts_with([' ', '\t']) {
            break;
        }
    }
    (fields.join(" "), rest)
}

/// Tests whether a word is the field of a FEN with an index from 0, rather than what stands behind
/// the FEN. A short word that is neither counts as a field, so that the error speaks of it.
fn may_be_field(index: usize, word: &str) -> bool {
    let is_behind = || is_opcode(word) || is_numbered(word) || may_be_move(word);
    match index {
        0 | 1 => true,
        // The codes `ce` and `acd` consist of names of files.
        2 => {
            may_be_castling(word) && (word.len() == 1 || !is_opcode(word))
                || word.len() <= 4 && !is_behind()
        }
        3 => may_be_en_passant(word) || word.len() <= 2 && !is_behind(),
        _ => is_count(word),
    }
}

/// EPD operations that say nothing about the difficulty of a position, with the names in the
/// standard of S. J. Edwards (1994, section 16.2.5). Operations of a letter and a digit have the
/// letter as name.
const OTHER_OPERATIONS: [&str; 26] = [
    "acd",
    "acn",
    "acs",
    "ce",
    "dm",
    "draw_accept",
    "draw_claim",
    "draw_offer",
    "draw_reject",
    "eco",
    "fmvn",
    "hmvc",
    "nic",
    "noop",
    "pm",
    "rc",
    "resign",
    "sm",
    "tcgs",
    "tcri",
    "tcsi",
    "c",
    "v",
    "D",
    "variant",
    "ep",
];

pub(super) fn is_other_operation(code: &str) -> bool {
    let letter = code.strip_suffix(|last: char| last.is_ascii_digit()).unwrap_or(code);
    OTHER_OPERATIONS.contains(&letter)
}

/// Tests whether a word is the name of an EPD operation.
fn is_opcode(word: &str) -> bool {
    ["bm", "am", "pv", "id"].contains(&word) || is_other_operation(word)
}

/// Moves at the beginning of an operand, and the operation behind them if the semicolon between them
/// is missing.
pub(super) fn split_moves(operand: &str) -> (&str, &str) {
    let is_end = |letter: char| letter == ',' || letter.is_whitespace();
    let mut at = 0;
    for part in operand.split_inclusive(is_end) {
        let word = part.trim_end_matches(is_end);
        let has_digit = word.ends_with(|last: char| last.is_ascii_digit());
        // The code of a comment, as `c5`, may be a move of a pawn; `ep` stands behind a move.
        let is_code = word.len() > 1 && word != "ep" && is_opcode(word);
        if is_code && (!has_digit || operand[at + part.len()..].starts_with('"')) {
            return operand.split_at(at);
        }
        at += part.len();
    }
    (operand, "")
}

/// Operations of an EPD, which end with semicolons; a quoted text may contain semicolons. If a
/// quotation mark has no partner, none counts.
fn operations(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let has_pairs = text.matches('"').count().is_multiple_of(2);
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            ';' if !is_quoted => all.push(String::new()),
            other => {
                is_quoted ^= has_pairs && other == '"';
                all.last_mut().expect("there is a first one").push(other);
            }
        }
    }
    all.into_iter().map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}
