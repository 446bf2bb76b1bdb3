//! Running commands in the repository.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the repository").to_owned()
}

/// Build folder.
pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Cargo command in the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command, which must succeed.
pub(crate) fn check(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(status.success(), "{} failed: {status}", shown(command));
    Ok(())
}

/// First 200 characters of a command, which may name every source of the repository.
fn shown(command: &Command) -> String {
    let whole = format!("{command:?}");
    match whole.char_indices().nth(200) {
        Some((end, _)) => format!("{} ...", &whole[..end]),
        None => whole,
    }
}

/// Runs a command, which must succeed, and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    ensure!(
        output.status.success(),
        "{} failed: {}\n{}",
        shown(command),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// Names of the packages of the workspace.
pub(crate) fn members() -> Result<Vec<String>> {
    names(|_| true)
}

/// Names of the packages of the workspace that are published.
pub(crate) fn published() -> Result<Vec<String>> {
    // `publish = false` is an empty list of registries.
    names(|package| package["publish"].as_array().is_none_or(|to| !to.is_empty()))
}

fn names(is_one: impl Fn(&Value) -> bool) -> Result<Vec<String>> {
    let text = output(&mut cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&text)?;
    let packages = metadata["packages"].as_array().context("cargo lists packages")?;
    let name = |package: &Value| package["name"].as_str().map(str::to_owned);
    let names: Option<Vec<String>> =
        packages.iter().filter(|package| is_one(package)).map(name).collect();
    let names = names.context("packages have names")?;
    ensure!(names.len() > 1, "the workspace has packages");
    Ok(names)
}

/// Release build of the program.
pub(crate) struct Program(PathBuf);

impl Program {
    /// Builds the program.
    pub(crate) fn build() -> Result<Program> {
        check(&mut cargo(&["build", "--quiet", "--release", "--package", "treegauge-cli"]))?;
        // A copy, so that another build changes nothing during the minutes or hours of use.
        let folder = target().join("xtask");
        fs::create_dir_all(&folder)?;
        let copy = folder.join("treegauge");
        fs::copy(target().join("release/treegauge"), &copy)?;
        Ok(Program(copy))
    }

    /// Path of the program.
    pub(crate) fn path(&self) -> &std::path::Path {
        &self.0
    }

    /// JSON output of the program, or its error message.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<Value> {
        let mut program = Command::new(&self.0);
        let output = program.args(arguments).arg("--json").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}
