//! Programs that the checks need.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::run::{cargo, check};

/// Programs, each with its Debian package.
const NEEDED: [(&str, &str); 2] = [("dot", "graphviz"), ("/usr/games/stockfish", "stockfish")];

/// Ensures that every needed program is installed. Installs missing ones if the user may; otherwise
/// fails with the command that installs them.
pub(crate) fn ensure_packages() -> Result<()> {
    let missing: Vec<&str> = NEEDED
        .iter()
        .filter(|(program, _)| !runs(program, "-V"))
        .map(|(_, package)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    if !(runs("apt-get", "--version") && is_root()) {
        bail!(
            "these packages are missing; install them with\n  sudo apt-get install --yes {packages}"
        );
    }
    check(Command::new("apt-get").args(["--quiet", "update"]).stdout(Stdio::null()))?;
    check(
        Command::new("apt-get")
            .args(["--quiet", "install", "--yes", "--no-install-recommends"])
            .args(&missing)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .stdout(Stdio::null()),
    )
}

/// Ensures that cargo-deny is installed. It runs only for a moment, so it is built without
/// optimisation, in less than half of the time.
pub(crate) fn ensure_cargo_deny() -> Result<()> {
    let mut version = cargo(&["deny", "--version"]);
    let version = version.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    if version.status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    check(&mut cargo(&["install", "cargo-deny", "--locked", "--debug", "--quiet"]))
}

fn runs(program: &str, argument: &str) -> bool {
    let status = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}
