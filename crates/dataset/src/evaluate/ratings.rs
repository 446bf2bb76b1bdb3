//! Evaluation of how well attributes of games predict the ratings of people.

use serde::{Deserialize, Serialize};
use treegauge_core::Watch;
use treegauge_gauge::vetted::Question;
use treegauge_learn::learners::{
    Boosting, Columns, ExtraTrees, KernelRidge, Mixture, Nested, Scaled,
};
use treegauge_learn::scores::{correlation, r_squared};
use treegauge_learn::{
    CrossValidation, Examples, Folds, LearnError, Learner, Random, Score, ScoreFn, Table, Task,
    Watched, bootstrap, cross_validate,
};

use super::{EvaluateError, EvaluateOptions, EvaluateReport, check_apart};
use crate::HumanRatings;
use crate::aggregate::{Aggregate, Source, kind_of};

/// Set of attributes for a prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeSet {
    /// Parameters of the game.
    Rules,
    /// Results of games between players.
    Players,
    /// Search trees of each player, and self-play.
    Trees,
    /// Search webs of each player.
    Webs,
    /// Parameters and players.
    RulesAndPlayers,
    /// All of these, and exact values.
    All,
}

impl AttributeSet {
    /// All sets, in the order of reports.
    pub const EACH: [AttributeSet; 6] = [
        AttributeSet::Rules,
        AttributeSet::Players,
        AttributeSet::Trees,
        AttributeSet::Webs,
        AttributeSet::RulesAndPlayers,
        AttributeSet::All,
    ];

    /// Name in reports.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            AttributeSet::Rules => "rules",
            AttributeSet::Players => "players",
            AttributeSet::Trees => "trees",
            AttributeSet::Webs => "webs",
            AttributeSet::RulesAndPlayers => "rules and players",
            AttributeSet::All => "all",
        }
    }

    fn has(self, source: Source) -> bool {
        let trees = [Source::TreesByPlayer, Source::Play];
        match self {
            AttributeSet::Rules => source == Source::Rules,
            AttributeSet::Players => source == Source::Players,
            AttributeSet::Trees => trees.contains(&source),
            AttributeSet::Webs => source == Source::WebsByPlayer,
            AttributeSet::RulesAndPlayers => [Source::Rules, Source::Players].contains(&source),
            AttributeSet::All => is_evaluated(source),
        }
    }
}

/// Tests whether ratings are predicted from a source. Trees and webs of both players together are
/// left out: they add nothing to those of each player.
fn is_evaluated(source: Source) -> bool {
    ![Source::Trees, Source::Webs].contains(&source)
}

/// Cross-validation by which ratings are predicted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingProtocol {
    /// Each game is predicted by a model of the nine tenths without it.
    TenFold,
    /// Each game is predicted by a model of the other categories.
    CategoryOut,
    /// As [`RatingProtocol::TenFold`], but attributes and learner are also chosen without the
    /// tested tenth.
    Nested,
}

/// Scores of one learner and set of attributes in predicting ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingResult {
    /// Question that people answered.
    pub question: Question,
    /// Set of attributes.
    pub attributes: AttributeSet,
    /// Name of the learner.
    pub learner: String,
    /// Cross-validation of the predictions.
    pub protocol: RatingProtocol,
    /// Number of games with ratings.
    pub games: usize,
    /// 1 less the squared errors as a part of those of the mean, at most 1. Its interval is by
    /// bootstrap over categories.
    pub r_squared: Option<Score>,
    /// Correlation of predicted and true ratings, -1 to 1.
    pub correlation: Option<Score>,
}

/// Importance of one kind of attribute in predicting ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeWeight {
    /// Question that people answered.
    pub question: Question,
    /// Kind of attribute.
    pub attribute: String,
    /// Loss of R2 if a game has the attributes of this kind from another game.
    pub loss: f64,
}

/// Point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// Question that people answered.
    pub question: Question,
    /// Number of training games.
    pub games: usize,
    /// Mean R2 over repetitions.
    pub r_squared: f64,
}

/// Joined tables of several datasets.
struct Joined {
    table: Table,
    sources: Vec<Source>,
    /// Subject of each column, without its player, strength and summary.
    kinds: Vec<String>,
}

impl Joined {
    /// Joins the rows of games that all datasets have.
    fn of(datasets: &[Aggregate], names: &[&str]) -> Result<Joined, EvaluateError> {
        let (mut columns, mut sources, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        for (n, dataset) in datasets.iter().enumerate() {
            // Rules are the same in all datasets.
            let is_new = |attribute: &str| n == 0 || Source::of(attribute) != Source::Rules;
            let own: Vec<usize> = (0..dataset.attributes.len())
                .filter(|&at| is_new(&dataset.attributes[at]))
                .filter(|&at| is_evaluated(Source::of(&dataset.attributes[at])))
                .collect();
            for &at in &own {
                let attribute = &dataset.attributes[at];
                columns.push(format!("{attribute}@{}", dataset.iterations));
                sources.push(Source::of(attribute));
                kinds.push(kind_of(attribute));
            }
            for (row, name) in rows.iter_mut().zip(names) {
                let game = dataset.games.iter().find(|game| game.game == *name);
                let game = game.expect("the games are those of all datasets");
                row.extend(own.iter().map(|&at| game.attributes[at]));
            }
        }
        let rows = names.iter().map(|name| (*name).to_owned()).zip(rows);
        Ok(Joined { table: Table::new(columns, rows)?, sources, kinds })
    }

    fn columns(&self, set: AttributeSet) -> Vec<usize> {
        (0..self.sources.len()).filter(|&n| set.has(self.sources[n])).collect()
    }
}

fn boxed(learner: impl Learner + 'static) -> Box<dyn Learner> {
    Box::new(learner)
}

/// Learners with their names in reports; the last one is the mean of the others.
fn learners() -> Vec<(&'static str, Box<dyn Learner>)> {
    let parts = || -> Vec<(&'static str, Box<dyn Learner>)> {
        vec![
            ("kernel_ridge", boxed(Scaled(KernelRidge { width: 3.0, penalty: 0.03 }))),
            ("extra_trees", boxed(ExtraTrees { trees: 100, leaf_min: 1 })),
            (
                "boosting",
                boxed(Boosting { trees: 100, rate: 0.05, depth: 3, ..Boosting::default() }),
            ),
        ]
    };
    let mut all = parts();
    all.push(("mixture", boxed(Mixture(parts().into_iter().map(|(_, one)| one).collect()))));
    all
}

fn mixture() -> Box<dyn Learner> {
    learners().pop().expect("the mixture is the last").1
}

const TENTHS: Folds = Folds::Stratified(10);

/// Number of repetitions of a shuffle, and of a point of a learning curve.
const REPETITIONS: u64 = 5;

/// Evaluates how well the joined tables of several datasets predict ratings. Games that a dataset
/// lacks are left out.
///
/// # Errors
///
/// When two datasets have the same iterations and source, fewer than 20 games of the datasets are
/// rated, a learner fails, or `watch` says stop.
pub fn evaluate_ratings(
    datasets: &[Aggregate],
    ratings: &HumanRatings,
    options: EvaluateOptions,
    watch: &dyn Watch,
) -> Result<EvaluateReport, EvaluateError> {
    let mut report = EvaluateReport::new(options);
    let of_play = [
        Source::TreesByPlayer,
        Source::WebsByPlayer,
        Source::Play,
        Source::Players,
        Source::Solved,
    ];
    check_apart(datasets, &of_play)?;
    let in_all = |name: &str| {
        datasets.iter().all(|dataset| dataset.games.iter().any(|game| game.game == name))
    };
    for question in Question::BOTH {
        let rated: Vec<_> = ratings
            .games
            .iter()
            .filter(|game| game.answer(question).is_some() && in_all(&game.game))
            .collect();
        if rated.is_empty() {
            continue;
        }
        if rated.len() < RATED_MIN {
            return Err(EvaluateError::FewRated { found: rated.len() });
        }
        let names: Vec<&str> = rated.iter().map(|game| &game.game[..]).collect();
        let joined = Joined::of(datasets, &names)?;
        let targets = rated.iter().filter_map(|game| game.answer(question)).collect();
        let mut categories: Vec<&str> = Vec::new();
        let mut group = |category| {
            categories.iter().position(|known| *known == category).unwrap_or_else(|| {
                categories.push(category);
                categories.len() - 1
            })
        };
        let groups = rated.iter().map(|game| group(&game.category[..])).collect();
        let examples = Examples::new(Task::Values, joined.table.rows().collect(), targets, groups)?;
        RatingEvaluation { question, joined: &joined, examples, options, watch }
            .run(&mut report)?;
    }
    if report.ratings.is_empty() {
        return Err(EvaluateError::FewRated { found: 0 });
    }
    Ok(report)
}

/// Minimum number of rated games to predict ratings.
pub const RATED_MIN: usize = 20;

struct RatingEvaluation<'a> {
    question: Question,
    joined: &'a Joined,
    examples: Examples<'a>,
    options: EvaluateOptions,
    watch: &'a dyn Watch,
}

impl RatingEvaluation<'_> {
    fn run(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let nested = |found: &CrossValidation| {
            self.result(AttributeSet::All, "best", RatingProtocol::Nested, found)
        };
        if self.examples.is_constant() {
            // All ratings are equal, so the difference to predict is always 0.
            let predictions = self.examples.targets().to_vec();
            report.ratings.push(nested(&CrossValidation { predictions, models: Vec::new() }));
            return Ok(());
        }
        let several = self.examples.groups().iter().any(|group| *group != 0);
        let mut candidates: Vec<Box<dyn Learner + '_>> = Vec::new();
        for set in AttributeSet::EACH {
            let columns = self.joined.columns(set);
            if columns.is_empty() {
                continue;
            }
            for (name, learner) in learners() {
                let learner = Columns { attributes: columns.clone(), learner };
                for (protocol, folds) in [
                    (RatingProtocol::TenFold, TENTHS),
                    (RatingProtocol::CategoryOut, Folds::LeaveOneGroupOut),
                ] {
                    if protocol == RatingProtocol::CategoryOut && !several {
                        continue;
                    }
                    let found = self.validated(&learner, folds)?;
                    report.ratings.push(self.result(set, name, protocol, &found));
                }
                candidates.push(Box::new(Watched { learner, watch: self.watch }));
            }
        }
        let best = Nested { candidates, folds: Folds::Stratified(5) };
        report.ratings.push(nested(&self.validated(&best, TENTHS)?));
        self.weights(report)?;
        self.curve(report)
    }

    fn validated(
        &self,
        learner: &dyn Learner,
        folds: Folds,
    ) -> Result<CrossValidation, EvaluateError> {
        if self.watch.stop() {
            return Err(EvaluateError::Interrupted);
        }
        Ok(cross_validate(
            &Watched { learner, watch: self.watch },
            &self.examples,
            folds,
            self.options.seed,
        )?)
    }

    fn r_squared(&self, predictions: &[f64]) -> f64 {
        r_squared(predictions, self.examples.targets()).unwrap_or(0.0)
    }

    fn result(
        &self,
        attributes: AttributeSet,
        learner: &str,
        protocol: RatingProtocol,
        found: &CrossValidation,
    ) -> RatingResult {
        let EvaluateOptions { draws, seed, .. } = self.options;
        let score =
            |of: ScoreFn<'_>| bootstrap(&found.predictions, &self.examples, of, draws, seed);
        RatingResult {
            question: self.question,
            attributes,
            learner: learner.to_owned(),
            protocol,
            games: self.examples.len(),
            r_squared: score(&r_squared),
            correlation: score(&correlation),
        }
    }

    /// Importance of each kind of attribute: R2 of the mixture of all attributes in ten folds, less
    /// its R2 if a tested game has the attributes of this kind from another game (Breiman 2001).
    fn weights(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let learner = mixture();
        let found = self.validated(&learner, TENTHS)?;
        let folds = TENTHS.of(&self.examples, self.options.seed)?;
        let rows = self.examples.rows();
        let whole = self.r_squared(&found.predictions);
        let mut kinds: Vec<&String> = self.joined.kinds.iter().collect();
        kinds.sort();
        kinds.dedup();
        let mut weights = Vec::new();
        for kind in kinds {
            let own: Vec<usize> =
                (0..rows[0].len()).filter(|&n| self.joined.kinds[n] == *kind).collect();
            let mut loss = 0.0;
            for repetition in 0..REPETITIONS {
                let mut other: Vec<usize> = (0..rows.len()).collect();
                Random::new(self.options.seed.wrapping_add(repetition)).shuffle(&mut other);
                let mut predictions = vec![0.0; rows.len()];
                for (fold, model) in folds.iter().zip(&found.models) {
                    for &n in fold {
                        let mut row = rows[n].to_vec();
                        own.iter().for_each(|&at| row[at] = rows[other[n]][at]);
                        predictions[n] = model.predict(&row);
                    }
                }
                loss += (whole - self.r_squared(&predictions)) / REPETITIONS as f64;
            }
            weights.push(AttributeWeight {
                question: self.question,
                attribute: kind.clone(),
                loss,
            });
        }
        weights.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.attribute.cmp(&b.attribute)));
        report.rating_weights.extend(weights);
        Ok(())
    }

    /// R2 of the mixture of all attributes in ten folds, if it learns from fewer games.
    fn curve(&self, report: &mut EvaluateReport) -> Result<(), EvaluateError> {
        let most = self.examples.len() - self.examples.len().div_ceil(10);
        let sizes = [20, 30, 40, 60, 80, 120, 200].into_iter().filter(|&size| size < most);
        for games in sizes.chain([most]) {
            let mut sum = 0.0;
            for repetition in 0..REPETITIONS {
                let learner = Fewer { games, learner: mixture(), repetition };
                sum += self.r_squared(&self.validated(&learner, TENTHS)?.predictions);
            }
            let r_squared = sum / REPETITIONS as f64;
            report.learning_curve.push(CurvePoint { question: self.question, games, r_squared });
        }
        Ok(())
    }
}

/// Learner from some of the examples, picked at random.
#[derive(Debug)]
struct Fewer {
    games: usize,
    learner: Box<dyn Learner>,
    repetition: u64,
}

impl Learner for Fewer {
    fn name(&self) -> String {
        format!("{} of {} games", self.learner.name(), self.games)
    }

    fn fit(
        &self,
        examples: &Examples<'_>,
        seed: u64,
    ) -> Result<treegauge_learn::Fitted, LearnError> {
        let mut which: Vec<usize> = (0..examples.len()).collect();
        Random::new(seed.wrapping_add(self.repetition << 32)).shuffle(&mut which);
        which.truncate(self.games);
        self.learner.fit(&examples.some(&which), seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RatedGame;
    use crate::aggregate::GameAggregate;

    /// Games whose fun follows from the bias between two players if `told`, and from nothing
    /// otherwise.
    fn games(told: bool) -> (Aggregate, HumanRatings) {
        let attributes = ["first.worst.mean", "players.random:random.bias", "rules.rows"];
        let mut random = Random::new(4);
        let mut ratings = HumanRatings::default();
        let mut games = Vec::new();
        for n in 0..40 {
            let row: Vec<f64> = (0..3).map(|_| random.share()).collect();
            let fun = 100.0 * if told { 1.0 - row[1] } else { random.share() };
            let game = format!("game {n}");
            let category = format!("category {}", n % 5);
            ratings.games.push(RatedGame {
                game: game.clone(),
                category,
                fun: Some(fun),
                payoff: None,
            });
            games.push(GameAggregate {
                game,
                instances: 1,
                trees: 1,
                results: None,
                attributes: row,
            });
        }
        let attributes = attributes.map(str::to_owned).into();
        (Aggregate { iterations: 10, attributes, games }, ratings)
    }

    fn evaluated(told: bool) -> EvaluateReport {
        let (aggregate, ratings) = games(told);
        let options = EvaluateOptions { draws: 200, ..EvaluateOptions::default() };
        evaluate_ratings(&[aggregate], &ratings, options, &()).unwrap()
    }

    fn nested(report: &EvaluateReport) -> f64 {
        let found = report.ratings.iter().find(|one| one.protocol == RatingProtocol::Nested);
        found.unwrap().r_squared.unwrap().mean
    }

    #[test]
    fn what_carries_a_rating_is_found() {
        let report = evaluated(true);
        assert!(nested(&report) > 0.9, "{}", nested(&report));
        assert_eq!(report.rating_weights[0].attribute, "bias between players");
        assert!(report.rating_weights[0].loss > 0.5);
        assert!(report.rating_weights[1].loss < 0.1);
        // Players suffice, rules tell nothing, and nobody was asked for the payoff.
        let mixture = |set| {
            let is = |one: &&RatingResult| {
                let tenths = one.protocol == RatingProtocol::TenFold;
                tenths && one.attributes == set && one.learner == "mixture"
            };
            report.ratings.iter().find(is).unwrap().r_squared.unwrap().mean
        };
        assert!(mixture(AttributeSet::Players) > 0.9);
        assert!(mixture(AttributeSet::Rules) < 0.2);
        assert!(report.ratings.iter().all(|one| one.question == Question::Fun));
        let curve: Vec<f64> = report.learning_curve.iter().map(|point| point.r_squared).collect();
        assert_eq!(report.learning_curve.last().unwrap().games, 36);
        assert!(curve.first() < curve.last(), "{curve:?}");
    }

    #[test]
    fn nothing_is_found_in_noise() {
        let report = evaluated(false);
        assert!(nested(&report) < 0.2, "{}", nested(&report));
    }

    #[test]
    fn a_few_games_are_refused_and_a_stop_is_obeyed() {
        let (mut aggregate, mut ratings) = games(true);
        struct Stopped;
        impl Watch for Stopped {
            fn stop(&self) -> bool {
                true
            }
        }
        let options = EvaluateOptions::default();
        let run = |aggregate: &Aggregate, ratings: &HumanRatings, watch: &dyn Watch| {
            evaluate_ratings(std::slice::from_ref(aggregate), ratings, options, watch)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(run(&aggregate, &ratings, &Stopped), "interrupted");
        aggregate.games.truncate(19);
        let few = "too few rated games: the datasets have 19, and at least 20 are needed";
        assert_eq!(run(&aggregate, &ratings, &()), few);
        ratings.games.clear();
        assert!(
            run(&aggregate, &ratings, &()).starts_with("too few rated games: the datasets have 0")
        );
    }
}
