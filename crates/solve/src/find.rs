//! Finding the children of many positions in their tables at once.

use treegauge_core::KeyCode;

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
    /// # Panics
    ///
    /// When one is in no table.
    pub(crate) fn find(&mut self, children: &[Child<K>]) -> &[Found] {
        let Finder { tables, found } = self;
        found.clear();
        let mut n = 0;
        found.extend(children.iter().map(|child| {
            // A single table has the children of every tier.
            if tables.len() > 1 && tables[n].tier != child.tier {
                n = tables
                    .binary_search_by_key(&child.tier, |table| table.tier)
                    .expect("all children were found");
            }
            let (place, bucket_end) = tables[n].table.look_up(child.key);
            Found { table: n as u32, place, bucket_end }
        }));
        for (child, found) in children.iter().zip(found.iter_mut()) {
            let table = &tables[found.table as usize].table;
            let place = table.place_in((found.place, found.bucket_end), child.key);
            found.place = place.expect("all children were found");
        }
        found
    }
}
