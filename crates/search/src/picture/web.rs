//! Search webs as text.

use std::collections::VecDeque;

use treegauge_core::{Keyed, Notation};

use super::{Link, Outline, OutlineNode};
use crate::ran::Search;
use crate::uct::Expansion;
use crate::variant::UctVariant;
use crate::web::{Plies, Web, WebNodeId};

/// Converts a web to text. Each node has as parent the first node that leads to it at its least
/// distance from the root; further moves that lead to it are [`OutlineNode::links`]. `root` is the
/// position that was searched, `seed` the random seed of the search. `expansion` and `variant` of
/// the result are the defaults, since a web does not store them.
///
/// In a web merged up to symmetry, the moves are those of the positions on the way from the root,
/// so that each way can be played.
#[must_use]
pub fn outline_web<G: Notation + Keyed>(
    game: &G,
    spec: &str,
    seed: u64,
    root: &G::State,
    found: &Search<'_, Web<G>>,
) -> Outline {
    let web = found.web();
    let line = web.root().and_then(|root| root.proof()).map(|_| Plies::of(web));
    let mut nodes: Vec<OutlineNode> = Vec::new();
    let mut places: Vec<Option<usize>> = vec![None; web.node_count() as usize];
    let mut open = VecDeque::new();
    let new_node = |id: WebNodeId, parent: Option<usize>, depth, m: String, principal| {
        let node = web.node(id);
        let bounds = node.bounds();
        let [low, high] = if web.has_solver() { bounds } else { [-1, 1] };
        OutlineNode {
            parent,
            children: Vec::new(),
            links: Vec::new(),
            depth,
            m,
            turn: node.turn(),
            visits: node.visits(),
            mean_for_first: node.mean().clamp(low.into(), high.into()),
            proved: low == high,
            legal_moves: node.legal_moves(),
            principal,
        }
    };
    if web.root().is_some() {
        nodes.push(new_node(WebNodeId::ROOT, None, 0, String::new(), true));
        places[0] = Some(0);
        open.push_back((WebNodeId::ROOT, root.clone()));
    }
    while let Some((id, state)) = open.pop_front() {
        let place = places[id.0 as usize].expect("what is open has a place");
        let (depth, is_principal) = (nodes[place].depth + 1, nodes[place].principal);
        let edges = web.edges(id);
        let next = if id == WebNodeId::ROOT {
            found.best_move_number().map(|n| n as usize)
        } else {
            found.next(line.as_ref(), id)
        };
        // The principal variation comes first, so that it consists of parents rather than links.
        let others = (0..edges.len()).filter(|n| Some(*n) != next);
        let mut children = Vec::new();
        for n in next.into_iter().chain(others) {
            let to = edges[n].to();
            let own = web.own_move(game, id, &state, edges[n].played());
            let m = game.move_text(&state, own);
            if let Some(there) = places[to.0 as usize] {
                nodes[place].links.push(Link { to: there, m });
                continue;
            }
            places[to.0 as usize] = Some(nodes.len());
            children.push((n, nodes.len()));
            let principal = is_principal && Some(n) == next;
            nodes.push(new_node(to, Some(place), depth, m, principal));
            let mut after = state.clone();
            game.play(&mut after, own);
            open.push_back((to, after));
        }
        children.sort_unstable();
        nodes[place].children = children.into_iter().map(|(_, child)| child).collect();
    }
    Outline {
        game: spec.to_owned(),
        position: game.position_text(root),
        iterations: found.iterations(),
        cp: found.cp(),
        seed,
        expansion: Expansion::default(),
        variant: UctVariant::default(),
        nodes,
    }
}
