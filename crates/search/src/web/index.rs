//! Hash table of node numbers.

/// Hash table of numbers with open addressing (Knuth, volume 3, section 6.4, linear probing). It
/// stores no keys: the owner compares them. At most three quarters of its places are used.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// 1 more than the number, or 0 for a free place. The length is a power of two, or 0.
    places: Vec<u32>,
    len: usize,
}

/// Number of places of the smallest table.
const PLACES_MIN: usize = 1 << 8;

/// Number of places for a table of `len` numbers.
fn places_for(len: usize) -> usize {
    if len == 0 { 0 } else { (len * 4).div_ceil(3).next_power_of_two().max(PLACES_MIN) }
}

impl Index {
    /// Removes all numbers, and keeps the places that the same number of entries would need.
    pub(super) fn clear(&mut self) {
        self.places.truncate(places_for(self.len));
        self.places.fill(0);
        self.len = 0;
    }

    /// Number of bytes that the numbers need. Capacity left from earlier contents does not count,
    /// so that memory limits do not depend on it.
    pub(super) fn memory_bytes(&self) -> usize {
        places_for(self.len) * size_of::<u32>()
    }

    /// Number of bytes that the next number adds.
    pub(super) fn growth_bytes(&self) -> usize {
        places_for(self.len + 1) * size_of::<u32>() - self.memory_bytes()
    }

    /// Number with this hash for which `is_it` returns true.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let mut at = self.place(hash);
        loop {
            match self.places[at] {
                0 => return None,
                n if is_it(n - 1) => return Some(n - 1),
                _ => at = (at + 1) & (self.places.len() - 1),
            }
        }
    }

    /// Adds a new number. `hash_of` returns the hash of any number, including this one.
    pub(super) fn insert(&mut self, n: u32, hash_of: impl Fn(u32) -> u64) {
        let len = places_for(self.len + 1);
        if self.places.len() < len {
            let before = std::mem::replace(&mut self.places, vec![0; len]);
            for n in before.into_iter().filter(|&n| n != 0) {
                self.put(n, hash_of(n - 1));
            }
        }
        self.put(n + 1, hash_of(n));
        self.len += 1;
    }

    #[inline]
    fn put(&mut self, entry: u32, hash: u64) {
        let mut at = self.place(hash);
        while self.places[at] != 0 {
            at = (at + 1) & (self.places.len() - 1);
        }
        self.places[at] = entry;
    }

    /// First place of a hash, from its upper bits, which look random.
    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> (64 - self.places.len().trailing_zeros())) as usize
    }
}
