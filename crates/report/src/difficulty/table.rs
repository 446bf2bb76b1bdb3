//! Rated problems as a table, row by row: CSV, JSON Lines or Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Number, Value as Json};
use treegauge_study::csv_text;
use treegauge_study::difficulty::{MeasuredWith, RatedProblem};

use crate::dataset::{BATCH, CREATED_BY, io};

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DifficultyTableFormat {
    /// Comma-separated values with a header.
    Csv,
    /// A JSON object in each line.
    Jsonl,
    /// Parquet.
    Parquet,
}

/// An attribute of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableAttributes {
    /// The names, in the order of the rows' attributes.
    pub names: Vec<String>,
    /// Those that are written.
    pub written: Vec<usize>,
}

/// A table of problems that is written row by row.
pub struct DifficultyTable<'a> {
    out: Out<'a>,
    columns: Vec<(String, Kind)>,
    attributes: TableAttributes,
    measured: MeasuredWith,
}

enum Out<'a> {
    Csv(csv::Writer<&'a mut dyn Write>),
    Jsonl(&'a mut dyn Write),
    /// Written at the end: the library's writer wants one that can go to another thread.
    Parquet {
        writer: ArrowWriter<Vec<u8>>,
        table: Parquet,
        out: &'a mut dyn Write,
    },
}

/// Rows that wait to be written.
struct Parquet {
    schema: Arc<Schema>,
    cells: Vec<Cells>,
    rows: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Whole,
    Real,
}

/// A cell; nothing where there is no value.
enum Cell {
    Text(String),
    Whole(u64),
    Real(Option<f64>),
}

enum Cells {
    Text(StringBuilder),
    Whole(UInt64Builder),
    Real(Float64Builder),
}

/// The columns before those of the attributes.
const COLUMNS: [(&str, Kind); 15] = [
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
    ("unrated", Kind::Text),
    ("reason", Kind::Text),
    ("given_rating", Kind::Real),
    ("game", Kind::Text),
    ("solution", Kind::Text),
];

impl<'a> DifficultyTable<'a> {
    /// A table without rows.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(
        format: DifficultyTableFormat,
        attributes: TableAttributes,
        measured: MeasuredWith,
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
            DifficultyTableFormat::Parquet => {
                let field = |(name, kind): &(String, Kind)| {
                    let kind = match kind {
                        Kind::Text => DataType::Utf8,
                        Kind::Whole => DataType::UInt64,
                        Kind::Real => DataType::Float64,
                    };
                    Field::new(name, kind, true)
                };
                let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_created_by(CREATED_BY.to_owned())
                    .build();
                let writer = ArrowWriter::try_new(Vec::new(), schema.clone(), Some(properties))
                    .map_err(io)?;
                let cells = columns
                    .iter()
                    .map(|(_, kind)| match kind {
                        Kind::Text => Cells::Text(StringBuilder::new()),
                        Kind::Whole => Cells::Whole(UInt64Builder::new()),
                        Kind::Real => Cells::Real(Float64Builder::new()),
                    })
                    .collect();
                Out::Parquet { writer, table: Parquet { schema, cells, rows: 0 }, out }
            }
        };
        Ok(DifficultyTable { out, columns, attributes, measured })
    }

    /// Adds a problem.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn row(&mut self, row: &RatedProblem) -> io::Result<()> {
        let cells = self.cells(row);
        match &mut self.out {
            Out::Csv(writer) => {
                for cell in &cells {
                    writer.write_field(text_of(cell))?;
                }
                writer.write_record(None::<&[u8]>)?;
                // A reader of a pipe gets each row when it is known.
                writer.flush()
            }
            Out::Jsonl(out) => {
                let fields = self.columns.iter().zip(cells);
                let object: Map<String, Json> =
                    fields.map(|((name, _), cell)| (name.clone(), json_of(cell))).collect();
                writeln!(out, "{}", Json::Object(object))?;
                out.flush()
            }
            Out::Parquet { writer, table, .. } => {
                for (column, cell) in table.cells.iter_mut().zip(cells) {
                    column.push(cell);
                }
                table.rows += 1;
                if table.rows < BATCH { Ok(()) } else { table.write(writer) }
            }
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(self) -> io::Result<()> {
        match self.out {
            Out::Csv(mut writer) => writer.flush(),
            Out::Jsonl(out) => out.flush(),
            Out::Parquet { mut writer, mut table, out } => {
                table.write(&mut writer)?;
                out.write_all(&writer.into_inner().map_err(io)?)?;
                out.flush()
            }
        }
    }

    fn cells(&self, row: &RatedProblem) -> Vec<Cell> {
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
            text(row.unrated.as_deref().unwrap_or_default()),
            Cell::Text({
                let words = row.reasons.is_empty().then_some(row.words.as_str());
                let reasons = row.reasons.iter().map(|one| one.words.as_str());
                row.note
                    .as_deref()
                    .into_iter()
                    .chain(words)
                    .chain(reasons)
                    .collect::<Vec<_>>()
                    .join("; ")
            }),
            real(row.given_rating),
            text(row.game.as_deref().unwrap_or_default()),
            Cell::Text(row.solution.join(" ")),
        ];
        cells.extend(self.measured.cells().into_iter().map(Cell::Text));
        let value = |&n: &usize| real(row.attributes.get(n).copied().flatten());
        cells.extend(self.attributes.written.iter().map(value));
        cells
    }
}

impl Parquet {
    fn write(&mut self, writer: &mut ArrowWriter<Vec<u8>>) -> io::Result<()> {
        self.rows = 0;
        let arrays = self.cells.iter_mut().map(Cells::take).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io::Error::other)?;
        writer.write(&batch).map_err(io)
    }
}

fn text_of(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => csv_text(text).into_owned(),
        Cell::Whole(number) => number.to_string(),
        Cell::Real(number) => number.map_or_else(String::new, |number| number.to_string()),
    }
}

fn json_of(cell: Cell) -> Json {
    match cell {
        Cell::Text(text) => Json::String(text),
        Cell::Whole(number) => Json::Number(number.into()),
        Cell::Real(number) => number.and_then(Number::from_f64).map_or(Json::Null, Json::Number),
    }
}

impl Cells {
    fn push(&mut self, cell: Cell) {
        match (self, cell) {
            (Cells::Text(cells), Cell::Text(text)) => cells.append_value(text),
            (Cells::Whole(cells), Cell::Whole(number)) => cells.append_value(number),
            (Cells::Real(cells), Cell::Real(number)) => cells.append_option(number),
            _ => unreachable!("a cell is of the kind of its column"),
        }
    }

    fn take(&mut self) -> ArrayRef {
        match self {
            Cells::Text(cells) => Arc::new(cells.finish()),
            Cells::Whole(cells) => Arc::new(cells.finish()),
            Cells::Real(cells) => Arc::new(cells.finish()),
        }
    }
}
