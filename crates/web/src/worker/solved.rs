//! Puzzles of runs, and their judgement by solved games.

use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::engine::StartingPoint;
use treegauge::report::{PuzzlesReport, ShownBoard, puzzle_task};
use treegauge::{Error, ErrorKind, WonPosition};

use super::kept::Kept;
use super::{Inside, Reply};
use crate::pages::{Choice, Hint, Posed};
use crate::workspace::Workspace;

/// The greatest number of moves of a solution that a page shows.
const SOLUTION_MAX: usize = 400;

/// Puzzles of a report.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PuzzleList {
    /// Name of the game with its parameters.
    pub(crate) game: String,
    pub(crate) puzzles: Vec<PuzzleRow>,
    /// Sentence for a report without puzzles.
    pub(crate) none: String,
}

/// A puzzle without its solution.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PuzzleRow {
    pub(crate) number: u64,
    pub(crate) position: String,
    pub(crate) turn: Side,
    pub(crate) remoteness: u16,
    pub(crate) mate_in: u32,
    pub(crate) interestingness: f64,
    pub(crate) unique: bool,
    pub(crate) unique_first_move: bool,
    /// Task in a sentence.
    pub(crate) task: String,
    /// Board as SVG; empty if it is not asked for.
    pub(crate) svg: String,
}

/// A puzzle in solving mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PosedPuzzle {
    pub(crate) game: String,
    pub(crate) puzzle: PuzzleRow,
    /// Number of puzzles of the report.
    pub(crate) count: usize,
    pub(crate) posed: Posed,
    /// File of the solution.
    pub(crate) solution: String,
}

/// A puzzle after some moves, and the help that a solver asks for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Pose {
    /// File of the report.
    pub(crate) path: String,
    pub(crate) number: u64,
    /// Files that may be solutions of the game, asked before others of the workspace.
    pub(crate) solutions: Vec<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) hint: u8,
    pub(crate) is_shown: bool,
}

fn row(report: &PuzzlesReport, n: usize, svg: String) -> PuzzleRow {
    let puzzle = &report.puzzles[n];
    PuzzleRow {
        number: n as u64 + 1,
        position: puzzle.position.clone(),
        turn: puzzle.turn,
        remoteness: puzzle.remoteness,
        mate_in: puzzle.mate_in,
        interestingness: puzzle.interestingness,
        unique: puzzle.unique,
        unique_first_move: puzzle.unique_first_move,
        task: puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness),
        svg,
    }
}

/// The greatest number of puzzles that a page shows with boards.
const BOARDS_MAX: usize = 400;

pub(super) fn puzzles(kept: &mut Kept, workspace: &Workspace, path: &str) -> Result<Reply, Error> {
    let report = kept.puzzles(workspace, path)?;
    let game = kept.game(workspace, &report.game)?;
    let board = |n: usize| {
        let position = Some(report.puzzles[n].position.clone()).filter(|_| n < BOARDS_MAX)?;
        Some(
            game.begin(&StartingPoint { position: Some(position), moves: Vec::new() })
                .ok()?
                .board_svg(),
        )
    };
    let rows = 0..report.puzzles.len();
    let rows = rows.map(|n| row(&report, n, board(n).unwrap_or_default())).collect();
    let none = if report.puzzles.is_empty() { no_puzzles(&report) } else { String::new() };
    Ok(Reply::Puzzles(Box::new(PuzzleList { game: game.name(), puzzles: rows, none })))
}

/// The sentence of a report without puzzles.
fn no_puzzles(report: &PuzzlesReport) -> String {
    let asked = report.mate_in.map(|least| (least, report.mate_in_max.unwrap_or(least)));
    let counts = &report.by_remoteness;
    treegauge::report::no_puzzles_words(&report.game, asked, report.unique_only, counts) + "."
}

pub(super) fn pose(kept: &mut Kept, workspace: &Workspace, pose: &Pose) -> Result<Reply, Error> {
    let report = kept.puzzles(workspace, &pose.path)?;
    let n = usize::try_from(pose.number).unwrap_or(0).wrapping_sub(1);
    if n >= report.puzzles.len() {
        let message = format!("The report has no puzzle {}.", pose.number);
        return Ok(Reply::Missing(message));
    }
    let game = kept.game(workspace, &report.game)?;
    let puzzle = row(&report, n, String::new());
    let (position, moves) = (Some(puzzle.position.clone()), Vec::new());
    let start = game.begin(&StartingPoint { position, moves })?;
    let (solution, file) = kept.solution_of(workspace, &game, &pose.solutions)?;
    let won = WonPosition::new(file.as_solved_game(), start)?;
    let state = won.after(&pose.moves)?;
    let mut board = ShownBoard::of(&state.shown);
    if state.shown.turn() != won.solver() {
        board.moves.clear();
    }
    let hint = match pose.hint {
        0 => None,
        step => won.best(&state.moves)?.and_then(|best| Hint::of(step, &board, &best)),
    };
    let solution_line = match pose.is_shown {
        true => won.solution(&state.moves, SOLUTION_MAX)?,
        false => Vec::new(),
    };
    let choice = |defence: treegauge::Defence| Choice {
        text: defence.text,
        words: defence.words,
        is_played: defence.is_played,
    };
    let posed = Posed {
        board,
        picture: None,
        is_flipped: false,
        solver: won.solver(),
        moves: state.moves,
        judgement: state.judgement,
        words: state.words,
        defences: state.defences.into_iter().map(choice).collect(),
        defended_after: state.defended_after,
        hint,
        solution: solution_line,
    };
    let count = report.puzzles.len();
    let game = game.name();
    Ok(Reply::PosedPuzzle(Box::new(PosedPuzzle { game, puzzle, count, posed, solution })))
}

/// The error of a puzzle whose game has no solution in the workspace.
pub(super) fn no_solution(game: &str) -> Error {
    let message = format!(
        "no file of the workspace solves {game}, so moves cannot be judged; a run of `solve` makes one"
    );
    Error::new(ErrorKind::Data, message)
}

/// Opens a solution file of the workspace.
pub(super) fn open(
    kept: &mut Kept,
    workspace: &Workspace,
    name: &str,
) -> Result<std::sync::Arc<treegauge::SolutionFile>, Error> {
    let path = treegauge::tasks::Files::path(&Inside(workspace), name.as_ref())?;
    kept.solved_file(workspace, name, &path)
}
