//! Boards for mouse, keyboard and screen reader: a picture with a grid of cells on it.

use maud::{Markup, PreEscaped, html};
use treegauge::board::{Cell, CellOutline, MovePath, Role};
use treegauge::report::ShownBoard;

/// Cells that a player touches for a move, in order.
pub(crate) fn touches(path: &MovePath) -> Vec<usize> {
    path.touches()
}

/// All cells of a move.
fn cells_of(path: &MovePath) -> Vec<usize> {
    path.path.iter().map(|touch| touch.cell).collect()
}

/// The meaning of the cells that were touched so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Touched {
    /// A whole move.
    Move(String),
    /// The beginning of a move; the moves that the cells could be already.
    Begun(Vec<String>),
    /// Not the beginning of a move.
    Nothing,
}

/// Reads the cells that were touched, by their names.
pub(crate) fn touched(board: &ShownBoard, names: &[&str]) -> Touched {
    let cells: Option<Vec<usize>> = names.iter().map(|name| board.cells.cell(name)).collect();
    let Some(cells) = cells.filter(|cells| !cells.is_empty()) else { return Touched::Nothing };
    let begins =
        |path: &&MovePath| touches(path).starts_with(&cells) || cells_of(path).starts_with(&cells);
    let begun: Vec<&MovePath> = board.moves.iter().filter(begins).collect();
    let is_whole = |path: &&&MovePath| touches(path) == cells || cells_of(path) == cells;
    let whole: Vec<&&MovePath> = begun.iter().filter(is_whole).collect();
    // The rest of a single move that only removes follows from its beginning.
    let follows = |path: &MovePath| {
        path.path
            .iter()
            .skip(cells.len())
            .all(|touch| matches!(touch.role, Role::Over | Role::Removed))
    };
    match (begun.as_slice(), whole.as_slice()) {
        ([], _) => Touched::Nothing,
        ([one], [_]) => Touched::Move(one.text.clone()),
        ([one], []) if cells.len() > 1 && follows(one) => Touched::Move(one.text.clone()),
        _ => Touched::Begun(whole.iter().map(|path| path.text.clone()).collect()),
    }
}

/// Outline of a cell as an element on the picture.
fn outline(cell: &Cell) -> Markup {
    html! {
        @match CellOutline::of(cell) {
            CellOutline::Circle { centre: (x, y), r } => circle cx=(x) cy=(y) r=(r) {},
            CellOutline::Rect { corner: (x, y), width, height } => rect x=(x) y=(y) width=(width) height=(height) {},
        }
    }
}

/// Attributes of a board on a page.
pub(crate) struct Shown<'a> {
    pub(crate) board: &'a ShownBoard,
    /// Picture as SVG; that of the cells if it is `None`.
    pub(crate) picture: Option<&'a str>,
    pub(crate) is_flipped: bool,
    /// Whether the cells take part in moves.
    pub(crate) is_live: bool,
    /// Name of the board for readers who cannot see it.
    pub(crate) label: &'a str,
    /// Cells that were touched so far.
    pub(crate) touched: &'a [usize],
    /// Address at which a touched cell is read, without scripts; `None` if there is none.
    pub(crate) link: &'a dyn Fn(&str) -> Option<String>,
}

/// The board: its picture, and the grid of its cells on it.
pub(crate) fn board(shown: &Shown<'_>) -> Markup {
    let ShownBoard { cells, moves, last } = shown.board;
    let turned = if shown.is_flipped { cells.clone().turned() } else { cells.clone() };
    let picture = shown.picture.map_or_else(|| turned.svg(), str::to_owned);
    let view = picture.split("viewBox=\"").nth(1).and_then(|rest| rest.split('"').next());
    let view = view.unwrap_or("0 0 1 1").to_owned();
    let picture = picture.replacen("role=\"img\"", "aria-hidden=\"true\"", 1);
    if turned.cells.is_empty() {
        let named =
            picture.replacen("aria-hidden=\"true\"", "role=\"img\" aria-label=\"board\"", 1);
        return html! { div.cells-board data-size="none" { (PreEscaped(named)) } };
    }
    let mut can_begin = vec![false; turned.cells.len()];
    let mut can_follow = vec![false; turned.cells.len()];
    for path in moves.iter().filter(|_| shown.is_live) {
        let cells = touches(path);
        if let Some(&cell) = cells.first() {
            can_begin[cell] = true;
        }
        if !shown.touched.is_empty()
            && cells.starts_with(shown.touched)
            && let Some(&cell) = cells.get(shown.touched.len())
        {
            can_follow[cell] = true;
        }
    }
    let is_last = |n: usize| last.iter().any(|touch| touch.cell == n);
    let rows = turned.in_rows();
    let name_of = |n: usize| &turned.cells[n].name;
    html! {
        div.cells-board data-size=(turned.size_word()) data-cells=(turned.cells.len()) data-wide[turned.width > 9.0] {
            (PreEscaped(picture))
            svg.cells role="grid" aria-label=(shown.label) viewBox=(view) {
                @for row in rows {
                    g role="row" {
                        @for &n in &row {
                            @let cell = &turned.cells[n];
                            @let words = words(cell, can_begin[n], can_follow[n], is_last(n));
                            @let class = class(can_begin[n], can_follow[n], is_last(n), shown.touched.contains(&n));
                            @let can = if shown.touched.is_empty() { can_begin[n] } else { can_follow[n] };
                            @let link = if can { (shown.link)(name_of(n)) } else { None };
                            g role="gridcell" class={ "cell " (class) } data-cell=(cell.name) data-n=(n) data-x=(cell.x) data-y=(cell.y)
                                aria-label=(words) tabindex="-1" {
                                @if let Some(link) = link { a href=(link) aria-label=(words) { (outline(cell)) } }
                                @else { (outline(cell)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Name of a cell for readers who cannot see it: "d3, second player's man, can move".
fn words(cell: &Cell, can_begin: bool, can_follow: bool, is_last: bool) -> String {
    let mut words = format!("{}, {}", cell.name, cell.contents);
    if can_follow {
        words.push_str(", next cell of the move");
    } else if can_begin {
        words.push_str(", can move");
    }
    if is_last {
        words.push_str(", last move");
    }
    words
}

fn class(can_begin: bool, can_follow: bool, is_last: bool, is_touched: bool) -> String {
    let classes = [
        (can_begin, "begins"),
        (can_follow, "follows"),
        (is_last, "last"),
        (is_touched, "touched"),
    ];
    classes.iter().filter(|(holds, _)| *holds).map(|(_, name)| *name).collect::<Vec<_>>().join(" ")
}

/// Moves as the scripts read them: a link each, with the cells that it touches.
pub(crate) fn move_cells(path: &MovePath) -> String {
    touches(path).iter().map(usize::to_string).collect::<Vec<_>>().join(" ")
}

/// Number of the first touches after which only removals follow.
pub(crate) fn forced_from(path: &MovePath) -> usize {
    path.free_touches()
}
