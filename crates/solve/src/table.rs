//! Searchable dense array of positions.

use std::ops::Range;

use treegauge_core::KeyCode;

use crate::dense::{DenseSet, DenseTable};
use crate::memory::list_bytes;

/// Average number of keys per bucket of the index.
const KEYS_PER_BUCKET: usize = 4;

/// Number of keys compared at once; 98 of 100 buckets have no more.
const WINDOW: usize = 8;

/// Keys without gaps, each with a place.
///
/// Keys are ordered by hash and, where hashes are equal, by key. The hash of a key gives its
/// approximate place: an index with one offset for every four keys (a byte per key) leads to the
/// place with one or two accesses to memory. If the game has an index
/// ([`treegauge_core::Indexed`]), the table stores no keys but one bit for each possible key, and
/// the keys are in ascending order. Tables of the same keys are equal if they are stored in the
/// same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<K>(Places<K>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Places<K> {
    Hashed {
        keys: Vec<K>,
        /// Start of each bucket, and the end of the last one.
        offsets: Vec<u32>,
    },
    Indexed {
        members: DenseTable,
        /// Indexes of each tier, by ascending tier; empty for a game without tiers.
        tiers: Vec<Vec<u32>>,
    },
}

/// Contents from which a table can be rebuilt.
pub(crate) enum Contents<K> {
    /// Keys in the order of hashes.
    Keys(Vec<K>),
    /// All indexes, and the indexes of each tier.
    Index(DenseTable, Vec<Vec<u32>>),
}

impl<K: KeyCode> Table<K> {
    /// Most keys of a table.
    pub const LEN_MAX: usize = u32::MAX as usize;

    /// Creates a table of keys in any order, each once.
    ///
    /// # Panics
    ///
    /// When there are more than [`Table::LEN_MAX`] keys or a key occurs twice.
    #[must_use]
    pub fn new(mut keys: Vec<K>) -> Self {
        keys.sort_unstable_by_key(|key| (key.mix(), *key));
        assert!(keys.is_sorted_by(|a, b| a != b), "each key comes once");
        Table::of_sorted(keys)
    }

    /// Creates a table of keys that are in the order of hashes.
    pub(crate) fn of_sorted(keys: Vec<K>) -> Self {
        assert!(keys.len() <= Self::LEN_MAX, "a table has fewer than 2^32 keys");
        // The check takes as long as the table.
        if cfg!(test) {
            let is_before = |a: &K, b: &K| (a.mix(), a) < (b.mix(), b);
            assert!(keys.is_sorted_by(is_before), "the order of a table");
        }
        let bucket_count = keys.len().div_ceil(KEYS_PER_BUCKET);
        let mut offsets = Vec::with_capacity(bucket_count + 1);
        for (place, key) in keys.iter().enumerate() {
            let bucket = bucket_of(key.mix(), bucket_count);
            while offsets.len() <= bucket {
                offsets.push(place as u32);
            }
        }
        offsets.resize(bucket_count + 1, keys.len() as u32);
        Table(Places::Hashed { keys, offsets })
    }

    /// Creates a table of the keys with these numbers. For a game with tiers, `tiers` has the
    /// numbers of each tier, by ascending tier.
    pub(crate) fn of_index(members: DenseTable, tiers: Vec<Vec<u32>>) -> Self {
        assert!(members.len() <= Self::LEN_MAX, "a table has fewer than 2^32 keys");
        Table(Places::Indexed { members, tiers })
    }

    /// Bytes of a table of `len` keys that is not made by index.
    pub(crate) fn bytes(len: usize) -> u64 {
        (len * size_of::<K>() + (len.div_ceil(KEYS_PER_BUCKET) + 1) * size_of::<u32>()) as u64
    }

    /// Iterates over the keys in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.iter_from(0)
    }

    /// Iterates over the keys from a place on, in the table's order.
    ///
    /// # Panics
    ///
    /// When `place` exceeds the number of keys.
    pub fn iter_from(&self, place: usize) -> impl Iterator<Item = K> + '_ {
        let (hashed, indexed) = match &self.0 {
            Places::Hashed { keys, .. } => (Some(keys[place..].iter().copied()), None),
            Places::Indexed { members, .. } => {
                (None, Some(members.iter_from(place).map(K::of_number)))
            }
        };
        hashed.into_iter().flatten().chain(indexed.into_iter().flatten())
    }

    /// Replaces the contents of `keys` by the keys of some places.
    ///
    /// # Panics
    ///
    /// When a place does not exist.
    pub fn keys_into(&self, places: Range<usize>, keys: &mut Vec<K>) {
        keys.clear();
        match &self.0 {
            Places::Hashed { keys: all, .. } => keys.extend_from_slice(&all[places]),
            Places::Indexed { members, .. } => {
                let found = members.iter_from(places.start).take(places.len());
                keys.extend(found.map(K::of_number));
                assert_eq!(keys.len(), places.len(), "there are {} places", self.len());
            }
        }
    }

    /// Creates a table if the keys are in the order of hashes, each once; else returns the keys.
    pub(crate) fn of_ordered(keys: Vec<K>) -> Result<Self, Vec<K>> {
        if keys.is_sorted_by(|a, b| (a.mix(), a) < (b.mix(), b)) {
            Ok(Table::of_sorted(keys))
        } else {
            Err(keys)
        }
    }

    /// Converts the table to its contents.
    pub(crate) fn into_contents(self) -> Contents<K> {
        match self.0 {
            Places::Hashed { keys, .. } => Contents::Keys(keys),
            Places::Indexed { members, tiers } => Contents::Index(members, tiers),
        }
    }

    /// Converts a table by index to the set of its indexes; any other table gives an empty set.
    pub(crate) fn into_set(self) -> DenseSet {
        match self.0 {
            Places::Hashed { .. } => DenseSet::new(0),
            Places::Indexed { members, .. } => members.into_set(),
        }
    }

    /// Converts the table to the keys that it stores, as [`Table::kept_keys`] returns them.
    pub(crate) fn into_kept_keys(self) -> Vec<K> {
        match self.0 {
            Places::Hashed { keys, .. } => keys,
            Places::Indexed { .. } => Vec::new(),
        }
    }

    /// Stored keys in the table's order; empty in a table by index.
    pub(crate) fn kept_keys(&self) -> &[K] {
        match &self.0 {
            Places::Hashed { keys, .. } => keys,
            Places::Indexed { .. } => &[],
        }
    }

    /// Key at a place.
    ///
    /// # Panics
    ///
    /// When the place does not exist.
    #[must_use]
    pub fn key(&self, place: usize) -> K {
        self.iter_from(place).next().expect("the place is one of the table")
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Places::Hashed { keys, .. } => keys.len(),
            Places::Indexed { members, .. } => members.len(),
        }
    }

    /// Returns whether the table has no keys.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Length of the index of a table by index, whose places are in the order of keys; `None` for
    /// any other table.
    pub(crate) fn index_len(&self) -> Option<u64> {
        match &self.0 {
            Places::Hashed { .. } => None,
            Places::Indexed { members, .. } => Some(members.index_len()),
        }
    }

    /// Number of bytes that the table takes.
    pub(crate) fn bytes_taken(&self) -> u64 {
        match &self.0 {
            Places::Hashed { keys, offsets } => list_bytes(keys) + list_bytes(offsets),
            Places::Indexed { members, tiers } => {
                members.bytes() + tiers.iter().map(list_bytes).sum::<u64>()
            }
        }
    }

    /// Indexes of each tier, by ascending tier; `None` unless this is the single table of a game
    /// with tiers.
    pub(crate) fn tiers(&self) -> Option<&[Vec<u32>]> {
        match &self.0 {
            Places::Indexed { tiers, .. } if !tiers.is_empty() => Some(tiers),
            _ => None,
        }
    }

    /// Place of a key; `None` if it is not in the table.
    #[inline]
    #[must_use]
    pub fn place(&self, key: K) -> Option<usize> {
        let found = self.look_up(key);
        self.place_in(found, key).map(|place| place as usize)
    }

    /// First half of a look-up, which waits for one part of memory: the start and end of a key's
    /// bucket. In a table by index this is already the place.
    #[inline]
    pub(crate) fn look_up(&self, key: K) -> (u32, u32) {
        match &self.0 {
            Places::Hashed { offsets, .. } => {
                let bucket = bucket_of(key.mix(), offsets.len() - 1);
                (offsets[bucket], offsets.get(bucket + 1).copied().unwrap_or(0))
            }
            Places::Indexed { members, .. } => match members.place(key.number()) {
                Some(place) => (place, place + 1),
                None => (0, 0),
            },
        }
    }

    /// Second half of a look-up: the place of a key.
    #[inline]
    pub(crate) fn place_in(&self, (begin, end): (u32, u32), key: K) -> Option<u32> {
        let Places::Hashed { keys, .. } = &self.0 else {
            return (begin < end).then_some(begin);
        };
        let keys = &keys[begin as usize..];
        if end - begin <= WINDOW as u32
            && let Some(window) = keys.first_chunk::<WINDOW>()
        {
            // All keys of the window are compared, so that no branch waits for memory. The key is
            // in no other bucket.
            let place = |place, n: usize| if window[n] == key { n as u32 } else { place };
            let place = (0..WINDOW).fold(WINDOW as u32, place);
            return (place < WINDOW as u32).then_some(begin + place);
        }
        let bucket = &keys[..(end - begin) as usize];
        bucket.iter().position(|&found| found == key).map(|n| begin + n as u32)
    }
}

/// Bucket of a hash; buckets are in the order of hashes.
#[inline]
fn bucket_of(hash: u64, bucket_count: usize) -> usize {
    ((u128::from(hash) * bucket_count as u128) >> 64) as usize
}
