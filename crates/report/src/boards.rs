//! Documents of reports, and pictures of the positions that they show.

use std::fmt::Debug;

use treegauge_core::{Board, CellNumber, KeyCode, PathCell, Role};
use treegauge_doc::{Doc, Figure, Svg};
use treegauge_engine::{Line, MoveNumber};
use treegauge_solve::Solvable;

use crate::show::RulesSection;

/// A report with a document for people to read.
pub trait Document: Debug {
    /// Game that the report's boards belong to, as the user wrote it; `None` if the report is not
    /// about a single game.
    fn game(&self) -> Option<&str> {
        None
    }

    /// Document of the report. `boards` renders the positions in it.
    fn doc(&self, boards: &dyn Boards) -> Doc;

    /// Self-contained picture that says the result by itself; `None` if the report has none.
    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        let _ = boards;
        None
    }

    /// Self-contained HTML page to print in place of that of [`Document::doc`]; `None` if the report
    /// has none.
    fn sheet(&self, boards: &dyn Boards) -> Option<String> {
        let _ = boards;
        None
    }

    /// Self-contained HTML page of the report: its sheet, or else the page of its document.
    fn page(&self, boards: &dyn Boards) -> String {
        self.sheet(boards).unwrap_or_else(|| self.doc(boards).page())
    }
}

/// Renders the positions of one game.
///
/// A report stores positions as text, so it stays small and can be read back from JSON. Their
/// pictures follow from the game.
pub trait Boards {
    /// Title of the game for people, such as `Connect Four`; empty if unknown.
    fn title(&self) -> String {
        String::new()
    }

    /// Rules in a few sentences; empty if unknown.
    fn rules(&self) -> String {
        String::new()
    }

    /// Rules in plain English, section by section, for a game defined by a rules text; empty for
    /// other games.
    fn rules_in_words(&self) -> Vec<RulesSection> {
        Vec::new()
    }

    /// Picture of a position for a terminal: several lines, each ended by a newline. Empty if the
    /// text is not a position of the game.
    fn text(&self, position: &str) -> String;

    /// Picture of a position. Empty if the text is not a position of the game.
    fn svg(&self, position: &str) -> Svg;

    /// Position after some moves as a board; `None` if a text is not a position of the game or not a
    /// legal move, or if the implementation knows no moves.
    fn reached(&self, position: &str, moves: &[&str]) -> Option<ReachedBoard> {
        let _ = (position, moves);
        None
    }

    /// Picture of the start of the game that a rules text defines. Empty if the implementation does
    /// not read rules texts.
    fn start_svg(&self, source: &str) -> Svg {
        let _ = source;
        Svg::default()
    }

    /// Rules in plain English of the game that a rules text defines. Empty if the implementation
    /// does not read rules texts.
    fn rules_of_text(&self, source: &str) -> String {
        let _ = source;
        String::new()
    }
}

/// Position as a board, with the cells of the move that led to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReachedBoard {
    /// The position.
    pub board: Board,
    /// Cells of the last move; empty if there is none.
    pub last: Vec<PathCell>,
}

impl ReachedBoard {
    /// Position of a line before its first move, or after legal moves. `None` if a text is not a
    /// legal move.
    #[must_use]
    pub fn of(mut line: Line, moves: &[&str]) -> Option<ReachedBoard> {
        let mut last = Vec::new();
        for (n, text) in moves.iter().enumerate() {
            let number: MoveNumber = line.move_number(text).ok()?;
            if n + 1 == moves.len() {
                last = line.move_cells(number);
            }
            line.play(number);
        }
        Some(ReachedBoard { board: line.board(), last })
    }

    /// Current position of a line.
    #[must_use]
    pub fn current(line: &Line) -> ReachedBoard {
        let last = line.played().split_last().map_or_else(Vec::new, |(&last, before)| {
            let mut at = line.start();
            before.iter().for_each(|&number| at.play(number));
            at.move_cells(last)
        });
        ReachedBoard { board: line.board(), last }
    }

    /// Picture of the position, with the last move marked.
    #[must_use]
    pub fn svg(&self) -> Svg {
        Svg::new(self.board.svg_marked(&self.marked()))
    }

    /// Names of the cells that a picture marks.
    #[must_use]
    pub fn marked_names(&self) -> Vec<String> {
        self.marked().into_iter().map(|cell| self.board.cells[cell].name.clone()).collect()
    }

    /// Cells that a picture marks: those of the last move, without the ones that it jumped over.
    #[must_use]
    pub fn marked(&self) -> Vec<CellNumber> {
        marked(&self.last)
    }
}

/// Picture of a position with the cells of the last move marked, by their names; that of [`Boards::svg`]
/// if there is no last move, or the boards do not know the cells.
pub(crate) fn last_move_svg(boards: &dyn Boards, position: &str, cells: &[String]) -> Svg {
    let reached = boards.reached(position, &[]).filter(|_| !cells.is_empty());
    let Some(ReachedBoard { board, .. }) = reached else { return boards.svg(position) };
    let known = board.cells.iter().enumerate().filter(|(_, cell)| cells.contains(&cell.name));
    let marked: Vec<CellNumber> = known.map(|(number, _)| number).collect();
    Svg::new(board.svg_marked(&marked))
}

/// Cells of a move, without the ones that it jumped over, each once.
pub(crate) fn marked(last: &[PathCell]) -> Vec<CellNumber> {
    let mut cells: Vec<CellNumber> = Vec::new();
    for touch in last.iter().filter(|touch| touch.role != Role::Over) {
        if !cells.contains(&touch.cell) {
            cells.push(touch.cell);
        }
    }
    cells
}

/// Renders nothing. For reports that are not about a game.
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

/// Boards of a game that a solver has the rules of.
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
