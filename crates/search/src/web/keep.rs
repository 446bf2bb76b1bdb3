//! Reuse of a part of a web when the game goes on.

use treegauge_core::Keyed;

use super::search::own_move;
use super::{Web, WebNodeId};

/// Mark of a node that is dropped.
const DROPPED: u32 = u32::MAX;

impl<G: Keyed> Web<G> {
    /// Greatest visit count of a node; 0 in an empty web.
    pub(crate) fn visits_max(&self) -> u32 {
        self.nodes.iter().map(|node| node.visits()).max().unwrap_or(0)
    }

    /// Move of `state` that corresponds to the node's move `m`. The node may show an image of
    /// `state`.
    pub(crate) fn own_move(
        &self,
        game: &G,
        id: WebNodeId,
        state: &G::State,
        m: G::Move,
    ) -> G::Move {
        match &self.symmetries {
            Some(symmetries) if id != WebNodeId::ROOT => {
                own_move(game, symmetries, state, &game.unkey(self.key(id)), m)
            }
            _ => m,
        }
    }

    /// Makes the node after `moves` the root, and drops all nodes that cannot be reached from it.
    /// Returns whether that node exists. This invalidates ids. The nodes keep all their visits,
    /// also those by lines through other nodes. `merged` says whether [`Web::find`] finds its
    /// nodes.
    pub(crate) fn keep_after(&mut self, game: &G, moves: &[G::Move], merged: bool) -> bool {
        if self.root().is_none() {
            return false;
        }
        let mut state = game.unkey(self.key(WebNodeId::ROOT));
        let mut id = WebNodeId::ROOT;
        for &m in moves {
            let mut edges = self.edges(id).iter();
            let own = |edge: &&super::Edge<G::Move>| self.own_move(game, id, &state, edge.m) == m;
            let Some(edge) = edges.find(own) else { return false };
            id = edge.to();
            game.play(&mut state, m);
        }
        if id != WebNodeId::ROOT {
            self.turn_to(game, id, &state);
            self.keep_below(id, moves.len() as u32, merged);
        }
        true
    }

    /// Turns a node from an image to the position itself, as the root must be.
    fn turn_to(&mut self, game: &G, id: WebNodeId, state: &G::State) {
        let own: Vec<G::Move> =
            self.edges(id).iter().map(|edge| self.own_move(game, id, state, edge.m)).collect();
        let node = self.nodes[id.0 as usize];
        let edges = self.blocks.slots_mut(node.first_edge, node.edge_count);
        edges.iter_mut().zip(own).for_each(|(edge, m)| edge.m = m);
        self.keys[id.0 as usize] = game.key(state);
    }

    /// Makes a node `plies` after the root the root. The time is proportional to the web. While it
    /// runs it needs 4 more bytes per node, some for the nodes on the way, and those of the edges
    /// that are kept.
    fn keep_below(&mut self, root: WebNodeId, plies: u32, merged: bool) {
        let (numbers, count) = self.numbers_below(root);
        keep(&mut self.nodes, &numbers, root, count);
        keep(&mut self.keys, &numbers, root, count);
        if G::CYCLIC {
            // All lines to a node have the same length.
            keep(&mut self.plies, &numbers, root, count);
            self.plies.iter_mut().for_each(|one| *one -= plies);
        }
        for node in &self.nodes {
            for edge in self.blocks.slots_mut(node.first_edge, node.edge_count) {
                edge.to = numbers[edge.to as usize];
            }
        }
        self.move_blocks();
        self.index.clear();
        if merged {
            (0..count).for_each(|n| self.insert(n));
        }
        if let Some(parents) = &mut self.parents {
            parents.clear();
            self.nodes.iter().for_each(|_| parents.add_node());
            for (parent, node) in (0..).zip(&self.nodes) {
                for edge in self.blocks.slots(node.first_edge, node.edge_count) {
                    parents.add(parent, edge.to);
                }
            }
        }
    }

    /// New number of each node when `root` becomes the root: 0 for the root, the next ones in order
    /// for nodes that can be reached from it, and [`DROPPED`] for others. Also returns the number
    /// of nodes kept.
    fn numbers_below(&self, root: WebNodeId) -> (Vec<u32>, u32) {
        let mut numbers = vec![DROPPED; self.nodes.len()];
        numbers[root.0 as usize] = 0;
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            for edge in self.edges(id) {
                if numbers[edge.to as usize] == DROPPED {
                    numbers[edge.to as usize] = 0;
                    open.push(edge.to());
                }
            }
        }
        let mut count = 1;
        for (n, number) in (0..).zip(&mut numbers) {
            if *number != DROPPED && n != root.0 {
                *number = count;
                count += 1;
            }
        }
        (numbers, count)
    }
}

/// Moves the items of kept nodes to their new numbers. No item moves to a higher place: the old
/// root, which no edge leads to, makes room for the new one.
fn keep<T: Copy>(items: &mut Vec<T>, numbers: &[u32], root: WebNodeId, count: u32) {
    items[0] = items[root.0 as usize];
    for (n, &number) in numbers.iter().enumerate() {
        if number != DROPPED && n != root.0 as usize {
            items[number as usize] = items[n];
        }
    }
    items.truncate(count as usize);
}
