//! Checks of the workbench in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};

use crate::run::{cargo, check, root, target};

/// Debian's Chromium.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Checks, in Python with Playwright.
const SCRIPT: &str = "xtask/src/browser.py";

/// Builds the program as the tests do, and checks its workbench in Chromium: everything, or with `--quick` a part of
/// about a minute. Before everything, the tests over HTTP that usually take samples take all. Playwright and axe-core
/// come from PyPI and lie in the build folder.
pub(crate) fn browser(words: &[String]) -> Result<()> {
    ensure!(
        Path::new(CHROMIUM).exists(),
        "Chromium is missing; install it with\n  sudo apt-get install --yes chromium"
    );
    check(&mut cargo(&["build", "--package", "treegauge-cli", "--quiet"]))?;
    if words.is_empty() {
        let test = ["test", "--package", "treegauge-cli", "--test", "workbench", "--quiet", "--"];
        let sampled = ["play::every_family", "play::texts_are_played", "mutated::"];
        let mut test = cargo(&[&test[..], &sampled].concat());
        check(test.env("EVERY_MOVE", "1").env("MUTATED_REQUESTS", "20000"))?;
    }
    check_in_chromium(&playwright()?, words)
}

/// Does the quick part with the program that the tests built, where Chromium and Playwright are or can be installed.
pub(crate) fn browser_as_built() -> Result<()> {
    if !Path::new(CHROMIUM).exists() {
        println!("Chromium is not installed: the workbench is not checked in a browser");
        return Ok(());
    }
    match playwright() {
        Ok(python) => check_in_chromium(&python, &["--quick".to_owned()]),
        Err(error) => {
            println!(
                "Playwright cannot be installed ({error}): the workbench is not checked in a browser"
            );
            Ok(())
        }
    }
}

/// Python with Playwright, which is installed if it is missing.
fn playwright() -> Result<PathBuf> {
    let folder = target().join("browser");
    let python = folder.join("bin/python");
    let has_all = || {
        let mut import = Command::new(&python);
        import.args(["-c", "import playwright, axe_playwright_python"]);
        import.output().is_ok_and(|ran| ran.status.success())
    };
    if !has_all() {
        check(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let packages = ["playwright", "axe-playwright-python"];
        check(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    }
    Ok(python)
}

fn check_in_chromium(python: &Path, words: &[String]) -> Result<()> {
    let program = target().join("debug/treegauge");
    check(Command::new(python).arg(root().join(SCRIPT)).arg(program).arg(CHROMIUM).args(words))
}
