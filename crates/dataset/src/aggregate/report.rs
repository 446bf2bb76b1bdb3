//! Report of the attributes of a dataset.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use treegauge_core::{ReportHeader, ReportKind};

use super::Aggregate;
use crate::collect::TableCell;

/// Table with one row for each game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributesReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Names of the columns: `game`, counts, then attributes.
    pub columns: Vec<String>,
    /// Rows, each with a text or a number for every column.
    pub rows: Vec<Vec<Value>>,
}

impl ReportKind for AttributesReport {
    const KIND: &'static str = "attributes";

    fn check(&self) -> Result<(), String> {
        if self.rows.iter().any(|row| row.len() != self.columns.len()) {
            return Err("a row lacks cells".to_owned());
        }
        let is_cell = |cell: &Value| cell.is_string() || cell.is_number();
        match self.rows.iter().flatten().find(|cell| !is_cell(cell)) {
            Some(cell) => Err(format!("{cell} is neither a text nor a number")),
            None => Ok(()),
        }
    }
}

impl AttributesReport {
    /// Report of a table of attributes.
    #[must_use]
    pub fn of(table: &Aggregate) -> AttributesReport {
        let value = |cell: TableCell<'_>| match cell {
            TableCell::Text(text) => Value::from(text),
            TableCell::Whole(number) => number.into(),
            TableCell::Real(number) => number.into(),
        };
        let row = |game| table.cells(game).into_iter().map(value).collect();
        AttributesReport {
            head: ReportHeader::NEW,
            columns: table.columns().into_iter().map(|(name, _)| name).collect(),
            rows: table.games.iter().map(row).collect(),
        }
    }
}
