//! `treegauge aggregate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treegauge::aggregate;
use treegauge::study::aggregate::Split;

use crate::exit::Outcome;
use crate::files::{Kind, to_read, to_write};
use crate::output::print;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder of a dataset, which `collect` wrote
    #[arg(value_name = "DIR")]
    dataset: PathBuf,

    /// The trees that an attribute sums up: all of a game, or those of each player apart
    #[arg(long, value_name = "HOW", value_enum, default_value = "both")]
    split: SplitArg,

    /// Write the table here instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SplitArg {
    /// 64 attributes of all trees
    None,
    /// 128 attributes: 64 of the trees of each player
    Player,
    /// All 192
    Both,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if !arguments.dataset.is_dir() {
        to_read(&arguments.dataset)?;
    }
    let output = arguments.output.as_deref().map(|path| to_write(path, Kind::AttributeTable));
    let output = output.transpose()?;
    let all = aggregate(&arguments.dataset)?;
    let table = match arguments.split {
        SplitArg::None => all.only(Split::None),
        SplitArg::Player => all.only(Split::Player),
        SplitArg::Both => all,
    };
    match output {
        Some(output) => output.write(&table.csv()),
        None => print(&table.csv()),
    }
}
