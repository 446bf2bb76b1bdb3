//! Fuzzing: random and damaged bytes for every reader of untrusted input.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::run::{cargo, check, output, target};

/// Limit of the fuzzer's address space, in KiB. An input that makes a reader allocate without end
/// must not exhaust the machine.
const MEMORY_KIB: u32 = 4 << 20;

/// Builds the fuzzer and runs it with `words` as its arguments; see its `--help`.
pub(crate) fn fuzz(words: &[String]) -> Result<()> {
    check(&mut cargo(&["build", "--quiet", "--package", "treegauge-fuzz"]))?;
    check(fuzzer().args(words)).with_context(failed)
}

/// Runs the fuzzer that an earlier step built, and returns its output.
pub(crate) fn fuzz_as_built(words: &[&str]) -> Result<String> {
    output(fuzzer().args(words)).with_context(failed)
}

fn folder() -> PathBuf {
    target().join("fuzz")
}

fn failed() -> String {
    let folder = folder();
    format!(
        "the fuzzer failed; where it names no input, the last one of each reader is in {}",
        folder.display()
    )
}

fn fuzzer() -> Command {
    let program = target().join("debug/treegauge-fuzz");
    let mut command = if cfg!(unix) {
        let limited = format!("ulimit -v {MEMORY_KIB} && exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        shell.args(["-c", &limited]).arg(program);
        shell
    } else {
        Command::new(program)
    };
    command.arg("--folder").arg(folder());
    command
}
