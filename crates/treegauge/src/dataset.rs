//! Datasets: folders of self-play with the features of every tree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use treegauge_core::Watch;
use treegauge_dataset::aggregate::{Aggregate, Aggregator, GameAggregate, Resampler, Source};
use treegauge_dataset::collect::{
    DatasetHeader, DatasetReport, DatasetTally, Instance, InstanceKey, MissingInstances, Schema,
    TableCell, TableColumn, instance_cells, instance_columns, player_game_cells,
    player_game_columns, tree_cells, tree_columns,
};
use treegauge_dataset::evaluate::{
    ConditionLabels, EvaluateError, EvaluateOptions, EvaluateReport,
};
use treegauge_dataset::{Corpus, HumanRatings, WILLIAMS_2010, evaluate};
use treegauge_learn::LearnError;
use treegauge_report::TableWriter;
use treegauge_search::Merge;
use treegauge_store::journal::{self, Header, InOrder, Journal, JournalError, Piece};
use treegauge_store::{PieceSink, Planned, Record, WholeFile, read};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::TableFileError;
use crate::game::ReadGame;
use crate::lists::TEXT_BYTES_MAX;
use crate::merge::CommonHeader;
use crate::models::expanded;
use crate::records::bad;
use crate::{Error, ErrorKind, Game};

/// Names of the files in the folder of a dataset.
pub mod dataset_files {
    /// Journal of the played instances. A later run resumes from it.
    pub const JOURNAL: &str = "instances.jsonl";
    /// Tables with a row per tree.
    pub const TREES: [&str; 2] = ["trees.csv", "trees.parquet"];
    /// Tables with a row per instance.
    pub const INSTANCES: [&str; 2] = ["instances.csv", "instances.parquet"];
    /// Tables with a row per game between players, if the plan has players.
    pub const PLAYER_GAMES: [&str; 2] = ["player_games.csv", "player_games.parquet"];
    /// Descriptions of the columns of the tables, and the settings that decided the rows.
    pub const SCHEMA: &str = "schema.json";
    /// All files that may be written when a dataset is complete.
    pub const TABLES: [&str; 7] =
        [TREES[0], TREES[1], INSTANCES[0], INSTANCES[1], PLAYER_GAMES[0], PLAYER_GAMES[1], SCHEMA];
}

/// Plan of the dataset in a folder; `None` if its journal has no plan.
pub(crate) fn plan_of(folder: &Path) -> Result<Option<Planned>, Error> {
    Planned::of(&journal::read_header(&folder.join(dataset_files::JOURNAL))?).map_err(bad)
}

/// Paths of the rules texts of a dataset, by the canonical names of their games; none if `path` is a
/// table.
pub(crate) fn texts_of(path: &Path) -> Result<BTreeMap<String, String>, Error> {
    let planned = if is_dataset(path) { plan_of(path)? } else { None };
    Ok(planned.map(|planned| planned.texts).unwrap_or_default())
}

/// First line of the journal in a folder, as tables have it: without the paths of rules texts, since
/// equal studies have equal tables.
fn header_of_tables(folder: &Path) -> Result<Header, Error> {
    let mut header = journal::read_header(&folder.join(dataset_files::JOURNAL))?;
    if let Some(Value::Object(planned)) = header.get_mut(Planned::FIELD) {
        planned.remove("texts");
    }
    Ok(header)
}

pub(crate) fn tally(path: &Path) -> Result<DatasetTally, Error> {
    let mut tally = DatasetTally::default();
    Journal::read_with(path, &(), &mut |instance: Instance| tally.add(&instance))?;
    Ok(tally)
}

/// CSV and Parquet files of one table.
type Writers = TableWriter<BufWriter<WholeFile>, BufWriter<WholeFile>>;

/// Writes the tables of a folder from its journal, which must be in order. If `watch` says stop
/// before all are written, no table appears.
pub(crate) fn write_tables(
    folder: &Path,
    header: &DatasetHeader,
    watch: &dyn Watch,
) -> Result<DatasetReport, Error> {
    let file =
        |name: &str| Ok::<_, io::Error>(BufWriter::new(WholeFile::create(&folder.join(name))?));
    let run = header_of_tables(folder)?.into();
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

/// Table of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetTable {
    /// A row per tree.
    Trees,
    /// A row per instance.
    Instances,
    /// A row per game between players.
    PlayerGames,
}

impl DatasetTable {
    /// Columns of the table.
    #[must_use]
    pub fn columns(self) -> Vec<TableColumn> {
        match self {
            DatasetTable::Trees => tree_columns(),
            DatasetTable::Instances => instance_columns(),
            DatasetTable::PlayerGames => player_game_columns(),
        }
    }
}

/// Calls `row` with the cells of each row of a table, in the order of the games and instances, and
/// with `None` if the rows so far do not count and come once more. Returns the header of the run.
///
/// # Errors
///
/// If the folder does not hold a dataset or is damaged, or `watch` says stop.
pub(crate) fn dataset_rows(
    folder: &Path,
    table: DatasetTable,
    watch: &dyn Watch,
    row: &mut dyn FnMut(Option<&[TableCell<'_>]>),
) -> Result<Value, Error> {
    let header = dataset_header(folder)?;
    let journal = folder.join(dataset_files::JOURNAL);
    read_instances(&journal, &header, watch, &mut |one| {
        let InOrder::Piece(instance) = one else { return row(None) };
        match table {
            DatasetTable::Trees => {
                instance.rows().for_each(|tree| row(Some(&tree_cells(&tree, &header))));
            }
            DatasetTable::Instances => row(Some(&instance_cells(&instance, &header))),
            DatasetTable::PlayerGames => {
                let games = instance.player_game_rows();
                games.into_iter().for_each(|game| row(Some(&player_game_cells(&game, &header))));
            }
        }
    })?;
    Ok(header_of_tables(folder)?.into())
}

/// Attributes of a dataset summed up by game, and its missing instances.
#[derive(Clone, Debug, PartialEq)]
pub struct Summed {
    /// Attributes of the games.
    pub aggregate: Aggregate,
    /// Settings that decide the attributes: the header of the journal. For a table, its iterations
    /// and the version of this program.
    pub run: journal::Header,
    /// Missing instances; `None` if none is known to be missing. A table shows only the number of
    /// instances of each game.
    pub missing: Option<MissingInstances>,
}

/// Sums a dataset up by game. The path is a folder that `collect` wrote, or a table of attributes.
///
/// # Errors
///
/// If the path is neither, the dataset is damaged or has no instance, or `watch` says stop.
pub fn aggregate(path: &Path, watch: &dyn Watch) -> Result<Summed, Error> {
    let data = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
    };
    if !path.is_dir() {
        let bytes = read(path, TEXT_BYTES_MAX).map_err(|error| data(&error))?;
        let text = expanded(&bytes, TEXT_BYTES_MAX).map_err(|error| data(&error))?;
        let in_table = |error| {
            let file = path.display().to_string();
            Error::new(ErrorKind::Data, TableFileError { file, error })
        };
        let aggregate = Aggregate::read_csv(&text[..]).map_err(in_table)?;
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
        return Err(data(&"not a file and not a dataset, which `collect` writes"));
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
    // Tables are written when all instances of a plan are played. A part has no tables.
    let unfinished = planned.part.is_none() && !path.join(dataset_files::SCHEMA).exists();
    let given = BTreeSet::from([planned.part]);
    let missing = tally.missing(&header, &planned.instances, &given, unfinished);
    let run = header_of_tables(path)?;
    Ok(Summed { aggregate: folds.finish(), run, missing })
}

/// Content of a dataset: the instances of each game, and those that are missing.
#[derive(Clone, Debug, PartialEq)]
pub struct DatasetContent {
    /// Report as `collect` gives it.
    pub report: DatasetReport,
    /// Missing instances; `None` if none is known to be missing.
    pub missing: Option<MissingInstances>,
}

/// Counts the instances of a dataset in a folder, which may be incomplete.
///
/// # Errors
///
/// If the folder does not hold a dataset or is damaged, or `watch` says stop.
pub fn dataset_content(folder: &Path, watch: &dyn Watch) -> Result<DatasetContent, Error> {
    let header = dataset_header(folder)?;
    let mut tally = DatasetTally::default();
    let journal = folder.join(dataset_files::JOURNAL);
    read_instances(&journal, &header, watch, &mut |one| match one {
        InOrder::Piece(instance) => tally.add(&instance),
        InOrder::Anew => tally = DatasetTally::default(),
    })?;
    let planned = plan_of(folder)?.unwrap_or_default();
    let unfinished = planned.part.is_none() && !folder.join(dataset_files::SCHEMA).exists();
    let given = BTreeSet::from([planned.part]);
    let missing = tally.missing(&header, &planned.instances, &given, unfinished);
    let count = missing.as_ref().map_or(0, MissingInstances::count);
    Ok(DatasetContent { report: tally.report(&header, count), missing })
}

fn stopped_summing() -> Error {
    Error::interrupted("the dataset is not summed up")
}

/// Header of the dataset in a folder.
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
/// If the journal is damaged, an instance cannot belong to the plan of the header, or `watch` says
/// stop.
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

/// Adds the attributes that need no play: those of [`Source::Rules`] and [`Source::Solved`], if
/// `sources` has them and `aggregate` does not. The attributes of the other sources must already
/// exist.
///
/// # Errors
///
/// If a source has no attributes, a name is not that of a game, or `watch` says stop.
pub fn add_attributes(
    aggregate: Aggregate,
    sources: &[Source],
    watch: &dyn Watch,
) -> Result<Aggregate, Error> {
    add_attributes_with(aggregate, sources, watch, &Game::parse)
}

/// Adds attributes as [`add_attributes`] does, with games opened by `read`.
pub(crate) fn add_attributes_with(
    mut aggregate: Aggregate,
    sources: &[Source],
    watch: &dyn Watch,
    read: ReadGame<'_>,
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
        let game = |row: &GameAggregate| Ok::<_, Error>(read(&row.game)?.engine().clone());
        let engines: Vec<_> = aggregate.games.iter().map(game).collect::<Result<_, _>>()?;
        aggregate = aggregate.with_solved(&engines, watch).map_err(|_| stopped_summing())?;
    }
    Ok(aggregate)
}

/// Adds the attributes of the webs of the same games from another dataset, with searches that
/// merged positions.
///
/// # Errors
///
/// If the folder is not a dataset or holds trees, it has other iterations or lacks a game, `to`
/// already has attributes of webs, or `watch` says stop.
pub fn add_webs(
    to: Aggregate,
    folder: &Path,
    watch: &dyn Watch,
) -> Result<(Aggregate, Option<MissingInstances>), Error> {
    let data = |error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{}: {error}", folder.display()))
    };
    if !is_dataset(folder) {
        return Err(data(&"not a dataset; `collect --merge equal` writes one"));
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

/// Evaluates datasets, each a folder or a table of [`aggregate()`], with the labels of a corpus, or
/// of Williams 2010 if `corpus` is `None`. Intervals also cover `play_resamples` resamples of the
/// self-play, if there are any; then each dataset must be a folder.
///
/// # Errors
///
/// If a dataset cannot be read or resampled, two have the same attributes at the same iterations,
/// labels and games do not fit together, or `watch` says stop.
pub fn evaluate(
    datasets: &[PathBuf],
    corpus: Option<&Corpus>,
    play_resamples: usize,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, Error> {
    let (aggregates, incomplete) = summed_up(datasets, watch)?;
    let corpus = corpus.unwrap_or(&WILLIAMS_2010);
    let resampled = match play_resamples {
        0 => Vec::new(),
        count => datasets
            .iter()
            .map(|path| resampled(path, count, options.seed, watch))
            .collect::<Result<_, _>>()?,
    };
    let report = evaluate::evaluate_resampled(&aggregates, &resampled, corpus, options, watch);
    let report = report.map_err(|error| not_evaluated(error, datasets))?;
    Ok(EvaluateReport { incomplete, ..report })
}

/// Resamples of the self-play of a dataset.
fn resampled(
    path: &Path,
    count: usize,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Vec<Aggregate>, Error> {
    if !is_dataset(path) {
        let message = format!(
            "{} is a table, which does not have the single games of self-play that resamples are drawn from; \
             evaluate its dataset, or without `--play-resamples`",
            path.display()
        );
        return Err(Error::new(ErrorKind::Data, message));
    }
    let header = dataset_header(path)?;
    let mut resampler = Resampler::new(&header);
    let journal = path.join(dataset_files::JOURNAL);
    let read = read_instances(&journal, &header, watch, &mut |one| match one {
        InOrder::Piece(instance) => resampler.add(&instance),
        InOrder::Anew => resampler = Resampler::new(&header),
    });
    if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::Interrupted) {
        return Err(stopped_summing());
    }
    read?;
    Ok((0..count).map(|n| resampler.resample(seed.wrapping_add(n as u64))).collect())
}

/// Sums up datasets. Also returns the missing instances of each incomplete one.
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
    /// Labelled games.
    pub corpus: Corpus,
    /// Origin of the labels: seed, iterations and counts.
    pub from: ConditionLabels,
    /// Missing instances of this self-play; `None` if none is known to be missing.
    pub missing: Option<MissingInstances>,
}

/// Labels by the four conditions of Williams 2010 in the self-play of a dataset. They serve to
/// evaluate other datasets. Groups are those of a corpus, or of Williams 2010 if `groups` is
/// `None`.
///
/// # Errors
///
/// If a path is not the folder of a dataset, a dataset to evaluate has the same seed and iterations
/// as the labels (its attributes would come from the very games that the labels come from), or
/// `watch` says stop.
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
    // The seed of an instance combines both.
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

/// Error of an evaluation of some datasets.
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

/// Tests whether a folder holds a dataset.
#[must_use]
pub fn is_dataset(folder: &Path) -> bool {
    folder.join(dataset_files::JOURNAL).is_file()
}

/// Merges the datasets of the parts of one plan into another existing folder. An instance in
/// several of them counts once. `instances` is the planned number of instances of every game. If it
/// is `None`, the plan is that of the journals; for old journals without a plan it is one more than
/// the greatest instance number. The report counts the missing instances of the plan.
///
/// # Errors
///
/// If a folder is not a dataset, two have different plans or disagree about an instance, one is
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
        return Err(Error::new(ErrorKind::Usage, "no datasets to merge"));
    };
    let header = dataset_header(&first)?;
    // Checksum of each instance, to compare instances that are in several folders.
    let mut sums: HashMap<InstanceKey, (u64, &Path)> = HashMap::new();
    let sum_of =
        |instance: &Instance| xxh3_64(&serde_json::to_vec(instance).expect("an instance is JSON"));
    // All instances are compared before the first is written, so a failed merge writes nothing.
    let journals = folders.iter().map(|folder| folder.join(dataset_files::JOURNAL));
    let journals: Vec<PathBuf> = journals.collect();
    let whole = output.join(dataset_files::JOURNAL);
    let has_instances = whole.metadata().is_ok_and(|there| there.len() > 0);
    let mut differing = None;
    for path in journals.iter().chain(has_instances.then_some(&whole)) {
        read_instances(path, &header, watch, &mut |one| {
            // An instance that is read again has the same sum, so a restart needs no reset.
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

/// Dataset merged from parts.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedDataset {
    /// Content of the dataset.
    pub report: DatasetReport,
    /// Assumed number of instances per game, from the greatest instance number; `None` if the
    /// caller or the journals say how many are planned.
    pub assumed: Option<u32>,
    /// Missing instances; `None` if all are there.
    pub missing: Option<MissingInstances>,
}

/// Evaluates how well datasets together predict people's ratings of games. Each is a folder or a
/// table of [`aggregate()`]. The parameters of the games are among the attributes.
///
/// # Errors
///
/// If a dataset cannot be read, two have the same attributes at the same iterations, too few of
/// their games are rated, or `watch` says stop.
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
