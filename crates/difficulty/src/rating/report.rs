//! Reports on rated problems.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, is_default};

use super::model::{PredictedDifficulty, RatingModelCard};
use super::reasons::DifficultyReason;
use crate::chess::{LastMove, PeopleChoice, Soundness};
use crate::{DistanceRule, Tree, TreeSettings};

/// Settings of a measurement. A model is valid only for problems that were measured with the same
/// ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredWith {
    /// Name that the engine reports.
    pub engine: String,
    /// Options of the engine, as `NAME=VALUE; NAME=VALUE`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine_options: String,
    /// Depth of its searches, in plies.
    pub depth: u32,
    /// Number of moves that it lists: `adaptive`, or a number.
    pub multi_pv: String,
    /// Settings of the trees.
    pub settings: TreeSettings,
    /// Rule by which distances are added up.
    pub distances: DistanceRule,
}

impl MeasuredWith {
    /// Number of levels of all trees that models learn from.
    pub const LEVELS: u8 = 5;

    /// Columns of a table for the settings of its measurement.
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

    /// Cells of [`Self::COLUMNS`].
    #[must_use]
    pub fn cells(&self) -> [String; 9] {
        let TreeSettings { win, margin, strict_mate, nodes_max, .. } = self.settings;
        let distances = match self.distances {
            DistanceRule::PerMove => "per_move",
            DistanceRule::Distinct => "distinct",
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

    /// Reads the cells of [`Self::COLUMNS`].
    ///
    /// # Errors
    ///
    /// Describes in words the first cell that is invalid.
    pub fn from_cells(cells: &[&str]) -> Result<MeasuredWith, String> {
        let [engine, engine_options, depth, multi_pv, win, margin, strict, nodes, distances] =
            cells
        else {
            return Err("cells with the settings of the measurement are missing".to_owned());
        };
        fn read<T: std::str::FromStr>(name: &str, text: &str) -> Result<T, String> {
            text.parse().map_err(|_| format!("invalid value {text:?} in column `{name}`"))
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
                // Data frames of whole numbers write booleans as 1 and 0.
                strict_mate: match *strict {
                    "1" => true,
                    "0" => false,
                    text => read(strict_name, text)?,
                },
                nodes_max: read(nodes_name, nodes)?,
                ..TreeSettings::default()
            },
            distances: match *distances {
                "per_move" => DistanceRule::PerMove,
                "distinct" => DistanceRule::Distinct,
                other => return Err(format!("invalid value {other:?} in column `distances`")),
            },
        })
    }

    /// Tests whether a model that learned from problems measured like this fits problems measured by
    /// `other`: a larger tree holds the smaller one.
    #[must_use]
    pub fn fits(&self, other: &MeasuredWith) -> bool {
        let nodes_max = self.settings.nodes_max;
        let mut same = other.clone();
        if same.settings.nodes_max >= nodes_max {
            same.settings.nodes_max = nodes_max;
        }
        *self == same
    }

    /// Settings in words.
    #[must_use]
    pub fn words(&self) -> String {
        let Self { engine, engine_options, depth, multi_pv, settings, distances } = self;
        let options =
            if engine_options.is_empty() { String::new() } else { format!(" ({engine_options})") };
        let strict = if settings.strict_mate { ", strict mates" } else { "" };
        let distinct =
            if *distances == DistanceRule::Distinct { ", distinct distances" } else { "" };
        format!(
            "{engine}{options}, depth {depth}, MultiPV {multi_pv}, w={}, m={}{strict}{distinct}, at most {} kept moves",
            settings.win, settings.margin, settings.nodes_max
        )
    }
}

/// Difficulty of the problems of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DifficultyReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Settings of the measurement; `None` without an engine.
    pub measured: Option<MeasuredWith>,
    /// Ratings of the people of the networks that were used, ascending; empty without networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<f64>,
    /// Model that predicts the ratings; `None` if the problems were only measured.
    pub model: Option<RatingModelCard>,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// Rating that the problems should be near: the nearest come first. `None` if they are in order
    /// of rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_rating: Option<f64>,
    /// Choice of the problems, if they are a set of mixed difficulty; `None` if they are all of the
    /// file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set: Option<ProblemSet>,
    /// Problems.
    pub rows: Vec<PredictedProblem>,
    /// Rows of the file that are not valid problems.
    pub bad_rows: Vec<BadRow>,
    /// Whether problems are missing, because the run goes on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub incomplete: bool,
}

impl ReportKind for DifficultyReport {
    const KIND: &'static str = "difficulty";

    fn check(&self) -> Result<(), String> {
        let fits = |row: &PredictedProblem| {
            (row.attributes.is_empty() || row.attributes.len() == self.attributes.len())
                && row.tree.as_ref().is_none_or(Tree::is_sound)
        };
        if self.rows.iter().all(fits) {
            Ok(())
        } else {
            Err("a row lacks attributes or has an invalid tree".to_owned())
        }
    }
}

/// Problems of mixed difficulty that were chosen from more.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemSet {
    /// Number of problems that the set should have. It has fewer if too few fit.
    pub count: u32,
    /// Least rating of the set.
    pub low: f64,
    /// Greatest rating of the set.
    pub high: f64,
    /// Number of rated problems that it was chosen from.
    pub of: u64,
}

/// Problem with its predicted difficulty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedProblem {
    /// Name in the file, or the line number if it has none.
    pub id: String,
    /// Line number in the file, from 1.
    pub line: u64,
    /// FEN of the position, with the player to move.
    pub fen: String,
    /// Opponent's last move; `None` if the file does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_move: Option<LastMove>,
    /// Solution in algebraic notation: that of the file, or the engine's if the file has no whole
    /// one.
    pub solution: Vec<String>,
    /// Number of moves of the solution that are the file's, from the first on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub given_moves: usize,
    /// Whether the file has a whole solution, not just a first move.
    pub has_line: bool,
    /// Whether the engine added moves to the solution of the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub completed: bool,
    /// Rating in the file; `None` if it has none.
    #[serde(default)]
    pub given_rating: Option<f64>,
    /// Game that the problem comes from; `None` if the file does not say.
    #[serde(default)]
    pub game: Option<String>,
    /// Themes in the file, such as `fork`; empty if it does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// Predicted difficulty; `None` without a model, if it was not measured, or if there is nothing to
    /// find.
    pub difficulty: Option<PredictedDifficulty>,
    /// Probability that a person of the requested rating solves the problem, 0 to 1; `None` if no
    /// rating was requested, or the problem has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p_solve: Option<f64>,
    /// Whether the model learned from this position.
    #[serde(default)]
    pub known: bool,
    /// Reasons that moved the rating most.
    pub reasons: Vec<DifficultyReason>,
    /// Moves that people play at the moves of the solution; empty if there is no whole solution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<PeopleChoice>,
    /// Tree in words.
    pub words: String,
    /// Verdict on the problem by the engine's values; `None` if it was not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soundness: Option<Soundness>,
    /// Verdict in words; `None` if the problem is sound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Reason that the problem could not be measured; `None` if it was.
    #[serde(default)]
    pub unrated: Option<String>,
    /// Note about the parts of its row that were skipped; `None` if all were read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<String>,
    /// Whether the tree was cut off at the maximum number of kept moves.
    #[serde(default)]
    pub capped: bool,
    /// Attributes in the order of the report's names; empty if they were not requested.
    #[serde(default)]
    pub attributes: Vec<Option<f64>>,
    /// Meaningful tree; `None` if it was not requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tree: Option<Tree>,
}

/// Row that is not a valid problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadRow {
    /// Line number in the file, from 1.
    pub line: u64,
    /// Description of the error.
    pub problem: String,
}

/// Maximum number of unrated rows that the text output explains.
pub const UNRATED_MAX: usize = 20;

/// Sort key of a problem: its rating, or the distance from the requested one; infinity if it has
/// none.
fn place(row: &PredictedProblem, asked: Option<f64>) -> f64 {
    row.difficulty.map_or(f64::INFINITY, |found| {
        asked.map_or(found.rating, |asked| (found.rating - asked).abs())
    })
}

impl DifficultyReport {
    /// Sets the probability that a person of the requested rating solves each problem.
    pub fn set_chances_to_solve(&mut self) {
        let Some(solver) = self.for_rating else { return };
        for row in &mut self.rows {
            row.p_solve = row.difficulty.map(|found| found.chance_to_solve(solver));
        }
    }

    /// Sorts the problems by distance from the requested rating, or by rating if none was
    /// requested. Unrated problems come last. Equal ones keep the order of the file.
    pub fn sort(&mut self) {
        let asked = self.for_rating;
        self.rows.sort_by(|a, b| place(a, asked).total_cmp(&place(b, asked)));
    }

    /// Keeps `count` rated problems whose ratings rise in equal steps between two ratings, or else
    /// between those of the easiest and the hardest problem. For each step it takes the problem
    /// whose rating is nearest, at most half a step away, of a game without a problem so far. Problems
    /// that are not sound are left out: nobody can solve them as the file does.
    pub fn choose(&mut self, count: u32, ratings: Option<(f64, f64)>) {
        let is_sound = |row: &PredictedProblem| {
            row.soundness.is_none_or(|verdict| verdict == Soundness::Sound)
        };
        let rating = |row: &PredictedProblem| {
            row.difficulty.filter(|_| is_sound(row)).map(|found| found.rating)
        };
        let rated = || self.rows.iter().filter_map(rating);
        let (low, high) = ratings.unwrap_or_else(|| {
            (rated().fold(f64::INFINITY, f64::min), rated().fold(f64::NEG_INFINITY, f64::max))
        });
        let of = rated().count() as u64;
        let step = (high - low) / f64::from(count.saturating_sub(1).max(1));
        let mut chosen: Vec<usize> = Vec::new();
        for n in 0..count {
            let wanted =
                if count == 1 { f64::midpoint(low, high) } else { low + step * f64::from(n) };
            let is_free = |&(n, row): &(usize, &PredictedProblem)| {
                let is_of_game = |&other: &usize| {
                    let game = &self.rows[other].game;
                    game.is_some() && *game == row.game
                };
                !chosen.contains(&n) && !chosen.iter().any(is_of_game)
            };
            let away = |row: &PredictedProblem| rating(row).map(|one| (one - wanted).abs());
            let fitting = self.rows.iter().enumerate().filter(is_free);
            let fitting = fitting.filter_map(|(n, row)| Some((n, away(row)?)));
            let nearest = fitting.min_by(|(_, a), (_, b)| a.total_cmp(b));
            chosen.extend(nearest.filter(|(_, away)| *away <= step / 2.0).map(|(n, _)| n));
        }
        chosen.sort_unstable();
        let mut place = 0..;
        self.rows.retain(|_| chosen.binary_search(&place.next().unwrap_or(0)).is_ok());
        self.set = Some(ProblemSet { count, low, high, of });
        self.sort();
    }

    /// Indices of the rows by distance from a rating, or by rating for `None`. Unrated problems come
    /// last. Equal ones keep their order.
    #[must_use]
    pub fn order(&self, asked: Option<f64>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let place = |n: usize| place(&self.rows[n], asked);
        order.sort_by(|&a, &b| place(a).total_cmp(&place(b)));
        order
    }

    /// Problems in the order of [`DifficultyReport::sort`].
    #[must_use]
    pub fn sorted(&self) -> Vec<&PredictedProblem> {
        self.order(self.for_rating).into_iter().map(|n| &self.rows[n]).collect()
    }

    /// Problems that were measured and get no rating, because there is nothing to find.
    pub fn not_puzzles(&self) -> impl Iterator<Item = &PredictedProblem> {
        let is_rated = self.model.is_some();
        let is_left = move |row: &&PredictedProblem| {
            is_rated && row.unrated.is_none() && row.difficulty.is_none()
        };
        self.rows.iter().filter(is_left)
    }

    /// Problems that could not be measured.
    pub fn unrated(&self) -> impl Iterator<Item = &PredictedProblem> {
        self.rows.iter().filter(|row| row.unrated.is_some())
    }
}

/// Meaningful tree of one problem.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Whether the rating rests on the engine's solution, because none was given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub without_solution: bool,
    /// Game: `chess`, or a game of the catalog.
    pub game: String,
    /// Position as FEN, or in the notation of the game.
    pub position: String,
    /// Origin of the values, in words.
    pub source: String,
    /// Settings of the measurement; `None` except in chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<MeasuredWith>,
    /// Ratings of the people of the networks that were used, ascending; empty without networks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<f64>,
    /// Unit of scores.
    pub unit: ScoreUnit,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// Values of the attributes; `None` if one needs pieces or material that the game does not
    /// have.
    pub values: Vec<Option<f64>>,
    /// Probability of finding the moves of the tree by chance, 0 to 1.
    pub guess_probability: f64,
    /// Tree in words.
    pub words: String,
    /// Solution in algebraic notation: the one given, or the engine's; empty except in chess.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solution: Vec<String>,
    /// Whether the engine added moves to the solution of the file.
    #[serde(default, skip_serializing_if = "is_default")]
    pub completed: bool,
    /// Verdict on the problem by the engine's values; `None` except in chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub soundness: Option<Soundness>,
    /// Verdict in words; `None` if the problem is sound, and except in chess.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Predicted difficulty; `None` except in chess with a model, or if there is nothing to find.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<PredictedDifficulty>,
    /// Reasons that moved the rating most.
    #[serde(default)]
    pub reasons: Vec<DifficultyReason>,
    /// Model of the prediction; `None` without a prediction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<RatingModelCard>,
    /// Moves that people play at the moves of the solution; empty except in chess with a whole
    /// solution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<PeopleChoice>,
    /// Meaningful tree.
    pub tree: Tree,
}

/// Unit of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreUnit {
    /// Hundredths of a pawn.
    Centipawns,
    /// Mean result, -1 to 1.
    MeanResult,
}

impl ReportKind for ProblemReport {
    const KIND: &'static str = "problem";

    fn check(&self) -> Result<(), String> {
        let is_sound = self.tree.is_sound() && self.values.len() == self.attributes.len();
        if is_sound { Ok(()) } else { Err("the tree is inconsistent".to_owned()) }
    }
}

/// Puzzles of a catalog game, hardest first: those that guessing solves least often.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradedReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Origin of the move values, in words.
    pub source: String,
    /// Names of the attributes.
    pub attributes: Vec<String>,
    /// Puzzles.
    pub rows: Vec<GradedPuzzle>,
}

/// Puzzle with measures of its difficulty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GradedPuzzle {
    /// Number in the list, from 1.
    pub number: u64,
    /// Text of the position.
    pub position: String,
    /// Moves that the winner needs.
    pub mate_in: u32,
    /// Degree to which its winning move is hidden, 0 to 1 (Johnson 2006).
    pub interestingness: f64,
    /// Probability of finding the moves of its tree by chance, 0 to 1.
    pub guess_probability: f64,
    /// Tree in words.
    pub words: String,
    /// Attributes of the tree; `None` if one needs pieces or material that the game does not have.
    pub values: Vec<Option<f64>>,
}

impl ReportKind for GradedReport {
    const KIND: &'static str = "graded_puzzles";

    fn check(&self) -> Result<(), String> {
        let fits = |row: &GradedPuzzle| row.values.len() == self.attributes.len();
        if self.rows.iter().all(fits) {
            Ok(())
        } else {
            Err("a row lacks attributes or has an invalid tree".to_owned())
        }
    }
}
