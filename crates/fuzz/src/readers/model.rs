//! Reader of models. A valid model predicts a game at once.

use std::path::Path;

use anyhow::{Result, ensure};
use treegauge_core::ReportHeader;
use treegauge_dataset::aggregate::{Aggregate, GameAggregate};
use treegauge_dataset::collect::{CollectPlan, DatasetHeader};
use treegauge_dataset::vet::{
    DataPlan, Measurement, Model, ModelReport, PARTS, TrainOptions, Trained, TrainingBasis,
    TrainingData,
};
use treegauge_dataset::{Corpus, HumanRatings, RatedGame};
use treegauge_report::{Document, NoBoards};

use super::Reader;
use treegauge::{Game, StoredModel, model_file};

/// Reader of models, as JSON and compressed.
pub(super) struct Stored;

/// Attributes of the samples.
const ATTRIBUTES: [&str; 3] = ["worst.mean", "play.plies", "players.random:random.draws"];

fn game(n: u32) -> String {
    format!("one_to_ten(target={})", 5 + n)
}

/// Dataset of a few counting games with made-up attributes.
fn data() -> TrainingData {
    let row = |n: u32| GameAggregate {
        game: canonical(n),
        instances: 5,
        trees: 9,
        results: None,
        attributes: vec![f64::from(n % 2), f64::from(n * n % 7), f64::from(n * 5 % 11)],
    };
    let header = DatasetHeader::of(&CollectPlan::default());
    TrainingData {
        plan: DataPlan {
            header: DatasetHeader { players: vec!["random".to_owned()], ..header },
            instances: 5,
        },
        aggregate: Aggregate {
            iterations: CollectPlan::default().iterations,
            attributes: ATTRIBUTES.map(str::to_owned).to_vec(),
            games: (0..24).map(row).collect(),
        },
    }
}

/// Name of a game in datasets and models.
fn canonical(n: u32) -> String {
    let game = Game::parse(&game(n)).expect("it is a game");
    game.info().canonical_name.clone()
}

fn sample() -> Result<Model> {
    let options = TrainOptions { seed: 1, replicates: 10, draws: 9 };
    let data = [data()];
    let label = |n: u32| {
        let (game, playable, group) = (game(n), n.is_multiple_of(2), n / 4);
        format!("[[game]]\ngame = \"{game}\"\nplayable = {playable}\ngroup = \"{group}\"\n")
    };
    let corpus = Corpus::parse(&(0..24).map(label).collect::<String>())?;
    let rated = |n: u32| {
        let (fun, payoff) = (Some(f64::from(n)), None);
        RatedGame { game: canonical(n), category: String::new(), fun, payoff }
    };
    let ratings = HumanRatings { games: (0..24).map(rated).collect() };
    let rated = Trained::ratings(&data, &ratings, options, &())?;
    let rated = rated.model("rated".to_owned(), None, None);
    let trained = Trained::playable(&data, &corpus, options, &())?;
    Ok(trained.model("sample".to_owned(), Some("today".to_owned()), Some(rated)))
}

/// Made-up measurement of a game by a plan, with every attribute that the model uses.
fn measurement(model: &Model, plan: &DataPlan, game: &str) -> Measurement {
    let of_playable = model.playable.iter().map(|one| &one.basis);
    let bases = of_playable.chain(model.ratings.iter().map(|one| &one.basis));
    let asked = bases.flat_map(|basis: &TrainingBasis| &basis.attributes);
    let mut attributes: Vec<String> = asked.map(|attribute| attribute.name.clone()).collect();
    attributes.sort_unstable();
    attributes.dedup();
    let row = GameAggregate {
        game: game.to_owned(),
        instances: 5,
        trees: 9,
        results: None,
        attributes: vec![0.5; attributes.len()],
    };
    let iterations = plan.header.iterations;
    let whole = Aggregate { iterations, attributes, games: vec![row] };
    Measurement { plan: plan.clone(), without_parts: vec![whole.clone(); PARTS], whole }
}

impl Reader for Stored {
    fn name(&self) -> &'static str {
        "model"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let model = sample()?;
        let samples = vec![model_file(&model, false), model_file(&model, true)];
        for sample in &samples {
            ensure!(self.read(sample, Path::new("")), "a model is refused");
        }
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(StoredModel { model, digest }) = StoredModel::parse(bytes) else { return false };
        let report = ModelReport {
            head: ReportHeader::NEW,
            model: model.card(digest),
            baselines: Vec::new(),
            trees_gain: Vec::new(),
        };
        assert!(!report.doc(&NoBoards).blocks.is_empty());
        for game in [canonical(3), "othello".to_owned()] {
            let of_plan = |plan: &DataPlan| {
                plan.collect_plan(1).expect("the plan of a model that was read is one");
                measurement(&model, plan, &game)
            };
            let measurements: Vec<Measurement> = model.plans().into_iter().map(of_plan).collect();
            let judged = model.judge(&game, &game, &measurements);
            if let Some(chance) = judged.playable {
                assert!(chance.low <= chance.probability && chance.probability <= chance.high);
                assert!(chance.low >= 0.0 && chance.high <= 1.0);
            }
        }
        true
    }
}
