//! Prediction of whether a game is playable, by models of bootstrap samples of the labelled games
//! and calibrations of their answers.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::{Chance, Decided, LabelSource, Playability, PlayableScores};
use treegauge_learn::learners::Boosting;
use treegauge_learn::scores::{Confusion, auc, brier};
use treegauge_learn::{
    Bag, Calibration, Examples, Folds, Learner, Link, Random, ScoreFn, Task, bootstrap,
};
use treegauge_stats::Z;

use super::baselines::Rivals;
use super::basis::{KnownGame, TrainingBasis, TrainingData};
use super::{TrainError, TrainOptions};
use crate::Corpus;
use crate::aggregate::Source;
use crate::evaluate::{Baseline, EvaluateError, TreesGain, canonical, play_of, scores_by_source};

/// Sources of attributes: all trees of a game, and its self-play.
const SOURCES: [Source; 2] = [Source::Trees, Source::Play];

/// Minimum number of labelled games of each class to learn from.
pub(super) const EACH_CLASS_MIN: usize = 10;

/// Minimum number of games of each class for a source of labels to be a standard of its own.
const STANDARD_MIN: usize = 10;

/// Minimum number of groups that these games belong to.
const STANDARD_GROUPS_MIN: usize = 3;

/// Predictor of whether a game is playable.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayablePredictor {
    /// Known games, and the self-play that attributes come from.
    pub basis: TrainingBasis,
    /// Name of the learner.
    pub learner: String,
    /// Models of bootstrap samples.
    pub bag: Bag,
    /// Calibrations of the models' answers: first by all labels together, then by those of each
    /// source alone.
    pub standards: Vec<Standard>,
    /// Scores on the known games, each predicted by the models that have not seen its group.
    pub scores: PlayableScores,
}

/// Calibration of answers by the labels of one source, or of all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standard {
    /// Source of the labels; `None` for all labels, with the same weight for each source.
    pub by: Option<LabelSource>,
    /// Turns a prediction into a probability by these labels.
    pub calibration: Calibration,
    /// Calibrations from samples of the groups, one for each model.
    pub draws: Vec<Calibration>,
}

/// Attributes of a game, and their variation over its self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Attributes from all instances.
    pub row: Vec<f64>,
    /// Attributes without one part of the instances, for each of a few parts of equal size.
    pub without_parts: Vec<Vec<f64>>,
}

/// Scores of the rivals of a model, and the gain of the search trees over them.
type RivalScores = (Vec<Baseline>, TreesGain);

impl PlayablePredictor {
    /// Trains on the labelled games of a dataset. The scores of the rivals are those of
    /// [`Rivals::scores`]; none in data without results.
    pub(super) fn train(
        data: &TrainingData,
        corpus: &Corpus,
        options: TrainOptions,
        learner: &dyn Learner,
    ) -> Result<(PlayablePredictor, Option<RivalScores>), TrainError> {
        let mut games = Vec::new();
        for game in &corpus.games {
            let name = canonical(&game.game)?;
            if data.aggregate.games.iter().any(|row| row.game == name) {
                if games.iter().any(|known: &KnownGame| known.game == name) {
                    return Err(TrainError::Twice(name));
                }
                games.push(KnownGame {
                    game: name,
                    group: game.group.clone(),
                    target: f64::from(u8::from(game.playable)),
                    by: Some(game.by),
                    row: Vec::new(),
                });
            }
        }
        let playable = games.iter().filter(|game| game.target == 1.0).count();
        let unplayable = games.len() - playable;
        if playable.min(unplayable) < EACH_CLASS_MIN {
            return Err(TrainError::FewLabelled { playable, unplayable });
        }
        let basis = TrainingBasis::new(std::slice::from_ref(data), &SOURCES, games);
        let rows = basis.rows();
        let groups = basis.groups();
        let classes: Vec<f64> = basis.games.iter().map(|game| game.target).collect();
        let slices = rows.iter().map(Vec::as_slice).collect();
        let examples = Examples::new(Task::Classes, slices, classes, groups.clone())?;
        if groups.iter().all(|group| *group == 0) {
            let (games, group) = (basis.games.len(), basis.games[0].group.clone());
            return Err(EvaluateError::OneGroup { games, group }.into());
        }
        let bag = Bag::fit(learner, &examples, options.replicates, options.seed)?;
        let means = unseen(&bag, &examples)?;
        let sources: Vec<LabelSource> = basis.games.iter().filter_map(|game| game.by).collect();
        let standards = standards(&means, &examples, &sources, options, bag.len());
        let mut predictor = PlayablePredictor {
            basis,
            learner: learner.name(),
            bag,
            standards,
            scores: PlayableScores {
                iterations: data.plan.header.iterations,
                instances: data.plan.instances,
                playable,
                unplayable,
                groups: groups.iter().max().map_or(0, |most| most + 1),
                accuracy: None,
                auc: None,
                brier: None,
                decided: Vec::new(),
                by_source: Vec::new(),
                confusion: Confusion::default(),
                pairs: None,
            },
        };
        predictor.score(&rows, &examples, &sources, options);
        let row_of = |name: &str| data.aggregate.games.iter().find(|row| row.game == name);
        let play = predictor.basis.games.iter().map(|game| row_of(&game.game).and_then(play_of));
        let play: Option<Vec<[f64; 3]>> = play.collect();
        let rivals = play.map(|play| {
            let iterations = data.plan.header.iterations;
            let rivals = Rivals {
                iterations,
                examples: &examples,
                play: &play,
                sources: &sources,
                options,
                learner,
            };
            rivals.scores(&calibrated(&means, &examples, &sources, options))
        });
        Ok((predictor, rivals.transpose()?))
    }

    /// Scores the predictor on its known games.
    fn score(
        &mut self,
        rows: &[Vec<f64>],
        examples: &Examples<'_>,
        sources: &[LabelSource],
        options: TrainOptions,
    ) {
        let own: Vec<Vec<Chance>> = rows
            .iter()
            .zip(examples.groups())
            .map(|(row, &group)| {
                let measured = Measured { row: row.clone(), without_parts: Vec::new() };
                self.chances(&measured, Some(group))
            })
            .collect();
        let predictions: Vec<f64> = own.iter().map(|chances| chances[0].probability).collect();
        let TrainOptions { draws, seed, .. } = options;
        let score = |of: ScoreFn<'_>| bootstrap(&predictions, examples, of, draws, seed);
        let verdicts =
            rows.iter().zip(&self.basis.games).zip(&own).map(|((row, game), chances)| {
                match self.basis.is_outside(row, Some(&game.group)) {
                    true => Playability::CannotTell,
                    false => self.verdict(chances, &self.basis.kin(row, Some(&game.group))),
                }
            });
        let verdicts: Vec<Playability> = verdicts.collect();
        let decided = |by: Option<LabelSource>| {
            let own: Vec<usize> =
                (0..rows.len()).filter(|&n| by.is_none_or(|by| sources[n] == by)).collect();
            let is = |&n: &usize| verdicts[n] != Playability::CannotTell;
            let is_right =
                |&n: &usize| (verdicts[n] == Playability::Yes) == (examples.targets()[n] == 1.0);
            let decided: Vec<usize> = own.iter().copied().filter(is).collect();
            let right = decided.iter().copied().filter(is_right).count();
            Decided { by, games: own.len(), decided: decided.len(), right }
        };
        let accuracy: ScoreFn<'_> = &|p, c| Confusion::of(p, c).accuracy();
        self.scores.accuracy = score(accuracy);
        self.scores.auc = score(&auc);
        self.scores.brier = score(&brier);
        self.scores.confusion = Confusion::of(&predictions, examples.targets());
        let kinds: BTreeSet<LabelSource> = sources.iter().copied().collect();
        let kinds = kinds.into_iter().map(Some);
        self.scores.decided = std::iter::once(None).chain(kinds).map(decided).collect();
        let predicted = predictions.into();
        self.scores.by_source =
            scores_by_source(&predicted, examples, sources, options.of_scores());
    }

    /// Probabilities that a game is playable, one by each standard. A game of a known group is
    /// predicted by the models that have not seen the group.
    ///
    /// The interval includes two uncertainties: of the sample of groups (by models and calibrations
    /// of bootstrap samples), and of the sample of self-play (by the jackknife over parts of the
    /// instances).
    #[must_use]
    pub fn chances(&self, measured: &Measured, group: Option<usize>) -> Vec<Chance> {
        let predictions = self.bag.predictions(&measured.row, group);
        // Only a model from a file may have no answer.
        let whole = mean(&predictions).unwrap_or(0.5);
        let parts: Vec<f64> = measured
            .without_parts
            .iter()
            .map(|row| mean(&self.bag.predictions(row, group)).unwrap_or(0.5))
            .collect();
        let chance = |standard: &Standard| {
            let middle = standard.calibration.ln_odds(whole);
            let replicates = predictions.iter().zip(&standard.draws);
            let replicates: Vec<f64> = replicates
                .filter_map(|(p, calibration)| p.map(|p| calibration.ln_odds(p)))
                .collect();
            let parts: Vec<f64> = parts.iter().map(|&p| standard.calibration.ln_odds(p)).collect();
            let n = parts.len() as f64;
            let deviation = (variance(&replicates)
                + if n > 1.0 { (n - 1.0) * variance(&parts) } else { 0.0 })
            .sqrt();
            let at = |z: f64| Link::Logistic.of(middle + z * deviation);
            Chance { probability: at(0.0), low: at(-Z), high: at(Z) }
        };
        self.standards.iter().map(chance).collect()
    }

    /// Decides whether a game is playable, from its probabilities by each standard. All labels
    /// together and the labels of its kin must agree.
    #[must_use]
    pub fn verdict(&self, chances: &[Chance], kin: &[LabelSource]) -> Playability {
        let of = |by: &LabelSource| self.standards.iter().any(|one| one.by == Some(*by));
        if self.standards.len() > 1 && !kin.iter().all(of) {
            // Without such a standard, the worth of the answers by the labels of its kin is
            // unknown.
            return Playability::CannotTell;
        }
        let asked = |standard: &Standard| standard.by.is_none_or(|by| kin.contains(&by));
        let asked = self.standards.iter().zip(chances).filter(|(standard, _)| asked(standard));
        Playability::of_all(asked.map(|(_, chance)| chance.verdict()))
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.basis.check()?;
        if !self.bag.is_sound(self.basis.attributes.len()) {
            return Err("a model of playable games is not one of its attributes".to_owned());
        }
        let sound = |one: &Standard| one.draws.len() == self.bag.len();
        if self.standards.is_empty() || !self.standards.iter().all(sound) {
            return Err("a standard lacks the calibration of a model".to_owned());
        }
        let finite =
            |one: &Standard| one.draws.iter().chain([&one.calibration]).all(|of| of.is_sound());
        if !self.standards.iter().all(finite) {
            return Err("a calibration has a number beyond its range".to_owned());
        }
        Ok(())
    }
}

/// Learner of playable games.
pub(super) fn learner() -> Boosting {
    Boosting { trees: 60, rate: 0.1, depth: 2, ..Boosting::default() }
}

/// Mean prediction of each example by the models that have not seen its group.
pub(super) fn unseen(bag: &Bag, examples: &Examples<'_>) -> Result<Vec<f64>, TrainError> {
    let games = examples.rows().iter().zip(examples.groups());
    let predictions = games.map(|(row, &group)| mean(&bag.predictions(row, Some(group))));
    predictions.map(|mean| mean.ok_or(TrainError::FewReplicates)).collect()
}

/// Probabilities by all labels of games with these predictions.
pub(super) fn calibrated(
    predictions: &[f64],
    examples: &Examples<'_>,
    sources: &[LabelSource],
    options: TrainOptions,
) -> Vec<f64> {
    let standard = standards(predictions, examples, sources, options, 0);
    let calibration = standard[0].calibration;
    predictions.iter().map(|&prediction| calibration.probability(prediction)).collect()
}

/// Calibrations by all labels, with the same weight for each source, and by the labels of each
/// source that has enough.
fn standards(
    predictions: &[f64],
    examples: &Examples<'_>,
    sources: &[LabelSource],
    options: TrainOptions,
    draws: usize,
) -> Vec<Standard> {
    let kinds: BTreeSet<LabelSource> = sources.iter().copied().collect();
    let groups = Folds::LeaveOneGroupOut.of(examples, options.seed).expect("there are two groups");
    let classes = examples.targets();
    let fit = |by: Option<LabelSource>, which: &[usize]| {
        let own: Vec<usize> =
            which.iter().copied().filter(|&n| by.is_none_or(|by| sources[n] == by)).collect();
        let count = |of: LabelSource| own.iter().filter(|&&n| sources[n] == of).count() as f64;
        let counts: Vec<(LabelSource, f64)> = kinds.iter().map(|&of| (of, count(of))).collect();
        let present = counts.iter().filter(|(_, count)| *count > 0.0).count() as f64;
        let weight = |n: usize| {
            let same =
                counts.iter().find(|(of, _)| *of == sources[n]).map_or(1.0, |(_, count)| *count);
            own.len() as f64 / (present * same)
        };
        let take = |of: &[f64]| own.iter().map(|&n| of[n]).collect::<Vec<f64>>();
        let weights: Vec<f64> = own.iter().map(|&n| weight(n)).collect();
        Calibration::fit(&take(predictions), &take(classes), &weights)
    };
    let standard = |by: Option<LabelSource>| {
        let all: Vec<usize> = (0..classes.len()).collect();
        let calibration = fit(by, &all)?;
        // A sample of one class tells nothing; another one is drawn in its place.
        let mut random = Random::new(options.seed);
        let mut found = Vec::new();
        for _ in 0..100 * draws {
            if found.len() < draws {
                let drawn =
                    (0..groups.len()).flat_map(|_| groups[random.below(groups.len())].clone());
                found.extend(fit(by, &drawn.collect::<Vec<usize>>()));
            }
        }
        found.resize(draws, calibration);
        Some(Standard { by, calibration, draws: found })
    };
    let enough = |&by: &LabelSource| {
        let own = || (0..classes.len()).filter(|&n| sources[n] == by);
        let count = |class: f64| own().filter(|&n| classes[n] == class).count();
        let groups: BTreeSet<usize> = own().map(|n| examples.groups()[n]).collect();
        count(0.0).min(count(1.0)) >= STANDARD_MIN && groups.len() >= STANDARD_GROUPS_MIN
    };
    let mut own: Vec<LabelSource> = kinds.iter().copied().filter(enough).collect();
    if kinds.len() < 2 {
        own.clear();
    }
    std::iter::once(None).chain(own.into_iter().map(Some)).filter_map(standard).collect()
}

fn mean(of: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = of.iter().copied().flatten().collect();
    (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
}

/// Population variance; 0 for an empty slice.
fn variance(of: &[f64]) -> f64 {
    if of.is_empty() {
        return 0.0;
    }
    let mean = of.iter().sum::<f64>() / of.len() as f64;
    of.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / of.len() as f64
}
