//! Achi: three in a row with men that are placed and then moved.
//!
//! # Rules
//!
//! The board has `size` x `size` points and each player `men` men. In turn each player places a
//! man on an empty point until all are on the board. From then on each moves one of their men to an
//! empty neighbouring point. The first player to have three men in an unbroken straight line (row,
//! column or diagonal) wins, also while men are placed. A player who cannot move loses. The usual
//! board has `size` = 3 and `men` = 3.
//!
//! Neighbours are the next points of the same row and column. With `adjacency` = `king` those of
//! the diagonals too; with `lines` only on the diagonals that are drawn on the board, those
//! through points whose column and row numbers add up to an even number (on the 3 x 3 board the
//! corners and the centre); with `orth` none.
//!
//! Positions can come back: the third occurrence of one is a draw.
//!
//! A move is written as its point, `b2`, while men are placed, and then as the points that the
//! man leaves and enters, `b2-c3`. Placements are listed row by row from row 1, each row from the
//! left; moves in the order of the points left, and for each in the order of the points entered.
//!
//! # Known values
//!
//! Endless play being a draw, with 3 men on the 3 x 3 board the first player wins in 9 plies
//! with `lines` and with `orth`, and neither wins with `king`; each has 5,390 reachable positions.
//! With 4 men the first player wins in 11 plies (5,716 positions with `lines`, none of them drawn).
//! On the 4 x 4 board with `lines` the first player wins in 5 plies (363,129 positions). The
//! numbers are computed; the tests recount them.
//!
//! Books differ on the number of men: Williams 2010 ("Determining Game Quality Through UCT Tree
//! Shape Analysis") has three each, others four, so it is a parameter.

mod notation;
mod rules;

pub use rules::{Achi, Adjacency, Move, State};

#[cfg(test)]
mod tests;
