//! The report of the names of games.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_doc::{Block, Doc};

use crate::boards::{Boards, Document};

/// The canonical names of the games of a list, in its order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamesReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The games.
    pub rows: Vec<NameRow>,
}

impl ReportKind for NamesReport {
    const KIND: &'static str = "names";
}

/// A game of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NameRow {
    /// Its place in the list, from 1.
    pub place: u64,
    /// The game as it was given, without spaces.
    pub input: String,
    /// Its name in reports, records, datasets and tables: the family and the parameters that are not at their
    /// defaults, in the order of the family. Of a game that a text describes the path as it was given.
    pub game: String,
}

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
