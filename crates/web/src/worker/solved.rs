//! Solved games: their files, positions and landscapes, and puzzles that they judge.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::engine::{SolvedGame, StartingPoint};
use treegauge::report::{
    Boards, FromPlay, LandscapeReport, PRACTICE_PROBLEMS_MAX, ProbeReport, PuzzlesReport,
    ShownBoard, finding_words, found_words, interest_words, puzzle_task, puzzles_sheet_body,
    small_words, value_sentence,
};
use treegauge::solve::{ForcedOptions, Options, Value, Wanted};
use treegauge::{
    Error, ErrorKind, Line, PracticePuzzle, SolveOutlook, WonPosition, forced_wins, practice_file,
    solve_outlook, symmetry_saves,
};

use super::kept::{At, Kept, Until};
use super::play::{self, Position, Values, ValuesFrom};
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
    /// Whether moves that win, but later than the quickest one, are not known.
    pub(crate) is_quickest_only: bool,
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
    /// File of the solution; `None` if the win of the puzzle was proven alone.
    pub(crate) solution: Option<String>,
    /// Rules of the game in words; may be empty.
    pub(crate) rules: String,
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
        is_quickest_only: report.from_play.is_some(),
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
    let none = match report.puzzles.is_empty() {
        true => treegauge::report::none_found_words(&report) + ".",
        false => String::new(),
    };
    Ok(Reply::Puzzles(Box::new(PuzzleList { game: game.name(), puzzles: rows, none })))
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
    let (solution, solved) = match report.from_play {
        Some(from_play) => (None, kept.proven(&game, &start, from_play)?),
        None => {
            let (name, file) = kept.solution_of(workspace, &game, &pose.solutions)?;
            (Some(name), file.as_solved_game())
        }
    };
    let won = WonPosition::new(solved, start)?;
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
    let (rules, game) = (game.rules().to_owned(), game.name());
    let posed = PosedPuzzle { game, puzzle, count, posed, solution, rules };
    Ok(Reply::PosedPuzzle(Box::new(posed)))
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
) -> Result<Arc<treegauge::SolutionFile>, Error> {
    let path = treegauge::tasks::Files::path(&Inside(workspace), name.as_ref())?;
    kept.solved_file(workspace, name, &path)
}

/// The greatest number of solution files that are listed.
const LISTED_MAX: usize = 200;

/// The times for the count of a landscape and for the search of a position. The rest of the time of
/// the request is for the answer.
const COUNT_TIME: Duration = Duration::from_millis(3_500);
const FIND_TIME: Duration = Duration::from_millis(800);

/// A solution file of the workspace.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SolvedFacts {
    /// Path in the workspace.
    pub(crate) path: String,
    /// Facts of the file, or the reason why it cannot be opened.
    pub(crate) found: Result<SolvedHeader, String>,
}

/// Facts of a solution file that can be opened.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SolvedHeader {
    /// Name of the game with its parameters.
    pub(crate) game: String,
    /// Value of the start in a sentence.
    pub(crate) start: String,
    pub(crate) positions: u64,
    pub(crate) file_bytes: u64,
    /// Whether it keeps the interestingness of positions.
    pub(crate) has_interest: bool,
}

/// Lists the solution files of the workspace.
pub(super) fn files(kept: &mut Kept, workspace: &Workspace) -> Reply {
    let mut paths = super::kept::solution_files(workspace);
    paths.truncate(LISTED_MAX);
    let facts = |path: String| {
        let found = header(kept, workspace, &path).map_err(|error| error.to_string());
        SolvedFacts { path, found }
    };
    Reply::SolvedFiles(paths.into_iter().map(facts).collect())
}

fn header(kept: &mut Kept, workspace: &Workspace, path: &str) -> Result<SolvedHeader, Error> {
    let file = open(kept, workspace, path)?;
    let start = file.start()?;
    let probed = file.probe(&start)?;
    Ok(SolvedHeader {
        game: file.game().name(),
        start: value_words(&probed),
        positions: file.header().reachable.total(),
        file_bytes: file.header().file_bytes,
        has_interest: file.section_names().iter().any(|name| name == "interest"),
    })
}

/// The value of an unfinished position in a sentence.
fn value_words(probed: &ProbeReport) -> String {
    let valued = probed.valued();
    let words = valued.map(|valued| {
        value_sentence(probed.turn, valued, probed.endless, probed.by_history, probed.limit)
    });
    words.unwrap_or_else(|| "The value of the position is not known.".to_owned())
}

/// A position of a solved game, for the explorer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Explored {
    /// Name of the game with its parameters.
    pub(crate) game: String,
    pub(crate) position: Position,
    /// Values of the moves at all plies of the line.
    pub(crate) values: Values,
    /// Value of the position in a sentence; empty if the game is over.
    pub(crate) words: String,
    /// Move with the best value, and the last one that keeps it.
    pub(crate) best: Option<String>,
    pub(crate) worst: Option<String>,
    /// Interestingness, if the file keeps it.
    pub(crate) interest: Option<KeptInterest>,
    /// Number of positions of the file.
    pub(crate) positions: u64,
}

/// The interestingness that a file keeps.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct KeptInterest {
    /// Sentences about the position that is shown; empty if the file keeps nothing about it.
    pub(crate) words: Vec<String>,
    /// The most interesting win of each remoteness.
    pub(crate) most: Vec<MostInteresting>,
}

/// The most interesting win of a remoteness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct MostInteresting {
    pub(crate) remoteness: u16,
    pub(crate) position: String,
    pub(crate) interestingness: f64,
}

/// A position of a solution file: where the line begins, its moves, and the ply that is shown.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) file: String,
    pub(crate) position: Option<String>,
    pub(crate) moves: Vec<String>,
    pub(crate) ply: Option<usize>,
}

pub(super) fn explore(kept: &mut Kept, workspace: &Workspace, spot: &Spot) -> Result<Reply, Error> {
    let file = open(kept, workspace, &spot.file)?;
    let game = file.game().clone();
    let start = file.start()?.position_text();
    // A file of another start begins there.
    let other_start = Some(start).filter(|start| *start != game.start().position_text());
    let at = At {
        game: file.header().spec.clone(),
        position: spot.position.clone().or(other_start),
        moves: spot.moves.clone(),
    };
    let Reply::Position(position) = play::position(kept, workspace, &at, spot.ply, None)? else {
        return Err(Error::new(ErrorKind::Internal, "there is no position"));
    };
    let from = ValuesFrom { iterations: 1, seed: 1, solution: Some(spot.file.clone()) };
    let line = kept.line(workspace, &at.until(position.ply))?.1;
    // A position that the file lacks is refused in its words.
    let probed = file.probe(&line)?;
    let Reply::Values(values) = play::values(kept, workspace, &at, (0, at.moves.len()), &from)?
    else {
        return Err(Error::new(ErrorKind::Internal, "there are no values"));
    };
    let best = probed.moves.first();
    let keeps =
        |row: &&treegauge::report::ProbedMove| Some(row.value) == best.map(|best| best.value);
    let worst = probed.moves.iter().rev().find(keeps);
    let interest = interest(&file, &probed.position);
    Ok(Reply::Explored(Box::new(Explored {
        game: game.name(),
        words: if position.ended.is_some() { String::new() } else { value_words(&probed) },
        best: best.map(|row| row.m.clone()),
        worst: worst.map(|row| row.m.clone()),
        positions: file.header().reachable.total(),
        interest,
        position: *position,
        values,
    })))
}

/// The interestingness that a file keeps, with sentences about a position.
fn interest(file: &treegauge::SolutionFile, position: &str) -> Option<KeptInterest> {
    let analysis = file.kept_interest().ok()?;
    let places = analysis.by_remoteness.iter().map(|row| &row.most);
    let all = places.clone().chain(&analysis.most_interesting).chain([&analysis.start]);
    let here = all.clone().find(|place| place.position == position);
    // A file may come from somebody else.
    let is_there = |place: &&treegauge::report::InterestPosition| file.check_kept(place).is_ok();
    let words = here.filter(is_there).map(|place| interest_words(&analysis, place));
    let most = places.filter_map(|place| {
        Some(MostInteresting {
            remoteness: place.remoteness?,
            position: place.position.clone(),
            interestingness: place.interestingness,
        })
    });
    Some(KeptInterest { words: words.unwrap_or_default(), most: most.collect() })
}

/// A search for a position of a solution file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Find {
    pub(crate) file: String,
    pub(crate) value: Value,
    /// Plies to the end; `None` for endless play.
    pub(crate) remoteness: Option<u16>,
    pub(crate) is_only_move: bool,
    pub(crate) seed: u64,
}

pub(super) fn find(kept: &mut Kept, workspace: &Workspace, find: &Find) -> Result<Reply, Error> {
    let file = open(kept, workspace, &find.file)?;
    let Find { value, remoteness, is_only_move, seed, .. } = *find;
    let wanted = Wanted { value, remoteness, is_only_move };
    let watch = Until(Instant::now() + FIND_TIME);
    let found = match file.find(&wanted, seed, &watch) {
        Err(error) if error.kind() == ErrorKind::Interrupted => {
            let message = "such positions are rare: none was found in the time of a page";
            return Err(Error::new(ErrorKind::Data, message));
        }
        found => found?,
    };
    Ok(Reply::Found(found.map(|line| line.position_text())))
}

/// Positions of a solution file by value and remoteness.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct CountedLandscape {
    /// Positions counted so far.
    pub(crate) report: LandscapeReport,
    pub(crate) interest: Option<KeptInterest>,
}

pub(super) fn landscape(
    kept: &mut Kept,
    workspace: &Workspace,
    name: &str,
) -> Result<Reply, Error> {
    let file = open(kept, workspace, name)?;
    let landscape = kept.landscape(&file);
    let watch = Until(Instant::now() + COUNT_TIME);
    file.count(landscape, &watch)?;
    let positions = file.header().reachable.total();
    Ok(Reply::Landscape(Box::new(CountedLandscape {
        report: LandscapeReport::new(file.game().name(), positions, landscape),
        interest: interest(&file, ""),
    })))
}

/// The time for a practice file, and the greatest number of positions of a solution that is read
/// into memory for it. Larger ones are asked position by position.
const PRACTICE_TIME: Duration = Duration::from_millis(18_500);
const LOADED_MAX: u64 = 4_000_000;

/// Puzzles that are chosen for a class.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Chosen {
    /// File of the report.
    pub(crate) path: String,
    /// Numbers of the puzzles; all if there are none.
    pub(crate) numbers: Vec<u64>,
}

/// The chosen puzzles of a report, at most as many as a practice file has.
fn chosen(kept: &mut Kept, workspace: &Workspace, chosen: &Chosen) -> Result<PuzzlesReport, Error> {
    let report = kept.puzzles(workspace, &chosen.path)?;
    let is_chosen = |number: u64| chosen.numbers.is_empty() || chosen.numbers.contains(&number);
    let puzzles = report.puzzles.iter().filter(|puzzle| is_chosen(puzzle.number));
    let puzzles = puzzles.take(PRACTICE_PROBLEMS_MAX).cloned().collect();
    Ok(PuzzlesReport { puzzles, ..(*report).clone() })
}

/// The sheet to print, with or without answers.
pub(super) fn sheet(
    kept: &mut Kept,
    workspace: &Workspace,
    wanted: &Chosen,
    has_answers: bool,
) -> Result<Reply, Error> {
    let report = chosen(kept, workspace, wanted)?;
    let game = kept.game(workspace, &report.game)?;
    Ok(Reply::Part(puzzles_sheet_body(&report, &game, has_answers)))
}

/// The error of a puzzle whose win was not found.
pub(super) fn not_won() -> Error {
    Error::new(
        ErrorKind::Data,
        "no quick win of this position was found, so moves cannot be judged",
    )
}

/// Limits of the proof of a puzzle. A report is a file, so its numbers may be any.
pub(super) fn limits(from_play: FromPlay) -> ForcedOptions {
    let FromPlay { plies_max, nodes_max, .. } = from_play;
    ForcedOptions { plies_max, nodes_max: nodes_max.min(NODES_MAX) }
}

/// Most positions that are searched for the proof of one puzzle.
const NODES_MAX: u64 = 20_000_000;

/// The solution that knows the moves of the puzzle that begins at a position.
type SolvedAt = dyn Fn(&Line) -> Option<Arc<dyn SolvedGame>>;

/// The practice file.
pub(super) fn practice(
    kept: &mut Kept,
    workspace: &Workspace,
    wanted: &Chosen,
    solutions: &[String],
) -> Result<Reply, Error> {
    let watch = Until(Instant::now() + PRACTICE_TIME);
    let report = chosen(kept, workspace, wanted)?;
    let game = kept.game(workspace, &report.game)?;
    let starts = report.puzzles.iter().map(|puzzle| {
        let (position, moves) = (Some(puzzle.position.clone()), Vec::new());
        game.begin(&StartingPoint { position, moves })
    });
    let starts = starts.collect::<Result<Vec<Line>, _>>()?;
    let find: Box<SolvedAt> = match report.from_play {
        Some(from_play) => {
            let proofs = forced_wins(&game, &starts, limits(from_play), &watch)?;
            Box::new(move |start| proofs.solved_game(start))
        }
        None => {
            let (_, file) = kept.solution_of(workspace, &game, solutions)?;
            let solved = match file.header().stored.total() {
                0..LOADED_MAX => file.load(None, &watch)?.as_solved_game(),
                _ => file.as_solved_game(),
            };
            Box::new(move |_| Some(Arc::clone(&solved)))
        }
    };
    let puzzles = report.puzzles.iter().zip(starts).map(|(puzzle, start)| {
        let solved = find(&start).ok_or_else(not_won)?;
        Ok(PracticePuzzle {
            title: format!("Puzzle {}", puzzle.number),
            task: puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness),
            won: WonPosition::new(solved, start)?,
        })
    });
    let puzzles = puzzles.collect::<Result<Vec<_>, Error>>()?;
    let page = practice_file(&game, &puzzles, &watch);
    page.map(Reply::Part).map_err(|error| match error.kind() {
        ErrorKind::Interrupted => {
            let message = "the practice file takes more than the time of a page; in a terminal `treegauge puzzles FILE --practice practice.html` writes it";
            Error::new(ErrorKind::Limit, message)
        }
        _ => error,
    })
}

/// The time for a look at the size of a solve, and the memory that it may take there.
const OUTLOOK_TIME: Duration = Duration::from_millis(1_500);
const OUTLOOK_BYTES_MAX: u64 = 500 << 20;

/// A solve that is to be started.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Planned {
    pub(crate) at: At,
    pub(crate) symmetry: bool,
    /// Memory of the run.
    pub(crate) memory_bytes_max: u64,
}

/// The size of a solve in sentences.
pub(super) fn outlook(
    kept: &mut Kept,
    workspace: &Workspace,
    planned: &Planned,
) -> Result<Reply, Error> {
    let (game, line) = kept.line(workspace, &planned.at)?;
    let options = Options {
        symmetry: planned.symmetry && symmetry_saves(&game, &line),
        memory_bytes_max: Some(OUTLOOK_BYTES_MAX),
        ..Options::default()
    };
    let begun = Instant::now();
    let outlook = solve_outlook(&game, &line, options, &Until(begun + OUTLOOK_TIME))?;
    let seconds = begun.elapsed().as_secs_f64();
    let max = Some(planned.memory_bytes_max);
    let words = match outlook {
        SolveOutlook::Solved { positions } => small_words(positions),
        SolveOutlook::Finding(progress) => finding_words(&progress, seconds, max),
        SolveOutlook::Valuing { positions } => found_words(positions, seconds),
        SolveOutlook::Refused(words) => format!("This game cannot be solved so: {words}."),
        _ => String::new(),
    };
    Ok(Reply::Part(words))
}
