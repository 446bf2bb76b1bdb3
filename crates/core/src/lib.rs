//! Traits that the rules of games implement, and the types that they use.
//!
//! Rules are a value that holds the parameters of a game; a state is plain bits. Everything that a
//! game can do beyond its rules (notation, symmetry, compact keys) is a trait of its own. An
//! algorithm names in its bounds the traits that it needs, so it cannot be called for a game that
//! lacks them.
//!
//! This crate reads no clock, file or environment and keeps no global state: budgets and random
//! generators are arguments.
//!
//! # Example
//!
//! A whole game, played at random to its end:
//!
//! ```
//! use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
//! use treegauge_core::{Game, Outcome, Player, PlayoutLimits};
//!
//! /// Take one or two matches from a heap of five; the player who takes the last one wins.
//! #[derive(Clone)]
//! struct Heap;
//!
//! #[derive(Clone, PartialEq, Eq, Hash, Debug)]
//! struct State {
//!     left: u8,
//!     turn: Player,
//! }
//!
//! impl Game for Heap {
//!     type State = State;
//!     type Move = u8;
//!
//!     fn start(&self) -> State {
//!         State { left: 5, turn: Player::First }
//!     }
//!     fn turn(&self, state: &State) -> Player {
//!         state.turn
//!     }
//!     fn outcome(&self, state: &State) -> Option<Outcome> {
//!         (state.left == 0).then(|| Outcome::win_of(state.turn.other()))
//!     }
//!     fn moves_into(&self, state: &State, moves: &mut Vec<u8>) {
//!         moves.clear();
//!         moves.extend(1..=state.left.min(2));
//!     }
//!     fn play(&self, state: &mut State, taken: u8) {
//!         state.left -= taken;
//!         state.turn = state.turn.other();
//!     }
//! }
//!
//! let mut state = Heap.start();
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
//! let end = Heap.playout(&mut state, PlayoutLimits::of(&Heap), &mut rng);
//! assert_eq!(state.left, 0);
//! assert!((3..=5).contains(&end.plies.0));
//! ```

mod actions;
mod board;
mod call;
mod capabilities;
mod capability;
mod chance;
mod counted;
mod evaluate;
mod game;
mod game_counter;
mod intuition;
mod key_code;
mod notation;
mod outcome;
mod perft;
mod played;
mod player;
mod plies;
#[cfg(feature = "serde")]
mod report_head;
#[cfg(feature = "serde")]
pub mod seed_json;
mod shell;
mod tensor;
mod watch;
#[cfg(feature = "serde")]
pub mod winner_json;

pub use actions::{ActionIds, Actions, MoveOf};
pub use board::{
    Board, Cell, CellMark, CellNumber, CellOutline, CellShape, Chessman, Contents, Curve, Label,
    MovePath, Panel, PathCell, Role, SmallBoard, SmallBoards,
};
pub use call::{Argument, Call, CallError, readable_name, without_path};
pub use capabilities::{Capabilities, Capability, LooksInto, OfState, ParentsInto, Symmetries};
pub use capability::{Graded, Indexed, Keyed, Retrograde, Symmetric, Tiered};
pub use chance::uniform_below;
pub use counted::{counted, grouped};
pub use evaluate::{Evaluator, VALUE_MAX};
pub use game::{Game, HistoryEnd, IllegalMove, Playout, PlayoutLimits};
pub use game_counter::{GameCounter, GamesDone};
pub use intuition::{Intuitive, Look, Urgency};
pub use key_code::KeyCode;
pub use notation::{MoveError, Notation, PositionError, PositionReason};
pub use outcome::Outcome;
pub use perft::{perft, perft_divide, perft_divide_watched, perft_watched, positions_by_ply};
pub use played::{Ended, Ending, Played, SavedPoint};
pub use player::Player;
pub use plies::Plies;
#[cfg(feature = "serde")]
pub use report_head::{ReportHeader, ReportKind, is_default};
pub use shell::{input_name, quoted};
pub use tensor::{PlaneShape, Planes, Tensor, Tensors};
pub use watch::{Clock, Interim, NoClock, Phase, Progress, Watch};
