//! The parameters of a game.

/// Along a row, along a column and along both diagonals, as steps of (row, column).
pub(super) const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// The directions in which a player's runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Directions {
    /// Rows, columns and diagonals.
    All,
    /// Rows and columns.
    Orthogonal,
    /// Diagonals.
    Diagonal,
}

impl Directions {
    /// The places in [`STEPS`].
    pub(super) fn steps(self) -> std::ops::Range<usize> {
        match self {
            Directions::All => 0..4,
            Directions::Orthogonal => 0..2,
            Directions::Diagonal => 2..4,
        }
    }
}

/// The parameters of a game; arrays hold the first player's value first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Rows, 1 to 19.
    pub rows: u32,
    /// Columns, 1 to 19.
    pub cols: u32,
    /// Stones of a line, 1 or more.
    pub k: [u32; 2],
    /// The directions that count.
    pub directions: [Directions; 2],
    /// Whether a line loses.
    pub misere: bool,
    /// Stones in the first turn, 1 or 2.
    pub first: [u32; 2],
    /// Whether stones fall.
    pub gravity: bool,
    /// Whether opposite edges join.
    pub wrap: bool,
}
