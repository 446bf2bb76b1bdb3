//! Puzzle files: tables of the Lichess database, EPD, lines of FEN, and PGN.

mod game;
mod line;
mod pgn;
mod row;
mod table;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::chess::position::{ChessMove, Position};
pub use game::PuzzleGame;
use line::read_line;
use pgn::Pgn;
use row::Row;
use table::{Columns, Header, stated_separator};

/// Position in which the side to move has to find the best line.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// Name in the file, or the line number if it has none.
    pub id: String,
    /// Line number in the file, from 1.
    pub line: u64,
    /// Position with the solver to move.
    pub position: Position,
    /// Position before the opponent's last move, and this move; `None` if the file does not say.
    pub before: Option<(Position, ChessMove)>,
    /// Solver's moves and the answers in turn; empty if the file has no solution. If it is not a
    /// whole line, it is one of `best`.
    pub solution: Vec<ChessMove>,
    /// First moves that count as solutions, sorted by their text; empty if the file has none.
    pub best: Vec<ChessMove>,
    /// Whether `solution` is a whole line, not just a first move.
    pub has_line: bool,
    /// First moves that the file says to avoid.
    pub avoided: Vec<ChessMove>,
    /// Number of moves in which the solver mates, by the file; `None` if it does not say.
    pub mate_in: Option<u32>,
    /// Difficulty for people, from 0 to [`RATING_MAX`]; `None` if the file does not say.
    pub rating: Option<f64>,
    /// Identifier of the game that the position comes from; `None` if the file does not say.
    pub game: Option<String>,
    /// Themes of the puzzle, such as `fork`; empty if the file does not say.
    pub themes: Vec<String>,
    /// Note about the parts of the row that were skipped; `None` if all were read.
    pub unread: Option<String>,
}

/// Opponent's move before a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastMove {
    /// FEN of the position before it, with the opponent to move.
    pub fen: String,
    /// Move in algebraic notation.
    pub played: String,
}

/// Row that is not a valid puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct RowError {
    /// Line number in the file, from 1.
    pub line: u64,
    /// Description of the error.
    pub problem: String,
}

/// Reason that a file has no puzzles at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PuzzlesError {
    /// The file cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// The file has no lines, except comments.
    #[error("the file has no puzzles")]
    Empty,
    /// The file is JSON.
    #[error("the file is JSON, not a list of puzzles")]
    Json,
    /// The table lacks this column.
    #[error("the table has no column `{0}`")]
    Column(&'static str),
}

/// Maximum length of a line, in bytes. A longer one is refused: no puzzle needs as much.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// Most bytes skipped after a line that is too long. If the line does not end within them, the file
/// ends there.
const SKIPPED_BYTES_MAX: u64 = 1 << 30;

/// Puzzles of a file in order. A row that is not a puzzle yields an error in its place.
///
/// A file that begins with `[` is PGN: the position of the tag `FEN` is the puzzle, and the main
/// line its solution; with the tag `SolutionPly` the solution begins at that ply. A table has titles, or rows as in the Lichess database. Its column
/// `Moves` begins with the opponent's move, and its column `Solution` with the solver's. A table in
/// which a row has one move of the solver has whole solutions only where that move mates, or has the
/// theme `oneMove`. Other files have an EPD or a FEN in each line. Empty lines and
/// lines that begin with `#` are skipped.
pub struct Puzzles<R> {
    file: BufReader<R>,
    line: u64,
    /// First line of a file that is not a table, until it is read.
    first: Option<Vec<u8>>,
    layout: Layout,
    /// Puzzles that were read and not yet returned.
    ready: VecDeque<Result<Puzzle, RowError>>,
    /// Whether reading failed, or the file has ended; the iterator then ends.
    is_over: bool,
}

/// Format of a puzzle file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PuzzleFormat {
    /// Table of the Lichess database, as CSV.
    Table,
    /// An EPD or a FEN in each line.
    Lines,
    /// PGN.
    Pgn,
}

enum Layout {
    Table(Columns),
    Lines,
    Pgn(Box<Pgn>),
}

impl<R: Read> Puzzles<R> {
    /// Detects the format of a file by its first line that is not a comment.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is empty or JSON, or is a table without the columns `FEN` and
    /// `Moves`.
    pub fn open(file: R) -> Result<Self, PuzzlesError> {
        let mut file = BufReader::new(file);
        let mut first = Vec::new();
        // Comments and empty lines before the first row.
        let (mut skipped, mut separator) = (0, None);
        loop {
            file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut first)?;
            if skipped == 0 && first.starts_with(b"\xEF\xBB\xBF") {
                first.drain(..3);
            }
            separator = separator.or(stated_separator(&first));
            let is_skipped = first.starts_with(b"#")
                || first.trim_ascii().is_empty()
                || is_remark(&first)
                || stated_separator(&first).is_some();
            if !is_skipped || !first.ends_with(b"\n") {
                break;
            }
            skipped += 1;
            first.clear();
        }
        if first.is_empty() {
            return Err(PuzzlesError::Empty);
        }
        if is_json(&first) {
            return Err(PuzzlesError::Json);
        }
        let of = |first, layout, line| {
            let ready = VecDeque::new();
            Puzzles { file, line, first, layout, ready, is_over: false }
        };
        if is_tag(&first) || first.starts_with(b"%") {
            return Ok(of(Some(first), Layout::Pgn(Box::default()), skipped));
        }
        Ok(match Header::read(&first, separator)? {
            None => of(Some(first), Layout::Lines, skipped),
            Some(Header::Row(columns)) => of(Some(first), Layout::Table(columns), skipped),
            Some(Header::Titles(columns)) => of(None, Layout::Table(columns), skipped + 1),
        })
    }

    /// Reads the moves of a table as the solver's from the first on, whatever the title of their
    /// column. It changes nothing for other files.
    #[must_use]
    pub fn solver_first(mut self) -> Self {
        if let Layout::Table(columns) = &mut self.layout {
            columns.set_solver_first();
        }
        self
    }

    /// Format of the file.
    #[must_use]
    pub fn format(&self) -> PuzzleFormat {
        match self.layout {
            Layout::Table(_) => PuzzleFormat::Table,
            Layout::Lines => PuzzleFormat::Lines,
            Layout::Pgn(_) => PuzzleFormat::Pgn,
        }
    }

    /// Reads the next line: empty at the end of the file, `None` if it is too long.
    fn read(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut text = self.first.take().unwrap_or_default();
        if text.is_empty() {
            self.file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut text)?;
        }
        if text.len() as u64 >= LINE_BYTES_MAX && !text.ends_with(b"\n") {
            let skipped = self.file.by_ref().take(SKIPPED_BYTES_MAX).skip_until(b'\n')?;
            if skipped as u64 == SKIPPED_BYTES_MAX {
                return Err(std::io::Error::other("the line has no end within 1 GB"));
            }
            return Ok(None);
        }
        Ok(Some(text))
    }

    /// Reads a line, and adds the puzzles that end in it to those that are ready.
    fn take(&mut self, text: &[u8]) {
        let line = self.line;
        if let Layout::Pgn(pgn) = &mut self.layout {
            pgn.read(&decoded(text), line, &mut |row| self.ready.push_back(row));
            return;
        }
        let decoded = decoded(text);
        let is_utf_8 = matches!(decoded, Cow::Borrowed(_));
        let text = decoded.trim();
        if text.is_empty() || text.starts_with('#') {
            return;
        }
        let row = match &self.layout {
            Layout::Table(columns) => columns.read(text, line),
            _ => read_line(text, line),
        };
        self.ready.push_back(row.map_err(|problem| {
            let problem = if is_utf_8 { problem } else { NOT_UTF_8.to_owned() };
            RowError { line, problem }
        }));
    }
}

impl<R: Read> Iterator for Puzzles<R> {
    type Item = Result<Puzzle, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(row) = self.ready.pop_front() {
                return Some(row);
            }
            if self.is_over {
                return None;
            }
            self.line += 1;
            let line = self.line;
            let problem = match self.read() {
                Ok(Some(text)) if text.is_empty() => {
                    self.is_over = true;
                    if let Layout::Pgn(pgn) = &mut self.layout {
                        pgn.end(&mut |row| self.ready.push_back(row));
                    }
                    continue;
                }
                Ok(Some(text)) => {
                    self.take(&text);
                    continue;
                }
                Ok(None) => "the line is too long".to_owned(),
                Err(error) => {
                    self.is_over = true;
                    error.to_string()
                }
            };
            self.ready.push_back(Err(RowError { line, problem }));
        }
    }
}

/// Text of a line: UTF-8, or else ISO 8859-1 as the standards of PGN and EPD have it. Only names have
/// letters beyond ASCII.
fn decoded(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|byte| char::from(*byte)).collect()),
    }
}

const NOT_UTF_8: &str = "the text is not UTF-8";

/// Maximum rating; ratings of people are from 0 to this.
pub const RATING_MAX: f64 = 4_000.0;

fn read_rating(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(rating) if (0.0..=RATING_MAX).contains(&rating) => Ok(rating),
        Ok(rating) if !rating.is_nan() => {
            Err(format!("the rating is {text:?}, which is not from 0 to {RATING_MAX}"))
        }
        _ => Err(format!("the rating is {text:?}, which is not a number")),
    }
}

/// Returns an error if the game is over in the position.
fn check_open(position: &Position) -> Result<(), String> {
    position.ending().map_or(Ok(()), |ending| Err(ending.to_string()))
}

impl LastMove {
    /// Position before the move, and the move; `None` if it is not a legal move there.
    #[must_use]
    pub fn read(&self) -> Option<(Position, ChessMove)> {
        let before = Position::parse(&self.fen).ok()?;
        let played = before.parse_move(&self.played).ok()?;
        Some((before, played))
    }
}

impl Puzzle {
    /// Puzzle without a solution; its name is the line number.
    #[must_use]
    pub fn of(position: Position, line: u64) -> Puzzle {
        Puzzle {
            id: line.to_string(),
            line,
            position,
            before: None,
            solution: Vec::new(),
            best: Vec::new(),
            has_line: false,
            avoided: Vec::new(),
            rating: None,
            game: None,
            themes: Vec::new(),
            mate_in: None,
            unread: None,
        }
    }

    /// Puzzle with a solution, whose moves may have any usual spelling and move numbers; none if the
    /// text is empty.
    ///
    /// # Errors
    ///
    /// When the game is over in the position, or a move is not legal.
    pub fn with_solution(position: Position, moves: &str) -> Result<Puzzle, String> {
        check_open(&position)?;
        let mut row = Row::of(Puzzle::of(position, 1), Vec::new());
        row.moves(moves)?;
        Ok(row.end())
    }

    /// Opponent's last move; `None` if the file does not say.
    #[must_use]
    pub fn last_move(&self) -> Option<LastMove> {
        let (before, played) = self.before.as_ref()?;
        Some(LastMove { fen: before.fen(), played: before.san(*played) })
    }

    /// Solution in algebraic notation.
    #[must_use]
    pub fn solution_text(&self) -> Vec<String> {
        let mut at = self.position.clone();
        let text = |&played: &ChessMove| {
            let text = at.san(played);
            at = at.after(played);
            text
        };
        self.solution.iter().map(text).collect()
    }
}

/// Whether a line of PGN is a remark. A row of a table whose first cell is empty has more semicolons.
fn is_remark(line: &[u8]) -> bool {
    line.strip_prefix(b";").is_some_and(|rest| !rest.contains(&b';'))
}

/// Whether a line is a tag of PGN, as `[FEN "..."]`. A row may begin with a bracket, too.
fn is_tag(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"[") else { return false };
    let rest = rest.trim_ascii_start();
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
    let length = name.count();
    length > 0 && rest[length..].trim_ascii_start().starts_with(b"\"")
}

/// Whether a file that begins with this line is JSON: an object, or a list of objects.
fn is_json(line: &[u8]) -> bool {
    let mut marks = line.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (marks.next(), marks.next()) {
        (Some(b'{'), next) => matches!(next, None | Some(b'"' | b'}')),
        (Some(b'['), next) => matches!(next, None | Some(b'{')),
        _ => false,
    }
}

#[cfg(test)]
mod tests;
