//! Pictures of the trees of UCT.

use std::cmp::Reverse;

use treegauge_core::counted;
use treegauge_doc::Svg;
use treegauge_search::picture::{PickedNode, Shown, ShownNode, TreeSelection, signed};

use super::layout::{Align, children_of, depths, middles};
use super::paper::{
    Anchor, BAR, BOX, EDGE, FOR, Head, INK, JUMP, MARGIN, Medium, Paper, SOFT, Thumb,
};
use crate::boards::Boards;

/// Height of a node without a board in pixels, and space between two nodes of a column.
const LINE: f64 = 25.0;
const SPACE: f64 = 6.0;
/// Pixels between two columns of nodes, where the edges run.
const GAP: f64 = 34.0;
/// Average width of a character of a move in pixels.
const CHARACTER: f64 = 7.4;
/// Width of the numbers beside a move, and of the numbers below it.
const NUMBERS: f64 = 92.0;
const STACKED: f64 = 56.0;
/// Space around a board within its node.
const AROUND: f64 = 5.0;
/// Height of the three lines beside a board.
const BESIDE: f64 = 50.0;
/// Least width of a picture in pixels; a narrow key has more lines.
const WIDTH_MIN: f64 = 440.0;

/// Renders the selected part of a tree as an SVG document, from the root on the left to the right,
/// with the principal variation on top in thick lines. A node shows its move, its visits and, in
/// the plain style, its average for the player to move at the root. The bar at its foot is its
/// share of all visits. Its colour shows the player who stands better: blue the first, orange the
/// second, white neither.
///
/// `boards_max` nodes have a small board, on which the cells of the last move are marked: those of
/// the principal variation, then the most visited. `boards` must be those of the game of the tree; a
/// node has no board where they have none, as with [`NoBoards`](crate::NoBoards).
#[must_use]
pub fn tree_svg(picked: &TreeSelection, boards: &dyn Boards, boards_max: usize) -> String {
    picture(picked, boards, boards_max, Medium::File)
}

/// Picture of [`tree_svg`] for a page.
pub(crate) fn tree_picture(picked: &TreeSelection, boards: &dyn Boards, boards_max: usize) -> Svg {
    Svg::new(picture(picked, boards, boards_max, Medium::Page))
}

fn picture(
    picked: &TreeSelection,
    boards: &dyn Boards,
    boards_max: usize,
    medium: Medium,
) -> String {
    let mut paper = Paper::default();
    let parents: Vec<Option<usize>> = picked.nodes.iter().map(|node| node.parent).collect();
    let thumbs = thumbs(picked, boards, boards_max, &mut paper);
    let wide = width_of_node(picked, &thumbs);
    let high = |n: usize| match &thumbs[n] {
        Some(thumb) => (thumb.size.1 + 2.0 * AROUND).max(BESIDE) + 3.0,
        None => LINE,
    };
    let sizes: Vec<f64> = (0..parents.len()).map(|n| high(n) + SPACE).collect();
    let (middles, long) = middles(&children_of(&parents), &sizes, Align::First);
    let depths = depths(&parents);
    let left = |n: usize| MARGIN + (wide + GAP) * depths[n] as f64;
    let right = (0..parents.len()).map(left).fold(MARGIN, f64::max) + wide;
    // Three dots may follow the last column.
    let width = (right + 2.0 * MARGIN).max(WIDTH_MIN);
    let title = format!("{}: {}", picked.game, picked.grown_words());
    let shown = thumbs.iter().flatten().count();
    let head = Head::new(&title, &keys(picked, shown), width);
    let at = |n: usize| (left(n), head.height() + middles[n]);
    paper.head(&head);
    for (n, node) in picked.nodes.iter().enumerate() {
        let Some(parent) = node.parent else { continue };
        let principal = matches!(&node.what, Shown::Node(shown) if shown.principal);
        let stroke = if principal { 2.6 } else { 1.0 };
        let dash = if node.weak { " stroke-dasharray=\"2 4\"" } else { "" };
        let (x, y) = at(parent);
        let more = format!(" stroke-width=\"{stroke}\"{dash}");
        paper.curve((x + wide, y), at(n), &more, EDGE);
    }
    for (n, node) in picked.nodes.iter().enumerate() {
        for &to in &node.links {
            let (x, y) = at(n);
            paper.curve((x + wide, y), at(to), "", JUMP);
        }
    }
    for (n, picked_node) in picked.nodes.iter().enumerate() {
        let (x, y) = at(n);
        match &picked_node.what {
            Shown::Node(shown) => {
                paper.begin_node(&node_words(picked, n, shown));
                let size = (wide, high(n));
                node(picked, picked_node, shown, (x, y), size, thumbs[n].as_ref(), &mut paper);
                paper.end_node();
            }
            Shown::Folded { count, visits } => {
                let noun = if *visits == 1 { "visit" } else { "visits" };
                let words = format!("{count} more, {} {noun}", short(*visits));
                paper.text((x + 4.0, y + 4.0), (11.0, Anchor::Start), "", SOFT, &words);
            }
        }
    }
    paper.document((width, head.height() + long + MARGIN), &title, medium)
}

/// Board of each node that has one: of the principal variation first, then of the most visited.
fn thumbs(
    picked: &TreeSelection,
    boards: &dyn Boards,
    boards_max: usize,
    paper: &mut Paper,
) -> Vec<Option<Thumb>> {
    let mut order: Vec<(usize, &ShownNode)> = Vec::new();
    for (n, node) in picked.nodes.iter().enumerate() {
        if let Shown::Node(shown) = &node.what {
            order.push((n, shown));
        }
    }
    order.sort_by_key(|&(n, shown)| (!shown.principal, Reverse(shown.visits), n));
    let mut thumbs: Vec<Option<Thumb>> = picked.nodes.iter().map(|_| None).collect();
    for (n, _) in order.into_iter().take(boards_max) {
        let reached = boards.reached(&picked.position, &moves_to(picked, n));
        thumbs[n] = reached.and_then(|reached| paper.thumb(&reached.board, &reached.marked()));
    }
    thumbs
}

/// Moves from the root to a node.
fn moves_to(picked: &TreeSelection, n: usize) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut at = Some(n);
    while let Some(n) = at {
        at = picked.nodes[n].parent;
        if let (Shown::Node(shown), Some(_)) = (&picked.nodes[n].what, at) {
            moves.push(shown.m.as_str());
        }
    }
    moves.reverse();
    moves
}

/// Lines of the picture's key. `boards` nodes have a board.
fn keys(picked: &TreeSelection, boards: usize) -> Vec<String> {
    let nodes = picked.nodes.iter().filter(|node| matches!(node.what, Shown::Node(_))).count();
    let mut keys = vec![
        format!("from {}", picked.position),
        format!(
            "{}; bar: share of the visits; blue: good for the first player, orange: for the second; thick: principal variation; {}...: more below",
            picked.numbers_words(),
            picked.links_words()
        ),
    ];
    if boards > 0 {
        let which = match nodes - boards {
            0 => String::new(),
            _ => format!(" of the principal variation and the most visited nodes, {boards} in all"),
        };
        keys.push(format!("boards: the positions{which}, with the last move in orange"));
    }
    keys
}

/// Node in words: its moves, its numbers, and what is below it.
fn node_words(picked: &TreeSelection, n: usize, shown: &ShownNode) -> String {
    let moves = moves_to(picked, n);
    let line = if moves.is_empty() { "start".to_owned() } else { moves.join(" ") };
    format!(
        "{line}: {}, {} for the first player{}, legal moves: {}",
        counted(shown.visits, "visit"),
        signed(shown.mean_for_first),
        if shown.proved { ", proved" } else { "" },
        shown.legal_moves
    )
}

fn node(
    picked: &TreeSelection,
    node: &PickedNode,
    shown: &ShownNode,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    thumb: Option<&Thumb>,
    paper: &mut Paper,
) {
    let (top, size) = (y - height / 2.0, (width, height));
    let round = " rx=\"4\"";
    let mean = shown.mean_for_first;
    // Small values, which are most frequent, have more colour than in proportion.
    let share = mean.abs().min(1.0).sqrt();
    let stroke = if shown.principal { 2.2 } else { 0.8 };
    let dash = if node.weak { " stroke-dasharray=\"2 3\"" } else { "" };
    let rim = format!("{round} stroke-width=\"{stroke}\"{dash}");
    paper.rect((x, top), size, &rim, BOX);
    if share > 0.005 {
        let opaque = format!("{round} fill-opacity=\"{share:.2}\"");
        // The colour ends at the inner edge of the frame.
        let (corner, inner) = (stroke / 2.0, (width - stroke, height - stroke));
        let look = FOR[usize::from(mean < 0.0)];
        paper.rect((x + corner, top + corner), inner, &opaque, look);
    }
    let share = f64::from(shown.visits) / picked.root_visits();
    let bar = width * share.min(1.0);
    if bar > 0.05 {
        paper.rect((x, top + height - 3.0), (bar, 3.0), "", BAR);
    }
    let name = if shown.m.is_empty() { "start" } else { &shown.m };
    let weight = if shown.principal { " font-weight=\"700\"" } else { "" };
    let (visits, value) = (short(shown.visits.into()), picked.value_words(shown));
    if let Some(thumb) = thumb {
        paper.board((x + AROUND, top + (height - 3.0 - thumb.size.1) / 2.0), thumb);
        let beside = x + 2.0 * AROUND + thumb.size.0 + 2.0;
        let lines = 2.0 + f64::from(u8::from(value.is_some()));
        let mut base = y + 4.0 - 8.0 * (lines - 1.0);
        paper.text((beside, base), (12.5, Anchor::Start), weight, INK, name);
        for line in std::iter::once(visits).chain(value) {
            base += 16.0;
            paper.text((beside, base), (11.0, Anchor::Start), "", INK, &line);
        }
    } else {
        let base = y + 3.5;
        paper.text((x + 5.0, base), (12.5, Anchor::Start), weight, INK, name);
        let numbers = value.map_or(visits.clone(), |value| format!("{visits}  {value}"));
        paper.text((x + width - 5.0, base), (11.0, Anchor::End), "", INK, &numbers);
    }
    if shown.cut {
        paper.text((x + width + 4.0, y + 3.5), (12.0, Anchor::Start), "", SOFT, "...");
    }
}

/// Width of every node of a picture in pixels.
fn width_of_node(picked: &TreeSelection, thumbs: &[Option<Thumb>]) -> f64 {
    let mut width: f64 = NUMBERS + 5.0 * CHARACTER;
    for (node, thumb) in picked.nodes.iter().zip(thumbs) {
        let Shown::Node(shown) = &node.what else { continue };
        let name = CHARACTER * shown.m.chars().count() as f64;
        width = width.max(match thumb {
            Some(thumb) => thumb.size.0 + 3.0 * AROUND + 4.0 + name.max(STACKED),
            None => NUMBERS + name,
        });
    }
    width
}

/// Count in few characters: 1234, 12k, 3.4M.
fn short(count: u64) -> String {
    match count {
        0..=9_999 => count.to_string(),
        10_000..=999_999 => format!("{}k", count / 1_000),
        _ => format!("{:.1}M", count as f64 / 1e6),
    }
}
