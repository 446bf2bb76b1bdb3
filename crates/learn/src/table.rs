//! Tables of numbers with named rows and columns.

use thiserror::Error;

/// Table of finite numbers: a row for each object, a column for each attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    names: Vec<String>,
    columns: Vec<String>,
    /// Values row by row.
    values: Vec<f64>,
}

/// Error for an invalid table.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// The number of values in a row differs from the number of columns.
    #[error("row {row:?} has {found} numbers for {expected} columns")]
    Length {
        /// Name of the row.
        row: String,
        /// Number of values in the row.
        found: usize,
        /// Number of columns.
        expected: usize,
    },
    /// Two rows have the same name.
    #[error("there are two rows named {0:?}")]
    SameRow(String),
    /// Two columns have the same name.
    #[error("there are two columns named {0:?}")]
    SameColumn(String),
    /// A number is infinite or NaN.
    #[error("column {column:?} of row {row:?} is {value}, and numbers must be finite")]
    NotFinite {
        /// Name of the row.
        row: String,
        /// Name of the column.
        column: String,
        /// Value at that place.
        value: f64,
    },
}

impl Table {
    /// Creates a table from columns and named rows.
    ///
    /// # Errors
    ///
    /// If a row has the wrong length, a name occurs twice, or a number is not finite.
    ///
    /// ```
    /// use treegauge_learn::Table;
    ///
    /// let columns = ["length", "width"].map(str::to_owned);
    /// let rows = [("a".to_owned(), vec![1.0, 2.0]), ("b".to_owned(), vec![3.0, f64::NAN])];
    /// assert!(Table::new(columns.into(), rows[..1].iter().cloned()).is_ok());
    /// assert!(Table::new(["length", "width"].map(str::to_owned).into(), rows).is_err());
    /// ```
    pub fn new(
        columns: Vec<String>,
        rows: impl IntoIterator<Item = (String, Vec<f64>)>,
    ) -> Result<Table, TableError> {
        let mut seen = std::collections::HashSet::new();
        if let Some(column) = columns.iter().find(|column| !seen.insert((*column).clone())) {
            return Err(TableError::SameColumn(column.clone()));
        }
        let (mut names, mut values) = (Vec::new(), Vec::new());
        seen.clear();
        for (row, cells) in rows {
            if cells.len() != columns.len() {
                let (found, expected) = (cells.len(), columns.len());
                return Err(TableError::Length { row, found, expected });
            }
            if let Some(n) = cells.iter().position(|value| !value.is_finite()) {
                let (column, value) = (columns[n].clone(), cells[n]);
                return Err(TableError::NotFinite { row, column, value });
            }
            if !seen.insert(row.clone()) {
                return Err(TableError::SameRow(row));
            }
            names.push(row);
            values.extend(cells);
        }
        Ok(Table { names, columns, values })
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Tests whether the table has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Returns the names of the rows.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the names of the columns.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the values of a row.
    ///
    /// # Panics
    ///
    /// If the row does not exist.
    #[must_use]
    pub fn row(&self, n: usize) -> &[f64] {
        let width = self.columns.len();
        &self.values[n * width..(n + 1) * width]
    }

    /// Returns the values of all rows, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        (0..self.len()).map(|n| self.row(n))
    }

    /// Returns the values of a column.
    ///
    /// # Panics
    ///
    /// If the column does not exist.
    pub fn column(&self, n: usize) -> impl Iterator<Item = f64> + '_ {
        assert!(n < self.columns.len(), "there is no column {n}");
        self.rows().map(move |row| row[n])
    }

    /// Returns the index of the row of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|one| one == name)
    }

    /// Returns a table of some of the columns, in this order.
    ///
    /// # Panics
    ///
    /// If a column does not exist.
    #[must_use]
    pub fn with_columns(&self, columns: &[usize]) -> Table {
        let values = self.rows().flat_map(|row| columns.iter().map(|&n| row[n])).collect();
        let names = columns.iter().map(|&n| self.columns[n].clone()).collect();
        Table { names: self.names.clone(), columns: names, values }
    }

    /// Returns a table of some of the rows, in this order; a row may occur more than once.
    ///
    /// # Panics
    ///
    /// If a row does not exist.
    #[must_use]
    pub fn with_rows(&self, rows: &[usize]) -> Table {
        Table {
            names: rows.iter().map(|&n| self.names[n].clone()).collect(),
            columns: self.columns.clone(),
            values: rows.iter().flat_map(|&n| self.row(n).iter().copied()).collect(),
        }
    }
}
