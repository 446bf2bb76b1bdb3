//! Experiments that judge games.
//!
//! [`gauge`](gauge()) lets a search play a game against itself and measures what a designer
//! wants to know; [`compare`] says whether one player is better than another; [`stats`] turns counts
//! into estimates with intervals; [`journal`] keeps what is done of an experiment, so that one that
//! was killed can go on. Experiments are generic
//! over the game, parallel over games, and give the same result for any number of threads.

pub mod compare;
pub mod journal;
pub mod stats;

mod games_header;
mod gauge;
mod matches;
mod reference;

pub use games_header::GamesHeader;
pub use gauge::{
    Curve, DEFAULT_SKILL_FACTOR, Flag, FlagState, GameNumber, Gauge, Judged, LengthSummary, Part,
    Plan, Progress, RecordHeader, RecordedGame, ShapeFold, ShapeSummary, Spread, Thresholds, Value,
    Verdict, gauge,
};
pub use matches::{
    Both, Clock, Competitor, Competitors, Effort, Encounter, Fault, FaultCount, FaultKind, Limits,
    Match, MatchGame, MatchHeader, MatchPlan, MatchProgress, MatchSummary, OPENING_TRIALS, Shard,
    Side, Standing, TournamentGame, TournamentHeader, TournamentSummary, encounter_seed,
    encounters, pairs_of,
};
pub use reference::{REFERENCE, Reference, ReferenceRow};
