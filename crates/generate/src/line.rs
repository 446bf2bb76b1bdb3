//! Journal of a run: one line per piece of work on a game.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::VettedGame;
use treegauge_gauge::{Measures, Verdict};
use treegauge_store::journal;

use super::gate::Fall;
use super::origin::Origin;
use super::random_play::RandomPlay;

/// Kind of work on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Making it and playing it, through all gates up to the glance.
    Play,
    /// Quick gauge.
    Quick,
    /// Thorough gauge.
    Thorough,
}

/// Text of a game and its derivation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DerivedText {
    /// Parents: first the game that was changed, then the donors of parts. Empty for a start text.
    pub parents: Vec<Origin>,
    /// Operators applied, in order.
    pub operators: Vec<String>,
    /// Identity of the game up to names, order and symmetry of the board: 32 hexadecimal digits.
    pub identity: String,
    /// Number of nodes of the rules.
    pub nodes: u32,
    /// Text of the game.
    pub source: String,
}

/// Results of games played by a weak search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glance {
    /// Number of games.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// Mean of each feature over all trees, by the feature's name.
    pub features: BTreeMap<String, f64>,
    /// Variance of each feature over all trees; empty in older records.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variances: BTreeMap<String, f64>,
    /// Measures of the games.
    pub measures: Measures,
    /// Answer of the model; `None` if no model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<VettedGame>,
}

/// Results of a gauge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauged {
    /// Number of self-play games.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// Verdict of the gauge.
    pub verdict: Verdict,
    /// Measures of the games.
    pub measures: Measures,
    /// Answer of the model from self-play at all its strengths; `None` if no model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<VettedGame>,
}

/// Line of the journal: one piece of work on one game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateLine {
    /// Game that the work belongs to.
    pub game: Origin,
    /// Kind of work.
    pub work: Work,
    /// Seed of the game.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Whether the game is a control, which no gate stops.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Gate at which the game falls, with the reason; for a control, the first gate that would stop
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell: Option<Fall>,
    /// Text and derivation; `None` if no operator found anything to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<DerivedText>,
    /// Results of random games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomPlay>,
    /// Hash of the counts of lines of play: 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Results of the glance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glance: Option<Glance>,
    /// Results of a gauge; `None` if the gauge was over budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gauged: Option<Gauged>,
}

impl CandidateLine {
    /// Creates a line without results.
    pub(super) fn new(game: Origin, work: Work, seed: u64, control: bool) -> CandidateLine {
        CandidateLine {
            game,
            work,
            seed,
            control,
            fell: None,
            made: None,
            random: None,
            signature: None,
            glance: None,
            gauged: None,
        }
    }

    /// Returns the text of the game; empty if there is none.
    #[must_use]
    pub fn source(&self) -> &str {
        self.made.as_ref().map_or("", |made| &made.source)
    }
}

impl journal::Piece for CandidateLine {
    type Key = (Origin, Work);

    const PIECES: &'static str = "candidates";

    fn key(&self) -> (Origin, Work) {
        (self.game, self.work)
    }

    fn check(&self) -> Result<(), String> {
        if let Some(random) = &self.random {
            random.check()?;
        }
        let features = self.glance.iter().flat_map(|glance| glance.features.values());
        if !features.copied().all(f64::is_finite) {
            return Err("a feature of its search trees is not finite".to_owned());
        }
        if self.work == Work::Play && self.made.is_none() && self.fell.is_none() {
            return Err("it was neither made nor rejected".to_owned());
        }
        Ok(())
    }
}
