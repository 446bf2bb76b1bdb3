//! Whole search trees as JSON.

use serde::Serialize;

use super::Outline;
use super::picked::is_false;
use crate::uct::Expansion;
use treegauge_core::is_default;

use crate::variant::UctVariant;

#[derive(Serialize)]
struct Document<'o> {
    schema: u32,
    game: &'o str,
    position: &'o str,
    iterations: u32,
    cp: f64,
    #[serde(serialize_with = "treegauge_core::seed_json::serialize")]
    seed: u64,
    #[serde(skip_serializing_if = "is_default")]
    expansion: Expansion,
    #[serde(flatten)]
    variant: UctVariant,
    nodes: Vec<NodeRow<'o>>,
}

#[derive(Serialize)]
struct NodeRow<'o> {
    id: usize,
    parent: Option<usize>,
    depth_plies: u32,
    #[serde(rename = "move")]
    m: Option<&'o str>,
    turn: String,
    visits: u32,
    mean_score_for_first: f64,
    #[serde(skip_serializing_if = "is_false")]
    proved: bool,
    legal_moves: u32,
    principal_variation: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<LinkRow<'o>>,
}

#[derive(Serialize)]
struct LinkRow<'o> {
    to: usize,
    #[serde(rename = "move")]
    m: &'o str,
}

/// Formats all nodes as one JSON object with a flat list, each node after its parent. Averages are
/// for the first player, -1 to 1. The list is flat because a tree can be deeper than readers of
/// nested JSON allow. A node of a web lists its moves to nodes with another parent as `links`.
#[must_use]
pub fn json(outline: &Outline) -> String {
    let nodes = outline
        .nodes
        .iter()
        .enumerate()
        .map(|(id, node)| NodeRow {
            id,
            parent: node.parent,
            depth_plies: node.depth,
            m: node.parent.map(|_| node.m.as_str()),
            turn: node.turn.to_string(),
            visits: node.visits,
            mean_score_for_first: node.mean_for_first,
            proved: node.proved,
            legal_moves: node.legal_moves,
            principal_variation: node.principal,
            links: node.links.iter().map(|link| LinkRow { to: link.to, m: &link.m }).collect(),
        })
        .collect();
    let document = Document {
        schema: 1,
        game: &outline.game,
        position: &outline.position,
        iterations: outline.iterations,
        cp: outline.cp,
        seed: outline.seed,
        expansion: outline.expansion,
        variant: outline.variant,
        nodes,
    };
    serde_json::to_string(&document).expect("numbers and strings can be written") + "\n"
}
