//! `treegauge check`.

use std::path::PathBuf;

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::{check_source, format_source};

use crate::exit::{Exit, Failure, Outcome};
use crate::output::{print, print_report};
use crate::rules_text::text_of;
use crate::solving::Bar;
use crate::terminal::terminal;
use treegauge::tasks::DEFAULT_SEED;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a text that describes a game, `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Print the text laid out, and check nothing but its parentheses
    #[arg(long, conflicts_with = "json")]
    format: bool,

    /// Seed of the random games
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let (name, source) = text_of(&arguments.file)?;
    if arguments.format {
        return print(&format_source(&name, &source)?);
    }
    let bar = Bar::new();
    let report = check_source(&name, &source, arguments.seed, &bar);
    bar.finish();
    let report = report?;
    if arguments.json {
        print_report(&report)?;
    } else {
        print(&report.doc(&NoBoards).text(terminal()))?;
    }
    // What is wrong has been printed.
    if report.errors.is_empty() { Ok(()) } else { Err(Failure { exit: Exit::Data, error: None }) }
}
