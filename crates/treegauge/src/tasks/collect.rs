//! Collections of the search trees of many games.

use std::path::Path;

use clap::Args;
use treegauge_dataset::collect::{CollectPlan, DatasetReport, ITERATIONS_MAX};
use treegauge_grammar::count;
use treegauge_report::{SavedKind, counted};
use treegauge_store::{INSTANCES_MAX, Shard};

use super::folders::make_dataset;
use super::partial::Asked;
use super::{
    Context, CpArg, DEFAULT_SEED, Done, Ending, Group, KeptPlace, KeptWork, Means, ReuseArg,
    ShapeArgs, Task, VariantArgs, quoted, shard_help,
};
use crate::{CollectRun, Error, listed_players};

/// The help of `--shard` for a dataset.
const INSTANCES: &str = "Play only part I of N of the instances, without tables; `merge` combines the folders of all \
                         parts into the dataset";

/// Collect search trees from self-play of many games, as a dataset
#[derive(Debug, Args)]
pub struct CollectTask {
    /// Games, separated by commas, `all` (the 28 games of Williams 2010) or a FILE that lists them
    ///
    /// `'mnk(rows=3..9)'` stands for one game per number of rows. A FILE has one game per line, a CSV column `game` or
    /// the columns `rows`, `cols` and `rule`, or labelled games in TOML (`.toml`); `-` reads such a list from standard
    /// input
    #[arg(long, value_name = "LIST|FILE")]
    games: String,

    /// Iterations per move
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = count::<u32>(1..=u64::from(ITERATIONS_MAX)))]
    iterations: u32,

    /// Instances: games of self-play per game
    #[arg(long, value_name = "K", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(INSTANCES_MAX)))]
    instances: u32,

    /// Random seed; it decides an instance together with the game, the iterations and the instance number
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    #[arg(long, value_name = "I/N", help = INSTANCES, long_help = shard_help(INSTANCES))]
    shard: Option<Shard>,

    /// Players, separated by commas, that play each other and themselves in every instance, once in each seat:
    /// `random,intuitive,uct(iterations=100)`; the results become a table and attributes of the game
    #[arg(long, value_name = "LIST")]
    players: Option<String>,

    #[command(flatten)]
    cp: CpArg,

    #[command(flatten)]
    variant: VariantArgs,

    #[command(flatten)]
    reuse: ReuseArg,

    #[command(flatten)]
    shape: ShapeArgs,
}

impl Task for CollectTask {
    const NAME: &'static str = "collect";
    const GROUP: Group = Group::Study;
    const EXAMPLES: &'static [&'static str] = &[
        "collect --games all -o study",
        "collect --games 'connect_four(k=3),connect_four(k=5)' --iterations 10,000 -o five",
        "collect --games all --shard 1/4 -o part1",
    ];
    const COMMON: &'static [&'static str] = &["games", "iterations", "instances", "output"];
    const MEANS: Means = Means { threads: true, kept: Some(DATASET), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<DatasetReport>()];
    const HAS_PICTURE: bool = true;

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let games = context.listed(std::slice::from_ref(&self.games))?;
        let players = self.players.as_deref().map_or(Ok(Vec::new()), listed_players)?;
        let plan = CollectPlan {
            iterations: self.iterations,
            instances: self.instances,
            seed: self.seed,
            cp: self.cp.cp,
            expansion: self.variant.expansion(),
            variant: self.reuse.of(self.variant.variant()?),
            shape: self.shape.options(),
            players: players.iter().map(|one| context.player(one)).collect::<Result<_, _>>()?,
            shard: self.shard.unwrap_or(Shard::WHOLE),
        };
        let folder = context.result_folder()?;
        let run = CollectRun::new(games, plan, folder)?;
        make_dataset(folder, &context.places)?;
        let report = run.run(context.watch, &Asked::of(context))?;
        if report.missing > 0 {
            let missing = counted(report.missing, "instance");
            let words = format!(
                "{missing} are missing; the tables are written when all instances are there"
            );
            return Ok(Done::new(report).ending(Ending::Incomplete(Some(words))));
        }
        let hint = match self.shard.and_then(Shard::part) {
            Some(part) => {
                format!("`treegauge merge` joins this part, {part}, and the others")
            }
            None => aggregate_hint(folder),
        };
        let mut hints = vec![hint];
        let most = report.games.iter().map(|game| game.instances).max().unwrap_or(0);
        if self.shard.is_none() && most > u64::from(self.instances) {
            let folder = folder.display();
            hints.insert(
                0,
                format!(
                    "{folder} had more instances of a game than --instances asks for; all are kept"
                ),
            );
        }
        Ok(Done { hints, ..Done::new(report) })
    }
}

/// The command that follows a whole dataset.
pub(super) fn aggregate_hint(folder: &Path) -> String {
    let folder = quoted(folder.as_os_str());
    format!("`treegauge aggregate {folder}` prints the attributes of each game as a table")
}

/// The folder of a dataset.
const DATASET: KeptWork = KeptWork {
    place: KeptPlace::Result,
    is_required: true,
    pieces: "instances",
    help: "Folder of the dataset; the same command adds the instances that it lacks",
};
