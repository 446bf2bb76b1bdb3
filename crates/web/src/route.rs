//! Routes: the one table of what can be asked.

use hyper::Method;
use treegauge::tasks::TASKS;

use crate::percent::{decoded, encoded};
use crate::texts::ENDING;
use crate::workspace::{RUNS, SOLUTION_ENDING};

/// Something that can be asked of the server. [`Route::parse`] reads one from a path,
/// [`Route::link`] writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Route {
    /// First page: doors to everything, and recent runs.
    Home(Form),
    /// Catalog of games.
    Games(Form),
    /// A game, as on the command line.
    Game(String, Form),
    /// Texts of games in the workspace.
    Texts(Form),
    /// A text, by its path in the workspace, with its editor.
    Text(Vec<String>, Form),
    /// A game in progress: play and analysis.
    Play(String, PlayView),
    /// Search tree of a position of a game.
    Tree(String, TreeView),
    /// Form of a run of a command.
    New(&'static str, Form),
    /// List of runs.
    Runs(Form),
    /// A run, by its name.
    Run(String, View),
    /// Chess problems to rate: pasted, uploaded, or of a file that the query names.
    Chess(Form),
    /// Rated chess problems of a run.
    ChessRun(String, Form),
    /// A chess problem of a run, by its number, to be solved.
    ChessProblem(String, u32, Form),
    /// Ratings that people gave to the chess problems of a run, as CSV.
    ChessNotes(String),
    /// Practice file of the chess problems of a run that the query chooses.
    ChessPractice(String),
    /// List of solution files.
    Solved(Form),
    /// Explorer of a solution file, by its path in the workspace.
    SolvedFile(Vec<String>, Form),
    /// Positions of a solution file by value and remoteness.
    Landscape(Vec<String>, Form),
    /// Puzzles of a run.
    Puzzles(String, Form),
    /// Sheet of puzzles of a run, to print.
    Worksheet(String),
    /// Practice file of puzzles of a run.
    Practice(String),
    /// A puzzle of a run, by its number, to be solved.
    Puzzle(String, u32, Form),
    /// Datasets, evaluations and models.
    Studies(Form),
    /// A dataset, by its path in the workspace.
    Study(Vec<String>, Form),
    /// Files of a folder of the workspace, which the query names.
    Files(Form),
    /// A file of the workspace, by its path.
    File(Vec<String>),
    /// Keys, limits and licences.
    Help(Form),
    /// Trades a code for a session.
    Open,
    /// Sign of life.
    Healthz,
    /// Stream of changes.
    Events,
    /// An embedded file: hash and name.
    Asset(String, String),
    /// List of all routes.
    Routes,
    /// Starts a run.
    Start,
    /// Changes a run.
    Change(String, Act),
    /// Makes a text from that of a built-in game, or copies one.
    NewText,
    /// Saves a text.
    SaveText(Vec<String>),
    /// Gives a text another name.
    RenameText(Vec<String>),
    /// Moves a text to the trash.
    RemoveText(Vec<String>),
    /// Checks or formats a text.
    Check,
    /// Compares a text with the one that is saved.
    Differences,
    /// Adds a file to the workspace.
    Upload,
    /// Reads pasted chess problems.
    Problems,
    /// Keeps a rating that somebody gives to a chess problem.
    Note,
    /// Makes a code for [`Route::Open`].
    Code,
    /// Adds an attempt at a problem to their table.
    Attempts,
    /// Asks for work on a position.
    Ask(Ask),
}

/// Form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Page for people.
    Page,
    /// Its data.
    Json,
}

/// View of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum View {
    /// Page, live while the run works.
    Page,
    /// Report as the command prints it.
    Json,
    /// Report as a self-contained page.
    Html,
    /// Report as text.
    Text,
    /// A table of the report as CSV.
    Table(String),
    /// A chart of the report as SVG.
    Chart(String),
    /// Messages of the command.
    Log,
    /// List of the recorded games.
    Games(Form),
    /// A recorded game, by its name.
    Game(String, Form),
    /// One of the best games that the generator made, by the number of the candidate.
    Best(u32, Form),
    /// Picture of its board.
    BestBoard(u32),
}

/// View of a game in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayView {
    /// Page with the board.
    Page,
    /// Position as `show --cells` prints it.
    Json,
    /// Picture of the board.
    Board,
    /// Picture of the values of all moves of the game.
    History,
    /// The values as CSV.
    Values,
    /// Moves as text.
    Moves,
}

impl PlayView {
    /// Views that are files, with their names.
    const FILES: [(PlayView, &str); 4] = [
        (PlayView::Board, "board.svg"),
        (PlayView::History, "history.svg"),
        (PlayView::Values, "values.csv"),
        (PlayView::Moves, "moves.txt"),
    ];
}

/// View of a search tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeView {
    /// Page with the outline.
    Page,
    /// Report of the search.
    Json,
    /// Picture of the main part of the tree.
    Picture,
    /// The main part for GraphViz.
    Dot,
    /// The main part as JSON.
    Main,
    /// The whole tree as JSON.
    Whole,
}

impl TreeView {
    /// Views that are files, with their names.
    const FILES: [(TreeView, &str); 4] = [
        (TreeView::Picture, "main.svg"),
        (TreeView::Dot, "main.dot"),
        (TreeView::Main, "main.json"),
        (TreeView::Whole, "whole.json"),
    ];
}

/// Work on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// The move of a player.
    Reply,
    /// Growth of a search tree.
    Search,
    /// Children of a node of a search tree.
    Children,
}

impl Ask {
    /// All of them.
    pub const ALL: [Ask; 3] = [Ask::Reply, Ask::Search, Ask::Children];

    /// Name in paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ask::Reply => "reply",
            Ask::Search => "search",
            Ask::Children => "children",
        }
    }
}

/// Change of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Ends the process and keeps its work.
    Pause,
    /// Continues a run.
    Resume,
    /// Ends a run.
    Stop,
    /// Moves the folder of a run to the trash.
    Delete,
    /// Sets the title and the note.
    Edit,
}

impl Act {
    /// All of them.
    pub const ALL: [Act; 5] = [Act::Pause, Act::Resume, Act::Stop, Act::Delete, Act::Edit];

    /// Name in paths.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Act::Pause => "pause",
            Act::Resume => "resume",
            Act::Stop => "stop",
            Act::Delete => "delete",
            Act::Edit => "edit",
        }
    }
}

/// Reason why a path is not a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoute {
    /// No page has the path.
    Path,
    /// The path is that of a route with another method.
    Method,
}

impl Route {
    /// Reads a route from the path of a request.
    ///
    /// # Errors
    ///
    /// If there is no such path, or its method is another one.
    pub fn parse(method: &Method, path: &str) -> Result<Route, NoRoute> {
        let route = Route::of_path(path).ok_or(NoRoute::Path)?;
        let is_asked = *method == route.method() || (*method == Method::HEAD && !route.changes());
        if is_asked { Ok(route) } else { Err(NoRoute::Method) }
    }

    fn of_path(path: &str) -> Option<Route> {
        let pieces: Vec<&str> = path.strip_prefix('/')?.split('/').collect();
        let (plain, form) = match pieces.last()?.strip_suffix(".json") {
            Some(plain) => (plain, Form::Json),
            None => (*pieces.last()?, Form::Page),
        };
        let before = &pieces[..pieces.len() - 1];
        let route = match (before, plain) {
            ([], "") if form == Form::Page => Route::Home(Form::Page),
            ([], "index") if form == Form::Json => Route::Home(Form::Json),
            ([], "games") => Route::Games(form),
            (["games"], game) => Route::Game(named(game)?, form),
            ([], "texts") => Route::Texts(form),
            (["texts", folders @ ..], file) => {
                let names = folders.iter().chain([&file]).map(|piece| named(piece));
                Route::Text(names.collect::<Option<_>>()?, form)
            }
            (["games", game], "play") => {
                let view = if form == Form::Json { PlayView::Json } else { PlayView::Page };
                Route::Play(named(game)?, view)
            }
            (["games", game, "play"], _) => {
                let found = PlayView::FILES.iter().find(|(_, file)| *file == pieces[3])?;
                Route::Play(named(game)?, found.0)
            }
            (["games", game], "tree") => {
                let view = if form == Form::Json { TreeView::Json } else { TreeView::Page };
                Route::Tree(named(game)?, view)
            }
            (["games", game, "tree"], _) => {
                let found = TreeView::FILES.iter().find(|(_, file)| *file == pieces[3])?;
                Route::Tree(named(game)?, found.0)
            }
            (["new"], command) => {
                Route::New(TASKS.iter().find(|kind| kind.name == command)?.name, form)
            }
            ([], "runs") => Route::Runs(form),
            (["runs"], _) => Route::of_run(pieces[1])?,
            (["runs", id, "tables"], _) => {
                let name = named(pieces[3].strip_suffix(".csv")?)?;
                Route::Run(named(id)?, View::Table(name))
            }
            (["runs", id, "charts"], _) => {
                let name = named(pieces[3].strip_suffix(".svg")?)?;
                Route::Run(named(id)?, View::Chart(name))
            }
            (["runs", id], "games") => Route::Run(named(id)?, View::Games(form)),
            (["runs", id, "games"], name) => Route::Run(named(id)?, View::Game(named(name)?, form)),
            (["runs", id, "best"], number) => {
                Route::Run(named(id)?, View::Best(number_of(number)?, form))
            }
            (["runs", id, "best", number], "board.svg") if form == Form::Page => {
                Route::Run(named(id)?, View::BestBoard(number_of(number)?))
            }
            ([], "studies") => Route::Studies(form),
            (["studies", folders @ ..], folder) => {
                let names = folders.iter().chain([&folder]).map(|piece| named(piece));
                Route::Study(names.collect::<Option<_>>()?, form)
            }
            (["runs", id], "log") if form == Form::Page => Route::Run(named(id)?, View::Log),
            ([], "chess") => Route::Chess(form),
            (["chess"], id) => Route::ChessRun(named(id)?, form),
            (["chess", id], "notes.csv") if form == Form::Page => Route::ChessNotes(named(id)?),
            (["chess", id], "practice.html") if form == Form::Page => {
                Route::ChessPractice(named(id)?)
            }
            (["chess", id], number) => Route::ChessProblem(named(id)?, numbered(number)?, form),
            ([], "solved") => Route::Solved(form),
            (["solved", folders @ .., file], "landscape") if is_solution(file) => {
                let names = folders.iter().chain([file]).map(|piece| named(piece));
                Route::Landscape(names.collect::<Option<_>>()?, form)
            }
            (["solved", folders @ ..], file) if is_solution(file) => {
                let names = folders.iter().chain([&file]).map(|piece| named(piece));
                Route::SolvedFile(names.collect::<Option<_>>()?, form)
            }
            (["puzzles"], id) => Route::Puzzles(named(id)?, form),
            (["puzzles", id], "worksheet") if form == Form::Page => Route::Worksheet(named(id)?),
            (["puzzles", id], "practice.html") if form == Form::Page => Route::Practice(named(id)?),
            (["puzzles", id], number) => Route::Puzzle(named(id)?, numbered(number)?, form),
            ([], "files") => Route::Files(form),
            (["files", ..], _) => {
                let names = pieces[1..].iter().map(|piece| named(piece));
                Route::File(names.collect::<Option<_>>()?)
            }
            ([], "help") => Route::Help(form),
            _ if form == Form::Json => return None,
            ([], "open") => Route::Open,
            ([], "healthz") => Route::Healthz,
            ([], "events") => Route::Events,
            (["assets", hash], _) => Route::Asset(named(hash)?, named(pieces[2])?),
            (["api"], "routes") => Route::Routes,
            (["api"], "runs") => Route::Start,
            (["api"], "texts") => Route::NewText,
            (["api", "texts", ..], _) => {
                let names = pieces[2..].iter().map(|piece| named(piece));
                Route::SaveText(names.collect::<Option<_>>()?)
            }
            (["api", act @ ("rename" | "remove"), ..], _) => {
                let names = pieces[2..].iter().map(|piece| named(piece));
                let names = names.collect::<Option<_>>()?;
                let is_renamed = *act == "rename";
                if is_renamed { Route::RenameText(names) } else { Route::RemoveText(names) }
            }
            (["api"], "check") => Route::Check,
            (["api"], "differences") => Route::Differences,
            (["api"], "uploads") => Route::Upload,
            (["api"], "problems") => Route::Problems,
            (["api"], "notes") => Route::Note,
            (["api"], "codes") => Route::Code,
            (["api"], "attempts") => Route::Attempts,
            (["api"], name) if Ask::ALL.iter().any(|ask| ask.name() == name) => {
                Route::Ask(Ask::ALL.into_iter().find(|ask| ask.name() == name)?)
            }
            (["api", "runs", id], act) => {
                Route::Change(named(id)?, Act::ALL.into_iter().find(|one| one.name() == act)?)
            }
            _ => return None,
        };
        Some(route)
    }

    /// Reads the last piece of the path of a run.
    fn of_run(piece: &str) -> Option<Route> {
        let views = [(".json", View::Json), (".html", View::Html), (".txt", View::Text)];
        for (ending, view) in views {
            if let Some(id) = piece.strip_suffix(ending) {
                return Some(Route::Run(named(id)?, view));
            }
        }
        Some(Route::Run(named(piece)?, View::Page))
    }

    /// Path of the route.
    #[must_use]
    pub fn link(&self) -> String {
        let with = |path: &str, form: &Form| match form {
            Form::Page => path.to_owned(),
            Form::Json => format!("{path}.json"),
        };
        match self {
            Route::Home(Form::Page) => "/".to_owned(),
            Route::Home(Form::Json) => "/index.json".to_owned(),
            Route::Games(form) => with("/games", form),
            Route::Game(game, form) => with(&format!("/games/{}", encoded(game)), form),
            Route::Play(game, view) => {
                let path = format!("/games/{}/play", encoded(game));
                match view {
                    PlayView::Page => path,
                    PlayView::Json => path + ".json",
                    view => {
                        let file = PlayView::FILES.iter().find(|(file, _)| file == view);
                        format!("{path}/{}", file.map_or("", |(_, name)| name))
                    }
                }
            }
            Route::Tree(game, view) => {
                let path = format!("/games/{}/tree", encoded(game));
                match view {
                    TreeView::Page => path,
                    TreeView::Json => path + ".json",
                    view => {
                        let file = TreeView::FILES.iter().find(|(file, _)| file == view);
                        format!("{path}/{}", file.map_or("", |(_, name)| name))
                    }
                }
            }
            Route::New(command, form) => with(&format!("/new/{command}"), form),
            Route::Runs(form) => with("/runs", form),
            Route::Run(id, view) => {
                let id = encoded(id);
                match view {
                    View::Page => format!("/runs/{id}"),
                    View::Json => format!("/runs/{id}.json"),
                    View::Html => format!("/runs/{id}.html"),
                    View::Text => format!("/runs/{id}.txt"),
                    View::Table(name) => format!("/runs/{id}/tables/{}.csv", encoded(name)),
                    View::Chart(name) => format!("/runs/{id}/charts/{}.svg", encoded(name)),
                    View::Log => format!("/runs/{id}/log"),
                    View::Games(form) => with(&format!("/runs/{id}/games"), form),
                    View::Game(name, form) => {
                        with(&format!("/runs/{id}/games/{}", encoded(name)), form)
                    }
                    View::Best(number, form) => with(&format!("/runs/{id}/best/{number}"), form),
                    View::BestBoard(number) => format!("/runs/{id}/best/{number}/board.svg"),
                }
            }
            Route::Studies(form) => with("/studies", form),
            Route::Study(names, form) => with(&format!("/studies/{}", path_of(names)), form),
            Route::Texts(form) => with("/texts", form),
            Route::Text(names, form) => with(&format!("/texts/{}", path_of(names)), form),
            Route::Chess(form) => with("/chess", form),
            Route::ChessRun(id, form) => with(&format!("/chess/{}", encoded(id)), form),
            Route::ChessProblem(id, number, form) => {
                with(&format!("/chess/{}/{number}", encoded(id)), form)
            }
            Route::ChessNotes(id) => format!("/chess/{}/notes.csv", encoded(id)),
            Route::ChessPractice(id) => format!("/chess/{}/practice.html", encoded(id)),
            Route::Solved(form) => with("/solved", form),
            Route::SolvedFile(names, form) => with(&format!("/solved/{}", path_of(names)), form),
            Route::Landscape(names, form) => {
                with(&format!("/solved/{}/landscape", path_of(names)), form)
            }
            Route::Puzzles(id, form) => with(&format!("/puzzles/{}", encoded(id)), form),
            Route::Worksheet(id) => format!("/puzzles/{}/worksheet", encoded(id)),
            Route::Practice(id) => format!("/puzzles/{}/practice.html", encoded(id)),
            Route::Puzzle(id, number, form) => {
                with(&format!("/puzzles/{}/{number}", encoded(id)), form)
            }
            Route::Files(form) => with("/files", form),
            Route::File(names) => format!("/files/{}", path_of(names)),
            Route::Help(form) => with("/help", form),
            Route::Open => "/open".to_owned(),
            Route::Healthz => "/healthz".to_owned(),
            Route::Events => "/events".to_owned(),
            Route::Asset(hash, name) => format!("/assets/{}/{}", encoded(hash), encoded(name)),
            Route::Routes => "/api/routes".to_owned(),
            Route::Start => "/api/runs".to_owned(),
            Route::Change(id, act) => format!("/api/runs/{}/{}", encoded(id), act.name()),
            Route::NewText => "/api/texts".to_owned(),
            Route::SaveText(names) => format!("/api/texts/{}", path_of(names)),
            Route::RenameText(names) => format!("/api/rename/{}", path_of(names)),
            Route::RemoveText(names) => format!("/api/remove/{}", path_of(names)),
            Route::Check => "/api/check".to_owned(),
            Route::Differences => "/api/differences".to_owned(),
            Route::Upload => "/api/uploads".to_owned(),
            Route::Problems => "/api/problems".to_owned(),
            Route::Note => "/api/notes".to_owned(),
            Route::Code => "/api/codes".to_owned(),
            Route::Attempts => "/api/attempts".to_owned(),
            Route::Ask(ask) => format!("/api/{}", ask.name()),
        }
    }

    /// Method of the route.
    #[must_use]
    pub fn method(&self) -> Method {
        if self.changes() { Method::POST } else { Method::GET }
    }

    /// Whether the route changes something, or asks for work that only the pages and programs may ask
    /// for.
    #[must_use]
    pub fn changes(&self) -> bool {
        matches!(
            self,
            Route::Start
                | Route::Change(..)
                | Route::NewText
                | Route::SaveText(_)
                | Route::RenameText(_)
                | Route::RemoveText(_)
                | Route::Check
                | Route::Differences
                | Route::Upload
                | Route::Problems
                | Route::Note
                | Route::Code
                | Route::Attempts
                | Route::Ask(_)
        )
    }

    /// Whether a form without scripts may send the request.
    #[must_use]
    pub fn takes_forms(&self) -> bool {
        matches!(
            self,
            Route::NewText
                | Route::SaveText(_)
                | Route::RenameText(_)
                | Route::RemoveText(_)
                | Route::Problems
        )
    }

    /// Whether a request needs no session.
    #[must_use]
    pub fn is_public(&self) -> bool {
        matches!(self, Route::Open | Route::Healthz)
    }

    /// Command line, without the name of the program, that prints the data of the page; `None` if no
    /// command does, or if the command is kept with a run.
    #[must_use]
    pub fn command(&self) -> Option<Vec<String>> {
        let words: &[&str] = match self {
            Route::Games(_) => &["games", "--json"],
            Route::Game(game, _) => &["show", "--json", "--", game],
            Route::Text(names, _) => &["check", "--json", "--", &names.join("/")],
            Route::Landscape(names, _) => &["landscape", "--json", "--", &names.join("/")],
            Route::Study(names, _) => &["aggregate", "--json", "--", &names.join("/")],
            Route::Run(id, View::Games(_)) => &["replay", "--json", "--", &record_of(id)],
            Route::Run(id, View::Game(name, _)) => {
                &["replay", &format!("--game={name}"), "--json", "--", &record_of(id)]
            }
            Route::Run(id, View::Best(number, _)) => {
                &["check", "--json", "--", &best_text(id, *number)]
            }
            _ => return None,
        };
        Some(words.iter().map(|&word| word.to_owned()).collect())
    }

    /// An example of each route, in the order of the enumeration. `run` is the name of a run, and
    /// `file` the path of a file, if there are any. A file with the ending of texts is an example of a
    /// text, too. `more` are routes of what only some workspaces have.
    #[must_use]
    pub fn examples(run: Option<&str>, file: Option<&str>, more: Vec<Route>) -> Vec<Route> {
        let game = || "tic_tac_toe".to_owned();
        let mut routes = vec![Route::Home(Form::Page), Route::Home(Form::Json)];
        routes.extend([Form::Page, Form::Json].map(Route::Games));
        routes.extend([Form::Page, Form::Json].map(|form| Route::Game(game(), form)));
        routes.extend([PlayView::Page, PlayView::Json].map(|view| Route::Play(game(), view)));
        routes.extend(PlayView::FILES.map(|(view, _)| Route::Play(game(), view)));
        routes.extend([TreeView::Page, TreeView::Json].map(|view| Route::Tree(game(), view)));
        routes.extend(TreeView::FILES.map(|(view, _)| Route::Tree(game(), view)));
        routes.extend(TASKS.iter().map(|kind| Route::New(kind.name, Form::Page)));
        routes.push(Route::New(TASKS[0].name, Form::Json));
        routes.extend([Form::Page, Form::Json].map(Route::Texts));
        let text = file.filter(|file| file.ends_with(ENDING)).map(pieces_of);
        if let Some(text) = &text {
            routes.extend([Form::Page, Form::Json].map(|form| Route::Text(text.clone(), form)));
        }
        routes.extend([Form::Page, Form::Json].map(Route::Runs));
        if let Some(run) = run {
            let views = [View::Page, View::Json, View::Html, View::Text, View::Log];
            routes.extend(views.map(|view| Route::Run(run.to_owned(), view)));
        }
        routes.extend([Form::Page, Form::Json].map(Route::Chess));
        routes.extend([Form::Page, Form::Json].map(Route::Solved));
        routes.extend([Form::Page, Form::Json].map(Route::Studies));
        routes.extend(more);
        routes.extend([Form::Page, Form::Json].map(Route::Files));
        routes.extend(file.map(|file| Route::File(pieces_of(file))));
        routes.extend([Form::Page, Form::Json].map(Route::Help));
        routes.extend([Route::Open, Route::Healthz, Route::Events]);
        routes.extend(crate::assets::all().map(|(hash, name)| Route::Asset(hash, name.to_owned())));
        routes.extend([Route::Routes, Route::Start]);
        if let Some(run) = run {
            routes.extend(Act::ALL.map(|act| Route::Change(run.to_owned(), act)));
        }
        routes.push(Route::NewText);
        let acts = [Route::SaveText, Route::RenameText, Route::RemoveText];
        routes.extend(text.iter().flat_map(|text| acts.map(|act| act(text.clone()))));
        routes.extend([Route::Check, Route::Differences, Route::Upload, Route::Code]);
        routes.extend([Route::Problems, Route::Note]);
        routes.push(Route::Attempts);
        routes.extend(Ask::ALL.map(Route::Ask));
        routes
    }

    /// Examples of the routes about the chess problems of a run.
    #[must_use]
    pub fn examples_of_chess(run: &str) -> Vec<Route> {
        let forms = [Form::Page, Form::Json];
        let lists = forms.map(|form| Route::ChessRun(run.to_owned(), form));
        let ones = forms.map(|form| Route::ChessProblem(run.to_owned(), 1, form));
        let files = [Route::ChessNotes(run.to_owned()), Route::ChessPractice(run.to_owned())];
        [&lists[..], &ones, &files].concat()
    }

    /// Examples of the routes about a solution file.
    #[must_use]
    pub fn examples_of_solution(file: &str) -> Vec<Route> {
        let forms = [Form::Page, Form::Json];
        let explorers = forms.map(|form| Route::SolvedFile(pieces_of(file), form));
        let landscapes = forms.map(|form| Route::Landscape(pieces_of(file), form));
        [explorers, landscapes].concat()
    }

    /// Examples of the routes about puzzles of a run.
    #[must_use]
    pub fn examples_of_puzzles(run: &str) -> Vec<Route> {
        let forms = [Form::Page, Form::Json];
        let lists = forms.map(|form| Route::Puzzles(run.to_owned(), form));
        let ones = forms.map(|form| Route::Puzzle(run.to_owned(), 1, form));
        let files = [Route::Worksheet(run.to_owned()), Route::Practice(run.to_owned())];
        [&lists[..], &files, &ones].concat()
    }
}

/// Path of the record of the games of a run.
pub(crate) fn record_of(run: &str) -> String {
    format!("{RUNS}/{run}/kept.jsonl")
}

/// Path of the text of one of the best games of a run.
pub(crate) fn best_text(run: &str, number: u32) -> String {
    format!("{RUNS}/{run}/result/best/{number}.rules")
}

/// A number in a path, written in one way only.
fn number_of(piece: &str) -> Option<u32> {
    piece.parse().ok().filter(|number: &u32| number.to_string() == piece)
}

/// The pieces of the path of a file.
fn pieces_of(file: &str) -> Vec<String> {
    file.split('/').map(str::to_owned).collect()
}

fn path_of(names: &[String]) -> String {
    names.iter().map(|name| encoded(name)).collect::<Vec<_>>().join("/")
}

/// Whether a piece of a path names a solution file.
fn is_solution(piece: &str) -> bool {
    named(piece).is_some_and(|name| name.ends_with(SOLUTION_ENDING))
}

/// Number in one piece of a path, from 1 and without leading zeros.
fn numbered(piece: &str) -> Option<u32> {
    let number: u32 = piece.parse().ok()?;
    (number > 0 && number.to_string() == piece).then_some(number)
}

/// Name in one piece of a path; `None` if it is empty or cannot be decoded.
fn named(piece: &str) -> Option<String> {
    decoded(piece).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests;
