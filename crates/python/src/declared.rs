//! Declarations of all tasks, from which the functions of the package are written.

use pyo3::prelude::*;
use serde_json::{Value, json};
use treegauge::catalog::{FRAME, WORDS};
use treegauge::tasks::{KeptPlace, TASKS, TaskKind};
use treegauge::{Error, ErrorKind};

use crate::errors::OrRaise;

/// Every task as JSON: its listing, the options of its run, and the means that it can use.
#[pyfunction]
pub(crate) fn declared(py: Python<'_>) -> PyResult<String> {
    let tasks = TASKS.iter().map(declaration).collect::<Result<Vec<Value>, _>>();
    let text = tasks.and_then(|tasks| serde_json::to_string(&tasks));
    text.map_err(|error| Error::new(ErrorKind::Internal, error)).or_raise(py)
}

/// The words of texts of games as JSON: each with its sort, pattern, meaning and an example.
#[pyfunction]
pub(crate) fn words(py: Python<'_>) -> PyResult<String> {
    let frame = FRAME.iter().map(|word| {
        json!({
            "word": word.name, "sort": "part", "within": word.within, "pattern": word.pattern,
            "meaning": word.meaning, "example": word.example,
        })
    });
    let words = WORDS.iter().map(|word| {
        json!({
            "word": word.name, "sort": word.sort.title(), "within": "", "pattern": word.pattern(),
            "meaning": word.meaning, "example": word.example,
        })
    });
    let text = serde_json::to_string(&frame.chain(words).collect::<Vec<Value>>());
    text.map_err(|error| Error::new(ErrorKind::Internal, error)).or_raise(py)
}

fn declaration(kind: &TaskKind) -> Result<Value, serde_json::Error> {
    let files = kind.means.files.iter().map(|file| {
        json!({
            "name": file.name, "is_folder": file.is_folder, "is_required": file.is_required,
            "help": file.help,
        })
    });
    let kept = kind.means.kept.map(|kept| {
        json!({
            "name": kept.option(), "is_required": kept.is_required, "help": kept.help,
            "is_checkpoint": kept.place == KeptPlace::Checkpoint,
        })
    });
    Ok(json!({
        "task": serde_json::to_value(kind.listing())?,
        "run": serde_json::to_value(kind.run_listing())?,
        "threads": kind.means.threads,
        "memory": kind.means.memory,
        "files": files.collect::<Vec<_>>(),
        "kept": kept,
        "examples": kind.examples,
        "reports": kind.reports.iter().map(|kind| kind.name).collect::<Vec<_>>(),
    }))
}
