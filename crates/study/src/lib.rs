//! Experiments that judge games.
//!
//! [`gauge`](gauge()) lets a search play a game against itself and measures what a designer
//! wants to know; [`stats`] turns counts into estimates with intervals. Experiments are generic
//! over the game, parallel over games, and give the same result for any number of threads.

pub mod stats;

mod gauge;
mod reference;

pub use gauge::{
    Curve, DEFAULT_SKILL_FACTOR, Flag, FlagState, Gauge, Judged, LengthSummary, Plan, Progress,
    ShapeSummary, Spread, Thresholds, Value, Verdict, gauge,
};
pub use reference::{REFERENCE, Reference, ReferenceRow};
