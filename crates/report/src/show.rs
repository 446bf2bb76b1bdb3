//! Report of one position.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_catalog::rules::{Explanation, Paragraph, Section};
use treegauge_core::{
    Board as Cells, Ending, MovePath, Outcome, PathCell, Player, ReportHeader, ReportKind,
    winner_json,
};
use treegauge_difficulty::chess::{ChessMove, Position};
use treegauge_doc::{Block, Board, Doc};
use treegauge_engine::Line;

use crate::about_game::{heading, rules, sections_of, title_of};
use crate::boards::{Boards, Document, ReachedBoard, last_move_svg};
use crate::search::play_on;
use crate::words::{counted_grouped, grouped};

/// A position, its side to move and its legal moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShowReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Text of the position.
    pub position: String,
    /// Names of the cells of the last move, without those that it jumped over; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_cells: Vec<String>,
    /// Player to move, even if the game is over.
    pub turn: Player,
    /// Result; `None` while the game continues.
    #[serde(with = "winner_json::option")]
    pub outcome: Option<Outcome>,
    /// Rule that ended the game, in words; `None` while the game continues.
    pub ended_by: Option<String>,
    /// Score of the first player minus that of the second; `None` if the game has no scores.
    pub margin: Option<i32>,
    /// Legal moves; empty if the game is over.
    pub moves: Vec<String>,
    /// Rules in plain English of a game that a text defines, and the origin of the game.
    #[serde(default)]
    pub rules: Vec<RulesSection>,
    /// Cells of the board and of the moves; `None` unless asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<ShownBoard>,
}

/// A position as a board for other programs: cells with their contents, and the cells of each move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownBoard {
    /// Cells, their places and contents, and the texts around them.
    #[serde(flatten)]
    pub cells: Cells,
    /// Legal moves in their order, with the cells that each touches; empty if the game is over.
    pub moves: Vec<MovePath>,
    /// Cells of the last move that was played; empty if there is none.
    pub last: Vec<PathCell>,
}

impl ShownBoard {
    /// Board of the current position of a game.
    #[must_use]
    pub fn of(line: &Line) -> ShownBoard {
        let ReachedBoard { board: cells, last } = ReachedBoard::current(line);
        let moves = line.paths(&cells);
        ShownBoard { cells, moves, last }
    }

    /// Board of a position of chess, seen from White's side, after `last` was played in the position
    /// before it. No move is legal where the game is over.
    #[must_use]
    pub fn of_chess(position: &Position, last: Option<(&Position, ChessMove)>) -> ShownBoard {
        let moves = if position.ending().is_some() { Vec::new() } else { position.paths() };
        let touched = |(before, played): (&Position, ChessMove)| {
            let text = before.san(played);
            let paths = before.paths().into_iter();
            paths.filter(|path| path.text == text).flat_map(|path| path.path).collect()
        };
        ShownBoard { cells: position.cells(), moves, last: last.map_or_else(Vec::new, touched) }
    }
}

/// A section of the rules of a game in plain English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesSection {
    /// Topic of the section, such as `Board` or `Moves`.
    pub heading: String,
    /// Paragraphs of the section, at least one.
    pub paragraphs: Vec<RulesParagraph>,
}

/// A paragraph of rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesParagraph {
    /// Nesting depth in a list: 0 for a paragraph of its own, 1 for an item of the previous
    /// paragraph.
    pub level: usize,
    /// Sentences of the paragraph.
    pub text: String,
}

impl RulesSection {
    /// Sections of an explanation.
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
    /// Rules as an explanation.
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
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("a position of {title}"));
        doc.push(heading(&title, &self.game));
        let board = Board::alone(
            self.position.as_str(),
            last_move_svg(boards, &self.position, &self.last_cells),
        );
        doc.push(board);
        let board = boards.text(&self.position);
        let mut text = show_text(self, &board);
        // A page shows the picture instead of the text of the board.
        let is_drawn = !boards.svg(&self.position).is_empty();
        let on_page = if is_drawn { text[board.len()..].trim_start() } else { &text };
        doc.push(Block::PagesOnly(vec![Block::Preformatted(on_page.to_owned())]));
        doc.extend(rules(boards).or_else(|| sections_of(self.rules.clone())));
        if !self.rules.is_empty() {
            let _ = write!(text, "\n{}", self.explanation());
        }
        doc.push(Block::TextOnly(vec![Block::Preformatted(text)]));
        if self.outcome.is_none() {
            doc.next = play_on(&self.game, &self.position);
        }
        doc
    }
}

/// Greatest number of moves that the report lists as text.
const MOVES_SHOWN: usize = 120;

/// The report without the rules. It begins with the text of the board.
fn show_text(report: &ShowReport, board: &str) -> String {
    let mut text = board.to_owned();
    let _ = writeln!(text, "\nposition: {}", report.position);
    if let Some(margin) = report.margin {
        let _ = writeln!(text, "margin: {margin:+} for the first player");
    }
    match (report.outcome, &report.ended_by) {
        (Some(outcome), by) => {
            let _ = writeln!(text, "{}", result_words(outcome, by.as_deref()));
        }
        (None, _) => {
            let _ = writeln!(text, "the {} player is to move", report.turn);
            let shown = &report.moves[..report.moves.len().min(MOVES_SHOWN)];
            let others = report.moves.len() - shown.len();
            let others = match others {
                0 => String::new(),
                _ => format!(" ... and {} more (--json lists them)", grouped(others as u64)),
            };
            let count = counted_grouped(report.moves.len() as u64, "move");
            let _ = writeln!(text, "{count}: {}{others}", shown.join(" "));
        }
    }
    text
}

/// Result in words, with the rule that ended the game if the last position does not show it: a
/// repetition, for example.
#[must_use]
pub fn result_words(outcome: Outcome, ended_by: Option<&str>) -> String {
    let unseen = ended_by.filter(|by| *by != Ending::Outcome.to_string());
    let cause = unseen.map_or(String::new(), |by| format!(" (ended by {by})"));
    outcome_words(outcome).to_owned() + &cause
}

/// Result in words.
#[must_use]
pub fn outcome_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::FirstWins => "the first player has won",
        Outcome::SecondWins => "the second player has won",
        Outcome::Draw => "the game is drawn",
    }
}
