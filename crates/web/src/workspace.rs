//! The workspace: the folder in which everything happens, and its files.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use serde_json::Value;
use treegauge::catalog::is_game;
use treegauge::tasks::Root;
use treegauge::{FileKind, kind_hint};

use crate::answer::Refusal;

/// Folder of the program's own files in a workspace.
pub(crate) const OWN: &str = ".treegauge";

/// Folder of the earlier versions of texts, the only one of the program's own that runs and pages
/// read.
pub(crate) const VERSIONS: &str = ".treegauge/versions";

/// Folder of the runs in a workspace.
pub(crate) const RUNS: &str = "runs";

/// Ending of solution files.
pub(crate) const SOLUTION_ENDING: &str = ".tgs";

/// A workspace.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    root: Root,
}

/// An entry of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Path in the workspace.
    pub(crate) path: String,
    pub(crate) is_folder: bool,
    pub(crate) bytes: u64,
    pub(crate) kind: &'static str,
}

/// The greatest number of entries that a folder shows.
const ENTRIES_MAX: usize = 2_000;

/// The greatest number of files of a kind that are listed, and the greatest depth of folders that are
/// searched for them.
const LISTED_MAX: usize = 500;
const DEPTH_MAX: usize = 4;

impl Workspace {
    /// The workspace of a folder.
    pub(crate) fn new(folder: &Path) -> io::Result<Workspace> {
        Ok(Workspace { root: Root::new(folder)? })
    }

    /// Its folder.
    pub(crate) fn root(&self) -> &Path {
        self.root.folder()
    }

    /// A name in the workspace, of `stem` and `ending`, that no file has.
    pub(crate) fn free_name(&self, stem: &str, ending: &str) -> String {
        let name = |n: usize| match n {
            1 => format!("{stem}{ending}"),
            n => format!("{stem}-{n}{ending}"),
        };
        let is_free = |name: &String| self.root().join(name).symlink_metadata().is_err();
        (1..10_000).map(name).find(is_free).unwrap_or_else(|| name(10_000))
    }

    /// Makes a folder of the program in the workspace, and returns its path.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or a link stands in its place: links may lead out of the workspace.
    pub(crate) fn folder(&self, name: &str) -> io::Result<PathBuf> {
        let mut folder = self.root().to_owned();
        for part in name.split('/') {
            folder.push(part);
            // It is made before it is looked at: another process may make it at the same time.
            let Err(error) = fs::create_dir(&folder) else { continue };
            match fs::symlink_metadata(&folder) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    let error = format!("`{part}` is a file or a link, and a folder is needed");
                    return Err(io::Error::new(io::ErrorKind::AlreadyExists, error));
                }
                Err(_) => return Err(error),
            }
        }
        Ok(folder)
    }

    /// Checks that a file or a folder, with all that it holds, lies within.
    ///
    /// # Errors
    ///
    /// The reason in words.
    pub(crate) fn check(&self, path: &Path) -> Result<(), String> {
        self.root.check(path)
    }

    /// Path of a file or folder that is there; `None` if the name is not that of one inside.
    ///
    /// A name has no `..`, empty or hidden part, no backslash and no colon, and is not absolute. A link
    /// that leads out of the workspace leads nowhere. The folder of earlier versions is not hidden.
    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.');
        let inner = name.strip_prefix(VERSIONS).and_then(|rest| rest.strip_prefix('/'));
        let is_safe =
            inner.unwrap_or(name).split('/').all(is_plain) && !name.contains(['\\', ':', '\0']);
        let path = self.root().join(Some(name).filter(|_| is_safe)?).canonicalize().ok()?;
        self.holds(&path).then_some(path)
    }

    /// Whether a canonical path lies inside, and not among the program's own files.
    fn holds(&self, path: &Path) -> bool {
        let is_own = |rest: &Path| rest.starts_with(OWN) && !rest.starts_with(VERSIONS);
        path.strip_prefix(self.root()).is_ok_and(|rest| !is_own(rest))
    }

    /// Checks that the values of a task name no file outside of the workspace.
    ///
    /// Any part of a value may name a file: the value itself, an entry of a list, a parameter as in
    /// `rules(file=PATH)`. So each part is refused that could lead out, whatever the field means. Only
    /// texts of positions and moves are not looked at, since nothing opens them.
    pub(crate) fn check_task(
        &self,
        fields: &serde_json::Map<String, Value>,
    ) -> Result<(), Refusal> {
        for (field, value) in fields {
            if matches!(field.as_str(), "position" | "moves") {
                continue;
            }
            let values = match value {
                Value::Array(values) => values.as_slice(),
                value => std::slice::from_ref(value),
            };
            for text in values.iter().filter_map(Value::as_str) {
                let refused = |why: Refusal| Refusal { field: Some(field.clone()), ..why };
                self.check_text(text).map_err(refused)?;
            }
        }
        Ok(())
    }

    /// Checks all parts of a text.
    pub(crate) fn check_text(&self, text: &str) -> Result<(), Refusal> {
        let parts = text.split(['(', ')', ',', '=']).map(str::trim);
        std::iter::once(text).chain(parts).try_for_each(|part| self.check_part(part))
    }

    fn check_part(&self, part: &str) -> Result<(), Refusal> {
        let missing = || Refusal::not_found(format!("There is no file `{part}` in the workspace."));
        if part == "-" {
            let error = "Standard input cannot be read here; upload the file and name it.";
            return Err(Refusal::new(400, error));
        }
        let path = Path::new(part);
        let is_plain = |one: Component<'_>| matches!(one, Component::Normal(_) | Component::CurDir);
        let leads_out = !path.components().all(is_plain)
            || part.contains(['\\', '\0'])
            || part.starts_with('~')
            || (cfg!(windows) && part.contains(':'));
        if leads_out {
            return Err(missing());
        }
        let path = self.root().join(path);
        if part.is_empty() || fs::symlink_metadata(&path).is_err() {
            return Ok(());
        }
        let Ok(real) = path.canonicalize() else { return Err(missing()) };
        let is_usable = real.is_file() || real.is_dir();
        if !self.holds(&real) || !is_usable {
            return Err(missing());
        }
        self.check(&real)
            .map_err(|reason| Refusal::not_found(format!("`{part}` cannot be read: {reason}.")))
    }

    /// Entries of a folder, by name, without hidden ones; `None` if there is no such folder. An empty
    /// name is that of the workspace.
    pub(crate) fn entries(&self, folder: &str) -> Option<Vec<Entry>> {
        let path = if folder.is_empty() { self.root().to_owned() } else { self.find(folder)? };
        let mut entries: Vec<Entry> = fs::read_dir(path)
            .ok()?
            .flatten()
            .filter_map(|found| {
                let name = found.file_name().into_string().ok()?;
                let path =
                    if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
                let real = self.find(&path)?;
                let facts = fs::metadata(&real).ok()?;
                let is_folder = facts.is_dir();
                if !is_folder && !facts.is_file() {
                    return None;
                }
                let kind = if is_folder { "a folder" } else { kind_of(&real) };
                Some(Entry { name, path, is_folder, bytes: facts.len(), kind })
            })
            .take(ENTRIES_MAX)
            .collect();
        entries.sort_by(|a, b| (!a.is_folder, &a.name).cmp(&(!b.is_folder, &b.name)));
        Some(entries)
    }

    /// Names of the folders in a folder, by name, without hidden ones and links; empty if there is no
    /// such folder. An empty name is that of the workspace.
    pub(crate) fn folders(&self, folder: &str) -> Vec<String> {
        let path = if folder.is_empty() { Some(self.root().to_owned()) } else { self.find(folder) };
        let entries = path.and_then(|path| fs::read_dir(path).ok());
        let is_folder = |found: &fs::DirEntry| found.file_type().is_ok_and(|kind| kind.is_dir());
        let found = entries.into_iter().flatten().flatten().filter(is_folder);
        let names = found.filter_map(|found| found.file_name().into_string().ok());
        let mut names: Vec<String> =
            names.filter(|name| !name.starts_with('.')).take(ENTRIES_MAX).collect();
        names.sort();
        names
    }

    /// Paths of the files with an ending, folder by folder, at most 500. The files of runs are not
    /// among them.
    pub(crate) fn files_with(&self, ending: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut folders = vec![(String::new(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let within = |name: &str| match folder.as_str() {
                "" => name.to_owned(),
                folder => format!("{folder}/{name}"),
            };
            let inner = self.folders(&folder).into_iter().map(|name| within(&name));
            let inner = inner.filter(|path| depth < DEPTH_MAX && path != RUNS);
            let inner: Vec<_> = inner.map(|path| (path, depth + 1)).collect();
            let place =
                if folder.is_empty() { Some(self.root().into()) } else { self.find(&folder) };
            let entries = place.and_then(|place| fs::read_dir(place).ok());
            let names = entries.into_iter().flatten().flatten().filter_map(|entry| {
                entry.file_name().into_string().ok().filter(|name| name.ends_with(ending))
            });
            let is_file = |path: &String| self.find(path).is_some_and(|real| real.is_file());
            paths.extend(names.map(|name| within(&name)).filter(is_file));
            folders.extend(inner);
        }
        paths.sort();
        paths.truncate(LISTED_MAX);
        paths
    }

    /// Free bytes of the disk; `None` if the system does not say.
    #[cfg(unix)]
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        let disk = rustix::fs::statvfs(self.root()).ok()?;
        Some(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    /// Free bytes of the disk; `None` if the system does not say.
    #[cfg(not(unix))]
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        None
    }
}

/// Kinds of files that are told by their content, in the order in which they are asked.
const KINDS: [FileKind; 12] = [
    FileKind::Solution,
    FileKind::Record,
    FileKind::Page,
    FileKind::Generation,
    FileKind::Model,
    FileKind::RatingModel,
    FileKind::Schema,
    FileKind::Table,
    FileKind::InstanceTable,
    FileKind::AttributeTable,
    FileKind::PuzzleTable,
    FileKind::Chart,
];

/// Kind of a table of chess puzzles, as that of the Lichess database.
pub(crate) const PROBLEMS: &str = "a table of chess puzzles";

/// Whether a table begins with the names of the columns of chess puzzles.
fn has_problems(text: &str) -> bool {
    let titles = text.lines().next().unwrap_or_default().split(',');
    let titles: Vec<String> = titles.map(|title| title.trim().to_lowercase()).collect();
    ["fen", "moves"].iter().all(|title| titles.iter().any(|one| one == title))
}

/// The kind of a file in words, by its content.
fn kind_of(path: &Path) -> &'static str {
    let mut head = Vec::new();
    let read = treegauge_store::open(path).and_then(|file| file.take(4096).read_to_end(&mut head));
    if read.is_err() {
        return "a file that cannot be read";
    }
    if head.is_empty() {
        return "an empty file";
    }
    if let Some(kind) = KINDS.iter().find(|kind| kind.is_of(path).unwrap_or(false)) {
        return kind.words();
    }
    let text = String::from_utf8_lossy(&head);
    if kind_hint(&head).is_some() {
        "a record"
    } else if is_game(&text) {
        "a text that describes a game"
    } else if has_problems(&text) {
        PROBLEMS
    } else if text.starts_with("{\"schema\":1,\"kind\":\"") {
        "a report"
    } else {
        "another file"
    }
}

/// Checks the name of a file that is uploaded.
pub(crate) fn check_upload_name(name: &str) -> Result<(), Refusal> {
    let is_allowed = |c: char| c.is_alphanumeric() || "-_.() ,+=".contains(c);
    let is_name = !name.is_empty()
        && name.len() <= 120
        && name.chars().all(is_allowed)
        && name.chars().next().is_some_and(char::is_alphanumeric)
        && !name.ends_with(['.', ' ']);
    if is_name {
        return Ok(());
    }
    let error = "A file has a name of up to 120 letters, digits, spaces and `-_.(),+=`, and begins with a letter or a digit.";
    Err(Refusal { field: Some("name".to_owned()), ..Refusal::new(400, error) })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::create_dir(folder.path().join("inner").join(OWN)).unwrap();
        fs::write(folder.path().join("inner/my.rules"), "(game \"x\")").unwrap();
        fs::write(folder.path().join("inner").join(OWN).join("own"), "secret").unwrap();
        fs::write(folder.path().join("canary"), "secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../canary", folder.path().join("inner/link")).unwrap();
        let workspace = Workspace::new(&folder.path().join("inner")).unwrap();
        (folder, workspace)
    }

    #[test]
    fn a_name_that_leads_out_finds_nothing() {
        let (_folder, workspace) = workspace();
        assert!(workspace.find("my.rules").is_some());
        for name in [
            "",
            ".",
            "..",
            "../canary",
            "/etc/passwd",
            "a/../my.rules",
            "./my.rules",
            "my.rules/",
            "link",
            "a\\..\\b",
            "C:",
            "//my.rules",
            ".treegauge/own",
        ] {
            assert!(workspace.find(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_folder_that_two_make_at_once_is_there_for_both() {
        let (_outer, workspace) = workspace();
        for n in 0..200 {
            let name = format!("runs/{n}");
            let make = || workspace.folder(&name).map(|made| made.is_dir()).map_err(|e| e.kind());
            let made = std::thread::scope(|scope| {
                let both = [scope.spawn(make), scope.spawn(make)];
                both.map(|one| one.join().unwrap())
            });
            assert_eq!(made, [Ok(true), Ok(true)], "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn no_folder_is_made_through_a_link() {
        let (outer, workspace) = workspace();
        assert!(workspace.folder("runs/a").unwrap().is_dir() && workspace.folder("runs").is_ok());
        fs::create_dir(outer.path().join("outside")).unwrap();
        std::os::unix::fs::symlink("../outside", workspace.root().join("out")).unwrap();
        for name in ["out", "out/a", "my.rules"] {
            assert!(workspace.folder(name).is_err(), "{name}");
        }
        assert!(!outer.path().join("outside/a").exists());
    }

    #[test]
    fn no_part_of_a_value_leads_out() {
        let (_folder, workspace) = workspace();
        let check = |value: &str| {
            workspace.check_task(json!({"game": value, "position": "../.. x"}).as_object().unwrap())
        };
        for value in [
            "tic_tac_toe",
            "my.rules",
            "rules(file=my.rules,size=3)",
            "mnk(rows=3..9)",
            "1/16,1/4,1,4",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "uct(iterations=20)",
            "./my.rules",
        ] {
            assert_eq!(check(value), Ok(()), "{value}");
        }
        for value in [
            "/etc/passwd",
            "../canary",
            "rules(file=/etc/passwd)",
            "rules(file=../canary)",
            "link",
            "rules(file=link,a=1)",
            "perfect(file= ../canary )",
            "a,../canary",
            "a/../../canary",
            "~/x",
            "-",
            "rules(file=-)",
            ".treegauge/own",
            "rules(file=a\\b)",
        ] {
            assert!(check(value).is_err(), "{value}");
        }
    }

    #[test]
    fn names_of_uploads_are_plain() {
        assert!(check_upload_name("my game (2).rules").is_ok());
        for name in ["", "..", ".hidden", "a/b", "a\\b", "a\0", "a:b", "-o", "a.", "<b>", "con\n"] {
            assert!(check_upload_name(name).is_err(), "{name:?}");
        }
    }
}
