//! Reports on vetted games and on trained models.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind, is_default};
use treegauge_gauge::vetted::{FamilyOrder, ModelCard, Playability, VettedGame};

use crate::evaluate::{Baseline, TreesGain};

/// Judgements of a model on games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VetReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Seed of the self-play.
    #[serde(with = "treegauge_core::seed_json")]
    pub seed: u64,
    /// Description of the model.
    pub model: ModelCard,
    /// Games in the order of the input.
    pub rows: Vec<VettedGame>,
    /// Order of the variants of each game that has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<FamilyOrder>,
    /// Whether games are missing, because the run goes on.
    #[serde(default, skip_serializing_if = "is_default")]
    pub incomplete: bool,
}

impl ReportKind for VetReport {
    const KIND: &'static str = "vetting";
}

impl VetReport {
    /// Report on games, in the order of the input.
    #[must_use]
    pub fn new(seed: u64, model: ModelCard, rows: Vec<VettedGame>) -> VetReport {
        VetReport {
            head: ReportHeader::NEW,
            seed,
            model,
            rows,
            families: Vec::new(),
            incomplete: false,
        }
    }

    /// Games in order for readers: playable ones, then those that the model cannot judge, then
    /// unplayable ones, then those with plain flaws and those without a prediction. In each of these, the more probably
    /// playable game comes first.
    #[must_use]
    pub fn ranked(&self) -> Vec<&VettedGame> {
        let mut rows: Vec<&VettedGame> = self.rows.iter().collect();
        let place = |row: &VettedGame| match row.verdict {
            Playability::Yes => 0,
            Playability::CannotTell if row.playable.is_some() => 1,
            Playability::No if row.evidence.is_none() => 2,
            Playability::No => 3,
            Playability::CannotTell => 4,
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

/// Report of a trained model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelReport {
    /// Kind and schema version of the document.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Description of the model.
    pub model: ModelCard,
    /// Scores of the length and the results of self-play on the games that playability was learned
    /// from, beside those of the model; empty if it was not learned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub baselines: Vec<Baseline>,
    /// Gain of search trees over the length and the results of self-play, for each strength.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trees_gain: Vec<TreesGain>,
}

impl ReportKind for ModelReport {
    const KIND: &'static str = "trained";
}
