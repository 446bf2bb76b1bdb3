//! The tests of all crates.
//!
//! Cargo runs one test program after the other, once all are built, and each waits for its slowest
//! test with one core idle. A build too has times in which one crate waits for another. So the tests of
//! a library run beside the build as soon as they are there, and at last two programs run at once.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::run::cargo;

/// Seed of the property tests: the same change has the same checks. A developer's run has a new one
/// each time.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// Folder of the tests that run the program, which take longer than their own size tells.
const OF_THE_PROGRAM: &str = "crates/cli";

/// Tests to run in one process of ours.
#[derive(Debug, PartialEq, Eq)]
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

/// Test programs that wait for a worker.
#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Jobs with their sizes: of programs, the largest take longest.
    jobs: Vec<(u64, Job)>,
    /// Whether no more jobs will come.
    is_complete: bool,
    failed: Vec<String>,
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panics")
    }

    fn add(&self, size: u64, job: Job) {
        self.state().jobs.push((size, job));
        self.changed.notify_all();
    }

    /// Ends the work once all jobs are done.
    fn complete(&self) {
        self.state().is_complete = true;
        self.changed.notify_all();
    }

    /// Ends the work after the jobs that run now.
    fn abandon(&self) {
        self.state().jobs.clear();
        self.complete();
    }

    /// The largest job, for which it may have to wait; `None` if no more will come.
    fn next(&self) -> Option<Job> {
        let waits = |state: &mut State| state.jobs.is_empty() && !state.is_complete;
        let mut state = self.changed.wait_while(self.state(), waits).expect("no worker panics");
        let largest = (0..state.jobs.len()).max_by_key(|&n| state.jobs[n].0)?;
        Some(state.jobs.swap_remove(largest).1)
    }

    /// Does jobs until no more will come.
    fn work(&self) -> Result<()> {
        while let Some(job) = self.next() {
            self.run(job)?;
        }
        Ok(())
    }

    fn run(&self, job: Job) -> Result<()> {
        if let Some(name) = job.run()? {
            self.state().failed.push(name);
        }
        Ok(())
    }
}

/// Builds and runs all tests, and prints the output of those that fail.
pub(crate) fn all_tests() -> Result<()> {
    tests_beside(|| Ok(()))
}

/// Builds all tests, then does the checks, which may use what was built, and runs the tests beside
/// the build and beside the checks. Prints the output of tests that fail.
pub(crate) fn tests_beside(checks: impl FnOnce() -> Result<()>) -> Result<()> {
    let queue = Queue::default();
    thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let done = queue.work();
            // Nobody else may wait for a worker that is no more.
            if done.is_err() {
                queue.abandon();
            }
            done
        });
        let begun = Instant::now();
        let prepared = build(&queue).and_then(|()| {
            println!("    all built after {:.1} s", begun.elapsed().as_secs_f64());
            // Cargo does one thing at a time in a build folder: a worker would wait for the checks.
            queue.run(Job::Documentation)?;
            checks()
        });
        match &prepared {
            Ok(()) => queue.complete(),
            Err(_) => queue.abandon(),
        }
        let done = prepared.and_then(|()| queue.work());
        let done = done.and(beside.join().expect("no worker panics"));
        println!("    all ran after {:.1} s", begun.elapsed().as_secs_f64());
        done
    })?;
    match &queue.state().failed[..] {
        [] => Ok(()),
        failed => bail!("tests failed: {}", failed.join(", ")),
    }
}

/// Builds all tests, and adds those of each library as soon as they are there, the others at the end.
fn build(queue: &Queue) -> Result<()> {
    let words = ["test", "--workspace", "--no-run", "--quiet"];
    let mut command = cargo(&words);
    command.args(["--message-format", "json-render-diagnostics"]).stdout(Stdio::piped());
    let mut building = command.spawn().context("cargo does not start")?;
    let messages = building.stdout.take().expect("its output is a pipe");
    // Tests of a library are complete in themselves. Others may start programs of the workspace, which
    // cargo may build after them.
    let mut later = Vec::new();
    let mut programs = 0;
    for line in BufReader::new(messages).lines() {
        let Some(Built { name, path, folder, is_library }) =
            program_of(&serde_json::from_str(&line?)?)
        else {
            continue;
        };
        let size = path.metadata().with_context(|| format!("{name} is not built"))?.len();
        let is_of_the_program = folder.ends_with(OF_THE_PROGRAM);
        let job = Job::Program { name, path, folder };
        if is_library {
            queue.add(size, job);
        } else {
            later.push((if is_of_the_program { u64::MAX } else { size }, job));
        }
        programs += 1;
    }
    let status = building.wait()?;
    ensure!(status.success(), "the tests are not built: {status}");
    ensure!(programs > 0, "cargo lists no tests");
    later.into_iter().for_each(|(size, job)| queue.add(size, job));
    Ok(())
}

/// A built test program.
#[derive(Debug, PartialEq, Eq)]
struct Built {
    /// Package and target.
    name: String,
    path: PathBuf,
    /// Folder of the package.
    folder: PathBuf,
    /// Whether it holds the tests of a library.
    is_library: bool,
}

/// Test program that a message of cargo is about; `None` for other messages.
fn program_of(message: &Value) -> Option<Built> {
    let path = message["executable"].as_str()?;
    if message["profile"]["test"] != true {
        return None;
    }
    let folder = PathBuf::from(message["manifest_path"].as_str()?).parent()?.to_owned();
    let package = folder.file_name()?.to_string_lossy().into_owned();
    let target = &message["target"];
    let kind = target["kind"][0].as_str()?;
    let name = format!("{package}, {kind} {}", target["name"].as_str()?);
    Some(Built { name, path: path.into(), folder, is_library: kind == "lib" })
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
        let message = |kind: &str, is_test: bool| {
            json!({
                "reason": "compiler-artifact",
                "manifest_path": "/r/crates/core/Cargo.toml",
                "target": {"kind": [kind], "name": "treegauge_core"},
                "profile": {"test": is_test},
                "executable": "/r/target/debug/deps/treegauge_core-1",
            })
        };
        let built = |name: &str, is_library: bool| Built {
            name: name.to_owned(),
            path: "/r/target/debug/deps/treegauge_core-1".into(),
            folder: "/r/crates/core".into(),
            is_library,
        };
        let library = built("core, lib treegauge_core", true);
        assert_eq!(program_of(&message("lib", true)), Some(library));
        // It may start programs that are not there yet.
        let other = built("core, test treegauge_core", false);
        assert_eq!(program_of(&message("test", true)), Some(other));
        assert!(program_of(&message("bin", false)).is_none(), "the program itself has no tests");
        assert!(program_of(&json!({"reason": "build-finished"})).is_none());
    }

    #[test]
    fn the_largest_job_comes_first_and_the_last_one_ends_the_work() {
        let job = |name: &str| {
            let (path, folder) = (PathBuf::new(), PathBuf::new());
            Job::Program { name: name.to_owned(), path, folder }
        };
        let queue = Queue::default();
        thread::scope(|scope| {
            // It waits for a job.
            let first = scope.spawn(|| queue.next());
            queue.add(1, job("a"));
            assert_eq!(first.join().unwrap(), Some(job("a")));
        });
        for (size, name) in [(2, "b"), (9, "c"), (5, "d")] {
            queue.add(size, job(name));
        }
        queue.complete();
        let left: Vec<Job> = std::iter::from_fn(|| queue.next()).collect();
        assert_eq!(left, ["c", "d", "b"].map(job));
        queue.add(1, job("e"));
        queue.abandon();
        assert_eq!(queue.next(), None);
    }
}
