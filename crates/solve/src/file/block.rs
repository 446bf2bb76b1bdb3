//! Blocks of a solution file: positions in ascending order of keys, compressed.
//!
//! ```text
//! count  u32      positions
//! coding u8       how keys are written, see KeyCoding
//! keys   u32      the length of the keys, compressed
//! values u32      the length of the values and remoteness, compressed
//! ...             the keys
//! ...             the values and remoteness: of (remoteness * 4 + number of the value) all low
//!                 bytes, then all middle bytes, then all high bytes
//! check  u64      XXH3 of everything above
//! ```
//!
//! Numbers are big-endian. A value and its remoteness are one number because the remoteness nearly
//! determines the value: where turns alternate, wins are odd and losses even.

use treegauge_core::KeyCode;
use xxhash_rust::xxh3::xxh3_64;

use crate::value::{ExactValue, Value};

/// Number of positions in every block but the last, which may have fewer.
pub const BLOCK_LEN: usize = 1 << 14;

/// Greatest length of a block in bytes.
pub(super) fn block_bytes_max<K: KeyCode>() -> u64 {
    let bytes = |each: usize| zstd::zstd_safe::compress_bound(BLOCK_LEN * each) as u64;
    (HEAD_BYTES + CHECK_BYTES) as u64 + bytes(K::BYTES + 1) + bytes(3)
}

/// Bytes before the compressed keys.
const HEAD_BYTES: usize = 13;

/// Bytes of a checksum.
pub(super) const CHECK_BYTES: usize = 8;

/// Compression level. No other level was measured: this one writes `connect_four(cols=5,rows=4)` at
/// 0.42 bytes per position.
const LEVEL: i32 = 6;

/// Encoding of the keys. Each block uses the encoding that makes it smallest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum KeyCoding {
    /// Difference to the previous key as a number: first the number of significant bytes of every
    /// difference, then those bytes. Meant for ranges in which most keys occur.
    Differences = 0,
    /// Bits in which each key differs from the one before: the first bytes of all keys, then all
    /// second bytes, and so on. Meant for sparse keys made of several boards.
    Planes = 1,
}

/// Contents of a block: keys in ascending order, with their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block<K> {
    pub(crate) keys: Vec<K>,
    pub(crate) values: Vec<ExactValue>,
}

impl<K: KeyCode> Block<K> {
    /// Value of the position with this key; `None` if the block lacks it.
    pub(crate) fn get(&self, key: K) -> Option<ExactValue> {
        self.keys.binary_search(&key).ok().map(|place| self.values[place])
    }
}

/// Encodes positions as a block.
pub(super) fn encode<K: KeyCode>(positions: &[(K, ExactValue)]) -> Vec<u8> {
    let compress = |bytes: &[u8]| {
        zstd::bulk::compress(bytes, LEVEL).expect("compression into memory does not fail")
    };
    let codings = [KeyCoding::Differences, KeyCoding::Planes];
    let (coding, keys) = codings
        .map(|coding| (coding, compress(&write_keys(positions, coding))))
        .into_iter()
        .min_by_key(|(_, bytes)| bytes.len())
        .expect("there are two codings");
    let values = compress(&write_values(positions));
    let mut bytes = Vec::with_capacity(HEAD_BYTES + keys.len() + values.len() + CHECK_BYTES);
    bytes.extend((positions.len() as u32).to_be_bytes());
    bytes.push(coding as u8);
    bytes.extend((keys.len() as u32).to_be_bytes());
    bytes.extend((values.len() as u32).to_be_bytes());
    bytes.extend(keys);
    bytes.extend(values);
    bytes.extend(xxh3_64(&bytes).to_be_bytes());
    bytes
}

/// Decodes a block of `expected` positions; `None` if it is damaged.
pub(super) fn decode<K: KeyCode>(bytes: &[u8], expected: usize) -> Option<Block<K>> {
    let (bytes, check) = bytes.split_at_checked(bytes.len().checked_sub(CHECK_BYTES)?)?;
    if xxh3_64(bytes).to_be_bytes() != check {
        return None;
    }
    let (head, body) = bytes.split_at_checked(HEAD_BYTES)?;
    let number = |at: usize| u32::from_be_bytes([0, 1, 2, 3].map(|n| head[at + n])) as usize;
    let count = number(0);
    if count == 0 || count != expected || number(5).checked_add(number(9))? != body.len() {
        return None;
    }
    let (keys, values) = body.split_at_checked(number(5))?;
    let expand = |bytes: &[u8], len_max: usize| zstd::bulk::decompress(bytes, len_max).ok();
    let keys = read_keys(&expand(keys, count * (K::BYTES + 1))?, count, head[4])?;
    let values = read_values(&expand(values, count * 3)?, count)?;
    Some(Block { keys, values })
}

fn write_keys<K: KeyCode>(positions: &[(K, ExactValue)], coding: KeyCoding) -> Vec<u8> {
    let (mut before, mut key) = (vec![0; K::BYTES], vec![0; K::BYTES]);
    let count = positions.len();
    let mut bytes = match coding {
        KeyCoding::Differences => Vec::with_capacity(count * 3),
        KeyCoding::Planes => vec![0; count * K::BYTES],
    };
    let mut differences: Vec<u8> = Vec::new();
    for (n, position) in positions.iter().enumerate() {
        position.0.write(&mut key);
        match coding {
            KeyCoding::Differences => {
                subtract(&mut before, &key);
                let zeros = before.iter().take_while(|&&byte| byte == 0).count();
                bytes.push((K::BYTES - zeros) as u8);
                differences.extend(&before[zeros..]);
            }
            KeyCoding::Planes => {
                for (plane, (a, b)) in before.iter().zip(&key).enumerate() {
                    bytes[plane * count + n] = a ^ b;
                }
            }
        }
        before.copy_from_slice(&key);
    }
    bytes.extend(differences);
    bytes
}

fn read_keys<K: KeyCode>(bytes: &[u8], count: usize, coding: u8) -> Option<Vec<K>> {
    let mut key = vec![0; K::BYTES];
    let mut keys = Vec::with_capacity(count);
    if coding == KeyCoding::Differences as u8 {
        let (lens, mut differences) = bytes.split_at_checked(count)?;
        for &len in lens {
            let (difference, rest) = differences.split_at_checked(usize::from(len))?;
            add(&mut key, difference)?;
            differences = rest;
            keys.push(K::read(&key));
        }
        if !differences.is_empty() {
            return None;
        }
    } else if coding == KeyCoding::Planes as u8 && bytes.len() == count * K::BYTES {
        for n in 0..count {
            for (plane, byte) in key.iter_mut().enumerate() {
                *byte ^= bytes[plane * count + n];
            }
            keys.push(K::read(&key));
        }
    } else {
        return None;
    }
    keys.is_sorted_by(|a, b| a < b).then_some(keys)
}

fn write_values<K>(positions: &[(K, ExactValue)]) -> Vec<u8> {
    let number =
        |valued: ExactValue| u32::from(valued.remoteness) << 2 | u32::from(valued.value as u8);
    [0, 8, 16]
        .into_iter()
        .flat_map(|shift| positions.iter().map(move |position| (number(position.1) >> shift) as u8))
        .collect()
}

fn read_values(bytes: &[u8], count: usize) -> Option<Vec<ExactValue>> {
    if bytes.len() != count * 3 {
        return None;
    }
    (0..count)
        .map(|n| {
            let [low, middle, high] =
                [0, 1, 2].map(|plane| u32::from(bytes[plane * count + n]) << (8 * plane));
            let number = high | middle | low;
            Some(ExactValue {
                value: Value::of_number((number & 3) as u8)?,
                remoteness: u16::try_from(number >> 2).ok()?,
            })
        })
        .collect()
}

/// Replaces `a` by `b - a`, both as big-endian numbers.
fn subtract(a: &mut [u8], b: &[u8]) {
    let mut borrow = false;
    for (a, b) in a.iter_mut().zip(b).rev() {
        let (difference, below) = b.overflowing_sub(*a);
        let (difference, still) = difference.overflowing_sub(u8::from(borrow));
        (*a, borrow) = (difference, below || still);
    }
}

/// Adds a big-endian number to `a`; `None` if the sum does not fit or the number is longer than
/// `a`.
fn add(a: &mut [u8], more: &[u8]) -> Option<()> {
    let at = a.len().checked_sub(more.len())?;
    let mut carry = false;
    for n in (0..a.len()).rev() {
        let addend = if n >= at { more[n - at] } else { 0 };
        let (sum, over) = a[n].overflowing_add(addend);
        let (sum, still) = sum.overflowing_add(u8::from(carry));
        (a[n], carry) = (sum, over || still);
    }
    (!carry).then_some(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn leads_back<K: KeyCode>(positions: BTreeMap<K, (u8, u16)>) -> Result<(), TestCaseError> {
        let positions: Vec<(K, ExactValue)> = positions
            .into_iter()
            .map(|(key, (value, remoteness))| {
                let value = Value::of_number(value % 4).expect("it is below 4");
                (key, ExactValue { value, remoteness })
            })
            .collect();
        let bytes = encode(&positions);
        let block = decode::<K>(&bytes, positions.len()).expect("what was written can be read");
        let read: Vec<(K, ExactValue)> =
            block.keys.iter().copied().zip(block.values.clone()).collect();
        prop_assert_eq!(&read, &positions);
        for &(key, valued) in &positions {
            prop_assert_eq!(block.get(key), Some(valued));
        }
        prop_assert_eq!(decode::<K>(&bytes, positions.len() - 1), None);
        for coding in [KeyCoding::Differences, KeyCoding::Planes] {
            let keys =
                read_keys::<K>(&write_keys(&positions, coding), positions.len(), coding as u8);
            prop_assert_eq!(keys.as_ref(), Some(&block.keys));
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn blocks_lead_back(
            small in prop::collection::btree_map(any::<u8>(), any::<(u8, u16)>(), 1..200),
            word in prop::collection::btree_map(any::<u64>(), any::<(u8, u16)>(), 1..200),
            wide in prop::collection::btree_map(any::<([u64; 8], u8)>(), any::<(u8, u16)>(), 1..50),
        ) {
            leads_back(small)?;
            leads_back(word)?;
            leads_back(wide)?;
        }
    }
}
