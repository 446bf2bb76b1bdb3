//! Solved games as inputs of tasks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use treegauge_catalog::{GameSpec, StateSpace};
use treegauge_core::{Capability, Phase, Progress, Watch};
use treegauge_engine::Line;
use treegauge_report::{large_words, refused_words};
use treegauge_solve::{
    Children, Draws, Form, InterestOptions, LoseChildren, Options, SolveError, Ties,
};

use super::{Context, Done, quoted};
use crate::solved::{open_solution_with, solved_game_with};
use crate::{
    Error, ErrorKind, Game, Solution, Solved, may_name_solution, mirrored, solve, symmetry_saves,
};

/// Options of solving.
#[derive(Debug, Args)]
pub(super) struct SolveArgs {
    /// Store one position per symmetry class, which takes less memory
    #[arg(long)]
    symmetry: bool,
}

impl SolveArgs {
    /// The options of a solve; `--symmetry` has no effect on a game without symmetries.
    pub(super) fn options(&self, game: &Game, context: &Context<'_>) -> Options {
        let symmetry = self.symmetry && has_symmetries(game);
        Options { symmetry, memory_bytes_max: context.memory_bytes_max, ..Options::default() }
    }

    /// Notes that a game is known to be far too large, and that `--symmetry` has no effect on a game
    /// without symmetries.
    pub(super) fn announce(&self, game: &Game, context: &Context<'_>) {
        if self.symmetry && !has_symmetries(game) {
            let name = game.name();
            context
                .watch
                .note(&format!("{name} has no symmetries; it is solved without --symmetry"));
        }
        if let Some(words) = too_large_words(game) {
            context.watch.note(&format!("{words}; this run ends when its memory is full"));
        }
    }

    /// The error of a refused solve, with a remedy if memory did not suffice.
    pub(super) fn refused(&self, error: Error, game: &Game, start: &Line) -> Error {
        let Some(why) = error.get::<SolveError>() else { return error };
        let mut text = format!("cannot solve this: {}", refused_words(why));
        if let SolveError::Memory { .. } = why {
            text.push_str(if !self.symmetry && symmetry_saves(game, start) {
                "; --memory-max allows more, --symmetry needs less, and so does a smaller size of the game"
            } else {
                "; --memory-max allows more, and a smaller size of the game needs less"
            });
            if let Some(smaller) = game.smaller() {
                text.push_str(&format!(", such as '{smaller}'"));
            }
        }
        Error::new(ErrorKind::Usage, text)
    }
}

/// Sentence about a game that is known to be far too large to be solved; `None` for other games.
fn too_large_words(game: &Game) -> Option<String> {
    let StateSpace { positions, source, smaller, .. } = game.info().spec.state_space()?;
    let name = game.name();
    let smaller =
        smaller.map_or(String::new(), |smaller| format!("; '{smaller}' is solved in seconds"));
    Some(format!(
        "{name} has {positions} ({source}), far too many to solve on one machine{smaller}"
    ))
}

fn has_symmetries(game: &Game) -> bool {
    game.info().capabilities.contains(&Capability::Symmetric)
}

/// A game to solve, or the file of a solved game.
#[derive(Debug)]
pub(super) struct Source {
    game: Game,
    file: Option<PathBuf>,
    text: String,
}

impl Source {
    /// Reads the argument `GAME|FILE`. A text that can be read as a game is a game; a file with such a name is written
    /// as `./name`.
    pub(super) fn parse(
        text: &str,
        how: &SolveArgs,
        context: &Context<'_>,
    ) -> Result<Source, Error> {
        let source = Source::read(text, context)?;
        match &source.file {
            Some(path) if how.symmetry => {
                let path = path.display();
                let message = format!(
                    "the argument '--symmetry' cannot be used with a FILE: the game in {path} is solved already"
                );
                Err(Error::new(ErrorKind::Usage, message))
            }
            _ => Ok(source),
        }
    }

    fn read(text: &str, context: &Context<'_>) -> Result<Source, Error> {
        let open = &mut |file: &str| context.files.rules(file);
        let error = match GameSpec::parse_with(text, open) {
            Ok(spec) => {
                return Ok(Source { game: Game::of(&spec)?, file: None, text: text.to_owned() });
            }
            Err(error) => error,
        };
        if GameSpec::parse(text).is_ok() {
            // A file with mistakes describes it.
            return Err(error.into());
        }
        if !may_name_solution(text) {
            let message = format!("{error}; nor is there such a file");
            return Err(Error::new(ErrorKind::Usage, message));
        }
        let path = context.path(Path::new(text))?;
        let game = solved_game_with(&path, &|name| context.game_of_file(name))?;
        Ok(Source { game, file: Some(path), text: text.to_owned() })
    }

    /// The file that a text names, if it exists.
    pub(super) fn file_of(text: &str) -> Vec<PathBuf> {
        let path = Path::new(text);
        path.is_file().then(|| path.to_owned()).into_iter().collect()
    }

    /// The game.
    pub(super) fn game(&self) -> &Game {
        &self.game
    }

    /// The file; `None` if the game itself was named.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// A result whose next command names the file of the source, if it has one, in place of the game.
    pub(super) fn named(&self, done: Done) -> Done {
        match &self.file {
            Some(_) => done.naming(&quoted(self.game.name().as_ref()), Path::new(&self.text)),
            None => done,
        }
    }

    /// The argument, quoted for a POSIX shell.
    pub(super) fn quoted(&self) -> String {
        quoted(self.text.as_ref())
    }

    /// The solution: loaded from the file, or computed on the current rayon pool.
    pub(super) fn solution(
        &self,
        how: &SolveArgs,
        context: &Context<'_>,
    ) -> Result<Solution, Error> {
        if let Some(path) = &self.file {
            let read = &|name: &str| context.game_of_file(name);
            return open_solution_with(path, read)?.load(context.memory_bytes_max, context.watch);
        }
        if let Some(words) = too_large_words(&self.game) {
            // Nothing of a solve is kept here, so a run that cannot end would be lost.
            return Err(Error::new(ErrorKind::Usage, words));
        }
        let start = self.game.start();
        how.announce(&self.game, context);
        let options = how.options(&self.game, context);
        let watch = Early { watch: context.watch, source: self, is_said: AtomicBool::new(false) };
        let solved = solve(&self.game, &start, options, &watch);
        match solved.map_err(|error| how.refused(error, &self.game, &start))? {
            Solved::Done(solution) => Ok(solution),
            Solved::Stopped(_) => Err(Error::interrupted(&format!(
                "nothing is kept; `treegauge solve {} -o FILE` keeps what is done",
                self.quoted()
            ))),
        }
    }
}

/// Number of found positions at which a solve is called large.
const MANY_POSITIONS: u64 = 5_000_000;

/// A watch that says once that a game is large, since the result of its solve is not kept.
struct Early<'a> {
    watch: &'a dyn Watch,
    source: &'a Source,
    is_said: AtomicBool,
}

impl Watch for Early<'_> {
    fn progress(&self, progress: Progress) {
        let is_large = progress.phase == Phase::Discover && progress.known >= MANY_POSITIONS;
        if is_large && !self.is_said.swap(true, Ordering::Relaxed) {
            let solve = format!("`treegauge solve {} -o FILE`", self.source.quoted());
            let smaller = self.source.game.smaller();
            let smaller = smaller.map_or(String::new(), |game| {
                format!("; a smaller board, as '{game}', has fewer positions")
            });
            self.watch.note(&format!(
                "{} has {} and may be too large to solve; {solve} keeps the work{smaller}",
                self.source.game.name(),
                large_words(&progress),
            ));
        }
        self.watch.progress(progress);
    }

    fn note(&self, text: &str) {
        self.watch.note(text);
    }

    fn stop(&self) -> bool {
        self.watch.stop()
    }
}

/// Choices that the definition of interestingness leaves open.
#[derive(Clone, Debug, Args)]
pub(super) struct ChoicesArgs {
    /// Immediate term of a win: at least 1%, as in the published program (`clamped`); as in the paper (`literal`); or at least 1%, with the weight 1 / (1 + moves left) for each move, as people look at forcing moves first (`forcing`)
    #[arg(long, value_name = "FORM", value_enum, default_value = "clamped", help_heading = CHOICES)]
    form: FormArg,

    /// Winning moves over which a win averages
    #[arg(long, value_name = "WHICH", value_enum, default_value = "all", help_heading = CHOICES)]
    lose_children: LoseChildrenArg,

    /// Unit of counting: moves, or distinct successor positions (moves to the same position count once)
    #[arg(long, value_name = "WHAT", value_enum, default_value = "moves", help_heading = CHOICES)]
    children: ChildrenArg,

    /// Moves from a won position into endless play: count them as ties (`tie`), or skip them (`skip`)
    #[arg(long, value_name = "HOW", value_enum, default_value = "tie", help_heading = CHOICES)]
    draws: DrawsArg,

    /// Moves from a won position to a tie that count: all, or only those that end later than after one ply (`late`)
    #[arg(long, value_name = "WHICH", value_enum, default_value = "all", help_heading = CHOICES)]
    ties: TiesArg,
}

/// The heading of the choices in the help.
const CHOICES: &str = "Definition of interestingness";

mirrored! {
    /// [`Form`] on the command line.
    FormArg of Form { Clamped, Literal, Forcing }
    /// [`LoseChildren`] on the command line.
    LoseChildrenArg of LoseChildren { All, Fastest }
    /// [`Children`] on the command line.
    ChildrenArg of Children { Moves, Positions }
    /// [`Draws`] on the command line.
    DrawsArg of Draws { Tie, Skip }
    /// [`Ties`] on the command line.
    TiesArg of Ties { All, Late }
}

impl ChoicesArgs {
    pub(super) fn options(&self) -> InterestOptions {
        InterestOptions {
            form: self.form.into(),
            lose_children: self.lose_children.into(),
            children: self.children.into(),
            draws: self.draws.into(),
            ties: self.ties.into(),
        }
    }
}
