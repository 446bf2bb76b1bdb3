//! Judging games by a model.

use std::path::PathBuf;

use clap::Args;
use treegauge_dataset::vet::VetReport;
use treegauge_report::{EXPLAINED, SavedKind};

use super::folders::make_dataset;
use super::{Context, DEFAULT_SEED, Done, Kept, KeptPlace, Means, Task};
use crate::{Error, VetRun};

/// Judge games by what is known of others: how probably each is playable, and why
#[derive(Debug, Args)]
pub struct VetTask {
    /// The games, with commas between them, where `'mnk(rows=3..9)'` stands for one game for each number of
    /// rows; `all` for the 28 games of Williams 2010; or a FILE with one game in each line, in a CSV column `game`, or described in the columns `rows`, `cols` and `rule`, or
    /// with labelled games in TOML (`.toml`); `-` reads such a list from the standard input. JSON has the games in the order in
    /// which they are given; the text and the page sort them by verdict
    #[arg(value_name = "GAME|FILE", required = true)]
    games: Vec<String>,

    /// The model, which `train` wrote [default: the one of this program]
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,

    /// Random seed of the self-play
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    seed: u64,
}

impl Task for VetTask {
    const NAME: &'static str = "vet";
    const EXAMPLES: &'static [&'static str] = &[
        "vet 'kalah(houses=4)'",
        "vet games.txt --record vetted --html vetted.html",
        "vet 'mnk(k=4),mnk(k=6)' --model model.json --json",
    ];
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
        let report = run.run(&model, context.watch)?;
        let explains = report.rows.len() > EXPLAINED;
        let page_hint = explains.then_some("says why, game by game");
        Ok(Done { page_hint, ..Done::new(report) })
    }
}

/// The folder of the datasets by which games are judged.
const DATASETS: Kept = Kept {
    place: KeptPlace::Folder,
    is_required: false,
    pieces: "games",
    help: "Keep what is played in this folder, from which the same command continues a run that was interrupted",
};
