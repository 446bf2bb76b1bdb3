//! Connect Four: drop discs, make a line.
//!
//! # Rules
//!
//! A board of `cols` columns and `rows` rows stands upright. In turn each player drops a disc of
//! their own into a column that is not full; it falls to the lowest free cell. The first player to
//! have `k` or more discs in an unbroken straight line (row, column or diagonal) wins. A full board
//! without a line is a draw. The usual game is 7 x 6 with `k` = 4.
//!
//! A move is written as its column letter, `a` from the left; the column number is read too.
//!
//! # Known values
//!
//! The usual game is a win for the first player, on ply 41 with best play, opening in the
//! middle column (Allen 1988, Allis 1988). It has 4,531,985,219,092 positions (Tromp).

mod notation;
mod rules;

pub use rules::{Board, ConnectFour, Fixed, Sized, Standard, State};

#[cfg(test)]
mod tests;
