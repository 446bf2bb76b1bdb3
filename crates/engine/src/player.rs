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
use crate::external_player;
use crate::line::Line;
use crate::players::{self, PLAYERS};
use treegauge_solve::ProbeError;

/// Factory of the agents of a player. It holds the data that all of them share.
pub type MakeAgent = Box<dyn Fn() -> Box<dyn Agent> + Send + Sync>;

/// Kind of player with its parameters. Its [`Display`] is the text form.
pub trait PlayerKind: Any + Debug + Display + Send + Sync {
    /// Prepares the player for games from `start`. A file that does not fit fails here, before the
    /// first game. `clock` is read if the budget is time.
    ///
    /// # Errors
    ///
    /// When the game does not have the evaluator, or the player's file cannot be used or lacks
    /// `start`.
    fn open(
        &self,
        engine: &Arc<dyn Engine>,
        start: &Line,
        clock: &Arc<dyn Clock>,
    ) -> Result<MakeAgent, OpenPlayerError>;

    /// Limits of the player for one move.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Files that the player reads.
    fn files(&self) -> Vec<&Path> {
        Vec::new()
    }

    /// Changes the paths at which files are opened to the results of `place`. The text stays the
    /// same. `None` if the player reads no files.
    fn with_files(&self, place: &dyn Fn(&Path) -> PathBuf) -> Option<PlayerSpec> {
        let _ = place;
        None
    }

    /// Returns whether the player picks all its moves at random.
    fn is_random(&self) -> bool {
        false
    }

    /// Returns whether the budget is time, so that the player's games depend on the machine.
    fn has_time_budget(&self) -> bool {
        false
    }
}

/// Player in its text form. Two are equal if their texts are.
#[derive(Clone, Debug)]
pub struct PlayerSpec(Arc<dyn PlayerKind>);

impl PartialEq for PlayerSpec {
    fn eq(&self, other: &PlayerSpec) -> bool {
        self.to_string() == other.to_string()
    }
}

/// Limits of a player for one move. A player that exceeds them forfeits the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Most nodes, by the agent's own count; `None` for no limit.
    pub nodes_max: Option<u64>,
    /// Most time, with slack for the clock's inexactness and a busy machine; `None` for no limit.
    pub time_max: Option<Duration>,
}

impl PlayerSpec {
    /// Player of a kind.
    #[must_use]
    pub fn of(kind: impl PlayerKind) -> PlayerSpec {
        PlayerSpec(Arc::new(kind))
    }

    /// Parses a player.
    ///
    /// # Errors
    ///
    /// When the player or a parameter does not exist, or a value is out of range.
    ///
    /// ```
    /// use treegauge_engine::PlayerSpec;
    /// let player = PlayerSpec::parse("uct(iterations=500)").unwrap();
    /// assert_eq!(player.to_string(), "uct(iterations=500)");
    /// assert!(PlayerSpec::parse("uct(iterations=0)").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<PlayerSpec, Error> {
        if let Some(read) = external_player::read(text) {
            return read;
        }
        players::read(&parse(Role::Player, PLAYERS, text)?)
    }

    /// Parameters of the player; `None` if it is not of kind `P`.
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

    /// Returns whether the player picks all its moves at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        self.0.is_random()
    }

    /// Returns whether the budget is time, so that the player's games depend on the machine.
    #[must_use]
    pub fn has_time_budget(&self) -> bool {
        self.0.has_time_budget()
    }

    /// Limits of the player for one move.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.0.limits()
    }

    /// Files that the player reads.
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

    /// Changes the paths at which files are opened to the results of `place`. The text stays the
    /// same, and so do reports about the player.
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

/// Reason that a player cannot play a game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenPlayerError {
    /// The game does not have the player's evaluator.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    SolvedFile(#[from] ProbeError),
    /// The game does not define how its moves look.
    #[error(
        "the player intuitive cannot play {game}: it judges moves by their looks, which are known for the family mnk"
    )]
    NoIntuition {
        /// Name of the game.
        game: String,
    },
}

/// Participant of matches, which makes an agent for each of its games.
pub trait Competitor: Sync {
    /// Returns an agent for one game that does not depend on other games. It may be returned by
    /// [`Competitor::put_back`].
    fn agent(&self) -> Box<dyn Agent>;

    /// Takes back an agent after its game, for reuse in a later game.
    fn put_back(&self, agent: Box<dyn Agent>) {
        drop(agent);
    }

    /// Limits for one move.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Returns whether the agents pick all their moves at random. Games between two such
    /// competitors can be played without calling them.
    fn is_random(&self) -> bool {
        false
    }
}

/// Player of one game, which makes an agent for each game that it plays.
pub struct Player {
    spec: PlayerSpec,
    make: MakeAgent,
    /// Agents after their games: creating a new table for each game would take longer than a short
    /// game.
    idle: Mutex<Vec<Box<dyn Agent>>>,
}

impl Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Player").field(&self.spec.to_string()).finish()
    }
}

impl Player {
    /// Prepares the player for games from `start`. A file that does not fit fails here, before the
    /// first game. `clock` is read if the player's budget is time.
    ///
    /// # Errors
    ///
    /// When the game does not have the evaluator, or the player's file cannot be used or lacks
    /// `start`.
    pub fn open(
        spec: &PlayerSpec,
        engine: &Arc<dyn Engine>,
        start: &Line,
        clock: &Arc<dyn Clock>,
    ) -> Result<Player, OpenPlayerError> {
        let make = spec.0.open(engine, start, clock)?;
        Ok(Player { spec: spec.clone(), make, idle: Mutex::default() })
    }

    /// Player in its text form.
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
