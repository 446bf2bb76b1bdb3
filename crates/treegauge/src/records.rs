//! Reading records of games.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use treegauge_store::journal::{
    Contents, Header, Journal, JournalError, Piece, is_cut, read_header,
};

use crate::{Error, ErrorKind, kind_hint};

/// Reads the first line of a record of games.
pub(crate) fn header_of(path: &Path) -> Result<Header, Error> {
    read_header(path).map_err(|error| match error {
        JournalError::Damaged { line: 1, .. } => other_file(path).map_or_else(
            || error.into(),
            |hint| bad(format!("{} is not a record of games{hint}", path.display())),
        ),
        error => error.into(),
    })
}

/// The hint at the kind of a file that does not begin like a record; `None` if it does, or cannot be read.
fn other_file(path: &Path) -> Option<String> {
    /// The first line of a record names its contents before this many bytes.
    const BEGIN: u64 = 1 << 16;
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(BEGIN).read_to_end(&mut bytes).ok()?;
    let has = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
    if has("\"holds\":") {
        return None;
    }
    let is_report = bytes.starts_with(b"{\"schema\":") && has("\"kind\":");
    let report = is_report.then_some("this is a saved report: use `report`");
    Some(kind_hint(&bytes).or(report).map_or(String::new(), |hint| format!("; {hint}")))
}

/// Content of the record at `path`, from its header's field `holds`.
pub(crate) fn kind_of_record(path: &Path) -> Result<String, Error> {
    let header = header_of(path)?;
    let held = header.get("holds").and_then(Value::as_str).map(str::to_owned);
    held.ok_or_else(|| {
        bad(format!(
            "{} is not a record of games: its first line does not name its contents",
            path.display()
        ))
    })
}

/// Reads a record of this kind. The run that writes it may have ended or still be running.
pub(crate) fn read_record<L: Piece>(path: &Path, kind: &str) -> Result<Contents<L>, Error> {
    let held = kind_of_record(path)?;
    if held != kind {
        return Err(bad(format!("{} holds {held:?}, not {kind:?}", path.display())));
    }
    Ok(Journal::read(path)?)
}

/// Warning that the unfinished last line of a record is left out; `None` if the record has none.
#[must_use]
pub fn cut_words(path: &Path) -> Option<String> {
    is_cut(path).unwrap_or(false).then(|| {
        format!(
            "the last line of {} has no end, and its game is left out: the run that wrote it was killed, \
             or is still in progress",
            path.display()
        )
    })
}

/// Creates an error of the kind [`ErrorKind::Data`].
pub(crate) fn bad(message: String) -> Error {
    Error::new(ErrorKind::Data, message)
}
