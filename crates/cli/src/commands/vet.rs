//! `treegauge vet`.

use std::path::PathBuf;

use clap::Args;
use treegauge::report::{EXPLAINED, NoBoards};
use treegauge::{ErrorKind, VetRun};

use super::collect::make_dataset;
use crate::common::listed;
use crate::exit::{Failure, Outcome};
use crate::model::read_model;
use crate::resume;
use crate::solving::{Bar, pool};
use crate::terminal::hint;
use crate::web_page::{PageArgs, present};
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The games, with commas between them, where `'mnk(rows=3..9)'` stands for one game for each number of
    /// rows; `all` for the 28 games of Williams 2010; or a FILE with one game in each line, in a CSV column `game`, or described in the columns `rows`, `cols` and `rule`, or
    /// with labelled games in TOML (`.toml`); `-` reads such a list from the standard input. JSON has the games in the order in
    /// which they are given; the text and the page sort them by verdict
    #[arg(value_name = "GAME|FILE", required = true)]
    games: Vec<String>,

    /// The model, which `train` wrote [default: the one of this program]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Keep what is played in this folder, from which the same command continues a run that was
    /// interrupted
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Random seed of the self-play
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let games = listed(&arguments.games)?;
    let model = read_model(arguments.model.as_deref())?;
    let run = VetRun::new(games, arguments.seed, arguments.record.clone())?;
    for folder in run.folders(&model.model) {
        make_dataset(&folder)?;
    }
    let page = arguments.page.page(arguments.json)?;
    let pool = pool(arguments.threads)?;
    if arguments.record.is_some() {
        resume::offer(resume::same_command());
    }
    let bar = Bar::new();
    let report = pool.install(|| run.run(&model, &bar));
    bar.finish();
    let report = report.map_err(|error| match (error.kind(), &arguments.record) {
        (ErrorKind::Interrupted, Some(_)) => Failure::interrupted(format!(
            "interrupted before the end; what is played is kept; to continue:\n  {}",
            resume::same_command()
        )),
        (ErrorKind::Interrupted, None) => Failure::interrupted(
            "interrupted before the end; with --record the same command could continue".to_owned(),
        ),
        _ => error.into(),
    })?;
    let presented = present(&report, &NoBoards, arguments.json, &page);
    if !arguments.json && !page.is_asked() && report.rows.len() > EXPLAINED {
        hint("--html FILE shows why, game by game");
    }
    presented
}
