//! The report on games that were vetted.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};

use super::basis::{Basis, Near};
use super::playable::{Chance, PlayableScores, Verdict};
use super::rating::{PredictedRating, RatingScores};
use super::reasons::Reason;
use crate::corpus::LabelSource;
use crate::ratings::Question;

/// What a model says of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VetReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The seed of the self-play.
    #[serde(with = "treegauge_search::seed_json")]
    pub seed: u64,
    /// The model.
    pub model: ModelCard,
    /// The games, in the order in which they were given.
    pub rows: Vec<VettedGame>,
}

impl ReportKind for VetReport {
    const KIND: &'static str = "vetting";
}

impl VetReport {
    /// A report on games in the order in which they were given.
    #[must_use]
    pub fn new(seed: u64, model: ModelCard, rows: Vec<VettedGame>) -> VetReport {
        VetReport { head: Head::NEW, seed, model, rows }
    }

    /// The games in the order for readers: playable ones first, then those that the model cannot judge, then
    /// unplayable ones; of each, the most probably playable one first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&VettedGame> {
        let mut rows: Vec<&VettedGame> = self.rows.iter().collect();
        let place = |row: &VettedGame| match row.verdict {
            Verdict::Yes => 0,
            Verdict::CannotTell if row.playable.is_some() => 1,
            Verdict::No => 2,
            Verdict::CannotTell => 3,
        };
        let probability = |row: &VettedGame| row.playable.map_or(-1.0, |chance| chance.probability);
        let fun = |row: &VettedGame| row.fun.map_or(-1.0, |fun| fun.mean);
        rows.sort_by(|a, b| {
            let probable = probability(b).total_cmp(&probability(a));
            place(a).cmp(&place(b)).then(probable).then(fun(b).total_cmp(&fun(a)))
        });
        rows
    }
}

/// A model that was trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The model.
    pub model: ModelCard,
}

impl ReportKind for ModelReport {
    const KIND: &'static str = "trained";
}

/// What is to be known of a model beside its answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// What it is called.
    pub name: String,
    /// The sum of its file.
    pub digest: String,
    /// The version of the program that trained it.
    pub version: String,
    /// When it was trained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What each of its predictors has learned from.
    pub trained_on: Vec<TrainedOn>,
    /// How well it predicts.
    pub scores: ModelScores,
}

/// How well the predictors of a model predict.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelScores {
    /// Which games are playable, at each strength of self-play, the weakest first.
    pub playable: Vec<PlayableScores>,
    /// What people say.
    pub ratings: Vec<RatingScores>,
}

/// What a predictor predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicts {
    /// Whether a game is playable.
    Playable,
    /// How much fun people say it is.
    Fun,
    /// The result that people expect for the first player.
    Payoff,
}

impl From<Question> for Predicts {
    fn from(question: Question) -> Predicts {
        match question {
            Question::Fun => Predicts::Fun,
            Question::Payoff => Predicts::Payoff,
        }
    }
}

/// What a predictor has learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainedOn {
    /// What it predicts.
    pub predicts: Predicts,
    /// Iterations per move of the self-play of each of its datasets.
    pub iterations: Vec<u32>,
    /// Instances of each game in each of its datasets.
    pub instances: Vec<u32>,
    /// The games.
    pub games: usize,
    /// The groups that they are of.
    pub groups: usize,
    /// The XXH3 sum of the games with their labels and attributes, in 16 hexadecimal digits.
    pub digest: String,
}

impl TrainedOn {
    pub(super) fn of(predicts: Predicts, basis: &Basis) -> TrainedOn {
        TrainedOn {
            predicts,
            iterations: basis.data.iter().map(|plan| plan.header.iterations).collect(),
            instances: basis.data.iter().map(|plan| plan.instances).collect(),
            games: basis.games.len(),
            groups: basis.groups().iter().max().map_or(0, |most| most + 1),
            digest: basis.digest(),
        }
    }
}

/// What a model says of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vetted {
    /// The model.
    pub model: ModelCard,
    /// What it says.
    pub verdict: VettedGame,
}

/// What a model says of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VettedGame {
    /// The game.
    pub game: String,
    /// Its place among the games that were given, from 1; `None` if no list was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// The game as it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Whether it is playable: what all labels together and the labels of the games most like it say at the
    /// greatest strength, where they agree, no other strength contradicts, and the game does not lie outside
    /// of what was learned from.
    pub verdict: Verdict,
    /// The probability that it is playable, by all labels together and the strongest self-play.
    pub playable: Option<Chance>,
    /// The same by the labels of each source alone.
    pub standards: Vec<StandardChance>,
    /// The same by all labels at each strength of self-play.
    pub strengths: Vec<StrengthChance>,
    /// How much fun people would say it is, 0 to 100.
    pub fun: Option<PredictedRating>,
    /// The result that people would expect for the first player, -1 to 1.
    pub payoff: Option<PredictedRating>,
    /// The reason that `fun` is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fun_missing: Option<MissingRating>,
    /// The reason that `payoff` is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff_missing: Option<MissingRating>,
    /// Whether its attributes lie beyond the range of the games from which was learned what is playable; each
    /// strength says so for itself, and `fun_missing` and `payoff_missing` for what people say.
    pub outside_training: bool,
    /// Its label, where it is among the games that were learned from, be it under another name. The
    /// prediction is then that of models that have not seen any game of its group.
    pub known: Option<KnownLabel>,
    /// What moved the probability most.
    pub reasons: Vec<Reason>,
    /// The known games that are most like it, those of its group left out where it is one of them.
    pub nearest: Vec<Near>,
    /// Why nothing is said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrated: Option<String>,
}

impl VettedGame {
    /// A game of which nothing is said.
    #[must_use]
    pub fn unrated(game: &str, why: Option<String>) -> VettedGame {
        VettedGame {
            game: game.to_owned(),
            place: None,
            input: None,
            verdict: Verdict::CannotTell,
            playable: None,
            standards: Vec::new(),
            strengths: Vec::new(),
            fun: None,
            payoff: None,
            fun_missing: None,
            payoff_missing: None,
            outside_training: false,
            known: None,
            reasons: Vec::new(),
            nearest: Vec::new(),
            unrated: why,
        }
    }
}

/// A rating that a model does not predict, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRating {
    /// The reason.
    pub reason: WhyMissing,
    /// The same in a sentence without a full stop.
    pub words: String,
}

/// The reason that a model does not predict what people say of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyMissing {
    /// The model does not predict it of any game.
    NotLearned,
    /// People rated no game of its family.
    OtherFamily,
    /// Its attributes lie beyond the range of the games that people rated.
    OutsideTraining,
    /// It was not played as the rated games were.
    NotPlayed,
}

impl MissingRating {
    pub(super) fn of(reason: WhyMissing, families: &[String]) -> MissingRating {
        let words = match reason {
            WhyMissing::NotLearned => "the model has learned it of no game".to_owned(),
            WhyMissing::OtherFamily => format!(
                "people rated no game of its family; the model has learned it of {}",
                families.join(", ")
            ),
            WhyMissing::OutsideTraining => "it is unlike all games that people rated".to_owned(),
            WhyMissing::NotPlayed => "it was not played as the rated games were".to_owned(),
        };
        MissingRating { reason, words }
    }
}

/// The probability by the labels of one source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StandardChance {
    /// The source.
    pub by: LabelSource,
    /// The probability.
    #[serde(flatten)]
    pub chance: Chance,
    /// Whether labels of the source are those of the known games that are most like it, so that the verdict
    /// depends on it.
    pub is_kin: bool,
}

/// The probability at one strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrengthChance {
    /// Iterations per move.
    pub iterations: u32,
    /// The probability.
    #[serde(flatten)]
    pub chance: Chance,
    /// Whether its attributes at this strength lie beyond the range of the games that were learned from.
    pub outside_training: bool,
}

/// The label of a game that was learned from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownLabel {
    /// Whether it is playable.
    pub playable: bool,
    /// Where that comes from.
    pub by: LabelSource,
    /// The canonical name under which the model has learned from it, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}
