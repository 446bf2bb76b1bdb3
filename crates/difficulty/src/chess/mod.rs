//! Chess as a source of move values: positions, puzzle files, and engines.
//!
//! The rules are those of the crate `cozy-chess`. [`uci::UciEngine`] runs any engine that speaks
//! UCI, and [`EngineSource`] turns its answers into the values that a meaningful tree needs.

mod analyser;
mod board;
mod cache;
mod completion;
mod facts;
mod fen;
mod measure;
mod people;
mod position;
mod puzzle;
mod soundness;
mod source;
mod spelling;
pub mod uci;

pub use analyser::{Analyser, FAILURES_MAX, HANGS_MAX};
pub use board::board_symbols;
pub use cache::{Cache, CacheError};
pub use facts::{Fact, fact_names, facts};
pub use measure::{
    AttributeKind, ChessAttribute, MeasureOptions, MeasuredRow, Measurement, Work,
    chess_attributes, measure, measure_all,
};
pub use people::{PEOPLE, PeopleChoice};
pub use position::{ChessMove, Ending, MoveError, Position, PositionError};
pub use puzzle::{
    LastMove, Puzzle, PuzzleFormat, PuzzleGame, Puzzles, PuzzlesError, RATING_MAX, RowError,
};
pub use soundness::{LOST, Soundness};
pub use source::{EngineSource, MultiPv};
