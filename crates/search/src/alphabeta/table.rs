//! Transposition table of searched positions.

use treegauge_core::KeyCode;

/// Meaning of a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is meaningless; only the move is known.
    Unknown,
    /// The value is a lower bound.
    Lower,
    /// The value is an upper bound.
    Upper,
    /// The value is exact.
    Exact,
}

/// Entry of one position.
///
/// Takes 32 bytes for keys of 16 bytes with moves of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, M> {
    /// Whole key, not a hash of it, so that positions are never confused.
    pub(super) key: K,
    /// Value for the player to move; a win or loss counts its plies from this position.
    pub(super) value: i32,
    /// Number of the search that wrote the entry.
    search: u32,
    /// Best move, if known.
    pub(super) m: Option<M>,
    /// Depth to which the position was searched.
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// Whether the value depends on no evaluation, so that a deeper search would return the same.
    pub(super) complete: bool,
}

/// Two entries, in one cache line if they fit.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Bucket<K, M>([Option<Entry<K, M>>; 2]);

#[derive(Clone, Debug)]
pub(super) struct Table<K, M> {
    buckets: Vec<Bucket<K, M>>,
    /// Number of the current search.
    search: u32,
    /// Number of the first search whose entries are valid; older ones are forgotten.
    known_from: u32,
}

impl<K: KeyCode, M: Copy> Table<K, M> {
    /// Creates a table of at most `bytes` bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let len = (bytes / size_of::<Bucket<K, M>>()).max(1);
        Table { buckets: vec![Bucket([None; 2]); len], search: 0, known_from: 0 }
    }

    /// Begins a new search, so that entries written from now on are newer than all before.
    pub(super) fn begin_search(&mut self) {
        self.search += 1;
    }

    /// Forgets everything.
    pub(super) fn forget(&mut self) {
        self.known_from = self.search + 1;
    }

    #[inline]
    fn place(&self, key: K) -> usize {
        // The upper half of the product is a number below the length, from the upper bits of the
        // hash.
        ((u128::from(key.mix()) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Entry of a position; `None` if there is none.
    #[inline]
    pub(super) fn get(&self, key: K) -> Option<&Entry<K, M>> {
        let mut entries = self.buckets[self.place(key)].0.iter().flatten();
        entries.find(|entry| entry.key == key && entry.search >= self.known_from)
    }

    /// Stores a position in place of its own old entry or of the least valuable one in its bucket:
    /// the older entry or, of two from this search, the shallower one.
    #[inline]
    pub(super) fn put(
        &mut self,
        key: K,
        value: i32,
        m: Option<M>,
        depth: u32,
        bound: Bound,
        complete: bool,
    ) {
        let place = self.place(key);
        let (search, known_from) = (self.search, self.known_from);
        let slots = &mut self.buckets[place].0;
        // Forgotten entries count as empty, so that they have no effect.
        let known = |n: usize| slots[n].as_ref().filter(|e| e.search >= known_from);
        let holds = |n| known(n).filter(|e| e.key == key);
        let rank = |n| {
            known(n).map_or(0, |e| (u32::from(e.search == search) << 8 | u32::from(e.depth)) + 1)
        };
        let n = if holds(0).is_some() {
            0
        } else if holds(1).is_some() {
            1
        } else {
            usize::from(rank(1) < rank(0))
        };
        // A position without a good move keeps the earlier one.
        let m = m.or_else(|| holds(n).and_then(|e| e.m));
        let depth = depth as u8;
        slots[n] = Some(Entry { key, value, search, m, depth, bound, complete });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(table: &mut Table<u64, u16>, key: u64, depth: u32) {
        table.put(key, key as i32, Some(7), depth, Bound::Exact, false);
    }

    #[test]
    fn a_full_bucket_gives_up_the_oldest_and_then_the_least_deep() {
        let mut table = Table::<u64, u16>::new(0);
        let known = |table: &Table<u64, u16>| -> Vec<u64> {
            (1..=6).filter(|&key| table.get(key).is_some()).collect()
        };
        table.begin_search();
        put(&mut table, 1, 9);
        put(&mut table, 2, 5);
        put(&mut table, 3, 1);
        assert_eq!(known(&table), [1, 3]);
        table.begin_search();
        put(&mut table, 4, 2);
        assert_eq!(known(&table), [1, 4]);
        put(&mut table, 5, 1);
        assert_eq!(known(&table), [4, 5]);
        table.forget();
        assert_eq!(known(&table), [0; 0]);
        table.begin_search();
        put(&mut table, 6, 1);
        assert_eq!(known(&table), [6]);
    }

    #[test]
    fn a_known_move_stays_where_none_is_put_in_its_place() {
        let mut table = Table::<u64, u16>::new(1 << 10);
        table.begin_search();
        put(&mut table, 1, 3);
        table.put(1, -4, None, 4, Bound::Upper, true);
        let entry = table.get(1).expect("it is known");
        assert_eq!((entry.value, entry.m, entry.depth), (-4, Some(7), 4));
        // But forgotten moves are not kept.
        table.forget();
        table.begin_search();
        table.put(1, 2, None, 1, Bound::Upper, true);
        assert_eq!(table.get(1).expect("it is known").m, None);
    }

    #[test]
    fn two_entries_fill_a_line_of_the_cache() {
        assert_eq!(size_of::<Bucket<(u64, u16), [u8; 2]>>(), 64);
    }
}
