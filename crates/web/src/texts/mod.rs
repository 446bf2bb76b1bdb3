//! Texts of games in the workspace: reading, saving, and earlier versions.
//!
//! A text is saved only over the text that its writer has seen: each has a tag, and a save names the
//! tag that it expects. Nothing waits between the look at the file and its replacement, so of two
//! pages that save at once one is told that the text has changed.
//!
//! Every saved text is kept as a version, in a folder of the text's own name within [`VERSIONS`]. A
//! text that another program wrote is kept before it is replaced.

pub(crate) mod checking;
pub(crate) mod difference;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use treegauge::catalog::{TEXT_BYTES_MAX, is_game};
use treegauge_store::{WholeFile, text_of};

use crate::answer::Refusal;
use crate::assets::hash;
use crate::workspace::{OWN, RUNS, VERSIONS, Workspace, check_upload_name};

/// Ending of the names of texts.
pub(crate) const ENDING: &str = ".rules";

/// Versions that are kept of a text.
const VERSIONS_MAX: usize = 50;

/// A text as it is in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SavedText {
    pub(crate) text: String,
    /// Hash of the text, by which a change of the file is noticed.
    pub(crate) tag: String,
    /// Time of the last change, in seconds since 1970.
    pub(crate) changed_s: u64,
}

/// An earlier version of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Version {
    /// Number, from 1 in the order of time.
    pub(crate) number: u32,
    /// Path in the workspace.
    pub(crate) path: String,
    pub(crate) saved_s: u64,
    pub(crate) bytes: u64,
}

/// The text that a save replaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Expected {
    /// None: the file is new.
    New,
    /// The text with this tag.
    Tag(String),
}

/// Reason why a text was not saved.
#[derive(Debug)]
pub(crate) enum NotSaved {
    Refused(Refusal),
    /// The file has another text than was expected, or is not there any more.
    Changed(Option<SavedText>),
}

impl From<Refusal> for NotSaved {
    fn from(refusal: Refusal) -> NotSaved {
        NotSaved::Refused(refusal)
    }
}

/// Reads a text. `name` is its path in the workspace.
pub(crate) fn read(workspace: &Workspace, name: &str) -> Result<SavedText, Refusal> {
    let path = workspace.find(name).filter(|path| path.is_file()).ok_or_else(|| missing(name))?;
    let saved = read_file(&path, name)?;
    let is_text = name.ends_with(ENDING) || is_game(&saved.text);
    if is_text { Ok(saved) } else { Err(no_game(name)) }
}

fn read_file(path: &Path, name: &str) -> Result<SavedText, Refusal> {
    let max = TEXT_BYTES_MAX as u64;
    let facts = fs::metadata(path).map_err(|_| missing(name))?;
    if facts.len() > max {
        let size = crate::pages::size_words(facts.len());
        let error = format!("`{name}` has {size}; the text of a game has up to 65.5 kB.");
        return Err(Refusal::new(413, error));
    }
    let refused = |why: String| Refusal::new(422, format!("`{name}` cannot be shown: {why}."));
    let bytes =
        treegauge_store::read(path, max).map_err(|error| refused(error.kind().to_string()))?;
    let text = text_of(bytes).map_err(|error| refused(error.to_string()))?;
    if let Some(line) = control_line(&text) {
        return Err(refused(format!("line {line} has a control character")));
    }
    let changed = facts.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(SavedText { tag: hash(&text), text, changed_s: changed.map_or(0, |since| since.as_secs()) })
}

/// Checks a text that is to be saved or checked.
pub(crate) fn check_content(text: &str) -> Result<(), Refusal> {
    let refused = |status, error: String| {
        Err(Refusal { field: Some("text".to_owned()), ..Refusal::new(status, error) })
    };
    if text.len() > TEXT_BYTES_MAX {
        let size = crate::pages::size_words(text.len() as u64);
        return refused(413, format!("The text has {size}; a game has up to 65.5 kB."));
    }
    match control_line(text) {
        Some(line) => refused(400, format!("Line {line} of the text has a control character.")),
        None => Ok(()),
    }
}

/// The first line with a control character that no text needs.
fn control_line(text: &str) -> Option<usize> {
    let is_strange = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    let lines = text.split('\n').enumerate();
    lines.filter(|(_, line)| line.contains(is_strange)).map(|(n, _)| n + 1).next()
}

/// Place of a text that is written: that of the file, or a new one in a folder that is there.
fn place(workspace: &Workspace, name: &str) -> Result<PathBuf, Refusal> {
    let pieces: Vec<&str> = name.split('/').collect();
    if pieces[0] == RUNS {
        let error = "The files of runs stay as they are. Save the text under another name.";
        return Err(refused_name(400, error));
    }
    if let Some(path) = workspace.find(name) {
        return if path.is_file() && !pieces[0].starts_with('.') {
            Ok(path)
        } else {
            Err(refused_name(409, format!("`{name}` is not a file.")))
        };
    }
    for piece in &pieces {
        check_upload_name(piece)?;
    }
    let (file, folders) = pieces.split_last().expect("a split text has a part");
    if file.strip_suffix(ENDING).is_none_or(str::is_empty) {
        let error = format!("The name of a text ends with `{ENDING}`, as in `mygame{ENDING}`.");
        return Err(refused_name(400, error));
    }
    let folder =
        match folders {
            [] => workspace.root().to_owned(),
            folders => workspace.find(&folders.join("/")).filter(|path| path.is_dir()).ok_or_else(
                || refused_name(404, format!("There is no folder `{}`.", folders.join("/"))),
            )?,
        };
    let path = folder.join(file);
    // A link that leads nowhere, or out.
    if fs::symlink_metadata(&path).is_ok() {
        return Err(refused_name(409, format!("`{name}` is taken by something else.")));
    }
    Ok(path)
}

/// Saves a text, and keeps it and the one that it replaces as versions. Returns its tag.
pub(crate) fn save(
    workspace: &Workspace,
    name: &str,
    text: &str,
    expected: &Expected,
) -> Result<String, NotSaved> {
    check_content(text)?;
    let path = place(workspace, name)?;
    let current = match fs::metadata(&path) {
        Ok(_) => Some(read_file(&path, name)?),
        Err(_) => None,
    };
    match (expected, current) {
        (Expected::New, None) => {}
        (Expected::New, Some(_)) => {
            return Err(refused_name(409, format!("There is a file `{name}` already.")).into());
        }
        (Expected::Tag(tag), Some(current)) if *tag == current.tag => {
            if !name.ends_with(ENDING) && !is_game(&current.text) {
                return Err(no_game(name).into());
            }
            keep(workspace, name, &current.text)?;
        }
        (Expected::Tag(_), current) => return Err(NotSaved::Changed(current)),
    }
    write(&path, text)?;
    keep(workspace, name, text)?;
    Ok(hash(text))
}

/// Gives a text another name, with its earlier versions. Nothing is replaced.
pub(crate) fn rename(workspace: &Workspace, name: &str, to: &str) -> Result<(), Refusal> {
    let from = moved_from(workspace, name)?;
    let taken = || refused_name(409, format!("There is a file `{to}` already."));
    let place = place(workspace, to)?;
    if fs::symlink_metadata(&place).is_ok() {
        return Err(taken());
    }
    // A link appears only where nothing is.
    match fs::hard_link(&from, &place) {
        Ok(()) => fs::remove_file(&from).map_err(|error| unwritten(&error))?,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(taken()),
        Err(_) => fs::rename(&from, &place).map_err(|error| unwritten(&error))?,
    }
    let versions = workspace.find(&format!("{VERSIONS}/{name}"));
    if let Some(versions) = versions.filter(|versions| versions.is_dir())
        && workspace.find(&format!("{VERSIONS}/{to}")).is_none()
    {
        let above = to.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("/{folder}"));
        let above = workspace.folder(&format!("{VERSIONS}{above}"));
        let last = to.rsplit('/').next().unwrap_or(to);
        // The text has its new name; versions that cannot be moved stay where they are.
        _ = above.and_then(|above| fs::rename(versions, above.join(last)));
    }
    Ok(())
}

/// Moves a text to the trash, in a folder of its own that begins with the time.
pub(crate) fn remove(workspace: &Workspace, name: &str, now_s: u64) -> Result<(), Refusal> {
    let from = moved_from(workspace, name)?;
    let last = name.rsplit('/').next().unwrap_or(name);
    let moved = (0..1_000).find_map(|n| {
        let folder = format!("{OWN}/trash/{now_s}-{n}-text");
        let is_new = fs::symlink_metadata(workspace.root().join(&folder)).is_err();
        is_new.then(|| workspace.folder(&folder))
    });
    let full = || Refusal::busy("The trash is full of texts of this second. Try again.");
    let folder = moved.ok_or_else(full)?.map_err(|error| unwritten(&error))?;
    fs::rename(&from, folder.join(last)).map_err(|error| unwritten(&error))
}

/// Path of a text that is moved: a file, and not that of a run.
fn moved_from(workspace: &Workspace, name: &str) -> Result<PathBuf, Refusal> {
    read(workspace, name)?;
    let first = name.split('/').next().unwrap_or_default();
    if first == RUNS || first.starts_with('.') {
        return Err(refused_name(400, "The files of runs stay as they are."));
    }
    let path = workspace.root().join(name);
    // A link is not what it leads to.
    let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
    if is_file { Ok(path) } else { Err(refused_name(409, format!("`{name}` is a link."))) }
}

/// Keeps a text as the newest version, unless it is that already.
fn keep(workspace: &Workspace, name: &str, text: &str) -> Result<(), Refusal> {
    let versions = versions(workspace, name);
    if let Some(last) = versions.first()
        && read_version(workspace, name, last.number).is_ok_and(|last| last.text == text)
    {
        return Ok(());
    }
    let folder =
        workspace.folder(&format!("{VERSIONS}/{name}")).map_err(|error| unwritten(&error))?;
    let place = |number: u32| folder.join(format!("{number}{ENDING}"));
    let mut number = versions.first().map_or(1, |last| last.number + 1);
    // A link in the place of a version could lead out of the workspace.
    while fs::symlink_metadata(place(number)).is_ok() {
        number += 1;
    }
    write(&place(number), text)?;
    for old in versions.iter().skip(VERSIONS_MAX - 1) {
        // One that cannot be removed stays.
        _ = fs::remove_file(place(old.number));
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let write = || {
        let mut file = WholeFile::create(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    };
    write().map_err(|error| unwritten(&error))
}

/// Versions of a text, the newest first.
pub(crate) fn versions(workspace: &Workspace, name: &str) -> Vec<Version> {
    let path = format!("{VERSIONS}/{name}");
    let entries = workspace.find(&path).and_then(|folder| fs::read_dir(folder).ok());
    let version = |entry: fs::DirEntry| {
        let file = entry.file_name();
        let number = file.to_str()?.strip_suffix(ENDING)?.parse().ok()?;
        let facts = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        let saved = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        let path = format!("{path}/{number}{ENDING}");
        Some(Version { number, path, saved_s: saved.as_secs(), bytes: facts.len() })
    };
    let mut versions: Vec<Version> =
        entries.into_iter().flatten().flatten().filter_map(version).collect();
    versions.sort_by_key(|version| std::cmp::Reverse(version.number));
    versions
}

/// Reads a version of a text.
pub(crate) fn read_version(
    workspace: &Workspace,
    name: &str,
    number: u32,
) -> Result<SavedText, Refusal> {
    let path = workspace.find(&format!("{VERSIONS}/{name}/{number}{ENDING}"));
    let gone = || {
        let hint = format!("The last {VERSIONS_MAX} versions are kept.");
        Refusal::not_found(format!("`{name}` has no version {number}.")).hint(hint)
    };
    read_file(&path.ok_or_else(gone)?, &format!("version {number} of {name}"))
}

/// Names of the texts of the workspace: files with the ending of texts. The files of runs are not among
/// them.
pub(crate) fn names(workspace: &Workspace) -> Vec<String> {
    workspace.files_with(ENDING)
}

fn missing(name: &str) -> Refusal {
    Refusal::not_found(format!("There is no text `{name}` in the workspace."))
        .hint("/texts lists the texts that are there.")
}

fn no_game(name: &str) -> Refusal {
    let hint =
        format!("The name of such a text ends with `{ENDING}`, or the text begins with `(game`.");
    Refusal::new(422, format!("`{name}` is not the text of a game.")).hint(hint)
}

fn refused_name(status: u16, error: impl Into<String>) -> Refusal {
    Refusal { field: Some("name".to_owned()), ..Refusal::new(status, error) }
}

fn unwritten(error: &std::io::Error) -> Refusal {
    Refusal::busy(format!("The workspace cannot be written: {}.", error.kind()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        let workspace = Workspace::new(folder.path()).unwrap();
        (folder, workspace)
    }

    fn saved(workspace: &Workspace, name: &str, text: &str, expected: Expected) -> String {
        save(workspace, name, text, &expected).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    }

    #[test]
    fn a_save_replaces_only_the_text_that_was_seen() {
        let (_folder, workspace) = workspace();
        let first = saved(&workspace, "a.rules", "one", Expected::New);
        let second = saved(&workspace, "a.rules", "two", Expected::Tag(first.clone()));
        let stale = save(&workspace, "a.rules", "three", &Expected::Tag(first));
        assert!(
            matches!(stale, Err(NotSaved::Changed(Some(now))) if now.text == "two" && now.tag == second)
        );
        let taken = save(&workspace, "a.rules", "three", &Expected::New);
        assert!(matches!(taken, Err(NotSaved::Refused(why)) if why.status == 409));
        assert_eq!(read(&workspace, "a.rules").unwrap().text, "two");
        fs::remove_file(workspace.root().join("a.rules")).unwrap();
        let gone = save(&workspace, "a.rules", "three", &Expected::Tag(second));
        assert!(matches!(gone, Err(NotSaved::Changed(None))));
        saved(&workspace, "a.rules", "three", Expected::New);
    }

    #[test]
    fn versions_are_kept_and_the_oldest_make_room() {
        let (_folder, workspace) = workspace();
        let mut tag = saved(&workspace, "inner/a.rules", "0", Expected::New);
        for n in 1..=60 {
            tag = saved(&workspace, "inner/a.rules", &n.to_string(), Expected::Tag(tag));
        }
        // Another program writes the file; its text is kept when the next one is saved.
        fs::write(workspace.root().join("inner/a.rules"), "other").unwrap();
        saved(&workspace, "inner/a.rules", "61", Expected::Tag(hash("other")));
        let versions = versions(&workspace, "inner/a.rules");
        assert_eq!(versions.len(), VERSIONS_MAX);
        let text = |n: u32| read_version(&workspace, "inner/a.rules", n).unwrap().text;
        let last = versions[0].number;
        assert_eq!([last, last - 1, last - 2].map(text), ["61", "other", "60"]);
        assert!(read_version(&workspace, "inner/a.rules", 1).is_err());
        // The same text again adds no version.
        saved(&workspace, "inner/a.rules", "61", Expected::Tag(hash("61")));
        assert_eq!(super::versions(&workspace, "inner/a.rules")[0].number, last);
    }

    #[test]
    fn names_of_texts_stay_inside_and_say_what_they_are() {
        let (folder, workspace) = workspace();
        fs::create_dir_all(folder.path().join("runs/x")).unwrap();
        fs::write(folder.path().join("table.csv"), "a,b").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("/dev/null", folder.path().join("link.rules")).unwrap();
        for name in [
            "",
            ".rules",
            "a.txt",
            "../a.rules",
            "/a.rules",
            "a//b.rules",
            "none/a.rules",
            ".h/a.rules",
            "inner",
            "runs/x/a.rules",
            "a\\b.rules",
            "a:b.rules",
            "link.rules",
            ".treegauge/a.rules",
            "table.csv",
            "inner/../a.rules",
        ] {
            let tried = save(&workspace, name, "(game)", &Expected::New);
            assert!(matches!(tried, Err(NotSaved::Refused(_))), "{name}: {tried:?}");
        }
        let tag = hash("a,b");
        assert!(save(&workspace, "table.csv", "c", &Expected::Tag(tag)).is_err());
        assert_eq!(read(&workspace, "table.csv").unwrap_err().status, 422);
        saved(&workspace, "inner/a b (2).rules", "(game)", Expected::New);
        assert_eq!(names(&workspace), ["inner/a b (2).rules"]);
    }

    #[test]
    fn what_is_not_a_text_is_neither_shown_nor_saved() {
        let (folder, workspace) = workspace();
        for (name, bytes, status) in [
            ("latin.rules", &b"(game \"\xe9\")"[..], 422),
            ("nul.rules", b"(game \0)", 422),
            ("bell.rules", b"(game\n \x07)", 422),
            ("long.rules", &[b' '; 70_000], 413),
        ] {
            fs::write(folder.path().join(name), bytes).unwrap();
            assert_eq!(read(&workspace, name).unwrap_err().status, status, "{name}");
        }
        assert_eq!(check_content("a\u{7}").unwrap_err().status, 400);
        assert_eq!(check_content(&" ".repeat(70_000)).unwrap_err().status, 413);
        assert!(check_content("a\r\n\tb\u{e9}").is_ok());
    }
}
