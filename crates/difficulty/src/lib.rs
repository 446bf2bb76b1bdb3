//! Difficulty of problems for people.
//!
//! A meaningful search tree holds the moves that a person would consider in a problem. The player
//! to move has a position that is to be won. [`Tree::build`] keeps the moves that win, then the
//! answers that are about as good as the best one, and so on for five plies. [`attributes`] counts
//! what is in the tree. The method is that of Stoiljkovikj 2015 ("Computer-based estimation of the
//! difficulty of chess tactical problems", University of Ljubljana) with Guid and Bratko. It needs
//! only the values of moves, so a [`MoveSource`] may be a chess engine, a solved game, or a search
//! of any game.
//!
//! ```
//! use treegauge_difficulty::{
//!     DistanceRule, ListedMoves, MoveSource, Tree, TreeSettings, Value, attribute_names, attributes,
//! };
//!
//! /// Take one or two counters; whoever takes the last one wins.
//! struct Counters;
//!
//! impl MoveSource for Counters {
//!     /// The counters that are left, and the side to move.
//!     type Position = (u32, u8);
//!     type Move = u32;
//!     type Error = std::convert::Infallible;
//!
//!     fn list(
//!         &mut self,
//!         &(left, _): &(u32, u8),
//!         _least: u32,
//!         _enough: &dyn Fn(&[Value]) -> bool,
//!     ) -> Result<ListedMoves<u32>, Self::Error> {
//!         let worth = |after: u32| if after.is_multiple_of(3) { Value::Wins(1) } else { Value::Loses(1) };
//!         let mut moves: Vec<(u32, Value)> =
//!             (1..=left.min(2)).map(|taken| (taken, worth(left - taken))).collect();
//!         moves.sort_by(|a, b| b.1.compared_to(a.1));
//!         Ok(ListedMoves { legal: left.min(2), moves })
//!     }
//!
//!     fn after(&self, &(left, side): &(u32, u8), taken: u32) -> (u32, u8) {
//!         (left - taken, 1 - side)
//!     }
//!
//!     fn side(&self, &(_, side): &(u32, u8)) -> u8 {
//!         side
//!     }
//!
//!     fn text(&self, _: &(u32, u8), taken: u32) -> String {
//!         taken.to_string()
//!     }
//! }
//!
//! // Of 4 counters take 1; then take as many as make 3 with the answer.
//! let tree = Tree::build(&mut Counters, &(4, 0), TreeSettings::RESULTS).unwrap();
//! let moves: Vec<&str> = tree.nodes.iter().map(|node| node.played.as_str()).collect();
//! assert_eq!(moves, ["", "1", "1", "2", "2", "1"]);
//! let names = attribute_names(tree.settings.levels);
//! let values = attributes(&tree, DistanceRule::PerMove);
//! let size = names.iter().position(|name| name == "TreeSize").unwrap();
//! assert_eq!(values[size], Some(5.0));
//! ```
//!
//! [`chess`] provides positions, puzzle files and engines as such a source. [`RatedProblems`] is a
//! table of problems that people solved, with their ratings. [`RatingModel`] learns from it to
//! predict the ratings of other problems, with intervals from held-out problems, and gives reasons.
//! [`DifficultyEvaluation`] measures how well attributes and learners predict ratings.

pub mod chess;

mod meaningful;
mod rating;

pub use meaningful::{
    CandidateMove, DistanceRule, FAMILIES, Family, ListedMoves, MoveSource, NAMED_SETTINGS,
    NamedSettings, Node, Step, Tree, TreeSettings, Value, attribute_names, attributes,
};
pub use rating::{
    BadRow, CLASS_SAMPLE_MAX, ClaimVerdict, ClassChances, ClassScores, DIFFICULT_ABOVE,
    DifficultyClass, DifficultyError, DifficultyEvaluation, DifficultyReason, DifficultyReport,
    EASY_BELOW, Evidence, ExplosionTest, ExtremeScores, GameSource, GradedPuzzle, GradedReport,
    HARD_FROM, LeftOutSet, LineSourceError, MEDIUM_FROM, MeasuredWith, PROBLEMS_MIN,
    PredictedDifficulty, PredictedProblem, PredictorCard, ProblemAttributes, ProblemReport,
    ProblemSet, ProblemToLearn, RatedProblems, RatingBin, RatingModel, RatingModelCard,
    RatingModelReport, RatingModelScores, RegressionScores, ScoreUnit, THESIS_CLASSES,
    TrainedRatingModel, TreeGain, UNRATED_MAX, puzzle_tree_words, tree_words,
};
