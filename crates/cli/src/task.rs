//! The task of this run: the command and its options as data, which reports include.

use std::ffi::OsString;
use std::sync::OnceLock;

use clap::{CommandFactory, FromArgMatches};
use serde_json::{Map, Value};
use treegauge::tasks::task_of;

use crate::Program;
use crate::exit::Outcome;

static ASKED: OnceLock<Map<String, Value>> = OnceLock::new();

/// The task of this run.
pub(crate) fn asked() -> Option<&'static Map<String, Value>> {
    ASKED.get()
}

/// A command line that clap has read, and its task.
pub(crate) struct Read {
    program: Program,
    task: Map<String, Value>,
}

impl Read {
    /// Reads a command line.
    pub(crate) fn of(words: impl IntoIterator<Item = OsString>) -> Result<Read, clap::Error> {
        Read::by(Program::command(), words)
    }

    /// Reads a command line in which the last value of a repeated option counts.
    pub(crate) fn again(words: impl IntoIterator<Item = OsString>) -> Result<Read, clap::Error> {
        let program =
            Program::command().mut_subcommands(|command| command.args_override_self(true));
        Read::by(program, words)
    }

    fn by(
        mut command: clap::Command,
        words: impl IntoIterator<Item = OsString>,
    ) -> Result<Read, clap::Error> {
        let mut matches = command.try_get_matches_from_mut(words)?;
        let task = matches.subcommand().and_then(|(name, matches)| {
            let command = command.find_subcommand(name)?;
            Some(task_of(command, matches))
        });
        let program = Program::from_arg_matches_mut(&mut matches)
            .map_err(|error| error.format(&mut command))?;
        Ok(Read { program, task: task.unwrap_or_default() })
    }

    /// Runs it.
    pub(crate) fn run(self) -> Outcome {
        let Program { command, terminal, files } = self.program;
        terminal.set();
        files.set();
        if !command.is_run() {
            // Set once, since the task that `run` reads is not a `run`.
            _ = ASKED.set(self.task);
        }
        command.run()
    }
}

#[cfg(test)]
mod tests {
    use treegauge::tasks::is_of_run;

    use super::*;

    /// The options of tasks that name files, all of them inputs.
    const READ: [&str; 18] = [
        "again",
        "conditions",
        "corpus",
        "dataset",
        "datasets",
        "file",
        "files",
        "from",
        "games",
        "human_network",
        "join",
        "labels",
        "model",
        "ratings",
        "solved",
        "source",
        "webs",
        "with",
    ];

    #[test]
    fn what_names_a_file_is_read_or_belongs_to_the_run() {
        let program = Program::command();
        let mut seen = Vec::new();
        for command in program.get_subcommands() {
            if matches!(
                command.get_name(),
                "help" | "man" | "play" | "report" | "rules" | "run" | "serve"
            ) {
                continue;
            }
            for arg in command.get_arguments() {
                let id = arg.get_id().as_str();
                let names = arg.get_value_names().unwrap_or_default();
                let is_file = names.iter().any(|name| {
                    ["FILE", "DIR", "PATH", "CHECKPOINT", "MODEL"]
                        .iter()
                        .any(|word| name.contains(word))
                });
                if is_file && !is_of_run(command.get_name(), id) {
                    assert!(READ.contains(&id), "--{id} of {} names a file", command.get_name());
                    seen.push(id.to_owned());
                }
            }
        }
        for id in READ {
            assert!(seen.iter().any(|seen| seen == id) || id == "with", "{id}");
        }
    }
}
