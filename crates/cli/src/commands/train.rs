//! `treegauge train`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::{listed, missing_words, model_text, rating_model_text};
use treegauge::study::vet::TrainOptions;
use treegauge::{
    Labels, Lack, StoredModel, StoredRatingModel, Training, corpus, is_puzzle_table, model_file,
    rated_problems, rating_model_file, ratings, train, train_difficulty,
};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::{Kind, to_read, to_write};
use crate::model::read_model;
use crate::output::{complain, counted, print};
use crate::solving::{Bar, pool};
use crate::terminal::hint;
use treegauge::grammar::count;
use treegauge::tasks::DEFAULT_SEED;
use treegauge::tasks::Given;

/// What `--labels` takes.
const LABELS: &str = "What is to be learned: labelled games in TOML (`.toml`), or ratings of people in a CSV \
                      file as `evaluate --ratings` reads them; a table of rated puzzles has its own";

/// The same with an example.
const LABELS_WITH_EXAMPLE: &str = "\
What is to be learned: labelled games in TOML (`.toml`), or ratings of people in a CSV file as \
`evaluate --ratings` reads them. A labelled game is

  [[game]]
  game = \"connect_four(cols=5)\"
  playable = true
  group = \"connect_four\"

The variants of one game have one `group`. At least 10 games of each class and two groups are needed";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    given: Given,

    /// Folders of datasets, which `collect` wrote. Which games are playable is learned from each by
    /// itself, what people say from all together. Or one table of rated puzzles with all their attributes,
    /// which `difficulty --out csv --attributes all` wrote: then the difficulty of puzzles is learned
    #[arg(value_name = "DIR|FILE", required = true)]
    datasets: Vec<PathBuf>,

    #[arg(long, value_name = "FILE", help = LABELS, long_help = LABELS_WITH_EXAMPLE)]
    labels: Option<PathBuf>,

    /// The file of the model, in JSON; compressed by zstd if its name ends with `.zst`
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,

    /// Keep from MODEL the predictors that these labels do not train: with labelled games those of
    /// ratings, with ratings those of playable games
    #[arg(long, value_name = "MODEL")]
    join: Option<PathBuf>,

    /// What the model is called
    #[arg(long, value_name = "NAME", default_value = "own", value_parser = parse_name)]
    name: String,

    /// The day of the training, YYYY-MM-DD, as reports print it
    #[arg(long, value_name = "DATE", value_parser = parse_date)]
    date: Option<String>,

    /// Models of bootstrap samples of the families of games: more of them make intervals more exact and
    /// the file larger
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = count::<u16>(10..=1_000))]
    replicates: u16,

    /// Number of threads, which the result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
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

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if let [table] = &arguments.datasets[..]
        && is_puzzle_table(table)
    {
        return difficulty(arguments, table);
    }
    let Some(path) = &arguments.labels else {
        if let Some(file) = arguments.datasets.iter().find(|path| !path.is_dir()) {
            to_read(file)?;
            let message = format!(
                "{} is no table of rated puzzles, which `difficulty --out csv --attributes all` writes; \
                 to learn from games, name the folders that `collect` wrote, with --labels",
                file.display()
            );
            return Err(Failure::new(Exit::Data, message));
        }
        let message = "--labels FILE is needed to learn from the datasets of games";
        return Err(Failure::new(Exit::Usage, message));
    };
    to_read(path)?;
    let labels = match path.extension() {
        Some(extension) if extension == "toml" => Labels::Playable(corpus(path)?),
        _ => Labels::Ratings(ratings(path)?),
    };
    let other = match &arguments.join {
        Some(path) => Some(read_model(Some(path))?.into_owned().model),
        None => None,
    };
    let output = to_write(&arguments.output, Kind::Model)?;
    let options = TrainOptions {
        seed: arguments.seed,
        replicates: arguments.replicates.into(),
        ..TrainOptions::default()
    };
    let pool = pool(arguments.threads)?;
    let bar = Bar::new();
    let trained = pool.install(|| train(&arguments.datasets, &labels, options, &bar));
    bar.finish();
    let Training { trained, lacks } = trained?;
    for Lack { dataset, instances, games } in lacks {
        let dataset = dataset.display();
        if let Some(missing) = instances {
            complain(&format!("{dataset}: {}", missing_words(&missing)));
        }
        if !games.is_empty() {
            let what =
                if matches!(labels, Labels::Playable(_)) { "labelled game" } else { "rated game" };
            let are = if games.len() == 1 { "is" } else { "are" };
            complain(&format!(
                "{dataset}: INCOMPLETE: {} of the labels {are} missing: {}.",
                counted(games.len() as u64, what),
                listed(&games, 5)
            ));
        }
    }
    let model = trained.model(arguments.name.clone(), arguments.date.clone(), other);
    let stored = StoredModel::of(model)?;
    let compressed = arguments.output.extension() == Some(OsStr::new("zst"));
    output.write_with(|out| Ok(out.write_all(&model_file(&stored.model, compressed))?))?;
    print(&format!("{}\n", model_text(&stored.model.card(stored.digest.clone()))))?;
    hint(&format!("`treegauge vet GAME --model {}` asks it", arguments.output.display()));
    Ok(())
}

/// Learns the difficulty of puzzles.
fn difficulty(arguments: &Arguments, table: &Path) -> Outcome {
    arguments.given.refuse(&["labels", "join", "replicates"], "a table of puzzles")?;
    to_read(table)?;
    let output = to_write(&arguments.output, Kind::RatingModel)?;
    let data = rated_problems(table)?;
    let pool = pool(arguments.threads)?;
    let bar = Bar::new();
    let (name, date) = (arguments.name.clone(), arguments.date.clone());
    let trained = pool.install(|| train_difficulty(&data, name, date, arguments.seed, &bar));
    bar.finish();
    let stored = StoredRatingModel::of(trained?.model)?;
    let compressed = arguments.output.extension() == Some(OsStr::new("zst"));
    output.write_with(|out| Ok(out.write_all(&rating_model_file(&stored.model, compressed))?))?;
    print(&format!("{}\n", rating_model_text(&stored.card())))?;
    hint(&format!(
        "`treegauge difficulty FILE --model {}` rates puzzles with it",
        arguments.output.display()
    ));
    Ok(())
}
