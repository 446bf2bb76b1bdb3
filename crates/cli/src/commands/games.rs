//! `treegauge games`.

use clap::Args;
use treegauge::catalogue;
use treegauge::report::games_text;

use crate::exit::Outcome;
use crate::output::{print, print_report};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let report = catalogue()?;
    if arguments.json { print_report(&report) } else { print(&games_text(&report)) }
}
