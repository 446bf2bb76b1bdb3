//! `treegauge run`.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::error::{ContextKind, ContextValue};
use clap::{Args, CommandFactory};
use serde_json::{Map, Value};
use treegauge::input_name;
use treegauge::tasks::{COMMAND, object_of, one_line, words_of};
use treegauge_store::{read, text_of};

use crate::Program;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::files::{cannot_read, to_read};
use crate::standard_input::StandardInput;
use crate::task::Read;

pub(super) const EXAMPLES: &[&str] = &["run task.json --json", "run achi.json --threads 1 --json"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Task in JSON, or a report that a command printed with --json; `-` reads standard input
    ///
    /// A task is an object with the name of a command and its options, such as
    /// `{"command": "gauge", "game": "othello", "games": 20}`. The task of a report is run again
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Options of the command that a task does not have, for output and running: --json, --html FILE, --threads N,
    /// --record FILE, -o FILE, --engine PATH
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<OsString>,
}

/// The maximum length of a report whose task is run again.
const BYTES_MAX: u64 = 1 << 28;

/// The commands without a task: they talk to people, print other texts than reports, or only print a report again.
const OTHERS: [&str; 7] = ["completions", "help", "man", "play", "report", "run", "serve"];

impl Arguments {
    /// Reads the command line of the task.
    fn read(&self) -> Outcome<Read> {
        let name = input_name(&self.file);
        let task = self.task()?;
        let mut words: Vec<OsString> = vec!["treegauge".into()];
        let program = Program::command();
        let known = || program.get_subcommands().filter(|one| !OTHERS.contains(&one.get_name()));
        let Some(Value::String(command)) = task.get(COMMAND) else {
            let message =
                format!("{name}: a task names its command, as in {{\"command\": \"gauge\"}}");
            return Err(Failure::new(Exit::Data, message));
        };
        if OTHERS.contains(&command.as_str()) {
            let message = format!("{name}: `{command}` is not a task: it has no report of its own");
            return Err(Failure::new(Exit::Data, message));
        }
        let Some(found) = known().find(|one| one.get_name() == command) else {
            let names: Vec<&str> = known().map(clap::Command::get_name).collect();
            let tip = treegauge::grammar::nearest(command, names);
            let tip = tip.map_or(String::new(), |tip| format!("; did you mean {tip:?}?"));
            let message = format!("{name}: unknown command {command:?} of a task{tip}");
            return Err(Failure::new(Exit::Data, message));
        };
        words.push(command.into());
        if let Some(word) = self.misplaced() {
            let word = word.to_string_lossy();
            let message =
                format!("unexpected argument {word:?}: only options follow the file of the task");
            return Err(Failure::new(Exit::Usage, message));
        }
        // Positional arguments follow `--`, and an option of this command line replaces that of the task.
        let of_task =
            words_of(found, &task).map_err(|error| format!("{name}: {error}")).or_data()?;
        let places = of_task.iter().position(|word| word == "--").unwrap_or(of_task.len());
        words.extend_from_slice(&of_task[..places]);
        words.extend(self.options.iter().cloned());
        words.extend_from_slice(&of_task[places..]);
        let refused = |error: clap::Error| {
            let message = match lacks_place(&error) {
                Some(option) => format!(
                    "{name}: a task does not say where its result goes: add `{option}` after the file"
                ),
                None => format!("{name}: {}", one_line(&error)),
            };
            Failure::new(Exit::Data, message)
        };
        Read::again(words).map_err(refused)
    }

    /// The first word after the file, if it is not an option.
    fn misplaced(&self) -> Option<&OsString> {
        self.options.first().filter(|word| !word.to_string_lossy().starts_with('-'))
    }

    /// The task in the file, or the task of the report in it.
    fn task(&self) -> Outcome<Map<String, Value>> {
        let name = input_name(&self.file);
        let refused = |error: &dyn std::fmt::Display| cannot_read(&self.file, error);
        let bytes = if self.file == Path::new("-") {
            let mut bytes = Vec::new();
            let input = StandardInput::open().take(BYTES_MAX + 1).read_to_end(&mut bytes);
            input.map_err(|error| refused(&error))?;
            bytes
        } else {
            to_read(&self.file)?;
            read(&self.file, BYTES_MAX).map_err(|error| refused(&error))?
        };
        let text = text_of(bytes).map_err(|reason| refused(&reason))?;
        let json = object_of(&text)
            .map_err(|error| format!("{name}: not the JSON of a saved task or report: {error}"))
            .or_data()?;
        match json.get("task") {
            _ if json.contains_key(COMMAND) => Ok(json),
            Some(Value::Object(task)) => Ok(task.clone()),
            None if !json.contains_key("kind") => Ok(json),
            _ => Err(Failure::new(
                Exit::Data,
                format!(
                    "{name}: this report does not have its task: it was written by an older version"
                ),
            )),
        }
    }
}

/// The option that the error misses, if it names the place of the result.
fn lacks_place(error: &clap::Error) -> Option<&str> {
    let missing = match error.get(ContextKind::InvalidArg)? {
        ContextValue::Strings(missing) => missing,
        _ => return None,
    };
    let [option] = missing.as_slice() else { return None };
    option.starts_with("--output ").then_some(option)
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    arguments.read()?.run()
}
