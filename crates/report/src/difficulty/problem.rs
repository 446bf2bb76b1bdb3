//! Meaningful tree of one problem: text, pictures, and a page.

use std::fmt::Write;

use treegauge_difficulty::chess::Position;
use treegauge_difficulty::{
    CandidateMove, GradedReport, Node, PredictedDifficulty, ProblemReport, ScoreUnit, Tree, Value,
};
use treegauge_doc::{Block, Board, Cell, Column, Doc, Figure, Svg, Table, Tone, Words, Wrap};

use super::explained::TreeRow;
use super::tree_part::TreePart;
use super::{misfit_words, model_words, networks_words};
use crate::boards::{Boards, Document};
use crate::pictures;
use crate::search::play_on;
use crate::trees::{Align, children_of, escaped, middles};
use crate::words::{capital, count_cell, counted, grouped};

impl Document for ProblemReport {
    fn game(&self) -> Option<&str> {
        (self.game != "chess").then_some(self.game.as_str())
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        let title = format!("{}: {}", self.game, self.position);
        let mut doc = Doc::new(title.as_str());
        let (headline, lead) = (rated_words(self), tree_words(self));
        doc.push(Block::TextOnly(vec![Block::text(match &headline {
            Some(rated) => format!("{rated} {lead}"),
            None => lead.clone(),
        })]));
        doc.push(Block::PagesOnly(vec![Block::heading(1, title)]));
        doc.push(Block::Verdict {
            tone: Tone::Undecided,
            headline: headline.unwrap_or_default().into(),
            lead: lead.into(),
            points: Vec::new(),
        });
        doc.push(Block::TextOnly(vec![Block::Preformatted(problem_text(self, boards))]));
        let board = Board {
            position: self.position.clone(),
            picture: problem_board(self, boards),
            is_alone: true,
            ..Board::default()
        };
        let figure = |name, tree: &Tree| Figure {
            name,
            picture: Svg::new(tree_svg(self, tree)),
            is_on_paper: true,
            is_wide: true,
            ..Figure::default()
        };
        let part = TreePart::of(&self.tree, &self.solution);
        let mut shown = vec![board.into(), figure("tree", &part.first).into()];
        shown.extend(part.deeper.as_ref().map(|deeper| Block::Fold {
            summary: TreePart::DEEPER.into(),
            is_line: true,
            blocks: vec![figure("deeper tree", deeper).into()],
        }));
        shown.extend(part.more.map(Block::note));
        doc.push(Block::PagesOnly(shown));
        if self.without_solution {
            doc.push(Block::note("Rated by the engine's solution; --moves gives another."));
        }
        doc.push(Block::text(first_moves_words(self)));
        doc.extend(self.note.as_ref().map(|note| Block::warning(format!("{}.", capital(note)))));
        if self.tree.capped {
            doc.push(Block::warning(format!(
                "The tree was cut off at {} kept moves; its attributes describe this part.",
                grouped(self.tree.settings.nodes_max)
            )));
        }
        let model = self.model.as_ref().zip(self.measured.as_ref());
        let misfit = model.and_then(|(model, measured)| misfit_words(model, measured));
        doc.extend(misfit.map(Block::warning));
        let evidence = self.difficulty.iter().map(|found| found.evidence);
        doc.extend(networks_words(&self.networks, evidence).map(Block::warning));
        let columns = [Column::left("attribute"), Column::right("value")];
        let mut attributes = Table::new("attributes", columns);
        for (name, value) in shown_attributes(self) {
            attributes.push([Cell::from(name), Cell::number(number(value), Some(value))]);
        }
        let mut reasons: Vec<String> = self
            .reasons
            .iter()
            .map(|reason| format!("{} ({:+.0} points)", capital(&reason.words), reason.effect))
            .collect();
        reasons.push(guess_sentence(self));
        reasons.extend(self.model.iter().flat_map(model_words));
        let unit = unit_words(self.unit);
        reasons.push(format!("Values are {unit}; they come from {}.", self.source));
        doc.push(Block::fold("Reasons and method", vec![Block::notes(reasons)]));
        doc.push(Block::fold("All attributes", vec![attributes.into()]));
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::difficulty::problem(self, boards)
    }
}

/// Board and tree for a terminal: one move per line, indented by its level. `boards` renders the
/// position if the game is one of the catalog.
fn problem_text(report: &ProblemReport, boards: &dyn Boards) -> String {
    let board = match chess_position(report) {
        Some(position) => position.board_text(),
        None => boards.text(&report.position),
    };
    let part = TreePart::of(&report.tree, &report.solution);
    let shown = part.deeper.as_ref().unwrap_or(&part.first);
    let tree = tree_text(shown, report.unit, &report.position);
    let more = part.more.map_or_else(String::new, |more| format!("  {more}\n"));
    format!("{}\n\n{board}\n{tree}{more}", report.position)
}

/// Picture of the position.
pub(crate) fn problem_board(report: &ProblemReport, boards: &dyn Boards) -> Svg {
    match chess_position(report) {
        Some(position) => Svg::new(position.svg()),
        None => boards.svg(&report.position),
    }
}

/// Position of the problem if the game is chess.
fn chess_position(report: &ProblemReport) -> Option<Position> {
    Position::parse(&report.position).ok().filter(|_| report.game == "chess")
}

/// Attributes that have a value, with their values.
fn shown_attributes(report: &ProblemReport) -> impl Iterator<Item = (&str, f64)> {
    let values = report.attributes.iter().zip(&report.values);
    values.filter_map(|(name, value)| Some((name.as_str(), (*value)?)))
}

/// Number with at most three digits after the point and no trailing zeros.
fn number(value: f64) -> String {
    let rounded = (value * 1_000.0).round() / 1_000.0 + 0.0;
    rounded.to_string()
}

/// Predicted rating with its interval, in a sentence; `None` without a prediction.
pub(crate) fn rated_words(report: &ProblemReport) -> Option<String> {
    report.difficulty.as_ref().map(rating_words)
}

/// Predicted rating with its interval, in a sentence.
pub(super) fn rating_words(found: &PredictedDifficulty) -> String {
    let PredictedDifficulty { rating, rating_low, rating_high, .. } = found;
    let class = capital(found.class.name());
    format!(
        "{class}: predicted rating {rating:.0} (80% interval {rating_low:.0} to {rating_high:.0})."
    )
}

/// Tree of the problem, in a sentence.
pub(crate) fn tree_words(report: &ProblemReport) -> String {
    match &report.words[..] {
        "" => "There is no move to find.".to_owned(),
        words if report.difficulty.is_none() => {
            format!("{}. {}", capital(words), guess_sentence(report))
        }
        words => match mate_words(report) {
            Some(mate) => format!("{mate}; {words}."),
            None => format!("{}.", capital(words)),
        },
    }
}

/// The quickest mate of a chess problem with its first moves: `Mate in 1: Rd8#`; `None` if no kept
/// first move mates.
fn mate_words(report: &ProblemReport) -> Option<String> {
    if report.unit != ScoreUnit::Centipawns {
        return None;
    }
    let first = report.tree.nodes.iter().filter(|node| node.level == 1);
    let mates = first.filter_map(|node| match node.value {
        Value::Wins(plies) => Some((plies, node.played.as_str())),
        _ => None,
    });
    let mates: Vec<(u32, &str)> = mates.collect();
    let quickest = mates.iter().map(|(plies, _)| plies.div_ceil(2)).min()?;
    let moves = mates.iter().filter(|(plies, _)| plies.div_ceil(2) == quickest);
    let moves: Vec<&str> = moves.map(|(_, played)| *played).collect();
    Some(format!("Mate in {quickest}: {}", moves.join(" or ")))
}

/// Chance to solve the problem by random moves, in a sentence.
fn guess_sentence(report: &ProblemReport) -> String {
    let what = if report.tree.capped { "this part of the tree" } else { "the tree" };
    match often(report.guess_probability) {
        None => format!("Random moves always find a way through {what}."),
        Some(tries) => format!("Random moves find a way through {what} once in {tries} tries."),
    }
}

/// Mean number of tries until an event of this probability happens, in words; `None` if it is below
/// 1.05.
pub(crate) fn often(chance: f64) -> Option<String> {
    let tries = 1.0 / chance;
    if tries < 1.05 {
        return None;
    }
    if tries < 10.0 {
        return Some(number((tries * 10.0).round() / 10.0));
    }
    // More than two digits would claim too much precision.
    let step = 10_f64.powi((tries.log10().floor() as i32 - 1).max(0));
    Some(grouped(((tries / step).round() * step) as u64))
}

/// Tree with one move per line, with its value for the player.
pub(super) fn tree_text(tree: &Tree, unit: ScoreUnit, position: &str) -> String {
    let mut text = String::new();
    for TreeRow { level, text: played, value, more, .. } in tree_rows(tree, unit, position) {
        let indent = "  ".repeat(usize::from(level));
        let gap = if more.is_empty() { "" } else { "  " };
        let _ = writeln!(text, "{indent}{played} {value}{gap}{more}");
    }
    text
}

/// Kept moves, depth first, in the order of the moves.
pub(super) fn tree_rows(tree: &Tree, unit: ScoreUnit, position: &str) -> Vec<TreeRow> {
    let black_begins = black_begins(unit, position);
    let mut rows = Vec::new();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.nodes.len()];
    for n in 1..tree.nodes.len() {
        children[tree.nodes[n].parent as usize].push(n);
    }
    let mut path: Vec<String> = Vec::new();
    let mut open: Vec<usize> = children[0].iter().rev().copied().collect();
    while let Some(n) = open.pop() {
        let node = &tree.nodes[n];
        path.truncate(usize::from(node.level) - 1);
        path.push(node.played.clone());
        rows.push(TreeRow {
            level: node.level,
            path: path.clone(),
            text: numbered(tree, n, black_begins),
            value: move_value_words(tree, n, unit),
            more: more_words(node),
            by_player: tree.nodes[node.parent as usize].player_moves,
        });
        open.extend(children[n].iter().rev());
    }
    rows
}

/// Whether Black begins in a position of chess, whose moves have other numbers then. Scores of other
/// games are not centipawns.
fn black_begins(unit: ScoreUnit, position: &str) -> bool {
    unit == ScoreUnit::Centipawns && position.split(' ').nth(1) == Some("b")
}

/// Move with its number: `1.` for the side that begins, `1...` for the other one. Where Black begins,
/// its first move is `1...`, and White answers with `2.`.
fn numbered(tree: &Tree, n: usize, black_begins: bool) -> String {
    let Node { level, played, .. } = &tree.nodes[n];
    let ply = u32::from(*level) - 1 + u32::from(black_begins);
    format!("{}{} {played}", ply / 2 + 1, if ply % 2 == 0 { "." } else { "..." })
}

/// Number of kept moves and of possible moves after a node.
fn more_words(node: &Node) -> String {
    match node.possible {
        None => String::new(),
        Some(0) => "the end".to_owned(),
        Some(possible) => format!("{} of {possible}", node.kept),
    }
}

/// Value of a node. A reply to a win is said to lose, as its player sees it; a mate in chess is said
/// to be one whoever moved last.
fn move_value_words(tree: &Tree, n: usize, unit: ScoreUnit) -> String {
    let node = &tree.nodes[n];
    let is_reply = !tree.nodes[node.parent as usize].player_moves;
    let value = match (node.value, unit) {
        (Value::Wins(plies), ScoreUnit::MeanResult) if is_reply => Value::Loses(plies),
        (Value::Loses(plies), ScoreUnit::MeanResult) if is_reply => Value::Wins(plies),
        (value, _) => value,
    };
    value_words(value, unit)
}

pub(super) fn value_words(value: Value, unit: ScoreUnit) -> String {
    match (value, unit) {
        (Value::Wins(plies), ScoreUnit::Centipawns) => format!("mate in {}", plies.div_ceil(2)),
        (Value::Loses(plies), ScoreUnit::Centipawns) => format!("mated in {}", plies.div_ceil(2)),
        (Value::Wins(plies), ScoreUnit::MeanResult) => {
            format!("wins in {}", crate::plies(plies))
        }
        (Value::Loses(plies), ScoreUnit::MeanResult) => {
            format!("loses in {}", crate::plies(plies))
        }
        (Value::Score(score), ScoreUnit::Centipawns) => format!("{:+.2}", score / 100.0 + 0.0),
        (Value::Score(score), ScoreUnit::MeanResult) => format!("{:+.2}", score + 0.0),
    }
}

const fn unit_words(unit: ScoreUnit) -> &'static str {
    match unit {
        ScoreUnit::Centipawns => "in pawns for the player to move in the problem",
        ScoreUnit::MeanResult => {
            "results for the player to move in the problem: 1 a win, 0 a draw, -1 a loss"
        }
    }
}

/// Listed first moves that do not win, at most 8, then the number of the others.
fn first_moves_words(report: &ProblemReport) -> String {
    let others: Vec<&CandidateMove> =
        report.tree.first_moves.iter().filter(|one| !one.kept).collect();
    if others.is_empty() {
        return "Every first move that was examined is kept.".to_owned();
    }
    let words = others.iter().take(8).map(|one| {
        let seems = if one.seems_good { " (seems good: one answer refutes it)" } else { "" };
        format!("{} {}{seems}", one.played, value_words(one.value, report.unit))
    });
    let words: Vec<String> = words.collect();
    let more = others.len().saturating_sub(8);
    let more = if more > 0 {
        format!("; and {}", counted(more as u64, "more move"))
    } else {
        String::new()
    };
    format!("Other first moves: {}{more}.", words.join("; "))
}

impl Document for GradedReport {
    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }

    fn doc(&self, _: &dyn Boards) -> Doc {
        let mut doc = Doc::new(format!("puzzles of {}", self.game));
        doc.push(Block::PagesOnly(vec![Block::heading(1, self.game.as_str())]));
        let lead = graded_words(self);
        doc.push(Block::Verdict {
            tone: Tone::Good,
            headline: Words::default(),
            lead: lead.as_str().into(),
            points: Vec::new(),
        });
        doc.push(Block::TextOnly(vec![Block::text(lead)]));
        let columns = [
            Column::left("puzzle"),
            Column::right("mate in"),
            Column::right("random moves solve it"),
            Column::right("interestingness"),
            Column::left("reason"),
            Column::left("position"),
        ];
        let mut table = Table::new("puzzles", columns).wrapped(Wrap::Cards);
        for row in &self.rows {
            let guess = match often(row.guess_probability) {
                None => "always".to_owned(),
                Some(tries) => format!("once in {tries}"),
            };
            let interestingness = format!("{:.1}%", 100.0 * row.interestingness);
            table.push([
                count_cell(row.number),
                count_cell(u64::from(row.mate_in)),
                Cell::number(guess, Some(row.guess_probability)),
                Cell::number(interestingness, Some(row.interestingness)),
                Cell::from(row.words.as_str()),
                Cell::from(row.position.as_str()),
            ]);
        }
        doc.push(table);
        let method = format!(
            "The order is by how rarely random moves solve a puzzle. Values come from {}.",
            self.source
        );
        doc.push(Block::fold("Reasons and method", vec![Block::note(method)]));
        if let Some(first) = self.rows.first() {
            doc.next = play_on(&self.game, &first.position);
        }
        doc
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        pictures::difficulty::graded(self, boards)
    }
}

/// Number of puzzles and the hardest one, in a sentence or two.
fn graded_words(report: &GradedReport) -> String {
    let count = counted(report.rows.len() as u64, "puzzle");
    let hardest = report.rows.first().and_then(|row| often(row.guess_probability));
    let hardest = hardest.map_or_else(String::new, |tries| {
        format!(" Random moves solve the first once in {tries} tries.")
    });
    format!("{count} of {}, the hardest first.{hardest}", report.game)
}

/// Tree as a GraphViz file.
#[must_use]
pub fn problem_dot(report: &ProblemReport) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::from("digraph tree {\n  ordering=out;\n");
    let _ = writeln!(
        text,
        "  label=\"{}\"; labelloc=t; fontname=\"sans-serif\";\n  rankdir=LR;\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n  edge [arrowsize=0.5];",
        quoted(&report.position)
    );
    let tree = &report.tree;
    let black_begins = black_begins(report.unit, &report.position);
    for (n, node) in tree.nodes.iter().enumerate() {
        let label = if n == 0 {
            format!("problem\\n{}", quoted(&move_value_words(tree, n, report.unit)))
        } else {
            let words = move_value_words(tree, n, report.unit);
            format!("{}\\n{}", quoted(&numbered(tree, n, black_begins)), quoted(&words))
        };
        let _ = writeln!(text, "  n{n} [label=\"{label}\", fillcolor=\"{}\"];", fill(tree, n));
        if n > 0 {
            let _ = writeln!(text, "  n{} -> n{n};", node.parent);
        }
    }
    text.push_str("}\n");
    text
}

/// Fill colour of a node: one for moves of the player, another for those of the opponent.
fn fill(tree: &Tree, n: usize) -> &'static str {
    if n == 0 {
        "#ffffff"
    } else if tree.nodes[tree.nodes[n].parent as usize].player_moves {
        "#cfe3f5"
    } else {
        "#f8dcc4"
    }
}

const ROW: f64 = 32.0;
const BOX: f64 = 26.0;
const GAP: f64 = 30.0;
const MARGIN: f64 = 12.0;
const HEAD: f64 = 62.0;

/// Tree as an SVG picture: the problem on the left, the player's moves blue and the answers orange.
#[must_use]
pub fn problem_svg(report: &ProblemReport) -> String {
    tree_svg(report, &report.tree)
}

/// Picture of a problem's tree or of a part of it.
fn tree_svg(report: &ProblemReport, tree: &Tree) -> String {
    let black_begins = black_begins(report.unit, &report.position);
    let labels: Vec<[String; 2]> = (0..tree.nodes.len())
        .map(|n| {
            let name = if n == 0 { "problem".to_owned() } else { numbered(tree, n, black_begins) };
            [name, move_value_words(tree, n, report.unit)]
        })
        .collect();
    let longest = labels.iter().map(|[a, b]| a.chars().count() + b.chars().count()).max();
    let width = 24.0 + 7.2 * longest.unwrap_or(0) as f64;
    let parent = |n: usize| (n > 0).then(|| tree.nodes[n].parent as usize);
    let parents: Vec<Option<usize>> = (0..tree.nodes.len()).map(parent).collect();
    let rows = vec![ROW; parents.len()];
    let (middles, height) = middles(&children_of(&parents), &rows, Align::First);
    let at = |n: usize| {
        let x = MARGIN + (width + GAP) * f64::from(tree.nodes[n].level);
        (x, HEAD + middles[n] - ROW / 2.0)
    };
    let right = MARGIN * 2.0 + (width + GAP) * f64::from(tree.depth()) + width;
    let mut key = "blue: the player's moves; orange: the opponent's; values for the player to move in the problem".to_owned();
    if tree.capped {
        let _ = write!(key, "; cut off at {} moves", grouped(tree.settings.nodes_max));
    }
    let title_width = 7.6 * report.position.chars().count().max(key.len() * 4 / 5) as f64;
    let (right, bottom) = (right.max(title_width + 2.0 * MARGIN), HEAD + height + MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{right:.0}\" height=\"{bottom:.0}\" viewBox=\"0 0 {right:.0} {bottom:.0}\" font-family=\"system-ui, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"{MARGIN}\" y=\"22\" font-size=\"14\" fill=\"#111111\">{}</text>\n<text x=\"{MARGIN}\" y=\"40\" font-size=\"11\" fill=\"#555555\">{key}</text>\n",
        escaped(&report.position)
    );
    for (n, node) in tree.nodes.iter().enumerate().skip(1) {
        let (from, to) = (at(node.parent as usize), at(n));
        let (x0, x1) = (from.0 + width, to.0);
        let (y0, y1) = (from.1 + BOX / 2.0, to.1 + BOX / 2.0);
        let middle = f64::midpoint(x0, x1);
        let _ = writeln!(
            text,
            "<path d=\"M {x0:.1} {y0:.1} C {middle:.1} {y0:.1} {middle:.1} {y1:.1} {x1:.1} {y1:.1}\" fill=\"none\" stroke=\"#777777\"/>"
        );
    }
    for (n, [name, value]) in labels.iter().enumerate() {
        let (x, y) = at(n);
        let base = y + 17.5;
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"4\" fill=\"{}\" stroke=\"#333333\" stroke-width=\"0.8\"/>\n<text x=\"{:.1}\" y=\"{base:.1}\" font-size=\"12.5\" fill=\"#111111\">{}</text>\n<text x=\"{:.1}\" y=\"{base:.1}\" font-size=\"11\" fill=\"#222222\" text-anchor=\"end\">{}</text>",
            fill(tree, n),
            x + 6.0,
            escaped(name),
            x + width - 6.0,
            escaped(value)
        );
    }
    text.push_str("</svg>\n");
    text
}
