//! Solver for games whose keys are an index: a bit for each index and a list for each tier.

use std::collections::BTreeMap;
use std::mem::take;
use std::sync::atomic::{AtomicI32, Ordering};

use rayon::prelude::*;
use treegauge_core::KeyCode;

use crate::checkpoint::{Keys, Part};
use crate::dense::{self, DenseSet, DenseTable, INDEX_LEN_MAX};
use crate::error::{Break, Halt, SolveError};
use crate::memory::{self, Full, Held, Memory};
use crate::parallel::{self, Shelf, piece};
use crate::plies::Plies;
use crate::progress::ProgressMeter;
use crate::retrograde;
use crate::rules::{Bounds, Expander, Links, Reduction, Solvable};
use crate::solution::TierTable;
use crate::table::Table;
use crate::value::{ExactValue, before, seen_preference};
use treegauge_core::Phase;

/// Positions that one thread takes at a time; few in tests, so that tiers of small games take
/// several rounds.
const PIECE: usize = if cfg!(test) { 1 << 4 } else { 1 << 12 };

/// Pieces between two calls of the watch.
const PIECES: usize = if cfg!(test) { 4 } else { 64 };

const RELAXED: Ordering = Ordering::Relaxed;

/// Length of a game's index if its table takes at most half of the memory; else `None`.
pub(crate) fn usable_len<K: KeyCode>(rules: &Solvable<K>, bytes_max: Option<u64>) -> Option<u64> {
    let fits =
        |len: u64| len <= INDEX_LEN_MAX && dense::bytes(len) <= bytes_max.unwrap_or(u64::MAX) / 2;
    rules.index_len().filter(|&len| fits(len))
}

/// Length of a game's index if it is usable for this number of positions: its table must not take
/// much more memory than a table of their keys.
pub(crate) fn len_for<K: KeyCode>(rules: &Solvable<K>, positions: u64) -> Option<u64> {
    const SMALL: u64 = 1 << 26;
    usable_len(rules, Some(SMALL.max(positions.saturating_mul(16)).saturating_mul(2)))
}

/// Positions found so far.
pub(crate) struct Known {
    set: DenseSet,
    tiers: BTreeMap<u32, Tier>,
    /// Number of positions in all tiers.
    len: u64,
}

/// Indexes of the positions of a tier. A game without tiers has the single tier 0.
#[derive(Default)]
struct Tier {
    /// Positions whose children are found. Empty in a game without tiers, where the set holds them.
    expanded: Vec<u32>,
    /// Positions whose children are not found yet.
    open: Vec<u32>,
    /// Values of the expanded positions, if known.
    values: Option<Vec<ExactValue>>,
}

impl Known {
    pub(crate) fn of_parts<K: KeyCode>(
        parts: Vec<Part<K>>,
        index_len: u64,
        tiered: bool,
        memory: &Memory,
    ) -> Result<Self, SolveError> {
        let mut waiting = memory.hold(parts.iter().map(Part::bytes).sum())?;
        memory.take(dense::bytes(index_len))?;
        let mut known = Known { set: DenseSet::new(index_len), tiers: BTreeMap::new(), len: 0 };
        for part in parts {
            let bytes = part.bytes();
            let tier = known.tiers.entry(part.tier).or_default();
            if part.values.is_some() && !(tiered && tier.expanded.is_empty()) {
                return Err(SolveError::BadCheckpoint);
            }
            known.len += part.len();
            for key in part.keys.iter() {
                let index = key.number();
                if index >= index_len || !known.set.insert(index) {
                    return Err(SolveError::BadCheckpoint);
                }
                if part.expanded && !tiered {
                    continue;
                }
                let list = if part.expanded { &mut tier.expanded } else { &mut tier.open };
                memory.reserve_one(list)?;
                list.push(index as u32);
            }
            if part.expanded && tiered {
                let values = part.values;
                memory.take(values.as_ref().map_or(0, memory::list_bytes))?;
                tier.values = values;
            }
            waiting.less(bytes);
        }
        Ok(known)
    }

    /// Converts the positions to the parts of a checkpoint. Takes no additional memory.
    pub(crate) fn into_parts<K: KeyCode>(self, tiered: bool) -> Vec<Part<K>> {
        let mut parts = Vec::new();
        let Known { set, mut tiers, .. } = self;
        if !tiered {
            let open = tiers.remove(&0).unwrap_or_default().open;
            open.iter().for_each(|&index| set.remove(u64::from(index)));
            let keys = Keys::Members(set.freeze());
            parts.push(Part { tier: 0, expanded: true, keys, values: None });
            let keys = Keys::Numbers(open);
            parts.push(Part { tier: 0, expanded: false, keys, values: None });
            return parts;
        }
        drop(set);
        for (tier, Tier { expanded, open, values }) in tiers {
            parts.push(Part { tier, expanded: true, keys: Keys::Numbers(expanded), values });
            if !open.is_empty() {
                let keys = Keys::Numbers(open);
                parts.push(Part { tier, expanded: false, keys, values: None });
            }
        }
        parts
    }
}

/// Table that is being read from a file.
pub(crate) struct Loading {
    index_len: u64,
    set: DenseSet,
    tiers: Option<BTreeMap<u32, Vec<u32>>>,
    values: Vec<ExactValue>,
}

impl Loading {
    pub(crate) fn new(index_len: u64, tiered: bool, memory: &Memory) -> Result<Self, Full> {
        memory.take(dense::bytes(index_len))?;
        let set = DenseSet::new(index_len);
        Ok(Loading { index_len, set, tiers: tiered.then(BTreeMap::new), values: Vec::new() })
    }

    /// Adds positions with their tiers, in ascending order, and returns whether all of them are in
    /// the index.
    pub(crate) fn add<K: KeyCode>(
        &mut self,
        keys: &[(K, u32)],
        values: Vec<ExactValue>,
        memory: &Memory,
    ) -> Result<bool, Full> {
        for (key, tier) in keys {
            let index = key.number();
            if index >= self.index_len || !self.set.insert(index) {
                return Ok(false);
            }
            if let Some(tiers) = &mut self.tiers {
                let list = tiers.entry(*tier).or_default();
                memory.reserve_one(list)?;
                list.push(index as u32);
            }
        }
        memory.reserve(&mut self.values, values.len())?;
        self.values.extend(values);
        Ok(true)
    }

    pub(crate) fn finish<K: KeyCode>(self) -> TierTable<K> {
        let tiers = self.tiers.into_iter().flat_map(BTreeMap::into_values).collect();
        TierTable { tier: 0, table: Table::of_index(self.set.freeze(), tiers), values: self.values }
    }
}

/// Bytes of a list of `len` indexes.
pub(crate) fn list_bytes(len: usize) -> u64 {
    (len * size_of::<u32>()) as u64
}

/// Finds and values all positions.
pub(crate) fn solve<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<TierTable<K>, Break> {
    discover(rules, reduction, known, memory, meter)?;
    let members = take(&mut known.set).freeze();
    let (table, values) = if rules.has_tiers() {
        let values = value(rules, reduction, known, &members, memory, meter)?;
        let tiers = take(&mut known.tiers).into_values().map(|tier| tier.expanded).collect();
        (Table::of_index(members, tiers), values)
    } else {
        let table = Table::of_index(members, Vec::new());
        match retrograde::value(rules, reduction, &table, memory, meter) {
            Ok(values) => (table, values),
            Err(reason) => {
                known.set = table.into_set();
                return Err(reason);
            }
        }
    };
    Ok(TierTable { tier: 0, table, values })
}

/// Finds all positions.
fn discover<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Break> {
    let open: usize = known.tiers.values().map(|tier| tier.open.len()).sum();
    let done = known.len - open as u64;
    meter.begin(Phase::Discover, done, known.len);
    let tiered = rules.has_tiers();
    if tiered {
        let mut whole = known.tiers.values().filter(|tier| tier.open.is_empty());
        whole.try_for_each(|tier| meter.level(tier.expanded.len() as u64))?;
    } else {
        meter.skip_levels(done);
    }
    let mut plies = Plies::new();
    let mut ended = false;
    // Every move of a game with tiers leads to a higher tier, so a fully expanded tier gets no more
    // positions.
    let mut from = 0;
    let lowest = |known: &Known, from: u32| {
        let mut tiers = known.tiers.range(from..);
        tiers.find(|(_, tier)| !tier.open.is_empty()).map(|(&tier, _)| tier)
    };
    let round_len = PIECE * pieces_of(memory);
    // Memory for the positions that the threads find in a round, until they are in their lists.
    let _room = memory.hold((round_len * NEW_CHILDREN * size_of::<u32>()) as u64)?;
    while let Some(tier) = lowest(known, from) {
        from = tier;
        let mut open = take(&mut known.tiers.get_mut(&tier).expect("the tier was found").open);
        let bytes = memory::list_bytes(&open);
        open.shrink_to_fit();
        memory.give(bytes - memory::list_bytes(&open));
        // Positions with neighbouring indexes have neighbouring children, which share cache lines.
        open.par_sort_unstable();
        let mut begin = 0;
        let mut result = Ok(());
        while begin < open.len() && result.is_ok() {
            let round = &open[begin..open.len().min(begin + round_len)];
            result = meter.check().and_then(|()| {
                // Positions found are recorded even if memory does not suffice to go on.
                let mut fits = Ok(());
                let mut halted = Ok(());
                for piece in expand(rules, reduction, &known.set, round, tier, meter.bounds()) {
                    halted = halted.and(piece.halted);
                    meter.moved(piece.moves);
                    ended |= piece.ended;
                    for (tier, indexes) in piece.found {
                        known.len += indexes.len() as u64;
                        let list = &mut known.tiers.entry(tier).or_default().open;
                        fits = fits.and(memory.reserve(list, indexes.len()));
                        list.extend(indexes);
                    }
                }
                fits?;
                halted?;
                Ok(meter.know(known.len)?)
            });
            if result.is_ok() {
                begin += round.len();
                meter.done(round.len() as u64);
            }
        }
        let level = if tiered { open.len() } else { begin };
        let entry = known.tiers.entry(tier).or_default();
        if begin < open.len() {
            // The solve ends here; the rest goes to the checkpoint.
            entry.open.extend(open.drain(begin..));
        }
        if !tiered {
            memory.give(memory::list_bytes(&open));
        } else if entry.expanded.is_empty() {
            entry.expanded = open;
        } else {
            let bytes = memory::list_bytes(&open);
            memory.reserve(&mut entry.expanded, open.len())?;
            entry.expanded.extend(open);
            memory.give(bytes);
        }
        result?;
        if tiered {
            let above = known.tiers.range(tier + 1..).filter(|(_, tier)| !tier.open.is_empty());
            plies.expanded(tier, above.map(|(&tier, _)| tier), ended)?;
        }
        meter.level(level as u64)?;
    }
    Ok(())
}

/// Number of pieces that are expanded between two calls of the watch.
fn pieces_of(memory: &Memory) -> usize {
    const SHARE: u64 = 16;
    let piece_bytes = (PIECE * NEW_CHILDREN * size_of::<u32>()) as u64;
    memory
        .bytes_max()
        .map_or(PIECES, |max| (max / SHARE / piece_bytes).clamp(1, PIECES as u64) as usize)
}

/// Expected number of new children of a position; most children are known already. Includes that
/// lists may have grown to twice their length.
const NEW_CHILDREN: usize = 16;

/// Result of expanding a piece of a tier.
struct Expanded<'a> {
    /// Reason that moves of some positions were not made, if any.
    halted: Result<(), Halt>,
    /// Bytes held for more new children than expected.
    _beyond: Held<'a>,
    moves: u64,
    /// Whether a position was finished.
    ended: bool,
    /// New children by tier.
    found: Vec<(u32, Vec<u32>)>,
}

/// Makes the moves of some positions of a tier. The children are in the set even if the work was
/// halted.
fn expand<'a, K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    set: &DenseSet,
    parents: &[u32],
    tier: u32,
    bounds: Bounds<'a>,
) -> Vec<Expanded<'a>> {
    /// Bytes of the new children that a piece is expected to have.
    const EXPECTED: u64 = (PIECE * NEW_CHILDREN * size_of::<u32>()) as u64;
    let expander = Expander::new(rules, reduction);
    let expand = |(links, keys): &mut (Links<'_, K>, Vec<K>), parents: &[u32]| {
        let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
        let (mut last, mut moves, mut ended, mut new) = (0, 0, false, 0);
        let mut beyond = bounds.memory().nothing();
        keys_of(parents, keys);
        let halted = expander.each_batch(keys, links, |_, links| {
            moves += links.children().len() as u64;
            ended |= links.ranges().any(|range| range.is_err());
            // Lists may have grown to twice their length.
            let most = 2 * size_of::<u32>() * (new + links.children().len());
            beyond.at_least((most as u64).saturating_sub(EXPECTED))?;
            for child in links.children() {
                let index = child.key.number();
                if !set.insert(index) {
                    continue;
                }
                new += 1;
                if found.get(last).is_none_or(|entry| entry.0 != child.tier) {
                    let raises = child.tier > tier || !rules.has_tiers();
                    assert!(raises, "a move raises the tier");
                    let entry = found.iter().position(|entry| entry.0 == child.tier);
                    last = entry.unwrap_or_else(|| {
                        found.push((child.tier, Vec::new()));
                        found.len() - 1
                    });
                }
                found[last].1.push(index as u32);
            }
            Ok(())
        });
        Expanded { halted, _beyond: beyond, moves, ended, found }
    };
    let rooms = Shelf::new();
    parallel::map(parents.len().div_ceil(PIECE), &|n| {
        let mut room = rooms.take(&|| (Links::new(bounds), Vec::new()));
        let expanded = expand(&mut room, &parents[piece(n, PIECE, parents.len())]);
        rooms.put(room);
        expanded
    })
}

fn keys_of<K: KeyCode>(indexes: &[u32], keys: &mut Vec<K>) {
    keys.clear();
    keys.extend(indexes.iter().map(|&index| K::of_number(u64::from(index))));
}

/// Values all positions, tier by tier from the highest.
fn value<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known,
    members: &DenseTable,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<Vec<ExactValue>, Break> {
    let valued = known.tiers.values().filter(|tier| tier.values.is_some());
    let done = valued.map(|tier| tier.expanded.len() as u64).sum();
    meter.begin(Phase::Value, done, members.len() as u64);
    let held = memory.hold((members.len() * size_of::<ExactValue>()) as u64)?;
    let preferences = (0..members.len()).map(|_| AtomicI32::new(0)).collect();
    let valuer = Valuer { expander: Expander::new(rules, reduction), members, preferences };
    for tier in known.tiers.values_mut() {
        for (&index, valued) in tier.expanded.iter().zip(tier.values.iter().flatten()) {
            valuer.set(index, *valued);
        }
    }
    let mut todo: Vec<&mut Tier> =
        known.tiers.values_mut().filter(|tier| tier.values.is_none()).collect();
    let bounds = meter.bounds();
    while let Some(tier) = todo.pop() {
        for round in tier.expanded.chunks(PIECE * PIECES) {
            let valued = meter.check().and_then(|()| {
                let rooms = Shelf::new();
                parallel::try_each(round.len().div_ceil(PIECE), &|n| {
                    let mut links = rooms.take(&|| Links::new(bounds));
                    let valued = valuer.value(&round[piece(n, PIECE, round.len())], &mut links);
                    rooms.put(links);
                    valued
                })
            });
            if let Err(reason) = valued {
                let first = todo.len() + 1;
                let done =
                    known.tiers.values_mut().filter(|tier| tier.values.is_none()).skip(first);
                for tier in done {
                    let values = tier.expanded.iter().map(|&index| valuer.get(index));
                    tier.values = Some(values.collect());
                }
                return Err(reason);
            }
            meter.done(round.len() as u64);
        }
    }
    held.keep();
    // Both types have the same size and alignment, so the list is converted in place.
    let preferences = valuer.preferences.into_iter().map(AtomicI32::into_inner);
    Ok(preferences.map(ExactValue::of_preference).collect())
}

struct Valuer<'a, K: KeyCode> {
    expander: Expander<'a, K>,
    members: &'a DenseTable,
    /// [`ExactValue::preference`] of each place; only those of higher tiers are final.
    preferences: Vec<AtomicI32>,
}

impl<K: KeyCode> Valuer<'_, K> {
    #[inline]
    fn preference(&self, index: u64) -> Option<&AtomicI32> {
        let place = self.members.place(index)?;
        self.preferences.get(place as usize)
    }

    fn get(&self, index: u32) -> ExactValue {
        let preference = self.preference(u64::from(index)).expect("it is one of the positions");
        ExactValue::of_preference(preference.load(RELAXED))
    }

    fn set(&self, index: u32, valued: ExactValue) {
        let preference = self.preference(u64::from(index)).expect("it is one of the positions");
        preference.store(valued.preference(), RELAXED);
    }

    /// Values positions whose children are valued.
    fn value(&self, indexes: &[u32], links: &mut Links<'_, K>) -> Result<(), Break> {
        let mut keys = Vec::with_capacity(indexes.len());
        keys_of(indexes, &mut keys);
        self.expander.each_batch(&keys, links, |places, links| {
            for (&index, children) in indexes[places].iter().zip(links.iter()) {
                let valued = match children {
                    Err(value) => ExactValue { value, remoteness: 0 },
                    Ok(children) => {
                        let mut lost = false;
                        let seen = children.iter().map_while(|child| {
                            let preference = self.preference(child.key.number());
                            lost |= preference.is_none();
                            Some(seen_preference(preference?.load(RELAXED), child.same_turn))
                        });
                        let valued = before(seen)?;
                        if lost {
                            return Err(SolveError::BadCheckpoint.into());
                        }
                        valued
                    }
                };
                self.set(index, valued);
            }
            Ok(())
        })
    }
}
