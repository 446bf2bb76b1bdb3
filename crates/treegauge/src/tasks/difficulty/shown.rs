//! The meaningful tree of one position.

use treegauge_difficulty::ProblemReport;
use treegauge_difficulty::chess::Position;
use treegauge_engine::{SolvedGame, open_solved};
use treegauge_report::{problem_dot, problem_svg};
use treegauge_search::DEFAULT_CP;
use treegauge_solve::report::PuzzlesReport;

use super::super::{Context, Done, TaskFile};
use super::engine::{finish, model};
use super::input::Input;
use super::{BOARD, DOT, DifficultyTask, SVG, picture};
use crate::{Error, ErrorKind, Game, MoveValues, grade_puzzles, problem_tree, puzzles_of};

/// Shows a position of chess.
pub(super) fn chess(
    task: &DifficultyTask,
    fen: &str,
    context: &Context<'_>,
) -> Result<Done, Error> {
    let model = model(task.model.as_deref(), context)?;
    let mut run = task.engine.run(5, &task.people(), context)?;
    run.options.settings.nodes_max = task.engine.shown_nodes();
    let moves = task.at.line().collect::<Vec<_>>().join(" ");
    let report = run.show(fen, &moves, model.as_ref(), context.watch);
    let notes = finish(&run).into_iter().collect();
    let report = report?;
    let board = Position::parse(&report.position);
    let board = board.map_err(|error| Error::new(ErrorKind::Data, error))?.svg();
    let files = files(&report, board, context);
    Ok(Done { notes, files, ..Done::new(report) })
}

/// Shows a position of a game of the catalog.
pub(super) fn game(
    task: &DifficultyTask,
    game: &Game,
    context: &Context<'_>,
) -> Result<Done, Error> {
    let settings = task.engine.result_settings()?;
    let solved = solved_game(task, game, context)?;
    let line = match &solved {
        Some(solved) => task.at.line_from(game, || solved.start())?,
        None => task.at.line_of(game)?,
    };
    let values = values(task, solved.as_deref());
    let report = problem_tree(game, &line, &values, settings, context.watch)?;
    let files = files(&report, line.board_svg(), context);
    Ok(Done { files, ..Done::of(report, game.clone()) })
}

/// The puzzles of a JSON file.
pub(super) fn puzzles(input: &mut Input, context: &Context<'_>) -> Result<PuzzlesReport, Error> {
    puzzles_of(input.reader()).map_err(|error| input.cannot_read(&error, context))
}

/// Grades puzzles of a game of the catalog.
pub(super) fn graded(
    task: &DifficultyTask,
    puzzles: &PuzzlesReport,
    context: &Context<'_>,
) -> Result<Done, Error> {
    let game = context.game(&puzzles.game)?;
    let settings = task.engine.result_settings()?;
    let solved = solved_game(task, &game, context)?;
    let values = values(task, solved.as_deref());
    let report = grade_puzzles(&game, puzzles, &values, settings, context.watch)?;
    let files = picture(&report, context)?;
    Ok(Done { files, ..Done::new(report) })
}

/// The solution of a game, if `--solved` names it.
fn solved_game(
    task: &DifficultyTask,
    game: &Game,
    context: &Context<'_>,
) -> Result<Option<Box<dyn SolvedGame>>, Error> {
    let Some(name) = &task.solved else { return Ok(None) };
    let solved = open_solved(game.engine(), &context.path(name)?);
    let bad = |error| Error::new(ErrorKind::Data, format!("{}: {error}", name.display()));
    solved.map(Some).map_err(bad)
}

/// The source of the values of moves.
fn values<'a>(task: &DifficultyTask, solved: Option<&'a dyn SolvedGame>) -> MoveValues<'a> {
    let (iterations, seed) = (task.iterations, task.seed);
    match solved {
        Some(solved) => MoveValues::Solved(solved),
        None => MoveValues::Searched { iterations, cp: DEFAULT_CP, seed },
    }
}

/// The requested pictures.
fn files(report: &ProblemReport, board: String, context: &Context<'_>) -> Vec<TaskFile> {
    let mut files = Vec::new();
    if context.wants(DOT) {
        files.push(TaskFile::new(DOT, problem_dot(report)));
    }
    if context.wants(SVG) {
        files.push(TaskFile::new(SVG, problem_svg(report)));
    }
    if context.wants(BOARD) {
        files.push(TaskFile::new(BOARD, board));
    }
    files
}
