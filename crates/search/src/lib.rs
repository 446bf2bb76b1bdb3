//! Playouts, UCT trees, the shape of a tree, and alpha-beta.
//!
//! [`Uct`] grows a tree by upper confidence bounds, [`Shape`] describes it by the numbers of [`FEATURES`],
//! [`picture`] turns it into pictures and data, and [`AlphaBeta`] searches by an evaluator. All is
//! generic over [`treegauge_core::Game`]: the only dynamic call on a hot path is that of an
//! evaluator which is chosen at run time.
//!
//! Nothing here reads a clock or a global generator. A budget is a count; who wants to stop by
//! time passes a closure that says when.

pub mod picture;

mod alphabeta;
mod budget;
mod evaluate;
mod random;
mod shape;
mod tree;
mod uct;

pub use alphabeta::{
    AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport, WIN, plies_to_end,
};
pub use budget::{Budget, Stopped};
pub use evaluate::{Margin, Mobility, RandomValue, UctValue};
pub use random::{Generator, Seed, random_opening, random_opening_into};
pub use shape::{
    Drift, FEATURES, Feature, Shape, ShapeOptions, SpreadThird, UctNodes, Unvisited, Variance,
};
pub use tree::{Node, NodeId, Tree};
pub use uct::{DEFAULT_CP, LnTable, Observer, Phase, Search, Uct};
