//! Check of the oldest supported Rust version.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::run::{cargo, output, root};

/// Documents that name the needed Rust version.
const DOCUMENTS: [&str; 3] = ["README.md", "CONTRIBUTING.md", "docs/install.md"];

/// Checks that the documents name the `rust-version` of the workspace and no other, and that the
/// Rust that runs the checks is not older. Prints a notice if it is newer: a newer one accepts code
/// that the oldest rejects.
pub(crate) fn msrv() -> Result<()> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let declared = declared(&manifest).context("the workspace has a rust-version")?;
    for document in DOCUMENTS {
        let said = said(&fs::read_to_string(root().join(document))?);
        ensure!(
            !said.is_empty() && said.iter().all(|version| version == declared),
            "{document} names Rust {said:?} and the workspace declares {declared}"
        );
    }
    let version = output(&mut cargo(&["--version"]))?;
    let number = version.split(' ').nth(1).context("cargo has a version")?;
    let is_newer = parts(number)? > parts(declared)?;
    ensure!(parts(number)? >= parts(declared)?, "cargo {number} is older than {declared}");
    if is_newer {
        println!(
            "    cargo {number} is newer than {declared}, so what {declared} lacks goes unseen"
        );
    }
    Ok(())
}

fn declared(manifest: &str) -> Option<&str> {
    let line = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \""));
    line?.strip_suffix('"')
}

/// Versions after the word Rust in a text.
fn said(text: &str) -> Vec<String> {
    let versions = text.split("Rust ").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        rest[..end].trim_end_matches('.').to_owned()
    });
    versions.filter(|version| !version.is_empty()).collect()
}

/// First two numbers of a version.
fn parts(version: &str) -> Result<[u32; 2]> {
    let mut numbers = version.split('.').map(str::parse);
    let mut next = || numbers.next().context("a version has two numbers")?.context("a number");
    Ok([next()?, next()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_and_compared() {
        assert_eq!(declared("[a]\nrust-version = \"1.95\"\n"), Some("1.95"));
        assert_eq!(said("It needs Rust 1.95. In Rust one writes; Rust 1.9, too"), ["1.95", "1.9"]);
        assert!(parts("1.100.0").unwrap() > parts("1.95").unwrap());
        assert!(parts("1").is_err());
    }
}
