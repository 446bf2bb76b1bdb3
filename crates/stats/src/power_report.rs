//! Report on the number of games to play.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};

use super::power::PowerTable;

/// Number of games that shows a gap, and the gaps that given numbers of games show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PowerReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Number of games that shows the gap, by power.
    #[serde(flatten)]
    pub table: PowerTable,
    /// Gaps that matches of some sizes show, by number of games, then by power.
    pub smallest_gaps: Vec<SmallestGap>,
    /// Number of pairs from which the spread was measured; `None` if it was assumed.
    pub measured_pairs: Option<u64>,
}

/// Smallest gap that a match shows with some power.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SmallestGap {
    /// Number of games of the match.
    pub games: u64,
    /// Probability that the match shows the gap.
    pub power: f64,
    /// Smallest gap; `None` if the games are too few to show any.
    pub gap: Option<f64>,
}

impl ReportKind for PowerReport {
    const KIND: &'static str = "power";
}
