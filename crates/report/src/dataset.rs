//! The tables of a dataset as CSV and as Parquet, row by row.

use std::io::{self, Write};
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, StringDictionaryBuilder, UInt64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema as ArrowSchema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use treegauge_study::collect::{Column, ColumnType, Value};
use treegauge_study::csv_text;

/// Rows that are written together.
pub(crate) const BATCH: usize = 1 << 14;

/// Stands at the end of a Parquet file as the program that made it.
pub(crate) const CREATED_BY: &str = concat!("treegauge ", env!("CARGO_PKG_VERSION"));

/// A table that is written row by row, twice: as CSV and as Parquet.
pub struct TableWriter<C: Write, P: Write + Send> {
    csv: csv::Writer<C>,
    parquet: ArrowWriter<P>,
    schema: Arc<ArrowSchema>,
    columns: Vec<Cells>,
    rows: usize,
}

/// The cells of a column that wait to be written.
enum Cells {
    Text(StringDictionaryBuilder<Int32Type>),
    Whole(UInt64Builder),
    Real(Float64Builder),
}

impl Cells {
    fn of(kind: ColumnType) -> Cells {
        match kind {
            ColumnType::Text => Cells::Text(StringDictionaryBuilder::new()),
            ColumnType::Whole => Cells::Whole(UInt64Builder::new()),
            ColumnType::Real => Cells::Real(Float64Builder::new()),
        }
    }

    fn push(&mut self, cell: &Value<'_>) {
        match (self, cell) {
            (Cells::Text(cells), Value::Text(text)) => cells.append_value(text),
            (Cells::Whole(cells), Value::Whole(number)) => cells.append_value(*number),
            (Cells::Real(cells), Value::Real(number)) => cells.append_value(*number),
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

fn data_type(kind: ColumnType) -> DataType {
    match kind {
        ColumnType::Text => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        ColumnType::Whole => DataType::UInt64,
        ColumnType::Real => DataType::Float64,
    }
}

impl<C: Write, P: Write + Send> TableWriter<C, P> {
    /// A table with these columns and no rows.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    pub fn new(columns: &[Column], csv: C, parquet: P) -> io::Result<Self> {
        let field = |column: &Column| {
            let about = [("unit", column.unit), ("definition", column.definition)];
            Field::new(column.name, data_type(column.kind), false).with_metadata(about)
        };
        let schema = Arc::new(ArrowSchema::new(columns.iter().map(field).collect::<Vec<_>>()));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_created_by(CREATED_BY.to_owned())
            .build();
        let parquet =
            ArrowWriter::try_new(parquet, schema.clone(), Some(properties)).map_err(io)?;
        let mut csv = csv::Writer::from_writer(csv);
        csv.write_record(columns.iter().map(|column| column.name))?;
        let columns = columns.iter().map(|column| Cells::of(column.kind)).collect();
        Ok(TableWriter { csv, parquet, schema, columns, rows: 0 })
    }

    /// Adds a row: a cell for each column.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    ///
    /// # Panics
    ///
    /// When the cells are not those of the columns.
    pub fn row(&mut self, cells: &[Value<'_>]) -> io::Result<()> {
        assert_eq!(cells.len(), self.columns.len(), "a row has a cell for each column");
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(cell);
            match cell {
                Value::Text(text) => self.csv.write_field(csv_text(text).as_bytes())?,
                Value::Whole(number) => self.csv.write_field(number.to_string())?,
                Value::Real(number) => self.csv.write_field(number.to_string())?,
            }
        }
        self.csv.write_record(None::<&[u8]>)?;
        self.rows += 1;
        if self.rows == BATCH { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> io::Result<()> {
        self.rows = 0;
        let arrays = self.columns.iter_mut().map(Cells::take).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), arrays).map_err(io::Error::other)?;
        self.parquet.write(&batch).map_err(io)
    }

    /// Writes what is left, and gives the writers back.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    pub fn finish(mut self) -> io::Result<(C, P)> {
        self.write_batch()?;
        let csv = self.csv.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok((csv, self.parquet.into_inner().map_err(io)?))
    }
}

pub(crate) fn io(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}
