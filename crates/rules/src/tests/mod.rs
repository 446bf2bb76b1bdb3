//! Tests of texts against the laws of games, against the reference interpreter, and against known
//! counts.

mod agreement;
mod exchange;
mod explanations;
mod generated;
pub(crate) mod genomes;
mod groupings;
mod identity;
mod laws;
mod layout;
mod library;
mod lints;
mod loops;
mod messages;
mod moves_text;
mod seeds;
mod set_up;
mod sowing;
pub(crate) mod traces;
mod tracks;
mod ways;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Program, Text};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(name)
}

/// Texts of a folder of `testdata`, by name.
fn texts(name: &str) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = fs::read_dir(folder(name))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "rules"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(path).unwrap())
        })
        .collect();
    texts.sort();
    texts
}

/// Programs of all valid texts, by name.
pub(crate) fn programs() -> Vec<(String, Arc<Program>)> {
    let programs: Vec<_> = texts("rules")
        .into_iter()
        .map(|(name, source)| {
            let program = program(&source);
            (name, program)
        })
        .collect();
    assert!(programs.len() >= 36, "the texts are there");
    programs
}

/// Program of a game of the library, which the catalog holds.
pub(crate) fn library_program(name: &str) -> Arc<Program> {
    library::program(name)
}

pub(crate) fn program(source: &str) -> Arc<Program> {
    let checked = Text::read(source).and_then(|text| text.check());
    Arc::new(checked.unwrap_or_else(|mistakes| panic!("{}", mistakes.text("text.rules"))))
}
