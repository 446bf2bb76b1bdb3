//! The report of a check of a solution file.

use serde::{Deserialize, Serialize};
use treegauge_core::KeyCode;

use crate::rules::Solvable;
use crate::verify::{UNSEEN, Verdict};
use treegauge_core::{Head, ReportKind};

/// What a check of a solution file found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VerifyReport {
    /// The schema and the kind.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game.
    pub game: String,
    /// Whether nothing is wrong.
    pub ok: bool,
    /// The positions of the file.
    pub positions: u64,
    /// The moves that were made.
    pub moves: u64,
    /// The number of mismatches.
    #[serde(rename = "fault_count")]
    pub mismatch_count: u64,
    /// The first mismatches, in ascending order of keys, those of the header at the end.
    #[serde(rename = "faults")]
    pub mismatches: Vec<ReportedMismatch>,
    /// What the check does not see: [`UNSEEN`] on one line.
    pub unseen: String,
}

impl ReportKind for VerifyReport {
    const KIND: &'static str = "verify";
}

/// What is wrong with a file at one place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReportedMismatch {
    /// What is wrong.
    #[serde(rename = "fault")]
    pub words: String,
    /// The position, where it is one.
    pub position: Option<String>,
}

impl VerifyReport {
    /// The report of a check of a file of `game`, whose rules are `rules`.
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
            head: Head::NEW,
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
