//! Statistics of the root's moves, and principal variation of a finished search.

use treegauge_core::Keyed;

use crate::ran::Search;
use crate::tree::{NodeId, Tree};
use crate::web::{Plies, Web, WebNodeId};

/// Statistics of a move that the search tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveStats<M> {
    /// The move.
    pub m: M,
    /// Visit count: iterations that played the move, 1 or more.
    pub visits: u32,
    /// Sum of their results (+1, 0, -1) **for the first player**, clamped to `bounds`.
    pub score: i32,
    /// Least and greatest possible value of the move **for the first player**, -1 to 1. Only a
    /// solver narrows them.
    pub bounds: [i32; 2],
    /// Number of legal moves after this move; 0 if the game ends there.
    pub legal_moves: u32,
    /// Number of those legal moves that the search tried.
    pub tried_moves: u32,
}

impl<M: Copy + PartialEq> Search<'_, Tree<M>> {
    /// Statistics of the moves tried at the root, in the order of trying.
    #[must_use]
    pub fn tried(&self) -> Vec<MoveStats<M>> {
        self.tried_after(&[]).unwrap_or_default()
    }

    /// Statistics of the moves tried after `moves`; `None` if that position is not a node.
    #[must_use]
    pub fn tried_after(&self, moves: &[M]) -> Option<Vec<MoveStats<M>>> {
        let tree = self.tree();
        tree.root()?;
        let mut id = NodeId::ROOT;
        for &m in moves {
            id = tree.child_ids(id).find(|&child| tree.node(child).last_move() == m)?;
        }
        let tried = tree.children(id).iter().map(|child| MoveStats {
            m: child.last_move(),
            visits: child.visits(),
            score: child.score(),
            bounds: [-1, 1],
            legal_moves: child.legal_moves(),
            tried_moves: child.child_count(),
        });
        Some(tried.collect())
    }

    /// Principal variation: the move to play, then always the most visited child, the first of
    /// equals.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<M> {
        let tree = self.tree();
        let mut line = Vec::new();
        let mut next = self.best_child();
        while let Some(id) = next {
            line.push(tree.node(id).last_move());
            // `max_by_key` returns the last of equals, so the iteration is backwards.
            next = tree.child_ids(id).rev().max_by_key(|&child| tree.node(child).visits());
        }
        line
    }
}

impl<G: Keyed> Search<'_, Web<G>> {
    fn tried_at(&self, id: WebNodeId) -> Vec<MoveStats<G::Move>> {
        let web = self.web();
        let edges = web.edges(id).iter().enumerate();
        let tried = edges.map(|(n, edge)| {
            let (counts, to) = (web.clamped(id, n), web.node(edge.to()));
            MoveStats {
                m: edge.played(),
                visits: counts.visits,
                score: counts.score,
                bounds: to.bounds(),
                legal_moves: to.legal_moves(),
                tried_moves: web.edges(edge.to()).len() as u32,
            }
        });
        tried.collect()
    }

    /// Statistics of the moves tried at the root, in the order of trying.
    #[must_use]
    pub fn tried(&self) -> Vec<MoveStats<G::Move>> {
        self.web().root().map_or_else(Vec::new, |_| self.tried_at(WebNodeId::ROOT))
    }

    /// Statistics of the moves tried after `moves` from `root`, the position that was searched;
    /// `None` if the search did not try one of them. In a web merged up to symmetry the moves are
    /// those of the positions on this line.
    #[must_use]
    pub fn tried_after(
        &self,
        game: &G,
        root: &G::State,
        moves: &[G::Move],
    ) -> Option<Vec<MoveStats<G::Move>>> {
        let web = self.web();
        web.root()?;
        let (mut id, mut state) = (WebNodeId::ROOT, root.clone());
        for &m in moves {
            let mut edges = web.edges(id).iter();
            let edge = edges.find(|edge| web.own_move(game, id, &state, edge.played()) == m)?;
            game.play(&mut state, m);
            id = edge.to();
        }
        let own =
            |tried: MoveStats<_>| MoveStats { m: web.own_move(game, id, &state, tried.m), ..tried };
        Some(self.tried_at(id).into_iter().map(own).collect())
    }

    /// Principal variation: the move to play, then always the move to the most visited position,
    /// the first of equals. If the root is proved, it is the line of the proof.
    #[must_use]
    pub fn principal_variation(&self, game: &G, root: &G::State) -> Vec<G::Move> {
        let web = self.web();
        let proof = web.root().and_then(|root| root.proof()).map(|_| Plies::of(web));
        let mut line = Vec::new();
        let (mut id, mut state) = (WebNodeId::ROOT, root.clone());
        let mut next = self.best_move_number().map(|n| n as usize);
        while let Some(n) = next {
            let edge = web.edges(id)[n];
            let own = web.own_move(game, id, &state, edge.played());
            game.play(&mut state, own);
            line.push(own);
            id = edge.to();
            next = self.next(proof.as_ref(), id);
        }
        line
    }

    /// Edge by which the principal variation continues from a node below the root; `None` at its
    /// end.
    pub(crate) fn next(&self, proof: Option<&Plies>, id: WebNodeId) -> Option<usize> {
        let web = self.web();
        let edges = web.edges(id);
        proof.and_then(|line| line.next(web, id)).or_else(|| {
            // `max_by_key` returns the last of equals, so the iteration is backwards.
            (0..edges.len()).rev().max_by_key(|&n| web.node(edges[n].to()).visits())
        })
    }
}
