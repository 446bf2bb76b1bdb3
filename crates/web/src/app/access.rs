//! Sessions, the stream of changes, embedded files, help, and the list of routes.

use std::rc::Rc;

use bytes::Bytes;
use hyper::{Method, header};
use serde_json::{Value, json};

use super::{App, Asked};
use crate::answer::{Answer, Content, HTML, Refusal};
use crate::assets;
use crate::guard::{Visitor, cookie_name};
use crate::pages;
use crate::route::{Form, Route, View};
use crate::runs::{Run, State};
use crate::sessions::{SESSION_S, Traded};
use crate::texts;
use crate::workspace::RUNS;

/// The greatest number of streams of a session.
const STREAMS_MAX: usize = 64;

/// The greatest number of reports that are looked at for examples of routes.
const LOOKED_AT: usize = 5;

impl App {
    pub(super) fn open(&self, asked: &Asked) -> Result<Answer, Refusal> {
        if asked.head.method == Method::HEAD {
            return Err(Refusal::no_session());
        }
        let now_s = (self.now_s)();
        let traded =
            self.sessions.borrow_mut().trade(asked.field("code").unwrap_or_default(), now_s);
        match traded {
            Traded::Session(cookie) => {
                let state = self.sessions.borrow().state.clone();
                // Without the file the session lasts as long as the server.
                _ = state.write(&self.state_file);
                let name = cookie_name(self.port);
                let cookie =
                    format!("{name}={cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age={SESSION_S}");
                Ok(Answer::redirect("/").with(header::SET_COOKIE, cookie))
            }
            Traded::Wrong if matches!(asked.visitor, Visitor::Browser { .. }) => {
                Ok(Answer::redirect("/"))
            }
            Traded::Wrong => {
                let error = "This address was used already, or is older than two minutes.";
                Err(Refusal { error: error.to_owned(), ..Refusal::no_session() })
            }
            Traded::Closed => Err(Refusal::new(429, "Too many wrong codes came. Wait a minute.")),
        }
    }

    pub(super) fn events(&self, asked: &Asked) -> Result<Answer, Refusal> {
        let guard = match &asked.visitor {
            Visitor::Browser { cookie, .. } => {
                let mut streams = self.streams.borrow_mut();
                streams.retain(|_, guard| Rc::strong_count(guard) > 1);
                let guard = streams.entry(cookie.clone()).or_default();
                if Rc::strong_count(guard) > STREAMS_MAX {
                    return Err(Refusal::new(
                        429,
                        "This browser has 64 streams already. Close some tabs.",
                    ));
                }
                Rc::clone(guard)
            }
            _ => Rc::default(),
        };
        if asked.head.method == Method::HEAD {
            return Ok(Answer::new("text/event-stream", Bytes::new()));
        }
        Ok(Answer::of(200, "text/event-stream", Content::Stream(self.hub.listen(), guard)))
    }

    pub(super) async fn routes(&self) -> Answer {
        let done: Vec<Run> =
            self.runs.all().into_iter().filter(|run| run.state == State::Done).collect();
        let run = done.first().map(|run| run.id.clone());
        let entries = self.workspace.entries("").unwrap_or_default();
        let mut files = entries.into_iter().filter(|entry| !entry.is_folder);
        // A text is an example of more routes than another file, if it can be shown.
        let texts = texts::names(&self.workspace);
        let text = texts.into_iter().find(|name| texts::read(&self.workspace, name).is_ok());
        let file = text.or_else(|| files.next().map(|entry| entry.path));
        let mut rare = self.rare_examples();
        rare.extend(self.parts_of_reports(&done).await);
        rare.extend(self.chess_routes());
        rare.extend(self.solved_routes());
        let routes = Route::examples(run.as_deref(), file.as_deref(), rare);
        let routes: Vec<Value> = routes
            .iter()
            .map(|route| {
                json!({
                    "method": route.method().as_str(), "path": route.link(), "is_public": route.is_public(),
                    "command": route.command(),
                })
            })
            .collect();
        Answer::json(&json!({"schema": 1, "kind": "routes", "routes": routes}))
    }

    /// Examples of a table and of a chart among the latest reports.
    async fn parts_of_reports(&self, done: &[Run]) -> Vec<Route> {
        let (mut table, mut chart) = (None, None);
        for run in done.iter().take(LOOKED_AT) {
            let Ok(Some(report)) = self.fragment_of(run).await else { continue };
            let route = |view: View| Route::Run(run.id.clone(), view);
            let name = |names: Vec<String>| names.into_iter().next();
            table = table.or_else(|| Some(route(View::Table(name(report.tables)?))));
            chart = chart.or_else(|| Some(route(View::Chart(name(report.charts)?))));
            if table.is_some() && chart.is_some() {
                break;
            }
        }
        table.into_iter().chain(chart).collect()
    }

    /// Examples of the routes that only some workspaces have: recorded games, generated games, datasets.
    fn rare_examples(&self) -> Vec<Route> {
        let mut routes = Vec::new();
        let runs: Vec<Run> = self.runs.all();
        let forms = [Form::Page, Form::Json];
        let is_done = |run: &&Run| run.state == State::Done;
        // The first game of a match or a gauge has the name 0.
        let has_first = |run: &&Run| run.command() != "tournament" && self.has_games(run);
        if let Some(run) = runs.iter().filter(is_done).find(has_first) {
            routes.extend(forms.map(|form| Route::Run(run.id.clone(), View::Games(form))));
            let first = || View::Game("0".to_owned(), Form::Page);
            routes.push(Route::Run(run.id.clone(), first()));
        }
        let best = runs.iter().filter(is_done).find_map(|run| {
            let texts = self.workspace.entries(&format!("{RUNS}/{}/result/best", run.id))?;
            let number = texts.first()?.name.strip_suffix(texts::ENDING)?.parse().ok()?;
            Some((run.id.clone(), number))
        });
        if let Some((run, number)) = best {
            routes.extend(forms.map(|form| Route::Run(run.clone(), View::Best(number, form))));
            routes.push(Route::Run(run, View::BestBoard(number)));
        }
        if let Some(dataset) = self.datasets().first() {
            let names = || dataset.path.split('/').map(str::to_owned).collect();
            routes.extend(forms.map(|form| Route::Study(names(), form)));
        }
        routes
    }

    pub(super) fn health(&self) -> Answer {
        let name = self.sessions.borrow().state.name.clone();
        let version = env!("CARGO_PKG_VERSION");
        Answer::json(&json!({"schema": 1, "kind": "health", "name": name, "version": version}))
    }

    pub(super) fn code(&self) -> Answer {
        let code = self.sessions.borrow_mut().code();
        Answer::json(&json!({"schema": 1, "kind": "code", "code": code}))
    }
}

pub(super) fn asset(hash: &str, name: &str) -> Result<Answer, Refusal> {
    let found = assets::find(hash, name);
    let (kind, content) = found.ok_or_else(|| Refusal::not_found("There is no such file."))?;
    let for_ever = "private, max-age=31536000, immutable";
    let answer = Answer::new(kind, content.as_bytes().to_vec());
    Ok(answer.with(header::CACHE_CONTROL, for_ever))
}

pub(super) fn help(form: Form, asked: &Asked) -> Answer {
    let version = env!("CARGO_PKG_VERSION");
    match form {
        Form::Page if asked.field("part") == Some("keys") => {
            Answer::new(HTML, pages::keys().into_string())
        }
        Form::Page => Answer::new(HTML, pages::help(asked.token())),
        Form::Json => Answer::json(&json!({"schema": 1, "kind": "help", "version": version})),
    }
}
