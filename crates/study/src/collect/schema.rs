//! The columns of the tables of a dataset.

use std::borrow::Cow;

use serde::Serialize;
use treegauge_search::FEATURES;

use super::{DatasetHeader, Instance, TreeRow};

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// A whole number.
    Whole(u64),
    /// A real number.
    Real(f64),
}

/// What the cells of a column hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Text.
    Text,
    /// Whole numbers from 0.
    Whole,
    /// Real numbers.
    Real,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// What the cells hold.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// The unit: `count`, `plies`, `share` (0 to 1), `value` (-1 to 1), or the square of one; empty for
    /// what has none.
    pub unit: &'static str,
    /// What the cells are.
    pub definition: &'static str,
}

const fn column(
    name: &'static str,
    kind: ColumnType,
    unit: &'static str,
    definition: &'static str,
) -> Column {
    Column { name, kind, unit, definition }
}

const GAME: Column = column("game", ColumnType::Text, "", "canonical name of the game");
const INSTANCE: Column =
    column("instance", ColumnType::Whole, "", "number of the instance of the game, from 0");
const ITERATIONS: Column =
    column("iterations", ColumnType::Whole, "count", "iterations of UCT per move");
const SEED: Column = column("seed", ColumnType::Whole, "", "seed of the instance");

/// The columns of the table of trees: one row for each search of each instance.
#[must_use]
pub fn tree_columns() -> Vec<Column> {
    let mut columns = vec![
        GAME,
        INSTANCE,
        column("ply", ColumnType::Whole, "plies", "plies played before the search"),
        column("player", ColumnType::Text, "", "player to move: first or second"),
    ];
    columns.extend(
        FEATURES
            .iter()
            .map(|feature| column(feature.name, ColumnType::Real, feature.unit, feature.meaning)),
    );
    columns.extend([
        ITERATIONS,
        SEED,
        column("move", ColumnType::Text, "", "move played: that with the best average"),
        column(
            "value",
            ColumnType::Real,
            "value",
            "average of the move played for the player to move, -1 to 1",
        ),
    ]);
    columns
}

/// The cells of a tree, in the order of [`tree_columns`].
pub fn tree_cells<'a>(row: &TreeRow<'a>, header: &DatasetHeader) -> Vec<Value<'a>> {
    let Instance { game, instance, seed, record, .. } = row.instance;
    let mut cells = vec![
        Value::Text(Cow::Borrowed(game)),
        Value::Whole(u64::from(*instance)),
        Value::Whole(row.ply as u64),
        Value::Text(Cow::Owned(row.player().to_string())),
    ];
    cells.extend(row.features().iter().map(|&value| Value::Real(value)));
    cells.extend([
        Value::Whole(u64::from(header.iterations)),
        Value::Whole(*seed),
        Value::Text(Cow::Borrowed(&record.plies[row.ply].m)),
        Value::Real(row.value()),
    ]);
    cells
}

/// The columns of the table of instances.
#[must_use]
pub fn instance_columns() -> Vec<Column> {
    vec![
        GAME,
        INSTANCE,
        column("plies", ColumnType::Whole, "plies", "length of the game"),
        column(
            "result",
            ColumnType::Real,
            "value",
            "result for the first player: 1 for a win, 0 for a draw, -1 for a loss",
        ),
        column(
            "ended_by",
            ColumnType::Text,
            "",
            "what ended the game: its rules (outcome), the third occurrence of a position \
             (repetition), plies without an irreversible move (draw_plies) or the ply cap (capped)",
        ),
        ITERATIONS,
        SEED,
        column("moves", ColumnType::Text, "", "all moves, separated by spaces"),
    ]
}

/// The cells of an instance, in the order of [`instance_columns`].
pub fn instance_cells<'a>(row: &'a Instance, header: &DatasetHeader) -> Vec<Value<'a>> {
    let Instance { game, instance, seed, record, .. } = row;
    let moves: Vec<&str> = record.moves().map(String::as_str).collect();
    vec![
        Value::Text(Cow::Borrowed(game)),
        Value::Whole(u64::from(*instance)),
        Value::Whole(record.len() as u64),
        Value::Real(f64::from(record.ended.outcome.value())),
        Value::Text(Cow::Borrowed(record.ended.by.name())),
        Value::Whole(u64::from(header.iterations)),
        Value::Whole(*seed),
        Value::Text(Cow::Owned(moves.join(" "))),
    ]
}

/// What the tables of a dataset hold, for people and programs that read them elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schema {
    /// What decides the rows.
    #[serde(flatten)]
    pub header: DatasetHeader,
    /// The columns of the table of trees.
    pub trees: Vec<Column>,
    /// The columns of the table of instances.
    pub instances: Vec<Column>,
}

impl Schema {
    /// The schema of a dataset.
    #[must_use]
    pub fn of(header: DatasetHeader) -> Self {
        Schema { header, trees: tree_columns(), instances: instance_columns() }
    }
}
