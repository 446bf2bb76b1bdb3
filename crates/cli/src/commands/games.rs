//! `treegauge games`.

use clap::Args;
use treegauge::list_games;
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
    let report = list_games();
    if arguments.json { print_report(&report) } else { print(&games_text(&report)) }
}
