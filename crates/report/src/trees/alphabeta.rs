//! Pictures of the trees of alpha-beta.

use treegauge_core::Player;
use treegauge_doc::Svg;
use treegauge_engine::{CutBound, CutNode, CutTree};

use super::CUT_TREE_BOARDS_DEFAULT;
use super::layout::{Align, children_of, depths, middles};
use super::paper::{
    Anchor, CUT, CUT_EDGE, EDGE, FRAMES, Head, INK, MARGIN, Medium, Paper, SHEET, Thumb, VALUES,
};
use crate::AlphaBetaSearchReport;
use crate::boards::marked;

/// Pixels between two nodes of a level, and from the nodes of a level to those of the next.
const GAP: f64 = 18.0;
const EDGES: f64 = 46.0;
/// Height of a line with a value, and width of a node that has a value alone.
const VALUE: f64 = 20.0;
const BARE: f64 = 58.0;
/// Width of the note on cut moves, and its height.
const NOTE: f64 = 58.0;
const NOTE_HEIGHT: f64 = 58.0;
/// Greatest number of cut moves that a note names.
const NAMED: usize = 3;
/// Least width of a picture in pixels.
const WIDTH_MIN: f64 = 720.0;

/// Draws a tree as an SVG document, from the root at the top downwards. Each node is the board, on
/// which the cells of the last move are marked, with the player to move and the value.
///
/// `found` is the report of the search itself: if that was deeper than the tree, the picture says so.
/// `boards_max` nodes have a board: those of best play, then the nearest to the root. Nodes without
/// one, and those of a game whose board has no cells, show their value alone.
#[must_use]
pub fn cut_tree_svg(found: &AlphaBetaSearchReport, tree: &CutTree, boards_max: usize) -> String {
    picture(found, tree, boards_max, Medium::File)
}

/// Picture of [`cut_tree_svg`] for a page.
pub(crate) fn cut_tree_picture(found: &AlphaBetaSearchReport, tree: &CutTree) -> Svg {
    Svg::new(picture(found, tree, CUT_TREE_BOARDS_DEFAULT, Medium::Page))
}

fn picture(
    found: &AlphaBetaSearchReport,
    tree: &CutTree,
    boards_max: usize,
    medium: Medium,
) -> String {
    let mut paper = Paper::default();
    let count = tree.nodes.len();
    let mut parents: Vec<Option<usize>> = tree.nodes.iter().map(|node| node.parent).collect();
    // A note on cut moves takes the place of a last child.
    let cut: Vec<usize> = (0..count).filter(|&n| !tree.nodes[n].cut.is_empty()).collect();
    parents.extend(cut.iter().map(|&n| Some(n)));
    let levels = depths(&parents);
    let thumbs = thumbs(tree, &levels, boards_max, &mut paper);
    let board = |n: usize| thumbs[n].as_ref().map_or((BARE, 0.0), |thumb| thumb.size);
    let across = |n: usize| if n < count { board(n).0.max(BARE) } else { NOTE };
    let sizes: Vec<f64> = (0..parents.len()).map(|n| across(n) + GAP).collect();
    let (middles, long) = middles(&children_of(&parents), &sizes, Align::Middle);
    let width = (long - GAP + 2.0 * MARGIN).max(WIDTH_MIN);
    let title = format!("{}: {}", found.game, depth_words(tree));
    let shown = thumbs.iter().flatten().count();
    let keys: Vec<String> =
        deeper_words(tree, found).into_iter().chain(keys(tree, shown)).collect();
    let head = Head::new(&title, &keys, width);
    // Nodes of a level begin at the same height.
    let deepest = levels.iter().copied().max().unwrap_or(0);
    let mut tops = vec![head.height(); deepest + 2];
    for level in 0..=deepest {
        let on = (0..parents.len()).filter(|&n| levels[n] == level);
        let high = |n: usize| if n < count { board(n).1 + VALUE } else { NOTE_HEIGHT };
        tops[level + 1] = tops[level] + on.map(high).fold(0.0, f64::max) + EDGES;
    }
    let middle = |n: usize| MARGIN - GAP / 2.0 + middles[n];
    let foot = |n: usize| (middle(n), tops[levels[n]] + board(n).1 + VALUE);
    paper.head(&head);
    for (note, &n) in (count..).zip(&cut) {
        cut_note(foot(n), (middle(note), tops[levels[note]]), &tree.nodes[n].cut, &mut paper);
    }
    for (n, node) in tree.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let (from, to) = (foot(parent), (middle(n), tops[levels[n]]));
        let stroke = if node.best { 2.4 } else { 0.9 };
        paper.line(from, to, &format!(" stroke-width=\"{stroke}\""), EDGE);
        let (x, y) = ((from.0 + 2.0 * to.0) / 3.0, (from.1 + 2.0 * to.1) / 3.0);
        let half = 3.2 * node.m.chars().count() as f64 + 3.0;
        paper.rect((x - half, y - 10.0), (2.0 * half, 14.0), "", SHEET);
        paper.text((x, y + 1.0), (11.0, Anchor::Middle), "", INK, &node.m);
    }
    for (n, node) in tree.nodes.iter().enumerate() {
        paper.begin_node(&node_words(tree, n));
        let (x, y) = (middle(n), tops[levels[n]]);
        let colour = match node.value {
            v if v > 0.0 => 0,
            v if v < 0.0 => 1,
            _ => 2,
        };
        let size @ (wide, high) = match &thumbs[n] {
            Some(thumb) => thumb.size,
            None => (BARE, VALUE),
        };
        if let Some(thumb) = &thumbs[n] {
            paper.board((x - wide / 2.0, y), thumb);
        }
        let stroke = if node.best { 3.0 } else { 1.5 };
        let more = format!(" stroke-width=\"{stroke}\"");
        paper.rect((x - wide / 2.0, y), size, &more, FRAMES[colour]);
        let turn = match node.turn {
            Some(Player::First) => "\u{25b2} ",
            Some(Player::Second) => "\u{25bc} ",
            None => "",
        };
        let value = format!("{turn}{}", value_words(tree, node));
        let base = if thumbs[n].is_some() { y + high + 14.0 } else { y + 14.0 };
        paper.text((x, base), (12.0, Anchor::Middle), "", VALUES[colour], &value);
        paper.end_node();
    }
    let height = tops.last().map_or(0.0, |last| last - EDGES) + MARGIN;
    paper.document((width, height), &title, medium)
}

/// Board of each node that has one: of best play first, then of the nearest to the root.
fn thumbs(
    tree: &CutTree,
    levels: &[usize],
    boards_max: usize,
    paper: &mut Paper,
) -> Vec<Option<Thumb>> {
    let mut order: Vec<usize> = (0..tree.nodes.len()).collect();
    order.sort_by_key(|&n| (!tree.nodes[n].best, levels[n], n));
    let mut thumbs: Vec<Option<Thumb>> = tree.nodes.iter().map(|_| None).collect();
    for n in order.into_iter().take(boards_max) {
        let CutNode { board, last, .. } = &tree.nodes[n];
        thumbs[n] = paper.thumb(board, &marked(last));
    }
    thumbs
}

/// Value of a node in the terms of the picture.
fn value_words(tree: &CutTree, node: &CutNode) -> String {
    let bound = match node.bound {
        CutBound::Exact => "",
        CutBound::AtLeast => "\u{2265} ",
        CutBound::AtMost => "\u{2264} ",
    };
    let value = match (node.value, tree.depth) {
        (v, None) if v.is_infinite() => format!("{:+}", v.signum()),
        (v, Some(_)) if v == f64::INFINITY => "first wins".to_owned(),
        (v, Some(_)) if v == -f64::INFINITY => "second wins".to_owned(),
        (v, None) => format!("{v:.0}"),
        (v, Some(_)) => format!("{:+.2}", (v * 100.0).round() / 100.0 + 0.0),
    };
    format!("{bound}{value}")
}

/// Node in words: its moves, the player to move, its value and the moves that were cut.
fn node_words(tree: &CutTree, n: usize) -> String {
    let mut moves = Vec::new();
    let mut at = n;
    while let Some(parent) = tree.nodes[at].parent {
        moves.push(tree.nodes[at].m.as_str());
        at = parent;
    }
    moves.reverse();
    let node = &tree.nodes[n];
    let line = if moves.is_empty() { "start".to_owned() } else { moves.join(" ") };
    let bound = match node.bound {
        CutBound::Exact => "",
        CutBound::AtLeast => "at least ",
        CutBound::AtMost => "at most ",
    };
    let value = match node.value {
        v if v == f64::INFINITY => "the first player wins".to_owned(),
        v if v == -f64::INFINITY => "the second player wins".to_owned(),
        _ if tree.depth.is_none() => format!("{bound}a draw"),
        v => format!("{bound}{v:+.2} for the first player"),
    };
    let turn = node.turn.map_or_else(
        || "the game is over".to_owned(),
        |turn| format!("the {turn} player is to move"),
    );
    let cut = match &node.cut[..] {
        [] => String::new(),
        cut => format!("; cut: {}", cut.join(", ")),
    };
    format!("{line}: {value}; {turn}{cut}")
}

/// Depth of a tree in words.
fn depth_words(tree: &CutTree) -> String {
    let how = match tree.depth {
        None => "to the end of the game".to_owned(),
        Some(1) => "1 ply deep".to_owned(),
        Some(depth) => format!("{depth} plies deep"),
    };
    format!("an alpha-beta tree {how}")
}

/// Sentence on a search that was deeper than the tree; `None` if it was not.
fn deeper_words(tree: &CutTree, found: &AlphaBetaSearchReport) -> Option<String> {
    let depth = tree.depth.filter(|&depth| depth < found.depth)?;
    let of_tree = tree.nodes.iter().find(|node| node.best && node.parent == Some(0))?;
    let but = match of_tree.m == found.best_move {
        true => format!("plays {} too", found.best_move),
        false => format!("plays {}, which {depth} plies do not show", found.best_move),
    };
    // As in the tree, for the first player.
    let value = found.value.map(|value| if found.turn == Player::First { value } else { -value });
    let value = value.map_or_else(String::new, |value| format!(", has the value {value:+}"));
    Some(format!("the search itself was {} plies deep{value} and {but}", found.depth))
}

/// Lines of the picture's key. `boards` nodes have a board.
fn keys(tree: &CutTree, boards: usize) -> Vec<String> {
    let visited = tree.nodes.len();
    let instead = match tree.uncut {
        Some(all) if all > visited => format!(" instead of {all} without cuts"),
        Some(_) => ", and no cuts".to_owned(),
        None => format!(" instead of more than {}", CutTree::UNCUT_MAX),
    };
    let values = match tree.depth {
        None => "+1: the first player wins; 0: a draw; -1: the second player wins",
        Some(_) => "numbers are the evaluator's, for the first player",
    };
    let mut keys = vec![
        format!("{visited} positions{instead}; {values}"),
        "\u{25b2} the first player takes the greatest value, \u{25bc} the second the least; thick: best play"
            .to_owned(),
        "red: moves that cannot change the value of the root; \u{2265}, \u{2264}: at least, at most"
            .to_owned(),
    ];
    if boards > 0 {
        let which = match visited - boards {
            0 => String::new(),
            _ => format!(" of best play and those nearest to the root, {boards} in all"),
        };
        keys.push(format!("boards: the positions{which}, with the last move in orange"));
    }
    keys
}

/// Draws the edge to moves that were cut, and names them.
fn cut_note(from: (f64, f64), to: (f64, f64), cut: &[String], paper: &mut Paper) {
    paper.line(from, to, " stroke-width=\"1\" stroke-dasharray=\"4 3\"", CUT_EDGE);
    // Two bars across the edge, as in textbooks.
    let (x, y) = (f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1));
    for shift in [-2.0, 2.0] {
        let [low, high] = [(x - 7.0, y + shift + 3.0), (x + 7.0, y + shift - 3.0)];
        paper.line(low, high, " stroke-width=\"1.6\"", CUT_EDGE);
    }
    let more = if cut.len() > NAMED { cut.len() - NAMED + 1 } else { 0 };
    let named = cut.iter().take(cut.len() - more).cloned();
    let last = (more > 0).then(|| format!("and {more} more"));
    let lines = std::iter::once("cut:".to_owned()).chain(named).chain(last);
    for (n, line) in lines.enumerate() {
        let at = (to.0, to.1 + 12.0 + 13.0 * n as f64);
        paper.text(at, (11.0, Anchor::Middle), "", CUT, &line);
    }
}
