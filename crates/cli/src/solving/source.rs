//! Solved games: read from a file, or solved on the spot.

use std::path::{Path, PathBuf};

use treegauge::catalog::GameSpec;
use treegauge::solve::file::{FileError, Header};
use treegauge::solve::{Erased, Rules, Solution, Solved, SolvedFile, solve};
use treegauge::{Error, Game};
use treegauge_core::{Game as _, KeyCode};

use super::arguments::SolveArgs;
use super::progress::Bar;
use super::refused::refused;
use crate::exit::{Exit, Failure, OrExit, Outcome};

/// A game to be solved, or the file of one that was.
#[derive(Debug)]
pub(crate) struct Source {
    game: Game,
    file: Option<PathBuf>,
    text: String,
}

impl Source {
    /// Reads the argument `GAME|FILE`. What can be read as a game is one; a file of such a name
    /// is written `./name`.
    pub(crate) fn parse(text: &str) -> Outcome<Source> {
        let error = match GameSpec::parse(text) {
            Ok(spec) => {
                return Ok(Source { game: Game::of(&spec)?, file: None, text: text.to_owned() });
            }
            Err(error) => error,
        };
        let path = Path::new(text);
        if !path.exists() && !text.contains(['/', '\\', '.']) {
            return Err(Failure::new(Exit::Usage, format!("{error}; nor is there such a file")));
        }
        let game = game_of_file(path)?;
        Ok(Source { game, file: Some(path.to_owned()), text: text.to_owned() })
    }

    /// The game.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// The file, unless the game itself was named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The argument, as a POSIX shell takes it.
    pub(crate) fn quoted(&self) -> String {
        crate::resume::quoted(self.text.as_ref())
    }

    /// The solution: loaded, or else made on the current rayon pool, with a bar on the terminal.
    /// Ctrl-C meanwhile is the end of the command.
    pub(crate) fn solution<K: KeyCode>(
        &self,
        rules: &Rules<Erased<K>>,
        arguments: &SolveArgs,
    ) -> Outcome<Solution<Erased<K>>> {
        if let Some(path) = &self.file {
            let file = open_file(path, rules.clone(), &self.game)?;
            return file.file().load().map_err(|error| bad_file(path, &error));
        }
        let watch = Bar::new();
        let start = rules.game().start();
        let solved = solve(rules, &start, arguments.options(), &watch);
        watch.finish();
        match solved.map_err(|error| refused(&error, arguments.could_reduce(rules, &start)))? {
            Solved::Done(solution) => Ok(*solution),
            Solved::Stopped(_) => Err(Failure::interrupted(format!(
                "interrupted, and nothing is kept; `treegauge solve {} -o FILE` keeps what is done",
                self.quoted(),
            ))),
        }
    }
}

/// The game of a file.
pub(crate) fn game_of_file(path: &Path) -> Outcome<Game> {
    let header = Header::of_file(path).map_err(|error| bad_file(path, &error))?;
    Game::parse(&header.spec).map_err(|error| format!("{}: {error}", path.display())).or_data()
}

/// Opens the file of a solved game.
pub(crate) fn open_file<K: KeyCode>(
    path: &Path,
    rules: Rules<Erased<K>>,
    game: &Game,
) -> Outcome<SolvedFile<K>> {
    Ok(SolvedFile::open(path, rules, &game.info().canonical_name).map_err(Error::from)?)
}

/// A solution file that cannot be used.
pub(crate) fn bad_file(path: &Path, error: &FileError) -> Failure {
    Failure::new(Exit::Data, format!("cannot read {}: {error}", path.display()))
}
