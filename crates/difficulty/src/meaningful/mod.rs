//! Meaningful search trees and their attributes.

mod attributes;
mod settings;
mod source;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use attributes::{Distances, FAMILIES, Family, attribute_names, attributes};
pub use settings::{NAMED_SETTINGS, NamedSettings, TreeSettings};
pub use source::{Listed, MoveSource, Step};
pub use tree::{CandidateMove, Node, Tree};
pub use value::Value;
