//! Words of bits that hold a board.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use rand_core::Rng;
use treegauge_core::{KeyCode, uniform_below};

/// Fixed number of bits with the operations that board code needs.
///
/// Implemented for `u64` and `u128`, which common boards fit, and for 512 bits for the rest.
pub trait Word:
    Copy
    + Ord
    + Hash
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Number of bits.
    const BITS: u32;
    /// Word without set bits.
    const ZERO: Self;
    /// Form of the word inside a key, with the same order.
    type Packed: KeyCode;

    /// Converts the word for use in a key.
    fn pack(self) -> Self::Packed;

    /// Converts the result of [`Word::pack`] back.
    fn unpack(packed: Self::Packed) -> Self;

    /// Word with only bit `i` set. `i` is less than [`Word::BITS`].
    fn bit(i: u32) -> Self;

    /// Word with the `n` lowest bits set. `n` is at most [`Word::BITS`].
    fn lowest_bits(n: u32) -> Self;

    /// Number of set bits.
    fn count(self) -> u32;

    /// Index of the lowest set bit; [`Word::BITS`] if there is none.
    fn lowest(self) -> u32;

    /// Index of the `n`-th set bit, counted from 0 at the lowest. `n` is less than [`Word::count`].
    fn nth(self, n: u32) -> u32;

    /// Rotates all bits up by `n` places. `n` is less than [`Word::BITS`].
    ///
    /// For a set that keeps clear of both ends this is a shift in either direction, without a
    /// branch on the direction.
    fn rotated(self, n: u32) -> Self;

    /// Bits `64 * n` to `64 * n + 63`. `n` is less than [`Word::BITS`]` / 64`.
    fn limb(self, n: u32) -> u64;

    /// Word whose bits `64 * n` to `64 * n + 63` are those of `limb`, and whose others are those of
    /// this word. `n` is less than [`Word::BITS`]` / 64`.
    fn with_limb(self, n: u32, limb: u64) -> Self;

    /// Sets bit `i`, which is less than [`Word::BITS`].
    #[inline]
    fn set(&mut self, i: u32) {
        *self |= Self::bit(i);
    }

    /// Returns whether no bit is set.
    #[inline]
    fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Returns whether exactly one bit is set.
    #[inline]
    fn is_single(self) -> bool {
        !self.is_zero() && self == Self::bit(self.lowest())
    }

    /// Returns whether bit `i` is set.
    #[inline]
    fn has(self, i: u32) -> bool {
        !(self & Self::bit(i)).is_zero()
    }

    /// Iterates over the indexes of the set bits, from the lowest.
    #[inline]
    fn ones(self) -> Ones<Self> {
        Ones::of(self)
    }
}

/// Iterator over the indexes of the set bits of a word, from the lowest.
#[derive(Clone, Debug)]
pub struct Ones<W> {
    word: W,
    /// Number of the current limb, and its unread bits. Reading by limb avoids carries in wide
    /// words.
    n: u32,
    limb: u64,
}

impl<W: Word> Ones<W> {
    #[inline]
    fn of(word: W) -> Self {
        Ones { word, n: 0, limb: word.limb(0) }
    }
}

impl<W: Word> Iterator for Ones<W> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.limb == 0 {
            if self.n + 1 >= W::BITS / 64 {
                return None;
            }
            self.n += 1;
            self.limb = self.word.limb(self.n);
        }
        let i = 64 * self.n + self.limb.trailing_zeros();
        self.limb &= self.limb - 1;
        Some(i)
    }
}

/// Calls `visit` with the index of each set bit, from the lowest.
///
/// Like [`Word::ones`], but limb by limb, which avoids carries in wide words.
#[inline]
pub fn each_bit<W: Word>(word: W, mut visit: impl FnMut(u32)) {
    for n in 0..W::BITS / 64 {
        let mut limb = word.limb(n);
        while limb != 0 {
            visit(64 * n + limb.trailing_zeros());
            limb &= limb - 1;
        }
    }
}

/// Copies the items whose index is not a bit of `left_out` to the beginning of `to`, in their
/// order, and returns their number.
///
/// Items between two that are left out are copied together. If few are left out, as in random games
/// from positions near the start, this takes far less time than testing every item.
#[inline]
#[must_use]
pub fn copy_without<W: Word, T: Copy>(items: &[T], left_out: W, to: &mut [T]) -> usize {
    let (mut count, mut from) = (0, 0);
    let mut copy = |from: usize, end: usize| {
        to[count..count + end - from].copy_from_slice(&items[from..end]);
        count += end - from;
    };
    each_bit(left_out, |i| {
        copy(from, i as usize);
        from = i as usize + 1;
    });
    copy(from, items.len());
    count
}

/// Like [`Word::nth`], but limb by limb.
#[inline]
pub fn nth_by_limb<W: Word>(word: W, n: u32) -> u32 {
    let mut left = n;
    for i in 0..W::BITS / 64 {
        let limb = word.limb(i);
        let count = limb.count_ones();
        if left < count {
            return 64 * i + nth_bit(limb, left);
        }
        left -= count;
    }
    panic!("there are no more than {n} set bits")
}

/// Returns whether bit `i` of a word is set, reading one limb. `i` is less than [`Word::BITS`].
#[inline]
pub fn has_bit<W: Word>(word: W, i: u32) -> bool {
    word.limb(i / 64) >> (i % 64) & 1 == 1
}

/// Returns whether `stones` contains `k` bits at distances of `step`.
///
/// Doubling: after `m &= m >> n * step`, bit i says that a run of twice the length begins at i.
#[inline]
pub fn has_run<W: Word>(stones: W, step: u32, k: u32) -> bool {
    let mut begins = stones;
    let mut length = 1;
    while length < k {
        let more = length.min(k - length);
        begins &= begins >> (more * step);
        length += more;
    }
    !begins.is_zero()
}

/// Index of the `n`-th set bit of a 64-bit word.
///
/// Broadword selection (Vigna 2008, "Broadword implementation of rank/select queries", section 3):
/// sums of bits by byte find the byte, a table finds the bit in it. It needs neither popcnt nor
/// pdep, so that it is equally fast on every machine of the last decades.
#[inline]
pub fn nth_bit(word: u64, n: u32) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let mut sums = word - ((word >> 1) & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + ((sums >> 2) & 0x3333_3333_3333_3333);
    // Byte i of `sums` becomes the number of set bits in bytes 0 to i.
    sums = ((sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // Bytes whose sum is at most n are below the byte with the wanted bit.
    let below = ((((u64::from(n) * ONES) | HIGHS) - sums) & HIGHS) >> 7;
    let byte = below.wrapping_mul(ONES) >> 56;
    let shift = (byte * 8) as u32;
    // The sum up to the previous byte: `sums` shifted up by one byte.
    let before = ((sums << 8) >> shift) as u32 & 0xff;
    let row = (word >> shift) as u8;
    shift + u32::from(NTH_IN_BYTE[row as usize][((n - before) & 7) as usize])
}

/// Index of a set bit chosen uniformly. At least one bit must be set.
#[inline]
pub fn random_bit<R: Rng + ?Sized>(word: u64, rng: &mut R) -> u32 {
    nth_bit(word, uniform_below(rng, word.count_ones()))
}

/// Index of the n-th set bit of every byte; 0 if the byte has fewer bits.
pub const NTH_IN_BYTE: &[[u8; 8]; 256] = &{
    let mut table = [[0u8; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit as u8;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Operations that are written the same for all primitive integers; `nth` and `limb` follow in the
/// call.
macro_rules! primitive_word {
    ($word:ty, $($rest:item)+) => {
        impl Word for $word {
            const BITS: u32 = <$word>::BITS;
            const ZERO: Self = 0;
            type Packed = Self;

            #[inline]
            fn pack(self) -> Self {
                self
            }
            #[inline]
            fn unpack(packed: Self) -> Self {
                packed
            }
            #[inline]
            fn bit(i: u32) -> Self {
                1 << i
            }
            #[inline]
            fn lowest_bits(n: u32) -> Self {
                if n == 0 { 0 } else { <$word>::MAX >> (<$word>::BITS - n) }
            }
            #[inline]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline]
            fn lowest(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn rotated(self, n: u32) -> Self {
                self.rotate_left(n)
            }
            $($rest)+
        }
    };
}

primitive_word! {
    u64,
    #[inline]
    fn nth(self, n: u32) -> u32 {
        nth_bit(self, n)
    }
    #[inline]
    fn limb(self, _: u32) -> u64 {
        self
    }
    #[inline]
    fn with_limb(self, _: u32, limb: u64) -> u64 {
        limb
    }
}

primitive_word! {
    u128,
    #[inline]
    fn nth(self, n: u32) -> u32 {
        let low = self as u64;
        let in_low = low.count_ones();
        if n < in_low { nth_bit(low, n) } else { 64 + nth_bit((self >> 64) as u64, n - in_low) }
    }
    #[inline]
    fn limb(self, n: u32) -> u64 {
        (self >> (64 * n)) as u64
    }
    #[inline]
    fn with_limb(self, n: u32, limb: u64) -> u128 {
        let [low, high] = if n == 0 { [limb, self.limb(1)] } else { [self.limb(0), limb] };
        u128::from(low) | u128::from(high) << 64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;
    use crate::Wide;

    fn agrees_with_a_list<W: Word>(bits: &[u32]) {
        let mut list: Vec<u32> = bits.iter().map(|b| b % W::BITS).collect();
        list.sort_unstable();
        list.dedup();
        let word = list.iter().fold(W::ZERO, |word, &i| word | W::bit(i));
        assert_eq!(word.ones().collect::<Vec<_>>(), list);
        assert_eq!(word.count() as usize, list.len());
        assert_eq!(word.is_single(), list.len() == 1);
        assert_eq!(word.lowest(), list.first().copied().unwrap_or(W::BITS));
        for (n, &i) in list.iter().enumerate() {
            assert_eq!(word.nth(n as u32), i);
            assert_eq!(nth_by_limb(word, n as u32), i);
            assert!(word.has(i));
        }
        for n in [0, 1, 9, 64, W::BITS - 1].map(|n| n % W::BITS) {
            let turned: HashSet<u32> = list.iter().map(|i| (i + n) % W::BITS).collect();
            assert_eq!(word.rotated(n).ones().collect::<HashSet<u32>>(), turned);
        }
        assert_eq!(W::unpack(word.pack()), word);
        let limbs = (0..W::BITS / 64).rev();
        let copied = limbs.fold(!W::ZERO, |all, n| all.with_limb(n, word.limb(n)));
        assert_eq!(copied, word);
        let next = word | W::bit((bits.len() as u32 * 7) % W::BITS);
        assert_eq!(word.pack().cmp(&next.pack()), word.cmp(&next));
        let mut visited = Vec::new();
        each_bit(word, |i| visited.push(i));
        assert_eq!(visited, list);
        assert!((0..W::BITS).all(|i| has_bit(word, i) == word.has(i)));
        let items: Vec<u32> = (0..W::BITS).collect();
        let mut copied = vec![0; items.len()];
        let count = copy_without(&items, word, &mut copied);
        assert!(
            copied[..count].iter().copied().eq(items.iter().copied().filter(|&i| !word.has(i)))
        );
        let mut set = W::ZERO;
        list.iter().for_each(|&i| set.set(i));
        assert_eq!(set, word);
        for n in [0, 1, 7, W::BITS - 1, W::BITS] {
            assert!(W::lowest_bits(n).ones().eq(0..n));
        }
    }

    proptest! {
        #[test]
        fn every_word_is_a_sorted_list_of_indexes(
            bits in prop::collection::vec(0u32..512, 0..80)
        ) {
            agrees_with_a_list::<u64>(&bits);
            agrees_with_a_list::<u128>(&bits);
            agrees_with_a_list::<Wide>(&bits);
        }
    }

    #[test]
    fn a_full_word_has_every_index() {
        agrees_with_a_list::<u64>(&(0..64).collect::<Vec<_>>());
        agrees_with_a_list::<u128>(&(0..128).collect::<Vec<_>>());
    }
}
