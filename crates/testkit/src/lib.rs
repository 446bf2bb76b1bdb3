//! Laws that every game must obey, oracles to compare fast code with, and readers of files of known
//! facts.
//!
//! The tests of a game call [`laws::check`] and the laws of its capabilities. A game with a fast
//! path is also compared with a slow statement of its rules by [`oracle::agree`].

pub mod explore;
pub mod facts;
pub mod laws;
pub mod library;
pub mod oracle;

pub use laws::Laws;
pub use oracle::{Oracle, Plain};
