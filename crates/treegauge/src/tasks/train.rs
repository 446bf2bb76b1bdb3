//! Training of models.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge_core::ReportHeader;
use treegauge_dataset::vet::{ModelReport, TrainOptions};
use treegauge_difficulty::RatingModelReport;
use treegauge_grammar::count;
use treegauge_report::{SavedKind, counted, listed, missing_words};

use super::{
    Context, DEFAULT_SEED, Done, FileOption, GivenOptions, Group, Means, Task, TaskFile, quoted,
};
use crate::lists::{corpus_with, has_labels, ratings_with};
use crate::{
    DatasetGap, Error, ErrorKind, FileKind, Labels, StoredModel, StoredRatingModel, Training,
    is_puzzle_table, model_file, rated_problems, rating_model_file, train, train_difficulty,
};

/// The help of `--labels`.
const LABELS: &str = "Labels to learn: labelled games in TOML, or in CSV with the columns `game` and `playable`; or \
                      ratings of people in CSV; a table of rated puzzles has its own";

/// The long help of `--labels`, with an example.
const LABELS_WITH_EXAMPLE: &str = "\
Labels to learn: labelled games in TOML (`.toml`), or in a CSV file with the columns `game` and \
`playable` (true or false); or ratings of people in a CSV file as `evaluate --ratings` reads them. A \
table of rated puzzles has its own. A labelled game is in TOML

  [[game]]
  game = \"connect_four(cols=5)\"
  playable = true
  group = \"connect_four\"

The variants of one game share a `group`. At least 10 games of each class and two groups are needed";

/// Train a model of playable games, of ratings or of puzzles
#[derive(Debug, Args)]
pub struct TrainTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Datasets that `collect` wrote, or one table of rated puzzles
    ///
    /// Playability is learned from each dataset by itself, ratings from all together. A table of puzzles, which
    /// `difficulty --out csv --attributes all` wrote, trains a model of the difficulty of puzzles
    #[arg(value_name = "DIR|FILE", required = true)]
    datasets: Vec<PathBuf>,

    #[arg(long, alias = "corpus", value_name = "FILE", help = LABELS, long_help = LABELS_WITH_EXAMPLE)]
    labels: Option<PathBuf>,

    /// Keep the predictors of MODEL that these labels do not train: the ratings with labelled games, the playability
    /// with ratings
    #[arg(long, value_name = "MODEL")]
    join: Option<PathBuf>,

    /// Name of the model
    #[arg(long, value_name = "NAME", default_value = "own", value_parser = parse_name)]
    name: String,

    /// Date of the training, YYYY-MM-DD, for reports
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    date: Option<String>,

    /// Bootstrap samples of the families of games; more of them make intervals more exact and the file larger
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = count::<u16>(10..=1_000))]
    replicates: u16,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,
}

fn parse_name(text: &str) -> Result<String, String> {
    match text.trim() {
        "" => Err("expected a name".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// Reads a day of the calendar.
fn parse_date(text: &str) -> Result<String, String> {
    let parts: Vec<&str> = text.split('-').collect();
    let number = |part: &str, digits: usize| -> Option<u32> {
        let is_number = part.len() == digits && part.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| part.parse().ok())?
    };
    let days = |year: u32, month: u32| match month {
        4 | 6 | 9 | 11 => 30,
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        _ => 31,
    };
    let is_day = |[year, month, day]: [&str; 3]| {
        let (year, month, day) = (number(year, 4)?, number(month, 2)?, number(day, 2)?);
        Some((1..=12).contains(&month) && (1..=days(year, month)).contains(&day))
    };
    match <[&str; 3]>::try_from(parts).ok().and_then(is_day) {
        Some(true) => Ok(text.to_owned()),
        _ => Err("expected a day as YYYY-MM-DD".to_owned()),
    }
}

impl Task for TrainTask {
    const NAME: &'static str = "train";
    const GROUP: Group = Group::Study;
    const EXAMPLES: &'static [&'static str] = &[
        "train study --labels corpus.toml -o playable.json",
        "train small large --labels ratings.csv --join playable.json -o model.json",
    ];
    const COMMON: &'static [&'static str] = &["labels", "join", "output"];
    const MEANS: Means = Means {
        threads: true,
        files: &[FileOption::file(
            FileOption::OUTPUT,
            FileKind::Model,
            "Model file, in JSON; compressed by zstd if its name ends with `.zst`",
        )
        .required()],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<ModelReport>(), SavedKind::of::<RatingModelReport>()];

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        let files = self.datasets.iter().filter(|path| path.is_file());
        Ok(files.chain(&self.labels).chain(&self.join).cloned().collect())
    }

    fn file_kind(&self, option: &FileOption, _: &Path) -> Result<FileKind, Error> {
        let learns_puzzles = self.puzzles().is_some();
        Ok(if learns_puzzles { FileKind::RatingModel } else { option.kind })
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        match self.puzzles() {
            Some(table) => self.of_puzzles(table, context),
            None => self.of_games(context),
        }
    }
}

impl TrainTask {
    /// The table of rated puzzles, if it is the only dataset.
    fn puzzles(&self) -> Option<&Path> {
        match &self.datasets[..] {
            [table] if is_puzzle_table(table) => Some(table),
            _ => None,
        }
    }

    /// Trains a model of games.
    fn of_games(&self, context: &Context<'_>) -> Result<Done, Error> {
        let labels = match self.labels(context)? {
            (path, true) => {
                Labels::Playable(corpus_with(&path, &|name| context.game_of_file(name))?)
            }
            (path, false) => {
                Labels::Ratings(ratings_with(&path, &|name| context.game_of_file(name))?)
            }
        };
        let other = match &self.join {
            Some(path) => Some(context.model(Some(path))?.into_owned().model),
            None => None,
        };
        let options = TrainOptions {
            seed: self.seed,
            replicates: self.replicates.into(),
            ..TrainOptions::default()
        };
        let datasets = self.datasets.iter().map(|path| context.files.path(path));
        let datasets = datasets.collect::<Result<Vec<_>, _>>()?;
        let Training { trained, lacks } = train(&datasets, &labels, options, context.watch)?;
        let notes = lacks.iter().flat_map(|lack| lack_words(lack, &labels)).collect();
        let (baselines, trees_gain) = (trained.baselines.clone(), trained.trees_gain.clone());
        let stored = StoredModel::of(trained.model(self.name.clone(), self.date.clone(), other))?;
        let report = ModelReport {
            head: ReportHeader::NEW,
            model: stored.model.card(stored.digest.clone()),
            baselines,
            trees_gain,
        };
        let (file, hint) = filed(context, |compressed| model_file(&stored.model, compressed));
        let hints =
            hint.map(|path| format!("`treegauge vet GAME --model {path}` judges games by it"));
        Ok(Done {
            notes,
            files: vec![file],
            hints: hints.into_iter().collect(),
            ..Done::new(report)
        })
    }

    /// The file of the labels, and whether it holds labelled games.
    fn labels(&self, context: &Context<'_>) -> Result<(PathBuf, bool), Error> {
        let Some(path) = &self.labels else {
            if let Some(file) = self.datasets.iter().find(|path| !path.is_dir()) {
                let message = format!(
                    "{} is not a table of rated puzzles, which `difficulty --out csv --attributes all` writes; \
                     to learn from games, name the folders that `collect` wrote, with --labels",
                    file.display()
                );
                return Err(Error::new(ErrorKind::Data, message));
            }
            let message = "the datasets have games without labels: give --labels FILE, a CSV file with the columns `game`, `playable` and `group`, or a list of games in TOML, with lines such as `game = \"connect_four(cols=5)\"`, `playable = true` and `group = \"connect_four\"`";
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let path = context.path(path)?;
        let is_labelled = has_labels(&path)?;
        Ok((path, is_labelled))
    }

    /// Trains a model of the difficulty of puzzles.
    fn of_puzzles(&self, table: &Path, context: &Context<'_>) -> Result<Done, Error> {
        self.given.refuse(&["labels", "join", "replicates"], "a table of puzzles")?;
        let data = rated_problems(&context.path(table)?)?;
        let (name, date) = (self.name.clone(), self.date.clone());
        let trained = train_difficulty(&data, name, date, self.seed, context.watch)?;
        let stored = StoredRatingModel::of(trained.model)?;
        let report = RatingModelReport { head: ReportHeader::NEW, model: stored.card() };
        let (file, hint) =
            filed(context, |compressed| rating_model_file(&stored.model, compressed));
        let hints = hint.map(|path| {
            format!("`treegauge difficulty FILE --model {path}` rates puzzles with it")
        });
        Ok(Done { files: vec![file], hints: hints.into_iter().collect(), ..Done::new(report) })
    }
}

/// The file of a model, and its path for a command line if one was given.
fn filed(context: &Context<'_>, model: impl Fn(bool) -> Vec<u8>) -> (TaskFile, Option<String>) {
    let path = context.wanted(FileOption::OUTPUT);
    let bytes = model(path.is_some_and(|path| path.extension() == Some(OsStr::new("zst"))));
    (TaskFile::of_bytes(FileOption::OUTPUT, bytes), path.map(|path| quoted(path.as_os_str())))
}

/// The missing parts of a dataset, in words.
fn lack_words(lack: &DatasetGap, labels: &Labels) -> Vec<String> {
    let DatasetGap { dataset, instances, games } = lack;
    let dataset = dataset.display();
    let missing =
        instances.as_ref().map(|missing| format!("{dataset}: {}", missing_words(missing)));
    let unplayed = (!games.is_empty()).then(|| {
        let labelled = match labels {
            Labels::Playable(_) => "labelled game",
            Labels::Ratings(_) => "rated game",
        };
        let are = if games.len() == 1 { "is" } else { "are" };
        format!(
            "{dataset}: INCOMPLETE: {} of the labels {are} missing: {}.",
            counted(games.len() as u64, labelled),
            listed(games, 5)
        )
    });
    missing.into_iter().chain(unplayed).collect()
}
