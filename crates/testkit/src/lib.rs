//! The laws that every game must obey, oracles to compare fast code with, and readers of the files
//! of known facts.
//!
//! A game's own tests call [`laws::check`] and the capability laws that apply; a game with a
//! fast path is also compared with a slow statement of its rules by [`oracle::agree`].

pub mod explore;
pub mod facts;
pub mod laws;
pub mod oracle;

pub use laws::Laws;
pub use oracle::{Oracle, Plain};
