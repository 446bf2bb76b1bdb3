//! Positions that a solve has found, stored by their keys.

use std::collections::HashSet;

use treegauge_core::KeyCode;

use crate::checkpoint::{Keys, Part};
use crate::error::SolveError;
use crate::memory::Memory;
use crate::shards::{SHARDS, Sets, ShardedSet, shard_of};
use crate::solution::TierTable;
use crate::table::Table;
use crate::value::ExactValue;

/// Positions found so far, with their values if known.
pub(crate) struct Known<K> {
    /// Tables of the tiers whose children are found, in ascending order. The values are empty until
    /// known.
    pub(crate) tables: Vec<TierTable<K>>,
    /// Positions by tier: those of the next tiers or, for a game without tiers, all.
    pub(crate) sets: Sets<K>,
    /// Tier whose children were being found when the solve ended, if any.
    pub(crate) open: Option<(u32, Table<K>)>,
    /// In a game without tiers, the positions whose children are not found, by shard.
    pub(crate) frontier: Vec<Vec<K>>,
}

impl<K: KeyCode> Known<K> {
    /// Restores the positions of a checkpoint. Each part is freed before the next one is converted.
    pub(crate) fn of_parts(
        parts: Vec<Part<K>>,
        tiered: bool,
        memory: &Memory,
    ) -> Result<Self, SolveError> {
        let mut known = Known {
            tables: Vec::new(),
            sets: Sets::new(),
            open: None,
            frontier: vec![Vec::new(); SHARDS],
        };
        // A solve by index may have left a tier half expanded. Tables hold whole tiers, so the
        // children of such a tier are found again.
        let open: HashSet<u32> =
            parts.iter().filter(|part| !part.expanded).map(|part| part.tier).collect();
        let mut waiting = memory.hold(parts.iter().map(Part::bytes).sum())?;
        for part in parts {
            let bytes = part.bytes();
            if tiered && part.expanded && !open.contains(&part.tier) {
                // The part's memory becomes the table's.
                waiting.less(bytes);
                let table = part.into_table(memory)?;
                known.tables.push(table);
            } else {
                let set = known.sets.entry(part.tier).or_insert_with(ShardedSet::new);
                for keys in part.keys.into_pieces() {
                    for key in keys {
                        if !set.insert(key, memory)? {
                            return Err(SolveError::BadCheckpoint);
                        }
                        if !tiered && !part.expanded {
                            let frontier = &mut known.frontier[shard_of(key.mix())];
                            memory.reserve_one(frontier)?;
                            frontier.push(key);
                        }
                    }
                }
                waiting.less(bytes);
            }
        }
        known.tables.sort_by_key(|table| table.tier);
        if !known.tables.is_sorted_by(|a, b| a.tier < b.tier) {
            return Err(SolveError::BadCheckpoint);
        }
        Ok(known)
    }

    /// Converts the positions to the parts of a checkpoint. Takes no additional memory.
    pub(crate) fn into_parts(self, tiered: bool) -> Vec<Part<K>> {
        let mut parts = Vec::new();
        for TierTable { tier, table, values } in self.tables {
            let values = (!values.is_empty()).then_some(values);
            let keys = Keys::Pieces(vec![table.into_kept_keys()]);
            parts.push(Part { tier, expanded: true, keys, values });
        }
        if let Some((tier, table)) = self.open {
            let keys = Keys::Pieces(vec![table.into_kept_keys()]);
            parts.push(Part { tier, expanded: false, keys, values: None });
        }
        let mut frontier = self.frontier;
        for (tier, set) in self.sets {
            if tiered {
                let keys = Keys::Pieces(set.into_keys().collect());
                parts.push(Part { tier, expanded: false, keys, values: None });
                continue;
            }
            // Each shard's frontier is sorted, so that it can be searched.
            let expanded = set.into_keys().zip(&mut frontier).map(|(mut keys, frontier)| {
                frontier.sort_unstable();
                keys.retain(|key| frontier.binary_search(key).is_err());
                keys
            });
            let keys = Keys::Pieces(expanded.collect());
            parts.push(Part { tier, expanded: true, keys, values: None });
            let keys = Keys::Pieces(std::mem::take(&mut frontier));
            parts.push(Part { tier, expanded: false, keys, values: None });
        }
        parts
    }

    /// Number of positions in the tables.
    pub(crate) fn len(&self) -> u64 {
        self.tables.iter().map(|table| table.table.len() as u64).sum()
    }

    /// Number of positions whose children are not found, in a game without tiers.
    pub(crate) fn frontier_len(&self) -> u64 {
        self.frontier.iter().map(|keys| keys.len() as u64).sum()
    }
}

impl<K: KeyCode> Part<K> {
    /// Builds the table of a whole tier.
    fn into_table(self, memory: &Memory) -> Result<TierTable<K>, SolveError> {
        let len = self.len() as usize;
        let tier = self.tier;
        let mut held = memory.hold(Table::<K>::bytes(len))?;
        if let Some(values) = &self.values {
            held.more((values.len() * size_of::<ExactValue>()) as u64)?;
        }
        let mut pieces = self.keys.into_pieces();
        let keys = if pieces.len() == 1 {
            pieces.remove(0)
        } else {
            let _pieces = memory.hold((len * size_of::<K>()) as u64)?;
            pieces.concat()
        };
        let found = match (Table::of_ordered(keys), self.values) {
            (Ok(table), values) => TierTable { tier, table, values: values.unwrap_or_default() },
            // Another kind of solve wrote the keys, in another order.
            (Err(mut keys), None) => {
                keys.sort_unstable_by_key(|key| (key.mix(), *key));
                let table = Table::of_ordered(keys).map_err(|_| SolveError::BadCheckpoint)?;
                TierTable { tier, table, values: Vec::new() }
            }
            (Err(keys), Some(values)) => {
                let _both = memory.hold((len * size_of::<(K, ExactValue)>()) as u64)?;
                let mut both: Vec<(K, ExactValue)> = keys.into_iter().zip(values).collect();
                both.sort_unstable_by_key(|(key, _)| (key.mix(), *key));
                let (keys, values) = both.into_iter().unzip();
                let table = Table::of_ordered(keys).map_err(|_| SolveError::BadCheckpoint)?;
                TierTable { tier, table, values }
            }
        };
        held.keep();
        Ok(found)
    }
}
