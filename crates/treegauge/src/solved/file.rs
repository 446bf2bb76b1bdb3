//! File of a solved game.

use std::path::Path;
use std::sync::Arc;

use treegauge_catalog::{GameSpec, with_path};
use treegauge_core::{Watch, quoted, without_path};
use treegauge_engine::{Line, SolutionGame, SolvedGame, StartingPoint};
use treegauge_solve::AnySolvedFile;
use treegauge_solve::file::{FileError, Header, Landscape, Wanted};
use treegauge_solve::report::{
    InterestAnalysis, InterestPosition, KeptInterestError, LandscapeReport, ProbeReport,
    VerifyReport,
};

use super::Solution;
use crate::game::ReadGame;
use crate::{Error, ErrorKind, Game};

/// An open file of a solved game, which answers queries.
pub struct SolutionFile {
    game: Game,
    file: Arc<dyn AnySolvedFile>,
}

impl std::fmt::Debug for SolutionFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SolutionFile").field(&self.file.path()).finish()
    }
}

/// Opens the file of a solved game. The file names the game.
///
/// # Errors
///
/// If it cannot be read, is damaged, or names a game or rules that are not in the catalog.
pub fn open_solution(path: &Path) -> Result<SolutionFile, Error> {
    open_solution_with(path, &Game::parse)
}

/// A solved game as in [`open_solution`], its game opened by `read`.
///
/// # Errors
///
/// As [`open_solution`], and those of `read`.
pub fn open_solution_with(path: &Path, read: ReadGame<'_>) -> Result<SolutionFile, Error> {
    let game = solved_game_with(path, read)?;
    let file = game.engine().rules().open(path, &game.info().canonical_name)?;
    Ok(SolutionFile { game, file })
}

/// Game of the file of a solved game. Only the header is read.
///
/// # Errors
///
/// If the file cannot be read, or names a game that is not in the catalog.
pub fn solved_game_of(path: &Path) -> Result<Game, Error> {
    solved_game_with(path, &Game::parse)
}

/// The game of a file as in [`solved_game_of`], opened by `read`.
///
/// # Errors
///
/// As [`solved_game_of`], and those of `read`.
pub fn solved_game_with(path: &Path, read: ReadGame<'_>) -> Result<Game, Error> {
    let header = Header::of_file(path).map_err(|error| unreadable(path, &error))?;
    let of_file = |error| format!("{}: {error}", path.display());
    read_beside(&header.spec, path, read)
        .map_err(|error| Error::new(ErrorKind::Data, of_file(error)))
}

/// Opens the game that a file names by its canonical name with the path of its text. A text that is no
/// longer there may lie beside the file.
pub(crate) fn read_beside(name: &str, file: &Path, read: ReadGame<'_>) -> Result<Game, Error> {
    read(name).or_else(|error| {
        let text = GameSpec::parse(name).ok().filter(|spec| spec.digest().is_some());
        let text = text.as_ref().and_then(|spec| Path::new(spec.text_path()?).file_name());
        let beside = text.map(|text| file.with_file_name(text));
        let beside = beside.as_ref().and_then(|beside| beside.to_str()).filter(|beside| {
            // Only a file that is there: the first error says where the text was.
            Path::new(beside).is_file()
        });
        match beside {
            Some(beside) => read(&with_path(&without_path(name), beside)),
            None => Err(error),
        }
    })
}

/// A solved game whose game is open already.
///
/// # Errors
///
/// If the file cannot be read, is damaged, or is of another game.
pub(crate) fn open_solution_of(game: &Game, path: &Path) -> Result<SolutionFile, Error> {
    let file = game.engine().rules().open(path, &game.info().canonical_name)?;
    Ok(SolutionFile { game: game.clone(), file })
}

/// Tests whether a text that names a game or a solution file names a file: it is not written as a
/// game, and it is the path of a file or looks like one.
#[must_use]
pub fn may_name_solution(text: &str) -> bool {
    let looks_so = text.contains(['/', '\\', '.']) && !text.contains('(');
    GameSpec::parse(text).is_err() && (looks_so || Path::new(text).exists())
}

impl SolutionFile {
    /// Game of the file.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Position from which the game was solved.
    ///
    /// # Errors
    ///
    /// If the text of the position in the file has errors.
    pub fn start(&self) -> Result<Line, Error> {
        let position = Some(self.file.start_text());
        self.game.begin(&StartingPoint { position, moves: Vec::new() })
    }

    /// Header of the file: counts of positions, start and length.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.file.header()
    }

    /// Counts further positions by value and remoteness until all are counted or `watch` says stop.
    /// Returns whether all are counted. The file is read block by block.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn count(&self, landscape: &mut Landscape, watch: &dyn Watch) -> Result<bool, Error> {
        let counted = self.file.count(landscape, watch);
        counted.map_err(|error| unreadable(self.file.path(), &error))
    }

    /// Counts all positions by value and remoteness. The file is read block by block.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged, or `watch` says stop
    /// ([`ErrorKind::Interrupted`]).
    pub fn landscape(&self, watch: &dyn Watch) -> Result<LandscapeReport, Error> {
        let mut landscape = Landscape::default();
        if !self.count(&mut landscape, watch)? {
            return Err(Error::interrupted("not all positions are counted"));
        }
        let positions = self.header().reachable.total();
        Ok(LandscapeReport::new(self.game.name(), positions, &landscape))
    }

    /// Finds a position of a value and a remoteness; `None` if the file has none. Different seeds
    /// find different positions. The file is read block by block until one is found.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged, or `watch` says stop
    /// ([`ErrorKind::Interrupted`]).
    ///
    /// ```
    /// use treegauge::solve::{Value, Wanted};
    /// use treegauge::{Game, open_solution, solve};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("game.tgs");
    /// let game = Game::parse("tic_tac_toe").unwrap();
    /// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
    /// solved.done().unwrap().write(&path).unwrap();
    ///
    /// let file = open_solution(&path).unwrap();
    /// let wanted = Wanted { value: Value::Win, remoteness: Some(5), is_only_move: true };
    /// assert!(file.find(&wanted, 1, &()).unwrap().is_some());
    /// ```
    pub fn find(
        &self,
        wanted: &Wanted,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Option<Line>, Error> {
        let found = self.file.find(wanted, seed, watch);
        let found = found.map_err(|error| unreadable(self.file.path(), &error))?;
        let begin = |position| {
            self.game.begin(&StartingPoint { position: Some(position), moves: Vec::new() })
        };
        found.map(begin).transpose()
    }

    /// Names of the sections that later work has added.
    #[must_use]
    pub fn section_names(&self) -> Vec<String> {
        self.file.section_names()
    }

    /// Looks up the value of a position and of each of its moves. The position counts as a start
    /// without history. The rest of the file is not read.
    ///
    /// # Errors
    ///
    /// If the file lacks the position or cannot be read.
    ///
    /// # Panics
    ///
    /// If the line is one of another game.
    pub fn probe(&self, at: &Line) -> Result<ProbeReport, Error> {
        Ok(self.file.probe(self.game.name(), &self.game.engine().code(at))?)
    }

    /// Checks every position against the rules. Uses all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, the check takes more than `memory_bytes_max`
    /// ([`ErrorKind::Limit`]), or `watch` says stop ([`ErrorKind::Interrupted`]). Mismatches are
    /// not an error: the report has them.
    pub fn verify(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<VerifyReport, Error> {
        let verified = self.file.verify(self.game.name(), memory_bytes_max, watch);
        verified.map_err(|error| unreadable(self.file.path(), &error))
    }

    /// Reads the whole solution into memory, and checks that its values follow from each other.
    /// Uses all threads of the current rayon pool.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is damaged or has a wrong value, the solution takes more than
    /// `memory_bytes_max` ([`ErrorKind::Limit`]), or `watch` says stop
    /// ([`ErrorKind::Interrupted`]).
    pub fn load(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Solution, Error> {
        let solved = self.file.load(memory_bytes_max, watch);
        let solved = solved.map_err(|error| unreadable(self.file.path(), &error))?;
        Ok(Solution::new(self.game.clone(), solved))
    }

    /// Solved game for sessions, which looks up values of positions in the file.
    #[must_use]
    pub fn as_solved_game(&self) -> Arc<dyn SolvedGame> {
        Arc::new(SolutionGame::new(self.game.engine().clone(), self.file.clone()))
    }

    /// Analysis of interestingness stored in the file.
    ///
    /// # Errors
    ///
    /// If the file has no usable analysis ([`KeptInterestError`]), or cannot be read.
    pub fn kept_interest(&self) -> Result<InterestAnalysis, Error> {
        self.file.kept_interest().map_err(|error| self.kept_error(error))
    }

    /// Checks that a position of the stored analysis is in the file, with the same value.
    ///
    /// # Errors
    ///
    /// If it is not ([`KeptInterestError`]), or the file cannot be read.
    pub fn check_kept(&self, position: &InterestPosition) -> Result<(), Error> {
        self.file.check_kept(position).map_err(|error| self.kept_error(error))
    }

    fn kept_error(&self, error: KeptInterestError) -> Error {
        match error {
            KeptInterestError::File(error) => unreadable(self.file.path(), &error),
            other => Error::new(ErrorKind::Data, other),
        }
    }
}

/// Looks up a position in the file of a solved game. If `beginning` has no position, it begins at
/// the start of the solve.
///
/// # Errors
///
/// As [`open_solution`] and [`SolutionFile::probe`], and if the game cannot begin so.
///
/// ```
/// use treegauge::solve::Value;
/// use treegauge::{StartingPoint, Game, probe, solve, verify};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("game.solved");
/// let game = Game::parse("tic_tac_toe").unwrap();
/// let solved = solve(&game, &game.start(), Default::default(), &()).unwrap();
/// solved.done().unwrap().write(&path).unwrap();
///
/// // b1 is a bad answer to a1.
/// let moves = vec!["a1".to_owned(), "b1".to_owned()];
/// let found = probe(&path, &StartingPoint { position: None, moves }).unwrap();
/// assert_eq!((found.value, found.remoteness), (Value::Win, Some(5)));
/// assert!(verify(&path, None, &()).unwrap().ok);
/// ```
pub fn probe(path: &Path, beginning: &StartingPoint) -> Result<ProbeReport, Error> {
    let file = open_solution(path)?;
    let position = beginning.position.clone().unwrap_or_else(|| file.file.start_text());
    let moves = beginning.moves.clone();
    let at = file.game.begin(&StartingPoint { position: Some(position), moves })?;
    file.probe(&at)
}

/// Checks the file of a solved game against the rules.
///
/// # Errors
///
/// As [`open_solution`] and [`SolutionFile::verify`].
pub fn verify(
    path: &Path,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<VerifyReport, Error> {
    open_solution(path)?.verify(memory_bytes_max, watch)
}

fn unreadable(path: &Path, error: &FileError) -> Error {
    let kind = match error {
        FileError::Memory { .. } => ErrorKind::Limit,
        FileError::Interrupted => ErrorKind::Interrupted,
        _ => ErrorKind::Data,
    };
    let text = error.at(path).to_string();
    if let Some(name) = path.to_str().filter(|name| !path.exists() && Game::parse(name).is_ok()) {
        let solve = format!(
            "treegauge solve {} -o {}.tgs",
            quoted(name.as_ref()),
            name.split('(').next().unwrap_or(name)
        );
        return Error::new(kind, format!("{text}; `{solve}` solves the game of this name"));
    }
    Error::new(kind, text)
}
