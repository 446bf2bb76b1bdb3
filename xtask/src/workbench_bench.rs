//! Figures of the workbench.

use std::process::Command;

use anyhow::Result;

use crate::run::{Program, check, root};

/// Measurements, in Python.
const SCRIPT: &str = "xtask/src/workbench_bench.py";

/// Measures the workbench of the release build, or of another program, and prints the figures as JSON. It takes about
/// four minutes on an idle machine.
pub(crate) fn workbench_bench(words: &[String]) -> Result<()> {
    let program = match words {
        [option, path, ..] if option == "--program" => path.into(),
        _ => Program::build()?.path().to_owned(),
    };
    check(Command::new("python3").arg(root().join(SCRIPT)).arg(program))
}
