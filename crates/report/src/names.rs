//! The report of the names of games.

use treegauge_study::NamesReport;

/// The whole report: a line for each game, its place, the text that was given and its name, with tabs between
/// them.
#[must_use]
pub fn names_text(report: &NamesReport) -> String {
    let line = |place: &dyn std::fmt::Display, input: &str, game: &str| {
        format!("{place}\t{input}\t{game}\n")
    };
    let rows = report.rows.iter().map(|row| line(&row.place, &row.input, &row.game));
    std::iter::once(line(&"place", "input", "game")).chain(rows).collect()
}
