//! Keys of positions as byte strings of fixed length.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Player;

/// Key of a position: it has a form of fixed length that sorts as the key does, and a hash.
///
/// Files contain the bytes and the hash, so they must never change.
pub trait KeyCode: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// Number of bytes of the fixed-length form.
    const BYTES: usize;

    /// Type of the key's code, into which every key fits: `u64`, `u128`, `[u64; 4]` or `[u64; 16]`.
    /// Code compiled for these four types serves all games.
    type Code: KeyCode<Code = Self::Code>;

    /// Type of the code of a pair of keys of this type.
    type PairCode: KeyCode<Code = Self::PairCode>;

    /// Writes the key with the most significant byte first, so that bytes compare as keys do.
    ///
    /// # Panics
    ///
    /// When `bytes` is not [`KeyCode::BYTES`] long.
    fn write(self, bytes: &mut [u8]);

    /// Reads a key written by [`KeyCode::write`].
    ///
    /// # Panics
    ///
    /// When `bytes` is not [`KeyCode::BYTES`] long.
    fn read(bytes: &[u8]) -> Self;

    /// Hash of the key. Its upper bits look random even for keys that differ in few bits.
    fn mix(self) -> u64;

    /// Code of the key: its bytes after leading zeros, so that codes compare as keys do.
    #[inline]
    fn code(self) -> Self::Code {
        let mut bytes = [0; CODE_BYTES_MAX];
        let bytes = &mut bytes[..Self::Code::BYTES];
        self.write(&mut bytes[const { padding::<Self>() }..]);
        Self::Code::read(bytes)
    }

    /// Returns the key that has this code.
    #[inline]
    fn of_code(code: Self::Code) -> Self {
        let mut bytes = [0; CODE_BYTES_MAX];
        let bytes = &mut bytes[..Self::Code::BYTES];
        code.write(bytes);
        Self::read(&bytes[const { padding::<Self>() }..])
    }

    /// Last 64 bits of the code: the whole code if it is a `u64`.
    #[inline]
    fn number(self) -> u64 {
        let mut bytes = [0; CODE_BYTES_MAX];
        let bytes = &mut bytes[..Self::Code::BYTES];
        self.code().write(bytes);
        u64::read(&bytes[Self::Code::BYTES - u64::BYTES..])
    }

    /// Returns the key whose code has these last 64 bits, if all other bits of the code are 0.
    #[inline]
    fn of_number(number: u64) -> Self {
        let mut bytes = [0; CODE_BYTES_MAX];
        let bytes = &mut bytes[..Self::Code::BYTES];
        number.write(&mut bytes[Self::Code::BYTES - u64::BYTES..]);
        Self::of_code(Self::Code::read(bytes))
    }
}

/// Number of bytes of the longest code.
const CODE_BYTES_MAX: usize = 128;

/// Number of leading zero bytes in the code of a key.
const fn padding<K: KeyCode>() -> usize {
    assert!(K::BYTES <= K::Code::BYTES && K::Code::BYTES <= CODE_BYTES_MAX, "the code has room");
    K::Code::BYTES - K::BYTES
}

/// Folds the two halves of a 128-bit product, so that every bit of the result depends on all bits
/// of both factors. wyhash (Wang Yi 2019) is built on this step; Lemire 2019, "Nearly divisionless
/// random integer generation", uses the upper half in the same way.
#[inline]
fn fold(word: u64) -> u64 {
    // Digits of pi and 2^64 / phi: bits without a pattern.
    const XOR: u64 = 0x243f_6a88_85a3_08d3;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(word ^ XOR) * u128::from(FACTOR);
    (product >> 64) as u64 ^ product as u64
}

macro_rules! integer_code {
    ($($integer:ty, $pair:ty;)+) => {$(
        impl KeyCode for $integer {
            const BYTES: usize = size_of::<$integer>();
            type Code = u64;
            type PairCode = $pair;

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_be_bytes());
            }
            #[inline]
            fn read(bytes: &[u8]) -> Self {
                <$integer>::from_be_bytes(bytes.try_into().expect("a key has its length"))
            }
            #[inline]
            fn mix(self) -> u64 {
                fold(u64::from(self))
            }
        }
    )+};
}

integer_code! { u8, u64; u16, u64; u32, u64; u64, u128; }

impl KeyCode for u128 {
    const BYTES: usize = 16;
    type Code = u128;
    type PairCode = [u64; 4];

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.to_be_bytes());
    }
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        u128::from_be_bytes(bytes.try_into().expect("a key has its length"))
    }
    #[inline]
    fn mix(self) -> u64 {
        fold(fold((self >> 64) as u64).rotate_left(32) ^ self as u64)
    }
}

/// The code is 0 for the first player and 1 for the second.
impl KeyCode for Player {
    const BYTES: usize = 1;
    type Code = u64;
    type PairCode = u64;

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        bytes.copy_from_slice(&[self.index() as u8]);
    }
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        Player::BOTH[usize::from(u8::read(bytes) & 1)]
    }
    #[inline]
    fn mix(self) -> u64 {
        fold(self.index() as u64)
    }
}

/// Implements [`KeyCode`] for arrays: the bytes of the elements in order. `$code` must have room
/// for them.
macro_rules! array_code {
    ($({$($generic:tt)*} $element:ty, $n:literal, $code:ty, $pair:ty;)+) => {$(
        impl $($generic)* KeyCode for [$element; $n] {
            const BYTES: usize = $n * <$element>::BYTES;
            type Code = $code;
            type PairCode = $pair;

            #[inline]
            fn write(self, bytes: &mut [u8]) {
                assert_eq!(bytes.len(), Self::BYTES, "a key has its length");
                let parts = bytes.chunks_exact_mut(<$element>::BYTES);
                self.into_iter().zip(parts).for_each(|(element, part)| element.write(part));
            }
            #[inline]
            fn read(bytes: &[u8]) -> Self {
                assert_eq!(bytes.len(), Self::BYTES, "a key has its length");
                let len = <$element>::BYTES;
                std::array::from_fn(|n| <$element>::read(&bytes[n * len..(n + 1) * len]))
            }
            #[inline]
            fn mix(self) -> u64 {
                let parts = self.into_iter();
                parts.fold(0, |hash: u64, part| fold(hash.rotate_left(32) ^ part.mix()))
            }
        }
    )+};
}

array_code! {
    {<K: KeyCode>} K, 2, K::PairCode, [u64; 16];
    {} u32, 3, u128, [u64; 4];
    {} u64, 4, [u64; 4], [u64; 16];
    {} u64, 8, [u64; 16], [u64; 16];
    {} u64, 16, [u64; 16], [u64; 16];
}

/// The first element may not be shorter than the second, so that its `PairCode` has room for both.
impl<A: KeyCode, B: KeyCode> KeyCode for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;
    type Code = A::PairCode;
    type PairCode = [u64; 16];

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        let (first, second) = bytes.split_at_mut(A::BYTES);
        self.0.write(first);
        self.1.write(second);
    }
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        let (first, second) = bytes.split_at(A::BYTES);
        (A::read(first), B::read(second))
    }
    #[inline]
    fn mix(self) -> u64 {
        fold(self.0.mix().rotate_left(32) ^ self.1.mix())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that bytes and codes read back as the key and compare as the keys do.
    fn agrees<K: KeyCode>(keys: &[K]) {
        let coded: Vec<Vec<u8>> = keys
            .iter()
            .map(|key| {
                let mut bytes = vec![0xaa; K::BYTES];
                key.write(&mut bytes);
                bytes
            })
            .collect();
        for (key, bytes) in keys.iter().zip(&coded) {
            assert_eq!(K::read(bytes), *key);
            assert_eq!(K::of_code(key.code()), *key);
            assert_eq!(key.code().code(), key.code());
            for (other, others) in keys.iter().zip(&coded) {
                assert_eq!(key.cmp(other), bytes.cmp(others), "{key:?} and {other:?}");
                assert_eq!(key.cmp(other), key.code().cmp(&other.code()), "{key:?}, {other:?}");
                assert_eq!(key.mix() == other.mix(), key == other, "{key:?} and {other:?}");
            }
        }
    }

    #[test]
    fn bytes_lead_back_in_the_order_of_the_keys() {
        let mut words: Vec<u128> = vec![0, 1, 2, 255, 256, 257, u128::MAX, u128::MAX - 1];
        words.extend((0..128).map(|n| 1u128 << n | 5));
        agrees(&words.iter().map(|&w| w as u8).take(4).collect::<Vec<_>>());
        agrees(&[0u16, 1, 256, 255, u16::MAX]);
        agrees(&[0u32, 1, 256, 1 << 31, u32::MAX]);
        agrees(&[0u64, 1, 256, 1 << 63, u64::MAX]);
        agrees(&words);
        agrees(&words.iter().map(|&w| [w as u64 >> 3, (w >> 64) as u64]).collect::<Vec<_>>()[8..]);
        agrees(&[[1u8, 2], [2, 1], [0, 255], [255, 0]]);
        agrees(&[(1u64, 7u16), (1, 8), (2, 0), (0, u16::MAX)]);
        agrees(&[[1u32, 2, 3], [1, 3, 2], [0, u32::MAX, 0], [u32::MAX, 0, 0]]);
        agrees(&[[1u128, 2], [2, 1], [0, u128::MAX], [u128::MAX, 0]]);
        agrees(&[[[1u64; 8], [2; 8]], [[2; 8], [1; 8]], [[0; 8], [u64::MAX; 8]]]);
        agrees(&[([1u64; 8], 7u16), ([1; 8], 8), ([2; 8], 0), ([u64::MAX; 8], u16::MAX)]);
        agrees(&[(3u8, Player::First), (3, Player::Second), (4, Player::First)]);
    }

    #[test]
    fn the_upper_bits_of_the_hash_scatter_keys_that_differ_in_few_bits() {
        // 4,096 random keys in 4,096 buckets leave 1/e of the buckets empty, about 1,507. Fewer are
        // fine too.
        for shift in [0, 20, 40, 52] {
            let mut hit = vec![false; 4096];
            (0..4096u64).for_each(|n| hit[((n << shift).mix() >> 52) as usize] = true);
            let empty = hit.iter().filter(|hit| !**hit).count();
            assert!(empty < 1_700, "{empty} empty buckets at shift {shift}");
        }
    }
}
