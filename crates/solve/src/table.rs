//! Positions in a dense array that can be searched.

use std::ops::Range;

use treegauge_core::KeyCode;

use crate::dense::{DenseSet, DenseTable};
use crate::memory::list_bytes;

/// The keys that a bucket of the index has on average.
const KEYS_PER_BUCKET: usize = 4;

/// The keys that are compared at once; 98 of 100 buckets have no more.
const WINDOW: usize = 8;

/// Keys without gaps, each with a place.
///
/// They lie in the order of their hash and, where hashes are equal, of the keys: the hash of a key
/// gives its approximate place, so an index with one offset for every four keys, a byte per key,
/// leads to the place with one or two accesses to memory. Or, when the game has an index
/// ([`treegauge_core::Indexed`]), no keys are kept but one bit for each that there could be, and
/// they lie in ascending order. Tables that are made in the same of the two ways of the same keys
/// are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table<K>(Places<K>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Places<K> {
    Hashed {
        keys: Vec<K>,
        /// Where each bucket begins, and the end of the last.
        offsets: Vec<u32>,
    },
    Indexed {
        members: DenseTable,
        /// The indexes of each tier, by ascending tier; nothing for a game without tiers.
        tiers: Vec<Vec<u32>>,
    },
}

/// What a table is made of.
pub(crate) enum Contents<K> {
    /// The keys, in the order of hashes.
    Keys(Vec<K>),
    /// The indexes, and those of each tier.
    Index(DenseTable, Vec<Vec<u32>>),
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

    /// A table of keys that are in the order of hashes.
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
        Table(Places::Hashed { keys, offsets })
    }

    /// A table of the keys that have these numbers, and for a game with tiers those of each tier,
    /// by ascending tier.
    pub(crate) fn of_index(members: DenseTable, tiers: Vec<Vec<u32>>) -> Self {
        assert!(members.len() <= Self::LEN_MAX, "a table has fewer than 2^32 keys");
        Table(Places::Indexed { members, tiers })
    }

    /// The bytes of a table of this number of keys that is not made by index.
    pub(crate) fn bytes(len: usize) -> u64 {
        (len * size_of::<K>() + (len.div_ceil(KEYS_PER_BUCKET) + 1) * size_of::<u32>()) as u64
    }

    /// The keys, in the table's order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.iter_from(0)
    }

    /// The keys from a place on, in the table's order.
    ///
    /// # Panics
    ///
    /// When there are fewer than `place`.
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
    /// When there are fewer places.
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

    /// The same when the keys are in the order of hashes, each once; else the keys.
    pub(crate) fn of_ordered(keys: Vec<K>) -> Result<Self, Vec<K>> {
        if keys.is_sorted_by(|a, b| (a.mix(), a) < (b.mix(), b)) {
            Ok(Table::of_sorted(keys))
        } else {
            Err(keys)
        }
    }

    /// What the table was made of.
    pub(crate) fn into_contents(self) -> Contents<K> {
        match self.0 {
            Places::Hashed { keys, .. } => Contents::Keys(keys),
            Places::Indexed { members, tiers } => Contents::Index(members, tiers),
        }
    }

    /// The set of the indexes of a table by index.
    pub(crate) fn into_set(self) -> DenseSet {
        match self.0 {
            Places::Hashed { .. } => DenseSet::new(0),
            Places::Indexed { members, .. } => members.into_set(),
        }
    }

    /// The keys that are kept, as [`Table::kept_keys`] has them.
    pub(crate) fn into_kept_keys(self) -> Vec<K> {
        match self.0 {
            Places::Hashed { keys, .. } => keys,
            Places::Indexed { .. } => Vec::new(),
        }
    }

    /// The keys that are kept, in the table's order: all, or none in a table by index.
    pub(crate) fn kept_keys(&self) -> &[K] {
        match &self.0 {
            Places::Hashed { keys, .. } => keys,
            Places::Indexed { .. } => &[],
        }
    }

    /// The key of a place.
    ///
    /// # Panics
    ///
    /// When there is no such place.
    #[must_use]
    pub fn key(&self, place: usize) -> K {
        self.iter_from(place).next().expect("the place is one of the table")
    }

    /// The number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Places::Hashed { keys, .. } => keys.len(),
            Places::Indexed { members, .. } => members.len(),
        }
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The length of the index of a table by index, whose places are in the order of keys.
    pub(crate) fn index_len(&self) -> Option<u64> {
        match &self.0 {
            Places::Hashed { .. } => None,
            Places::Indexed { members, .. } => Some(members.index_len()),
        }
    }

    /// The bytes that the table takes.
    pub(crate) fn bytes_taken(&self) -> u64 {
        match &self.0 {
            Places::Hashed { keys, offsets } => list_bytes(keys) + list_bytes(offsets),
            Places::Indexed { members, tiers } => {
                members.bytes() + tiers.iter().map(list_bytes).sum::<u64>()
            }
        }
    }

    /// The indexes of each tier, by ascending tier, if the table has all tiers of a game.
    pub(crate) fn tiers(&self) -> Option<&[Vec<u32>]> {
        match &self.0 {
            Places::Indexed { tiers, .. } if !tiers.is_empty() => Some(tiers),
            _ => None,
        }
    }

    /// The place of a key.
    #[inline]
    #[must_use]
    pub fn place(&self, key: K) -> Option<usize> {
        let found = self.look_up(key);
        self.place_in(found, key).map(|place| place as usize)
    }

    /// The first half of a look-up, which waits for one part of memory: where the bucket of a key
    /// begins and ends; in a table by index, already the place.
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

    /// The second half of a look-up: the place of a key.
    #[inline]
    pub(crate) fn place_in(&self, (begin, end): (u32, u32), key: K) -> Option<u32> {
        let Places::Hashed { keys, .. } = &self.0 else {
            return (begin < end).then_some(begin);
        };
        let keys = &keys[begin as usize..];
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
