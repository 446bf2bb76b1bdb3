//! The reports of single searches.

use std::cmp::Reverse;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, Player, ReportKind, is_default};
use treegauge_doc::{Block, Board, Cell, Column, Doc, Table};
use treegauge_engine::{Proved, ProvedSearch};
use treegauge_search::{Expansion, FEATURES, Merge, MoveCounts, Shape, Stopped, UctVariant};

use crate::boards::{Boards, Document};
use crate::words::{counted, plies};

/// What a UCT search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position that was searched.
    pub position: String,
    /// The iterations made.
    pub iterations: u32,
    /// The seed.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// The exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// In which order moves were tried.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// How the search differs otherwise from that of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// What the search proved, where it has a solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedSearch>,
    /// The player to move.
    pub turn: Player,
    /// Nodes of the tree.
    pub nodes: u32,
    /// Bytes that the tree took.
    pub memory_bytes: u64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The move to play, the one with the best average; none where no move was tried.
    pub best_move: Option<String>,
    /// The legal moves in their order.
    pub moves: Vec<SearchedMove>,
    /// The shape of the tree.
    pub features: Shape,
}

/// What the search found of a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedMove {
    /// The move.
    #[serde(rename = "move")]
    pub m: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// Its average result **for the player to move**, -1 to 1, moved to the nearest value that a solver has not
    /// excluded; none where it was not tried.
    pub mean_score: Option<f64>,
    /// The result of perfect play after it, for the same player, where a solver proved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
}

/// What an alpha-beta search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlphaBetaSearchReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The game as the user wrote it.
    pub game: String,
    /// The position that was searched.
    pub position: String,
    /// The player that searched.
    pub player: String,
    /// The player to move.
    pub turn: Player,
    /// The move to play.
    pub best_move: String,
    /// By the evaluator, **for the player to move**; none where the line ends with a win or loss,
    /// or the game is decided.
    pub value: Option<f64>,
    /// What is proved to be the result of perfect play.
    pub decided: Option<Proved>,
    /// Plies to the end of a line that is won or lost.
    pub plies_to_end: Option<u32>,
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Positions that the search visited.
    pub nodes: u64,
    /// Why the search ended.
    pub stopped: Stopped,
    /// The line that best play of both players follows.
    pub principal_variation: Vec<String>,
}

impl ReportKind for SearchReport {
    const KIND: &'static str = "search";
}

impl ReportKind for AlphaBetaSearchReport {
    const KIND: &'static str = "alphabeta_search";
}

/// Moves that a document of a search lists by default.
pub const TOP_MOVES: usize = 20;

impl Document for SearchReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        search_doc(self, boards, TOP_MOVES)
    }
}

/// A UCT search as a document, with the `top` most visited moves.
#[must_use]
pub fn search_doc(report: &SearchReport, boards: &dyn Boards, top: usize) -> Doc {
    let mut doc = Doc::new(format!("a search of {}", report.game));
    doc.extend(searched(&report.game, &report.position, boards));
    let how = format!(
        "{}, {}, seed {}, C_p {:.4}{}",
        counted(report.iterations, "iteration"),
        counted(report.nodes, "node"),
        report.seed,
        report.cp,
        variant_words(report.expansion, report.variant)
    );
    doc.push(Block::notes([format!("{} from {}", report.game, report.position), how]));
    doc.extend(report.proved.as_ref().map(|proved| Block::text(proved_words(proved))));
    doc.extend(match report.stopped {
        Stopped::Nodes => {
            Some(Block::warning("The search stopped early: the tree reached its limit of nodes."))
        }
        Stopped::Memory => {
            Some(Block::warning("The search stopped early: the tree reached its limit of memory."))
        }
        Stopped::Caller => Some(Block::warning("INCOMPLETE: the search was interrupted.")),
        _ => None,
    });
    let (moves, hidden) = move_table(report, top);
    doc.push(moves);
    doc.extend((hidden > 0).then(|| Block::note(counted(hidden as u64, "more move"))));
    let UctVariant { merge, counts, solver, .. } = report.variant;
    let is_web = merge != Merge::None;
    doc.push(Block::note(format!(
        "* best value, the move to play; values are for the {} player, -1 to 1{}{}",
        report.turn,
        if solver { "; win, loss, draw: proved" } else { "" },
        if is_web && counts == MoveCounts::Node {
            "; moves to the same node share its visits"
        } else {
            ""
        }
    )));
    let tree = if is_web { "web" } else { "tree" };
    let first = if report.variant.threads > 1 { "first " } else { "" };
    let columns = [
        Column::left(format!("shape of the {first}{tree}")),
        Column::right("value"),
        Column::left("unit"),
        Column::note(""),
    ];
    let mut features = Table::new("features", columns);
    for feature in FEATURES {
        let value = (feature.of)(&report.features);
        features.push([
            Cell::from(feature.name),
            Cell::number(format!("{value:.4}"), Some(value)),
            Cell::from(feature.unit),
            Cell::from(feature.meaning),
        ]);
    }
    doc.push(features);
    doc
}

/// The head of a page of a search.
fn searched(game: &str, position: &str, boards: &dyn Boards) -> [Block; 2] {
    let board = Board::alone(position, boards.svg(position));
    [Block::Pages(vec![Block::heading(1, game)]), board.into()]
}

/// The most visited moves, among them the move to play, and the number of the others.
fn move_table(report: &SearchReport, top: usize) -> (Table, usize) {
    let mut rows: Vec<&SearchedMove> = report.moves.iter().collect();
    rows.sort_by_key(|row| Reverse(row.visits));
    let is_best = |row: &SearchedMove| Some(&row.m) == report.best_move.as_ref();
    // The move to play is listed in any case.
    let last = rows.iter().position(|row| is_best(row)).filter(|&place| place >= top);
    let listed: Vec<&SearchedMove> =
        rows.iter().take(top).copied().chain(last.map(|place| rows[place])).collect();
    let hidden = rows.len() - listed.len();
    let columns = [Column::left("move"), Column::right("visits"), Column::right("value")];
    let mut table = Table::new("moves", columns);
    for row in listed {
        let value = match (row.proved, row.mean_score) {
            (Some(proved), _) => result_word(proved).to_owned(),
            (None, Some(value)) => format!("{value:+.3}"),
            (None, None) => "untried".to_owned(),
        };
        let mark = if is_best(row) { " *" } else { "" };
        table.push([
            Cell::from(format!("{}{mark}", row.m)),
            Cell::count(u64::from(row.visits)),
            Cell::number(value, row.mean_score),
        ]);
    }
    (table, hidden)
}

/// How a search differs from that of Williams 2010, behind other facts; nothing where it does not.
#[must_use]
pub fn variant_words(expansion: Expansion, variant: UctVariant) -> String {
    let mut text = String::new();
    if expansion == Expansion::Random {
        text.push_str(", expansion=random");
    }
    if variant != UctVariant::default() {
        let _ = write!(text, ", {variant}");
    }
    text
}

/// A proved result for the player whose values are given.
fn result_word(proved: Proved) -> &'static str {
    match proved {
        Proved::Win => "win",
        Proved::Lose => "loss",
        Proved::Tie => "draw",
    }
}

/// What a solver proved, in a sentence or two.
pub(crate) fn proved_words(proved: &ProvedSearch) -> String {
    let result = match proved.result {
        Proved::Win => "the player to move wins by force",
        Proved::Lose => "the player to move loses by force",
        Proved::Tie => "neither player can win by force, and the game is a draw",
    };
    let limits = match proved.has_limits {
        true => " The proof ignores repetitions and limits of plies.",
        false => "",
    };
    format!(
        "Proved: {result}, for example by {} ({}).{limits}",
        proved.line.join(" "),
        plies(proved.line.len() as u32)
    )
}

impl Document for AlphaBetaSearchReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let AlphaBetaSearchReport { turn, best_move, .. } = self;
        let mut doc = Doc::new(format!("a search of {}", self.game));
        doc.extend(searched(&self.game, &self.position, boards));
        let nodes = counted(self.nodes, "node");
        doc.push(Block::notes([
            format!("{} from {}", self.game, self.position),
            format!("{}: {} deep, {nodes}", self.player, plies(self.depth)),
        ]));
        let mut found = Vec::new();
        if self.depth == 0 {
            found.push("The search ended before it had completed one ply.".to_owned());
        }
        let end = self.plies_to_end.map_or(String::new(), |n| format!(" in {}", plies(n)));
        let prospect = match (self.decided, self.value) {
            (Some(Proved::Win), _) => format!("wins{end}, against any defence"),
            (Some(Proved::Lose), _) => format!("loses{end} at best"),
            (Some(Proved::Tie), _) => "can force a draw at best".to_owned(),
            (None, Some(value)) => format!("has a value of {value:+} by this evaluation"),
            // The search ended in the middle of an iteration.
            (None, None) => format!("loses{end} with it; not every other move was searched"),
        };
        found.push(format!("The {turn} player should play {best_move}, and {prospect}."));
        if !self.principal_variation.is_empty() {
            found.push(format!("best line: {}", self.principal_variation.join(" ")));
        }
        doc.push(Block::notes(found));
        doc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_names_what_it_ignores_only_where_the_game_has_it() {
        let line = vec!["a1".to_owned()];
        let words = |has_limits| {
            proved_words(&ProvedSearch { result: Proved::Win, line: line.clone(), has_limits })
        };
        let proved = "Proved: the player to move wins by force, for example by a1 (1 ply).";
        assert_eq!(words(false), proved);
        assert_eq!(
            words(true),
            format!("{proved} The proof ignores repetitions and limits of plies.")
        );
    }
}
