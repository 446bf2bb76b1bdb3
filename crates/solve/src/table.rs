//! Positions in a dense array that can be searched.

use treegauge_core::KeyCode;

/// The keys that a bucket of the index has on average.
const KEYS_PER_BUCKET: usize = 4;

/// The keys that are compared at once; 98 of 100 buckets have no more.
const WINDOW: usize = 8;

/// Keys without gaps, in the order of their hash and, where hashes are equal, of the keys.
///
/// The hash of a key tells about where it lies, so an index with one offset for every four keys,
/// a byte a key, leads to the place with one or two accesses to memory. Tables of the same keys
/// are the same, whoever made them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<K> {
    keys: Vec<K>,
    /// Where each bucket begins, and the end of the last.
    offsets: Vec<u32>,
}

impl<K: KeyCode> Table<K> {
    /// The most keys of a table.
    pub const LEN_MAX: usize = u32::MAX as usize;

    /// A table of keys in any order, each once.
    ///
    /// # Panics
    ///
    /// When there are more than [`Table::LEN_MAX`] keys or a key comes twice.
    #[must_use]
    pub fn new(mut keys: Vec<K>) -> Self {
        keys.sort_unstable_by_key(|key| (key.mix(), *key));
        assert!(keys.is_sorted_by(|a, b| a != b), "each key comes once");
        Table::of_sorted(keys)
    }

    /// A table of keys that are in its order.
    pub(crate) fn of_sorted(keys: Vec<K>) -> Self {
        assert!(keys.len() <= Self::LEN_MAX, "a table has fewer than 2^32 keys");
        debug_assert!(
            keys.is_sorted_by(|a, b| (a.mix(), a) < (b.mix(), b)),
            "the order of a table"
        );
        let bucket_count = keys.len().div_ceil(KEYS_PER_BUCKET);
        let mut offsets = Vec::with_capacity(bucket_count + 1);
        for (place, key) in keys.iter().enumerate() {
            let bucket = bucket_of(key.mix(), bucket_count);
            while offsets.len() <= bucket {
                offsets.push(place as u32);
            }
        }
        offsets.resize(bucket_count + 1, keys.len() as u32);
        Table { keys, offsets }
    }

    /// The bytes that a table of so many keys takes.
    pub(crate) fn bytes(len: usize) -> u64 {
        (len * size_of::<K>() + (len.div_ceil(KEYS_PER_BUCKET) + 1) * size_of::<u32>()) as u64
    }

    /// The keys, in the table's order.
    #[must_use]
    pub fn keys(&self) -> &[K] {
        &self.keys
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The place of a key.
    #[inline]
    #[must_use]
    pub fn place(&self, key: K) -> Option<usize> {
        self.place_in(self.bucket(key.mix()), key).map(|place| place as usize)
    }

    /// Where the bucket of a hash begins and ends.
    #[inline]
    pub(crate) fn bucket(&self, hash: u64) -> (u32, u32) {
        let bucket = bucket_of(hash, self.offsets.len() - 1);
        (self.offsets[bucket], self.offsets.get(bucket + 1).copied().unwrap_or(0))
    }

    /// The place of a key in its bucket.
    #[inline]
    pub(crate) fn place_in(&self, (begin, end): (u32, u32), key: K) -> Option<u32> {
        let keys = &self.keys[begin as usize..];
        if end - begin <= WINDOW as u32
            && let Some(window) = keys.first_chunk::<WINDOW>()
        {
            // All of them, so that no jump waits for memory. The key is in no other bucket.
            let place = |place, n: usize| if window[n] == key { n as u32 } else { place };
            let place = (0..WINDOW).fold(WINDOW as u32, place);
            return (place < WINDOW as u32).then_some(begin + place);
        }
        let bucket = &keys[..(end - begin) as usize];
        bucket.iter().position(|&found| found == key).map(|n| begin + n as u32)
    }
}

/// The bucket of a hash, in the order of hashes.
#[inline]
fn bucket_of(hash: u64, bucket_count: usize) -> usize {
    ((u128::from(hash) * bucket_count as u128) >> 64) as usize
}
