//! `treegauge puzzles`.

use clap::Args;
use treegauge::report::{no_puzzles_words, puzzle_task, puzzles_sheet, puzzles_text};
use treegauge::solve::{MateIn, PuzzleOptions};
use treegauge::{ErrorKind, PuzzleSet, PuzzleTask};

use super::play;
use crate::exit::{Exit, Failure, Outcome};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_report_text};
use crate::solving::{Bar, ChoicesArgs, SolveArgs, Source, too_large};
use crate::terminal::hint;
use crate::web_page::{Page, PageArgs};
use treegauge::grammar::count;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Only mate-in-N puzzles (winner's moves, not plies); N..M is all from N to M, and 2.. leaves
    /// out those of one move
    #[arg(long, value_name = "N|N..[M]", value_parser = parse_mate_in)]
    mate_in: Option<MateIn>,

    /// Maximum number of puzzles per remoteness
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = count::<u32>(1..))]
    top: u32,

    /// Only puzzles in which, whatever the defence, the winner never has a second winning move
    #[arg(long)]
    unique: bool,

    /// Leave out the solutions, also on the sheet
    #[arg(long, conflicts_with_all = ["json", "play"])]
    no_solutions: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "play")]
    json: bool,

    #[command(flatten)]
    page: PageArgs,

    /// Play a puzzle against perfect play: the first, or number N of those found
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    play: Option<Option<u32>>,

    #[command(flatten)]
    choices: ChoicesArgs,

    #[command(flatten)]
    solve: SolveArgs,
}

fn parse_mate_in(text: &str) -> Result<MateIn, String> {
    let numbers = count::<u32>(1..);
    let both = match text.split_once("..") {
        None => numbers(text).map(|only| (only, only)),
        Some((least, "")) => numbers(least).map(|least| (least, MateIn::MOST)),
        Some((least, greatest)) => numbers(least).and_then(|n| Ok((n, numbers(greatest)?))),
    };
    both.ok()
        .filter(|(least, greatest)| least <= greatest)
        .map(|(least, greatest)| MateIn { least, greatest })
        .ok_or_else(|| "expected a number of moves such as 3, or 2..4, or 2..".to_owned())
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
    arguments.solve.fit(&source)?;
    let page = arguments.page.page(arguments.json || arguments.play.is_some())?;
    // Reading a large file takes a while, too.
    interrupt::flag();
    let pool = arguments.solve.pool()?;
    pool.install(|| find(arguments, &source, &page))
}

fn find(arguments: &Arguments, source: &Source, page: &Page) -> Outcome {
    let solution = source.solution(&arguments.solve)?;
    let asked = PuzzleOptions {
        mate_in: arguments.mate_in,
        top: arguments.top as usize,
        unique: arguments.unique,
    };
    let watch = Bar::new();
    let memory_bytes_max = arguments.solve.memory_bytes_max();
    let rated = solution.rate(arguments.choices.options(), memory_bytes_max, &watch);
    let found = rated.and_then(|rated| rated.puzzles(asked, &watch));
    watch.finish();
    let found = found.map_err(|error| match error.kind() {
        ErrorKind::Interrupted => Failure::interrupted("interrupted before the puzzles were found"),
        _ => too_large(error),
    })?;
    let solutions = !arguments.no_solutions;
    let written = if page.is_asked() {
        let report = found.report(&Stop)?;
        page.write(|| puzzles_sheet(&report, source.game(), solutions))
    } else {
        Ok(())
    };
    if page.is_printed() {
        return written;
    }
    let game = source.game();
    if let Some(number) = arguments.play {
        let number = number.unwrap_or(1);
        let task = chosen(&game.name(), &found, asked, number)
            .map_err(|message| Failure::new(Exit::Usage, message))?;
        written?;
        print(&to_play(&found, number, &task))?;
        drop(found);
        return play::against(game, &task.position, solution.as_solved_game());
    }
    if arguments.json {
        // A report that was stopped halfway is not printed.
        let printed = print_report_text(found.to_json(&Stop)?);
        return written.and(printed);
    }
    let printed = print(&puzzles_text(&found.report(&Stop)?, solutions));
    written.and(printed)?;
    if !found.is_empty() {
        hint("`--play N` plays puzzle N against perfect play");
    }
    Ok(())
}

/// The puzzle of a number, counted from 1.
fn chosen(
    game: &str,
    found: &PuzzleSet,
    asked: PuzzleOptions,
    number: u32,
) -> Result<PuzzleTask, String> {
    let there = || match found.len() {
        0 => no_puzzles_words(
            game,
            asked.mate_in.map(|asked| (asked.least, asked.greatest)),
            asked.unique,
            found.counts(),
        ),
        1 => format!("there is 1 puzzle, and no puzzle {number}"),
        count => format!("there are {count} puzzles, and no puzzle {number}"),
    };
    found.task(number as usize - 1).ok_or_else(there)
}

/// What is said before a puzzle is played.
fn to_play(found: &PuzzleSet, number: u32, task: &PuzzleTask) -> String {
    let another = match found.len() {
        1 => "the only one; --top K and --mate-in N find others".to_owned(),
        count => format!("of {count}; --play N plays another, --mate-in N finds longer ones"),
    };
    let task = puzzle_task(task.turn, task.mate_in, task.remoteness);
    format!("Puzzle {number} ({another}). {task}\n\n")
}
