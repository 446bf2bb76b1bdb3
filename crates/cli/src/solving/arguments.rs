//! How to solve, as arguments of the commands that may have to.

use clap::Args;
use treegauge::engine::Line;
use treegauge::solve::Options;
use treegauge::{Error, Game, symmetry_saves};
use treegauge_core::Capability;

use super::refused::refused;
use super::source::Source;
use crate::exit::{Exit, Failure, Outcome};
use crate::memory::share;
use crate::terminal::hint;
use treegauge::grammar::{count, parse_size};

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

/// How to solve, for the commands that may have to.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to solve")]
pub(crate) struct SolveArgs {
    /// Store one position per symmetry class
    #[arg(long)]
    pub(crate) symmetry: bool,

    #[command(flatten)]
    pub(crate) memory: MemoryArgs,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

impl SolveArgs {
    /// How to solve a game; one without symmetries is solved without them.
    pub(crate) fn options(&self, game: &Game) -> Options {
        let symmetry = self.symmetry && has_symmetries(game);
        Options { symmetry, memory_bytes_max: self.memory_bytes_max(), ..Options::default() }
    }

    /// The most memory to use.
    pub(crate) fn memory_bytes_max(&self) -> Option<u64> {
        self.memory.bytes_max()
    }

    /// Says what of the options has no effect on a game.
    pub(crate) fn announce(&self, game: &Game) {
        if self.symmetry && !has_symmetries(game) {
            hint(&format!("{} has no symmetries; it is solved without --symmetry", game.name()));
        }
    }

    /// Refuses an option that the file of a solved game makes useless.
    pub(crate) fn fit(&self, source: &Source) -> Outcome {
        match source.file() {
            Some(path) if self.symmetry => {
                let path = path.display();
                let message = format!(
                    "the argument '--symmetry' cannot be used with a FILE: the game in {path} is solved already"
                );
                Err(Failure::new(Exit::Usage, message))
            }
            _ => Ok(()),
        }
    }

    /// Why a solve failed; where memory did not suffice, what would help.
    pub(crate) fn refused(&self, error: Error, game: &Game, start: &Line) -> Failure {
        match error.get() {
            Some(why) => refused(why, !self.symmetry && symmetry_saves(game, start)),
            None => error.into(),
        }
    }

    /// The threads on which to work: `pool.install(|| ...)`.
    pub(crate) fn pool(&self) -> Outcome<rayon::ThreadPool> {
        pool(self.threads)
    }
}

fn has_symmetries(game: &Game) -> bool {
    game.info().capabilities.contains(&Capability::Symmetric)
}

/// This number of threads, or one per core.
pub(crate) fn pool(threads: Option<u16>) -> Outcome<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(Exit::Internal, error))
}
