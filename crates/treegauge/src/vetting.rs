//! Models: training them, their files, and their verdicts on games.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use treegauge_catalog::{GameSpec, LibraryGroup};
use treegauge_core::{Interim, Progress, ReportKind, Watch};
use treegauge_dataset::collect::{Instance, MissingInstances, collect};
use treegauge_dataset::evaluate::EvaluateError;
use treegauge_dataset::vet::{
    DataPlan, Measurement, Measuring, Model, TrainError, TrainOptions, Trained, TrainingData,
    Variant, VetReport, Votes, family_orders, group_of,
};
use treegauge_dataset::{Corpus, HumanRatings, LabelledGame};
use treegauge_engine::Engine;
use treegauge_gauge::vetted::{ModelCard, Vetted, VettedGame};
use treegauge_gauge::{Gauge, ModelCost, PlainFlaw, PlainStopped, Plan};
use treegauge_learn::LearnError;
use treegauge_report::check_bounds;
use treegauge_search::Seed;
use treegauge_store::{PieceSink, read};
use xxhash_rust::xxh3::xxh3_64;

use crate::dataset::{Summed, dataset_header};
use crate::{CollectRun, Error, ErrorKind, Game, aggregate, is_dataset};

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

/// Checks that the file of a model reads back as the same model. It cannot hold numbers that are
/// not finite.
pub(crate) fn check_reads_back<M>(model: &M) -> Result<(), Error>
where
    M: Serialize + DeserializeOwned + PartialEq,
{
    let again = serde_json::from_slice::<M>(&file_of(model, false));
    if again.is_ok_and(|again| again == *model) {
        return Ok(());
    }
    let message = "no model can be learned: it would have numbers that are not finite, since the data have some that are too large";
    Err(Error::new(ErrorKind::Data, message))
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

/// Greatest length of a model's file, and of its uncompressed text, in bytes: ten times the longest
/// text of a model that ships with the program.
pub(crate) const MODEL_BYTES_MAX: u64 = 64 << 20;

/// First bytes of a file that zstd compressed.
pub(crate) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A model with the digest of its text.
#[derive(Clone, Debug)]
pub struct StoredModel {
    /// The model.
    pub model: Model,
    /// XXH3 digest of the JSON of the model, as 16 hexadecimal digits.
    pub digest: String,
}

/// File content of a model: its JSON, with `compressed` as a zstd stream.
#[must_use]
pub fn model_file(model: &Model, compressed: bool) -> Vec<u8> {
    file_of(model, compressed)
}

/// File content of a model of any kind.
pub(crate) fn file_of<M: Serialize>(model: &M, compressed: bool) -> Vec<u8> {
    let mut text = serde_json::to_vec(model).expect("a model is JSON");
    text.push(b'\n');
    if compressed {
        return zstd::bulk::compress(&text, 19).expect("compression into memory does not fail");
    }
    text
}

/// Reason why the text of a file is not a model. Words of the JSON reader that would not help are
/// left out.
pub(crate) fn unread(error: &serde_json::Error) -> String {
    if !error.is_data() {
        return "it is not a file that `train` wrote, or only a part of one".to_owned();
    }
    // Models are one line, so the place of the error does not help.
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or(&words).to_owned()
}

/// Bytes of a file, decompressed if zstd compressed them.
///
/// # Errors
///
/// If they cannot be decompressed, or the result is longer than `bytes_max`.
pub(crate) fn expanded(bytes: &[u8], bytes_max: u64) -> Result<Cow<'_, [u8]>, String> {
    if !bytes.starts_with(&ZSTD_MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    let damaged = |_| "its compressed text is damaged".to_owned();
    let decoder = zstd::Decoder::new(bytes).map_err(damaged)?;
    decoder.take(bytes_max + 1).read_to_end(&mut out).map_err(damaged)?;
    if out.len() as u64 > bytes_max {
        return Err("its text is too long".to_owned());
    }
    Ok(Cow::Owned(out))
}

/// Origin of the bytes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelOrigin {
    /// A file, which may be damaged.
    File,
    /// The program, whose tests read the same bytes as a file.
    Program,
}

/// Reads a model of any kind from the bytes of its file. Also returns the digest of its text.
///
/// # Errors
///
/// If they are not a model of the kind, or a model of another schema or with numbers that no
/// training produces.
pub(crate) fn parsed<M: ReportKind>(
    bytes: &[u8],
    origin: ModelOrigin,
    read: fn(&[u8]) -> Result<M, serde_json::Error>,
) -> Result<(M, String), Error> {
    let bad = |error: String| Error::new(ErrorKind::Data, format!("not a model: {error}"));
    let text = expanded(bytes, MODEL_BYTES_MAX).map_err(bad)?;
    // It takes as long as reading the model.
    if origin == ModelOrigin::File {
        check_bounds(&text).map_err(|error| bad(unread(&error)))?;
    }
    let model = read(&text).map_err(|error| bad(unread(&error)))?;
    model.check().map_err(bad)?;
    Ok((model, digest_of(&text)))
}

/// File of the model that ships with the program.
static STANDARD_BYTES: &[u8] = include_bytes!("../data/standard.model.zst");

impl StoredModel {
    /// Wraps a newly trained model.
    ///
    /// # Errors
    ///
    /// If it has numbers that are not finite, which its file could not hold.
    pub fn of(model: Model) -> Result<StoredModel, Error> {
        check_reads_back(&model)?;
        let digest = digest_of(&model_file(&model, false));
        Ok(StoredModel { model, digest })
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If they are not a model, or one of another schema.
    pub fn parse(bytes: &[u8]) -> Result<StoredModel, Error> {
        StoredModel::of_bytes(bytes, ModelOrigin::File)
    }

    fn of_bytes(bytes: &[u8], origin: ModelOrigin) -> Result<StoredModel, Error> {
        let (model, digest) = parsed(bytes, origin, Model::of_json)?;
        Ok(StoredModel { model, digest })
    }

    /// Reads a model from its file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a model.
    pub fn read(path: &Path) -> Result<StoredModel, Error> {
        let data = |error: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
        };
        let bytes = read(path, MODEL_BYTES_MAX).map_err(|error| data(&error))?;
        StoredModel::parse(&bytes).map_err(|error| data(&error))
    }

    /// Verdict of the model on a game, by self-play with this seed; `None` if the game is over at
    /// its start.
    ///
    /// # Errors
    ///
    /// If `watch` says stop.
    pub fn vet(&self, game: &Game, seed: u64, watch: &dyn Watch) -> Result<Option<Vetted>, Error> {
        if game.start().ended().is_some() {
            return Ok(None);
        }
        let report = VetRun::new(vec![game.clone()], seed, None)?.run(self, watch, &())?;
        let model = report.model;
        Ok(report.rows.into_iter().next().map(|verdict| Vetted { model, verdict }))
    }

    /// Reports that asking the model takes more than a tenth of the work of the gauge, and more
    /// than about a second; `None` if it takes less, or the gauge finished no game. Work is counted
    /// in iterations, which have playouts of equal length in both, so the answer is the same on
    /// every machine.
    #[must_use]
    pub fn unasked(&self, game: &Game, plan: &Plan, gauge: &Gauge) -> Option<ModelCost> {
        /// The self-play for a model may take one part in this many of a gauge's iterations.
        const PART: u64 = 10;
        /// Number of playout moves that it may always take: about a second.
        const MOVES_FREE: f64 = 10_000_000.0;
        let plies = gauge.measured("plies").mean?;
        let searches = plan.searches().map(|(games, iterations)| u64::from(games) * iterations);
        let gauged: u64 = searches.fold(0, u64::saturating_add);
        let needed = self.iterations_per_ply(game);
        // A playout lasts half of the plies of a game, on average over its moves.
        let moves = needed as f64 * plies * plies / 2.0;
        (needed > gauged / PART && moves > MOVES_FREE).then_some(ModelCost { needed, gauged })
    }

    /// Iterations per ply of an average game that the model's self-play needs: the sum over its
    /// plans of games times iterations per move.
    fn iterations_per_ply(&self, game: &Game) -> u64 {
        let plans = self.model.plans().into_iter();
        let asked = plans.filter(|plan| !players_of(&self.model, plan, &[game]).is_empty());
        asked.map(|plan| u64::from(plan.instances) * u64::from(plan.header.iterations)).sum()
    }

    /// Model that ships with the program.
    #[must_use]
    pub fn standard() -> &'static StoredModel {
        static STANDARD: LazyLock<StoredModel> = LazyLock::new(|| {
            StoredModel::of_bytes(STANDARD_BYTES, ModelOrigin::Program)
                .expect("the model next to the code is one")
        });
        &STANDARD
    }
}

pub(crate) fn digest_of(text: &[u8]) -> String {
    format!("{:016x}", xxh3_64(text))
}

/// A vetting of games, ready to run.
#[derive(Clone, Debug)]
pub struct VetRun {
    games: Vec<Game>,
    seed: u64,
    folder: Option<PathBuf>,
}

/// Greatest number of games played before the first of them is judged, if no folder stores them.
/// The self-play of more games would fill the memory.
const BATCH: usize = 64;

/// Number of instances in memory above which a batch has fewer than [`BATCH`] games.
const BATCH_INSTANCES: usize = 10_000;

impl VetRun {
    /// Prepares the vetting of games by self-play with this seed. A game that is listed several times
    /// is played once, and has a row for each place. An existing `folder` stores the
    /// self-play as datasets, from which an interrupted run resumes.
    ///
    /// # Errors
    ///
    /// If `games` is empty.
    pub fn new(games: Vec<Game>, seed: u64, folder: Option<PathBuf>) -> Result<VetRun, Error> {
        if games.is_empty() {
            return Err(Error::new(ErrorKind::Usage, "no games to vet"));
        }
        Ok(VetRun { games, seed, folder })
    }

    /// Folders of the datasets, one per plan of the model; empty if no folder stores them.
    #[must_use]
    pub fn folders(&self, model: &Model) -> Vec<PathBuf> {
        let names = model.plans().into_iter().enumerate();
        let name =
            |(n, plan): (usize, &DataPlan)| format!("{n}-{}-iterations", plan.header.iterations);
        self.folder
            .iter()
            .flat_map(|folder| names.clone().map(|one| folder.join(name(one))))
            .collect()
    }

    /// Plays the games as the model's data were collected, and judges them. The result depends
    /// neither on the number of threads nor on interruptions. `interim` gets the games judged so
    /// far.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, or `watch` says stop.
    pub fn run(
        &self,
        stored: &StoredModel,
        watch: &dyn Watch,
        interim: &dyn Interim<VetReport>,
    ) -> Result<VetReport, Error> {
        let flaws = self.plain_flaws(&stored.model, watch)?;
        let judging = Judging::new(self, stored, flaws, interim);
        match self.folder {
            Some(_) => self.play_in_folder(&judging, watch)?,
            None => self.play_in_memory(&judging, watch)?,
        }
        let report = judging.report(false);
        assert_eq!(report.rows.len(), self.games.len(), "each game has a row");
        Ok(report)
    }

    /// Flaws that show before the games are played, by canonical name. A model of ratings alone gives
    /// no verdict, so none is looked for then.
    fn plain_flaws(
        &self,
        model: &Model,
        watch: &dyn Watch,
    ) -> Result<HashMap<String, PlainFlaw>, Error> {
        if model.playable.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.rated().into_par_iter().with_max_len(1).map(|game| {
            let flaw =
                PlainFlaw::of(game.engine().as_ref(), &game.start(), Seed(self.seed), watch)?;
            Ok(flaw.map(|flaw| (game.info().canonical_name.clone(), flaw)))
        });
        let found: Result<Vec<_>, PlainStopped> = found.collect();
        Ok(found.map_err(|_| not_judged())?.into_iter().flatten().collect())
    }

    /// Games that are not over at their start, each once.
    fn rated(&self) -> Vec<&Game> {
        let mut names = HashSet::new();
        let mut games: Vec<&Game> = self.games.iter().collect();
        games.retain(|game| {
            game.start().ended().is_none() && names.insert(&game.info().canonical_name)
        });
        games
    }

    /// Plays the games and stores nothing.
    fn play_in_memory(&self, judging: &Judging<'_>, watch: &dyn Watch) -> Result<(), Error> {
        let model = &judging.stored.model;
        let rated = judging.asked(self.rated());
        let plans = model.plans();
        let instances = |plan: &DataPlan, games: &[&Game]| {
            players_of(model, plan, games).len() as u64 * u64::from(plan.instances)
        };
        let total = plans.iter().map(|plan| instances(plan, &rated)).sum();
        let mut done = 0;
        for batch in rated.chunks(batch_of(&plans)) {
            for (n, plan) in plans.iter().enumerate() {
                let games = players_of(model, plan, batch);
                let engines: Vec<Arc<dyn Engine>> =
                    games.iter().map(|game| game.engine().clone()).collect();
                let known = rustc_hash::FxHashSet::default();
                let part = Part { watch, done, total };
                let seen = judging.of_plan(n);
                let plays = plan.collect_plan(self.seed)?;
                let played = collect(&engines, &plays, engines.len(), &known, &seen, &part);
                if !played.is_complete() {
                    return Err(not_judged());
                }
                done += instances(plan, batch);
            }
        }
        Ok(())
    }

    /// Plays the games that datasets of the folder lack.
    fn play_in_folder(&self, judging: &Judging<'_>, watch: &dyn Watch) -> Result<(), Error> {
        let model = &judging.stored.model;
        let (rated, plans) = (judging.asked(self.rated()), model.plans());
        for (n, (&plan, folder)) in plans.iter().zip(self.folders(model)).enumerate() {
            let games: Vec<Game> = players_of(model, plan, &rated).into_iter().cloned().collect();
            if games.is_empty() {
                continue;
            }
            let run = CollectRun::new(games, plan.collect_plan(self.seed)?, &folder)?;
            let seen = judging.of_plan(n);
            if run.play(batch_of(&plans), watch, &seen)?.missing > 0 {
                return Err(not_judged());
            }
        }
        Ok(())
    }
}

/// Number of games that are played at the same time.
fn batch_of(plans: &[&DataPlan]) -> usize {
    let most = plans.iter().map(|plan| plan.instances as usize).max().unwrap_or(1);
    (BATCH_INSTANCES / most.max(1)).clamp(1, BATCH)
}

fn not_judged() -> Error {
    Error::interrupted("the games are not judged")
}

/// Judges each game when all of its instances are there.
struct Judging<'a> {
    run: &'a VetRun,
    stored: &'a StoredModel,
    card: ModelCard,
    interim: &'a dyn Interim<VetReport>,
    plans: Vec<&'a DataPlan>,
    /// Games that are not judged yet, by canonical name.
    open: Mutex<HashMap<String, OpenGame<'a>>>,
    /// Judged games, by canonical name.
    rows: Mutex<HashMap<String, Judged>>,
}

/// Answer on a game, and the predictions by which its family is put in order.
#[derive(Clone)]
struct Judged {
    row: VettedGame,
    votes: Votes,
}

impl Judged {
    /// An answer without predictions.
    fn bare(row: VettedGame) -> Judged {
        Judged { row, votes: Votes::new() }
    }
}

/// Game with instances that are missing.
struct OpenGame<'a> {
    game: &'a Game,
    /// Instances by plan of the model; `None` for a plan that does not ask for the game.
    plans: Vec<Option<OpenPlan>>,
}

/// Instances of a game by one plan.
enum OpenPlan {
    Measuring {
        /// The instances up to the first missing one.
        measuring: Box<Measuring>,
        /// Number of the first missing instance.
        next: u32,
        /// Later instances, by number.
        later: BTreeMap<u32, Instance>,
    },
    Measured(Measurement),
}

impl OpenPlan {
    fn new(plan: &DataPlan) -> OpenPlan {
        let measuring = Box::new(Measuring::new(plan));
        OpenPlan::Measuring { measuring, next: 0, later: BTreeMap::new() }
    }

    /// Adds an instance. Those of a number that is there, or that is not planned, are ignored.
    fn add(&mut self, plan: &DataPlan, instance: &Instance) {
        let OpenPlan::Measuring { measuring, next, later } = self else { return };
        if instance.instance < *next || instance.instance >= plan.instances {
            return;
        }
        later.insert(instance.instance, instance.clone());
        while let Some(instance) = later.remove(next) {
            measuring.add(&instance);
            *next += 1;
        }
        if *next == plan.instances {
            let none = Box::new(Measuring::new(plan));
            *self = OpenPlan::Measured(std::mem::replace(measuring, none).finish());
        }
    }
}

impl<'a> Judging<'a> {
    fn new(
        run: &'a VetRun,
        stored: &'a StoredModel,
        flaws: HashMap<String, PlainFlaw>,
        interim: &'a dyn Interim<VetReport>,
    ) -> Judging<'a> {
        let model = &stored.model;
        let model_plans = model.plans();
        let (mut open, mut rows) = (HashMap::new(), HashMap::new());
        for game in &run.games {
            let name = &game.info().canonical_name;
            if game.start().ended().is_some() {
                let why = "it is over at its start".to_owned();
                let row = VettedGame::unrated(&game.name(), Some(why));
                rows.insert(name.clone(), Judged::bare(row));
                continue;
            }
            if let Some(flaw) = flaws.get(name) {
                let known = model.label(name);
                let row = VettedGame { known, ..VettedGame::flawed(&game.name(), flaw.clone()) };
                rows.insert(name.clone(), Judged::bare(row));
                continue;
            }
            let asked = |plan: &DataPlan| !players_of(model, plan, &[game]).is_empty();
            let plan = |plan: &&DataPlan| asked(plan).then(|| OpenPlan::new(plan));
            let plans: Vec<Option<OpenPlan>> = model_plans.iter().map(plan).collect();
            if plans.iter().all(Option::is_none) {
                rows.insert(name.clone(), Judged::bare(model.judge(name, &game.name(), &[])));
            } else {
                open.insert(name.clone(), OpenGame { game, plans });
            }
        }
        let (open, rows) = (Mutex::new(open), Mutex::new(rows));
        let card = model.card(stored.digest.clone());
        Judging { run, stored, card, interim, plans: model_plans, open, rows }
    }

    /// The games of a list that are not judged yet.
    fn asked<'g>(&self, mut games: Vec<&'g Game>) -> Vec<&'g Game> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        games.retain(|game| open.contains_key(&game.info().canonical_name));
        games
    }

    /// Answer on a game that was played.
    fn judged(&self, game: &Game, measured: &[Measurement]) -> Judged {
        let model = &self.stored.model;
        let name = &game.info().canonical_name;
        let row = model.judge(name, &game.name(), measured);
        let results = model.results(name, measured);
        let (engine, seed) = (game.engine().as_ref(), Seed(self.run.seed));
        let Some(flaw) = PlainFlaw::of_results(engine, &game.start(), &results, seed) else {
            return Judged { row, votes: model.votes(name, measured) };
        };
        // The games were played, so ratings are predicted too.
        let VettedGame { fun, payoff, fun_missing, payoff_missing, known, .. } = row;
        let flawed = VettedGame::flawed(&game.name(), flaw);
        Judged::bare(VettedGame { fun, payoff, fun_missing, payoff_missing, known, ..flawed })
    }

    /// Receiver of the instances of a plan of the model.
    fn of_plan(&self, plan: usize) -> OfPlan<'_, 'a> {
        OfPlan { judging: self, plan }
    }

    /// Adds an instance of a plan. Returns the game if this was its last one.
    fn add(&self, plan: usize, instance: &Instance) -> Option<OpenGame<'a>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let game = open.get_mut(&instance.game)?;
        let found = game.plans.get_mut(plan)?.as_mut()?;
        found.add(self.plans.get(plan)?, instance);
        let is_over = |plan: &Option<OpenPlan>| !matches!(plan, Some(OpenPlan::Measuring { .. }));
        let is_last = game.plans.iter().all(is_over);
        is_last.then(|| open.remove(&instance.game)).flatten()
    }

    /// Report on the judged games, in the order of the list of games.
    fn report(&self, incomplete: bool) -> VetReport {
        let rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let row = |(place, game): (u64, &'a Game)| {
            let Judged { row, votes } = rows.get(&game.info().canonical_name)?.clone();
            let (place, input) = (Some(place), Some(game.written()));
            Some((game, VettedGame { place, input, game: game.name(), ..row }, votes))
        };
        let judged: Vec<(&Game, VettedGame, Votes)> =
            (1..).zip(&self.run.games).filter_map(row).collect();
        let variants = judged.iter().map(|(game, row, votes)| Variant {
            key: family_key(game),
            family: family_name(game),
            kind: kind_of(game).map(LibraryGroup::name),
            row,
            votes,
        });
        let variants: Vec<Variant<'_>> = variants.collect();
        let scores = self.card.scores.playable.last().and_then(|one| one.pairs.as_ref());
        let families = family_orders(&variants, scores);
        let rows = judged.into_iter().map(|(_, row, _)| row).collect();
        let report = VetReport::new(self.run.seed, self.card.clone(), rows);
        VetReport { families, incomplete, ..report }
    }
}

/// Judges games by the instances of one plan.
struct OfPlan<'b, 'a> {
    judging: &'b Judging<'a>,
    plan: usize,
}

impl PieceSink<Instance> for OfPlan<'_, '_> {
    fn keep(&self, instance: &Instance) {
        let judging = self.judging;
        if let Some(OpenGame { game, plans }) = judging.add(self.plan, instance) {
            let measured = plans.into_iter().filter_map(|plan| match plan {
                Some(OpenPlan::Measured(measurement)) => Some(measurement),
                _ => None,
            });
            let measured: Vec<Measurement> = measured.collect();
            let name = &game.info().canonical_name;
            let row = judging.judged(game, &measured);
            let mut rows = judging.rows.lock().unwrap_or_else(PoisonError::into_inner);
            rows.insert(name.clone(), row);
        }
        judging.interim.offer(&mut || {
            let report = judging.report(true);
            (!report.rows.is_empty()).then_some(report)
        });
    }
}

/// Text that variants of one game share: the name of the family, or the rules of a text without
/// their numbers.
fn family_key(game: &Game) -> String {
    let spec = &game.info().spec;
    match spec.program().filter(|_| spec.library_game().is_none()) {
        None => spec.family().name.to_owned(),
        Some(program) => {
            let mut key = String::new();
            let mut was_digit = false;
            for c in program.normal_text().chars() {
                if !c.is_ascii_digit() {
                    key.push(c);
                } else if !was_digit {
                    key.push('#');
                }
                was_digit = c.is_ascii_digit();
            }
            without_name(&key).to_owned()
        }
    }
}

/// Rules on one line without their name, which differs between variants.
fn without_name(rules: &str) -> &str {
    let Some(rest) = rules.strip_prefix("(game \"") else { return rules };
    rest.split_once('"').map_or(rules, |(_, rest)| rest)
}

/// Name of a family for readers.
fn family_name(game: &Game) -> String {
    let spec = &game.info().spec;
    let program = spec.program().filter(|_| spec.library_game().is_none());
    program.map_or_else(|| spec.family().name.to_owned(), |program| program.name().to_owned())
}

/// Kind of a game: the group of its family; of an own text, whether it is a race or has captures.
fn kind_of(game: &Game) -> Option<LibraryGroup> {
    let spec = &game.info().spec;
    let Some(program) = spec.program().filter(|_| spec.library_game().is_none()) else {
        return group_of(spec.family().name);
    };
    let rules = program.normal_text();
    let (moves, end) = rules.split_once("(end").unwrap_or((rules, ""));
    let moves = moves.split_once("(play").map_or("", |(_, moves)| moves);
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(end, &["(far ", "(home "]) {
        return Some(LibraryGroup::Race);
    }
    has(moves, &["theirs", "(hop", "custodial", "flip", "(remove"]).then_some(LibraryGroup::Capture)
}

/// Games to play by a plan of a model.
fn players_of<'a>(model: &Model, plan: &DataPlan, games: &[&'a Game]) -> Vec<&'a Game> {
    let can = |game: &&&Game| {
        let plays = plan
            .collect_plan(0)
            .is_ok_and(|plan| plan.check_players(std::slice::from_ref(game.engine())).is_ok());
        plays && model.asks(plan, &game.info().canonical_name)
    };
    games.iter().filter(can).copied().collect()
}

/// Watch that reports the progress of a part of the work as that of the whole.
struct Part<'a> {
    watch: &'a dyn Watch,
    /// Number of instances before the part.
    done: u64,
    /// Number of all instances.
    total: u64,
}

impl Watch for Part<'_> {
    fn progress(&self, progress: Progress) {
        let done = self.done + progress.done;
        let games = Some((done, self.total));
        self.watch.progress(Progress { done, known: self.total, games, ..progress });
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoredRatingModel;
    use crate::difficulty::STANDARD_BYTES as RATING_MODEL_BYTES;

    /// At a start the program does not compare the numbers of its own models with their ranges.
    #[test]
    fn the_models_of_the_program_are_read_as_those_of_files() {
        let (standard, read) =
            (StoredModel::standard(), StoredModel::parse(STANDARD_BYTES).unwrap());
        assert!(read.model == standard.model && read.digest == standard.digest);
        let (standard, read) =
            (StoredRatingModel::standard(), StoredRatingModel::parse(RATING_MODEL_BYTES).unwrap());
        assert!(read.model == standard.model && read.digest == standard.digest);
    }
}
