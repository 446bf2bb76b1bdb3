//! Studies: datasets, and the evaluations and models that rest on them.

use maud::{Markup, html};
use treegauge::FileKind;

use super::runs::rows;
use super::{Page, fragment, query};
use crate::route::{Form, Route, View};
use crate::runs::{Run, State};
use crate::worker::Study;
use crate::workspace::{Entry, RUNS};

/// A dataset of the workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dataset {
    /// Path in the workspace.
    pub(crate) path: String,
    /// Whether its tables were written.
    pub(crate) is_complete: bool,
}

/// Commands about datasets, with words for their runs.
const COMMANDS: [(&str, &str); 5] = [
    ("collect", "Collections"),
    ("evaluate", "Evaluations"),
    ("train", "Models"),
    ("aggregate", "Attributes of games"),
    ("corridor", "Corridors"),
];

/// Whether a run belongs to a study.
pub(crate) fn is_of_study(run: &Run) -> bool {
    COMMANDS.iter().any(|(command, _)| *command == run.command())
}

fn route_of(path: &str, form: Form) -> Route {
    Route::Study(path.split('/').map(str::to_owned).collect(), form)
}

fn new(command: &'static str, fields: &[(&str, &str)]) -> String {
    format!("{}?{}", Route::New(command, Form::Page).link(), query(fields))
}

/// The run in whose folder a path lies.
fn run_of<'a>(path: &str, runs: &'a [Run]) -> Option<&'a Run> {
    let id = path.strip_prefix(RUNS)?.strip_prefix('/')?.split('/').next()?;
    runs.iter().find(|run| run.id == id)
}

/// Page with the studies of the workspace.
pub(crate) fn studies(
    datasets: &[Dataset],
    runs: &[Run],
    entries: &[Entry],
    token: &str,
) -> String {
    let models: Vec<&Entry> = entries
        .iter()
        .filter(|entry| {
            [FileKind::Model.words(), FileKind::RatingModel.words()].contains(&entry.kind)
        })
        .collect();
    let content = html! {
        h1 { "Studies" }
        p.note {
            "A study collects the search trees of many games as a dataset, evaluates how well they tell playable games "
            "from broken ones, and trains models that judge other games."
        }
        p.bar {
            a href=(Route::New("collect", Form::Page).link()) { "Collect a dataset" }
            a href=(Route::New("evaluate", Form::Page).link()) { "Evaluate datasets" }
            a href=(Route::New("train", Form::Page).link()) { "Train a model" }
            a href=(Route::New("corridor", Form::Page).link()) { "Test searches on corridors" }
        }
        h2 { "Datasets" }
        @if datasets.is_empty() {
            p { "There are no datasets yet. " b { "Collect a dataset" } " plays games and keeps the search tree of every move." }
        } @else {
            div.wide tabindex="0" role="region" aria-label="Datasets" {
                table #datasets {
                    thead { tr { th { "Dataset" } th { "State" } th { "Use" } } }
                    tbody {
                        @for one in datasets {
                            @let run = run_of(&one.path, runs);
                            tr data-dataset=(one.path) {
                                td {
                                    a href=(route_of(&one.path, Form::Page).link()) { (run.map_or(one.path.as_str(), |run| run.facts.title.as_str())) }
                                    @if run.is_some() { " " span.note { (one.path) } }
                                }
                                td { @if one.is_complete { "whole" } @else { b { "incomplete" } } }
                                td {
                                    a href=(new("evaluate", &[("datasets", &one.path)])) { "evaluate" } " "
                                    a href=(new("train", &[("datasets", &one.path)])) { "train" }
                                }
                            }
                        }
                    }
                }
            }
        }
        @for (command, title) in COMMANDS {
            @let own: Vec<&Run> = runs.iter().filter(|run| run.command() == command).take(20).collect();
            @if !own.is_empty() {
                h2 { (title) }
                (rows(&own, false))
            }
        }
        @if !models.is_empty() {
            h2 { "Models of the workspace" }
            ul {
                @for model in models {
                    li {
                        a href=(Route::File(vec![model.name.clone()]).link()) { (model.name) } " (" (model.kind) "): "
                        (use_of_model(&model.path, model.kind == FileKind::Model.words()))
                    }
                }
            }
        }
    };
    Page {
        title: "Studies",
        name: "studies",
        section: Route::Studies(Form::Page),
        command: None,
        data: Some(Route::Studies(Form::Json).link()),
        content,
    }
    .document(token)
}

fn use_of_model(path: &str, is_of_games: bool) -> Markup {
    html! {
        @if is_of_games {
            a href=(new("vet", &[("model", path)])) { "vet games with it" }
        } @else {
            a href=(new("difficulty", &[("model", path)])) { "rate problems with it" }
        }
    }
}

/// Page of a dataset.
pub(crate) fn study(path: &str, found: &Study, runs: &[Run], token: &str) -> String {
    let run = run_of(path, runs);
    let title = run.map_or(path, |run| run.facts.title.as_str());
    let names = |run: &Run, field: &str| match run.facts.task.get(field) {
        Some(serde_json::Value::Array(values)) => values.iter().any(|value| value == path),
        Some(value) => value == path,
        None => false,
    };
    let rests_on = |run: &&Run| {
        ["datasets", "dataset", "conditions", "webs"].iter().any(|field| names(run, field))
    };
    let resting: Vec<&Run> = runs.iter().filter(rests_on).take(50).collect();
    let parquet: Vec<&String> =
        found.tables.iter().filter(|name| name.ends_with(".parquet")).collect();
    let file = |name: &str| {
        let pieces = path.split('/').chain([name]).map(str::to_owned).collect();
        Route::File(pieces).link()
    };
    let content = html! {
        nav.bar aria-label="Studies" {
            a href=(Route::Studies(Form::Page).link()) { "All studies" }
            @if let Some(run) = run { a href=(Route::Run(run.id.clone(), View::Page).link()) { "Run of this dataset" } }
        }
        h1 { (title) }
        @if let Some(missing) = &found.missing {
            p #missing.problem { (missing) }
            @if let Some(run) = run.filter(|run| !matches!(run.state, State::Done)) {
                p { "The run is " (run.state.name()) "; " a href=(Route::Run(run.id.clone(), View::Page).link()) { "its page continues it" } "." }
            }
        }
        section.report aria-label="Dataset" { (fragment(&found.rendered.fragment)) }
        section {
            h2 { "What you can do" }
            ul.actions {
                li { a href=(new("evaluate", &[("datasets", path)])) { "Evaluate" } ": how well do these trees tell playable games from broken ones?" }
                li { a href=(new("train", &[("datasets", path)])) { "Train a model" } ", which judges other games" }
                li { a href=(new("aggregate", &[("dataset", path)])) { "Attributes of the games" } ", a row each" }
            }
        }
        section #resting {
            h2 { "Evaluations and models of this dataset" }
            @if resting.is_empty() { p { "There are none yet." } } @else { (rows(&resting, false)) }
            @for run in resting.iter().filter(|run| run.command() == "train" && run.state == State::Done) {
                @let model = format!("{RUNS}/{}/output.json", run.id);
                p { "Model of " (run.facts.title) ": " a href=(Route::File(model.split('/').map(str::to_owned).collect()).link()) { "file" } ", " (use_of_model(&model, true)) }
            }
        }
        section #tables {
            h2 { "Tables" }
            @if found.tables.is_empty() {
                p { "The tables are written when all instances are there." }
            } @else {
                ul.downloads { @for name in &found.tables { li { a href=(file(name)) { (name) } } } }
            }
        }
        @if !parquet.is_empty() {
            section #code {
                h2 { "Load the tables" }
                p.note { "In the folder of the workspace. The columns are described in " code { (format!("{path}/schema.json")) } "." }
                @for (language, code) in loading(path, &parquet) {
                    h3 { (language) }
                    pre.wide tabindex="0" { code { (code) } }
                }
            }
        }
    };
    Page {
        title,
        name: "study",
        section: Route::Studies(Form::Page),
        command: route_of(path, Form::Page).command().as_deref(),
        data: Some(route_of(path, Form::Json).link()),
        content,
    }
    .document(token)
}

/// Code that loads Parquet files, by language.
fn loading(path: &str, files: &[&String]) -> [(&'static str, String); 3] {
    // A quotation mark or a backslash in a path would end the text.
    let quoted = |name: &str| {
        let whole = format!("{path}/{name}").replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{whole}\"")
    };
    let stem = |name: &str| name.trim_end_matches(".parquet").to_owned();
    let lines = |line: &dyn Fn(&str) -> String| {
        files.iter().map(|name| line(name)).collect::<Vec<_>>().join("\n")
    };
    let python = lines(&|name| format!("{} = pd.read_parquet({})", stem(name), quoted(name)));
    let r = lines(&|name| format!("{} <- read_parquet({})", stem(name), quoted(name)));
    let sql = lines(&|name| {
        let whole = format!("{path}/{name}").replace('\'', "''");
        format!("CREATE TABLE {} AS SELECT * FROM '{whole}';", stem(name))
    });
    [
        ("Python (pandas with pyarrow)", format!("import pandas as pd\n\n{python}")),
        ("R (arrow)", format!("library(arrow)\n\n{r}")),
        ("DuckDB", sql),
    ]
}
