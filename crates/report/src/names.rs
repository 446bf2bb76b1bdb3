//! The report of the names of games.

use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};
use treegauge_study::NamesReport;

impl Document for NamesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("names of games");
        doc.push(Block::Pages(vec![Block::heading(1, "Names of games")]));
        doc.push(Block::Preformatted(names_text(self)));
        doc
    }
}

/// The whole report: a line for each game, its place, the text that was given and its name, with tabs between
/// them.
fn names_text(report: &NamesReport) -> String {
    let line = |place: &dyn std::fmt::Display, input: &str, game: &str| {
        format!("{place}\t{input}\t{game}\n")
    };
    let rows = report.rows.iter().map(|row| line(&row.place, &row.input, &row.game));
    std::iter::once(line(&"place", "input", "game")).chain(rows).collect()
}
