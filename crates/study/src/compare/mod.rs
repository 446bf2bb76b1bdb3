//! Whether one player is better than another, and by how much.
//!
//! Two games that are played from one opening with the sides exchanged are a pair, and the pair is
//! the unit of analysis: what the opening gives to either side cancels in it, and its games are not
//! independent of each other. [`Pairs`] counts them and sums them up as a
//! [`Comparison`]. Nothing here plays a game.

mod elo;
mod pairs;

pub use elo::{elo, expected_score};
pub use pairs::{Comparison, Pairing, Pairs, Pentanomial};

#[cfg(test)]
mod testing;
