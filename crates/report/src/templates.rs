//! The report of the built-in games that there is a text of.

use std::fmt::Write;

use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};
use treegauge_study::TemplatesReport;

impl Document for TemplatesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("texts of games");
        doc.push(Block::Pages(vec![Block::heading(1, "Texts of games")]));
        doc.push(Block::Preformatted(templates_text(self)));
        doc
    }
}

/// A line for each game, then one for each family that there is no text of.
fn templates_text(report: &TemplatesReport) -> String {
    let names = || report.games.iter().map(|listing| &listing.game);
    let width = names().map(String::len).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for listing in &report.games {
        let _ = writeln!(text, "{:width$}  {}", listing.game, listing.title);
    }
    text.push_str("\nwithout a text:\n");
    for without in &report.without_text {
        let _ = writeln!(text, "{:width$}  {}", without.family, without.reason);
    }
    text
}
