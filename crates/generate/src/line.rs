//! The journal of a run: what is known of each candidate.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use treegauge_gauge::vetted::VettedGame;
use treegauge_gauge::{Measures, Verdict};
use treegauge_store::journal;

use super::gate::Fall;
use super::origin::Origin;
use super::random_play::RandomPlay;

/// What was done with a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// It was made and went through the gates that need no other game, up to the glance.
    Play,
    /// The quick gauge.
    Quick,
    /// The thorough gauge.
    Thorough,
}

/// How a game was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The games that it comes from: the one that was changed first, then those that gave a part. A text that
    /// the run began with has none.
    pub parents: Vec<Origin>,
    /// The operators that changed it, in order.
    pub operators: Vec<String>,
    /// What the game is up to names, order and symmetry of the board: 32 hexadecimal digits.
    pub identity: String,
    /// The nodes of its rules.
    pub nodes: u32,
    /// Its text.
    pub source: String,
}

/// What games of a weak search show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glance {
    /// The games.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// The mean over all trees of each feature by its name.
    pub features: BTreeMap<String, f64>,
    /// The measures.
    pub measures: Measures,
    /// What the model says of them; nothing where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<VettedGame>,
}

/// What a gauge shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauged {
    /// Games of self-play.
    pub games: u32,
    /// Iterations per move.
    pub iterations: u32,
    /// The judgement.
    pub verdict: Verdict,
    /// The measures.
    pub measures: Measures,
    /// What the model says of self-play at all its strengths; nothing where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<VettedGame>,
}

/// A piece of work that is done with a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateLine {
    /// The game.
    pub game: Origin,
    /// What was done.
    pub work: Work,
    /// The seed of the game.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Whether no gate stops it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// Where it falls; of a game that no gate stops, where it would fall first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fell: Option<Fall>,
    /// How it was made; nothing where nothing could be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Made>,
    /// What random games show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomPlay>,
    /// The hash of its counts of lines of play: 16 hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// What games of a weak search show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub glance: Option<Glance>,
    /// What a gauge shows; nothing where it would take too many plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gauged: Option<Gauged>,
}

impl CandidateLine {
    /// A line that says nothing yet.
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

    /// Its text; empty where nothing could be made.
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
            return Err("it was not made, and has not fallen".to_owned());
        }
        Ok(())
    }
}
