//! Statistics of games: estimates with intervals, comparisons of players, tests and ratings.
//!
//! [`Estimate`] is a mean or a share with its 95% interval. Two games from one opening with sides
//! exchanged form a pair, and the pair is the unit of a comparison: an advantage from the opening
//! cancels within it, and its two games are not independent of each other. [`Pairs`] counts pairs
//! and summarises them as a [`Comparison`]. [`Sprt`] decides after each pair whether to continue,
//! [`Power`] predicts the number of games needed, and [`rate`] puts several players on one scale.
//! Nothing here plays a game.

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
    n_to_correlate, n_to_tell, normal_cdf, normal_probability_beyond, normal_quantile,
    ratio_interval, score_interval, share_of_points, student_cdf, student_z, two_proportions,
    wilson, wilson_n_to_exclude,
};
pub use pairs::{Comparison, Pairing, Pairs, Pentanomial};
pub use power::{PairSpread, Power, PowerError, PowerRow, PowerTable};
pub use power_report::{PowerReport, SmallestGap};
pub use ratings::{CrossTable, Cycle, Fit, Rating, RatingDifference, Ratings, RatingsError, rate};
pub use sprt::{Sprt, SprtError, SprtModel, SprtReport, SprtVerdict};

#[cfg(test)]
mod testing;
