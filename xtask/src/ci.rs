//! Every check, one after the other.

use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::features::features;
use crate::fuzz::fuzz;
use crate::msrv::msrv;
use crate::packages::{ensure_cargo_deny, ensure_packages};
use crate::recipes::recipes;
use crate::run::{cargo, check, target};

/// How long the fuzzer runs, all readers together.
const FUZZ_SECONDS: &str = "60";

/// Runs all checks and stops at the first that fails.
pub(crate) fn ci() -> Result<()> {
    let start = Instant::now();
    step("system packages", ensure_packages)?;
    step("format", || check(&mut cargo(&["fmt", "--all", "--", "--check"])))?;
    step("Rust version", msrv)?;
    step("licences, bans and sources", || {
        ensure_cargo_deny()?;
        check(&mut cargo(&["deny", "--log-level", "error", "check", "licenses", "bans", "sources"]))
    })?;
    step("lints", || {
        let lint = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
        check(cargo(&lint).args(["--", "-D", "warnings"]))
    })?;
    step("crates apart", features)?;
    step("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
        check(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    // Tests of the documentation are among these.
    step("tests", || check(&mut cargo(&["test", "--workspace"])))?;
    step("pictures", pictures)?;
    // Building all packages as they are published would build everything once more.
    step("packages", || {
        check(&mut cargo(&["package", "--workspace", "--allow-dirty", "--no-verify", "--quiet"]))
    })?;
    step("fuzzing", || fuzz(&["--seconds", FUZZ_SECONDS].map(str::to_owned)))?;
    step("recipes", recipes)?;
    println!("all checks passed in {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("--- {name}");
    let start = Instant::now();
    work().with_context(|| format!("the check of {name} failed"))?;
    println!("--- {name}: {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The trees that the program writes for GraphViz are read by GraphViz.
fn pictures() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // The tests built it. `cargo run` would build it again, since tests unite more features.
    let program = target().join("debug/treegauge");
    for style in ["plain", "williams"] {
        for game in ["tic_tac_toe", "connect_four", "breakthrough(cols=16,rows=16)"] {
            let file = folder.path().join("tree.dot");
            let mut search = Command::new(&program);
            search.args(["search", game, "--iterations", "3000", "--style", style, "--dot"]);
            check(search.arg(&file).stdout(std::process::Stdio::null()))?;
            let output = Command::new("dot").arg("-Tsvg").arg(&file).output()?;
            ensure!(
                output.status.success() && output.stderr.is_empty(),
                "GraphViz does not like the {style} tree of {game}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
    Ok(())
}
