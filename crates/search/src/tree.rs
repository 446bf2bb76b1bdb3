//! Arena of a search tree: one block of nodes and one of bounds.

use treegauge_core::Player;

use crate::bound::{self, Exploration};

/// Id of a node in its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Id of the root of every tree.
    pub const ROOT: NodeId = NodeId(0);
}

/// Node of a search tree: a position that the search has visited.
///
/// Takes 24 bytes for a move of up to two bytes. The number of children is not stored: a node with
/// `v` visits and `b` legal moves has `min(b, v - 1)` of them, since the first visit is the node's
/// own playout and every later one tries the next untried move. A finished position has no legal
/// moves and the same result at every visit, so its result is the sign of its score.
#[derive(Clone, Copy, Debug)]
pub struct Node<M> {
    visits: u32,
    score: i32,
    first_child: u32,
    /// Half the index of the children's block of bounds; valid once every move was tried.
    bounds: u32,
    legal_moves: u16,
    /// Number of the child that the next iteration visits, or [`UNCHOSEN`].
    next: u16,
    /// Sign of the player to move; valid once every move was tried.
    sign: i8,
    m: M,
}

/// Mark of a node without a choice: some move is still untried, or the node has no moves. No child
/// has this number, since a position has fewer than 65,536 moves.
const UNCHOSEN: u16 = u16::MAX;

impl<M: Copy> Node<M> {
    /// Visit count: iterations that went through the node.
    #[inline]
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.visits
    }

    /// Sum of the results (+1, 0, -1) of those iterations **for the first player**.
    #[inline]
    #[must_use]
    pub fn score(&self) -> i32 {
        self.score
    }

    /// Average result for the first player, -1 to 1; NaN for an unvisited node.
    #[inline]
    #[must_use]
    pub fn mean(&self) -> f64 {
        f64::from(self.score) / f64::from(self.visits)
    }

    /// Number of legal moves of the position; 0 if the game is over, also by its history.
    #[inline]
    #[must_use]
    pub fn legal_moves(&self) -> u32 {
        u32::from(self.legal_moves)
    }

    /// Number of children that have been visited.
    #[inline]
    #[must_use]
    pub fn child_count(&self) -> u32 {
        self.visits.saturating_sub(1).min(self.legal_moves())
    }

    /// Move that led to the node. At the root it is a copy of any move and meaningless.
    #[inline]
    #[must_use]
    pub fn last_move(&self) -> M {
        self.m
    }
}

/// Search tree in one arena.
///
/// The children of a node are adjacent in move order, so that choosing among them reads memory in
/// one direction. A block of children grows by moving to a larger one; its old slots are reused by
/// others. (The alternative, lists of siblings linked by index, needs no moving but scatters the
/// children of one node over the arena.)
///
/// Siblings have similar visit counts, so their blocks grow in step, and on wide boards the freed
/// blocks are rarely reused. The search therefore closes the gaps when more than a quarter of the
/// arena is free. At most a third of a block is unused, so there are never more than two slots per
/// node, and in practice 1 to 1.5.
///
/// Once every move of a node was tried, its children get a block of bounds with 16 bytes for each
/// of them: the means of all, then the widths of all, so that a choice reads nothing else. A choice
/// depends only on numbers that change when an iteration passes through the node. So it is made
/// when the iteration returns, and the next descent just follows it: the comparisons at the nodes
/// of a path need not wait for each other, as those of a descent must.
///
/// Nodes and bounds never take more than 64 bytes per node for moves of up to two bytes, and in
/// practice 32 to 48.
#[derive(Clone, Debug)]
pub struct Tree<M> {
    /// Slots of the arena. A slot without a node has no visits and no moves.
    slots: Vec<Node<M>>,
    node_count: u32,
    /// First slots of the free blocks, by capacity.
    free: Vec<Vec<u32>>,
    /// Sum of the capacities of the free blocks.
    free_slots: u32,
    /// Blocks of means and widths.
    bounds: Vec<f64>,
}

impl<M: Copy> Default for Tree<M> {
    fn default() -> Self {
        Tree {
            slots: Vec::new(),
            node_count: 0,
            free: Vec::new(),
            free_slots: 0,
            bounds: Vec::new(),
        }
    }
}

impl<M: Copy> Tree<M> {
    /// Empties the tree and keeps its memory.
    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.bounds.clear();
        self.node_count = 0;
        self.forget_free();
    }

    fn forget_free(&mut self) {
        for list in &mut self.free {
            list.clear();
        }
        self.free_slots = 0;
    }

    /// Number of nodes, including the root; 0 before the first iteration.
    #[must_use]
    pub fn node_count(&self) -> u32 {
        self.node_count
    }

    /// Number of bytes of the nodes and their bounds, including free blocks.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Node<M>>() + self.bounds.len() * size_of::<f64>()) as u64
    }

    /// Root of the tree; `None` before the first iteration.
    #[must_use]
    pub fn root(&self) -> Option<&Node<M>> {
        self.slots.first()
    }

    /// Node with this id.
    ///
    /// # Panics
    ///
    /// When the id is of another tree and lies outside this one.
    #[inline]
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node<M> {
        &self.slots[id.0 as usize]
    }

    /// Children of a node that have been visited, in move order.
    #[inline]
    #[must_use]
    pub fn children(&self, id: NodeId) -> &[Node<M>] {
        let node = self.node(id);
        let first = node.first_child as usize;
        &self.slots[first..first + node.child_count() as usize]
    }

    /// Id of the `n`-th child of a node, from 0.
    #[inline]
    #[must_use]
    pub fn child_id(&self, id: NodeId, n: u32) -> NodeId {
        NodeId(self.node(id).first_child + n)
    }

    /// Ids of the children of a node in move order.
    pub fn child_ids(&self, id: NodeId) -> impl DoubleEndedIterator<Item = NodeId> + use<M> {
        let node = self.node(id);
        let first = node.first_child;
        (first..first + node.child_count()).map(NodeId)
    }

    /// Adds the root, unvisited.
    pub(crate) fn add_root(&mut self, legal_moves: u32, m: M) {
        debug_assert!(self.slots.is_empty());
        self.slots.push(node(legal_moves, m));
        self.node_count = 1;
    }

    /// Makes room for one more child of a node that has `count` children and `legal_moves` moves,
    /// and returns its slot. The node's own slot stays the same.
    pub(crate) fn add_child(
        &mut self,
        parent: NodeId,
        count: u32,
        legal_moves: u32,
        m: M,
    ) -> NodeId {
        let most = u32::from(self.slots[parent.0 as usize].legal_moves);
        debug_assert!(count < most);
        let capacity = capacity_of(count, most);
        if count == capacity {
            let larger = capacity_of(count + 1, most);
            let first = self.take_block(larger, m);
            let old = self.slots[parent.0 as usize].first_child;
            if count > 0 {
                let old = old as usize;
                self.slots.copy_within(old..old + count as usize, first as usize);
                self.give_block(old as u32, capacity);
            }
            self.slots[parent.0 as usize].first_child = first;
        }
        let id = self.slots[parent.0 as usize].first_child + count;
        self.slots[id as usize] = node(legal_moves, m);
        self.node_count += 1;
        NodeId(id)
    }

    /// Returns whether a larger block for a node with `most` moves and the bounds of its children
    /// fit into `bytes` and into the range of slot numbers.
    #[inline]
    pub(crate) fn fits(&self, most: u32, bytes: u64) -> bool {
        let bytes = bytes.min(u64::from(u32::MAX) * size_of::<Node<M>>() as u64);
        let each = size_of::<Node<M>>() + 2 * size_of::<f64>();
        self.memory_bytes() + u64::from(most) * each as u64 <= bytes
    }

    fn take_block(&mut self, capacity: u32, m: M) -> u32 {
        if let Some(first) = self.free.get_mut(capacity as usize).and_then(Vec::pop) {
            self.free_slots -= capacity;
            return first;
        }
        let first = self.slots.len();
        self.slots.resize(first + capacity as usize, node(0, m));
        u32::try_from(first).expect("a tree has fewer than 2^32 slots")
    }

    fn give_block(&mut self, first: u32, capacity: u32) {
        let block = first as usize..(first + capacity) as usize;
        for slot in &mut self.slots[block] {
            (slot.visits, slot.legal_moves) = (0, 0);
        }
        let by_capacity = capacity as usize;
        if self.free.len() <= by_capacity {
            self.free.resize_with(by_capacity + 1, Vec::new);
        }
        self.free[by_capacity].push(first);
        self.free_slots += capacity;
    }

    /// Returns whether more than a quarter of the arena is free.
    #[inline]
    pub(crate) fn has_gaps(&self) -> bool {
        u64::from(self.free_slots) * 4 > self.slots.len() as u64
    }

    /// Moves the blocks of children together. This invalidates all ids except that of the root.
    ///
    /// The time is proportional to the arena; a quarter of the arena was copied before each call to
    /// make the gaps. Needs 4 more bytes for each slot while it runs.
    pub(crate) fn close_gaps(&mut self) {
        // Entry of the first slot of each block: 1 + the slot of its parent.
        let mut blocks = vec![0; self.slots.len()];
        for (parent, node) in self.slots.iter().enumerate() {
            if node.child_count() > 0 {
                blocks[node.first_child as usize] = parent as u32 + 1;
            }
        }
        self.move_blocks(blocks);
    }

    /// Makes a node the root and drops all nodes that are not below it. This invalidates all ids.
    ///
    /// The time is proportional to the arena. While it runs it needs 4 more bytes for each slot,
    /// then 4 for each pair of bounds, and some for the nodes on the way.
    pub(crate) fn keep_below(&mut self, id: NodeId) {
        self.slots[0] = self.slots[id.0 as usize];
        let mut blocks = vec![0; self.slots.len()];
        let mut open = vec![NodeId::ROOT];
        self.node_count = 0;
        while let Some(parent) = open.pop() {
            self.node_count += 1;
            let node = self.node(parent);
            if node.child_count() > 0 {
                blocks[node.first_child as usize] = parent.0 + 1;
                open.extend(self.child_ids(parent));
            }
        }
        self.move_blocks(blocks);
        self.move_bounds();
    }

    /// Moves the blocks of children together after the root, and drops all others. At the first
    /// slot of a block, `blocks` holds 1 + the slot of its parent.
    fn move_blocks(&mut self, mut blocks: Vec<u32>) {
        // First the parents get the new places, while all blocks are still at the old ones. Then
        // the blocks move, each to a lower place or not at all, and this vector holds their
        // capacities.
        let mut to = 1;
        for block in blocks.iter_mut().filter(|block| **block > 0) {
            let parent = &mut self.slots[*block as usize - 1];
            *block = capacity_of(parent.child_count(), parent.legal_moves());
            parent.first_child = to;
            to += *block;
        }
        let mut to = 1;
        for (first, &capacity) in blocks.iter().enumerate().filter(|(_, capacity)| **capacity > 0) {
            self.slots.copy_within(first..first + capacity as usize, to);
            to += capacity as usize;
        }
        self.slots.truncate(to);
        self.forget_free();
    }

    /// Moves the blocks of bounds of all nodes together, and drops all others.
    fn move_bounds(&mut self) {
        // 1 + the slot of the node of each block, by half the block's index. A slot without a node
        // may still have a choice, but it has no visits.
        let mut owners = vec![0u32; self.bounds.len() / 2];
        for (slot, node) in self.slots.iter().enumerate() {
            if node.visits > 0 && node.next != UNCHOSEN {
                owners[node.bounds as usize] = slot as u32 + 1;
            }
        }
        let mut to = 0;
        for (half, &owner) in owners.iter().enumerate().filter(|(_, owner)| **owner > 0) {
            let node = &mut self.slots[owner as usize - 1];
            let (from, len) = (2 * half, 2 * usize::from(node.legal_moves));
            node.bounds = (to / 2) as u32;
            self.bounds.copy_within(from..from + len, to);
            to += len;
        }
        self.bounds.truncate(to);
    }

    /// Child that the next iteration visits from a node; `None` if some move is untried or the node
    /// has no moves.
    #[inline]
    pub(crate) fn next_child(&self, id: NodeId) -> Option<NodeId> {
        let node = self.node(id);
        (node.next != UNCHOSEN).then(|| NodeId(node.first_child + u32::from(node.next)))
    }

    /// Adds the result of an iteration to the nodes of its path, beginning at the root, and updates
    /// the choice at nodes that have one.
    #[inline]
    pub(crate) fn back_up(&mut self, path: &[NodeId], value: i32, exploration: &Exploration) {
        for (depth, &NodeId(id)) in path.iter().enumerate() {
            let node = &mut self.slots[id as usize];
            node.visits += 1;
            node.score += value;
            if node.next == UNCHOSEN {
                continue;
            }
            // The path continues below a node with a choice. The child's counts are still those
            // before this iteration.
            let node = *node;
            let NodeId(child_id) = path[depth + 1];
            let child = &self.slots[child_id as usize];
            let (visits, score) = (child.visits + 1, child.score + value);
            let (block, count) = (2 * node.bounds as usize, usize::from(node.legal_moves));
            let (means, widths) = self.bounds[block..block + 2 * count].split_at_mut(count);
            let n = (child_id - node.first_child) as usize;
            means[n] = bound::mean(i32::from(node.sign), score, visits);
            widths[n] = bound::width(visits);
            // The factor counts the visit that follows the choice.
            let next = bound::greatest(means, widths, exploration.factor(node.visits + 1));
            self.slots[id as usize].next = next as u16;
        }
    }

    /// Creates the bounds and the first choice of a node whose last move has just been tried.
    /// `turn` is the player to move there.
    pub(crate) fn complete(&mut self, id: NodeId, turn: Player, exploration: &Exploration) {
        let block = self.bounds.len();
        let node = *self.node(id);
        debug_assert_eq!(node.child_count(), node.legal_moves());
        let (first, count) = (node.first_child as usize, usize::from(node.legal_moves));
        let children = &self.slots[first..first + count];
        let sign = turn.sign();
        self.bounds.extend(children.iter().map(|c| bound::mean(sign, c.score, c.visits)));
        self.bounds.extend(children.iter().map(|c| bound::width(c.visits)));
        let (means, widths) = self.bounds[block..].split_at(count);
        let next = bound::greatest(means, widths, exploration.factor(node.visits + 1));
        let node = &mut self.slots[id.0 as usize];
        node.bounds = (block / 2) as u32;
        node.next = next as u16;
        node.sign = sign as i8;
    }
}

fn node<M>(legal_moves: u32, m: M) -> Node<M> {
    let legal_moves = u16::try_from(legal_moves).expect("a position has fewer than 65,536 moves");
    Node { visits: 0, score: 0, first_child: 0, bounds: 0, legal_moves, next: UNCHOSEN, sign: 0, m }
}

/// Capacity of a block that holds `count` of at most `most` children: 0, 1, 2, 3, 4, 6, 8, 12, 16,
/// ... so that at most a third of a block is unused.
#[inline]
pub(crate) fn capacity_of(count: u32, most: u32) -> u32 {
    if count <= 2 {
        return count.min(most);
    }
    let power = 1 << (31 - (count - 1).leading_zeros());
    let capacity = if count <= power + power / 2 { power + power / 2 } else { 2 * power };
    capacity.min(most)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn capacities_hold_their_count_and_waste_at_most_a_third() {
        let mut seen = vec![];
        for count in 0..200 {
            let capacity = capacity_of(count, 1_000);
            assert!(capacity >= count && capacity * 2 <= count * 3, "{count}: {capacity}");
            assert_eq!(capacity_of(capacity, 1_000), capacity, "a full block is its own size");
            seen.push(capacity);
        }
        seen.dedup();
        assert_eq!(seen[..10], [0, 1, 2, 3, 4, 6, 8, 12, 16, 24]);
        assert_eq!(capacity_of(5, 5), 5);
    }

    #[test]
    fn a_node_is_24_bytes() {
        assert_eq!(size_of::<Node<u8>>(), 24);
        assert_eq!(size_of::<Node<u16>>(), 24);
        assert!(size_of::<Node<u64>>() <= 32);
    }

    fn visit(tree: &mut Tree<impl Copy>, NodeId(id): NodeId) {
        tree.slots[id as usize].visits += 1;
    }

    #[test]
    fn blocks_that_were_outgrown_are_used_again() {
        let mut tree = Tree::default();
        tree.add_root(9, 0u8);
        for count in 0..9 {
            let id = tree.add_child(NodeId::ROOT, count, 9, count as u8);
            visit(&mut tree, id);
            visit(&mut tree, NodeId::ROOT);
        }
        visit(&mut tree, NodeId::ROOT);
        let moves: Vec<u8> = tree.children(NodeId::ROOT).iter().map(Node::last_move).collect();
        assert_eq!(moves, (0..9).collect::<Vec<u8>>());
        let before = tree.memory_bytes();
        let child = tree.child_id(NodeId::ROOT, 0);
        for count in 0..4 {
            tree.add_child(child, count, 9, 0);
        }
        assert_eq!(tree.memory_bytes(), before, "blocks of 1, 2, 3 and 4 were free");
    }

    proptest! {
        /// Adds children in the order of a search with random descents.
        #[test]
        fn closing_the_gaps_changes_places_and_nothing_else(
            branching in 1u32..90, descents in prop::collection::vec(any::<u64>(), 0..800)
        ) {
            let mut tree = Tree::default();
            tree.add_root(branching, 0u16);
            visit(&mut tree, NodeId::ROOT);
            for (n, mut random) in descents.into_iter().enumerate() {
                let mut id = NodeId::ROOT;
                while tree.node(id).child_count() == branching {
                    visit(&mut tree, id);
                    id = tree.child_id(id, (random % u64::from(branching)) as u32);
                    random = random / u64::from(branching) + 1;
                }
                let count = tree.node(id).child_count();
                let child = tree.add_child(id, count, branching, n as u16);
                visit(&mut tree, id);
                visit(&mut tree, child);
                tree.slots[child.0 as usize].score += (random % 3) as i32 - 1;
            }
            let picture = |tree: &Tree<u16>| {
                let moves = |id| tree.children(id).iter().map(Node::last_move).collect::<Vec<_>>();
                let mut ids = vec![NodeId::ROOT];
                let mut all = vec![];
                while let Some(id) = ids.pop() {
                    ids.extend(tree.child_ids(id));
                    all.push(moves(id));
                }
                format!("{all:?} {:?}", by_hand::Nested::of(tree, NodeId::ROOT))
            };
            let before = picture(&tree);
            let (count, had_gaps) = (tree.node_count(), tree.free_slots > 0);
            let bytes = tree.memory_bytes();
            tree.close_gaps();
            prop_assert_eq!(picture(&tree), before);
            prop_assert_eq!(tree.node_count(), count);
            prop_assert_eq!(tree.memory_bytes() < bytes, had_gaps);
            prop_assert!(tree.slots.len() as u64 <= 1 + (u64::from(count) - 1) * 3 / 2);
        }
    }
}

/// Trees made by hand, for tests.
#[cfg(test)]
pub(crate) mod by_hand {
    use super::*;

    /// Node with its children. A node of `visits` and `legal_moves` must have the children that a
    /// search would have given it.
    #[derive(Clone, Debug)]
    pub(crate) struct Nested {
        pub(crate) visits: u32,
        pub(crate) score: i32,
        pub(crate) legal_moves: u32,
        pub(crate) children: Vec<Nested>,
    }

    impl Nested {
        pub(crate) fn new(
            visits: u32,
            score: i32,
            legal_moves: u32,
            children: Vec<Nested>,
        ) -> Nested {
            assert_eq!(children.len() as u32, visits.saturating_sub(1).min(legal_moves));
            Nested { visits, score, legal_moves, children }
        }

        /// Copies a tree from its arena.
        pub(crate) fn of<M: Copy>(tree: &Tree<M>, id: NodeId) -> Nested {
            let node = tree.node(id);
            let children = tree.child_ids(id).map(|child| Nested::of(tree, child)).collect();
            Nested::new(node.visits(), node.score(), node.legal_moves(), children)
        }

        /// Converts the tree to an arena. The moves are the numbers of the children.
        pub(crate) fn tree(&self) -> Tree<u8> {
            let mut tree = Tree::default();
            tree.add_root(self.legal_moves, 0);
            self.fill(&mut tree, NodeId::ROOT);
            tree
        }

        fn fill(&self, tree: &mut Tree<u8>, id: NodeId) {
            for (n, child) in self.children.iter().enumerate() {
                tree.add_child(id, n as u32, child.legal_moves, n as u8);
            }
            let node = &mut tree.slots[id.0 as usize];
            (node.visits, node.score) = (self.visits, self.score);
            for (n, child) in self.children.iter().enumerate() {
                let id = NodeId(tree.slots[id.0 as usize].first_child + n as u32);
                child.fill(tree, id);
            }
        }
    }
}
