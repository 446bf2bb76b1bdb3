//! `treegauge aggregate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use treegauge::report::missing_words;
use treegauge::study::aggregate::Source;
use treegauge::{Summed, add_attributes, aggregate};

use crate::exit::Outcome;
use crate::files::{Kind, to_read, to_write};
use crate::output::{complain, print};
use crate::solving::Bar;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The folder of a dataset, which `collect` wrote, or a table that this command made
    #[arg(value_name = "DIR|FILE")]
    dataset: PathBuf,

    /// The trees that an attribute sums up: all of a game, or those of each player apart
    #[arg(long, value_name = "HOW", value_enum, default_value = "both")]
    split: SplitArg,

    /// Other attributes, with commas between them
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    with: Vec<WithArg>,

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum WithArg {
    /// The measures of a gauge: draws, length, drama and so on
    Play,
    /// The games between the players of `collect --players`
    Players,
    /// The parameters of the games
    Rules,
    /// The exact value of each game of at most 5,000,000 positions
    Solved,
}

impl WithArg {
    fn source(self) -> Source {
        match self {
            WithArg::Play => Source::Play,
            WithArg::Players => Source::Players,
            WithArg::Rules => Source::Rules,
            WithArg::Solved => Source::Solved,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if !arguments.dataset.is_dir() {
        to_read(&arguments.dataset)?;
    }
    let output = arguments.output.as_deref().map(|path| to_write(path, Kind::AttributeTable));
    let output = output.transpose()?;
    let mut sources = match arguments.split {
        SplitArg::None => vec![Source::Trees],
        SplitArg::Player => vec![Source::TreesByPlayer],
        SplitArg::Both => vec![Source::Trees, Source::TreesByPlayer],
    };
    sources.extend(arguments.with.iter().map(|with| with.source()));
    let bar = Bar::new();
    let table = aggregate(&arguments.dataset, &bar).and_then(|Summed { aggregate, missing }| {
        let table = add_attributes(aggregate, &sources, &bar)?;
        Ok((table.only(&sources), missing))
    });
    bar.finish();
    let (table, missing) = table?;
    if let Some(missing) = missing {
        complain(&format!("{}: {}", arguments.dataset.display(), missing_words(&missing)));
    }
    match output {
        Some(output) => output.write(&table.csv()),
        None => print(&table.csv()),
    }
}
