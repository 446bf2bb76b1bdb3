//! Tic-tac-toe (noughts and crosses) on a square board of any size.
//!
//! # Rules
//!
//! In turn each player puts a stone of their own on an empty cell of a board of `size` x `size`
//! cells. The first player to have `k` or more stones in an unbroken straight line (row, column or
//! diagonal) wins, or with `misere` loses. A full board without a line is a draw. The usual game
//! has `size` = 3 and `k` = 3.
//!
//! A move is written as its cell: column letter from the left and row number from below, `a1`.
//! Moves are listed row by row from row 1, each row from the left: a1, b1, c1, a2 and so on.
//!
//! # Known values
//!
//! The usual game is a draw. It has 5,478 reachable positions, 765 up to the symmetries of the
//! square, and 255,168 courses: the first player wins 131,184 of them and the second 77,904 (all
//! recounted by the tests). With `k` = 2 the first player wins with the second stone.

mod notation;
mod rules;

pub use rules::{Board, Fixed, Sized, Standard, State, TicTacToe};

#[cfg(test)]
mod tests;
