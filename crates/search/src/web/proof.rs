//! Lines of play that keep a proved value.

use treegauge_core::Keyed;

use super::{Web, WebNodeId};
use crate::ran::Search;

impl<G: Keyed> Search<'_, Web<G>> {
    /// Line of play that keeps the proved value of the root, for the searched position `from`.
    /// Among the proved moves the winner takes the shortest way to a finished game, and the loser
    /// the longest. In a draw it is any line of the proof. Empty if the root is not proved.
    #[must_use]
    pub fn proved_line(&self, game: &G, from: &G::State) -> Vec<G::Move> {
        let web = self.web();
        let mut line = Vec::new();
        if web.root().is_none_or(|root| root.proof().is_none()) {
            return line;
        }
        let plies = Plies::of(web);
        let mut state = from.clone();
        let mut id = WebNodeId::ROOT;
        while let Some(n) = plies.next(web, id) {
            let edge = web.edges(id)[n];
            let own = web.own_move(game, id, &state, edge.played());
            game.play(&mut state, own);
            line.push(own);
            id = edge.to();
        }
        line
    }
}

/// Plies to the end of the game by the line of a proof, by node.
pub(crate) struct Plies(Vec<Option<u32>>);

impl Plies {
    /// Computes the plies of all nodes that the proof of the root needs.
    pub(crate) fn of<G: Keyed>(web: &Web<G>) -> Plies {
        let mut plies = Plies(vec![None; web.node_count() as usize]);
        let mut open = vec![WebNodeId::ROOT];
        // A node is visited again when those after it are known. The web has no cycles.
        while let Some(&id) = open.last() {
            let proof = web.node(id).proof();
            let unknown =
                |to: &WebNodeId| plies.0[to.0 as usize].is_none() && web.node(*to).proof() == proof;
            let missing: Vec<WebNodeId> =
                web.edges(id).iter().map(|edge| edge.to()).filter(unknown).collect();
            if missing.is_empty() {
                plies.0[id.0 as usize] = Some(plies.next(web, id).map_or(0, |n| {
                    let to = web.edges(id)[n].to();
                    plies.0[to.0 as usize].map_or(1, |after| after + 1)
                }));
                open.pop();
            } else {
                open.extend(missing);
            }
        }
        plies
    }

    /// Number of the edge that the line takes, which keeps the value; `None` if there is none.
    pub(crate) fn next<G: Keyed>(&self, web: &Web<G>, id: WebNodeId) -> Option<usize> {
        let node = web.node(id);
        let proof = node.proof()?;
        let wins = proof.winner() == Some(node.turn());
        let keeps = |to: WebNodeId| web.node(to).proof() == Some(proof);
        let edges = web.edges(id).iter().enumerate();
        let kept = edges.filter(|(_, edge)| keeps(edge.to()));
        let with_plies = kept.map(|(n, edge)| (n, self.0[edge.to().0 as usize]));
        let first = |n: &(usize, Option<u32>)| std::cmp::Reverse(n.0);
        if wins || proof.winner().is_none() {
            with_plies.min_by_key(|&(n, plies)| (plies.unwrap_or(u32::MAX), n)).map(|(n, _)| n)
        } else {
            with_plies.max_by_key(|one| (one.1, first(one))).map(|(n, _)| n)
        }
    }
}
