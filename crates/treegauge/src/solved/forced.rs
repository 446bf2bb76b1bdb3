//! Forced wins in games that are too large to solve, found in games of a search against itself.

use std::sync::Arc;

use rayon::prelude::*;
use treegauge_core::{GameCounter, GamesDone, Watch};
use treegauge_engine::{Line, SolutionGame, SolvedGame};
use treegauge_gauge::searched_game;
use treegauge_search::{Budget, DEFAULT_CP, Seed, UctOptions};
use treegauge_solve::report::PlayedGames;
use treegauge_solve::{
    AnyCode, AnyForcedWins, ForcedOptions, InterestOptions, PuzzleOptions, WorkError,
};

use super::rated::PuzzleSet;
use crate::{Error, ErrorKind, Game, ranges};

/// Options of the search for forced wins in games of a search against itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FromPlayOptions {
    /// Number of games.
    pub games: u32,
    /// Iterations of the search for each move.
    pub iterations: u32,
    /// Random seed.
    pub seed: u64,
    /// Limits of the search for a win.
    pub forced: ForcedOptions,
}

impl FromPlayOptions {
    /// Greatest number of games.
    pub const GAMES_MAX: u32 = 1_000_000;
}

impl Default for FromPlayOptions {
    /// 20 games with 1,000 iterations per move, seed 1, and the default limits of a search.
    fn default() -> Self {
        FromPlayOptions { games: 20, iterations: 1_000, seed: 1, forced: ForcedOptions::default() }
    }
}

/// Forced wins of a game that is not solved, from which puzzles are picked.
pub struct ForcedWins {
    game: Game,
    found: Box<dyn AnyForcedWins>,
    played: PlayedGames,
}

impl std::fmt::Debug for ForcedWins {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ForcedWins").field(&self.game.name()).finish()
    }
}

/// Plays games of a search against itself, and looks for forced wins at the end of each: among the
/// positions of its last plies, twice as many as a win may have. Uses all threads of the current rayon
/// pool; the result does not depend on their number.
///
/// The proofs take at most `memory_bytes_max`; a search takes some hundred bytes for each of its nodes
/// besides.
///
/// # Errors
///
/// If a number is out of range or the game is one of another program ([`ErrorKind::Usage`]), the proofs
/// take too much memory ([`ErrorKind::Limit`]), or `watch` says stop ([`ErrorKind::Interrupted`]).
///
/// ```
/// use treegauge::{FromPlayOptions, Game, forced_wins_from_play};
///
/// let game = Game::parse("connect_four").unwrap();
/// let options = FromPlayOptions { games: 4, iterations: 50, ..FromPlayOptions::default() };
/// let found = forced_wins_from_play(&game, options, None, &()).unwrap();
/// let puzzles = found.puzzles(Default::default(), Default::default(), None, &()).unwrap();
/// for puzzle in puzzles.report(&()).unwrap().puzzles {
///     assert_eq!(puzzle.main_line.len(), usize::from(puzzle.remoteness));
/// }
/// ```
pub fn forced_wins_from_play(
    game: &Game,
    options: FromPlayOptions,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<ForcedWins, Error> {
    let FromPlayOptions { games, iterations, seed, forced } = options;
    ranges::whole("games", games.into(), 1, FromPlayOptions::GAMES_MAX.into())?;
    ranges::iterations(iterations)?;
    check(game, forced)?;
    let last_plies = 2 * u32::from(forced.plies_max);
    let counter = GameCounter::new(watch, GamesDone::default(), GamesDone::alike(u64::from(games)));
    let played: Option<Vec<Vec<Line>>> = (0..games)
        .into_par_iter()
        .with_max_len(1)
        .map(|number| {
            let lines = last_positions(game, options, number, last_plies, watch)?;
            counter.over(GamesDone::alike(1));
            Some(lines)
        })
        .collect();
    let played = played.ok_or_else(|| Error::interrupted("the games are not played"))?;
    let lines: Vec<Line> = played.into_iter().flatten().collect();
    let played = PlayedGames { games: games.into(), iterations, last_plies, seed };
    prove(game, &lines, forced, played, memory_bytes_max, watch)
}

/// Looks for forced wins among some positions, by whose proofs moves can be judged.
///
/// # Errors
///
/// As [`forced_wins_from_play`].
pub fn forced_wins(
    game: &Game,
    lines: &[Line],
    options: ForcedOptions,
    watch: &dyn Watch,
) -> Result<ForcedWins, Error> {
    check(game, options)?;
    prove(game, lines, options, PlayedGames::default(), None, watch)
}

fn check(game: &Game, options: ForcedOptions) -> Result<(), Error> {
    if game.info().spec.is_external() {
        let message = format!(
            "{} is a game of another program; its forced wins cannot be found",
            game.name()
        );
        return Err(Error::new(ErrorKind::Usage, message));
    }
    ranges::whole("plies", options.plies_max.into(), 1, ForcedOptions::PLIES_MAX.into())
}

fn prove(
    game: &Game,
    lines: &[Line],
    options: ForcedOptions,
    played: PlayedGames,
    memory_bytes_max: Option<u64>,
    watch: &dyn Watch,
) -> Result<ForcedWins, Error> {
    let engine = game.engine();
    let codes: Vec<AnyCode> = lines.iter().map(|line| engine.code(line)).collect();
    let found = engine.rules().forced_wins(&codes, options, memory_bytes_max, watch);
    Ok(ForcedWins { game: game.clone(), found: found.map_err(unfound)?, played })
}

fn unfound(error: WorkError) -> Error {
    match error {
        WorkError::Interrupted => Error::interrupted("the puzzles are not found"),
        error => Error::new(ErrorKind::Limit, format!("cannot find the puzzles: {error}")),
    }
}

/// Plays a game, and returns its last unfinished positions; `None` if `watch` says stop.
fn last_positions(
    game: &Game,
    options: FromPlayOptions,
    number: u32,
    last_plies: u32,
    watch: &dyn Watch,
) -> Option<Vec<Line>> {
    let (engine, start) = (game.engine(), game.start());
    let budget = Budget::iterations(options.iterations);
    let mut uct = engine.uct_with(UctOptions::new(budget, DEFAULT_CP));
    let record = searched_game(
        &start,
        &mut [&mut uct],
        0,
        &mut Seed(options.seed).child(u64::from(number)).generator(),
        &mut |_, _| (),
        &mut || watch.stop(),
    )?;
    let first = record.len().saturating_sub(last_plies as usize);
    let (mut line, mut lines) = (start, Vec::new());
    for (ply, m) in record.moves().enumerate() {
        if ply >= first {
            lines.push(line.clone());
        }
        line.play_text(m).expect("a game reads the moves that it writes");
    }
    Some(lines)
}

impl ForcedWins {
    /// Finds the most interesting wins of each remoteness. The interestingness always averages over the
    /// quickest wins only, whatever `choices` say.
    ///
    /// # Errors
    ///
    /// If this takes, together with the proofs, more than `memory_bytes_max` ([`ErrorKind::Limit`]), or
    /// `watch` says stop ([`ErrorKind::Interrupted`]).
    pub fn puzzles(
        &self,
        choices: InterestOptions,
        asked: PuzzleOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<PuzzleSet, Error> {
        let name = self.game.name();
        let found = self.found.puzzles(name, choices, asked, self.played, memory_bytes_max, watch);
        found.map(PuzzleSet::new).map_err(unfound)
    }

    /// Values of the positions of the proof of a win, for solving it as a puzzle; `None` if the position
    /// is not a won one of those tried. It has the positions that a solver comes to by right moves and
    /// any defence. A tie there says that a move does not win as quickly as another.
    ///
    /// # Panics
    ///
    /// When the line is one of another game.
    #[must_use]
    pub fn solved_game(&self, at: &Line) -> Option<Arc<dyn SolvedGame>> {
        let engine = self.game.engine();
        let values = self.found.values(&engine.code(at))?;
        Some(Arc::new(SolutionGame::new(engine.clone(), values)))
    }
}
