//! One engine per game: whole searches, batches of games, players and evaluators, for any game of
//! the catalog.
//!
//! Algorithms are generic over games, so that no call in a hot loop is dynamic. Code that uses
//! them, such as experiments, commands and bindings to other languages, should not be compiled once
//! per game. [`open`] creates the [`Engine`] of a game. Each call of this object is a whole search
//! or a batch of games. A [`Line`] is a game in progress, a [`Player`] makes the [`Agent`]s that
//! choose moves in it, and a [`Session`] is a game between people and agents.
//!
//! ```
//! use treegauge_catalog::GameSpec;
//! use treegauge_search::{Budget, DEFAULT_CP, Seed};
//!
//! let engine = treegauge_engine::open(&GameSpec::parse("tic_tac_toe").unwrap()).unwrap();
//! let mut line = engine.start();
//! line.play_text("a1").unwrap();
//! let mut uct = engine.uct(Budget::iterations(2_000), DEFAULT_CP);
//! let found = uct.search(&line, &mut Seed(1).generator(), &mut || false);
//! // The middle is the only move that does not lose.
//! assert_eq!(line.move_text(found.best.unwrap()), "b2");
//! ```

mod agent;
mod alphabeta;
mod cut_tree;
mod engine;
mod evaluators;
mod external_player;
mod forms;
mod growing;
mod history;
mod line;
mod player;
mod players;
mod proved;
mod random_games;
mod root_parallel;
mod session;
mod solved;
mod typed;
mod uct;
mod values;

pub use agent::{Agent, AgentError, Choice, Forfeit, Spent};
pub use alphabeta::{AlphaBetaFound, AlphaBetaSearch};
pub use cut_tree::{CutBound, CutLimits, CutNode, CutTree, CutTreeError};
pub use engine::{Engine, GameInfo, PlayoutTally};
pub use evaluators::{EvaluatorError, EvaluatorSpec};
pub use external_player::{ExternalPlayer, register_external_player};
pub use forms::EVALUATORS;
pub use growing::GrowingSearch;
pub use history::{PlyValues, ValueSource, value_history};
pub use line::{BeginError, Line, MoveHint, MoveNumber, PlayError, StartingPoint};
pub use player::{Competitor, Limits, MakeAgent, OpenPlayerError, Player, PlayerKind, PlayerSpec};
pub use players::{
    AlphaBetaAgent, AlphaBetaPlayer, IntuitivePlayer, MoveBudget, PLAYERS, PerfectPlayer,
    RandomPlayer, UctPlayer,
};
pub use proved::{Proved, ProvedSearch};
pub use random_games::{OPENING_TRIALS, OpeningTrials, RandomGames, RandomGamesPlan, moves_hasher};
pub use session::{AgentMove, Seat, Session, SessionError};
pub use solved::{MoveValue, ProbeError, SolutionGame, SolvedGame, open_solved};
pub use typed::open;
pub use uct::{Stop, TriedMove, UctFound, UctSearch};
pub use values::{ExactMove, PositionValues, SearchedMove, value_interval};
