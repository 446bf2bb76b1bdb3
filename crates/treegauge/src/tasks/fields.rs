//! The fields of a task as JSON, and as words of a command line. The declaration of the command translates one into the
//! other, so that ranges, conflicts and defaults hold for both.

use std::ffi::{OsStr, OsString};
use std::fmt;

use clap::error::{ContextKind, ContextValue};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use treegauge_grammar::nearest;

use super::{kind_of_task, quoted};
use crate::{Error, ErrorKind, Remedy};

/// The key that names the command of a task.
pub const COMMAND: &str = "command";

/// The options that say where a run reads and writes and with which means it works, but do not affect its result. A task
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
    "practice",
    "progress",
    "quiet",
    "record",
    "recover",
    "resume",
    "save",
    "solution",
    "stop_on_eof",
    "svg",
    "svg_dir",
    "threads",
    "timeout",
    "tree_features",
    "tree_json",
    "worksheet",
];

/// Options of these names that affect the result of a command, and so belong to its task.
const DECIDING: &[(&str, &str)] = &[("search", "memory_max")];

/// Whether an option of a command belongs to a run and not to its task.
#[must_use]
pub fn is_of_run(command: &str, id: &str) -> bool {
    OF_RUN.contains(&id) && !DECIDING.contains(&(command, id))
}

/// Options of a run that belong to its task if another option is set, since the task then only reads them: the command,
/// the option and the other one.
const READ_WITH: &[(&str, &str, &str)] = &[("match", "record", "power")];

/// Whether an option of a run belongs to the task that has some other options set.
fn is_read(command: &str, id: &str, is_set: impl Fn(&str) -> bool) -> bool {
    READ_WITH.iter().any(|(of, option, with)| (*of, *option) == (command, id) && is_set(with))
}

/// The task of a command line that clap has read: its command, and the given fields. Numbers and truth values are
/// numbers and truth values in JSON too. A path that is not Unicode has its invalid parts replaced.
#[must_use]
pub fn task_of(command: &Command, matches: &ArgMatches) -> Map<String, Value> {
    let mut task = Map::new();
    task.insert(COMMAND.to_owned(), command.get_name().into());
    for arg in command.get_arguments() {
        let id = arg.get_id().as_str();
        let name = command.get_name();
        let is_given = || matches.value_source(id) == Some(ValueSource::CommandLine);
        let is_set = |other: &str| matches.try_get_one(other).ok().flatten() == Some(&true);
        if (is_of_run(name, id) && !is_read(name, id, is_set))
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

/// A word as JSON: a number if the number is written like this.
fn value_of(word: &OsStr) -> Value {
    let text = word.to_string_lossy();
    let number = serde_json::from_str::<Number>(&text).ok();
    match number.filter(|number| number.to_string() == text && is_exact(number)) {
        Some(number) => Value::Number(number),
        None => Value::String(text.into_owned()),
    }
}

/// Whether every reader of JSON reads the same number.
fn is_exact(number: &Number) -> bool {
    number.as_u64().is_none_or(|number| number < 1 << 53)
}

pub(super) fn is_flag(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
}

/// Whether an option that takes a value may be given without one.
fn may_be_bare(arg: &Arg) -> bool {
    arg.get_num_args().is_some_and(|count| count.min_values() == 0 && count.takes_values())
}

pub(super) fn takes_many(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
        || arg.get_num_args().is_some_and(|count| count.max_values() > 1)
}

/// The words of a command line for a task, after the name of the command: its options, then its positional arguments.
///
/// # Errors
///
/// When a field is not one of the command or of its task, or its value has a wrong type; the error names the field. Values
/// out of range are found when the words are read.
pub fn words_of(command: &Command, task: &Map<String, Value>) -> Result<Vec<OsString>, Error> {
    words_with(command, task, false)
}

/// As [`words_of`], but the options of a run are fields too.
pub(super) fn words_of_caller(
    command: &Command,
    task: &Map<String, Value>,
) -> Result<Vec<OsString>, Error> {
    words_with(command, task, true)
}

fn words_with(
    command: &Command,
    task: &Map<String, Value>,
    is_callers: bool,
) -> Result<Vec<OsString>, Error> {
    let mut words = Vec::new();
    let mut placed: Vec<(usize, String)> = Vec::new();
    for (field, value) in task.iter().filter(|(field, _)| *field != COMMAND) {
        let arg = arg_of(command, field, task, is_callers)?;
        let expected = |what: &str| -> Error {
            let message = format!(
                "field {field:?} of {:?}: expected {what}, found {value}",
                command.get_name()
            );
            let mut error = FieldError::new(field, message);
            error.remedy.expected = Some(what.to_owned());
            error.into()
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

/// The command line of the program for a task, quoted for a POSIX shell.
///
/// # Errors
///
/// As [`words_of`], and when the task names no command.
///
/// ```
/// use treegauge::tasks::{command_line, object_of};
///
/// let task = object_of(r#"{"command": "perft", "game": "kalah(houses=4)", "depth": 5}"#).unwrap();
/// assert_eq!(command_line(&task).unwrap(), "treegauge perft --depth=5 -- 'kalah(houses=4)'");
/// ```
pub fn command_line(task: &Map<String, Value>) -> Result<String, Error> {
    let kind = kind_of_task(task)?;
    let words = words_of(&kind.command(), task)?;
    let words = words.iter().map(|word| quoted(word));
    let program = ["treegauge".to_owned(), kind.name.to_owned()];
    Ok(program.into_iter().chain(words).collect::<Vec<_>>().join(" "))
}

/// The error of a command line in one line, without the usage.
#[must_use]
pub fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.trim_start_matches("error: ").split("\n\n").next().unwrap_or_default();
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An invalid field of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field, the values that it takes and the nearest valid one.
    pub remedy: Remedy,
    message: String,
}

impl FieldError {
    fn new(field: &str, message: String) -> FieldError {
        FieldError {
            remedy: Remedy { field: Some(field.to_owned()), ..Remedy::default() },
            message,
        }
    }

    /// The error that clap found in the words of a task.
    pub(super) fn of(error: &clap::Error) -> FieldError {
        let text = |kind: ContextKind| match error.get(kind)? {
            ContextValue::String(text) => Some(text.clone()),
            ContextValue::Strings(texts) => texts.first().cloned(),
            _ => None,
        };
        let field = text(ContextKind::InvalidArg).map(|arg| {
            let name = arg.trim_start_matches(['-', '<', '[']);
            let end = name.find(['=', ' ', '>', ']', '[']).unwrap_or(name.len());
            name[..end].replace('-', "_").to_lowercase()
        });
        let message = one_line(error);
        let expected = message.rsplit_once("expected ").map(|(_, rest)| rest.to_owned());
        let nearest = text(ContextKind::SuggestedValue).or_else(|| text(ContextKind::SuggestedArg));
        FieldError { remedy: Remedy { field, expected, nearest }, message }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FieldError {}

impl From<FieldError> for Error {
    fn from(error: FieldError) -> Error {
        Error::new(ErrorKind::Usage, error)
    }
}

/// A number as an option takes it: `3.0` is a whole number.
fn number_text(number: &Number) -> String {
    /// Whole numbers below this are exact as real numbers.
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

/// The argument of a field of a task.
fn arg_of<'c>(
    command: &'c Command,
    field: &str,
    task: &Map<String, Value>,
    is_callers: bool,
) -> Result<&'c Arg, Error> {
    let name = command.get_name();
    let refused = |message: String, nearest: Option<&str>| {
        let mut error = FieldError::new(field, message);
        error.remedy.nearest = nearest.map(str::to_owned);
        Err(error.into())
    };
    let is_set = |other: &str| task.get(other) == Some(&Value::Bool(true));
    let is_field = |id: &str| is_callers || !is_of_run(name, id) || is_read(name, id, is_set);
    let args = || command.get_arguments().filter(|arg| is_field(arg.get_id().as_str()));
    if let Some(arg) = args().find(|arg| arg.get_id() == field) {
        return Ok(arg);
    }
    if is_of_run(name, field) {
        return refused(
            format!(
                "field {field:?} of {name:?}: a task does not say this; use --{} on the command line",
                field.replace('_', "-")
            ),
            None,
        );
    }
    let known: Vec<&str> = args().map(|arg| arg.get_id().as_str()).collect();
    let nearest = nearest(field, known.iter().copied());
    let tip = match nearest {
        Some(name) => format!("did you mean {name:?}?"),
        None if known.is_empty() => "there are no fields".to_owned(),
        None => format!("the fields are {}", known.join(", ")),
    };
    refused(format!("{name:?} has no field {field:?}; {tip}"), nearest)
}

/// Reads a JSON object. Unlike the reader of [`serde_json`], it refuses a key that stands twice in an object, at any depth.
///
/// # Errors
///
/// When the text is not a JSON object, or a key stands twice; the error names the key.
///
/// ```
/// use treegauge::tasks::object_of;
///
/// let error = object_of(r#"{"games": 1, "games": 2}"#).unwrap_err();
/// assert!(error.to_string().starts_with("the key \"games\" stands twice"));
/// ```
pub fn object_of(text: &str) -> Result<Map<String, Value>, serde_json::Error> {
    serde_json::from_str::<UniqueObject>(text).map(|object| object.0)
}

/// An object in which each key stands once.
struct UniqueObject(Map<String, Value>);

/// A value in whose objects each key stands once.
struct UniqueValue(Value);

impl<'de> Deserialize<'de> for UniqueObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor).map(UniqueObject)
    }
}

impl<'de> Deserialize<'de> for UniqueValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor).map(UniqueValue)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Map<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Self::Value, A::Error> {
        let mut object = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if object.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {key:?} stands twice")));
            }
            let UniqueValue(value) = entries.next_value()?;
            object.insert(key, value);
        }
        Ok(object)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(UniqueValue(value)) = elements.next_element()? {
            array.push(value);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Value, A::Error> {
        ObjectVisitor.visit_map(entries).map(Value::Object)
    }
}
