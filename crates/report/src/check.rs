//! The report of a check of a text that describes a game.

use std::fmt::Write;

use treegauge_study::CheckReport;

use crate::words::counted;

/// The whole report: each mistake with its line and a mark below the place.
#[must_use]
pub fn check_text(report: &CheckReport) -> String {
    let mut text = String::new();
    let file = &report.file;
    for error in &report.errors {
        let _ = writeln!(text, "{file}:{}:{}: {}", error.line, error.column, error.message);
        if !error.text.trim().is_empty() {
            let before = (error.column as usize).saturating_sub(1);
            let before: String = error
                .text
                .chars()
                .take(before)
                .map(|c| if c == '\t' { '\t' } else { ' ' })
                .collect();
            let _ = writeln!(text, "  | {}\n  | {before}^", error.text);
        }
        let meant = error.nearest.as_ref().map(|nearest| format!("did you mean `{nearest}`?"));
        let hints: Vec<&str> = meant.iter().chain(&error.hint).map(String::as_str).collect();
        if !hints.is_empty() {
            let _ = writeln!(text, "  = {}", hints.join(" "));
        }
    }
    for warning in &report.warnings {
        let _ = writeln!(
            text,
            "{file}:{}:{}: {}: {}",
            warning.line, warning.column, warning.code, warning.message
        );
    }
    let summary = match (report.errors.len(), report.warnings.len()) {
        (0, 0) => {
            format!("{file}: \"{}\" is a game, and random games show nothing odd", report.name)
        }
        (0, n) => {
            format!("{file}: \"{}\" is a game; {}", report.name, counted(n as u32, "warning"))
        }
        (n, _) => format!("{file}: {}", counted(n as u32, "error")),
    };
    let _ = writeln!(text, "{summary}");
    text
}
