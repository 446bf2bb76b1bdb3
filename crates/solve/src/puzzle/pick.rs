//! Selection of the wins that become puzzles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use treegauge_core::{KeyCode, Watch};

use super::graph::{SolutionFacts, SolutionGraph, Wins, solution_graph, sorted};
use super::{Puzzle, SAME_POSITIONS_MAX};
use crate::parallel::{any, piece};
use crate::rules::{Expander, Reduction, Solvable};
use crate::solution::Solution;
use crate::value::{ExactValue, Value};

/// Number of candidates of a remoteness in the first batch; each further batch is eight times as
/// large.
const BATCH: usize = 1_024;

/// Positions that all threads examine together.
const PIECE: usize = 1 << 16;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 10;

/// Range of the number of moves that the winner makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MateIn {
    /// Smallest number, 1 or more.
    pub least: u32,
    /// Greatest number; [`MateIn::MOST`] for no limit.
    pub greatest: u32,
}

impl MateIn {
    /// Greatest possible number: a remoteness has 16 bits.
    pub const MOST: u32 = u16::MAX as u32;

    /// Range of the single number `n`.
    #[must_use]
    pub const fn only(n: u32) -> MateIn {
        MateIn { least: n, greatest: n }
    }

    fn has(self, n: u32) -> bool {
        (self.least..=self.greatest).contains(&n)
    }
}

/// Options for the selection of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleOptions {
    /// Numbers of moves that the winner may need; `None` for any.
    pub mate_in: Option<MateIn>,
    /// Most puzzles of each remoteness.
    pub top: usize,
    /// Most puzzles in all; `None` for no limit. They are spread over the remotenesses: each gives
    /// its best, then its second, and so on, the smallest remoteness first.
    pub count: Option<usize>,
    /// Whether to pick only puzzles whose whole solution has one winning move at each turn of the
    /// winner.
    pub unique: bool,
}

impl Default for PuzzleOptions {
    /// The most interesting puzzle of each remoteness.
    fn default() -> Self {
        PuzzleOptions { mate_in: None, top: 1, count: None, unique: false }
    }
}

/// Turns of a solution at which only one move of the winner wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniqueness {
    /// Whether this is so at the first move.
    pub first_move: bool,
    /// Whether this is so at every turn of the winner, including the first, whatever the loser
    /// plays.
    pub every_move: bool,
}

/// Counts of the wins of one remoteness, and the reasons for which examined wins were left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PuzzleCounts {
    /// Plies to the end.
    pub remoteness: u16,
    /// Stored wins of this remoteness, or those that were proven.
    #[serde(rename = "stored_wins")]
    pub wins: u64,
    /// Wins that became puzzles.
    pub picked: u64,
    /// Wins left out because no move loses the win anywhere in the solution.
    pub asking_nothing: u64,
    /// Wins left out because they merge with a puzzle.
    pub merged: u64,
    /// Wins left out because they ask the same as a puzzle.
    pub same: u64,
    /// Wins left out because a second move wins at some turn.
    pub not_unique: u64,
    /// Wins left out because the winner needs another number of moves.
    pub other_mate_in: u64,
}

/// Puzzles of a game.
#[derive(Clone, Debug)]
pub struct Puzzles<K> {
    /// Puzzles by ascending remoteness, the most interesting first.
    pub puzzles: Vec<Puzzle<K>>,
    /// Counts of every remoteness that has wins and was requested, ascending.
    pub counts: Vec<PuzzleCounts>,
    /// Whether the watch stopped the selection, so that some puzzles are missing.
    pub stopped: bool,
}

/// Picks the most interesting wins; the parent module says which are left out.
///
/// `interestingness` maps the number of a position in the solution to a value of at least 0. Among
/// equal values the smallest key comes first. `watch` is asked before each candidate.
#[must_use]
pub fn puzzles<K: KeyCode>(
    solution: &Solution<K>,
    interestingness: impl Fn(usize) -> f64,
    options: PuzzleOptions,
    watch: &dyn Watch,
) -> Puzzles<K> {
    spread(options, |options| by_remoteness(solution, &interestingness, options, watch))
}

/// Picks the most interesting wins among the starts of some solutions, each a win, by the rules of
/// [`puzzles`]. `interestingness` maps the number of a solution to a value of at least 0. The number of a
/// puzzle's position is that in its own solution.
#[must_use]
pub fn puzzles_of_starts<K: KeyCode>(
    solutions: &[Arc<Solution<K>>],
    interestingness: impl Fn(usize) -> f64,
    options: PuzzleOptions,
    watch: &dyn Watch,
) -> Puzzles<K> {
    spread(options, |options| starts_by_remoteness(solutions, &interestingness, options, watch))
}

/// Finds at most [`PuzzleOptions::count`] puzzles with a selection by remoteness, which finds at most
/// [`PuzzleOptions::top`] of each.
fn spread<K: KeyCode>(
    options: PuzzleOptions,
    find: impl Fn(PuzzleOptions) -> Puzzles<K>,
) -> Puzzles<K> {
    let Some(count) = options.count else { return find(options) };
    let most = options.top.min(count);
    let mut top = 1.min(most);
    loop {
        let options = PuzzleOptions { top, ..options };
        let mut found = find(options);
        let has_more = found.counts.iter().any(|counts| counts.picked >= top as u64);
        if found.stopped || found.puzzles.len() >= count || !has_more || top == most {
            found.keep_spread(count);
            return found;
        }
        top = top.saturating_mul(2).min(most);
    }
}

impl<K> Puzzles<K> {
    /// Keeps at most `count` puzzles, the best of each remoteness before any second, and so on.
    fn keep_spread(&mut self, count: usize) {
        // The puzzles of a remoteness stand together.
        let rows = self.puzzles.chunk_by(|a, b| a.remoteness == b.remoteness);
        let ranks: Vec<usize> = rows.flat_map(|row| 0..row.len()).collect();
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by_key(|&index| ranks[index]);
        let mut is_kept = vec![false; ranks.len()];
        order.into_iter().take(count).for_each(|index| is_kept[index] = true);
        let mut kept = is_kept.into_iter();
        self.puzzles.retain(|_| kept.next().unwrap_or_default());
        for counts in &mut self.counts {
            let picked = self.puzzles.iter().filter(|one| one.remoteness == counts.remoteness);
            counts.picked = picked.count() as u64;
        }
    }
}

/// Picks the most interesting wins of each remoteness, at most [`PuzzleOptions::top`] of each.
fn by_remoteness<K: KeyCode>(
    solution: &Solution<K>,
    interestingness: impl Fn(usize) -> f64,
    options: PuzzleOptions,
    watch: &dyn Watch,
) -> Puzzles<K> {
    let reduction = Reduction::of(solution.rules(), solution.start());
    let reduction = reduction.unwrap_or_else(|_| Reduction::none());
    let mut facts = SolutionFacts::new(solution);
    let mut picker = Picker { options, shapes: Shapes::default() };
    let alternates = options.mate_in.is_some() && alternates(solution);
    let mut levels = Vec::new();
    for (remoteness, row) in solution.stored_remoteness_table().rows().iter().enumerate().skip(1) {
        let wins = row[Value::Win as usize];
        let remoteness = u16::try_from(remoteness).expect("remoteness has 16 bits");
        let mate_in_max = u32::from(remoteness).div_ceil(if alternates { 2 } else { 1 });
        let can_be = options.mate_in.is_none_or(|mate_in| {
            if alternates { mate_in.has(mate_in_max) } else { mate_in.least <= mate_in_max }
        });
        let counts = PuzzleCounts { remoteness, wins, ..PuzzleCounts::default() };
        // A limit of plies without progress may come before the end of longer puzzles.
        let can_end = solution.quiet_plies().is_none_or(|limit| u32::from(remoteness) <= limit.0);
        levels.push((wins > 0 && can_be && can_end).then(|| Level::new(counts)));
    }
    let mut stopped = false;
    while !stopped && levels.iter().flatten().any(|level| !level.done) {
        for (index, key, valued) in solution.iter() {
            let level = match valued {
                // A win by endless play has no number of plies, so it is not a puzzle.
                ExactValue { value: Value::Win, remoteness: 1.. } if valued.plies().is_some() => {
                    &mut levels[usize::from(valued.remoteness) - 1]
                }
                _ => continue,
            };
            if let Some(level) = level.as_mut().filter(|level| !level.done) {
                // The bits of floats that are not negative have the order of the floats.
                let rank = interestingness(index).max(0.0).to_bits();
                level.offer((rank, Reverse(key), index), || {
                    stands_for_others(solution, &reduction, key)
                });
            }
        }
        for level in levels.iter_mut().flatten().filter(|level| !level.done) {
            let best = std::mem::take(&mut level.best);
            for Reverse(candidate) in best.into_sorted_vec() {
                stopped = stopped || watch.stop();
                if stopped || level.puzzles.len() >= options.top {
                    break;
                }
                let index = candidate.2;
                picker.consider(level, solution, &mut facts, index, interestingness(index));
                level.below = Some(candidate);
            }
            level.done = !level.more || level.puzzles.len() >= options.top;
            level.more = false;
            level.batch = level.batch.saturating_mul(8);
        }
    }
    let mut found = Puzzles { puzzles: Vec::new(), counts: Vec::new(), stopped };
    for mut level in levels.into_iter().flatten() {
        level.counts.picked = level.puzzles.len() as u64;
        found.counts.push(level.counts);
        found.puzzles.extend(level.puzzles);
    }
    found
}

/// Picks the most interesting of the starts of each remoteness.
fn starts_by_remoteness<K: KeyCode>(
    solutions: &[Arc<Solution<K>>],
    interestingness: impl Fn(usize) -> f64,
    options: PuzzleOptions,
    watch: &dyn Watch,
) -> Puzzles<K> {
    let mut candidates: BTreeMap<u16, Vec<_>> = BTreeMap::new();
    for (n, solution) in solutions.iter().enumerate() {
        let remoteness = solution.start_valued().remoteness;
        let can_be = options.mate_in.is_none_or(|asked| asked.least <= u32::from(remoteness));
        // A limit of plies without progress may come before the end of longer puzzles.
        let can_end = solution.quiet_plies().is_none_or(|limit| u32::from(remoteness) <= limit.0);
        if can_be && can_end {
            let rank = Reverse(interestingness(n).max(0.0).to_bits());
            candidates.entry(remoteness).or_default().push((rank, solution.start(), n));
        }
    }
    let mut picker = Picker { options, shapes: Shapes::default() };
    let mut found = Puzzles { puzzles: Vec::new(), counts: Vec::new(), stopped: false };
    for (remoteness, mut candidates) in candidates {
        candidates.sort_unstable();
        let wins = candidates.len() as u64;
        let mut level = Level::new(PuzzleCounts { remoteness, wins, ..PuzzleCounts::default() });
        for (_, start, n) in candidates {
            found.stopped = found.stopped || watch.stop();
            if found.stopped || level.puzzles.len() >= options.top {
                break;
            }
            let solution = &solutions[n];
            let index = solution.index_of(start).expect("a solution has its start");
            let mut facts = SolutionFacts::new(solution);
            picker.consider(&mut level, solution, &mut facts, index, interestingness(n));
        }
        level.counts.picked = level.puzzles.len() as u64;
        found.counts.push(level.counts);
        found.puzzles.extend(level.puzzles);
    }
    found
}

/// Tests whether every move of the game passes the turn.
fn alternates<K: KeyCode>(solution: &Solution<K>) -> bool {
    let rules = solution.rules();
    let keeps_turn = |key: K| rules.children(key).iter().any(|child| child.same_turn);
    let mut pieces = solution.tables().iter().flat_map(|table| {
        (0..table.table().len()).step_by(PIECE).map(move |begin| (table.table(), begin))
    });
    let mut keys = Vec::new();
    !pieces.any(|(table, begin)| {
        table.keys_into(begin..table.len().min(begin + PIECE), &mut keys);
        any(keys.len().div_ceil(CHUNK), &|n| {
            keys[piece(n, CHUNK, keys.len())].iter().any(|&key| keeps_turn(key))
        })
    })
}

/// Candidate in the order of preference, the best the greatest: its rank, its key, its number.
type Candidate<K> = (u64, Reverse<K>, usize);

/// Selection for one remoteness.
struct Level<K: KeyCode> {
    counts: PuzzleCounts,
    puzzles: Vec<Puzzle<K>>,
    /// Best candidates less than `below`, at most `batch`, the worst on top.
    best: BinaryHeap<Reverse<Candidate<K>>>,
    batch: usize,
    /// Last candidate that was considered.
    below: Option<Candidate<K>>,
    /// Whether some candidates did not fit into `best`.
    more: bool,
    done: bool,
    /// Canonical keys of the puzzles.
    classes: FxHashSet<K>,
    /// Canonical keys of the positions after the quickest wins of the puzzles.
    after: FxHashSet<K>,
    /// Shapes of the solutions of the puzzles and their images, each with the interestingness to
    /// nine digits.
    asked: FxHashSet<(u32, u64)>,
}

impl<K: KeyCode> Level<K> {
    fn new(counts: PuzzleCounts) -> Self {
        Level {
            counts,
            puzzles: Vec::new(),
            best: BinaryHeap::new(),
            batch: BATCH,
            below: None,
            more: false,
            done: false,
            classes: FxHashSet::default(),
            after: FxHashSet::default(),
            asked: FxHashSet::default(),
        }
    }

    fn offer(&mut self, candidate: Candidate<K>, accept: impl FnOnce() -> bool) {
        if self.below.is_some_and(|below| candidate >= below) {
            return;
        }
        let full = self.best.len() >= self.batch;
        if full && self.best.peek().is_some_and(|worst| candidate < worst.0) {
            self.more = true;
        } else if accept() {
            self.best.push(Reverse(candidate));
            if full {
                self.best.pop();
                self.more = true;
            }
        }
    }
}

/// Returns whether the position has the smallest key among itself and its images under the symmetries
/// that keep the start. These images are surely stored too.
fn stands_for_others<K: KeyCode>(solution: &Solution<K>, reduction: &Reduction, key: K) -> bool {
    if solution.is_reduced() || reduction.is_none() {
        return true;
    }
    Expander::new(solution.rules(), reduction).stored_key(key) == key
}

/// Options and caches used by the selection.
struct Picker {
    options: PuzzleOptions,
    shapes: Shapes,
}

impl Picker {
    /// Makes a win a puzzle, unless a reason to leave it out applies.
    fn consider<K: KeyCode>(
        &mut self,
        level: &mut Level<K>,
        solution: &Solution<K>,
        facts: &mut SolutionFacts<'_, K>,
        index: usize,
        interestingness: f64,
    ) {
        let (state, valued) = solution.at(index);
        let rules = solution.rules();
        let class = rules.class(state);
        if level.classes.contains(&class) {
            return;
        }
        if !facts.asks_something(state) {
            level.counts.asking_nothing += 1;
            return;
        }
        let moves = sorted(solution, state, valued);
        let first_move = !moves.has_dual();
        if self.options.unique && !(first_move && facts.is_unique(state)) {
            level.counts.not_unique += 1;
            return;
        }
        let mate_in = facts.own_moves(state);
        if self.options.mate_in.is_some_and(|asked| !asked.has(mate_in)) {
            level.counts.other_mate_in += 1;
            return;
        }
        let after: Vec<K> =
            moves.solution.iter().map(|&(_, child, _)| rules.class(child)).collect();
        if after.iter().any(|after| level.after.contains(after)) {
            level.counts.merged += 1;
            return;
        }
        // If only one puzzle is picked, it need not be compared.
        if self.options.top > 1 {
            let graph = solution_graph(solution, state, Wins::All, SAME_POSITIONS_MAX);
            if graph.cut == 0 {
                let digits = (interestingness * 1e9).round() as u64;
                let own = (self.shapes.of(&graph, rules, 0), digits);
                if level.asked.contains(&own) {
                    level.counts.same += 1;
                    return;
                }
                level.asked.insert(own);
                let images = (1..rules.symmetry_count())
                    .map(|image| (self.shapes.of(&graph, rules, image), digits));
                level.asked.extend(images);
            }
        }
        level.classes.insert(class);
        level.after.extend(after);
        let every_move = first_move && facts.is_unique(state);
        level.puzzles.push(Puzzle {
            index,
            state,
            remoteness: valued.remoteness,
            mate_in,
            interestingness,
            unique: Uniqueness { first_move, every_move },
        });
    }
}

/// Numbers for the shapes of solutions, that is for what they ask. Equal shapes have equal numbers,
/// and different shapes have different numbers.
#[derive(Default)]
struct Shapes {
    /// Number of each shape: whether the winner moves, and for each move its number and its result,
    /// in ascending order.
    known: FxHashMap<(bool, Vec<(u64, MoveShape)>), u32>,
}

/// Result of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum MoveShape {
    /// The move belongs to the solution and leads to a position with this shape.
    Solution(u32),
    Slower,
    Misstep,
}

impl Shapes {
    /// Number of the shape of a whole solution under a symmetry.
    fn of<K: KeyCode>(
        &mut self,
        graph: &SolutionGraph<K>,
        rules: &Solvable<K>,
        symmetry: usize,
    ) -> u32 {
        let mut shapes = vec![0; graph.nodes.len()];
        for at in graph.from_the_ends() {
            let node = &graph.nodes[at];
            let number = |m| rules.move_number(symmetry, node.state, m);
            let followed = node.moves.iter();
            let mut moves: Vec<(u64, MoveShape)> =
                followed.map(|&(m, next)| (number(m), MoveShape::Solution(shapes[next]))).collect();
            if let Some(step) = &node.step {
                moves.extend(step.slower.iter().map(|o| (number(o.m), MoveShape::Slower)));
                moves.extend(step.missteps.iter().map(|o| (number(o.m), MoveShape::Misstep)));
            }
            moves.sort_unstable();
            let next = u32::try_from(self.known.len()).expect("fewer shapes than fit in memory");
            shapes[at] = *self.known.entry((node.step.is_some(), moves)).or_insert(next);
        }
        shapes[0]
    }
}
