//! The report of the built-in games that there is a text of.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};

/// The games to begin one of one's own from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplatesReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The games that there is a text of.
    pub games: Vec<TemplateListing>,
    /// The families that there is none of.
    pub without_text: Vec<WithoutText>,
}

/// A game that there is a text of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateListing {
    /// The game.
    pub game: String,
    /// The name that its text gives it.
    pub title: String,
}

/// A family of games that there is no text of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WithoutText {
    /// The family.
    pub family: String,
    /// Why there is none.
    pub reason: String,
}

impl ReportKind for TemplatesReport {
    const KIND: &'static str = "templates";
}

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
