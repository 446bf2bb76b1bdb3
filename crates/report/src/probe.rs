//! The report of a look-up as text.

use std::fmt::Write;

use treegauge_solve::Value;
use treegauge_solve::report::ProbeReport;

use crate::boards::Boards;
use crate::words::{endless_words, value_sentence};

/// The report of a look-up as text.
#[must_use]
pub fn probe_text(report: &ProbeReport, boards: &dyn Boards) -> String {
    let board = boards.text(&report.position);
    let mut text = format!("{}\n{board}\n{}\n", report.game, value_words(report));
    if let Some(words) = endless_words(report.endless) {
        let _ = writeln!(text, "{words}");
    }
    if !report.moves.is_empty() {
        text += "\nMoves, best first, with the plies to the end:\n";
    }
    let width = report.moves.iter().map(|row| row.m.len()).max().unwrap_or(0) + 2;
    for row in &report.moves {
        let _ = writeln!(text, "{:>width$}  {}", row.m, row.words);
    }
    text
}

/// The value of the position, in a sentence.
fn value_words(report: &ProbeReport) -> String {
    // Only finished positions have the remoteness 0.
    if report.remoteness != Some(0) {
        return match report.valued() {
            Some(valued) => {
                value_sentence(report.turn, valued, report.endless, report.by_history, report.limit)
            }
            None => "The value of the position is not known.".to_owned(),
        };
    }
    let winner = match report.value {
        Value::Win => report.turn,
        Value::Lose => report.turn.other(),
        Value::Tie | Value::Draw => return "The game is over: the game is drawn.".to_owned(),
    };
    format!("The game is over: the {winner} player has won.")
}
