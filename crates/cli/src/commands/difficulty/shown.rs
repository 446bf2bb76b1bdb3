//! The meaningful tree of one position.

use treegauge::chess::Position;
use treegauge::engine::{SolvedGame, open_solved};
use treegauge::report::{Boards, Document, NoBoards, problem_dot, problem_svg};
use treegauge::solve::report::PuzzlesReport;
use treegauge::study::difficulty::ProblemReport;
use treegauge::{Game, MoveValues, grade_puzzles, problem_tree, puzzles_of};

use super::Arguments;
use super::engine::model;
use super::input::Input;
use crate::common;
use crate::exit::{OrExit, Outcome};
use crate::files::{Kind, Output, to_read, to_write};
use crate::interrupt::{self, Stop};
use crate::output::{complain, print, print_report};
use crate::solving::Bar;
use crate::terminal::terminal;
use crate::web_page::Page;

/// A position of chess.
pub(super) fn chess(arguments: &Arguments, fen: &str) -> Outcome {
    let model = model(arguments.model.as_deref())?;
    let files = Files::of(arguments)?;
    let mut run = arguments.engine.run()?;
    run.reasons = 5;
    interrupt::flag();
    let report = run.show(fen, model.as_ref(), &Stop);
    if let Some(Err(error)) = run.cache.as_ref().map(|cache| cache.finish()) {
        complain(&format!("the answers of the engine are not kept: {error}"));
    }
    let report = report?;
    let board = Position::parse(&report.position).or_data()?.svg();
    files.write(&report, &NoBoards, &board, arguments.json)
}

/// A position of a game of the catalog.
pub(super) fn game(arguments: &Arguments, name: &str, cp: f64) -> Outcome {
    let game = common::game(name)?;
    let settings = arguments.engine.result_settings()?;
    let files = Files::of(arguments)?;
    let solved = solved_game(arguments, &game)?;
    let line = match &solved {
        Some(solved) => arguments.at.line_from(&game, || solved.start())?,
        None => arguments.at.line_of(&game)?,
    };
    let values = values(arguments, solved.as_deref(), cp);
    interrupt::flag();
    let report = problem_tree(&game, &line, &values, settings, &Stop)?;
    files.write(&report, &game, &line.board_svg(), arguments.json)
}

/// The puzzles of a file that is JSON.
pub(super) fn puzzles(input: &mut Input) -> Outcome<PuzzlesReport> {
    puzzles_of(input.reader()).map_err(|error| input.cannot_read(&error))
}

/// Puzzles of a game of the catalog.
pub(super) fn graded(arguments: &Arguments, puzzles: &PuzzlesReport, cp: f64) -> Outcome {
    let game = common::game(&puzzles.game)?;
    let settings = arguments.engine.result_settings()?;
    let solved = solved_game(arguments, &game)?;
    let bar = Bar::new();
    let values = values(arguments, solved.as_deref(), cp);
    let report = grade_puzzles(&game, puzzles, &values, settings, &bar);
    bar.finish();
    let report = report?;
    if arguments.json {
        print_report(&report)
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    }
}

/// The solution of a game, where it is named.
fn solved_game(arguments: &Arguments, game: &Game) -> Outcome<Option<Box<dyn SolvedGame>>> {
    let Some(path) = &arguments.solved else { return Ok(None) };
    to_read(path)?;
    let solved = open_solved(game.engine(), path);
    Ok(Some(solved.map_err(|error| format!("{}: {error}", path.display())).or_data()?))
}

/// Where the values of moves come from.
fn values<'a>(
    arguments: &Arguments,
    solved: Option<&'a dyn SolvedGame>,
    cp: f64,
) -> MoveValues<'a> {
    let (iterations, seed) = (arguments.iterations, arguments.seed);
    match solved {
        Some(solved) => MoveValues::Solved(solved),
        None => MoveValues::Searched { iterations, cp, seed },
    }
}

/// What is written.
struct Files {
    dot: Option<Output>,
    svg: Option<Output>,
    board: Option<Output>,
    page: Page,
}

impl Files {
    fn of(arguments: &Arguments) -> Outcome<Files> {
        let page = arguments.page.page(arguments.json)?;
        let file =
            |path: &Option<_>, kind| path.as_deref().map(|path| to_write(path, kind)).transpose();
        Ok(Files {
            dot: file(&arguments.dot, Kind::TreeDot)?,
            svg: file(&arguments.svg, Kind::TreeSvg)?,
            board: file(&arguments.board, Kind::Board)?,
            page,
        })
    }

    fn write(
        &self,
        report: &ProblemReport,
        boards: &dyn Boards,
        board: &str,
        json: bool,
    ) -> Outcome {
        let Files { dot, svg, board: picture, page } = self;
        let dot = dot.as_ref().map_or(Ok(()), |file| file.write(&problem_dot(report)));
        let svg = svg.as_ref().map_or(Ok(()), |file| file.write(&problem_svg(report)));
        let picture = picture.as_ref().map_or(Ok(()), |file| file.write(board));
        let html = page.write(|| report.doc(boards).page());
        let printed = if json {
            print_report(report)
        } else if page.is_printed() {
            Ok(())
        } else {
            print(&report.doc(boards).text(terminal()))
        };
        dot.and(svg).and(picture)?;
        html.and(printed)
    }
}
