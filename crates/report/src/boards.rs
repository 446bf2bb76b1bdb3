//! Documents of reports, and pictures of the positions that they name.

use std::fmt::Debug;

use treegauge_core::KeyCode;
use treegauge_doc::{Doc, Svg};
use treegauge_solve::Solvable;

use crate::show::RulesSection;

/// A report that can be read by people.
pub trait Document: Debug {
    /// The game whose boards it shows, as the user wrote it; `None` if it is about no single game.
    fn game(&self) -> Option<&str> {
        None
    }

    /// The report as a document; `boards` renders the positions that it names.
    fn doc(&self, boards: &dyn Boards) -> Doc;

    /// The report as a self-contained page: the document, unless there is a sheet to print.
    fn page(&self, boards: &dyn Boards) -> String {
        self.doc(boards).page()
    }
}

/// Renders the positions of one game.
///
/// A report holds positions as text, so that it stays small and can be read back from JSON; what
/// they look like follows from the game.
pub trait Boards {
    /// The rules in a few sentences; empty where they are not known.
    fn rules(&self) -> String {
        String::new()
    }

    /// The rules in plain English, section by section, of a game that a text describes; empty for others.
    fn rules_in_words(&self) -> Vec<RulesSection> {
        Vec::new()
    }

    /// A picture of a position for a terminal: several lines, the last one ended. Empty for a text
    /// that is no position of the game.
    fn text(&self, position: &str) -> String;

    /// A picture of a position. Empty for a text that is no position of the game.
    fn svg(&self, position: &str) -> Svg;

    /// A picture of the start of the game that a text describes. Empty where games of texts are not known.
    fn start_svg(&self, source: &str) -> Svg {
        let _ = source;
        Svg::default()
    }

    /// The rules of the game that a text describes, in plain English. Empty where games of texts are not known.
    fn rules_of_text(&self, source: &str) -> String {
        let _ = source;
        String::new()
    }
}

/// Renders nothing: for reports that are about no game.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBoards;

impl Boards for NoBoards {
    fn text(&self, _: &str) -> String {
        String::new()
    }

    fn svg(&self, _: &str) -> Svg {
        Svg::default()
    }
}

/// The boards of a game as a solver sees it.
#[derive(Clone, Copy, Debug)]
pub struct GameBoards<'a, K>(pub &'a Solvable<K>);

impl<K: KeyCode> Boards for GameBoards<'_, K> {
    fn text(&self, position: &str) -> String {
        let state = self.0.parse_position(position);
        state.map_or_else(|_| String::new(), |state| self.0.board_text(state))
    }

    fn svg(&self, position: &str) -> Svg {
        let state = self.0.parse_position(position);
        state.map_or_else(|_| Svg::default(), |state| Svg::new(self.0.board(state).svg()))
    }
}
