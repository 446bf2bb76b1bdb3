//! Checkpoints of stopped solves.

use std::io::{self, Read, Write};

use thiserror::Error;
use treegauge_core::KeyCode;
use xxhash_rust::xxh3::Xxh3;

use crate::dense::DenseTable;
use crate::error::size_words;
use crate::memory::list_bytes;
use crate::parallel::{any, piece};
use crate::value::{ExactValue, Value};

/// Positions of one tier in a checkpoint.
#[derive(Clone, Debug)]
pub(crate) struct Part<K> {
    pub(crate) tier: u32,
    /// Whether the children of these positions are in the checkpoint too.
    pub(crate) expanded: bool,
    pub(crate) keys: Keys<K>,
    /// Values of the positions, in the order of the keys; `None` if they are not known.
    pub(crate) values: Option<Vec<ExactValue>>,
}

/// Keys of a part in the form that the solve used, so that a checkpoint takes no more memory than
/// the solve.
#[derive(Clone, Debug)]
pub(crate) enum Keys<K> {
    /// Keys in several lists. A conversion goes list by list, so that input and output are never
    /// both whole in memory.
    Pieces(Vec<Vec<K>>),
    /// Numbers of the keys ([`KeyCode`]), in any order.
    Numbers(Vec<u32>),
    /// Numbers of the keys, in ascending order.
    Members(DenseTable),
}

impl<K: KeyCode> Keys<K> {
    fn len(&self) -> u64 {
        match self {
            Keys::Pieces(pieces) => pieces.iter().map(|keys| keys.len() as u64).sum(),
            Keys::Numbers(numbers) => numbers.len() as u64,
            Keys::Members(members) => members.len() as u64,
        }
    }

    /// Iterates over the keys in their stored order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = K> + '_ {
        let (pieces, numbers, members) = match self {
            Keys::Pieces(pieces) => (Some(pieces.iter().flatten().copied()), None, None),
            Keys::Numbers(numbers) => (None, Some(numbers.iter().copied().map(u64::from)), None),
            Keys::Members(members) => (None, None, Some(members.iter_from(0))),
        };
        let numbers = numbers.into_iter().flatten().chain(members.into_iter().flatten());
        pieces.into_iter().flatten().chain(numbers.map(K::of_number))
    }

    /// Tests whether `test` holds for all keys. Calls it on all threads with chunks of keys and the
    /// place of the first key of each.
    pub(crate) fn all(&self, test: &(dyn Fn(usize, &[K]) -> bool + Sync)) -> bool {
        let fails = |begin, keys: &[K]| !test(begin, keys);
        match self {
            Keys::Pieces(pieces) => {
                let mut begin = 0;
                pieces.iter().all(|keys| {
                    let first = begin;
                    begin += keys.len();
                    !any(keys.len().div_ceil(CHUNK), &|n| {
                        fails(first + n * CHUNK, &keys[piece(n, CHUNK, keys.len())])
                    })
                })
            }
            Keys::Numbers(numbers) => !any(numbers.len().div_ceil(CHUNK), &|n| {
                let numbers = &numbers[piece(n, CHUNK, numbers.len())];
                let keys = numbers.iter().map(|&number| K::of_number(u64::from(number)));
                fails(n * CHUNK, &keys.collect::<Vec<K>>())
            }),
            Keys::Members(members) => !any(members.len().div_ceil(CHUNK), &|n| {
                let numbers = members.iter_from(n * CHUNK).take(CHUNK);
                fails(n * CHUNK, &numbers.map(K::of_number).collect::<Vec<K>>())
            }),
        }
    }

    /// Converts the keys to lists.
    pub(crate) fn into_pieces(self) -> Vec<Vec<K>> {
        match self {
            Keys::Pieces(pieces) => pieces,
            numbered => {
                let mut pieces = Vec::new();
                let mut keys = numbered.iter();
                loop {
                    let piece: Vec<K> = keys.by_ref().take(PIECE).collect();
                    if piece.is_empty() {
                        return pieces;
                    }
                    pieces.push(piece);
                }
            }
        }
    }

    /// Number of bytes that the keys take.
    fn bytes(&self) -> u64 {
        match self {
            Keys::Pieces(pieces) => pieces.iter().map(list_bytes).sum(),
            Keys::Numbers(numbers) => list_bytes(numbers),
            Keys::Members(members) => members.bytes(),
        }
    }
}

impl<K: KeyCode> Part<K> {
    /// Number of positions.
    pub(crate) fn len(&self) -> u64 {
        self.keys.len()
    }

    /// Number of bytes that the part takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.keys.bytes() + self.values.as_ref().map_or(0, list_bytes)
    }
}

impl<K: KeyCode> PartialEq for Part<K> {
    /// Compares the keys in order, in whatever form they are stored.
    fn eq(&self, other: &Self) -> bool {
        (self.tier, self.expanded, &self.values) == (other.tier, other.expanded, &other.values)
            && self.keys.iter().eq(other.keys.iter())
    }
}

impl<K: KeyCode> Eq for Part<K> {}

/// Positions and values found by a stopped solve, enough to continue to the identical solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint<K: KeyCode> {
    pub(crate) start: K,
    pub(crate) reduced: bool,
    pub(crate) tiered: bool,
    pub(crate) parts: Vec<Part<K>>,
}

/// Reason that a checkpoint cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The system reports an error.
    #[error("cannot read the checkpoint: {0}")]
    Io(#[from] io::Error),
    /// The input is not a checkpoint, or is one of another version.
    #[error("this is not a checkpoint of this version")]
    NotACheckpoint,
    /// The checkpoint belongs to another game or run.
    #[error("the checkpoint belongs to `{there}`, not to `{here}`")]
    OtherRun {
        /// Run that the checkpoint belongs to.
        there: String,
        /// Run that was to continue.
        here: String,
    },
    /// The checkpoint takes too much memory.
    #[error("the checkpoint takes more than the {} that are allowed", size_words(*bytes_max))]
    Memory {
        /// Number of bytes allowed.
        bytes_max: u64,
    },
    /// The checkpoint is cut short or changed.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(&'static str),
}

const MAGIC: &[u8; 24] = b"treegauge checkpoint 1\r\n";

impl<K: KeyCode> Checkpoint<K> {
    /// Number of positions found.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.parts.iter().map(Part::len).sum()
    }

    /// Returns whether no position was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Amount of work that a solve resumed from here need not repeat. Counts each position whose
    /// children are found once, and each whose value is found once more.
    #[must_use]
    pub fn done(&self) -> u64 {
        let done = |part: &Part<K>| {
            let times = u64::from(part.expanded) + u64::from(part.values.is_some());
            times * part.len()
        };
        self.parts.iter().map(done).sum()
    }

    /// Returns whether a later checkpoint of the same solve may keep more. The values of a game
    /// without tiers all become known at the end, so once its positions are found nothing more can
    /// be kept.
    #[must_use]
    pub fn can_grow(&self) -> bool {
        let found = |part: &Part<K>| part.expanded || part.len() == 0;
        self.tiered || !self.parts.iter().all(found)
    }

    /// Key of the position that the solve began with.
    #[must_use]
    pub fn start(&self) -> K {
        self.start
    }

    /// Returns whether only canonical positions are stored.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        self.reduced
    }

    /// Writes the checkpoint. `run` names the run: the game, its rules and the start.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(&self, run: &str, out: &mut dyn Write) -> io::Result<()> {
        let mut out = Summed { inner: out, hash: Xxh3::new() };
        out.write_all(MAGIC)?;
        out.number(run.len() as u64)?;
        out.write_all(run.as_bytes())?;
        out.number(K::BYTES as u64)?;
        out.write_all(&[u8::from(self.reduced), u8::from(self.tiered)])?;
        out.keys(&[self.start])?;
        out.number(self.parts.len() as u64)?;
        for part in &self.parts {
            out.number(u64::from(part.tier))?;
            out.write_all(&[u8::from(part.expanded), u8::from(part.values.is_some())])?;
            out.number(part.len())?;
            match &part.keys {
                Keys::Pieces(pieces) => pieces.iter().try_for_each(|keys| out.keys(keys))?,
                numbered => {
                    let mut keys = numbered.iter();
                    let mut piece: Vec<K> = keys.by_ref().take(CHUNK).collect();
                    while !piece.is_empty() {
                        out.keys(&piece)?;
                        piece.clear();
                        piece.extend(keys.by_ref().take(CHUNK));
                    }
                }
            }
            for values in part.values.iter().flat_map(|values| values.chunks(CHUNK)) {
                let record = |valued: &ExactValue| {
                    let [high, low] = valued.remoteness.to_be_bytes();
                    [valued.value as u8, high, low]
                };
                out.write_all(values.iter().map(record).collect::<Vec<_>>().as_flattened())?;
            }
        }
        let sum = out.hash.digest128();
        out.inner.write_all(&sum.to_be_bytes())
    }

    /// Reads the checkpoint of the run `run` into at most `bytes_max` bytes.
    ///
    /// # Errors
    ///
    /// When the input cannot be read, needs more memory, belongs to another run, or is not what
    /// [`Checkpoint::write`] wrote.
    pub fn read(
        run: &str,
        bytes_max: Option<u64>,
        input: &mut dyn Read,
    ) -> Result<Self, CheckpointError> {
        let bytes_max = bytes_max.unwrap_or(u64::MAX);
        let mut input = Summing { inner: input, hash: Xxh3::new() };
        let mut left = bytes_max;
        let magic = match input.bytes(MAGIC.len() as u64) {
            Err(CheckpointError::Damaged(_)) => return Err(CheckpointError::NotACheckpoint),
            other => other?,
        };
        if magic != MAGIC {
            return Err(CheckpointError::NotACheckpoint);
        }
        let len = input.number()?;
        if len > RUN_BYTES_MAX {
            return Err(CheckpointError::Damaged("its name is too long"));
        }
        let there = String::from_utf8_lossy(&input.bytes(len)?).into_owned();
        if there != run {
            // The name may be damaged rather than another one. Only the checksum could tell, and
            // both cases are refused.
            return Err(CheckpointError::OtherRun { there, here: run.to_owned() });
        }
        if input.number()? != K::BYTES as u64 {
            return Err(CheckpointError::Damaged("keys have another length"));
        }
        let [reduced, tiered] = input.flags()?;
        let start = input.keys::<K>(1)?[0][0];
        let mut parts = Vec::new();
        for _ in 0..input.number()? {
            let tier = u32::try_from(input.number()?)
                .map_err(|_| CheckpointError::Damaged("a tier is out of range"))?;
            let [expanded, is_valued] = input.flags()?;
            let len = input.number()?;
            let each = size_of::<K>() + if is_valued { size_of::<ExactValue>() } else { 0 };
            left = left
                .checked_sub(len.saturating_mul(each as u64).saturating_add(PART_BYTES))
                .ok_or(CheckpointError::Memory { bytes_max })?;
            let keys = Keys::Pieces(input.keys(len)?);
            let values = if is_valued { Some(input.values(len)?) } else { None };
            parts.push(Part { tier, expanded, keys, values });
        }
        let found = input.hash.digest128().to_be_bytes();
        if input.bytes(16)? != found {
            return Err(CheckpointError::Damaged("its checksum is another"));
        }
        if input.inner.read(&mut [0])? > 0 {
            return Err(CheckpointError::Damaged("something follows it"));
        }
        Ok(Checkpoint { start, reduced, tiered, parts })
    }
}

/// Greatest length of a run's name, in bytes.
const RUN_BYTES_MAX: u64 = 1 << 20;

/// Bytes of a part without its positions.
const PART_BYTES: u64 = 64;

/// Number of keys read into one list.
const PIECE: usize = 1 << 20;

/// Records written or read at a time.
const CHUNK: usize = 1 << 12;

/// Writer that hashes everything it writes.
struct Summed<'a> {
    inner: &'a mut dyn Write,
    hash: Xxh3,
}

impl Summed<'_> {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.inner.write_all(bytes)
    }

    fn number(&mut self, number: u64) -> io::Result<()> {
        self.write_all(&number.to_be_bytes())
    }

    fn keys<K: KeyCode>(&mut self, keys: &[K]) -> io::Result<()> {
        let mut bytes = vec![0; CHUNK.min(keys.len()) * K::BYTES];
        for keys in keys.chunks(CHUNK) {
            for (key, bytes) in keys.iter().zip(bytes.chunks_exact_mut(K::BYTES)) {
                key.write(bytes);
            }
            self.write_all(&bytes[..keys.len() * K::BYTES])?;
        }
        Ok(())
    }
}

/// Reader that hashes everything it reads.
struct Summing<'a> {
    inner: &'a mut dyn Read,
    hash: Xxh3,
}

impl Summing<'_> {
    /// Reads `len` bytes. A damaged length allocates no more memory than the input has bytes.
    fn bytes(&mut self, len: u64) -> Result<Vec<u8>, CheckpointError> {
        let mut bytes = Vec::new();
        self.inner.take(len).read_to_end(&mut bytes)?;
        if (bytes.len() as u64) < len {
            return Err(CheckpointError::Damaged("it is cut short"));
        }
        self.hash.update(&bytes);
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, CheckpointError> {
        Ok(u64::read(&self.bytes(8)?))
    }

    fn flags(&mut self) -> Result<[bool; 2], CheckpointError> {
        let bytes = self.bytes(2)?;
        if bytes.iter().any(|&byte| byte > 1) {
            return Err(CheckpointError::Damaged("a flag is neither 0 nor 1"));
        }
        Ok([bytes[0] == 1, bytes[1] == 1])
    }

    /// Reads keys into several lists, which are not moved while more are read.
    fn keys<K: KeyCode>(&mut self, len: u64) -> Result<Vec<Vec<K>>, CheckpointError> {
        let mut pieces = Vec::new();
        let mut left = len;
        while left > 0 {
            let more = left.min(PIECE as u64);
            let mut keys = Vec::new();
            while (keys.len() as u64) < more {
                let more = (more - keys.len() as u64).min(CHUNK as u64);
                let bytes = self.bytes(more * K::BYTES as u64)?;
                keys.extend(bytes.chunks_exact(K::BYTES).map(K::read));
            }
            keys.shrink_to_fit();
            pieces.push(keys);
            left -= more;
        }
        Ok(pieces)
    }

    fn values(&mut self, len: u64) -> Result<Vec<ExactValue>, CheckpointError> {
        let mut values = Vec::new();
        while (values.len() as u64) < len {
            let more = (len - values.len() as u64).min(CHUNK as u64);
            for record in self.bytes(more * 3)?.chunks_exact(3) {
                let value = Value::of_number(record[0]);
                let value = value.ok_or(CheckpointError::Damaged("a value is out of range"))?;
                values.push(ExactValue {
                    value,
                    remoteness: u16::from_be_bytes([record[1], record[2]]),
                });
            }
        }
        Ok(values)
    }
}
