//! Forms of runs, made from the declarations of tasks, and the command lines that they ask for.

use clap::{Arg, ArgAction};
use serde::Serialize;
use serde_json::{Map, Value};
use treegauge::tasks::{
    AnyTask, COMMAND, FileOption, KeptPlace, TASKS, TaskKind, is_of_run, quoted, words_of,
};
use treegauge::{Error, FileKind};

use crate::answer::Refusal;
use crate::workspace::RUNS;

/// Fields of a form that are shown at once, where they are others than those that help lists first.
const MAIN: &[(&str, &[&str])] = &[
    ("gauge", &["game", "budget", "games", "iterations", "seed"]),
    ("compare", &["names", "budget", "games", "iterations", "seed"]),
    ("match", &["game", "a", "b", "games", "sprt", "seed"]),
    ("tournament", &["game", "player", "games", "seed"]),
    ("solve", &["game", "symmetry", "position"]),
    ("search", &["game", "iterations", "position", "moves", "seed"]),
    ("collect", &["games", "iterations", "instances", "seed"]),
    ("generate", &["from", "games", "seed", "best"]),
    ("difficulty", &["file", "depth", "for_rating"]),
    ("puzzles", &["source", "mate_in", "top"]),
    ("check", &["file", "seed"]),
    ("vet", &["games", "seed"]),
];

/// Names of fields in words, where the name of the option does not tell enough.
const TITLES: [(&str, &str); 4] =
    [("a", "Player A"), ("b", "Player B"), ("sprt", "Sequential test"), ("cp", "C_p")];

/// A field of a form.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Field {
    /// Name in the task.
    pub(crate) name: String,
    /// Name in words.
    pub(crate) title: String,
    /// Option of the command line, or the word for its place.
    pub(crate) label: String,
    pub(crate) help: String,
    pub(crate) input: Input,
    /// Values that hold if none is given.
    pub(crate) default: Vec<String>,
    pub(crate) is_required: bool,
    /// Whether the form shows the field at once.
    pub(crate) is_main: bool,
    /// Heading under which the command line lists the option.
    pub(crate) heading: Option<String>,
}

/// Kind of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Input {
    /// Yes or no.
    Flag,
    /// One of some words, each with its meaning.
    Choice(Vec<(String, String)>),
    /// A game.
    Game,
    /// A player.
    Player,
    /// A file or a folder of the workspace.
    File,
    /// A text.
    Text,
    /// Several texts, each on a line of its own.
    Lines,
}

/// The fields of a task.
pub(crate) fn fields(kind: &TaskKind) -> Vec<Field> {
    let mut command = kind.command();
    command.build();
    let main = MAIN.iter().find(|(name, _)| *name == kind.name).map(|(_, fields)| *fields);
    let asked = command.get_arguments().filter(|arg| {
        let id = arg.get_id().as_str();
        !is_of_run(kind.name, id) && !matches!(id, "help" | "version")
    });
    let is_common = |arg: &Arg| {
        let id = arg.get_id().as_str();
        match main {
            Some(main) => main.contains(&id),
            None => arg.is_positional() || arg.is_required_set() || kind.common.contains(&id),
        }
    };
    let mut fields: Vec<Field> = asked.map(|arg| field(arg, is_common(arg))).collect();
    let place = |field: &Field| {
        let listed = main.unwrap_or(&[]).iter().position(|name| *name == field.name);
        (!field.is_main, listed.unwrap_or(usize::MAX))
    };
    fields.sort_by_key(place);
    fields
}

fn field(arg: &Arg, is_main: bool) -> Field {
    let name = arg.get_id().to_string();
    let words = arg.get_value_names().unwrap_or_default();
    let word = words.first().map_or("", |word| word.as_str());
    let takes_many = matches!(arg.get_action(), ArgAction::Append)
        || arg.get_num_args().is_some_and(|count| count.max_values() > 1);
    let choices: Vec<_> = arg.get_possible_values();
    let input = if matches!(arg.get_action(), ArgAction::SetTrue) {
        Input::Flag
    } else if takes_many {
        Input::Lines
    } else if !choices.is_empty() {
        let meaning = |help: Option<&clap::builder::StyledStr>| {
            help.map_or(String::new(), ToString::to_string)
        };
        Input::Choice(
            choices
                .iter()
                .map(|one| (one.get_name().to_owned(), meaning(one.get_help())))
                .collect(),
        )
    } else if word.starts_with("GAME") {
        Input::Game
    } else if word.starts_with("PLAYER") {
        Input::Player
    } else if word.starts_with("FILE") || word.starts_with("DIR") {
        Input::File
    } else {
        Input::Text
    };
    let label = match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => word.to_owned(),
    };
    let is_required = arg.is_required_set();
    let words =
        if arg.is_positional() { word.replace('|', " or ") } else { name.replace('_', " ") };
    let known = TITLES.iter().find(|(known, _)| *known == name);
    let title =
        known.map_or_else(|| capitalised(&words.to_lowercase()), |(_, title)| (*title).to_owned());
    Field {
        title,
        is_main,
        label,
        help: arg.get_help().map_or(String::new(), ToString::to_string),
        input,
        default: arg
            .get_default_values()
            .iter()
            .map(|word| word.to_string_lossy().into_owned())
            .collect(),
        is_required,
        heading: arg.get_help_heading().map(str::to_owned),
        name,
    }
}

/// The kind of task of a command.
pub(crate) fn kind_of(command: &str) -> Option<&'static TaskKind> {
    TASKS.iter().find(|kind| kind.name == command)
}

/// The task that the query of a form asks for. Fields left empty are not in it.
pub(crate) fn task_of_query(command: &str, query: &[(String, String)]) -> Map<String, Value> {
    let mut task = Map::new();
    task.insert(COMMAND.to_owned(), command.into());
    let known = kind_of(command).map(fields).unwrap_or_default();
    for field in known {
        let given =
            query.iter().filter(|(name, value)| *name == field.name && !value.trim().is_empty());
        let given: Vec<&str> = given.map(|(_, value)| value.as_str()).collect();
        let Some(&last) = given.last() else { continue };
        let value = match field.input {
            Input::Flag => Value::Bool(last == "true"),
            Input::Lines => given
                .iter()
                .flat_map(|text| text.lines())
                .map(str::trim)
                .filter(|line| !line.is_empty())
                .map(Value::from)
                .collect(),
            _ => Value::from(last.trim()),
        };
        task.insert(field.name, value);
    }
    task
}

/// A task that can be run: it was read by its declaration.
pub(crate) struct Checked {
    pub(crate) kind: &'static TaskKind,
    task: Box<dyn AnyTask>,
    /// Words of its command line: the options, and those that stand in a place, with `--`.
    options: Vec<String>,
    placed: Vec<String>,
    /// The game, or the first of the games or files, for the name of the run.
    pub(crate) subject: Option<String>,
}

/// Means of runs, which their tasks do not say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Means {
    pub(crate) threads: Option<usize>,
    pub(crate) memory_bytes: u64,
    pub(crate) engine: Option<String>,
}

impl Checked {
    /// Reads a task. The error of a field names it.
    pub(crate) fn of(fields: &Map<String, Value>) -> Result<Checked, Refusal> {
        let command = fields.get(COMMAND).and_then(Value::as_str).unwrap_or_default();
        let refused = |error: &Error| {
            let error = error.to_string();
            Refusal { field: field_of(command, &error), ..Refusal::new(400, sentence(&error)) }
        };
        let task = treegauge::tasks::task(fields).map_err(|error| refused(&error))?;
        let kind =
            kind_of(command).ok_or_else(|| Refusal::not_found("There is no such command."))?;
        let words = words_of(&kind.command(), fields).map_err(|error| refused(&error))?;
        let mut options: Vec<String> =
            words.into_iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let place = options.iter().position(|word| word == "--").unwrap_or(options.len());
        let placed = options.split_off(place);
        let named = ["game", "names", "source", "games", "file", "from", "files", "datasets"];
        let subject = named.iter().find_map(|name| match fields.get(*name)? {
            Value::Array(values) => values.first()?.as_str().map(str::to_owned),
            value => value.as_str().map(str::to_owned),
        });
        Ok(Checked { kind, task, options, placed, subject })
    }

    /// Whether a run that was stopped continues from what it kept.
    pub(crate) fn continues(&self) -> bool {
        self.kind.means.kept.is_some() && self.task.continues() && !self.task.reads_record()
    }

    /// Command line without the name of the program that prints the report as JSON, for a run that keeps
    /// its work in the folder `run`.
    pub(crate) fn shown(&self, run: &str) -> Vec<String> {
        self.line(self.outputs(run, true))
    }

    /// Command line of the process of a run.
    pub(crate) fn argv(&self, run: &str, means: &Means) -> Vec<String> {
        let mut words = self.outputs(run, false);
        if let Some(threads) = means.threads.filter(|_| self.kind.means.threads) {
            words.push(format!("--threads={threads}"));
        }
        if self.kind.means.memory {
            // Positions are not all that takes memory.
            words.push(format!("--memory-max={}", means.memory_bytes / 4 * 3));
        }
        let has_engine = self.kind.command().get_arguments().any(|arg| arg.get_id() == "engine");
        if let Some(engine) = means.engine.as_ref().filter(|_| has_engine) {
            words.push(format!("--engine={engine}"));
        }
        words.extend(["--progress=json", "--stop-on-eof", "--partial=1"].map(str::to_owned));
        self.line(words)
    }

    fn line(&self, more: Vec<String>) -> Vec<String> {
        let command = std::iter::once(self.kind.name.to_owned());
        let options = self.options.iter().cloned();
        let json = std::iter::once("--json".to_owned());
        command.chain(options).chain(json).chain(more).chain(self.placed.iter().cloned()).collect()
    }

    /// Options that say where the work and the result of a run are kept: all, or only those that the command
    /// must have.
    fn outputs(&self, run: &str, only_required: bool) -> Vec<String> {
        let means = self.kind.means;
        let within = |name: &str| format!("{RUNS}/{run}/{name}");
        let mut words = Vec::new();
        if let Some(kept) = means.kept.filter(|kept| kept.is_required || !only_required) {
            let option = kept.option();
            match kept.place {
                _ if self.task.reads_record() => {}
                KeptPlace::File => words.push(format!("--{option}={}", within("kept.jsonl"))),
                KeptPlace::Folder => words.push(format!("--{option}={}", within("kept"))),
                KeptPlace::Result => words.push(format!("--{option}={}", within("result"))),
                KeptPlace::Answers => words.push(format!("--{option}={}", within("answers"))),
                // The checkpoint lies beside the solution; a merged record is not asked for.
                _ => {}
            }
        }
        // The solution is a result that other commands read, and its size is in the report.
        let is_solution = |option: &FileOption| {
            option.name == FileOption::OUTPUT && option.kind == FileKind::Solution
        };
        for option in means.files.iter().filter(|option| option.is_required || is_solution(option))
        {
            let ending = option.kind.endings().first().copied().unwrap_or("txt");
            let name = option.name.replace('_', "-");
            let file = if option.is_folder { name.clone() } else { format!("{name}.{ending}") };
            words.push(format!("--{name}={}", within(&file)));
        }
        words
    }
}

/// A command line for a POSIX shell.
pub(crate) fn shell_line(words: &[String]) -> String {
    let words = words.iter().map(|word| quoted(word.as_ref()));
    std::iter::once("treegauge".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// The field that an error of a command line is about.
fn field_of(command: &str, error: &str) -> Option<String> {
    let quoted: Vec<&str> = error.split(['\'', '"', ' ', ',']).collect();
    let known = fields(kind_of(command)?);
    let is_named = |field: &&Field| {
        let place = format!("<{}>", field.label);
        quoted.iter().any(|word| {
            *word == field.label || *word == field.name || word.trim_end_matches("...") == place
        })
    };
    known.iter().find(is_named).map(|field| field.name.clone())
}

/// A text that begins with a capital letter.
fn capitalised(text: &str) -> String {
    let mut chars = text.trim().chars();
    let first = chars.next().map_or(String::new(), |first| first.to_uppercase().to_string());
    format!("{first}{}", chars.as_str())
}

/// A text as a sentence.
pub(crate) fn sentence(text: &str) -> String {
    let text = capitalised(text);
    if text.ends_with(['.', '?', '!']) { text } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(task: &Value) -> Result<Checked, Refusal> {
        Checked::of(task.as_object().unwrap())
    }

    #[test]
    fn every_task_has_a_form_without_options_of_the_run() {
        for kind in TASKS {
            let fields = fields(kind);
            let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            for name in [
                "engine",
                "engine_option",
                "force",
                "open",
                "output",
                "html",
                "json",
                "record",
                "help",
            ] {
                assert!(!names.contains(&name), "{}: {name}", kind.name);
            }
            assert!(fields.iter().all(|field| !field.help.is_empty()), "{}", kind.name);
            for (command, main) in MAIN {
                let is_known = |name: &&str| names.contains(name);
                assert!(*command != kind.name || main.iter().all(is_known), "{command}: {names:?}");
            }
        }
    }

    #[test]
    fn a_command_line_has_the_places_last() {
        let task = json!({"command": "gauge", "game": "achi", "games": 4});
        let found = checked(&task).unwrap();
        assert_eq!(shell_line(&found.shown("r")), "treegauge gauge --games=4 --json -- achi");
        let argv = found.argv("r", &Means { threads: Some(2), ..Means::default() }).join(" ");
        assert!(
            argv.starts_with("gauge --games=4 --json --record=runs/r/kept.jsonl --threads=2 "),
            "{argv}"
        );
        assert!(argv.ends_with(" --stop-on-eof --partial=1 -- achi"), "{argv}");
        assert!(found.continues());
        let solve = checked(&json!({"command": "solve", "game": "achi"})).unwrap();
        let shown = shell_line(&solve.shown("r"));
        assert_eq!(shown, "treegauge solve --json --output=runs/r/output.tgs -- achi");
        let argv = solve.argv("r", &Means::default()).join(" ");
        assert!(argv.contains("--output=runs/r/output.tgs"), "{argv}");
    }

    #[test]
    fn options_of_the_run_are_refused_and_a_game_is_never_an_option() {
        for field in
            ["engine", "output", "force", "open", "html", "record", "threads", "engine_option"]
        {
            let task = json!({"command": "gauge", "game": "achi", field: "x"});
            assert!(checked(&task).is_err(), "{field}");
        }
        let argv = checked(&json!({"command": "gauge", "game": "--force"})).unwrap().shown("r");
        assert_eq!(argv, ["gauge", "--json", "--", "--force"]);
    }

    #[test]
    fn an_error_names_its_field() {
        let error =
            checked(&json!({"command": "gauge", "game": "achi", "games": 0})).err().unwrap();
        assert_eq!(error.field.as_deref(), Some("games"), "{error:?}");
        let error = checked(&json!({"command": "gauge"})).err().unwrap();
        assert_eq!(error.field.as_deref(), Some("game"), "{error:?}");
        let error =
            checked(&json!({"command": "gauge", "game": "achi", "colour": 1})).err().unwrap();
        assert_eq!(error.status, 400, "{error:?}");
    }

    #[test]
    fn a_query_fills_a_task() {
        let query = [("names", "achi\nkalah\n"), ("games", "4"), ("seed", ""), ("other", "1")];
        let query = query.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let task = task_of_query("compare", &query);
        assert_eq!(
            Value::from(task),
            json!({"command": "compare", "names": ["achi", "kalah"], "games": "4"})
        );
    }
}
