//! Report of the built-in games that have a rules text.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};

/// Built-in games that can serve as the beginning of a user's own game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplatesReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// Games that have a rules text.
    pub games: Vec<TemplateListing>,
    /// Families that have no rules text.
    pub without_text: Vec<WithoutText>,
}

/// A game that has a rules text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplateListing {
    /// Name of the game.
    pub game: String,
    /// Title of the game in its text.
    pub title: String,
}

/// A family of games without a rules text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WithoutText {
    /// Name of the family.
    pub family: String,
    /// Reason why the family has no rules text.
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

/// A line per game, then a line per family without a rules text.
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
