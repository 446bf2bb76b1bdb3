//! Executable file of an engine.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{self, Path, PathBuf};
use std::time::SystemTime;

use treegauge_core::Watch;
use xxhash_rust::xxh3::Xxh3;

use super::UciError;

/// Executable file and a hash of its contents, so that the file that was hashed is the one that
/// runs.
#[derive(Clone, Debug)]
pub struct Program {
    /// Absolute, so that the file is looked for nowhere else.
    path: PathBuf,
    hash: u128,
    stamp: Stamp,
}

/// Length and modification time of a file, which change with its contents.
type Stamp = (u64, Option<SystemTime>);

fn stamp(found: &Metadata) -> Stamp {
    (found.len(), found.modified().ok())
}

impl Program {
    /// Reads and hashes the file of a program.
    ///
    /// # Errors
    ///
    /// When it is not a file or cannot be read, or `watch` says stop.
    pub fn open(path: &Path, watch: &dyn Watch) -> Result<Program, UciError> {
        let cannot =
            |error: &dyn std::fmt::Display| UciError::Start(format!("{}: {error}", path.display()));
        let path = path::absolute(path).map_err(|error| cannot(&error))?;
        // Opening a pipe would wait for somebody who writes.
        let found = path.metadata().map_err(|error| cannot(&error))?;
        if !found.is_file() {
            return Err(cannot(&"it is not a file"));
        }
        let mut file = File::open(&path).map_err(|error| cannot(&error))?;
        let (mut hash, mut part) = (Xxh3::new(), vec![0; 1 << 16]);
        loop {
            if watch.stop() {
                return Err(UciError::Stopped);
            }
            match file.read(&mut part).map_err(|error| cannot(&error))? {
                0 => break,
                read => hash.update(&part[..read]),
            }
        }
        let stamp = stamp(&file.metadata().map_err(|error| cannot(&error))?);
        Ok(Program { path, hash: hash.digest128(), stamp })
    }

    /// Absolute path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// XXH3 hash of the file's contents, 128 bits.
    #[must_use]
    pub fn hash(&self) -> u128 {
        self.hash
    }

    /// Checks that the file is still the one that was hashed.
    ///
    /// # Errors
    ///
    /// When it is gone, or has changed.
    pub(super) fn check(&self) -> Result<(), UciError> {
        let path = self.path.display();
        match self.path.metadata() {
            Err(error) => Err(UciError::Start(format!("{path}: {error}"))),
            Ok(found) if stamp(&found) != self.stamp => {
                Err(UciError::Start(format!("{path} has changed since the run began")))
            }
            Ok(_) => Ok(()),
        }
    }
}
