//! Header and directory of sections: the parts of a solution file that lead to the others.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use treegauge_core::KeyCode;
use xxhash_rust::xxh3::xxh3_64;

use super::block::CHECK_BYTES;
use super::error::{FileError, Part};
use super::header::{Header, PREFIX_BYTES, Reader};

/// Greatest length of a directory in bytes; a greater length is damage.
const DIRECTORY_BYTES_MAX: u64 = 1 << 20;

/// Greatest length of a section in bytes.
pub(super) const SECTION_BYTES_MAX: u64 = 1 << 26;

/// Entry of the directory: name, offset, length and checksum of a section.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) at: u64,
    pub(super) len: u64,
    pub(super) check: u64,
}

pub(super) fn read_header(file: &mut File) -> Result<Header, FileError> {
    let file_bytes = file.metadata()?.len();
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(PREFIX_BYTES as u64).read_to_end(&mut bytes)?;
    let len = Header::len_of(&bytes, file_bytes)?;
    file.take((len - bytes.len()) as u64).read_to_end(&mut bytes)?;
    if bytes.len() < len {
        return Err(FileError::Truncated { found: bytes.len() as u64, expected: len as u64 });
    }
    Header::read(&bytes, file_bytes)
}

pub(super) fn read_directory(file: &mut File, header: &Header) -> Result<Vec<Section>, FileError> {
    let (begin, end) = (header.directory_at, header.file_bytes);
    if end - begin > DIRECTORY_BYTES_MAX {
        return Err(FileError::Damaged(Part::Directory));
    }
    let bytes = read_checked(file, begin, end, header, Part::Directory)?;
    parse_directory(&bytes, header).ok_or(FileError::Damaged(Part::Directory))
}

/// Parses the sections of a directory; `None` if the bytes are not a valid directory.
fn parse_directory(bytes: &[u8], header: &Header) -> Option<Vec<Section>> {
    let mut reader = Reader(bytes);
    let count = reader.number()?;
    let mut sections = Vec::new();
    for _ in 0..count {
        let name = String::from_utf8(reader.part()?.to_vec()).ok()?;
        let [at, len, check] = [reader.number()?, reader.number()?, reader.number()?];
        let fits = at >= header.sections_at && at.checked_add(len)? <= header.directory_at;
        if !fits || len > SECTION_BYTES_MAX {
            return None;
        }
        sections.push(Section { name, at, len, check });
    }
    reader.0.is_empty().then_some(sections)
}

/// Reads a part of the file and returns it without its checksum, which is its last 8 bytes.
pub(super) fn read_checked(
    file: &mut File,
    begin: u64,
    end: u64,
    header: &Header,
    part: Part,
) -> Result<Vec<u8>, FileError> {
    let mut bytes = read_at(file, begin, end - begin, header)?;
    let Some(len) = bytes.len().checked_sub(CHECK_BYTES) else {
        return Err(FileError::Damaged(part));
    };
    if xxh3_64(&bytes[..len]) != u64::read(&bytes[len..]) {
        return Err(FileError::Damaged(part));
    }
    bytes.truncate(len);
    Ok(bytes)
}

pub(super) fn read_at(
    file: &mut File,
    at: u64,
    len: u64,
    header: &Header,
) -> Result<Vec<u8>, FileError> {
    file.seek(SeekFrom::Start(at))?;
    let mut bytes = Vec::new();
    file.take(len).read_to_end(&mut bytes)?;
    if (bytes.len() as u64) < len {
        // The file was whole when it was opened, and is shorter now.
        let found = at + bytes.len() as u64;
        return Err(FileError::Truncated { found, expected: header.file_bytes });
    }
    Ok(bytes)
}
