//! Players as they are written: `random`, `uct(...)`, `alphabeta(...)`, `perfect(...)`.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use treegauge_core::{Clock, Plies};
use treegauge_grammar::{Error, Role, parse};
use treegauge_search::{AlphaBetaOptions, Budget, DEFAULT_CP};

use crate::agent::{Agent, AlphaBetaAgent, MoveBudget, PerfectAgent, RandomAgent, Spent, UctAgent};
use crate::alphabeta::AlphaBetaSearch;
use crate::engine::Engine;
use crate::evaluators::{EvaluatorError, EvaluatorSpec};
use crate::forms::PLAYERS;
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

/// What a player may use for a move. One that uses more forfeits the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Nodes, as the agent counts them.
    pub nodes_max: Option<u64>,
    /// Time, with slack for the clock's inexactness and a busy machine.
    pub time_max: Option<Duration>,
}

impl PlayerSpec {
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
        let parsed = parse(Role::Player, PLAYERS, text)?;
        let args = &parsed.args;
        Ok(match parsed.form.name {
            "random" => PlayerSpec::Random,
            "uct" => {
                PlayerSpec::Uct { iterations: args.whole("iterations"), cp: args.number("cp") }
            }
            "alphabeta" => {
                let within = |error: Error| match parsed.value_at("eval") {
                    Some(begin) => error.within(begin),
                    None => error,
                };
                let eval = EvaluatorSpec::parse(args.text("eval")).map_err(within)?;
                let budget = if args.get("depth").is_some() {
                    MoveBudget::Depth(Plies(args.whole("depth")))
                } else if args.get("time_ms").is_some() {
                    MoveBudget::Time(Duration::from_millis(args.long("time_ms")))
                } else {
                    MoveBudget::Nodes(args.long("nodes"))
                };
                PlayerSpec::AlphaBeta { eval, budget }
            }
            "perfect" => PlayerSpec::Perfect { file: PathBuf::from(args.text("file")) },
            other => unreachable!("{other} is a player of the table"),
        })
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

/// Why a player cannot play a game.
#[derive(Debug, thiserror::Error)]
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
