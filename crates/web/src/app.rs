//! Answers to requests, route by route.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::http::request::Parts;
use hyper::{Method, Request as HttpRequest, Response, header};
use serde_json::{Map, Value, json};
use tokio::time::{Instant, timeout, timeout_at};
use treegauge::catalog::FAMILIES;

use crate::answer::{Answer, Content, HTML, JSON, Refusal, TEXT};
use crate::assets;
use crate::guard::{Hosts, Visitor, check_host, check_sender, cookie_name, visitor};
use crate::hub::Hub;
use crate::pages;
use crate::route::{Act, Form, NoRoute, Route, View};
use crate::runs::{LOG, PARTIAL, REPORT, Run, Runs, State};
use crate::server::HEAD_BYTES_MAX;
use crate::sessions::{SESSION_S, Sessions, Traded};
use crate::worker::{Card, Part, Rendered, Reply, Request};
use crate::workers::Workers;
use crate::workspace::{OWN, RUNS, Workspace, check_upload_name};

/// The longest body of a change, and the time for it.
const BODY_BYTES_MAX: u64 = 64 * 1024;
const BODY_TIME: Duration = Duration::from_secs(15);

/// The longest upload, the time for it, and the number of uploads at once.
const UPLOAD_BYTES_MAX: u64 = 64 << 20;
const UPLOAD_TIME: Duration = Duration::from_secs(600);
const UPLOADS_MAX: usize = 8;

/// The greatest number of streams of a session.
const STREAMS_MAX: usize = 64;

/// The longest file of the workspace that is sent.
const FILE_BYTES_MAX: u64 = 1 << 28;

/// The time for a report, and for the description of a game.
const RENDER_TIME: Duration = Duration::from_secs(10);
const GAME_TIME: Duration = Duration::from_secs(5);

/// Names of games with their boards as SVG.
type Boards = Rc<Vec<(String, String)>>;

/// All that a server has.
pub(crate) struct App {
    pub(crate) hosts: Hosts,
    pub(crate) port: u16,
    pub(crate) state_file: PathBuf,
    pub(crate) now_s: fn() -> u64,
    pub(crate) sessions: RefCell<Sessions>,
    pub(crate) workspace: Workspace,
    pub(crate) workers: Rc<Workers>,
    pub(crate) hub: Rc<Hub>,
    pub(crate) runs: Rc<Runs>,
    /// Open streams of each session.
    pub(crate) streams: RefCell<HashMap<String, Rc<()>>>,
    /// Boards of the catalog, once they were drawn.
    pub(crate) boards: RefCell<Option<Boards>>,
    pub(crate) uploads: Cell<usize>,
}

/// A request whose sender was checked.
struct Asked {
    head: Parts,
    visitor: Visitor,
    query: Vec<(String, String)>,
}

impl Asked {
    /// The last value of a field of the query.
    fn field(&self, name: &str) -> Option<&str> {
        self.query.iter().rev().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// The value that the pages of this visitor send with each change.
    fn token(&self) -> &str {
        match &self.visitor {
            Visitor::Browser { token, .. } => token,
            _ => "",
        }
    }
}

impl App {
    /// Answers a request.
    pub(crate) async fn answer(&self, request: HttpRequest<Incoming>) -> Response<Content> {
        let (head, body) = request.into_parts();
        let path = head.uri.path();
        let is_json = path.ends_with(".json") || path.starts_with("/api/");
        let answered = self.answered(head, body).await;
        answered.unwrap_or_else(|refusal| refusal.answer(is_json)).response()
    }

    async fn answered(&self, head: Parts, body: Incoming) -> Result<Answer, Refusal> {
        check_length(&head)?;
        let host = check_host(&self.hosts, &head)?;
        let visitor = visitor(&self.sessions.borrow(), &head, self.port, (self.now_s)());
        let route = Route::parse(&head.method, head.uri.path());
        let route = match route {
            Ok(route) => route,
            // Whoever is not known does not learn what is there.
            Err(_) if visitor == Visitor::Stranger => return Err(Refusal::no_session()),
            Err(NoRoute::Method) => {
                return Err(Refusal::new(405, "This address does not take this method."));
            }
            Err(NoRoute::Path) => return Err(Refusal::not_found("There is no such page.")),
        };
        check_sender(&route, &visitor, &head, &host)?;
        let query = head.uri.query().unwrap_or_default();
        let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let asked = Asked { head, visitor, query };
        match route {
            Route::Home(form) => Ok(self.home(form, &asked)),
            Route::Games(form) => self.games(form, &asked).await,
            Route::Game(game, form) => self.game(&game, form, &asked).await,
            Route::New(command, form) => Ok(self.new_run(command, form, &asked)),
            Route::Runs(form) => Ok(self.list(form, &asked)),
            Route::Run(id, view) => self.run(&id, view, &asked).await,
            Route::Files(form) => self.files(form, &asked),
            Route::File(names) => self.file(&names),
            Route::Help(Form::Page) => Ok(Answer::new(HTML, pages::help(asked.token()))),
            Route::Help(Form::Json) => Ok(Answer::json(
                &json!({"schema": 1, "kind": "help", "version": env!("CARGO_PKG_VERSION")}),
            )),
            Route::Open => self.open(&asked),
            Route::Healthz => {
                let name = self.sessions.borrow().state.name.clone();
                let version = env!("CARGO_PKG_VERSION");
                Ok(Answer::json(
                    &json!({"schema": 1, "kind": "health", "name": name, "version": version}),
                ))
            }
            Route::Events => self.events(&asked),
            Route::Asset(hash, name) => {
                let found = assets::find(&hash, &name)
                    .ok_or_else(|| Refusal::not_found("There is no such file."));
                let (kind, content) = found?;
                let for_ever = "private, max-age=31536000, immutable";
                Ok(Answer::new(kind, content.as_bytes().to_vec())
                    .with(header::CACHE_CONTROL, for_ever))
            }
            Route::Routes => Ok(self.routes()),
            Route::Start => self.start(body).await,
            Route::Change(id, act) => self.change(&id, act, body).await,
            Route::Upload => self.upload(&asked, body).await,
            Route::Code => {
                let code = self.sessions.borrow_mut().code();
                Ok(Answer::json(&json!({"schema": 1, "kind": "code", "code": code})))
            }
        }
    }

    fn home(&self, form: Form, asked: &Asked) -> Answer {
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

    async fn games(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        if let Some(game) = pages::chosen(&asked.query) {
            return Ok(Answer::redirect(&Route::Game(game, Form::Page).link()));
        }
        if form == Form::Json {
            return Ok(Answer::new(JSON, self.task(&["games"]).await?.0));
        }
        let known = self.boards.borrow().clone();
        let boards = match known {
            Some(boards) => boards,
            None => match self.workers.ask(&Request::Boards, GAME_TIME).await? {
                Reply::Boards(boards) => {
                    let boards = Rc::new(boards);
                    *self.boards.borrow_mut() = Some(Rc::clone(&boards));
                    boards
                }
                other => return Err(unexpected(other)),
            },
        };
        Ok(Answer::new(HTML, pages::games(&boards, &self.workspace.rules_files(), asked.token())))
    }

    async fn game(&self, game: &str, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        self.workspace.check_text(game)?;
        let (json, shown) = self.task(&["show", game]).await?;
        if form == Form::Json {
            return Ok(Answer::new(JSON, json));
        }
        let card =
            match self.workers.ask(&Request::Card { game: game.to_owned() }, GAME_TIME).await? {
                Reply::Card(card) => card,
                Reply::Refused(_) => Card { name: game.to_owned(), ..Card::default() },
                other => return Err(unexpected(other)),
            };
        Ok(Answer::new(HTML, pages::game(game, &card, &shown, asked.token())))
    }

    /// Has a worker do a short task: the report as the command prints it, and rendered.
    async fn task(&self, words: &[&str]) -> Result<(String, Rendered), Refusal> {
        let mut task = Map::new();
        task.insert("command".to_owned(), words[0].into());
        if let [_, game] = words {
            task.insert("game".to_owned(), (*game).into());
        }
        match self.workers.ask(&Request::Task { task }, GAME_TIME).await? {
            Reply::Done { json, rendered } => Ok((json + "\n", rendered)),
            Reply::Refused(error) => Err(Refusal::not_found(crate::task_form::sentence(&error))),
            other => Err(unexpected(other)),
        }
    }

    fn new_run(&self, command: &'static str, form: Form, asked: &Asked) -> Answer {
        match form {
            Form::Json => Answer::json(&pages::form_json(command, &asked.query)),
            Form::Page => {
                let mut games: Vec<String> = self.workspace.rules_files();
                for family in FAMILIES.iter() {
                    games.push(family.name.to_owned());
                    games.extend(family.presets.iter().map(|preset| preset.name.to_owned()));
                }
                let runs = self.runs.all();
                Answer::new(
                    HTML,
                    pages::new_run(command, &asked.query, &games, &runs, asked.token()),
                )
            }
        }
    }

    fn list(&self, form: Form, asked: &Asked) -> Answer {
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

    async fn run(&self, id: &str, view: View, asked: &Asked) -> Result<Answer, Refusal> {
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

    fn files(&self, form: Form, asked: &Asked) -> Result<Answer, Refusal> {
        let folder = asked.field("folder").unwrap_or_default();
        let entries = self.workspace.entries(folder).ok_or_else(no_file)?;
        Ok(match form {
            Form::Page => Answer::new(HTML, pages::files(folder, &entries, asked.token())),
            Form::Json => {
                let entries: Vec<Value> = entries
                    .iter()
                    .map(|entry| {
                        json!({
                            "name": entry.name, "path": entry.path, "is_folder": entry.is_folder,
                            "bytes": entry.bytes, "kind": entry.kind,
                        })
                    })
                    .collect();
                Answer::json(
                    &json!({"schema": 1, "kind": "files", "folder": folder, "entries": entries}),
                )
            }
        })
    }

    fn file(&self, names: &[String]) -> Result<Answer, Refusal> {
        // A name with a slash in it would be another path.
        if names.iter().any(|name| name.contains('/')) {
            return Err(no_file());
        }
        let path = self
            .workspace
            .find(&names.join("/"))
            .filter(|path| path.is_file())
            .ok_or_else(no_file)?;
        let size = fs::metadata(&path).map_or(0, |facts| facts.len());
        let name = names.last().map_or("file", String::as_str);
        if size > FILE_BYTES_MAX {
            let error = "The file has more than 256 MB. Take it from the folder of the workspace.";
            return Err(Refusal::new(413, error));
        }
        let file = treegauge_store::open(&path).map_err(|_| no_file())?;
        Ok(Answer::of(200, "application/octet-stream", stream_of(file, size)).attached(name))
    }

    fn open(&self, asked: &Asked) -> Result<Answer, Refusal> {
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

    fn events(&self, asked: &Asked) -> Result<Answer, Refusal> {
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

    fn routes(&self) -> Answer {
        let run =
            self.runs.all().into_iter().find(|run| run.state == State::Done).map(|run| run.id);
        let entries = self.workspace.entries("").unwrap_or_default();
        let file = entries.into_iter().find(|entry| !entry.is_folder).map(|entry| entry.path);
        let routes = Route::examples(run.as_deref(), file.as_deref());
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

    async fn start(&self, body: Incoming) -> Result<Answer, Refusal> {
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

    async fn change(&self, id: &str, act: Act, body: Incoming) -> Result<Answer, Refusal> {
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

    async fn upload(&self, asked: &Asked, mut body: Incoming) -> Result<Answer, Refusal> {
        let name = asked.field("name").unwrap_or_default();
        check_upload_name(name)?;
        let length = body.size_hint().exact();
        if length.is_some_and(|length| length > UPLOAD_BYTES_MAX) {
            return Err(too_long(UPLOAD_BYTES_MAX));
        }
        let place = self.workspace.root().join(name);
        let exists = || {
            let error = format!("There is a file `{name}` already.");
            Refusal { field: Some("name".to_owned()), ..Refusal::new(409, error) }
        };
        if fs::symlink_metadata(&place).is_ok() {
            return Err(exists());
        }
        let _room = Room::of(&self.uploads)?;
        let folder = self.workspace.root().join(OWN).join("uploads");
        let cannot = |error: std::io::Error| {
            Refusal::busy(format!("The workspace cannot be written: {}.", error.kind()))
        };
        fs::create_dir_all(&folder).map_err(cannot)?;
        let mut file = tempfile_in(&folder).map_err(cannot)?;
        let end = Instant::now() + UPLOAD_TIME;
        let mut bytes: u64 = 0;
        loop {
            let due = end.min(Instant::now() + BODY_TIME);
            let frame = timeout_at(due, body.frame()).await.map_err(|_| too_slow())?;
            let Some(frame) = frame else { break };
            let frame = frame.map_err(|_| Refusal::new(400, "The body ended early."))?;
            let Ok(data) = frame.into_data() else { continue };
            bytes += data.len() as u64;
            if bytes > UPLOAD_BYTES_MAX {
                return Err(too_long(UPLOAD_BYTES_MAX));
            }
            file.file.write_all(&data).map_err(cannot)?;
        }
        file.file.sync_all().map_err(cannot)?;
        // A link appears only where nothing is, so no file is replaced.
        match fs::hard_link(&file.path, &place) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(exists()),
            Err(_) => fs::rename(&file.path, &place).map_err(cannot)?,
            Ok(()) => {}
        }
        Ok(Answer::json(&json!({"schema": 1, "kind": "uploaded", "path": name, "bytes": bytes}))
            .status(201))
    }
}

/// A file that is removed when it is dropped.
struct Passing {
    path: PathBuf,
    file: fs::File,
}

impl Drop for Passing {
    fn drop(&mut self) {
        _ = fs::remove_file(&self.path);
    }
}

fn tempfile_in(folder: &std::path::Path) -> std::io::Result<Passing> {
    let path = folder.join(crate::secret::secret());
    let file = fs::File::options().write(true).create_new(true).open(&path)?;
    Ok(Passing { path, file })
}

/// The place of an upload among those that are under way.
struct Room<'a>(&'a Cell<usize>);

impl<'a> Room<'a> {
    fn of(count: &'a Cell<usize>) -> Result<Room<'a>, Refusal> {
        if count.get() >= UPLOADS_MAX {
            return Err(Refusal::busy("Too many files are being uploaded. Try again in a moment."));
        }
        count.set(count.get() + 1);
        Ok(Room(count))
    }
}

impl Drop for Room<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() - 1);
    }
}

/// Reads a file in pieces, as fast as the client takes them.
fn stream_of(mut file: fs::File, size: u64) -> Content {
    const PIECE: u64 = 64 * 1024;
    if size <= PIECE {
        let mut bytes = Vec::new();
        // A file that became shorter is sent as it is.
        _ = file.take(PIECE).read_to_end(&mut bytes);
        return Content::Whole(bytes.into());
    }
    let (sender, stream) = tokio::sync::mpsc::channel(2);
    tokio::task::spawn_local(async move {
        loop {
            let mut piece = Vec::new();
            let read = (&mut file).take(PIECE).read_to_end(&mut piece);
            if !matches!(read, Ok(1..)) || sender.send(piece.into()).await.is_err() {
                return;
            }
        }
    });
    Content::Stream(stream, Rc::new(()))
}

/// Checks the length of a head: the HTTP library takes more where it comes at once.
fn check_length(head: &Parts) -> Result<(), Refusal> {
    let fields = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    let length = head.uri.path_and_query().map_or(0, |path| path.as_str().len());
    if fields.sum::<usize>() + length <= HEAD_BYTES_MAX {
        return Ok(());
    }
    Err(Refusal::new(431, "The head of the request has more than 32 kB."))
}

/// The object of a body.
async fn object(body: Incoming) -> Result<Map<String, Value>, Refusal> {
    let bytes = bytes_of(body).await?;
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let wrong = |_| Refusal::new(400, "The body must be a JSON object.");
    serde_json::from_slice(&bytes).map_err(wrong)
}

async fn bytes_of(mut body: Incoming) -> Result<Bytes, Refusal> {
    if body.size_hint().exact().is_some_and(|length| length > BODY_BYTES_MAX) {
        return Err(too_long(BODY_BYTES_MAX));
    }
    let read = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Refusal::new(400, "The body ended early."))?;
            let Ok(data) = frame.into_data() else { continue };
            if (bytes.len() + data.len()) as u64 > BODY_BYTES_MAX {
                return Err(too_long(BODY_BYTES_MAX));
            }
            bytes.extend_from_slice(&data);
        }
        Ok(Bytes::from(bytes))
    };
    timeout(BODY_TIME, read).await.unwrap_or_else(|_| Err(too_slow()))
}

fn too_long(max: u64) -> Refusal {
    Refusal::new(413, format!("The body has more than {}.", pages::size_words(max)))
}

fn too_slow() -> Refusal {
    Refusal::new(408, "The body came too slowly.")
}

fn no_file() -> Refusal {
    Refusal::not_found("There is no such file in the workspace.")
}

/// A text among the fields of a change.
fn text_of(
    fields: &mut Map<String, Value>,
    name: &str,
    max: usize,
) -> Result<Option<String>, Refusal> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= max => Ok(Some(text)),
        Some(_) => {
            let error = format!("`{name}` must be a text of up to {max} characters.");
            Err(Refusal { field: Some(name.to_owned()), ..Refusal::new(400, error) })
        }
    }
}

/// Answer with a run that was changed.
fn changed(run: &Run) -> Answer {
    let href = Route::Run(run.id.clone(), View::Page).link();
    Answer::json(
        &json!({"schema": 1, "kind": "run", "id": run.id, "state": run.state, "href": href}),
    )
}

/// A reply of a worker that is not the one that was asked for.
fn unexpected(reply: Reply) -> Refusal {
    match reply {
        Reply::Refused(error) => Refusal::busy(crate::task_form::sentence(&error)),
        Reply::Missing(error) => Refusal::not_found(error),
        _ => Refusal::busy("A worker gave a wrong answer."),
    }
}
