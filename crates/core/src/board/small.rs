//! Small pictures of many positions in one document.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::svg::Picture;
use super::{Board, CellNumber};

/// Small pictures of positions in one SVG document. Parts that they share, such as the empty board
/// and each kind of man, are defined once.
///
/// ```
/// use treegauge_core::{Board, CellMark, Contents, Player, SmallBoards};
///
/// let board = Board::squares(3, 3, |row, col| match (row, col) {
///     (0, _) => Contents::piece(Some(Player::First), "man"),
///     _ => Contents::empty(),
/// });
/// let mut boards = SmallBoards::default();
/// let small = boards.draw(&board, &[0]);
/// assert_eq!((small.width, small.height), (138.0, 138.0));
/// // The empty board, a mark, and three men of one kind.
/// assert_eq!(small.elements.matches("<use ").count(), 5);
/// assert_eq!(boards.definitions("position").matches("<g id=").count(), 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SmallBoards {
    /// Shared parts by their ids.
    parts: BTreeMap<String, String>,
}

/// Small picture of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct SmallBoard {
    /// SVG elements, from (0, 0) to the lower right corner.
    pub elements: String,
    /// Width in pixels of [`Board::svg`].
    pub width: f64,
    /// Height in pixels of [`Board::svg`].
    pub height: f64,
}

/// Least width in pixels of the rim around the cells, which outlines need.
const RIM: f64 = 3.0;

impl SmallBoards {
    /// Draws a position with some marked cells, without names and without texts beside the board.
    /// Its elements refer to [`SmallBoards::definitions`].
    #[must_use]
    pub fn draw(&mut self, board: &Board, marked: &[CellNumber]) -> SmallBoard {
        let rim = board.overhang().max(RIM);
        let (left, top) = Board::pixels(0.0, 0.0);
        let shift = (rim - left, rim - top);
        let mut elements = String::new();
        self.add(&mut elements, shift, |picture| board.ground(picture));
        let place = |cell: CellNumber| {
            let (x, y) = Board::pixels(board.cells[cell].x, board.cells[cell].y);
            (x + shift.0, y + shift.1)
        };
        for &cell in marked {
            let at = place(cell);
            self.add(&mut elements, at, |picture| picture.marked(&board.cells[cell], (0.0, 0.0)));
        }
        for (n, cell) in board.cells.iter().enumerate() {
            self.add(&mut elements, place(n), |picture| picture.mark(cell, (0.0, 0.0)));
        }
        self.add(&mut elements, shift, |picture| board.dots(picture));
        let pixels = |cells: f64| cells * Board::CELL_PIXELS + 2.0 * rim;
        SmallBoard { elements, width: pixels(board.width), height: pixels(board.height) }
    }

    /// Definitions of all parts drawn so far, as one SVG element. Each part has these classes. Rules
    /// for its elements must not name a class further outside, since browsers compare the copies of
    /// a part with the rules by themselves. An id is the hash of its part, so several documents can
    /// be in one page.
    #[must_use]
    pub fn definitions(&self, classes: &str) -> String {
        let mut text = String::from("<defs>\n");
        for (id, part) in &self.parts {
            let _ = writeln!(text, "<g id=\"{id}\" class=\"{classes}\">\n{part}</g>");
        }
        text.push_str("</defs>\n");
        text
    }

    /// Adds a part at a place, unless it is empty.
    fn add(&mut self, elements: &mut String, (x, y): (f64, f64), draw: impl FnOnce(&mut Picture)) {
        let mut picture = Picture::default();
        draw(&mut picture);
        if picture.body.is_empty() {
            return;
        }
        let id = format!("p{:016x}", hash(&picture.body));
        let _ = writeln!(elements, "<use href=\"#{id}\" x=\"{x:.1}\" y=\"{y:.1}\"/>");
        self.parts.entry(id).or_insert(picture.body);
    }
}

/// FNV-1a hash of a text.
fn hash(text: &str) -> u64 {
    let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, add)
}
