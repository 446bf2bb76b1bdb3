//! `treegauge verify`.

use std::path::PathBuf;

use clap::Args;
use treegauge::open_solution;
use treegauge::report::{Document, NoBoards};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_read;
use crate::numbers::count;
use crate::output::{print, print_report};
use crate::solving::{Bar, MemoryArgs, pool, too_large};
use crate::terminal::terminal;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a solved game
    file: PathBuf,

    #[command(flatten)]
    memory: MemoryArgs,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    to_read(&arguments.file)?;
    let pool = pool(arguments.threads)?;
    let file = open_solution(&arguments.file)?;
    let watch = Bar::new();
    let verified = pool.install(|| file.verify(arguments.memory.bytes_max(), &watch));
    watch.finish();
    let report = verified.map_err(too_large)?;
    if arguments.json {
        print_report(&report)?;
    } else {
        print(&report.doc(&NoBoards).text(terminal()))?;
    }
    if report.ok { Ok(()) } else { Err(Failure { exit: Exit::No, error: None }) }
}
