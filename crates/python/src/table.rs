//! Tables, shared with other libraries by the Arrow C stream interface.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use serde_json::Value;
use treegauge::{DatasetTable, Error, ErrorKind};

use crate::arrow::batch_of;
use crate::errors::{OrRaise, caught, of_class};
use crate::wait::{Caller, wait, whole};

/// Name, type, unit and definition of a column.
type ColumnWords = (String, String, String, String);

/// A table with named columns.
#[pyclass(module = "treegauge._treegauge", frozen)]
#[derive(Clone)]
pub(crate) struct Table {
    table: Arc<treegauge::Table>,
    batch: Arc<std::sync::OnceLock<RecordBatch>>,
}

impl Table {
    pub(crate) fn new(table: treegauge::Table) -> Table {
        Table { table: Arc::new(table), batch: Arc::default() }
    }

    /// The columns for Arrow. They are made once, so that all takers share their memory.
    fn batch(&self, py: Python<'_>) -> PyResult<&RecordBatch> {
        if self.batch.get().is_none() {
            let made = batch_of(&self.table);
            let made = made.map_err(|error| Error::new(ErrorKind::Internal, error)).or_raise(py)?;
            // Another thread may have been faster with the same columns.
            _ = self.batch.set(made);
        }
        self.batch.get().ok_or_else(|| of_class(py, "InternalError", "the columns are missing"))
    }

    fn written(
        &self,
        py: Python<'_>,
        path: PathBuf,
        write: fn(&treegauge::Table, &mut BufWriter<File>) -> Result<(), Error>,
    ) -> PyResult<()> {
        let table = self.table.clone();
        let done = py.detach(|| {
            caught(|| {
                let refused = |error: std::io::Error| {
                    let message = format!("cannot write {}: {error}", path.display());
                    Error::new(ErrorKind::Write, message)
                };
                let mut out = BufWriter::new(File::create(&path).map_err(refused)?);
                write(&table, &mut out)?;
                out.flush().map_err(refused)
            })
        });
        done.or_raise(py)
    }
}

#[pymethods]
impl Table {
    /// A table of a list of JSON objects; `run` is the header of the run that made them, as JSON.
    #[staticmethod]
    #[pyo3(signature = (rows, run="null"))]
    fn of_json(py: Python<'_>, rows: &str, run: &str) -> PyResult<Table> {
        let bad = |error: serde_json::Error| Error::new(ErrorKind::Data, error);
        let rows: Vec<Value> = serde_json::from_str(rows).map_err(bad).or_raise(py)?;
        let run: Value = serde_json::from_str(run).map_err(bad).or_raise(py)?;
        treegauge::Table::of_rows(&rows, run).map(Table::new).or_raise(py)
    }

    /// The table of a pickle.
    #[staticmethod]
    fn _again(py: Python<'_>, rows: &str, run: &str, columns: Vec<ColumnWords>) -> PyResult<Table> {
        let bad = |error: serde_json::Error| Error::new(ErrorKind::Data, error);
        let rows: Vec<Value> = serde_json::from_str(rows).map_err(bad).or_raise(py)?;
        let run: Value = serde_json::from_str(run).map_err(bad).or_raise(py)?;
        let column = |(name, kind, unit, definition): ColumnWords| {
            crate::arrow::column_of(name, &kind, unit, definition)
        };
        let columns = columns.into_iter().map(column).collect();
        Ok(Table::new(treegauge::Table::with_columns(columns, &rows, run)))
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.table.len()
    }

    /// Names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        self.table.columns.iter().map(|column| column.name.clone()).collect()
    }

    /// Columns: name, type, unit and definition of each.
    #[getter]
    fn _columns(&self, py: Python<'_>) -> PyResult<Vec<ColumnWords>> {
        let schema = self.batch(py)?.schema();
        let columns = self.table.columns.iter().zip(schema.fields());
        let words = columns.map(|(column, field)| {
            let kind = crate::arrow::type_words(field.data_type());
            let (unit, definition) = (column.unit.to_string(), column.definition.to_string());
            (column.name.clone(), kind.to_owned(), unit, definition)
        });
        Ok(words.collect())
    }

    /// The header of the run that made the rows, as JSON.
    #[getter]
    fn _run(&self) -> String {
        self.table.run.to_string()
    }

    /// The rows as JSON, a list of objects: all, or the first ones.
    #[pyo3(signature = (count=None))]
    fn _json(&self, py: Python<'_>, count: Option<usize>) -> PyResult<String> {
        let count = count.unwrap_or(usize::MAX);
        py.detach(|| caught(|| self.table.head_to_json(count))).or_raise(py)
    }

    /// The stream of the rows as a capsule. It can be taken any number of times.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The rows have one form; takers cast.
        drop(requested_schema);
        let batch = self.batch(py)?.clone();
        let schema = batch.schema();
        let reader = RecordBatchIterator::new([Ok(batch)], schema);
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The schema of the rows as a capsule.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.batch(py)?.schema());
        let schema = schema.map_err(|error| Error::new(ErrorKind::Internal, error)).or_raise(py)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// Writes the table as Parquet.
    fn write_parquet(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.written(py, path, |table, out| table.write_parquet(out))
    }

    /// Writes the table as comma-separated values.
    fn write_csv(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        self.written(py, path, |table, out| table.write_csv(out))
    }
}

/// A table of a dataset in a folder: `trees`, `instances` or `player_games`.
#[pyfunction]
pub(crate) fn dataset_table(py: Python<'_>, folder: PathBuf, table: &str) -> PyResult<Table> {
    let table = match table {
        "trees" => DatasetTable::Trees,
        "instances" => DatasetTable::Instances,
        "player_games" => DatasetTable::PlayerGames,
        other => {
            let message = format!("unknown table {other:?}: trees, instances or player_games");
            return Err(of_class(py, "UsageError", &message));
        }
    };
    let caller = Caller { threads: Some(1), ..Caller::default() };
    let read =
        move |watch: &crate::wait::Shared| treegauge::Table::of_dataset(&folder, table, watch);
    whole(py, wait(py, &caller, read)).map(Table::new)
}

/// Labelled games of a file in TOML; without one, those of Williams 2010.
#[pyfunction]
#[pyo3(signature = (path=None))]
pub(crate) fn corpus_table(py: Python<'_>, path: Option<PathBuf>) -> PyResult<Table> {
    let read = py.detach(|| caught(|| treegauge::Table::of_corpus(path.as_deref())));
    read.map(Table::new).or_raise(py)
}

/// People's ratings of games of a file.
#[pyfunction]
pub(crate) fn ratings_table(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let read = py.detach(|| caught(|| treegauge::Table::of_ratings(&path)));
    read.map(Table::new).or_raise(py)
}
