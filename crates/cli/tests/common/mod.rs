//! What the tests of the program share.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

/// The exit code of bad usage.
pub(crate) const USAGE: i32 = 2;
/// The exit code of bad input data.
pub(crate) const DATA: i32 = 65;

/// What a finished run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    /// The exit code; a run that a signal ended has none.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the program with these arguments, `input` typed at it.
pub(crate) fn run_with(arguments: &[&str], input: &str) -> Ran {
    run_in(&[], arguments, input)
}

/// The same with variables of the environment.
pub(crate) fn run_in(variables: &[(&str, &str)], arguments: &[&str], input: &str) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_treegauge"))
        .args(arguments)
        // What a developer's terminal sets must not show.
        .env_remove("COLUMNS")
        .envs(variables.iter().copied())
        .write_stdin(input)
        // A program that hangs fails its test instead of the whole suite.
        .timeout(Duration::from_secs(100))
        .output()
        .expect("the program starts");
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).expect("stdout is text"),
        stderr: String::from_utf8(output.stderr).expect("stderr is text"),
    }
}

/// Runs the program with these arguments and nothing to read.
pub(crate) fn run(arguments: &[&str]) -> Ran {
    run_with(arguments, "")
}

/// What a run that must succeed prints.
pub(crate) fn stdout(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
    ran.stdout
}

/// The JSON that a run that must succeed prints: one object on one line, versioned.
pub(crate) fn json(arguments: &[&str]) -> Value {
    let text = stdout(arguments);
    assert_eq!(text.lines().count(), 1, "{arguments:?} prints one line");
    let value: Value = serde_json::from_str(&text).expect("stdout is JSON");
    assert_eq!(value["schema"], 1, "{arguments:?}");
    value
}

/// The JSON that a command prints, without the task that it repeats.
pub(crate) fn answer(arguments: &[&str]) -> Value {
    let mut report = json(arguments);
    let task = report.as_object_mut().and_then(|report| report.remove("task"));
    assert_eq!(task.expect("a report has its task")["command"], arguments[0]);
    report
}

/// Solves a game into a file of this name, whatever is there, and returns its path.
pub(crate) fn solved(folder: &Path, name: &str, arguments: &[&str]) -> String {
    let path = folder.join(name).to_str().expect("the path is text").to_owned();
    stdout(&[&["solve"], arguments, &["-o", &path, "--force"]].concat());
    path
}

/// Demands that a command is refused with an exit code and a message that has some parts.
#[track_caller]
pub(crate) fn refused(arguments: &[&str], code: i32, expected: &[&str]) {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{arguments:?} prints no data");
    for part in expected {
        assert!(
            ran.stderr.contains(part),
            "{part:?} is not in the answer to {arguments:?}: {}",
            ran.stderr
        );
    }
    assert!(!ran.stderr.contains("panicked"), "{arguments:?}: {}", ran.stderr);
}

/// A web page without its foot, which has the command and the day: these may differ between equal
/// reports.
pub(crate) fn unsigned_page(path: impl AsRef<Path>) -> String {
    let page = std::fs::read_to_string(path).expect("the page was written");
    let (body, foot) = page.rsplit_once("<footer>").expect("a page is signed");
    // A fragment of it passes a policy that allows no styles and scripts within a page.
    let (_, fragment) = body.split_once("<body>").expect("a page has a body");
    for forbidden in ["<style", " style=", "<script", " onclick="] {
        assert!(!fragment.contains(forbidden), "a page has {forbidden}");
    }
    assert!(
        foot.starts_with("Made by treegauge ") && foot.ends_with("</footer></body></html>"),
        "{foot}"
    );
    body.to_owned()
}

/// Runs the program again and again, killed whenever its journal has `grown` by a few lines, until a run
/// ends by itself. Fails where it was not killed at least twice.
pub(crate) fn kill_until_it_ends(arguments: &[&str], grown: impl Fn() -> u64) {
    let mut kills = 0;
    for _ in 0..100 {
        let before = grown();
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_treegauge"))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        let ended = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if grown() > before + 4_000 || begun.elapsed() > Duration::from_secs(60) {
                child.kill().unwrap();
                child.wait().unwrap();
                break None;
            }
            std::thread::yield_now();
        };
        match ended {
            Some(status) => {
                assert!(status.success());
                break;
            }
            None => kills += 1,
        }
    }
    assert!(kills > 1, "it was killed {kills} times");
}
