//! UCT searches of one type of game, on trees and on webs.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use treegauge_catalog::Entry;
use treegauge_core::{Keyed, Notation, Outcome, Played, Player};
use treegauge_search::picture::{Outline, outline, outline_web};
use treegauge_search::{
    Expansion, Generator, MoveStats, Observer, Search, Shape, ShapeOptions, Stopped, Uct,
    UctOptions, UctVariant, UctWeb,
};

use super::TypedLine;
use crate::line::{Line, MoveNumber};
use crate::uct::{Stop, TriedMove, UctFound, UctSearch};

/// UCT search of one type of game, on a tree or on a web.
pub(crate) struct TypedUct<G: Notation + Keyed, S> {
    entry: Arc<Entry<G>>,
    search: S,
    expansion: Expansion,
    variant: UctVariant,
    /// First position of the last search's game, and its moves to the position that was searched.
    last: Option<(G::State, Vec<G::Move>)>,
}

impl<G: Notation + Keyed, S: Grower<G>> TypedUct<G, S> {
    /// Wraps a search that was made with these options.
    pub(crate) fn new(entry: Arc<Entry<G>>, search: S, options: &UctOptions) -> Self {
        let &UctOptions { expansion, variant, .. } = options;
        TypedUct { entry, search, expansion, variant, last: None }
    }

    /// Keeps the nodes of the last search below a position, if the game has gone on to it.
    fn keep(&mut self, at: &TypedLine<G>) {
        let (start, moves) = at.history();
        let last = self.last.replace((start.clone(), moves.to_vec()));
        if let Some((last_start, last_moves)) = last
            && last_start == *start
            && let Some(since) = moves.strip_prefix(&last_moves[..])
        {
            self.search.keep_after(&self.entry.game, since);
        }
    }

    fn run(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut Stop<'_>,
    ) -> UctFound {
        let line = TypedLine::of(at, &self.entry);
        if self.variant.reuse {
            self.keep(line);
        }
        self.search.search(&self.entry.game, &line.played, rng, observer, stop);
        self.found(at)
    }

    /// Result of the last search; `at` is the position that was searched.
    fn found(&self, at: &Line) -> UctFound {
        let (game, line) = (&self.entry.game, TypedLine::of(at, &self.entry));
        let Found { turn, iterations, stopped } = self.search.found();
        let tried = self.search.tried();
        let (root, best) = (self.search.root(), self.search.best());
        let (visits, score) = match best {
            Some(n) => (tried[n].visits, tried[n].score),
            None => root.map_or((0, 0), |root| (root.visits, root.score)),
        };
        let moves: Vec<G::Move> = best.into_iter().map(|n| tried[n].m).collect();
        UctFound {
            best: numbers_of(game, line.played.state(), &moves).first().copied(),
            mean_for_first: if visits == 0 { 0.0 } else { f64::from(score) / f64::from(visits) },
            visits,
            legal_moves: root.map_or_else(|| at.move_count(), |root| root.legal_moves),
            turn,
            iterations,
            stopped,
            proved: root.and_then(|root| root.proof),
        }
    }
}

impl<G: Notation + Keyed, S: Grower<G>> UctSearch for TypedUct<G, S> {
    fn search(&mut self, at: &Line, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound {
        self.run(at, rng, None, stop)
    }

    fn search_observed(
        &mut self,
        at: &Line,
        rng: &mut Generator,
        observer: &mut dyn Observer,
        stop: &mut Stop<'_>,
    ) -> UctFound {
        self.run(at, rng, Some(observer), stop)
    }

    fn grow(&mut self, at: &Line, more: u32, rng: &mut Generator, stop: &mut Stop<'_>) -> UctFound {
        let line = TypedLine::of(at, &self.entry);
        self.search.grow(&self.entry.game, &line.played, more, rng, stop);
        self.found(at)
    }

    fn tried_after(&self, at: &Line, moves: &[MoveNumber]) -> Option<Vec<(MoveNumber, TriedMove)>> {
        let (game, root) = (&self.entry.game, TypedLine::of(at, &self.entry).played.state());
        let (mut state, mut legal, mut line) = (root.clone(), Vec::new(), Vec::new());
        for &number in moves {
            if game.outcome(&state).is_some() {
                return None;
            }
            game.moves_into(&state, &mut legal);
            let m = *legal.get(number as usize)?;
            game.play(&mut state, m);
            line.push(m);
        }
        let tried = self.search.tried_after(game, root, &line)?;
        let moves: Vec<G::Move> = tried.iter().map(|tried| tried.m).collect();
        let numbers = numbers_of(game, &state, &moves);
        Some(numbers.into_iter().zip(tried.into_iter().map(TriedMove::from)).collect())
    }

    fn principal_variation(&self, at: &Line) -> Vec<MoveNumber> {
        let (game, state) = (&self.entry.game, TypedLine::of(at, &self.entry).played.state());
        line_numbers(game, state, &self.search.principal_variation(game, state))
    }

    fn forget(&mut self) {
        self.last = None;
    }

    fn moves(&self) -> Vec<TriedMove> {
        self.search.tried().into_iter().map(TriedMove::from).collect()
    }

    fn move_numbers(&self, at: &Line) -> Vec<MoveNumber> {
        let moves: Vec<G::Move> = self.search.tried().iter().map(|tried| tried.m).collect();
        numbers_of(&self.entry.game, TypedLine::of(at, &self.entry).played.state(), &moves)
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        self.search.shape(options)
    }

    fn outline(&self, at: &Line, game: &str, seed: u64) -> Outline {
        let state = TypedLine::of(at, &self.entry).played.state();
        let &TypedUct { expansion, variant, .. } = self;
        let outline = self.search.outline(&self.entry.game, game, seed, state);
        Outline { expansion, variant, ..outline }
    }

    fn proved_line(&self, at: &Line) -> Vec<String> {
        let (game, state) = (&self.entry.game, TypedLine::of(at, &self.entry).played.state());
        at.line_texts(&line_numbers(game, state, &self.search.proved_line(game, state)))
    }

    fn node_count(&self) -> u32 {
        self.search.node_count()
    }

    fn memory_bytes(&self) -> u64 {
        self.search.memory_bytes()
    }
}

/// Numbers of a finished search.
pub(crate) struct Found {
    turn: Player,
    iterations: u32,
    stopped: Stopped,
}

impl Found {
    fn of<T>(search: &Search<'_, T>) -> Found {
        let (turn, iterations, stopped) = (search.turn(), search.iterations(), search.stopped());
        Found { turn, iterations, stopped }
    }
}

/// Statistics of the root.
#[derive(Clone, Copy)]
pub(crate) struct Root {
    visits: u32,
    score: i32,
    legal_moves: u32,
    proof: Option<Outcome>,
}

/// Common operations of searches on trees and on webs. Queries are about the last search.
pub(crate) trait Grower<G: Notation>: Send {
    fn search(
        &mut self,
        game: &G,
        at: &Played<G>,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut Stop<'_>,
    );

    fn grow(
        &mut self,
        game: &G,
        at: &Played<G>,
        more: u32,
        rng: &mut Generator,
        stop: &mut Stop<'_>,
    );

    /// Keeps the nodes below the position after some moves for the next search.
    fn keep_after(&mut self, game: &G, moves: &[G::Move]);

    fn found(&self) -> Found;

    fn root(&self) -> Option<Root>;

    /// Moves tried at the root, in the order of trying.
    fn tried(&self) -> Vec<MoveStats<G::Move>>;

    /// Moves tried in the position after some moves from `root`, in the order of trying.
    fn tried_after(
        &self,
        game: &G,
        root: &G::State,
        moves: &[G::Move],
    ) -> Option<Vec<MoveStats<G::Move>>>;

    fn principal_variation(&self, game: &G, root: &G::State) -> Vec<G::Move>;

    /// Index among the tried moves of the move to play.
    fn best(&self) -> Option<usize>;

    fn shape(&self, options: ShapeOptions) -> Option<Shape>;

    fn outline(&self, game: &G, name: &str, seed: u64, state: &G::State) -> Outline;

    fn proved_line(&self, game: &G, state: &G::State) -> Vec<G::Move>;

    fn node_count(&self) -> u32;

    fn memory_bytes(&self) -> u64;
}

impl<G: Notation> Grower<G> for Uct<G> {
    fn search(
        &mut self,
        game: &G,
        at: &Played<G>,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut Stop<'_>,
    ) {
        self.search_observed(game, at, rng, observer, stop);
    }

    fn grow(
        &mut self,
        game: &G,
        at: &Played<G>,
        more: u32,
        rng: &mut Generator,
        stop: &mut Stop<'_>,
    ) {
        Uct::grow(self, game, at, more, rng, stop);
    }

    fn keep_after(&mut self, _: &G, moves: &[G::Move]) {
        Uct::keep_after(self, moves);
    }

    fn found(&self) -> Found {
        Found::of(&self.last())
    }

    fn root(&self) -> Option<Root> {
        self.last().tree().root().map(|root| Root {
            visits: root.visits(),
            score: root.score(),
            legal_moves: root.legal_moves(),
            proof: None,
        })
    }

    fn tried(&self) -> Vec<MoveStats<G::Move>> {
        self.last().tried()
    }

    fn tried_after(
        &self,
        _: &G,
        _: &G::State,
        moves: &[G::Move],
    ) -> Option<Vec<MoveStats<G::Move>>> {
        self.last().tried_after(moves)
    }

    fn principal_variation(&self, _: &G, _: &G::State) -> Vec<G::Move> {
        self.last().principal_variation()
    }

    fn best(&self) -> Option<usize> {
        self.last().best_move_number().map(|n| n as usize)
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        let last = self.last();
        Shape::of(last.tree(), last.turn(), last.drift(), options)
    }

    fn outline(&self, game: &G, name: &str, seed: u64, state: &G::State) -> Outline {
        outline(game, name, seed, state, &self.last())
    }

    fn proved_line(&self, _: &G, _: &G::State) -> Vec<G::Move> {
        Vec::new()
    }

    fn node_count(&self) -> u32 {
        self.last().tree().node_count()
    }

    fn memory_bytes(&self) -> u64 {
        self.last().tree().memory_bytes()
    }
}

impl<G: Notation + Keyed> Grower<G> for UctWeb<G> {
    fn search(
        &mut self,
        game: &G,
        at: &Played<G>,
        rng: &mut Generator,
        observer: Option<&mut dyn Observer>,
        stop: &mut Stop<'_>,
    ) {
        self.search_observed(game, at, rng, observer, stop);
    }

    fn grow(
        &mut self,
        game: &G,
        at: &Played<G>,
        more: u32,
        rng: &mut Generator,
        stop: &mut Stop<'_>,
    ) {
        UctWeb::grow(self, game, at, more, rng, stop);
    }

    fn keep_after(&mut self, game: &G, moves: &[G::Move]) {
        UctWeb::keep_after(self, game, moves);
    }

    fn found(&self) -> Found {
        Found::of(&self.last())
    }

    fn root(&self) -> Option<Root> {
        self.last().web().root().map(|root| Root {
            visits: root.visits(),
            score: root.score(),
            legal_moves: root.legal_moves(),
            proof: root.proof(),
        })
    }

    fn tried(&self) -> Vec<MoveStats<G::Move>> {
        self.last().tried()
    }

    fn tried_after(
        &self,
        game: &G,
        root: &G::State,
        moves: &[G::Move],
    ) -> Option<Vec<MoveStats<G::Move>>> {
        self.last().tried_after(game, root, moves)
    }

    fn principal_variation(&self, game: &G, root: &G::State) -> Vec<G::Move> {
        self.last().principal_variation(game, root)
    }

    fn best(&self) -> Option<usize> {
        self.last().best_move_number().map(|n| n as usize)
    }

    fn shape(&self, options: ShapeOptions) -> Option<Shape> {
        let last = self.last();
        Shape::of_web(last.web(), last.turn(), last.drift(), options)
    }

    fn outline(&self, game: &G, name: &str, seed: u64, state: &G::State) -> Outline {
        outline_web(game, name, seed, state, &self.last())
    }

    fn proved_line(&self, game: &G, state: &G::State) -> Vec<G::Move> {
        self.last().proved_line(game, state)
    }

    fn node_count(&self) -> u32 {
        self.last().web().node_count()
    }

    fn memory_bytes(&self) -> u64 {
        self.last().web().memory_bytes()
    }
}

/// Numbers of some legal moves of a position.
// Code that is not inlined here is compiled once per game, not once per call.
#[inline(never)]
pub(crate) fn numbers_of<G: Notation>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
) -> Vec<MoveNumber> {
    let mut legal = Vec::new();
    game.moves_into(state, &mut legal);
    places_of(&legal, moves)
}

/// Numbers of moves that are played one after the other from a position.
#[inline(never)]
pub(crate) fn line_numbers<G: Notation>(
    game: &G,
    state: &G::State,
    moves: &[G::Move],
) -> Vec<MoveNumber> {
    let (mut state, mut numbers) = (state.clone(), Vec::new());
    for &m in moves {
        numbers.extend(numbers_of(game, &state, &[m]));
        game.play(&mut state, m);
    }
    numbers
}

/// Places of moves among the legal ones.
#[inline(never)]
fn places_of<M: Copy + Eq + Hash>(legal: &[M], moves: &[M]) -> Vec<MoveNumber> {
    // With many moves, a comparison of all pairs would take thousands of millions of steps.
    if moves.len() > 64 {
        let numbers: FxHashMap<M, MoveNumber> = legal.iter().copied().zip(0..).collect();
        return moves.iter().map(|m| numbers[m]).collect();
    }
    let number = |m| legal.iter().position(|one| one == m).expect("the moves are legal");
    moves.iter().map(|m| number(m) as MoveNumber).collect()
}
