//! Solver for games without tiers: positions are found breadth first, then valued backwards from
//! the finished ones.
//!
//! The valuation follows a stored list of moves backwards. The list takes 4 bytes per move, and
//! twice that while it is built. If it does not fit and moves of the game can be taken back, they
//! are taken back each time instead, which is a third slower.

use std::mem::take;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU32, Ordering};

use treegauge_core::{KeyCode, Player};

use crate::discover::{Discovery, Into};
use crate::endless::Endless;
use crate::error::{Break, Halt, SolveError};
use crate::find::BATCH;
use crate::known::Known;
use crate::memory::{Held, Memory, list_bytes};
use crate::parallel::{self, Items, Shelf, piece};
use crate::progress::ProgressMeter;
use crate::rules::{Bounds, Expander, Links, Reduction, Solvable};
use crate::shards::SHARDS;
use crate::solution::TierTable;
use crate::table::Table;
use crate::value::{ExactValue, Value};
use treegauge_core::Phase;

/// Finds all positions.
pub(crate) fn discover<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known<K>,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Break> {
    let count: u64 = known.sets.values().map(|set| set.len() as u64).sum();
    let done = count - known.frontier_len();
    meter.begin(Phase::Discover, done, count);
    meter.skip_levels(done);
    let mut discovery = Discovery::new(rules, reduction, memory, meter)?;
    while known.frontier_len() > 0 {
        let level = known.frontier_len();
        let mut fresh = vec![Vec::new(); SHARDS];
        // Small levels are expanded as a whole, so that every thread has work.
        let expanded = if level <= FEW {
            let few = known.frontier.concat();
            let mut into = Into { sets: &mut known.sets, fresh: Some(&mut fresh), others: 0 };
            let expanded = discovery.expand(&few, None, &mut into, memory, meter);
            if expanded.is_ok() {
                known.frontier.iter_mut().for_each(|keys| forget(keys, memory));
            }
            expanded
        } else {
            let Known { sets, frontier, .. } = &mut *known;
            let mut into = Into { sets, fresh: Some(&mut fresh), others: 0 };
            frontier.iter_mut().try_for_each(|keys| {
                discovery.expand(keys, None, &mut into, memory, meter)?;
                forget(keys, memory);
                Ok(())
            })
        };
        if let Err(reason) = expanded {
            // Positions found are recorded, also those of a shard that is not complete.
            for (keys, fresh) in known.frontier.iter_mut().zip(fresh) {
                keys.extend(fresh);
            }
            return Err(reason);
        }
        known.frontier = fresh;
        meter.level(level)?;
    }
    Ok(())
}

/// Greatest size of a level that counts as small.
const FEW: u64 = 1 << 14;

/// Frees keys that were expanded.
fn forget<K>(keys: &mut Vec<K>, memory: &Memory) {
    memory.give(list_bytes(keys));
    *keys = Vec::new();
}

/// Flag in the top bit of a position's place: the same player moves at both ends of the move.
const SAME_TURN: u32 = 1 << 31;

/// Positions that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// Pieces between two calls of the watch.
const PIECES: usize = 64;

/// A round of making moves may take one part in this many of the memory that is left.
const ROUND_SHARE: u64 = 8;

const RELAXED: Ordering = Ordering::Relaxed;

/// Bytes per position while values are found, without its moves: the number of its open moves (4),
/// its value and remoteness (3), and a place in a list of the next positions (4).
pub(crate) const POSITION_BYTES: u64 = 11;

/// Peak bytes of a list of `moves` moves of `positions` positions.
pub(crate) fn moves_bytes(positions: u64, moves: u64) -> u64 {
    4 * (positions + 1) + 8 * moves
}

/// Bytes of a piece of the positions while their moves are made: the keys, and the list of their
/// children, which may have grown to twice its length.
pub(crate) fn piece_bytes(key_bytes: usize, positions: u64, moves: Option<u64>) -> u64 {
    const MOST: u64 = 40;
    let each = moves.map_or(MOST, |moves| moves / positions.max(1) + 4);
    positions.min(PIECE as u64) * (key_bytes as u64 + 8 * each)
}

/// Returns whether the solver can take moves back instead of storing them.
pub(crate) fn can_ask<K: KeyCode>(rules: &Solvable<K>, reduction: &Reduction) -> bool {
    // In a reduced solution a position may have other numbers of moves back than forth.
    rules.has_parents() && reduction.is_none()
}

/// Operations on shared numbers that avoid locked instructions on a single thread.
///
/// A locked instruction waits for its memory before any later one may begin; a single thread does
/// not need it, and is twice as fast without.
#[derive(Clone, Copy, Debug)]
struct Sharing {
    alone: bool,
}

impl Sharing {
    /// Creates the operations for the threads of the current pool.
    fn new() -> Self {
        Sharing { alone: rayon::current_num_threads() == 1 }
    }

    /// Adds to a number and returns its previous value.
    #[inline]
    fn add(self, number: &AtomicU32, more: u32) -> u32 {
        if !self.alone {
            return number.fetch_add(more, RELAXED);
        }
        let before = number.load(RELAXED);
        number.store(before.wrapping_add(more), RELAXED);
        before
    }

    /// Subtracts 1 from a number and returns its previous value.
    #[inline]
    fn take_one(self, number: &AtomicU32) -> u32 {
        self.add(number, 1u32.wrapping_neg())
    }

    /// Sets a value if it is unknown, and returns whether it was.
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
struct Graph<'a, K: KeyCode> {
    sharing: Sharing,
    parents: Parents<'a, K>,
    /// Number of moves not known to be bad, per position; if parents are computed, the number of
    /// different positions that these moves lead to.
    open: Vec<AtomicU32>,
    /// Number of the value of each position; a draw as long as it is unknown.
    values: Vec<AtomicU8>,
    remoteness: Vec<AtomicU16>,
}

/// Parents of each position: the positions from which a move leads to it.
enum Parents<'a, K: KeyCode> {
    /// The parents of place `n` are `parents[starts[n + 1]..starts[n + 2]]`.
    ListedMoves { starts: Vec<AtomicU32>, parents: Vec<AtomicU32> },
    /// Moves are taken back on demand.
    Computed(Expander<'a, K>, &'a Table<K>, Bounds<'a>),
}

impl<K: KeyCode> Parents<'_, K> {
    /// Calls `found` for each parent of the positions at `places`: with the position's place,
    /// whether the same player is to move in both, and the parent's place.
    fn of(&self, places: &[u32], mut found: impl FnMut(u32, bool, usize)) -> Result<(), Halt> {
        match self {
            Parents::ListedMoves { starts, parents } => {
                for &place in places {
                    let begin = starts[place as usize + 1].load(RELAXED) as usize;
                    let end = starts.get(place as usize + 2);
                    let end = end.map_or(parents.len(), |end| end.load(RELAXED) as usize);
                    for parent in &parents[begin..end] {
                        let parent = parent.load(RELAXED);
                        found(place, parent & SAME_TURN != 0, (parent & !SAME_TURN) as usize);
                    }
                }
            }
            Parents::Computed(expander, table, bounds) => {
                let (mut keys, mut links) = (Vec::new(), Links::new(*bounds));
                let mut left = places;
                while !left.is_empty() {
                    keys.clear();
                    let now = &left[..left.len().min(BATCH)];
                    keys.extend(now.iter().map(|&place| table.key(place as usize)));
                    let expanded = expander.parents(&keys, &mut links)?;
                    left = &left[expanded..];
                    for (&place, parents) in now.iter().zip(links.iter()) {
                        for parent in parents.into_iter().flatten() {
                            // Only reachable parents count.
                            if let Some(parent_place) = table.place(parent.key) {
                                found(place, parent.same_turn, parent_place);
                            }
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

const UNKNOWN: u8 = Value::Draw as u8;

/// Values that a pass over the positions finds.
#[derive(Clone, Copy)]
enum Pass<'a> {
    /// Wins and losses.
    Decided,
    /// Ties. The function returns, for a place, how many of its moves must lead to a tie.
    Ties(&'a (dyn Fn(usize) -> Tied + Sync)),
}

/// Moves of a position that must lead to ties to make it a tie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tied {
    One,
    /// All moves, since the player to move avoids ties.
    All,
    None,
}

/// Values all positions.
pub(crate) fn value<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    table: &Table<K>,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<ExactValue>, Break> {
    let mut held = memory.hold(0)?;
    let endless = rules.endless();
    let graph = Graph::link(rules, reduction, table, &mut held, memory, meter)?;
    meter.begin(Phase::Value, 0, table.len() as u64);
    let finished = |values: &[Value]| -> Vec<Vec<u32>> {
        let is_wanted = |n: &u32| {
            let value = graph.values[*n as usize].load(RELAXED);
            values.iter().any(|&of| of as u8 == value)
        };
        let mut ends: Vec<Vec<u32>> = parallel::map(table.len().div_ceil(PIECE), &|n| {
            piece(n, PIECE, table.len()).map(|place| place as u32).filter(is_wanted).collect()
        });
        ends.retain(|ends| !ends.is_empty());
        ends
    };
    let mut run = |ends: &[Value], pass: Pass<'_>| -> Result<(), Break> {
        let mut last = finished(ends);
        let mut remoteness = 0u16;
        while !last.is_empty() {
            let mut next: Vec<Vec<u32>> = Vec::new();
            for round in last.chunks(PIECES) {
                meter.check()?;
                meter.done(round.iter().map(|places| places.len() as u64).sum());
                let before = |n: usize| graph.before(&round[n], remoteness.wrapping_add(1), pass);
                let found = parallel::try_map(round.len(), &before)?;
                next.extend(found.into_iter().filter(|places| !places.is_empty()));
            }
            if !next.is_empty() {
                remoteness += 1;
                if remoteness == ExactValue::ENDLESS {
                    return Err(SolveError::TooRemote.into());
                }
            }
            last = pieces(next);
        }
        Ok(())
    };
    // Ties are found after all wins and losses are known.
    run(&[Value::Win, Value::Lose], Pass::Decided)?;
    let turn = |place: usize| rules.turn(table.key(place));
    let force = |endless: Endless| {
        move |place: usize| match endless {
            Endless::Draw => Tied::One,
            _ if endless.avoids_ties(turn(place)) => Tied::All,
            _ => Tied::One,
        }
    };
    if endless == Endless::Undecided {
        // A tie is certain only if both players can force it, whoever wins endless play.
        let len = table.len();
        held.more(6 * len as u64)?;
        let open: Vec<u32> = graph.open.iter().map(|open| open.load(RELAXED)).collect();
        run(&[Value::Tie], Pass::Ties(&force(Endless::FirstWins)))?;
        let forced = graph.take_ties(table.len());
        graph.open.iter().zip(&open).for_each(|(place, &open)| place.store(open, RELAXED));
        drop(open);
        run(&[Value::Tie], Pass::Ties(&force(Endless::SecondWins)))?;
        let mut ties = graph.take_ties(table.len());
        ties.iter_mut().zip(&forced).for_each(|(tie, forced)| *tie &= forced);
        drop(forced);
        let among = |place: usize| if ties[place] { Tied::One } else { Tied::None };
        run(&[Value::Tie], Pass::Ties(&among))?;
        drop(ties);
        held.less(6 * len as u64);
    } else {
        run(&[Value::Tie], Pass::Ties(&force(endless)))?;
    }
    let Graph { values, remoteness, open, parents, .. } = graph;
    // The next steps take no more memory than these lists.
    drop((open, parents));
    let value = |number: AtomicU8| Value::of_number(number.into_inner()).expect("it was a value");
    let valued = |(number, remoteness): (AtomicU8, AtomicU16)| ExactValue {
        value: value(number),
        remoteness: remoteness.into_inner(),
    };
    let mut values = values.into_iter().zip(remoteness).map(valued).collect::<Vec<ExactValue>>();
    if let Some(winner) = endless.winner() {
        decide_endless(rules, table, winner, &mut values);
    }
    drop(held);
    memory.take(list_bytes(&values))?;
    Ok(values)
}

/// Gives the undecided positions to the winner of endless play.
fn decide_endless<K: KeyCode>(
    rules: &Solvable<K>,
    table: &Table<K>,
    winner: Player,
    values: &mut [ExactValue],
) {
    let pieces = Items::of(values.chunks_mut(PIECE).enumerate());
    parallel::each(pieces.len(), &|n| {
        let (n, values) = pieces.take(n);
        for (place, valued) in (n * PIECE..).zip(values) {
            if *valued == ExactValue::DRAW {
                let turn = rules.turn(table.key(place));
                let value = if turn == winner { Value::Win } else { Value::Lose };
                *valued = ExactValue { value, remoteness: ExactValue::ENDLESS };
            }
        }
    });
}

/// Distributes the places over lists of about the length that one thread takes at a time.
fn pieces(lists: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let mut pieces: Vec<Vec<u32>> = Vec::new();
    for list in lists {
        match pieces.last_mut() {
            Some(last) if last.len() + list.len() <= PIECE => last.extend(list),
            _ if list.len() <= 2 * PIECE => pieces.push(list),
            _ => pieces.extend(list.chunks(PIECE).map(<[u32]>::to_vec)),
        }
    }
    pieces
}

impl<'a, K: KeyCode> Graph<'a, K> {
    fn link<'m: 'a>(
        rules: &'a Solvable<K>,
        reduction: &'a Reduction,
        table: &'a Table<K>,
        held: &mut Held<'_>,
        memory: &Memory,
        meter: &mut ProgressMeter<'m>,
    ) -> Result<Self, Break> {
        let len = table.len();
        if len >= SAME_TURN as usize {
            return Err(SolveError::TooMany { max: u64::from(SAME_TURN) }.into());
        }
        meter.begin(Phase::Link, 0, len as u64);
        held.more(POSITION_BYTES * len as u64)?;
        let words =
            |len: usize| -> Vec<AtomicU32> { (0..len).map(|_| AtomicU32::new(0)).collect() };
        let open = words(len);
        let values: Vec<AtomicU8> = (0..len).map(|_| AtomicU8::new(UNKNOWN)).collect();
        let remoteness = (0..len).map(|_| AtomicU16::new(0)).collect();
        let sharing = Sharing::new();
        let mut expander = Expander::new(rules, reduction);
        // Stored lists are faster.
        let fits = |moves| moves_bytes(len as u64, moves) <= memory.left();
        let asked = can_ask(rules, reduction)
            && memory.bytes_max().is_some()
            && !meter.moves().is_some_and(fits);
        let starts = if asked {
            expander = expander.distinct();
            Vec::new()
        } else {
            held.more(4 * (len as u64 + 1))?;
            words(len + 1)
        };
        let mut edges: Vec<Vec<u32>> = Vec::new();
        let mut keys = Vec::new();
        let piece_bytes = piece_bytes(size_of::<K>(), len as u64, meter.moves());
        let part = memory.left() / ROUND_SHARE;
        let pieces = (part / piece_bytes.max(1)).clamp(1, PIECES as u64);
        let _round = memory.hold(pieces * piece_bytes)?;
        let bounds = meter.bounds();
        let round_len = PIECE * pieces as usize;
        for begin in (0..len).step_by(round_len) {
            meter.check()?;
            table.keys_into(begin..len.min(begin + round_len), &mut keys);
            let lost = AtomicBool::new(false);
            let rooms = Shelf::new();
            let found = parallel::try_map(keys.len().div_ceil(PIECE), &|m| {
                let keys = &keys[piece(m, PIECE, keys.len())];
                let mut links = rooms.take(&|| Links::new(bounds));
                let first = begin + m * PIECE;
                let mut children = Vec::with_capacity(if asked { 0 } else { 8 * keys.len() });
                // The round holds only an estimate for each piece.
                let mut beyond = memory.nothing();
                let mut buckets = Vec::new();
                expander.each_batch(keys, &mut links, |places, links| {
                    for (place, found) in (first + places.start..).zip(links.iter()) {
                        match found {
                            Ok(found) => open[place].store(found.len() as u32, RELAXED),
                            Err(value) => values[place].store(value as u8, RELAXED),
                        }
                    }
                    if asked {
                        return Ok(());
                    }
                    buckets.clear();
                    let found = links.children();
                    buckets.extend(found.iter().map(|child| table.look_up(child.key)));
                    // A list that grows briefly takes its old and its new bytes.
                    let needed = 8 * (children.len() + found.len()) as u64;
                    beyond.at_least(needed.saturating_sub(piece_bytes))?;
                    for (child, &bucket) in found.iter().zip(&buckets) {
                        let place = table.place_in(bucket, child.key);
                        let Some(place) = place else {
                            lost.store(true, RELAXED);
                            continue;
                        };
                        // In-degrees for now; shifted by one they become the starts.
                        sharing.add(&starts[place as usize + 1], 1);
                        let same_turn = if child.same_turn { SAME_TURN } else { 0 };
                        children.push(place | same_turn);
                    }
                    Ok::<(), Halt>(())
                })?;
                rooms.put(links);
                children.shrink_to_fit();
                beyond.at_most(list_bytes(&children).saturating_sub(piece_bytes));
                Ok::<_, Halt>((children, beyond))
            })?;
            if lost.into_inner() {
                return Err(SolveError::BadCheckpoint.into());
            }
            let more: usize = found.iter().map(|(children, _)| children.len()).sum();
            held.more(4 * more as u64)?;
            edges.extend(found.into_iter().map(|(children, _)| children));
            meter.done(keys.len() as u64);
        }
        if asked {
            let parents = Parents::Computed(expander, table, bounds);
            return Ok(Graph { sharing, parents, open, values, remoteness });
        }
        let all: u64 = edges.iter().map(|edges| edges.len() as u64).sum();
        if all > u64::from(u32::MAX) {
            return Err(SolveError::TooMany { max: u64::from(u32::MAX) }.into());
        }
        held.more(4 * all)?;
        let parents = words(all as usize);
        let mut sum = 0;
        for start in &starts {
            sum += start.load(RELAXED);
            start.store(sum, RELAXED);
        }
        // Each parent takes the last free place of its child; in the end each child's start is its
        // first place.
        let turn_round = |n: usize, edges: &mut Vec<u32>| {
            let mut place = n * PIECE;
            let mut left = 0;
            for edge in take(edges) {
                while left == 0 {
                    left = open[place].load(RELAXED);
                    place += 1;
                }
                left -= 1;
                let child = (edge & !SAME_TURN) as usize;
                let slot = sharing.take_one(&starts[child + 1]) - 1;
                parents[slot as usize].store((place - 1) as u32 | edge & SAME_TURN, RELAXED);
            }
        };
        for (round, edges) in edges.chunks_mut(PIECES).enumerate() {
            meter.check()?;
            let edges = Items::of(edges.iter_mut());
            parallel::each(edges.len(), &|n| turn_round(round * PIECES + n, edges.take(n)));
        }
        held.less(4 * all);
        let parents = Parents::ListedMoves { starts, parents };
        Ok(Graph { sharing, parents, open, values, remoteness })
    }

    /// Takes the ties of unfinished positions and marks these positions as unknown again.
    fn take_ties(&self, len: usize) -> Vec<bool> {
        let mut ties = vec![false; len];
        for (place, tie) in ties.iter_mut().enumerate() {
            let is_tie = self.values[place].load(RELAXED) == Value::Tie as u8;
            if is_tie && self.remoteness[place].load(RELAXED) > 0 {
                self.values[place].store(UNKNOWN, RELAXED);
                self.remoteness[place].store(0, RELAXED);
                *tie = true;
            }
        }
        ties
    }

    /// Finds the positions that are decided because those in `places` became known.
    fn before(&self, places: &[u32], remoteness: u16, pass: Pass<'_>) -> Result<Vec<u32>, Halt> {
        let mut decided = Vec::new();
        let mut decide = |place: usize, value: Value| {
            if self.sharing.decide(&self.values[place], value) {
                self.remoteness[place].store(remoteness, RELAXED);
                decided.push(place as u32);
            }
        };
        self.parents.of(places, |place, same_turn, parent| {
            if self.values[parent].load(RELAXED) != UNKNOWN {
                return;
            }
            let value = self.values[place as usize].load(RELAXED);
            let all_lead_there = || self.sharing.take_one(&self.open[parent]) == 1;
            if let Pass::Ties(tied) = pass {
                let is_tie = match tied(parent) {
                    Tied::One => true,
                    Tied::All => all_lead_there(),
                    Tied::None => false,
                };
                if is_tie {
                    decide(parent, Value::Tie);
                }
            } else if (value == Value::Win as u8) == same_turn {
                decide(parent, Value::Win);
            } else if all_lead_there() {
                decide(parent, Value::Lose);
            }
        })?;
        Ok(decided)
    }
}

/// Builds the table of all positions with their values.
pub(crate) fn solve<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known<K>,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<TierTable<K>, Break> {
    discover(rules, reduction, known, memory, meter)?;
    let (_, set) = known.sets.pop_first().expect("the start is known");
    let table = set.freeze(memory)?;
    match value(rules, reduction, &table, memory, meter) {
        Ok(values) => Ok(TierTable { tier: 0, table, values }),
        Err(reason) => {
            // Values are quickly recomputed; finding the positions takes longest.
            known.tables.push(TierTable { tier: 0, table, values: Vec::new() });
            Err(reason)
        }
    }
}
