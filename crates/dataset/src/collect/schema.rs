//! Columns of the tables of a dataset.

use std::borrow::Cow;

use serde::Serialize;
use treegauge_core::seed_json::digits;
use treegauge_search::FEATURES;
use treegauge_store::csv_text;

use super::{DatasetHeader, Instance, PlayerGameRow, TreeRow};

/// Cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell<'a> {
    /// Text.
    Text(Cow<'a, str>),
    /// Integer from 0.
    Whole(u64),
    /// Real number.
    Real(f64),
}

impl TableCell<'_> {
    /// Cell as CSV text. A real number has a point or an exponent, so that no reader takes a column
    /// of them for integers.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            TableCell::Text(text) => csv_text(text),
            TableCell::Whole(number) => Cow::Owned(number.to_string()),
            TableCell::Real(number) => Cow::Owned(format!("{number:?}")),
        }
    }
}

/// Type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ColumnType {
    /// Text.
    Text,
    /// Integers from 0.
    Whole,
    /// Real numbers.
    Real,
    /// Truth values.
    Flag,
}

/// Column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TableColumn {
    /// Name.
    pub name: &'static str,
    /// Type of the cells.
    #[serde(rename = "type")]
    pub kind: ColumnType,
    /// Unit: `count`, `plies`, `share` (0 to 1), `value` (-1 to 1), or the square of one; empty
    /// without a unit.
    pub unit: &'static str,
    /// Definition of the values, in words.
    pub definition: &'static str,
    /// Whether the cells of all rows differ.
    #[serde(skip)]
    pub is_unique: bool,
}

const fn column(
    name: &'static str,
    kind: ColumnType,
    unit: &'static str,
    definition: &'static str,
) -> TableColumn {
    TableColumn { name, kind, unit, definition, is_unique: false }
}

const GAME: TableColumn = column("game", ColumnType::Text, "", "canonical name of the game");
const INSTANCE: TableColumn =
    column("instance", ColumnType::Whole, "", "number of the instance of the game, from 0");
const ITERATIONS: TableColumn =
    column("iterations", ColumnType::Whole, "count", "iterations of UCT per move");
const SEED: TableColumn = column(
    "seed",
    ColumnType::Text,
    "",
    "seed of the instance: 0x and sixteen hexadecimal digits, since numbers of tables are below 2^63",
);
const PLIES: TableColumn = column("plies", ColumnType::Whole, "plies", "length of the game");
const RESULT: TableColumn = column(
    "result",
    ColumnType::Real,
    "value",
    "result for the first player: 1 for a win, 0 for a draw, -1 for a loss",
);
const ENDED_BY: TableColumn = column(
    "ended_by",
    ColumnType::Text,
    "",
    "what ended the game: its rules (outcome), the third occurrence of a position (repetition), plies \
     without an irreversible move (draw_plies) or the ply cap (capped)",
);

/// Columns of the table of trees: one row for each search of each instance.
#[must_use]
pub fn tree_columns() -> Vec<TableColumn> {
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

/// Cells of a tree, in the order of [`tree_columns`].
pub fn tree_cells<'a>(row: &TreeRow<'a>, header: &DatasetHeader) -> Vec<TableCell<'a>> {
    let Instance { game, instance, seed, record, .. } = row.instance;
    let mut cells = vec![
        TableCell::Text(Cow::Borrowed(game)),
        TableCell::Whole(u64::from(*instance)),
        TableCell::Whole(row.ply as u64),
        TableCell::Text(Cow::Owned(row.player().to_string())),
    ];
    cells.extend(row.features().iter().map(|&value| TableCell::Real(value)));
    cells.extend([
        TableCell::Whole(u64::from(header.iterations)),
        TableCell::Text(Cow::Owned(digits(*seed))),
        TableCell::Text(Cow::Borrowed(&record.plies[row.ply].m)),
        TableCell::Real(row.value()),
    ]);
    cells
}

/// Columns of the table of instances.
#[must_use]
pub fn instance_columns() -> Vec<TableColumn> {
    vec![
        GAME,
        INSTANCE,
        PLIES,
        RESULT,
        ENDED_BY,
        ITERATIONS,
        SEED,
        TableColumn {
            is_unique: true,
            ..column("moves", ColumnType::Text, "", "all moves, separated by spaces")
        },
    ]
}

/// Cells of an instance, in the order of [`instance_columns`].
pub fn instance_cells<'a>(row: &'a Instance, header: &DatasetHeader) -> Vec<TableCell<'a>> {
    let Instance { game, instance, seed, record, .. } = row;
    let moves: Vec<&str> = record.moves().map(String::as_str).collect();
    vec![
        TableCell::Text(Cow::Borrowed(game)),
        TableCell::Whole(u64::from(*instance)),
        TableCell::Whole(record.len() as u64),
        TableCell::Real(f64::from(record.ended.outcome.value())),
        TableCell::Text(Cow::Borrowed(record.ended.by.name())),
        TableCell::Whole(u64::from(header.iterations)),
        TableCell::Text(Cow::Owned(digits(*seed))),
        TableCell::Text(Cow::Owned(moves.join(" "))),
    ]
}

/// Columns of the table of games between players, which exists if the plan has players.
#[must_use]
pub fn player_game_columns() -> Vec<TableColumn> {
    vec![
        GAME,
        INSTANCE,
        column("first", ColumnType::Text, "", "player in the first seat"),
        column("second", ColumnType::Text, "", "player in the second seat"),
        PLIES,
        RESULT,
        ENDED_BY,
        SEED,
    ]
}

/// Cells of a game between players, in the order of [`player_game_columns`]. A name is empty if the
/// header lacks the player.
pub fn player_game_cells<'a>(
    row: &PlayerGameRow<'a>,
    header: &'a DatasetHeader,
) -> Vec<TableCell<'a>> {
    let Instance { game, instance, seed, .. } = row.instance;
    let [first, second] = row.players.map(|n| header.players.get(n).map_or("", String::as_str));
    let ended = row.game.ended;
    vec![
        TableCell::Text(Cow::Borrowed(game)),
        TableCell::Whole(u64::from(*instance)),
        TableCell::Text(Cow::Borrowed(first)),
        TableCell::Text(Cow::Borrowed(second)),
        TableCell::Whole(u64::from(row.game.plies)),
        TableCell::Real(f64::from(ended.outcome.value())),
        TableCell::Text(Cow::Borrowed(ended.by.name())),
        TableCell::Text(Cow::Owned(digits(*seed))),
    ]
}

/// Description of the tables of a dataset, for people and programs that read them elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Schema {
    /// Settings that determine the rows.
    #[serde(flatten)]
    pub header: DatasetHeader,
    /// Columns of the table of trees.
    pub trees: Vec<TableColumn>,
    /// Columns of the table of instances.
    pub instances: Vec<TableColumn>,
    /// Columns of the table of games between players; empty without players.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub player_games: Vec<TableColumn>,
}

impl Schema {
    /// Schema of a dataset.
    #[must_use]
    pub fn of(header: DatasetHeader) -> Self {
        let player_games =
            if header.players.is_empty() { Vec::new() } else { player_game_columns() };
        Schema { header, trees: tree_columns(), instances: instance_columns(), player_games }
    }
}
