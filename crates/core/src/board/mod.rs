//! Positions as boards: cells with names, places and contents, for pictures, mouse input and screen
//! readers.

mod chessman;
mod small;
mod svg;

pub use small::{SmallBoard, SmallBoards};
pub use svg::CellOutline;

use std::collections::HashMap;

use crate::{Player, counted};

pub use chessman::Chessman;

/// Position as a board.
///
/// Places are in units of one cell, with x to the right and y down from the upper left corner of
/// the board. All positions of a game have the same cells in the same order, with the same names,
/// places and shapes. Only the contents of the cells differ.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Board {
    /// Width of the board in cells, labels excluded.
    pub width: f64,
    /// Height of the board in cells, labels excluded.
    pub height: f64,
    /// Cells of the board, indexed by [`CellNumber`].
    pub cells: Vec<Cell>,
    /// Pairs of cells that are joined by a drawn line.
    pub links: Vec<[CellNumber; 2]>,
    /// Drawn curves.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub curves: Vec<Curve>,
    /// Sides of the board that belong to players.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Vec::is_empty"))]
    pub sides: Vec<Side>,
    /// Texts around the board: letters of columns, numbers of rows.
    pub labels: Vec<Label>,
    /// Parts of the position beside the cells, in words: pieces in hand, scores.
    pub beside: Vec<String>,
}

/// Board of [`Board::panels`], with signs on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Panel {
    /// The board. The texts beside it stand below.
    pub board: Board,
    /// Cells with a mark.
    pub marked: Vec<CellNumber>,
    /// Lines from one cell to another; the flag says whether it has the head of an arrow.
    pub arrows: Vec<(CellNumber, CellNumber, bool)>,
}

/// Piece of the outline of a board that belongs to a player, such as a side to connect.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Side {
    /// Player who owns it.
    pub owner: Player,
    /// Ends, each as its distances from the left and the upper edge of the board.
    pub ends: [(f64, f64); 2],
}

/// Curve from one point to another, such as the bend of a track: a cubic Bezier curve.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Curve {
    /// Begin, two points towards which it leaves its ends, and end, each as its distances from the left
    /// and the upper edge of the board.
    pub points: [(f64, f64); 4],
}

/// Index of a cell in [`Board::cells`].
pub type CellNumber = usize;

/// Cell of a board.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cell {
    /// Name of the cell as in the notation of moves, unique on the board.
    pub name: String,
    /// Distance of the centre from the left edge of the board.
    pub x: f64,
    /// Distance of the centre from the upper edge of the board.
    pub y: f64,
    /// Outline that pictures draw.
    pub shape: CellShape,
    /// The contents in words, such as `first player's man`, `3 seeds` or `empty`.
    pub contents: String,
    /// Contents as pictures show them.
    pub mark: CellMark,
    /// Player who owns the cell, such as a pit; `None` if nobody does.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub owner: Option<Player>,
    /// Ends of a [`CellShape::Line`], each as its distances from the left and the upper edge of the
    /// board; `None` for other shapes.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub ends: Option<[(f64, f64); 2]>,
}

/// Outline of a cell in pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CellShape {
    /// Square with sides of 1.
    Square,
    /// Square in the darker of two colours.
    DarkSquare,
    /// Hexagon of width 1 with one corner at the top and one at the bottom.
    Hexagon,
    /// Point in a net of lines.
    Point,
    /// Round pit for seeds.
    Pit,
    /// Horizontal line of length 1 between two dots.
    Across,
    /// Vertical line of length 1 between two dots.
    Upright,
    /// Straight line between two dots, [`Cell::ends`]. The centre of the cell is the point of the
    /// line at which it is touched.
    Line,
    /// Square that lines may surround.
    Box,
    /// Hand with fingers, 2 wide and 1 high.
    Hand,
}

/// Contents of a cell as pictures show them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum CellMark {
    /// No contents.
    #[default]
    None,
    /// Round piece.
    Piece {
        /// Player who owns the piece; `None` for a neutral piece.
        owner: Option<Player>,
        /// Text on the piece; empty if it needs none.
        text: String,
    },
    /// Man of chess.
    Chessman {
        /// Player who owns the man; the first player is White.
        owner: Player,
        /// Kind of the man.
        man: Chessman,
    },
    /// Text, such as a letter or a number.
    Text(String),
    /// The whole cell is filled: blocked, closed or reached.
    Filled,
    /// Small dot, which marks a cell that may not be used now.
    Dot,
    /// The line of an edge cell is drawn.
    Drawn,
    /// Raised fingers of a hand.
    Fingers {
        /// Player who owns the hand.
        owner: Player,
        /// Number of raised fingers.
        count: u8,
    },
}

/// Contents of a cell: a description in words and the mark that shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    words: String,
    mark: CellMark,
}

/// Text beside the cells.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Label {
    /// Distance of its centre from the left edge of the board.
    pub x: f64,
    /// Distance of its centre from the upper edge of the board.
    pub y: f64,
    /// Text of the label.
    pub text: String,
}

/// Cell that a move touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PathCell {
    /// Number of the cell.
    pub cell: CellNumber,
    /// Part of the cell in the move.
    pub role: Role,
}

/// Part of a cell in a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Role {
    /// The moving piece or seeds, or the tapping hand, start from this cell.
    From,
    /// A piece jumps over the cell. The cells before and after it determine it, so a player need
    /// not choose it.
    Over,
    /// Target of the move: a piece arrives here, a line is drawn here, or this hand is tapped.
    To,
    /// A piece on the cell, or the cell itself, is removed.
    Removed,
}

/// Legal move and the cells that it touches.
///
/// The cells of one move may be a prefix of those of another, as in a chain of jumps that may end
/// early.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovePath {
    /// Move in the notation of the game.
    pub text: String,
    /// Cells in the order in which a player touches them; empty for a move without cells.
    pub path: Vec<PathCell>,
    /// Text that tells the move apart from others with the same cells; `None` if the move has cells
    /// that tell it apart from all others.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub choice: Option<String>,
}

impl MovePath {
    /// Cells that a player touches for the move, in order. A cell that a piece jumps over follows
    /// from its neighbours, so nobody touches it.
    #[must_use]
    pub fn touches(&self) -> Vec<CellNumber> {
        let touched = self.path.iter().filter(|touch| touch.role != Role::Over);
        touched.map(|touch| touch.cell).collect()
    }

    /// Number of the first touches after which only removals follow, at least 2 if there are so
    /// many.
    #[must_use]
    pub fn free_touches(&self) -> usize {
        let touched = self.path.iter().filter(|touch| touch.role != Role::Over);
        let roles: Vec<Role> = touched.map(|touch| touch.role).collect();
        let last = roles.iter().rposition(|role| *role != Role::Removed);
        let free = last.map_or(roles.len(), |n| n + 1);
        free.max(2).min(roles.len())
    }

    /// Converts the legal moves of a position, given as pairs of text and cells.
    ///
    /// ```
    /// use treegauge_core::{MovePath, Role, PathCell};
    ///
    /// let on = |cell| vec![PathCell { cell, role: Role::To }];
    /// let moves = [("Xa1", on(0)), ("Oa1", on(0)), ("Xb1", on(1)), ("pass", vec![])];
    /// let moves = moves.map(|(text, path)| (text.to_owned(), path));
    /// let choices: Vec<Option<String>> =
    ///     MovePath::of_all(moves.into()).into_iter().map(|path| path.choice).collect();
    /// let [cross, nought, pass] = ["Xa1", "Oa1", "pass"].map(|text| Some(text.to_owned()));
    /// assert_eq!(choices, [cross, nought, None, pass]);
    /// ```
    #[must_use]
    pub fn of_all(moves: Vec<(String, Vec<PathCell>)>) -> Vec<MovePath> {
        let cells = |path: &[PathCell]| path.iter().map(|touch| touch.cell).collect::<Vec<_>>();
        let mut alike: HashMap<Vec<CellNumber>, u32> = HashMap::new();
        for (_, path) in &moves {
            *alike.entry(cells(path)).or_default() += 1;
        }
        let path = |(text, path): (String, Vec<PathCell>)| {
            let is_told = !path.is_empty() && alike[&cells(&path)] == 1;
            let choice = (!is_told).then(|| text.clone());
            MovePath { text, path, choice }
        };
        moves.into_iter().map(path).collect()
    }
}

impl Contents {
    /// Contents of an empty cell.
    #[must_use]
    pub fn empty() -> Contents {
        Contents::new("empty", CellMark::None)
    }

    /// Contents described by `words` and shown by `mark`.
    #[must_use]
    pub fn new(words: impl Into<String>, mark: CellMark) -> Contents {
        Contents { words: words.into(), mark }
    }

    /// Piece of a player, or a neutral piece if `owner` is `None`. `kind` is the name of the piece,
    /// such as `man`.
    #[must_use]
    pub fn piece(owner: Option<Player>, kind: &str) -> Contents {
        let words = match owner {
            Some(player) => format!("{} {kind}", of_player(player)),
            None => kind.to_owned(),
        };
        Contents::new(words, CellMark::Piece { owner, text: String::new() })
    }

    /// Piece of a player; an empty cell if `owner` is `None`.
    #[must_use]
    pub fn piece_or_empty(owner: Option<Player>, kind: &str) -> Contents {
        owner.map_or_else(Contents::empty, |player| Contents::piece(Some(player), kind))
    }

    /// Pit with `count` seeds.
    #[must_use]
    pub fn seeds(count: u64) -> Contents {
        let words = if count == 0 { "empty".to_owned() } else { counted(count, "seed") };
        Contents::new(words, CellMark::Text(count.to_string()))
    }

    /// Edge whose line is drawn or not.
    #[must_use]
    pub fn edge(is_drawn: bool) -> Contents {
        if is_drawn {
            Contents::new("drawn", CellMark::Drawn)
        } else {
            Contents::new("not drawn", CellMark::None)
        }
    }

    /// Sets the text on a piece. Other contents stay as they are.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Contents {
        if let CellMark::Piece { text: on, .. } = &mut self.mark {
            *on = text.into();
        }
        self
    }
}

/// Possessive form of a player, in words.
fn of_player(player: Player) -> &'static str {
    match player {
        Player::First => "first player's",
        Player::Second => "second player's",
    }
}

impl Cell {
    /// Cell without an owner.
    #[must_use]
    pub fn new(
        name: impl Into<String>,
        (x, y): (f64, f64),
        shape: CellShape,
        Contents { words, mark }: Contents,
    ) -> Cell {
        Cell { name: name.into(), x, y, shape, contents: words, mark, owner: None, ends: None }
    }

    /// Cell that is the line between two dots, touched at (x, y).
    #[must_use]
    pub fn line(
        name: impl Into<String>,
        at: (f64, f64),
        ends: [(f64, f64); 2],
        contents: Contents,
    ) -> Cell {
        Cell { ends: Some(ends), ..Cell::new(name, at, CellShape::Line, contents) }
    }

    /// Dots at the ends of a cell that is a line between two dots.
    #[must_use]
    pub fn dots(&self) -> Option<[(f64, f64); 2]> {
        let Cell { x, y, .. } = *self;
        match self.shape {
            CellShape::Across => Some([(x - 0.5, y), (x + 0.5, y)]),
            CellShape::Upright => Some([(x, y - 0.5), (x, y + 0.5)]),
            _ => self.ends,
        }
    }

    /// Sets the owner of the cell.
    #[must_use]
    pub fn owned_by(self, player: Player) -> Cell {
        Cell { owner: Some(player), ..self }
    }
}

impl Board {
    /// Numbers of the cells in rows from top to bottom, each row from left to right.
    #[must_use]
    pub fn in_rows(&self) -> Vec<Vec<CellNumber>> {
        let mut order: Vec<CellNumber> = (0..self.cells.len()).collect();
        let place = |n: CellNumber| {
            let cell = &self.cells[n];
            ((cell.y * 100.0).round() as i64, (cell.x * 100.0).round() as i64)
        };
        order.sort_by_key(|&n| place(n));
        let rows = order.chunk_by(|&a, &b| place(a).0 == place(b).0);
        rows.map(<[CellNumber]>::to_vec).collect()
    }

    /// Size of the board in a word: `small`, `medium`, `large` or `wide`; `none` without cells.
    #[must_use]
    pub fn size_word(&self) -> &'static str {
        match self.width.max(self.height) {
            _ if self.cells.is_empty() => "none",
            size if size <= 4.5 => "small",
            size if size <= 7.0 => "medium",
            size if size <= 10.0 => "large",
            _ => "wide",
        }
    }

    /// Board without cells.
    #[must_use]
    pub fn new(width: f64, height: f64) -> Board {
        Board { width, height, ..Board::default() }
    }

    /// Board of `rows` x `cols` cells with names such as `b3` and labels; row 1 is the lowest. The
    /// cells are sorted by row from row 1, then from left to right. `cell` takes row and column,
    /// both from 0, and returns shape and contents, or `None` if the board has no cell there.
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

    /// Board of `rows` x `cols` squares.
    #[must_use]
    pub fn squares(rows: u32, cols: u32, mut contents: impl FnMut(u32, u32) -> Contents) -> Board {
        Board::grid(rows, cols, |row, col| Some((CellShape::Square, contents(row, col))))
    }

    /// Board of squares in two colours. The leftmost square of row 1 is dark.
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

    /// Gives a player the side of the board that is formed by `cells`, which are hexagons in a row.
    /// Edges of these cells belong to the side if no cell lies behind them and they look away from
    /// the centre of the board. Fewer than two cells, or cells that are not in a row, have no side.
    pub fn own_side(&mut self, owner: Player, cells: &[CellNumber]) {
        let at = |n: CellNumber| (self.cells[n].x, self.cells[n].y);
        let [(x1, y1), (x2, y2)] = match cells {
            [first, .., last] => [*first, *last].map(at),
            _ => return,
        };
        // The normal of the row that leads away from the centre.
        let (mut a, mut b) = (y2 - y1, x1 - x2);
        let (middle_x, middle_y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
        if a * (middle_x - self.width / 2.0) + b * (middle_y - self.height / 2.0) < 0.0 {
            (a, b) = (-a, -b);
        }
        let length = a.hypot(b);
        let is_in_row = |&n: &CellNumber| {
            let (x, y) = at(n);
            (a * (x - x1) + b * (y - y1)).abs() < 0.01 * length
        };
        if !cells.iter().all(is_in_row) {
            return;
        }
        let half = 3f64.sqrt() / 2.0;
        // Unit vectors to the six neighbours of a hexagon with a corner at the top.
        let ways =
            [(1.0, 0.0), (0.5, half), (-0.5, half), (-1.0, 0.0), (-0.5, -half), (0.5, -half)];
        let mut sides = Vec::new();
        for &n in cells {
            let (x, y) = at(n);
            for (u, v) in ways {
                let looks_out = (a * u + b * v) / length > 0.3;
                if looks_out && self.cell_at(x + u, y + v).is_none() {
                    // The edge is at half the distance, and its length is that over the root of 3.
                    let (along_x, along_y) = (-v / (4.0 * half), u / (4.0 * half));
                    let (x, y) = (x + u / 2.0, y + v / 2.0);
                    let ends = [(x - along_x, y - along_y), (x + along_x, y + along_y)];
                    sides.push(Side { owner, ends });
                }
            }
        }
        self.sides.extend(sides);
    }

    /// Adds a label with its centre at (x, y).
    pub fn label(&mut self, x: f64, y: f64, text: impl ToString) {
        self.labels.push(Label { x, y, text: text.to_string() });
    }

    /// Number of the cell with this name; `None` if the board lacks it.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<CellNumber> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// Number of the cell whose centre is within 0.01 of (x, y).
    #[must_use]
    pub fn cell_at(&self, x: f64, y: f64) -> Option<CellNumber> {
        let is_near = |cell: &Cell| (cell.x - x).abs() < 0.01 && (cell.y - y).abs() < 0.01;
        self.cells.iter().position(is_near)
    }

    /// Cells named by the text of a move: one name, or several joined by `-` or `x`. The first of
    /// several is the cell where the move starts. Empty if a part of the text is not the name of a
    /// cell.
    #[must_use]
    pub fn path(&self, text: &str) -> Vec<PathCell> {
        if let Some(cell) = self.cell(text) {
            return vec![PathCell { cell, role: Role::To }];
        }
        let parts = text.split(['-', 'x']).enumerate();
        let touch = |(n, name)| {
            let role = if n == 0 { Role::From } else { Role::To };
            Some(PathCell { cell: self.cell(name)?, role })
        };
        parts.map(touch).collect::<Option<_>>().unwrap_or_default()
    }

    /// Cells named by the text of a jumping move. A cell midway between two consecutive cells of
    /// [`Board::path`] is inserted as jumped over.
    #[must_use]
    pub fn jumping_path(&self, text: &str) -> Vec<PathCell> {
        let path = self.path(text);
        let mut whole: Vec<PathCell> = path.first().copied().into_iter().collect();
        for pair in path.windows(2) {
            let [from, to] = [0, 1].map(|n| &self.cells[pair[n].cell]);
            let over = self.cell_at((from.x + to.x) / 2.0, (from.y + to.y) / 2.0);
            whole.extend(over.map(|cell| PathCell { cell, role: Role::Over }));
            whole.push(pair[1]);
        }
        whole
    }

    /// Board rotated by half a turn, as the player on the other side sees it.
    #[must_use]
    pub fn turned(mut self) -> Board {
        let cells = self.cells.iter_mut().map(|cell| (&mut cell.x, &mut cell.y));
        let labels = self.labels.iter_mut().map(|label| (&mut label.x, &mut label.y));
        for (x, y) in cells.chain(labels) {
            (*x, *y) = (self.width - *x, self.height - *y);
        }
        let ends = self.cells.iter_mut().flat_map(|cell| cell.ends.iter_mut().flatten());
        let ends = ends.chain(self.sides.iter_mut().flat_map(|side| &mut side.ends));
        for (x, y) in ends.chain(self.curves.iter_mut().flat_map(|curve| &mut curve.points)) {
            (*x, *y) = (self.width - *x, self.height - *y);
        }
        self
    }
}
