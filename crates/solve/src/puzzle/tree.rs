//! The solution of a puzzle.

use rustc_hash::FxHashMap;
use treegauge_core::{Game, Keyed};

use crate::{Solution, Value, Valued};

/// How much of a solution is written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Positions; those of the main line and the answers to it are kept beyond it.
    pub nodes_max: usize,
    /// Plies from the puzzle.
    pub plies_max: u32,
}

impl TreeLimits {
    /// Everything.
    pub const NONE: TreeLimits = TreeLimits { nodes_max: usize::MAX, plies_max: u32::MAX };
}

/// The solution of a puzzle with all defences: at the winner's turns the winning moves of least
/// remoteness, at the loser's every move, those that last longest first. Where several are equal,
/// they come in the order of the game's moves.
#[derive(Clone, Debug)]
pub struct PuzzleTree<G: Game> {
    /// The positions, by plies from the puzzle, which is the first; each after its parent.
    pub nodes: Vec<TreeNode<G>>,
    /// The unfinished positions whose moves are left out because of the limits.
    pub cut: usize,
}

/// A position of a solution.
#[derive(Clone, Debug)]
pub struct TreeNode<G: Game> {
    /// The move that led here; `None` at the puzzle.
    pub last_move: Option<G::Move>,
    /// Plies from the puzzle.
    pub plies: u32,
    /// The position.
    pub state: G::State,
    /// What it is worth for the player to move: a win when that is the winner, else a loss.
    pub valued: Valued,
    /// At the winner's turns, what his other moves do; `None` at the loser's, in finished
    /// positions and where the moves are left out.
    pub step: Option<Step<G::Move>>,
    /// The positions after the moves of the solution; none where the game is over or the moves are
    /// left out.
    pub children: Vec<usize>,
    /// Whether the moves are left out because of the limits.
    pub cut: bool,
}

/// What the winner's moves do that are not the solution's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<M> {
    /// Moves that win, but not as quickly, quicker ones first.
    pub slower: Vec<Other<M>>,
    /// Moves that lose the win: quick losses first, slower ones, draws, then ties, quick ones
    /// first.
    pub missteps: Vec<Other<M>>,
}

/// A move of the winner that is not the solution's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other<M> {
    /// The move.
    pub m: M,
    /// What it leads to, for the winner.
    pub value: Value,
    /// Plies to the end, this move the first of them; 0 for a draw, which has no end.
    pub plies: u32,
}

impl<G: Game> TreeNode<G> {
    /// Whether the winner is to move, or would be.
    #[must_use]
    pub fn winner_to_move(&self) -> bool {
        self.valued.value == Value::Win
    }

    /// At a turn of the winner, whether no other move wins at all.
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        self.step.as_ref().map(|step| self.children.len() == 1 && step.slower.is_empty())
    }
}

impl<G: Game> PuzzleTree<G> {
    /// The moves of the main line: the first quickest win against the first longest defence.
    #[must_use]
    pub fn main_line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut node = &self.nodes[0];
        while let Some(&child) = node.children.first() {
            node = &self.nodes[child];
            line.extend(node.last_move);
        }
        line
    }
}

/// The moves of a position, sorted by what a solution makes of them.
pub(super) struct Sorted<G: Game> {
    /// The moves of the solution with the positions they lead to and the worth of these for
    /// whoever is to move there.
    pub(super) solution: Vec<(G::Move, G::State, Valued)>,
    /// The winner's other moves; `None` at the loser's turn.
    pub(super) step: Option<Step<G::Move>>,
}

impl<G: Game> Sorted<G> {
    /// Whether there is a choice for the winner that wins.
    pub(super) fn has_dual(&self) -> bool {
        self.step.as_ref().is_some_and(|step| self.solution.len() > 1 || !step.slower.is_empty())
    }
}

/// Sorts the moves of an unfinished position that is won or lost.
pub(super) fn sorted<G: Keyed>(
    solution: &Solution<G>,
    state: &G::State,
    valued: Valued,
) -> Sorted<G> {
    let game = solution.rules().game();
    let turn = game.turn(state);
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let wins = valued.value == Value::Win;
    let mut kept = Vec::with_capacity(moves.len());
    let mut step = Step { slower: Vec::new(), missteps: Vec::new() };
    for m in moves {
        let mut child = state.clone();
        game.play(&mut child, m);
        let worth = solution.get(&child).expect("children of a stored position are stored");
        let value = worth.value.seen(game.turn(&child) == turn);
        let plies = if value == Value::Draw { 0 } else { u32::from(worth.remoteness) + 1 };
        if !wins || (value == Value::Win && plies == u32::from(valued.remoteness)) {
            kept.push((m, child, worth));
        } else if value == Value::Win {
            step.slower.push(Other { m, value, plies });
        } else {
            step.missteps.push(Other { m, value, plies });
        }
    }
    if wins {
        step.slower.sort_by_key(|other| other.plies);
        step.missteps.sort_by_key(|other| match other.value {
            Value::Lose => (0, other.plies),
            Value::Draw => (1, 0),
            _ => (2, other.plies),
        });
        Sorted { solution: kept, step: Some(step) }
    } else {
        kept.sort_by_key(|(_, _, worth)| std::cmp::Reverse(worth.remoteness));
        Sorted { solution: kept, step: None }
    }
}

/// The solution from a position that is won or lost for the player to move. The limits leave the
/// later plies out, except on the main line.
///
/// # Panics
///
/// When the position is not in the solution, or neither won nor lost.
#[must_use]
pub fn solution_tree<G: Keyed>(
    solution: &Solution<G>,
    state: &G::State,
    limits: TreeLimits,
) -> PuzzleTree<G> {
    let valued = solution.get(state).expect("the position is in the solution");
    assert!(matches!(valued.value, Value::Win | Value::Lose), "somebody wins");
    let node = |last_move, plies, state, valued| TreeNode {
        last_move,
        plies,
        state,
        valued,
        step: None,
        children: Vec::new(),
        cut: false,
    };
    let mut tree = PuzzleTree { nodes: vec![node(None, 0, state.clone(), valued)], cut: 0 };
    let mut on_main_line = 0;
    let mut next = 0;
    while next < tree.nodes.len() {
        let here = &tree.nodes[next];
        // A position of remoteness 0 is finished.
        if here.valued.remoteness > 0 {
            let plies = here.plies + 1;
            let found = sorted(solution, &here.state, here.valued);
            let fits = tree.nodes.len() + found.solution.len() <= limits.nodes_max;
            if plies > limits.plies_max || !(fits || next == on_main_line) {
                tree.nodes[next].cut = true;
                tree.cut += 1;
            } else {
                let first = tree.nodes.len();
                if next == on_main_line {
                    on_main_line = first;
                }
                tree.nodes[next].children = (first..first + found.solution.len()).collect();
                tree.nodes[next].step = found.step;
                let children = found.solution.into_iter();
                tree.nodes
                    .extend(children.map(|(m, child, worth)| node(Some(m), plies, child, worth)));
            }
        }
        next += 1;
    }
    tree
}

/// Answers to questions about whole solution trees, however large, for positions of one solution.
///
/// A tree is seen as the graph of its different positions, each looked at once and remembered. As
/// everywhere in a solution tree, remoteness falls with every ply, so the graph has no cycle.
#[derive(Clone, Debug)]
pub struct TreeFacts<'a, G: Keyed> {
    solution: &'a Solution<G>,
    unique: FxHashMap<usize, bool>,
    nodes: FxHashMap<usize, u64>,
    own_moves: FxHashMap<usize, u32>,
}

/// A position on the way through a graph.
struct Open<G: Game, T> {
    index: usize,
    wins: bool,
    /// The children still to be looked at.
    left: Vec<(G::State, Valued)>,
    /// What came of the others.
    found: Vec<T>,
}

impl<'a, G: Keyed> TreeFacts<'a, G> {
    /// Nothing is looked at yet.
    #[must_use]
    pub fn new(solution: &'a Solution<G>) -> Self {
        TreeFacts {
            solution,
            unique: FxHashMap::default(),
            nodes: FxHashMap::default(),
            own_moves: FxHashMap::default(),
        }
    }

    /// Whether at every turn of the winner, whatever the loser plays, only one move wins at all.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn is_unique(&mut self, state: &G::State) -> bool {
        let dual = |sorted: &Sorted<G>| sorted.has_dual().then_some(false);
        // A second way somewhere below is one for every position on the way there.
        let all = |_, found: &[bool]| found.iter().all(|&unique| unique);
        let stop = |unique: &bool| !unique;
        let solution = self.solution;
        fold(solution, state, &mut self.unique, usize::MAX, false, dual, all, stop)
            .expect("no limit was set")
    }

    /// The positions of the whole solution tree, counted for each line that leads to them and at
    /// most `u64::MAX`; `None` when more than `positions_max` different ones would have to be
    /// looked at in addition to those that were before.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn tree_nodes(&mut self, state: &G::State, positions_max: usize) -> Option<u64> {
        let sum = |_, found: &[u64]| found.iter().fold(1, |sum: u64, &n| sum.saturating_add(n));
        let solution = self.solution;
        fold(solution, state, &mut self.nodes, positions_max, false, |_| None, sum, |_| false)
    }

    /// The winner's own moves on the lines of best play: the N of mate in N, as the module says.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn own_moves(&mut self, state: &G::State) -> u32 {
        let count = |wins, found: &[u32]| match (wins, found.iter().min(), found.iter().max()) {
            (true, Some(least), _) => 1 + least,
            (false, _, Some(most)) => *most,
            _ => 0,
        };
        let solution = self.solution;
        fold(solution, state, &mut self.own_moves, usize::MAX, true, |_| None, count, |_| false)
            .expect("no limit was set")
    }
}

/// Goes through the graph of a solution tree, children first, and remembers what comes of each
/// position: what `early` says of its moves, else what `combine` makes of whether the winner is to
/// move and of the children. `stop` tells of a result that is also that of every position on the
/// way. With `longest`, only defences that last longest are looked at. No recursion, since games
/// may be long.
#[expect(clippy::too_many_arguments, reason = "three callers, each a line long")]
fn fold<G: Keyed, T: Copy>(
    solution: &Solution<G>,
    state: &G::State,
    known: &mut FxHashMap<usize, T>,
    positions_max: usize,
    longest: bool,
    early: impl Fn(&Sorted<G>) -> Option<T>,
    combine: impl Fn(bool, &[T]) -> T,
    stop: impl Fn(&T) -> bool,
) -> Option<T> {
    let valued = solution.get(state).expect("the position is in the solution");
    let known_before = known.len();
    let mut path: Vec<Open<G, T>> = Vec::new();
    let mut enter = Some((state.clone(), valued));
    let mut result;
    loop {
        if let Some((state, valued)) = enter.take() {
            let index = solution.index_of_state(&state).expect("children are in the solution");
            let wins = valued.value == Value::Win;
            result = known.get(&index).copied();
            if result.is_none() && valued.remoteness > 0 {
                let sorted = sorted(solution, &state, valued);
                result = early(&sorted);
                if result.is_none() {
                    let best = |worth: &Valued| worth.remoteness + 1 == valued.remoteness;
                    let left = sorted.solution.into_iter().map(|(_, child, worth)| (child, worth));
                    let left = left.filter(|(_, worth)| !longest || best(worth)).collect();
                    path.push(Open { index, wins, left, found: Vec::new() });
                }
            } else if result.is_none() {
                result = Some(combine(wins, &[]));
            }
            if let Some(result) = result {
                known.insert(index, result);
            }
        } else {
            result = None;
        }
        if known.len() - known_before > positions_max {
            return None;
        }
        if let Some(result) = result {
            if stop(&result) {
                known.extend(path.iter().map(|open| (open.index, result)));
                return Some(result);
            }
            match path.last_mut() {
                Some(open) => open.found.push(result),
                None => return Some(result),
            }
        }
        let open = path.last_mut().expect("a way that ends has a result");
        enter = open.left.pop();
        if enter.is_none() {
            let result = combine(open.wins, &open.found);
            known.insert(open.index, result);
            path.pop();
            match path.last_mut() {
                Some(open) => open.found.push(result),
                None => return Some(result),
            }
        }
    }
}
