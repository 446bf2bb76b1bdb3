//! Searches, search trees and search webs: UCT, alpha-beta, the shape of a tree, and its picture.
//!
//! # Parts
//!
//! | part | what it does |
//! |---|---|
//! | [`Seed`], [`Generator`] | the random numbers of every experiment; a seed has independent children by number |
//! | [`random_opening`] | the first moves of a game, picked at random |
//! | [`Uct`] | grows a [`Tree`] by upper confidence bounds on random playouts, within a [`Budget`] |
//! | [`Tree`], [`Node`] | the tree in one arena: 24 bytes per node for moves of up to two bytes, and 16 for the bounds of children |
//! | [`UctWeb`] | the same on a [`Web`], in which equal positions are one node, with or without a solver |
//! | [`Shape`], [`FEATURES`] | one number per feature of a tree: branching, depths, spread of the averages |
//! | [`picture`] | a tree as JSON, GraphViz and SVG |
//! | [`AlphaBeta`] | the minimax value of a position to a depth, with a transposition table |
//! | [`Mobility`], [`Margin`], [`RandomValue`], [`UctValue`] | evaluators for [`AlphaBeta`] that serve every game |
//!
//! All parts are generic over [`treegauge_core::Game`]. The only dynamic call on a hot path is that
//! of an evaluator which is chosen at run time.
//!
//! # Signs
//!
//! A tree stores results **for the first player**: +1, 0 or -1. [`Shape`] and the move to play are
//! for the player to move at the root, and so are the values of [`AlphaBeta`].
//!
//! # Budgets
//!
//! This crate reads neither a clock nor a global random number generator. A [`Budget`] and
//! [`AlphaBetaLimits`] are counts, so the same seed and budget give the same tree on every machine.
//! A caller that limits time passes a closure which returns `true` when the search should stop.
//!
//! # Example
//!
//! Search the start of Connect Four, measure the tree, and write it for GraphViz.
//!
//! ```
//! use treegauge_core::{Game, Played, Plies};
//! use treegauge_games::connect_four::{ConnectFour, Fixed};
//! use treegauge_search::picture::{self, Limits, Style};
//! use treegauge_search::{Budget, Seed, Shape, ShapeOptions, Uct};
//!
//! let game = ConnectFour::new(Fixed::<7, 6, 4>, Plies(1_000));
//! let mut uct = Uct::new(Budget::iterations(500));
//! let search = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
//! assert_eq!(search.tree().root().unwrap().visits(), 500);
//! assert!(search.best_move().is_some());
//!
//! // Its shape: one number per feature, for the player to move at the root.
//! let shape = Shape::of(search.tree(), search.turn(), search.drift(), ShapeOptions::default())
//!     .expect("the tree has a root");
//! assert_eq!(shape.best - shape.worst, shape.spread);
//!
//! // The part of the tree that fits into a picture.
//! let outline = picture::outline(&game, "connect_four", 1, &game.start(), &search);
//! let dot = picture::dot(&picture::pick(&outline, Style::Plain, Limits::default()));
//! assert!(dot.starts_with("digraph"));
//! ```

pub mod picture;

mod alphabeta;
mod bound;
mod budget;
mod evaluate;
mod grown;
mod ran;
mod random;
mod shape;
mod tree;
mod uct;
mod variant;
mod web;

pub use alphabeta::{
    AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport, WIN, plies_to_end,
};
pub use budget::{Budget, Stopped};
pub use evaluate::{Margin, Mobility, RandomValue, UctValue};
pub use grown::MoveStats;
pub use ran::Search;
pub use random::{Generator, Seed, random_opening, random_opening_into};
pub use shape::{
    FEATURES, Feature, MoveAverages, Shape, ShapeOptions, SpreadThird, UctNodes, Unvisited,
    Variance,
};
pub use tree::{Node, NodeId, Tree};
pub use uct::{DEFAULT_CP, Expansion, Observer, Uct, UctOptions, UctPhase};
pub use variant::UctVariant;
pub use web::{BackUp, Edge, Merge, MoveCounts, UctWeb, Web, WebNode, WebNodeId, level_counts};
