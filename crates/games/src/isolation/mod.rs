//! Isolation: block all squares that the other token could move to.
//!
//! # Rules
//!
//! The board has `cols` columns and `rows` rows, usually 7 x 7. Each player has one token. With
//! `starts` = `free` players place it in their first turn, on any empty square; with `fixed` both
//! are on the board already. From then on they move it in each turn. A player whose token cannot
//! move loses, so a game is never drawn.
//!
//! - `piece` = `knight`: the token moves as a knight of chess, over anything that is in between,
//!   to a square that is not blocked. Every square that a token has left stays blocked.
//! - `queen`: the same with the moves of a queen of chess, which does not pass over blocked
//!   squares.
//! - `king_remove`: the token steps to one of the eight squares around it, if nothing is there,
//!   and then its player removes any square that is free, perhaps the one just left. Only removed
//!   squares and tokens are in the way; a square that was left stays free. The board game Isola
//!   is this with `fixed` starts.
//!
//! `fixed` puts the tokens of knights and queens on the two squares next to the centre of the
//! middle row, the first player's on the left: on either side of the centre where the number of
//! columns is odd, on the two middle squares where it is even. Of an even number of rows the lower
//! one of the two middle rows is meant. With `king_remove` the first player's token begins in the
//! middle of row 1 and the second player's in the middle of the last row; where the number of
//! columns is even, the first one left of the middle and the second one right of it.
//!
//! A move is written as the square that the token enters, `d3`; with `king_remove` a dash and the
//! removed square follow, `d3-e5`. Moves are listed row by row from row 1, each row from the left,
//! and for each square those that it leaves to remove in the same order.
//!
//! # Known values
//!
//! With free placement the second player wins the knight's game on 3 x 3 and on 4 x 4 squares,
//! and the first player the queen's on 3 x 3 (computed; the tests find the same).
//!
//! The rules with knights are those of a course project of Udacity; Isola is by Bernd Kienitz,
//! 1972.

mod near;
mod notation;
mod rules;
mod scores;

pub use rules::{Isolation, Move, Piece, Setup, Starts, State};

pub use scores::{
    CenterScore, CustomScore, CustomScore2, CustomScore3, ImprovedScore, LIMIT_MAX, OpenMoveScore,
};

#[cfg(test)]
mod tests;
