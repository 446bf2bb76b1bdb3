//! Statistics of games: estimates with intervals, comparisons of players, tests and ratings.
//!
//! [`Estimate`] is a mean or a share with its 95% interval. Two games that are played from one opening with
//! the sides exchanged are a pair, and the pair is the unit of a comparison: what the opening gives to either
//! side cancels in it, and its games are not independent of each other. [`Pairs`] counts them and sums them
//! up as a [`Comparison`]; [`Sprt`] says after every pair whether to continue; [`Power`] says beforehand how
//! many games are needed; [`rate`] puts several players on one scale. Nothing here plays a game.

mod difference;
mod elo;
mod estimate;
mod matrix;
mod pairs;
mod power;
mod power_report;
mod ratings;
mod root;
mod sprt;

pub use difference::{difference, holm};
pub use elo::{elo, expected_score};
pub use estimate::{
    Estimate, Moments, ThresholdSide, TwoProportions, Z, mean_interval, median_interval,
    normal_cdf, normal_probability_beyond, normal_quantile, ratio_interval, score_interval,
    share_of_points, student_cdf, student_z, two_proportions, wilson,
};
pub use pairs::{Comparison, Pairing, Pairs, Pentanomial};
pub use power::{Power, PowerError, PowerRow, PowerTable, Spread};
pub use power_report::{PowerReport, SmallestGap};
pub use ratings::{CrossTable, Cycle, Fit, Rating, RatingDifference, Ratings, RatingsError, rate};
pub use sprt::{Sprt, SprtError, SprtModel, SprtReport, SprtVerdict};

#[cfg(test)]
mod testing;
