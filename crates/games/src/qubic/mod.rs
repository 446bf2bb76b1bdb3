//! Qubic: four in a line in a cube.
//!
//! # Rules
//!
//! In turn each player puts a stone of their own on an empty cell of a cube of 4 x 4 x 4 cells. A
//! line is four cells in a straight line: there are 76, namely 48 along an axis, 24 diagonals
//! within a plane along two axes and 4 diagonals from corner to corner of the cube. The first
//! player to fill `lines` different lines wins; lines may share cells, or only lines that share no
//! cell count together, and one stone may complete several. A full cube without a winner is a draw. The usual game has `lines` = 1.
//!
//! A move is written as three digits, each 1 to 4: column, row and level, so `432` is column 4,
//! row 3 of level 2. Moves are listed level by level from the lowest, each row by row from row 1,
//! each row from the left: 111, 211, 311, 411, 121 and so on.
//!
//! The board in a position text is 16 rows: those of level 4 from row 4 down to row 1, then those
//! of level 3, and so on.
//!
//! # Known values
//!
//! The first player wins (Patashnik 1980, "Qubic: 4 x 4 x 4 tic-tac-toe"; Allis 1994, "Searching
//! for solutions in games and artificial intelligence"). The game cannot end before ply 7, so there
//! are 64, 64 x 63, 64 x 63 x 62 and so on courses of few plies. The permutations of the cells that
//! map lines to lines form a group of order 192 (Silver 1967, "The group of automorphisms of the
//! game of 3-dimensional ticktacktoe").

mod notation;
mod rules;

pub use rules::{LINES, LINES_APART, Qubic, State};

#[cfg(test)]
mod tests;
