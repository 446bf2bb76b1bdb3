//! Temporary files: the work of interrupted runs, from which they continue, and pages for a browser.
//!
//! They lie in the folder of temporary files. A run that makes such a file removes those that are older than a week. The
//! folder also has files of users, with any names; so a name made here has a random part and its checksum, which no other
//! file has by chance.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::time::Duration;
use std::{env, io};

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

/// The beginning of the names.
const PREFIX: &str = "treegauge-";

/// The number of hexadecimal digits that follow: half of them are random, the others their checksum.
const DIGITS: usize = 32;

/// The endings of the names.
pub(crate) const RECORD: &str = ".jsonl";
pub(crate) const CHECKPOINT: &str = ".checkpoint";
pub(crate) const PAGE: &str = ".html";

/// The time for which they are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// The time for which they are kept, in words.
pub(crate) const KEPT_WORDS: &str = "within a week";

/// A new temporary file.
pub(crate) fn create(suffix: &str) -> io::Result<NamedTempFile> {
    let folder = env::temp_dir();
    remove_old(&folder, KEPT);
    loop {
        // The hasher of a map begins with random numbers.
        let random = format!("{:016x}", RandomState::new().hash_one(suffix));
        let name = format!("{PREFIX}{random}{}{suffix}", checksum(&random));
        let file = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempfile_in(&folder);
        match file {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            file => return file,
        }
    }
}

/// The checksum of the random part of a name.
fn checksum(random: &str) -> String {
    let sum = xxh3_64(random.as_bytes());
    format!("{sum:016x}")
}

/// Removes a file that is no longer needed, if this module made it.
pub(crate) fn remove(path: &Path) {
    if is_here(path) {
        let _ = fs::remove_file(path);
    }
}

/// Removes a file that this program may still be writing to, if this module made it.
pub(crate) fn abandon(path: &Path) {
    if is_here(path) {
        treegauge_store::abandon(path);
    }
}

fn is_here(path: &Path) -> bool {
    let here = path.parent().and_then(|folder| folder.canonicalize().ok());
    here.is_some() && here == env::temp_dir().canonicalize().ok() && is_ours(path.file_name())
}

fn is_ours(name: Option<&OsStr>) -> bool {
    let rest = name.and_then(OsStr::to_str).and_then(|name| name.strip_prefix(PREFIX));
    rest.and_then(|rest| rest.split_at_checked(DIGITS)).is_some_and(|(digits, suffix)| {
        let parts = digits.split_at_checked(DIGITS / 2);
        parts.is_some_and(|(random, sum)| checksum(random) == sum)
            && [RECORD, CHECKPOINT, PAGE].contains(&suffix)
    })
}

/// Removes files that have not been written to for some time and that no run has open.
fn remove_old(folder: &Path, kept: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if !is_ours(Some(&entry.file_name())) {
            continue;
        }
        let is_old = entry.metadata().is_ok_and(|found| {
            let age = found.modified().ok().and_then(|time| time.elapsed().ok());
            found.is_file() && age.is_some_and(|age| age >= kept)
        });
        let is_free = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
        if is_old && is_free() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_created_is_known_again() {
        let file = create(PAGE).unwrap();
        assert!(is_ours(file.path().file_name()), "{}", file.path().display());
    }

    #[test]
    fn old_files_of_the_program_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let name = |random: &str, end: &str| format!("{PREFIX}{random}{}{end}", checksum(random));
        let ours = [
            name("00112233445566aa", RECORD),
            name("00112233445566ab", CHECKPOINT),
            name("00112233445566ac", PAGE),
        ];
        let others = [
            "treegauge-report.html".to_owned(),
            "treegauge-abc123.jsonl".to_owned(),
            "my-abc123.html".to_owned(),
            name("00112233445566aa", ".txt"),
            format!("{PREFIX}{}.html", "0123456789abcdef".repeat(2)),
        ];
        for name in ours.iter().chain(&others) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let left = || {
            let names = fs::read_dir(folder.path()).unwrap();
            let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
            names.sort();
            names
        };
        remove_old(folder.path(), Duration::from_secs(60));
        assert_eq!(left().len(), ours.len() + others.len());
        // A run that is in progress has its record locked.
        let locked = File::open(folder.path().join(&ours[0])).unwrap();
        locked.lock().unwrap();
        remove_old(folder.path(), Duration::ZERO);
        let mut expected: Vec<&str> = others.iter().chain([&ours[0]]).map(String::as_str).collect();
        expected.sort_unstable();
        assert_eq!(left(), expected);
    }
}
