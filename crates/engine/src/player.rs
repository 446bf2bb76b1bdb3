//! Players as they are written: `random`, `uct(...)`, `alphabeta(...)`, `perfect(...)`.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use thiserror::Error;
use treegauge_catalog::nearest;
use treegauge_core::{Call, Clock, Plies};
use treegauge_search::{AlphaBetaLimits, AlphaBetaOptions, Budget, DEFAULT_CP};

use crate::agent::{Agent, AlphaBetaAgent, MoveBudget, PerfectAgent, RandomAgent, Spent, UctAgent};
use crate::alphabeta::AlphaBetaSearch;
use crate::engine::Engine;
use crate::evaluators::{EvaluatorError, EvaluatorSpec};
use crate::line::Line;
use crate::solved::{SolvedFileError, SolvedGame, open_solved};

/// A player as it is written.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlayerSpec {
    /// Picks its moves at random.
    Random,
    /// Searches by UCT.
    Uct {
        /// Iterations a move, 1 or more.
        iterations: u32,
        /// The exploration constant on rewards in \[0, 1\].
        cp: f64,
    },
    /// Searches by alpha-beta.
    AlphaBeta {
        /// What judges the positions at its horizon.
        eval: EvaluatorSpec,
        /// What it may use for a move.
        budget: MoveBudget,
    },
    /// Plays by the file of the solved game.
    Perfect {
        /// The file.
        file: PathBuf,
    },
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct PlayerError(String);

impl PlayerError {
    pub(crate) fn new(message: String) -> Self {
        PlayerError(message)
    }
}

/// What a player may use for a move. One that uses more forfeits the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, as the agent counts them.
    pub nodes_max: Option<u64>,
    /// Time, with slack for the clock's inexactness and a busy machine.
    pub time_max: Option<Duration>,
}

const FORMS: &str =
    "random, uct(iterations=N,cp=X), alphabeta(eval=NAME,nodes=N), perfect(file=PATH)";

impl PlayerSpec {
    /// The iterations of `uct` when none are given.
    pub const DEFAULT_ITERATIONS: u32 = 10_000;

    /// The nodes of `alphabeta` when it is given no budget.
    pub const DEFAULT_NODES: u64 = 20_000;

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
    pub fn parse(text: &str) -> Result<PlayerSpec, PlayerError> {
        let call = Call::parse(text)
            .map_err(|error| PlayerError(format!("bad player {text:?}: {error}")))?;
        match call.name.as_str() {
            "random" => {
                known(&call, &[])?;
                Ok(PlayerSpec::Random)
            }
            "uct" => uct(&call),
            "alphabeta" => alphabeta(&call),
            "perfect" => Ok(PlayerSpec::Perfect { file: file_of(&call, "player")? }),
            name => {
                let near = nearest(name, ["random", "uct", "alphabeta", "perfect"]);
                Err(PlayerError(format!(
                    "there is no player {name:?}; players are {FORMS}; the nearest is `{}`",
                    near.unwrap_or_default()
                )))
            }
        }
    }

    /// Whether it picks all its moves at random.
    #[must_use]
    pub fn is_random(&self) -> bool {
        *self == PlayerSpec::Random
    }

    /// Whether its budget is time, so that its games depend on the machine.
    #[must_use]
    pub fn has_time_budget(&self) -> bool {
        matches!(self, PlayerSpec::AlphaBeta { budget: MoveBudget::Time(_), .. })
    }

    /// What it may use for a move.
    #[must_use]
    pub fn limits(&self) -> Limits {
        let none = Limits::default();
        match self {
            PlayerSpec::Uct { iterations, .. } => {
                Limits { nodes_max: Some(u64::from(*iterations)), ..none }
            }
            PlayerSpec::AlphaBeta { budget: MoveBudget::Nodes(nodes), .. } => {
                Limits { nodes_max: Some(*nodes), ..none }
            }
            // A busy machine may stop a thread for a moment, which is no fault of the player.
            PlayerSpec::AlphaBeta { budget: MoveBudget::Time(time), .. } => {
                Limits { time_max: Some(2 * *time + Duration::from_millis(500)), ..none }
            }
            _ => none,
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerSpec::Random => f.write_str("random"),
            // The default has no short form in decimals.
            PlayerSpec::Uct { iterations, cp } if *cp == DEFAULT_CP => {
                write!(f, "uct(iterations={iterations})")
            }
            PlayerSpec::Uct { iterations, cp } => write!(f, "uct(iterations={iterations},cp={cp})"),
            PlayerSpec::AlphaBeta { eval, budget } => {
                write!(f, "alphabeta(eval={eval},")?;
                match budget {
                    MoveBudget::Nodes(nodes) => write!(f, "nodes={nodes})"),
                    MoveBudget::Depth(depth) => write!(f, "depth={})", depth.0),
                    MoveBudget::Time(time) => write!(f, "time_ms={})", time.as_millis()),
                }
            }
            PlayerSpec::Perfect { file } => write!(f, "perfect(file={})", file.display()),
        }
    }
}

/// Refuses parameters that a player does not have.
fn known(call: &Call, parameters: &[&str]) -> Result<(), PlayerError> {
    let odd = call.arguments.iter().find(|a| !parameters.contains(&a.name.as_str()));
    let Some(odd) = odd else { return Ok(()) };
    let near = match nearest(&odd.name, parameters.iter().copied()) {
        Some(near) => format!("the nearest is `{near}`"),
        None => "it has none".to_owned(),
    };
    let (player, name, at) = (&call.name, &odd.name, odd.at);
    Err(PlayerError(format!(
        "player `{player}` has no parameter {name:?} (character {at}); {near}"
    )))
}

/// The value of a parameter, or its default; `expected` says what it takes.
fn value<T>(
    call: &Call,
    name: &str,
    default: T,
    read: impl Fn(&str) -> Option<T>,
    expected: &str,
) -> Result<T, PlayerError> {
    let Some(argument) = call.arguments.iter().find(|a| a.name == name) else { return Ok(default) };
    read(&argument.value).ok_or_else(|| {
        let (player, text, at) = (&call.name, &argument.value, argument.at);
        PlayerError(format!(
            "`{name}` of player `{player}` cannot be {text:?} (character {at}): it takes {expected}"
        ))
    })
}

fn uct(call: &Call) -> Result<PlayerSpec, PlayerError> {
    known(call, &["iterations", "cp"])?;
    let most = Budget::ITERATIONS_MAX;
    let iterations = value(
        call,
        "iterations",
        PlayerSpec::DEFAULT_ITERATIONS,
        |text| text.parse().ok().filter(|n| (1..=most).contains(n)),
        &format!("a whole number from 1 to {most}"),
    )?;
    let cp = value(
        call,
        "cp",
        DEFAULT_CP,
        |text| text.parse().ok().filter(|cp: &f64| (0.0..=1_000.0).contains(cp)),
        "a number from 0 to 1000",
    )?;
    Ok(PlayerSpec::Uct { iterations, cp })
}

fn alphabeta(call: &Call) -> Result<PlayerSpec, PlayerError> {
    known(call, &["eval", "nodes", "depth", "time_ms"])?;
    let budgets: Vec<_> = call.arguments.iter().filter(|a| a.name != "eval").collect();
    if let [_, second, ..] = budgets.as_slice() {
        let (name, at) = (&second.name, second.at);
        return Err(PlayerError(format!(
            "player `alphabeta` has one budget, nodes, depth or time_ms, and `{name}` (character \
             {at}) is a second one"
        )));
    }
    let number = |name: &str, most: u64| {
        let read = |text: &str| text.parse().ok().filter(|n| (1..=most).contains(n));
        value(call, name, 0, read, &format!("a whole number from 1 to {most}"))
    };
    let budget = match budgets.first().map(|budget| budget.name.as_str()) {
        None => MoveBudget::Nodes(PlayerSpec::DEFAULT_NODES),
        Some("nodes") => MoveBudget::Nodes(number("nodes", 1_000_000_000_000)?),
        Some("depth") => {
            let depth = number("depth", u64::from(AlphaBetaLimits::DEPTH_MAX.0))?;
            MoveBudget::Depth(Plies(depth as u32))
        }
        Some(_) => MoveBudget::Time(Duration::from_millis(number("time_ms", 86_400_000)?)),
    };
    let eval = EvaluatorSpec::parse(call.value("eval").unwrap_or("mobility"))?;
    Ok(PlayerSpec::AlphaBeta { eval, budget })
}

/// The file of `perfect(file=PATH)`; `role` is what it is used as.
pub(crate) fn file_of(call: &Call, role: &str) -> Result<PathBuf, PlayerError> {
    if let Some(odd) = call.arguments.iter().find(|argument| argument.name != "file") {
        return Err(PlayerError(format!(
            "{role} `perfect` has no parameter {:?} (character {}); its one is `file`",
            odd.name, odd.at
        )));
    }
    call.value("file").map(PathBuf::from).ok_or_else(|| {
        PlayerError(format!("{role} `perfect` needs the file of a solved game: perfect(file=PATH)"))
    })
}

/// Why a player cannot play a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenPlayerError {
    /// The game does not have its evaluator.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The file of the solved game cannot be used.
    #[error(transparent)]
    SolvedFile(#[from] SolvedFileError),
}

/// Takes part in matches: makes an agent for each of its games.
pub trait Competitor: Sync {
    /// An agent for one game, which knows nothing of other games. It may come back by
    /// [`Competitor::put_back`].
    fn agent(&self) -> Box<dyn Agent>;

    /// Takes an agent whose game is over back, for a later game.
    fn put_back(&self, agent: Box<dyn Agent>) {
        drop(agent);
    }

    /// What it may use for a move.
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
    engine: Arc<dyn Engine>,
    clock: Arc<dyn Clock>,
    opened: Opened,
    /// Agents whose games are over: a new table for each game would take longer than a short game.
    idle: Mutex<Vec<Box<dyn Agent>>>,
}

/// What all agents of a player share.
enum Opened {
    Nothing,
    /// A search with the evaluator; agents take others like it.
    AlphaBeta(Mutex<Box<dyn AlphaBetaSearch>>),
    Solved(Arc<dyn SolvedGame>),
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Player").field(&self.spec.to_string()).finish()
    }
}

impl Player {
    /// The player for games from `start`. What its file does not have shows here, before the first
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
        let opened = match spec {
            PlayerSpec::Random | PlayerSpec::Uct { .. } => Opened::Nothing,
            PlayerSpec::AlphaBeta { eval, .. } => {
                let search = engine.alpha_beta(AlphaBetaOptions::default(), eval)?;
                Opened::AlphaBeta(Mutex::new(search))
            }
            PlayerSpec::Perfect { file } => {
                let solved = open_solved(engine, file)?;
                solved.value(start)?;
                Opened::Solved(Arc::from(solved))
            }
        };
        Ok(Player {
            spec: spec.clone(),
            engine: engine.clone(),
            clock: clock.clone(),
            opened,
            idle: Mutex::default(),
        })
    }

    /// The player as it is written.
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
        if let Some(idle) = self.idle().pop() {
            return idle;
        }
        match (&self.spec, &self.opened) {
            (PlayerSpec::Uct { iterations, cp }, _) => {
                let uct = self.engine.uct(Budget::iterations(*iterations), *cp);
                Box::new(UctAgent { uct, spent: Spent::default() })
            }
            (PlayerSpec::AlphaBeta { budget, .. }, Opened::AlphaBeta(search)) => {
                let search = search.lock().unwrap_or_else(PoisonError::into_inner).another();
                Box::new(AlphaBetaAgent::new(search, *budget, self.clock.clone()))
            }
            (_, Opened::Solved(solved)) => Box::new(PerfectAgent(solved.clone())),
            _ => Box::new(RandomAgent),
        }
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
