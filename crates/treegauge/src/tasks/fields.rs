//! The fields of a task as JSON, and as words of a command line: one is translated into the other by the declaration
//! of the command, so that ranges, conflicts and defaults hold for both.

use std::ffi::{OsStr, OsString};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde_json::{Map, Number, Value};
use treegauge_grammar::nearest;

use crate::{Error, ErrorKind};

/// The key that names the command of a task.
pub const COMMAND: &str = "command";

/// The options that say where a run reads and writes and with which means it works, but not what it finds out. A task
/// does not have them: it may come from somebody else, and must neither write a file nor start a program.
const OF_RUN: &[&str] = &[
    "board",
    "cache",
    "checkpoint_minutes",
    "color",
    "csv",
    "dot",
    "engine",
    "engine_option",
    "engines",
    "force",
    "html",
    "json",
    "log_trees",
    "memory_max",
    "no_cache",
    "open",
    "output",
    "partial",
    "plain",
    "play",
    "progress",
    "quiet",
    "record",
    "recover",
    "resume",
    "save",
    "stop_on_eof",
    "svg",
    "svg_dir",
    "threads",
    "timeout",
    "tree_features",
    "tree_json",
];

/// Options of these names that decide the result of a command, and so belong to its task.
const DECIDING: &[(&str, &str)] = &[("search", "memory_max")];

/// Whether an option of a command belongs to a run and not to its task.
#[must_use]
pub fn is_of_run(command: &str, id: &str) -> bool {
    OF_RUN.contains(&id) && !DECIDING.contains(&(command, id))
}

/// The task of a command line that clap has read: its command, and the fields that were given. Numbers and truth values
/// are such in JSON too. A path that is not Unicode has its invalid parts replaced.
#[must_use]
pub fn task_of(command: &Command, matches: &ArgMatches) -> Map<String, Value> {
    let mut task = Map::new();
    task.insert(COMMAND.to_owned(), command.get_name().into());
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let is_given = || matches.value_source(id) == Some(ValueSource::CommandLine);
        if is_of_run(command.get_name(), id)
            || !matches.try_contains_id(id).unwrap_or(false)
            || !is_given()
        {
            continue;
        }
        let raw = matches.get_raw(id).into_iter().flatten();
        let mut values: Vec<Value> = raw.map(value_of).collect();
        let value = if is_flag(arg) || values.is_empty() {
            Value::Bool(true)
        } else if takes_many(arg) {
            Value::Array(values)
        } else {
            values.pop().unwrap_or_default()
        };
        task.insert(id.to_owned(), value);
    }
    task
}

/// A word as JSON: a number where the number would be written like this.
fn value_of(word: &OsStr) -> Value {
    let text = word.to_string_lossy();
    let number = serde_json::from_str::<Number>(&text).ok();
    match number.filter(|number| number.to_string() == text && is_exact(number)) {
        Some(number) => Value::Number(number),
        None => Value::String(text.into_owned()),
    }
}

/// Whether every reader of JSON gets the same number.
fn is_exact(number: &Number) -> bool {
    number.as_u64().is_none_or(|number| number < 1 << 53)
}

fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether an option that takes a value may be given without one.
fn may_be_bare(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|count| count.min_values() == 0 && count.takes_values())
}

fn takes_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
        || arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}

/// The words of a command line, after the name of the command, that ask for a task: those of its options, then those
/// that stand in a place.
///
/// # Errors
///
/// When a field is not one of the command or of its task, or its value has a wrong type; the error names the field. Values
/// out of range are found when the words are read.
pub fn words_of(command: &Command, task: &Map<String, Value>) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    let mut placed: Vec<(usize, String)> = Vec::new();
    for (field, value) in task.iter().filter(|(field, _)| *field != COMMAND) {
        let arg = arg_of(command, field)?;
        let expected = |what: &str| {
            let message = format!(
                "field {field:?} of {:?}: expected {what}, found {value}",
                command.get_name()
            );
            Error::new(ErrorKind::Usage, message)
        };
        let values = match value {
            Value::Null => continue,
            Value::Bool(is_set) if is_flag(arg) || may_be_bare(arg) => {
                words.extend(is_set.then(|| option_of(arg).into()));
                continue;
            }
            _ if is_flag(arg) => return Err(expected("true or false")),
            Value::Array(values) if takes_many(arg) => values.as_slice(),
            Value::Array(_) => return Err(expected("one value")),
            value => std::slice::from_ref(value),
        };
        let texts = values.iter().map(|value| match value {
            Value::String(text) => Ok(text.clone()),
            Value::Number(number) => Ok(number_text(number)),
            _ => Err(expected("a text or a number")),
        });
        let texts = texts.collect::<Result<Vec<String>, Error>>()?;
        let is_group = arg.get_num_args().is_some_and(|count| count.min_values() > 1);
        match command.get_positionals().position(|one| one.get_id() == arg.get_id()) {
            Some(at) => placed.extend(texts.into_iter().map(|text| (at, text))),
            // These have no form with `=`: a word that looks like an option would be one.
            None if is_group && texts.iter().any(|text| text.starts_with('-')) => {
                return Err(expected("values that do not begin with a hyphen"));
            }
            None if is_group => {
                words.push(option_of(arg).into());
                words.extend(texts.into_iter().map(OsString::from));
            }
            // The form with `=`, so that a value may begin with a hyphen.
            None => words
                .extend(texts.into_iter().map(|text| format!("{}={text}", option_of(arg)).into())),
        }
    }
    placed.sort_by_key(|&(at, _)| at);
    if !placed.is_empty() {
        words.push("--".into());
    }
    words.extend(placed.into_iter().map(|(_, text)| OsString::from(text)));
    Ok(words)
}

/// The error of a command line in one line, without its usage.
#[must_use]
pub fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A number as an option has it: `3.0` is a whole number.
fn number_text(number: &Number) -> String {
    /// Beyond this not every whole number is a real one.
    const EXACT: f64 = (1_u64 << 53) as f64;
    let text = number.to_string();
    match text.parse::<f64>() {
        Ok(real) if number.is_f64() && real.fract() == 0.0 && real.abs() < EXACT => {
            format!("{real:.0}")
        }
        _ => text,
    }
}

fn option_of(arg: &Arg) -> String {
    format!("--{}", arg.get_long().unwrap_or(arg.get_id().as_str()))
}

/// The argument of a field.
fn arg_of<'c>(command: &'c Command, field: &str) -> Result<&'c Arg, Error> {
    let name = command.get_name();
    let refused = |message: String| Err(Error::new(ErrorKind::Usage, message));
    let args = || command.get_arguments().filter(|arg| !is_of_run(name, arg.get_id().as_str()));
    if let Some(arg) = args().find(|arg| arg.get_id() == field) {
        return Ok(arg);
    }
    if is_of_run(name, field) {
        return refused(format!(
            "field {field:?} of {name:?}: a task does not say this; use --{} on the command line",
            field.replace('_', "-")
        ));
    }
    let known: Vec<&str> = args().map(|arg| arg.get_id().as_str()).collect();
    let tip = match nearest(field, known.iter().copied()) {
        Some(name) => format!("did you mean {name:?}?"),
        None if known.is_empty() => "there are no fields".to_owned(),
        None => format!("the fields are {}", known.join(", ")),
    };
    refused(format!("{name:?} has no field {field:?}; {tip}"))
}
