//! Othello: enclose the other side's discs to turn them over.
//!
//! # Rules
//!
//! The board is square with 4, 6 or 8 cells a side. The four cells in the middle begin with two
//! discs of each player, diagonally opposite: on 8 x 8 the first player has e4 and d5, the second
//! d4 and e5. In turn each player places a disc on an empty cell so that at least one straight run
//! (row, column or diagonal) of the opponent's discs lies between it and another disc of the mover,
//! and all runs enclosed in this way are turned over to the mover's colour. A player who has no
//! such cell while the opponent has one must pass, which is a move of its own; when neither has one
//! the game ends. More discs win, equal numbers draw. With
//! [`Blocked::Ends`] the game ends as soon as the player to move has no cell.
//!
//! With `adjacent` a disc must also lie next to (in any of eight directions) the disc that the
//! opponent placed last. While the opponent has placed none, this condition does not apply; a pass
//! leaves the last placements as they are.
//!
//! A move is written as its cell, `d3`, or as `pass`. With `adjacent` the text of a position ends
//! in the cells that the first and the second player placed on last, `-` for none.
//!
//! # Known values
//!
//! 4 x 4 is a win of the second player, 11 to 3; 6 x 6 too, 20 to 16 (Feinstein 1993). For 8 x 8
//! Takizawa (2023) reports a draw. With `adjacent`, 4 x 4 is won by the first player 5 to 4 after
//! 81 positions in all (counted by the tests here).

mod notation;
mod rules;

pub use rules::{Blocked, Othello, PASS, State};

#[cfg(test)]
mod tests;
