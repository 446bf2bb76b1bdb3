//! List of the packages that the program is built from, on any system, with their licences, which the
//! help of the workbench shows.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail, ensure};

use crate::run::{cargo, members, output, root};

const FILE: &str = "crates/web/src/pages/licences.txt";

/// Writes the list; with `--check`, compares it only.
pub(crate) fn licences(arguments: &[String]) -> Result<()> {
    let is_check = match arguments {
        [] => false,
        [only] if only == "--check" => true,
        _ => bail!("usage: cargo xtask licences [--check]"),
    };
    let mut tree = cargo(&["tree", "--package", "treegauge-cli", "--target", "all", "--locked"]);
    tree.args(["--edges", "normal", "--prefix", "none", "--format", "{p}|{l}"]);
    let text = list(&output(&mut tree)?, &members()?)?;
    let path = root().join(FILE);
    if !is_check {
        fs::write(&path, text)?;
        println!("wrote {FILE}");
        return Ok(());
    }
    let written = fs::read_to_string(&path).with_context(|| format!("cannot read {FILE}"))?;
    ensure!(written == text, "{FILE} is not that of Cargo.lock: run `cargo xtask licences`");
    Ok(())
}

/// A line for each package that is not one of `own`: name, version and licence.
fn list(tree: &str, own: &[String]) -> Result<String> {
    let mut lines = BTreeSet::new();
    for line in tree.lines().filter(|line| !line.is_empty()) {
        let (package, licence) = line.split_once('|').context("cargo prints two columns")?;
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if own.iter().any(|own| own == name) {
            continue;
        }
        let licence = licence.trim_end_matches(" (*)");
        let licence = if licence.is_empty() { "see its licence file" } else { licence };
        lines.insert(format!("{name} {}: {licence}\n", version.trim_start_matches('v')));
    }
    ensure!(!lines.is_empty(), "cargo lists no packages");
    Ok(lines.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_foreign_package_is_listed_once() {
        let tree = "own v0.1.0 (/r/own)|MIT\nb v2.0.1|MIT OR Apache-2.0\na v1.0.0 (proc-macro)|MIT\n\
                    b v2.0.1|MIT OR Apache-2.0 (*)\n";
        let listed = list(tree, &["own".to_owned()]).unwrap();
        assert_eq!(listed, "a 1.0.0: MIT\nb 2.0.1: MIT OR Apache-2.0\n");
        assert_eq!(list("b v2.0.1|\n", &[]).unwrap(), "b 2.0.1: see its licence file\n");
        assert!(list("", &[]).is_err() && list("b v2.0.1\n", &[]).is_err());
    }
}
