//! Runs: forms, lists, reports and changes.

use std::time::Duration;

use hyper::body::Incoming;
use serde_json::{Value, json};
use treegauge::catalog::FAMILIES;

use super::body::{object, text_of};
use super::files::FILE_BYTES_MAX;
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal, TEXT};
use crate::pages;
use crate::route::{Act, Form, Route, View};
use crate::runs::{LOG, PARTIAL, REPORT, Run, State};
use crate::worker::{Part, Reply, Request};
use crate::workspace::RUNS;

/// The time for a report.
const RENDER_TIME: Duration = Duration::from_secs(10);

impl App {
    pub(super) fn home(&self, form: Form, asked: &Asked) -> Answer {
        let runs = self.runs.all();
        match form {
            Form::Page => {
                let name = self
                    .workspace
                    .root()
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned());
                Answer::new(HTML, pages::home(&name.unwrap_or_default(), &runs, asked.token()))
            }
            Form::Json => {
                let runs: Vec<Value> = runs.iter().take(10).map(Run::json).collect();
                Answer::json(&json!({"schema": 1, "kind": "workbench", "runs": runs}))
            }
        }
    }

    pub(super) fn new_run(&self, command: &'static str, form: Form, asked: &Asked) -> Answer {
        match form {
            Form::Json => Answer::json(&pages::form_json(command, &asked.query)),
            Form::Page => {
                let mut games: Vec<String> = self.workspace.rules_files();
                for family in FAMILIES.iter() {
                    games.push(family.name.to_owned());
                    games.extend(family.presets.iter().map(|preset| preset.name.to_owned()));
                }
                let entries = self.workspace.entries("").unwrap_or_default();
                let files: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
                let runs = self.runs.all();
                let (query, token) = (&asked.query, asked.token());
                Answer::new(HTML, pages::new_run(command, query, &games, &files, &runs, token))
            }
        }
    }

    pub(super) fn list(&self, form: Form, asked: &Asked) -> Answer {
        let runs = self.runs.all();
        let list = pages::List::of(&asked.query);
        match form {
            Form::Page => Answer::new(HTML, pages::runs(&runs, &list, asked.token())),
            Form::Json => {
                let runs: Vec<Value> = list.chosen(&runs).into_iter().map(Run::json).collect();
                Answer::json(&json!({"schema": 1, "kind": "runs", "runs": runs}))
            }
        }
    }

    pub(super) async fn run(&self, id: &str, view: View, asked: &Asked) -> Result<Answer, Refusal> {
        let run = self.runs.get(id)?;
        let file = if run.state == State::Done { REPORT } else { PARTIAL };
        // Links that lead out of the workspace are not followed.
        let inside = |name: &str| self.workspace.find(&format!("{RUNS}/{}/{name}", run.id));
        let path = inside(file);
        let has_report = path.is_some();
        let render = async |part: Part| {
            if !has_report {
                return Err(Refusal::not_found("The run has no report yet."));
            }
            let path = format!("{RUNS}/{}/{file}", run.id);
            self.workers.ask(&Request::Render { path, part }, RENDER_TIME).await
        };
        let part = async |part: Part| match render(part).await? {
            Reply::Part(text) => Ok(text),
            Reply::Missing(error) => Err(Refusal::not_found(error)),
            other => Err(unexpected(other)),
        };
        match view {
            View::Page => {
                let report = match has_report {
                    true => match render(Part::Fragment).await? {
                        Reply::Rendered(report) => Ok(Some(report)),
                        Reply::Missing(_) => Ok(None),
                        other => Err(unexpected(other)),
                    },
                    false => Ok(None),
                };
                // The run may have gone on meanwhile.
                let run = self.runs.get(id)?;
                let report = report.as_ref().map(Option::as_ref);
                let place = self.runs.place(id);
                let page = if asked.field("part") == Some("run") {
                    pages::run_main(&run, report, place).into_string()
                } else {
                    pages::run(&run, report, place, asked.token())
                };
                Ok(Answer::new(HTML, page))
            }
            View::Json => {
                match path.and_then(|path| treegauge_store::read(&path, FILE_BYTES_MAX).ok()) {
                    Some(bytes) => Ok(Answer::new(JSON, bytes)),
                    None => Err(Refusal::not_found("The run has no report yet.")),
                }
            }
            View::Html => {
                let page = part(Part::Html).await?;
                Ok(Answer::new(HTML, page).attached(&format!("{id}.html")))
            }
            View::Text => Ok(Answer::new(TEXT, part(Part::Text).await?)),
            View::Table(name) => {
                let table = part(Part::Table(name.clone())).await?;
                Ok(Answer::new("text/csv; charset=utf-8", table).attached(&format!("{name}.csv")))
            }
            View::Chart(name) => {
                let chart = part(Part::Chart(name.clone())).await?;
                Ok(Answer::new("image/svg+xml", chart).attached(&format!("{name}.svg")))
            }
            View::Log => {
                let log =
                    inside(LOG).and_then(|path| treegauge_store::read(&path, FILE_BYTES_MAX).ok());
                Ok(Answer::new(TEXT, log.unwrap_or_default()))
            }
        }
    }

    pub(super) async fn start(&self, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object(body).await?;
        let title = text_of(&mut fields, "title", 200)?;
        let Some(Value::Object(task)) = fields.remove("task") else {
            return Err(Refusal::new(
                400,
                "A run has a task: {\"task\": {\"command\": \"gauge\", ...}}.",
            ));
        };
        let run = self.runs.start(task, title.filter(|title| !title.trim().is_empty()))?;
        Ok(changed(&run).status(201))
    }

    pub(super) async fn change(
        &self,
        id: &str,
        act: Act,
        body: Incoming,
    ) -> Result<Answer, Refusal> {
        let mut fields = object(body).await?;
        match act {
            Act::Pause => self.runs.pause(id)?,
            Act::Resume => self.runs.resume(id)?,
            Act::Stop => self.runs.stop(id)?,
            Act::Delete => {
                self.runs.delete(id)?;
                return Ok(Answer::json(&json!({"schema": 1, "kind": "deleted", "id": id})));
            }
            Act::Edit => {
                let title = text_of(&mut fields, "title", 200)?;
                let note = text_of(&mut fields, "note", 10_000)?;
                return Ok(changed(&self.runs.edit(id, title, note)?));
            }
        }
        Ok(changed(&self.runs.get(id)?))
    }
}

/// Answer with a run that was changed.
fn changed(run: &Run) -> Answer {
    let href = Route::Run(run.id.clone(), View::Page).link();
    Answer::json(
        &json!({"schema": 1, "kind": "run", "id": run.id, "state": run.state, "href": href}),
    )
}
