//! The solution of a puzzle.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use treegauge_core::{KeyCode, Player};

use crate::rules::Solvable;
use crate::solution::Solution;
use crate::value::{Value, Valued};

/// Which of several winning moves of least remoteness a solution follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// All of them.
    All,
    /// The first one; the others are named in [`Step::as_quick`].
    First,
}

/// The solution of a puzzle with all defences: at the winner's turns the winning moves of least
/// remoteness, those that leave the loser the fewest moves first; at the loser's every move, those
/// that last longest first. Where several are equal, they come in the order of the game's moves.
///
/// Each position is there once, however many lines lead to it. Remoteness falls with every move,
/// so there is no cycle.
#[derive(Clone, Debug)]
pub struct SolutionGraph<K> {
    /// The positions in the order of their plies from the puzzle, which is the first.
    pub nodes: Vec<SolutionNode<K>>,
    /// The unfinished positions whose moves are left out because there would be too many.
    pub cut: usize,
}

/// A position of a solution.
#[derive(Clone, Debug)]
pub struct SolutionNode<K> {
    /// The fewest plies in which a line of the solution leads here.
    pub plies: u32,
    /// The position.
    pub state: K,
    /// Its value for the player to move: a win when that is the winner, else a loss.
    pub valued: Valued,
    /// At the winner's turns, what the other moves do; `None` at the loser's, in finished
    /// positions and where the moves are left out.
    pub step: Option<Step>,
    /// The moves of the solution, each with the number of the position that it leads to; none where
    /// the game is over or the moves are left out.
    pub moves: Vec<(u32, usize)>,
    /// Whether the moves are left out.
    pub cut: bool,
}

/// What the winner's moves do that are not the solution's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Moves that win as quickly and are not followed: none where all are.
    pub as_quick: Vec<u32>,
    /// Moves that win, but not as quickly, quicker ones first.
    pub slower: Vec<Other>,
    /// Moves that lose the win: quick losses first, slower ones, draws, then ties, quick ones
    /// first.
    pub missteps: Vec<Other>,
}

/// A move of the winner that is not the solution's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// The number of the move.
    pub m: u32,
    /// What it leads to, for the winner.
    pub value: Value,
    /// Plies to the end, this move the first of them; 0 for endless play, which has no end.
    pub plies: u32,
}

impl<K> SolutionNode<K> {
    /// Whether the winner is to move, or would be.
    #[must_use]
    pub fn winner_to_move(&self) -> bool {
        self.valued.value == Value::Win
    }

    /// Whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.valued.remoteness == 0
    }

    /// At a turn of the winner, whether no other move wins at all.
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        self.step
            .as_ref()
            .map(|step| self.moves.len() == 1 && step.as_quick.is_empty() && step.slower.is_empty())
    }
}

impl<K> SolutionGraph<K> {
    /// The moves of the main line: the first quickest win against the first longest defence.
    #[must_use]
    pub fn main_line(&self) -> Vec<u32> {
        let mut line = Vec::new();
        let mut node = &self.nodes[0];
        while let Some(&(m, next)) = node.moves.first() {
            line.push(m);
            node = &self.nodes[next];
        }
        line
    }

    /// The numbers of the positions, each after all that its moves lead to.
    #[must_use]
    pub fn from_the_ends(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| self.nodes[node].valued.remoteness);
        order
    }

    /// The lines of moves from the puzzle to an end; `None` when moves are left out or there are
    /// more than `u64::MAX`.
    #[must_use]
    pub fn lines(&self) -> Option<u64> {
        let mut lines: Vec<Option<u64>> = vec![None; self.nodes.len()];
        for node in self.from_the_ends() {
            let SolutionNode { moves, cut, .. } = &self.nodes[node];
            lines[node] = match (moves.is_empty(), cut) {
                (_, true) => None,
                (true, false) => Some(1),
                _ => moves.iter().try_fold(0, |sum: u64, &(_, next)| sum.checked_add(lines[next]?)),
            };
        }
        lines[0]
    }
}

/// The moves of a position, sorted by what a solution makes of them.
pub(super) struct Sorted<K> {
    /// The moves of the solution with the positions they lead to and the values of these for the
    /// player to move there.
    pub(super) solution: Vec<(u32, K, Valued)>,
    /// The winner's other moves; `None` at the loser's turn.
    pub(super) step: Option<Step>,
}

impl<K> Sorted<K> {
    /// Whether there is a choice for the winner that wins.
    pub(super) fn has_dual(&self) -> bool {
        self.step.as_ref().is_some_and(|step| self.solution.len() > 1 || !step.slower.is_empty())
    }

    /// Whether the winner can lose the win.
    fn has_misstep(&self) -> bool {
        self.step.as_ref().is_some_and(|step| !step.missteps.is_empty())
    }
}

/// The moves that win the quickest in an unfinished position that is won.
pub(crate) fn quickest_moves<K: KeyCode>(
    solution: &Solution<K>,
    state: K,
    valued: Valued,
) -> Vec<u32> {
    sorted(solution, state, valued).solution.into_iter().map(|(m, ..)| m).collect()
}

/// Sorts the moves of an unfinished position that is won or lost.
pub(super) fn sorted<K: KeyCode>(solution: &Solution<K>, state: K, valued: Valued) -> Sorted<K> {
    let wins = valued.value == Value::Win;
    let mut kept = Vec::new();
    let mut step = Step { as_quick: Vec::new(), slower: Vec::new(), missteps: Vec::new() };
    for (m, child) in (0..).zip(solution.rules().children(state)) {
        let its_value = solution.get(child.key).expect("children of a stored position are stored");
        let value = its_value.value.seen(child.same_turn);
        // Endless play has no end to count to.
        let plies = its_value.plies().map_or(0, |plies| u32::from(plies) + 1);
        if !wins || (value == Value::Win && its_value.is_next_of(valued)) {
            kept.push((m, child.key, its_value));
        } else if value == Value::Win {
            step.slower.push(Other { m, value, plies });
        } else {
            step.missteps.push(Other { m, value, plies });
        }
    }
    if wins {
        // Endless play comes last, in 0 plies.
        step.slower.sort_by_key(|other| other.plies.wrapping_sub(1));
        step.missteps.sort_by_key(|other| match other.value {
            Value::Lose => (0, other.plies.wrapping_sub(1)),
            Value::Draw => (1, 0),
            _ => (2, other.plies),
        });
        Sorted { solution: kept, step: Some(step) }
    } else {
        kept.sort_by_key(|(_, _, its_value)| std::cmp::Reverse(its_value.remoteness));
        Sorted { solution: kept, step: None }
    }
}

/// The solution from a position that is won or lost for the player to move. When there are more
/// than `positions_max` different positions, the later plies are left out, except on the main line.
///
/// # Panics
///
/// When the position is not in the solution, or neither won nor lost, or so by endless play.
#[must_use]
pub fn solution_graph<K: KeyCode>(
    solution: &Solution<K>,
    state: K,
    wins: Wins,
    positions_max: usize,
) -> SolutionGraph<K> {
    let rules = solution.rules();
    let valued = solution.get(state).expect("the position is in the solution");
    let is_decided = matches!(valued.value, Value::Win | Value::Lose) && valued.plies().is_some();
    assert!(is_decided, "the position is won or lost in a number of plies");
    let winner = match valued.value {
        Value::Win => rules.turn(state),
        _ => rules.turn(state).other(),
    };
    let moves_of = |state: K, valued: Valued| {
        let mut found = sorted(solution, state, valued);
        if let Some(step) = &mut found.step {
            found.solution.sort_by_cached_key(|&(_, child, _)| replies(rules, child, winner));
            if wins == Wins::First {
                step.as_quick.extend(found.solution.drain(1..).map(|(m, ..)| m));
            }
        }
        found
    };
    let mut main_line = FxHashSet::default();
    let mut here = (state, valued);
    while here.1.remoteness > 0 {
        main_line.insert(here.0);
        let (_, child, its_value) = moves_of(here.0, here.1).solution.swap_remove(0);
        here = (child, its_value);
    }
    let node = |plies, state, valued| SolutionNode {
        plies,
        state,
        valued,
        step: None,
        moves: Vec::new(),
        cut: false,
    };
    let mut graph = SolutionGraph { nodes: vec![node(0, state, valued)], cut: 0 };
    let mut numbers = FxHashMap::default();
    numbers.insert(state, 0);
    let mut next = 0;
    while next < graph.nodes.len() {
        let here = &graph.nodes[next];
        if !here.is_over() {
            let plies = here.plies + 1;
            let found = moves_of(here.state, here.valued);
            let children = found.solution.iter().map(|(_, child, _)| child);
            let new = children.filter(|child| !numbers.contains_key(child)).count();
            let fits = graph.nodes.len() + new <= positions_max;
            if !fits && !main_line.contains(&here.state) {
                graph.nodes[next].cut = true;
                graph.cut += 1;
            } else {
                let mut moves = Vec::with_capacity(found.solution.len());
                for (m, child, its_value) in found.solution {
                    let number = match numbers.entry(child) {
                        Entry::Occupied(known) => *known.get(),
                        Entry::Vacant(free) => {
                            graph.nodes.push(node(plies, child, its_value));
                            *free.insert(graph.nodes.len() - 1)
                        }
                    };
                    moves.push((m, number));
                }
                graph.nodes[next].step = found.step;
                graph.nodes[next].moves = moves;
            }
        }
        next += 1;
    }
    graph
}

/// The moves that the loser can choose from; none where the winner moves again.
fn replies<K: KeyCode>(rules: &Solvable<K>, state: K, winner: Player) -> u32 {
    if rules.outcome(state).is_some() || rules.turn(state) == winner {
        return 0;
    }
    rules.move_count(state)
}

/// Which moves of a symmetric position are equivalent: for each move the
/// place in `moves` of the first one that it is an image of, by a symmetry that leaves the position
/// as it is. Where there is none before it, that is its own place.
#[must_use]
pub fn first_images<K: KeyCode>(rules: &Solvable<K>, state: K, moves: &[u32]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..moves.len()).collect();
    let keeping = |&symmetry: &usize| rules.image(symmetry, state) == state;
    let places: FxHashMap<u64, usize> =
        moves.iter().enumerate().map(|(n, &m)| (rules.move_number(0, state, m), n)).collect();
    for symmetry in (1..rules.symmetry_count()).filter(keeping) {
        for (n, &m) in moves.iter().enumerate() {
            // These symmetries form a group, so every image of a move is met, the first one too.
            if let Some(&image) = places.get(&rules.move_number(symmetry, state, m)) {
                first[image] = first[image].min(n);
            }
        }
    }
    first
}

/// Answers to questions about whole solutions, however large, for positions of one solution.
///
/// Each different position is looked at once and remembered.
#[derive(Clone, Debug)]
pub struct SolutionFacts<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    unique: FxHashMap<usize, bool>,
    asks: FxHashMap<usize, bool>,
    own_moves: FxHashMap<usize, u32>,
}

/// A position on the way through a graph.
struct Open<K, T> {
    index: usize,
    wins: bool,
    /// The children still to be looked at.
    left: Vec<(K, Valued)>,
    /// What came of the others.
    found: Vec<T>,
}

impl<'a, K: KeyCode> SolutionFacts<'a, K> {
    /// Nothing is looked at yet.
    #[must_use]
    pub fn new(solution: &'a Solution<K>) -> Self {
        SolutionFacts {
            solution,
            unique: FxHashMap::default(),
            asks: FxHashMap::default(),
            own_moves: FxHashMap::default(),
        }
    }

    /// Whether at every turn of the winner, whatever the loser plays, only one move wins at all.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn is_unique(&mut self, state: K) -> bool {
        let dual = |sorted: &Sorted<K>| sorted.has_dual().then_some(false);
        // A second way somewhere below is one for every position on the way there.
        let all = |_, found: &[bool]| found.iter().all(|&unique| unique);
        let stop = |unique: &bool| !unique;
        fold(self.solution, state, &mut self.unique, false, dual, all, stop)
    }

    /// Whether somewhere in the solution the winner has a move that loses the win.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn asks_something(&mut self, state: K) -> bool {
        let misstep = |sorted: &Sorted<K>| sorted.has_misstep().then_some(true);
        let any = |_, found: &[bool]| found.contains(&true);
        // One below is one for every position on the way there.
        let stop = |asks: &bool| *asks;
        fold(self.solution, state, &mut self.asks, false, misstep, any, stop)
    }

    /// The winner's own moves on the lines of best play: the N of mate in N, as the module says.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn own_moves(&mut self, state: K) -> u32 {
        let count = |wins, found: &[u32]| match (wins, found.iter().min(), found.iter().max()) {
            (true, Some(least), _) => 1 + least,
            (false, _, Some(most)) => *most,
            _ => 0,
        };
        fold(self.solution, state, &mut self.own_moves, true, |_| None, count, |_| false)
    }
}

/// Goes through a solution, children first, and remembers what comes of each
/// position: the result of `early` for its moves, else that of `combine` for the turn and the
/// children. `stop` is true for a result that is also that of every position on the way. With
/// `longest`, only the longest defences count. No recursion, since games may be long.
fn fold<K: KeyCode, T: Copy>(
    solution: &Solution<K>,
    state: K,
    known: &mut FxHashMap<usize, T>,
    longest: bool,
    early: impl Fn(&Sorted<K>) -> Option<T>,
    combine: impl Fn(bool, &[T]) -> T,
    stop: impl Fn(&T) -> bool,
) -> T {
    let valued = solution.get(state).expect("the position is in the solution");
    let mut path: Vec<Open<K, T>> = Vec::new();
    let mut enter = Some((state, valued));
    let mut result;
    loop {
        if let Some((state, valued)) = enter.take() {
            let index = solution.index_of(state).expect("children are in the solution");
            let wins = valued.value == Value::Win;
            result = known.get(&index).copied();
            if result.is_none() && valued.remoteness > 0 {
                let sorted = sorted(solution, state, valued);
                result = early(&sorted);
                if result.is_none() {
                    let best = |its_value: &Valued| its_value.is_next_of(valued);
                    let left =
                        sorted.solution.into_iter().map(|(_, child, its_value)| (child, its_value));
                    let left = left.filter(|(_, its_value)| !longest || best(its_value)).collect();
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
        if let Some(result) = result {
            if stop(&result) {
                known.extend(path.iter().map(|open| (open.index, result)));
                return result;
            }
            match path.last_mut() {
                Some(open) => open.found.push(result),
                None => return result,
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
                None => return result,
            }
        }
    }
}
