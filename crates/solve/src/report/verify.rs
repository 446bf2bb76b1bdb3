//! Report of a check of a solution file.

use serde::{Deserialize, Serialize};
use treegauge_core::KeyCode;

use crate::rules::Solvable;
use crate::verify::{UNSEEN, Verdict};
use treegauge_core::{ReportHeader, ReportKind};

/// Result of the check of a solution file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifyReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Whether the file has no mismatch.
    pub ok: bool,
    /// Number of positions in the file.
    pub positions: u64,
    /// Number of moves made.
    pub moves: u64,
    /// Number of mismatches.
    #[serde(rename = "fault_count")]
    pub mismatch_count: u64,
    /// First mismatches, in ascending order of keys; those of the header come last.
    #[serde(rename = "faults")]
    pub mismatches: Vec<ReportedMismatch>,
    /// Limits of the check: [`UNSEEN`] on one line.
    pub unseen: String,
}

impl ReportKind for VerifyReport {
    const KIND: &'static str = "verify";
}

/// Mismatch in a solution file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedMismatch {
    /// Description of the mismatch.
    #[serde(rename = "fault")]
    pub words: String,
    /// Position as text; null if the mismatch is not about a position.
    pub position: Option<String>,
}

impl VerifyReport {
    /// Reports the check of a file of `game`, whose rules are `rules`.
    #[must_use]
    pub fn new<K: KeyCode>(
        game: String,
        rules: &Solvable<K>,
        verdict: &Verdict<K>,
    ) -> VerifyReport {
        let mismatches = verdict.mismatches.iter().map(|mismatch| ReportedMismatch {
            words: mismatch.to_string(),
            position: mismatch.state().map(|state| rules.position_text(*state)),
        });
        VerifyReport {
            head: ReportHeader::NEW,
            game,
            ok: verdict.is_ok(),
            positions: verdict.positions,
            moves: verdict.moves,
            mismatch_count: verdict.mismatch_count,
            mismatches: mismatches.collect(),
            unseen: UNSEEN.replace('\n', " "),
        }
    }
}
