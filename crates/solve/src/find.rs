//! Batched look-up of the children of many positions.

use treegauge_core::KeyCode;

use crate::error::SolveError;
use crate::rules::Child;
use crate::solution::TierTable;

/// Number of positions whose children are looked up together.
///
/// A look-up waits for memory two or three times. A batch does each step for all children before
/// the next step of any, so that the waits overlap.
pub(crate) const BATCH: usize = 64;

/// Location of a child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Number of its table.
    pub(crate) table: u32,
    /// Start of its bucket; after the second step, its place in the table.
    pub(crate) place: u32,
    bucket_end: u32,
}

/// Finds children in tables of ascending tiers.
#[derive(Debug)]
pub(crate) struct Finder<'a, K> {
    tables: &'a [TierTable<K>],
    found: Vec<Found>,
}

impl<'a, K: KeyCode> Finder<'a, K> {
    pub(crate) fn new(tables: &'a [TierTable<K>]) -> Self {
        Finder { tables, found: Vec::new() }
    }

    /// Finds the location of each child.
    ///
    /// # Errors
    ///
    /// When a child is in no table: the checkpoint or file that was read lacks positions.
    pub(crate) fn find(&mut self, children: &[Child<K>]) -> Result<&[Found], SolveError> {
        let Finder { tables, found } = self;
        found.clear();
        let mut n = 0;
        for child in children {
            // A single table holds the children of every tier.
            if tables.len() != 1 && tables.get(n).is_none_or(|table| table.tier != child.tier) {
                n = tables
                    .binary_search_by_key(&child.tier, |table| table.tier)
                    .map_err(|_| SolveError::BadCheckpoint)?;
            }
            let (place, bucket_end) = tables[n].table.look_up(child.key);
            found.push(Found { table: n as u32, place, bucket_end });
        }
        for (child, found) in children.iter().zip(found.iter_mut()) {
            let table = &tables[found.table as usize].table;
            let place = table.place_in((found.place, found.bucket_end), child.key);
            found.place = place.ok_or(SolveError::BadCheckpoint)?;
        }
        Ok(found)
    }
}
