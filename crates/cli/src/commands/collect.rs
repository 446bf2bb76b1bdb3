//! `treegauge collect`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{Document, NoBoards};
use treegauge::study::Shard;
use treegauge::study::collect::{CollectPlan, DatasetReport, INSTANCES_MAX, ITERATIONS_MAX};
use treegauge::{CollectRun, dataset_files, generated_files, listed_players};

use crate::common::listed;
use crate::exit::{Failure, Outcome};
use crate::files::{Kind, holds_other, make_folder, to_extend, to_write};
use crate::output::{counted, print, print_report};
use crate::resume;
use crate::solving::{Bar, pool};
use crate::terminal::{hint, terminal};
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;
use treegauge::tasks::shard_help;
use treegauge::tasks::{CpArg, ReuseArg, ShapeArgs, VariantArgs};

/// The effect of `--shard` on the instances of a dataset.
const INSTANCES: &str = "Play only part I of N of the instances, into a journal without tables; `merge` makes the \
                         dataset of the folders of all parts";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The games: `all` for the 28 games of Williams 2010; games with commas between them, where
    /// `'mnk(rows=3..9)'` stands for one game for each number of rows; or a FILE with one game in each line,
    /// in a CSV column `game`, or described in the columns `rows`, `cols` and `rule`, or with labelled games
    /// in TOML (`.toml`); `-` for such a list on standard input
    #[arg(long, value_name = "LIST|FILE")]
    games: String,

    /// The folder of the dataset; it is made where it is missing. A folder that has instances of the
    /// same study gets those that it lacks
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Iterations per move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count::<u32>(1..=u64::from(ITERATIONS_MAX)))]
    iterations: u32,

    /// Games of self-play of each game
    #[arg(long, value_name = "K", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(INSTANCES_MAX)))]
    instances: u32,

    /// Seed of the study; an instance is decided by it, the game, the iterations and its number
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    #[arg(long, value_name = "I/N", help = INSTANCES, long_help = shard_help(INSTANCES))]
    shard: Option<Shard>,

    /// Players with commas between them that meet each other and themselves once in each instance, in
    /// both seats: `random,intuitive,uct(iterations=100)`. How these games end becomes a table, and
    /// attributes of the game
    #[arg(long, value_name = "LIST")]
    players: Option<String>,

    #[command(flatten)]
    cp: CpArg,

    #[command(flatten)]
    variant: VariantArgs,

    #[command(flatten)]
    reuse: ReuseArg,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    shape: ShapeArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let games = listed(std::slice::from_ref(&arguments.games))?;
    let plan = CollectPlan {
        iterations: arguments.iterations,
        instances: arguments.instances,
        seed: arguments.seed,
        cp: arguments.cp.cp,
        expansion: arguments.variant.expansion(),
        variant: arguments.reuse.of(arguments.variant.variant()?),
        shape: arguments.shape.options(),
        players: arguments.players.as_deref().map_or(Ok(Vec::new()), listed_players)?,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
    };
    let run = CollectRun::new(games, plan, &arguments.output)?;
    make_dataset(&arguments.output)?;
    let pool = pool(arguments.threads)?;
    resume::offer(resume::same_command());
    let bar = Bar::new();
    let report = pool.install(|| run.run(&bar));
    bar.finish();
    let report = report?;
    print_dataset(&report, arguments.json)?;
    if report.missing > 0 {
        let missing = counted(report.missing, "instance");
        return Err(Failure::interrupted(format!(
            "interrupted with {missing} to go; what is played is kept, and the tables are written at the \
             end; to continue:\n  {}",
            resume::same_command()
        )));
    }
    hint(&match arguments.shard.and_then(Shard::part) {
        Some(part) => {
            format!("`treegauge merge` makes a dataset of this part, {part}, and the others")
        }
        None => {
            format!("`treegauge aggregate {}` sums them up by game", arguments.output.display())
        }
    });
    Ok(())
}

/// Makes the folder of a dataset, where nothing but a dataset may be replaced, and no other run is.
pub(crate) fn make_dataset(folder: &Path) -> Outcome {
    if folder.join(generated_files::JOURNAL).exists() {
        return Err(holds_other(folder, "a run of `generate`"));
    }
    make_folder(folder)?;
    to_extend(&folder.join(dataset_files::JOURNAL))?;
    let kinds = [
        Kind::TreeTable,
        Kind::Parquet,
        Kind::InstanceTable,
        Kind::Parquet,
        Kind::PlayerGameTable,
        Kind::Parquet,
        Kind::Schema,
    ];
    for (name, kind) in dataset_files::TABLES.into_iter().zip(kinds) {
        to_write(&folder.join(name), kind)?;
    }
    Ok(())
}

/// Prints what a dataset holds.
pub(crate) fn print_dataset(report: &DatasetReport, json: bool) -> Outcome {
    if json { print_report(report) } else { print(&report.doc(&NoBoards).text(terminal())) }
}
