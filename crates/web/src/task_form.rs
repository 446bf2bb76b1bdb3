//! Forms of runs, made from the declarations of tasks, and the command lines that they ask for.

use serde::Serialize;
use serde_json::{Map, Value};
use treegauge::report::{ChoiceListing, FieldListing};
use treegauge::tasks::{
    AnyTask, COMMAND, FileOption, KeptPlace, KeptWork, TASKS, TaskKind, quoted, words_of,
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
    ("puzzles", &["source", "mate_in", "count"]),
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
    /// Whether the field takes games, which may be chosen from the catalog.
    pub(crate) takes_games: bool,
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
    Choice(Vec<ChoiceListing>),
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
    let main = MAIN.iter().find(|(name, _)| *name == kind.name).map(|(_, fields)| *fields);
    let is_common = |field: &FieldListing| {
        let name = field.field.as_str();
        match main {
            Some(main) => main.contains(&name),
            None => field.option.is_none() || field.is_required || kind.common.contains(&name),
        }
    };
    let listed = kind.listing().fields.into_iter();
    let mut fields: Vec<Field> = listed.map(|field| of_listing(is_common(&field), field)).collect();
    let place = |field: &Field| {
        let listed = main.unwrap_or(&[]).iter().position(|name| *name == field.name);
        (!field.is_main, listed.unwrap_or(usize::MAX))
    };
    fields.sort_by_key(place);
    fields
}

fn of_listing(is_main: bool, field: FieldListing) -> Field {
    let word = field.value.as_deref().unwrap_or_default();
    let begins = |words: &[&str]| words.iter().any(|one| word.starts_with(one));
    let input = if field.value.is_none() {
        Input::Flag
    } else if field.is_list {
        Input::Lines
    } else if !field.choices.is_empty() {
        Input::Choice(field.choices)
    } else if begins(&["GAME"]) {
        Input::Game
    } else if begins(&["PLAYER"]) {
        Input::Player
    } else if begins(&["FILE", "DIR"]) {
        Input::File
    } else {
        Input::Text
    };
    let words = match field.option {
        None => word.replace('|', " or "),
        Some(_) => field.field.replace('_', " "),
    };
    let known = TITLES.iter().find(|(known, _)| *known == field.field);
    let title =
        known.map_or_else(|| capitalised(&words.to_lowercase()), |(_, title)| (*title).to_owned());
    Field {
        title,
        is_main,
        takes_games: begins(&["GAME"]),
        label: field.option.unwrap_or_else(|| word.to_owned()),
        help: field.help,
        input,
        default: field.default,
        is_required: field.is_required,
        heading: field.heading,
        name: field.field,
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

/// The game of a task, or the first of its games or files.
pub(crate) fn subject_of(task: &Map<String, Value>) -> Option<String> {
    let named = ["game", "names", "source", "file", "from", "files", "datasets", "games"];
    let found = named.iter().find_map(|name| match task.get(*name)? {
        Value::Array(values) => values.first()?.as_str().map(str::to_owned),
        value => value.as_str().map(str::to_owned),
    });
    // Some commands have a number of games.
    found.filter(|subject| subject.parse::<u64>().is_err())
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
        if let Some(word) = placed.iter().skip(1).find(|word| word.starts_with('-')) {
            let holds = |value: &Value| value.as_str() == Some(&word[..]);
            let field = fields.iter().find(|(_, value)| {
                holds(value) || value.as_array().is_some_and(|values| values.iter().any(holds))
            });
            let error = format!("No game and no file begins with `-`, as `{word}` does.");
            let field = field.map(|(name, _)| name.clone());
            return Err(Refusal { field, ..Refusal::new(400, error) });
        }
        Ok(Checked { kind, task, options, placed, subject: subject_of(fields) })
    }

    /// Whether the task reads the file of a solved game.
    fn is_of_solution(&self) -> bool {
        self.subject.as_ref().is_some_and(|subject| subject.ends_with(".tgs"))
    }

    /// Whether a run that was stopped continues from what it kept.
    pub(crate) fn continues(&self) -> bool {
        self.kind.means.kept.is_some() && self.task.continues() && !self.task.reads_record()
    }

    /// Command line without the name of the program that prints the report as JSON, for a run that keeps
    /// its work in the folder `run`.
    pub(crate) fn shown(&self, run: &str) -> Vec<String> {
        self.shown_with(run, None)
    }

    /// As [`Checked::shown`], with the engine that the workbench was started with, if the command takes
    /// one.
    pub(crate) fn shown_with(&self, run: &str, engine: Option<&str>) -> Vec<String> {
        let mut words = self.outputs(run, true);
        words.extend(self.engine(engine));
        self.line(words)
    }

    fn engine(&self, engine: Option<&str>) -> Option<String> {
        let takes_one = self.kind.command().get_arguments().any(|arg| arg.get_id() == "engine");
        // Games of the catalog have no engine, and neither have their puzzles, which are JSON.
        let is_of_game = self.options.iter().any(|word| word.starts_with("--game="))
            || self.subject.as_ref().is_some_and(|file| file.ends_with(".json"));
        engine.filter(|_| takes_one && !is_of_game).map(|engine| format!("--engine={engine}"))
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
        words.extend(self.engine(means.engine.as_deref()));
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
        // A folder of results is where the command looks for its work, and may be needed.
        let is_shown = |kept: &KeptWork| kept.is_required || kept.place == KeptPlace::Result;
        // A candidate that is made again has no folder of its own.
        let is_again = self.options.iter().any(|word| word.starts_with("--again"));
        if let Some(kept) = means.kept.filter(|kept| is_shown(kept) || !only_required) {
            let option = kept.option();
            match kept.place {
                _ if self.task.reads_record() || is_again => {}
                KeptPlace::File => words.push(format!("--{option}={}", within("kept.jsonl"))),
                KeptPlace::Folder => words.push(format!("--{option}={}", within("kept"))),
                KeptPlace::Result => words.push(format!("--{option}={}", within("result"))),
                KeptPlace::Answers => words.push(format!("--{option}={}", within("answers"))),
                // The checkpoint lies beside the solution; a merged record is not asked for.
                _ => {}
            }
        }
        // Pages show the ratings that a file keeps.
        if self.kind.name == "interest" && self.is_of_solution() && !only_required {
            words.push("--save".to_owned());
        }
        // The solution is a result that other commands read, and its size is in the report.
        // One that a command makes on its way serves pages only.
        let is_solution = |option: &FileOption| {
            let is_result = option.name == FileOption::OUTPUT;
            let is_needed =
                is_result || (!only_required && !self.is_of_solution() && self.task.solves());
            option.kind == FileKind::Solution && is_needed
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

/// A command line for PowerShell, if it is not that for a POSIX shell.
pub(crate) fn powershell_line(words: &[String]) -> Option<String> {
    let quoted = words.iter().map(|word| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:+".contains(c);
        // PowerShell divides an option at a dot, and may read one with a colon as its own.
        let is_divided = word.starts_with('-') && word.contains(['.', ':']);
        match !word.is_empty() && word.chars().all(is_plain) && !is_divided {
            true => word.clone(),
            false => {
                // Typographic quotation marks end a text in quotation marks, too.
                let doubled = word.chars().flat_map(|c| {
                    let is_mark = matches!(c, '\'' | '\u{2018}'..='\u{201b}');
                    std::iter::repeat_n(c, if is_mark { 2 } else { 1 })
                });
                format!("'{}'", doubled.collect::<String>())
            }
        }
    });
    let line = std::iter::once("treegauge".to_owned()).chain(quoted).collect::<Vec<_>>().join(" ");
    (line != shell_line(words)).then_some(line)
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
        let of = |command: &str, source: &str| {
            let found = checked(&json!({"command": command, "source": source})).unwrap();
            assert!(!shell_line(&found.shown("r")).contains("runs/r"), "{command} {source}");
            found.argv("r", &Means::default()).join(" ")
        };
        assert!(of("puzzles", "achi").contains("--solution=runs/r/solution.tgs"));
        assert!(!of("puzzles", "a.tgs").contains("--solution"));
        assert!(of("interest", "a.tgs").contains(" --save "));
        assert!(!of("interest", "achi").contains("--save"));
    }

    #[test]
    fn options_of_the_run_are_refused_and_a_game_is_never_an_option() {
        for field in
            ["engine", "output", "force", "open", "html", "record", "threads", "engine_option"]
        {
            let task = json!({"command": "gauge", "game": "achi", field: "x"});
            assert!(checked(&task).is_err(), "{field}");
        }
        for task in [
            json!({"command": "gauge", "game": "--force"}),
            json!({"command": "compare", "games": ["achi", "--force"]}),
            json!({"command": "difficulty", "source": "-"}),
        ] {
            let refused = checked(&task).err().unwrap_or_else(|| panic!("{task} is refused"));
            assert_eq!(refused.status, 400, "{task}");
        }
        let argv = checked(&json!({"command": "gauge", "game": "achi"})).unwrap().shown("r");
        assert_eq!(argv, ["gauge", "--json", "--", "achi"]);
    }

    #[test]
    fn the_engine_is_that_of_the_workbench_where_chess_is_played() {
        let shown = |task: &Value| checked(task).unwrap().shown_with("r", Some("fish")).join(" ");
        let rated = json!({"command": "difficulty", "file": "a.pgn"});
        assert_eq!(shown(&rated), "difficulty --json --engine=fish -- a.pgn");
        for other in [
            json!({"command": "difficulty", "game": "achi"}),
            json!({"command": "difficulty", "file": "puzzles.json"}),
            json!({"command": "gauge", "game": "achi"}),
        ] {
            assert!(!shown(&other).contains("fish"), "{other}");
        }
    }

    #[test]
    fn a_line_for_powershell_is_quoted_where_it_differs() {
        let line = |words: &[&str]| {
            powershell_line(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(line(&["gauge", "--games=4", "--json", "--", "achi"]), None);
        assert_eq!(line(&["gauge", "--", "isolation(cols=5,rows=4)"]), None, "both quote alike");
        assert_eq!(line(&["match", "--gap=0.05"]).unwrap(), "treegauge match '--gap=0.05'");
        assert_eq!(
            line(&["check", "--", "it's.rules"]).unwrap(),
            "treegauge check -- 'it''s.rules'"
        );
        assert_eq!(line(&["check", "a,b@c"]).unwrap(), "treegauge check 'a,b@c'");
        let typeset = line(&["check", "a\u{2019};calc;\u{2018}b"]).unwrap();
        assert_eq!(typeset, "treegauge check 'a\u{2019}\u{2019};calc;\u{2018}\u{2018}b'");
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
