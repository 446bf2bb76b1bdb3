//! The report of a count of move sequences.

use serde::{Deserialize, Serialize};

use treegauge_core::{Head, ReportKind};

/// How many sequences of moves there are from a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position.
    pub position: String,
    /// The sequences of 1, 2, 3, ... plies.
    pub counts: Vec<u64>,
    /// The last of the counts by first move, where that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<PerftDivision>>,
}

/// The sequences that begin with one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftDivision {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// The sequences.
    pub count: u64,
}

impl ReportKind for PerftReport {
    const KIND: &'static str = "perft";
}
