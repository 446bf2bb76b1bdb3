//! Files of which the user is not asked for a name: what an interrupted run leaves to continue from,
//! and pages for a browser.
//!
//! They lie in the folder of temporary files. One that nobody has needed for a week is removed by
//! the next run that makes one.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;
use std::{env, io};

use tempfile::NamedTempFile;

/// What the names begin with.
const PREFIX: &str = "treegauge-";

/// The letters and digits that follow.
const RANDOM_LEN: usize = 6;

/// What they end with.
pub(crate) const RECORD: &str = ".jsonl";
pub(crate) const CHECKPOINT: &str = ".checkpoint";
pub(crate) const PAGE: &str = ".html";

/// How long they are kept.
const KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// How long they are kept, in words for users.
pub(crate) const KEPT_WORDS: &str = "within a week";

/// A new temporary file.
pub(crate) fn create(suffix: &str) -> io::Result<NamedTempFile> {
    remove_old(&env::temp_dir(), KEPT);
    tempfile::Builder::new().prefix(PREFIX).rand_bytes(RANDOM_LEN).suffix(suffix).tempfile()
}

/// Removes a file that is not needed any longer, if it is one of these.
pub(crate) fn remove(path: &Path) {
    let here = path.parent().and_then(|folder| folder.canonicalize().ok());
    if here.is_some() && here == env::temp_dir().canonicalize().ok() && is_ours(path.file_name()) {
        let _ = fs::remove_file(path);
    }
}

fn is_ours(name: Option<&OsStr>) -> bool {
    let rest = name.and_then(OsStr::to_str).and_then(|name| name.strip_prefix(PREFIX));
    rest.and_then(|rest| rest.split_at_checked(RANDOM_LEN)).is_some_and(|(random, suffix)| {
        random.bytes().all(|c| c.is_ascii_alphanumeric())
            && [RECORD, CHECKPOINT, PAGE].contains(&suffix)
    })
}

/// Removes those that have not been written to for some time and that no run has open.
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
    fn old_files_of_the_program_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let ours =
            ["treegauge-abc123.jsonl", "treegauge-ABCdef.checkpoint", "treegauge-000000.html"];
        let others = [
            "treegauge-abc123.txt",
            "treegauge-abc.jsonl",
            "my-abc123.html",
            "treegauge-a.b1.3.html",
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
        let locked = File::open(folder.path().join(ours[0])).unwrap();
        locked.lock().unwrap();
        remove_old(folder.path(), Duration::ZERO);
        let mut expected: Vec<&str> = others.iter().copied().chain([ours[0]]).collect();
        expected.sort_unstable();
        assert_eq!(left(), expected);
    }
}
