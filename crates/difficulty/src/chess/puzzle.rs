//! Puzzle files: tables of the Lichess database, EPD, lines of FEN, and PGN.

mod pgn;

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

use thiserror::Error;

use crate::chess::position::{ChessMove, Position};
use crate::chess::spelling::may_be_move;
use pgn::Pgn;

/// Position in which the side to move has to find the best line.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// Name in the file, or the line number if it has none.
    pub id: String,
    /// Line number in the file, from 1.
    pub line: u64,
    /// Position with the solver to move.
    pub position: Position,
    /// Solver's moves and the answers in turn; empty if the file has no solution. If it is not a
    /// whole line, it is one of `best`.
    pub solution: Vec<ChessMove>,
    /// First moves that count as solutions, sorted by their text; empty if the file has none.
    pub best: Vec<ChessMove>,
    /// Whether `solution` is a whole line, not just a first move.
    pub has_line: bool,
    /// First moves that the file says to avoid.
    pub avoided: Vec<ChessMove>,
    /// Difficulty for people, from 0 to [`RATING_MAX`]; `None` if the file does not say.
    pub rating: Option<f64>,
    /// Identifier of the game that the position comes from; `None` if the file does not say.
    pub game: Option<String>,
    /// Themes of the puzzle, such as `fork`; empty if the file does not say.
    pub themes: Vec<String>,
    /// Note about the parts of the row that were skipped; `None` if all were read.
    pub unread: Option<String>,
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
/// line its solution. A file whose first line has commas and no slash is a table of the Lichess
/// database, with columns `FEN` and `Moves`. Its positions are those before the opponent's move,
/// which is the first of `Moves`. Other files have an EPD or a FEN in each line. Empty lines and
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

/// Indices of the columns of a table.
struct Columns {
    fen: usize,
    moves: usize,
    id: Option<usize>,
    rating: Option<usize>,
    game: Option<usize>,
    themes: Option<usize>,
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
        let mut skipped = 0;
        loop {
            file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut first)?;
            if skipped == 0 && first.starts_with(b"\xEF\xBB\xBF") {
                first.drain(..3);
            }
            let is_skipped = first.starts_with(b"#") || first.trim_ascii().is_empty();
            if !is_skipped || !first.ends_with(b"\n") {
                break;
            }
            skipped += 1;
            first.clear();
        }
        if first.is_empty() {
            return Err(PuzzlesError::Empty);
        }
        if first.starts_with(b"{") {
            return Err(PuzzlesError::Json);
        }
        let of = |first, layout, line| {
            let ready = VecDeque::new();
            Puzzles { file, line, first, layout, ready, is_over: false }
        };
        if first.starts_with(b"[") || first.starts_with(b"%") {
            return Ok(of(Some(first), Layout::Pgn(Box::default()), skipped));
        }
        if !first.contains(&b',') || first.contains(&b'/') {
            return Ok(of(Some(first), Layout::Lines, skipped));
        }
        let header = cells(&first).map_err(std::io::Error::other)?;
        let column = |name: &str| header.iter().position(|title| title == name);
        let columns = Columns {
            fen: column("FEN").ok_or(PuzzlesError::Column("FEN"))?,
            moves: column("Moves").ok_or(PuzzlesError::Column("Moves"))?,
            id: column("PuzzleId"),
            rating: column("Rating"),
            game: column("GameUrl"),
            themes: column("Themes"),
        };
        Ok(of(None, Layout::Table(columns), skipped + 1))
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
            // The standard has texts in ISO 8859-1, and only names have letters beyond ASCII.
            pgn.read(&String::from_utf8_lossy(text), line, &mut |row| self.ready.push_back(row));
            return;
        }
        let row = match std::str::from_utf8(text).map(str::trim) {
            Err(_) => Err(NOT_UTF_8.to_owned()),
            Ok(text) if text.is_empty() || text.starts_with('#') => return,
            Ok(text) => match &self.layout {
                Layout::Table(columns) => {
                    cells(text.as_bytes()).and_then(|row| columns.read(&row, line))
                }
                _ => read_line(text, line),
            },
        };
        self.ready.push_back(row.map_err(|problem| RowError { line, problem }));
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

/// Cells of a line of a table.
fn cells(line: &[u8]) -> Result<csv::StringRecord, String> {
    let reader = csv::ReaderBuilder::new().has_headers(false).from_reader(line);
    let row = reader.into_records().next().transpose();
    row.map(Option::unwrap_or_default).map_err(|error| match error.kind() {
        csv::ErrorKind::Utf8 { .. } => NOT_UTF_8.to_owned(),
        _ => error.to_string(),
    })
}

const NOT_UTF_8: &str = "the text is not UTF-8";

impl Columns {
    fn read(&self, row: &csv::StringRecord, line: u64) -> Result<Puzzle, String> {
        let cell = |column: usize, name: &str| {
            let text = row.get(column).map(str::trim);
            text.ok_or_else(|| format!("the cell of column `{name}` is missing"))
        };
        let optional = |column: Option<usize>, name: &str| {
            let text = column.map(|column| cell(column, name)).transpose()?;
            Ok::<_, String>(text.filter(|text| !text.is_empty()))
        };
        let before = Position::parse(cell(self.fen, "FEN")?).map_err(|error| error.to_string())?;
        let mut moves = cell(self.moves, "Moves")?.split_whitespace();
        let first = moves.next().ok_or("the column `Moves` is empty")?;
        let first = before.parse_move(first).map_err(|error| error.to_string())?;
        let position = before.after(first);
        check_open(&position)?;
        let mut solution = Vec::new();
        let mut at = position.clone();
        for text in moves {
            let played = at.parse_move(text).map_err(|error| error.to_string())?;
            solution.push(played);
            at = at.after(played);
        }
        if solution.is_empty() {
            return Err(
                "the column `Moves` has the opponent's move only, and no solution".to_owned()
            );
        }
        let rating = optional(self.rating, "Rating")?.map(read_rating).transpose()?;
        let id = optional(self.id, "PuzzleId")?.map_or_else(|| line.to_string(), str::to_owned);
        let game = optional(self.game, "GameUrl")?.map(game_of);
        let themes = optional(self.themes, "Themes")?.unwrap_or_default();
        let themes = themes.split_whitespace().map(str::to_owned).collect();
        let best = vec![solution[0]];
        Ok(Puzzle {
            id,
            solution,
            best,
            has_line: true,
            rating,
            game,
            themes,
            ..Puzzle::of(position, line)
        })
    }
}

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

impl Puzzle {
    /// Puzzle without a solution; its name is the line number.
    #[must_use]
    pub fn of(position: Position, line: u64) -> Puzzle {
        Puzzle {
            id: line.to_string(),
            line,
            position,
            solution: Vec::new(),
            best: Vec::new(),
            has_line: false,
            avoided: Vec::new(),
            rating: None,
            game: None,
            themes: Vec::new(),
            unread: None,
        }
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

/// Game identifier in an address such as `https://lichess.org/KPq4H66x/black#88`; the whole text if
/// there is none.
fn game_of(address: &str) -> String {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let game = path.split(['/', '#', '?']).nth(1).filter(|game| !game.is_empty());
    game.unwrap_or(address).to_owned()
}

/// Reads a puzzle from a line of EPD or FEN.
///
/// In EPD, `pv` is the solution, `bm` its first moves (one that mates is the whole solution), `am`
/// first moves to avoid, and `id` the name. After a FEN a solution may follow: after a comma, or as
/// the third of the fields `FEN|name|solution|game`.
fn read_line(text: &str, line: u64) -> Result<Puzzle, String> {
    // Some sets end their lines with NUL.
    let text = text.trim_end_matches(|letter: char| letter == '\0' || letter.is_whitespace());
    let (fen, rest) = split_fen(text);
    let position = Position::parse(&fen).map_err(|error| {
        let hint = if text.contains(',') {
            "; a table of puzzles begins with a header that has the columns `FEN` and `Moves`"
        } else {
            ""
        };
        format!("{error}{hint}")
    })?;
    check_open(&position)?;
    let mut row = Row { puzzle: Puzzle::of(position, line), line: None, unread: Vec::new() };
    if let Some(fields) = rest.strip_prefix('|') {
        let mut fields = fields.splitn(3, '|').map(str::trim);
        let name = fields.next().filter(|name| !name.is_empty());
        row.puzzle.id = name.map_or(row.puzzle.id, str::to_owned);
        row.moves(fields.next().unwrap_or_default())?;
    } else if let Some(moves) = rest.strip_prefix(',') {
        row.moves(moves)?;
    } else {
        for operation in operations(rest) {
            row.operation(&operation)?;
        }
    }
    Ok(row.end())
}

/// Fields of a FEN, with or without its counters, and the rest of the line.
fn split_fen(text: &str) -> (String, &str) {
    let mut fields: Vec<&str> = Vec::new();
    let mut rest = text;
    let mut before_counters = text;
    while fields.len() < 6 {
        let end = rest.find([' ', '\t', ';', ',', '|']).unwrap_or(rest.len());
        let (field, behind) = rest.split_at(end);
        if field.is_empty() || fields.len() >= 4 && !is_count(field) {
            break;
        }
        fields.push(field);
        rest = behind.trim_start();
        if fields.len() == 4 {
            before_counters = rest;
        }
        if !behind.starts_with([' ', '\t']) {
            break;
        }
    }
    if fields.len() == 5 {
        fields.pop();
        rest = before_counters;
    }
    (fields.join(" "), rest)
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

fn is_other_operation(code: &str) -> bool {
    let letter = code.strip_suffix(|last: char| last.is_ascii_digit()).unwrap_or(code);
    OTHER_OPERATIONS.contains(&letter)
}

/// Puzzle and the parts of its line that were read so far.
struct Row {
    puzzle: Puzzle,
    /// Solution as a line; `None` if none was read.
    line: Option<Vec<ChessMove>>,
    unread: Vec<String>,
}

impl Row {
    /// Adds a solution without an opcode before it.
    fn moves(&mut self, text: &str) -> Result<(), String> {
        let line = line_of(&self.puzzle.position, text)?;
        self.solution(line);
        Ok(())
    }

    /// Adds a solution.
    fn solution(&mut self, line: Vec<ChessMove>) {
        match line[..] {
            [] => {}
            // One move may be the whole solution or only its beginning.
            [first] => self.puzzle.best.push(first),
            _ => self.line = Some(line),
        }
    }

    fn operation(&mut self, operation: &str) -> Result<(), String> {
        let position = &self.puzzle.position;
        let (code, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        match code {
            "bm" | "am" => {
                let mut is_empty = true;
                for word in words_of(operand) {
                    is_empty = false;
                    if word.starts_with('#') {
                        // The distance to mate, not a move.
                    } else if may_be_move(word) {
                        let played =
                            position.parse_move(word).map_err(|error| error.to_string())?;
                        let moves = match code {
                            "bm" => &mut self.puzzle.best,
                            _ => &mut self.puzzle.avoided,
                        };
                        moves.push(played);
                    } else {
                        self.unread.push(format!("{word:?} in `{code}`"));
                    }
                }
                if is_empty && code == "bm" {
                    return Err("`bm` names no move".to_owned());
                }
            }
            "pv" => self.line = Some(line_of(position, operand)?),
            "id" => self.puzzle.id = operand.trim().trim_matches('"').to_owned(),
            _ if is_other_operation(code) => {}
            _ if position.parse_move(code).is_ok() || is_numbered(code) => self.moves(operation)?,
            _ => self.unread.push(format!("{operation:?}")),
        }
        Ok(())
    }

    fn end(self) -> Puzzle {
        let Row { mut puzzle, line, unread } = self;
        let line = line.filter(|line| !line.is_empty());
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
    words.filter(|word| !word.is_empty() && *word != "e.p." && !word.starts_with('$'))
}

/// Moves of a line; move numbers and the result are skipped.
fn line_of(position: &Position, text: &str) -> Result<Vec<ChessMove>, String> {
    let mut at = position.clone();
    let mut line = Vec::new();
    for word in words_of(text) {
        let word = match word.split_once('.') {
            Some((number, played)) if is_count(number) => played.trim_start_matches('.'),
            _ => word,
        };
        if word.is_empty() || ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            continue;
        }
        let played = at.parse_move(word).map_err(|error| error.to_string())?;
        line.push(played);
        at = at.after(played);
    }
    Ok(line)
}

/// Tests whether a word begins with a move number.
fn is_numbered(word: &str) -> bool {
    word.split_once('.').is_some_and(|(number, _)| is_count(number))
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Operations of an EPD, which end with semicolons; a quoted text may contain semicolons.
fn operations(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut is_quoted = false;
    for letter in text.chars() {
        match letter {
            ';' if !is_quoted => all.push(String::new()),
            other => {
                is_quoted ^= other == '"';
                all.last_mut().expect("there is a first one").push(other);
            }
        }
    }
    all.into_iter().map(|one| one.trim().to_owned()).filter(|one| !one.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags";
    /// Two rows of the Lichess database of puzzles (CC0).
    const ROWS: [&str; 2] = [
        "9eZCm,8/5p1p/6p1/4p1k1/4P3/1K3PP1/7P/8 b - - 0 44,f7f5 b3c4 f5e4 f3e4 g5g4 c4d5,2361,75,93,531,crushing endgame,https://lichess.org/KPq4H66x/black#88,",
        "h8VYu,2k4r/p4p1p/1p1R4/3Qp2q/8/2P3n1/PP3KP1/8 b - - 7 36,g3h1 f2g1 h5f5 d5a8 c8c7 d6c6 c7d7 a8b7,2642,85,92,1628,advantage,https://lichess.org/x3JjNggA/black#72,",
    ];

    fn read(text: &[u8]) -> Vec<Result<Puzzle, RowError>> {
        Puzzles::open(text).unwrap().collect()
    }

    fn problem(text: &[u8]) -> (u64, String) {
        let mut all = read(text);
        assert_eq!(all.len(), 1);
        let error = all.remove(0).unwrap_err();
        (error.line, error.problem)
    }

    #[test]
    fn a_line_without_an_end_ends_the_file() {
        let mut puzzles = Puzzles::open(std::io::repeat(b'a')).unwrap();
        let error = puzzles.next().unwrap().unwrap_err();
        assert_eq!(error.problem, "the line has no end within 1 GB");
        assert!(puzzles.next().is_none());
    }

    #[test]
    fn a_table_of_the_database_begins_before_the_opponents_move() {
        let text = format!("\u{feff}{HEADER}\r\n{}\r\n{}\r\n", ROWS[0], ROWS[1]);
        let puzzles: Vec<Puzzle> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        let commented = format!("# a comment\n#\n{HEADER}\n# another\n{}\n", ROWS[0]);
        let again: Vec<Puzzle> =
            read(commented.as_bytes()).into_iter().map(Result::unwrap).collect();
        assert_eq!((again.len(), again[0].line), (1, 5));
        let first = &puzzles[0];
        assert_eq!((first.id.as_str(), first.line, first.rating), ("9eZCm", 2, Some(2361.0)));
        assert_eq!(first.themes, ["crushing", "endgame"]);
        assert_eq!(first.game.as_deref(), Some("KPq4H66x"));
        assert!(first.position.white_to_move(), "Black moved, and White is to solve it");
        assert_eq!(first.position.san(first.solution[0]), "Kc4");
        assert_eq!((first.solution.len(), puzzles[1].solution.len()), (5, 7));
        assert_eq!(puzzles[1].line, 3);
    }

    #[test]
    fn lines_are_epd_or_fen() {
        let text = "# mate in one\n\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back; rank\";\n\
                    6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 3 40 bm Rd8;";
        let puzzles: Vec<Puzzle> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        let found: Vec<(&str, u64, usize)> =
            puzzles.iter().map(|one| (one.id.as_str(), one.line, one.solution.len())).collect();
        assert_eq!(found, [("back; rank", 3, 1), ("4", 4, 0), ("5", 5, 1)]);
        assert!(puzzles[1].position.fen().ends_with("3 40"));
    }

    #[test]
    fn a_row_with_an_error_is_reported_and_the_rest_is_read() {
        let [first, second] = ROWS;
        let broken = first.replace("b3c4", "b3c6");
        let text = format!("{HEADER}\n{broken}\n{second}\n");
        let found = read(text.as_bytes());
        let error = found[0].as_ref().unwrap_err().to_string();
        assert!(error.starts_with("line 2: \"b3c6\" is not a legal move in 8/7p/"), "{error}");
        assert_eq!(found[1].as_ref().unwrap().id, "h8VYu");

        let with = |from: &str, to: &str| {
            problem(format!("{HEADER}\n{}\n", first.replace(from, to)).as_bytes())
        };
        assert!(with("1K3PP1", "1K3PP2").1.starts_with("the FEN has an error"));
        assert!(with("2361", "much").1.contains("\"much\", which is not a number"));
        assert!(with("2361", "NaN").1.contains("not a number"));
        for rating in ["1e308", "-1", "4000.5", "inf"] {
            let problem = with("2361", rating).1;
            assert!(problem.contains("which is not from 0 to 4000"), "{problem}");
        }
        assert!(with(" b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("no solution"));
        assert!(with("f7f5 b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("`Moves` is empty"));
        assert_eq!(
            problem(format!("{HEADER}\nx\n").as_bytes()).1,
            "the cell of column `FEN` is missing"
        );
        let not_utf_8 =
            [HEADER.as_bytes(), b"\n", &first.as_bytes()[..30], b"\xFF,f7f5\n"].concat();
        assert_eq!(problem(&not_utf_8), (2, NOT_UTF_8.to_owned()));
        assert_eq!(problem(b"\xFF\xFE\n"), (1, NOT_UTF_8.to_owned()));
        assert_eq!(problem(b"nonsense\n").0, 1);
        assert!(matches!(Puzzles::open(&b"{\"schema\":1}"[..]), Err(PuzzlesError::Json)));
        assert!(problem(b"a,6k1/5ppp/8 w - - 0 1,d1d8\n").1.contains("begins with a header"));
        assert!(Puzzles::open(&b"# nothing else\n"[..]).is_err());
        let long = [&vec![b'x'; 2 * LINE_BYTES_MAX as usize][..], b"\n# the end\n"].concat();
        assert_eq!(problem(&long), (1, "the line is too long".to_owned()));
        assert!(
            problem(b"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd9;")
                .1
                .contains("\"Rd9\" is not a legal")
        );
    }

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

    fn one(line: &str) -> Puzzle {
        let mut all = read(line.as_bytes());
        assert_eq!(all.len(), 1, "{line}");
        all.remove(0).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    fn solution(line: &str) -> Vec<String> {
        one(line).solution_text()
    }

    #[test]
    fn best_moves_are_a_set() {
        let a = one(&format!("{BACK_RANK} bm Rd8 Kf1; id \"x\";"));
        let b = one(&format!("{BACK_RANK} bm Kf1, Rd8, Kf1; id \"x\";"));
        assert_eq!(a, b);
        assert_eq!((a.best.len(), a.solution.len(), a.has_line), (2, 1, true));
        let quiet = one(&format!("{BACK_RANK} bm Rd7 Kf1;"));
        assert_eq!((quiet.best.len(), quiet.has_line), (2, false));
        let with_line = one(&format!("{BACK_RANK} bm Rd7; pv Rd8#;"));
        assert_eq!((with_line.best.len(), with_line.has_line), (2, true));
        assert_eq!(with_line.solution, one(&format!("{BACK_RANK} bm Rd8;")).solution);
    }

    #[test]
    fn what_stands_behind_a_fen_is_read_or_named() {
        for behind in [
            "bm Rd8;",
            ";bm Rd8",
            "; bm Rd8\0",
            " 12 40; bm Rd8",
            " 12 40;bm d1d8;",
            " 0 1, Rd8#",
            ", Rd8#",
            " 0 1 Rd8#",
            " 0 1|a name|1. Rd8# 1-0|1. e4 e5",
            "|a name|Rd8",
            " 0 1 1. Rd8#",
            "pv d1d8;",
            "bm Rd8; c0 \"a;b\"; D1 \"x\"; acd 9;",
        ] {
            let line = format!("{BACK_RANK} {behind}")
                .replace("- ;", "-;")
                .replace("- ,", "-,")
                .replace("- |", "-|");
            assert_eq!(
                (solution(&line), one(&line).unread),
                (vec!["Rd8#".to_owned()], None),
                "{line}"
            );
        }
        let counted = one(&format!("{BACK_RANK} 12 40; bm Rd8"));
        assert!(counted.position.fen().ends_with(" 12 40"));
        assert_eq!(one(&format!("{BACK_RANK} 0 1|a name|Rd8|")).id, "a name");
        assert_eq!(one(&format!("{BACK_RANK}; id A.02 \0")).id, "A.02");
        assert_eq!(solution(&format!("{BACK_RANK} 0 1, 1. Rd7 h6 2. Rd8+")), ["Rd7", "h6", "Rd8+"]);
        assert_eq!(solution(&format!("{BACK_RANK} bm #1;")), [""; 0]);
        for (behind, unread) in [
            ("0 1 x y z", "\"x y z\" is not read"),
            ("5 bm Rd8;", "\"5 bm Rd8\" is not read"),
            (
                "0 1; nonsense; bm Rd8 mate 1;",
                "\"nonsense\", \"mate\" in `bm`, \"1\" in `bm` is not read",
            ),
        ] {
            assert_eq!(one(&format!("{BACK_RANK} {behind}")).unread.as_deref(), Some(unread));
        }
        for (behind, part) in [
            (", Rd9", "\"Rd9\" is not a legal move"),
            ("0 1|x|Qd8|", "\"Qd8\" is not a legal move"),
            ("bm;", "`bm` names no move"),
        ] {
            let problem = problem(format!("{BACK_RANK} {behind}").as_bytes()).1;
            assert!(problem.contains(part), "{problem}");
        }
    }

    #[test]
    fn a_move_that_may_be_several_is_called_ambiguous() {
        let problem = problem(b"7k/8/8/8/6R1/8/8/K5R1 w - - bm Rg3+;").1;
        assert!(problem.contains("\"Rg3+\" is ambiguous in "), "{problem}");
        assert!(problem.ends_with("it may be R1g3, R4g3"), "{problem}");
    }

    #[test]
    fn positions_in_which_the_game_is_over_are_no_puzzles() {
        for (line, part) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
            ("3R2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "mate"),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "no side can be mated"),
        ] {
            assert!(problem(line.as_bytes()).1.contains(part), "{line}");
        }
        let table = "FEN,Moves\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1,d1d8 g8h8\n";
        assert!(problem(table.as_bytes()).1.contains("it is mate"));
    }

    #[test]
    fn a_file_without_puzzles_or_columns_is_refused() {
        let error = |text: &str| match Puzzles::open(text.as_bytes()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text}"),
        };
        assert_eq!(error(""), "the file has no puzzles");
        assert_eq!(error("PuzzleId,Moves\nx,y\n"), "the table has no column `FEN`");
        assert_eq!(error("PuzzleId,FEN\nx,y\n"), "the table has no column `Moves`");
        assert_eq!(read(format!("{HEADER}\n").as_bytes()), []);
    }
}
