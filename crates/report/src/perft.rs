//! Report of a count of move sequences.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_doc::{Block, Cell, Column, Doc, Table, Tone};

use crate::boards::{Boards, Document};
use crate::lead::verdict;
use crate::words::{count_cell, counted_grouped, plies};

/// Numbers of move sequences from a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Position that the sequences begin at.
    pub position: String,
    /// Numbers of sequences of exactly 1, 2, 3, ... plies.
    pub counts: Vec<u64>,
    /// Numbers of distinct positions after 1, 2, 3, ... plies, up to the limit of the memory; `None`
    /// unless the user asked for them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct: Option<Vec<u64>>,
    /// The last count split by first move; `None` unless the user asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<PerftDivision>>,
}

/// Number of sequences that begin with one move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerftDivision {
    /// First move.
    #[serde(rename = "move")]
    pub m: String,
    /// Number of sequences.
    pub count: u64,
}

impl ReportKind for PerftReport {
    const KIND: &'static str = "perft";
}

impl Document for PerftReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("move sequences of {}", self.game));
        doc.push(Block::PagesOnly(vec![Block::heading(1, self.game.as_str())]));
        if let Some(&count) = self.counts.last() {
            let sequences = counted_grouped(count, "sequence");
            let plies = plies(self.counts.len() as u64);
            let lead = format!("{sequences} of {plies}.");
            doc.extend(verdict(Tone::Good, &sequences, &self.game, &lead));
        }
        doc.push(Block::TextOnly(vec![Block::Preformatted(perft_text(self))]));
        let columns = ["plies", "sequences"].into_iter();
        let columns =
            columns.chain(self.distinct.iter().flat_map(|_| ["positions", "sequences each"]));
        let mut counts = Table::new("counts", columns.map(Column::right));
        for (n, count) in self.counts.iter().enumerate() {
            let mut cells = vec![Cell::count(n as u64 + 1), Cell::count(*count)];
            if let Some(distinct) = &self.distinct {
                let positions = distinct.get(n);
                cells.push(positions.map_or_else(|| Cell::from("too many"), |n| Cell::count(*n)));
                cells.push(positions.map_or_else(
                    || Cell::from(""),
                    |positions| Cell::from(sequences_each(*count, *positions)),
                ));
            }
            counts.push(cells);
        }
        doc.push(Block::PagesOnly(vec![counts.into()]));
        if let Some(rows) = &self.divide {
            let columns = [Column::left("first move"), Column::right("sequences")];
            let mut divide = Table::new("divide", columns);
            for row in rows {
                divide.push([Cell::from(row.m.as_str()), count_cell(row.count)]);
            }
            doc.push(Block::PagesOnly(vec![divide.into()]));
        }
        doc
    }
}

/// Mean number of sequences that lead to a position.
fn sequences_each(sequences: u64, positions: u64) -> String {
    if positions == 0 {
        String::new()
    } else {
        format!("{:.1}", sequences as f64 / positions as f64)
    }
}

/// Text for a terminal.
fn perft_text(report: &PerftReport) -> String {
    let mut text = String::new();
    if report.distinct.is_some() {
        let _ = writeln!(text, "{:>3} {:>20} {:>16} {:>15}", "", "sequences", "positions", "each");
    }
    for (n, count) in report.counts.iter().enumerate() {
        let _ = write!(text, "{:>3} {count:>20}", n + 1);
        if let Some(distinct) = &report.distinct {
            let _ = match distinct.get(n) {
                Some(positions) => {
                    write!(text, " {positions:>16} {:>15}", sequences_each(*count, *positions))
                }
                None => write!(text, " {:>16}", "too many"),
            };
        }
        text.push('\n');
    }
    if let Some(rows) = &report.divide {
        let plies = plies(report.counts.len() as u64);
        let _ = writeln!(text, "\nSequences of {plies} by first move:");
        for row in rows {
            let _ = writeln!(text, "{:>10} {:>20}", row.m, row.count);
        }
    }
    text
}
