//! Pictures of search trees: UCT from the left to the right, alpha-beta from the top downwards.

mod alphabeta;
mod layout;
mod paper;
mod uct;

#[cfg(test)]
mod tests;

pub(crate) use alphabeta::cut_tree_picture;
pub use alphabeta::cut_tree_svg;
pub(crate) use layout::{Align, children_of, middles};
pub(crate) use paper::escaped;
pub(crate) use uct::tree_picture;
pub use uct::tree_svg;

/// Default of the number of nodes with a board in a picture of a UCT tree: its nodes stand in
/// columns, which boards make long.
pub const TREE_BOARDS_DEFAULT: usize = 20;

/// Default of the number of nodes with a board in a picture of an alpha-beta tree: enough for every
/// node of a picture of the default size.
pub const CUT_TREE_BOARDS_DEFAULT: usize = 44;
