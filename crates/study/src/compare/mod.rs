//! Whether one player is better than another, and by how much.
//!
//! Two games that are played from one opening with the sides exchanged are a pair, and the pair is
//! the unit of analysis: what the opening gives to either side cancels in it, and its games are not
//! independent of each other. [`Pairs`] counts them and sums them up as a [`Comparison`]; [`Sprt`]
//! says after every pair whether to continue; [`Power`] says beforehand how many games are needed;
//! [`rate`] puts several players on one scale. Nothing here plays a game.

mod elo;
mod matrix;
mod pairs;
mod power;
mod power_report;
mod ratings;
mod root;
mod sprt;

pub use elo::{elo, expected_score};
pub use pairs::{Comparison, Pairing, Pairs, Pentanomial};
pub use power::{Power, PowerError, PowerRow, PowerTable, Spread};
pub use power_report::{PowerReport, SmallestGap};
pub use ratings::{CrossTable, Cycle, Difference, Fit, Rating, Ratings, RatingsError, rate};
pub use sprt::{Sprt, SprtError, SprtModel, SprtReport, SprtVerdict};

#[cfg(test)]
mod testing;
