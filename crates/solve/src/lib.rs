//! Exact solving: the value and the remoteness of every position that can be reached.
//!
//! # Parts
//!
//! | part | what it does |
//! |---|---|
//! | [`Solvable`] | a game with its [`Capabilities`](treegauge_core::Capabilities), its type hidden, which is what all parts take |
//! | [`solve`], [`resume`] | find and value every position that can be reached from a start |
//! | [`Solution`] | the solved game in memory: values, counts by remoteness, a [`Digest`] |
//! | [`file`](mod@file) | the solution on disk; one position is looked up without loading the rest |
//! | [`verify`](mod@verify) | checks a file against the rules by other code than the solver's |
//! | [`interest()`] | measures how well hidden the winning moves of every position are |
//! | [`puzzles`], [`solution_graph`] | the most interesting wins, and all that best play may lead to |
//! | [`Checkpoint`] | a solve that was stopped, to be resumed later to the same solution |
//! | [`AnySolvable`], [`AnySolution`], [`AnySolvedFile`] | the same where the type of the codes is hidden, too |
//!
//! The solver works for every game that is [`Keyed`](treegauge_core::Keyed). The other capabilities
//! do not change the solution. With tiers no search backwards is needed, with keys that are an
//! index no keys are stored, and moves that can be taken back need not be stored. Symmetry is used
//! only on request ([`Options::symmetry`]), because a reduced solution stores fewer positions; its
//! values and digest are the same.
//!
//! # Values
//!
//! A [`ExactValue`] is a [`Value`] and a remoteness, both for the player to move. The player wins or
//! loses by force, or best play by both ends in a **tie**, or best play never ends, which is a
//! **draw**. The remoteness is the number of plies to the end when the winner hurries, the loser
//! delays and both hurry towards a tie; it is 0 for a finished position and for a draw. [`ExactValue`]
//! has the exact rule.
//!
//! A value belongs to the state alone. Repetition and limits of plies without progress count only
//! through the result of endless play ([`Endless`]), and the ply cap is ignored.
//!
//! # Files
//!
//! A solution file holds every stored position with its value in compressed blocks, in ascending
//! order of keys, between a header and an index. The header names the game and holds a hash of its
//! rules, the counts and the digest, so that a reader refuses a file of another game, of other
//! rules or with a damaged byte. The same solution always gives the same bytes. Later work can add
//! named sections ([`file::with_section`]). [`file`](mod@file) documents the layout.
//!
//! # Example
//!
//! Tic-Tac-Toe has 5,478 positions; with best play it is a tie after nine plies.
//!
//! ```
//! use treegauge_core::{Capabilities, Game, KeyCode, Keyed, Notation, Plies};
//! use treegauge_games::tic_tac_toe::{Fixed, Standard};
//! use treegauge_solve::{
//!     InterestOptions, Options, PuzzleOptions, Solvable, Value, ExactValue, Wins, interest, puzzles,
//!     solution_graph, solve,
//! };
//!
//! // Solve.
//! let game = Standard::new(Fixed, Plies(100));
//! let rules = Solvable::of(game.clone(), Capabilities::none().tiered().symmetric());
//! let solved = solve(&rules, rules.start(), Options::default(), &())?;
//! let solution = solved.done().expect("nothing stops the solve");
//! assert_eq!(solution.reachable().total(), 5_478);
//! assert_eq!(solution.start_valued(), ExactValue { value: Value::Tie, remoteness: 9 });
//!
//! // Probe one position: a1 taken, b1 answered, and the first player wins in five more plies.
//! let mut state = game.start();
//! for text in ["a1", "b1"] {
//!     let m = game.parse_move(&state, text)?;
//!     game.play(&mut state, m);
//! }
//! assert_eq!(solution.get(game.key(&state).code()), Some(ExactValue { value: Value::Win, remoteness: 5 }));
//!
//! // Interestingness, from 0 to 1, of every position by its number.
//! let interesting = interest(&solution, InterestOptions::default(), None, &()).expect("nothing stops it");
//! let most = interesting.most_interesting().expect("there is a win");
//! assert!(most.interestingness > interesting.start().interestingness);
//!
//! // The most interesting wins of each remoteness as puzzles, and the solution of the hardest.
//! let options = PuzzleOptions { top: 1, ..PuzzleOptions::default() };
//! let found = puzzles(&solution, |index| interesting.of(index), options, &());
//! let longest = found.puzzles.last().expect("there is a puzzle");
//! let graph = solution_graph(&solution, longest.state, Wins::First, 1_000);
//! assert_eq!(graph.main_line().len(), usize::from(longest.remoteness));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate neither prints nor reads a clock. It uses the threads of the current rayon pool, and
//! no result depends on their number.

mod agree;
mod any;
mod checkpoint;
mod counts;
mod dense;
mod digest;
mod discover;
mod endless;
mod error;
pub mod file;
mod find;
mod forced;
mod forecast;
mod history;
mod indexed;
mod interest;
mod known;
mod limit;
mod margin;
mod memory;
mod move_value;
mod parallel;
mod plies;
mod probe;
mod progress;
mod puzzle;
pub mod report;
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

pub use any::{
    AnyCheckpoint, AnyCode, AnyForcedWins, AnyPuzzles, AnyRated, AnySolution, AnySolvable,
    AnySolved, AnySolvedFile, AnyValues, PuzzleTask, RatedRow, RatedRows,
};
pub use checkpoint::{Checkpoint, CheckpointError};
pub use counts::{Counts, RemotenessTable};
pub use digest::Digest;
pub use endless::Endless;
pub use error::{Reached, SolveError, Whole, WorkError, size_words};
pub use forced::{ForcedOptions, ForcedWins, forced_wins};
pub use interest::{
    BINS, Children, Draws, Form, Interest, InterestOptions, InterestRow, LoseChildren, PRIMITIVE,
    Point, Terms, Ties, interest,
};
pub use limit::PlyLimit;
pub use move_value::{MoveValue, move_values};
pub use probe::ProbeError;
pub use puzzle::{
    MateIn, Other, Puzzle, PuzzleCounts, PuzzleOptions, Puzzles, SAME_POSITIONS_MAX, SolutionFacts,
    SolutionGraph, SolutionNode, Step, Uniqueness, Wins, first_images, puzzles, puzzles_of_starts,
    solution_graph,
};
pub use rules::{Child, CodeOf, Expander, Links, Reduction, Solvable};
pub use solution::{Solution, TierTable};
pub use solver::{Options, Solved, resume, solve};
pub use table::Table;
pub use treegauge_core::{Phase, Progress, Watch};
pub use value::{ExactValue, Value};
