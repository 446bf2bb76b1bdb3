//! One to Ten: count up in small steps to a target.
//!
//! # Rules
//!
//! The total is 0 at the start. In turn each player adds a whole number from 1 to `max_step`,
//! but never goes past `target`. The player who reaches the target wins, or with `misere` loses.
//! Usually `target` is 10 and `max_step` is 2.
//!
//! A move is written as the number added; moves are listed from 1 up. A position is written as
//! the total and the player to move: `7 o`.
//!
//! The game is small enough to have every capability but symmetries, and serves as the example
//! of them.
//!
//! # Known values
//!
//! The player to move loses exactly when what is left to the target is a multiple of
//! `max_step + 1`, and with `misere` when it is 1 more than a multiple (the tests solve it and
//! compare). So the first player wins the usual game by adding 1 and then leaving 9, 6, 3, 0.

mod notation;
mod rules;

pub use rules::{OneToTen, State};

#[cfg(test)]
mod tests;
