//! Search trees and webs as data and as pictures.
//!
//! [`outline`] converts every node to text; [`json`] writes all of them. [`pick`] selects the part
//! that a picture shows, so that it stays readable however wide the tree is. [`dot`] writes this
//! part for GraphViz; `treegauge_report::tree_svg` draws it.

mod dot;
mod json;
mod picked;
mod web;

use treegauge_core::{Notation, Player};

use crate::ran::Search;
use crate::tree::{NodeId, Tree};
use crate::uct::{Expansion, best_by_mean};
use crate::variant::UctVariant;

pub use dot::dot;
pub use json::json;
pub use picked::{Limits, PickedNode, Shown, ShownNode, Style, TreeSelection, pick, signed};
pub use web::outline_web;

/// Search tree as text: the input of the exports, without the type of the game.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Name of the game, as the caller wrote it.
    pub game: String,
    /// Position at the root.
    pub position: String,
    /// Number of iterations made.
    pub iterations: u32,
    /// Exploration constant C_p on rewards in \[0, 1\].
    pub cp: f64,
    /// Seed of the search.
    pub seed: u64,
    /// Order in which moves were tried.
    pub expansion: Expansion,
    /// Other differences from the search of Williams 2010. Of several trees this is the first one.
    pub variant: UctVariant,
    /// All nodes, each after its parent, the root first.
    pub nodes: Vec<OutlineNode>,
}

/// Node of an [`Outline`].
#[derive(Clone, Debug)]
pub struct OutlineNode {
    /// Index of the parent; `None` at the root.
    pub parent: Option<usize>,
    /// Indexes of the children in move order.
    pub children: Vec<usize>,
    /// In a web, moves to nodes that have another node as parent.
    pub links: Vec<Link>,
    /// Plies from the root.
    pub depth: u32,
    /// Move that led to the node; empty at the root.
    pub m: String,
    /// Player to move, also if the game is over.
    pub turn: Player,
    /// Visit count of the node.
    pub visits: u32,
    /// Average result for the first player, -1 to 1. A solver clamps it to the values that it has
    /// not excluded.
    pub mean_for_first: f64,
    /// Whether a solver proved the value.
    pub proved: bool,
    /// Number of legal moves; 0 if the game is over.
    pub legal_moves: u32,
    /// Whether the node lies on the principal variation: from the root the move to play, then
    /// always the most visited child. From a position with a proved value it is the line of the
    /// proof.
    pub principal: bool,
}

/// Move to a node that has another node as parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Index of the node.
    pub to: usize,
    /// The move as text.
    pub m: String,
}

/// Converts a tree to text. `root` is the position that was searched, `seed` the random seed of the
/// search. `expansion` and `variant` of the result are the defaults, since a tree does not store
/// them.
#[must_use]
pub fn outline<G: Notation>(
    game: &G,
    spec: &str,
    seed: u64,
    root: &G::State,
    search: &Search<'_, Tree<G::Move>>,
) -> Outline {
    /// Node waiting to be added to the list.
    struct Open<S> {
        id: NodeId,
        parent: Option<usize>,
        state: S,
        m: String,
        principal: bool,
    }

    let tree = search.tree();
    let mut nodes: Vec<OutlineNode> = Vec::new();
    let mut open = Vec::new();
    if tree.root().is_some() {
        let (m, state) = (String::new(), root.clone());
        open.push(Open { id: NodeId::ROOT, parent: None, state, m, principal: true });
    }
    while let Some(Open { id, parent, state, m, principal }) = open.pop() {
        let node = tree.node(id);
        let index = nodes.len();
        if let Some(parent) = parent {
            nodes[parent].children.push(index);
        }
        nodes.push(OutlineNode {
            parent,
            children: Vec::new(),
            links: Vec::new(),
            depth: parent.map_or(0, |p| nodes[p].depth + 1),
            m,
            turn: game.turn(&state),
            visits: node.visits(),
            mean_for_first: node.mean(),
            proved: false,
            legal_moves: node.legal_moves(),
            principal,
        });
        let next = if id == NodeId::ROOT {
            best_by_mean(tree, id, search.turn())
        } else {
            // `max_by_key` returns the last of equals, so the iteration is backwards.
            tree.child_ids(id).rev().max_by_key(|&child| tree.node(child).visits())
        };
        for child in tree.child_ids(id).rev() {
            let m = tree.node(child).last_move();
            let mut after = state.clone();
            game.play(&mut after, m);
            open.push(Open {
                id: child,
                parent: Some(index),
                state: after,
                m: game.move_text(&state, m),
                principal: principal && next == Some(child),
            });
        }
    }
    Outline {
        game: spec.to_owned(),
        position: game.position_text(root),
        iterations: search.iterations(),
        cp: search.cp(),
        seed,
        expansion: Expansion::default(),
        variant: UctVariant::default(),
        nodes,
    }
}
