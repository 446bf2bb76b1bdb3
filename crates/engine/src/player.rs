//! Players in their text form: `random`, `uct(...)`, `alphabeta(...)`, `perfect(...)`.

use std::any::Any;
use std::fmt::{self, Debug, Display};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use treegauge_core::Clock;
use treegauge_grammar::{Error, Role, parse};

use crate::agent::Agent;
use crate::engine::Engine;
use crate::evaluators::EvaluatorError;
use crate::line::Line;
use crate::players::{self, PLAYERS};
use treegauge_solve::ProbeError;

/// Makes an agent for a game. What all agents of a player share is inside.
pub type MakeAgent = Box<dyn Fn() -> Box<dyn Agent> + Send + Sync>;

/// A kind of player with its parameters. Its [`Display`] is the text form.
pub trait PlayerKind: Any + Debug + Display + Send + Sync {
    /// Makes ready for games from `start`. A file that does not fit fails here, before the first
    /// game. `clock` is read where the budget is time.
    ///
    /// # Errors
    ///
    /// When the game does not have its evaluator, or its file cannot be used or lacks `start`.
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        start: &Line,
        clock: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError>;

    /// Its limits for one move.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// The files that it reads.
    fn files(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// The same player, which opens its files where `place` says. Its text stays. `None` if it reads none.
    fn with_files(&self, place: &dyn Fn(&Path) -> PathBuf) -> Option<PlayerSpec> {
        let _ = place;
        None
    }

    /// Whether it picks all its moves at random.
    fn is_random(&self) -> bool {
        false
    }

    /// Whether its budget is time, so that its games depend on the machine.
    fn has_time_budget(&self) -> bool {
        false
    }
}

/// A player in its text form. Two are equal when their texts are.
#[derive(Clone, Debug)]
pub struct PlayerSpec(Arc<dyn PlayerKind>);

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.to_string() == other.to_string()
    }
}

/// A player's limits for one move. A player that exceeds them forfeits the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, by the agent's own count.
    pub nodes_max: Option<u64>,
    /// Time, with slack for the clock's inexactness and a busy machine.
    pub time_max: Option<Duration>,
}

impl PlayerSpec {
    /// The player of a kind.
    #[must_use]
    pub fn of(kind: impl PlayerKind) -> PlayerSpec {
        PlayerSpec(Arc::new(kind))
    }

    /// Reads a player.
    ///
    /// # Errors
    ///
    /// When there is no such player or parameter, or a value is out of range.
    ///
    /// ```
    /// use treegauge_engine::PlayerSpec;
    /// let player = PlayerSpec::parse("uct(iterations=500)").unwrap();
    /// assert_eq!(player.to_string(), "uct(iterations=500)");
    /// assert!(PlayerSpec::parse("uct(iterations=0)").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<PlayerSpec, Error> {
        players::read(&parse(Role::Player, PLAYERS, text)?)
    }

    /// The player with its parameters, where it is of kind `P`.
    ///
    /// ```
    /// use treegauge_engine::{PlayerSpec, UctPlayer};
    /// let player = PlayerSpec::parse("uct(iterations=500)").unwrap();
    /// assert_eq!(player.get::<UctPlayer>().unwrap().iterations, 500);
    /// ```
    #[must_use]
    pub fn get<P: PlayerKind>(&self) -> Option<&P> {
        let kind: &dyn Any = self.0.as_ref();
        kind.downcast_ref()
    }

    /// Whether it picks all its moves at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.0.is_random()
    }

    /// Whether its budget is time, so that its games depend on the machine.
    #[must_use]
    pub fn has_time_budget(&self) -> bool {
        self.0.has_time_budget()
    }

    /// Its limits for one move.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.0.limits()
    }

    /// The files that it reads.
    ///
    /// ```
    /// use std::path::{Path, PathBuf};
    /// use treegauge_engine::PlayerSpec;
    /// let player = PlayerSpec::parse("alphabeta(eval=perfect(file=a.tgs))").unwrap();
    /// assert_eq!(player.files(), [Path::new("a.tgs")]);
    /// ```
    #[must_use]
    pub fn files(&self) -> Vec<&Path> {
        self.0.files()
    }

    /// The same player, which opens its files where `place` says. Its text stays, and so does what reports say of it.
    #[must_use]
    pub fn with_files(&self, place: &dyn Fn(&Path) -> PathBuf) -> PlayerSpec {
        self.0.with_files(place).unwrap_or_else(|| self.clone())
    }
}

impl Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

/// Why a player cannot play a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPlayerError {
    /// The game does not have its evaluator.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    SolvedFile(#[from] ProbeError),
    /// It is not known how the moves of the game look.
    #[error(
        "the player intuitive cannot play {game}: it judges moves by their looks, which are known for the family mnk"
    )]
    NoIntuition {
        /// The game.
        game: String,
    },
}

/// Takes part in matches: makes an agent for each of its games.
pub trait Competitor: Sync {
    /// An agent for one game, which knows nothing of other games. It may come back by
    /// [`Competitor::put_back`].
    fn agent(&self) -> Box<dyn Agent>;

    /// Takes back an agent whose game is over, for a later game.
    fn put_back(&self, agent: Box<dyn Agent>) {
        drop(agent);
    }

    /// Its limits for one move.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Whether its agents pick all their moves at random. Games between two such competitors can
    /// be played without asking either.
    fn is_random(&self) -> bool {
        false
    }
}

/// A player of one game: makes an agent for each game that it plays.
pub struct Player {
    spec: PlayerSpec,
    make: MakeAgent,
    /// Agents whose games are over: a new table for each game would take longer than a short game.
    idle: Mutex<Vec<Box<dyn Agent>>>,
}

impl Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Player").field(&self.spec.to_string()).finish()
    }
}

impl Player {
    /// The player for games from `start`. A file that does not fit fails here, before the first
    /// game. `clock` is read where its budget is time.
    ///
    /// # Errors
    ///
    /// When the game does not have its evaluator, or its file cannot be used or lacks `start`.
    pub fn open(
        spec: &PlayerSpec,
        engine: &Arc<dyn Engine>,
        start: &Line,
        clock: &Arc<dyn Clock>,
    ) -> Result<Player, OpenPlayerError> {
        let make = spec.0.open(engine, start, clock)?;
        Ok(Player { spec: spec.clone(), make, idle: Mutex::default() })
    }

    /// The player in its text form.
    #[must_use]
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Box<dyn Agent>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Competitor for Player {
    fn agent(&self) -> Box<dyn Agent> {
        // The lock is not held while an agent is made.
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| (self.make)())
    }

    fn put_back(&self, mut agent: Box<dyn Agent>) {
        agent.new_game();
        self.idle().push(agent);
    }

    fn limits(&self) -> Limits {
        self.spec.limits()
    }

    fn is_random(&self) -> bool {
        self.spec.is_random()
    }
}
