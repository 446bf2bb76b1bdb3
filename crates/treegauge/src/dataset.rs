//! Datasets: folders of self-play with the features of every tree.

use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use treegauge_core::{Call, Watch};
use treegauge_dataset::aggregate::{Aggregate, Aggregator, GameAggregate, Source};
use treegauge_dataset::collect::{
    CollectPlan, DatasetHeader, DatasetReport, DatasetTally, Instance, InstanceKey,
    MissingInstances, Schema, TableColumn, collect, instance_cells, instance_columns,
    player_game_cells, player_game_columns, tree_cells, tree_columns,
};
use treegauge_dataset::evaluate::{
    ConditionLabels, EvaluateError, EvaluateOptions, EvaluateReport,
};
use treegauge_dataset::{Corpus, HumanRatings, WILLIAMS_2010, evaluate};
use treegauge_engine::Engine;
use treegauge_learn::LearnError;
use treegauge_report::TableWriter;
use treegauge_search::Merge;
use treegauge_store::journal::{self, InOrder, Journal, JournalError, Piece};
use treegauge_store::{INSTANCES_MAX, Keep, Planned, Record, WholeFile, read};
use xxhash_rust::xxh3::xxh3_64;

use crate::lists::TEXT_BYTES_MAX;
use crate::merge::CommonHeader;
use crate::records::bad;
use crate::vetting::expanded;
use crate::{Error, ErrorKind, Game, ranges};

/// The files of a dataset by their names in its folder.
pub mod dataset_files {
    /// What is played, instance by instance; a run continues from it.
    pub const JOURNAL: &str = "instances.jsonl";
    /// One row for each tree.
    pub const TREES: [&str; 2] = ["trees.csv", "trees.parquet"];
    /// One row for each instance.
    pub const INSTANCES: [&str; 2] = ["instances.csv", "instances.parquet"];
    /// One row for each game between players, where the plan has players.
    pub const PLAYER_GAMES: [&str; 2] = ["player_games.csv", "player_games.parquet"];
    /// What the columns of the tables are, and what decided the rows.
    pub const SCHEMA: &str = "schema.json";
    /// All that may be written when a dataset is complete.
    pub const TABLES: [&str; 7] =
        [TREES[0], TREES[1], INSTANCES[0], INSTANCES[1], PLAYER_GAMES[0], PLAYER_GAMES[1], SCHEMA];
}

/// A dataset, ready to be collected.
#[derive(Clone, Debug)]
pub struct CollectRun {
    games: Vec<Game>,
    plan: CollectPlan,
    folder: PathBuf,
}

impl CollectRun {
    /// The instances of some games, in a folder that is there. A folder that holds instances of the same
    /// plan gets more of them, of the same games or of others.
    ///
    /// # Errors
    ///
    /// When there is no game, two are the same, one is over at its start, a player of the plan cannot
    /// play one, or the searches of the plan have no features.
    pub fn new(games: Vec<Game>, plan: CollectPlan, folder: &Path) -> Result<CollectRun, Error> {
        let usage = |message: String| Err(Error::new(ErrorKind::Usage, message));
        if let Err(problem) = plan.variant.check_features() {
            return usage(problem.to_owned());
        }
        ranges::iterations(plan.iterations)?;
        ranges::cp(plan.cp)?;
        ranges::whole("instances", plan.instances.into(), 1, INSTANCES_MAX.into())?;
        if games.is_empty() {
            return usage("there is no game to collect".to_owned());
        }
        let mut names: HashMap<&str, String> = HashMap::new();
        for game in &games {
            let name = game.written();
            if game.start().ended().is_some() {
                return usage(format!("{name} is over at its start, so it has no tree"));
            }
            if let Some(other) = names.insert(&game.info().canonical_name, name.clone()) {
                let message = if other == name {
                    format!("the game {name} is listed twice")
                } else {
                    format!("{other} and {name} are the same game")
                };
                return usage(message);
            }
        }
        let engines: Vec<Arc<dyn Engine>> =
            games.iter().map(|game| game.engine().clone()).collect();
        plan.check_players(&engines).map_err(|error| Error::new(ErrorKind::Usage, error))?;
        Ok(CollectRun { games, plan, folder: folder.to_owned() })
    }

    /// Plays the instances that are not in the folder, on rayon's current thread pool, and writes the
    /// tables of all that are there; a part of a dataset is its journal alone, and has no tables. The files do not depend on the number of threads, nor on how often
    /// the run was interrupted. When `watch` says stop, what is played is kept, and tables are not
    /// written; the report then counts what is missing.
    ///
    /// # Errors
    ///
    /// When another run has the folder, it holds instances of another plan, it is damaged, or a file
    /// cannot be written.
    pub fn run(&self, watch: &dyn Watch) -> Result<DatasetReport, Error> {
        let header = DatasetHeader::of(&self.plan);
        let mut known = rustc_hash::FxHashSet::default();
        let path = self.folder.join(dataset_files::JOURNAL);
        if let Some(planned) = path.exists().then(|| plan_of(&self.folder)).transpose()?.flatten() {
            self.check_texts(planned.instances.keys())?;
        }
        let first_line = self.planned().header(&header);
        let record = Record::open_with(&path, &first_line, watch, &mut |instance: Instance| {
            known.insert(instance.key());
        })?;
        self.check_texts(known.iter().map(|key| &key.game))?;
        let engines: Vec<Arc<dyn Engine>> =
            self.games.iter().map(|game| game.engine().clone()).collect();
        let watching = WhileKept { record: &record, watch };
        let collected = collect(&engines, &self.plan, &known, &record, &watching);
        if !collected.is_complete() {
            record.close()?;
            let missing = collected.planned - collected.played;
            return Ok(self.placed(tally(&path)?.report(&header, missing)));
        }
        record.finish_watched(watch)?;
        if plan_of(&self.folder)?.is_some_and(|planned| planned.part.is_some()) {
            return Ok(self.placed(tally(&path)?.report(&header, 0)));
        }
        Ok(self.placed(write_tables(&self.folder, &header, watch)?))
    }

    /// The report with its games in the order of the list, each with its place there; games that the folder had before
    /// come last.
    fn placed(&self, mut report: DatasetReport) -> DatasetReport {
        for (place, game) in (1..).zip(&self.games) {
            let name = &game.info().canonical_name;
            for found in report.games.iter_mut().filter(|found| found.game == *name) {
                (found.place, found.input) = (Some(place), Some(game.written()));
            }
        }
        report.games.sort_by_key(|game| game.place.unwrap_or(u64::MAX));
        report
    }

    /// Refuses games of texts that have changed since the folder has instances of them: the dataset would hold
    /// one path twice, and the earlier text is gone.
    fn check_texts<'a>(&self, there: impl Iterator<Item = &'a String>) -> Result<(), Error> {
        let here: HashMap<String, String> =
            self.games.iter().filter_map(|game| text_of(&game.info().canonical_name)).collect();
        for (text, digest) in there.filter_map(|name| text_of(name)) {
            let Some(now) = here.get(&text).filter(|now| **now != digest) else { continue };
            return Err(bad(format!(
                "{}: the text of rules({text}) has changed: the folder has instances of the text with the \
                 digest {digest}, and now it is {now}; collect the changed text into another folder",
                self.folder.display()
            )));
        }
        Ok(())
    }

    /// The plan that the journal has.
    fn planned(&self) -> Planned {
        let game = |game: &Game| (game.info().canonical_name.clone(), self.plan.instances);
        let instances = self.games.iter().map(game).collect();
        Planned { instances, part: self.plan.shard.part(), ..Planned::default() }
    }
}

/// Stops a run whose instances can no longer be kept.
struct WhileKept<'a> {
    record: &'a Record<Instance>,
    watch: &'a dyn Watch,
}

impl Watch for WhileKept<'_> {
    fn progress(&self, progress: crate::Progress) {
        self.watch.progress(progress);
    }

    fn stop(&self) -> bool {
        self.record.has_failed() || self.watch.stop()
    }
}

/// The arguments of a game that a text describes, without the digest of the text, and that.
fn text_of(name: &str) -> Option<(String, String)> {
    let call = Call::parse(name).ok()?;
    let digest = call.value("digest")?.to_owned();
    let arguments = call.arguments.iter().filter(|argument| argument.name != "digest");
    let arguments: Vec<String> =
        arguments.map(|argument| format!("{}={}", argument.name, argument.value)).collect();
    Some((arguments.join(","), digest))
}

/// The plan of the dataset in a folder, if its journal has one.
fn plan_of(folder: &Path) -> Result<Option<Planned>, Error> {
    Planned::of(&journal::read_header(&folder.join(dataset_files::JOURNAL))?).map_err(bad)
}

fn tally(path: &Path) -> Result<DatasetTally, Error> {
    let mut tally = DatasetTally::default();
    Journal::read_with(path, &(), &mut |instance: Instance| tally.add(&instance))?;
    Ok(tally)
}

/// Two files of one table, or of none.
type Writers = TableWriter<BufWriter<WholeFile>, BufWriter<WholeFile>>;

/// Writes the tables of a folder from its journal, which is in order. Nothing appears when `watch` says
/// stop before all are written.
fn write_tables(
    folder: &Path,
    header: &DatasetHeader,
    watch: &dyn Watch,
) -> Result<DatasetReport, Error> {
    let file =
        |name: &str| Ok::<_, io::Error>(BufWriter::new(WholeFile::create(&folder.join(name))?));
    let run = journal::read_header(&folder.join(dataset_files::JOURNAL))?.into();
    let table = |names: [&str; 2], columns: &[TableColumn]| -> io::Result<Writers> {
        TableWriter::new(columns, &run, file(names[0])?, file(names[1])?)
    };
    let mut trees = table(dataset_files::TREES, &tree_columns())?;
    let mut instances = table(dataset_files::INSTANCES, &instance_columns())?;
    let mut player_games = match &header.players[..] {
        [] => None,
        _ => Some(table(dataset_files::PLAYER_GAMES, &player_game_columns())?),
    };
    let mut tally = DatasetTally::default();
    let mut written = Ok(());
    let mut write = |instance: &Instance| -> io::Result<()> {
        for row in instance.rows() {
            trees.row(&tree_cells(&row, header))?;
        }
        if let Some(table) = &mut player_games {
            for row in instance.player_game_rows() {
                table.row(&player_game_cells(&row, header))?;
            }
        }
        instances.row(&instance_cells(instance, header))
    };
    let journal = folder.join(dataset_files::JOURNAL);
    let read = Journal::read_with(&journal, watch, &mut |instance: Instance| {
        tally.add(&instance);
        if written.is_ok() {
            written = write(&instance);
        }
    });
    if let Err(JournalError::Interrupted { .. }) = read {
        return Err(Error::interrupted("the tables are not written; all instances are kept"));
    }
    read?;
    written?;
    let mut files = Vec::new();
    for table in [Some(trees), Some(instances), player_games].into_iter().flatten() {
        let (csv, parquet) = table.finish()?;
        files.extend([csv, parquet]);
    }
    let mut schema = file(dataset_files::SCHEMA)?;
    serde_json::to_writer_pretty(&mut schema, &Schema::of(header.clone()))
        .map_err(io::Error::from)?;
    writeln!(schema)?;
    files.push(schema);
    for file in files {
        file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
    }
    Ok(tally.report(header, 0))
}

/// A dataset summed up by game, and what it lacks.
#[derive(Clone, Debug, PartialEq)]
pub struct Summed {
    /// The attributes of its games.
    pub aggregate: Aggregate,
    /// The settings that decide them: the first line of the journal; for a table, its iterations and the
    /// version of this program.
    pub run: journal::Header,
    /// The instances that are missing, as far as the dataset shows; nothing where it is whole. Of a table
    /// only the numbers of instances of its games are known.
    pub missing: Option<MissingInstances>,
}

/// Sums a dataset up by game: of a folder that `collect` wrote, or of a table that was summed up from one.
///
/// # Errors
///
/// When there is neither, it is damaged, or `watch` says stop.
pub fn aggregate(path: &Path, watch: &dyn Watch) -> Result<Summed, Error> {
    let data = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
    };
    if !path.is_dir() {
        let bytes = read(path, TEXT_BYTES_MAX).map_err(|error| data(&error))?;
        let text = expanded(&bytes, TEXT_BYTES_MAX).map_err(|error| data(&error))?;
        let aggregate = Aggregate::read_csv(&text[..]).map_err(|error| data(&error))?;
        let games = || aggregate.games.iter().map(|row| (&row.game[..], row.instances));
        let most = games().map(|(_, instances)| instances).max().unwrap_or(0);
        let missing = MissingInstances::of(aggregate.iterations, most, false, games());
        let run = serde_json::json!({
            "version": env!("CARGO_PKG_VERSION"),
            "iterations": aggregate.iterations,
        });
        let run = run.as_object().cloned().unwrap_or_default();
        return Ok(Summed { aggregate, run, missing });
    }
    if !is_dataset(path) {
        return Err(data(&"it is not a file, and holds no dataset, which `collect` writes"));
    }
    let journal = path.join(dataset_files::JOURNAL);
    let header = dataset_header(path)?;
    let mut folds = Aggregator::new(&header);
    let mut tally = DatasetTally::default();
    let read = read_instances(&journal, &header, watch, &mut |one| match one {
        InOrder::Piece(instance) => {
            folds.add(&instance);
            tally.add(&instance);
        }
        InOrder::Anew => {
            folds = Aggregator::new(&header);
            tally = DatasetTally::default();
        }
    });
    if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {
        return Err(stopped_summing());
    }
    read?;
    if tally.instances() == 0 {
        return Err(data(&"no instance of the dataset is played yet"));
    }
    let planned = plan_of(path)?.unwrap_or_default();
    // The tables are written when all instances of a plan are there; a part has none.
    let unfinished = planned.part.is_none() && !path.join(dataset_files::SCHEMA).exists();
    let given = BTreeSet::from([planned.part]);
    let missing = tally.missing(&header, &planned.instances, &given, unfinished);
    let run = journal::read_header(&journal)?;
    Ok(Summed { aggregate: folds.finish(), run, missing })
}

fn stopped_summing() -> Error {
    Error::interrupted("the dataset is not summed up")
}

/// The header of the dataset in a folder.
pub(crate) fn dataset_header(folder: &Path) -> Result<DatasetHeader, Error> {
    let header = journal::read_header(&folder.join(dataset_files::JOURNAL))?;
    let no_dataset =
        |reason: String| bad(format!("{} holds no dataset: {reason}", folder.display()));
    let header: DatasetHeader =
        serde_json::from_value(header.into()).map_err(|error| no_dataset(error.to_string()))?;
    header.check().map_err(no_dataset)?;
    Ok(header)
}

/// Reads the instances of a journal in the order of their games and numbers.
///
/// # Errors
///
/// When it is damaged, an instance cannot be of the plan of the header, or `watch` says stop.
fn read_instances(
    path: &Path,
    header: &DatasetHeader,
    watch: &dyn Watch,
    seen: &mut dyn FnMut(InOrder<Instance>),
) -> Result<(), Error> {
    let mut problem = None;
    let mut checked: Option<String> = None;
    Journal::read_in_order(path, watch, &mut |one: InOrder<Instance>| {
        if let InOrder::Piece(instance) = &one
            && problem.is_none()
        {
            // Instances of one game follow each other.
            let is_known = checked.as_ref() == Some(&instance.game);
            problem = header.check_instance(instance, is_known).err();
            if !is_known {
                checked = Some(instance.game.clone());
            }
        }
        if problem.is_none() {
            seen(one);
        }
    })?;
    problem.map_or(Ok(()), |reason| Err(bad(format!("{}: {reason}", path.display()))))
}

/// Adds those attributes of some sources that do not come from play: of [`Source::Rules`] and of
/// [`Source::Solved`], where they are not there yet. Those of the other sources must be there.
///
/// # Errors
///
/// When a source has no attribute, a name is that of no game, or `watch` says stop.
pub fn add_attributes(
    mut aggregate: Aggregate,
    sources: &[Source],
    watch: &dyn Watch,
) -> Result<Aggregate, Error> {
    let has = |aggregate: &Aggregate, source: Source| {
        aggregate.attributes.iter().any(|name| Source::of(name) == source)
    };
    for (source, why) in [
        (
            Source::Play,
            "it is a table without the measures of self-play, which `aggregate --with play` of its \
                        dataset has",
        ),
        (Source::Players, "no players met in it; `collect --players` has them play"),
    ] {
        if sources.contains(&source) && !has(&aggregate, source) {
            let message = format!("the dataset has no attributes of {}: {why}", source.name());
            return Err(Error::new(ErrorKind::Data, message));
        }
    }
    let trees =
        || sources.iter().filter(|one| [Source::Trees, Source::TreesByPlayer].contains(one));
    if trees().next().is_some() && !trees().any(|&source| has(&aggregate, source)) {
        let message = "the dataset has no attributes of search trees of this split";
        return Err(Error::new(ErrorKind::Data, message));
    }
    if sources.contains(&Source::Rules) && !has(&aggregate, Source::Rules) {
        aggregate = aggregate.with_rules()?;
    }
    if sources.contains(&Source::Solved) && !has(&aggregate, Source::Solved) {
        let game = |row: &GameAggregate| Ok::<_, Error>(Game::parse(&row.game)?.engine().clone());
        let engines: Vec<_> = aggregate.games.iter().map(game).collect::<Result<_, _>>()?;
        aggregate = aggregate.with_solved(&engines, watch).map_err(|_| stopped_summing())?;
    }
    Ok(aggregate)
}

/// Adds the attributes of the webs of the same games, which another dataset has: its searches merged
/// positions.
///
/// # Errors
///
/// When the folder holds no dataset or one of trees, it has other iterations or lacks a game, there are
/// webs already, or `watch` says stop.
pub fn add_webs(
    to: Aggregate,
    folder: &Path,
    watch: &dyn Watch,
) -> Result<(Aggregate, Option<MissingInstances>), Error> {
    let data = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{}: {error}", folder.display()))
    };
    if !is_dataset(folder) {
        return Err(data(&"it is no folder of a dataset, which `collect --merge equal` writes"));
    }
    if dataset_header(folder)?.variant.merge == Merge::None {
        return Err(data(&"its searches merged no positions; `collect --merge equal` makes webs"));
    }
    if to
        .attributes
        .iter()
        .any(|name| [Source::Webs, Source::WebsByPlayer].contains(&Source::of(name)))
    {
        return Err(data(&"the table has attributes of webs already"));
    }
    let Summed { aggregate: webs, missing, .. } = aggregate(folder, watch)?;
    Ok((to.with_webs(&webs).map_err(|error| data(&error))?, missing))
}

/// Evaluates datasets, each a folder or a table of [`aggregate()`], with the labels of a corpus, or of
/// Williams 2010.
///
/// # Errors
///
/// When one cannot be read, two have the same iterations, labels and games do not fit together, or `watch`
/// says stop.
pub fn evaluate(
    datasets: &[PathBuf],
    corpus: Option<&Corpus>,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, Error> {
    let (aggregates, incomplete) = summed_up(datasets, watch)?;
    let corpus = corpus.unwrap_or(&WILLIAMS_2010);
    let report = evaluate::evaluate(&aggregates, corpus, options, watch);
    let report = report.map_err(|error| not_evaluated(error, datasets))?;
    Ok(EvaluateReport { incomplete, ..report })
}

/// Some datasets summed up, and what those lack that lack something.
fn summed_up(
    datasets: &[PathBuf],
    watch: &dyn Watch,
) -> Result<(Vec<Aggregate>, Vec<MissingInstances>), Error> {
    let mut aggregates = Vec::new();
    let mut incomplete = Vec::new();
    for path in datasets {
        let Summed { aggregate, missing, .. } = aggregate(path, watch)?;
        aggregates.push(aggregate);
        incomplete.extend(missing);
    }
    Ok((aggregates, incomplete))
}

/// Labels that come from self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelsByConditions {
    /// The labelled games.
    pub corpus: Corpus,
    /// Where the labels come from.
    pub from: ConditionLabels,
    /// The instances that this self-play lacks.
    pub missing: Option<MissingInstances>,
}

/// Labels by the four conditions of Williams 2010 in the self-play of a dataset, with which others are to be
/// evaluated. Groups are those of a corpus, or of Williams 2010.
///
/// # Errors
///
/// When something is no folder of a dataset, one to be evaluated has the seed and the iterations of the
/// labels (its attributes would come from the very games that the labels come from), or `watch` says stop.
pub fn labels_by_conditions(
    folder: &Path,
    datasets: &[PathBuf],
    groups: Option<&Corpus>,
    watch: &dyn Watch,
) -> Result<LabelsByConditions, Error> {
    let data = |message: String| Err(Error::new(ErrorKind::Data, message));
    for path in std::iter::once(&folder.to_owned()).chain(datasets) {
        if !is_dataset(path) {
            return data(format!(
                "{} is not the folder of a dataset, which labels by conditions need",
                path.display()
            ));
        }
    }
    // The seed of an instance is made of both.
    let source = |path: &Path| dataset_header(path).map(|header| (header.seed, header.iterations));
    let (seed, iterations) = source(folder)?;
    for path in datasets {
        if source(path)? == (seed, iterations) {
            return data(format!(
                "{} and {} have the same seed and iterations: labels by conditions must come from other \
                 self-play than attributes; `collect --seed` sets another seed",
                path.display(),
                folder.display()
            ));
        }
    }
    let Summed { aggregate: play, missing, .. } = aggregate(folder, watch)?;
    let corpus = Corpus::by_conditions(&play, groups.unwrap_or(&WILLIAMS_2010))
        .map_err(|error| Error::new(ErrorKind::Data, error))?;
    let from = ConditionLabels {
        seed,
        iterations,
        playable: corpus.games.iter().filter(|game| game.playable).count(),
        games: corpus.games.len(),
    };
    Ok(LabelsByConditions { corpus, from, missing })
}

/// The error of an evaluation of some datasets.
fn not_evaluated(error: EvaluateError, datasets: &[PathBuf]) -> Error {
    match error {
        EvaluateError::Alike { places: [one, other], iterations } => {
            let [one, other] = [one, other].map(|place| datasets[place].display());
            let message = format!(
                "{one} and {other} have the same attributes at {iterations} iterations per move, so their \
                 results could not be told apart: `merge` them, if they are parts of one study, or evaluate \
                 them apart"
            );
            Error::new(ErrorKind::Data, message)
        }
        EvaluateError::Interrupted | EvaluateError::Learn(LearnError::Interrupted) => {
            Error::interrupted("not all learners are evaluated")
        }
        error => Error::new(ErrorKind::Data, error),
    }
}

/// Whether a folder holds a dataset.
#[must_use]
pub fn is_dataset(folder: &Path) -> bool {
    folder.join(dataset_files::JOURNAL).is_file()
}

/// Merges the datasets of the parts of one plan into another folder, which is there. Instances that
/// several of them have count once. With `instances` the plan is that many of every game; without, that of the
/// journals, and of older ones, which have none, one more than the greatest number of an instance. The report counts those of the plan that are missing.
///
/// # Errors
///
/// When a folder holds no dataset, two are of different plans or disagree about an instance, one is
/// damaged, a file cannot be written, or `watch` says stop.
pub fn merge_datasets(
    folders: &[PathBuf],
    output: &Path,
    instances: Option<u32>,
    watch: &dyn Watch,
) -> Result<MergedDataset, Error> {
    let mut common = CommonHeader::default();
    for folder in folders {
        let header = journal::read_header(&folder.join(dataset_files::JOURNAL))?;
        dataset_header(folder)?;
        common.add(folder, header, "study")?;
    }
    let CommonHeader { first, given, planned, has_unplanned } = common;
    let Some((first, first_line)) = first else {
        return Err(Error::new(ErrorKind::Usage, "there is no dataset to merge"));
    };
    let header = dataset_header(&first)?;
    // The sum of each instance, to compare those that several folders have.
    let mut sums: HashMap<InstanceKey, (u64, &Path)> = HashMap::new();
    let sum_of =
        |instance: &Instance| xxh3_64(&serde_json::to_vec(instance).expect("an instance is JSON"));
    // All are compared before the first is written, so that a merge that fails leaves nothing.
    let journals = folders.iter().map(|folder| folder.join(dataset_files::JOURNAL));
    let journals: Vec<PathBuf> = journals.collect();
    let whole = output.join(dataset_files::JOURNAL);
    let has_instances = whole.metadata().is_ok_and(|there| there.len() > 0);
    let mut differing = None;
    for path in journals.iter().chain(has_instances.then_some(&whole)) {
        read_instances(path, &header, watch, &mut |one| {
            // What comes again is the same.
            let InOrder::Piece(instance) = one else { return };
            let sum = sum_of(&instance);
            let (known, place) = *sums.entry(instance.key()).or_insert((sum, path));
            if known != sum {
                differing.get_or_insert((instance.key(), place.to_owned(), path.clone()));
            }
        })?;
    }
    if let Some((InstanceKey { game, instance }, one, other)) = differing {
        let (one, other) = (one.display(), other.display());
        let message = format!("instance {instance} of {game} in {other} is not that in {one}");
        return Err(Error::new(ErrorKind::Data, message));
    }
    let mut written = rustc_hash::FxHashSet::default();
    let record = Record::open_with(&whole, &first_line, watch, &mut |instance: Instance| {
        written.insert(instance.key());
    })?;
    for path in &journals {
        Journal::read_with(path, watch, &mut |instance: Instance| {
            if written.insert(instance.key()) {
                record.keep(&instance);
            }
        })?;
    }
    record.finish_watched(watch)?;
    let report = write_tables(output, &header, watch)?;
    let tally = tally(&whole)?;
    let mut planned = planned.unwrap_or_default().instances;
    if let Some(instances) = instances {
        planned.values_mut().for_each(|own| *own = instances);
        planned.extend(report.games.iter().map(|game| (game.game.clone(), instances)));
    }
    let missing = tally.missing(&header, &planned, &given, false);
    let assumed = (instances.is_none() && has_unplanned).then(|| tally.found());
    let report = DatasetReport {
        missing: missing.as_ref().map_or(0, MissingInstances::count),
        incomplete: missing.clone(),
        ..report
    };
    Ok(MergedDataset { report, assumed, missing })
}

/// The dataset that parts were merged into.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedDataset {
    /// What it holds.
    pub report: DatasetReport,
    /// The instances of each game that were assumed, by the greatest number of one, where neither the caller
    /// nor a journal says how many are planned.
    pub assumed: Option<u32>,
    /// The instances that are missing; `None` if all are there.
    pub missing: Option<MissingInstances>,
}

/// Evaluates how well some datasets together predict what people say of games; each is a folder or a
/// table of [`aggregate()`]. The parameters of the games are among the attributes.
///
/// # Errors
///
/// When a dataset cannot be read, two have the same iterations, too few of their games are rated, or
/// `watch` says stop.
pub fn evaluate_ratings(
    datasets: &[PathBuf],
    ratings: &HumanRatings,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, Error> {
    let (aggregates, incomplete) = summed_up(datasets, watch)?;
    let with_rules = |one| add_attributes(one, &[Source::Rules], watch);
    let aggregates: Vec<Aggregate> =
        aggregates.into_iter().map(with_rules).collect::<Result<_, _>>()?;
    let report = evaluate::evaluate_ratings(&aggregates, ratings, options, watch);
    let report = report.map_err(|error| not_evaluated(error, datasets))?;
    Ok(EvaluateReport { incomplete, ..report })
}
