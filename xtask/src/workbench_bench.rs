//! Figures of the workbench.

use std::process::Command;

use anyhow::Result;

use crate::run::{Program, check, root, target};

/// Measurements, in Python.
const SCRIPT: &str = "xtask/src/workbench_bench.py";

/// Measures the workbench of the release build, or of another program, and prints the figures as JSON. An error if one is
/// greater than its bar allows. It takes about four minutes on an idle machine. The first paint is measured where
/// `cargo xtask browser` installed Playwright.
pub(crate) fn workbench_bench(words: &[String]) -> Result<()> {
    let program = match words {
        [option, path, ..] if option == "--program" => path.into(),
        _ => Program::build()?.path().to_owned(),
    };
    let with_playwright = target().join("browser/bin/python");
    let python = if with_playwright.exists() { with_playwright } else { "python3".into() };
    check(Command::new(python).arg(root().join(SCRIPT)).arg(program))
}
