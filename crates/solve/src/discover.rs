//! Finding all positions.

use rayon::prelude::*;
use treegauge_core::Keyed;

use crate::error::Break;
use crate::memory::Memory;
use crate::progress::ProgressMeter;
use crate::rules::{Expander, Links, Reduction, Rules};
use crate::shards::{Buffers, Sets, ShardedSet};

/// Parents that one worker expands before what it found is inserted: their children take about a
/// megabyte.
const PARENTS: usize = 1 << 15;

/// Parents whose children are made at once: few enough for these to stay in the cache.
const BATCH: usize = 256;

/// One worker's room.
struct Worker<'a, G: Keyed> {
    expander: Expander<'a, G>,
    links: Links<G::Key>,
    /// The moves that it made in the round.
    moves: u64,
    /// What it found, by tier; the tiers of the round before come first.
    found: Vec<(u32, Buffers<G::Key>)>,
}

impl<G: Keyed> Worker<'_, G> {
    fn expand(&mut self, parents: &[G::Key], tier: Option<u32>) {
        let Worker { expander, links, moves, found } = self;
        *moves = 0;
        let mut last = 0;
        for parents in parents.chunks(BATCH) {
            expander.expand(parents, links);
            *moves += links.children().len() as u64;
            for child in links.children() {
                if found.get(last).is_none_or(|entry| entry.0 != child.tier) {
                    assert!(tier.is_none_or(|tier| child.tier > tier), "a move raises the tier");
                    last =
                        found.iter().position(|entry| entry.0 == child.tier).unwrap_or_else(|| {
                            found.push((child.tier, Buffers::new()));
                            found.len() - 1
                        });
                }
                found[last].1.push(child.key);
            }
        }
    }

    fn bytes(&self) -> u64 {
        self.found.iter().map(|entry| entry.1.bytes()).sum()
    }
}

/// Expands positions with all threads.
pub(crate) struct Discovery<'a, G: Keyed> {
    workers: Vec<Worker<'a, G>>,
    bytes: u64,
}

impl<'a, G: Keyed> Discovery<'a, G> {
    pub(crate) fn new(rules: &'a Rules<G>, reduction: &'a Reduction) -> Self {
        let threads = rayon::current_num_threads();
        // More pieces than threads balance the load.
        let count = if threads == 1 { 1 } else { 2 * threads };
        let worker = || Worker {
            expander: Expander::new(rules, reduction),
            links: Links::new(),
            moves: 0,
            found: Vec::new(),
        };
        Discovery { workers: (0..count).map(|_| worker()).collect(), bytes: 0 }
    }

    /// Inserts the children of `parents` into the sets of their tiers, which are above `tier` if
    /// it is given, and the new ones into `fresh` if it is given. `others` positions are known
    /// beyond those in the sets.
    #[expect(clippy::too_many_arguments, reason = "each is another part of the solve")]
    pub(crate) fn expand(
        &mut self,
        parents: &[G::Key],
        tier: Option<u32>,
        sets: &mut Sets<G::Key>,
        mut fresh: Option<&mut Vec<Vec<G::Key>>>,
        others: u64,
        memory: &Memory,
        meter: &mut ProgressMeter<'_>,
    ) -> Result<(), Break> {
        let piece = PARENTS.min(parents.len().div_ceil(self.workers.len())).max(1);
        for round in parents.chunks(piece * self.workers.len()) {
            meter.check()?;
            self.workers.par_iter_mut().zip(round.par_chunks(piece)).for_each(
                |(worker, parents)| {
                    worker.found.iter_mut().for_each(|entry| entry.1.clear());
                    worker.expand(parents, tier);
                },
            );
            // In the last round there may be fewer pieces than workers.
            let used = round.len().div_ceil(piece);
            let idle = self.workers[used..].iter_mut().flat_map(|worker| &mut worker.found);
            idle.for_each(|entry| entry.1.clear());
            let mut tiers: Vec<u32> = self
                .workers
                .iter()
                .flat_map(|worker| &worker.found)
                .filter(|entry| !entry.1.is_empty())
                .map(|entry| entry.0)
                .collect();
            tiers.sort_unstable();
            tiers.dedup();
            for tier in tiers {
                let buffers: Vec<&Buffers<G::Key>> = self
                    .workers
                    .iter()
                    .flat_map(|worker| &worker.found)
                    .filter(|entry| entry.0 == tier)
                    .map(|entry| &entry.1)
                    .collect();
                sets.entry(tier).or_insert_with(ShardedSet::new).insert_all(
                    &buffers,
                    fresh.as_deref_mut(),
                    memory,
                )?;
            }
            meter.moved(self.workers[..used].iter().map(|worker| worker.moves).sum());
            let bytes: u64 = self.workers.iter().map(Worker::bytes).sum();
            if bytes > self.bytes {
                memory.take(bytes - self.bytes)?;
            } else {
                memory.give(self.bytes - bytes);
            }
            self.bytes = bytes;
            meter.know(others + sets.values().map(|set| set.len() as u64).sum::<u64>())?;
            meter.done(round.len() as u64);
        }
        // The next tier's children will mostly be one tier higher: their buffers are at hand.
        for entry in self.workers.iter_mut().flat_map(|worker| &mut worker.found) {
            entry.1.clear();
            entry.0 = entry.0.saturating_add(u32::from(tier.is_some()));
        }
        Ok(())
    }

    /// Releases the memory of the workers.
    pub(crate) fn finish(self, memory: &Memory) {
        memory.give(self.bytes);
    }
}
