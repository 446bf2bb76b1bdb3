//! The report on games that were vetted.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_gauge::vetted::{ModelCard, Playability, VettedGame};

/// What a model says of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VetReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// The seed of the self-play.
    #[serde(with = "treegauge_core::seed_json")]
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
            Playability::Yes => 0,
            Playability::CannotTell if row.playable.is_some() => 1,
            Playability::No => 2,
            Playability::CannotTell => 3,
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
