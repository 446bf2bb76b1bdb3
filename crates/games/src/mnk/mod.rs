//! The k-in-a-row family.
//!
//! # Rules
//!
//! A board of `rows` x `cols` cells. In turn each player puts a stone of their own on an empty
//! cell. A player makes a line when `k` or more own stones, `k1` for the first player and `k2` for
//! the second, form an unbroken straight run in one of the directions that count for that player:
//! all, the orthogonal ones (rows and columns) or the diagonal ones. A line wins, or loses with
//! `misere`, for both players. A full board without a line is a tie. `k` may be more than the board
//! allows.
//!
//! - `first1` and `first2`, 1 or 2: the number of stones that the player puts down in the first
//!   turn. Each is a ply, and the turn is kept between them.
//! - `gravity`: a stone falls to the lowest empty cell of its column.
//! - `wrap`: opposite edges join, left and right and above and below, or left and right only
//!   with gravity. A run that comes back to its beginning counts each cell once.
//!
//! A move is written as its cell, `a1`. Moves are listed by rows from row 1, each from column a;
//! with gravity by columns.
//!
//! # Source
//!
//! The family of games of Collins, Zhang, Wong and others 2025 ("People use fast, flat simulation
//! to reason about new games"), with gravity and wrapping added.

mod intuition;
mod lines;
mod notation;
mod rules;
mod setup;

pub use rules::{Mnk, State};
pub use setup::{Directions, Setup};

#[cfg(test)]
mod tests;
