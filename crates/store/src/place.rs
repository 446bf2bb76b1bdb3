//! Identity of files under different names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Greatest number of symbolic links followed one after the other. More are treated as a circle.
const LINKS_MAX: usize = 40;

/// Follows the symbolic links at the end of a path, whether a file exists there or not.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::read_link(&path) {
            Ok(to) => path = super::folder_of(&path).join(to),
            // The path is not a link, or does not exist.
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its symbolic links lead in a circle"))
}

/// Location of a file, independent of its name: two names of one file have the same place.
///
/// ```
/// use treegauge_store::Place;
///
/// # fn main() -> std::io::Result<()> {
/// let folder = tempfile::tempdir()?;
/// let [file, other] = ["file", "other"].map(|name| folder.path().join(name));
/// std::fs::write(&file, "5478 positions")?;
/// let place = Place::of(&file)?;
/// assert!(place.is_same(&Place::of(&folder.path().join("./file"))?));
/// // Nothing need be there.
/// assert!(!place.is_same(&Place::of(&other)?));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Place {
    path: PathBuf,
    /// Device and number of an existing file, if the system has them: hard links share them.
    identity: Option<(u64, u64)>,
}

impl Place {
    /// Finds the place of a file, which need not exist.
    ///
    /// # Errors
    ///
    /// When the folder does not exist, or links lead in a circle.
    pub fn of(path: &Path) -> io::Result<Place> {
        let path = followed(path)?;
        let identity = identity(&path);
        let path = match fs::canonicalize(&path) {
            Ok(path) => path,
            Err(_) => fs::canonicalize(super::folder_of(&path))?
                .join(path.file_name().unwrap_or(OsStr::new("."))),
        };
        Ok(Place { path, identity })
    }

    /// Returns whether both have the same name, with the same file or no file, if the system can
    /// tell.
    #[must_use]
    pub fn is_unchanged(&self, earlier: &Place) -> bool {
        self.path == earlier.path && self.identity == earlier.identity
    }

    /// Returns whether both are the same file.
    #[must_use]
    pub fn is_same(&self, other: &Place) -> bool {
        self.path == other.path || self.identity.is_some() && self.identity == other.identity
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn every_name_of_a_file_has_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let named = |name: &str| folder.path().join(name);
        fs::write(named("file"), "").unwrap();
        fs::create_dir(named("sub")).unwrap();
        fs::hard_link(named("file"), named("hard")).unwrap();
        std::os::unix::fs::symlink("file", named("soft")).unwrap();
        std::os::unix::fs::symlink("absent", named("dangling")).unwrap();
        let place = |name: &str| Place::of(&named(name)).unwrap();
        for name in ["file", "./file", "sub/../file", "hard", "soft"] {
            assert!(place("file").is_same(&place(name)), "{name}");
        }
        assert!(place("absent").is_same(&place("dangling")));
        for name in ["absent", "sub", "sub/file"] {
            assert!(!place("file").is_same(&place(name)), "{name}");
        }
        assert!(Place::of(&named("no_folder/file")).is_err());
        let before = place("hard");
        assert!(place("hard").is_unchanged(&before));
        fs::rename(named("file"), named("aside")).unwrap();
        fs::write(named("file"), "").unwrap();
        assert!(!place("file").is_unchanged(&before) && !place("aside").is_unchanged(&before));
    }
}
