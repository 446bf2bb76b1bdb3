//! Games and players that are objects of Python.

use std::panic;
use std::sync::Arc;

use pyo3::exceptions::{PyException, PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use treegauge::board::{Outcome, Side};
use treegauge::engine::{Forfeit, MoveNumber};
use treegauge::external::{
    ExternalPlayer, ExternalPosition, ExternalRules, Reached, register_external,
    register_external_player,
};
use treegauge::{Error, ErrorKind, Line};

use crate::game::Game;
use crate::state::State;
use crate::wait::{Answer, asked_of_caller};

/// Panic of an object of Python that raised an exception where a game can return no error.
pub(crate) struct Raised(PyErr);

impl Raised {
    /// The exception, if it is one that ends a program: Ctrl-C, or an exit.
    pub(crate) fn ending(&self, py: Python<'_>) -> Option<PyErr> {
        (!self.0.is_instance_of::<PyException>(py)).then(|| self.0.clone_ref(py))
    }

    /// The exception as an error of the library.
    pub(crate) fn error(&self) -> Error {
        let message = format!("the game raised {}", Python::attach(|py| words(py, &self.0)));
        Error::new(ErrorKind::Engine, message)
    }
}

/// Class and message of an exception.
fn words(py: Python<'_>, error: &PyErr) -> String {
    let class = error.get_type(py).name().map(|name| name.to_string()).unwrap_or_default();
    format!("{class}: {}", error.value(py))
}

fn with<T>(work: impl FnOnce(Python<'_>) -> PyResult<T>) -> T {
    Python::attach(work).unwrap_or_else(|error| panic::panic_any(Raised(error)))
}

/// Rules of a game object with the methods of OpenSpiel.
struct Rules {
    game: Py<PyAny>,
    action_count: u32,
    has_texts: bool,
}

impl ExternalRules for Rules {
    fn action_count(&self) -> u32 {
        self.action_count
    }

    fn start(&self) -> Reached {
        with(|py| {
            let start = self.game.bind(py).call_method0(intern!(py, "new_initial_state"))?;
            reached(start, self.has_texts)
        })
    }
}

/// State object with the methods of OpenSpiel; it is never changed.
struct At {
    state: Py<PyAny>,
    has_texts: bool,
}

fn reached(state: Bound<'_, PyAny>, has_texts: bool) -> PyResult<Reached> {
    let py = state.py();
    let outcome = outcome(&state)?;
    let (turn, actions) = match outcome {
        Some(_) => (Side::First, Vec::new()),
        None => {
            let turn = match state.call_method0(intern!(py, "current_player"))?.extract::<i64>()? {
                0 => Side::First,
                1 => Side::Second,
                other => {
                    let message = format!("the player to move is {other}: 0 or 1 can be");
                    return Err(PyValueError::new_err(message));
                }
            };
            let mut actions = legal(&state)?;
            actions.sort_unstable();
            (turn, actions)
        }
    };
    let position = Box::new(At { state: state.unbind(), has_texts });
    Ok(Reached { position, turn, outcome, actions })
}

/// The result of a state that is over, by the sign of the first player's return.
fn outcome(state: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
    let py = state.py();
    if !state.call_method0(intern!(py, "is_terminal"))?.is_truthy()? {
        return Ok(None);
    }
    let first: f64 = state.call_method0(intern!(py, "returns"))?.get_item(0)?.extract()?;
    let outcome = match first {
        _ if first > 0.0 => Outcome::FirstWins,
        _ if first < 0.0 => Outcome::SecondWins,
        _ => Outcome::Draw,
    };
    Ok(Some(outcome))
}

fn legal(state: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
    let actions: Vec<u32> = state.call_method0(intern!(state.py(), "legal_actions"))?.extract()?;
    if actions.is_empty() {
        return Err(PyValueError::new_err("a state that is not over has no legal action"));
    }
    Ok(actions)
}

impl At {
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.state.bind(py).call_method0(intern!(py, "clone"))
    }
}

impl ExternalPosition for At {
    fn after(&self, action: u32) -> Reached {
        with(|py| {
            let next = self.copy(py)?;
            next.call_method1(intern!(py, "apply_action"), (action,))?;
            reached(next, self.has_texts)
        })
    }

    fn action_text(&self, action: u32) -> String {
        if !self.has_texts {
            return action.to_string();
        }
        with(|py| {
            let state = self.state.bind(py);
            let text: String =
                state.call_method1(intern!(py, "action_to_string"), (action,))?.extract()?;
            Ok(text.split_whitespace().collect::<Vec<_>>().join("_"))
        })
    }

    fn text(&self) -> String {
        with(|py| Ok(self.state.bind(py).str()?.to_string()))
    }

    fn playout(
        &self,
        plies_max: u32,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> (u32, Option<Outcome>) {
        with(|py| {
            let state = self.copy(py)?;
            let mut plies = 0;
            loop {
                let outcome = outcome(&state)?;
                if outcome.is_some() || plies == plies_max {
                    return Ok((plies, outcome));
                }
                let actions = legal(&state)?;
                let action = actions[choose(actions.len() as u32) as usize];
                state.call_method1(intern!(py, "apply_action"), (action,))?;
                plies += 1;
            }
        })
    }
}

/// Makes a game object known until the process ends. Returns the text of the game.
#[pyfunction]
pub(crate) fn register_game(
    game: Py<PyAny>,
    name: &str,
    digest: &str,
    action_count: u32,
    has_texts: bool,
) -> String {
    register_external(name, digest, Arc::new(Rules { game, action_count, has_texts }))
}

/// Player object with a method `choose`.
struct Chooser {
    player: Py<PyAny>,
    /// The games that it may play.
    games: Vec<Py<Game>>,
    is_strict: bool,
}

/// Whether an exception says that a move is wrong.
fn is_about_argument(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyIndexError>(py)
        || error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
}

impl ExternalPlayer for Chooser {
    fn choose(&self, game: &str, at: &Line) -> Result<MoveNumber, Forfeit> {
        let line = at.clone();
        let is_it = |one: &&Py<Game>| one.get().game.info().canonical_name == game;
        let Some(game) = self.games.iter().find(is_it) else {
            return Err(Forfeit::Failed { reason: format!("it does not play {game}") });
        };
        let (player, game) = Python::attach(|py| (self.player.clone_ref(py), game.clone_ref(py)));
        let is_strict = self.is_strict;
        let answered = asked_of_caller(move |py| {
            // The player may move in its state.
            let here = State::new(game.clone_ref(py), line.clone());
            let failed = |error: PyErr, ends: bool| {
                let reply = Err(Forfeit::Failed { reason: words(py, &error) });
                // Ctrl-C and an exit are not errors of the player.
                let ends = ends || !error.is_instance_of::<PyException>(py);
                Answer { reply, raised: ends.then_some(error) }
            };
            let chosen = Bound::new(py, State::new(game, line))
                .and_then(|state| player.bind(py).call_method1(intern!(py, "choose"), (state,)));
            let chosen = match chosen {
                Ok(chosen) => chosen,
                Err(error) => return failed(error, is_strict),
            };
            match here.number_of(py, &chosen) {
                Ok(number) => Answer { reply: Ok(number), raised: None },
                Err(error) if is_about_argument(py, &error) => {
                    let text = chosen.to_string();
                    let raised = is_strict.then_some(error);
                    Answer { reply: Err(Forfeit::IllegalMove { text }), raised }
                }
                // The game failed, and not the player.
                Err(error) => failed(error, true),
            }
        });
        let lost = || Forfeit::Failed { reason: "the call has ended".to_owned() };
        answered.unwrap_or_else(|| Err(lost()))
    }
}

/// Makes a player object known for some games until the process ends. Returns the text of the
/// player.
#[pyfunction]
pub(crate) fn register_player(
    player: Py<PyAny>,
    name: &str,
    games: Vec<Py<Game>>,
    is_strict: bool,
) -> String {
    register_external_player(name, Arc::new(Chooser { player, games, is_strict }))
}
