//! Games whose rules are not part of the program: those of another library, or of a prototype in
//! another language.
//!
//! Such a game has a name like `external(name=clobber,digest=0123456789abcdef)`. Its caller
//! [registers](register_external) its rules for the life of the process, since a name in a task or
//! a record can hold no rules.

use std::collections::HashMap;
use std::fmt::{self, Debug, Write};
use std::hash::{Hash, Hasher};
use std::sync::{Arc, PoisonError, RwLock};

use rand_core::Rng;
use treegauge_core::{
    Actions, Board, Game, KeyCode, Keyed, Notation, Outcome, Player, Playout, PlayoutLimits, Plies,
    PositionError, PositionReason, uniform_below,
};
use treegauge_grammar::{Parameter, Values};

use crate::{Args, Entry, Family, SpecError, Visitor};

/// Family of all games with rules of their caller. It is not in [`FAMILIES`](crate::FAMILIES),
/// since its games have no names.
pub static EXTERNAL_FAMILY: Family = Family {
    name: "external",
    aliases: &[],
    summary: "a game of another program",
    rules: "The rules are those of another program.",
    moves: "as in the other program",
    parameters: &[
        Parameter {
            name: "name",
            default: Parameter::NO_DEFAULT,
            values: Values::Text("NAME"),
            help: "the name of the game",
        },
        Parameter {
            name: "digest",
            default: Parameter::NO_DEFAULT,
            values: Values::Text("DIGEST"),
            help: "the digest of random games, by which a changed game is found",
        },
    ],
    both: &[],
    presets: &[],
    origin: None,
};

/// Rules of a game of another program.
///
/// The game has two players, perfect information and no chance. A position that is over has no
/// legal action, and every other has at least one.
pub trait ExternalRules: Send + Sync {
    /// Number of ids of actions; every id is below it.
    fn action_count(&self) -> u32;

    /// Returns the position before the first ply.
    fn start(&self) -> Reached;
}

/// Position of a game of another program. Its methods may panic if the other program fails.
pub trait ExternalPosition: Send + Sync {
    /// Returns the position after a legal action.
    fn after(&self, action: u32) -> Reached;

    /// Text of a legal action: one line without spaces, different for all actions of the position.
    fn action_text(&self, action: u32) -> String;

    /// The board as text, in any number of lines.
    fn text(&self) -> String;

    /// Plays to the end, up to `plies_max` plies. `choose` takes a number of legal actions and
    /// returns the place of the one to play in their order. Returns the plies and the outcome,
    /// `None` for a game that is not over.
    fn playout(&self, plies_max: u32, choose: &mut dyn FnMut(u32) -> u32)
    -> (u32, Option<Outcome>);
}

/// Position with the facts that every user of it needs.
pub struct Reached {
    /// The position.
    pub position: Box<dyn ExternalPosition>,
    /// Side to move; of no meaning if the game is over.
    pub turn: Player,
    /// Result if the game is over.
    pub outcome: Option<Outcome>,
    /// Legal actions, ascending; empty if the game is over.
    pub actions: Vec<u32>,
}

impl Debug for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reached { turn, outcome, actions, .. } = self;
        f.debug_struct("Reached")
            .field("turn", turn)
            .field("outcome", outcome)
            .field("actions", actions)
            .finish_non_exhaustive()
    }
}

/// Rules by canonical name without the ply cap.
static RULES: RwLock<Option<HashMap<String, Arc<dyn ExternalRules>>>> = RwLock::new(None);

/// Makes a game of another program known under a name and a digest, both of letters, digits and
/// `_`, until the process ends. Returns the text of the game. Rules that were registered under the
/// same name and digest are replaced.
///
/// # Panics
///
/// When the name or the digest has other characters or is empty.
pub fn register_external(name: &str, digest: &str, rules: Arc<dyn ExternalRules>) -> String {
    let is_word = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
    };
    assert!(is_word(name) && is_word(digest), "{name:?} and {digest:?} are words");
    let text = text_of(name, digest);
    let mut known = RULES.write().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_default().insert(text.clone(), rules);
    text
}

fn text_of(name: &str, digest: &str) -> String {
    format!("{}(name={name},digest={digest})", EXTERNAL_FAMILY.name)
}

/// Calls a visitor with the game of these parameters.
pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, SpecError> {
    let name = text_of(args.text("name"), args.text("digest"));
    let known = RULES.read().unwrap_or_else(PoisonError::into_inner);
    let rules = known.as_ref().and_then(|known| known.get(&name)).cloned();
    drop(known);
    let Some(rules) = rules else {
        let reason = "its rules are not in this process, or have changed since";
        return Err(SpecError::Refused { game: name, reason: reason.to_owned() });
    };
    let game = ExternalGame { rules, ply_cap: args.ply_cap() };
    Ok(visitor.visit(Entry::new(game).actions()))
}

/// Game of another program.
#[derive(Clone)]
pub(crate) struct ExternalGame {
    rules: Arc<dyn ExternalRules>,
    ply_cap: Plies,
}

/// Position of an [`ExternalGame`]: the actions since the start, and the position itself. Two are
/// equal if their actions are, so positions do not repeat.
#[derive(Clone, Debug)]
pub(crate) struct ExternalState {
    played: Vec<u32>,
    reached: Arc<Reached>,
}

impl PartialEq for ExternalState {
    fn eq(&self, other: &ExternalState) -> bool {
        self.played == other.played
    }
}

impl Eq for ExternalState {}

impl Hash for ExternalState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.played.hash(hasher);
    }
}

impl Game for ExternalGame {
    type State = ExternalState;
    type Move = u32;

    fn start(&self) -> ExternalState {
        ExternalState { played: Vec::new(), reached: Arc::new(self.rules.start()) }
    }

    fn turn(&self, state: &ExternalState) -> Player {
        state.reached.turn
    }

    fn outcome(&self, state: &ExternalState) -> Option<Outcome> {
        state.reached.outcome
    }

    fn moves_into(&self, state: &ExternalState, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend_from_slice(&state.reached.actions);
    }

    fn play(&self, state: &mut ExternalState, action: u32) {
        assert!(state.reached.actions.contains(&action), "the action is legal");
        state.reached = Arc::new(state.reached.position.after(action));
        state.played.push(action);
    }

    fn move_count(&self, state: &ExternalState) -> u32 {
        state.reached.actions.len() as u32
    }

    fn is_legal(&self, state: &ExternalState, action: u32) -> bool {
        state.reached.actions.binary_search(&action).is_ok()
    }

    fn random_move<R: Rng + ?Sized>(&self, state: &ExternalState, rng: &mut R) -> Option<u32> {
        let actions = &state.reached.actions;
        (!actions.is_empty()).then(|| actions[uniform_below(rng, actions.len() as u32) as usize])
    }

    /// The last position is not left in `state`: the other program plays on by itself.
    fn playout<R: Rng + ?Sized>(
        &self,
        state: &mut ExternalState,
        limits: PlayoutLimits,
        rng: &mut R,
    ) -> Playout {
        if let Some(outcome) = state.reached.outcome {
            return Playout { outcome, plies: Plies(0), capped: false };
        }
        let mut choose = |count| uniform_below(rng, count);
        let (plies, outcome) = state.reached.position.playout(limits.plies_left.0, &mut choose);
        let capped = outcome.is_none();
        Playout { outcome: outcome.unwrap_or(Outcome::Draw), plies: Plies(plies), capped }
    }

    fn ply_cap(&self) -> Plies {
        self.ply_cap
    }

    fn has_long_plies(&self) -> bool {
        true
    }
}

/// The key is a digest of the actions. No position is found by it, so the game is not solved, and searches do not merge its
/// positions ([`GameSpec::is_external`](crate::GameSpec::is_external)).
impl Keyed for ExternalGame {
    type Key = u128;

    fn key(&self, state: &ExternalState) -> u128 {
        let hash = |seed: u64| {
            state.played.iter().fold(seed, |hash, &action| {
                (hash.rotate_left(23) ^ u64::from(action)).wrapping_add(seed).mix()
            })
        };
        u128::from(hash(1)) << 64 | u128::from(hash(2))
    }

    fn unkey(&self, _: u128) -> ExternalState {
        unreachable!("no position of another program is found by its key");
    }

    fn try_unkey(&self, _: u128) -> Option<ExternalState> {
        None
    }
}

impl Actions for ExternalGame {
    fn action_count(&self) -> u32 {
        self.rules.action_count()
    }

    fn action_of(&self, _: &ExternalState, action: u32) -> u32 {
        action
    }
}

impl Notation for ExternalGame {
    fn write_move(&self, state: &ExternalState, action: u32, out: &mut dyn Write) -> fmt::Result {
        out.write_str(&state.reached.position.action_text(action))
    }

    /// The ids of the actions since the start: `3.2.5`, and `start` for none.
    fn write_position(&self, state: &ExternalState, out: &mut dyn Write) -> fmt::Result {
        let Some((first, others)) = state.played.split_first() else { return out.write_str(START) };
        write!(out, "{first}")?;
        others.iter().try_for_each(|action| write!(out, ".{action}"))
    }

    fn parse_position(&self, text: &str) -> Result<ExternalState, PositionError> {
        let mut state = self.start();
        let wrong = |reason| PositionError { text: text.to_owned(), reasons: vec![reason] };
        let mut at = 1;
        for part in text.trim().split('.').filter(|_| text.trim() != START) {
            let Ok(action) = part.parse() else {
                let expected = "ids of actions with dots between them, or `start`".to_owned();
                return Err(wrong(PositionReason::Unknown {
                    found: part.to_owned(),
                    at,
                    expected,
                }));
            };
            if !self.is_legal(&state, action) {
                return Err(wrong(PositionReason::Rules {
                    what: format!("the action {action} at character {at} is not legal"),
                }));
            }
            self.play(&mut state, action);
            at += part.chars().count() + 1;
        }
        Ok(state)
    }

    fn board_text(&self, state: &ExternalState) -> String {
        let mut text = state.reached.position.text();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }

    /// A board without cells: the other program draws none.
    fn board(&self, _: &ExternalState) -> Board {
        let mut board = Board::new(4.0, 1.0);
        board.label(2.0, 0.5, "no picture");
        board
    }
}

/// Text of the position before the first ply.
const START: &str = "start";

#[cfg(test)]
mod tests;
