//! Discovery of all positions on all threads.

use treegauge_core::KeyCode;

use crate::error::{Break, SolveError};
use crate::memory::{Held, Memory};
use crate::parallel::{self, Items};
use crate::progress::ProgressMeter;
use crate::rules::{Bounds, Child, Expander, Links, Reduction, Solvable};
use crate::shards::{Buffers, Sets, ShardedSet};

/// Most parents that one worker expands before the children found are inserted. The children take
/// about a megabyte.
const PARENTS: usize = 1 << 15;

/// Parents expanded in one batch: few enough that their children stay in the cache.
const BATCH: usize = 256;

/// Most and fewest bytes of one worker. If there is less memory, there are fewer workers.
const ROOM_MAX: u64 = 8 << 20;
const ROOM_MIN: u64 = 1 << 18;

/// All workers together take at most this fraction of the memory: one twelfth.
const ROOM_SHARE: u64 = 12;

/// State and buffers of one worker.
struct Worker<'a, K: KeyCode> {
    expander: Expander<'a, K>,
    /// Children of the current batch, bounded by the worker's room; see [`Discovery::expand_wide`]
    /// for positions with more children.
    links: Links<'a, K>,
    /// Whether the next position has more children than fit the worker's room.
    wide: bool,
    /// Most children of one position so far.
    children_max: usize,
    /// Moves made in this round.
    moves: u64,
    /// Whether an expanded position was finished.
    ended: bool,
    /// Keys found, by tier. Tiers that occurred in the previous round come first.
    found: Vec<(u32, Buffers<K>)>,
}

impl<K: KeyCode> Worker<'_, K> {
    /// Expands parents until the room is used up or the watch says stop. Returns the parents that
    /// are left.
    fn expand<'p>(&mut self, mut parents: &'p [K], tier: Option<u32>, room: u64) -> &'p [K] {
        let Worker { expander, links, wide, children_max, moves, ended, found } = self;
        (*moves, *wide) = (0, false);
        let mut last = 0;
        let mut keys_left = keys_room::<K>(room);
        while !parents.is_empty() {
            let batch = children_room::<K>(room) / (*children_max).max(1);
            let now = &parents[..batch.clamp(1, BATCH).min(parents.len())];
            // Stopped, or memory is full: the positions stay unexpanded.
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

    /// Adds children that were made elsewhere to the keys found.
    fn push(&mut self, children: &[Child<K>], tier: Option<u32>) {
        push(&mut self.found, children, tier, &mut 0);
    }

    /// Clears the keys found but keeps the buffers, since the next keys will be in similar tiers.
    /// All buffers are freed if together they take more than half of `room`.
    fn clear(&mut self, room: u64) {
        if self.found.iter().map(|entry| entry.1.bytes()).sum::<u64>() > room / 2 {
            self.found.clear();
        }
        self.found.iter_mut().for_each(|entry| entry.1.clear());
    }
}

/// Sorts children by tier, which must be above `tier` if that is set. `last` is the entry that the
/// last child went to.
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

/// Number of keys that a worker may find before they are inserted. Pushing may take up to twice
/// their bytes.
fn keys_room<K>(room: u64) -> usize {
    (room as usize / 4 / size_of::<K>()).max(1)
}

/// Number of children that one batch may have; a child is larger than a key.
fn children_room<K>(room: u64) -> usize {
    room as usize / 8 / size_of::<Child<K>>()
}

/// Expands positions on all threads.
pub(crate) struct Discovery<'a, K: KeyCode> {
    workers: Vec<Worker<'a, K>>,
    /// Bounds for a position with more children than a worker has room for.
    bounds: Bounds<'a>,
    /// Bytes of each worker.
    room: u64,
    _held: Held<'a>,
}

/// Destination of the children that are found.
pub(crate) struct Into<'s, K> {
    /// Sets of the tiers.
    pub(crate) sets: &'s mut Sets<K>,
    /// New positions by shard; `None` if they are not needed.
    pub(crate) fresh: Option<&'s mut Vec<Vec<K>>>,
    /// Number of known positions that are not in the sets.
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
        // Two workers per thread balance the load.
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

    /// Returns whether any expanded position was finished.
    pub(crate) fn ended(&self) -> bool {
        self.workers.iter().any(|worker| worker.ended)
    }

    /// Inserts the children of `parents` into the sets of their tiers, which must be above `tier`
    /// if that is set.
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
        // Children of the next tier will mostly be one tier higher, so the buffers are renumbered.
        for worker in &mut self.workers {
            worker.clear(room);
            let raise = u32::from(tier.is_some());
            worker.found.iter_mut().for_each(|entry| entry.0 = entry.0.saturating_add(raise));
        }
        Ok(())
    }

    /// Inserts the children of one position that has more than a worker has room for. Such
    /// positions are expanded one after the other, so that only one needs the memory. Returns the
    /// number of children.
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

    /// Inserts the keys that the workers found.
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
