//! Check of the guide `docs/your_own_game.md`: every step is followed to the letter.
//!
//! A fenced block with a mark in its first line is a step, in the order of the text. `file=NAME`
//! writes a file. `run` runs its lines, which must succeed and print something. They run in an
//! empty folder, with the program that the tests built.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::run::{root, target};

/// A step of the guide.
#[derive(Debug, PartialEq, Eq)]
enum Step {
    File { name: String, text: String },
    Run { line: String },
}

/// Follows the guide in an empty folder.
pub(crate) fn guide() -> Result<()> {
    let text = fs::read_to_string(root().join("docs/your_own_game.md"))?;
    let steps = parse(&text)?;
    let commands = steps.iter().filter(|step| matches!(step, Step::Run { .. })).count();
    ensure!(commands >= 8, "the guide has {commands} commands that can be run");
    let folder = tempfile::tempdir()?;
    for step in steps {
        match step {
            Step::File { name, text } => fs::write(folder.path().join(name), text)?,
            Step::Run { line } => run(&line, folder.path())?,
        }
    }
    Ok(())
}

/// Runs one line of the guide in a shell.
fn run(line: &str, folder: &Path) -> Result<()> {
    let mut path = OsString::from(target().join("debug"));
    if let Some(rest) = std::env::var_os("PATH") {
        path.push(if cfg!(windows) { ";" } else { ":" });
        path.push(rest);
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().context("cannot run sh")?;
    let errors = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`{line}` of the guide failed: {errors}");
    let writes = line.contains(" -o ") || line.contains('>');
    ensure!(writes || !output.stdout.is_empty(), "`{line}` of the guide prints nothing");
    Ok(())
}

/// Steps of a text.
fn parse(text: &str) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(fence) = line.strip_prefix("```") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let words: Vec<&str> = fence.split_whitespace().collect();
        if words.contains(&"run") {
            steps.extend(block.iter().map(|line| Step::Run { line: (*line).to_owned() }));
        } else if let Some(name) = words.iter().find_map(|word| word.strip_prefix("file=")) {
            ensure!(!name.contains(['/', '\\']), "the guide writes {name} elsewhere");
            let text = block.iter().map(|line| format!("{line}\n")).collect();
            steps.push(Step::File { name: name.to_owned(), text });
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stand_in_the_order_of_the_text() {
        let text = "a\n```sh run\nx 1\ny\n```\n```lisp file=a.rules\n(game)\n```\n```text\nnot this\n```\n";
        let run = |line: &str| Step::Run { line: line.to_owned() };
        let file = Step::File { name: "a.rules".to_owned(), text: "(game)\n".to_owned() };
        assert_eq!(parse(text).unwrap(), [run("x 1"), run("y"), file]);
        assert!(parse("```lisp file=../a.rules\n```\n").is_err());
    }
}
