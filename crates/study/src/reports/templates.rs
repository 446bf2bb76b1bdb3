//! The report of the built-in games that there is a text of.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};

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
