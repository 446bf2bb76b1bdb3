//! The report as text.

use std::fmt::Write;

use treegauge_study::generate::GenerateReport;

use super::{
    BESIDE, BEST, CONTROL_WORDS, CONTROLS, GATES, beside_rows, best_cells, control_cells,
    fallen_words, gate_cells, how, outside_words, summary,
};
use treegauge_doc::Terminal;
use treegauge_doc::plain_table_on;

/// The whole report.
#[must_use]
pub fn generate_text(report: &GenerateReport, terminal: Terminal) -> String {
    let mut text = format!("{}\n\n", summary(report));
    text.push_str(&plain_table_on(terminal, GATES, report.gates.iter().map(gate_cells), 1..6));
    let reasons = report
        .gates
        .iter()
        .filter_map(|gate| Some(format!("{}: {}", gate.gate.words(), fallen_words(gate)?)));
    let reasons: Vec<String> = reasons.collect();
    if !reasons.is_empty() {
        let _ = writeln!(text, "\nWhy candidates fell:\n  {}", reasons.join("\n  "));
    }
    if !report.controls.is_empty() {
        let _ = writeln!(text, "\n{CONTROL_WORDS}\n");
        let rows = report.controls.iter().map(control_cells);
        text.push_str(&plain_table_on(terminal, CONTROLS, rows, 1..6));
    }
    if report.best.is_empty() {
        text.push_str("\nNo game passed the gates.\n");
    } else {
        text.push_str("\nThe best games:\n\n");
        text.push_str(&plain_table_on(terminal, BEST, report.best.iter().map(best_cells), 0..0));
        if let Some(words) = outside_words(report) {
            let _ = writeln!(text, "{words}");
        }
        let rows: Vec<[String; 6]> = report.best.iter().flat_map(beside_rows).collect();
        if !rows.is_empty() {
            text.push_str("\nBeside their parents, in games of the weak search:\n\n");
            text.push_str(&plain_table_on(terminal, BESIDE, rows, 0..0));
        }
    }
    let _ = writeln!(text, "\n{}", how(report));
    text
}
