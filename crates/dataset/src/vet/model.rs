//! Trained models: predictors with all that they need to judge a new game.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, Watch};
use treegauge_gauge::vetted::{
    KnownLabel, MissingRating, ModelCard, ModelScores, Playability, PlayableScores,
    PredictedRating, Predicts, Question, SourceChance, StrengthChance, VettedGame, WhyMissing,
};
use treegauge_learn::{Learner, Watched};

use super::basis::{DataPlan, KnownGame, TrainingData};
use super::order::Votes;
use super::playable::{self, Measured, PlayablePredictor};
use super::rating::{self, RatingPredictor};
use super::reasons::reasons;
use super::{TrainError, TrainOptions};
use crate::aggregate::{Aggregate, Aggregator, GameResults};
use crate::collect::Instance;
use crate::evaluate::{Baseline, TreesGain};
use crate::{Corpus, HumanRatings};

/// Number of parts that the instances of a game are divided into. Each is left out once.
pub const PARTS: usize = 5;

/// Model that predicts whether games are playable, and the ratings of people.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Fields")]
pub struct Model {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name.
    pub name: String,
    /// Version of the program that trained it.
    pub version: String,
    /// Date of training, as stated by whoever trained it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Predictors of playable games, one for each strength of self-play, weakest first.
    pub playable: Vec<PlayablePredictor>,
    /// Predictors of the ratings of people.
    pub ratings: Vec<RatingPredictor>,
}

/// Fields of a model file. With a flattened head, unknown fields would be kept as trees; so the
/// head has fields of its own here, and unknown ones are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    schema: u32,
    kind: String,
    name: String,
    version: String,
    #[serde(default)]
    date: Option<String>,
    playable: Vec<PlayablePredictor>,
    ratings: Vec<RatingPredictor>,
}

impl TryFrom<Fields> for Model {
    type Error = String;

    fn try_from(fields: Fields) -> Result<Model, String> {
        let Fields { schema, kind, name, version, date, playable, ratings } = fields;
        Ok(Model { head: ReportHeader::of(schema, &kind)?, name, version, date, playable, ratings })
    }
}

impl Model {
    /// Reads a model from its JSON. Its numbers may be of any size, and its parts may not fit
    /// together; [`ReportKind::check`] finds the latter.
    ///
    /// # Errors
    ///
    /// If the text is not JSON, or has other fields.
    pub fn of_json(text: &[u8]) -> Result<Model, serde_json::Error> {
        serde_json::from_slice(text)
    }
}

impl ReportKind for Model {
    const KIND: &'static str = "model";

    fn check(&self) -> Result<(), String> {
        self.playable.iter().try_for_each(PlayablePredictor::check)?;
        self.ratings.iter().try_for_each(RatingPredictor::check)?;
        if self.playable.is_empty() && self.ratings.is_empty() {
            return Err("it predicts nothing".to_owned());
        }
        Ok(())
    }
}

/// Predictors that a training yields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trained {
    /// Predictors of playable games, one for each dataset.
    pub playable: Vec<PlayablePredictor>,
    /// Predictors of the ratings of people.
    pub ratings: Vec<RatingPredictor>,
    /// Scores of the length and the results of self-play beside those of the predictors of playable
    /// games, for each dataset that has results.
    pub baselines: Vec<Baseline>,
    /// Gain of search trees over the length and the results of self-play, for each of these.
    pub trees_gain: Vec<TreesGain>,
}

impl Trained {
    /// Trains predictors of playable games, on each dataset by itself.
    ///
    /// # Errors
    ///
    /// When labels and datasets do not fit together, there are too few games, or `watch` says stop.
    pub fn playable(
        datasets: &[TrainingData],
        corpus: &Corpus,
        options: TrainOptions,
        watch: &dyn Watch,
    ) -> Result<Trained, TrainError> {
        let learner = Watched { learner: playable::learner(), watch };
        let mut trained = Trained::default();
        for data in datasets {
            let (predictor, rivals) = PlayablePredictor::train(data, corpus, options, &learner)?;
            trained.playable.push(predictor);
            if let Some((baselines, gain)) = rivals {
                trained.baselines.extend(baselines);
                trained.trees_gain.push(gain);
            }
        }
        Ok(trained)
    }

    /// Trains predictors of the ratings of people, on all datasets together.
    ///
    /// # Errors
    ///
    /// When there are too few rated games, all ratings are the same, or `watch` says stop.
    pub fn ratings(
        datasets: &[TrainingData],
        ratings: &HumanRatings,
        options: TrainOptions,
        watch: &dyn Watch,
    ) -> Result<Trained, TrainError> {
        let learner: &dyn Learner = &Watched { learner: rating::learner(), watch };
        let train =
            |question| RatingPredictor::train(datasets, ratings, question, options, learner);
        let found: Vec<Option<RatingPredictor>> =
            Question::BOTH.into_iter().map(train).collect::<Result<_, _>>()?;
        let ratings: Vec<RatingPredictor> = found.into_iter().flatten().collect();
        if ratings.is_empty() {
            return Err(TrainError::FewRated { found: 0 });
        }
        Ok(Trained { ratings, ..Trained::default() })
    }

    /// Builds the model of this name. Predictors that the training lacks come from `other`.
    #[must_use]
    pub fn model(self, name: String, date: Option<String>, other: Option<Model>) -> Model {
        let (playable, ratings) =
            other.map_or_else(Default::default, |other| (other.playable, other.ratings));
        let mut model = Model {
            head: ReportHeader::NEW,
            name,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date,
            playable: if self.playable.is_empty() { playable } else { self.playable },
            ratings: if self.ratings.is_empty() { ratings } else { self.ratings },
        };
        model.playable.sort_by_key(|predictor| predictor.scores.iterations);
        model
    }
}

/// Attributes of games by one plan of self-play: from all instances, and without each part of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Plan of the self-play.
    pub plan: DataPlan,
    /// Attributes from all instances.
    pub whole: Aggregate,
    /// Attributes without each of the [`PARTS`] parts of the instances.
    pub without_parts: Vec<Aggregate>,
}

/// Accumulator of the instances of one plan. The instances of a game must be added in the order of
/// their numbers.
#[derive(Debug)]
pub struct Measuring {
    plan: DataPlan,
    whole: Aggregator,
    without_parts: Vec<Aggregator>,
}

impl Measuring {
    /// Starts without instances.
    #[must_use]
    pub fn new(plan: &DataPlan) -> Measuring {
        let none = || Aggregator::new(&plan.header);
        let without_parts = (0..PARTS).map(|_| none()).collect();
        Measuring { plan: plan.clone(), whole: none(), without_parts }
    }

    /// Adds an instance.
    pub fn add(&mut self, instance: &Instance) {
        self.whole.add(instance);
        for (n, part) in self.without_parts.iter_mut().enumerate() {
            if instance.instance as usize % PARTS != n {
                part.add(instance);
            }
        }
    }

    /// Finishes the measurement, and adds the parameters of the games to the attributes.
    ///
    /// # Panics
    ///
    /// When an instance is of something that is not a game.
    #[must_use]
    pub fn finish(self) -> Measurement {
        let rules =
            |folds: Aggregator| folds.finish().with_rules().expect("played games have parameters");
        Measurement {
            plan: self.plan,
            whole: rules(self.whole),
            without_parts: self.without_parts.into_iter().map(rules).collect(),
        }
    }
}

impl Model {
    /// Plans by which a game must be played before it can be judged, each once, cheapest first.
    #[must_use]
    pub fn plans(&self) -> Vec<&DataPlan> {
        let of_ratings = self.ratings.iter().flat_map(|one| &one.basis.data);
        let mut plans: Vec<&DataPlan> = Vec::new();
        for plan in self.playable.iter().flat_map(|one| &one.basis.data).chain(of_ratings) {
            if !plans.contains(&plan) {
                plans.push(plan);
            }
        }
        plans.sort_by_key(|plan| plan.header.iterations);
        plans
    }

    /// Tests whether a game must be played by a plan before it can be judged. The ratings of people
    /// are predicted only for games of families that people rated.
    #[must_use]
    pub fn asks(&self, plan: &DataPlan, game: &str) -> bool {
        let family = |name: &str| name.split('(').next().unwrap_or(name).to_owned();
        let rated = |one: &RatingPredictor| {
            let same = |known: &KnownGame| family(&known.game) == family(game);
            one.basis.data.contains(plan) && one.basis.games.iter().any(same)
        };
        self.playable.iter().any(|one| one.basis.data.contains(plan))
            || self.ratings.iter().any(rated)
    }

    /// Description of the model; `digest` is that of its file.
    #[must_use]
    pub fn card(&self, digest: String) -> ModelCard {
        let playable = self.playable.iter().map(|one| one.basis.trained_on(Predicts::Playable));
        let ratings = self.ratings.iter().map(|one| one.basis.trained_on(one.question.into()));
        let scores =
            |one: &PlayablePredictor| PlayableScores { pairs: one.pairs(), ..one.scores.clone() };
        ModelCard {
            name: self.name.clone(),
            digest,
            version: self.version.clone(),
            date: self.date.clone(),
            trained_on: playable.chain(ratings).collect(),
            scores: ModelScores {
                playable: self.playable.iter().map(scores).collect(),
                ratings: self.ratings.iter().map(|one| one.scores.clone()).collect(),
            },
        }
    }

    /// Label of a known game of this name.
    #[must_use]
    pub fn label(&self, game: &str) -> Option<KnownLabel> {
        let (known, _) = self.playable.last()?.basis.known(game)?;
        known.by.map(|by| KnownLabel { playable: known.target == 1.0, by, game: None })
    }

    /// Results of self-play at each strength by which playability is predicted: iterations per move,
    /// and the games that the second player won, drawn ones, and those that the first player won.
    #[must_use]
    pub fn results(&self, game: &str, measurements: &[Measurement]) -> Vec<(u32, [u64; 3])> {
        let plans = self.playable.iter().filter_map(|one| one.basis.data.first());
        let found = plans.filter_map(|plan| {
            let measured = measurements.iter().find(|one| one.plan == *plan)?;
            let row = measured.whole.games.iter().find(|row| row.game == game)?;
            let GameResults { first_wins, draws, second_wins, .. } = row.results?;
            Some((plan.header.iterations, [second_wins, draws, first_wins]))
        });
        found.collect()
    }

    /// Predictions for a game by the parts of the strongest predictor, by which games of one family
    /// are put in order; empty if it was not played.
    #[must_use]
    pub fn votes(&self, game: &str, measurements: &[Measurement]) -> Votes {
        let votes = || {
            let predictor = self.playable.last()?;
            let basis = &predictor.basis;
            let plan = basis.data.first()?;
            let measured = measurements.iter().find(|one| one.plan == *plan)?;
            let row = basis.row(&[&measured.whole], game)?;
            let group = basis.same_game(&row, game).map(|(_, group)| group);
            Some(predictor.bag.predictions(&row, group))
        };
        votes().unwrap_or_default()
    }

    /// Judges a game by its measurements; `shown` is the user's name for it.
    #[must_use]
    pub fn judge(&self, game: &str, shown: &str, measurements: &[Measurement]) -> VettedGame {
        let mut vetted = VettedGame::unrated(shown, None);
        let of_plan = |plan: &DataPlan| measurements.iter().find(|one| one.plan == *plan);
        let mut verdicts = Vec::new();
        for predictor in &self.playable {
            let basis = &predictor.basis;
            let Some(measurement) = basis.data.first().and_then(of_plan) else { continue };
            let Some(row) = basis.row(&[&measurement.whole], game) else { continue };
            let known = basis.same_game(&row, game);
            let parts = measurement.without_parts.iter();
            let measured = Measured {
                without_parts: parts.filter_map(|part| basis.row(&[part], game)).collect(),
                row,
            };
            let group = known.map(|(_, group)| group);
            let family = known.map(|(known, _)| &known.group[..]);
            let chances = predictor.chances(&measured, group);
            let kin = basis.kin(&measured.row, family);
            verdicts.push(predictor.verdict(&chances, &kin));
            let outside = basis.is_outside(&measured.row, family);
            vetted.strengths.push(StrengthChance {
                iterations: measurement.plan.header.iterations,
                chance: chances[0],
                outside_training: outside,
            });
            // The last predictor has the strongest self-play.
            vetted.playable = Some(chances[0]);
            vetted.standards = predictor
                .standards
                .iter()
                .zip(&chances)
                .filter_map(|(standard, &chance)| {
                    standard.by.map(|by| SourceChance { by, chance, is_kin: kin.contains(&by) })
                })
                .collect();
            vetted.outside_training |= outside;
            vetted.known = known.and_then(|(known, _)| {
                let also = (known.game != game).then(|| known.game.clone());
                known.by.map(|by| KnownLabel { playable: known.target == 1.0, by, game: also })
            });
            vetted.reasons = reasons(predictor, &measured.row, group, 3);
            vetted.nearest = basis.nearest(&measured.row, family, 3);
        }
        vetted.verdict = match vetted.outside_training {
            true => Playability::CannotTell,
            false => Playability::uncontradicted(&verdicts),
        };
        for question in Question::BOTH {
            let rated = self.rated(question, game, &of_plan);
            let (found, missing) = match question {
                Question::Fun => (&mut vetted.fun, &mut vetted.fun_missing),
                Question::Payoff => (&mut vetted.payoff, &mut vetted.payoff_missing),
            };
            match rated {
                Ok(rating) => *found = Some(rating),
                Err(why) => *missing = Some(why),
            }
        }
        vetted
    }

    /// Predicts the rating of a game by people, or returns the reason that this is impossible.
    fn rated<'m>(
        &self,
        question: Question,
        game: &str,
        of_plan: &dyn Fn(&DataPlan) -> Option<&'m Measurement>,
    ) -> Result<PredictedRating, MissingRating> {
        let missing = |reason| MissingRating::of(reason, &[]);
        let Some(predictor) = self.ratings.iter().find(|one| one.question == question) else {
            return Err(missing(WhyMissing::NotLearned));
        };
        let basis = &predictor.basis;
        let family = |name: &str| name.split('(').next().unwrap_or(name).to_owned();
        let mut families: Vec<String> =
            basis.games.iter().map(|known| family(&known.game)).collect();
        families.sort_unstable();
        families.dedup();
        if !families.contains(&family(game)) {
            return Err(MissingRating::of(WhyMissing::OtherFamily, &families));
        }
        let found = basis.data.iter().map(|plan| of_plan(plan).map(|one| &one.whole));
        let found: Option<Vec<&Aggregate>> = found.collect();
        let row = found.and_then(|found| basis.row(&found, game));
        let row = row.ok_or_else(|| missing(WhyMissing::NotPlayed))?;
        predictor.predict(&row, game).ok_or_else(|| missing(WhyMissing::OutsideTraining))
    }
}
