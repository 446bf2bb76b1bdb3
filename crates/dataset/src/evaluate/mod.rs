//! Whether the shape of search trees tells playable games from broken ones.
//!
//! The experiment of Williams 2010, chapter 5, on any table of attributes and any labelled games: every
//! learner under the protocol of the source and under honest ones, beside what the source found.

mod contenders;
mod observed;
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
use treegauge_gauge::vetted::{LabelSource, SourceScore};
use treegauge_learn::learners::{Columns, DecisionTree, Nested};
use treegauge_learn::scores::{Confusion, auc, brier, correlation, r_squared};
use treegauge_learn::{
    Examples, Folds, Growth, LearnError, Learner, Random, Score, ScoreOf, Table, TableError, Task,
    Validated, bootstrap, cross_validate, permutation_test, t_test,
};

use crate::aggregate::{Aggregate, Shapes, Source, Split};
use crate::{Corpus, LabelledGame, WILLIAMS_2010};
use contenders::{Contender, Size, candidates, contenders, quality_learners};
use watched::{Counted, Fits};

pub use observed::{Observation, Observed};
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

/// How much to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluateOptions {
    /// The seed.
    pub seed: u64,
    /// Draws of each bootstrap.
    pub draws: usize,
    /// Permutations of the test of the source's learners; 0 for none.
    pub permutations: usize,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        EvaluateOptions { seed: 1, draws: 2_000, permutations: 99 }
    }
}

/// How predictions were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Each game by a model of all others, its twins among them: the protocol of the source. It is
    /// optimistic.
    LeaveOneOut,
    /// Each game by a model of the games of other groups.
    Grouped,
    /// The same, the learner too being chosen without the group that is tested.
    Nested,
}

impl Protocol {
    /// The name in reports.
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

/// Why a dataset cannot be evaluated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A game of the labels is no game.
    #[error("{game:?} of the labels: {reason}")]
    NoGame {
        /// The game.
        game: String,
        /// Why not.
        reason: String,
    },
    /// Two names of the labels mean one game.
    #[error("{one:?} and {other:?} of the labels are the same game")]
    SameGame {
        /// One of them.
        one: String,
        /// The other.
        other: String,
    },
    /// No game of the dataset has a label, or all have the same.
    #[error(
        "the dataset has {playable} playable and {unplayable} unplayable games with labels; at least two of each are needed"
    )]
    FewGames {
        /// The playable ones.
        playable: usize,
        /// The others.
        unplayable: usize,
    },
    /// All labelled games are of one group, so none can be predicted without its group.
    #[error(
        "all {games} labelled games of the dataset are of the `group` {group:?}; at least two groups are needed"
    )]
    OneGroup {
        /// The labelled games of the dataset.
        games: usize,
        /// Their group.
        group: String,
    },
    /// A dataset has no attribute of a search tree.
    #[error("the dataset has no attribute of search trees")]
    NoAttributes,
    /// Two datasets have results that a report could not tell apart.
    #[error(
        "two of the datasets have the same attributes at {iterations} iterations per move, so their results \
         could not be told apart: merge them, if they are parts of one study, or evaluate them apart"
    )]
    Alike {
        /// The places of both among the datasets, the earlier one first.
        places: [usize; 2],
        /// Their iterations.
        iterations: u32,
    },
    /// Too few games of the dataset are rated.
    #[error("too few rated games: the datasets have {found}, and at least {min} are needed", min = ratings::RATED_MIN)]
    FewRated {
        /// The rated ones that all datasets have.
        found: usize,
    },
    /// Its numbers make no table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A learner failed.
    #[error(transparent)]
    Learn(#[from] LearnError),
    /// The watch said stop.
    #[error("interrupted")]
    Interrupted,
}

/// The folds by which a nested choice compares its learners.
const FOLDS_OF_CHOICE: usize = 5;

/// The folds by which learners are validated for each permutation of the labels of so many games; `None` where each
/// game is left out. With many games the latter would take hours.
fn folds_of_permutation(games: usize) -> Option<usize> {
    (games > 100).then_some(10)
}

/// The fewest rated games whose ratings are predicted.
const RATED_GAMES_MIN: usize = 3;

/// The labelled games of a dataset.
struct Labelled {
    table: Table,
    playable: Vec<f64>,
    ratings: Vec<Option<f64>>,
    groups: Vec<usize>,
    sources: Vec<LabelSource>,
}

/// The name of the decision tree.
const TREE: &str = "tree";

/// The orders of the attributes that a tree is grown with besides that of the table.
const OTHER_ORDERS: usize = 9;

impl Labelled {
    /// The cost of all fits of an evaluation, by which its progress is measured.
    fn cost(&self, options: &EvaluateOptions) -> u64 {
        let contenders = contenders(&self.table);
        let games = self.playable.len();
        let groups = count(&self.groups);
        let runs = if options.permutations > 0 { options.permutations + 1 } else { 0 };
        let permuted = runs * folds_of_permutation(games).unwrap_or(games);
        let of_each = |one: &Contender| {
            let permuted = if one.of_source { permuted } else { 0 };
            let tie_breaks = if one.name == TREE { OTHER_ORDERS * games } else { 0 };
            one.cost * (games + groups + permuted + tie_breaks) as u64
        };
        let each: u64 = contenders.iter().map(of_each).sum();
        each + groups as u64 * cost_of_choice(&contenders) + self.cost_of_quality()
    }

    /// The games whose ratings are predicted.
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

/// How many groups there are.
fn count(groups: &[usize]) -> usize {
    groups.iter().collect::<BTreeSet<_>>().len()
}

/// The cost of a choice among some learners; the one that is chosen is fitted once more.
fn cost_of_choice(learners: &[Contender]) -> u64 {
    let each: u64 = learners.iter().map(|one| one.cost).sum();
    each * FOLDS_OF_CHOICE as u64 + each / learners.len() as u64
}

/// Names a game by its canonical name.
pub(crate) fn canonical(game: &str) -> Result<String, EvaluateError> {
    GameSpec::parse(game)
        .map(|spec| spec.canonical())
        .map_err(|error| EvaluateError::NoGame { game: game.to_owned(), reason: error.to_string() })
}

impl Corpus {
    /// Checks that all games are games, each once under whatever name.
    ///
    /// # Errors
    ///
    /// When that is not so.
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

/// The sources of a dataset's attributes among some.
fn sources_of(dataset: &Aggregate, among: &[Source]) -> Vec<Source> {
    let has = |source: &Source| dataset.attributes.iter().any(|name| Source::of(name) == *source);
    among.iter().copied().filter(has).collect()
}

/// Refuses two datasets of the same iterations that both have attributes of one of some sources.
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

/// Evaluates datasets, each summed up, with the labels of a corpus. Results stand in the order of the
/// datasets' iterations, whatever that of the datasets is. Games without a label are left out. Of a dataset
/// that has the attributes of one split alone that split is evaluated. Where a dataset has those of webs
/// too, they are evaluated beside those of trees, by themselves and together with them. Learners of one
/// dataset run in parallel on rayon's current thread pool.
///
/// # Errors
///
/// When labels and games do not fit together, a dataset has no attributes of search trees, two datasets
/// have the same iterations and split, a learner fails, or `watch` says stop.
pub fn evaluate(
    datasets: &[Aggregate],
    corpus: &Corpus,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, EvaluateError> {
    let mut report = EvaluateReport::new(options);
    let is_of_source = *corpus == *WILLIAMS_2010;
    check_apart(datasets, &Split::BOTH.map(Split::source))?;
    let mut by_strength: Vec<&Aggregate> = datasets.iter().collect();
    by_strength.sort_by_key(|aggregate| aggregate.iterations);
    let mut parts = Vec::new();
    for aggregate in by_strength {
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
                report.games.push(DatasetGames {
                    iterations: aggregate.iterations,
                    split,
                    shapes,
                    playable: known.playable.iter().filter(|class| **class == 1.0).count(),
                    unplayable: known.playable.iter().filter(|class| **class == 0.0).count(),
                    missing: corpus.games.len() - known.playable.len(),
                });
                parts.push((aggregate.iterations, split, shapes, known));
            }
        }
    }
    let planned = parts.iter().map(|(.., known)| known.cost(&options)).sum();
    let fits = &Fits::new(planned, watch);
    for (iterations, split, shapes, known) in parts {
        Evaluation { iterations, split, shapes, known, options, is_of_source, fits }
            .run(&mut report)?;
    }
    Ok(report)
}

struct Evaluation<'a> {
    iterations: u32,
    split: Split,
    shapes: Shapes,
    known: Labelled,
    options: EvaluateOptions,
    /// Whether the games and labels are those of the source.
    is_of_source: bool,
    fits: &'a Fits<'a>,
}

impl Evaluation<'_> {
    fn run(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let Labelled { table, playable, groups, .. } = &self.known;
        let rows = table.rows().collect();
        let examples = Examples::new(Task::Classes, rows, playable.clone(), groups.clone())?;
        let contenders = contenders(table);
        let of_choice = cost_of_choice(&contenders);
        for Contender { name, learner, of_source, cost } in contenders {
            for protocol in [Protocol::LeaveOneOut, Protocol::Grouped] {
                let found = self.validated(&learner, cost, &examples, protocol)?;
                let mut result = self.result(name, protocol, &examples, &found);
                if of_source && protocol == Protocol::LeaveOneOut && self.options.permutations > 0 {
                    let run = |examples: &Examples<'_>| self.accuracy(&learner, cost, examples);
                    let Self { options, .. } = self;
                    let p = permutation_test(&examples, options.permutations, options.seed, &run)?;
                    result.permutation_p = Some(p);
                }
                if name == TREE && protocol == Protocol::LeaveOneOut {
                    result.tie_breaks = Some(self.tie_breaks(cost, &examples, &found)?);
                }
                report.results.push(result);
                if name == TREE && protocol == Protocol::LeaveOneOut {
                    let whole = learner.fit(&examples, self.options.seed)?;
                    report.trees.push(self.picture(&found, &whole));
                }
            }
        }
        let candidates = candidates(table, self.fits.watch());
        let nested = Nested { candidates, folds: Folds::Grouped(FOLDS_OF_CHOICE) };
        let found = self.validated(&nested, of_choice, &examples, Protocol::Nested)?;
        report.results.push(self.result("best", Protocol::Nested, &examples, &found));
        let Self { iterations, split, shapes, options, .. } = *self;
        let is_own = |one: &ClassResult| {
            one.iterations == iterations && one.split == split && one.shapes == shapes
        };
        let differences = ShapesDifference::each(&report.results, is_own, &examples, options);
        report.shapes.extend(differences);
        self.quality(report)
    }

    fn validated(
        &self,
        learner: &dyn Learner,
        cost: u64,
        examples: &Examples<'_>,
        protocol: Protocol,
    ) -> Result<Validated, EvaluateError> {
        let learner = self.counted(learner, cost);
        Ok(cross_validate(&learner, examples, protocol.folds(), self.options.seed)?)
    }

    /// A learner each of whose fits is progress of this cost.
    fn counted<L: Learner>(&self, learner: L, cost: u64) -> Counted<'_, L> {
        Counted { learner, cost, fits: self.fits }
    }

    /// The accuracy of a learner on labels that may be permuted.
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

    /// The accuracies of the tree for some orders of the attributes: of equally good splits it takes that of the
    /// first attribute. `found` is that of the order of the table.
    fn tie_breaks(
        &self,
        cost: u64,
        examples: &Examples<'_>,
        found: &Validated,
    ) -> Result<TieBreaks, EvaluateError> {
        let accuracy = |found: &Validated| {
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
        found: &Validated,
    ) -> ClassResult {
        let predictions = &found.predictions;
        let EvaluateOptions { draws, seed, .. } = self.options;
        let score = |of: ScoreOf<'_>| -> Option<Score> {
            bootstrap(predictions, examples, of, draws, seed)
        };
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
            by_source: self.by_source(predictions, examples),
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
                .map(|((game, probability), class)| GamePrediction {
                    game: game.clone(),
                    playable: *class == 1.0,
                    probability: *probability,
                })
                .collect(),
        }
    }

    /// The scores by the source of the labels; none where all are of one.
    fn by_source(&self, predictions: &[f64], examples: &Examples<'_>) -> Vec<SourceScore> {
        let EvaluateOptions { draws, seed, .. } = self.options;
        scores_by_source(predictions, examples, &self.known.sources, draws, seed)
    }

    /// The tree of all games, and which attributes those of the folds used (Williams 2010, Figure 5.7).
    fn picture(&self, found: &Validated, whole: &treegauge_learn::Fitted) -> TreePicture {
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
        let Labelled { table, ratings, groups, .. } = &self.known;
        let rated = self.known.rated();
        if rated.len() < RATED_GAMES_MIN {
            return Ok(());
        }
        let targets = rated.iter().filter_map(|&n| ratings[n]).collect();
        let rows = rated.iter().map(|&n| table.row(n)).collect();
        let own = rated.iter().map(|&n| groups[n]).collect();
        let examples = Examples::new(Task::Values, rows, targets, own)?;
        for Contender { name, learner, cost, .. } in self.known.quality_learners() {
            let found = self.validated(&learner, cost, &examples, Protocol::Grouped)?;
            let EvaluateOptions { draws, seed, .. } = self.options;
            let score = |of: ScoreOf<'_>| bootstrap(&found.predictions, &examples, of, draws, seed);
            report.quality.push(QualityResult {
                iterations: self.iterations,
                split: self.split,
                shapes: self.shapes,
                learner: name.to_owned(),
                games: examples.len(),
                correlation: score(&correlation),
                r_squared: score(&r_squared),
            });
        }
        Ok(())
    }
}
