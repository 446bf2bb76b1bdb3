//! Tables in memory, column by column: rows of datasets, nodes of trees and lists of reports.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;

use serde_json::{Map, Value, json};
use treegauge_catalog::GameSpec;
use treegauge_core::Watch;
use treegauge_dataset::collect::{ColumnType, TableCell};
use treegauge_dataset::{LabelledGame, WILLIAMS_2010};
use treegauge_report::{ParquetCell, ParquetColumn, ParquetTable};
use treegauge_search::picture::Outline;

use crate::dataset::{DatasetTable, dataset_rows};
use crate::lists::{corpus, ratings};
use crate::records::bad;
use crate::{Error, ErrorKind};

/// A table in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Columns of equal length.
    pub columns: Vec<Column>,
    /// Header of the run that made the rows; null if there is none.
    pub run: Value,
}

/// A column of a [`Table`].
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Name, which no other column of the table has.
    pub name: String,
    /// Unit: `count`, `plies`, `share` (0 to 1) or `value` (-1 to 1); empty if there is none.
    pub unit: Cow<'static, str>,
    /// Definition of the values, in words; empty if the report of the table defines them.
    pub definition: Cow<'static, str>,
    /// Whether its texts are few words that come again and again.
    pub repeats: bool,
    /// Cells.
    pub values: Values,
}

/// Cells of a column; `None` for a cell without a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Texts.
    Text(Vec<Option<String>>),
    /// Integers.
    Whole(Vec<Option<i64>>),
    /// Real numbers.
    Real(Vec<Option<f64>>),
    /// Truth values.
    Flag(Vec<Option<bool>>),
}

impl Values {
    /// No cells of a type.
    #[must_use]
    pub fn new(kind: ColumnType) -> Values {
        match kind {
            ColumnType::Text => Values::Text(Vec::new()),
            ColumnType::Whole => Values::Whole(Vec::new()),
            ColumnType::Real => Values::Real(Vec::new()),
            ColumnType::Flag => Values::Flag(Vec::new()),
        }
    }

    /// Type of the cells.
    #[must_use]
    pub fn kind(&self) -> ColumnType {
        match self {
            Values::Text(_) => ColumnType::Text,
            Values::Whole(_) => ColumnType::Whole,
            Values::Real(_) => ColumnType::Real,
            Values::Flag(_) => ColumnType::Flag,
        }
    }

    /// Number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Text(cells) => cells.len(),
            Values::Whole(cells) => cells.len(),
            Values::Real(cells) => cells.len(),
            Values::Flag(cells) => cells.len(),
        }
    }

    /// Tests whether there are no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tests whether some cell has no value.
    #[must_use]
    pub fn has_gaps(&self) -> bool {
        match self {
            Values::Text(cells) => cells.iter().any(Option::is_none),
            Values::Whole(cells) => cells.iter().any(Option::is_none),
            Values::Real(cells) => cells.iter().any(Option::is_none),
            Values::Flag(cells) => cells.iter().any(Option::is_none),
        }
    }

    /// Value of a cell as JSON; null if it has none.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn json(&self, row: usize) -> Value {
        match self {
            Values::Text(cells) => cells[row].as_deref().into(),
            Values::Whole(cells) => cells[row].into(),
            Values::Real(cells) => cells[row].into(),
            Values::Flag(cells) => cells[row].into(),
        }
    }

    fn clear(&mut self) {
        *self = Values::new(self.kind());
    }

    fn push(&mut self, cell: &TableCell<'_>) {
        match (self, cell) {
            (Values::Text(cells), TableCell::Text(text)) => cells.push(Some(text.to_string())),
            (Values::Whole(cells), TableCell::Whole(number)) => {
                cells.push(Some(i64::try_from(*number).expect("counts are below 2^63")));
            }
            (Values::Real(cells), TableCell::Real(number)) => cells.push(Some(*number)),
            _ => panic!("a cell is of the type of its column"),
        }
    }

    fn parquet(&self, row: usize) -> ParquetCell<'_> {
        let cell = match self {
            Values::Text(cells) => cells[row].as_deref().map(ParquetCell::Text),
            Values::Whole(cells) => cells[row].map(ParquetCell::Signed),
            Values::Real(cells) => cells[row].map(|number| ParquetCell::Real(Some(number))),
            Values::Flag(cells) => cells[row].map(ParquetCell::Flag),
        };
        cell.unwrap_or(ParquetCell::Missing)
    }
}

impl Column {
    fn new(name: &str, values: Values) -> Column {
        Column {
            name: name.to_owned(),
            unit: Cow::Borrowed(""),
            definition: Cow::Borrowed(""),
            repeats: false,
            values,
        }
    }

    fn parquet(&self) -> ParquetColumn<'_> {
        ParquetColumn {
            name: self.name.clone(),
            kind: self.values.kind(),
            about: match &*self.definition {
                "" => Vec::new(),
                definition => vec![("unit", &*self.unit), ("definition", definition)],
            },
            is_optional: self.values.has_gaps(),
            is_unique: !self.repeats,
        }
    }
}

impl Table {
    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Tests whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Table of a dataset in a folder, which may be incomplete.
    ///
    /// # Errors
    ///
    /// If the folder does not hold a dataset or is damaged, or `watch` says stop.
    pub fn of_dataset(
        folder: &Path,
        table: DatasetTable,
        watch: &dyn Watch,
    ) -> Result<Table, Error> {
        let column = |column: &treegauge_dataset::collect::TableColumn| Column {
            name: column.name.to_owned(),
            unit: column.unit.into(),
            definition: column.definition.into(),
            repeats: !column.is_unique,
            values: Values::new(column.kind),
        };
        let mut columns: Vec<Column> = table.columns().iter().map(column).collect();
        let run = dataset_rows(folder, table, watch, &mut |cells| match cells {
            Some(cells) => {
                columns.iter_mut().zip(cells).for_each(|(column, cell)| column.values.push(cell));
            }
            None => columns.iter_mut().for_each(|column| column.values.clear()),
        })?;
        Ok(Table { columns, run })
    }

    /// Table of the nodes of a search tree, parents first, the root with `id` 0 and no parent. The
    /// column `links` has the number of moves to nodes with another parent, which only a web has.
    #[must_use]
    pub fn of_tree(tree: &Outline) -> Table {
        let nodes = &tree.nodes;
        let whole = |value: &dyn Fn(usize) -> Option<i64>| {
            Values::Whole((0..nodes.len()).map(value).collect())
        };
        let text = |value: &dyn Fn(usize) -> String| {
            Values::Text((0..nodes.len()).map(|at| Some(value(at))).collect())
        };
        let flag = |value: &dyn Fn(usize) -> bool| {
            Values::Flag((0..nodes.len()).map(|at| Some(value(at))).collect())
        };
        let mean = nodes.iter().map(|node| Some(node.mean_for_first)).collect();
        let made = [
            ("id", "", "number of the node, the root 0", whole(&|at| Some(at as i64))),
            (
                "parent",
                "",
                "number of the parent; none at the root",
                whole(&|at| nodes[at].parent.map(|parent| parent as i64)),
            ),
            ("depth", "plies", "plies from the root", whole(&|at| Some(nodes[at].depth.into()))),
            ("move", "", "move that leads to the node", text(&|at| nodes[at].m.clone())),
            ("turn", "", "player to move", text(&|at| nodes[at].turn.to_string())),
            ("visits", "count", "visits of the node", whole(&|at| Some(nodes[at].visits.into()))),
            (
                "mean_score_for_first",
                "value",
                "mean result for the first player",
                Values::Real(mean),
            ),
            ("proved", "", "whether the value is proved", flag(&|at| nodes[at].proved)),
            (
                "legal_moves",
                "count",
                "legal moves of the position; 0 if the game is over",
                whole(&|at| Some(nodes[at].legal_moves.into())),
            ),
            (
                "principal_variation",
                "",
                "whether the node is on the principal variation",
                flag(&|at| nodes[at].principal),
            ),
            (
                "links",
                "count",
                "moves to nodes that have another parent",
                whole(&|at| Some(nodes[at].links.len() as i64)),
            ),
        ];
        let columns = made.into_iter().map(|(name, unit, definition, values)| {
            let repeats = matches!(values, Values::Text(_));
            let (unit, definition) = (unit.into(), definition.into());
            Column { name: name.to_owned(), unit, definition, repeats, values }
        });
        let run = json!({
            "game": tree.game, "position": tree.position, "iterations": tree.iterations,
            "cp": tree.cp, "seed": tree.seed, "version": env!("CARGO_PKG_VERSION"),
        });
        Table { columns: columns.collect(), run }
    }

    /// Table of a list of JSON objects, with the columns in the order in which their keys appear.
    /// A column has integers if all its values are, real numbers if all are numbers, and text
    /// otherwise. Objects within objects are spread over columns with names such as `score.low`;
    /// lists become texts of JSON.
    ///
    /// # Errors
    ///
    /// If a row is not an object; [`ErrorKind::Data`].
    pub fn of_rows(rows: &[Value], run: Value) -> Result<Table, Error> {
        let mut flat = Vec::new();
        for row in rows {
            let Value::Object(row) = row else {
                return Err(bad("a row is not an object".to_owned()));
            };
            let mut cells = Map::new();
            spread("", row, &mut cells);
            flat.push(cells);
        }
        let mut seen = HashSet::new();
        let names: Vec<&String> =
            flat.iter().flat_map(Map::keys).filter(|name| seen.insert(name.as_str())).collect();
        let columns = names.into_iter().map(|name| {
            let cells: Vec<&Value> =
                flat.iter().map(|row| row.get(name).unwrap_or(&Value::Null)).collect();
            Column::new(name, values_of(&cells))
        });
        Ok(Table { columns: columns.collect(), run })
    }

    /// Table with these columns, whose cells are those of the rows, JSON objects. A cell of another
    /// type than its column has no value.
    #[must_use]
    pub fn with_columns(mut columns: Vec<Column>, rows: &[Value], run: Value) -> Table {
        for Column { name, values, .. } in &mut columns {
            let cells = rows.iter().map(|row| row.get(&*name).unwrap_or(&Value::Null));
            match values {
                Values::Text(texts) => {
                    texts.extend(cells.map(|cell| cell.as_str().map(str::to_owned)));
                }
                Values::Whole(numbers) => numbers.extend(cells.map(Value::as_i64)),
                Values::Real(numbers) => numbers.extend(cells.map(Value::as_f64)),
                Values::Flag(flags) => flags.extend(cells.map(Value::as_bool)),
            }
        }
        Table { columns, run }
    }

    /// Labelled games of a file, or those of Williams 2010, with their canonical names.
    ///
    /// # Errors
    ///
    /// As [`corpus`].
    ///
    /// ```
    /// let table = treegauge::Table::of_corpus(None).unwrap();
    /// assert_eq!(table.len(), 28);
    /// assert_eq!(table.columns[1].name, "canonical");
    /// ```
    pub fn of_corpus(path: Option<&Path>) -> Result<Table, Error> {
        let read = path.map(corpus).transpose()?;
        let games = read.as_ref().map_or(&WILLIAMS_2010.games, |corpus| &corpus.games);
        let row = |game: &LabelledGame| -> Result<Value, Error> {
            Ok(json!({
                "game": game.game,
                "canonical": GameSpec::parse(&game.game).map_err(Error::from)?.canonical(),
                "playable": game.playable,
                "rating": game.rating,
                "group": game.group,
                "by": game.by,
                "reason": game.reason,
            }))
        };
        let rows = games.iter().map(row).collect::<Result<Vec<Value>, Error>>()?;
        Table::of_rows(&rows, Value::Null)
    }

    /// People's ratings of games of a file, with canonical names.
    ///
    /// # Errors
    ///
    /// As [`ratings`].
    pub fn of_ratings(path: &Path) -> Result<Table, Error> {
        let rows: Vec<Value> = ratings(path)?
            .games
            .iter()
            .map(|game| {
                json!({
                    "canonical": game.game, "category": game.category, "fun": game.fun,
                    "payoff": game.payoff,
                })
            })
            .collect();
        Table::of_rows(&rows, Value::Null)
    }

    /// Writes the table as comma-separated values, with a line of names.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_csv(&self, out: &mut dyn Write) -> Result<(), Error> {
        let mut csv = csv::Writer::from_writer(out);
        let io = |error: csv::Error| Error::from(std::io::Error::from(error));
        csv.write_record(self.columns.iter().map(|column| &column.name)).map_err(io)?;
        for row in 0..self.len() {
            let cells = self.columns.iter().map(|column| match column.values.parquet(row) {
                ParquetCell::Text(text) => TableCell::Text(text.into()).text().into_owned(),
                ParquetCell::Real(Some(number)) => TableCell::Real(number).text().into_owned(),
                ParquetCell::Signed(number) => number.to_string(),
                ParquetCell::Flag(flag) => flag.to_string(),
                _ => String::new(),
            });
            csv.write_record(cells.collect::<Vec<_>>()).map_err(io)?;
        }
        Ok(csv.flush()?)
    }

    /// Writes the table as Parquet, with the header of the run and the descriptions of the columns
    /// as metadata.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    pub fn write_parquet(&self, out: &mut (dyn Write + Send)) -> Result<(), Error> {
        let columns: Vec<ParquetColumn<'_>> = self.columns.iter().map(Column::parquet).collect();
        let mut table = ParquetTable::new(&columns, &self.run, out)?;
        for row in 0..self.len() {
            let cells: Vec<ParquetCell<'_>> =
                self.columns.iter().map(|column| column.values.parquet(row)).collect();
            table.row(cells.into_iter())?;
        }
        table.finish()?;
        Ok(())
    }

    /// Rows as JSON objects.
    ///
    /// # Errors
    ///
    /// Never for finite numbers.
    pub fn to_json(&self) -> Result<String, Error> {
        self.head_to_json(self.len())
    }

    /// The first rows, at most `count`, as JSON objects.
    ///
    /// # Errors
    ///
    /// As [`Table::to_json`].
    pub fn head_to_json(&self, count: usize) -> Result<String, Error> {
        let row = |row: usize| -> Map<String, Value> {
            let cells = self.columns.iter();
            cells.map(|column| (column.name.clone(), column.values.json(row))).collect()
        };
        let rows: Vec<Map<String, Value>> = (0..count.min(self.len())).map(row).collect();
        serde_json::to_string(&rows).map_err(|error| Error::new(ErrorKind::Internal, error))
    }
}

fn spread(prefix: &str, object: &Map<String, Value>, cells: &mut Map<String, Value>) {
    for (key, value) in object {
        let name = format!("{prefix}{key}");
        match value {
            Value::Object(inner) => spread(&format!("{name}."), inner, cells),
            value => _ = cells.insert(name, value.clone()),
        }
    }
}

fn values_of(cells: &[&Value]) -> Values {
    let all = |is: &dyn Fn(&Value) -> bool| cells.iter().all(|cell| cell.is_null() || is(cell));
    if cells.iter().all(|cell| cell.is_null()) || all(&|cell| cell.is_f64() || cell.is_number()) {
        if cells.iter().any(|cell| !cell.is_null()) && all(&Value::is_i64) {
            return Values::Whole(cells.iter().map(|cell| cell.as_i64()).collect());
        }
        return Values::Real(cells.iter().map(|cell| cell.as_f64()).collect());
    }
    if all(&Value::is_boolean) {
        return Values::Flag(cells.iter().map(|cell| cell.as_bool()).collect());
    }
    let text = |cell: &&Value| match cell {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    Values::Text(cells.iter().map(text).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_take_the_narrowest_type_that_holds_their_cells() {
        let rows = [
            json!({"a": 1, "b": 1, "c": "x", "d": true, "e": {"f": null, "g": [1]}}),
            json!({"a": -2, "b": 0.5, "c": 3, "h": 1}),
        ];
        let table = Table::of_rows(&rows, Value::Null).unwrap();
        let found =
            |name: &str| &table.columns.iter().find(|column| column.name == name).unwrap().values;
        assert_eq!(found("a"), &Values::Whole(vec![Some(1), Some(-2)]));
        assert_eq!(found("b"), &Values::Real(vec![Some(1.0), Some(0.5)]));
        assert_eq!(found("c"), &Values::Text(vec![Some("x".into()), Some("3".into())]));
        assert_eq!(found("d"), &Values::Flag(vec![Some(true), None]));
        assert_eq!(found("e.f"), &Values::Real(vec![None, None]));
        assert_eq!(found("e.g"), &Values::Text(vec![Some("[1]".into()), None]));
        assert_eq!(found("h"), &Values::Whole(vec![None, Some(1)]));
        let mut csv = Vec::new();
        table.write_csv(&mut csv).unwrap();
        let csv = String::from_utf8(csv).unwrap();
        assert_eq!(csv, "a,b,c,d,e.f,e.g,h\n1,1.0,x,true,,[1],\n-2,0.5,3,,,,1\n");
        let mut parquet = Vec::new();
        table.write_parquet(&mut parquet).unwrap();
        assert_eq!(&parquet[..4], b"PAR1");
        assert!(Table::of_rows(&[json!(1)], Value::Null).is_err());
    }
}
