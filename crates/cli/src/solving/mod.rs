//! Threads, memory and progress of long work.

mod arguments;
mod progress;

pub(crate) use arguments::{MemoryArgs, ThreadsArg, pool};
pub(crate) use progress::Bar;
