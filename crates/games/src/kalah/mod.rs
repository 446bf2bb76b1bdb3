//! Kalah: sow seeds, gather them in your store.
//!
//! # Rules
//!
//! Each player has a row of houses, 1 to 7, with the same number of seeds in each, and a store to
//! the right of it. In turn a player takes all seeds of one own house and sows them one by one
//! counter-clockwise: into the own houses to the right, the own store, the opponent's houses from
//! that player's left and again into the own houses; only the opponent's store is skipped. A lap
//! may pass the house that the seeds came from, which is sown like any other.
//!
//! - If the last seed falls into the own store, the player moves again.
//! - If the last seed falls into an own house that was empty and the house opposite has seeds,
//!   that seed and those opposite go to the own store. With `empty_capture` the seed goes there
//!   even if the house opposite is empty; without `captures` none of this applies.
//!
//! As soon as all houses of either player are empty after a move, the seeds in the other's houses
//! go to that player's store and the game is over. More seeds win, equal numbers are a draw. The
//! player to move at the end is the one who would have moved next.
//!
//! Without `sow_stores` no seed is sown into either store, so no player moves twice, and stores are
//! filled by captures and at the end only. Positions can then come back; the third occurrence is a
//! draw.
//!
//! A move is written as the house, 1 to 7 from the player's left; moves are listed in this order.
//! A position is written as the houses of the first player from that player's left, separated by
//! commas, the store, the same of the second player and the player to move: three houses of four
//! seeds begin as `4,4,4 0 4,4,4 0 x`.
//!
//! # Known values
//!
//! Seeds of the first player minus seeds of the second with best play, for (houses, seeds), the
//! usual rules first and `empty_capture` after the slash: (1, 2) -2/-2, (1, 3) 6/6, (2, 4) -10/-12,
//! (3, 2) 4/4, (3, 4) 2/2, (4, 2) 6/6, (4, 3) 6/8, (5, 3) 6/8 (computed; the tests find the smaller
//! ones again). Irving, Donkers and Uiterwijk, "Solving Kalah" (2000): the first player wins (6, 4)
//! by 10 with `empty_capture`.

mod notation;
mod rules;

pub use crate::pits::State;
pub use rules::{Captures, Kalah};

#[cfg(test)]
mod tests;
