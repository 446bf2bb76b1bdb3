//! The report of one position.

use std::fmt::Write;

use treegauge_core::Outcome;
use treegauge_study::ShowReport;

use crate::boards::Boards;
use crate::words::counted;

/// The whole report. `boards` renders the positions of the game.
#[must_use]
pub fn show_text(report: &ShowReport, boards: &dyn Boards) -> String {
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
