//! Tables on the terminal.

use std::ops::Range;

use comfy_table::{CellAlignment, ContentArrangement, Row, Table, presets};

use crate::terminal::Terminal;

/// A table without lines, the columns of `right` aligned to the right; ends in a line feed.
#[must_use]
pub fn table<R: Into<Row>>(
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    right: Range<usize>,
) -> String {
    table_on(Terminal::default(), header, rows, right)
}

/// The same, its cells wrapped to the columns of the terminal.
pub(crate) fn table_on<R: Into<Row>>(
    terminal: Terminal,
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    right: Range<usize>,
) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    if let Some(columns) = terminal.columns {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for n in right {
        if let Some(column) = table.column_mut(n) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt() + "\n"
}
