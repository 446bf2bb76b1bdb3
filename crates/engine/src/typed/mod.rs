//! Engine of one type of game: the code compiled for each of them, and the only visitor of the
//! program.

mod alphabeta;
mod evaluators;
mod uct;

use std::any::Any;
use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use treegauge_catalog::{Entry, GameSpec, NamedEvaluator, SpecError, Visitor};
use treegauge_core::{
    Board, Ended, KeyCode, Keyed, Look, Notation, PathCell, Played, Player, PlayoutLimits, Plies,
    SavedPoint, Watch, perft_divide_watched, perft_watched, positions_by_ply,
};
use treegauge_search::{AlphaBeta, AlphaBetaOptions, Generator, Uct, UctOptions, UctWeb};
use treegauge_solve::{AnyCode, AnySolvable};

use crate::alphabeta::AlphaBetaSearch;
use crate::engine::{Engine, GameInfo, PlayoutTally};
use crate::evaluators::{EvaluatorError, EvaluatorSpec};
use crate::line::{BeginError, ErasedLine, Line, MoveNumber, StartingPoint};
use crate::random_games::{RandomGames, RandomGamesPlan};
use crate::root_parallel::RootParallel;
use crate::uct::UctSearch;

use alphabeta::TypedAlphaBeta;
use evaluators::TypedEvaluator;
use uct::{TypedUct, line_numbers, numbers_of};

/// Engine of one type of game.
pub(crate) struct Typed<G: Notation + Keyed> {
    entry: Arc<Entry<G>>,
    info: GameInfo,
}

impl<G: Notation + Keyed> Debug for Typed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Engine").field(&self.info.canonical_name).finish()
    }
}

/// Number of moves between two saved points of a line. Points after every move would make copies of
/// a line dear.
const SAVE_STEP: usize = 16;

/// Game in progress of one type.
pub(crate) struct TypedLine<G: Notation + Keyed> {
    entry: Arc<Entry<G>>,
    pub(crate) played: Played<G>,
    /// Position in which the line began, and its moves since.
    start: G::State,
    line: Vec<G::Move>,
    /// Points after each [`SAVE_STEP`] moves, from which a move is taken back.
    saved: Vec<SavedPoint<G::State>>,
    /// Moves of the last position whose moves were listed; kept for its memory.
    moves: Vec<G::Move>,
}

/// Visitor that creates the engine of a game.
struct Open<'a>(&'a GameSpec);

impl Visitor for Open<'_> {
    type Output = Arc<dyn Engine>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Arc<dyn Engine> {
        let info = GameInfo {
            spec: self.0.clone(),
            canonical_name: entry.canonical_name().to_owned(),
            capabilities: entry.capabilities().list(),
            evaluators: entry.evaluators().iter().map(NamedEvaluator::info).collect(),
            has_margin: entry.margins().is_some(),
            symmetry_count: entry.symmetry_count(),
            action_count: entry.action_count(),
            tensor_shape: entry.tensor_shape(),
            plies_max: entry.game.plies_max().filter(|&plies| plies <= entry.game.ply_cap()),
            has_limits: entry.game.cyclic() || entry.game.ply_cap() < GameInfo::USUAL_PLY_CAP,
        };
        Arc::new(Typed { entry: Arc::new(entry), info })
    }
}

/// Creates the engine of a game.
///
/// # Errors
///
/// When the parameters of the game, each in its range, are not valid together.
///
/// ```
/// use treegauge_catalog::GameSpec;
///
/// let spec = GameSpec::parse("connect_four(cols=5,rows=4)").unwrap();
/// let engine = treegauge_engine::open(&spec).unwrap();
/// assert_eq!(engine.perft(&engine.start(), 3, &()), Some(vec![5, 25, 125]));
/// ```
pub fn open(spec: &GameSpec) -> Result<Arc<dyn Engine>, SpecError> {
    spec.with_game(Open(spec))
}

/// Creates a line that begins in a position without history.
fn line<G: Notation + Keyed>(entry: Arc<Entry<G>>, start: G::State) -> Line {
    let played = Played::from_state(start.clone());
    let (line, saved, moves) = (Vec::new(), Vec::new(), Vec::new());
    Line(Box::new(TypedLine { entry, played, start, line, saved, moves }))
}

impl<G: Notation + Keyed> Engine for Typed<G> {
    fn info(&self) -> &GameInfo {
        &self.info
    }

    fn begin(&self, from: &StartingPoint) -> Result<Line, BeginError> {
        let game = &self.entry.game;
        let start = match &from.position {
            Some(text) => game.parse_position(text)?,
            None => game.start(),
        };
        let mut line = line(self.entry.clone(), start);
        line.play_texts(&from.moves)?;
        Ok(line)
    }

    fn start(&self) -> Line {
        line(self.entry.clone(), self.entry.game.start())
    }

    fn playouts(&self, at: &Line, count: u32, rng: &mut Generator) -> PlayoutTally {
        let game = &self.entry.game;
        let played = &TypedLine::of(at, &self.entry).played;
        let limits: PlayoutLimits = played.playout_limits(game);
        // These sums stay in registers: the shortest games take some forty nanoseconds.
        let (mut plies, mut first_wins, mut second_wins) = (0, 0, 0);
        for _ in 0..count {
            let mut state = played.state().clone();
            let end = game.playout(&mut state, limits, rng);
            let value = end.outcome.value();
            plies += u64::from(end.plies.0);
            first_wins += u64::from(value > 0);
            second_wins += u64::from(value < 0);
        }
        let playouts = u64::from(count);
        let draws = playouts - first_wins - second_wins;
        PlayoutTally { playouts, plies, outcomes: [second_wins, draws, first_wins] }
    }

    fn random_games(
        &self,
        at: &Line,
        plan: &RandomGamesPlan,
        numbers: &[u32],
        stop: &dyn Fn() -> bool,
    ) -> Option<RandomGames> {
        let played = &TypedLine::of(at, &self.entry).played;
        RandomGames::play(&self.entry.game, played, plan, numbers, stop)
    }

    fn perft(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>> {
        let state = TypedLine::of(at, &self.entry).played.state();
        perft_watched(&self.entry.game, state, depth, watch)
    }

    fn perft_divide(&self, at: &Line, depth: usize, watch: &dyn Watch) -> Option<Vec<u64>> {
        let state = TypedLine::of(at, &self.entry).played.state();
        let counts = perft_divide_watched(&self.entry.game, state, depth, watch)?;
        Some(counts.into_iter().map(|(_, count)| count).collect())
    }

    fn positions_by_ply(
        &self,
        at: &Line,
        depth: usize,
        bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Option<Vec<u64>> {
        let state = TypedLine::of(at, &self.entry).played.state();
        positions_by_ply(&self.entry.game, state, depth, bytes_max, watch)
    }

    fn uct_with(&self, options: UctOptions) -> Box<dyn UctSearch> {
        let entry = self.entry.clone();
        let UctOptions { budget, cp, expansion, variant } = options;
        if variant.threads > 1 {
            return Box::new(RootParallel::new(options, &|options| self.uct_with(options)));
        }
        if variant.is_tree() {
            let uct = Uct::new(budget).with_cp(cp).with_expansion(expansion);
            return Box::new(TypedUct::new(entry, uct, &options));
        }
        let web = UctWeb::new(budget, variant.merge).with_cp(cp).with_expansion(expansion);
        let web = web.with_counts(variant.back_up, variant.counts).with_solver(variant.solver);
        let web = web.with_symmetries(entry.capabilities().symmetries);
        Box::new(TypedUct::new(entry, web, &options))
    }

    fn alpha_beta(
        &self,
        options: AlphaBetaOptions,
        evaluator: &EvaluatorSpec,
    ) -> Result<Box<dyn AlphaBetaSearch>, EvaluatorError> {
        let evaluator = TypedEvaluator::open(&self.entry, &self.info, evaluator)?;
        let search = AlphaBeta::new(options);
        let entry = self.entry.clone();
        Ok(Box::new(TypedAlphaBeta { entry, options, search, evaluator, last: None }))
    }

    fn code(&self, at: &Line) -> AnyCode {
        let state = TypedLine::of(at, &self.entry).played.state();
        AnyCode::new(self.entry.game.key(state).code())
    }

    fn rules(&self) -> AnySolvable {
        AnySolvable::of(self.entry.game.clone(), *self.entry.capabilities())
    }
}

impl<G: Notation + Keyed> TypedLine<G> {
    /// Game in progress behind a line of this type of game.
    ///
    /// # Panics
    ///
    /// When it is one of another game.
    pub(crate) fn of<'a>(line: &'a Line, entry: &Arc<Entry<G>>) -> &'a TypedLine<G> {
        let line: Option<&TypedLine<G>> = line.0.as_any().downcast_ref();
        let of_game = |line: &&TypedLine<G>| {
            Arc::ptr_eq(&line.entry, entry) || line.entry.canonical_name() == entry.canonical_name()
        };
        line.filter(of_game).expect("a line is used with an engine of its game")
    }

    /// Position in which the line began, and the moves since.
    pub(crate) fn history(&self) -> (&G::State, &[G::Move]) {
        (&self.start, &self.line)
    }

    fn play_move(&mut self, m: G::Move) {
        self.played.play(&self.entry.game, m);
        self.line.push(m);
        if self.line.len().is_multiple_of(SAVE_STEP) {
            self.saved.push(self.played.mark());
        }
    }

    fn legal_move(&self, number: MoveNumber) -> G::Move {
        let mut moves = Vec::new();
        self.entry.game.moves_into(self.played.state(), &mut moves);
        moves[number as usize]
    }

    fn number(&self, m: G::Move) -> MoveNumber {
        numbers_of(&self.entry.game, self.played.state(), &[m])[0]
    }
}

impl<G: Notation + Keyed> ErasedLine for TypedLine<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn ErasedLine> {
        let (entry, played) = (self.entry.clone(), self.played.clone());
        let (start, line, saved) = (self.start.clone(), self.line.clone(), self.saved.clone());
        Box::new(TypedLine { entry, played, start, line, saved, moves: Vec::new() })
    }

    fn turn(&self) -> Player {
        self.entry.game.turn(self.played.state())
    }

    fn ply(&self) -> Plies {
        self.played.ply()
    }

    fn ended(&self) -> Option<Ended> {
        self.played.ended(&self.entry.game)
    }

    fn margin(&self) -> Option<i32> {
        self.entry.margin(self.played.state())
    }

    fn move_count(&self) -> u32 {
        self.entry.game.move_count(self.played.state())
    }

    fn move_text(&self, number: MoveNumber) -> String {
        self.entry.game.move_text(self.played.state(), self.legal_move(number))
    }

    fn move_texts(&self) -> Vec<String> {
        let (game, state) = (&self.entry.game, self.played.state());
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        moves.into_iter().map(|m| game.move_text(state, m)).collect()
    }

    fn move_number(&self, text: &str) -> Option<MoveNumber> {
        let m = self.entry.game.parse_move(self.played.state(), text).ok()?;
        Some(self.number(m))
    }

    fn play(&mut self, number: MoveNumber) {
        self.entry.game.moves_into(self.played.state(), &mut self.moves);
        self.play_move(self.moves[number as usize]);
    }

    fn undo(&mut self) -> bool {
        if self.line.pop().is_none() {
            return false;
        }
        self.saved.truncate(self.line.len() / SAVE_STEP);
        match self.saved.last() {
            Some(point) => self.played.restore(point),
            None => self.played = Played::from_state(self.start.clone()),
        }
        for &m in &self.line[self.saved.len() * SAVE_STEP..] {
            self.played.play(&self.entry.game, m);
        }
        true
    }

    fn random_move(&self, rng: &mut Generator) -> Option<MoveNumber> {
        self.entry.game.random_move(self.played.state(), rng).map(|m| self.number(m))
    }

    fn random_plies(&mut self, plies: u32, rng: &mut Generator) -> Vec<MoveNumber> {
        let mut numbers = Vec::new();
        while numbers.len() < plies as usize && self.ended().is_none() {
            let m = self.entry.game.random_move(self.played.state(), rng);
            let m = m.expect("an unfinished game has a move");
            numbers.push(self.number(m));
            self.play_move(m);
        }
        numbers
    }

    fn looks_into(&self, looks: &mut Vec<Look>) -> bool {
        let looks_of = self.entry.capabilities().looks;
        looks_of.inspect(|of| of(&self.entry.game, self.played.state(), looks)).is_some()
    }

    fn action_count(&self) -> Option<u32> {
        self.entry.action_count()
    }

    fn actions_into(&self, actions: &mut Vec<u32>) -> bool {
        let Some(ids) = self.entry.capabilities().actions else { return false };
        let (game, state) = (&self.entry.game, self.played.state());
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        actions.extend(moves.into_iter().map(|m| (ids.of)(game, state, m)));
        true
    }

    fn play_action(&mut self, action: u32) -> bool {
        let Some(ids) = self.entry.capabilities().actions else { return false };
        let (game, state) = (&self.entry.game, self.played.state());
        let Some(m) = (ids.move_of)(game, state, action, &mut self.moves) else { return false };
        self.play_move(m);
        true
    }

    fn tensor_shape(&self) -> Option<Vec<u32>> {
        self.entry.tensor_shape()
    }

    fn write_tensor(&self, out: &mut [f32]) -> bool {
        let tensors = self.entry.capabilities().tensors;
        tensors.inspect(|of| (of.write)(&self.entry.game, self.played.state(), out)).is_some()
    }

    fn position_text(&self) -> String {
        self.entry.game.position_text(self.played.state())
    }

    fn board_text(&self) -> String {
        self.entry.game.board_text(self.played.state())
    }

    fn board(&self) -> Board {
        self.entry.game.board(self.played.state())
    }

    fn move_cells(&self, number: MoveNumber, board: &Board) -> Vec<PathCell> {
        self.entry.game.move_cells(self.played.state(), self.legal_move(number), board)
    }

    fn paths(&self, board: &Board) -> Vec<(String, Vec<PathCell>)> {
        let (game, state) = (&self.entry.game, self.played.state());
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        let path = |m| (game.move_text(state, m), game.move_cells(state, m, board));
        moves.into_iter().map(path).collect()
    }

    fn start(&self) -> Line {
        line(self.entry.clone(), self.start.clone())
    }

    fn numbers(&self) -> Vec<MoveNumber> {
        line_numbers(&self.entry.game, &self.start, &self.line)
    }

    fn is_same(&self, other: &dyn ErasedLine) -> bool {
        let other: Option<&Self> = other.as_any().downcast_ref();
        other.is_some_and(|other| {
            self.history() == other.history()
                && self.entry.canonical_name() == other.entry.canonical_name()
        })
    }

    fn hash(&self, mut hasher: &mut dyn Hasher) {
        self.entry.canonical_name().hash(&mut hasher);
        self.history().hash(&mut hasher);
    }
}
