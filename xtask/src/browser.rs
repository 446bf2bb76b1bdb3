//! Checks of the workbench in a browser.

use std::path::Path;
use std::process::Command;

use anyhow::{Result, ensure};

use crate::run::{cargo, check, root, target};

/// Debian's Chromium.
const CHROMIUM: &str = "/usr/bin/chromium";

/// Checks, in Python with Playwright.
const SCRIPT: &str = "xtask/src/browser.py";

/// Builds the program as the tests do, and checks its workbench in Chromium. Playwright and axe-core come from PyPI and
/// lie in the build folder.
pub(crate) fn browser() -> Result<()> {
    ensure!(
        Path::new(CHROMIUM).exists(),
        "Chromium is missing; install it with\n  sudo apt-get install --yes chromium"
    );
    check(&mut cargo(&["build", "--package", "treegauge-cli", "--quiet"]))?;
    let folder = target().join("browser");
    let python = folder.join("bin/python");
    if !python.exists() {
        check(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let packages = ["playwright", "axe-playwright-python"];
        check(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    }
    let program = target().join("debug/treegauge");
    check(Command::new(&python).arg(root().join(SCRIPT)).arg(program).arg(CHROMIUM))
}
