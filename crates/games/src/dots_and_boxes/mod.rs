//! Dots and Boxes: draw lines, close boxes.
//!
//! # Rules
//!
//! A lattice of dots frames `rows` x `cols` boxes. A move draws one of the lines between
//! neighbouring dots that is not drawn yet. Each box whose fourth side it is belongs to that
//! player, who moves again; a line that closes no box passes the turn. Closing boxes is not
//! compulsory. When all lines are drawn, the player with more boxes wins; equal numbers are a draw.
//! The player who closes the last box stays the player to move. The usual board here is 4 x 4
//! boxes.
//!
//! A position is the lines drawn, the number of boxes of each player and the player to move:
//! lines show which boxes are closed, not who owns them, and nothing depends on the owner.
//!
//! A move is written `h<row><col>` for a horizontal line and `v<row><col>` for a vertical one, rows
//! counted from 1 at the bottom and columns from 1 at the left. With a number of two digits a comma
//! separates them, `h10,3`; it may always be written. Moves are listed in the order h11, h12 and so
//! on, row by row, then v11, v12 and so on.
//!
//! A position is written as the rows of the lattice from the top one down, separated by `/`:
//! `rows + 1` rows of `cols` horizontal lines and between them `rows` rows of `cols + 1` vertical
//! lines. A drawn line is `-` or `|`, one not drawn is `.`, and a number is that many lines not
//! drawn. After the lattice come the player to move and the boxes of the first and of the second
//! player. `--/|.|/.. x 0 0` is 1 x 2 boxes with all lines drawn but the middle one and the lower
//! two.
//!
//! # Known values
//!
//! Boxes of the first player minus boxes of the second with best play: 1 x 1: -1, 1 x 2: 0, 2 x 2:
//! 2, 2 x 3: -2 (all found again by the tests), 3 x 3: -3, 4 x 4: 0, 3 x 5: -1 (David Wilson), 4 x
//! 5: 0 (Barker and Korf 2012). The number of sequences of d moves among E lines is E! / (E - d)!.

mod notation;
mod rules;

pub use rules::{Board, DotsAndBoxes, Fixed, Side, Sized, Standard, State};

#[cfg(test)]
mod tests;
