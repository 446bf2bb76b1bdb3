//! Solved games for the commands that work on them.

mod arguments;
mod progress;

pub(crate) use arguments::{MemoryArgs, ThreadsArg, pool};
pub(crate) use progress::Bar;
