//! Training of models that vet games.

use std::path::PathBuf;

use treegauge_catalog::GameSpec;
use treegauge_core::Watch;
use treegauge_dataset::collect::MissingInstances;
use treegauge_dataset::evaluate::EvaluateError;
use treegauge_dataset::vet::{DataPlan, TrainError, TrainOptions, Trained, TrainingData};
use treegauge_dataset::{Corpus, HumanRatings, LabelledGame};
use treegauge_learn::LearnError;

use crate::dataset::{Summed, dataset_header};
use crate::{Error, ErrorKind, aggregate, is_dataset};

/// Labels that a model learns.
#[derive(Clone, Debug)]
pub enum Labels {
    /// Playable and unplayable games.
    Playable(Corpus),
    /// People's ratings of games.
    Ratings(HumanRatings),
}

/// Result of training, and the gaps in the datasets.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// Parts of a model.
    pub trained: Trained,
    /// Incomplete datasets, in their order.
    pub lacks: Vec<DatasetGap>,
}

/// Gaps in a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetGap {
    /// Path of the dataset.
    pub dataset: PathBuf,
    /// Missing instances; `None` if none is known to be missing.
    pub instances: Option<MissingInstances>,
    /// Canonical names of labelled or rated games without an instance in the dataset.
    pub games: Vec<String>,
}

/// Learns labels from datasets in some folders: playable games from each dataset by itself,
/// people's ratings from all together.
///
/// # Errors
///
/// If a folder is not a dataset, two datasets differ at most in their seed, labels and datasets do
/// not fit together, or `watch` says stop.
pub fn train(
    datasets: &[PathBuf],
    labels: &Labels,
    options: TrainOptions,
    watch: &dyn Watch,
) -> Result<Training, Error> {
    let named: Vec<String> = match labels {
        Labels::Playable(corpus) => {
            let name = |game: &LabelledGame| Some(GameSpec::parse(&game.game).ok()?.canonical());
            corpus.games.iter().filter_map(name).collect()
        }
        Labels::Ratings(ratings) => ratings.games.iter().map(|game| game.game.clone()).collect(),
    };
    let mut lacks = Vec::new();
    let mut data = |path: &PathBuf| {
        if !is_dataset(path) {
            let path = path.display();
            let message = format!("{path} is not the folder of a dataset, which `collect` writes");
            return Err(Error::new(ErrorKind::Data, message));
        }
        let Summed { aggregate, missing, .. } = aggregate(path, watch)?;
        let most = aggregate.games.iter().map(|row| row.instances).max().unwrap_or(0);
        let plan = DataPlan {
            header: dataset_header(path)?,
            instances: u32::try_from(most).unwrap_or(u32::MAX),
        };
        let is_missing = |name: &&String| !aggregate.games.iter().any(|row| row.game == **name);
        let games: Vec<String> = named.iter().filter(is_missing).cloned().collect();
        if missing.is_some() || !games.is_empty() {
            lacks.push(DatasetGap { dataset: path.clone(), instances: missing, games });
        }
        Ok(match labels {
            Labels::Playable(_) => TrainingData { plan, aggregate },
            Labels::Ratings(_) => TrainingData { plan, aggregate: aggregate.with_rules()? },
        })
    };
    let paths = datasets;
    let datasets: Vec<TrainingData> = paths.iter().map(&mut data).collect::<Result<_, Error>>()?;
    check_apart(paths, &datasets)?;
    let trained = match labels {
        Labels::Playable(corpus) => Trained::playable(&datasets, corpus, options, watch),
        Labels::Ratings(ratings) => Trained::ratings(&datasets, ratings, options, watch),
    };
    let trained = trained.map_err(|error| match error {
        TrainError::Learn(LearnError::Interrupted)
        | TrainError::Labels(EvaluateError::Interrupted) => {
            Error::interrupted("the model is not trained")
        }
        error => Error::new(ErrorKind::Data, error),
    })?;
    Ok(Training { trained, lacks })
}

/// Refuses two datasets collected in the same way: a model would play every game twice by one plan.
fn check_apart(paths: &[PathBuf], datasets: &[TrainingData]) -> Result<(), Error> {
    for (n, other) in datasets.iter().enumerate() {
        let Some(at) = datasets[..n].iter().position(|one| one.plan.is_alike(&other.plan)) else {
            continue;
        };
        let advice = if datasets[at].plan.header.seed == other.plan.header.seed {
            "`merge` makes one dataset of them"
        } else {
            "train a model on one of them; `collect --instances` adds to it under its seed"
        };
        let (one, other, iterations) =
            (paths[at].display(), paths[n].display(), other.plan.header.iterations);
        let message = format!(
            "{one} and {other} were collected in the same way, at {iterations} iterations per move: {advice}"
        );
        return Err(Error::new(ErrorKind::Data, message));
    }
    Ok(())
}
