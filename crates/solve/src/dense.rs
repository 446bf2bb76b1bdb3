//! Sets and tables of small numbers, with one bit for each possible number.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::memory::list_bytes;

const RELAXED: Ordering = Ordering::Relaxed;

/// Bits of a word.
const WORD: u64 = u64::BITS as u64;

/// Greatest number of possible indexes: places have 32 bits.
pub(crate) const INDEX_LEN_MAX: u64 = 1 << 32;

/// Bytes of a set with `index_len` bits, including those needed to become a table.
pub(crate) fn bytes(index_len: u64) -> u64 {
    index_len.div_ceil(WORD) * (size_of::<u64>() + size_of::<u32>()) as u64
}

/// Set of numbers into which several threads insert at once.
#[derive(Debug, Default)]
pub(crate) struct DenseSet {
    words: Vec<AtomicU64>,
    /// Whether only one thread inserts, so that no locked instructions are needed.
    alone: bool,
}

impl DenseSet {
    /// Creates an empty set for the threads of the current pool.
    pub(crate) fn new(index_len: u64) -> Self {
        assert!(index_len <= INDEX_LEN_MAX, "an index of {index_len}");
        DenseSet {
            words: (0..index_len.div_ceil(WORD)).map(|_| AtomicU64::new(0)).collect(),
            alone: rayon::current_num_threads() == 1,
        }
    }

    /// Inserts an index and returns whether it is new.
    ///
    /// # Panics
    ///
    /// When the index is beyond the length, rounded up to a whole word.
    #[inline]
    pub(crate) fn insert(&self, index: u64) -> bool {
        let word = &self.words[(index / WORD) as usize];
        let bit = 1 << (index % WORD);
        let before = word.load(RELAXED);
        if before & bit != 0 {
            return false;
        }
        if self.alone {
            word.store(before | bit, RELAXED);
            return true;
        }
        word.fetch_or(bit, RELAXED) & bit == 0
    }

    /// Removes an index.
    pub(crate) fn remove(&self, index: u64) {
        self.words[(index / WORD) as usize].fetch_and(!(1 << (index % WORD)), RELAXED);
    }

    /// Turns the set into a table of its members.
    pub(crate) fn freeze(self) -> DenseTable {
        DenseTable::new(self.words.into_iter().map(AtomicU64::into_inner).collect())
    }
}

/// Members of a set in ascending order, each with its place.
///
/// The place of a member is the number of members before it. The table stores the count before each
/// word; the members within the word are counted on demand. A look-up reads two places in memory,
/// and neither read waits for the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DenseTable {
    words: Vec<u64>,
    /// Number of members before each word.
    before: Vec<u32>,
    len: usize,
}

impl DenseTable {
    fn new(words: Vec<u64>) -> Self {
        let mut len = 0;
        let before = words
            .iter()
            .map(|word| {
                let before = len as u32;
                len += word.count_ones() as usize;
                before
            })
            .collect();
        DenseTable { words, before, len }
    }

    /// Turns the table back into a set, for the threads of the current pool.
    pub(crate) fn into_set(self) -> DenseSet {
        let words = self.words.into_iter().map(AtomicU64::new).collect();
        DenseSet { words, alone: rayon::current_num_threads() == 1 }
    }

    /// Number of bytes that the table takes.
    pub(crate) fn bytes(&self) -> u64 {
        list_bytes(&self.words) + list_bytes(&self.before)
    }

    /// Number of possible indexes, a multiple of 64.
    pub(crate) fn index_len(&self) -> u64 {
        self.words.len() as u64 * WORD
    }

    /// Number of members.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Place of an index; `None` if it is not a member.
    #[inline]
    pub(crate) fn place(&self, index: u64) -> Option<u32> {
        let (word, bit) = ((index / WORD) as usize, 1 << (index % WORD));
        let bits = *self.words.get(word)?;
        let place = self.before[word] + (bits & (bit - 1)).count_ones();
        (bits & bit != 0).then_some(place)
    }

    /// Iterates over the members from a place on.
    ///
    /// # Panics
    ///
    /// When `place` exceeds the number of members.
    pub(crate) fn iter_from(&self, place: usize) -> impl Iterator<Item = u64> + '_ {
        assert!(place <= self.len, "there are {} places", self.len);
        // Last word that begins at or before the place, so that the skipped members lie in it.
        // Where several words begin there, all but the last are empty.
        let first = self.before.partition_point(|&before| before as usize <= place);
        let first = first.saturating_sub(1);
        let skipped = place - self.before.get(first).map_or(0, |&before| before as usize);
        let mut words = self.words[first..].iter();
        let base = first as u64 * WORD;
        let mut members = Members { left: words.next().copied().unwrap_or(0), base, words };
        (0..skipped).for_each(|_| members.left &= members.left - 1);
        members
    }
}

/// Iterator over the members of a set in ascending order.
struct Members<'a> {
    /// Members left in the current word.
    left: u64,
    /// Index of the word's first bit.
    base: u64,
    /// Words that follow.
    words: std::slice::Iter<'a, u64>,
}

impl Iterator for Members<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        while self.left == 0 {
            self.left = *self.words.next()?;
            self.base += WORD;
        }
        let member = self.base + u64::from(self.left.trailing_zeros());
        self.left &= self.left - 1;
        Some(member)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn members_are_in_order_and_have_their_places(
            indexes in prop::collection::vec(0u64..1_000, 0..300), gap in 0u64..500
        ) {
            // A gap leaves some words empty.
            let indexes = indexes.into_iter().map(|n| if n < 200 { n } else { n + gap });
            let set = DenseSet::new(1_500);
            let mut expected = BTreeSet::new();
            for index in indexes {
                prop_assert_eq!(set.insert(index), expected.insert(index));
            }
            let table = set.freeze();
            prop_assert_eq!(table.len(), expected.len());
            for place in 0..=expected.len() {
                let members = table.iter_from(place);
                prop_assert!(members.eq(expected.iter().copied().skip(place)));
            }
            let place = |index| expected.iter().position(|&member| member == index);
            for index in 0..2_000 {
                let found = table.place(index).map(|place| place as usize);
                prop_assert_eq!(found, place(index));
            }
        }
    }

    #[test]
    fn threads_that_insert_at_once_insert_each_index_once() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let inserted = pool.install(|| {
            let set = DenseSet::new(1 << 16);
            let insert = || (0..1 << 16).filter(|&index| set.insert(index)).count();
            let (a, b) = rayon::join(insert, insert);
            a + b
        });
        assert_eq!(inserted, 1 << 16);
    }
}
