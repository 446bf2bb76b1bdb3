//! Solved games: read from a file, or solved on the spot.

use std::path::{Path, PathBuf};

use treegauge::catalog::GameSpec;
use treegauge::{Game, Solution, Solved, open_solution, solve, solved_game_of};

use super::arguments::SolveArgs;
use super::progress::Bar;
use super::refused::too_large;
use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_read;

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
            Ok(_) => {
                return Ok(Source { game: Game::parse(text)?, file: None, text: text.to_owned() });
            }
            Err(error) => error,
        };
        let path = Path::new(text);
        if !path.exists() && !text.contains(['/', '\\', '.']) {
            return Err(Failure::new(Exit::Usage, format!("{error}; nor is there such a file")));
        }
        to_read(path)?;
        let game = solved_game_of(path)?;
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
    pub(crate) fn solution(&self, arguments: &SolveArgs) -> Outcome<Solution> {
        let watch = Bar::new();
        if let Some(path) = &self.file {
            let loaded = open_solution(path)?.load(arguments.memory_bytes_max(), &watch);
            watch.finish();
            return loaded.map_err(too_large);
        }
        let start = self.game.start();
        arguments.announce(&self.game);
        let solved = solve(&self.game, &start, arguments.options(&self.game), &watch);
        watch.finish();
        match solved.map_err(|error| arguments.refused(error, &self.game, &start))? {
            Solved::Done(solution) => Ok(solution),
            Solved::Stopped(_) => Err(Failure::interrupted(format!(
                "interrupted, and nothing is kept; `treegauge solve {} -o FILE` keeps what is done",
                self.quoted(),
            ))),
        }
    }
}
