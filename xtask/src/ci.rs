//! Every check, one after the other.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::all_tests::all_tests;
#[cfg(unix)]
use crate::attack::attack;
use crate::book::book;
use crate::browser::browser_as_built;
use crate::features::features;
use crate::format::format;
use crate::fuzz::fuzz_as_built;
use crate::licences::licences;
#[cfg(unix)]
use crate::memory::memory;
use crate::msrv::msrv;
use crate::packages::{ensure_cargo_deny, ensure_packages};
use crate::pictures::draw;
use crate::python::{prepare, python};
use crate::recipes::recipes;
use crate::run::{cargo, check, root, target};
use crate::voice::voice;

/// Runs all checks and stops at the first that fails.
pub(crate) fn ci() -> Result<()> {
    let start = Instant::now();
    step("system packages", ensure_packages)?;
    step("format", || format(&["--check".to_owned()]))?;
    step("voice", voice)?;
    step("Rust version", msrv)?;
    step("licences, bans and sources", || {
        ensure_cargo_deny()?;
        check(&mut cargo(&[
            "deny",
            "--log-level",
            "error",
            "check",
            "licenses",
            "bans",
            "sources",
        ]))?;
        licences(&["--check".to_owned()])
    })?;
    // The packages come from the network while the compiler works.
    let preparing = thread::spawn(prepare);
    step("lints", || {
        let lint = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
        check(cargo(&lint).args(["--", "-D", "warnings"]))
    })?;
    step("crates apart", features)?;
    step("documentation", || {
        let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
        check(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    step("tests", all_tests)?;
    // Checks that take one core each and use what the tests built.
    step("attack and browser; memory, pictures, examples, book and packages beside them", || {
        thread::scope(|scope| {
            let attacking = scope.spawn(|| attack_as_built().and_then(|()| browser_as_built()));
            memory_as_built()?;
            trees_for_graphviz()?;
            draw(&built()?, true)?;
            examples()?;
            book(&[])?;
            packages()?;
            attacking.join().expect("the attacking thread does not panic")?;
            Ok(())
        })
    })?;
    step("Python", || {
        preparing.join().expect("the installing thread does not panic")?;
        python()
    })?;
    step("recipes, and fuzzing beside them", || {
        thread::scope(|scope| {
            // A fixed seed: the same change has the same checks. The tests built the program.
            let fuzzing = scope.spawn(|| fuzz_as_built(&["--seconds", "60", "--seed", "1"]));
            recipes()?;
            print!("{}", fuzzing.join().expect("the fuzzer's thread does not panic")?);
            Ok(())
        })
    })?;
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

/// Program that the tests built, optimised as they are.
fn built() -> Result<String> {
    let path = target().join("debug/treegauge").into_os_string();
    path.into_string().ok().context("the build folder has a name in UTF-8")
}

/// Attacks the program on systems with signals. The seed is fixed, as for the fuzzing.
fn attack_as_built() -> Result<()> {
    #[cfg(unix)]
    attack(&["--quick", "--seed", "1", "--program", &built()?].map(str::to_owned))?;
    Ok(())
}

/// Compares the memory of solves with their limits, on systems that report it.
fn memory_as_built() -> Result<()> {
    #[cfg(unix)]
    memory(&["--limits", "64", "--seconds", "10", "--program", &built()?].map(str::to_owned))?;
    Ok(())
}

/// Checks that packages are complete. They are not built, because that would build everything once
/// more.
fn packages() -> Result<()> {
    check(&mut cargo(&["package", "--workspace", "--allow-dirty", "--no-verify", "--quiet"]))
}

/// Checks that GraphViz can read the trees that the program writes for it.
fn trees_for_graphviz() -> Result<()> {
    let folder = tempfile::tempdir()?;
    // `cargo run` would build the program again, since tests unite more features.
    let program = built()?;
    for style in ["plain", "williams"] {
        for game in ["tic_tac_toe", "connect_four", "breakthrough(cols=16,rows=16)"] {
            let file = folder.path().join("tree.dot");
            let mut search = Command::new(&program);
            search.args(["search", game, "--iterations", "3000", "--style", style, "--dot"]);
            check(search.arg(&file).stdout(Stdio::null()))?;
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

/// Runs every example of the library to its end, without arguments, in an empty folder.
fn examples() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("crates/treegauge/examples"))? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            names.push(path.file_stem().expect("a source has a name").to_owned());
        }
    }
    ensure!(names.len() >= 4, "examples are missing: {names:?}");
    names.sort();
    for name in names {
        // The tests built the examples too.
        let mut example = Command::new(target().join("debug/examples").join(&name));
        let output = example.current_dir(folder.path()).output();
        let output = output.with_context(|| format!("cannot run {name:?}"))?;
        let errors = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "the example {name:?} failed: {errors}");
        ensure!(!output.stdout.is_empty(), "the example {name:?} prints nothing");
    }
    Ok(())
}
