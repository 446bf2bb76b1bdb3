//! Shape of a web, by the features of trees.

use std::collections::VecDeque;

use treegauge_core::{Keyed, Player};

use super::{Web, WebNodeId};
use crate::shape::{MoveAverages, Shape, ShapeOptions, Totals};

impl Shape {
    /// Measures a web: the features of [`Shape`], with these meanings.
    ///
    /// - The depth of a node is its least distance from the root.
    /// - Shares and means over nodes count every node once, however many lines lead to it.
    /// - Moves are those tried at the root, each with the average that the choice among moves uses.
    ///   Two of them may lead to the same node.
    /// - The nodes below a move are all that can be reached from its node, each once. The depth of
    ///   such a node is its least distance from there, plus 1 for the move itself.
    ///
    /// In a web without transpositions they are the features of the tree. `turn` is the player to
    /// move at the root. `None` for an empty web. The time is proportional to the number of nodes
    /// times the number of the root's moves.
    #[must_use]
    pub fn of_web<G: Keyed>(
        web: &Web<G>,
        turn: Player,
        drift: &MoveAverages,
        options: ShapeOptions,
    ) -> Option<Shape> {
        let root = web.root()?;
        let mut reach =
            Reach { reached: vec![0; web.node_count() as usize], walks: 0, open: VecDeque::new() };
        let all = reach.totals(web, WebNodeId::ROOT, 0, options);
        let moves = web.edges(WebNodeId::ROOT).iter();
        let below: Vec<Totals> =
            moves.map(|edge| reach.totals(web, edge.to(), 1, options)).collect();
        let averages = web.averages(turn);
        Some(Shape::of_parts(root.legal_moves(), &averages, all, &below, drift, options))
    }
}

/// Walks over the reachable nodes in the order of distance.
struct Reach {
    /// Number of the last walk that reached each node.
    reached: Vec<u32>,
    walks: u32,
    open: VecDeque<(WebNodeId, u32)>,
}

impl Reach {
    fn totals<G: Keyed>(
        &mut self,
        web: &Web<G>,
        from: WebNodeId,
        depth: u32,
        options: ShapeOptions,
    ) -> Totals {
        self.walks += 1;
        let mut totals = Totals::default();
        self.open.push_back((from, depth));
        self.reached[from.0 as usize] = self.walks;
        while let Some((id, depth)) = self.open.pop_front() {
            let node = web.node(id);
            totals.add(node.visits(), node.legal_moves(), depth, options.uct_nodes);
            for edge in web.edges(id) {
                let reached = &mut self.reached[edge.to().0 as usize];
                if *reached != self.walks {
                    *reached = self.walks;
                    self.open.push_back((edge.to(), depth + 1));
                }
            }
        }
        totals
    }
}
