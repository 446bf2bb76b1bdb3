//! Memory and threads, as arguments of the commands that use them.

use clap::Args;
use treegauge::grammar::{count, parse_size};

use crate::exit::{Exit, Failure, Outcome};
use crate::memory::share;

/// How much memory positions may take.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// The most memory that positions may take, in bytes or as 500M or 6G (1G is 1024M; default:
    /// a quarter of what is free)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_max: Option<u64>,
}

impl MemoryArgs {
    /// The most memory to use.
    pub(crate) fn bytes_max(&self) -> Option<u64> {
        self.memory_max.or_else(share)
    }
}

/// On how many threads to work.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadsArg {
    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// This number of threads, or one per core.
pub(crate) fn pool(threads: Option<u16>) -> Outcome<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(Exit::Internal, error))
}
