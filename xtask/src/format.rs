//! Format of all sources.

use std::process::Command;

use anyhow::{Result, bail};

use crate::run::{check, output, root};

/// Formats all sources, or with `--check` fails if one is not formatted.
///
/// These include modules declared by a macro, which `cargo fmt` does not see.
pub(crate) fn format(arguments: &[String]) -> Result<()> {
    let write = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => true,
        ["--check"] => false,
        _ => bail!("usage: cargo xtask format [--check]"),
    };
    let sources = output(Command::new("git").args(["ls-files", "*.rs"]).current_dir(root()))?;
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args(["--edition", "2024"]).args((!write).then_some("--check"));
    check(rustfmt.args(sources.lines()).current_dir(root()))
}
