//! Solution of a puzzle, as a graph of positions.

use std::collections::hash_map::Entry;

use rustc_hash::{FxHashMap, FxHashSet};
use treegauge_core::{KeyCode, Player};

use crate::rules::Solvable;
use crate::solution::Solution;
use crate::value::{ExactValue, Value};

/// Winning moves that a solution follows, if several have the least remoteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wins {
    /// All of them.
    All,
    /// Only the first one; [`Step::as_quick`] lists the others.
    First,
}

/// Solution of a puzzle with all defences. At the winner's turns it has the winning moves of least
/// remoteness, ordered by the number of replies that they leave the loser, fewest first. At the
/// loser's turns it has every move, longest defence first. Among equals the order of the game's
/// moves is kept.
///
/// Each position is stored once, however many lines lead to it. Remoteness falls with every move,
/// so the graph has no cycle.
#[derive(Clone, Debug)]
pub struct SolutionGraph<K> {
    /// Positions in the order of their plies from the puzzle, which is the first.
    pub nodes: Vec<SolutionNode<K>>,
    /// Number of unfinished positions whose moves are left out because the graph would be too
    /// large.
    pub cut: usize,
}

/// Position of a solution.
#[derive(Clone, Debug)]
pub struct SolutionNode<K> {
    /// Fewest plies in which a line of the solution leads to this position.
    pub plies: u32,
    /// Code of the position.
    pub state: K,
    /// Value for the player to move: a win if that is the winner, else a loss.
    pub valued: ExactValue,
    /// Other moves at the winner's turn, by their results; `None` at the loser's turn, in finished
    /// positions and if the moves are left out.
    pub step: Option<Step>,
    /// Moves of the solution, each with the number of the position that it leads to. Empty if the
    /// game is over or the moves are left out.
    pub moves: Vec<(u32, usize)>,
    /// Whether the moves are left out.
    pub cut: bool,
}

/// Moves of the winner that are not part of the solution, by their results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Moves that win as quickly but are not followed; empty if all are followed.
    pub as_quick: Vec<u32>,
    /// Moves that win, but not as quickly; quicker ones first.
    pub slower: Vec<Other>,
    /// Moves that lose the win. Losses come first, quick ones before slow ones, then draws, then
    /// ties, quick ones before slow ones.
    pub missteps: Vec<Other>,
}

/// Move of the winner that is not part of the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Other {
    /// Number of the move.
    pub m: u32,
    /// Result of the move for the winner.
    pub value: Value,
    /// Plies to the end, counting this move; 0 for endless play, which has no end.
    pub plies: u32,
}

impl<K> SolutionNode<K> {
    /// Returns whether the winner is to move, or would be in a finished position.
    #[must_use]
    pub fn winner_to_move(&self) -> bool {
        self.valued.value == Value::Win
    }

    /// Returns whether the game is over.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.valued.remoteness == 0
    }

    /// Returns whether exactly one move wins; `None` if the winner is not to move or the moves are
    /// left out.
    #[must_use]
    pub fn is_unique(&self) -> Option<bool> {
        self.step
            .as_ref()
            .map(|step| self.moves.len() == 1 && step.as_quick.is_empty() && step.slower.is_empty())
    }
}

impl<K> SolutionGraph<K> {
    /// Moves of the main line: the first quickest win against the first longest defence.
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

    /// Numbers of the positions in an order that puts each after all positions its moves lead to.
    #[must_use]
    pub fn from_the_ends(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by_key(|&node| self.nodes[node].valued.remoteness);
        order
    }

    /// Number of lines of moves from the puzzle to an end; `None` if moves are left out or there
    /// are more than `u64::MAX` lines.
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

/// Moves of a position, sorted by whether they belong to the solution.
pub(super) struct Sorted<K> {
    /// Moves of the solution, each with the position that it leads to and the value there for the
    /// player to move.
    pub(super) solution: Vec<(u32, K, ExactValue)>,
    /// Other moves of the winner; `None` at the loser's turn.
    pub(super) step: Option<Step>,
}

impl<K> Sorted<K> {
    /// Returns whether the winner has more than one winning move.
    pub(super) fn has_dual(&self) -> bool {
        self.step.as_ref().is_some_and(|step| self.solution.len() > 1 || !step.slower.is_empty())
    }

    /// Returns whether the winner has a move that loses the win.
    fn has_misstep(&self) -> bool {
        self.step.as_ref().is_some_and(|step| !step.missteps.is_empty())
    }
}

/// Quickest winning moves of an unfinished won position.
pub(crate) fn quickest_moves<K: KeyCode>(
    solution: &Solution<K>,
    state: K,
    valued: ExactValue,
) -> Vec<u32> {
    sorted(solution, state, valued).solution.into_iter().map(|(m, ..)| m).collect()
}

/// Sorts the moves of an unfinished position that is won or lost.
pub(super) fn sorted<K: KeyCode>(
    solution: &Solution<K>,
    state: K,
    valued: ExactValue,
) -> Sorted<K> {
    let wins = valued.value == Value::Win;
    let mut kept = Vec::new();
    let mut step = Step { as_quick: Vec::new(), slower: Vec::new(), missteps: Vec::new() };
    for (m, child) in (0..).zip(solution.rules().children(state)) {
        let its_value = solution.get(child.key).expect("children of a stored position are stored");
        let value = its_value.value.seen(child.same_turn);
        // Endless play has no end, so it has no number of plies.
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
        // Endless play, with 0 plies, comes last.
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

/// Solution from a position that is won or lost for the player to move. If it has more than
/// `positions_max` different positions, the later plies are left out, except on the main line.
///
/// # Panics
///
/// When the position is not in the solution, is neither won nor lost, or is won or lost by endless
/// play.
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
    let moves_of = |state: K, valued: ExactValue| {
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

/// Number of moves that the loser can choose from; 0 if the game is over or the winner moves again.
fn replies<K: KeyCode>(rules: &Solvable<K>, state: K, winner: Player) -> u32 {
    if rules.outcome(state).is_some() || rules.turn(state) == winner {
        return 0;
    }
    rules.move_count(state)
}

/// Groups equivalent moves of a symmetric position. Returns for each move the place in `moves` of
/// the first move that a symmetry maps it to, using only symmetries that keep the position. A move
/// without an earlier image has its own place.
#[must_use]
pub fn first_images<K: KeyCode>(rules: &Solvable<K>, state: K, moves: &[u32]) -> Vec<usize> {
    let mut first: Vec<usize> = (0..moves.len()).collect();
    let keeping = |&symmetry: &usize| rules.image(symmetry, state) == state;
    let places: FxHashMap<u64, usize> =
        moves.iter().enumerate().map(|(n, &m)| (rules.move_number(0, state, m), n)).collect();
    for symmetry in (1..rules.symmetry_count()).filter(keeping) {
        for (n, &m) in moves.iter().enumerate() {
            // These symmetries form a group, so every image of a move occurs, including the first
            // one.
            if let Some(&image) = places.get(&rules.move_number(symmetry, state, m)) {
                first[image] = first[image].min(n);
            }
        }
    }
    first
}

/// Properties of whole solutions of any size, for positions of one solved game.
///
/// Each position is visited once and its result remembered.
#[derive(Clone, Debug)]
pub struct SolutionFacts<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    unique: FxHashMap<usize, bool>,
    asks: FxHashMap<usize, bool>,
    own_moves: FxHashMap<usize, u32>,
}

/// Position on the stack of a walk through a graph.
struct Open<K, T> {
    index: usize,
    wins: bool,
    /// Children still to visit.
    left: Vec<(K, ExactValue)>,
    /// Results of the children visited.
    found: Vec<T>,
}

impl<'a, K: KeyCode> SolutionFacts<'a, K> {
    /// Creates an empty memory of results.
    #[must_use]
    pub fn new(solution: &'a Solution<K>) -> Self {
        SolutionFacts {
            solution,
            unique: FxHashMap::default(),
            asks: FxHashMap::default(),
            own_moves: FxHashMap::default(),
        }
    }

    /// Returns whether only one move wins at every turn of the winner, whatever the loser plays.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn is_unique(&mut self, state: K) -> bool {
        let dual = |sorted: &Sorted<K>| sorted.has_dual().then_some(false);
        // A second winning move below a position counts for every position on the way there.
        let all = |_, found: &[bool]| found.iter().all(|&unique| unique);
        let stop = |unique: &bool| !unique;
        fold(self.solution, state, &mut self.unique, false, dual, all, stop)
    }

    /// Returns whether the winner has, anywhere in the solution, a move that loses the win.
    ///
    /// # Panics
    ///
    /// When the position is not in the solution.
    #[must_use]
    pub fn asks_something(&mut self, state: K) -> bool {
        let misstep = |sorted: &Sorted<K>| sorted.has_misstep().then_some(true);
        let any = |_, found: &[bool]| found.contains(&true);
        // A losing move below a position counts for every position on the way there.
        let stop = |asks: &bool| *asks;
        fold(self.solution, state, &mut self.asks, false, misstep, any, stop)
    }

    /// Number of the winner's own moves on the lines of best play: N of "mate in N", see the
    /// module.
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

/// Walks through a solution, children first, and remembers the result of each position: that of
/// `early` for its moves if there is one, else that of `combine` for the turn and the results of
/// the children. `stop` returns true for a result that also holds for every position on the way.
/// With `longest`, only the longest defences count. Uses no recursion, since games may be long.
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
                    let best = |its_value: &ExactValue| its_value.is_next_of(valued);
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
