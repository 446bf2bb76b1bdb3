//! Form of a run.

use maud::{Markup, html};
use serde_json::{Value, json};
use treegauge::report::ChoiceListing;

use super::{Page, coded, command_box, query, time_words};
use crate::answer::Refusal;
use crate::route::{Form, Route};
use crate::runs::{Run, State};
use crate::task_form::{
    Checked, Field, Input, fields, kind_of, powershell_line, sentence, shell_line, subject_of,
    task_of_query,
};

/// Players that a form offers, with words for them.
const PLAYERS: [(&str, &str); 4] = [
    ("random", "any move with the same chance"),
    ("uct(iterations=100)", "a beginner: searches 100 iterations"),
    ("uct(iterations=2000)", "a club player: searches 2,000 iterations"),
    ("uct(iterations=20000)", "a strong player: searches 20,000 iterations"),
];

/// Name of the title of the run in the query of a form. No task has such a field.
const TITLE: &str = "run-title";

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
    let new = NewForm::of(command, given);
    let checked = checked(command, given);
    let shown = new.shown(given);
    let title = given.iter().find(|(name, _)| name == TITLE).map_or("", |(_, title)| title);
    let content = html! {
        h1 { "New run: " (command) }
        p { (sentence(&about)) }
        form #task data-command-name=(command) method="get" {
            div.fields { @for field in &new.main { (one(command, field, given)) } }
            (new.others(given, &[]))
            datalist #games { @for game in games { option value=(game) {} } }
            datalist #files { @for file in files { option value=(file) {} } }
            datalist #players {
                @for (player, words) in PLAYERS { option value=(player) { (words) } }
            }
            p.field {
                label for="run-title" { "Title of the run" }
                input #run-title data-title value=(title) autocomplete="off" maxlength="200";
            }
            @if command == "solve" { p #outlook aria-live="polite" {} }
            p.note #estimate { (estimate(command, given, runs).unwrap_or_default()) }
            p #problem role="alert" hidden {}
            p {
                button type="button" name="start" disabled { "Start" }
                (no_start())
            }
        }
        @if let Err(refusal) = &checked {
            @if given.iter().any(|(_, value)| !value.is_empty()) { p.problem { (refusal.error) } }
        }
        (command_box(&shown))
        details {
            summary { "Examples for a terminal" }
            ul.examples { @for example in kind.examples { li { code { "treegauge " (example) } } } }
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

/// Replacement of the button that starts a run, without scripts.
pub(super) fn no_start() -> Markup {
    html! {
        noscript {
            " " button type="submit" { "Check" }
            " Starting a run needs scripts; the command below does the same in a terminal."
        }
    }
}

/// Fields of the form of a command.
pub(super) struct NewForm {
    command: &'static str,
    /// Fields that are shown at once.
    pub(super) main: Vec<Field>,
    other: Vec<Field>,
    is_open: bool,
}

impl NewForm {
    /// The form of a command, filled from a query.
    pub(super) fn of(command: &'static str, given: &[(String, String)]) -> NewForm {
        let all = kind_of(command).map(fields).unwrap_or_default();
        let (main, other): (Vec<Field>, Vec<Field>) =
            all.into_iter().partition(|field| field.is_main);
        let is_open = other.iter().any(|field| given.iter().any(|(name, _)| *name == field.name));
        NewForm { command, main, other, is_open }
    }

    /// The other fields, folded, without those of some names.
    pub(super) fn others(&self, given: &[(String, String)], without: &[&str]) -> Markup {
        let is_shown = |field: &&Field| !without.contains(&field.name.as_str());
        let other: Vec<&Field> = self.other.iter().filter(is_shown).collect();
        let mut headings: Vec<Option<&str>> = Vec::new();
        for field in &other {
            if !headings.contains(&field.heading.as_deref()) {
                headings.push(field.heading.as_deref());
            }
        }
        html! {
            @if !other.is_empty() {
                details open[self.is_open] {
                    summary { "More options" }
                    @for heading in headings {
                        @if let Some(heading) = heading { h3 { (heading) } }
                        div.fields {
                            @for field in other.iter().filter(|field| field.heading.as_deref() == heading) {
                                (one(self.command, field, given))
                            }
                        }
                    }
                }
            }
        }
    }

    /// The command line of the query; the name of the command alone if the query is wrong.
    pub(super) fn shown(&self, given: &[(String, String)]) -> Vec<String> {
        match checked(self.command, given) {
            Ok((words, _)) => words,
            Err(_) => vec![self.command.to_owned()],
        }
    }
}

/// The command line of a query, and the run that would do it.
fn checked(command: &str, given: &[(String, String)]) -> Result<(Vec<String>, Checked), Refusal> {
    let checked = Checked::of(&task_of_query(command, given))?;
    Ok((checked.shown("NAME"), checked))
}

/// Data of the form: its fields, and the command or the problem of the query.
pub(crate) fn form_json(command: &'static str, given: &[(String, String)], runs: &[Run]) -> Value {
    let fields = kind_of(command).map(fields).unwrap_or_default();
    let (words, error, field) = match checked(command, given) {
        Ok((words, _)) => (Some(words), None, None),
        Err(refusal) => (None, Some(refusal.error), refusal.field),
    };
    let line = words.as_deref().map(shell_line);
    let powershell =
        words.as_deref().map(|words| powershell_line(words).unwrap_or_else(|| shell_line(words)));
    let task = task_of_query(command, given);
    json!({
        "schema": 1, "kind": "form", "command": command, "task": task, "line": line,
        "powershell": powershell, "error": error, "field": field, "estimate": estimate(command, given, runs), "fields": fields,
    })
}

/// The time that the last such run took, in words: of the same task, or else of the same game or file.
fn estimate(command: &str, given: &[(String, String)], runs: &[Run]) -> Option<String> {
    let task = task_of_query(command, given);
    let subject = subject_of(&task);
    let of_command =
        || runs.iter().filter(|run| run.command() == command && run.state == State::Done);
    let is_like = |run: &&Run| subject.is_some() && subject_of(&run.facts.task) == subject;
    let same = of_command().find(|run| run.facts.task == task);
    let (run, words) = match (same, of_command().find(is_like), &subject) {
        (Some(run), ..) => (run, "The same run took".to_owned()),
        (None, Some(run), Some(subject)) => {
            (run, format!("The last run of {command} for {subject} took"))
        }
        _ => return None,
    };
    Some(format!("{words} {}.", time_words(run.end.as_ref()?.seconds)))
}

/// The filled fields of a query.
fn query_of(given: &[(String, String)]) -> String {
    let filled = given.iter().filter(|(_, value)| !value.trim().is_empty());
    query(&filled.map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>())
}

/// An input with its label and help.
pub(super) fn one(command: &str, field: &Field, given: &[(String, String)]) -> Markup {
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
                @if field.takes_games {
                    @let filled = query_of(given);
                    @let to = query(&[("for", command), ("field", &field.name), ("with", &filled)]);
                    a href={ (Route::Games(Form::Page).link()) "?" (to) } data-choose {
                        @if matches!(field.input, Input::Lines) { "Add by the board" } @else { "Choose by the board" }
                    }
                    ". "
                }
                code { (field.label) }
            }
            p.problem hidden {}
        }
    }
}
