//! Chess problems: files as they are understood, and lists of rated problems.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::chess::{DifficultyClass, Position};
use treegauge::report::{
    DifficultyReport, ExplainedProblem, PRACTICE_PROBLEMS_MAX, ProblemCard, ProblemList,
    WORKSHEET_PROBLEMS_MAX, chess_solving, nearest_problems, solution_line,
};
use treegauge::tasks::Files;
use treegauge::{ChessEngine, Error, ErrorKind, Watch, chess_practice_file, read_problems};

use super::kept::Until;
use super::play::SystemClock;
use super::{Inside, Kept, REPORT_BYTES_MAX, Reply};
use crate::pages::{Choice, Hint, Posed};
use crate::workspace::Workspace;

/// The greatest number of rows of a file that are read before a run.
pub(crate) const ROWS_MAX: usize = 2_000;

/// Problems of a list on one page.
pub(crate) const CARDS_PER_PAGE: usize = 24;

/// Problems that are nearest to a problem.
const NEAREST: usize = 4;

/// The problems of a list that are asked for, and their order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct ProblemChoice {
    /// Class of the problems, or `unrated`; empty for all.
    pub(crate) class: String,
    /// Theme of the problems; empty for all.
    pub(crate) theme: String,
    /// Text that their names, themes or positions contain.
    pub(crate) text: String,
    /// Order: `hardest`, `file`, or the easiest first.
    pub(crate) sort: String,
    /// Rating of a solver: the problems with the nearest ratings come first.
    pub(crate) near: Option<f64>,
    /// Page, from 1.
    pub(crate) page: usize,
    /// Sheet to print; `None` for a page of the list.
    pub(crate) sheet: Option<Sheet>,
    /// Numbers of the problems of a sheet or a practice file; all if there are none.
    pub(crate) numbers: Vec<u32>,
}

/// Sheet of problems to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sheet {
    /// Problems alone.
    Problems,
    /// Problems, and their solutions at the end.
    Answers,
}

/// Problems of a list.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ChosenProblems {
    pub(crate) list: ProblemList,
    /// Problems of the page.
    pub(crate) cards: Vec<ProblemCard>,
    /// Number of problems on all pages.
    pub(crate) matching: usize,
    /// Solutions of the problems of a sheet; empty unless they are asked for.
    pub(crate) solutions: Vec<String>,
}

/// A report that was read, with the size and the time of its file.
pub(super) struct ReadReport {
    path: PathBuf,
    facts: (u64, Option<SystemTime>),
    report: Arc<DifficultyReport>,
}

/// Reads problems of a text, or of a file.
pub(super) fn problems(
    workspace: &Workspace,
    text: Option<&str>,
    path: Option<&str>,
) -> Result<Reply, Error> {
    let read = match (text, path) {
        (Some(text), _) => read_problems(text.as_bytes(), ROWS_MAX)?,
        (None, path) => {
            let name = path.unwrap_or_default();
            let path = Inside(workspace).path(name.as_ref())?;
            let file = treegauge_store::open(&path).map_err(|error| {
                Error::new(ErrorKind::Data, format!("cannot read {name}: {}", error.kind()))
            })?;
            read_problems(file, ROWS_MAX)?
        }
    };
    Ok(Reply::Problems(Box::new(read)))
}

/// The report of a run that rated chess problems. `None` if the file is not such a report.
pub(super) fn report(
    kept: &mut Kept,
    workspace: &Workspace,
    path: &str,
) -> Option<Arc<DifficultyReport>> {
    let path = workspace.find(path)?;
    let found = fs::metadata(&path).ok()?;
    let facts = (found.len(), found.modified().ok());
    if let Some(known) = &kept.report
        && known.path == path
        && known.facts == facts
    {
        return Some(Arc::clone(&known.report));
    }
    let bytes = treegauge_store::read(&path, REPORT_BYTES_MAX).ok()?;
    let report: DifficultyReport = serde_json::from_slice(&bytes).ok()?;
    treegauge::report::ReportKind::check(&report).ok()?;
    let report = Arc::new(report);
    kept.report = Some(ReadReport { path, facts, report: Arc::clone(&report) });
    Some(report)
}

fn no_list() -> Reply {
    Reply::Missing("This run has no list of rated chess problems.".to_owned())
}

/// Indices of the problems that are asked for, in their order, on all pages.
fn order_of(report: &DifficultyReport, choice: &ProblemChoice) -> Vec<usize> {
    let text = choice.text.to_lowercase();
    let is_class = |n: usize| {
        let found = &report.rows[n].difficulty;
        match choice.class.as_str() {
            "" => true,
            "unrated" => found.is_none(),
            class => found.is_some_and(|found| found.class.name() == class),
        }
    };
    let is_asked = |n: &usize| {
        let row = &report.rows[*n];
        let has_text = [&row.id, &row.fen].into_iter().chain(&row.themes);
        let number = *n as u32 + 1;
        is_class(*n)
            && (choice.numbers.is_empty() || choice.numbers.contains(&number))
            && (choice.theme.is_empty() || row.themes.contains(&choice.theme))
            && (text.is_empty()
                || has_text.into_iter().any(|one| one.to_lowercase().contains(&text)))
    };
    let mut order = match choice.sort.as_str() {
        "file" => (0..report.rows.len()).collect(),
        // A run may be for a solver, too.
        "" => report.order(choice.near.or(report.for_rating)),
        _ => report.order(choice.near),
    };
    if choice.sort == "hardest" && choice.near.is_none() {
        // Unrated problems stay last.
        let rated = order.partition_point(|&n| report.rows[n].difficulty.is_some());
        order[..rated].reverse();
    }
    order.retain(is_asked);
    order
}

/// The problems of a run that are asked for.
pub(super) fn chosen(
    kept: &mut Kept,
    workspace: &Workspace,
    path: &str,
    choice: &ProblemChoice,
) -> Reply {
    let Some(report) = report(kept, workspace, path) else { return no_list() };
    let order = order_of(&report, choice);
    let matching = order.len();
    let size = if choice.sheet.is_some() { WORKSHEET_PROBLEMS_MAX } else { CARDS_PER_PAGE };
    let first = (choice.page.max(1) - 1).saturating_mul(size);
    let shown: Vec<usize> = order.into_iter().skip(first).take(size).collect();
    let solution = |&n: &usize| solution_line(&report.rows[n]);
    let solutions = match choice.sheet {
        Some(Sheet::Answers) => shown.iter().map(solution).collect(),
        _ => Vec::new(),
    };
    Reply::Chosen(Box::new(ChosenProblems {
        list: ProblemList::of(&report),
        cards: shown.iter().map(|&n| ProblemCard::of(n, &report.rows[n])).collect(),
        matching,
        solutions,
    }))
}

/// A rated problem after some moves, and the help that a solver asks for.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct ChessPose {
    /// File of the report.
    pub(crate) path: String,
    /// Number of the problem, from 1.
    pub(crate) number: usize,
    pub(crate) moves: Vec<String>,
    pub(crate) hint: u8,
    pub(crate) is_shown: bool,
    /// A move that was typed in any notation.
    pub(crate) typed: Option<String>,
    /// Path of the engine that answers wrong moves; `None` if there is none.
    pub(crate) engine: Option<String>,
}

/// A rated problem in solving mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PosedChess {
    pub(crate) posed: Posed,
    pub(crate) problem: ExplainedProblem,
    /// Rated problems that are nearest to it.
    pub(crate) nearest: Vec<ProblemCard>,
    /// Numbers of the problems before and after it, the easiest first.
    pub(crate) previous: Option<u32>,
    pub(crate) next: Option<u32>,
    /// The move that was typed in algebraic notation, or the reason why it is none.
    pub(crate) typed: Option<Result<String, String>>,
}

/// A problem of a run after some moves.
pub(super) fn pose(
    kept: &mut Kept,
    workspace: &Workspace,
    pose: &ChessPose,
) -> Result<Reply, Error> {
    let Some(report) = report(kept, workspace, &pose.path) else { return Ok(no_list()) };
    let index = pose.number.wrapping_sub(1);
    let Some(problem) = ExplainedProblem::of(&report, index) else {
        return Ok(Reply::Missing(format!("The list has no problem {}.", pose.number)));
    };
    let data = |error: String| Error::new(ErrorKind::Data, error);
    let watch = Until(Instant::now() + ANSWER_TIME);
    let mut engine = engine(kept, pose.engine.as_deref(), &report);
    let mut answers = |at: &Position| engine.as_mut()?.best(at, &watch);
    let state = chess_solving(&report.rows[index], &pose.moves, &mut answers).map_err(data)?;
    let typed = pose.typed.as_ref().map(|typed| {
        let position = position_after(&report.rows[index].fen, &state.moves)?;
        let played = position.parse_move(typed).map_err(|error| error.to_string())?;
        Ok(position.san(played))
    });
    let hint = state.right.as_ref().and_then(|right| Hint::of(pose.hint, &state.board, right));
    let defences = state.defences.into_iter().map(|one| Choice {
        text: one.text,
        words: one.words,
        is_played: one.is_played,
    });
    let posed = Posed {
        board: state.board,
        picture: None,
        is_flipped: state.solver == Side::Second,
        solver: state.solver,
        moves: state.moves,
        judgement: state.judgement,
        words: [state.words, state.answered].join(" ").trim_end().to_owned(),
        defences: defences.collect(),
        defended_after: state.defended_after,
        hint,
        solution: if pose.is_shown { state.rest } else { Vec::new() },
    };
    let nearest = nearest_problems(&report, index, NEAREST).into_iter();
    let nearest = nearest.map(|n| ProblemCard::of(n, &report.rows[n])).collect();
    let order = report.order(None);
    let place = order.iter().position(|&n| n == index).unwrap_or(0);
    let number = |place: Option<usize>| Some(*order.get(place?)? as u32 + 1);
    Ok(Reply::PosedChess(Box::new(PosedChess {
        posed,
        problem,
        nearest,
        previous: number(place.checked_sub(1)),
        next: number(Some(place + 1)),
        typed,
    })))
}

/// The time for the answer to a wrong move, and for all answers of a practice file.
const ANSWER_TIME: Duration = Duration::from_secs(5);
const ANSWERS_TIME: Duration = Duration::from_secs(14);

/// The depth of searches for a report without an engine, in plies.
const DEPTH: u32 = 10;

/// The engine at a path, which searches as deep as that of a report did.
fn engine<'a>(
    kept: &'a mut Kept,
    path: Option<&str>,
    report: &DifficultyReport,
) -> Option<&'a mut ChessEngine> {
    let depth = report.measured.as_ref().map_or(DEPTH, |measured| measured.depth);
    let path = path?;
    let is_known = |(known, at, _): &(String, u32, ChessEngine)| known == path && *at == depth;
    if !kept.engine.as_ref().is_some_and(is_known) {
        let clock = Arc::new(SystemClock(Instant::now()));
        let engine = ChessEngine::open(path.as_ref(), depth, ANSWER_TIME, clock).ok()?;
        kept.engine = Some((path.to_owned(), depth, engine));
    }
    kept.engine.as_mut().map(|(_, _, engine)| engine)
}

/// A practice file of the problems that are asked for.
pub(super) fn practice(
    kept: &mut Kept,
    workspace: &Workspace,
    path: &str,
    choice: &ProblemChoice,
    engine_path: Option<&str>,
) -> Result<Reply, Error> {
    let Some(report) = report(kept, workspace, path) else { return Ok(no_list()) };
    let mut rows = order_of(&report, choice);
    rows.truncate(PRACTICE_PROBLEMS_MAX);
    let watch = Until(Instant::now() + ANSWERS_TIME);
    let mut engine = engine(kept, engine_path, &report);
    let page = chess_practice_file(&report, &rows, &mut |at: &Position| {
        engine.as_mut().filter(|_| !watch.stop())?.best(at, &watch)
    })?;
    Ok(Reply::Part(page))
}

fn position_after(fen: &str, moves: &[String]) -> Result<Position, String> {
    let start = Position::parse(fen).map_err(|error| error.to_string())?;
    moves.iter().try_fold(start, |at, text| {
        Ok(at.after(at.parse_move(text).map_err(|error| error.to_string())?))
    })
}

/// Names of the classes, as filters have them.
pub(crate) const CLASSES: [(&str, &str); 4] =
    [("easy", "easy"), ("medium", "medium"), ("hard", "hard"), ("unrated", "unrated")];

/// Judgement of a class that its colour shows.
pub(crate) fn tone(class: DifficultyClass) -> &'static str {
    match class {
        DifficultyClass::Easy => "sound",
        DifficultyClass::Medium => "open",
        DifficultyClass::Hard => "flaw",
    }
}
