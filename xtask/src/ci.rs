//! Every check. Those that leave a core idle run beside others.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::all_tests::tests_beside;
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
use crate::run::{cargo, check, output, root, target};
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
    step("tests, and lints, crates apart and documentation beside them", || {
        tests_beside(|| {
            step("lints", || {
                let lint = ["clippy", "--workspace", "--all-targets", "--all-features", "--quiet"];
                check(cargo(&lint).args(["--", "-D", "warnings"]))
            })?;
            step("documentation", documentation)?;
            step("crates apart", features)
        })
    })?;
    // Checks that take one core each and use what the tests built, those that take longest first.
    two_at_a_time(vec![
        ("attack", Box::new(attack_as_built)),
        ("browser", Box::new(browser_as_built)),
        ("pictures", Box::new(|| draw(&built()?, true))),
        ("trees for GraphViz", Box::new(trees_for_graphviz)),
        ("examples", Box::new(examples)),
    ])?;
    // Tests of Python stop runs and wait for them, so they have calm neighbours.
    two_at_a_time(vec![
        (
            "Python",
            Box::new(|| {
                preparing.join().expect("the installing thread does not panic")?;
                python()
            }),
        ),
        ("memory", Box::new(memory_as_built)),
        ("book", Box::new(|| book(&[]))),
        ("packages", Box::new(packages)),
        ("fuzzing", Box::new(fuzzing)),
    ])?;
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

/// A check and its name.
type Check = (&'static str, Box<dyn FnOnce() -> Result<()> + Send>);

/// Does the checks in their order, two at a time, until one fails.
fn two_at_a_time(checks: Vec<Check>) -> Result<()> {
    let checks = Mutex::new(VecDeque::from(checks));
    let work = || -> Result<()> {
        loop {
            // The list is free again before its next check begins.
            let next = checks.lock().expect("no check panics").pop_front();
            let Some((name, check)) = next else { return Ok(()) };
            let done = step(name, check);
            if done.is_err() {
                checks.lock().expect("no check panics").clear();
                return done;
            }
        }
    };
    thread::scope(|scope| {
        let beside = scope.spawn(work);
        let done = work();
        done.and(beside.join().expect("no check panics"))
    })
}

/// Documents all crates from what the lints made of them. Cargo takes that only from the compiler with
/// the arguments of the lints; with another it would check every crate once more.
fn documentation() -> Result<()> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps", "--all-features", "--quiet"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()))?;
    let driver =
        format!("{}/bin/clippy-driver{}", sysroot.trim_end(), std::env::consts::EXE_SUFFIX);
    if Path::new(&driver).exists() {
        let arguments = ["-D", "warnings"].map(|word| format!("{word}__CLIPPY_HACKERY__"));
        doc.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", arguments.concat());
    }
    check(&mut doc)
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
    {
        // What threads take adds up, so two and four take no more than eight.
        let (threads, program) = (["--threads", "1,8"], built()?);
        let others = ["--limits", "64", "--seconds", "10", "--program", &program];
        let words = threads.iter().chain(&others).map(|word| (*word).to_owned());
        memory(&words.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Fuzzes the readers with what the tests built. The seed is fixed: the same change has the same checks.
fn fuzzing() -> Result<()> {
    print!("{}", fuzz_as_built(&["--seconds", "60", "--seed", "1"])?);
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
