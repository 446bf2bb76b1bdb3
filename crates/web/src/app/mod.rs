//! Answers to requests: the checks of each, and its way to the code of its route.

mod access;
mod body;
mod chess;
mod files;
mod gallery;
mod games;
mod play;
mod puzzles;
mod recorded;
mod runs;
mod solved;
mod solving;
mod studies;
mod texts;
mod tree;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;

use hyper::body::Incoming;
use hyper::http::request::Parts;
use hyper::{Request as HttpRequest, Response};

use crate::answer::{Answer, Content, Refusal};
use crate::guard::{Hosts, Visitor, check_host, check_sender, is_form, visitor};
use crate::hub::Hub;
use crate::newest::Newest;
use crate::route::{NoRoute, Route};
use crate::runs::Runs;
use crate::sessions::Sessions;
use crate::worker::Reply;
use crate::workers::Workers;
use crate::workspace::Workspace;

pub(crate) use chess::Note;
pub(crate) use solving::Attempt;

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
    /// Path of the chess engine of the runs; `None` if it is not there.
    pub(crate) engine: Box<dyn Fn() -> Option<String>>,
    /// Checks of texts under way.
    pub(crate) checks: Newest,
    /// Work on positions under way.
    pub(crate) positions: Newest,
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
        let is_form = Route::parse(&head.method, path).is_ok_and(|route| is_form(&route, &head));
        let is_json = path.ends_with(".json") || (path.starts_with("/api/") && !is_form);
        let answered = self.answered(head, body).await;
        answered.unwrap_or_else(|refusal| refusal.answer(is_json)).response()
    }

    async fn answered(&self, head: Parts, body: Incoming) -> Result<Answer, Refusal> {
        body::check_length(&head)?;
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
            Route::Texts(form) => self.texts(form, &asked).await,
            Route::Text(names, form) => self.text(&names, form, &asked).await,
            Route::Play(game, view) => self.play(&game, view, &asked).await,
            Route::Tree(game, view) => self.tree(&game, view, &asked).await,
            Route::New("solve", _) if asked.field("part") == Some("outlook") => {
                self.outlook(&asked).await
            }
            Route::New(command, form) => Ok(self.new_run(command, form, &asked)),
            Route::Runs(form) => self.list(form, &asked).await,
            Route::Studies(form) => Ok(self.studies(form, &asked)),
            Route::Study(names, form) => self.study(&names, form, &asked).await,
            Route::Run(id, view) => self.run(&id, view, &asked).await,
            Route::Chess(form) => self.chess(form, &asked).await,
            Route::ChessRun(id, form) => self.chess_list(&id, form, &asked).await,
            Route::ChessProblem(id, number, form) => {
                self.chess_problem(&id, number, form, &asked).await
            }
            Route::ChessNotes(id) => self.chess_notes(&id),
            Route::ChessPractice(id) => self.chess_practice(&id, &asked).await,
            Route::Files(form) => self.files(form, &asked),
            Route::File(names) => self.file(&names),
            Route::Solved(form) => self.solved(form, &asked).await,
            Route::SolvedFile(names, form) => self.explorer(&names, form, &asked).await,
            Route::Landscape(names, form) => self.landscape(&names, form, &asked).await,
            Route::Puzzles(id, view) => self.puzzles(&id, view, &asked).await,
            Route::Worksheet(id) => self.worksheet(&id, &asked).await,
            Route::Practice(id) => self.practice(&id, &asked).await,
            Route::Puzzle(id, number, form) => self.puzzle(&id, number, form, &asked).await,
            Route::Help(form) => Ok(access::help(form, &asked)),
            Route::Open => self.open(&asked),
            Route::Healthz => Ok(self.health()),
            Route::Events => self.events(&asked),
            Route::Asset(hash, name) => access::asset(&hash, &name),
            Route::Routes => Ok(self.routes().await),
            Route::Start => self.start(body).await,
            Route::Change(id, act) => self.change(&id, act, body).await,
            Route::NewText => self.new_text(&asked, body).await,
            Route::SaveText(names) => self.save_text(&names, &asked, body).await,
            Route::RenameText(names) => self.rename_text(&names, &asked, body).await,
            Route::RemoveText(names) => self.remove_text(&names, &asked, body).await,
            Route::Check => self.check(&asked, body).await,
            Route::Differences => self.differences(body).await,
            Route::Upload => self.upload(&asked, body).await,
            Route::Problems => self.problems(&asked, body).await,
            Route::Note => self.note(body).await,
            Route::Code => Ok(self.code()),
            Route::Attempts => self.attempt(body).await,
            Route::Ask(ask) => self.ask(ask, body).await,
        }
    }
}

/// A reply of a worker that is not the one that was asked for.
fn unexpected(reply: Reply) -> Refusal {
    match reply {
        Reply::Refused(error) => Refusal::busy(crate::task_form::sentence(&error)),
        Reply::Missing(error) => Refusal::not_found(error),
        _ => Refusal::busy("A worker gave a wrong answer."),
    }
}
