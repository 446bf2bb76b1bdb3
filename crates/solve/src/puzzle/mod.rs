//! Puzzles: the most interesting wins of a solved game.
//!
//! A puzzle is a position that the player to move wins, of remoteness 1 or more; that player is its
//! **winner**. [`puzzles`] picks the most interesting ones of each remoteness.
//!
//! # Mate in N
//!
//! N counts the winner's own moves to the end, the remoteness r all plies. On the lines of best
//! play, where the winner plays winning moves of least remoteness and the loser those that last
//! longest, every line has r plies. Where turns alternate the winner makes N = ⌈r / 2⌉ of them: r
//! is 2N - 1 when the winner makes the last move, 2N when the loser must. Where a player may move
//! several times in a row, N is the number of moves of the winner on these lines when the winner
//! minimises it among its quickest moves and the loser maximises it among the longest defences: N =
//! 1 + the least N of the quickest winning moves at the winner's turns, the greatest N of the
//! longest defences at the loser's. Reports give both r and N.
//!
//! # One of each kind
//!
//! The wins of one remoteness are considered in the order of interest. These are left out, so the
//! first of each remoteness is always the most interesting win there is that asks anything:
//!
//! - those that **ask nothing**: at no turn of the winner in the solution does a move lose the win;
//! - images of one that was picked, by any symmetry of the game;
//! - those that **merge** with one that was picked: a quickest winning move of each leads to the
//!   same position, or an image of it, so that all that follows is one solution;
//! - those that **ask the same**: they are equally interesting, and after a symmetry their
//!   solutions are equal move by move. At every step to the end the same moves are legal, and of
//!   the winner's the same ones win most quickly, win more slowly and do not win. The remaining
//!   differences do not matter to a solver of the puzzle: how many seeds lie in a store, or by how
//!   much a misstep loses. Solutions of more than [`SAME_POSITIONS_MAX`] positions are not
//!   compared. Interestingness is compared to nine digits.
//!
//! Puzzles of different remoteness are never compared: one may well lie on the solution of
//! another.

mod graph;
mod pick;

#[cfg(test)]
mod tests;

pub(crate) use graph::quickest_moves;
pub use graph::{
    Other, SolutionFacts, SolutionGraph, SolutionNode, Step, Wins, first_images, solution_graph,
};
pub use pick::{
    MateIn, PuzzleCounts, PuzzleOptions, Puzzles, Uniqueness, puzzles, puzzles_of_starts,
};

/// Greatest number of positions of a solution that is compared with others.
pub const SAME_POSITIONS_MAX: usize = 5_000;

/// Puzzle: a position that the player to move wins.
#[derive(Clone, Debug)]
pub struct Puzzle<K> {
    /// Number of the position in the solution.
    pub index: usize,
    /// Code of the position; the winner is to move.
    pub state: K,
    /// Plies to the end with best play.
    pub remoteness: u16,
    /// Number of those plies that the winner makes.
    pub mate_in: u32,
    /// Interestingness by which the position was ranked.
    pub interestingness: f64,
    /// Turns at which only one move wins.
    pub unique: Uniqueness,
}
