//! The report of how many games to play.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};

use super::power::PowerTable;

/// How many games show a gap, and which gaps given numbers of games show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The games that show the gap.
    #[serde(flatten)]
    pub table: PowerTable,
    /// The gaps that matches of some sizes show, by the games and then by the power.
    pub smallest_gaps: Vec<SmallestGap>,
    /// The pairs by which the spread was measured.
    pub measured_pairs: Option<u64>,
}

/// The smallest gap that a match shows with some power.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmallestGap {
    /// The games of the match.
    pub games: u64,
    /// The probability that the match shows it.
    pub power: f64,
    /// The gap; `None` where these games are too few to show any.
    pub gap: Option<f64>,
}

impl ReportKind for PowerReport {
    const KIND: &'static str = "power";
}
