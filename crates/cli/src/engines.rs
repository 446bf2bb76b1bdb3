//! Chess engines of this machine, and the file of their answers.

use std::path::{Path, PathBuf};
use std::{env, fs};

use treegauge::chess::Cache;
use treegauge::chess::UciError;
use treegauge::{Error, ErrorKind};

/// The engine of a name, or the one that is installed.
pub(crate) fn engine(named: Option<&Path>) -> Result<PathBuf, Error> {
    match named {
        Some(path) => found(path),
        None => installed(),
    }
}

/// The default file for answers; `None` if the user has no cache folder. A file that has become too large is removed.
pub(crate) fn standard_answers() -> Option<PathBuf> {
    let path = standard_cache()?;
    let is_large = path.metadata().is_ok_and(|found| found.len() > CACHE_BYTES_MAX);
    if is_large && Cache::open(&path).is_ok() {
        let _ = fs::remove_file(&path);
    }
    let _ = fs::remove_file(path.with_file_name(EARLIER_CACHE));
    Some(path)
}

/// The maximum size of the standard cache.
const CACHE_BYTES_MAX: u64 = 512 << 20;

/// The obsolete standard cache of earlier versions, in another format and up to 1 GB large.
const EARLIER_CACHE: &str = "engine-answers.redb";

/// The path of the standard cache; `None` if the user has no cache folder.
fn standard_cache() -> Option<PathBuf> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(folder.join("treegauge").join("engine-answers"))
}

/// The folders in which a shell looks for a program.
fn program_folders() -> Vec<PathBuf> {
    env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
}

/// Whether a file is executable.
fn is_program(path: &Path) -> bool {
    #[cfg(unix)]
    let may_run = |found: fs::Metadata| {
        std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 != 0
    };
    #[cfg(not(unix))]
    let may_run = |_: fs::Metadata| true;
    path.is_file() && path.metadata().is_ok_and(may_run)
}

/// The file of a program that a user named. A name without a slash is looked up in the folders of the shell, and only once,
/// so that the hashed file is the one that runs.
fn found(named: &Path) -> Result<PathBuf, Error> {
    let is_bare = named.components().count() == 1 && named.file_name() == Some(named.as_os_str());
    if !is_bare {
        return Ok(named.to_owned());
    }
    let found = program_folders().into_iter().map(|folder| folder.join(named));
    found.into_iter().find(|path| is_program(path)).ok_or_else(|| {
        let name = named.display();
        let here = if named.is_file() {
            format!("; --engine ./{name} is the file here")
        } else {
            String::new()
        };
        Error::new(
            ErrorKind::Engine,
            UciError::Start(format!("{name} is in no folder of PATH{here}")).to_string(),
        )
    })
}

/// The engine that is installed.
fn installed() -> Result<PathBuf, Error> {
    let named = program_folders().into_iter().map(|folder| folder.join("stockfish"));
    // Not every user has the games of Debian in the path.
    let mut all = named.chain([PathBuf::from("/usr/games/stockfish")]);
    all.find(|path| is_program(path)).ok_or_else(|| {
        let message = "no engine was found: install `stockfish`, or name one with --engine PATH";
        Error::new(ErrorKind::Engine, message)
    })
}
