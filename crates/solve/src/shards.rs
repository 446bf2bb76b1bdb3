//! Growing sets of keys, into which threads insert in parallel.
//!
//! A set is split by the upper bits of the hash. Threads insert at the same time, each into shards
//! of its own, and the slots of one shard stay in the cache while many keys are inserted. Within a
//! shard the rest of the hash gives a key's approximate slot, so that the slots are almost in the
//! order of a [`Table`].

use std::collections::BTreeMap;

use treegauge_core::KeyCode;

use crate::error::SolveError;
use crate::memory::Memory;
use crate::parallel::{self, Items};
use crate::table::Table;

const SHARD_BITS: u32 = 6;

/// Number of shards of every set.
pub(crate) const SHARDS: usize = 1 << SHARD_BITS;

/// Keys inserted into a shard at a time.
const BATCH: usize = 32;

/// Slots beyond the last home, so that probing need not wrap around.
const TAIL: usize = 32;

/// Shard of a hash.
#[inline]
pub(crate) fn shard_of(hash: u64) -> usize {
    (hash >> (64 - SHARD_BITS)) as usize
}

/// Keys whose hashes have the same upper bits, in open addressing with linear probing.
#[derive(Clone, Debug)]
struct Shard<K> {
    /// Slots. Empty ones hold the first key that was ever inserted; that key itself is not in a
    /// slot.
    slots: Vec<K>,
    homes: usize,
    len: usize,
    filler: Option<K>,
}

impl<K: KeyCode> Shard<K> {
    const EMPTY: Self = Shard { slots: Vec::new(), homes: 0, len: 0, filler: None };

    #[inline]
    fn home(homes: usize, hash: u64) -> usize {
        ((u128::from(hash << SHARD_BITS) * homes as u128) >> 64) as usize
    }

    /// Inserts keys and reports those that are new.
    fn insert(
        &mut self,
        keys: &[K],
        memory: &Memory,
        mut fresh: impl FnMut(K) -> Result<(), SolveError>,
    ) -> Result<(), SolveError> {
        let mut homes = [0; BATCH];
        for keys in keys.chunks(BATCH) {
            let filler = match self.filler {
                Some(filler) => filler,
                None => {
                    fresh(keys[0])?;
                    self.len = 1;
                    *self.filler.insert(keys[0])
                }
            };
            // At most a little over half of the slots are used: probes are short, and memory lasts.
            let needed = (self.len + keys.len()) * 9 / 5;
            if needed > self.homes {
                self.grow(needed, filler, memory)?;
            }
            // All slots are fetched before the first is examined, so that branches on their
            // contents need not wait for memory.
            let mut fetched = 0;
            for (home, key) in homes.iter_mut().zip(keys) {
                *home = Self::home(self.homes, key.mix());
                fetched += usize::from(self.slots[*home] == filler);
            }
            std::hint::black_box(fetched);
            let count = self.homes;
            for (&home, &key) in homes.iter().zip(keys) {
                // A shard that has grown has other homes.
                let home =
                    if self.homes == count { home } else { Self::home(self.homes, key.mix()) };
                if self.insert_at(home, key, filler, memory)? {
                    fresh(key)?;
                }
            }
        }
        Ok(())
    }

    /// Inserts a key, probing from its home, and returns whether it is new.
    #[inline]
    fn insert_at(
        &mut self,
        home: usize,
        key: K,
        filler: K,
        memory: &Memory,
    ) -> Result<bool, SolveError> {
        if key == filler {
            return Ok(false);
        }
        for slot in &mut self.slots[home..] {
            if *slot == key {
                return Ok(false);
            }
            if *slot == filler {
                *slot = key;
                self.len += 1;
                return Ok(true);
            }
        }
        self.grow(0, filler, memory)?;
        self.insert_at(Self::home(self.homes, key.mix()), key, filler, memory)
    }

    /// Grows to at least `homes` homes, and by at least half.
    fn grow(&mut self, homes: usize, filler: K, memory: &Memory) -> Result<(), SolveError> {
        let mut homes = homes.max(self.homes + self.homes / 2).max(16);
        // Keys may crowd at the end. More homes spread them, since no two keys are equal.
        'again: loop {
            // The old and the new slots exist until all keys have moved.
            let bytes = ((homes + TAIL) * size_of::<K>()) as u64;
            memory.take(bytes)?;
            let mut slots = vec![filler; homes + TAIL];
            for &key in self.slots.iter().filter(|&&key| key != filler) {
                let home = Self::home(homes, key.mix());
                let Some(slot) = slots[home..].iter_mut().find(|slot| **slot == filler) else {
                    memory.give(bytes);
                    homes += homes / 2;
                    continue 'again;
                };
                *slot = key;
            }
            memory.give(self.bytes());
            self.slots = slots;
            self.homes = homes;
            return Ok(());
        }
    }

    /// Number of bytes allocated.
    fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<K>()) as u64
    }

    /// Iterates over the keys in the order of slots.
    fn keys(&self) -> impl Iterator<Item = K> + '_ {
        let filler = self.filler;
        let filler_home = filler.map_or(0, |filler| Self::home(self.homes, filler.mix()));
        let (before, after) = self.slots.split_at(filler_home.min(self.slots.len()));
        let full = move |key: &K| Some(*key) != filler;
        let before = before.iter().copied().filter(full);
        before.chain(filler).chain(after.iter().copied().filter(full))
    }

    /// Writes the keys in the order of a table.
    fn write_sorted(&self, sorted: &mut [K]) {
        // Slots are almost in order, so each key moves past few others.
        for (n, key) in self.keys().enumerate() {
            let rank = (key.mix(), key);
            let mut place = n;
            while place > 0 && (sorted[place - 1].mix(), sorted[place - 1]) > rank {
                sorted[place] = sorted[place - 1];
                place -= 1;
            }
            sorted[place] = key;
        }
    }
}

/// Keys waiting for insertion into a set, by shard.
#[derive(Clone, Debug)]
pub(crate) struct Buffers<K> {
    shards: Vec<Vec<K>>,
}

impl<K: KeyCode> Buffers<K> {
    pub(crate) fn new() -> Self {
        Buffers { shards: vec![Vec::new(); SHARDS] }
    }

    #[inline]
    pub(crate) fn push(&mut self, key: K) {
        self.shards[shard_of(key.mix())].push(key);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.shards.iter().all(Vec::is_empty)
    }

    /// Number of waiting keys.
    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(Vec::len).sum()
    }

    pub(crate) fn clear(&mut self) {
        self.shards.iter_mut().for_each(Vec::clear);
    }

    /// Number of bytes allocated.
    pub(crate) fn bytes(&self) -> u64 {
        self.shards.iter().map(|keys| (keys.capacity() * size_of::<K>()) as u64).sum()
    }
}

/// Sets of keys by tier.
pub(crate) type Sets<K> = BTreeMap<u32, ShardedSet<K>>;

/// Set of keys, split into shards.
#[derive(Clone, Debug)]
pub(crate) struct ShardedSet<K> {
    shards: Vec<Shard<K>>,
}

impl<K: KeyCode> ShardedSet<K> {
    pub(crate) fn new() -> Self {
        ShardedSet { shards: vec![Shard::EMPTY; SHARDS] }
    }

    pub(crate) fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.len).sum()
    }

    /// Inserts one key and returns whether it is new.
    pub(crate) fn insert(&mut self, key: K, memory: &Memory) -> Result<bool, SolveError> {
        let mut new = false;
        self.shards[shard_of(key.mix())].insert(&[key], memory, |_| {
            new = true;
            Ok(())
        })?;
        Ok(new)
    }

    /// Converts the set to its keys, shard by shard. Each shard is freed before the keys of the
    /// next are collected.
    pub(crate) fn into_keys(self) -> impl Iterator<Item = Vec<K>> {
        self.shards.into_iter().map(|shard| {
            let mut keys = Vec::with_capacity(shard.len);
            keys.extend(shard.keys());
            keys
        })
    }

    /// Inserts all buffered keys. New keys are added to `fresh`, shard by shard, if it is set.
    pub(crate) fn insert_all(
        &mut self,
        buffers: &[&Buffers<K>],
        fresh: Option<&mut Vec<Vec<K>>>,
        memory: &Memory,
    ) -> Result<(), SolveError> {
        if fresh.is_none() && buffers.iter().map(|buffer| buffer.len()).sum::<usize>() <= SHARDS {
            return self.shards.iter_mut().enumerate().try_for_each(|(n, shard)| {
                buffers
                    .iter()
                    .try_for_each(|buffer| shard.insert(&buffer.shards[n], memory, |_| Ok(())))
            });
        }
        match fresh {
            None => {
                let shards = Items::of(self.shards.iter_mut());
                parallel::try_each(SHARDS, &|n| {
                    let shard = shards.take(n);
                    buffers
                        .iter()
                        .try_for_each(|buffer| shard.insert(&buffer.shards[n], memory, |_| Ok(())))
                })
            }
            Some(fresh) => {
                let shards = Items::of(self.shards.iter_mut().zip(fresh));
                parallel::try_each(SHARDS, &|n| {
                    let (shard, fresh) = shards.take(n);
                    let mut insert = |buffer: &&Buffers<K>| {
                        shard.insert(&buffer.shards[n], memory, |key| {
                            memory.reserve_one(fresh)?;
                            fresh.push(key);
                            Ok(())
                        })
                    };
                    buffers.iter().try_for_each(&mut insert)
                })
            }
        }
    }

    /// Iterates over the keys in no guaranteed order.
    #[cfg(test)]
    pub(crate) fn keys(&self) -> impl Iterator<Item = K> + '_ {
        self.shards.iter().flat_map(Shard::keys)
    }

    /// Converts the set to a table.
    pub(crate) fn freeze(self, memory: &Memory) -> Result<Table<K>, SolveError> {
        let len = self.len();
        if len > Table::<K>::LEN_MAX {
            return Err(SolveError::TooMany { max: Table::<K>::LEN_MAX as u64 });
        }
        memory.take(Table::<K>::bytes(len))?;
        let Some(filler) = self.shards.iter().find_map(|shard| shard.filler) else {
            return Ok(Table::new(Vec::new()));
        };
        let mut keys = vec![filler; len];
        let mut rest = keys.as_mut_slice();
        let mut slices = Vec::with_capacity(SHARDS);
        for shard in &self.shards {
            let (slice, after) = rest.split_at_mut(shard.len);
            slices.push(slice);
            rest = after;
        }
        let shards = Items::of(self.shards.into_iter().zip(slices));
        parallel::each(SHARDS, &|n| {
            let (shard, slice) = shards.take(n);
            shard.write_sorted(slice);
            memory.give((shard.slots.len() * size_of::<K>()) as u64);
        });
        Ok(Table::of_sorted(keys))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_set_is_a_set_and_freezes_to_the_table_of_its_keys(
            keys in prop::collection::vec((0u64..3000, prop::bool::ANY), 0..3000)
        ) {
            let memory = Memory::new(None);
            let mut set = ShardedSet::new();
            let mut expected = BTreeSet::new();
            for (key, spread) in keys {
                // Dense keys, and keys whose hashes crowd together.
                let key = if spread { key << 40 } else { key };
                prop_assert_eq!(set.insert(key, &memory).unwrap(), expected.insert(key));
            }
            prop_assert_eq!(set.len(), expected.len());
            prop_assert_eq!(&set.keys().collect::<BTreeSet<_>>(), &expected);
            let table = set.freeze(&memory).unwrap();
            prop_assert_eq!(&table, &Table::new(expected.iter().copied().collect()));
            prop_assert_eq!(memory.used(), Table::<u64>::bytes(expected.len()));
            for (place, key) in table.iter().enumerate() {
                prop_assert_eq!(table.place(key), Some(place));
            }
            for key in (0..3000).filter(|key| !expected.contains(key)) {
                prop_assert_eq!(table.place(key), None);
            }
        }
    }

    /// Key with a hash chosen for the test.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    struct Crowded(u16);

    impl KeyCode for Crowded {
        const BYTES: usize = 2;
        type Code = u64;
        type PairCode = u64;
        fn write(self, bytes: &mut [u8]) {
            self.0.write(bytes);
        }
        fn read(bytes: &[u8]) -> Self {
            Crowded(u16::read(bytes))
        }
        /// Puts all keys into the last shard, near its end, and gives each pair one hash.
        fn mix(self) -> u64 {
            u64::MAX - (u64::from(self.0 / 2) << 40)
        }
    }

    #[test]
    fn keys_that_crowd_at_the_end_of_a_shard_are_kept() {
        let memory = Memory::new(None);
        let mut set = ShardedSet::new();
        for n in (0..500).chain(0..500) {
            set.insert(Crowded(n), &memory).unwrap();
        }
        assert_eq!(set.len(), 500);
        let table = set.freeze(&memory).unwrap();
        assert_eq!(table, Table::new((0..500).map(Crowded).collect()));
    }
}
