//! Tables of datasets as CSV and as Parquet.

use std::io::{self, Write};

use treegauge_dataset::aggregate::Aggregate;
use treegauge_dataset::collect::{TableCell, TableColumn};

use crate::parquet_table::{ParquetCell, ParquetColumn, ParquetTable};

/// Writes a table row by row to two writers: as CSV and as Parquet.
pub struct TableWriter<C: Write, P: Write + Send> {
    csv: csv::Writer<C>,
    parquet: ParquetTable<P>,
}

impl<C: Write, P: Write + Send> TableWriter<C, P> {
    /// Creates a table with these columns and no rows. The Parquet file stores the header of the
    /// run as metadata.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    pub fn new(
        columns: &[TableColumn],
        run: &serde_json::Value,
        csv: C,
        parquet: P,
    ) -> io::Result<Self> {
        let mut csv = csv::Writer::from_writer(csv);
        csv.write_record(columns.iter().map(|column| column.name))?;
        let column = |column: &TableColumn| ParquetColumn {
            name: column.name.to_owned(),
            kind: column.kind,
            about: vec![("unit", column.unit), ("definition", column.definition)],
            is_optional: false,
            is_unique: column.is_unique,
        };
        let columns: Vec<ParquetColumn<'_>> = columns.iter().map(column).collect();
        Ok(TableWriter { csv, parquet: ParquetTable::new(&columns, run, parquet)? })
    }

    /// Adds a row: one cell per column.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    ///
    /// # Panics
    ///
    /// If the number of cells or their types differ from those of the columns.
    pub fn row(&mut self, cells: &[TableCell<'_>]) -> io::Result<()> {
        self.parquet.row(cells.iter().map(parquet_cell))?;
        for cell in cells {
            self.csv.write_field(cell.text().as_bytes())?;
        }
        Ok(self.csv.write_record(None::<&[u8]>)?)
    }

    /// Writes the remaining rows and returns both writers.
    ///
    /// # Errors
    ///
    /// Those of the writers.
    pub fn finish(self) -> io::Result<(C, P)> {
        let csv = self.csv.into_inner().map_err(csv::IntoInnerError::into_error)?;
        Ok((csv, self.parquet.finish()?))
    }
}

/// Attributes of games as a Parquet file, with the header of the run that measured them as
/// metadata.
///
/// # Errors
///
/// If the Parquet writer fails.
pub fn aggregate_parquet(aggregate: &Aggregate, run: &serde_json::Value) -> io::Result<Vec<u8>> {
    let column = |(name, kind)| ParquetColumn {
        name,
        kind,
        about: Vec::new(),
        is_optional: false,
        is_unique: false,
    };
    let columns: Vec<ParquetColumn<'_>> = aggregate.columns().into_iter().map(column).collect();
    let mut table = ParquetTable::new(&columns, run, Vec::new())?;
    for game in &aggregate.games {
        table.row(aggregate.cells(game).iter().map(parquet_cell))?;
    }
    table.finish()
}

fn parquet_cell<'a>(cell: &'a TableCell<'_>) -> ParquetCell<'a> {
    match cell {
        TableCell::Text(text) => ParquetCell::Text(text),
        TableCell::Whole(number) => ParquetCell::Whole(*number),
        TableCell::Real(number) => ParquetCell::Real(Some(*number)),
    }
}
