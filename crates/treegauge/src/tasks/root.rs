//! Files within one folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A folder that confines the files of a task: no name, and no link, leads out of it.
#[derive(Clone, Debug)]
pub struct Root(PathBuf);

/// The greatest number of entries of a folder that a task reads.
const ENTRIES_MAX: usize = 100_000;

impl Root {
    /// A root.
    ///
    /// # Errors
    ///
    /// When the folder does not exist.
    pub fn new(folder: &Path) -> io::Result<Root> {
        Ok(Root(folder.canonicalize()?))
    }

    /// The folder, without links in its path.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Checks that a file lies within, or a folder with all that it holds. Links within a folder lead to files within the
    /// root. A path that does not exist is left to its reader.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub fn check(&self, path: &Path) -> Result<(), String> {
        let Ok(real) = path.canonicalize() else {
            // A link to a missing file could lead a writer out.
            let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
            return if is_link { Err(OUTSIDE.to_owned()) } else { Ok(()) };
        };
        if !real.starts_with(&self.0) {
            return Err(OUTSIDE.to_owned());
        }
        if !real.is_dir() {
            return Ok(());
        }
        let (mut folders, mut entries) = (vec![real], 0);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(|error| error.to_string())? {
                let entry = entry.map_err(|error| error.to_string())?;
                let kind = entry.file_type().map_err(|error| error.to_string())?;
                entries += 1;
                if entries > ENTRIES_MAX {
                    return Err(format!("it holds more than {ENTRIES_MAX} files"));
                }
                if kind.is_symlink() {
                    let to = entry.path().canonicalize();
                    if !to.is_ok_and(|to| to.is_file() && to.starts_with(&self.0)) {
                        let name = entry.file_name();
                        let name = name.to_string_lossy();
                        return Err(format!("the link `{name}` in it leads out of the workspace"));
                    }
                } else if kind.is_dir() {
                    folders.push(entry.path());
                }
            }
        }
        Ok(())
    }
}

/// The reason why a file outside is refused.
const OUTSIDE: &str = "it is not in the workspace";

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn neither_a_name_nor_a_link_leads_out() {
        let outer = tempfile::tempdir().unwrap();
        let at = |name: &str| outer.path().join(name);
        for folder in ["ws/data/parts", "ws/linked", "ws/loop", "ws/plain", "ws/dangling"] {
            fs::create_dir_all(at(folder)).unwrap();
        }
        fs::write(at("canary"), "").unwrap();
        fs::write(at("ws/file"), "").unwrap();
        symlink(at("canary"), at("ws/link")).unwrap();
        symlink(at("nothing"), at("ws/nowhere")).unwrap();
        symlink(at("canary"), at("ws/data/parts/a")).unwrap();
        symlink(at(""), at("ws/linked/out")).unwrap();
        symlink(at("ws/loop"), at("ws/loop/loop")).unwrap();
        symlink(at("ws/file"), at("ws/plain/a")).unwrap();
        symlink(at("nothing"), at("ws/dangling/a")).unwrap();
        let root = Root::new(&at("ws")).unwrap();
        for name in ["ws/file", "ws/plain", "ws/missing"] {
            assert_eq!(root.check(&at(name)), Ok(()), "{name}");
        }
        for name in [
            "canary",
            "",
            "ws/../canary",
            "ws/link",
            "ws/nowhere",
            "ws/data",
            "ws/linked",
            "ws/loop",
            "ws/dangling",
        ] {
            assert!(root.check(&at(name)).is_err(), "{name}");
        }
    }
}
