//! Contents of a folder, and the changes that a run made there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Result;

/// Greatest length of a file that is read, in bytes. Longer files are compared by length and time.
const READ_MAX: u64 = 64 << 20;

/// Entry of a folder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Thing {
    /// Contents of a file, without the parts that differ between equal runs.
    File(Vec<u8>),
    Large(u64, SystemTime),
    /// A file without permission to read.
    Closed(u64),
    Folder,
    Link(PathBuf),
    Pipe,
    Socket,
    Device,
}

/// All entries of a folder, by their relative paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot(BTreeMap<String, Thing>);

impl Snapshot {
    /// Takes a snapshot of the folder.
    pub(crate) fn of(folder: &Path) -> Result<Snapshot> {
        let mut snapshot = Snapshot::default();
        snapshot.add(folder, "")?;
        Ok(snapshot)
    }

    fn add(&mut self, folder: &Path, before: &str) -> Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = format!("{before}{}", entry.file_name().to_string_lossy());
            let (path, found) = (entry.path(), entry.metadata()?);
            let kind = found.file_type();
            let thing = if kind.is_dir() {
                self.add(&path, &format!("{name}/"))?;
                Thing::Folder
            } else if kind.is_symlink() {
                Thing::Link(fs::read_link(&path)?)
            } else if kind.is_fifo() {
                Thing::Pipe
            } else if kind.is_socket() {
                Thing::Socket
            } else if !kind.is_file() {
                Thing::Device
            } else if found.len() > READ_MAX {
                Thing::Large(found.len(), found.modified()?)
            } else {
                let bytes = fs::read(&path);
                bytes.map_or(Thing::Closed(found.len()), |bytes| Thing::File(steady(&bytes)))
            };
            self.0.insert(name, thing);
        }
        Ok(())
    }

    /// Entry with this name.
    pub(crate) fn get(&self, name: &str) -> Option<&Thing> {
        self.0.get(name)
    }

    /// Entries with the names that `keep` accepts.
    pub(crate) fn only(mut self, keep: impl Fn(&str) -> bool) -> Snapshot {
        self.0.retain(|name, _| keep(name));
        self
    }

    /// All names.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// First difference from `before` in words, ignoring the names in `but`; `None` if there is
    /// none.
    pub(crate) fn change_since(&self, before: &Snapshot, but: &[&str]) -> Option<String> {
        let kept = |name: &&str| !but.contains(name);
        for name in before.names().filter(kept) {
            match self.get(name) {
                None => return Some(format!("{name} is gone")),
                Some(now) if Some(now) != before.get(name) => {
                    return Some(format!("{name} is not what it was"));
                }
                Some(_) => {}
            }
        }
        let new = self.names().filter(kept).find(|name| before.get(name).is_none())?;
        Some(if new.starts_with('.') {
            "a hidden file is left".to_owned()
        } else {
            format!("{new} is new")
        })
    }
}

/// Text without the parts that differ between equal runs: the time and memory of a solve, and the
/// footer of a web page with the command and the day.
pub(crate) fn steady(bytes: &[u8]) -> Vec<u8> {
    let Ok(text) = std::str::from_utf8(bytes) else { return bytes.to_owned() };
    let mut text = text.to_owned();
    for (from, to) in [("\"peak_memory_bytes\":", ",}"), ("\"cpu_s\":", ",}"), ("<footer>", "")] {
        if let Some(at) = text.rfind(from) {
            let rest = &text[at + from.len()..];
            let end = if to.is_empty() { None } else { rest.find(|c| to.contains(c)) };
            let end = end.map_or(text.len(), |end| at + from.len() + end);
            text.replace_range(at + from.len()..end, "");
        }
    }
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.contains(" s of CPU time, at most ")).collect::<String>().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "1").unwrap();
        fs::create_dir(path("b")).unwrap();
        let before = Snapshot::of(folder.path()).unwrap();
        let change = |but: &[&str]| Snapshot::of(folder.path()).unwrap().change_since(&before, but);
        assert_eq!(change(&[]), None);
        fs::write(path("b/c"), "").unwrap();
        assert_eq!(change(&[]).as_deref(), Some("b/c is new"));
        assert_eq!(change(&["b/c"]), None);
        fs::write(path("a"), "2").unwrap();
        assert_eq!(change(&[]).as_deref(), Some("a is not what it was"));
        fs::remove_file(path("a")).unwrap();
        assert_eq!(change(&[]).as_deref(), Some("a is gone"));
        std::os::unix::fs::symlink("b", path("a")).unwrap();
        assert_eq!(change(&[]).as_deref(), Some("a is not what it was"));
    }

    #[test]
    fn times_and_feet_do_not_count_and_all_else_does() {
        let of = |text: &str| String::from_utf8(steady(text.as_bytes())).unwrap();
        assert_eq!(of("a\n0.01 s of CPU time, at most 11 MB of memory\nb"), "a\nb");
        assert_eq!(
            of("{\"x\":1,\"peak_memory_bytes\":12,\"cpu_s\":0.5}\n"),
            "{\"x\":1,\"peak_memory_bytes\":,\"cpu_s\":}\n"
        );
        assert_eq!(of("<p>1</p><footer>2026</footer></body>"), "<p>1</p><footer>");
        assert_ne!(of("wins 3"), of("wins 4"));
    }
}
