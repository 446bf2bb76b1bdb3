//! Tables as Parquet, row by row.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;
use treegauge_study::collect::ColumnType;

/// Rows that are written together.
const BATCH: usize = 1 << 14;

/// Stands at the end of a file as the program that made it.
const CREATED_BY: &str = concat!("treegauge ", env!("CARGO_PKG_VERSION"));

/// The name of the header of the run among the metadata of a file.
const RUN: &str = "treegauge";

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct ParquetColumn {
    pub(crate) name: String,
    pub(crate) kind: ColumnType,
    /// The metadata of the column.
    pub(crate) about: Vec<(&'static str, &'static str)>,
    /// Whether a cell may have no value.
    pub(crate) is_optional: bool,
    /// Whether no two cells are the same, so that a list of them would be a second column.
    pub(crate) is_unique: bool,
}

/// A cell of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ParquetCell<'a> {
    Text(&'a str),
    Whole(u64),
    Real(Option<f64>),
}

/// The cells of a column that wait to be written.
enum Cells {
    Text(StringBuilder),
    Whole(Int64Builder),
    Real(Float64Builder),
}

impl Cells {
    fn of(kind: ColumnType) -> Cells {
        match kind {
            ColumnType::Text => Cells::Text(StringBuilder::new()),
            ColumnType::Whole => Cells::Whole(Int64Builder::new()),
            ColumnType::Real => Cells::Real(Float64Builder::new()),
        }
    }

    fn push(&mut self, cell: ParquetCell<'_>) {
        match (self, cell) {
            (Cells::Text(cells), ParquetCell::Text(text)) => cells.append_value(text),
            (Cells::Whole(cells), ParquetCell::Whole(number)) => {
                cells.append_value(i64::try_from(number).expect("counts are below 2^63"));
            }
            (Cells::Real(cells), ParquetCell::Real(number)) => cells.append_option(number),
            _ => panic!("a cell is of the type of its column"),
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

/// A table that is written row by row. Whole numbers are signed, so that a difference of two of them is
/// one too.
pub(crate) struct ParquetTable<W: Write + Send> {
    writer: ArrowWriter<W>,
    schema: Arc<Schema>,
    cells: Vec<Cells>,
    rows: usize,
}

impl<W: Write + Send> ParquetTable<W> {
    /// A table without rows, of a run with this header.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub(crate) fn new(
        columns: &[ParquetColumn],
        run: &serde_json::Value,
        out: W,
    ) -> io::Result<Self> {
        let field = |column: &ParquetColumn| {
            let kind = match column.kind {
                ColumnType::Text => DataType::Utf8,
                ColumnType::Whole => DataType::Int64,
                ColumnType::Real => DataType::Float64,
            };
            let field = Field::new(&column.name, kind, column.is_optional);
            let about =
                column.about.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
            field.with_metadata(about.collect::<BTreeMap<String, String>>())
        };
        let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let run = KeyValue::new(RUN.to_owned(), run.to_string());
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(CREATED_BY.to_owned())
            .set_key_value_metadata(Some(vec![run]));
        for column in columns.iter().filter(|column| column.is_unique) {
            let path = ColumnPath::from(column.name.as_str());
            properties = properties.set_column_dictionary_enabled(path, false);
        }
        let writer =
            ArrowWriter::try_new(out, schema.clone(), Some(properties.build())).map_err(io)?;
        let cells = columns.iter().map(|column| Cells::of(column.kind)).collect();
        Ok(ParquetTable { writer, schema, cells, rows: 0 })
    }

    /// Adds a row: a cell for each column.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    ///
    /// # Panics
    ///
    /// When the cells are not those of the columns.
    pub(crate) fn row<'a>(
        &mut self,
        cells: impl ExactSizeIterator<Item = ParquetCell<'a>>,
    ) -> io::Result<()> {
        assert_eq!(cells.len(), self.cells.len(), "a row has a cell for each column");
        self.cells.iter_mut().zip(cells).for_each(|(column, cell)| column.push(cell));
        self.rows += 1;
        if self.rows == BATCH { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> io::Result<()> {
        self.rows = 0;
        let arrays = self.cells.iter_mut().map(Cells::take).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io::Error::other)?;
        self.writer.write(&batch).map_err(io)
    }

    /// Writes what is left, and gives the writer back.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write_batch()?;
        self.writer.into_inner().map_err(io)
    }
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
