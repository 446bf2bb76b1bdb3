//! `treegauge probe`.

use std::path::PathBuf;

use clap::Args;
use treegauge::open_solution;
use treegauge::report::Document;

use crate::common::PositionArgs;
use crate::exit::Outcome;
use crate::files::to_read;
use crate::output::{print, print_report};
use crate::terminal::terminal;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a solved game
    file: PathBuf,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    to_read(&arguments.file)?;
    let file = open_solution(&arguments.file)?;
    // A solution knows no history, so only the last position of a line matters. It begins where the
    // file does.
    let start = file.start()?;
    let line = arguments.at.line_from(file.game(), || start)?;
    let report = file.probe(&line)?;
    if arguments.json {
        return print_report(&report);
    }
    print(&report.doc(file.game()).text(terminal()))
}
