//! The report of a gauge.

use serde::{Deserialize, Serialize};
use treegauge_core::{Head, ReportKind};
use treegauge_engine::ProvedSearch;
use treegauge_search::picture::{Limits, Picked};

use super::{CurveValue, Gauge};
use crate::vetted::Vetted;

/// What was found out about a game, and where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GaugeReport {
    /// The kind and the schema.
    #[serde(flatten)]
    pub head: Head<Self>,
    /// Its name, the same however it was written.
    pub game: String,
    /// The game as it was written; none in reports of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Its place in the list of a comparison, from 1; none elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u64>,
    /// The title that the text of a game gives it; none for a game of the catalog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its canonical name.
    pub canonical: String,
    /// Where the games began.
    pub position: String,
    /// Whether that is elsewhere than at the start.
    pub moved: bool,
    /// What was measured.
    #[serde(flatten)]
    pub gauge: Gauge,
    /// The part of a search tree from there that a page shows; none when the game is over there, or
    /// the run was stopped.
    pub search_tree: Option<Picked>,
    /// What a search from there proved, where the searches have a solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proved: Option<ProvedSearch>,
    /// Whether the game is playable as a model sees it; none where no model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vetted: Option<Vetted>,
    /// The reason that no model was asked, where it would have been much work beside the gauge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_unasked: Option<ModelUnasked>,
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
            return Err("a move of the search tree leads to no node".to_owned());
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
    /// How much of the search tree a page shows: it has less room across than a picture of its own.
    pub const TREE_LIMITS: Limits = Limits { children_max: 3, nodes_max: 30, depth_max: 5 };

    /// The report of a gauge at the start of a game, without a search tree. The values of the games
    /// are rounded to four digits, which is more than a chart shows.
    #[must_use]
    pub fn new(game: String, canonical: String, position: String, mut gauge: Gauge) -> Self {
        for value in gauge.curves.iter_mut().flat_map(|curve| &mut curve.values) {
            *value = CurveValue::from(<[f64; 3]>::from(*value).map(rounded));
        }
        GaugeReport {
            head: Head::NEW,
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

/// How much work it would be to ask a model, in iterations for each ply of a game of average length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelUnasked {
    /// Those of the self-play that the model needs.
    pub needed: u64,
    /// Those of the gauge.
    pub gauged: u64,
}

/// To four digits behind the point.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}
