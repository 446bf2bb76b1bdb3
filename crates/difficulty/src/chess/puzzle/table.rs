//! Tables of puzzles: those of the Lichess database, and those that people keep.

use super::row::{Row, game_of, line_of};
use super::{NOT_UTF_8, Position, Puzzle, PuzzlesError, check_open, read_rating};

/// Characters that may separate cells.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];

/// Titles of each column in small letters without blanks, hyphens and underscores; those of the
/// database come first.
const FEN: [&str; 2] = ["fen", "position"];
const MOVES: [&str; 2] = ["moves", "uci"];
const SOLUTION: [&str; 8] =
    ["solution", "bestmove", "bestmoves", "bm", "pv", "line", "answer", "keymove"];
const ID: [&str; 4] = ["puzzleid", "id", "name", "puzzle"];
const RATING: [&str; 3] = ["givenrating", "rating", "elo"];
const GAME: [&str; 2] = ["gameurl", "game"];
const THEMES: [&str; 2] = ["themes", "tags"];

/// Place of the columns of a table.
pub(super) struct Columns {
    separator: u8,
    fen: usize,
    moves: usize,
    /// Whether the moves begin with the opponent's.
    opponent_first: bool,
    id: Option<usize>,
    rating: Option<usize>,
    game: Option<usize>,
    themes: Option<usize>,
}

/// First line of a table.
pub(super) enum Header {
    /// Titles of the columns.
    Titles(Columns),
    /// Row of the Lichess database: the file has no titles.
    Row(Columns),
}

/// Separator that a line such as `sep=;` states.
pub(super) fn stated_separator(line: &[u8]) -> Option<u8> {
    let line = line.trim_ascii();
    let is_stated = line.len() == 5 && line[..4].eq_ignore_ascii_case(b"sep=");
    (is_stated && line[4].is_ascii()).then(|| line[4])
}

impl Header {
    /// Reads the first line of a file; `None` if it does not begin a table.
    ///
    /// # Errors
    ///
    /// When a table has no column of positions or none of moves.
    pub(super) fn read(line: &[u8], stated: Option<u8>) -> Result<Option<Header>, PuzzlesError> {
        let separators = stated.map_or_else(|| SEPARATORS.to_vec(), |one| vec![one]);
        let rows = separators.iter().filter_map(|&one| Some((one, cells(line, one).ok()?)));
        let rows: Vec<(u8, csv::StringRecord)> = rows.filter(|(_, row)| row.len() > 1).collect();
        let is_fen = |row: &csv::StringRecord, n: usize| {
            row.get(n).is_some_and(|cell| Position::read(cell).is_ok())
        };
        if line.contains(&b'/') {
            let row = rows.iter().find(|(_, row)| row.len() > 2 && is_fen(row, 1));
            return Ok(row.map(|(separator, row)| {
                Header::Row(Columns {
                    separator: *separator,
                    fen: 1,
                    moves: 2,
                    opponent_first: true,
                    id: Some(0),
                    rating: Some(3),
                    game: Some(8).filter(|&n| n < row.len()),
                    themes: Some(7).filter(|&n| n < row.len()),
                })
            }));
        }
        let found = |(separator, row): &(u8, csv::StringRecord)| Columns::titled(*separator, row);
        if let Some(columns) = rows.iter().find_map(|row| found(row).ok()) {
            return Ok(Some(Header::Titles(columns)));
        }
        let first = rows.first().filter(|(separator, _)| *separator == b',' || stated.is_some());
        let fen = rows.iter().find(|(_, row)| column(row, &FEN).is_some());
        match fen.or(first) {
            Some(row) => found(row).map(|columns| Some(Header::Titles(columns))),
            None => Ok(None),
        }
    }
}

/// Index of the first column that has one of these titles.
fn column(titles: &csv::StringRecord, names: &[&str]) -> Option<usize> {
    let plain = |title: &str| {
        let letters = title.chars().filter(|letter| !" -_".contains(*letter));
        letters.collect::<String>().to_lowercase()
    };
    let titles: Vec<String> = titles.iter().map(plain).collect();
    names.iter().find_map(|name| titles.iter().position(|title| title == name))
}

impl Columns {
    fn titled(separator: u8, titles: &csv::StringRecord) -> Result<Columns, PuzzlesError> {
        let (moves, solution) = (column(titles, &MOVES), column(titles, &SOLUTION));
        Ok(Columns {
            separator,
            fen: column(titles, &FEN).ok_or(PuzzlesError::Column("FEN"))?,
            moves: moves.or(solution).ok_or(PuzzlesError::Column("Moves"))?,
            opponent_first: moves.is_some(),
            id: column(titles, &ID),
            rating: column(titles, &RATING),
            game: column(titles, &GAME),
            themes: column(titles, &THEMES),
        })
    }

    /// Sets whether the moves begin with the solver's.
    pub(super) fn set_solver_first(&mut self) {
        self.opponent_first = false;
    }

    /// Reads a line.
    pub(super) fn read(&self, text: &str, line: u64) -> Result<Puzzle, String> {
        let row = cells(text.as_bytes(), self.separator)?;
        let cell = |column: usize, name: &str| {
            let text = row.get(column).map(str::trim);
            text.ok_or_else(|| format!("the cell of column `{name}` is missing"))
        };
        let optional = |column: Option<usize>, name: &str| {
            let text = column.map(|column| cell(column, name)).transpose()?;
            Ok::<_, String>(text.filter(|text| !text.is_empty()))
        };
        let fen = cell(self.fen, "FEN")?;
        let (before, mut unread) = Position::read(fen).map_err(|error| error.to_string())?;
        let (mut moves, behind) = line_of(&before, cell(self.moves, "Moves")?)?;
        unread.extend(behind);
        if self.opponent_first && moves.is_empty() {
            return Err("the column `Moves` is empty".to_owned());
        }
        let (position, before) = if self.opponent_first {
            let first = moves.remove(0);
            if moves.is_empty() {
                return Err("the column `Moves` has the opponent's move only, and no solution; \
                            --solver-first reads a table whose moves begin with the solver's"
                    .to_owned());
            }
            (before.after(first), Some((before, first)))
        } else {
            (before, None)
        };
        check_open(&position)?;
        let mut puzzle = Puzzle { before, ..Puzzle::of(position, line) };
        let rating = optional(self.rating, "Rating")?;
        let localised = |text: &str| match self.separator {
            b',' => text.to_owned(),
            _ => text.replace(',', "."),
        };
        puzzle.rating = rating.map(|text| read_rating(&localised(text))).transpose()?;
        if let Some(id) = optional(self.id, "PuzzleId")? {
            puzzle.id = id.to_owned();
        }
        puzzle.game = optional(self.game, "GameUrl")?.map(game_of);
        let themes = optional(self.themes, "Themes")?.unwrap_or_default();
        puzzle.themes = themes.split_whitespace().map(str::to_owned).collect();
        let mut row = Row::of(puzzle, unread);
        row.solution(moves);
        Ok(row.end())
    }
}

/// Cells of a line of a table.
fn cells(line: &[u8], separator: u8) -> Result<csv::StringRecord, String> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).delimiter(separator).from_reader(line);
    let row = reader.into_records().next().transpose();
    row.map(Option::unwrap_or_default).map_err(|error| match error.kind() {
        csv::ErrorKind::Utf8 { .. } => NOT_UTF_8.to_owned(),
        _ => error.to_string(),
    })
}
