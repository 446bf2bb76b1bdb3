//! Meaningful search trees and their attributes.

mod attributes;
mod settings;
mod source;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use attributes::{DistanceRule, FAMILIES, Family, attribute_names, attributes};
pub use settings::{NAMED_SETTINGS, NamedSettings, TreeSettings};
pub use source::{ListedMoves, MoveSource, Step};
pub use tree::{CandidateMove, Node, Tree};
pub use value::Value;
