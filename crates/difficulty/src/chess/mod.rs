//! Chess as a source of the values of moves: positions, files of puzzles, and engines that are asked about them.
//!
//! The rules are those of the crate `cozy-chess`. [`uci::UciEngine`] runs an engine that may be anybody's, and
//! [`EngineSource`] turns its answers into what a meaningful tree is built of.

mod analyser;
mod board;
mod cache;
mod exchange;
mod facts;
mod measure;
mod position;
mod puzzle;
mod source;
mod spelling;
pub mod uci;

pub use analyser::{Analyser, FAILURES_MAX, HANGS_MAX};
pub use board::board_symbols;
pub use cache::{Cache, CacheError};
pub use facts::{FACTS, Fact, fact_names, facts};
pub use measure::{
    AttributeKind, ChessAttribute, MeasureOptions, MeasuredRow, Measurement, Work,
    chess_attributes, measure, measure_all,
};
pub use position::{ChessMove, Ending, MoveError, Position, PositionError};
pub use puzzle::{Puzzle, Puzzles, PuzzlesError, RATING_MAX, RowError};
pub use source::{EngineSource, MultiPv};
