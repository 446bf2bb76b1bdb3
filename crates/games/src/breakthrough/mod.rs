//! Breakthrough: get one man across.
//!
//! # Rules
//!
//! Each player begins with men on all cells of their two nearest rows; the board has `cols`
//! columns and `rows` rows, usually 8 x 8. In turn each player moves one man one row forward,
//! straight or to either side. Straight ahead the cell must be empty; to a side it may be empty or
//! hold an opposing man, which is captured and leaves the board. Capturing is never compulsory. A
//! player who brings a man to the farthest row, or captures the last opposing man, wins. There are
//! no draws: the foremost man of the player to move always has a free or capturable cell diagonally
//! in front of it. (Dan Troyka, 2000.)
//!
//! A move is written as its two cells, `c2-c3`, or `c2xd3` when it captures.
//!
//! # Known values
//!
//! 3 columns x 4 rows is won by the second player on ply 12, after 55,152 positions in all (both
//! counted by the tests here). 5 x 5 is reported to be a win of the second player too. 8 x 8 is not
//! solved.

mod notation;
mod rules;

pub use rules::{Board, Breakthrough, Fixed, Move, Sized, Standard, State};

#[cfg(test)]
mod tests;
