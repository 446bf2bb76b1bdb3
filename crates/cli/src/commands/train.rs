//! `treegauge train`.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::Args;
use treegauge::report::model_text;
use treegauge::study::vet::TrainOptions;
use treegauge::{Labels, StoredModel, corpus, model_file, ratings, train};

use crate::common::DEFAULT_SEED;
use crate::exit::Outcome;
use crate::files::{Kind, to_read, to_write};
use crate::model::read_model;
use crate::numbers::count;
use crate::output::print;
use crate::solving::{Bar, pool};
use crate::terminal::hint;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Folders of datasets, which `collect` wrote. Which games are playable is learned from each by
    /// itself, what people say from all together
    #[arg(value_name = "DIR", required = true)]
    datasets: Vec<PathBuf>,

    /// What is to be learned: labelled games in TOML (`.toml`), or ratings of people in a CSV file as
    /// `evaluate --ratings` reads them
    #[arg(long, value_name = "FILE")]
    labels: PathBuf,

    /// The file of the model, in JSON; compressed by zstd if its name ends with `.zst`
    #[arg(short, long, value_name = "MODEL")]
    output: PathBuf,

    /// Take what these labels say nothing of from another model
    #[arg(long, value_name = "MODEL")]
    join: Option<PathBuf>,

    /// What the model is called
    #[arg(long, value_name = "NAME", default_value = "own")]
    name: String,

    /// The day of the training, as reports print it
    #[arg(long, value_name = "DATE")]
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

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    to_read(&arguments.labels)?;
    let labels = match arguments.labels.extension() {
        Some(extension) if extension == "toml" => Labels::Playable(corpus(&arguments.labels)?),
        _ => Labels::Ratings(ratings(&arguments.labels)?),
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
    let model = trained?.model(arguments.name.clone(), arguments.date.clone(), other);
    let stored = StoredModel::of(model);
    let compressed = arguments.output.extension() == Some(OsStr::new("zst"));
    output.write_with(|out| Ok(out.write_all(&model_file(&stored.model, compressed))?))?;
    print(&format!("{}\n", model_text(&stored.model.card(stored.digest.clone()))))?;
    hint(&format!("`treegauge vet GAME --model {}` asks it", arguments.output.display()));
    Ok(())
}
