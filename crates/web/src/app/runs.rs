//! Runs: forms, lists, reports and changes.

use std::time::Duration;

use hyper::body::Incoming;
use serde_json::{Value, json};
use treegauge::catalog::{FAMILIES, library};

use super::body::{object, text_of};
use super::files::FILE_BYTES_MAX;
use super::{App, Asked, unexpected};
use crate::answer::{Answer, HTML, JSON, Refusal, TEXT};
use crate::pages::{self, GalleryList, Gauged, More};
use crate::route::{Act, Form, Route, View};
use crate::runs::{LOG, PARTIAL, REPORT, Run, State};
use crate::texts::{self, ENDING};
use crate::worker::{Part, Rendered, Reply, Request};
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
            Form::Json => Answer::json(&pages::form_json(command, &asked.query, &self.runs.all())),
            Form::Page => {
                let mut games: Vec<String> = texts::names(&self.workspace);
                for family in FAMILIES.iter() {
                    games.push(family.name.to_owned());
                    games.extend(family.presets.iter().map(|preset| preset.name.to_owned()));
                }
                games.extend(library().iter().map(|game| game.name.to_owned()));
                let entries = self.workspace.entries("").unwrap_or_default();
                let files: Vec<String> = entries.into_iter().map(|entry| entry.name).collect();
                let runs = self.runs.all();
                let (query, token) = (&asked.query, asked.token());
                Answer::new(HTML, pages::new_run(command, query, &games, &files, &runs, token))
            }
        }
    }

    pub(super) async fn list(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let sides: Vec<&str> = asked
            .query
            .iter()
            .filter(|(field, _)| field == "side")
            .map(|(_, id)| id.as_str())
            .collect();
        if form == Form::Page && !sides.is_empty() {
            return self.beside(&sides, asked).await;
        }
        let runs = self.runs.all();
        let list = pages::List::of(&asked.query);
        Ok(match form {
            Form::Page => Answer::new(HTML, pages::runs(&runs, &list, asked.token())),
            Form::Json => {
                let runs: Vec<Value> = list.chosen(&runs).into_iter().map(Run::json).collect();
                Answer::json(&json!({"schema": 1, "kind": "runs", "runs": runs}))
            }
        })
    }

    /// Two runs of one command side by side.
    async fn beside(&self, sides: &[&str], asked: &Asked) -> Result<Answer, Refusal> {
        let [one, other] = sides else {
            return Err(Refusal::new(400, "Choose two runs, which are shown side by side."));
        };
        let (one, other) = (self.runs.get(one)?, self.runs.get(other)?);
        if one.command() != other.command() {
            let (one, other) = (one.command(), other.command());
            let error =
                format!("These are runs of `{one}` and of `{other}`. Choose two of one command.");
            return Err(Refusal::new(400, error));
        }
        let (left, right) = (self.fragment_of(&one).await, self.fragment_of(&other).await);
        Ok(Answer::new(HTML, pages::beside(&[(&one, left), (&other, right)], asked.token())))
    }

    /// The report of a run as a part of a page; `None` if it has none yet.
    pub(super) async fn fragment_of(&self, run: &Run) -> Result<Option<Rendered>, Refusal> {
        let path = run.report_path();
        if self.workspace.find(&path).is_none() {
            return Ok(None);
        }
        match self.workers.ask(&Request::Render { path, part: Part::Fragment }, RENDER_TIME).await?
        {
            Reply::Rendered(report) => Ok(Some(report)),
            Reply::Missing(_) => Ok(None),
            other => Err(unexpected(other)),
        }
    }

    /// The parts of the page of a run that only some commands have.
    async fn more(&self, run: &Run, asked: &Asked) -> More {
        let gallery = self.gallery(run).await;
        More {
            gallery: gallery.map(|gallery| (gallery, GalleryList::of(&asked.query))),
            has_games: self.has_games(run),
            gauged: self.gauged(run),
            power: self.power(run, asked).await,
            texts: self.texts_of(run),
            datasets: self.datasets_of(run),
        }
    }

    /// The games that the report of a gauge shows, and the variants of its game.
    fn gauged(&self, run: &Run) -> Gauged {
        let read = || {
            let path =
                self.workspace.find(&run.report_path()).filter(|_| run.command() == "gauge")?;
            let report = treegauge_store::read(&path, GAUGE_BYTES_MAX).ok()?;
            serde_json::from_slice(&report).ok()
        };
        read().unwrap_or_default()
    }

    /// Datasets in the folder of a run.
    fn datasets_of(&self, run: &Run) -> Vec<String> {
        if !matches!(run.command(), "collect" | "vet") {
            return Vec::new();
        }
        let within = format!("{RUNS}/{}/", run.id);
        let all = self.datasets().into_iter().map(|one| one.path);
        all.filter(|path| path.starts_with(&within)).collect()
    }

    /// The texts of games that a run compares, each with the first one.
    fn texts_of(&self, run: &Run) -> Vec<[(String, String); 2]> {
        let Some(Value::Array(names)) = run.facts.task.get("names") else { return Vec::new() };
        if run.command() != "compare" {
            return Vec::new();
        }
        let text = |name: &Value| {
            let path = text_path(name.as_str()?)?;
            let saved = texts::read(&self.workspace, path).ok()?;
            Some((path.to_owned(), saved.text))
        };
        let mut found = names.iter().take(TEXTS_MAX).map(text);
        let Some(Some(first)) = found.next() else { return Vec::new() };
        found.flatten().map(|other| [first.clone(), other]).collect()
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
            View::Games(form) => self.recorded_games(id, form, asked).await,
            View::Game(name, form) => self.recorded_game(id, &name, form, asked).await,
            View::Best(number, form) => self.best(id, number, form, asked).await,
            View::BestBoard(number) => self.best_board(id, number).await,
            View::Page if asked.field("part") == Some("gallery") => {
                Ok(self.gallery_part(&run, asked).await)
            }
            View::Page if asked.field("part") == Some("power") => {
                let power = self.power(&run, asked).await;
                let power =
                    power.ok_or_else(|| Refusal::not_found("The run compares no players."))?;
                Ok(Answer::new(HTML, pages::power_result(&power).into_string()))
            }
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
                let more = self.more(&run, asked).await;
                let page = if asked.field("part") == Some("run") {
                    pages::run_main(&run, report, place, &more).into_string()
                } else {
                    pages::run(&run, report, place, &more, asked.token())
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

/// The longest report of a gauge that is read for its games.
const GAUGE_BYTES_MAX: u64 = 4 << 20;

/// The greatest number of texts that the page of a comparison shows.
const TEXTS_MAX: usize = 8;

/// Path of the text in the name of a game, as in `a.rules` and `rules(file=a.rules,digest=D)`.
fn text_path(name: &str) -> Option<&str> {
    let inner = name.strip_prefix("rules(file=");
    let path = inner.unwrap_or(name).split([',', '(', ')']).next()?;
    (inner.is_some() || path.ends_with(ENDING)).then_some(path)
}

/// Answer with a run that was changed.
fn changed(run: &Run) -> Answer {
    let href = Route::Run(run.id.clone(), View::Page).link();
    Answer::json(
        &json!({"schema": 1, "kind": "run", "id": run.id, "state": run.state, "href": href}),
    )
}
