//! The process that renders reports and describes games.
//!
//! Texts of strangers are opened in such processes and not in the server: a panic, endless work or a
//! lack of memory ends one of them, and the request that it worked for. A request is one line of JSON,
//! and so is its reply.

mod chess;
mod kept;
mod play;
mod reports;
mod solved;
mod tree;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use treegauge::catalog::{FAMILIES, is_game, library};
use treegauge::report::{Block, Boards, Doc, Document, TextStyle, Tone};
use treegauge::tasks::{COMMAND, Context, Files, Keeping, read_report, task, with_task};
use treegauge::{Error, ErrorKind, Game, ReadProblems, TextBoards, game_origin};

pub(crate) use chess::{
    CARDS_PER_PAGE, CLASSES, ChessPose, ChosenProblems, PosedChess, ProblemChoice, Sheet, tone,
};
pub(crate) use kept::{At, Kept, NODES_MAX};
pub(crate) use play::{Answered, Played, Position, Values, ValuesFrom};
pub(crate) use reports::{Gallery, GamePage, Study};
pub(crate) use solved::{
    Chosen, CountedLandscape, Explored, Find, KeptInterest, Planned, Pose, PosedPuzzle, PuzzleList,
    PuzzleRow, SolvedFacts, Spot,
};
pub(crate) use tree::{Child, Grown, Growth, Node, Rectangle, Row, Stop, TreeForm, View};

use crate::texts::checking::{self, Checked, Stage, TextFacts};
use crate::texts::{self, ENDING};
use crate::workspace::Workspace;

/// The longest request and the longest reply.
pub(crate) const REQUEST_BYTES_MAX: usize = 1 << 20;
pub(crate) const REPLY_BYTES_MAX: usize = 8 << 20;

/// The longest report that is read.
const REPORT_BYTES_MAX: u64 = 1 << 26;

/// Tasks that a worker does. Others take long, or write files.
const SHORT: [&str; 9] =
    ["aggregate", "check", "games", "landscape", "new", "probe", "replay", "show", "search"];

/// A request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub(crate) enum Request {
    /// Renders a report in a file of the workspace.
    Render { path: String, part: Part },
    /// Does a short task.
    Task { task: Map<String, Value> },
    /// Describes a game.
    Card { game: String },
    /// Draws the starts of all games of the program.
    Boards,
    /// Checks or formats a text.
    Check { text: String, stage: Stage },
    /// Looks for mistakes in texts of the workspace.
    Texts { paths: Vec<String> },
    /// Describes a position of a game after `ply` of its moves, and reads a typed move.
    Position { at: At, ply: Option<usize>, typed: Option<String> },
    /// Values of the moves at some plies, both ends included.
    Values { at: At, plies: (usize, usize), from: ValuesFrom },
    /// Has a player choose a move.
    Reply { at: At, player: String, seed: u64 },
    /// Grows a tree.
    Search(Grown),
    /// The part of a tree that a page shows, with a node that was chosen.
    View { search: Grown, node: Vec<String> },
    /// Children of a node after the first `from`.
    Children { search: Grown, path: Vec<String>, from: usize },
    /// Reads chess problems of a text, or of a file of the workspace.
    Problems { text: Option<String>, path: Option<String> },
    /// Rated chess problems of a report in a file of the workspace.
    RatedList { path: String, choice: ProblemChoice },
    /// A rated chess problem after some moves.
    PoseChess(ChessPose),
    /// A practice file of rated chess problems, with answers of the engine at a path.
    ChessPractice { path: String, choice: ProblemChoice, engine: Option<String> },
    /// A tree for other programs.
    Export { search: Grown, form: TreeForm },
    /// Solution files of the workspace.
    Solved,
    /// A position of a solution file, with the values of the moves of its line.
    Probe(Spot),
    /// A position of a value and a remoteness.
    Find(Find),
    /// Positions of a solution file by value and remoteness.
    Landscape { file: String },
    /// Puzzles of a report in a file of the workspace.
    Puzzles { path: String },
    /// A puzzle after some moves.
    Pose(Pose),
    /// The size of a solve.
    Outlook(Planned),
    /// A sheet of puzzles to print.
    Sheet { chosen: Chosen, has_answers: bool },
    /// A practice file of puzzles, by the first of some files that solves their game.
    Practice { chosen: Chosen, solutions: Vec<String> },
    /// Cards of the best games in a report of the generator.
    Gallery { path: String },
    /// One of these games, whole.
    Made { path: String, number: u32 },
    /// Content of a dataset.
    Study { path: String },
}

/// A part of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// All, for a page of the workbench.
    Fragment,
    /// All, as a self-contained page.
    Html,
    /// All, as text.
    Text,
    /// A table, as CSV.
    Table(String),
    /// A chart, as SVG.
    Chart(String),
}

/// A reply.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reply {
    /// A rendered report.
    Rendered(Rendered),
    /// A part of a report, as text.
    Part(String),
    /// A task that was done: its report as JSON, and rendered.
    Done { json: String, rendered: Rendered },
    /// A game.
    Card(Card),
    /// Names of games with their boards as SVG.
    Boards(Vec<(String, String)>),
    /// A text that was checked.
    Checked(Box<Checked>),
    /// Texts, without those that cannot be read.
    Texts(Vec<TextFacts>),
    /// A position.
    Position(Box<Position>),
    /// Values of moves.
    Values(Values),
    /// The move of a player.
    Answered(Answered),
    /// The state of a search.
    Growth(Growth),
    /// A part of a tree.
    View(Box<View>),
    /// Children of a node, with their number in all.
    Rows { path: Vec<String>, count: usize, rows: Vec<Row> },
    /// Chess problems before a run.
    Problems(Box<ReadProblems>),
    /// Rated chess problems.
    Chosen(Box<ChosenProblems>),
    /// A rated chess problem after some moves.
    PosedChess(Box<PosedChess>),
    /// Solution files.
    SolvedFiles(Vec<SolvedFacts>),
    /// A position of a solution file.
    Explored(Box<Explored>),
    /// Text of a position that was found; `None` if the file has none.
    Found(Option<String>),
    /// Positions by value and remoteness.
    Landscape(Box<CountedLandscape>),
    /// Puzzles of a report.
    Puzzles(Box<PuzzleList>),
    /// A puzzle after some moves.
    PosedPuzzle(Box<PosedPuzzle>),
    /// Cards of generated games.
    Gallery(Gallery),
    /// A generated game.
    Made(Box<GamePage>),
    /// Content of a dataset.
    Study(Box<Study>),
    /// The thing that was asked for is not there.
    Missing(String),
    /// The request cannot be fulfilled.
    Refused(String),
}

/// A report as a part of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Rendered {
    pub(crate) title: String,
    pub(crate) fragment: String,
    /// Judgement (`good`, `open` or `bad`) and headline of the first verdict.
    pub(crate) verdict: Option<(String, String)>,
    /// Names of its tables and of its charts.
    pub(crate) tables: Vec<String>,
    pub(crate) charts: Vec<String>,
}

/// A game with its parameters.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Card {
    /// Name of the game with its parameters.
    pub(crate) name: String,
    /// Name of the family; that of a text for games that a text describes.
    pub(crate) family: String,
    pub(crate) summary: String,
    /// Rules in a few sentences, and the notation of moves.
    pub(crate) rules: String,
    pub(crate) moves: String,
    /// Origin of a game of the library, in sentences.
    pub(crate) origin: Vec<String>,
    pub(crate) is_text: bool,
    pub(crate) parameters: Vec<Parameter>,
    /// Named settings, with their meaning.
    pub(crate) presets: Vec<(String, String)>,
    pub(crate) capabilities: Vec<String>,
}

/// A parameter of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    pub(crate) help: String,
    pub(crate) value: String,
    pub(crate) default: String,
    /// Values in words.
    pub(crate) range: String,
}

/// Answers requests until there are no more. `root` is the folder of the workspace: no file outside of it
/// is opened.
///
/// # Errors
///
/// If the folder does not exist, or the input or the output fails.
pub fn work(root: &Path, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let workspace = Workspace::new(root)?;
    let mut kept = Kept::default();
    let mut line = String::new();
    loop {
        line.clear();
        let limit = REQUEST_BYTES_MAX as u64 + 1;
        if io::Read::take(&mut input, limit).read_line(&mut line)? == 0 {
            return Ok(());
        }
        if line.len() > REQUEST_BYTES_MAX {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the request is too long"));
        }
        let reply = match serde_json::from_str(&line) {
            Ok(request) => without_root(answer(&mut kept, &workspace, request), &workspace),
            Err(error) => Reply::Refused(error.to_string()),
        };
        let mut text = serde_json::to_string(&reply)?;
        if text.len() > REPLY_BYTES_MAX {
            let reply = Reply::Refused("The answer is longer than 8 MB.".to_owned());
            text = serde_json::to_string(&reply)?;
        }
        text.push('\n');
        output.write_all(text.as_bytes())?;
        output.flush()?;
    }
}

/// A reply whose messages name files by their paths in the workspace: nobody learns where it lies.
fn without_root(reply: Reply, workspace: &Workspace) -> Reply {
    let root = workspace.root().display().to_string();
    let folder = format!("{root}{}", std::path::MAIN_SEPARATOR);
    let inside = |error: &str| error.replace(&folder, "").replace(&root, ".");
    match reply {
        Reply::Refused(error) => Reply::Refused(inside(&error)),
        Reply::Missing(error) => Reply::Missing(inside(&error)),
        Reply::SolvedFiles(mut files) => {
            for file in &mut files {
                if let Err(error) = &mut file.found {
                    *error = inside(error);
                }
            }
            Reply::SolvedFiles(files)
        }
        reply => reply,
    }
}

fn answer(kept: &mut Kept, workspace: &Workspace, request: Request) -> Reply {
    let answered = |answered: Result<Reply, Error>| {
        answered.unwrap_or_else(|error| Reply::Refused(error.to_string()))
    };
    match request {
        Request::Check { text, stage } => Reply::Checked(Box::new(checking::check(&text, stage))),
        Request::Texts { paths } => {
            let facts = |path: &String| {
                let text = texts::read(workspace, path).ok()?;
                Some(checking::facts(path, &text.text))
            };
            Reply::Texts(paths.iter().filter_map(facts).collect())
        }
        Request::Render { path, part } => render(workspace, &path, &part),
        Request::Task { task: fields } => match done(workspace, &fields) {
            Ok(reply) => reply,
            Err(error) => Reply::Refused(error.to_string()),
        },
        Request::Card { game } => match card(workspace, &game) {
            Ok(card) => Reply::Card(card),
            Err(error) => Reply::Refused(error.to_string()),
        },
        Request::Boards => {
            let board = |name: &str| {
                let game = Game::parse(name).ok()?;
                Some((name.to_owned(), game.start().board_svg()))
            };
            let published = library().iter().map(|game| game.name);
            let names = FAMILIES.iter().map(|family| family.name).chain(published);
            Reply::Boards(names.filter_map(board).collect())
        }
        Request::Position { at, ply, typed } => {
            answered(play::position(kept, workspace, &at, ply, typed.as_deref()))
        }
        Request::Values { at, plies, from } => {
            answered(play::values(kept, workspace, &at, plies, &from))
        }
        Request::Reply { at, player, seed } => {
            answered(play::reply(kept, workspace, &at, &player, seed))
        }
        Request::Search(search) => answered(tree::search(kept, workspace, &search)),
        Request::View { search, node } => answered(tree::view(kept, workspace, &search, &node)),
        Request::Children { search, path, from } => {
            answered(tree::rows(kept, workspace, &search, &path, from))
        }
        Request::Problems { text, path } => {
            answered(chess::problems(workspace, text.as_deref(), path.as_deref()))
        }
        Request::RatedList { path, choice } => chess::chosen(kept, workspace, &path, &choice),
        Request::PoseChess(pose) => answered(chess::pose(kept, workspace, &pose)),
        Request::ChessPractice { path, choice, engine } => {
            answered(chess::practice(kept, workspace, &path, &choice, engine.as_deref()))
        }
        Request::Solved => solved::files(kept, workspace),
        Request::Probe(spot) => answered(solved::explore(kept, workspace, &spot)),
        Request::Find(find) => answered(solved::find(kept, workspace, &find)),
        Request::Landscape { file } => answered(solved::landscape(kept, workspace, &file)),
        Request::Puzzles { path } => answered(solved::puzzles(kept, workspace, &path)),
        Request::Outlook(planned) => answered(solved::outlook(kept, workspace, &planned)),
        Request::Sheet { chosen, has_answers } => {
            answered(solved::sheet(kept, workspace, &chosen, has_answers))
        }
        Request::Practice { chosen, solutions } => {
            answered(solved::practice(kept, workspace, &chosen, &solutions))
        }
        Request::Pose(pose) => answered(solved::pose(kept, workspace, &pose)),
        Request::Export { search, form } => answered(tree::export(kept, workspace, &search, form)),
        Request::Gallery { path } => reports::gallery(workspace, &path),
        Request::Made { path, number } => reports::made(workspace, &path, number),
        Request::Study { path } => answered(reports::study(workspace, &path)),
    }
}

/// Files of the workspace.
struct Inside<'a>(&'a Workspace);

impl Inside<'_> {
    fn find(&self, name: &str) -> Result<PathBuf, String> {
        let name = name.strip_prefix("./").unwrap_or(name);
        self.0.find(name).ok_or_else(|| format!("there is no file `{name}` in the workspace"))
    }
}

impl Files for Inside<'_> {
    fn rules(&self, name: &str) -> Result<String, String> {
        let text = treegauge::rules_text(&self.find(name)?)?;
        // A file of another kind is refused without a word of its content.
        if is_game(&text) || name.ends_with(ENDING) {
            Ok(text)
        } else {
            Err("it is not the text of a game".to_owned())
        }
    }

    fn list(&self, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn path(&self, name: &Path) -> Result<PathBuf, Error> {
        let text = name.to_str().unwrap_or_default();
        let path = self.find(text).map_err(|error| Error::new(ErrorKind::Data, error))?;
        let refused = |reason| Error::new(ErrorKind::Data, format!("cannot read {text}: {reason}"));
        self.0.check(&path).map_err(refused)?;
        Ok(path)
    }
}

/// Text of a report in a file of the workspace.
fn report_text(workspace: &Workspace, path: &str) -> Result<String, String> {
    let path = workspace.find(path).ok_or_else(|| "There is no report.".to_owned())?;
    let bytes =
        treegauge_store::read(&path, REPORT_BYTES_MAX).map_err(|error| error.kind().to_string())?;
    String::from_utf8(bytes).map_err(|_| "The report is not text.".to_owned())
}

fn render(workspace: &Workspace, path: &str, part: &Part) -> Reply {
    let text = match report_text(workspace, path) {
        Ok(text) => text,
        Err(error) => return Reply::Missing(error),
    };
    let report = match read_report(&text) {
        Ok(report) => report,
        Err(error) => return Reply::Refused(error.to_string()),
    };
    let boards = boards_of(workspace, &*report);
    let doc = report.doc(&*boards);
    match part {
        Part::Fragment => Reply::Rendered(rendered(&doc)),
        Part::Html => Reply::Part(report.page(&*boards)),
        Part::Text => Reply::Part(doc.text(TextStyle::default())),
        Part::Table(name) => match doc.tables().into_iter().find(|table| table.name == name) {
            Some(table) => Reply::Part(table.csv()),
            None => Reply::Missing(format!("The report has no table `{name}`.")),
        },
        Part::Chart(name) => match doc.figures().into_iter().find(|figure| figure.name == name) {
            Some(figure) => Reply::Part(figure.picture.to_string()),
            None => Reply::Missing(format!("The report has no chart `{name}`.")),
        },
    }
}

/// Boards of the game of a report. A game that cannot be opened any more has none.
fn boards_of(workspace: &Workspace, report: &dyn Document) -> Box<dyn Boards> {
    let files = Inside(workspace);
    let game = report.game().map(|game| Game::parse_with(game, &mut |file| files.rules(file)));
    match game {
        Some(Ok(game)) => Box::new(game),
        _ => Box::new(TextBoards),
    }
}

fn done(workspace: &Workspace, fields: &Map<String, Value>) -> Result<Reply, Error> {
    let command = fields.get(COMMAND).and_then(Value::as_str).unwrap_or_default();
    // A match is long, but for the power analysis of its record.
    let is_power = command == "match" && fields.get("power") == Some(&Value::Bool(true));
    if !SHORT.contains(&command) && !is_power {
        let error = format!("a worker does not do the task `{command}`");
        return Err(Error::new(ErrorKind::Usage, error));
    }
    let files = Inside(workspace);
    let record = fields.get("record").and_then(Value::as_str).filter(|_| is_power);
    let record = record.map(|record| files.path(Path::new(record))).transpose()?;
    let keeping = record.as_deref().map(|path| Keeping { path, is_required: true, every: None });
    let context = Context { files: &files, keeping, ..Context::default() };
    // The record of a task is its place of work, which the context has.
    let mut asked = fields.clone();
    if keeping.is_some() {
        asked.remove("record");
    }
    let done = task(&asked)?.run(&context)?;
    let json = with_task(done.report.json(&())?, Some(fields))?;
    let boards: &dyn Boards = match &done.game {
        Some(game) => game,
        None => &TextBoards,
    };
    let mut doc = done.report.doc(boards);
    if is_power {
        // The command would name no game and no players.
        doc.next = Default::default();
    }
    Ok(Reply::Done { json, rendered: rendered(&doc) })
}

fn rendered(doc: &Doc) -> Rendered {
    let mut tables: Vec<String> = doc.tables().iter().map(|table| table.name.to_owned()).collect();
    let mut charts: Vec<String> = doc
        .figures()
        .iter()
        .filter(|figure| !figure.picture.is_empty())
        .map(|figure| figure.name.to_owned())
        .collect();
    for names in [&mut tables, &mut charts] {
        let mut seen = Vec::new();
        names.retain(|name| {
            let is_new = !name.is_empty() && !seen.contains(name);
            seen.push(name.clone());
            is_new
        });
    }
    Rendered {
        title: doc.title.clone(),
        fragment: doc.fragment(),
        verdict: verdict(&doc.blocks),
        tables,
        charts,
    }
}

/// The first verdict among blocks.
fn verdict(blocks: &[Block]) -> Option<(String, String)> {
    blocks.iter().find_map(|block| match block {
        Block::Verdict { tone, headline, lead, .. } => {
            let tone = match tone {
                Tone::Good => "good",
                Tone::Undecided => "open",
                Tone::Bad => "bad",
            };
            let words = if headline.0.is_empty() { lead } else { headline };
            Some((tone.to_owned(), words.plain()))
        }
        Block::Group(_, blocks) | Block::PagesOnly(blocks) => verdict(blocks),
        Block::Columns(columns) => columns.iter().find_map(|column| verdict(column)),
        _ => None,
    })
}

/// Name of a game of a text without its options, as in `my.rules` and `rules(file=my.game)`.
fn without_options(name: &str) -> String {
    match name.strip_prefix("rules(") {
        None => name.split('(').next().unwrap_or(name).to_owned(),
        Some(inner) => {
            let inner = inner.trim_end_matches(')').split(',');
            let kept = inner.filter(|one| one.starts_with("file=") || one.starts_with("digest="));
            format!("rules({})", kept.collect::<Vec<_>>().join(","))
        }
    }
}

fn card(workspace: &Workspace, text: &str) -> Result<Card, Error> {
    let files = Inside(workspace);
    let context = Context { files: &files, ..Context::default() };
    let game = context.game(text)?;
    let info = game.info();
    let spec = &info.spec;
    let is_text = spec.program().is_some() && spec.library_game().is_none();
    let (family, parameters) = if is_text {
        let options = spec.program().map_or(&[][..], |program| program.options());
        let parameters = options.iter().map(|option| Parameter {
            name: option.name.clone(),
            help: String::new(),
            value: option.value.to_string(),
            default: option.default.to_string(),
            range: format!("{} to {}", option.lowest, option.highest),
        });
        (without_options(text), parameters.collect())
    } else {
        let family = spec.family();
        let parameters = family.all_parameters().map(|parameter| Parameter {
            name: parameter.name.to_owned(),
            help: parameter.help.to_owned(),
            value: spec.args().text(parameter.name).to_string(),
            default: parameter.default.to_owned(),
            range: parameter.values.to_string(),
        });
        (family.name.to_owned(), parameters.collect())
    };
    let presets = spec.family().presets.iter().filter(|_| !is_text);
    Ok(Card {
        name: game.name(),
        family,
        summary: if is_text { String::new() } else { spec.family().summary.to_owned() },
        rules: Boards::rules(&game),
        moves: if is_text { String::new() } else { spec.moves_text() },
        origin: game_origin(spec).map_or_else(Vec::new, |origin| origin.lines()),
        is_text,
        parameters,
        presets: presets
            .map(|preset| (preset.name.to_owned(), preset.summary.to_owned()))
            .collect(),
        capabilities: info.capabilities.iter().map(|one| one.name().to_owned()).collect(),
    })
}
