//! Checkers: English draughts.
//!
//! # Rules
//!
//! The game is played on the 32 dark squares of the 8 x 8 board; a1 is dark. Each player begins
//! with twelve men on the first three rows of their side, and in turn each moves one piece. A man
//! steps one square diagonally forward to an empty square, a king one square diagonally in any
//! direction. Instead of stepping, a piece jumps over an opposing piece next to it to the empty
//! square right behind, a man forward only and a king in any direction, and the jumped piece is
//! captured. Capturing is compulsory: a player may choose among captures, but a piece that has
//! jumped must jump on, in any of its directions, for as long as it can. The square that a king
//! started from counts as empty while it jumps, and no piece is jumped twice. A man that reaches
//! the farthest row becomes a king, and that ends the move. A player who cannot move, or who has
//! lost all pieces, loses.
//!
//! With `kings` all pieces are kings from the start.
//!
//! The game is drawn after `draw_plies` plies in a row, usually 100, in which nothing was captured
//! and no man moved, and when a position occurs for the third time.
//!
//! A move is written as the squares of its path, `c3-d4` or `c3xe5xg7`: captures with different
//! paths are different moves even if they take the same pieces. The usual numbers are read too,
//! `11-15` and `11x18x25`: 1 to 4 are g1, e1, c1 and a1, 5 to 8 h2, f2, d2 and b2, and so on. Steps
//! are listed by direction (up and left, up and right, down and left, down and right), each from
//! the lowest square; captures by the square they start from.
//!
//! In positions `x` and `o` are men and `X` and `O` kings. The first player, whom the English rules
//! call Black, is `x`.
//!
//! # Known values
//!
//! Neither player can force a win (Schaeffer et al. 2007, "Checkers is solved"). From the start
//! there are 7, 49, 302, 1,469, 7,361, 36,768, 179,740 and 845,931 sequences of 1 to 8 plies (Aart
//! Bik, 2009), and with `kings` 7, 49, 340, 1,983 and 12,914 of 1 to 5 (computed).
//!
//! Williams 2010 ("Determining Game Quality Through UCT Tree Shape Analysis") has a draw after 50
//! moves, read here as 100 plies.

mod notation;
mod rules;

pub use rules::{Checkers, Move, State};

#[cfg(test)]
mod tests;
