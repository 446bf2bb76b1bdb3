//! Evaluation of how well the shape of search trees tells playable games from broken ones.
//!
//! This is the experiment of Williams 2010, chapter 5, on any table of attributes and any labelled
//! games. Every learner runs under the protocol of Williams 2010 and under honest ones, and its
//! results are shown beside the published ones.

mod baselines;
mod contenders;
mod networks;
mod observed;
mod predicted;
mod published;
mod ratings;
mod report;
mod shapes;
#[cfg(test)]
mod tests;
mod watched;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use treegauge_catalog::GameSpec;
use treegauge_core::Watch;
use treegauge_gauge::vetted::LabelSource;
use treegauge_learn::learners::{Columns, DecisionTree, Nested};
use treegauge_learn::scores::{Confusion, auc, brier, correlation, r_squared};
use treegauge_learn::{
    CrossValidation, Examples, Folds, Growth, LearnError, Learner, Random, Score, ScoreFn, Table,
    TableError, Task, cross_validate, permutation_test, t_test,
};

use crate::aggregate::{Aggregate, Shapes, Source, Split};
use crate::{Corpus, LabelledGame, WILLIAMS_2010};
use contenders::{Contender, Size, candidates, contenders, quality_learners};
use watched::{Counted, Fits};

pub use baselines::{Baseline, BaselineAttributes, TreesGain};
pub(crate) use baselines::{Scored, play_of};
pub use networks::{NetworkResult, NetworkTarget, NetworksResult, REPEATS};
pub use observed::{Observation, Observed};
pub(crate) use predicted::Predicted;
pub use published::{Published, published};
pub use ratings::{
    AttributeSet, AttributeWeight, CurvePoint, RATED_MIN, RatingProtocol, RatingResult,
    evaluate_ratings,
};
pub(crate) use report::scores_by_source;
pub use report::{
    AttributeUse, ClassResult, ConditionLabels, DatasetGames, EvaluateReport, GamePrediction,
    QualityResult, TieBreaks, TreePicture,
};
pub use shapes::ShapesDifference;

/// Settings of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluateOptions {
    /// Seed of folds, learners and bootstraps.
    pub seed: u64,
    /// Number of resamples of each bootstrap.
    pub draws: usize,
    /// Number of permutations in the test of Williams's learners; 0 for no test.
    pub permutations: usize,
    /// Whether networks are trained too.
    pub networks: bool,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        EvaluateOptions { seed: 1, draws: 2_000, permutations: 99, networks: false }
    }
}

/// Cross-validation by which predictions are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Each game is predicted by a model of all others, its twins among them. This is the protocol
    /// of Williams 2010, and optimistic.
    LeaveOneOut,
    /// Each game is predicted by a model of the games of other groups.
    Grouped,
    /// As [`Protocol::Grouped`], but the learner is also chosen without the tested group.
    Nested,
}

impl Protocol {
    /// Name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::LeaveOneOut => "leave_one_out",
            Protocol::Grouped => "grouped",
            Protocol::Nested => "nested",
        }
    }

    const fn folds(self) -> Folds {
        match self {
            Protocol::LeaveOneOut => Folds::LeaveOneOut,
            Protocol::Grouped | Protocol::Nested => Folds::LeaveOneGroupOut,
        }
    }
}

/// Reason that a dataset cannot be evaluated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A label names something that is not a game.
    #[error("{game:?} of the labels: {reason}")]
    NoGame {
        /// Name in the labels.
        game: String,
        /// Reason that it is not a game.
        reason: String,
    },
    /// Two names of the labels mean the same game.
    #[error("{one:?} and {other:?} of the labels are the same game")]
    SameGame {
        /// First name.
        one: String,
        /// Second name.
        other: String,
    },
    /// Too few games of the dataset have labels, or all have the same.
    #[error(
        "the dataset has {playable} playable and {unplayable} unplayable games with labels; at least two of each are needed"
    )]
    FewGames {
        /// Number of playable games.
        playable: usize,
        /// Number of unplayable games.
        unplayable: usize,
    },
    /// All labelled games are in one group, so none can be predicted without its group.
    #[error(
        "all {games} labelled games of the dataset are of the `group` {group:?}; at least two groups are needed"
    )]
    OneGroup {
        /// Number of labelled games of the dataset.
        games: usize,
        /// Group of these games.
        group: String,
    },
    /// A dataset has no attribute of search trees.
    #[error("the dataset has no attribute of search trees")]
    NoAttributes,
    /// Two datasets have results that a report could not tell apart.
    #[error(
        "two of the datasets have the same attributes at {iterations} iterations per move, so their results \
         could not be told apart: merge them, if they are parts of one study, or evaluate them apart"
    )]
    Alike {
        /// Indices of both datasets, the earlier one first.
        places: [usize; 2],
        /// Iterations per move of both.
        iterations: u32,
    },
    /// Too few games of the dataset are rated.
    #[error("too few rated games: the datasets have {found}, and at least {min} are needed", min = ratings::RATED_MIN)]
    FewRated {
        /// Number of rated games that all datasets have.
        found: usize,
    },
    /// The attributes do not form a table for learners.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A learner failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The caller stopped the work.
    #[error("interrupted")]
    Interrupted,
}

/// Number of folds in which a nested choice compares its learners.
const FOLDS_OF_CHOICE: usize = 5;

/// Number of folds in which learners are validated for each permutation of the labels of `games`
/// games; `None` if each game is left out. With many games that would take hours.
fn folds_of_permutation(games: usize) -> Option<usize> {
    (games > 100).then_some(10)
}

/// Minimum number of rated games for predictions of ratings.
const RATED_GAMES_MIN: usize = 3;

/// Labelled games of a dataset.
struct Labelled {
    table: Table,
    playable: Vec<f64>,
    ratings: Vec<Option<f64>>,
    groups: Vec<usize>,
    sources: Vec<LabelSource>,
    /// Length, draws and bias of the games; `None` if the dataset lacks the results of one.
    play: Option<Vec<[f64; 3]>>,
}

/// Name of the decision tree.
const TREE: &str = "tree";

/// Number of orders of the attributes in which a tree is grown, besides that of the table.
const OTHER_ORDERS: usize = 9;

impl Labelled {
    /// Cost of all fits of an evaluation with some resamples of self-play, in approximate
    /// microseconds. Progress is measured by it.
    fn cost(&self, options: &EvaluateOptions, resamples: usize) -> u64 {
        let times = resamples + 1;
        let contenders = contenders(&self.table);
        let games = self.playable.len();
        let groups = count(&self.groups);
        let runs = if options.permutations > 0 { options.permutations + 1 } else { 0 };
        let permuted = runs * folds_of_permutation(games).unwrap_or(games);
        let of_each = |one: &Contender| {
            let permuted = if one.of_source { permuted } else { 0 };
            let tie_breaks = if one.name == TREE { OTHER_ORDERS * games } else { 0 };
            one.cost * (times * (games + groups) + permuted + tie_breaks) as u64
        };
        let each: u64 = contenders.iter().map(of_each).sum();
        let baselines = self.play.as_ref();
        let baselines = baselines.map_or(0, |play| baselines::cost(&self.table, play, groups));
        let networks = if options.networks { self.cost_of_networks(groups) } else { 0 };
        let choice = groups as u64 * cost_of_choice(&contenders);
        each + times as u64 * (choice + self.cost_of_quality() + baselines) + networks
    }

    fn cost_of_networks(&self, groups: usize) -> u64 {
        let size = Size::of(&self.table);
        let rated: Vec<usize> = self.rated().into_iter().map(|n| self.groups[n]).collect();
        let quality = match rated.len() {
            0..RATED_GAMES_MIN => 0,
            games => networks::cost(Size { games, ..size }, count(&rated)),
        };
        networks::cost(size, groups) + quality
    }

    /// Indices of the games whose ratings are predicted.
    fn rated(&self) -> Vec<usize> {
        (0..self.ratings.len()).filter(|&n| self.ratings[n].is_some()).collect()
    }

    fn quality_learners(&self) -> [Contender; 6] {
        quality_learners(Size { games: self.rated().len(), ..Size::of(&self.table) })
    }

    fn cost_of_quality(&self) -> u64 {
        let rated: Vec<usize> = self.rated().into_iter().map(|n| self.groups[n]).collect();
        if rated.len() < RATED_GAMES_MIN {
            return 0;
        }
        let each: u64 = self.quality_learners().iter().map(|one| one.cost).sum();
        each * count(&rated) as u64
    }
}

/// Number of different groups.
fn count(groups: &[usize]) -> usize {
    groups.iter().collect::<BTreeSet<_>>().len()
}

/// Cost of a choice among some learners. It includes one more fit of the chosen one, at the mean
/// cost.
fn cost_of_choice(learners: &[Contender]) -> u64 {
    let each: u64 = learners.iter().map(|one| one.cost).sum();
    each * FOLDS_OF_CHOICE as u64 + each / learners.len() as u64
}

/// Returns the canonical name of a game.
pub(crate) fn canonical(game: &str) -> Result<String, EvaluateError> {
    GameSpec::parse(game)
        .map(|spec| spec.canonical())
        .map_err(|error| EvaluateError::NoGame { game: game.to_owned(), reason: error.to_string() })
}

impl Corpus {
    /// Checks that every name is that of a game, and that each game occurs once under any name.
    ///
    /// # Errors
    ///
    /// When a name is not that of a game, or two names mean the same game.
    pub fn check_games(&self) -> Result<(), EvaluateError> {
        let mut names: BTreeMap<String, &str> = BTreeMap::new();
        for LabelledGame { game, .. } in &self.games {
            if let Some(other) = names.insert(canonical(game)?, game) {
                let (one, other) = (other.to_owned(), game.clone());
                return Err(EvaluateError::SameGame { one, other });
            }
        }
        Ok(())
    }
}

fn labelled(
    aggregate: &Aggregate,
    corpus: &Corpus,
    sources: &[Source],
) -> Result<Labelled, EvaluateError> {
    let table = aggregate.table_of(sources)?;
    let mut names: Vec<(String, &str)> = Vec::new();
    let mut groups: Vec<&str> = Vec::new();
    let mut found = Labelled {
        table: table.with_rows(&[]),
        playable: Vec::new(),
        ratings: Vec::new(),
        groups: Vec::new(),
        sources: Vec::new(),
        play: None,
    };
    let mut rows = Vec::new();
    for game in &corpus.games {
        let name = canonical(&game.game)?;
        if let Some((_, other)) = names.iter().find(|(known, _)| *known == name) {
            let (one, other) = ((*other).to_owned(), game.game.clone());
            return Err(EvaluateError::SameGame { one, other });
        }
        if let Some(row) = table.find(&name) {
            rows.push(row);
            found.playable.push(f64::from(u8::from(game.playable)));
            found.ratings.push(game.rating);
            found.sources.push(game.by);
            let group = groups.iter().position(|known| *known == game.group);
            found.groups.push(group.unwrap_or_else(|| {
                groups.push(&game.group);
                groups.len() - 1
            }));
        }
        names.push((name, &game.game));
    }
    found.table = table.with_rows(&rows);
    let of_game = |name: &String| {
        aggregate.games.iter().find(|row| row.game == *name).and_then(baselines::play_of)
    };
    found.play = found.table.names().iter().map(of_game).collect();
    let playable = found.playable.iter().filter(|class| **class == 1.0).count();
    let unplayable = rows.len() - playable;
    if playable < 2 || unplayable < 2 {
        return Err(EvaluateError::FewGames { playable, unplayable });
    }
    if let [group] = groups[..] {
        return Err(EvaluateError::OneGroup { games: rows.len(), group: group.to_owned() });
    }
    Ok(found)
}

/// Sources in `among` that a dataset has attributes from.
fn sources_of(dataset: &Aggregate, among: &[Source]) -> Vec<Source> {
    let has = |source: &Source| dataset.attributes.iter().any(|name| Source::of(name) == *source);
    among.iter().copied().filter(has).collect()
}

/// Refuses two datasets with the same iterations that both have attributes from one source in
/// `among`.
fn check_apart(datasets: &[Aggregate], among: &[Source]) -> Result<(), EvaluateError> {
    for (n, other) in datasets.iter().enumerate() {
        let sources = sources_of(other, among);
        let is_alike = |one: &Aggregate| {
            one.iterations == other.iterations
                && sources_of(one, among).iter().any(|source| sources.contains(source))
        };
        if let Some(one) = datasets[..n].iter().position(is_alike) {
            let iterations = other.iterations;
            return Err(EvaluateError::Alike { places: [one, n], iterations });
        }
    }
    Ok(())
}

/// Evaluates datasets with the labels of a corpus.
///
/// Results are in the order of the datasets' iterations, regardless of the order of `datasets`.
/// Games without a label are left out. If a dataset has the attributes of one split only, only that
/// split is evaluated. If it has attributes of webs too, they are evaluated beside those of trees,
/// both by themselves and together with them. Learners of one dataset run in parallel on rayon's
/// current thread pool.
///
/// # Errors
///
/// When labels and games do not match, a dataset has no attributes of search trees, two datasets
/// have the same iterations and split, a learner fails, or `watch` says stop.
pub fn evaluate(
    datasets: &[Aggregate],
    corpus: &Corpus,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, EvaluateError> {
    evaluate_resampled(datasets, &[], corpus, options, watch)
}

/// Evaluates datasets as [`evaluate`] does, and again with resamples of the self-play of each, so
/// that intervals also cover how much the scores vary with the games that happened to be played.
/// `resampled` has the resamples of each dataset, which [`crate::aggregate::Resampler`] makes, as
/// many of each. Networks, permutation tests and choices among equally good splits are not repeated.
///
/// A resample has fewer different games of self-play than the dataset. So the attributes of its
/// trees vary more than those of new self-play would, and their greatest and least values are
/// closer to each other.
///
/// # Errors
///
/// Those of [`evaluate`].
pub fn evaluate_resampled(
    datasets: &[Aggregate],
    resampled: &[Vec<Aggregate>],
    corpus: &Corpus,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, EvaluateError> {
    let mut report = EvaluateReport::new(options);
    report.play_resamples = resampled.first().map_or(0, Vec::len);
    let is_of_source = *corpus == *WILLIAMS_2010;
    check_apart(datasets, &Split::BOTH.map(Split::source))?;
    let resamples_of = |n: usize| resampled.get(n).map_or(&[][..], Vec::as_slice);
    let mut by_strength: Vec<(&Aggregate, &[Aggregate])> =
        datasets.iter().zip((0..).map(resamples_of)).collect();
    by_strength.sort_by_key(|(aggregate, _)| aggregate.iterations);
    let mut parts = Vec::new();
    for (aggregate, resamples) in by_strength {
        if is_of_source {
            report.observed.extend(observed::observed(aggregate)?);
        }
        let sources = sources_of(aggregate, &Split::BOTH.map(Split::source));
        if sources.is_empty() {
            return Err(EvaluateError::NoAttributes);
        }
        for split in Split::BOTH.into_iter().filter(|split| sources.contains(&split.source())) {
            let has_webs = !sources_of(aggregate, &[split.source_of_webs()]).is_empty();
            let all = Shapes::ALL.into_iter();
            for shapes in all.filter(|shapes| has_webs || *shapes == Shapes::Trees) {
                let known = labelled(aggregate, corpus, &split.sources(shapes))?;
                let again = |one| labelled(one, corpus, &split.sources(shapes));
                let resampled = resamples.iter().map(again).collect::<Result<Vec<_>, _>>()?;
                report.games.push(DatasetGames {
                    iterations: aggregate.iterations,
                    split,
                    shapes,
                    playable: known.playable.iter().filter(|class| **class == 1.0).count(),
                    unplayable: known.playable.iter().filter(|class| **class == 0.0).count(),
                    missing: corpus.games.len() - known.playable.len(),
                });
                parts.push((aggregate.iterations, split, shapes, known, resampled));
            }
        }
    }
    let cost = |(.., known, resampled): &(_, _, _, Labelled, Vec<Labelled>)| {
        known.cost(&options, resampled.len())
    };
    let planned = parts.iter().map(cost).sum();
    let fits = &Fits::new(planned, watch);
    for (iterations, split, shapes, known, resampled) in parts {
        Evaluation { iterations, split, shapes, known, resampled, options, is_of_source, fits }
            .run(&mut report)?;
    }
    Ok(report)
}

struct Evaluation<'a> {
    iterations: u32,
    split: Split,
    shapes: Shapes,
    known: Labelled,
    /// The same games with resamples of their self-play.
    resampled: Vec<Labelled>,
    options: EvaluateOptions,
    /// Whether the corpus is that of Williams 2010.
    is_of_source: bool,
    fits: &'a Fits<'a>,
}

impl Evaluation<'_> {
    fn run(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let table = &self.known.table;
        let all: Vec<Examples<'_>> = self
            .all_known()
            .map(|known| self.examples_of(&known.table))
            .collect::<Result<_, EvaluateError>>()?;
        let [examples, ..] = &all[..] else { unreachable!("the whole self-play is one of them") };
        let contenders = contenders(table);
        for Contender { name, learner, of_source, cost } in contenders {
            for protocol in [Protocol::LeaveOneOut, Protocol::Grouped] {
                let (found, predicted) = self.predicted(&learner, cost, &all, protocol)?;
                let mut result = self.result(name, protocol, examples, &predicted);
                if of_source && protocol == Protocol::LeaveOneOut && self.options.permutations > 0 {
                    let run = |examples: &Examples<'_>| self.accuracy(&learner, cost, examples);
                    let Self { options, .. } = self;
                    let p = permutation_test(examples, options.permutations, options.seed, &run)?;
                    result.permutation_p = Some(p);
                }
                if name == TREE && protocol == Protocol::LeaveOneOut {
                    result.tie_breaks = Some(self.tie_breaks(cost, examples, &found)?);
                }
                report.results.push(result);
                if name == TREE && protocol == Protocol::LeaveOneOut {
                    let whole = learner.fit(examples, self.options.seed)?;
                    report.trees.push(self.picture(&found, &whole));
                }
            }
        }
        let best = self.best(table, &all)?;
        report.results.push(self.result("best", Protocol::Nested, examples, &best));
        let (baselines, gain) = self.baselines(&best)?;
        report.baselines.extend(baselines);
        report.trees_gain.extend(gain);
        if self.options.networks {
            report.networks.extend(self.networks()?);
        }
        let Self { iterations, split, shapes, options, .. } = *self;
        let is_own = |one: &ClassResult| {
            one.iterations == iterations && one.split == split && one.shapes == shapes
        };
        let differences = ShapesDifference::each(&report.results, is_own, examples, options);
        report.shapes.extend(differences);
        self.quality(report)
    }

    /// The games with their self-play, and with each resample of it.
    fn all_known(&self) -> impl Iterator<Item = &Labelled> {
        std::iter::once(&self.known).chain(&self.resampled)
    }

    /// Predictions of the best learner for a table, chosen without the predicted group. `all` are
    /// the examples of the table, and those of the resamples.
    fn best(&self, table: &Table, all: &[Examples<'_>]) -> Result<Predicted, EvaluateError> {
        let candidates = candidates(table, self.fits.watch());
        let nested = Nested { candidates, folds: Folds::Grouped(FOLDS_OF_CHOICE) };
        let cost = cost_of_choice(&contenders(table));
        Ok(self.predicted(&nested, cost, all, Protocol::Nested)?.1)
    }

    /// Cross-validates a learner with the examples of the whole self-play, the first of `all`, and
    /// with those of each resample.
    fn predicted(
        &self,
        learner: &dyn Learner,
        cost: u64,
        all: &[Examples<'_>],
        protocol: Protocol,
    ) -> Result<(CrossValidation, Predicted), EvaluateError> {
        let found = self.validated(learner, cost, &all[0], protocol)?;
        let again = |examples: &Examples<'_>| {
            Ok(self.validated(learner, cost, examples, protocol)?.predictions)
        };
        let resampled = all[1..].iter().map(again).collect::<Result<_, EvaluateError>>()?;
        let predicted = Predicted { whole: found.predictions.clone(), resampled };
        Ok((found, predicted))
    }

    fn validated(
        &self,
        learner: &dyn Learner,
        cost: u64,
        examples: &Examples<'_>,
        protocol: Protocol,
    ) -> Result<CrossValidation, EvaluateError> {
        let learner = self.counted(learner, cost);
        Ok(cross_validate(&learner, examples, protocol.folds(), self.options.seed)?)
    }

    /// Wraps a learner so that each fit adds `cost` to the progress.
    fn counted<L: Learner>(&self, learner: L, cost: u64) -> Counted<'_, L> {
        Counted { learner, cost, fits: self.fits }
    }

    /// Accuracy of a learner on labels that may be permuted.
    fn accuracy(
        &self,
        learner: &dyn Learner,
        cost: u64,
        examples: &Examples<'_>,
    ) -> Result<f64, LearnError> {
        let learner = self.counted(learner, cost);
        let folds =
            folds_of_permutation(examples.len()).map_or(Folds::LeaveOneOut, Folds::Stratified);
        let found = cross_validate(&learner, examples, folds, self.options.seed)?;
        Ok(Confusion::of(&found.predictions, examples.targets()).accuracy().unwrap_or(0.0))
    }

    /// Accuracies of the tree for several orders of the attributes: among equally good splits it
    /// takes that of the first attribute. `found` is the validation in the order of the table.
    fn tie_breaks(
        &self,
        cost: u64,
        examples: &Examples<'_>,
        found: &CrossValidation,
    ) -> Result<TieBreaks, EvaluateError> {
        let accuracy = |found: &CrossValidation| {
            Confusion::of(&found.predictions, examples.targets()).accuracy().unwrap_or(0.0)
        };
        let own = accuracy(found);
        let (mut least, mut greatest) = (own, own);
        for n in 0..OTHER_ORDERS {
            let mut attributes: Vec<usize> = (0..examples.width()).collect();
            Random::new(self.options.seed.wrapping_add(n as u64)).shuffle(&mut attributes);
            let learner = Columns { attributes, learner: DecisionTree(Growth::WILLIAMS) };
            let accuracy =
                accuracy(&self.validated(&learner, cost, examples, Protocol::LeaveOneOut)?);
            (least, greatest) = (least.min(accuracy), greatest.max(accuracy));
        }
        Ok(TieBreaks { orders: OTHER_ORDERS + 1, least, greatest })
    }

    fn result(
        &self,
        learner: &str,
        protocol: Protocol,
        examples: &Examples<'_>,
        predicted: &Predicted,
    ) -> ClassResult {
        let predictions = &predicted.whole;
        let score =
            |of: ScoreFn<'_>| -> Option<Score> { predicted.score(examples, of, self.options) };
        let confusion = Confusion::of(predictions, examples.targets());
        let share = examples.mean();
        let [zeros, ones] = confusion.counts.map(|row| row.iter().sum::<f64>());
        let naive = Confusion::naive(zeros, ones, share).accuracy().unwrap_or(0.5);
        let accuracy = score(&|p, c| Confusion::of(p, c).accuracy());
        let is_published =
            protocol == Protocol::LeaveOneOut && self.is_of_source && self.shapes == Shapes::Trees;
        ClassResult {
            iterations: self.iterations,
            split: self.split,
            shapes: self.shapes,
            learner: learner.to_owned(),
            protocol,
            confusion,
            p: accuracy.and_then(|score| t_test(score.mean, naive, examples.len())),
            accuracy,
            balanced_accuracy: score(&|p, c| Confusion::of(p, c).balanced_accuracy()),
            auc: score(&auc),
            brier: score(&brier),
            permutation_p: None,
            tie_breaks: None,
            by_source: scores_by_source(predicted, examples, &self.known.sources, self.options),
            published: is_published
                .then(|| published(learner, self.iterations, self.split).cloned())
                .flatten(),
            predictions: self
                .known
                .table
                .names()
                .iter()
                .zip(predictions)
                .zip(examples.targets())
                .zip(&self.known.groups)
                .map(|(((game, probability), class), group)| GamePrediction {
                    game: game.clone(),
                    group: *group,
                    playable: *class == 1.0,
                    probability: *probability,
                })
                .collect(),
        }
    }

    /// Tree of all games, and the attributes that the trees of the folds use (Williams 2010, Figure
    /// 5.7).
    fn picture(&self, found: &CrossValidation, whole: &treegauge_learn::Fitted) -> TreePicture {
        let columns = self.known.table.columns();
        let mut counts = vec![0; columns.len()];
        for tree in found.models.iter().filter_map(|model| model.tree()) {
            tree.used().for_each(|attribute| counts[attribute] += 1);
        }
        let mut used: Vec<AttributeUse> = columns
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(|(attribute, count)| AttributeUse { attribute: attribute.clone(), count })
            .collect();
        used.sort_by(|a, b| b.count.cmp(&a.count).then(a.attribute.cmp(&b.attribute)));
        let mut attributes: Vec<String> = Vec::new();
        let tree = whole.tree().expect("the learner gives a tree").renumbered(|n| {
            let known = attributes.iter().position(|name| *name == columns[n]);
            known.unwrap_or_else(|| {
                attributes.push(columns[n].clone());
                attributes.len() - 1
            })
        });
        let Self { iterations, split, shapes, .. } = *self;
        TreePicture { iterations, split, shapes, tree, attributes, used }
    }

    /// Predicts the ratings of the games that have one (Williams 2010, section 5.1.1).
    fn quality(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let Labelled { ratings, groups, .. } = &self.known;
        let rated = self.known.rated();
        if rated.len() < RATED_GAMES_MIN {
            return Ok(());
        }
        let targets: Vec<f64> = rated.iter().filter_map(|&n| ratings[n]).collect();
        let own: Vec<usize> = rated.iter().map(|&n| groups[n]).collect();
        let mut all = Vec::new();
        for known in self.all_known() {
            let rows = rated.iter().map(|&n| known.table.row(n)).collect();
            all.push(Examples::new(Task::Values, rows, targets.clone(), own.clone())?);
        }
        for Contender { name, learner, cost, .. } in self.known.quality_learners() {
            let (_, predicted) = self.predicted(&learner, cost, &all, Protocol::Grouped)?;
            let score = |of: ScoreFn<'_>| predicted.score(&all[0], of, self.options);
            report.quality.push(QualityResult {
                iterations: self.iterations,
                split: self.split,
                shapes: self.shapes,
                learner: name.to_owned(),
                games: rated.len(),
                correlation: score(&correlation),
                r_squared: score(&r_squared),
            });
        }
        Ok(())
    }
}
