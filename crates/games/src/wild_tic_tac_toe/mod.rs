//! Wild tic-tac-toe: noughts and crosses where each player may use both marks.
//!
//! # Rules
//!
//! In turn each player puts a mark on an empty cell of a board of 3 x 3 cells, either a cross or a
//! nought. The player who completes a row, column or diagonal of three equal marks wins, no matter
//! who made the rest of it. A full board without such a line is a draw.
//!
//! A move is written as its mark and cell, `Xb2` or `Oa1`. Moves are listed row by row from row 1,
//! each row from the left, and on each cell the cross first: Xa1, Oa1, Xb1 and so on. In texts
//! of positions `X` and `O` are marks and `x` and `o`, as everywhere, the players.
//!
//! # Known values
//!
//! The first player wins, in 7 plies against the best defence. There are 18,753 reachable
//! positions, 2,694 up to the symmetries of the square and 1,359 up to the exchange of the marks
//! too, and 58,242,432 courses: the first player wins 28,331,136 of them and the second 18,299,136.
//! The numbers are computed; the tests recount all of them.

mod notation;
mod rules;

pub use rules::{State, WildTicTacToe};

#[cfg(test)]
mod tests;
