//! Form of a run.

use maud::{Markup, html};
use serde_json::{Value, json};
use treegauge::report::ChoiceListing;

use super::{Page, coded, command_box, time_words};
use crate::answer::Refusal;
use crate::route::{Form, Route};
use crate::runs::{Run, State};
use crate::task_form::{
    Checked, Field, Input, fields, kind_of, sentence, shell_line, task_of_query,
};

/// Players that a form offers, with words for them.
const PLAYERS: [(&str, &str); 4] = [
    ("random", "any move with the same chance"),
    ("uct(iterations=100)", "a beginner: searches 100 iterations"),
    ("uct(iterations=2000)", "a club player: searches 2,000 iterations"),
    ("uct(iterations=20000)", "a strong player: searches 20,000 iterations"),
];

/// Page with the form of a run, filled from the query.
pub(crate) fn new_run(
    command: &'static str,
    given: &[(String, String)],
    games: &[String],
    files: &[String],
    runs: &[Run],
    token: &str,
) -> String {
    let Some(kind) = kind_of(command) else { return String::new() };
    let about = kind.command().get_about().map_or(String::new(), ToString::to_string);
    let all = fields(kind);
    let (main, other): (Vec<&Field>, Vec<&Field>) = all.iter().partition(|field| field.is_main);
    let mut headings: Vec<Option<&str>> = Vec::new();
    for field in &other {
        if !headings.contains(&field.heading.as_deref()) {
            headings.push(field.heading.as_deref());
        }
    }
    let is_open = other.iter().any(|field| given.iter().any(|(name, _)| *name == field.name));
    let checked = checked(command, given);
    let shown = match &checked {
        Ok((words, _)) => words.clone(),
        Err(_) => vec![command.to_owned()],
    };
    let content = html! {
        h1 { "New run: " (command) }
        p { (sentence(&about)) }
        form #task data-command-name=(command) method="get" {
            @for field in &main { (one(field, given)) }
            @if !other.is_empty() {
                details open[is_open] {
                    summary { "More options" }
                    @for heading in headings {
                        @if let Some(heading) = heading { h3 { (heading) } }
                        @for field in other.iter().filter(|field| field.heading.as_deref() == heading) {
                            (one(field, given))
                        }
                    }
                }
            }
            datalist #games { @for game in games { option value=(game) {} } }
            datalist #files { @for file in files { option value=(file) {} } }
            datalist #players {
                @for (player, words) in PLAYERS { option value=(player) { (words) } }
            }
            p.field {
                label for="run-title" { "Title of the run" }
                input #run-title data-title autocomplete="off" maxlength="200";
            }
            @if command == "solve" { p #outlook aria-live="polite" {} }
            @if let Some(words) = estimate(command, given, runs) { p.note { (words) } }
            p #problem role="alert" hidden {}
            p {
                button type="button" name="start" disabled { "Start" }
                " "
                button type="submit" { "Check" }
                noscript { " Starting a run needs scripts; the command below does the same in a terminal." }
            }
        }
        @if let Err(refusal) = &checked {
            @if given.iter().any(|(_, value)| !value.is_empty()) { p.problem { (refusal.error) } }
        }
        (command_box(&shown))
        p.note {
            "Examples: "
            @for (n, example) in kind.examples.iter().enumerate() {
                @if n > 0 { "; " }
                code { "treegauge " (example) }
            }
        }
    };
    Page {
        title: &format!("New run: {command}"),
        name: "new",
        section: Route::Runs(Form::Page),
        command: None,
        data: Some(Route::New(command, Form::Json).link()),
        content,
    }
    .document(token)
}

/// The command line of a query, and the run that would do it.
fn checked(command: &str, given: &[(String, String)]) -> Result<(Vec<String>, Checked), Refusal> {
    let checked = Checked::of(&task_of_query(command, given))?;
    Ok((checked.shown("NAME"), checked))
}

/// Data of the form: its fields, and the command or the problem of the query.
pub(crate) fn form_json(command: &'static str, given: &[(String, String)]) -> Value {
    let fields = kind_of(command).map(fields).unwrap_or_default();
    let (line, error, field) = match checked(command, given) {
        Ok((words, _)) => (Some(shell_line(&words)), None, None),
        Err(refusal) => (None, Some(refusal.error), refusal.field),
    };
    let task = task_of_query(command, given);
    json!({
        "schema": 1, "kind": "form", "command": command, "task": task, "line": line, "error": error,
        "field": field, "fields": fields,
    })
}

/// The time that the last such run took, in words.
fn estimate(command: &str, given: &[(String, String)], runs: &[Run]) -> Option<String> {
    let task = task_of_query(command, given);
    let of_command =
        || runs.iter().filter(|run| run.command() == command && run.state == State::Done);
    let same = of_command().find(|run| run.facts.task == task);
    let like = of_command().find(|run| run.facts.task.get("game") == task.get("game"));
    let (run, words) = match (same, like) {
        (Some(run), _) => (run, "The same run took"),
        (None, Some(run)) if task.contains_key("game") => {
            (run, "The last such run of this game took")
        }
        _ => return None,
    };
    Some(format!("{words} {}.", time_words(run.end.as_ref()?.seconds)))
}

/// An input with its label and help.
fn one(field: &Field, given: &[(String, String)]) -> Markup {
    let id = format!("field-{}", field.name);
    let help = format!("{id}-help");
    let values: Vec<&str> = given
        .iter()
        .filter(|(name, _)| *name == field.name)
        .map(|(_, value)| value.as_str())
        .collect();
    let value = values.last().copied().unwrap_or_default();
    let default = field.default.join(",");
    let placeholder = (!default.is_empty()).then_some(default.as_str());
    html! {
        div.field data-field=(field.name) {
            @match &field.input {
                Input::Flag => {
                    label {
                        input type="checkbox" id=(id) name=(field.name) value="true" checked[value == "true"] aria-describedby=(help);
                        " " (field.title)
                    }
                }
                Input::Choice(choices) => {
                    label for=(id) { (field.title) }
                    select id=(id) name=(field.name) aria-describedby=(help) {
                        option value="" { @if default.is_empty() { "not set" } @else { (default) " (default)" } }
                        @for ChoiceListing { value: word, help: meaning } in choices {
                            option value=(word) selected[word == value] {
                                (word) @if !meaning.is_empty() { ": " (meaning) }
                            }
                        }
                    }
                }
                Input::Lines => {
                    label for=(id) { (field.title) span.soft { " (one on a line)" } }
                    textarea id=(id) name=(field.name) rows="4" aria-describedby=(help) aria-required=(field.is_required) { (values.join("\n")) }
                }
                Input::Game | Input::Player | Input::File | Input::Text => {
                    label for=(id) { (field.title) }
                    @let list = match field.input {
                        Input::Game => Some("games"),
                        Input::Player => Some("players"),
                        Input::File => Some("files"),
                        _ => None,
                    };
                    input id=(id) name=(field.name) value=(value) placeholder=[placeholder] list=[list]
                        autocomplete="off" spellcheck="false" aria-describedby=(help) aria-required=(field.is_required);
                }
            }
            p.note id=(help) {
                (coded(&field.help)) ". "
                @if field.is_required { "Required. " }
                code { (field.label) }
            }
            p.problem hidden {}
        }
    }
}
