//! Keys as bytes of a fixed length.

use std::fmt::Debug;
use std::hash::Hash;

use crate::Player;

/// What the key of a position must be able to do: be written in a fixed number of bytes whose
/// order is its own, and be scattered.
///
/// The bytes and the hash are part of files, so they never change.
pub trait KeyCode: Copy + Ord + Hash + Debug + Send + Sync + 'static {
    /// The length of the bytes.
    const BYTES: usize;

    /// Writes the key, most significant byte first: bytes compare as keys do.
    ///
    /// # Panics
    ///
    /// When `bytes` is not [`KeyCode::BYTES`] long.
    fn write(self, bytes: &mut [u8]);

    /// The key that [`KeyCode::write`] wrote.
    ///
    /// # Panics
    ///
    /// When `bytes` is not [`KeyCode::BYTES`] long.
    fn read(bytes: &[u8]) -> Self;

    /// A hash whose upper bits are as good as random for keys that differ in few bits.
    fn mix(self) -> u64;
}

/// The two halves of a 128-bit product, folded: every bit of the result depends on all bits of
/// both factors (Lemire 2019, "Nearly divisionless random integer generation", uses the upper half
/// alike; wyhash, Wang Yi 2019, is made of this step).
#[inline]
fn fold(word: u64) -> u64 {
    // 2^64 / phi, and the digits of pi: bits without a pattern.
    const XOR: u64 = 0x243f_6a88_85a3_08d3;
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let product = u128::from(word ^ XOR) * u128::from(FACTOR);
    (product >> 64) as u64 ^ product as u64
}

macro_rules! integer_code {
    ($($integer:ty)+) => {$(
        impl KeyCode for $integer {
            const BYTES: usize = size_of::<$integer>();

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

integer_code! { u8 u16 u32 u64 }

impl KeyCode for u128 {
    const BYTES: usize = 16;

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

/// The first player is 0.
impl KeyCode for Player {
    const BYTES: usize = 1;

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

impl<K: KeyCode, const N: usize> KeyCode for [K; N] {
    const BYTES: usize = N * K::BYTES;

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        assert_eq!(bytes.len(), Self::BYTES, "a key has its length");
        for (part, bytes) in self.into_iter().zip(bytes.chunks_exact_mut(K::BYTES)) {
            part.write(bytes);
        }
    }
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        assert_eq!(bytes.len(), Self::BYTES, "a key has its length");
        std::array::from_fn(|n| K::read(&bytes[n * K::BYTES..(n + 1) * K::BYTES]))
    }
    #[inline]
    fn mix(self) -> u64 {
        self.into_iter().fold(0, |hash: u64, part| fold(hash.rotate_left(32) ^ part.mix()))
    }
}

impl<A: KeyCode, B: KeyCode> KeyCode for (A, B) {
    const BYTES: usize = A::BYTES + B::BYTES;

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

    /// Bytes lead back, and compare as the keys do.
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
            for (other, others) in keys.iter().zip(&coded) {
                assert_eq!(key.cmp(other), bytes.cmp(others), "{key:?} and {other:?}");
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
        agrees(&[(3u8, Player::First), (3, Player::Second), (4, Player::First)]);
    }

    #[test]
    fn the_upper_bits_of_the_hash_scatter_keys_that_differ_in_few_bits() {
        // 4,096 keys thrown into as many drawers leave 1 in e of them empty,
        // about 1,507; fewer are as good.
        for shift in [0, 20, 40, 52] {
            let mut hit = vec![false; 4096];
            (0..4096u64).for_each(|n| hit[((n << shift).mix() >> 52) as usize] = true);
            let empty = hit.iter().filter(|hit| !**hit).count();
            assert!(empty < 1_700, "{empty} empty drawers at shift {shift}");
        }
    }
}
