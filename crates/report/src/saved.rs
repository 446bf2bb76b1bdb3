//! Reports saved as JSON.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use treegauge_core::ReportKind;

use crate::boards::Document;
use crate::bounds::check_bounds;

/// A kind of report that can be read.
#[derive(Clone, Copy)]
pub struct SavedKind {
    /// Value of `"kind"` in the JSON of the report.
    pub name: &'static str,
    read: fn(&str) -> Result<Box<dyn Document>, String>,
}

impl SavedKind {
    /// Kind of the report type `R`.
    pub const fn of<R: ReportKind + Document + DeserializeOwned + 'static>() -> Self {
        SavedKind { name: R::KIND, read: read_as::<R> }
    }
}

impl fmt::Debug for SavedKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Reason why a text is not a readable report.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SavedError {
    /// The text is not a JSON object with a `"kind"`.
    NoReport {
        /// Description of the error.
        reason: String,
    },
    /// The kind is not among the readable ones.
    Kind {
        /// Kind of the text.
        kind: String,
        /// Names of the readable kinds.
        known: Vec<&'static str>,
    },
    /// The report has another schema version, lacks fields, or its parts do not fit together.
    Fields {
        /// Kind of the report.
        kind: &'static str,
        /// Description of the error.
        reason: String,
    },
}

impl fmt::Display for SavedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SavedError::NoReport { reason } => {
                write!(f, "not the JSON of a saved report: {reason}")
            }
            SavedError::Kind { kind, known } => {
                write!(
                    f,
                    "unknown kind of report {kind:?}; the known ones are {}",
                    known.join(", ")
                )
            }
            SavedError::Fields { kind, reason } => {
                write!(f, "bad report of kind {kind:?}: {reason}")
            }
        }
    }
}

impl std::error::Error for SavedError {}

/// Reads a report of one of `kinds` from its JSON.
///
/// # Errors
///
/// If the text is not a report of one of the kinds.
pub fn read_saved(
    kinds: impl Iterator<Item = SavedKind> + Clone,
    text: &str,
) -> Result<Box<dyn Document>, SavedError> {
    #[derive(Deserialize)]
    #[serde(expecting = "an object with a \"kind\"")]
    struct ReportHeader {
        kind: String,
    }
    let ReportHeader { kind } = serde_json::from_str(text)
        .map_err(|error| SavedError::NoReport { reason: error.to_string() })?;
    let Some(known) = kinds.clone().find(|known| known.name == kind) else {
        // Several tasks may have reports of one kind.
        let mut known: Vec<&'static str> = Vec::new();
        for name in kinds.map(|kind| kind.name) {
            if !known.contains(&name) {
                known.push(name);
            }
        }
        return Err(SavedError::Kind { kind, known });
    };
    let fields = |reason| SavedError::Fields { kind: known.name, reason };
    check_bounds(text.as_bytes()).map_err(|error| fields(error.to_string()))?;
    (known.read)(text).map_err(fields)
}

fn read_as<R: ReportKind + Document + DeserializeOwned + 'static>(
    text: &str,
) -> Result<Box<dyn Document>, String> {
    let report: R = serde_json::from_str(text).map_err(|error| error.to_string())?;
    report.check()?;
    Ok(Box::new(report))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PerftReport;
    use crate::boards::NoBoards;
    use treegauge_solve::report::ProbeReport;

    const KINDS: [SavedKind; 2] = [SavedKind::of::<PerftReport>(), SavedKind::of::<ProbeReport>()];

    fn read(text: &str) -> Result<Box<dyn Document>, SavedError> {
        read_saved(KINDS.into_iter(), text)
    }

    #[test]
    fn a_text_that_no_column_takes_is_refused() {
        let name = "x".repeat(70_000);
        let json = format!("{{\"schema\": 1, \"kind\": \"probe\", \"game\": \"{name}\"}}");
        let error = read(&json).err().unwrap().to_string();
        assert!(error.contains("a text of 70000 bytes, and 16384 are allowed"), "{error}");
    }

    #[test]
    fn a_report_is_read_by_its_kind() {
        let text = r#"{"schema":1,"kind":"perft","game":"g","position":"p","counts":[2,4]}"#;
        let report = read(text).unwrap();
        assert_eq!(report.game(), Some("g"));
        assert_eq!(
            report.doc(&NoBoards).text(treegauge_doc::TextStyle::default()),
            "g: 4 sequences of 2 plies.\n\n  1                    2\n  2                    4\n"
        );
        assert!(report.page(&NoBoards).contains("<title>"));
    }

    #[test]
    fn what_is_no_report_is_refused() {
        let error = |text: &str| read(text).unwrap_err().to_string();
        assert!(error("").starts_with("not the JSON of a saved report"), "{}", error(""));
        assert!(error(r#"{"schema":1}"#).contains("kind"), "{}", error(r#"{"schema":1}"#));
        let unknown = error(r#"{"schema":1,"kind":"gage"}"#);
        assert!(unknown.contains("\"gage\"") && unknown.contains("perft, probe"), "{unknown}");
        let newer =
            error(r#"{"schema":2,"kind":"perft","game":"g","position":"p","counts":[2,4]}"#);
        assert!(newer.contains("schema 2") && newer.contains("schema 1"), "{newer}");
        let lacking = error(r#"{"schema":1,"kind":"perft","game":"g","position":"p"}"#);
        assert!(lacking.contains("`counts`"), "{lacking}");
    }
}
