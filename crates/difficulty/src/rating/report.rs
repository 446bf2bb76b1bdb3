//! The reports on rated problems.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};

use super::model::{PredictedDifficulty, RatingModelCard};
use super::reasons::DifficultyReason;
use crate::{Distances, Tree, TreeSettings};

/// How problems were measured: models know nothing of problems that were measured in another way.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredWith {
    /// The engine, by the name that it gives itself.
    pub engine: String,
    /// Options that it was given, as `NAME=VALUE; NAME=VALUE`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine_options: String,
    /// The depth of its searches, in plies.
    pub depth: u32,
    /// How many moves it lists: `adaptive`, or a number.
    pub multi_pv: String,
    /// How trees are built.
    pub settings: TreeSettings,
    /// How distances are added up.
    pub distances: Distances,
}

impl MeasuredWith {
    /// The levels of all trees that models learn from.
    pub const LEVELS: u8 = 5;

    /// The columns of a table that say how its problems were measured.
    pub const COLUMNS: [&str; 9] = [
        "engine",
        "engine_options",
        "depth",
        "multipv",
        "w",
        "m",
        "strict_mate",
        "nodes_max",
        "distances",
    ];

    /// The cells of these columns.
    #[must_use]
    pub fn cells(&self) -> [String; 9] {
        let TreeSettings { win, margin, strict_mate, nodes_max, .. } = self.settings;
        let distances = match self.distances {
            Distances::PerMove => "per_move",
            Distances::Distinct => "distinct",
        };
        [
            self.engine.clone(),
            self.engine_options.clone(),
            self.depth.to_string(),
            self.multi_pv.clone(),
            win.to_string(),
            margin.to_string(),
            strict_mate.to_string(),
            nodes_max.to_string(),
            distances.to_owned(),
        ]
    }

    /// Reads these cells.
    ///
    /// # Errors
    ///
    /// What is wrong with one of them, in words.
    pub fn from_cells(cells: &[&str]) -> Result<MeasuredWith, String> {
        let [engine, engine_options, depth, multi_pv, win, margin, strict, nodes, distances] =
            cells
        else {
            return Err("cells of how the problem was measured are missing".to_owned());
        };
        fn read<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
            text.parse().map_err(|_| format!("{text:?} in column `{name}` cannot be read"))
        }
        let [_, _, depth_name, _, win_name, margin_name, strict_name, nodes_name, _] =
            Self::COLUMNS;
        Ok(MeasuredWith {
            engine: (*engine).to_owned(),
            engine_options: (*engine_options).to_owned(),
            depth: read(depth_name, depth)?,
            multi_pv: (*multi_pv).to_owned(),
            settings: TreeSettings {
                win: read(win_name, win)?,
                margin: read(margin_name, margin)?,
                // Data frames of whole numbers write truth values as 1 and 0.
                strict_mate: match *strict {
                    "1" => true,
                    "0" => false,
                    text => read(strict_name, text)?,
                },
                nodes_max: read(nodes_name, nodes)?,
                ..TreeSettings::default()
            },
            distances: match *distances {
                "per_move" => Distances::PerMove,
                "distinct" => Distances::Distinct,
                other => return Err(format!("{other:?} in column `distances` cannot be read")),
            },
        })
    }

    /// The same in words.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { engine, engine_options, depth, multi_pv, settings, distances } = self;
        let options =
            if engine_options.is_empty() { String::new() } else { format!(" ({engine_options})") };
        let strict = if settings.strict_mate { ", strict mates" } else { "" };
        let distinct = if *distances == Distances::Distinct { ", distinct distances" } else { "" };
        format!(
            "{engine}{options}, depth {depth}, MultiPV {multi_pv}, w={}, m={}{strict}{distinct}, at most {} kept moves",
            settings.win, settings.margin, settings.nodes_max
        )
    }
}

/// How hard the problems of a file are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifficultyReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// How they were measured.
    pub measured: MeasuredWith,
    /// The model that predicts their ratings; `None` where they were measured only.
    pub model: Option<RatingModelCard>,
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The rating to which the problems should be near, where they are in order of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_rating: Option<f64>,
    /// The problems.
    pub rows: Vec<RatedProblem>,
    /// Rows of the file that are no problem.
    pub bad_rows: Vec<BadRow>,
}

impl ReportKind for DifficultyReport {
    const KIND: &'static str = "difficulty";

    fn check(&self) -> Result<(), String> {
        let fits = |row: &RatedProblem| {
            (row.attributes.is_empty() || row.attributes.len() == self.attributes.len())
                && row.tree.as_ref().is_none_or(Tree::is_sound)
        };
        if self.rows.iter().all(fits) { Ok(()) } else { Err("a row does not fit".to_owned()) }
    }
}

/// A problem with its predicted difficulty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatedProblem {
    /// Its name: that of the file, or its line.
    pub id: String,
    /// Its line in the file, from 1.
    pub line: u64,
    /// The position, the player to move.
    pub fen: String,
    /// The solution in algebraic notation, as far as the file has it.
    pub solution: Vec<String>,
    /// Whether the solution is a whole line, and not the first move alone.
    pub has_line: bool,
    /// The rating that the file gives.
    #[serde(default)]
    pub given_rating: Option<f64>,
    /// The game that it comes from, as the file says.
    #[serde(default)]
    pub game: Option<String>,
    /// How hard it is predicted to be; `None` where it is unrated, or there is no model.
    pub difficulty: Option<PredictedDifficulty>,
    /// Whether the model learned from it.
    #[serde(default)]
    pub known: bool,
    /// What moved the rating most.
    pub reasons: Vec<DifficultyReason>,
    /// Its tree in words.
    pub words: String,
    /// Where the file and the engine disagree on the first move, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Why it could not be measured.
    #[serde(default)]
    pub unrated: Option<String>,
    /// A description of the parts of its row of the file that are not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Whether the tree was cut off at the greatest number of kept moves.
    #[serde(default)]
    pub capped: bool,
    /// Its attributes, in the order of the report's names; empty where they are not asked for.
    #[serde(default)]
    pub attributes: Vec<Option<f64>>,
    /// Its tree, where it is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// A row that is no problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadRow {
    /// Its line in the file, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub problem: String,
}

/// Rows without a rating of which the text says why.
pub const UNRATED_MAX: usize = 20;

/// Where a problem stands in the order.
fn place(row: &RatedProblem, asked: Option<f64>) -> f64 {
    row.difficulty.map_or(f64::INFINITY, |found| {
        asked.map_or(found.rating, |asked| (found.rating - asked).abs())
    })
}

impl DifficultyReport {
    /// Puts the problems in order: those nearest to the rating that was asked for first, or by rating; unrated
    /// ones come last, each of equal ones as in the file.
    pub fn sort(&mut self) {
        let asked = self.for_rating;
        self.rows.sort_by(|a, b| place(a, asked).total_cmp(&place(b, asked)));
    }

    /// The problems in this order.
    #[must_use]
    pub fn sorted(&self) -> Vec<&RatedProblem> {
        let asked = self.for_rating;
        let mut rows: Vec<&RatedProblem> = self.rows.iter().collect();
        rows.sort_by(|a, b| place(a, asked).total_cmp(&place(b, asked)));
        rows
    }

    /// The problems that could not be measured.
    pub fn unrated(&self) -> impl Iterator<Item = &RatedProblem> {
        self.rows.iter().filter(|row| row.unrated.is_some())
    }
}

/// The meaningful tree of one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game: `chess`, or one of the catalog.
    pub game: String,
    /// The position: FEN, or as the game writes it.
    pub position: String,
    /// Where the values come from, in words.
    pub source: String,
    /// How the tree was measured, in chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredWith>,
    /// The unit of scores.
    pub unit: ScoreUnit,
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// Their values; nothing where the game has no pieces.
    pub values: Vec<Option<f64>>,
    /// The probability to find the moves of the tree by chance, 0 to 1.
    pub guess_probability: f64,
    /// The tree in words.
    pub words: String,
    /// How hard it is predicted to be, in chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<PredictedDifficulty>,
    /// What moved the rating most.
    #[serde(default)]
    pub reasons: Vec<DifficultyReason>,
    /// The model that predicts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<RatingModelCard>,
    /// The tree.
    pub tree: Tree,
}

/// What a score counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreUnit {
    /// Hundredths of a pawn.
    Centipawns,
    /// The mean result, -1 to 1.
    MeanResult,
}

impl ReportKind for ProblemReport {
    const KIND: &'static str = "problem";

    fn check(&self) -> Result<(), String> {
        let is_sound = self.tree.is_sound() && self.values.len() == self.attributes.len();
        if is_sound { Ok(()) } else { Err("the tree does not fit together".to_owned()) }
    }
}

/// Puzzles of a game of the catalog, the hardest first: those whose way is found by guessing least often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradedReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game.
    pub game: String,
    /// Where the values of moves come from, in words.
    pub source: String,
    /// The names of the attributes.
    pub attributes: Vec<String>,
    /// The puzzles.
    pub rows: Vec<GradedPuzzle>,
}

/// A puzzle with what makes it hard.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradedPuzzle {
    /// Its number in the list, from 1.
    pub number: u64,
    /// The position.
    pub position: String,
    /// The moves of the winner.
    pub mate_in: u32,
    /// How well its winning move is hidden, 0 to 1 (Johnson 2006).
    pub interestingness: f64,
    /// The probability to find the moves of its tree by chance, 0 to 1.
    pub guess_probability: f64,
    /// Its tree in words.
    pub words: String,
    /// The attributes of the tree; nothing where the game has no pieces.
    pub values: Vec<Option<f64>>,
}

impl ReportKind for GradedReport {
    const KIND: &'static str = "graded_puzzles";

    fn check(&self) -> Result<(), String> {
        let fits = |row: &GradedPuzzle| row.values.len() == self.attributes.len();
        if self.rows.iter().all(fits) { Ok(()) } else { Err("a row does not fit".to_owned()) }
    }
}
