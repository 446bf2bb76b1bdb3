//! Solved games for the commands that work on them.

mod arguments;
mod choices;
mod progress;
mod refused;
mod source;

pub(crate) use arguments::{MemoryArgs, SolveArgs, ThreadsArg, pool};
pub(crate) use choices::ChoicesArgs;
pub(crate) use progress::Bar;
pub(crate) use refused::{refused, too_large};
pub(crate) use source::Source;
