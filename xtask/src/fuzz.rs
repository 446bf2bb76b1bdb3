//! Random and damaged bytes for every reader of untrusted input.

use anyhow::{Context, Result};

use crate::run::{cargo, check, target};

/// What the fuzzer may take of the address space, in KiB: an input that makes a reader allocate
/// without end must not exhaust the machine.
const MEMORY_KIB: u32 = 4 << 20;

/// Builds the fuzzer and runs it with the words of the command line; see its `--help`.
pub(crate) fn fuzz(words: &[String]) -> Result<()> {
    check(&mut cargo(&["build", "--quiet", "--package", "treegauge-fuzz"]))?;
    fuzz_as_built(words)
}

/// Runs the fuzzer that an earlier step built.
pub(crate) fn fuzz_as_built(words: &[String]) -> Result<()> {
    let program = target().join("debug/treegauge-fuzz");
    let folder = target().join("fuzz");
    let mut command = if cfg!(unix) {
        let limited = format!("ulimit -v {MEMORY_KIB} && exec \"$0\" \"$@\"");
        let mut shell = std::process::Command::new("sh");
        shell.args(["-c", &limited]).arg(program);
        shell
    } else {
        std::process::Command::new(program)
    };
    check(command.arg("--folder").arg(&folder).args(words)).with_context(|| {
        format!(
            "the fuzzer failed; where it names no input, the last one of each reader is in {}",
            folder.display()
        )
    })
}
