//! The report of one position.

use serde::{Deserialize, Serialize};
use treegauge_core::{Outcome, Player};

use super::winner;
use treegauge_core::{Head, ReportKind};

/// A position: who is to move, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShowReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position.
    pub position: String,
    /// The player to move, also where the game is over.
    pub turn: Player,
    /// The result, where the game is over.
    #[serde(with = "winner::option")]
    pub outcome: Option<Outcome>,
    /// What ended the game, in words.
    pub ended_by: Option<String>,
    /// The score of the first player less that of the second, in games with scores.
    pub margin: Option<i32>,
    /// The legal moves; none where the game is over.
    pub moves: Vec<String>,
}

impl ReportKind for ShowReport {
    const KIND: &'static str = "show";
}
