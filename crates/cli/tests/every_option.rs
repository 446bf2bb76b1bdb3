//! Every option of every task keeps its range, has help and a field, and is suggested where its name is
//! misspelt.

use std::fmt::Write as _;

use clap::Arg;
use serde_json::{Value, json};
use treegauge::tasks::{TASKS, TaskKind, is_of_run, one_line};

use crate::common::{USAGE, run, stdout};

/// The options of a task that take a value.
fn valued(kind: &TaskKind) -> Vec<Arg> {
    let command = kind.command();
    let mut options: Vec<Arg> = command.get_arguments().cloned().collect();
    options.retain(|arg| arg.get_long().is_some() && arg.get_action().takes_values());
    options
}

/// The answer to a value of an option, unless it is one.
fn refusal(kind: &TaskKind, option: &Arg, value: &str) -> Option<String> {
    let long = option.get_long().expect("it is an option");
    let command = kind.command().no_binary_name(true).disable_help_flag(true);
    // Enough values for those that take two; what else is missing is said after what is wrong.
    let is_pair = option.get_num_args().is_some_and(|count| count.min_values() > 1);
    let words = match is_pair {
        true => vec![format!("--{long}"), value.to_owned(), value.to_owned()],
        false => vec![format!("--{long}={value}")],
    };
    let error = one_line(&command.try_get_matches_from(words).err()?);
    error
        .contains(&format!("'--{long}"))
        .then_some(error)
        .filter(|error| error.starts_with("invalid"))
}

/// The range that an option takes, as its refusal says it: the least and the greatest number.
fn range(refusal: &str) -> Option<(f64, Option<f64>)> {
    let words: Vec<&str> = refusal.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let number = |word: &&str| word.trim_end_matches([';', ')', ':']).parse::<f64>().ok();
    let at = words.iter().rposition(|word| *word == "to");
    if let Some([least, _, greatest]) = at.and_then(|at| words.get(at - 1..at + 2)) {
        return Some((number(least)?, Some(number(greatest)?)));
    }
    let or_more = words.windows(3).find(|three| three[1..] == ["or", "more"])?;
    Some((number(&or_more[0])?, None))
}

/// The values of each option are written down, so that no range and no default changes unseen; and each is held to the
/// range that it names.
#[test]
fn every_option_has_its_range_and_its_default() {
    let mut table = String::new();
    for kind in TASKS {
        writeln!(table, "{}", kind.name).unwrap();
        for option in valued(kind) {
            let long = option.get_long().unwrap();
            let refused = |value: &str| refusal(kind, &option, value);
            let says = refused("\u{1}").unwrap_or_else(|| "any text".to_owned());
            let (_, says) = says.rsplit_once("': ").unwrap_or(("", &says));
            let values = option.get_possible_values();
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            let takes = if names.is_empty() { says.to_owned() } else { names.join(" | ") };
            let default: Vec<_> =
                option.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
            let default = match default.join(",") {
                none if none.is_empty() => String::new(),
                default => format!(" [{default}]"),
            };
            writeln!(table, "  --{long}: {takes}{default}").unwrap();
            if let Some((least, greatest)) = names.is_empty().then(|| range(says)).flatten() {
                for end in [Some(least), greatest].into_iter().flatten() {
                    let refusal = refused(&end.to_string());
                    assert_eq!(refusal, None, "{} --{long}={end}", kind.name);
                }
                let above = greatest.map_or("1e30".to_owned(), |most| (most + 1.0).to_string());
                let below = (least - 1.0).to_string();
                for bad in [&*below, &above, "NaN", "-inf", "99999999999999999999999", "many"] {
                    let refusal = refused(bad).unwrap_or_else(|| {
                        panic!("{} --{long} takes {bad}, which is not in its range", kind.name)
                    });
                    assert!(refusal.contains(bad), "{refusal}");
                }
            }
            if let Some(first) = names.first() {
                let near = format!("{first}x");
                let refusal = refused(&near).unwrap_or_default();
                assert!(refusal.contains(&names.join(", ")), "{}: {refusal}", kind.name);
            }
        }
    }
    insta::assert_snapshot!(table);
}

/// The program refuses what the task refuses, and says where.
#[test]
fn values_out_of_range_are_bad_usage() {
    let of_run = [("--threads", "0"), ("--memory-max", "1Q"), ("--checkpoint-minutes", "soon")];
    for kind in TASKS {
        let help = stdout(format!("{} --help", kind.name));
        let refused = |option: &str, value: &str| {
            let ran = run([kind.name, &format!("{option}={value}")]);
            let answer = (ran.code, ran.stdout.as_str());
            assert_eq!(answer, (Some(USAGE), ""), "{} {option}: {}", kind.name, ran.stderr);
            let is_named = ran.stderr.contains(option) && ran.stderr.contains(value);
            assert!(is_named, "{} {option}: {}", kind.name, ran.stderr);
        };
        for option in valued(kind).iter().filter(|option| refusal(kind, option, "\u{1}").is_some())
        {
            if option.get_num_args().is_none_or(|count| count.min_values() < 2) {
                refused(&format!("--{}", option.get_long().unwrap()), "x");
            }
        }
        of_run.iter().filter(|(option, _)| help.contains(option)).for_each(|(option, value)| {
            refused(option, value);
        });
        for arg in kind.command().get_arguments().filter(|arg| arg.get_long().is_some()) {
            let long = arg.get_long().unwrap();
            assert!(
                help.contains(&format!("--{long}")),
                "--{long} is not in the help of {}",
                kind.name
            );
        }
    }
}

/// A field that is not known is named with the nearest one that is.
#[test]
fn misspelt_options_and_fields_have_the_nearest_name() {
    for kind in TASKS {
        let command = kind.command();
        let mut is_first = true;
        for arg in command.get_arguments() {
            let id = arg.get_id().as_str();
            if is_of_run(kind.name, id) {
                continue;
            }
            let misspelt = format!("{id}q");
            let fields = json!({ "command": kind.name, misspelt.as_str(): 1 });
            let error = kind.task(fields.as_object().unwrap()).unwrap_err().to_string();
            let (says, tip) = error.split_once("; ").expect("there is a tip");
            assert_eq!(says, format!("{:?} has no field {misspelt:?}", kind.name));
            // Two may be as near.
            let is_near =
                [id, &format!("{id}s")].iter().any(|near| tip == format!("did you mean {near:?}?"));
            assert!(is_near, "{error}");
            // Clap finds the nearest option; one option of each command is tried.
            if let Some(long) = arg.get_long().filter(|_| std::mem::take(&mut is_first)) {
                let ran = run([kind.name, &format!("--{long}q=1")]);
                assert_eq!(ran.code, Some(USAGE), "{}", ran.stderr);
                assert!(ran.stderr.contains(&format!("'--{long}'")), "{}", ran.stderr);
            }
        }
    }
}

/// A task may come from somebody else, and says nothing of the run.
#[test]
fn fields_have_the_types_of_their_options_and_none_is_of_the_run() {
    for kind in TASKS {
        let refused = |field: &str, value: Value| {
            let task = json!({ "command": kind.name, field: value });
            kind.task(task.as_object().unwrap()).unwrap_err().to_string()
        };
        for arg in kind.command().get_arguments() {
            let id = arg.get_id().as_str();
            let field = format!("field {id:?} of {:?}: ", kind.name);
            if is_of_run(kind.name, id) {
                assert!(refused(id, json!("x")).starts_with(&(field + "a task does not say this")));
                continue;
            }
            let expected = match arg.get_action().takes_values() {
                false => "expected true or false, found {}",
                true => "expected a text or a number, found {}",
            };
            assert_eq!(refused(id, json!({})), field + expected);
        }
        for of_run in ["html", "json", "record", "output", "threads", "force", "engine"] {
            let answer = refused(of_run, json!("x"));
            assert!(answer.contains("a task does not say this"), "{}: {answer}", kind.name);
        }
    }
}
