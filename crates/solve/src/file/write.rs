//! Writer of solution files.

use std::fs;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use treegauge_core::{KeyCode, Phase, Watch, without_path};
use treegauge_store::{WholeFile, open};
use xxhash_rust::xxh3::xxh3_64;

use crate::digest::{Digest, Digester};
use crate::parallel;
use crate::solution::Solution;
use crate::sorted::{InOrder, Which};

use super::block::{BLOCK_LEN, encode};
use super::directory::{SECTION_BYTES_MAX, Section, read_directory, read_header};
use super::error::{FileError, Part};
use super::header::Header;
use super::rules_hash::rules_hash;

/// Writes a solution to a file and returns its header. The file appears whole or not at all. `spec`
/// is the canonical name of the game, with the path of its text if a file describes it. Takes as much
/// memory as [`Solution::digest`].
///
/// # Errors
///
/// When the file cannot be written, or `watch` says stop ([`FileError::Interrupted`]). A file that
/// was there before is then unchanged.
pub fn write_file<K: KeyCode>(
    path: &Path,
    solution: &Solution<K>,
    spec: &str,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<Header, FileError> {
    let rules = solution.rules();
    let mut header = Header {
        spec: spec.to_owned(),
        start: rules.position_text(solution.start()),
        rules_hash: rules_hash(rules, solution.reduction(), &without_path(spec), solution.start()),
        reduced: solution.is_reduced(),
        stored: solution.stored(),
        reachable: solution.reachable(),
        digest: Digest([0; 16]),
        file_bytes: 0,
        start_key: key_bytes(solution.start()),
        key_bytes: K::BYTES as u32,
        block_count: 0,
        index_at: 0,
        sections_at: 0,
        directory_at: 0,
    };
    let mut out = Output::new(path)?;
    out.write(&header.write())?;
    let mut index = Vec::new();
    let mut digester = Digester::new();
    let order = InOrder {
        solution,
        which: Which::Stored,
        unit: BLOCK_LEN,
        room_bytes: solution.room_bytes(memory_bytes_max),
        phase: Phase::Write,
        watch,
    };
    order.visit(|positions| -> Result<(), FileError> {
        if !header.reduced {
            positions.iter().for_each(|&(key, valued)| digester.add(key, valued));
        }
        let runs: Vec<_> = positions.chunks(BLOCK_LEN).collect();
        let blocks = parallel::map(runs.len(), &|n| encode(runs[n]));
        for (block, positions) in blocks.iter().zip(runs) {
            index.extend(key_bytes(positions[0].0));
            index.extend(out.at.to_be_bytes());
            header.block_count += 1;
            out.write(block)?;
        }
        Ok(())
    })?;
    // The digest covers all reachable positions, and a reduced solution stores only some of them.
    header.digest = if header.reduced {
        solution.digest(memory_bytes_max, watch).ok_or(FileError::Interrupted)?
    } else {
        digester.finish()
    };
    header.index_at = out.at;
    out.write_checked(&index)?;
    out.finish(header, &[])
}

/// Adds a section to a solution file, or replaces the one of the same name. The whole file is
/// rewritten.
///
/// # Errors
///
/// When the file cannot be read or written, or its header, directory or a section is damaged. The
/// file is then unchanged.
pub fn with_section(path: &Path, name: &str, contents: &[u8]) -> Result<Header, FileError> {
    if name.is_empty() || name.len() > 255 || contents.len() as u64 > SECTION_BYTES_MAX {
        return Err(FileError::BadSection);
    }
    let mut file = open(path)?;
    let header = read_header(&mut file)?;
    let mut sections = Vec::new();
    for Section { name, at, len, check } in read_directory(&mut file, &header)? {
        let mut contents = vec![0; len as usize];
        file.seek(SeekFrom::Start(at))?;
        file.read_exact(&mut contents)?;
        if xxh3_64(&contents) != check {
            return Err(FileError::Damaged(Part::Section(name)));
        }
        sections.push((name, contents));
    }
    sections.retain(|section| section.0 != name);
    sections.push((name.to_owned(), contents.to_owned()));
    // Sorted, so that the bytes do not depend on the order in which sections were added.
    sections.sort();
    let mut out = Output::new(path)?;
    let blocks = header.write();
    out.write(&blocks)?;
    file.seek(SeekFrom::Start(out.at))?;
    let len = header.sections_at - out.at;
    let copied = io::copy(&mut file.take(len), &mut out.file)?;
    if copied < len {
        return Err(FileError::Truncated { found: out.at + copied, expected: header.file_bytes });
    }
    out.at += copied;
    out.finish(header, &sections)
}

fn key_bytes<K: KeyCode>(key: K) -> Vec<u8> {
    let mut bytes = vec![0; K::BYTES];
    key.write(&mut bytes);
    bytes
}

/// File that is being written under a temporary name.
struct Output {
    file: BufWriter<WholeFile>,
    at: u64,
}

impl Output {
    fn new(path: &Path) -> Result<Self, FileError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            // Renaming onto a device would replace it by an ordinary file.
            return Err(FileError::NotAFile);
        }
        let file = BufWriter::with_capacity(1 << 20, WholeFile::create(path)?);
        Ok(Output { file, at: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.file.write_all(bytes)
    }

    fn write_checked(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write(bytes)?;
        self.write(&xxh3_64(bytes).to_be_bytes())
    }

    /// Writes the sections and the directory, overwrites the first header with the final one, and
    /// renames the file to its name.
    fn finish(
        mut self,
        mut header: Header,
        sections: &[(String, Vec<u8>)],
    ) -> Result<Header, FileError> {
        header.sections_at = self.at;
        let mut directory = (sections.len() as u64).to_be_bytes().to_vec();
        for (name, contents) in sections {
            directory.extend((name.len() as u64).to_be_bytes());
            directory.extend(name.as_bytes());
            for number in [self.at, contents.len() as u64, xxh3_64(contents)] {
                directory.extend(number.to_be_bytes());
            }
            self.write(contents)?;
        }
        header.directory_at = self.at;
        self.write_checked(&directory)?;
        header.file_bytes = self.at;
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(&header.write())?;
        file.finish()?;
        Ok(header)
    }
}
