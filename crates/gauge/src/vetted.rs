//! Answers of a model trained on games with known labels: whether a game is playable, how people
//! would rate it, and how good such answers are.
//!
//! A gauge reports them beside its own verdict. The crate that trains models creates them.

use serde::{Deserialize, Serialize};
use treegauge_learn::Score;
use treegauge_learn::scores::Confusion;
use treegauge_stats::Estimate;

use crate::PlainFlaw;

/// Answer of a model on one game, with the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Vetted {
    /// Model that answers.
    pub model: ModelCard,
    /// Answer on the game.
    pub verdict: VettedGame,
}

/// Answer of a model on a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VettedGame {
    /// Name of the game.
    pub game: String,
    /// Place in the list of games, counted from 1; `None` without a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// The game as the user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Whether the game is playable. It is the common answer of all labels together and of the
    /// labels of the most similar games, at the greatest strength. It is "cannot tell" if the two
    /// differ, if another strength contradicts, or if the game is outside the training data.
    pub verdict: Playability,
    /// Flaw that decides the verdict; the model is not asked then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<PlainFlaw>,
    /// Probability that the game is playable, from all labels and the strongest self-play.
    pub playable: Option<Chance>,
    /// The same probability from the labels of each source alone.
    pub standards: Vec<SourceChance>,
    /// The same probability from all labels, at each strength of self-play.
    pub strengths: Vec<StrengthChance>,
    /// Predicted rating of fun by people, 0 to 100.
    pub fun: Option<PredictedRating>,
    /// Predicted result that people expect for the first player, -1 to 1.
    pub payoff: Option<PredictedRating>,
    /// Reason why `fun` is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fun_missing: Option<MissingRating>,
    /// Reason why `payoff` is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payoff_missing: Option<MissingRating>,
    /// Whether the attributes are outside the range of the games labelled as playable or not. Each
    /// strength has a flag of its own; for ratings see `fun_missing` and `payoff_missing`.
    pub outside_training: bool,
    /// Label of the game if it is a training game, perhaps under another name. The prediction then
    /// is that of models trained without its group.
    pub known: Option<KnownLabel>,
    /// Attributes that changed the probability most.
    pub reasons: Vec<Reason>,
    /// Most similar known games; for a training game, those of its own group are left out.
    pub nearest: Vec<Near>,
    /// Reason for a missing answer; `None` if the model answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrated: Option<String>,
}

impl VettedGame {
    /// Creates the answer for a game with a flaw that shows before the model is asked.
    #[must_use]
    pub fn flawed(game: &str, flaw: PlainFlaw) -> VettedGame {
        let missing = || Some(MissingRating::of(WhyMissing::Evidence, &[]));
        VettedGame {
            verdict: match flaw.flaw {
                // Weaker players may have a fair game.
                kind if kind.is_of_strong_players() => Playability::CannotTell,
                _ => Playability::No,
            },
            evidence: Some(flaw),
            fun_missing: missing(),
            payoff_missing: missing(),
            ..VettedGame::unrated(game, None)
        }
    }

    /// Creates an answer for a game that was not rated.
    #[must_use]
    pub fn unrated(game: &str, why: Option<String>) -> VettedGame {
        VettedGame {
            game: game.to_owned(),
            place: None,
            input: None,
            verdict: Playability::CannotTell,
            evidence: None,
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

/// Answer yes, no or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Playability {
    /// Yes.
    Yes,
    /// No.
    No,
    /// Unknown.
    CannotTell,
}

impl Playability {
    /// Combines verdicts that are all required: their common value, or `CannotTell` if they differ.
    pub fn of_all(verdicts: impl IntoIterator<Item = Playability>) -> Playability {
        let mut verdicts = verdicts.into_iter();
        let first = verdicts.next().unwrap_or(Playability::CannotTell);
        if verdicts.all(|one| one == first) { first } else { Playability::CannotTell }
    }

    /// Returns the last verdict, or `CannotTell` if an earlier one contradicts it.
    #[must_use]
    pub fn uncontradicted(verdicts: &[Playability]) -> Playability {
        let last = verdicts.last().copied().unwrap_or(Playability::CannotTell);
        let agrees = |one: &Playability| [last, Playability::CannotTell].contains(one);
        if verdicts.iter().all(agrees) { last } else { Playability::CannotTell }
    }
}

/// Probability with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chance {
    /// Probability, 0 to 1.
    pub probability: f64,
    /// Lower end of the 95% interval.
    pub low: f64,
    /// Upper end of the 95% interval.
    pub high: f64,
}

impl Chance {
    /// Decides by the interval: `Yes` if it is above one half, `No` if below, otherwise
    /// `CannotTell`.
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

/// Probability from the labels of one source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceChance {
    /// Source of the labels.
    pub by: LabelSource,
    /// Probability from these labels.
    #[serde(flatten)]
    pub chance: Chance,
    /// Whether the most similar known games have labels of this source, so that the verdict depends
    /// on it.
    pub is_kin: bool,
}

/// Probability at one strength.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StrengthChance {
    /// Iterations per move.
    pub iterations: u32,
    /// Probability at this strength.
    #[serde(flatten)]
    pub chance: Chance,
    /// Whether the attributes at this strength are outside the range of the training games.
    pub outside_training: bool,
}

/// Predicted rating with its 95% prediction interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictedRating {
    /// Predicted rating.
    pub mean: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Actual rating by people if the game is a training game. The prediction then is that of a
    /// model trained without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<f64>,
}

/// Reason for a rating that a model does not predict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRating {
    /// Kind of reason.
    pub reason: WhyMissing,
    /// Reason as a sentence without a full stop.
    pub words: String,
}

/// Kind of reason for a rating that a model does not predict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyMissing {
    /// The model does not predict this rating for any game.
    NotLearned,
    /// The training data has no rated game of its family.
    OtherFamily,
    /// The attributes are outside the range of the rated games.
    OutsideTraining,
    /// The game was not played in the way of the rated games.
    NotPlayed,
    /// The game has a flaw that shows before the model is asked.
    Evidence,
}

impl MissingRating {
    /// Creates the reason with its sentence; `families` names the families of the rated games.
    #[must_use]
    pub fn of(reason: WhyMissing, families: &[String]) -> MissingRating {
        let words = match reason {
            WhyMissing::NotLearned => "the model did not learn to predict it".to_owned(),
            WhyMissing::OtherFamily => format!(
                "people rated no game of its family; the model learned from games of {}",
                families.join(", ")
            ),
            WhyMissing::OutsideTraining => "it is unlike all rated games".to_owned(),
            WhyMissing::Evidence => "a plain flaw decides, so the model was not asked".to_owned(),
            WhyMissing::NotPlayed => "it was not played as the rated games were".to_owned(),
        };
        MissingRating { reason, words }
    }
}

/// Label of a training game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownLabel {
    /// Whether the game is playable.
    pub playable: bool,
    /// Source of the label.
    pub by: LabelSource,
    /// Canonical name of the training game, if it is another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
}

/// Kind of attribute that changed a prediction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reason {
    /// Kind of attribute.
    pub feature: String,
    /// Mean drop of the probability if attributes of this kind are replaced by those of other known
    /// games, -1 to 1.
    pub effect: f64,
    /// Effect in words.
    pub words: String,
}

/// Distance to a known game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Near {
    /// Name of the known game.
    pub game: String,
    /// Root of the mean squared difference of attributes, each in standard deviations over the
    /// known games; 0 for equal attributes.
    pub distance: f64,
}

/// Facts about a model beside its answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCard {
    /// Name of the model.
    pub name: String,
    /// Digest of the model's file.
    pub digest: String,
    /// Version of the program that trained it.
    pub version: String,
    /// Date of the training.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// Training data of each predictor.
    pub trained_on: Vec<TrainedOn>,
    /// Scores of the predictions.
    pub scores: ModelScores,
}

/// Scores of the predictors of a model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelScores {
    /// Scores for playability at each strength of self-play, the weakest first.
    pub playable: Vec<PlayableScores>,
    /// Scores for the ratings of people.
    pub ratings: Vec<RatingScores>,
}

/// Quantity that a predictor predicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Predicts {
    /// Whether a game is playable.
    Playable,
    /// Rating of fun by people.
    Fun,
    /// Result that people expect for the first player.
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

/// Training data of a predictor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainedOn {
    /// Quantity that it predicts.
    pub predicts: Predicts,
    /// Iterations per move of the self-play of each of its datasets.
    pub iterations: Vec<u32>,
    /// Number of instances of each game in each dataset.
    pub instances: Vec<u32>,
    /// Number of games.
    pub games: usize,
    /// Number of groups that the games belong to.
    pub groups: usize,
    /// XXH3 digest of the games with their labels and attributes, in 16 hexadecimal digits.
    pub digest: String,
}

/// Scores of predicted labels at one strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayableScores {
    /// Iterations per move.
    pub iterations: u32,
    /// Number of instances of each game.
    pub instances: u32,
    /// Number of playable games.
    pub playable: usize,
    /// Number of unplayable games.
    pub unplayable: usize,
    /// Number of groups.
    pub groups: usize,
    /// Share of correct predictions in cross-validation by groups: each game is predicted by models
    /// trained without its group.
    pub accuracy: Option<Score>,
    /// Area under the receiver operating characteristic.
    pub auc: Option<Score>,
    /// Mean squared error of the calibrated probabilities.
    pub brier: Option<Score>,
    /// Number of verdicts and of correct verdicts: first over all games, then by source of the
    /// labels.
    pub decided: Vec<Decided>,
    /// Accuracy and area by source of the labels; empty if all labels have one source.
    pub by_source: Vec<SourceScore>,
    /// Confusion matrix of predicted and true classes.
    pub confusion: Confusion,
    /// Order of pairs of a played and a broken game of one family; `None` without such pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairScores>,
}

/// Pairs of a played and a broken game of one family, put in order by models that have not seen the
/// family. Labels are those by origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairScores {
    /// All pairs.
    pub all: PairScore,
    /// Pairs that all models put in the same order.
    pub unanimous: PairScore,
    /// Pairs about whose order the models differ.
    pub divided: PairScore,
    /// Pairs by kind of game.
    pub kinds: Vec<KindPairs>,
}

/// Count of pairs in the right order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairScore {
    /// Number of pairs.
    pub pairs: u32,
    /// Number of pairs in the right order; a pair without an order counts half.
    pub right: f64,
    /// Share of pairs in the right order. The interval is over families.
    pub share: Estimate,
}

/// Pairs of the families of one kind of game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KindPairs {
    /// Name of the kind, such as `race`; `other` for families of none.
    pub kind: String,
    /// Number of pairs.
    pub pairs: u32,
    /// Number of pairs in the right order; a pair without an order counts half.
    pub right: f64,
    /// The same by family.
    pub families: Vec<FamilyPairs>,
}

/// Pairs of one family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyPairs {
    /// Name of the family.
    pub family: String,
    /// Number of pairs.
    pub pairs: u32,
    /// Number of pairs in the right order; a pair without an order counts half.
    pub right: f64,
}

impl KindPairs {
    /// Share of the pairs in the right order below which the order of a kind's games is doubtful.
    pub const DOUBTFUL_BELOW: f64 = 0.75;

    /// Tests whether the models put too few pairs of this kind in the right order.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        self.right < Self::DOUBTFUL_BELOW * f64::from(self.pairs)
    }
}

/// Order of the variants of one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FamilyOrder {
    /// Name of the family; of games described by texts that differ in numbers only, the name that
    /// the first of them states.
    pub family: String,
    /// Kind of the game if the model puts too few pairs of such games in the right order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubtful: Option<String>,
    /// Games, the most probably playable first; games with plain flaws last, in no order.
    pub games: Vec<String>,
    /// Neighbours in this order, each with the next, unless both have plain flaws.
    pub pairs: Vec<OrderedPair>,
}

/// Two neighbours in the order of a family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OrderedPair {
    /// Game that comes first.
    pub better: String,
    /// Game that comes next.
    pub worse: String,
    /// Share of the model's parts that put the two in this order; `None` if a plain flaw decides.
    pub agree: Option<f64>,
    /// Share of known pairs, of like agreement, that are in the right order; `None` if a plain flaw
    /// decides or no such pair is known.
    pub right: Option<Estimate>,
}

/// Counts of verdicts on known games, by models trained without their groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// Source of the labels; `None` for all sources.
    pub by: Option<LabelSource>,
    /// Number of games.
    pub games: usize,
    /// Number of games with a verdict other than "cannot tell".
    pub decided: usize,
    /// Number of correct verdicts.
    pub right: usize,
}

impl Decided {
    /// Returns the share of correct verdicts in percent; NaN without verdicts.
    #[must_use]
    pub fn right_percent(&self) -> f64 {
        100.0 * self.right as f64 / self.decided as f64
    }
}

/// Scores of predicted ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RatingScores {
    /// Question that people answered.
    pub question: Question,
    /// Number of rated games.
    pub games: usize,
    /// Coefficient of determination: 1 minus the ratio of the squared errors to those of the mean.
    pub r_squared: Option<Score>,
    /// Correlation of predicted and actual ratings.
    pub correlation: Option<Score>,
}

/// Scores on the games whose labels have one source.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SourceScore {
    /// Source of the labels.
    pub by: LabelSource,
    /// Number of playable games.
    pub playable: usize,
    /// Number of unplayable games.
    pub unplayable: usize,
    /// Share of correct predictions.
    pub accuracy: Option<Score>,
    /// Area under the receiver operating characteristic.
    pub auc: Option<Score>,
}

/// Source of a label. It is never the self-play that the attributes are computed from.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum LabelSource {
    /// The game is published and played, or was broken on purpose.
    #[default]
    Origin,
    /// Exact values of its positions.
    Solution,
    /// Ratings by people.
    Ratings,
    /// The four conditions of Williams 2010, in self-play other than that of the attributes. Labels
    /// in files have another source.
    Conditions,
}

/// Question that people answered about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// Rating of fun: "How much fun is the game?"
    Fun,
    /// Expected result: "How will it end?"
    Payoff,
}

impl Question {
    /// Both questions.
    pub const BOTH: [Question; 2] = [Question::Fun, Question::Payoff];

    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Question::Fun => "fun",
            Question::Payoff => "payoff",
        }
    }

    /// Returns the least and the greatest answer.
    #[must_use]
    pub const fn range(self) -> (f64, f64) {
        match self {
            Question::Fun => (0.0, 100.0),
            Question::Payoff => (-1.0, 1.0),
        }
    }

    /// Returns the share of the variance between games that Collins and others 2025 explain with a
    /// shallow, fast simulation of play, with expert search and with random play. The shares are
    /// bootstrap means of fits to the games themselves.
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
