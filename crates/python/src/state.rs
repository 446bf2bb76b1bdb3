//! Positions of games in progress.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyString};
use treegauge::board::{Board, Side};
use treegauge::engine::PlayError;
use treegauge::{Error, ErrorKind, Line, StartingPoint};

use crate::errors::{OrRaise, caught, caught_here, of_class};
use crate::game::Game;

/// Number of a player for OpenSpiel when a game is over.
const TERMINAL: i32 = -4;

/// A position of a game in progress, with the moves that led there.
#[pyclass(module = "treegauge._treegauge")]
pub(crate) struct State {
    game: Py<Game>,
    pub(crate) line: Line,
}

impl State {
    pub(crate) fn new(game: Py<Game>, line: Line) -> State {
        State { game, line }
    }

    pub(crate) fn game_of<'py>(&self, py: Python<'py>) -> &Bound<'py, Game> {
        self.game.bind(py)
    }

    /// Ids of the legal moves, ascending.
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let mut actions = Vec::new();
        if self.guarded(py, |line| line.actions_into(&mut actions))? {
            return Ok(actions);
        }
        Err(no_ids(py, &self.name(py)))
    }

    /// Looks at the line. The object of a game of another program may raise an exception meanwhile,
    /// which arrives as a panic.
    fn guarded<T>(&self, py: Python<'_>, look: impl FnOnce(&Line) -> T) -> PyResult<T> {
        let line = &self.line;
        caught_here(py, move || Ok(look(line)))
    }

    /// The exception of an id that is not that of a legal move.
    fn refused(&self, py: Python<'_>, error: &PlayError) -> PyErr {
        match error {
            PlayError::NoActions => no_ids(py, &self.name(py)),
            PlayError::Action { action, count } if action >= count => {
                PyIndexError::new_err(error.to_string())
            }
            error => of_class(py, "UsageError", &error.to_string()),
        }
    }

    fn name(&self, py: Python<'_>) -> String {
        self.game_of(py).get().game.info().canonical_name.clone()
    }

    /// Plays a move that the library found by its text or its place.
    pub(crate) fn number_of(&self, py: Python<'_>, m: &Bound<'_, PyAny>) -> PyResult<u32> {
        if m.is_instance_of::<PyInt>() {
            let place: i64 = m.extract()?;
            let legal = self.line.move_count();
            return u32::try_from(place).ok().filter(|&place| place < legal).ok_or_else(|| {
                let message = format!(
                    "place {place} of a move is out of range: there are {legal} legal moves"
                );
                PyIndexError::new_err(message)
            });
        }
        let text: String = m.extract()?;
        self.guarded(py, |line| line.move_number(&text))?.map_err(usage).or_raise(py)
    }
}

/// Game of a pickled state, the position in which it began, and its moves.
type PickledState<'py> = (Bound<'py, Game>, String, Vec<u32>);

/// The function that makes an object of a pickle, and its arguments.
pub(crate) type Pickled<'py, T> = (Bound<'py, PyAny>, T);

/// The exception of a game whose moves have no ids.
pub(crate) fn no_ids(py: Python<'_>, game: &str) -> PyErr {
    let message = format!("the moves of {game} have no ids: use play()");
    of_class(py, "UsageError", &message)
}

/// The shape of the tensors of a game, which may have none.
pub(crate) fn tensor_shape(
    py: Python<'_>,
    shape: Option<Vec<u32>>,
    game: &str,
) -> PyResult<Vec<u32>> {
    shape.ok_or_else(|| {
        of_class(py, "UsageError", &format!("positions of {game} cannot be written as tensors"))
    })
}

/// The id of a move, as the library takes it.
fn action_id(action: i64) -> Result<u32, PlayError> {
    u32::try_from(action).map_err(|_| PlayError::Action { action: u32::MAX, count: 0 })
}

/// A wrong move is an argument, not a damaged file.
fn usage(error: impl Into<Error>) -> Error {
    error.into().of_kind(ErrorKind::Usage)
}

/// Hash of anything that is hashable, the same in every process.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[pymethods]
impl State {
    #[getter]
    fn game<'py>(&self, py: Python<'py>) -> Bound<'py, Game> {
        self.game_of(py).clone()
    }

    /// 0 for the first player, 1 for the second, -4 if the game is over.
    fn current_player(&self) -> i32 {
        match (self.line.ended(), self.line.turn()) {
            (Some(_), _) => TERMINAL,
            (None, Side::First) => 0,
            (None, Side::Second) => 1,
        }
    }

    fn is_terminal(&self) -> bool {
        self.line.ended().is_some()
    }

    /// Results of both players: 1 for a win, 0 for a draw or while the game goes on, -1 for a loss.
    fn returns(&self) -> [f64; 2] {
        let first = self.line.ended().map_or(0.0, |ended| f64::from(ended.outcome as i8));
        // A draw is 0, not -0.
        [first, 0.0 - first]
    }

    /// The rule that ended the game; `None` while it goes on.
    #[getter]
    fn ended_by(&self) -> Option<String> {
        self.line.ended().map(|ended| ended.by.to_string())
    }

    /// The first player's score minus the second's; `None` if the game has no scores.
    #[getter]
    fn margin(&self) -> Option<i32> {
        self.line.margin()
    }

    /// Texts of the legal moves, in the order of the game.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.guarded(py, Line::moves)
    }

    /// The number of legal moves.
    fn move_count(&self) -> u32 {
        self.line.move_count()
    }

    /// Plays a move: a text, or its place in `moves()`.
    fn play(&mut self, py: Python<'_>, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let number = self.number_of(py, r#move)?;
        let line = &mut self.line;
        let play = move || {
            line.play(number);
            Ok(())
        };
        caught_here(py, play)
    }

    /// Ids of the legal moves, ascending. An id stands for one text of a move in all positions.
    fn legal_actions(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        self.actions(py)
    }

    /// A byte for each id of the game's moves: 1 if it is legal, or 0.
    fn legal_actions_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let mut mask = vec![0_u8; self.line.action_count().unwrap_or(0) as usize];
        for action in self.actions(py)? {
            mask[action as usize] = 1;
        }
        Ok(PyBytes::new(py, &mask))
    }

    /// Plays the move with an id.
    fn apply_action(&mut self, py: Python<'_>, action: i64) -> PyResult<()> {
        let refused = match action_id(action) {
            Ok(id) => {
                let line = &mut self.line;
                caught_here(py, move || Ok(line.play_action(id)))?
            }
            Err(error) => Err(error),
        };
        refused.map_err(|error| self.refused(py, &error))
    }

    /// Takes the last move back, as `undo()` does.
    fn undo_action(&mut self, py: Python<'_>) -> PyResult<()> {
        self.undo(py)
    }

    /// The text of the legal move with an id.
    fn action_to_string(&self, py: Python<'_>, action: i64) -> PyResult<String> {
        let refused = |error| self.refused(py, &error);
        let id = action_id(action).map_err(refused)?;
        self.guarded(py, |line| line.action_text(id))?.map_err(refused)
    }

    /// The id of the legal move with a text.
    fn string_to_action(&self, py: Python<'_>, text: &str) -> PyResult<u32> {
        let number =
            self.guarded(py, |line| line.move_number(text))?.map_err(usage).or_raise(py)?;
        self.line.action_of(number).ok_or_else(|| no_ids(py, &self.name(py)))
    }

    /// Takes the last move back.
    fn undo(&mut self, py: Python<'_>) -> PyResult<()> {
        let line = &mut self.line;
        if caught_here(py, move || Ok(line.undo()))? {
            return Ok(());
        }
        Err(of_class(py, "UsageError", "no move was played since the beginning"))
    }

    /// The numbers of the position as an array of float32 in the shape of
    /// `Game.observation_shape()`. It needs numpy.
    fn observation_tensor<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let shape = tensor_shape(py, self.line.tensor_shape(), &self.name(py))?;
        let mut tensor = vec![0.0_f32; shape.iter().map(|&size| size as usize).product()];
        self.line.write_tensor(&mut tensor);
        let bytes: Vec<u8> = tensor.iter().flat_map(|number| number.to_ne_bytes()).collect();
        let array =
            py.import("numpy")?.call_method1("frombuffer", (PyBytes::new(py, &bytes), "f4"))?;
        array.call_method1("reshape", (shape,))
    }

    /// Ids of the moves since the beginning.
    fn history(&self, py: Python<'_>) -> PyResult<Vec<u32>> {
        let ids: Option<Vec<u32>> = self.guarded(py, |whole| {
            let mut line = whole.start();
            let played = whole.played().into_iter().map(|number| {
                let action = line.action_of(number);
                line.play(number);
                action
            });
            played.collect()
        })?;
        ids.filter(|_| self.line.action_count().is_some()).ok_or_else(|| no_ids(py, &self.name(py)))
    }

    /// Texts of the moves since the beginning.
    fn history_str(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.guarded(py, Line::played_texts)
    }

    fn clone(&self, py: Python<'_>) -> State {
        State { game: self.game.clone_ref(py), line: self.line.clone() }
    }

    /// The state after a move: an id, or a text.
    fn child(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<State> {
        let mut child = self.clone(py);
        match action.is_instance_of::<PyString>() {
            true => child.play(py, action)?,
            // Numbers of numpy, too.
            false => child.apply_action(py, action.extract()?)?,
        }
        Ok(child)
    }

    /// The position as text.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        self.guarded(py, Line::position_text)
    }

    /// The number of plies since the beginning.
    #[getter]
    fn ply(&self) -> u32 {
        self.line.ply().0
    }

    /// A picture of the board.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.guarded(py, Line::board_svg)
    }

    /// A picture of the board with the values of moves on the cells where they end. `values` is the
    /// table `Search.moves`, or a mapping of moves to numbers.
    #[pyo3(signature = (values=None))]
    fn show<'py>(
        slf: &Bound<'py, Self>,
        values: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("treegauge._games")?.getattr("shown")?.call1((slf, values))
    }

    /// The board with marks: the text of a move, the text on its last cell, and a weight from 0 to 1
    /// that decides how strong the mark is. Where several moves end on a cell, the heaviest counts.
    fn _svg_with(&self, py: Python<'_>, marks: Vec<(String, String, f64)>) -> PyResult<String> {
        self.guarded(py, |line| marked_board(line, marks))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.guarded(py, Line::board_text)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let game = &self.game_of(py).get().game;
        Ok(format!("<State of {}: {}>", game.written(), self.position(py)?))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<State>() else { return Ok(false) };
        let other = other.try_borrow()?;
        Ok(self.name(py) == other.name(py) && self.position(py)? == other.position(py)?)
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(hash_of(&(self.name(py), self.position(py)?)))
    }

    fn __copy__(&self, py: Python<'_>) -> State {
        self.clone(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> State {
        self.clone(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, PickledState<'py>>> {
        let made = py.import("treegauge._games")?.getattr("state_of")?;
        Ok((made, (self.game(py), self.start(py)?, self.line.played())))
    }

    /// The position in which the game began.
    #[getter]
    fn start(&self, py: Python<'_>) -> PyResult<String> {
        self.guarded(py, |line| line.start().position_text())
    }

    /// The state of a pickle.
    #[staticmethod]
    fn _again(game: Bound<'_, Game>, start: String, moves: Vec<u32>) -> PyResult<State> {
        let played = || -> Result<Line, Error> {
            let position = Some(start);
            let from = StartingPoint { position, moves: Vec::new() };
            let mut line = game.get().game.begin(&from)?;
            for number in moves {
                line.try_play(number)?;
            }
            Ok(line)
        };
        let line = caught(played).or_raise(game.py())?;
        Ok(State::new(game.clone().unbind(), line))
    }
}

/// The board with marks, as [`State::_svg_with`] takes them.
fn marked_board(line: &Line, marks: Vec<(String, String, f64)>) -> String {
    let board = line.board();
    let mut on_cells: BTreeMap<usize, (String, f64)> = BTreeMap::new();
    for (m, text, weight) in marks {
        let Ok(number) = line.move_number(&m) else { continue };
        let Some(last) = line.move_cells(number).last().map(|part| part.cell) else {
            continue;
        };
        let known = on_cells.get(&last).is_some_and(|(_, known)| *known >= weight);
        if !known {
            on_cells.insert(last, (text, weight));
        }
    }
    let mut marked = String::new();
    for (cell, (text, weight)) in on_cells {
        let (x, y) = Board::pixels(board.cells[cell].x, board.cells[cell].y);
        let (radius, size) = (0.36 * Board::CELL_PIXELS, 0.25 * Board::CELL_PIXELS);
        let opacity = 0.15 + 0.7 * weight.clamp(0.0, 1.0);
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        marked.push_str(&format!(
            "<circle class=\"value\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#3f8f5f\" \
             fill-opacity=\"{opacity:.2}\"/>\n<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size:.0}\" \
             fill=\"#000000\">{text}</text>\n",
            y + 0.35 * size,
        ));
    }
    let svg = line.board_svg();
    match svg.rfind("</svg>") {
        Some(end) => format!("{}{marked}{}", &svg[..end], &svg[end..]),
        None => svg,
    }
}
