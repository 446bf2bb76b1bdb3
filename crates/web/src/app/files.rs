//! Files of the workspace: lists, downloads and uploads.

use std::cell::Cell;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};

use super::body::{BODY_TIME, too_long, too_slow};
use super::{App, Asked};
use crate::answer::{Answer, Content, HTML, Refusal};
use crate::pages;
use crate::route::Form;
use crate::workspace::{OWN, check_upload_name};

/// The longest file of the workspace that is sent.
pub(super) const FILE_BYTES_MAX: u64 = 1 << 28;

/// The longest upload, the time for it, and the number of uploads at once.
const UPLOAD_BYTES_MAX: u64 = 64 << 20;
const UPLOAD_TIME: Duration = Duration::from_secs(600);
const UPLOADS_MAX: usize = 8;

impl App {
    pub(super) fn files(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let folder = asked.field("folder").unwrap_or_default();
        let entries = self.workspace.entries(folder).ok_or_else(no_file)?;
        Ok(match form {
            Form::Page => Answer::new(HTML, pages::files(folder, &entries, asked.token())),
            Form::Json => {
                let entries: Vec<Value> = entries
                    .iter()
                    .map(|entry| {
                        json!({
                            "name": entry.name, "path": entry.path, "is_folder": entry.is_folder,
                            "bytes": entry.bytes, "kind": entry.kind,
                        })
                    })
                    .collect();
                Answer::json(
                    &json!({"schema": 1, "kind": "files", "folder": folder, "entries": entries}),
                )
            }
        })
    }

    pub(super) fn file(&self, names: &[String]) -> Result<Answer, Refusal> {
        // A name with a slash in it would be another path.
        if names.iter().any(|name| name.contains('/')) {
            return Err(no_file());
        }
        let path = self
            .workspace
            .find(&names.join("/"))
            .filter(|path| path.is_file())
            .ok_or_else(no_file)?;
        let size = fs::metadata(&path).map_or(0, |facts| facts.len());
        let name = names.last().map_or("file", String::as_str);
        if size > FILE_BYTES_MAX {
            let error = "The file has more than 256 MB. Take it from the folder of the workspace.";
            return Err(Refusal::new(413, error));
        }
        let file = treegauge_store::open(&path).map_err(|_| no_file())?;
        Ok(Answer::of(200, "application/octet-stream", stream_of(file, size)).attached(name))
    }

    pub(super) async fn upload(
        &self,
        asked: &Asked,
        mut body: Incoming,
    ) -> Result<Answer, Refusal> {
        let name = asked.field("name").unwrap_or_default();
        check_upload_name(name)?;
        let length = body.size_hint().exact();
        if length.is_some_and(|length| length > UPLOAD_BYTES_MAX) {
            return Err(too_long(UPLOAD_BYTES_MAX));
        }
        let place = self.workspace.root().join(name);
        if fs::symlink_metadata(&place).is_ok() {
            return Err(exists(name));
        }
        let _room = Room::of(&self.uploads)?;
        let folder = self.workspace.folder(&format!("{OWN}/uploads")).map_err(cannot)?;
        let mut file = tempfile_in(&folder).map_err(cannot)?;
        let end = Instant::now() + UPLOAD_TIME;
        let mut bytes: u64 = 0;
        loop {
            let due = end.min(Instant::now() + BODY_TIME);
            let frame = timeout_at(due, body.frame()).await.map_err(|_| too_slow())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|_| Refusal::new(400, "The body ended early."))?;
            let Ok(data) = frame.into_data() else { continue };
            bytes += data.len() as u64;
            if bytes > UPLOAD_BYTES_MAX {
                return Err(too_long(UPLOAD_BYTES_MAX));
            }
            file.file.write_all(&data).map_err(cannot)?;
        }
        put(&file, &place, name)?;
        Ok(Answer::json(&json!({"schema": 1, "kind": "uploaded", "path": name, "bytes": bytes}))
            .status(201))
    }

    /// Adds a file to the workspace. Its name was checked.
    pub(super) fn add_file(&self, name: &str, bytes: &[u8]) -> Result<(), Refusal> {
        let folder = self.workspace.folder(&format!("{OWN}/uploads")).map_err(cannot)?;
        let mut file = tempfile_in(&folder).map_err(cannot)?;
        file.file.write_all(bytes).map_err(cannot)?;
        put(&file, &self.workspace.root().join(name), name)
    }
}

/// Moves a file that was written to its place.
fn put(file: &Passing, place: &Path, name: &str) -> Result<(), Refusal> {
    file.file.sync_all().map_err(cannot)?;
    // A link appears only where nothing is, so no file is replaced.
    match fs::hard_link(&file.path, place) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Err(exists(name)),
        Err(_) if fs::symlink_metadata(place).is_ok() => Err(exists(name)),
        Err(_) => fs::rename(&file.path, place).map_err(cannot),
        Ok(()) => Ok(()),
    }
}

fn exists(name: &str) -> Refusal {
    let error = format!("There is a file `{name}` already.");
    Refusal { field: Some("name".to_owned()), ..Refusal::new(409, error) }
}

fn cannot(error: std::io::Error) -> Refusal {
    Refusal::busy(format!("The workspace cannot be written: {}.", error.kind()))
}

/// A file that is removed when it is dropped.
struct Passing {
    path: PathBuf,
    file: fs::File,
}

impl Drop for Passing {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.path);
    }
}

fn tempfile_in(folder: &Path) -> std::io::Result<Passing> {
    let path = folder.join(crate::secret::secret());
    let file = fs::File::options().write(true).create_new(true).open(&path)?;
    Ok(Passing { path, file })
}

/// The place of an upload among those that are under way.
struct Room<'a>(&'a Cell<usize>);

impl<'a> Room<'a> {
    fn of(count: &'a Cell<usize>) -> Result<Room<'a>, Refusal> {
        if count.get() >= UPLOADS_MAX {
            return Err(Refusal::busy("Too many files are being uploaded. Try again in a moment."));
        }
        count.set(count.get() + 1);
        Ok(Room(count))
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Reads a file in pieces, as fast as the client takes them.
fn stream_of(mut file: fs::File, size: u64) -> Content {
    const PIECE: u64 = 64 * 1024;
    if size <= PIECE {
        let mut bytes = Vec::new();
        // A file that became shorter is sent as it is.
        _ = file.take(PIECE).read_to_end(&mut bytes);
        return Content::Whole(bytes.into());
    }
    let (sender, stream) = tokio::sync::mpsc::channel(2);
    tokio::task::spawn_local(async move {
        loop {
            let mut piece = Vec::new();
            let read = (&mut file).take(PIECE).read_to_end(&mut piece);
            if !matches!(read, Ok(1..)) || sender.send(piece.into()).await.is_err() {
                return;
            }
        }
    });
    Content::Stream(stream, Rc::new(()))
}

fn no_file() -> Refusal {
    Refusal::not_found("There is no such file in the workspace.")
}
