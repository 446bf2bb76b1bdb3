//! Search web: a search tree in which equal positions share a node.
//!
//! Williams 2010, section 6.3, left it as further work. A position that several lines lead to is
//! one node with several parents, so its statistics on one line serve all others.

mod blocks;
mod index;
mod keep;
mod levels;
mod proof;
mod search;
mod shape;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use treegauge_core::{Keyed, Outcome, Player, Symmetries};

use blocks::Blocks;
use index::Index;

pub use levels::level_counts;
pub(crate) use proof::Plies;
pub use search::UctWeb;

/// Positions that share a node.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Merge {
    /// None: every line has its own nodes, as in a tree.
    #[default]
    None,
    /// Equal positions, including the player to move.
    Equal,
    /// Positions that are equal up to a symmetry of the board. The same as [`Merge::Equal`] in a
    /// game without symmetries.
    Symmetric,
}

/// Nodes that are updated with the result of a playout.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum BackUp {
    /// The nodes on the way down (Williams 2010, figures 6.3 and 6.4).
    #[default]
    Single,
    /// All nodes of the web from which the new position can be reached, each once (figure 6.2).
    All,
}

/// Statistics that the choice among moves uses.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum MoveCounts {
    /// Those of the position that a move leads to, by whatever move it was reached.
    #[default]
    Node,
    /// Those of the move itself.
    Edge,
}

/// Id of a node of a web.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WebNodeId(pub(crate) u32);

impl WebNodeId {
    /// Id of the root.
    pub const ROOT: WebNodeId = WebNodeId(0);
}

/// Visit count and sum of the results for the first player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) visits: u32,
    pub(crate) score: i32,
}

impl Counts {
    #[inline]
    pub(crate) fn add(&mut self, value: i32) {
        self.visits += 1;
        self.score += value;
    }
}

/// Node of a web: 20 bytes, without its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebNode {
    counts: Counts,
    /// First of its edges.
    first_edge: u32,
    edge_count: u16,
    legal_moves: u16,
    bounds: Bounds,
    turn: Player,
}

/// Range of results in which the value of a position lies, for the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) low: i8,
    pub(crate) high: i8,
}

impl Bounds {
    /// Range of all results.
    pub(crate) const OPEN: Bounds = Bounds { low: -1, high: 1 };

    /// Range of a single known result.
    pub(crate) fn exact(outcome: Outcome) -> Bounds {
        let value = outcome.value() as i8;
        Bounds { low: value, high: value }
    }

    /// Value of the position; `None` if more than one result is possible.
    #[inline]
    pub(crate) fn value(self) -> Option<Outcome> {
        (self.low == self.high).then(|| Outcome::of_margin(self.low.into()))
    }

    /// Least and greatest result for a player.
    #[inline]
    pub(crate) fn of(self, player: Player) -> (i32, i32) {
        match player {
            Player::First => (self.low.into(), self.high.into()),
            Player::Second => (-i32::from(self.high), -i32::from(self.low)),
        }
    }

    /// Sum of results, clamped to the range for this visit count.
    #[inline]
    pub(crate) fn clamp(self, counts: Counts) -> i32 {
        let visits = counts.visits as i32;
        counts.score.clamp(i32::from(self.low) * visits, i32::from(self.high) * visits)
    }
}

impl WebNode {
    /// Visit count by any line; with [`BackUp::All`] it includes visits below the node by other
    /// lines.
    #[inline]
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.counts.visits
    }

    /// Sum of the results **for the first player**.
    #[inline]
    #[must_use]
    pub fn score(&self) -> i32 {
        self.counts.score
    }

    /// Average result for the first player, -1 to 1; NaN for an unvisited node.
    #[inline]
    #[must_use]
    pub fn mean(&self) -> f64 {
        f64::from(self.counts.score) / f64::from(self.counts.visits)
    }

    /// Number of legal moves of the position; 0 if the rules end the game there. A game that ends
    /// there by its history may have some, since other lines do not end.
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> u32 {
        u32::from(self.legal_moves)
    }

    /// Result of perfect play, if it is known: from the end of the game, or proved by the solver.
    /// Repetitions and limits of plies are not part of a proof.
    #[inline]
    #[must_use]
    pub fn proof(&self) -> Option<Outcome> {
        self.bounds.value()
    }

    /// Least and greatest possible result of perfect play **for the first player**, -1 to 1; see
    /// [`WebNode::proof`].
    #[must_use]
    pub fn bounds(&self) -> [i32; 2] {
        [self.bounds.low.into(), self.bounds.high.into()]
    }

    /// Player to move.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    pub(crate) fn has_untried(&self) -> bool {
        self.edge_count < self.legal_moves
    }
}

/// Tried move of a node, and the node that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge<M> {
    to: u32,
    m: M,
}

impl<M: Copy> Edge<M> {
    /// Node that the move leads to.
    #[inline]
    #[must_use]
    pub fn to(&self) -> WebNodeId {
        WebNodeId(self.to)
    }

    /// The move. In a web merged up to symmetry it has the orientation of its node: that of the
    /// position searched at the root, the canonical one at other nodes.
    #[inline]
    #[must_use]
    pub fn played(&self) -> M {
        self.m
    }
}

/// Web of positions. Its edges lead from earlier to later positions only, so it has no cycles:
///
/// - in a game whose positions cannot come back, equal positions are one node;
/// - in other games, equal positions at the same distance from the root are one node.
///
/// Nodes are in the order of their creation, the root first. A node may be nearer to the root than
/// an earlier one.
///
/// # Memory
///
/// A node takes 20 bytes and its key (4 more where positions can come back), and 5 to 11 bytes in
/// the index. An edge takes 8 bytes for moves of up to four bytes; there is one per node or a few
/// more. Blocks of edges are at most a third empty. Edge counts take 8 bytes per edge, and the
/// parents that [`BackUp::All`] needs take 8 per edge and 8 per node.
#[derive(Clone, Debug)]
pub struct Web<G: Keyed> {
    nodes: Vec<WebNode>,
    keys: Vec<G::Key>,
    /// Plies from the root by node; used if they are part of a position's identity.
    plies: Vec<u32>,
    index: Index,
    blocks: Blocks<Edge<G::Move>>,
    /// Counts by edge; used if edges have counts of their own.
    edge_counts: Vec<Counts>,
    has_edge_counts: bool,
    parents: Option<Parents>,
    /// Symmetries up to which positions are merged.
    symmetries: Option<Symmetries<G>>,
    /// Whether a solver proves values.
    solver: bool,
}

/// Parents of every node, in linked lists.
#[derive(Clone, Debug, Default)]
struct Parents {
    /// First link of each node, or [`NO_LINK`].
    first: Vec<u32>,
    /// Parent and number of the next link.
    links: Vec<(u32, u32)>,
    /// Number of the last update that reached each node.
    reached: Vec<u32>,
    updates: u32,
    open: Vec<u32>,
}

const NO_LINK: u32 = u32::MAX;

impl Parents {
    /// Removes all nodes but keeps the memory.
    fn clear(&mut self) {
        self.first.clear();
        self.links.clear();
        self.reached.clear();
        self.updates = 0;
    }

    /// Adds a node without parents.
    fn add_node(&mut self) {
        self.first.push(NO_LINK);
        self.reached.push(0);
    }

    fn add(&mut self, parent: u32, n: u32) {
        let link = self.links.len() as u32;
        self.links.push((parent, self.first[n as usize]));
        self.first[n as usize] = link;
    }
}

impl<G: Keyed> Web<G> {
    pub(crate) fn new(counts: MoveCounts, back_up: BackUp) -> Self {
        Web {
            nodes: Vec::new(),
            keys: Vec::new(),
            plies: Vec::new(),
            index: Index::default(),
            blocks: Blocks::default(),
            edge_counts: Vec::new(),
            has_edge_counts: counts == MoveCounts::Edge,
            parents: (back_up == BackUp::All).then(Parents::default),
            symmetries: None,
            solver: false,
        }
    }

    /// Removes all nodes but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.keys.clear();
        self.plies.clear();
        self.index.clear();
        self.blocks.clear();
        self.edge_counts.clear();
        if let Some(parents) = &mut self.parents {
            parents.clear();
        }
    }

    /// Number of nodes, including the root; 0 before the first iteration.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// Number of bytes of the nodes, the edges and the index.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        let parents = self
            .parents
            .as_ref()
            .map_or(0, |parents| 8 * (parents.links.len() + parents.first.len()));
        let bytes = size_of_val(&self.nodes[..])
            + size_of_val(&self.keys[..])
            + size_of_val(&self.plies[..])
            + size_of_val(&self.edge_counts[..])
            + self.index.memory_bytes()
            + self.blocks.memory_bytes()
            + parents;
        bytes as u64
    }

    /// Root of the web; `None` before the first iteration.
    #[must_use]
    pub fn root(&self) -> Option<&WebNode> {
        self.nodes.first()
    }

    /// Node with this id.
    ///
    /// # Panics
    ///
    /// When the id is of another web and lies outside this one.
    #[inline]
    #[must_use]
    pub fn node(&self, id: WebNodeId) -> &WebNode {
        &self.nodes[id.0 as usize]
    }

    /// Key of a node's position; in a web merged up to symmetry that of its canonical image.
    #[must_use]
    pub fn key(&self, id: WebNodeId) -> G::Key {
        self.keys[id.0 as usize]
    }

    /// Returns whether a solver proves values.
    pub(crate) fn has_solver(&self) -> bool {
        self.solver
    }

    /// Tried moves of a node, in the order of trying.
    #[inline]
    #[must_use]
    pub fn edges(&self, id: WebNodeId) -> &[Edge<G::Move>] {
        let node = &self.nodes[id.0 as usize];
        self.blocks.slots(node.first_edge, node.edge_count)
    }

    /// Statistics of a move, as used by the choice among moves.
    #[inline]
    pub(crate) fn counts_of(&self, id: WebNodeId, edge: usize) -> Counts {
        if self.has_edge_counts {
            self.edge_counts[self.nodes[id.0 as usize].first_edge as usize + edge]
        } else {
            self.nodes[self.edges(id)[edge].to as usize].counts
        }
    }

    /// Calls `take` with the statistics of all tried moves of a node, in the order of trying.
    #[inline]
    pub(crate) fn each_counts(&self, id: WebNodeId, mut take: impl FnMut(Counts)) {
        if self.has_edge_counts {
            let node = self.node(id);
            let first = node.first_edge as usize;
            let counts = &self.edge_counts[first..first + usize::from(node.edge_count)];
            counts.iter().for_each(|&counts| take(counts));
        } else {
            self.edges(id).iter().for_each(|edge| take(self.nodes[edge.to as usize].counts));
        }
    }

    /// Returns whether a node with a larger block of edges for `most` moves fits into `bytes` and
    /// into the range of node and edge numbers.
    pub(crate) fn fits(&self, most: u32, bytes: u64) -> bool {
        let edge = size_of::<Edge<G::Move>>() + if self.has_edge_counts { 8 } else { 0 };
        let node = size_of::<WebNode>() + size_of::<G::Key>() + 4 + 16;
        let more = (edge * most as usize + node + self.index.growth_bytes()) as u64;
        let has_numbers = self.blocks.len() as u64 + u64::from(most) < u64::from(u32::MAX)
            && self.nodes.len() < u32::MAX as usize - 1;
        has_numbers && self.memory_bytes() + more <= bytes
    }

    /// Finds the node of a position; `None` if it has none.
    #[inline]
    pub(crate) fn find(&self, key: G::Key, plies: u32) -> Option<WebNodeId> {
        let is_it = |n: u32| {
            self.keys[n as usize] == key && (!G::CYCLIC || self.plies[n as usize] == plies)
        };
        self.index.find(hash::<G>(key, plies), is_it).map(WebNodeId)
    }

    /// Adds an unvisited node. [`Web::find`] finds it if it is `merged`.
    pub(crate) fn add_node(
        &mut self,
        key: G::Key,
        plies: u32,
        legal_moves: u32,
        turn: Player,
        proof: Option<Outcome>,
        merged: bool,
    ) -> WebNodeId {
        let n = self.nodes.len() as u32;
        let legal_moves =
            u16::try_from(legal_moves).expect("a position has fewer than 65,536 moves");
        self.nodes.push(WebNode {
            counts: Counts::default(),
            first_edge: 0,
            edge_count: 0,
            legal_moves,
            bounds: proof.map_or(Bounds::OPEN, Bounds::exact),
            turn,
        });
        self.keys.push(key);
        if G::CYCLIC {
            self.plies.push(plies);
        }
        if let Some(parents) = &mut self.parents {
            parents.add_node();
        }
        if merged {
            self.insert(n);
        }
        WebNodeId(n)
    }

    /// Adds a node to the index of [`Web::find`].
    fn insert(&mut self, n: u32) {
        let (keys, plies_of) = (&self.keys, &self.plies);
        let hash_of = |n: u32| {
            let plies = if G::CYCLIC { plies_of[n as usize] } else { 0 };
            hash::<G>(keys[n as usize], plies)
        };
        self.index.insert(n, hash_of);
    }

    /// Adds a tried move to a node and returns its number in the order of trying.
    pub(crate) fn add_edge(&mut self, from: WebNodeId, m: G::Move, to: WebNodeId) -> u32 {
        let node = &mut self.nodes[from.0 as usize];
        let (count, most) = (u32::from(node.edge_count), u32::from(node.legal_moves));
        debug_assert!(count < most);
        let edge = Edge { to: to.0, m };
        let before = node.first_edge;
        node.first_edge = self.blocks.push(before, count, most, edge);
        node.edge_count += 1;
        if self.has_edge_counts {
            let first = node.first_edge as usize;
            self.edge_counts.resize(self.blocks.len(), Counts::default());
            if node.first_edge != before {
                let before = before as usize;
                self.edge_counts.copy_within(before..before + count as usize, first);
            }
            self.edge_counts[first + count as usize] = Counts::default();
        }
        if let Some(parents) = &mut self.parents {
            parents.add(from.0, to.0);
        }
        count
    }

    /// Moves the blocks of edges together if more than a quarter of the slots is free.
    pub(crate) fn close_gaps(&mut self) {
        if self.blocks.has_gaps() {
            self.move_blocks();
        }
    }

    /// Moves the blocks of edges of all nodes together, and drops all others.
    fn move_blocks(&mut self) {
        let mut edge_counts = Vec::with_capacity(self.edge_counts.len());
        let has_counts = self.has_edge_counts;
        let mut moved = Blocks::default();
        for node in &mut self.nodes {
            let (count, most) = (u32::from(node.edge_count), u32::from(node.legal_moves));
            if count == 0 {
                continue;
            }
            let first = moved.add_block(self.blocks.slots(node.first_edge, node.edge_count), most);
            if has_counts {
                let before = node.first_edge as usize;
                let counts = &self.edge_counts[before..before + count as usize];
                edge_counts.extend_from_slice(counts);
                edge_counts.resize(moved.len(), Counts::default());
            }
            node.first_edge = first;
        }
        self.blocks = moved;
        self.edge_counts = edge_counts;
    }

    /// Counts a visit of a node with its result.
    #[inline]
    pub(crate) fn visit(&mut self, id: WebNodeId, value: i32) {
        self.nodes[id.0 as usize].counts.add(value);
    }

    /// Counts a visit of a move with its result, if moves have counts.
    #[inline]
    pub(crate) fn visit_edge(&mut self, from: WebNodeId, edge: u32, value: i32) {
        if self.has_edge_counts {
            let first = self.nodes[from.0 as usize].first_edge;
            self.edge_counts[(first + edge) as usize].add(value);
        }
    }

    /// Counts a visit of a node and of all nodes from which it can be reached, each once.
    pub(crate) fn visit_all_above(&mut self, id: WebNodeId, value: i32) {
        let parents = self.parents.as_mut().expect("a web of this kind knows parents");
        parents.updates += 1;
        let update = parents.updates;
        parents.reached[id.0 as usize] = update;
        parents.open.push(id.0);
        while let Some(n) = parents.open.pop() {
            self.nodes[n as usize].counts.add(value);
            let mut link = parents.first[n as usize];
            while link != NO_LINK {
                let (parent, next) = parents.links[link as usize];
                if parents.reached[parent as usize] != update {
                    parents.reached[parent as usize] = update;
                    parents.open.push(parent);
                }
                link = next;
            }
        }
    }

    /// Narrows the bounds of a node by those of its moves. Its value is at least that of each move
    /// and, once all moves were tried, at most the greatest of them. Returns whether the bounds
    /// changed.
    pub(crate) fn bound(&mut self, id: WebNodeId) -> bool {
        let node = self.node(id);
        let before = node.bounds;
        let after = self.edges(id).iter().map(|edge| self.node(edge.to()).bounds);
        let bounds = match node.turn {
            Player::First => Bounds {
                low: after.clone().map(|one| one.low).fold(-1, i8::max),
                high: if node.has_untried() {
                    1
                } else {
                    after.map(|one| one.high).fold(-1, i8::max)
                },
            },
            Player::Second => Bounds {
                low: if node.has_untried() {
                    -1
                } else {
                    after.clone().map(|one| one.low).fold(1, i8::min)
                },
                high: after.map(|one| one.high).fold(1, i8::min),
            },
        };
        self.nodes[id.0 as usize].bounds = bounds;
        bounds != before
    }
}

/// Hash of a position.
#[inline]
fn hash<G: Keyed>(key: G::Key, plies: u32) -> u64 {
    use treegauge_core::KeyCode;
    let hash = key.mix();
    if G::CYCLIC { (hash ^ u64::from(plies)).wrapping_mul(0x9e37_79b9_7f4a_7c15) } else { hash }
}
