//! Digest of a whole solution.

use std::fmt;

use treegauge_core::{KeyCode, Phase, Watch};
use xxhash_rust::xxh3::Xxh3;

use crate::error::Interrupted;
use crate::solution::Solution;
use crate::sorted::{InOrder, Which};
use crate::value::ExactValue;

/// Digest of a solution: XXH3, 128 bits with seed 0 (Collet 2019), of the records of all reachable
/// positions in ascending order of their keys. Symmetry is not reduced.
///
/// A record is the bytes of the key's code ([`KeyCode::code`]), the number of the value (0 win, 1
/// lose, 2 tie, 3 draw) and the remoteness as two bytes, the higher first; 0 for a draw.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 16]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// Hashes records, which must be added in ascending order of keys.
#[derive(Clone)]
pub(crate) struct Digester {
    hash: Xxh3,
    record: Vec<u8>,
}

impl Digester {
    pub(crate) fn new() -> Self {
        Digester { hash: Xxh3::new(), record: Vec::new() }
    }

    pub(crate) fn add<K: KeyCode>(&mut self, key: K, valued: ExactValue) {
        let len = K::BYTES;
        self.record.resize(len + 3, 0);
        key.write(&mut self.record[..len]);
        self.record[len] = valued.value as u8;
        self.record[len + 1..].copy_from_slice(&valued.remoteness.to_be_bytes());
        self.hash.update(&self.record);
    }

    pub(crate) fn finish(&self) -> Digest {
        Digest(self.hash.digest128().to_be_bytes())
    }
}

impl<K: KeyCode> Solution<K> {
    /// Computes the digest of all reachable positions and their values. It does not depend on
    /// reduction by symmetry or on the memory used. Together with the solution this takes at most
    /// `memory_bytes_max`, but always allows 8 MB beside the solution. `None` if `watch` says stop.
    #[must_use]
    pub fn digest(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<Digest> {
        let mut digester = Digester::new();
        let order = InOrder {
            solution: self,
            which: Which::Reachable,
            unit: 1,
            room_bytes: self.room_bytes(memory_bytes_max),
            phase: Phase::Digest,
            watch,
        };
        let found = order.visit(|positions| {
            positions.iter().for_each(|&(key, valued)| digester.add(key, valued));
            Ok::<_, Interrupted>(())
        });
        found.ok().map(|()| digester.finish())
    }
}
