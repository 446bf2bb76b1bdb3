//! Report of the names of games.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};

/// Canonical names of the games of a list, in its order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamesReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Games of the list.
    pub rows: Vec<NameRow>,
}

impl ReportKind for NamesReport {
    const KIND: &'static str = "names";
}

/// A game of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameRow {
    /// Position in the list, from 1.
    pub place: u64,
    /// Text of the game as the user wrote it, without spaces.
    pub input: String,
    /// Name in reports, by which the game can be opened: the family and the parameters that differ
    /// from their defaults, in the order of the family. For a game defined by a rules text, the
    /// path as the user wrote it.
    pub game: String,
    /// Name in records, datasets and tables. It differs from `game` where a rules text defines the
    /// game: then it has the title and the digest of the text in place of the path.
    #[serde(default)]
    pub canonical: String,
}

impl Document for NamesReport {
    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new("names of games");
        doc.push(Block::PagesOnly(vec![Block::heading(1, "Names of games")]));
        doc.push(Block::Preformatted(names_text(self)));
        doc
    }
}

/// The whole report: a line per game, with its position in the list, the user's text and the name,
/// separated by tabs.
fn names_text(report: &NamesReport) -> String {
    let line = |place: &dyn std::fmt::Display, input: &str, game: &str| {
        format!("{place}\t{input}\t{game}\n")
    };
    let rows = report.rows.iter().map(|row| line(&row.place, &row.input, &row.game));
    std::iter::once(line(&"place", "input", "game")).chain(rows).collect()
}
