//! Games.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyTuple};
use rayon::prelude::*;
use treegauge::report::Boards;
use treegauge::search::Seed;
use treegauge::{Error, ErrorKind, StartingPoint, opening_name, rules_text};

use crate::errors::{OrRaise, caught, of_class};
use crate::state::{Pickled, State, no_ids, tensor_shape};
use crate::wait::{Caller, wait, whole};

/// A game, with the texts of the files that describe it.
#[pyclass(module = "treegauge._treegauge", frozen, subclass)]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) game: treegauge::Game,
    text: String,
    /// The texts that were read, by file name.
    sources: BTreeMap<String, String>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (text, *, rules=None))]
    fn new(py: Python<'_>, text: &str, rules: Option<HashMap<String, String>>) -> PyResult<Game> {
        let rules = rules.unwrap_or_default();
        let made = py.detach(|| {
            caught(|| {
                let mut sources = BTreeMap::new();
                let named = opening_name(text, &rules);
                let game = treegauge::Game::parse_with(&named, &mut |file| {
                    let source = match rules.get(file) {
                        Some(text) => text.clone(),
                        None => rules_text(Path::new(file))?,
                    };
                    sources.insert(file.to_owned(), source.clone());
                    Ok(source)
                })?;
                Ok(Game { game, text: text.to_owned(), sources })
            })
        });
        made.or_raise(py)
    }

    /// The game as it was written.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The canonical name: equal for two texts exactly if the games are equal.
    #[getter]
    fn canonical(&self) -> String {
        self.game.info().canonical_name.clone()
    }

    /// Digest of the text that describes the game; empty for a game of the program.
    #[getter]
    fn digest(&self) -> String {
        let digest = self.game.info().spec.digest();
        digest.map_or_else(String::new, |digest| format!("{digest:016x}"))
    }

    /// The name of the family.
    #[getter]
    fn family(&self) -> &'static str {
        self.game.info().spec.family().name
    }

    /// The name of the game for people.
    #[getter]
    fn title(&self) -> String {
        self.game.info().spec.title()
    }

    /// The rules in plain English.
    #[getter]
    fn rules(&self) -> String {
        Boards::rules(&self.game)
    }

    /// Texts of the files that describe the game, by file name.
    #[getter]
    fn sources(&self) -> BTreeMap<String, String> {
        self.sources.clone()
    }

    /// Values of all parameters.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let spec = &self.game.info().spec;
        let parameters = PyDict::new(py);
        for parameter in spec.family().all_parameters() {
            let Some(text) = spec.args().get(parameter.name) else { continue };
            let value = match (text.parse::<i64>(), text.parse::<bool>()) {
                (Ok(number), _) => number.into_py_any(py)?,
                (_, Ok(flag)) => flag.into_py_any(py)?,
                _ => text.into_py_any(py)?,
            };
            parameters.set_item(parameter.name, value)?;
        }
        Ok(parameters)
    }

    /// Capabilities beyond rules and notation.
    #[getter]
    fn capabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        let capabilities = self.game.info().capabilities.iter();
        PyFrozenSet::new(py, capabilities.map(|one| format!("{one:?}").to_lowercase()))
    }

    /// The number of symmetries of the board, with the identity.
    #[getter]
    fn symmetries(&self) -> usize {
        self.game.info().symmetry_count
    }

    /// The number of ids of the game's moves.
    fn num_distinct_actions(&self, py: Python<'_>) -> PyResult<u32> {
        self.game.info().action_count.ok_or_else(|| no_ids(py, &self.text))
    }

    /// The shape of `State.observation_tensor()`: the number of planes, then the sizes of a plane.
    fn observation_shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let shape = tensor_shape(py, self.game.info().tensor_shape.clone(), &self.text)?;
        PyTuple::new(py, shape)
    }

    /// The most plies of a game.
    fn max_game_length(&self) -> u32 {
        self.game.info().spec.args().ply_cap().0
    }

    /// The beginning of a game, or a position of it, after moves from there.
    #[pyo3(signature = (position=None, moves=Vec::new()))]
    fn new_initial_state(
        slf: &Bound<'_, Self>,
        position: Option<String>,
        moves: Vec<String>,
    ) -> PyResult<State> {
        let (py, game) = (slf.py(), &slf.get().game);
        let line = caught(|| game.begin(&StartingPoint { position, moves }));
        // A position and moves are arguments here, not files.
        let line = line.map_err(|error| match error.kind() {
            ErrorKind::Data => error.of_kind(ErrorKind::Usage),
            _ => error,
        });
        Ok(State::new(slf.clone().unbind(), line.or_raise(py)?))
    }

    /// Results of random games: games, plies, wins of the first player, draws, wins of the second.
    #[pyo3(signature = (count, *, at=None, seed=1, threads=None))]
    fn playouts(
        &self,
        py: Python<'_>,
        count: u32,
        at: Option<PyRef<'_, State>>,
        seed: u64,
        threads: Option<usize>,
    ) -> PyResult<(u64, u64, u64, u64, u64)> {
        let at = self.line(py, at)?;
        let game = self.game.clone();
        // Games of other programs take their time, and only one thread can play them.
        let is_slow = game.info().spec.is_external();
        let in_block = if is_slow { BLOCK_OF_SLOW } else { BLOCK };
        let threads = if is_slow { Some(1) } else { threads };
        let caller = Caller { threads, ..Caller::default() };
        let waited = wait(py, &caller, move |watch| {
            let blocks = (0..count.div_ceil(in_block)).into_par_iter().map(|block| {
                if treegauge::Watch::stop(watch) {
                    return [0; 5];
                }
                let games = (count - block * in_block).min(in_block);
                let mut rng = Seed(seed).child(u64::from(block)).generator();
                let tally = game.engine().playouts(&at, games, &mut rng);
                let [second, draws, first] = tally.outcomes;
                [tally.playouts, tally.plies, first, draws, second]
            });
            let add = |one: [u64; 5], other: [u64; 5]| std::array::from_fn(|n| one[n] + other[n]);
            Ok(blocks.reduce(|| [0; 5], add))
        });
        let [games, plies, first, draws, second] = whole(py, waited)?;
        Ok((games, plies, first, draws, second))
    }

    /// Numbers of lines of 1 to `depth` plies.
    #[pyo3(signature = (depth, *, at=None))]
    fn perft(
        &self,
        py: Python<'_>,
        depth: usize,
        at: Option<PyRef<'_, State>>,
    ) -> PyResult<Vec<u64>> {
        let (at, game) = (self.line(py, at)?, self.game.clone());
        let caller = Caller { threads: Some(1), ..Caller::default() };
        let waited = wait(py, &caller, move |watch| {
            Ok(treegauge::perft(&game, &at, depth, false, watch)?.counts)
        });
        whole(py, waited)
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Game({:?})", self.text)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Game>();
        other.is_ok_and(|other| self.name() == other.get().name())
    }

    fn __hash__(&self) -> u64 {
        crate::state::hash_of(&self.name())
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<Pickled<'py, (String, BTreeMap<String, String>)>> {
        let made = slf.py().import("treegauge._games")?.getattr("game_of")?;
        let game = slf.get();
        Ok((made, (game.text.clone(), game.sources.clone())))
    }
}

/// Random games that share a random generator.
const BLOCK: u32 = 1 << 10;

/// The same for slow games.
const BLOCK_OF_SLOW: u32 = 1 << 4;

impl Game {
    fn name(&self) -> &str {
        &self.game.info().canonical_name
    }

    /// The position of a state of this game; the start without one.
    pub(crate) fn line(
        &self,
        py: Python<'_>,
        at: Option<PyRef<'_, State>>,
    ) -> PyResult<treegauge::Line> {
        let Some(state) = at else { return Ok(self.game.start()) };
        let game = &state.game_of(py).get().game;
        if Arc::ptr_eq(game.engine(), self.game.engine()) {
            return Ok(state.line.clone());
        }
        if game.info().canonical_name == self.name() {
            // A line of an equal game may belong to another engine, so it is played again.
            return again(&self.game, &state.line).or_raise(py);
        }
        Err(of_class(py, "UsageError", "the state belongs to another game"))
    }
}

/// The same line in another engine of its game.
pub(crate) fn again(
    game: &treegauge::Game,
    line: &treegauge::Line,
) -> Result<treegauge::Line, Error> {
    let position = Some(line.start().position_text());
    let mut same = game.begin(&StartingPoint { position, moves: Vec::new() })?;
    for number in line.played() {
        same.try_play(number)?;
    }
    Ok(same)
}
