//! Word of 512 bits.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::word::{Word, nth_by_limb};

/// Number of 64-bit limbs.
const LIMBS: usize = 8;

/// Word of 512 bits, for boards of up to 22 x 22 cells. The lowest limb comes first.
///
/// Boards need few operations: they combine, compare and shift sets. Each is one pass over the limbs.
/// Shifts by less than 64 places, which steps on boards are, carry bits from limb to limb. That takes
/// 6 ns on the machine of `record/2026-11-30-speed-loops.md`. Vector code, which a compiler makes of
/// limbs that are computed apart from each other, takes 15 ns there, since it reads limbs across those
/// just written. Comparing does not call the memory routines of the system, so it takes 4 ns, not 12.
#[derive(Clone, Copy)]
pub struct Wide([u64; LIMBS]);

impl Wide {
    /// Word with the limbs of two words combined.
    #[inline]
    fn with(self, other: Wide, how: impl Fn(u64, u64) -> u64) -> Wide {
        let mut limbs = self.0;
        for (limb, other) in limbs.iter_mut().zip(other.0) {
            *limb = how(*limb, other);
        }
        Wide(limbs)
    }

    /// Bits that limb `i` receives when limbs move up by `by` whole limbs.
    #[inline]
    fn below(self, i: usize, by: usize) -> u64 {
        if i >= by { self.0[i - by] } else { 0 }
    }

    /// Bits that limb `i` receives when limbs move down by `by` whole limbs.
    #[inline]
    fn above(self, i: usize, by: usize) -> u64 {
        if i + by < LIMBS { self.0[i + by] } else { 0 }
    }
}

impl PartialEq for Wide {
    #[inline]
    fn eq(&self, other: &Wide) -> bool {
        self.with(*other, BitXor::bitxor).is_zero()
    }
}

impl Eq for Wide {}

impl Hash for Wide {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Wide) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Wide) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.0.iter().rev().try_for_each(|limb| write!(f, "{limb:016x}"))
    }
}

macro_rules! limb_by_limb {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident;)+) => {$(
        impl $trait for Wide {
            type Output = Wide;

            #[inline]
            fn $method(self, other: Wide) -> Wide {
                self.with(other, $trait::$method)
            }
        }

        impl $assign for Wide {
            #[inline]
            fn $assign_method(&mut self, other: Wide) {
                *self = self.with(other, $trait::$method);
            }
        }
    )+};
}

limb_by_limb! {
    BitAnd bitand BitAndAssign bitand_assign;
    BitOr bitor BitOrAssign bitor_assign;
    BitXor bitxor BitXorAssign bitxor_assign;
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|limb| !limb))
    }
}

/// Shifts by 512 places or more leave no bits.
impl Shl<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shl(self, n: u32) -> Wide {
        let (by, bits) = (n as usize / 64, n % 64);
        let mut limbs = [0; LIMBS];
        if by == 0 && bits > 0 {
            let mut carry = 0;
            for (to, limb) in limbs.iter_mut().zip(self.0) {
                *to = limb << bits | carry;
                carry = limb >> (64 - bits);
            }
        } else {
            for (i, limb) in limbs.iter_mut().enumerate() {
                // In two steps, so that no shift is by 64 places.
                *limb = self.below(i, by) << bits | self.below(i, by + 1) >> 1 >> (63 - bits);
            }
        }
        Wide(limbs)
    }
}

/// Shifts by 512 places or more leave no bits.
impl Shr<u32> for Wide {
    type Output = Wide;

    #[inline]
    fn shr(self, n: u32) -> Wide {
        let (by, bits) = (n as usize / 64, n % 64);
        let mut limbs = [0; LIMBS];
        if by == 0 && bits > 0 {
            let mut carry = 0;
            for (to, limb) in limbs.iter_mut().zip(self.0).rev() {
                *to = limb >> bits | carry;
                carry = limb << (64 - bits);
            }
        } else {
            for (i, limb) in limbs.iter_mut().enumerate() {
                *limb = self.above(i, by) >> bits | self.above(i, by + 1) << 1 << (63 - bits);
            }
        }
        Wide(limbs)
    }
}

impl Word for Wide {
    const BITS: u32 = 512;
    const ZERO: Self = Wide([0; LIMBS]);
    /// The highest limb comes first.
    type Packed = [u64; LIMBS];

    #[inline]
    fn pack(self) -> [u64; LIMBS] {
        let mut limbs = self.0;
        limbs.reverse();
        limbs
    }
    #[inline]
    fn unpack(mut packed: [u64; LIMBS]) -> Self {
        packed.reverse();
        Wide(packed)
    }
    #[inline]
    fn bit(i: u32) -> Self {
        let mut word = Wide::ZERO;
        word.set(i);
        word
    }
    #[inline]
    fn lowest_bits(n: u32) -> Self {
        if n == 0 { Wide::ZERO } else { !Wide::ZERO >> (512 - n) }
    }
    #[inline]
    fn count(self) -> u32 {
        self.0.iter().map(|limb| limb.count_ones()).sum()
    }
    #[inline]
    fn lowest(self) -> u32 {
        let first = self.0.iter().position(|&limb| limb != 0);
        first.map_or(512, |n| 64 * n as u32 + self.0[n].trailing_zeros())
    }
    #[inline]
    fn is_zero(self) -> bool {
        self.0.iter().fold(0, |all, limb| all | limb) == 0
    }
    #[inline]
    fn has(self, i: u32) -> bool {
        self.0[i as usize / 64] >> (i % 64) & 1 == 1
    }
    #[inline]
    fn rotated(self, n: u32) -> Self {
        if n == 0 { self } else { self << n | self >> (512 - n) }
    }
    #[inline]
    fn nth(self, n: u32) -> u32 {
        nth_by_limb(self, n)
    }
    #[inline]
    fn limb(self, n: u32) -> u64 {
        self.0[n as usize]
    }
    #[inline]
    fn with_limb(mut self, n: u32, limb: u64) -> Wide {
        self.0[n as usize] = limb;
        self
    }
    #[inline]
    fn set(&mut self, i: u32) {
        self.0[i as usize / 64] |= 1 << (i % 64);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Word of a list of bits.
    fn word(bits: &[u32]) -> Wide {
        bits.iter().fold(Wide::ZERO, |word, &i| word | Wide::bit(i))
    }

    proptest! {
        #[test]
        fn operations_agree_with_those_on_lists_of_bits(
            a in prop::collection::vec(0u32..512, 0..60),
            b in prop::collection::vec(0u32..512, 0..60),
            n in 0u32..600,
        ) {
            let (x, y) = (word(&a), word(&b));
            let of = |holds: &dyn Fn(u32) -> bool| -> Vec<u32> {
                (0..512).filter(|&i| holds(i)).collect()
            };
            let list = |word: Wide| -> Vec<u32> { word.ones().collect() };
            prop_assert_eq!(list(x & y), of(&|i| a.contains(&i) && b.contains(&i)));
            prop_assert_eq!(list(x | y), of(&|i| a.contains(&i) || b.contains(&i)));
            prop_assert_eq!(list(x ^ y), of(&|i| a.contains(&i) != b.contains(&i)));
            prop_assert_eq!(list(!x), of(&|i| !a.contains(&i)));
            prop_assert_eq!(list(x << n), of(&|i| i >= n && a.contains(&(i - n))));
            prop_assert_eq!(list(x >> n), of(&|i| a.contains(&(i + n))));
            prop_assert_eq!(x == y, list(x) == list(y));
            // The highest bit that differs decides.
            let highest = (x ^ y).ones().last();
            let order = highest.map_or(Ordering::Equal, |i| {
                if x.has(i) { Ordering::Greater } else { Ordering::Less }
            });
            prop_assert_eq!(x.cmp(&y), order);
        }
    }

    #[test]
    fn shifts_by_whole_limbs_keep_the_bits_in_their_places() {
        let all = word(&[0, 63, 64, 127, 300, 511]);
        for n in [0, 1, 63, 64, 65, 128, 448, 511, 512] {
            assert!((all << n).ones().eq(all.ones().map(|i| i + n).filter(|&i| i < 512)));
            assert!((all >> n).ones().eq(all.ones().filter(|&i| i >= n).map(|i| i - n)));
        }
    }
}
