//! Tables with typed cells.

use std::ops::Range;

use comfy_table::{
    Attribute, CellAlignment, Color, ColumnConstraint, ContentArrangement, Row, Width, presets,
};

use crate::chart::CHART_CHARS;
use crate::terminal::{TextStyle, Tone};
use crate::words::Words;

/// Table with titled columns and typed cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Name for [`Doc::table`](crate::Doc::table) and for the CSV file.
    pub name: &'static str,
    /// Columns in order.
    pub columns: Vec<Column>,
    /// Rows, each with one cell per column.
    pub rows: Vec<Vec<Cell>>,
    /// Behaviour on a page that is too narrow.
    pub wrap: Wrap,
}

/// Behaviour of a table on a page that is too narrow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wrap {
    /// The words of its cells wrap.
    #[default]
    Cells,
    /// The table scrolls.
    Scroll,
    /// Each row becomes a card that shows the column title before each cell.
    Cards,
}

/// Column of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Column {
    /// Title of the column.
    pub title: String,
    /// Alignment of the cells.
    pub align: Align,
    /// Whether the cells are notes.
    pub is_note: bool,
    /// Media that show the column.
    pub medium: Medium,
}

/// Media that show a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Medium {
    /// Pages, CSV and terminals.
    #[default]
    All,
    /// Pages and CSV only: a terminal has less room.
    Pages,
    /// Terminals only.
    Terminal,
    /// Terminals with small charts only.
    Charts,
}

/// Alignment of the cells of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Left, for words.
    #[default]
    Left,
    /// Right, for numbers.
    Right,
    /// For numbers with intervals: right aligned, and allowed to wrap on pages.
    Interval,
}

/// Cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// Text shown.
    pub text: String,
    /// Value behind the text.
    pub value: Value,
    /// Judgement shown as a colour; `None` for a neutral cell.
    pub tone: Option<Tone>,
    /// Note below the text; shown only on pages.
    pub note: String,
    /// Details hidden behind the text until the reader opens them; shown only on pages.
    pub details: Vec<Words>,
    /// Share of points, 0 to 1, that colours the cell on pages: from red through white to blue.
    pub heat: Option<f64>,
}

/// Value of a cell, for programs.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Value {
    /// The text itself.
    #[default]
    Text,
    /// Whole number.
    Count(u64),
    /// Number in the unit of its column.
    Number(f64),
    /// Missing value: nothing was measured.
    Missing,
}

impl Table {
    /// Creates a table without rows.
    #[must_use]
    pub fn new(name: &'static str, columns: impl IntoIterator<Item = Column>) -> Table {
        Table { name, columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// Sets the behaviour on a narrow page.
    #[must_use]
    pub fn wrapped(self, wrap: Wrap) -> Table {
        Table { wrap, ..self }
    }

    /// Appends a row.
    ///
    /// # Panics
    ///
    /// If the number of cells is not that of the columns.
    pub fn push<C: Into<Cell>>(&mut self, row: impl IntoIterator<Item = C>) {
        let row: Vec<Cell> = row.into_iter().map(Into::into).collect();
        assert_eq!(row.len(), self.columns.len(), "a row of {} has all cells", self.name);
        self.rows.push(row);
    }

    /// Writes the table as CSV with a header. Numbers are unrounded, without units and digit
    /// grouping; other cells are their text. Lines end in a line feed.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut out = csv::Writer::from_writer(Vec::new());
        let written = "a vector takes all bytes";
        out.write_record(self.page_columns().map(|column| &column.title)).expect(written);
        for row in &self.rows {
            let cells = self.page_cells(row);
            out.write_record(cells.map(|(cell, _)| cell.csv())).expect(written);
        }
        String::from_utf8(out.into_inner().expect(written)).expect("all cells are text")
    }

    /// Returns the columns that pages and CSV show.
    pub(crate) fn page_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().filter(|column| column.medium.is_on_pages())
    }

    /// Returns the cells of a row in these columns.
    pub(crate) fn page_cells<'a>(
        &'a self,
        row: &'a [Cell],
    ) -> impl Iterator<Item = (&'a Cell, &'a Column)> {
        row.iter().zip(&self.columns).filter(|(_, column)| column.medium.is_on_pages())
    }

    /// Writes the table for a terminal, ending in a line feed.
    pub(crate) fn text(&self, terminal: TextStyle) -> String {
        let mut table = lined(terminal);
        let is_shown = |column: &&Column| column.medium.is_on(terminal);
        let columns = || self.columns.iter().filter(is_shown);
        table.set_header(columns().map(|column| &column.title));
        for row in &self.rows {
            let cells = row.iter().zip(&self.columns).filter(|(_, column)| is_shown(column));
            table.add_row(cells.map(|(cell, _)| cell.on_terminal()));
        }
        for (n, column) in columns().enumerate() {
            let Some(shown) = table.column_mut(n) else { continue };
            if column.align != Align::Left {
                shown.set_cell_alignment(CellAlignment::Right);
            }
            if column.medium == Medium::Charts {
                // A chart that wraps shows nothing. There is a space on either side of it.
                let width = Width::Fixed(CHART_CHARS as u16 + 2);
                shown.set_constraint(ColumnConstraint::LowerBoundary(width));
            }
        }
        table.trim_fmt() + "\n"
    }
}

impl Medium {
    const fn is_on_pages(self) -> bool {
        matches!(self, Medium::All | Medium::Pages)
    }

    const fn is_on(self, terminal: TextStyle) -> bool {
        match self {
            Medium::All | Medium::Terminal => true,
            Medium::Pages => false,
            Medium::Charts => terminal.charts,
        }
    }
}

impl Column {
    /// Creates a column of words.
    #[must_use]
    pub fn left(title: impl Into<String>) -> Column {
        Column { title: title.into(), ..Column::default() }
    }

    /// Creates a column of numbers.
    #[must_use]
    pub fn right(title: impl Into<String>) -> Column {
        Column { title: title.into(), align: Align::Right, ..Column::default() }
    }

    /// Creates a column of numbers with intervals.
    #[must_use]
    pub fn interval(title: impl Into<String>) -> Column {
        Column { title: title.into(), align: Align::Interval, ..Column::default() }
    }

    /// Creates a column of small charts; its title is the scale.
    #[must_use]
    pub fn chart(scale: impl Into<String>) -> Column {
        Column::left(scale).only(Medium::Charts)
    }

    /// Limits the column to some media.
    #[must_use]
    pub fn only(self, medium: Medium) -> Column {
        Column { medium, ..self }
    }

    /// Creates a column of notes.
    #[must_use]
    pub fn note(title: impl Into<String>) -> Column {
        Column { title: title.into(), is_note: true, ..Column::default() }
    }
}

impl Cell {
    /// Creates a cell for a whole number.
    #[must_use]
    pub fn count(n: u64) -> Cell {
        Cell { text: n.to_string(), value: Value::Count(n), ..Cell::default() }
    }

    /// Creates a cell for a number whose text may be rounded; `None` means missing.
    #[must_use]
    pub fn number(text: impl Into<String>, value: Option<f64>) -> Cell {
        let value = value.map_or(Value::Missing, Value::Number);
        Cell { text: text.into(), value, ..Cell::default() }
    }

    /// Adds a judgement, shown as a colour.
    #[must_use]
    pub fn toned(self, tone: Tone) -> Cell {
        Cell { tone: Some(tone), ..self }
    }

    /// Adds a note below the text.
    #[must_use]
    pub fn noted(self, note: impl Into<String>) -> Cell {
        Cell { note: note.into(), ..self }
    }

    /// Adds details that a reader may open.
    #[must_use]
    pub fn detailed(self, details: Vec<Words>) -> Cell {
        Cell { details, ..self }
    }

    fn csv(&self) -> String {
        match self.value {
            Value::Text => self.text.clone(),
            Value::Count(n) => n.to_string(),
            Value::Number(x) => x.to_string(),
            Value::Missing => String::new(),
        }
    }

    fn on_terminal(&self) -> comfy_table::Cell {
        let cell = comfy_table::Cell::new(&self.text);
        match self.tone {
            Some(Tone::Bad) => cell.fg(Color::DarkRed).add_attribute(Attribute::Bold),
            Some(Tone::Undecided) => cell.fg(Color::DarkYellow),
            Some(Tone::Good) => cell.fg(Color::DarkGreen),
            None => cell,
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell { text: text.into(), ..Cell::default() }
    }
}

impl From<&Cell> for Words {
    fn from(cell: &Cell) -> Words {
        Words::from(cell.text.as_str())
    }
}

/// Creates a table without rules, as wide as the terminal and coloured if the terminal has colours.
fn lined(terminal: TextStyle) -> comfy_table::Table {
    let mut table = comfy_table::Table::new();
    table.load_style(presets::NOTHING);
    if let Some(columns) = terminal.columns {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    }
    if terminal.colour {
        table.enforce_styling();
    } else {
        table.force_no_tty();
    }
    table
}

/// Writes a table of texts without rules, with the columns of `right` aligned to the right; ends in
/// a line feed.
#[must_use]
pub fn plain_table<R: Into<Row>>(
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    right: Range<usize>,
) -> String {
    plain_table_on(TextStyle::default(), header, rows, right)
}

/// Like [`plain_table`], with cells wrapped to the width of the terminal.
#[must_use]
pub fn plain_table_on<R: Into<Row>>(
    terminal: TextStyle,
    header: impl Into<Row>,
    rows: impl IntoIterator<Item = R>,
    right: Range<usize>,
) -> String {
    let mut table = lined(terminal);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn measures() -> Table {
        let columns = [Column::left("measure"), Column::interval("value"), Column::right("n")];
        let mut table = Table::new("measures", columns);
        table.push([
            Cell::from("draws, of all"),
            Cell::number("5%", Some(0.05)).toned(Tone::Bad),
            Cell::count(1_000),
        ]);
        table.push([Cell::from("drama"), Cell::number("-", None), Cell::count(0)]);
        table
    }

    #[test]
    fn csv_has_numbers_as_they_are() {
        assert_eq!(measures().csv(), "measure,value,n\n\"draws, of all\",0.05,1000\ndrama,,0\n");
    }

    #[test]
    fn numbers_are_on_the_right_and_colours_take_no_width() {
        let plain = measures().text(TextStyle::default());
        assert_eq!(
            plain,
            " measure        value     n\n draws, of all     5%  1000\n drama              -     0\n"
        );
        let coloured =
            measures().text(TextStyle { columns: Some(80), colour: true, ..TextStyle::default() });
        assert!(coloured.contains("\x1b["), "{coloured}");
        let mut bare = String::new();
        let mut rest = coloured.as_str();
        while let Some((before, after)) = rest.split_once("\x1b[") {
            bare.push_str(before);
            rest = after.split_once('m').unwrap().1;
        }
        assert_eq!(bare + rest, plain);
    }

    #[test]
    #[should_panic(expected = "a row of measures has all cells")]
    fn a_row_without_all_cells_is_refused() {
        measures().push(["draws"]);
    }
}
