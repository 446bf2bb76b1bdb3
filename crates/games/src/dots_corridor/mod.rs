//! The corridor of Dots and Boxes: boxes in a row whose long sides are drawn.
//!
//! # Rules
//!
//! `length` boxes lie in a row. Their long sides are drawn, and so is the end wall at box 1.
//! Line k is the wall after box k, so box k lies between line k - 1 and line k, and line
//! `length` is the other end wall. A move draws one line. Each box that it closes belongs to the
//! player who drew it, who moves again; a line that closes none passes the turn. When all
//! lines are drawn, more boxes win; equal numbers are a draw.
//!
//! At the start only line 1 closes a box, and it is the only good move: after it the corridor is
//! one box shorter and the same player is to move, whereas any other line leaves everything to the
//! opponent. A program finds it hard to find the only good move among many; the board tests that.
//!
//! Unlike on the full board of [`dots_and_boxes`](crate::dots_and_boxes), a position stores the
//! owner of each box.
//!
//! A move is written as the number of its line, and moves are listed in the order of these
//! numbers. A position is written from box 1 on, after the end wall `|`, as each box and the
//! line after it: a box is `x` or `o` when it is closed, by its owner, and `.` before; a line is
//! `|` when it is drawn and `:` before. Then comes the player to move: `|x|.:.: x` after line 1
//! in a corridor of three.
//!
//! # Known values
//!
//! Reachable positions by ply, for a length of 8: 1, 8, 35, 118, 308, 563, 657, 430, 123; the
//! tests count them for all lengths up to 8 and find that the player to move at the start wins
//! each of these. Sequences of d moves: L! / (L - d)!.

mod notation;
mod rules;

pub use rules::{DotsCorridor, State};

#[cfg(test)]
mod tests;
