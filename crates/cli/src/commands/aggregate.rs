//! `treegauge aggregate`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use treegauge::report::{aggregate_parquet, missing_words};
use treegauge::study::aggregate::{Aggregate, Source, Split};
use treegauge::study::collect::MissingInstances;
use treegauge::study::journal::Header;
use treegauge::{Error, Summed, Watch, add_attributes, add_webs, aggregate};

use crate::exit::{Failure, Outcome};
use crate::files::{Kind, TableFormat, to_read, to_write};
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

    /// Add the attributes of search webs of the same games: those of a dataset of `collect --merge equal`
    /// or `symmetric`, with as many iterations
    #[arg(long, value_name = "DIR")]
    webs: Option<PathBuf>,

    /// Write the table here instead of printing it: as CSV (`.csv`) or as Parquet (`.parquet`)
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

/// The table, with complaints about what the datasets lack.
fn summed_up(
    arguments: &Arguments,
    sources: &[Source],
    watch: &dyn Watch,
) -> Result<(Aggregate, Header), Error> {
    let complain_of = |path: &Path, missing: Option<MissingInstances>| {
        if let Some(missing) = missing {
            complain(&format!("{}: {}", path.display(), missing_words(&missing)));
        }
    };
    let Summed { aggregate, run, missing } = aggregate(&arguments.dataset, watch)?;
    complain_of(&arguments.dataset, missing);
    let mut table = add_attributes(aggregate, sources, watch)?;
    if let Some(webs) = &arguments.webs {
        let (with_webs, missing) = add_webs(table, webs, watch)?;
        complain_of(webs, missing);
        table = with_webs;
    }
    Ok((table.only(sources), run))
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if !arguments.dataset.is_dir() {
        to_read(&arguments.dataset)?;
    }
    let output = arguments.output.as_deref().map(|path| {
        let format = TableFormat::of(path, &[TableFormat::Csv, TableFormat::Parquet])?;
        let kind = match format {
            TableFormat::Parquet => Kind::Parquet,
            _ => Kind::AttributeTable,
        };
        Ok::<_, Failure>((to_write(path, kind)?, format))
    });
    let output = output.transpose()?;
    let splits = match arguments.split {
        SplitArg::None => &[Split::None][..],
        SplitArg::Player => &[Split::Player],
        SplitArg::Both => &Split::BOTH,
    };
    let mut sources: Vec<Source> = splits.iter().map(|split| split.source()).collect();
    // A table that has them keeps them.
    sources.extend(splits.iter().map(|split| split.source_of_webs()));
    sources.extend(arguments.with.iter().map(|with| with.source()));
    let bar = Bar::new();
    let table = summed_up(arguments, &sources, &bar);
    bar.finish();
    let (table, run) = table?;
    match output {
        Some((output, TableFormat::Parquet)) => {
            let parquet = aggregate_parquet(&table, &run.into()).map_err(Error::from)?;
            output.write_with(|out| Ok(out.write_all(&parquet)?))
        }
        Some((output, _)) => output.write(&table.csv()),
        None => print(&table.csv()),
    }
}
