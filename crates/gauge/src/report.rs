//! Report of a gauge.

use serde::{Deserialize, Serialize};
use treegauge_core::{ReportHeader, ReportKind};
use treegauge_engine::ProvedSearch;
use treegauge_search::picture::{Limits, TreeSelection};

use super::{CurveValue, Gauge};
use crate::vetted::Vetted;

/// Gauge of a game together with the game and position it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaugeReport {
    /// Kind and schema version of the report.
    #[serde(flatten)]
    pub head: ReportHeader<Self>,
    /// Name of the game, the same for every way to write it.
    pub game: String,
    /// The game as the user wrote it; `None` in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Place in the list of a comparison, counted from 1; `None` outside comparisons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// Title from the text of the game; `None` for a game of the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Canonical name.
    pub canonical: String,
    /// Position at which the games begin.
    pub position: String,
    /// Whether that position differs from the start of the game.
    pub moved: bool,
    /// Measures and verdict.
    #[serde(flatten)]
    pub gauge: Gauge,
    /// Part of a search tree from that position, for the page; `None` if the game is over there or
    /// the run was stopped.
    pub search_tree: Option<TreeSelection>,
    /// Result proved by a search from that position; `None` if the searches have no solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedSearch>,
    /// Answer of a model on whether the game is playable; `None` if no model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<Vetted>,
    /// Reason why no model was asked: the work would have been large beside the gauge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_unasked: Option<ModelCost>,
    /// Variants of the game that differ in one parameter, as `compare` takes them; `None` if it has no
    /// parameter that is a whole number, or comes from a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<String>,
}

impl ReportKind for GaugeReport {
    const KIND: &'static str = "gauge";

    fn check(&self) -> Result<(), String> {
        let shown = self.search_tree.iter().flat_map(|tree| &tree.nodes);
        let count = shown.clone().count();
        if shown.flat_map(|node| &node.links).any(|&to| to >= count) {
            return Err("a move of the search tree leads to a missing node".to_owned());
        }
        let nodes = self.search_tree.iter().flat_map(|tree| &tree.nodes).enumerate();
        let mut parents = nodes.map(|(n, node)| (n, node.parent));
        // The root is the first node and the only one without a parent.
        if parents.any(|(n, parent)| parent.map_or(n > 0, |parent| parent >= n)) {
            return Err("a node of the search tree does not come after its parent".to_owned());
        }
        Ok(())
    }
}

impl GaugeReport {
    /// Limits of the search tree on a page, which has less width than a separate picture.
    pub const TREE_LIMITS: Limits = Limits { children_max: 3, nodes_max: 30, depth_max: 5 };

    /// Creates the report of a gauge from the start of a game, without a search tree. Rounds the
    /// values of the curves to four decimals, more than a chart shows.
    #[must_use]
    pub fn new(game: String, canonical: String, position: String, mut gauge: Gauge) -> Self {
        for value in gauge.curves.iter_mut().flat_map(|curve| &mut curve.values) {
            *value = CurveValue::from(<[f64; 3]>::from(*value).map(rounded));
        }
        GaugeReport {
            head: ReportHeader::NEW,
            game,
            input: None,
            place: None,
            title: None,
            canonical,
            position,
            moved: false,
            gauge,
            search_tree: None,
            proved: None,
            vetted: None,
            model_unasked: None,
            variants: None,
        }
    }
}

impl GaugeReport {
    /// Returns the name by which a reader knows the game: its title, or the name that the user wrote.
    #[must_use]
    pub fn shown_name(&self) -> &str {
        self.title.as_ref().unwrap_or(&self.game)
    }

    /// Returns the game as a command line takes it.
    #[must_use]
    pub fn argument(&self) -> &str {
        self.input.as_ref().unwrap_or(&self.game)
    }
}

/// Work that asking a model would take, in iterations per ply of a game of average length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCost {
    /// Iterations of the self-play that the model needs.
    pub needed: u64,
    /// Iterations of the gauge.
    pub gauged: u64,
}

/// Rounds to four decimals.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
