//! Reading records of games.

use std::path::Path;

use serde_json::Value;
use treegauge_store::journal::{Contents, Journal, Piece, is_cut, read_header};

use crate::{Error, ErrorKind};

/// Content of the record at `path`, from its header's field `holds`.
pub(crate) fn kind_of_record(path: &Path) -> Result<String, Error> {
    let header = read_header(path)?;
    let held = header.get("holds").and_then(Value::as_str).map(str::to_owned);
    held.ok_or_else(|| bad(format!("{} is not a record: invalid header", path.display())))
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
