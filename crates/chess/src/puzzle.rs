//! Files of puzzles: those of the Lichess database, EPD, and lines of FEN.

use std::io::{BufRead, BufReader, Read};

use thiserror::Error;

use crate::position::{ChessMove, Position};

/// A position in which the player to move is to find the best line.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// The name that the file gives it, or else its line.
    pub id: String,
    /// The line of the file, from 1.
    pub line: u64,
    /// The position, the solver to move.
    pub position: Position,
    /// The solution, the solver's moves and the answers in turn; empty where the file has none.
    pub solution: Vec<ChessMove>,
    /// Whether the solution is a whole line, and not the first move alone.
    pub has_line: bool,
    /// First moves that the file says to avoid.
    pub avoided: Vec<ChessMove>,
    /// How hard people find it, if the file says so.
    pub rating: Option<f64>,
    /// The game that it comes from, if the file says so.
    pub game: Option<String>,
}

/// A row that is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct RowError {
    /// The line of the file, from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: String,
}

/// Why a file has no puzzles at all.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PuzzlesError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is empty, or has a header only.
    #[error("there are no puzzles in it")]
    Empty,
    /// It is JSON.
    #[error("it is JSON, and no file of puzzles")]
    Json,
    /// A table lacks a column.
    #[error("the table has no column `{0}`")]
    Column(&'static str),
}

/// Longer lines are refused: no puzzle needs as much.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// The puzzles of a file, one after the other; rows that are none are reported in their place.
///
/// A file whose first line has commas and a column `FEN` is a table of the Lichess database: its positions
/// are those before the opponent's move, which is the first of `Moves`. Other files have an EPD or a FEN
/// in each line. Empty lines and lines that begin with `#` are left out.
pub struct Puzzles<R> {
    file: BufReader<R>,
    line: u64,
    /// The first line of a file that is no table, as long as it is unread.
    first: Option<Vec<u8>>,
    columns: Option<Columns>,
    /// Whether the file could not be read on.
    is_broken: bool,
}

/// Where the columns of a table are.
struct Columns {
    fen: usize,
    moves: usize,
    id: Option<usize>,
    rating: Option<usize>,
    game: Option<usize>,
}

impl<R: Read> Puzzles<R> {
    /// Looks at the first line of a file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is empty, or is a table without the columns `FEN` and `Moves`.
    pub fn open(file: R) -> Result<Self, PuzzlesError> {
        let mut file = BufReader::new(file);
        let mut first = Vec::new();
        let mut comments = 0;
        loop {
            file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut first)?;
            if comments == 0 && first.starts_with(b"\xEF\xBB\xBF") {
                first.drain(..3);
            }
            if !first.starts_with(b"#") || !first.ends_with(b"\n") {
                break;
            }
            comments += 1;
            first.clear();
        }
        if first.is_empty() {
            return Err(PuzzlesError::Empty);
        }
        if first.starts_with(b"{") {
            return Err(PuzzlesError::Json);
        }
        if !first.contains(&b',') || first.contains(&b'/') {
            return Ok(Puzzles {
                file,
                line: comments,
                first: Some(first),
                columns: None,
                is_broken: false,
            });
        }
        let header = cells(&first).map_err(std::io::Error::other)?;
        let column = |name: &str| header.iter().position(|title| title == name);
        let columns = Columns {
            fen: column("FEN").ok_or(PuzzlesError::Column("FEN"))?,
            moves: column("Moves").ok_or(PuzzlesError::Column("Moves"))?,
            id: column("PuzzleId"),
            rating: column("Rating"),
            game: column("GameUrl"),
        };
        Ok(Puzzles {
            file,
            line: comments + 1,
            first: None,
            columns: Some(columns),
            is_broken: false,
        })
    }

    /// The next line, empty at the end of the file; nothing where it is too long.
    fn read(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut text = self.first.take().unwrap_or_default();
        if text.is_empty() {
            self.file.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut text)?;
        }
        if text.len() as u64 >= LINE_BYTES_MAX && !text.ends_with(b"\n") {
            self.file.skip_until(b'\n')?;
            return Ok(None);
        }
        Ok(Some(text))
    }

    fn puzzle(&self, text: &[u8]) -> Option<Result<Puzzle, String>> {
        let line = self.line;
        let Ok(text) = std::str::from_utf8(text) else { return Some(Err(NOT_UTF_8.to_owned())) };
        let text = text.trim();
        match &self.columns {
            _ if text.is_empty() || text.starts_with('#') => None,
            Some(columns) => Some(cells(text.as_bytes()).and_then(|row| columns.read(&row, line))),
            None => Some(read_line(text, line)),
        }
    }
}

impl<R: Read> Iterator for Puzzles<R> {
    type Item = Result<Puzzle, RowError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            self.line += 1;
            let read = match self.read() {
                Ok(Some(text)) if text.is_empty() || self.is_broken => return None,
                Ok(Some(text)) => self.puzzle(&text),
                Ok(None) => Some(Err("the line is too long".to_owned())),
                Err(_) if self.is_broken => return None,
                Err(error) => {
                    self.is_broken = true;
                    Some(Err(error.to_string()))
                }
            };
            if let Some(read) = read {
                let line = self.line;
                return Some(read.map_err(|problem| RowError { line, problem }));
            }
        }
    }
}

/// The cells of a line of a table.
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
            text.ok_or_else(|| format!("there is no cell of column `{name}`"))
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
        let rating = match optional(self.rating, "Rating")? {
            None => None,
            Some(text) => match text.parse::<f64>() {
                Ok(rating) if rating.is_finite() => Some(rating),
                _ => return Err(format!("the rating is {text:?}, which is not a number")),
            },
        };
        let id = optional(self.id, "PuzzleId")?.map_or_else(|| line.to_string(), str::to_owned);
        let game = optional(self.game, "GameUrl")?.map(game_of);
        Ok(Puzzle {
            id,
            line,
            position,
            solution,
            has_line: true,
            avoided: Vec::new(),
            rating,
            game,
        })
    }
}

/// The game of an address such as `https://lichess.org/KPq4H66x/black#88`.
fn game_of(address: &str) -> String {
    let path = address.split_once("://").map_or(address, |(_, rest)| rest);
    let game = path.split(['/', '#', '?']).nth(1).filter(|game| !game.is_empty());
    game.unwrap_or(address).to_owned()
}

/// A puzzle of a line of EPD, whose `pv` is the solution, `bm` its first move, which may be all of it, `am`
/// first moves to avoid, and `id` the name, or of a FEN.
fn read_line(text: &str, line: u64) -> Result<Puzzle, String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let has_counters = fields.len() >= 6 && fields[4..6].iter().all(|field| is_count(field));
    let fen = fields[..fields.len().min(if has_counters { 6 } else { 4 })].join(" ");
    let position = Position::parse(&fen).map_err(|error| {
        let hint = if text.contains(',') {
            "; a table of puzzles begins with a header that has the columns `FEN` and `Moves`"
        } else {
            ""
        };
        format!("{error}{hint}")
    })?;
    let mut puzzle = Puzzle {
        id: line.to_string(),
        line,
        position,
        solution: Vec::new(),
        has_line: false,
        avoided: Vec::new(),
        rating: None,
        game: None,
    };
    let rest = text.split_whitespace().skip(if has_counters { 6 } else { 4 });
    for operation in operations(&rest.collect::<Vec<_>>().join(" ")) {
        let (code, operand) = operation.split_once(' ').unwrap_or((&operation, ""));
        match code {
            "bm" => {
                let best = operand.split_whitespace().next().ok_or("`bm` names no move")?;
                let best = puzzle.position.parse_san(best).map_err(|error| error.to_string())?;
                if !puzzle.has_line {
                    puzzle.solution = vec![best];
                    puzzle.has_line = puzzle.position.after(best).is_mate();
                }
            }
            "am" => {
                for avoided in operand.split_whitespace() {
                    let avoided = puzzle.position.parse_san(avoided);
                    puzzle.avoided.push(avoided.map_err(|error| error.to_string())?);
                }
            }
            "pv" => {
                let mut at = puzzle.position.clone();
                puzzle.solution.clear();
                for played in operand.split_whitespace() {
                    let played = at.parse_san(played).map_err(|error| error.to_string())?;
                    puzzle.solution.push(played);
                    at = at.after(played);
                }
                puzzle.has_line = !puzzle.solution.is_empty();
            }
            "id" => puzzle.id = operand.trim_matches('"').to_owned(),
            _ => {}
        }
    }
    Ok(puzzle)
}

fn is_count(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The operations of an EPD, which end with semicolons; a text in quotes may have any.
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
    fn a_table_of_the_database_begins_before_the_opponents_move() {
        let text = format!("\u{feff}{HEADER}\r\n{}\r\n{}\r\n", ROWS[0], ROWS[1]);
        let puzzles: Vec<Puzzle> = read(text.as_bytes()).into_iter().map(Result::unwrap).collect();
        let commented = format!("# a comment\n#\n{HEADER}\n# another\n{}\n", ROWS[0]);
        let again: Vec<Puzzle> =
            read(commented.as_bytes()).into_iter().map(Result::unwrap).collect();
        assert_eq!((again.len(), again[0].line), (1, 5));
        let first = &puzzles[0];
        assert_eq!((first.id.as_str(), first.line, first.rating), ("9eZCm", 2, Some(2361.0)));
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
        assert!(with(" b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("no solution"));
        assert!(with("f7f5 b3c4 f5e4 f3e4 g5g4 c4d5", "").1.contains("`Moves` is empty"));
        assert_eq!(
            problem(format!("{HEADER}\nx\n").as_bytes()).1,
            "there is no cell of column `FEN`"
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

    #[test]
    fn a_file_without_puzzles_or_columns_is_refused() {
        let error = |text: &str| match Puzzles::open(text.as_bytes()) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{text}"),
        };
        assert_eq!(error(""), "there are no puzzles in it");
        assert_eq!(error("PuzzleId,Moves\nx,y\n"), "the table has no column `FEN`");
        assert_eq!(error("PuzzleId,FEN\nx,y\n"), "the table has no column `Moves`");
        assert_eq!(read(format!("{HEADER}\n").as_bytes()), []);
    }
}
