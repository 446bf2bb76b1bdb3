//! The report of a check of a text that describes a game.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};

/// What is wrong with a text, and what random games say about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The file as the user wrote it.
    pub file: String,
    /// The name that the text gives the game; empty where there are errors.
    pub name: String,
    /// The mistakes, in the order of the text; a text with one is no game.
    pub errors: Vec<CheckError>,
    /// What is probably not meant, in the order of the text.
    pub warnings: Vec<CheckWarning>,
    /// The seed of the random games.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The random games that were played at most.
    pub games: u32,
    /// What the random games were like; none where there are errors.
    #[serde(default)]
    pub random_games: Option<RandomGamesReport>,
}

/// What random games of a text were like: counts of games, and of plies in them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomGamesReport {
    /// Games that were played.
    pub games: u32,
    /// Games that the rules ended: wins of the first player.
    pub first_wins: u32,
    /// Wins of the second player.
    pub second_wins: u32,
    /// Draws by the rules.
    pub draws: u32,
    /// Games stopped because a position occurred for the third time.
    pub repetitions: u32,
    /// Games stopped after too many plies without progress.
    pub quiet: u32,
    /// Games stopped by the ply cap.
    pub capped: u32,
    /// Plies of all games.
    pub plies: u32,
    /// Plies with one legal move.
    pub forced: u32,
    /// The greatest number of legal moves of a position.
    pub moves_max: u32,
}

/// A mistake in a text. Lines and columns are counted from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckError {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// The word that was probably meant.
    pub nearest: Option<String>,
    /// What may stand there, or an example.
    pub hint: Option<String>,
    /// The line of the text.
    pub text: String,
}

/// Something that is probably not meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckWarning {
    /// Its code, which `(allow CODE)` in the text silences.
    pub code: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// What it is.
    pub message: String,
    /// Whether it is a remark: worth knowing, and often meant.
    #[serde(default)]
    pub remark: bool,
}

impl ReportKind for CheckReport {
    const KIND: &'static str = "check";
}
