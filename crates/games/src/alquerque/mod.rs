//! Alquerque, in Arabic Qirkat.
//!
//! # Rules
//!
//! The board has 5 x 5 points. Lines join the next points of each row and column, and on diagonals
//! those whose column and row numbers add up to an even number (a1, c1, b2, ... counting a as 1).
//! The first player begins with men on rows 1 and 2, on d3 and on e3, the second player on rows 4
//! and 5, on a3 and on b3; c3 is empty. In turn each moves a man along a line to an empty
//! neighbouring point, in any direction. Instead a man jumps along a line over an opposing
//! man on a neighbouring point to the empty point right behind, and captures it. Capturing is
//! compulsory: a player may choose among captures, but a man that has jumped must jump on for as
//! long as it can. The point that it started from counts as empty while it jumps. A player who
//! cannot move, or who has lost all men, loses.
//!
//! The game is drawn after `draw_plies` plies in a row without a capture, usually 100, and when a
//! position occurs for the third time.
//!
//! A move is written as the points of its path, `c2-c3` or `c2xc4xe4`: captures with different
//! paths are different moves even if they take the same men. Moves without capture are listed by
//! direction (right, up, left, down, then the diagonals), each from the lowest point; captures by
//! the point they start from.
//!
//! # Known values
//!
//! From the start there are 4, 5, 6, 12, 29, 109, 541, 2,730 and 14,375 sequences of 1 to 9 plies
//! (computed). The game is not solved.
//!
//! Sources differ: the book of Alfonso X (1283) does not make captures compulsory and has no second
//! jump, others punish a missed capture by taking the man ("huffing"). The rules above are those of
//! Williams 2010 ("Determining Game Quality Through UCT Tree Shape Analysis").

mod notation;
mod rules;

pub use rules::{Alquerque, Move, State};

#[cfg(test)]
mod tests;
