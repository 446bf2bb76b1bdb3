//! Solution and other parts of a puzzle, put together from a row of any format.

use super::line::{is_other_operation, split_moves};
use super::{ChessMove, Position, Puzzle};
use crate::chess::spelling::may_be_move;

/// Game that an address such as `https://lichess.org/KPq4H66x/black#88` names; the whole text if it is
/// another one.
pub(super) fn game_of(address: &str) -> String {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let mut parts = path.split(['/', '#', '?']);
    let host = parts.next().unwrap_or_default();
    let game = parts.next().filter(|game| !game.is_empty() && *game != "study");
    game.filter(|_| host.ends_with("lichess.org")).unwrap_or(address).to_owned()
}

/// Theme of Lichess for a puzzle that ends with its first move.
const ONE_MOVE: &str = "oneMove";

/// Puzzle and the parts of its line that were read so far.
pub(super) struct Row {
    pub(super) puzzle: Puzzle,
    /// Solution as a line; `None` if none was read.
    line: Option<Vec<ChessMove>>,
    /// Parts that were skipped, in words.
    pub(super) unread: Vec<String>,
}

impl Row {
    pub(super) fn of(puzzle: Puzzle, unread: Vec<String>) -> Row {
        Row { puzzle, line: None, unread }
    }

    /// Adds a solution without an opcode before it.
    pub(super) fn moves(&mut self, text: &str) -> Result<(), String> {
        let line = self.line_of(text)?;
        self.solution(line);
        Ok(())
    }

    /// Adds a solution.
    pub(super) fn solution(&mut self, line: Vec<ChessMove>) {
        match line[..] {
            [] => {}
            // One move may be the whole solution or only its beginning.
            [first] if !self.puzzle.themes.iter().any(|theme| theme == ONE_MOVE) => {
                self.puzzle.best.push(first);
            }
            _ => self.line = Some(line),
        }
    }

    /// Moves of a text from the position on.
    fn line_of(&mut self, text: &str) -> Result<Vec<ChessMove>, String> {
        let (line, behind) = line_of(&self.puzzle.position, text)?;
        self.unread.extend(behind);
        Ok(line)
    }

    /// Adds an operation of an EPD.
    pub(super) fn operation(&mut self, operation: &str) -> Result<(), String> {
        let position = &self.puzzle.position;
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        match code {
            "bm" | "am" | "pv" => {
                let (moves, behind) = split_moves(operand);
                match code {
                    "pv" => self.line = Some(self.line_of(moves)?),
                    "bm" => self.best_moves(moves)?,
                    _ => self.first_moves(code, moves)?,
                }
                if !behind.is_empty() {
                    self.operation(behind)?;
                }
            }
            "dm" => self.puzzle.mate_in = operand.trim().parse().ok(),
            "id" => {
                let name = operand.trim().trim_matches(['"', '\u{201C}', '\u{201D}']).trim();
                if !name.is_empty() {
                    self.puzzle.id = name.to_owned();
                }
            }
            _ if is_other_operation(code) => {}
            _ if position.parse_move(code).is_ok() || is_numbered(code) => self.moves(operation)?,
            _ => self.unread.push(format!("{operation:?}")),
        }
        Ok(())
    }

    /// Adds the moves of `bm`: first moves, or else a line that begins with a number.
    fn best_moves(&mut self, operand: &str) -> Result<(), String> {
        let found = self.first_moves("bm", operand);
        if found.is_err()
            && words_of(operand).next().is_some_and(is_numbered)
            && let Ok(line) = self.line_of(operand)
        {
            self.line = Some(line);
            return Ok(());
        }
        found
    }

    /// Adds the moves of `bm` or `am`.
    fn first_moves(&mut self, code: &str, operand: &str) -> Result<(), String> {
        let Puzzle { position, best, avoided, mate_in, .. } = &mut self.puzzle;
        let mut is_empty = true;
        for word in words_of(operand).map(unnumbered).filter(|word| !word.is_empty()) {
            is_empty = false;
            if let Some(distance) = word.strip_prefix('#') {
                // The distance to mate, not a move.
                *mate_in = distance.parse().ok();
            } else if may_be_move(word) {
                let played = position.parse_move(word).map_err(|error| error.to_string())?;
                if code == "bm" { &mut *best } else { &mut *avoided }.push(played);
            } else {
                self.unread.push(format!("{word:?} in `{code}`"));
            }
        }
        if is_empty && code == "bm" {
            return Err("`bm` names no move".to_owned());
        }
        Ok(())
    }

    /// Puzzle of the row.
    pub(super) fn end(mut self) -> Puzzle {
        if let Some(mut line) = self.line.take_if(|line| line.len() % 2 == 0)
            && line.pop().is_some()
        {
            self.unread.push("the opponent's move at the end of the solution".to_owned());
            self.solution(line);
        }
        let Row { mut puzzle, line, unread } = self;
        puzzle.best.extend(line.as_ref().map(|line| line[0]));
        // The moves are a set: their order means nothing.
        puzzle.best.sort_by_key(|best| best.to_string());
        puzzle.best.dedup();
        let mates = |best: &&ChessMove| puzzle.position.after(**best).is_mate();
        let mate = puzzle.best.iter().find(mates).copied();
        puzzle.has_line = line.is_some() || mate.is_some();
        let first = || mate.or(puzzle.best.first().copied()).into_iter().collect();
        puzzle.solution = line.unwrap_or_else(first);
        if !unread.is_empty() {
            puzzle.unread = Some(format!("{} is not read", unread.join(", ")));
        }
        puzzle
    }
}

/// Words of a list of moves, without `e.p.` and annotations such as `$1`.
fn words_of(moves: &str) -> impl Iterator<Item = &str> {
    let words = moves.split(|letter: char| letter == ',' || letter.is_whitespace());
    words.filter(|word| !matches!(*word, "" | "e.p." | "ep") && !word.starts_with('$'))
}

/// Word without the move number before it.
pub(super) fn unnumbered(word: &str) -> &str {
    let dots = ['.', '\u{2026}'];
    let behind = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if behind.starts_with(dots) { behind.trim_start_matches(dots) } else { word }
}

/// Moves of a line, and the words behind them that are none; move numbers and the result are skipped.
pub(super) fn line_of(
    position: &Position,
    text: &str,
) -> Result<(Vec<ChessMove>, Vec<String>), String> {
    let is_skipped = |word: &&str| {
        word.is_empty() || is_count(word) || ["1-0", "0-1", "1/2-1/2", "*"].contains(word)
    };
    let words: Vec<&str> =
        words_of(text).map(unnumbered).filter(|word| !is_skipped(word)).collect();
    let is_move = |word: &&str| may_be_move(word);
    // If the first word is not a move, it is an error.
    let end = words.iter().rposition(is_move).filter(|_| is_move(&words[0]));
    let (moves, behind) = words.split_at(end.map_or(words.len(), |last| last + 1));
    let mut at = position.clone();
    let mut before = position.clone();
    let mut line = Vec::new();
    for word in moves {
        if let (Some(ending), Some(last)) = (at.ending(), line.last()) {
            let last = before.san(*last);
            return Err(format!("the solution goes on with {word} after {last}: {ending}"));
        }
        let played = at.parse_move(word).map_err(|error| error.to_string())?;
        line.push(played);
        before = at.clone();
        at = at.after(played);
    }
    Ok((line, behind.iter().map(|word| format!("{word:?}")).collect()))
}

/// Tests whether a word begins with a move number.
pub(super) fn is_numbered(word: &str) -> bool {
    word.split_once('.').is_some_and(|(number, _)| is_count(number))
}

pub(super) fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
