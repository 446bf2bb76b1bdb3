//! Tables as Parquet, written row by row.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type};
use treegauge_dataset::collect::ColumnType;

/// Number of rows of a row group. They stay in memory until the group is written.
const GROUP: usize = 1 << 16;

/// Program that made the file, in its metadata.
const CREATED_BY: &str = concat!("treegauge ", env!("CARGO_PKG_VERSION"));

/// Metadata key of the header of the run.
const RUN: &str = "treegauge";

/// Metadata key of the descriptions of the columns: an object of objects.
const COLUMNS: &str = "columns";

/// A column of a table.
#[derive(Clone, Debug)]
pub struct ParquetColumn<'a> {
    /// Name of the column.
    pub name: String,
    /// Type of the cells.
    pub kind: ColumnType,
    /// Description of the column, as keys and values.
    pub about: Vec<(&'static str, &'a str)>,
    /// Whether a cell may have no value.
    pub is_optional: bool,
    /// Whether all cells differ, so that a dictionary would be a second copy of the column.
    pub is_unique: bool,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug)]
pub enum ParquetCell<'a> {
    /// Text.
    Text(&'a str),
    /// Integer from 0.
    Whole(u64),
    /// Integer of either sign.
    Signed(i64),
    /// Real number; `None` for no value.
    Real(Option<f64>),
    /// Truth value.
    Flag(bool),
    /// No value, in a column of any type.
    Missing,
}

/// Cells of a column that are not written yet.
struct Cells {
    values: Values,
    /// 1 for a cell with a value and 0 for one without; `None` if every cell must have a value.
    levels: Option<Vec<i16>>,
}

enum Values {
    Text(Vec<ByteArray>),
    Whole(Vec<i64>),
    Real(Vec<f64>),
    Flag(Vec<bool>),
}

impl Cells {
    fn of(column: &ParquetColumn<'_>) -> Cells {
        let values = match column.kind {
            ColumnType::Text => Values::Text(Vec::new()),
            ColumnType::Whole => Values::Whole(Vec::new()),
            ColumnType::Real => Values::Real(Vec::new()),
            ColumnType::Flag => Values::Flag(Vec::new()),
        };
        Cells { values, levels: column.is_optional.then(Vec::new) }
    }

    fn push(&mut self, cell: ParquetCell<'_>) {
        let is_there = !matches!(cell, ParquetCell::Real(None) | ParquetCell::Missing);
        match (&mut self.values, cell) {
            (Values::Text(values), ParquetCell::Text(text)) => values.push(text.into()),
            (Values::Whole(values), ParquetCell::Whole(number)) => {
                values.push(i64::try_from(number).expect("counts are below 2^63"));
            }
            (Values::Whole(values), ParquetCell::Signed(number)) => values.push(number),
            (Values::Real(values), ParquetCell::Real(number)) => values.extend(number),
            (Values::Flag(values), ParquetCell::Flag(flag)) => values.push(flag),
            (_, ParquetCell::Missing) => {}
            _ => panic!("a cell is of the type of its column"),
        }
        match &mut self.levels {
            Some(levels) => levels.push(is_there.into()),
            None => assert!(is_there, "the column has a value in every cell"),
        }
    }

    /// Writes the cells and clears them.
    fn write(&mut self, column: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = self.levels.as_deref();
        match (&mut self.values, column) {
            (Values::Text(values), ColumnWriter::ByteArrayColumnWriter(column)) => {
                column.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Whole(values), ColumnWriter::Int64ColumnWriter(column)) => {
                column.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Real(values), ColumnWriter::DoubleColumnWriter(column)) => {
                column.write_batch(values, levels, None)?;
                values.clear();
            }
            (Values::Flag(values), ColumnWriter::BoolColumnWriter(column)) => {
                column.write_batch(values, levels, None)?;
                values.clear();
            }
            _ => unreachable!("the schema has the types of the columns"),
        }
        self.levels.iter_mut().for_each(Vec::clear);
        Ok(())
    }
}

/// Writes a table row by row. Whole numbers are signed, so that the difference of two columns fits
/// the same type.
pub struct ParquetTable<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    cells: Vec<Cells>,
    rows: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    /// Creates a table without rows, with the header of its run as metadata.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn new(columns: &[ParquetColumn<'_>], run: &serde_json::Value, out: W) -> io::Result<Self> {
        let schema = schema(columns).map_err(io)?;
        let mut about = vec![KeyValue::new(RUN.to_owned(), run.to_string())];
        let described = columns.iter().filter(|column| !column.about.is_empty());
        let described = described.map(|column| (column.name.clone(), entries(&column.about)));
        let described: serde_json::Map<String, serde_json::Value> = described.collect();
        if !described.is_empty() {
            let described = serde_json::Value::from(described);
            about.push(KeyValue::new(COLUMNS.to_owned(), described.to_string()));
        }
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(CREATED_BY.to_owned())
            .set_key_value_metadata(Some(about));
        for column in columns.iter().filter(|column| column.is_unique) {
            let path = ColumnPath::from(column.name.as_str());
            properties = properties.set_column_dictionary_enabled(path, false);
        }
        let writer = SerializedFileWriter::new(out, schema, Arc::new(properties.build()));
        let cells = columns.iter().map(Cells::of).collect();
        Ok(ParquetTable { writer: writer.map_err(io)?, cells, rows: 0 })
    }

    /// Adds a row: one cell per column.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// # Panics
    ///
    /// If the number of cells or their types differ from those of the columns.
    pub fn row<'a>(
        &mut self,
        cells: impl ExactSizeIterator<Item = ParquetCell<'a>>,
    ) -> io::Result<()> {
        assert_eq!(cells.len(), self.cells.len(), "a row has a cell for each column");
        self.cells.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        self.rows += 1;
        if self.rows == GROUP { self.write_group().map_err(io) } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        self.rows = 0;
        let mut group = self.writer.next_row_group()?;
        for cells in &mut self.cells {
            let mut column = group.next_column()?.expect("the schema has every column");
            cells.write(column.untyped())?;
            column.close()?;
        }
        group.close()?;
        Ok(())
    }

    /// Writes the remaining rows and returns the writer.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn finish(mut self) -> io::Result<W> {
        if self.rows > 0 {
            self.write_group().map_err(io)?;
        }
        self.writer.into_inner().map_err(io)
    }
}

/// Description of a column as a JSON object.
fn entries(about: &[(&'static str, &str)]) -> serde_json::Value {
    let entries = about.iter().map(|&(key, value)| (key.to_owned(), value.into()));
    serde_json::Value::Object(entries.collect())
}

fn schema(columns: &[ParquetColumn<'_>]) -> Result<Arc<Type>, ParquetError> {
    let field = |column: &ParquetColumn<'_>| {
        let (kind, logical) = match column.kind {
            ColumnType::Text => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
            ColumnType::Whole => (PhysicalType::INT64, None),
            ColumnType::Real => (PhysicalType::DOUBLE, None),
            ColumnType::Flag => (PhysicalType::BOOLEAN, None),
        };
        let repetition =
            if column.is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        let field = Type::primitive_type_builder(&column.name, kind);
        field.with_repetition(repetition).with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    Type::group_type_builder("rows").with_fields(fields).build().map(Arc::new)
}

fn io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
