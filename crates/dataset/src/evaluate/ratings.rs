//! How well attributes of games predict what people say of them.

use serde::{Deserialize, Serialize};
use treegauge_core::Watch;
use treegauge_gauge::vetted::Question;
use treegauge_learn::learners::{
    Boosting, Columns, ExtraTrees, KernelRidge, Mixture, Nested, Scaled,
};
use treegauge_learn::scores::{correlation, r_squared};
use treegauge_learn::{
    Examples, Folds, LearnError, Learner, Random, Score, ScoreOf, Table, Task, Validated, Watched,
    bootstrap, cross_validate,
};

use super::{EvaluateError, EvaluateOptions, EvaluateReport, check_apart};
use crate::HumanRatings;
use crate::aggregate::{Aggregate, Source, kind_of};

/// The attributes that a prediction looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttributeSet {
    /// The parameters of the game.
    Rules,
    /// How games between players end.
    Players,
    /// The search trees of each player, and self-play.
    Trees,
    /// The search webs of each player.
    Webs,
    /// Parameters and players.
    RulesAndPlayers,
    /// All.
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

    /// The name in reports.
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

/// Whether ratings are predicted from a source: trees and webs of both players together say nothing that
/// those of each player do not.
fn is_evaluated(source: Source) -> bool {
    ![Source::Trees, Source::Webs].contains(&source)
}

/// How predictions of ratings were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RatingProtocol {
    /// Each game by a model of nine tenths of the others.
    TenFold,
    /// Each game by a model of the other categories.
    CategoryOut,
    /// By tenths, attributes and learner too being chosen without the tenth that is tested.
    Nested,
}

/// How well a rating is predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingResult {
    /// What people were asked.
    pub question: Question,
    /// The attributes.
    pub attributes: AttributeSet,
    /// The learner.
    pub learner: String,
    /// How predictions were made.
    pub protocol: RatingProtocol,
    /// The games with ratings.
    pub games: usize,
    /// 1 less the squared errors as a part of those of the mean, with its interval by the bootstrap over
    /// categories.
    pub r_squared: Option<Score>,
    /// The correlation of predicted and true ratings.
    pub correlation: Option<Score>,
}

/// What a kind of attribute carries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeWeight {
    /// What people were asked.
    pub question: Question,
    /// The kind of attribute.
    pub attribute: String,
    /// How much of R2 is lost where the attributes of this kind are those of another game.
    pub loss: f64,
}

/// A point of a learning curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    /// What people were asked.
    pub question: Question,
    /// Games that are learned from.
    pub games: usize,
    /// The mean R2 over repetitions.
    pub r_squared: f64,
}

/// The tables of several datasets side by side.
struct Joined {
    table: Table,
    sources: Vec<Source>,
    /// What each column is about, whichever player, strength and summary it is of.
    kinds: Vec<String>,
}

impl Joined {
    /// The games of some ratings that all datasets have.
    fn of(datasets: &[Aggregate], names: &[&str]) -> Result<Joined, EvaluateError> {
        let (mut columns, mut sources, mut kinds) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows: Vec<Vec<f64>> = vec![Vec::new(); names.len()];
        for (n, dataset) in datasets.iter().enumerate() {
            // Rules are the same in all.
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

/// The learners by the names that reports give them; the last one is the mean of the others.
fn learners() -> Vec<(&'static str, Box<dyn Learner>)> {
    let parts = || -> Vec<(&'static str, Box<dyn Learner>)> {
        vec![
            ("kernel_ridge", boxed(Scaled(KernelRidge { width: 3.0, penalty: 0.03 }))),
            ("extra_trees", boxed(ExtraTrees { trees: 100, leaf_min: 1 })),
            ("boosting", boxed(Boosting { trees: 100, rate: 0.05, depth: 3 })),
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

/// Repetitions of a shuffle and of a point of a learning curve.
const REPETITIONS: u64 = 5;

/// Evaluates how well some datasets together predict ratings. The datasets have the same games; their
/// tables stand side by side.
///
/// # Errors
///
/// When two datasets have the same iterations, fewer than 20 games of the datasets are rated, a learner
/// fails, or `watch` says stop.
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

/// The fewest games from which ratings are predicted.
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
        let nested = |found: &Validated| {
            self.result(AttributeSet::All, "best", RatingProtocol::Nested, found)
        };
        if self.examples.is_constant() {
            // There are no differences to predict.
            let predictions = self.examples.targets().to_vec();
            report.ratings.push(nested(&Validated { predictions, models: Vec::new() }));
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

    fn validated(&self, learner: &dyn Learner, folds: Folds) -> Result<Validated, EvaluateError> {
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
        found: &Validated,
    ) -> RatingResult {
        let EvaluateOptions { draws, seed, .. } = self.options;
        let score =
            |of: ScoreOf<'_>| bootstrap(&found.predictions, &self.examples, of, draws, seed);
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

    /// What each kind of attribute carries: R2 of the mixture of all attributes by tenths, less the same
    /// where a tested game has the attributes of this kind of another game (Breiman 2001).
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

    /// R2 of the mixture of all attributes by tenths, where it learns from fewer games.
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

/// Learns from some of the examples, picked at random.
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

    /// Games whose fun is said by the bias between two players, if by anything.
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
        // Players are enough, rules say nothing, and nobody was asked for the payoff.
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
