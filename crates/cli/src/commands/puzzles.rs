//! `treegauge puzzles`.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use treegauge::Watch;
use treegauge::engine::SolutionGame;
use treegauge::report::{no_puzzles_words, puzzle_task, puzzles_sheet, puzzles_text};
use treegauge::solve::report::FoundPuzzles;
use treegauge::solve::{
    Erased, Puzzle, PuzzleOptions, Puzzles, Rules, RulesVisitor, interest, puzzles,
};
use treegauge_core::{Game, KeyCode, Notation, Player};

use super::play;
use crate::exit::{Failure, OrExit, Outcome};
use crate::interrupt;
use crate::output::{check_file, print, print_report, write_file};
use crate::solving::{Bar, ChoicesArgs, SolveArgs, Source};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Only mate-in-N puzzles (winner's moves, not plies)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    mate_in: Option<u32>,

    /// Maximum number of puzzles per remoteness
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    top: u32,

    /// Only puzzles in which only one move wins at every turn of the winner, whatever the defence
    #[arg(long)]
    unique: bool,

    /// Print JSON
    #[arg(long, conflicts_with = "play")]
    json: bool,

    /// Write a sheet to print, the solutions on pages of their own
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Play a puzzle against perfect play: the first, or the N-th of those that are found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    play: Option<Option<u32>>,

    #[command(flatten)]
    choices: ChoicesArgs,

    #[command(flatten)]
    solve: SolveArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let source = Source::parse(&arguments.source)?;
    arguments.solve.fit(&source)?;
    if let Some(path) = &arguments.html {
        check_file(path)?;
    }
    let pool = arguments.solve.pool()?;
    let visitor = Find { arguments, source: &source };
    pool.install(|| source.game().rules().visit(visitor))
}

struct Find<'a> {
    arguments: &'a Arguments,
    source: &'a Source,
}

impl RulesVisitor for Find<'_> {
    type Output = Outcome;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome {
        let arguments = self.arguments;
        let solution = self.source.solution(&rules, &arguments.solve)?;
        let watch = Bar::new();
        let interesting = interest(&solution, arguments.choices.options(), &watch);
        let asked = PuzzleOptions {
            mate_in: arguments.mate_in,
            top: arguments.top as usize,
            unique: arguments.unique,
        };
        let found = interesting.map(|interesting| {
            let of = |index| interesting.of(index);
            let found = puzzles(&solution, of, asked, || watch.stop());
            (interesting, found)
        });
        watch.finish();
        let Some((interesting, found)) = found.filter(|(_, found)| !found.stopped) else {
            return Err(Failure::interrupted("interrupted before the puzzles were found"));
        };
        let game = self.source.game().name();
        let all = FoundPuzzles::new(game.clone(), &solution, &interesting, asked, &found);
        let report = || all.report(interrupt::requested).ok_or_else(interrupted);
        if let Some(path) = &arguments.html {
            write_file(path, &puzzles_sheet(&report()?))?;
        }
        if let Some(number) = arguments.play {
            let number = number.unwrap_or(1);
            let puzzle = chosen(&game, &found, asked, number).or_data()?;
            let turn = rules.game().turn(&puzzle.state);
            print(&to_play(&found, number, turn, puzzle))?;
            let position = rules.game().position_text(&puzzle.state);
            drop(all);
            let solved = SolutionGame::new(self.source.game().engine().clone(), solution);
            return play::against(self.source.game(), &position, Arc::new(solved));
        }
        if arguments.json {
            // A report that was stopped halfway is not printed.
            let printed = print_report(&all.streamed(&interrupt::requested));
            return printed
                .map_err(|error| if interrupt::requested() { interrupted() } else { error });
        }
        print(&puzzles_text(&report()?))
    }
}

/// The end after Ctrl-C: solutions may be long.
fn interrupted() -> Failure {
    Failure::interrupted("interrupted before all solutions were written")
}

/// The puzzle of a number, counted from 1.
fn chosen<'a, G: Game>(
    game: &str,
    found: &'a Puzzles<G>,
    asked: PuzzleOptions,
    number: u32,
) -> Result<&'a Puzzle<G>, String> {
    let all = &found.puzzles;
    let there = || match all.len() {
        0 => no_puzzles_words(game, asked.mate_in, asked.unique, &found.counts),
        1 => format!("there is 1 puzzle, and no puzzle {number}"),
        count => format!("there are {count} puzzles, and no puzzle {number}"),
    };
    all.get(number as usize - 1).ok_or_else(there)
}

/// What is said before a puzzle is played.
fn to_play<G: Game>(found: &Puzzles<G>, number: u32, turn: Player, puzzle: &Puzzle<G>) -> String {
    let another = match found.puzzles.len() {
        1 => "the only one; --top K and --mate-in N find others".to_owned(),
        count => format!("of {count}; --play N plays another, --mate-in N finds longer ones"),
    };
    let task = puzzle_task(turn, puzzle.mate_in, puzzle.remoteness);
    format!("Puzzle {number} ({another}). {task}\n\n")
}
