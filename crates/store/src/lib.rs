//! Storage of finished work: files that appear under their name whole or not at all, and journals.
//!
//! A [`WholeFile`] is written under a hidden name in its folder, synced and renamed. A program that
//! is killed while writing leaves the hidden file; the next program that writes a file of the same
//! name removes it. A program that is still writing holds a lock on its hidden file, which protects
//! it from removal. The system releases the lock when the program ends, however it ends. On a
//! system without locks nothing is removed. A symbolic link is followed, not replaced, and a
//! read-only file is left alone.
//!
//! [`open`] and [`read`] accept regular files only: a pipe without a writer would never end, and a
//! device may have no end. [`Place`] tells whether two names are of one file.
//!
//! A [`journal`] keeps the finished pieces of an experiment, so that a killed experiment can
//! continue. A [`Record`] is a journal that is open while pieces are added, and [`Planned`] is the
//! plan in its first line.
//!
//! [`read_text`] and [`TextReader`] read texts as other programs write them, and name the kind of a
//! file that is not a text. A [`Sheet`] is a table in any of the forms that spreadsheets and data
//! frames write.
//!
//! [`memory`] says how much memory the process takes, and how much it may take.
//!
//! ```
//! use std::fs;
//! use std::io::Write;
//!
//! use treegauge_store::WholeFile;
//!
//! # fn main() -> std::io::Result<()> {
//! let folder = tempfile::tempdir()?;
//! let path = folder.path().join("report.txt");
//!
//! let mut file = WholeFile::create(&path)?;
//! write!(file, "5478 positions")?;
//! assert!(!path.exists(), "nothing is there before the file is whole");
//! file.finish()?;
//! assert_eq!(fs::read_to_string(&path)?, "5478 positions");
//!
//! // A file that is dropped leaves the earlier one in place.
//! let mut second = WholeFile::create(&path)?;
//! write!(second, "half a li")?;
//! drop(second);
//! assert_eq!(fs::read_to_string(&path)?, "5478 positions");
//! assert_eq!(fs::read_dir(folder.path())?.count(), 1);
//! # Ok(())
//! # }
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

pub mod journal;
pub mod memory;

mod csv_text;
mod games_header;
mod keep;
mod lock;
mod place;
mod planned;
mod record;
mod regular;
mod sheet;
mod text;

use tempfile::NamedTempFile;
use xxhash_rust::xxh3::xxh3_64;

pub use csv_text::csv_text;
pub use games_header::GamesHeader;
pub use keep::PieceSink;
pub use lock::lock;
pub use place::Place;
pub use planned::{
    GAMES_MAX, INSTANCES_MAX, MissingParts, OtherPart, Pieces, Planned, Shard, ShardError,
};
pub use record::Record;
pub use regular::{check_regular, open, open_device, read};
pub use sheet::{Sheet, SheetRow, has_no_value};
pub use text::{NotText, TextReader, read_text, text_of};

/// Number of letters and digits after a hidden name's last hyphen.
const RANDOM_LEN: usize = 6;

/// File that is written under a temporary name. If it is dropped before [`WholeFile::finish`], it
/// leaves nothing.
#[derive(Debug)]
pub struct WholeFile {
    path: PathBuf,
    file: NamedTempFile,
}

impl WholeFile {
    /// Begins a new file at `path`, which appears there on [`WholeFile::finish`]. If `path` is a
    /// symbolic link, the file appears at the link's target. It will have the permissions of the
    /// file that it replaces, or else those of an ordinary new file.
    ///
    /// # Errors
    ///
    /// When the folder does not exist, no file can be created there, or the existing file is
    /// read-only.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let path = &place::followed(path)?;
        if fs::metadata(path).is_ok_and(|there| there.permissions().readonly()) {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only"));
        }
        let folder = folder_of(path);
        if !folder.is_dir() {
            let message = format!("there is no folder {}", folder.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        let prefix = hidden_prefix(path).ok_or(io::ErrorKind::InvalidFilename)?;
        remove_left(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).rand_bytes(RANDOM_LEN);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // Temporary files are for their owner only; the user's umask is applied to these.
            let mode = fs::metadata(path).map_or(0o666, |found| found.permissions().mode() & 0o777);
            builder.permissions(fs::Permissions::from_mode(mode));
        }
        loop {
            let file = builder.tempfile_in(folder)?;
            // Until it is locked, another program may remove the file as an abandoned one.
            let is_taken = matches!(lock(file.as_file()), Err(TryLockError::WouldBlock));
            if !is_taken && file.path().exists() {
                return Ok(WholeFile { path: path.to_owned(), file });
            }
        }
    }

    /// Syncs the file to the disk and renames it to its name.
    ///
    /// # Errors
    ///
    /// When it cannot be synced or renamed. The earlier file is then unchanged.
    pub fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(self.path)?;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WholeFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Removes the hidden files for `path` that ended programs left, as [`WholeFile::create`] does.
/// Files that cannot be removed stay.
pub fn remove_left(path: &Path) {
    for hidden in hidden_files(path) {
        let _ = remove_unlocked(&hidden);
    }
}

/// Removes a file, and the hidden files for it whether or not a program still writes to them: for a
/// program that ends while it writes to a file of its own. Files that cannot be removed stay.
pub fn abandon(path: &Path) {
    // A hidden file that gets its name meanwhile is removed by that name.
    for file in hidden_files(path).iter().map(PathBuf::as_path).chain([path]) {
        let _ = fs::remove_file(file);
    }
}

/// Hidden files for `path`, of this program and of others.
fn hidden_files(path: &Path) -> Vec<PathBuf> {
    let followed = place::followed(path);
    let path = followed.as_deref().unwrap_or(path);
    let (Some(prefix), Ok(entries)) = (hidden_prefix(path), fs::read_dir(folder_of(path))) else {
        return Vec::new();
    };
    let is_ours = |entry: &fs::DirEntry| {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(&prefix));
        random.is_some_and(|random| {
            random.len() == RANDOM_LEN && random.bytes().all(|c| c.is_ascii_alphanumeric())
        }) && entry.file_type().is_ok_and(|kind| kind.is_file())
    };
    entries.flatten().filter(is_ours).map(|entry| entry.path()).collect()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Prefix of the hidden names of a file. It contains a hash of the file's name, which separates it
/// from those of other files and has a fixed length.
fn hidden_prefix(path: &Path) -> Option<String> {
    Some(format!(".treegauge-{:016x}-", xxh3_64(path.file_name()?.as_encoded_bytes())))
}

/// Removes a file unless a program holds a lock on it.
fn remove_unlocked(path: &Path) -> io::Result<()> {
    // Some systems lock only writable files; some files cannot be opened for writing.
    let file = OpenOptions::new().write(true).open(path).or_else(|_| File::open(path))?;
    file.try_lock()?;
    // If the file was renamed after it was opened, the hidden name no longer exists.
    fs::remove_file(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Creates the hidden file of a killed program, which has no lock.
    fn left(path: &Path) -> String {
        let (_, hidden) = WholeFile::create(path).unwrap().file.keep().unwrap();
        hidden.file_name().unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn a_file_is_there_when_it_is_finished() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        drop(WholeFile::create(&path).unwrap());
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[test]
    fn what_killed_programs_left_of_a_file_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        let kept = left(&other);
        let stale = left(&path);
        // Names of another length, and with a character that no hidden name has.
        let prefix = hidden_prefix(&path).unwrap();
        let strange = [format!("{prefix}abcdefg"), format!("{prefix}abc.de")];
        strange.iter().for_each(|name| fs::write(folder.path().join(name), "").unwrap());
        let mut others = vec![kept];
        others.extend(strange);
        others.sort();
        assert!(names(folder.path()).contains(&stale));
        drop(WholeFile::create(&path).unwrap());
        assert_eq!(names(folder.path()), others);
    }

    #[test]
    fn an_abandoned_file_leaves_nothing_while_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let [path, other] = ["file", "other"].map(|name| folder.path().join(name));
        let mut written = WholeFile::create(&path).unwrap();
        written.write_all(b"half").unwrap();
        fs::write(&path, b"before").unwrap();
        let of_other = WholeFile::create(&other).unwrap();
        let hidden = of_other.file.path().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(names(folder.path()).len(), 3);
        abandon(&path);
        assert_eq!(names(folder.path()), [hidden]);
        assert!(written.finish().is_err());
        assert!(!path.exists());
    }

    #[test]
    fn two_programs_write_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let [mut first, mut second] = [(); 2].map(|()| WholeFile::create(&path).unwrap());
        first.write_all(b"first").unwrap();
        second.write_all(b"second").unwrap();
        first.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        second.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_those_of_the_file_that_is_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for mode in [0o600, 0o640] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let mut file = WholeFile::create(&path).unwrap();
            file.write_all(b"new").unwrap();
            file.finish().unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
            fs::remove_file(&path).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_read_only_file_is_left_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let error = WholeFile::create(&path).unwrap_err();
        assert_eq!(error.to_string(), "it is read-only");
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["file"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_symbolic_link_is_followed_also_to_a_file_that_is_not_there() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [there, links] = ["there", "links"].map(|name| folder.path().join(name));
        fs::create_dir(&there).unwrap();
        fs::create_dir(&links).unwrap();
        symlink("../there/file", links.join("file")).unwrap();
        symlink(links.join("file"), links.join("again")).unwrap();
        for bytes in ["new", "newer"] {
            let mut file = WholeFile::create(&links.join("again")).unwrap();
            file.write_all(bytes.as_bytes()).unwrap();
            file.finish().unwrap();
            assert_eq!(fs::read_to_string(there.join("file")).unwrap(), bytes);
        }
        assert!(links.join("again").is_symlink() && links.join("file").is_symlink());
        assert_eq!(
            (names(&there), names(&links)),
            (vec!["file".into()], vec!["again".into(), "file".into()])
        );
        symlink("circle", links.join("circle")).unwrap();
        assert!(WholeFile::create(&links.join("circle")).is_err());
    }

    #[test]
    fn what_is_no_name_and_no_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(WholeFile::create(&folder.path().join("..")).is_err());
        let error = WholeFile::create(&folder.path().join("none/file")).unwrap_err();
        assert!(error.to_string().starts_with("there is no folder "), "{error}");
    }
}
