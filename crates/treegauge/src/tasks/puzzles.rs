//! Puzzles of a solved game.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use treegauge_core::Watch;
use treegauge_engine::{Line, SolvedGame, StartingPoint};
use treegauge_grammar::count;
use treegauge_report::{
    Block, Boards, Doc, Document, Figure, PRACTICE_PROBLEMS_MAX, SavedKind, no_puzzles_words,
    puzzle_task, puzzles_doc, puzzles_sheet,
};
use treegauge_search::Budget;
use treegauge_solve::report::PuzzlesReport;
use treegauge_solve::{ForcedOptions, Form, MateIn, PuzzleOptions, PuzzleTask as Puzzle};

use super::solving::{ChoicesArgs, SolveArgs, Source};
use super::{
    Context, DEFAULT_SEED, Done, Duel, FileOption, GivenOptions, Group, Means, Report, Task,
    TaskFile,
};
use crate::{
    Error, ErrorKind, FileKind, FromPlayOptions, Game, PracticePuzzle, PuzzleSet, WonPosition,
    forced_wins_from_play, practice_file,
};

/// Find puzzles in a game: its most interesting wins, solved
#[derive(Debug, Args)]
pub struct PuzzlesTask {
    #[command(flatten)]
    given: GivenOptions,

    /// Game, as `games` lists it, or a file that `solve` wrote
    #[arg(value_name = "GAME|FILE")]
    source: String,

    /// Only wins in N moves of the winner; N..M takes a range, and 1.. has wins in one move too
    /// [default: 2.., or 1 if the game has no longer wins]
    #[arg(long, value_name = "N|N..[M]", value_parser = parse_mate_in)]
    mate_in: Option<MateIn>,

    /// Puzzles per remoteness (plies to the win), at most
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = count::<u32>(1..))]
    top: u32,

    /// Puzzles in all, at most, spread over the lengths of the wins
    #[arg(long, value_name = "N", conflicts_with = "top", value_parser = count::<u32>(1..))]
    count: Option<u32>,

    /// Only puzzles with one winning move at every turn, whatever the defence
    #[arg(long)]
    unique: bool,

    /// Leave out the solutions, in the text and on the page
    #[arg(long, conflicts_with = "play")]
    no_solutions: bool,

    /// Play the first puzzle, or puzzle N, against perfect play
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..))]
    play: Option<Option<u32>>,

    #[command(flatten)]
    from_play: FromPlayArgs,

    #[command(flatten)]
    choices: ChoicesArgs,

    #[command(flatten)]
    how: SolveArgs,
}

/// Options for puzzles of games that are too large to solve.
#[derive(Debug, Args)]
#[command(next_help_heading = "Games too large to solve")]
struct FromPlayArgs {
    /// Look for proven wins in games of the search against itself, without solving the game
    #[arg(long)]
    from_play: bool,

    /// With --from-play, number of games
    #[arg(long, value_name = "N", default_value_t = FromPlayOptions::default().games, value_parser = count::<u32>(1..=FromPlayOptions::GAMES_MAX.into()), requires = "from_play")]
    games: u32,

    /// With --from-play, iterations of the search for each move
    #[arg(long, value_name = "N", default_value_t = FromPlayOptions::default().iterations, value_parser = count::<u32>(1..=u64::from(Budget::ITERATIONS_MAX)), requires = "from_play")]
    iterations: u32,

    /// With --from-play, most plies of a win; the last 2 N plies of each game are tried
    #[arg(long, value_name = "N", default_value_t = ForcedOptions::default().plies_max, value_parser = count::<u16>(1..=ForcedOptions::PLIES_MAX.into()), requires = "from_play")]
    plies: u16,

    /// With --from-play, most positions to search for the proofs of one win
    #[arg(long, value_name = "N", default_value_t = ForcedOptions::default().nodes_max, value_parser = count::<u64>(1..), requires = "from_play")]
    nodes: u64,

    /// With --from-play, random seed of the games
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..), requires = "from_play")]
    seed: u64,
}

impl FromPlayArgs {
    /// The options, if --from-play was given.
    fn options(&self) -> Option<FromPlayOptions> {
        let FromPlayArgs { games, iterations, plies, nodes, seed, .. } = *self;
        let forced = ForcedOptions { plies_max: plies, nodes_max: nodes };
        self.from_play.then_some(FromPlayOptions { games, iterations, seed, forced })
    }
}

/// The option for the file of the puzzles to solve.
const PRACTICE: &str = "practice";

/// The option for the file of the solution.
const SOLUTION: &str = "solution";

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

impl Task for PuzzlesTask {
    const NAME: &'static str = "puzzles";
    const GROUP: Group = Group::Solve;
    const EXAMPLES: &'static [&'static str] = &[
        "puzzles achi --mate-in 2.. --count 10 --no-solutions",
        "puzzles achi.tgs --top 3 --mate-in 2..4 --html sheet.html",
        "puzzles breakthrough --from-play --count 10 --html sheet.html",
    ];
    const COMMON: &'static [&'static str] = &["mate_in", "count", "html"];
    const MEANS: Means = Means {
        threads: true,
        memory: true,
        files: &[
            FileOption::file(
                PRACTICE,
                FileKind::Page,
                "Write the first 50 puzzles to FILE, one HTML file in which they are solved without a server",
            ),
            FileOption::file(
                SOLUTION,
                FileKind::Solution,
                "Write the solution of the game to FILE, for `probe`, `play --perfect` and others",
            ),
        ],
        ..Means::NONE
    };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<PuzzlesReport>()];
    const HAS_PICTURE: bool = true;

    fn solves(&self) -> bool {
        !self.from_play.from_play
    }

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(Source::file_of(&self.source))
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if self.no_solutions {
            self.given.refuse(&["json"], "--no-solutions")?;
        }
        if self.play.is_some() {
            self.given.refuse(&["json"], "--play")?;
        }
        let source = Source::parse(&self.source, &self.how, context)?;
        match self.from_play.options() {
            Some(options) => self.find_in_play(&source, options, context),
            None => self.find_in_solution(&source, context),
        }
    }
}

impl PuzzlesTask {
    fn find_in_solution(&self, source: &Source, context: &Context<'_>) -> Result<Done, Error> {
        let solution = source.solution(&self.how, context);
        let solution = solution.map_err(|error| match error.kind() {
            ErrorKind::Usage if !source.game().info().spec.is_external() => {
                let remedy = "--from-play finds quick wins without a solution";
                Error::new(ErrorKind::Usage, format!("{error}; {remedy}"))
            }
            _ => error,
        })?;
        let written = context.wanted(SOLUTION).map_or(Ok(()), |path| {
            let Context { memory_bytes_max, watch, .. } = *context;
            solution.write_within(path, memory_bytes_max, watch).map(drop)
        });
        // The puzzles are reported although the file is lost.
        let problem = match written {
            Err(error) if error.kind() == ErrorKind::Interrupted => return Err(error),
            written => written.err(),
        };
        let choices = self.choices.options();
        let rated = solution.rate(choices, context.memory_bytes_max, context.watch)?;
        let (set, asked) = self.pick(|asked| rated.puzzles(asked, context.watch))?;
        let done = self.done(source, set, asked, &|_| Some(solution.as_solved_game()), context)?;
        Ok(Done { problem, ..done })
    }

    fn find_in_play(
        &self,
        source: &Source,
        options: FromPlayOptions,
        context: &Context<'_>,
    ) -> Result<Done, Error> {
        // The proofs know neither what comes after slower wins or other moves nor every position of a
        // game.
        let choices = ["lose_children", "ties", "play", "symmetry"];
        self.given.refuse(&choices, "--from-play")?;
        if self.choices.options().form == Form::Forcing {
            let message = "`--form forcing` cannot be used with '--from-play': the proofs do not have the moves that a wrong move leaves";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if context.wants(SOLUTION) {
            let message = "the argument '--solution' cannot be used with '--from-play'";
            return Err(Error::new(ErrorKind::Usage, message));
        }
        if let Some(file) = source.file() {
            let file = file.display();
            let message = format!("the game in {file} is solved; its puzzles need no --from-play");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let Context { memory_bytes_max, watch, .. } = *context;
        let found = forced_wins_from_play(source.game(), options, memory_bytes_max, watch)?;
        let (set, asked) = self
            .pick(|asked| found.puzzles(self.choices.options(), asked, memory_bytes_max, watch))?;
        self.done(source, set, asked, &|start| found.solved_game(start), context)
    }

    /// Picks puzzles by the options, which are also returned. By default a win in one move is a
    /// puzzle only if the game has no longer wins.
    fn pick(
        &self,
        puzzles: impl Fn(PuzzleOptions) -> Result<PuzzleSet, Error>,
    ) -> Result<(PuzzleSet, PuzzleOptions), Error> {
        let count = self.count.map(|count| count as usize);
        let top = count.unwrap_or(self.top as usize);
        let any = PuzzleOptions { mate_in: self.mate_in, top, count, unique: self.unique };
        let longer = MateIn { least: 2, greatest: MateIn::MOST };
        let asked = PuzzleOptions { mate_in: any.mate_in.or(Some(longer)), ..any };
        let set = puzzles(asked)?;
        match self.mate_in {
            None if set.is_empty() => Ok((puzzles(any)?, any)),
            _ => Ok((set, asked)),
        }
    }

    /// The result of some puzzles. `solved` knows the moves of a puzzle, which begins at a position.
    fn done(
        &self,
        source: &Source,
        set: PuzzleSet,
        asked: PuzzleOptions,
        solved: &SolvedAt<'_>,
        context: &Context<'_>,
    ) -> Result<Done, Error> {
        let report = set.report(context.watch)?;
        let game = source.game().clone();
        let practice = match context.wants(PRACTICE) && !report.puzzles.is_empty() {
            true => Some(practice(&game, &report, solved, context.watch)?),
            false => None,
        };
        let (text, duel) = match self.play {
            None => (puzzles_doc(&report, !self.no_solutions), None),
            Some(number) => {
                let number = number.unwrap_or(1);
                let puzzle = chosen(&game.name(), &set, asked, number)
                    .map_err(|message| Error::new(ErrorKind::Usage, message))?;
                let mut doc = Doc::default();
                doc.push(Block::Preformatted(to_play(&set, number, &puzzle)));
                let solved = solved(&beginning(&game, &puzzle.position)?).ok_or_else(unsolved)?;
                let position = puzzle.position;
                (doc, Some(Duel { game: game.clone(), position, solved }))
            }
        };
        let files = practice.map(|page| TaskFile::new(PRACTICE, page)).into_iter().collect();
        // A game against perfect play needs the memory.
        let set = self.play.is_none().then_some(set);
        let answer = Answer { set, report, has_solutions: !self.no_solutions };
        let done = Done { game: Some(game), files, ..Done::answered(Box::new(answer)) };
        Ok(source.named(Done { text: Some(text), duel, ..done }))
    }
}

/// The report of the puzzles. Its JSON has more than its text.
#[derive(Debug)]
struct Answer {
    set: Option<PuzzleSet>,
    report: PuzzlesReport,
    has_solutions: bool,
}

impl Document for Answer {
    fn game(&self) -> Option<&str> {
        self.report.game()
    }

    fn doc(&self, boards: &dyn Boards) -> Doc {
        self.report.doc(boards)
    }

    fn picture(&self, boards: &dyn Boards) -> Option<Figure> {
        self.report.picture(boards)
    }

    fn sheet(&self, boards: &dyn Boards) -> Option<String> {
        Some(puzzles_sheet(&self.report, boards, self.has_solutions))
    }
}

impl Report for Answer {
    fn kind(&self) -> &'static str {
        self.report.kind()
    }

    fn json(&self, watch: &dyn Watch) -> Result<String, Error> {
        match &self.set {
            Some(set) => set.to_json(watch),
            None => self.report.json(watch),
        }
    }
}

/// Reason why a puzzle of a sheet may have another number.
const NUMBERED: &str =
    "puzzles have the numbers of a sheet if --mate-in, --top and --count are those of the sheet";

/// The solution that knows the moves of the puzzle that begins at a position.
type SolvedAt<'a> = dyn Fn(&Line) -> Option<Arc<dyn SolvedGame>> + 'a;

fn beginning(game: &Game, position: &str) -> Result<Line, Error> {
    let from = StartingPoint { position: Some(position.to_owned()), moves: Vec::new() };
    game.begin(&from)
}

fn unsolved() -> Error {
    Error::new(ErrorKind::Data, "the puzzle has no solution")
}

/// The practice file of the first puzzles of a report.
fn practice(
    game: &Game,
    report: &PuzzlesReport,
    solved: &SolvedAt<'_>,
    watch: &dyn Watch,
) -> Result<String, Error> {
    let first = report.puzzles.iter().take(PRACTICE_PROBLEMS_MAX);
    let puzzles = first.map(|puzzle| {
        let start = beginning(game, &puzzle.position)?;
        let solved = solved(&start).ok_or_else(unsolved)?;
        Ok(PracticePuzzle {
            title: format!("Puzzle {}", puzzle.number),
            task: puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness),
            won: WonPosition::new(solved, start)?,
        })
    });
    let puzzles = puzzles.collect::<Result<Vec<_>, Error>>()?;
    practice_file(game, &puzzles, watch)
}

/// The puzzle of a number, counted from 1.
fn chosen(
    game: &str,
    found: &PuzzleSet,
    asked: PuzzleOptions,
    number: u32,
) -> Result<Puzzle, String> {
    let there = || match found.len() {
        0 => no_puzzles_words(
            game,
            asked.mate_in.map(|asked| (asked.least, asked.greatest)),
            asked.unique,
            found.counts(),
        ),
        1 => format!("there is 1 puzzle, and no puzzle {number}; {NUMBERED}"),
        count => format!("there are {count} puzzles, and no puzzle {number}; {NUMBERED}"),
    };
    found.task(number as usize - 1).ok_or_else(there)
}

/// The words that introduce a puzzle to play.
fn to_play(found: &PuzzleSet, number: u32, puzzle: &Puzzle) -> String {
    let another = match found.len() {
        1 => "of 1; --top N and --count N find more".to_owned(),
        count => format!("of {count}; --play N plays another, --mate-in N finds longer ones"),
    };
    let task = puzzle_task(puzzle.turn, puzzle.mate_in, puzzle.remoteness);
    format!("Puzzle {number} ({another}). {task}\n\n")
}
