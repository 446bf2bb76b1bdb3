//! Report of the games that have a rules text.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};
use crate::words::{command, counted_grouped};

/// Games that can serve as the beginning of a user's own game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TemplatesReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Games that have a rules text.
    pub games: Vec<TemplateListing>,
    /// Families that have no rules text.
    pub without_text: Vec<FamilyWithoutText>,
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
pub struct FamilyWithoutText {
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
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Texts of games")]));
        let lead = format!(
            "{} have a rules text that you can change; {} of built-in games have none.",
            counted_grouped(self.games.len() as u64, "game"),
            counted_grouped(self.without_text.len() as u64, "family")
        );
        doc.push(Block::text(lead));
        doc.push(Block::Preformatted(lines(
            self.games.iter().map(|listing| (listing.game.as_str(), listing.title.as_str())),
        )));
        let without = self.without_text.iter();
        let without = lines(without.map(|one| (one.family.as_str(), one.reason.as_str())));
        doc.push(Block::fold("Games without a text, and why", vec![Block::Preformatted(without)]));
        if let Some(first) = self.games.first() {
            let begin = command("new", &[&first.game, "-o", "mygame.rules"]);
            doc.next(format!("{begin} begins a game of your own."));
        }
        doc
    }
}

/// A line per row, with the second column aligned.
fn lines<'a>(rows: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0).min(40);
    let mut text = String::new();
    for (name, words) in rows {
        let _ = writeln!(text, "{name:width$}  {words}");
    }
    text
}
