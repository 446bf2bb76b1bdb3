//! Exact solving: the value and the remoteness of every position that can be reached.
//!
//! [`solve`] finds all positions that can be reached from one of them and tells for each whether
//! the player to move wins, loses, ties or draws by endless play, and in how many plies
//! ([`Valued`] has the rule). It works for every game with keys; tiers spare it the search
//! backwards, and symmetries, on request, most of the positions. History is not looked at:
//! repetition, limits of plies without progress and the ply cap play no part.
//!
//! [`file`](mod@file) keeps a solution, and [`verify`](mod@verify) checks what was kept.
//!
//! Nothing here prints or reads a clock, and no result depends on the number of threads, which is
//! that of the current rayon pool.

#[cfg(test)]
mod any_game;
mod checkpoint;
mod counts;
mod dense;
mod digest;
mod discover;
mod erased;
pub mod file;
mod find;
mod indexed;
mod interest;
mod memory;
mod puzzle;
mod retrograde;
mod rules;
mod shards;
mod solution;
mod solver;
mod sorted;
mod table;
mod tiered;
mod trend;
mod value;
pub mod verify;

#[cfg(test)]
mod tests;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use counts::{Counts, RemotenessTable};
pub use digest::Digest;
pub use erased::{AnyRules, CodeOf, Erased, ErasedMove, RulesVisitor};
pub use interest::{
    BINS, Children, Draws, Form, Interest, InterestOptions, InterestRow, LoseChildren, PRIMITIVE,
    Point, Terms, interest,
};
pub use puzzle::{
    Other, Puzzle, PuzzleCounts, PuzzleOptions, Puzzles, SAME_POSITIONS_MAX, SolutionFacts,
    SolutionGraph, SolutionNode, Step, Uniqueness, Wins, first_images, puzzles, solution_graph,
};
pub use rules::{Child, Expander, Links, Reduction, Rules};
pub use solution::{Solution, TierTable};
pub use solver::{
    Options, Phase, Progress, Reached, SolveError, Solved, Watch, Whole, resume, solve,
};
pub use table::Table;
pub use value::{Value, Valued};
