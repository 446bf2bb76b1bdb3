//! The report of one position.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_catalog::rules::{Explanation, Paragraph, Section};
use treegauge_core::{Head, Outcome, Player, ReportKind, winner_json};
use treegauge_doc::{Block, Board, Doc};

use crate::boards::{Boards, Document};
use crate::words::counted;

/// A position: who is to move, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShowReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position.
    pub position: String,
    /// The player to move, also where the game is over.
    pub turn: Player,
    /// The result, where the game is over.
    #[serde(with = "winner_json::option")]
    pub outcome: Option<Outcome>,
    /// What ended the game, in words.
    pub ended_by: Option<String>,
    /// The score of the first player less that of the second, in games with scores.
    pub margin: Option<i32>,
    /// The legal moves; none where the game is over.
    pub moves: Vec<String>,
    /// The rules in plain English, of a game that a text describes; empty for the others.
    #[serde(default)]
    pub rules: Vec<RulesSection>,
}

/// A part of the rules of a game in plain English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesSection {
    /// What it is about: `Board`, `Moves`.
    pub heading: String,
    /// The paragraphs, at least one.
    pub paragraphs: Vec<RulesParagraph>,
}

/// A paragraph of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesParagraph {
    /// How deep it stands in a list: 0 for a paragraph of its own, 1 for an item of the one before it.
    pub level: usize,
    /// Its sentences.
    pub text: String,
}

impl RulesSection {
    /// The parts of an explanation.
    #[must_use]
    pub fn all(explanation: Explanation) -> Vec<RulesSection> {
        let paragraph = |Paragraph { level, text }| RulesParagraph { level, text };
        let section = |Section { heading, paragraphs }| RulesSection {
            heading,
            paragraphs: paragraphs.into_iter().map(paragraph).collect(),
        };
        explanation.sections.into_iter().map(section).collect()
    }
}

impl ShowReport {
    /// The rules as they were explained.
    #[must_use]
    pub fn explanation(&self) -> Explanation {
        let paragraph = |p: &RulesParagraph| Paragraph { level: p.level, text: p.text.clone() };
        let section = |section: &RulesSection| Section {
            heading: section.heading.clone(),
            paragraphs: section.paragraphs.iter().map(paragraph).collect(),
        };
        Explanation { sections: self.rules.iter().map(section).collect() }
    }
}

impl ReportKind for ShowReport {
    const KIND: &'static str = "show";
}

impl Document for ShowReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("a position of {}", self.game));
        doc.push(Block::Pages(vec![Block::heading(1, self.game.as_str())]));
        let board = Board::alone(self.position.as_str(), boards.svg(&self.position));
        doc.push(board);
        doc.push(Block::Preformatted(show_text(self, boards)));
        doc
    }
}

/// The whole report. `boards` renders the positions of the game.
fn show_text(report: &ShowReport, boards: &dyn Boards) -> String {
    let mut text = boards.text(&report.position);
    let _ = writeln!(text, "\nposition: {}", report.position);
    if let Some(margin) = report.margin {
        let _ = writeln!(text, "margin: {margin:+} for the first player");
    }
    match (report.outcome, &report.ended_by) {
        (Some(outcome), Some(by)) => {
            let _ = writeln!(text, "{} (ended by {by})", outcome_words(outcome));
        }
        (Some(outcome), None) => {
            let _ = writeln!(text, "{}", outcome_words(outcome));
        }
        (None, _) => {
            let _ = writeln!(text, "the {} player is to move", report.turn);
            let _ = writeln!(
                text,
                "{}: {}",
                counted(report.moves.len() as u64, "move"),
                report.moves.join(" ")
            );
        }
    }
    if !report.rules.is_empty() {
        let _ = write!(text, "\n{}", report.explanation());
    }
    text
}

/// A result in words.
#[must_use]
pub fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player has won",
        Outcome::SecondWins => "the second player has won",
        Outcome::Draw => "the game is drawn",
    }
}
