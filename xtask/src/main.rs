//! Automation of the repository: `cargo xtask <task>`.

mod all_tests;
#[cfg(unix)]
mod attack;
mod book;
mod browser;
mod calibrate;
mod ci;
mod features;
mod format;
mod fuzz;
mod heavy;
mod interest;
mod licences;
#[cfg(unix)]
mod memory;
mod msrv;
mod openspiel;
mod packages;
mod pictures;
mod python;
mod recipes;
mod reference;
mod run;
mod signature;
mod voice;
mod workbench_bench;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask <task>

  ci          every check: format, voice, Rust version, licences, tests, lints, crates apart,
              documentation, attack, browser, book, memory, pictures, examples, packages, Python,
              recipes, fuzzing
  tests       all tests of all crates: each program once it is built, at last two at a time
  apart       lint packages that have other features without the rest of the workspace, they or their
              dependencies
  attack [--minutes N] [--seed N] [--class NAME [--try N]] [--quick] [--program FILE]
              kill, stop, starve and feed with damage the release build, or another program
  format [--check]
              format all sources, also those that `cargo fmt` does not see; --check only compares
  fuzz [--seconds N] [--seed N] [--reader NAME]
              drive random and damaged bytes through every reader of untrusted input
  pictures [--check]
              draw the pictures of docs/pictures anew; --check only compares them
  book [--renew] [PAGE...]
              run every command of README and of the pages in docs with the program that the tests
              built, compare the output that they show, and check their links; --renew rewrites that
              output
  recipes     follow the recipes of CONTRIBUTING.md in a copy of the repository
  browser [--quick]
              check the workbench in Chromium, with Playwright from PyPI, after its tests over HTTP
              with every move and 20,000 damaged requests; --quick is a part in Chromium
  calibrate [--choose]
              gauge 160 solvable games and far stronger play of them, for about 16 minutes, and print
              how often verdicts are wrong; --choose makes the list of the games anew
  compare-openspiel
              compare speed and random play with OpenSpiel, which it installs from PyPI
  interest    solve every game that is small enough, and print how interesting each is
  licences [--check]
              list the packages in the program and their licences for the help of the workbench;
              --check only compares
  memory [--limits MB,...] [--threads N,...] [--seconds N] [--games NAME,...] [--program FILE]
              solve every game with little memory, and print the most that each takes
  python      test the Python package in a fresh environment, with versions from PyPI
  python-bench
              measure the Python package beside OpenSpiel, which it installs from PyPI, and beside the
              program, and print the figures
  wheel       make the release wheel of the Python package, with maturin from PyPI, and check it
  stubs [--check]
              write the functions of the Python package from the declarations of the tasks; --check
              only compares
  reference   gauge every game and renew the tree features that reports compare with
  voice       look for phrases that comments, messages and documents avoid
  workbench-bench [--program FILE]
              measure the workbench of the release build, or of another program, and print the figures
  signature   write the bench signature of every family anew, after a change that moves searches
";

fn main() -> ExitCode {
    let task = std::env::args().nth(1);
    let done = match task.as_deref() {
        #[cfg(unix)]
        Some("attack") => attack::attack(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("calibrate") => match std::env::args().nth(2).as_deref() {
            Some("--choose") => calibrate::choose(),
            _ => calibrate::calibrate(),
        },
        Some("browser") => browser::browser(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("ci") => ci::ci(),
        Some("apart") => features::features(),
        Some("tests") => all_tests::all_tests(),
        Some("format") => format::format(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("fuzz") => fuzz::fuzz(&std::env::args().skip(2).collect::<Vec<_>>()),
        #[cfg(unix)]
        Some("memory") => memory::memory(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("book") => book::book(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("pictures") => pictures::pictures(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("python") => python::python(),
        Some("python-bench") => python::python_bench(),
        Some("stubs") => python::stubs(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("wheel") => python::wheel(),
        Some("recipes") => recipes::recipes(),
        Some("compare-openspiel") => openspiel::compare_openspiel(),
        Some("licences") => licences::licences(&std::env::args().skip(2).collect::<Vec<_>>()),
        Some("interest") => interest::interest(),
        Some("reference") => reference::reference(),
        Some("voice") => voice::voice(),
        Some("workbench-bench") => {
            workbench_bench::workbench_bench(&std::env::args().skip(2).collect::<Vec<_>>())
        }
        Some("signature") => signature::signature(),
        _ => {
            eprint!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
