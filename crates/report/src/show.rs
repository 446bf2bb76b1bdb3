//! The report of one position.

use std::fmt::Write;

use treegauge_core::Outcome;
use treegauge_doc::{Block, Board, Doc};
use treegauge_study::ShowReport;

use crate::boards::{Boards, Document};
use crate::words::counted;

impl Document for ShowReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a position of {}", self.game));
        doc.push(Block::Pages(vec![Block::heading(1, self.game.as_str())]));
        let board = Board::alone(self.position.as_str(), boards.svg(&self.position));
        doc.push(board);
        doc.push(Block::Preformatted(show_text(self, boards)));
        doc
    }
}

/// The whole report. `boards` renders the positions of the game.
fn show_text(report: &ShowReport, boards: &dyn Boards) -> String {
    let mut text = boards.text(&report.position);
    let _ = writeln!(text, "\nposition: {}", report.position);
    if let Some(margin) = report.margin {
        let _ = writeln!(text, "margin: {margin:+} for the first player");
    }
    match (report.outcome, &report.ended_by) {
        (Some(outcome), Some(by)) => {
            let _ = writeln!(text, "{} (ended by {by})", outcome_words(outcome));
        }
        (Some(outcome), None) => {
            let _ = writeln!(text, "{}", outcome_words(outcome));
        }
        (None, _) => {
            let _ = writeln!(text, "the {} player is to move", report.turn);
            let _ = writeln!(
                text,
                "{}: {}",
                counted(report.moves.len() as u64, "move"),
                report.moves.join(" ")
            );
        }
    }
    if !report.rules.is_empty() {
        let _ = write!(text, "\n{}", report.explanation());
    }
    text
}

/// A result in words.
#[must_use]
pub fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player has won",
        Outcome::SecondWins => "the second player has won",
        Outcome::Draw => "the game is drawn",
    }
}
