//! Reports of single searches.

use std::cmp::Reverse;
use std::fmt::Write;

use serde::{Deserialize, Serialize};
use treegauge_core::{Player, ReportHeader, ReportKind, is_default};
use treegauge_doc::{Block, Board, Cell, Column, Doc, Figure, Svg, Table, Tone, Words};
use treegauge_engine::{CutTree, Proved, ProvedSearch, value_interval};
use treegauge_search::picture::TreeSelection;
use treegauge_search::{Expansion, FEATURES, Merge, MoveCounts, Shape, Stopped, UctVariant};

use crate::about_game::{heading, rules, title_of};
use crate::boards::{Boards, Document, last_move_svg};
use crate::lead::{reasons, verdict};
use crate::trees::{TREE_BOARDS_DEFAULT, cut_tree_picture, tree_picture};
use crate::words::{and_listed, command, count_cell, counted_grouped, plies};

/// Result of a UCT search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Position at the root of the search.
    pub position: String,
    /// Names of the cells of the last move, without those that it jumped over; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_cells: Vec<String>,
    /// Number of iterations.
    pub iterations: u32,
    /// Seed of the search.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Exploration constant on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which the search tries the moves of a node.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expansion: Expansion,
    /// Other differences between the search and that of Williams 2010.
    #[serde(flatten)]
    pub variant: UctVariant,
    /// Result proved by the solver; `None` if the search has no solver or it proved nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedSearch>,
    /// Player to move.
    pub turn: Player,
    /// Number of nodes of the tree.
    pub nodes: u32,
    /// Memory of the tree, in bytes.
    pub memory_bytes: u64,
    /// Reason why the search ended.
    pub stopped: Stopped,
    /// Move to play, with the best average; `None` if no move was tried.
    pub best_move: Option<String>,
    /// Whether the move to play ends the game in a win for its player.
    #[serde(default, skip_serializing_if = "is_default")]
    pub wins_at_once: bool,
    /// Legal moves in the order of the game.
    pub moves: Vec<SearchedMove>,
    /// Shape of the tree.
    pub features: Shape,
    /// Part of the tree for a page; not kept in JSON.
    #[serde(skip)]
    pub tree: Option<TreeSelection>,
}

/// Statistics of a move in a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedMove {
    /// Text of the move.
    #[serde(rename = "move")]
    pub m: String,
    /// Number of iterations through the move.
    pub visits: u32,
    /// Average result **for the player to move**, -1 to 1, clamped to the values that a solver has
    /// not excluded; `None` if the move was not tried.
    pub mean_score: Option<f64>,
    /// Result of perfect play after the move, for the same player; `None` if no solver proved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<Proved>,
}

/// Result of an alpha-beta search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlphaBetaSearchReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Game as the user wrote it.
    pub game: String,
    /// Position at the root of the search.
    pub position: String,
    /// Names of the cells of the last move, without those that it jumped over; empty if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub last_cells: Vec<String>,
    /// Player that searched.
    pub player: String,
    /// Player to move.
    pub turn: Player,
    /// Move to play.
    pub best_move: String,
    /// Value by the evaluator, **for the player to move**; `None` if the line ends with a win or
    /// loss, or the game is decided.
    pub value: Option<f64>,
    /// Proved result of perfect play; `None` if nothing is proved.
    pub decided: Option<Proved>,
    /// Number of plies to the end of a won or lost line.
    pub plies_to_end: Option<u32>,
    /// Number of plies of the last completed iteration.
    pub depth: u32,
    /// Number of visited positions.
    pub nodes: u64,
    /// Reason why the search ended.
    pub stopped: Stopped,
    /// Line of best play by both players.
    pub principal_variation: Vec<String>,
    /// Tree with its cuts for a page; not kept in JSON.
    #[serde(skip)]
    pub tree: Option<CutTree>,
}

impl ReportKind for SearchReport {
    const KIND: &'static str = "search";
}

impl ReportKind for AlphaBetaSearchReport {
    const KIND: &'static str = "alphabeta_search";
}

/// Default number of moves in the document of a search.
pub const TOP_MOVES_DEFAULT: usize = 20;

impl Document for SearchReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        search_doc(self, boards, TOP_MOVES_DEFAULT)
    }
}

/// Document of a UCT search, with the `top` most visited moves.
#[must_use]
pub fn search_doc(report: &SearchReport, boards: &dyn Boards, top: usize) -> Doc {
    let title = title_of(&report.game, boards);
    let mut doc = Doc::new(format!("a search of {title}"));
    doc.push(heading(&title, &report.game));
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
    let (tone, lead) = lead(report);
    let headline = report.best_move.as_ref();
    let name = if rivals(report).is_empty() { "UCT prefers" } else { "Best so far" };
    let headline = headline.map_or("No move".to_owned(), |best| format!("{name}: {best}"));
    doc.extend(verdict(tone, &headline, &report.game, &lead));
    let has_limits = report.proved.as_ref().is_some_and(|proved| proved.has_limits);
    doc.extend(has_limits.then(|| Block::note(PROOF_LIMITS)));
    let picture = last_move_svg(boards, &report.position, &report.last_cells);
    doc.push(Board::alone(report.position.as_str(), picture));
    let tree = report.tree.as_ref();
    doc.extend(tree.map(|tree| search_tree(tree_picture(tree, boards, TREE_BOARDS_DEFAULT))));
    let (moves, hidden) = move_table(report, top);
    doc.push(moves);
    doc.extend((hidden > 0).then(|| Block::note(counted_grouped(hidden as u64, "more move"))));
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
    let how = format!(
        "{}, {}, seed {}, C_p {:.4}{}.",
        counted_grouped(report.iterations, "iteration"),
        counted_grouped(report.nodes, "node"),
        report.seed,
        report.cp,
        variant_words(report.expansion, report.variant)
    );
    let position = format!("The position: {}", report.position);
    let proved = report.proved.as_ref().map(proved_words);
    let sentences = proved.into_iter().chain([position, how, INTERVAL_WORDS.to_owned()]).collect();
    doc.extend(reasons(sentences, vec![features.into()]));
    doc.extend(rules(boards));
    if report.stopped != Stopped::Caller && report.best_move.is_some() {
        doc.next = play_on(&report.game, &report.position);
    }
    doc
}

/// The tree of a search on its page.
fn search_tree(picture: Svg) -> Block {
    let figure = Figure { name: "search_tree", picture, is_wide: true, ..Figure::default() };
    Block::PagesOnly(vec![figure.into()])
}

/// Verdict on the position with its colour: the move to play, its value and what is proved.
fn lead(report: &SearchReport) -> (Tone, String) {
    let Some(best) = &report.best_move else {
        return (Tone::Undecided, "No move was searched.".to_owned());
    };
    let turn = report.turn;
    if report.wins_at_once {
        return (Tone::Good, format!("The {turn} player wins at once with {best}."));
    }
    match report.proved.as_ref().map(|proved| proved.result) {
        Some(Proved::Win) => {
            return (Tone::Good, format!("The {turn} player wins by force with {best} (proved)."));
        }
        Some(Proved::Lose) => {
            let lead =
                format!("The {turn} player loses against best play, with {best} too (proved).");
            return (Tone::Bad, lead);
        }
        Some(Proved::Tie) => {
            let lead = format!(
                "The {turn} player draws with {best}, and best play allows no more (proved)."
            );
            return (Tone::Undecided, lead);
        }
        None => {}
    }
    let row = report.moves.iter().find(|row| row.m == *best);
    let value = row.and_then(|row| Some((row.mean_score?, interval(row)?)));
    let value = value.map_or(String::new(), |(mean, [low, high])| {
        let digits = if high - low < NARROW { 3 } else { 2 };
        format!("{mean:+.digits$} ({low:+.digits$} to {high:+.digits$})")
    });
    let iterations = counted_grouped(report.iterations, "iteration");
    let rivals = rivals(report);
    let lead = match (rivals.is_empty(), value.is_empty()) {
        (true, true) => format!("UCT prefers {best} for the {turn} player, after {iterations}."),
        (true, false) if report.moves.len() == 1 => {
            format!("The {turn} player can only play {best}, with a value of {value}.")
        }
        (true, false) => format!(
            "UCT prefers {best} for the {turn} player: its mean result is {value}, better than that of every \
             other move after {iterations}."
        ),
        (false, _) => {
            let all: Vec<String> =
                std::iter::once(best).chain(rivals.iter().copied()).cloned().collect();
            format!(
                "{} do not show which move is best for the {turn} player: {} may be equally good. {best} \
                 has the best value so far, {value}.",
                iterations,
                and_listed(&all, EQUALS_NAMED)
            )
        }
    };
    (Tone::Undecided, lead)
}

/// Explains the intervals of moves.
const INTERVAL_WORDS: &str = "The interval of a value is Wilson's, as if each visit of a move were an independent game: it \
     is approximate, since a search visits the moves that look best more often.";

/// Width of an interval of values from which on two digits are enough.
const NARROW: f64 = 0.1;

/// Greatest number of moves named as equally good.
const EQUALS_NAMED: usize = 5;

/// Interval of the mean result of a move, -1 to 1; `None` if the move was not tried or its result is
/// proved.
fn interval(row: &SearchedMove) -> Option<[f64; 2]> {
    let mean = row.mean_score.filter(|_| row.visits > 0 && row.proved.is_none())?;
    Some(value_interval(mean, row.visits))
}

/// Interval of a move in a table; empty if it has none.
fn interval_words(row: &SearchedMove) -> String {
    interval(row).map_or(String::new(), |[low, high]| format!("{low:+.2} to {high:+.2}"))
}

/// Moves that were not tried or whose interval overlaps that of the move to play, the most visited
/// first.
fn rivals(report: &SearchReport) -> Vec<&String> {
    let is_best = |row: &&SearchedMove| Some(&row.m) == report.best_move.as_ref();
    let low = report.moves.iter().find(is_best).and_then(interval).map(|[low, _]| low);
    let is_open = report.proved.is_none() && !report.wins_at_once;
    let Some(low) = low.filter(|_| is_open) else { return Vec::new() };
    let reaches = |row: &&SearchedMove| {
        // Nothing is known of a move that was not tried.
        let is_untried = row.visits == 0 && row.proved.is_none();
        !is_best(row) && (is_untried || interval(row).is_some_and(|[_, high]| high >= low))
    };
    let mut rows: Vec<&SearchedMove> = report.moves.iter().filter(reaches).collect();
    rows.sort_by_key(|row| Reverse(row.visits));
    rows.into_iter().map(|row| &row.m).collect()
}

/// Command that plays on from a position; empty if the position is long, or the game came from
/// standard input, which no other command can read again.
pub(crate) fn play_on(game: &str, position: &str) -> Words {
    if position.len() > POSITION_MAX
        || FROM_STANDARD_INPUT.iter().any(|name| game.starts_with(name))
    {
        return Words::default();
    }
    let play = command("play", &[game, "--position", position]);
    format!("{play} lets you play on from here.").into()
}

/// Beginnings of the names of games that came from standard input.
const FROM_STANDARD_INPUT: [&str; 2] = ["rules(file=-)", "rules(file=-,"];

/// Greatest length of a position, in bytes, in a command for the reader.
const POSITION_MAX: usize = 80;

/// Table of the most visited moves, always including the move to play, and the number of the other
/// moves.
fn move_table(report: &SearchReport, top: usize) -> (Table, usize) {
    let mut rows: Vec<&SearchedMove> = report.moves.iter().collect();
    rows.sort_by_key(|row| Reverse(row.visits));
    let is_best = |row: &SearchedMove| Some(&row.m) == report.best_move.as_ref();
    // The move to play is listed even if it is not among the most visited.
    let last = rows.iter().position(|row| is_best(row)).filter(|&place| place >= top);
    let listed: Vec<&SearchedMove> =
        rows.iter().take(top).copied().chain(last.map(|place| rows[place])).collect();
    let hidden = rows.len() - listed.len();
    let columns = [
        Column::left("move"),
        Column::right("visits"),
        Column::right("value"),
        Column::left("95% interval"),
    ];
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
            count_cell(u64::from(row.visits)),
            Cell::number(value, row.mean_score),
            Cell::from(interval_words(row)),
        ]);
    }
    (table, hidden)
}

/// Differences between a search and that of Williams 2010, each after a comma; empty if there are
/// none.
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

/// Word of a proved result, for the player to move.
fn result_word(proved: Proved) -> &'static str {
    match proved {
        Proved::Win => "win",
        Proved::Lose => "loss",
        Proved::Tie => "draw",
    }
}

/// Limits of a proof.
const PROOF_LIMITS: &str = "The proof ignores repetitions and limits of plies.";

/// Result proved by a solver, in a sentence or two.
pub(crate) fn proved_words(proved: &ProvedSearch) -> String {
    let result = match proved.result {
        Proved::Win => "the player to move wins by force",
        Proved::Lose => "the player to move loses by force",
        Proved::Tie => "neither player can win by force, and the game is a draw",
    };
    let limits = if proved.has_limits { format!(" {PROOF_LIMITS}") } else { String::new() };
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
        let title = title_of(&self.game, boards);
        let mut doc = Doc::new(format!("a search of {title}"));
        doc.push(heading(&title, &self.game));
        let end = self.plies_to_end.map_or(String::new(), |n| format!(" in {}", plies(n)));
        let (tone, prospect) = match (self.decided, self.value) {
            (Some(Proved::Win), _) => (Tone::Good, format!("and wins{end}, against any defence")),
            (Some(Proved::Lose), _) => (Tone::Bad, format!("and loses{end} at best")),
            (Some(Proved::Tie), _) => (Tone::Undecided, "and can force a draw at best".to_owned()),
            (None, Some(value)) => {
                (Tone::Undecided, format!("which has a value of {value:+} by this evaluation"))
            }
            // The search ended within an iteration.
            (None, None) => {
                (Tone::Bad, format!("and loses{end} with it; not every other move was searched"))
            }
        };
        if self.depth == 0 {
            let warning = "INCOMPLETE: the search ended before it had completed one ply.";
            doc.push(Block::warning(warning));
        }
        let lead = format!("The {turn} player should play {best_move}, {prospect}.");
        doc.extend(verdict(tone, &format!("Best move: {best_move}"), &self.game, &lead));
        let picture = last_move_svg(boards, &self.position, &self.last_cells);
        doc.push(Board::alone(self.position.as_str(), picture));
        doc.extend(self.tree.as_ref().map(|tree| search_tree(cut_tree_picture(self, tree))));
        if !self.principal_variation.is_empty() {
            doc.push(Block::text(format!("Best line: {}", self.principal_variation.join(" "))));
        }
        let nodes = counted_grouped(self.nodes, "node");
        let how = format!("{}: {} deep, {nodes}.", self.player, plies(self.depth));
        doc.extend(reasons(vec![format!("The position: {}", self.position), how], Vec::new()));
        doc.extend(rules(boards));
        doc.next = play_on(&self.game, &self.position);
        doc
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(m: &str, visits: u32, mean: f64) -> SearchedMove {
        SearchedMove { m: m.to_owned(), visits, mean_score: Some(mean), proved: None }
    }

    #[test]
    fn the_interval_of_a_value_is_that_of_a_share() {
        let [low, high] = interval(&row("a", 10, -1.0)).unwrap();
        assert_eq!(low, -1.0);
        // Wilson's interval of 0 of 10 ends at 0.2775.
        assert!((high - (2.0 * 0.2775 - 1.0)).abs() < 2e-4);
        assert_eq!(
            interval(&SearchedMove { visits: 0, mean_score: None, ..row("a", 0, 0.0) }),
            None
        );
        let proved = SearchedMove { proved: Some(Proved::Win), ..row("a", 9, 1.0) };
        assert_eq!(interval(&proved), None);
        assert_eq!(interval_words(&row("a", 10_000, 0.0)), "-0.02 to +0.02");
    }

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
