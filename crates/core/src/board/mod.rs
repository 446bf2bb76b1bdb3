//! Positions as boards: cells with names, places and contents, for pictures, clicks and screen readers.

mod svg;

use std::collections::HashMap;

use crate::{Player, counted};

/// A position as a board.
///
/// Places are in units of a cell: x to the right and y down from the upper left corner of the board. The cells of a
/// game are the same in every position of it, in the same order, with the same names, places and shapes; only their
/// contents differ.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Board {
    /// The width of the board, labels excluded.
    pub width: f64,
    /// The height of the board, labels excluded.
    pub height: f64,
    /// The cells. A [`CellNumber`] is a place in this list.
    pub cells: Vec<Cell>,
    /// Pairs of cells that a drawn line joins.
    pub links: Vec<[CellNumber; 2]>,
    /// Texts around the board: letters of columns, numbers of rows.
    pub labels: Vec<Label>,
    /// The parts of the position beside the cells, in words: pieces in hand, scores.
    pub beside: Vec<String>,
}

/// The place of a cell in [`Board::cells`].
pub type CellNumber = usize;

/// A cell of a board.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// The name, as moves are written; no other cell of the board has it.
    pub name: String,
    /// The middle, from the left edge of the board.
    pub x: f64,
    /// The middle, from the upper edge of the board.
    pub y: f64,
    /// The shape.
    pub shape: CellShape,
    /// The contents in words, such as `first player's man`, `3 seeds` or `empty`.
    pub contents: String,
    /// The contents as pictures show them.
    pub mark: CellMark,
    /// The player whose cell it is, such as a pit; `None` if it is nobody's.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub owner: Option<Player>,
}

/// The shape of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CellShape {
    /// A square with sides of 1.
    Square,
    /// A square in the darker of two colours.
    DarkSquare,
    /// A hexagon with a corner up and down, 1 wide.
    Hexagon,
    /// A point of a net of lines.
    Point,
    /// A round pit for seeds.
    Pit,
    /// A line between two dots, 1 long, from left to right.
    Across,
    /// A line between two dots, 1 long, from top to bottom.
    Upright,
    /// A square that lines may surround.
    Box,
    /// A hand with fingers, 2 wide and 1 high.
    Hand,
}

/// The contents of a cell as pictures show them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CellMark {
    /// No contents.
    #[default]
    None,
    /// A round piece.
    Piece {
        /// The player whose piece it is; `None` for a neutral one.
        owner: Option<Player>,
        /// The text on it; empty if the piece needs none.
        text: String,
    },
    /// A text: a letter, a number.
    Text(String),
    /// The cell is filled: blocked, closed, reached.
    Filled,
    /// A small dot: a cell that may not be used now.
    Dot,
    /// The line of an edge is drawn.
    Drawn,
    /// Fingers of a player.
    Fingers {
        /// The player whose fingers they are.
        owner: Player,
        /// The number of fingers.
        count: u8,
    },
}

/// Contents of a cell: words, and the mark that shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    words: String,
    mark: CellMark,
}

/// A text beside the cells.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Label {
    /// The middle, from the left edge of the board.
    pub x: f64,
    /// The middle, from the upper edge of the board.
    pub y: f64,
    /// The text.
    pub text: String,
}

/// A cell that a move touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Touch {
    /// The cell.
    pub cell: CellNumber,
    /// Its part in the move.
    pub role: Role,
}

/// The part of a cell in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Role {
    /// The piece or the seeds that move, or the hand that taps, are here.
    From,
    /// A piece jumps over the cell. It follows from the cells before and after, so a player need not choose it.
    Over,
    /// The cell that is chosen: a piece arrives here, a line is drawn, a hand is tapped.
    To,
    /// A piece or the cell itself is removed.
    Removed,
}

/// A legal move and the cells that it touches.
///
/// The cells of one move may be the first ones of another: a chain of jumps that may end early.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovePath {
    /// The move as text.
    pub text: String,
    /// The cells in the order in which a player touches them; empty for a move without cells.
    pub path: Vec<Touch>,
    /// The name of the move among those with the same cells; `None` if its cells tell it apart from all others.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub choice: Option<String>,
}

impl MovePath {
    /// The legal moves of a position, from their texts and cells.
    ///
    /// ```
    /// use treegauge_core::{MovePath, Role, Touch};
    ///
    /// let on = |cell| vec![Touch { cell, role: Role::To }];
    /// let moves = [("Xa1", on(0)), ("Oa1", on(0)), ("Xb1", on(1)), ("pass", vec![])];
    /// let moves = moves.map(|(text, path)| (text.to_owned(), path));
    /// let choices: Vec<Option<String>> =
    ///     MovePath::of_all(moves.into()).into_iter().map(|path| path.choice).collect();
    /// let [cross, nought, pass] = ["Xa1", "Oa1", "pass"].map(|text| Some(text.to_owned()));
    /// assert_eq!(choices, [cross, nought, None, pass]);
    /// ```
    #[must_use]
    pub fn of_all(moves: Vec<(String, Vec<Touch>)>) -> Vec<MovePath> {
        let cells = |path: &[Touch]| path.iter().map(|touch| touch.cell).collect::<Vec<_>>();
        let mut alike: HashMap<Vec<CellNumber>, u32> = HashMap::new();
        for (_, path) in &moves {
            *alike.entry(cells(path)).or_default() += 1;
        }
        let path = |(text, path): (String, Vec<Touch>)| {
            let is_told = !path.is_empty() && alike[&cells(&path)] == 1;
            let choice = (!is_told).then(|| text.clone());
            MovePath { text, path, choice }
        };
        moves.into_iter().map(path).collect()
    }
}

impl Contents {
    /// No contents.
    #[must_use]
    pub fn empty() -> Contents {
        Contents::new("empty", CellMark::None)
    }

    /// Contents in words, with their mark.
    #[must_use]
    pub fn new(words: impl Into<String>, mark: CellMark) -> Contents {
        Contents { words: words.into(), mark }
    }

    /// A piece of a player, or a neutral one; `kind` is its name, such as `man`.
    #[must_use]
    pub fn piece(owner: Option<Player>, kind: &str) -> Contents {
        let words = match owner {
            Some(player) => format!("{} {kind}", of_player(player)),
            None => kind.to_owned(),
        };
        Contents::new(words, CellMark::Piece { owner, text: String::new() })
    }

    /// A piece of a player, or no contents.
    #[must_use]
    pub fn piece_or_empty(owner: Option<Player>, kind: &str) -> Contents {
        owner.map_or_else(Contents::empty, |player| Contents::piece(Some(player), kind))
    }

    /// A number of seeds.
    #[must_use]
    pub fn seeds(count: u64) -> Contents {
        let words = if count == 0 { "empty".to_owned() } else { counted(count, "seed") };
        Contents::new(words, CellMark::Text(count.to_string()))
    }

    /// An edge, drawn or not.
    #[must_use]
    pub fn edge(is_drawn: bool) -> Contents {
        if is_drawn {
            Contents::new("drawn", CellMark::Drawn)
        } else {
            Contents::new("not drawn", CellMark::None)
        }
    }

    /// The same with a text on the piece.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Contents {
        if let CellMark::Piece { text: on, .. } = &mut self.mark {
            *on = text.into();
        }
        self
    }
}

/// A player as an owner, in words.
fn of_player(player: Player) -> &'static str {
    match player {
        Player::First => "first player's",
        Player::Second => "second player's",
    }
}

impl Cell {
    /// A cell of the board.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        (x, y): (f64, f64),
        shape: CellShape,
        Contents { words, mark }: Contents,
    ) -> Cell {
        Cell { name: name.into(), x, y, shape, contents: words, mark, owner: None }
    }

    /// The same as the cell of a player.
    #[must_use]
    pub fn owned_by(self, player: Player) -> Cell {
        Cell { owner: Some(player), ..self }
    }
}

impl Board {
    /// A board without cells.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Board {
        Board { width, height, ..Board::default() }
    }

    /// A board of `rows` x `cols` cells, row 1 below, with names such as `b3` and labels. Cells are in the order of
    /// rows from row 1, each from the left; `cell` gives shape and contents from row and column, both from 0, or
    /// `None` if the board has no cell there.
    ///
    /// # Panics
    ///
    /// When there are more than 26 columns.
    #[must_use]
    pub fn grid(
        rows: u32,
        cols: u32,
        mut cell: impl FnMut(u32, u32) -> Option<(CellShape, Contents)>,
    ) -> Board {
        assert!(cols <= 26, "columns have letters");
        let mut board = Board::new(f64::from(cols), f64::from(rows));
        let column = |col: u32| char::from(b'a' + col as u8);
        for row in 0..rows {
            let y = f64::from(rows - row) - 0.5;
            board.label(-0.3, y, (row + 1).to_string());
            for col in 0..cols {
                if let Some((shape, contents)) = cell(row, col) {
                    let name = format!("{}{}", column(col), row + 1);
                    board.cells.push(Cell::new(name, (f64::from(col) + 0.5, y), shape, contents));
                }
            }
        }
        for col in 0..cols {
            board.label(f64::from(col) + 0.5, f64::from(rows) + 0.3, column(col));
        }
        board
    }

    /// A grid of squares.
    #[must_use]
    pub fn squares(rows: u32, cols: u32, mut contents: impl FnMut(u32, u32) -> Contents) -> Board {
        Board::grid(rows, cols, |row, col| Some((CellShape::Square, contents(row, col))))
    }

    /// A grid of squares in two colours, the first cell of the first row dark.
    #[must_use]
    pub fn chequered(
        rows: u32,
        cols: u32,
        mut contents: impl FnMut(u32, u32) -> Contents,
    ) -> Board {
        Board::grid(rows, cols, |row, col| {
            let is_dark = (row + col).is_multiple_of(2);
            Some((
                if is_dark { CellShape::DarkSquare } else { CellShape::Square },
                contents(row, col),
            ))
        })
    }

    /// Puts a label beside the cells.
    pub fn label(&mut self, x: f64, y: f64, text: impl ToString) {
        self.labels.push(Label { x, y, text: text.to_string() });
    }

    /// The cell of a name.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<CellNumber> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// The cell whose middle is at a place.
    #[must_use]
    pub fn cell_at(&self, x: f64, y: f64) -> Option<CellNumber> {
        let is_near = |cell: &Cell| (cell.x - x).abs() < 0.01 && (cell.y - y).abs() < 0.01;
        self.cells.iter().position(is_near)
    }

    /// The cells that the text of a move names: the whole text, or parts of it with `-` or `x` between them. The first
    /// of several is where the move comes from. Empty if a part is not the name of a cell.
    #[must_use]
    pub fn path(&self, text: &str) -> Vec<Touch> {
        if let Some(cell) = self.cell(text) {
            return vec![Touch { cell, role: Role::To }];
        }
        let parts = text.split(['-', 'x']).enumerate();
        let touch = |(n, name)| {
            let role = if n == 0 { Role::From } else { Role::To };
            Some(Touch { cell: self.cell(name)?, role })
        };
        parts.map(touch).collect::<Option<_>>().unwrap_or_default()
    }

    /// The same for moves that jump: the cell in the middle of two cells of the path is jumped over, if there is one.
    #[must_use]
    pub fn jumping_path(&self, text: &str) -> Vec<Touch> {
        let path = self.path(text);
        let mut whole: Vec<Touch> = path.first().copied().into_iter().collect();
        for pair in path.windows(2) {
            let [from, to] = [0, 1].map(|n| &self.cells[pair[n].cell]);
            let over = self.cell_at((from.x + to.x) / 2.0, (from.y + to.y) / 2.0);
            whole.extend(over.map(|cell| Touch { cell, role: Role::Over }));
            whole.push(pair[1]);
        }
        whole
    }

    /// The board as the other side sees it, turned by half a turn.
    #[must_use]
    pub fn turned(mut self) -> Board {
        let cells = self.cells.iter_mut().map(|cell| (&mut cell.x, &mut cell.y));
        let labels = self.labels.iter_mut().map(|label| (&mut label.x, &mut label.y));
        for (x, y) in cells.chain(labels) {
            (*x, *y) = (self.width - *x, self.height - *y);
        }
        self
    }
}
