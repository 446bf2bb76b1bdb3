//! Playouts, UCT trees, the shape of a tree, and alpha-beta.
//!
//! [`Uct`] grows a tree by upper confidence bounds, [`Shape`] describes it by 16 numbers,
//! [`draw`] turns it into pictures and data, [`AlphaBeta`] searches by an evaluator, and [`Chooser`]
//! is what plays a game. All of it is generic over [`treegauge_core::Game`] and monomorphised: no call on a hot path is dynamic.
//!
//! Nothing here reads a clock or a global generator. A budget is a count; who wants to stop by
//! time passes a closure that says when.

pub mod draw;

mod alphabeta;
mod budget;
mod chooser;
mod evaluate;
mod random;
mod selfplay;
mod shape;
mod tree;
mod uct;

pub use alphabeta::{
    AlphaBeta, AlphaBetaLimits, AlphaBetaOptions, AlphaBetaReport, WIN, plies_to_end,
};
pub use budget::{Budget, Stopped};
pub use chooser::{
    AlphaBetaChooser, Choice, Chooser, ChooserError, ChooserSpec, RandomChooser, Spent, UctChooser,
};
pub use evaluate::{Margin, Mobility, RandomValue, UctValue};
pub use random::{Generator, Seed};
pub use selfplay::{GameRecord, PlyRecord, random_opening, random_opening_into, searched_game};
pub use shape::{
    Drift, FEATURE_MEANINGS, FEATURE_NAMES, Shape, ShapeOptions, SpreadThird, UctNodes, Unvisited,
    Variance,
};
pub use tree::{Node, NodeId, Tree};
pub use uct::{DEFAULT_CP, LnTable, Observer, Phase, Search, Uct, Unobserved};
