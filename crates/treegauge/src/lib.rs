//! Measures how interesting, how difficult and how good games and game positions are, from the
//! shape of their search trees.
//!
//! This is the library that programs depend on: one surface over the crates behind it, with one
//! [`Error`] and one [`Watch`] for all long work. It prints nothing and reads no clock: a caller
//! with a time budget passes a [`Clock`].
//!
//! - [`Game::parse`] gives a game by name; it dereferences to its [`engine::Engine`].
//! - [`search()`] searches a position, [`GaugeRun`] judges a game by self-play, [`MatchRun`] and
//!   [`TournamentRun`] compare players.
//! - [`solve()`] finds the value of every position of a game and gives a [`Solution`], which rates
//!   positions and finds puzzles; [`open_solution`], [`probe`] and [`verify`] work on its file.
//! - [`CollectRun`] collects self-play of many games, [`evaluate`] says what learners learn from it,
//!   [`train`] keeps what they learned in a model, and [`VetRun`] asks one about other games.
//! - [`GenerateRun`] makes games by changing and crossing texts of others, and judges them.
//! - [`DifficultyRun`] rates puzzles of chess by an engine, [`problem_tree`] builds the meaningful tree of a
//!   position of any game.
//! - All results are reports: plain values that are written to JSON, read back, and turned into
//!   text and pages by [`report`].
//!
//! ```
//! use treegauge::{Game, SearchOptions, search};
//!
//! let game = Game::parse("connect_four(cols=5,rows=4)").unwrap();
//! let mut line = game.start();
//! line.play_text("c").unwrap();
//! let found = search(&game, &line, &SearchOptions::default(), &()).unwrap();
//! assert_eq!(found.report.moves.len(), 5);
//! ```
//!
//! The folder `examples` has whole programs: `gauge_a_game`, `solve_and_probe`, `play_a_match` and
//! `search_and_picture`.

mod check;
mod corridor;
mod dataset;
mod difficulty;
mod error;
mod file_kinds;
mod game;
mod gauge;
mod generating;
mod list_games;
mod lists;
mod matches;
mod merge;
mod places;
mod position;
mod power;
mod ranges;
mod records;
mod replay;
mod searched;
mod solved;
pub mod tasks;
mod templates;
mod variants;
mod vetting;

pub use treegauge_catalog as catalog;
pub use treegauge_chess as chess;
pub use treegauge_core as core;
pub use treegauge_difficulty as trees;
pub use treegauge_engine as engine;
pub use treegauge_grammar as grammar;
pub use treegauge_report as report;
pub use treegauge_search as search;
pub use treegauge_solve as solve;
pub use treegauge_store as store;
pub use treegauge_study as study;

pub use check::{check, check_source, format_rules, format_source};
pub use corridor::CorridorRun;
pub use dataset::{
    CollectRun, LabelsByConditions, MergedDataset, Summed, add_attributes, add_webs, aggregate,
    dataset_files, evaluate, evaluate_ratings, is_dataset, labels_by_conditions, merge_datasets,
};
pub use difficulty::{
    DifficultyRun, MoveValues, StoredRatingModel, evaluate_difficulty, grade_puzzles,
    is_puzzle_table, problem_tree, puzzle_attribute_names, puzzles_of, rated_problems,
    rating_model_file, train_difficulty,
};
pub use error::{Error, ErrorKind};
pub use file_kinds::FileKind;
pub use game::{Game, rules_text};
pub use gauge::GaugeRun;
pub use generating::{
    DEFAULT_STARTS, GenerateRun, TextBoards, edited_texts, generated_files, is_generated,
    made_again, merge_generated,
};
pub use list_games::{list_games, name_games};
pub use lists::{corpus, games_of, listed_games, listed_players, ratings};
pub use matches::{MatchOptions, MatchRun, TournamentRun};
pub use merge::{MergeOptions, Merged, MergedReport, MissingGames, merge};
pub use places::{
    OutputFile, Places, TableFormat, cannot_read, cannot_write, make_folder, not_ours,
};
pub use position::{perft, show};
pub use power::{PowerSource, power};
pub use records::cut_words;
pub use replay::RecordedGames;
pub use searched::{SearchOptions, Searched, search, search_alpha_beta};
pub use solved::{
    PuzzleSet, Rated, Solution, SolutionFile, Solved, Unfinished, open_solution, probe,
    read_unfinished, solve, solved_game_of, symmetry_saves, verify,
};
pub use templates::{template, templates};
pub use treegauge_core::{Clock, NoClock, Phase, Progress, Watch};
pub use treegauge_engine::{Beginning, Engine, EvaluatorSpec, Line, Player, PlayerSpec, Session};
pub use treegauge_engine::{GrowingSearch, PlyValues, PositionValues, ValueSource, value_history};
pub use treegauge_solve::PuzzleTask;
pub use treegauge_store::Record;
pub use treegauge_study::Plan;
pub use variants::variants;
pub use vetting::{Labels, Lack, StoredModel, Training, VetRun, model_file, train};

/// Has the example of README compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
