//! Reports that exist as JSON, written for people.

use std::collections::HashMap;
use std::path::Path;

use pyo3::prelude::*;
use treegauge::report::{Boards, TextStyle};
use treegauge::tasks::{TASKS, read_report};
use treegauge::{Error, ErrorKind, Game, TextBoards, rules_text};

use crate::errors::{OrRaise, caught};

/// Names of all kinds of reports.
#[pyfunction]
pub(crate) fn report_kinds() -> Vec<&'static str> {
    TASKS.iter().flat_map(|kind| kind.reports).map(|kind| kind.name).collect()
}

/// A report as `text`, `explained` (a text with reasons and methods), `page`, `part` or
/// `picture`. `sources` are texts of games by file name.
#[pyfunction]
pub(crate) fn write_report(
    py: Python<'_>,
    json: &str,
    form: &str,
    sources: HashMap<String, String>,
) -> PyResult<String> {
    py.detach(|| caught(|| written(json, form, &sources))).or_raise(py)
}

/// Greatest length of a report in a notebook, if leaving out pictures suffices.
const PART_BYTES_MAX: usize = 200_000;

fn written(json: &str, form: &str, sources: &HashMap<String, String>) -> Result<String, Error> {
    let report =
        read_report(json).map_err(|error| Error::new(ErrorKind::Data, error.to_string()))?;
    let open = &mut |file: &str| match sources.get(file) {
        Some(text) => Ok(text.clone()),
        None => rules_text(Path::new(file)),
    };
    // A game whose text is not there any more has no pictures.
    let boards: Box<dyn Boards> = match report.game().map(|game| Game::parse_with(game, open)) {
        Some(Ok(game)) => Box::new(game),
        _ => Box::new(TextBoards),
    };
    match form {
        "page" => Ok(report.page(&*boards)),
        "part" => Ok(report.doc(&*boards).part(PART_BYTES_MAX)),
        "picture" => match report.picture(&*boards) {
            Some(figure) => Ok(figure.picture.as_str().to_owned()),
            None => Err(Error::new(ErrorKind::Data, "a report of this kind has no picture")),
        },
        "explained" => {
            let style = TextStyle { explain: true, ..TextStyle::default() };
            Ok(report.doc(&*boards).text(style))
        }
        _ => Ok(report.doc(&*boards).text(TextStyle::default())),
    }
}
