//! Games without tiers: found by breadth, then valued backwards from the ends.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, Ordering};

use rayon::prelude::*;
use treegauge_core::{KeyCode, Keyed};

use crate::discover::Discovery;
use crate::find::BATCH;
use crate::memory::Memory;
use crate::shards::SHARDS;
use crate::solver::{Break, Known, Looker};
use crate::{
    Expander, Links, Phase, Reduction, Rules, SolveError, Table, TierTable, Value, Valued,
};

/// Finds all positions.
pub(crate) fn discover<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    known: &mut Known<G::Key>,
    memory: &Memory,
    looker: &mut Looker<'_>,
) -> Result<(), Break> {
    let count: u64 = known.sets.values().map(|set| set.len() as u64).sum();
    looker.begin(Phase::Discover, count - known.frontier.len() as u64, count);
    let mut discovery = Discovery::new(rules, reduction);
    while !known.frontier.is_empty() {
        let mut fresh = vec![Vec::new(); SHARDS];
        let (frontier, sets) = (&known.frontier, &mut known.sets);
        let expanded = discovery.expand(frontier, None, sets, Some(&mut fresh), 0, memory, looker);
        let next = fresh.iter().map(Vec::len).sum();
        if expanded.is_ok() {
            known.frontier.clear();
        }
        known.frontier.reserve(next);
        known.frontier.extend(fresh.into_iter().flatten());
        expanded?;
    }
    discovery.finish(memory);
    Ok(())
}

/// The place of a position, and in the top bit whether the same player moves at both ends of the
/// move.
const SAME_TURN: u32 = 1 << 31;

/// Positions that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// Pieces between two looks at the watch.
const PIECES: usize = 64;

const RELAXED: Ordering = Ordering::Relaxed;

/// Changes what threads share.
///
/// A locked instruction waits for its memory before anything after it may begin; a thread that has
/// nobody beside it does not need one, and is twice as fast without.
#[derive(Clone, Copy, Debug)]
struct Sharing {
    alone: bool,
}

impl Sharing {
    /// For the threads of the current pool.
    fn new() -> Self {
        Sharing { alone: rayon::current_num_threads() == 1 }
    }

    /// Adds to a number, and returns what it was.
    #[inline]
    fn add(self, number: &AtomicU32, more: u32) -> u32 {
        if !self.alone {
            return number.fetch_add(more, RELAXED);
        }
        let before = number.load(RELAXED);
        number.store(before.wrapping_add(more), RELAXED);
        before
    }

    /// Takes 1 from a number, and returns what it was.
    #[inline]
    fn take_one(self, number: &AtomicU32) -> u32 {
        self.add(number, 1u32.wrapping_neg())
    }

    /// Sets a value that is not known, and tells whether it was not.
    #[inline]
    fn decide(self, place: &AtomicU8, value: Value) -> bool {
        if !self.alone {
            return place.compare_exchange(UNKNOWN, value as u8, RELAXED, RELAXED).is_ok();
        }
        let is_new = place.load(RELAXED) == UNKNOWN;
        if is_new {
            place.store(value as u8, RELAXED);
        }
        is_new
    }
}

/// Moves and values of the positions of a table.
struct Graph {
    sharing: Sharing,
    /// The parents of place `n` are those from `starts[n]` on, to `starts[n + 1]`.
    starts: Vec<AtomicU32>,
    parents: Vec<AtomicU32>,
    /// The moves that are not known to be bad.
    open: Vec<AtomicU32>,
    /// The number of a value; a draw as long as nothing is known.
    values: Vec<AtomicU8>,
    remoteness: Vec<AtomicU16>,
}

const UNKNOWN: u8 = Value::Draw as u8;

/// Values all positions.
pub(crate) fn value<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    table: &Table<G::Key>,
    memory: &Memory,
    looker: &mut Looker<'_>,
) -> Result<Vec<Valued>, Break> {
    let graph = Graph::link(rules, reduction, table, memory, looker)?;
    looker.begin(Phase::Value, 0, table.len() as u64);
    let finished = |values: &[Value]| -> Vec<u32> {
        let is_wanted = |n: &u32| {
            let value = graph.values[*n as usize].load(RELAXED);
            values.iter().any(|&wanted| wanted as u8 == value)
        };
        (0..table.len() as u32).into_par_iter().filter(is_wanted).collect()
    };
    // Ties are what neither can win, so they come when all wins and losses are known.
    for (ends, ties) in
        [(finished(&[Value::Win, Value::Lose]), false), (finished(&[Value::Tie]), true)]
    {
        let mut last = ends;
        let mut remoteness = 0u16;
        while !last.is_empty() {
            looker.check()?;
            looker.done(last.len() as u64);
            let next: Vec<u32> = last
                .par_chunks(PIECE)
                .flat_map_iter(|places| graph.before(places, remoteness.wrapping_add(1), ties))
                .collect();
            if !next.is_empty() {
                remoteness = remoteness.checked_add(1).ok_or(SolveError::TooRemote)?;
            }
            last = next;
        }
    }
    let Graph { values, remoteness, .. } = graph;
    let value = |number: AtomicU8| Value::of_number(number.into_inner()).expect("it was a value");
    let valued = |(number, remoteness): (AtomicU8, AtomicU16)| Valued {
        value: value(number),
        remoteness: remoteness.into_inner(),
    };
    Ok(values.into_iter().zip(remoteness).map(valued).collect())
}

impl Graph {
    fn link<G: Keyed>(
        rules: &Rules<G>,
        reduction: &Reduction,
        table: &Table<G::Key>,
        memory: &Memory,
        looker: &mut Looker<'_>,
    ) -> Result<Graph, Break> {
        let len = table.len();
        if len >= SAME_TURN as usize {
            return Err(SolveError::TooMany { max: u64::from(SAME_TURN) }.into());
        }
        looker.begin(Phase::Link, 0, len as u64);
        memory.take(4 * (len as u64 + 1) + 4 * len as u64 + 3 * len as u64)?;
        let words =
            |len: usize| -> Vec<AtomicU32> { (0..len).map(|_| AtomicU32::new(0)).collect() };
        let (starts, open) = (words(len + 1), words(len));
        let values: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(UNKNOWN)).collect();
        let remoteness = (0..len).map(|_| AtomicU16::new(0)).collect();
        let sharing = Sharing::new();
        let expander = Expander::new(rules, reduction);
        let mut edges: Vec<Vec<u32>> = Vec::new();
        for (n, keys) in table.keys().chunks(PIECE * PIECES).enumerate() {
            looker.check()?;
            let found: Vec<Vec<u32>> = keys
                .par_chunks(PIECE)
                .enumerate()
                .map_init(Links::new, |links, (m, keys)| {
                    let first = n * PIECE * PIECES + m * PIECE;
                    let mut children = Vec::with_capacity(8 * keys.len());
                    let mut buckets = Vec::new();
                    for (first, keys) in (first..).step_by(BATCH).zip(keys.chunks(BATCH)) {
                        expander.expand(keys, links);
                        for (place, found) in (first..).zip(links.iter()) {
                            match found {
                                Ok(found) => open[place].store(found.len() as u32, RELAXED),
                                Err(value) => values[place].store(value as u8, RELAXED),
                            }
                        }
                        buckets.clear();
                        let found = links.children();
                        buckets.extend(found.iter().map(|child| table.bucket(child.key.mix())));
                        for (child, &bucket) in found.iter().zip(&buckets) {
                            let place = table.place_in(bucket, child.key);
                            let place = place.expect("all children were found");
                            // In-degrees for now; shifted by one they become the starts.
                            sharing.add(&starts[place as usize + 1], 1);
                            let same_turn = if child.same_turn { SAME_TURN } else { 0 };
                            children.push(place | same_turn);
                        }
                    }
                    children.shrink_to_fit();
                    children
                })
                .collect();
            let more: usize = found.iter().map(Vec::len).sum();
            memory.take(4 * more as u64)?;
            edges.extend(found);
            looker.done(keys.len() as u64);
        }
        let all: u64 = edges.iter().map(|edges| edges.len() as u64).sum();
        if all > u64::from(u32::MAX) {
            return Err(SolveError::TooMany { max: u64::from(u32::MAX) }.into());
        }
        memory.take(4 * all)?;
        let parents = words(all as usize);
        let mut sum = 0;
        for start in &starts {
            sum += start.load(RELAXED);
            start.store(sum, RELAXED);
        }
        // Each parent takes the last free place of its child; in the end each child's first place
        // is where its own begin.
        edges.into_par_iter().enumerate().for_each(|(n, edges)| {
            let mut place = n * PIECE;
            let mut left = 0;
            for edge in edges {
                while left == 0 {
                    left = open[place].load(RELAXED);
                    place += 1;
                }
                left -= 1;
                let child = (edge & !SAME_TURN) as usize;
                let slot = sharing.take_one(&starts[child + 1]) - 1;
                parents[slot as usize].store((place - 1) as u32 | edge & SAME_TURN, RELAXED);
            }
        });
        memory.give(4 * all);
        Ok(Graph { sharing, starts, parents, open, values, remoteness })
    }

    /// The positions that are decided by what became known of those in `places`.
    fn before(&self, places: &[u32], remoteness: u16, ties: bool) -> Vec<u32> {
        let mut decided = Vec::new();
        let mut decide = |place: usize, value: Value| {
            if self.sharing.decide(&self.values[place], value) {
                self.remoteness[place].store(remoteness, RELAXED);
                decided.push(place as u32);
            }
        };
        for &place in places {
            let place = place as usize;
            let value = self.values[place].load(RELAXED);
            // Starts were moved down by one place.
            let begin = self.starts[place + 1].load(RELAXED) as usize;
            let end = self.starts.get(place + 2);
            let end = end.map_or(self.parents.len(), |end| end.load(RELAXED) as usize);
            for parent in &self.parents[begin..end] {
                let parent = parent.load(RELAXED);
                let parent_place = (parent & !SAME_TURN) as usize;
                if self.values[parent_place].load(RELAXED) != UNKNOWN {
                    continue;
                }
                if ties {
                    decide(parent_place, Value::Tie);
                } else if (value == Value::Win as u8) == (parent & SAME_TURN != 0) {
                    decide(parent_place, Value::Win);
                } else if self.sharing.take_one(&self.open[parent_place]) == 1 {
                    decide(parent_place, Value::Lose);
                }
            }
        }
        decided
    }
}

/// The table of all positions with their values.
pub(crate) fn solve<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    known: &mut Known<G::Key>,
    memory: &Memory,
    looker: &mut Looker<'_>,
) -> Result<TierTable<G::Key>, Break> {
    discover(rules, reduction, known, memory, looker)?;
    let (_, set) = known.sets.pop_first().expect("the start is known");
    let table = set.freeze(memory)?;
    match value(rules, reduction, &table, memory, looker) {
        Ok(worth) => Ok(TierTable { tier: 0, table, worth }),
        Err(reason) => {
            // What was valued is found again soon; finding the positions is what takes long.
            known.tables.push(TierTable { tier: 0, table, worth: Vec::new() });
            Err(reason)
        }
    }
}
