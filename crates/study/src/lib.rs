//! Experiments that judge games.
//!
//! [`gauge`](gauge()) has a search play a game against itself and measures what a designer needs
//! to know; [`compare`] says whether one player is better than another; [`stats`] turns counts
//! into estimates with intervals. Experiments are not generic over the game: they use its engine. They
//! run in parallel over games and give the same result for any number of threads.

pub mod aggregate;
pub mod collect;
pub mod compare;
pub mod corridor;
pub mod difficulty;
pub mod evaluate;
pub mod generate;
pub mod stats;
pub mod vet;

mod corpus;
mod counter;
mod csv_text;
mod games_header;
mod gauge;
mod matches;
mod ratings;
mod reference;
mod reports;
mod self_play;
mod variants;

pub use corpus::{Corpus, CorpusError, LabelSource, LabelledGame, SolvedLabel, WILLIAMS_2010};
pub use csv_text::csv_text;
pub use games_header::GamesHeader;
pub use gauge::{
    Curve, DEFAULT_SKILL_FACTOR, DEFAULT_SOLVE_LIMIT, Exact, Extremes, FeatureSummary, FirstMove,
    Flag, FlagState, FlawSide, GameNumber, Gauge, GaugeGames, GaugeReport, Highlight, Judged,
    MEASURES, Measure, Measures, ModelUnasked, Multiple, MultipleError, Part, Plan, RecordHeader,
    RecordedGame, Rung, SOLVE_BYTES_MAX, ShapeFold, ShapeSummary, Shown, Threshold, Thresholds,
    Turn, Unit, Unsolved, Value, Verdict, gauge, thresholds,
};
pub use matches::{
    Both, Effort, Encounter, Fixture, FixtureGame, ForfeitCount, ForfeitKind, MISFIT, MatchGame,
    MatchHeader, MatchPlan, MatchReport, MatchSummary, MatchVerdict, Matches, OneMatch,
    PlayerOrder, RecordedForfeit, Side, Standing, TournamentGame, TournamentHeader,
    TournamentRecord, TournamentReport, TournamentSummary, TournamentVerdict, encounter_seed,
    encounters, pairs_of,
};
pub use ratings::{Question, RatedGame, Ratings};
pub use reference::{AmongKnown, REFERENCE, Reference, ReferenceRow};
pub use reports::{
    AlphaBetaSearchReport, CheckError, CheckReport, CheckWarning, EvaluatorListing, GameListing,
    GamesReport, ParameterListing, PerftDivision, PerftReport, PresetListing, Proved, ProvedSearch,
    RandomGamesReport, ReplayReport, ReplayedGame, ReplayedGameReport, ReplayedPosition,
    RulesParagraph, RulesSection, SearchReport, SearchedMove, ShortListing, ShowReport,
    TemplateListing, TemplatesReport, WithoutText, winner_word,
};
pub use reports::{NameRow, NamesReport};
pub use self_play::{GameRecord, PlyRecord};
pub use treegauge_core::{Head, ReportKind};
pub use variants::{CompareReport, Difference};
