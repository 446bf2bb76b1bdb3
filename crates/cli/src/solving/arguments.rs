//! Options for memory and threads.

use clap::Args;
use treegauge::grammar::{count, parse_size};

use crate::exit::{Exit, Failure, Outcome};
use treegauge_store::memory::share;

/// The limit of memory for positions.
#[derive(Debug, Args)]
pub(crate) struct MemoryArgs {
    /// Maximum memory for positions: bytes, or a size such as 500M or 6G (1G is 1024M) [default: a quarter of the free
    /// memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    memory_max: Option<u64>,
}

impl MemoryArgs {
    /// The limit in bytes; `None` if there is none.
    pub(crate) fn bytes_max(&self) -> Option<u64> {
        self.memory_max.or_else(share)
    }
}

/// The number of threads.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadsArg {
    /// Worker threads (never affects the result) [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// A pool of this number of threads, or of one per core.
pub(crate) fn pool(threads: Option<u16>) -> Outcome<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(Exit::Internal, error))
}
