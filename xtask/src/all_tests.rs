//! The tests of all crates, two programs at a time.
//!
//! Cargo runs one test program after the other, and each waits for its slowest test with one core
//! idle.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::run::{cargo, check, output};

/// Number of programs that run at once.
const WORKERS: usize = 2;

/// Seed of the property tests: the same change has the same checks. A developer's run has a new one
/// each time.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// Tests to run in one process of ours.
enum Job {
    /// Those in the documentation of all crates.
    Documentation,
    /// Those of one target of a package.
    Program {
        /// Package and target.
        name: String,
        /// The built tests.
        path: PathBuf,
        /// Folder of the package.
        folder: PathBuf,
    },
}

/// Builds and runs all tests, and prints the output of those that fail.
pub(crate) fn all_tests() -> Result<()> {
    check(&mut cargo(&["test", "--workspace", "--no-run", "--quiet"]))?;
    let begun = Instant::now();
    let jobs = Mutex::new(jobs()?);
    let failed = Mutex::new(Vec::new());
    let work = || -> Result<()> {
        loop {
            // The list is free again before its next job runs.
            let next = jobs.lock().expect("no worker panics").pop();
            let Some(job) = next else { return Ok(()) };
            if let Some(name) = job.run()? {
                failed.lock().expect("no worker panics").push(name);
            }
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    println!("    all ran in {:.1} s", begun.elapsed().as_secs_f64());
    match &failed.into_inner()?[..] {
        [] => Ok(()),
        failed => bail!("tests failed: {}", failed.join(", ")),
    }
}

/// All jobs, those that take longest last: of programs, the largest are the longest.
fn jobs() -> Result<Vec<Job>> {
    let list = ["test", "--workspace", "--no-run", "--quiet", "--message-format", "json"];
    let listed = output(&mut cargo(&list))?;
    let mut sized = Vec::new();
    for line in listed.lines() {
        let Some((name, path, folder)) = program_of(&serde_json::from_str(line)?) else { continue };
        let size = path.metadata().with_context(|| format!("{name} is not built"))?.len();
        sized.push((size, Job::Program { name, path, folder }));
    }
    sized.sort_by_key(|(size, _)| *size);
    let programs = sized.into_iter().map(|(_, job)| job);
    let jobs: Vec<Job> = programs.chain([Job::Documentation]).collect();
    anyhow::ensure!(jobs.len() > 1, "cargo lists no tests");
    Ok(jobs)
}

/// Name, path and folder of the tests that a message of cargo is about; `None` for other messages.
fn program_of(message: &Value) -> Option<(String, PathBuf, PathBuf)> {
    let path = message["executable"].as_str()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = &message["target"];
    let name = format!("{package}, {} {}", target["kind"][0].as_str()?, target["name"].as_str()?);
    Some((name, path.into(), folder))
}

impl Job {
    fn name(&self) -> &str {
        match self {
            Job::Documentation => "documentation of all crates",
            Job::Program { name, .. } => name,
        }
    }

    /// Runs the tests; returns their name if some fail.
    fn run(self) -> Result<Option<String>> {
        let begun = Instant::now();
        let mut command = match &self {
            Job::Documentation => cargo(&["test", "--workspace", "--doc"]),
            Job::Program { path, folder, .. } => {
                let mut command = Command::new(path);
                // As cargo would run it.
                command.current_dir(folder).env("CARGO_MANIFEST_DIR", folder);
                command
            }
        };
        let name = self.name().to_owned();
        let ran = command.env(SEED.0, SEED.1).output();
        let Output { status, stdout, stderr } =
            ran.with_context(|| format!("{name} cannot run"))?;
        println!("    {name}: {:.1} s", begun.elapsed().as_secs_f64());
        if status.success() {
            return Ok(None);
        }
        let [said, complained] = [&stdout, &stderr].map(|bytes| String::from_utf8_lossy(bytes));
        println!("--- {name}: {status}\n{said}\n{complained}");
        Ok(Some(name))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_built_tests_are_programs() {
        let message = |is_test: bool| {
            json!({
                "reason": "compiler-artifact",
                "manifest_path": "/r/crates/core/Cargo.toml",
                "target": {"kind": ["lib"], "name": "treegauge_core"},
                "profile": {"test": is_test},
                "executable": "/r/target/debug/deps/treegauge_core-1",
            })
        };
        let (name, path, folder) = program_of(&message(true)).unwrap();
        assert_eq!(name, "core, lib treegauge_core");
        assert_eq!(path, PathBuf::from("/r/target/debug/deps/treegauge_core-1"));
        assert_eq!(folder, PathBuf::from("/r/crates/core"));
        assert!(program_of(&message(false)).is_none(), "the program itself has no tests");
        assert!(program_of(&json!({"reason": "build-finished"})).is_none());
    }
}
