//! The positions that a solve has found, kept by their keys.

use std::collections::HashSet;

use treegauge_core::KeyCode;

use crate::checkpoint::Part;
use crate::error::SolveError;
use crate::memory::Memory;
use crate::shards::{Sets, ShardedSet};
use crate::solution::TierTable;
use crate::table::Table;
use crate::value::Valued;

/// The positions found so far and their values.
pub(crate) struct Known<K> {
    /// Tiers whose children are known too, in ascending order; without values where they are not
    /// known.
    pub(crate) tables: Vec<TierTable<K>>,
    /// Positions by tier: those of the next tiers, or, for a game without tiers, all.
    pub(crate) sets: Sets<K>,
    /// The tier, if there is one, whose children were being found when the solve ended.
    pub(crate) open: Option<(u32, Table<K>)>,
    /// For a game without tiers, the positions whose children are not known.
    pub(crate) frontier: Vec<K>,
}

impl<K: KeyCode> Known<K> {
    pub(crate) fn of_parts(
        parts: Vec<Part<K>>,
        tiered: bool,
        memory: &Memory,
    ) -> Result<Self, SolveError> {
        let mut known =
            Known { tables: Vec::new(), sets: Sets::new(), open: None, frontier: Vec::new() };
        // By index a tier may have been left half expanded; tables are of whole tiers, so what was
        // found of its children is found again.
        let open: HashSet<u32> =
            parts.iter().filter(|part| !part.expanded).map(|part| part.tier).collect();
        for part in parts {
            if tiered && part.expanded && !open.contains(&part.tier) {
                memory.take(Table::<K>::bytes(part.keys.len()))?;
                known.tables.push(match part.values {
                    // The keys may come in another order than the table's.
                    Some(values) => {
                        memory.take((values.len() * size_of::<Valued>()) as u64)?;
                        TierTable::new(part.tier, part.keys.into_iter().zip(values).collect())
                    }
                    None => TierTable {
                        tier: part.tier,
                        table: Table::new(part.keys),
                        values: Vec::new(),
                    },
                });
            } else {
                let set = known.sets.entry(part.tier).or_insert_with(ShardedSet::new);
                for &key in &part.keys {
                    set.insert(key, memory)?;
                }
                if !part.expanded {
                    known.frontier.extend(part.keys);
                }
            }
        }
        Ok(known)
    }

    pub(crate) fn into_parts(self, tiered: bool) -> Vec<Part<K>> {
        let mut parts = Vec::new();
        for TierTable { tier, table, values } in self.tables {
            let values = (!values.is_empty()).then_some(values);
            parts.push(Part { tier, expanded: true, keys: table.kept_keys().to_vec(), values });
        }
        if let Some((tier, table)) = self.open {
            let keys = table.kept_keys().to_vec();
            parts.push(Part { tier, expanded: false, keys, values: None });
        }
        let open: HashSet<K> = self.frontier.iter().copied().collect();
        for (tier, set) in self.sets {
            if tiered {
                parts.push(Part {
                    tier,
                    expanded: false,
                    keys: set.keys().collect(),
                    values: None,
                });
                continue;
            }
            let (frontier, expanded) = set.keys().partition(|key| open.contains(key));
            parts.push(Part { tier, expanded: true, keys: expanded, values: None });
            parts.push(Part { tier, expanded: false, keys: frontier, values: None });
        }
        parts
    }

    /// The positions of the tables.
    pub(crate) fn len(&self) -> u64 {
        self.tables.iter().map(|table| table.table.len() as u64).sum()
    }
}
