//! Report of the positions of a solution file.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};

use crate::file::Landscape;

use super::solve::RemotenessCounts;

/// Positions of a solution file by value and by plies to the end, symmetry not reduced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LandscapeReport {
    /// Schema and kind of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game.
    pub game: String,
    /// Positions of the file, counted or not.
    pub positions: u64,
    /// Positions won for the player to move.
    pub win: u64,
    /// Positions lost for the player to move.
    pub lose: u64,
    /// Positions from which best play ends without a winner.
    pub tie: u64,
    /// Positions from which best play never ends, or whose value depends on the history.
    pub draw: u64,
    /// Positions that the player to move wins by endless play; also counted in `win`.
    pub endless_win: u64,
    /// Positions that the player to move loses by endless play; also counted in `lose`.
    pub endless_lose: u64,
    /// Positions by remoteness, from 0 to the greatest.
    pub table: Vec<RemotenessCounts>,
    /// Whether positions are left that are not counted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

impl ReportKind for LandscapeReport {
    const KIND: &'static str = "landscape";
}

impl LandscapeReport {
    /// Reports the counts of a file of `game` with this number of positions.
    #[must_use]
    pub fn new(game: String, positions: u64, landscape: &Landscape) -> LandscapeReport {
        let table = landscape.table();
        let counts = table.counts();
        let [endless_win, endless_lose] = table.endless();
        LandscapeReport {
            head: ReportHeader::NEW,
            game,
            positions,
            win: counts.win,
            lose: counts.lose,
            tie: counts.tie,
            draw: counts.draw,
            endless_win,
            endless_lose,
            table: RemotenessCounts::of(table),
            incomplete: counts.total() < positions,
        }
    }

    /// Number of counted positions.
    #[must_use]
    pub fn counted(&self) -> u64 {
        [self.win, self.lose, self.tie, self.draw].iter().fold(0, |sum, n| sum.saturating_add(*n))
    }
}
