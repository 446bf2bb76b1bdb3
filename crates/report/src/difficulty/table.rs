//! Rated problems as a table, written row by row: CSV, JSON Lines or Parquet; and as games of PGN.

use std::io::{self, Write};

use serde_json::{Map, Number, Value as Json};
use treegauge_dataset::collect::ColumnType as Kind;
use treegauge_difficulty::chess::{PuzzleGame, Soundness};
use treegauge_difficulty::{MeasuredWith, PredictedProblem};
use treegauge_store::csv_text;

use super::{interval, why};
use crate::parquet_table::{ParquetCell, ParquetColumn, ParquetTable};

/// File format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifficultyTableFormat {
    /// Comma-separated values with a header line.
    Csv,
    /// One JSON object per line.
    Jsonl,
    /// Apache Parquet.
    Parquet,
    /// PGN: a game per problem, with the solution as its moves. Attributes are left out.
    Pgn,
}

/// Attributes of a table, and the choice of those that are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAttributes {
    /// Names, in the order of the attributes of a row.
    pub names: Vec<String>,
    /// Indices in `names` of the attributes that are written.
    pub written: Vec<usize>,
}

/// Writes a table of problems row by row.
pub struct DifficultyTable<'a> {
    out: Out<'a>,
    columns: Vec<(String, Kind)>,
    attributes: TableAttributes,
    measured: Option<MeasuredWith>,
}

enum Out<'a> {
    Csv(csv::Writer<&'a mut dyn Write>),
    Jsonl(&'a mut dyn Write),
    Pgn(&'a mut dyn Write),
    /// Collected in memory and written at the end, because the Parquet library requires a writer
    /// that is [`Send`].
    Parquet {
        table: ParquetTable<Vec<u8>>,
        out: &'a mut dyn Write,
    },
}

/// A cell; `Real(None)` has no value.
enum Cell {
    Text(String),
    Whole(u64),
    Real(Option<f64>),
}

/// Columns before those of the attributes.
const COLUMNS: [(&str, Kind); 18] = [
    ("id", Kind::Text),
    ("line", Kind::Whole),
    ("fen", Kind::Text),
    ("rating", Kind::Real),
    ("rating_low", Kind::Real),
    ("rating_high", Kind::Real),
    ("class", Kind::Text),
    ("p_easy", Kind::Real),
    ("p_medium", Kind::Real),
    ("p_hard", Kind::Real),
    ("p_solve", Kind::Real),
    ("evidence", Kind::Text),
    ("unrated", Kind::Text),
    ("reason", Kind::Text),
    ("given_rating", Kind::Real),
    ("game", Kind::Text),
    ("solution", Kind::Text),
    ("soundness", Kind::Text),
];

impl<'a> DifficultyTable<'a> {
    /// Creates a table without rows.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(
        format: DifficultyTableFormat,
        attributes: TableAttributes,
        measured: Option<MeasuredWith>,
        out: &'a mut dyn Write,
    ) -> io::Result<Self> {
        let own = COLUMNS.iter().map(|&(name, kind)| (name.to_owned(), kind));
        let ways = MeasuredWith::COLUMNS.iter().map(|name| ((*name).to_owned(), Kind::Text));
        let values = attributes.written.iter().map(|&n| (attributes.names[n].clone(), Kind::Real));
        let columns: Vec<(String, Kind)> = own.chain(ways).chain(values).collect();
        let out = match format {
            DifficultyTableFormat::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(columns.iter().map(|(name, _)| name))?;
                Out::Csv(writer)
            }
            DifficultyTableFormat::Jsonl => Out::Jsonl(out),
            DifficultyTableFormat::Pgn => Out::Pgn(out),
            DifficultyTableFormat::Parquet => {
                let column = |(name, kind): &(String, Kind)| ParquetColumn {
                    name: name.clone(),
                    kind: *kind,
                    about: Vec::new(),
                    is_optional: true,
                    is_unique: name == "id" || name == "fen",
                };
                let columns: Vec<ParquetColumn<'_>> = columns.iter().map(column).collect();
                let table = ParquetTable::new(&columns, &run(measured.as_ref()), Vec::new())?;
                Out::Parquet { table, out }
            }
        };
        Ok(DifficultyTable { out, columns, attributes, measured })
    }

    /// Adds a problem as a row.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn row(&mut self, row: &PredictedProblem) -> io::Result<()> {
        let cells = self.cells(row);
        match &mut self.out {
            Out::Csv(writer) => {
                for cell in &cells {
                    writer.write_field(text_of(cell))?;
                }
                writer.write_record(None::<&[u8]>)?;
                // A program that reads the pipe gets each row at once.
                writer.flush()
            }
            Out::Jsonl(out) => {
                let fields = self.columns.iter().zip(cells);
                let object: Map<String, Json> =
                    fields.map(|((name, _), cell)| (name.clone(), json_of(cell))).collect();
                writeln!(out, "{}", Json::Object(object))?;
                out.flush()
            }
            Out::Pgn(out) => {
                out.write_all(game_of(row).as_bytes())?;
                out.flush()
            }
            Out::Parquet { table, .. } => table.row(cells.iter().map(parquet_cell)),
        }
    }

    /// Writes the remaining rows.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
            Out::Csv(mut writer) => writer.flush(),
            Out::Jsonl(out) | Out::Pgn(out) => out.flush(),
            Out::Parquet { table, out } => {
                out.write_all(&table.finish()?)?;
                out.flush()
            }
        }
    }

    fn cells(&self, row: &PredictedProblem) -> Vec<Cell> {
        let text = |text: &str| Cell::Text(text.to_owned());
        let found = row.difficulty.as_ref();
        let real = |value: Option<f64>| Cell::Real(value);
        let mut cells = vec![
            text(&row.id),
            Cell::Whole(row.line),
            text(&row.fen),
            real(found.map(|found| found.rating)),
            real(found.map(|found| found.rating_low)),
            real(found.map(|found| found.rating_high)),
            text(found.map_or("", |found| found.class.name())),
            real(found.map(|found| found.chances.easy)),
            real(found.map(|found| found.chances.medium)),
            real(found.map(|found| found.chances.hard)),
            real(row.p_solve),
            text(found.map_or("", |found| found.evidence.name())),
            text(row.unrated.as_deref().unwrap_or_default()),
            Cell::Text(why(row)),
            real(row.given_rating),
            text(row.game.as_deref().unwrap_or_default()),
            Cell::Text(row.solution.join(" ")),
            text(row.soundness.map_or("", Soundness::name)),
        ];
        cells.extend(way_cells(self.measured.as_ref()).into_iter().map(Cell::Text));
        let value = |&n: &usize| real(row.attributes.get(n).copied().flatten());
        cells.extend(self.attributes.written.iter().map(value));
        cells
    }
}

/// Problem as a game of PGN, with the rating in tags and what is known in a comment at its end.
fn game_of(row: &PredictedProblem) -> String {
    let mut tags = Vec::new();
    if let Some(found) = &row.difficulty {
        tags.push(("Rating", format!("{:.0}", found.rating)));
    }
    if let Some(soundness) = row.soundness {
        tags.push(("Soundness", soundness.name().to_owned()));
    }
    let rating = row
        .difficulty
        .as_ref()
        .map(|found| format!("{}, rating {}", found.class.name(), interval(found)));
    let unrated = row.unrated.as_ref().map(|cause| format!("unrated: {cause}"));
    let said = [rating, unrated, Some(why(row))].into_iter().flatten();
    let said = said.filter(|words| !words.is_empty()).collect::<Vec<_>>().join("; ");
    let all = row.solution.len();
    let game = PuzzleGame {
        id: &row.id,
        fen: &row.fen,
        last_move: row.last_move.as_ref(),
        solution: &row.solution,
        given_plies: if row.completed { row.given_moves } else { all },
        given_rating: row.given_rating,
        game: row.game.as_deref(),
        themes: &row.themes,
        tags: &tags,
        comment: &said,
    };
    game.text()
}

/// Cells of the settings of a measurement; empty without an engine.
fn way_cells(measured: Option<&MeasuredWith>) -> [String; MeasuredWith::COLUMNS.len()] {
    measured.map(MeasuredWith::cells).unwrap_or_default()
}

/// Fields that decide the numbers of a table: the version of the program, and how problems were
/// measured.
fn run(measured: Option<&MeasuredWith>) -> Json {
    let cells = MeasuredWith::COLUMNS.iter().zip(way_cells(measured));
    let measured = cells.map(|(name, cell)| ((*name).to_owned(), Json::String(cell)));
    let version = ("version".to_owned(), Json::String(env!("CARGO_PKG_VERSION").to_owned()));
    Json::Object(std::iter::once(version).chain(measured).collect())
}

fn parquet_cell(cell: &Cell) -> ParquetCell<'_> {
    match cell {
        Cell::Text(text) => ParquetCell::Text(text),
        Cell::Whole(number) => ParquetCell::Whole(*number),
        Cell::Real(number) => ParquetCell::Real(*number),
    }
}

fn text_of(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => csv_text(text).into_owned(),
        Cell::Whole(number) => number.to_string(),
        Cell::Real(number) => number.map_or_else(String::new, |number| format!("{number:?}")),
    }
}

fn json_of(cell: Cell) -> Json {
    match cell {
        Cell::Text(text) => Json::String(text),
        Cell::Whole(number) => Json::Number(number.into()),
        Cell::Real(number) => number.and_then(Number::from_f64).map_or(Json::Null, Json::Number),
    }
}
