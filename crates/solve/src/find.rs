//! Finding the children of many positions in their tables at once.

use treegauge_core::KeyCode;

use crate::error::SolveError;
use crate::rules::Child;
use crate::solution::TierTable;

/// Positions whose children are looked up together.
///
/// A look-up waits for memory twice or three times. In batches, with each step of all before the
/// next step of any, they wait at the same time.
pub(crate) const BATCH: usize = 64;

/// Where a child lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The number of its table.
    pub(crate) table: u32,
    /// Where its bucket begins; then its place in the table.
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

    /// Where each of some children lies.
    ///
    /// # Errors
    ///
    /// When one is in no table: what was read of a solve had not found all positions.
    pub(crate) fn find(&mut self, children: &[Child<K>]) -> Result<&[Found], SolveError> {
        let Finder { tables, found } = self;
        found.clear();
        let mut n = 0;
        for child in children {
            // A single table has the children of every tier.
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
