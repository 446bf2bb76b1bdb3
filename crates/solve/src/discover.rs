//! Finding all positions.

use treegauge_core::KeyCode;

use crate::error::{Break, SolveError};
use crate::memory::{Held, Memory};
use crate::parallel::{self, Items};
use crate::progress::ProgressMeter;
use crate::rules::{Bounds, Child, Expander, Links, Reduction, Solvable};
use crate::shards::{Buffers, Sets, ShardedSet};

/// Parents that one worker expands at most before what it found is inserted: their children take
/// about a megabyte.
const PARENTS: usize = 1 << 15;

/// Parents whose children are made at once: few enough for these to stay in the cache.
const BATCH: usize = 256;

/// The most bytes of one worker, and the least: with fewer there are fewer workers.
const ROOM_MAX: u64 = 8 << 20;
const ROOM_MIN: u64 = 1 << 18;

/// The part of the memory that the workers have together.
const ROOM_SHARE: u64 = 12;

/// One worker's room.
struct Worker<'a, K: KeyCode> {
    expander: Expander<'a, K>,
    /// Of batches that are narrow; see [`Discovery::expand_wide`].
    links: Links<'a, K>,
    /// Whether the next position has more children than its room.
    wide: bool,
    /// The most children of one position until now.
    children_max: usize,
    /// The moves that it made in the round.
    moves: u64,
    /// Whether a position was finished.
    ended: bool,
    /// What it found, by tier; the tiers of the round before come first.
    found: Vec<(u32, Buffers<K>)>,
}

impl<K: KeyCode> Worker<'_, K> {
    /// Expands parents until it has no more room or the watch says stop, and returns those that are
    /// left.
    fn expand<'p>(&mut self, mut parents: &'p [K], tier: Option<u32>, room: u64) -> &'p [K] {
        let Worker { expander, links, wide, children_max, moves, ended, found } = self;
        (*moves, *wide) = (0, false);
        let mut last = 0;
        let mut keys_left = keys_room::<K>(room);
        while !parents.is_empty() {
            let batch = children_room::<K>(room) / (*children_max).max(1);
            let now = &parents[..batch.clamp(1, BATCH).min(parents.len())];
            // Stopped or full: the positions are left.
            let Ok(expanded) = expander.expand(now, links) else { break };
            *wide = expanded == 0;
            if *wide {
                break;
            }
            parents = &parents[expanded..];
            *moves += links.children().len() as u64;
            for range in links.ranges() {
                match range {
                    Ok(range) => *children_max = (*children_max).max(range.len()),
                    Err(_) => *ended = true,
                }
            }
            push(found, links.children(), tier, &mut last);
            match keys_left.checked_sub(links.children().len()) {
                Some(left) => keys_left = left,
                None => break,
            }
        }
        parents
    }

    /// Finds children that were made elsewhere.
    fn push(&mut self, children: &[Child<K>], tier: Option<u32>) {
        push(&mut self.found, children, tier, &mut 0);
    }

    /// Forgets what it found, but not where: the next keys will be like these. What was found in
    /// many tiers may take more than its room, and is then forgotten whole.
    fn clear(&mut self, room: u64) {
        if self.found.iter().map(|entry| entry.1.bytes()).sum::<u64>() > room / 2 {
            self.found.clear();
        }
        self.found.iter_mut().for_each(|entry| entry.1.clear());
    }
}

/// Sorts children by tier, which is above `tier` if it is given. `last` is where the last one went.
#[inline]
fn push<K: KeyCode>(
    found: &mut Vec<(u32, Buffers<K>)>,
    children: &[Child<K>],
    tier: Option<u32>,
    last: &mut usize,
) {
    for child in children {
        if found.get(*last).is_none_or(|entry| entry.0 != child.tier) {
            assert!(tier.is_none_or(|tier| child.tier > tier), "a move raises the tier");
            *last = found.iter().position(|entry| entry.0 == child.tier).unwrap_or_else(|| {
                found.push((child.tier, Buffers::new()));
                found.len() - 1
            });
        }
        found[*last].1.push(child.key);
    }
}

/// The keys that a worker may find before they are inserted: what is pushed takes up to twice its bytes.
fn keys_room<K>(room: u64) -> usize {
    (room as usize / 4 / size_of::<K>()).max(1)
}

/// The children of a batch, which are larger than keys.
fn children_room<K>(room: u64) -> usize {
    room as usize / 8 / size_of::<Child<K>>()
}

/// Expands positions with all threads.
pub(crate) struct Discovery<'a, K: KeyCode> {
    workers: Vec<Worker<'a, K>>,
    /// Of a position that has more children than a worker has room for.
    bounds: Bounds<'a>,
    /// The bytes of each worker.
    room: u64,
    _held: Held<'a>,
}

/// The position sets into which children go.
pub(crate) struct Into<'s, K> {
    /// The sets of the tiers.
    pub(crate) sets: &'s mut Sets<K>,
    /// The new positions by shard, where they are asked for.
    pub(crate) fresh: Option<&'s mut Vec<Vec<K>>>,
    /// The positions that are known beyond those in the sets.
    pub(crate) others: u64,
}

impl<'a, K: KeyCode> Discovery<'a, K> {
    pub(crate) fn new(
        rules: &'a Solvable<K>,
        reduction: &'a Reduction,
        memory: &'a Memory,
        meter: &ProgressMeter<'a>,
    ) -> Result<Self, SolveError> {
        let threads = rayon::current_num_threads();
        // More pieces than threads balance the load.
        let count = if threads == 1 { 1 } else { 2 * threads } as u64;
        let all = memory.bytes_max().map_or(u64::MAX, |max| max / ROOM_SHARE);
        let count = (all / ROOM_MIN).clamp(1, count);
        let room = (all / count).min(ROOM_MAX);
        let held = memory.hold(count * room)?;
        let bounds = meter.bounds();
        let worker = || Worker {
            expander: Expander::new(rules, reduction),
            links: Links::new(bounds.narrow(children_room::<K>(room))),
            wide: false,
            children_max: 1,
            moves: 0,
            ended: false,
            found: Vec::new(),
        };
        let workers = (0..count).map(|_| worker()).collect();
        Ok(Discovery { workers, bounds, room, _held: held })
    }

    /// Whether a position that was expanded was finished.
    pub(crate) fn ended(&self) -> bool {
        self.workers.iter().any(|worker| worker.ended)
    }

    /// Inserts the children of `parents` into the sets of their tiers, which are above `tier` if
    /// it is given.
    pub(crate) fn expand(
        &mut self,
        parents: &[K],
        tier: Option<u32>,
        into: &mut Into<'_, K>,
        memory: &Memory,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Break> {
        let room = self.room;
        let piece = PARENTS.min(parents.len().div_ceil(self.workers.len())).max(1);
        for round in parents.chunks(piece * self.workers.len()) {
            let mut left: Vec<&[K]> = round.chunks(piece).collect();
            while left.iter().any(|left| !left.is_empty()) {
                meter.check()?;
                self.workers.iter_mut().for_each(|worker| worker.clear(room));
                let before: usize = left.iter().map(|left| left.len()).sum();
                let pairs = Items::of(self.workers.iter_mut().zip(&mut left));
                parallel::each(pairs.len(), &|n| {
                    let (worker, left) = pairs.take(n);
                    *left = worker.expand(left, tier, room);
                });
                self.insert(into, memory)?;
                let used = &self.workers[..left.len()];
                meter.moved(used.iter().map(|worker| worker.moves).sum());
                for (n, left) in left.iter_mut().enumerate() {
                    if let (true, [parent, later @ ..]) = (self.workers[n].wide, *left) {
                        let moves = self.expand_wide(*parent, tier, into, memory)?;
                        meter.moved(moves);
                        *left = later;
                    }
                }
                let in_sets: u64 = into.sets.values().map(|set| set.len() as u64).sum();
                meter.know(into.others + in_sets)?;
                let after: usize = left.iter().map(|left| left.len()).sum();
                meter.done((before - after) as u64);
            }
        }
        // The next tier's children will mostly be one tier higher: their buffers are at hand.
        for worker in &mut self.workers {
            worker.clear(room);
            let raise = u32::from(tier.is_some());
            worker.found.iter_mut().for_each(|entry| entry.0 = entry.0.saturating_add(raise));
        }
        Ok(())
    }

    /// Inserts the children of one position, whose number no worker has room for. One after the other,
    /// so that they take the memory of one. Returns their number.
    fn expand_wide(
        &mut self,
        parent: K,
        tier: Option<u32>,
        into: &mut Into<'_, K>,
        memory: &Memory,
    ) -> Result<u64, Break> {
        let room = self.room;
        self.workers.iter_mut().for_each(|worker| worker.clear(room));
        let mut links = Links::new(self.bounds);
        self.workers[0].expander.expand(&[parent], &mut links)?;
        for children in links.children().chunks(keys_room::<K>(room)) {
            self.workers[0].clear(room);
            self.workers[0].push(children, tier);
            self.insert(into, memory)?;
        }
        Ok(links.children().len() as u64)
    }

    /// Inserts what the workers found.
    fn insert(&self, into: &mut Into<'_, K>, memory: &Memory) -> Result<(), SolveError> {
        let found = || self.workers.iter().flat_map(|worker| &worker.found);
        let mut tiers: Vec<u32> =
            found().filter(|entry| !entry.1.is_empty()).map(|entry| entry.0).collect();
        tiers.sort_unstable();
        tiers.dedup();
        for tier in tiers {
            let buffers: Vec<&Buffers<K>> =
                found().filter(|entry| entry.0 == tier).map(|entry| &entry.1).collect();
            let set = into.sets.entry(tier).or_insert_with(ShardedSet::new);
            set.insert_all(&buffers, into.fresh.as_deref_mut(), memory)?;
        }
        Ok(())
    }
}
