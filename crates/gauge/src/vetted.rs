//! The answers of a model that was trained on games whose labels are known: whether a game is playable, what
//! people would say of it, and the worth of such answers.
//!
//! A gauge reports them beside its own verdict; the crate that trains models makes them.

use serde::{Deserialize, Serialize};
use treegauge_learn::Score;
use treegauge_learn::scores::Confusion;

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
    pub verdict: Playability,
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
            verdict: Playability::CannotTell,
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

/// Whether something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Playability {
    /// It is so.
    Yes,
    /// It is not.
    No,
    /// It cannot be told.
    CannotTell,
}

impl Playability {
    /// What several verdicts come to, all of which are needed: theirs where all agree.
    pub fn of_all(verdicts: impl IntoIterator<Item = Playability>) -> Playability {
        let mut verdicts = verdicts.into_iter();
        let first = verdicts.next().unwrap_or(Playability::CannotTell);
        if verdicts.all(|one| one == first) { first } else { Playability::CannotTell }
    }

    /// What the last of several verdicts comes to, which no other one may contradict.
    #[must_use]
    pub fn uncontradicted(verdicts: &[Playability]) -> Playability {
        let last = verdicts.last().copied().unwrap_or(Playability::CannotTell);
        let agrees = |one: &Playability| [last, Playability::CannotTell].contains(one);
        if verdicts.iter().all(agrees) { last } else { Playability::CannotTell }
    }
}

/// A probability with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chance {
    /// The probability, 0 to 1.
    pub probability: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Chance {
    /// Whether it is more probable than not, as far as the interval says.
    #[must_use]
    pub fn verdict(&self) -> Playability {
        if self.low > 0.5 {
            Playability::Yes
        } else if self.high < 0.5 {
            Playability::No
        } else {
            Playability::CannotTell
        }
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

/// A rating with the interval in which it lies with a probability of 95%.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedRating {
    /// The prediction.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// What people said, where the game is among those that were learned from. The prediction is then that
    /// of a model that has not seen it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<f64>,
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
    /// The reason with its sentence; `families` are those whose games people rated.
    #[must_use]
    pub fn of(reason: WhyMissing, families: &[String]) -> MissingRating {
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

/// What moved a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of attribute.
    pub feature: String,
    /// How much lower the probability would be in the mean with the attributes of this kind of other known
    /// games, -1 to 1.
    pub effect: f64,
    /// The same in words.
    pub words: String,
}

/// How near a known game is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// The game.
    pub game: String,
    /// The root of the mean squared difference of attributes, each in standard deviations among the known
    /// games: 0 for equal attributes.
    pub distance: f64,
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

/// How well labels are predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayableScores {
    /// Iterations per move.
    pub iterations: u32,
    /// Instances of each game.
    pub instances: u32,
    /// The playable games.
    pub playable: usize,
    /// The unplayable ones.
    pub unplayable: usize,
    /// The groups.
    pub groups: usize,
    /// The share of games that are predicted right, each by models that have not seen its group.
    pub accuracy: Option<Score>,
    /// The area under the receiver operating characteristic.
    pub auc: Option<Score>,
    /// The mean squared error of the calibrated probabilities.
    pub brier: Option<Score>,
    /// How often there is a verdict, and how often it is right: of all games first, then of those whose
    /// labels are of each source.
    pub decided: Vec<Decided>,
    /// Accuracy and area by where labels come from; none where all are of one source.
    pub by_source: Vec<SourceScore>,
    /// Predicted and true classes.
    pub confusion: Confusion,
}

/// Playabilitys on known games by models that have not seen their groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// The source of the labels; nothing for all.
    pub by: Option<LabelSource>,
    /// The games.
    pub games: usize,
    /// Those with a verdict other than "cannot tell".
    pub decided: usize,
    /// Those of them whose verdict is right.
    pub right: usize,
}

impl Decided {
    /// The share of the verdicts that are right, in percent; NaN where there is none.
    #[must_use]
    pub fn right_percent(&self) -> f64 {
        100.0 * self.right as f64 / self.decided as f64
    }
}

/// How well ratings are predicted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingScores {
    /// What people were asked.
    pub question: Question,
    /// The rated games.
    pub games: usize,
    /// 1 less the squared errors as a part of those of the mean.
    pub r_squared: Option<Score>,
    /// The correlation of predicted and true ratings.
    pub correlation: Option<Score>,
}

/// How well games are told apart whose labels come from one source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceScore {
    /// Where the labels come from.
    pub by: LabelSource,
    /// The games that are playable.
    pub playable: usize,
    /// Those that are not.
    pub unplayable: usize,
    /// The share of right predictions.
    pub accuracy: Option<Score>,
    /// The area under the receiver operating characteristic.
    pub auc: Option<Score>,
}

/// Where a label comes from: never from the self-play that attributes come from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum LabelSource {
    /// The game was published and is played, or was broken on purpose.
    #[default]
    Origin,
    /// The exact value of its positions.
    Solution,
    /// People who judged it.
    Ratings,
    /// The four conditions of Williams 2010, in other self-play than that of the attributes. Labels in files
    /// have another source.
    Conditions,
}

/// What people were asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How much fun is the game?
    Fun,
    /// How will it end?
    Payoff,
}

impl Question {
    /// Both.
    pub const BOTH: [Question; 2] = [Question::Fun, Question::Payoff];

    /// The name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Fun => "fun",
            Question::Payoff => "payoff",
        }
    }

    /// The least and the greatest answer.
    #[must_use]
    pub const fn range(self) -> (f64, f64) {
        match self {
            Question::Fun => (0.0, 100.0),
            Question::Payoff => (-1.0, 1.0),
        }
    }

    /// The part of the variance between games that Collins and others 2025 explain by a shallow, fast
    /// simulation of play, by a search of experts and by random play: the bootstrap means of fits to the
    /// games themselves.
    #[must_use]
    pub const fn published(self) -> [(&'static str, f64); 3] {
        match self {
            Question::Fun => {
                [("shallow simulation", 0.64), ("expert search", 0.49), ("random play", 0.50)]
            }
            Question::Payoff => {
                [("shallow simulation", 0.81), ("expert search", 0.65), ("random play", 0.47)]
            }
        }
    }
}
