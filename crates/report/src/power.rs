//! The report of how many games to play.

use std::fmt::Write;

use treegauge_study::compare::{PowerReport, Spread, elo};

use crate::words::counted;
use treegauge_doc::plain_table;

/// The whole report.
#[must_use]
pub fn power_text(report: &PowerReport) -> String {
    let gap = report.table.gap;
    let points = elo(0.5 + gap).map_or(String::new(), |elo| format!(", {elo:.0} Elo"));
    let mut text = format!(
        "To see a gap of {} ({} against {} of the points{points}):\n\n",
        share(gap),
        share(0.5 + gap),
        share(0.5 - gap)
    );
    let rows = report
        .table
        .rows
        .iter()
        .map(|row| [share(row.power), row.games.to_string(), row.pairs.to_string()]);
    text.push_str(&plain_table(["with probability", "games", "pairs"], rows, 0..3));
    text.push_str("\nThe smallest gap that a match shows with probability:\n\n");
    let mut header = vec!["games".to_owned()];
    let by_games = || report.smallest_gaps.chunk_by(|a, b| a.games == b.games);
    header.extend(by_games().next().unwrap_or_default().iter().map(|cell| share(cell.power)));
    let columns = header.len();
    let rows = by_games().map(|row| {
        let gap =
            |gap: Option<f64>| gap.map_or("none".to_owned(), |gap| format!("{:.2}%", 100.0 * gap));
        let mut cells = vec![row[0].games.to_string()];
        cells.extend(row.iter().map(|cell| gap(cell.gap)));
        cells
    });
    text.push_str(&plain_table(header, rows, 0..columns));
    let spread = match report.table.spread {
        Spread::Assumed { draw_rate, correlation } => format!(
            "Assumed: {} of the games are drawn, and a player's points in the two games of a pair \
             have a correlation of {correlation}; the record of some games would give both.",
            share(draw_rate)
        ),
        Spread::Measured { design_effect } => format!(
            "The variance of the points of pairs is taken from the {} of the record: it is {} of \
             that of pairs which one player wins or loses as a whole.",
            counted(report.measured_pairs.unwrap_or_default(), "pair"),
            share(design_effect)
        ),
    };
    let _ = writeln!(
        text,
        "\n\"To see\" means that the 95% interval of the score does not contain 50%. {spread}"
    );
    text
}

/// A share in percent, to a hundredth.
fn share(share: f64) -> String {
    let percent = (10_000.0 * share).round() / 100.0;
    format!("{percent}%")
}
