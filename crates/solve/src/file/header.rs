//! Header of a solution file.

use treegauge_core::KeyCode;
use xxhash_rust::xxh3::xxh3_64;

use crate::counts::Counts;
use crate::digest::Digest;

use super::error::{FileError, Part};

/// Magic bytes of every solution file. The byte that is not ASCII, the line ends and the
/// end-of-file character of old systems reveal a transfer in text mode.
pub(super) const MAGIC: &[u8; 24] = b"\x93treegauge solution\r\n\x1a\n\0";

/// Tests whether bytes begin with the magic of a solution file.
#[must_use]
pub fn is_solution_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Version of the format that is written and read.
pub(super) const VERSION: u32 = 1;

/// Bytes of the magic, the version, and the length of the rest of the header.
pub(super) const PREFIX_BYTES: usize = 32;

/// Greatest length of a header in bytes; a greater length is damage.
const HEADER_BYTES_MAX: usize = 1 << 20;

/// Header of a solution file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Header {
    /// Canonical name of the game, with the path of its text if a file describes it.
    pub spec: String,
    /// Position from which all others are reached, as text.
    pub start: String,
    /// Hash of the rules, from [`rules_hash`](super::rules_hash()).
    pub rules_hash: u64,
    /// Whether only the canonical one of several symmetric positions is stored.
    pub reduced: bool,
    /// Counts of the stored positions by value.
    pub stored: Counts,
    /// Counts of all reachable positions by value, symmetry not reduced.
    pub reachable: Counts,
    /// Digest of all reachable positions.
    pub digest: Digest,
    /// Length of the whole file in bytes.
    pub file_bytes: u64,
    pub(super) start_key: Vec<u8>,
    pub(super) key_bytes: u32,
    pub(super) block_count: u64,
    pub(super) index_at: u64,
    pub(super) sections_at: u64,
    pub(super) directory_at: u64,
}

impl Header {
    /// Encodes the header. Its length depends on the texts only, so a header can be overwritten by
    /// one with other numbers.
    pub(super) fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in [
            self.file_bytes,
            self.rules_hash,
            u64::from(self.reduced),
            u64::from(self.key_bytes),
            self.block_count,
            self.index_at,
            self.sections_at,
            self.directory_at,
        ] {
            bytes.extend(number.to_be_bytes());
        }
        for counts in [&self.stored, &self.reachable] {
            for count in [counts.win, counts.lose, counts.tie, counts.draw, counts.finished] {
                bytes.extend(count.to_be_bytes());
            }
        }
        bytes.extend(self.digest.0);
        for part in [self.spec.as_bytes(), self.start.as_bytes(), &self.start_key] {
            bytes.extend((part.len() as u64).to_be_bytes());
            bytes.extend(part);
        }
        let mut whole = MAGIC.to_vec();
        whole.extend(VERSION.to_be_bytes());
        whole.extend((bytes.len() as u32).to_be_bytes());
        whole.extend(bytes);
        whole.extend(xxh3_64(&whole).to_be_bytes());
        whole
    }

    /// Reads the length of the whole header from its first [`PREFIX_BYTES`] bytes, or from fewer if
    /// the file is shorter.
    pub(super) fn len_of(prefix: &[u8], file_bytes: u64) -> Result<usize, FileError> {
        let len = prefix.len().min(MAGIC.len());
        if prefix.is_empty() || prefix[..len] != MAGIC[..len] {
            return Err(FileError::NotASolution);
        }
        let too_short =
            |expected: usize| FileError::Truncated { found: file_bytes, expected: expected as u64 };
        if prefix.len() < PREFIX_BYTES {
            return Err(too_short(PREFIX_BYTES));
        }
        let there = u32::read(&prefix[24..28]);
        if there != VERSION {
            return Err(FileError::OtherVersion { there, here: VERSION });
        }
        let len = u32::read(&prefix[28..32]) as usize;
        if len > HEADER_BYTES_MAX {
            return Err(FileError::Damaged(Part::Header));
        }
        let whole = PREFIX_BYTES + len + 8;
        if file_bytes < whole as u64 { Err(too_short(whole)) } else { Ok(whole) }
    }

    /// Decodes a header of its full length.
    pub(super) fn read(bytes: &[u8], found_bytes: u64) -> Result<Header, FileError> {
        let header = Header::parse(bytes).ok_or(FileError::Damaged(Part::Header))?;
        let expected = header.file_bytes;
        if found_bytes < expected {
            return Err(FileError::Truncated { found: found_bytes, expected });
        }
        if found_bytes > expected {
            return Err(FileError::TooLong { found: found_bytes, expected });
        }
        // Cannot occur under a valid checksum, but the check is cheap.
        let places = [bytes.len() as u64, header.index_at, header.sections_at, header.directory_at];
        if !places.is_sorted() || header.directory_at > expected {
            return Err(FileError::Damaged(Part::Header));
        }
        Ok(header)
    }

    fn parse(bytes: &[u8]) -> Option<Header> {
        let (body, check) = bytes.split_at_checked(bytes.len().checked_sub(8)?)?;
        if xxh3_64(body).to_be_bytes() != check {
            return None;
        }
        let mut reader = Reader(body.get(PREFIX_BYTES..)?);
        let [file_bytes, rules_hash, reduced, key_bytes] = reader.numbers()?;
        let [block_count, index_at, sections_at, directory_at] = reader.numbers()?;
        let [stored, reachable] = [reader.counts()?, reader.counts()?];
        let digest = Digest(reader.take(16)?.try_into().ok()?);
        let spec = String::from_utf8(reader.part()?.to_vec()).ok()?;
        let start = String::from_utf8(reader.part()?.to_vec()).ok()?;
        let start_key = reader.part()?.to_vec();
        let header = Header {
            spec,
            start,
            rules_hash,
            reduced: reduced == 1,
            stored,
            reachable,
            digest,
            file_bytes,
            start_key,
            key_bytes: u32::try_from(key_bytes).ok()?,
            block_count,
            index_at,
            sections_at,
            directory_at,
        };
        (reader.0.is_empty() && reduced <= 1).then_some(header)
    }
}

/// Reader that takes bytes from the front.
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    pub(super) fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(front)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        Some(u64::read(self.take(8)?))
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    /// Reads bytes that are preceded by their number.
    pub(super) fn part(&mut self) -> Option<&'a [u8]> {
        let len = usize::try_from(self.number()?).ok()?;
        self.take(len)
    }

    fn counts(&mut self) -> Option<Counts> {
        let [win, lose, tie, draw, finished] = self.numbers()?;
        // Sums of counts are shown, so they must not overflow.
        let sum = [win, lose, tie, draw].into_iter().try_fold(0u64, u64::checked_add)?;
        (finished <= sum).then_some(Counts { win, lose, tie, draw, finished })
    }
}
