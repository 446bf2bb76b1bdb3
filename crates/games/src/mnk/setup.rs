//! Parameters of a game.

/// Steps along a row, along a column and along both diagonals, as (row, column).
pub(super) const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (1, 1), (1, -1)];

/// Directions in which a player's runs count.
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
    /// Indexes of the directions in [`STEPS`].
    pub(super) fn steps(self) -> std::ops::Range<usize> {
        match self {
            Directions::All => 0..4,
            Directions::Orthogonal => 0..2,
            Directions::Diagonal => 2..4,
        }
    }
}

/// Parameters of a game; arrays hold the first player's value first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Number of rows, 1 to 19.
    pub rows: u32,
    /// Number of columns, 1 to 19.
    pub cols: u32,
    /// Length of a line, 1 or more, by player.
    pub k: [u32; 2],
    /// Directions that count, by player.
    pub directions: [Directions; 2],
    /// Whether a line loses.
    pub misere: bool,
    /// Number of stones in the first turn, 1 or 2, by player.
    pub first: [u32; 2],
    /// Whether stones fall to the lowest empty cell of their column.
    pub gravity: bool,
    /// Whether opposite edges join.
    pub wrap: bool,
}
