//! Predictions of a model about games.

use std::path::PathBuf;

use clap::Args;
use treegauge_dataset::vet::VetReport;
use treegauge_grammar::count;
use treegauge_report::{EXPLAINED_MAX, SavedKind};

use super::folders::make_dataset;
use super::partial::Asked;
use super::{Context, DEFAULT_SEED, Done, Group, KeptPlace, KeptWork, Means, Task};
use crate::{Error, VetRun};

/// Predict by a model of known games which games are playable
#[derive(Debug, Args)]
pub struct VetTask {
    /// Games, separated by commas, `all` (the 28 games of Williams 2010) or a FILE that lists them
    ///
    /// `'mnk(rows=3..9)'` stands for one game per number of rows. A FILE has one game per line, a CSV column `game` or
    /// the columns `rows`, `cols` and `rule`, or labelled games in TOML (`.toml`); `-` reads such a list from standard
    /// input. JSON lists the games as given; the text and the page sort them by verdict
    #[arg(value_name = "GAME|FILE", required = true)]
    games: Vec<String>,

    /// Model that `train` wrote [default: built-in]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Random seed of the self-play
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,
}

impl Task for VetTask {
    const NAME: &'static str = "vet";
    const GROUP: Group = Group::Judge;
    const EXAMPLES: &'static [&'static str] = &[
        "vet 'kalah(houses=4)'",
        "vet games.txt --record vetted --html vetted.html",
        "vet 'mnk(k=4),mnk(k=6)' --model model.json --json",
    ];
    const COMMON: &'static [&'static str] = &["model", "record", "html"];
    const MEANS: Means = Means { threads: true, kept: Some(DATASETS), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<VetReport>()];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(self.model.iter().cloned().collect())
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let games = context.listed(&self.games)?;
        let model = context.model(self.model.as_deref())?;
        let record = context.keeping.map(|keeping| keeping.path.to_owned());
        let run = VetRun::new(games, self.seed, record)?;
        for folder in run.folders(&model.model) {
            make_dataset(&folder, &context.places)?;
        }
        let report = run.run(&model, context.watch, &Asked::of(context))?;
        let explains = report.rows.len() > EXPLAINED_MAX;
        let page_hint = explains.then_some("says why, game by game");
        Ok(Done { page_hint, ..Done::new(report) })
    }
}

/// The folder of the datasets on which the predictions rest.
const DATASETS: KeptWork = KeptWork {
    place: KeptPlace::Folder,
    is_required: false,
    pieces: "games",
    help: "Record the games in this folder; the same command continues an interrupted run",
};
