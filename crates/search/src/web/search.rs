//! UCT search on a web.

use std::cell::{Cell, RefCell};

use rand_core::Rng;
use treegauge_core::{Game, Keyed, Played, Player, SavedPoint, Symmetries, uniform_below};

use super::{BackUp, Bounds, Counts, Merge, MoveCounts, Web, WebNodeId};
use crate::bound::{Exploration, greatest, mean, width};
use crate::budget::{Budget, Stopped};
use crate::ran::{Ran, Search};
use crate::uct::{
    DEFAULT_CP, Expansion, Observed, Observer, UctPhase, asked, note, retain_untried,
};

/// UCT search on a web, which can be reused and keeps its memory.
///
/// # Algorithm
///
/// It is [`Uct`](crate::Uct) with these differences:
///
/// - A move to a position that is a node already leads to that node, and the descent goes on from
///   there. So an iteration still adds at most one node.
/// - The choice among moves uses the statistics of the positions that they lead to, or those of the
///   moves ([`MoveCounts`]). In both cases `t` is the number of visits of the node.
/// - A result updates the nodes on the way down, or all nodes above ([`BackUp`]).
/// - A descent that meets the end of a game by its history, which other lines to the same node may not have,
///   ends there with the result of that ending.
/// - With a solver a node has bounds of its value, which are exact for a finished game: at least
///   the best lower bound of its moves and, once all were tried, at most the best upper bound. A
///   move that cannot be better than the player's sure result is not searched again. A descent ends
///   at a node whose bounds are equal, with that result, and the search ends when the root is such
///   a node. Averages are clamped to the bounds. (Cazenave and Saffidine 2010, "Score Bounded
///   Monte-Carlo Tree Search"; without draws it is the solver of Winands, Björnsson and Saito 2008,
///   which searches proved draws again and again.) The end of a game by its history gives no
///   bounds.
///
/// With [`Merge::None`] it grows the same tree as [`Uct`](crate::Uct) from the same random numbers.
///
/// Source: Williams 2010, section 6.3, for the web and its back-ups.
///
/// ```
/// use treegauge_core::{Outcome, Played, Plies};
/// use treegauge_games::tic_tac_toe::{Fixed, TicTacToe};
/// use treegauge_search::{Budget, Merge, Seed, Stopped, UctWeb};
///
/// let game = TicTacToe::new(Fixed::<3, 3>, Plies(1_000));
/// let mut uct = UctWeb::new(Budget::iterations(100_000), Merge::Equal).with_solver(true);
/// let found = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
/// assert_eq!(found.stopped(), Stopped::Decided);
/// assert_eq!(found.web().root().unwrap().proof(), Some(Outcome::Draw));
/// ```
#[derive(Clone, Debug)]
pub struct UctWeb<G: Keyed> {
    pub(super) budget: Budget,
    exploration: Exploration,
    expansion: Expansion,
    merge: Merge,
    back_up: BackUp,
    web: Web<G>,
    /// Whether the next search continues from this web.
    kept: bool,
    /// Nodes on the way down.
    path: Vec<WebNodeId>,
    /// Numbers of the moves between them.
    edges: Vec<u32>,
    moves: Vec<G::Move>,
    /// Means of the moves that the search chooses from.
    means: Vec<f64>,
    widths: Vec<f64>,
    /// Data of the last search.
    ran: Ran,
}

impl<G: Keyed> UctWeb<G> {
    /// Creates a search with [`DEFAULT_CP`]. [`Merge::Symmetric`] also needs
    /// [`UctWeb::with_symmetries`]; without it, it is [`Merge::Equal`].
    #[must_use]
    pub fn new(mut budget: Budget, merge: Merge) -> Self {
        budget.iterations_max = budget.iterations_max.min(Budget::ITERATIONS_MAX);
        let (counts, back_up) = (MoveCounts::default(), BackUp::default());
        UctWeb {
            budget,
            exploration: Exploration::new(DEFAULT_CP),
            expansion: Expansion::Order,
            merge,
            back_up,
            web: Web::new(counts, back_up),
            kept: false,
            path: Vec::new(),
            edges: Vec::new(),
            moves: Vec::new(),
            means: Vec::new(),
            widths: Vec::new(),
            ran: Ran::new(),
        }
    }

    /// Sets the exploration constant, at least 0, on rewards in \[0, 1\].
    ///
    /// # Panics
    ///
    /// When `cp` is negative or not finite.
    #[must_use]
    pub fn with_cp(mut self, cp: f64) -> Self {
        assert!(cp.is_finite() && cp >= 0.0, "the exploration constant {cp} is not usable");
        self.exploration = Exploration::new(cp);
        self
    }

    /// Sets the order of expansion.
    #[must_use]
    pub fn with_expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// Sets the symmetries of the game, which [`Merge::Symmetric`] needs.
    #[must_use]
    pub fn with_symmetries(mut self, symmetries: Option<Symmetries<G>>) -> Self {
        self.web.symmetries = symmetries.filter(|_| self.merge == Merge::Symmetric);
        self
    }

    /// Sets the nodes to update, and whether positions or moves have counts.
    ///
    /// # Panics
    ///
    /// When `back_up` is [`BackUp::All`] and `counts` is [`MoveCounts::Edge`]: the moves to update
    /// are not defined.
    #[must_use]
    pub fn with_counts(mut self, back_up: BackUp, counts: MoveCounts) -> Self {
        let is_defined = back_up == BackUp::Single || counts == MoveCounts::Node;
        assert!(is_defined, "moves have no counts where all nodes above get results");
        self.back_up = back_up;
        let Web { symmetries, solver, .. } = self.web;
        self.web = Web { symmetries, solver, ..Web::new(counts, back_up) };
        self
    }

    /// Turns the solver on or off.
    #[must_use]
    pub fn with_solver(mut self, solver: bool) -> Self {
        self.web.solver = solver;
        self
    }

    /// Keeps the part of the last search's web below the position after `moves` for the next
    /// search; see [`Uct::keep_after`](crate::Uct::keep_after). Nodes keep all their visits, also
    /// those by lines that no longer lead to them, and their proofs.
    pub fn keep_after(&mut self, game: &G, moves: &[G::Move]) -> bool {
        self.kept = self.web.keep_after(game, moves, self.merge != Merge::None);
        self.kept
    }

    /// Searches from the current position of a game.
    pub fn search<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        rng: &mut R,
    ) -> Search<'_, Web<G>> {
        self.search_observed(game, root, rng, None, &mut || false)
    }

    /// Searches as [`UctWeb::search`] does, with an observer of the phases and a closure that stops
    /// the search by returning `true`. The closure is called every 256 iterations, and in playouts
    /// whose plies take long.
    pub fn search_observed<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        rng: &mut R,
        observer: Option<&mut dyn Observer>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Search<'_, Web<G>> {
        self.ran.begin(game.turn(root.state()));
        if !std::mem::take(&mut self.kept) || root.ended(game).is_some() {
            self.web.clear();
        }
        self.iterations(game, root, self.budget.iterations_max, rng, observer, stop);
        self.last()
    }

    /// Continues the last search by up to `more` iterations; see [`Uct::grow`](crate::Uct::grow).
    pub fn grow<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        more: u32,
        rng: &mut R,
        stop: &mut dyn FnMut() -> bool,
    ) -> Search<'_, Web<G>> {
        self.ran.stopped = Stopped::Iterations;
        self.iterations(game, root, more, rng, None, stop);
        self.last()
    }

    /// Makes up to `more` iterations.
    fn iterations<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        more: u32,
        rng: &mut R,
        mut observer: Option<&mut dyn Observer>,
        stop: &mut dyn FnMut() -> bool,
    ) {
        let turn = game.turn(root.state());
        if root.ended(game).is_some() || more == 0 {
            return;
        }
        let visits_max = self.web.visits_max();
        let more = more.min(Budget::ITERATIONS_MAX - visits_max);
        let iterations_max = self.ran.iterations.saturating_add(more);
        self.exploration.extend_to(visits_max + more);
        if self.web.root().is_none() {
            if let Err(limit) = self.check_room(1) {
                self.ran.stopped = limit;
                return;
            }
            let (key, legal_moves) = (game.key(root.state()), game.move_count(root.state()));
            self.web.add_node(key, 0, legal_moves, turn, None, self.merge != Merge::None);
        }
        let mut line = Way { played: root.clone(), image: None };
        let mark = root.mark();
        let (stopped, stop) = (Cell::new(false), RefCell::new(stop));
        let ask = || asked(&stopped, &stop);
        loop {
            if stopped.get() {
                self.ran.stopped = Stopped::Caller;
                break;
            }
            if self.web.solver && self.web.node(WebNodeId::ROOT).proof().is_some() {
                self.ran.stopped = Stopped::Decided;
                break;
            }
            if self.ran.iterations == iterations_max {
                break;
            }
            if self.ran.iterations % 256 == 255 && ask() {
                self.ran.stopped = Stopped::Caller;
                break;
            }
            if let Err(limit) = self.iterate(game, &mut line, &mark, rng, &mut observer, &ask) {
                self.ran.stopped = limit;
                break;
            }
            self.ran.iterations += 1;
            let web = &self.web;
            self.ran.drift.note(self.ran.iterations, || web.averages(turn));
        }
    }

    /// The last search; an empty one if there was none.
    #[must_use]
    pub fn last(&self) -> Search<'_, Web<G>> {
        Search { grown: &self.web, ran: &self.ran, cp: self.exploration.cp() }
    }

    /// Makes one iteration. An error is the limit that forbids it; then no node has changed.
    #[inline]
    fn iterate<R: Rng>(
        &mut self,
        game: &G,
        line: &mut Way<G>,
        root: &SavedPoint<G::State>,
        rng: &mut R,
        observer: &mut Observed<'_, '_>,
        ask: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        line.played.restore(root);
        line.image = None;
        self.path.clear();
        self.edges.clear();
        self.web.close_gaps();
        let mut id = WebNodeId::ROOT;
        let value = loop {
            self.path.push(id);
            let node = *self.web.node(id);
            if node.visits() == 0 {
                // The root before its first visit, or the node that was added last.
                note(observer, UctPhase::Descent);
                break match node.proof() {
                    Some(outcome) => outcome.value(),
                    None => self.ended_or_playout(game, line, rng, observer, ask),
                };
            }
            if let Some(outcome) = node.proof() {
                note(observer, UctPhase::Descent);
                break outcome.value();
            }
            if self.path.len() > 1
                && let Some(ended) = line.played.ended_by_history(game)
            {
                note(observer, UctPhase::Descent);
                break ended.outcome.value();
            }
            id = if node.has_untried() {
                self.try_move(game, line, id, rng)?
            } else {
                // Other lines may have proved something about the positions after it.
                if self.web.solver
                    && self.web.bound(id)
                    && let Some(outcome) = self.web.node(id).proof()
                {
                    note(observer, UctPhase::Descent);
                    break outcome.value();
                }
                let edge = self.choose(id);
                let chosen = self.web.edges(id)[edge as usize];
                self.edges.push(edge);
                self.play(game, line, chosen.played());
                chosen.to()
            };
        };
        self.back_up(value);
        note(observer, UctPhase::BackUp);
        Ok(())
    }

    /// Tries a move of a node for the first time and returns the node that it leads to.
    fn try_move<R: Rng>(
        &mut self,
        game: &G,
        line: &mut Way<G>,
        id: WebNodeId,
        rng: &mut R,
    ) -> Result<WebNodeId, Stopped> {
        let node = *self.web.node(id);
        self.check_room(node.legal_moves())?;
        let state = line.image.as_ref().unwrap_or_else(|| line.played.state());
        let tried = self.web.edges(id);
        let m = match self.expansion {
            // A kept root may have been an image of its position, with another order of moves.
            Expansion::Order if self.web.symmetries.is_none() || id != WebNodeId::ROOT => {
                game.nth_move(state, tried.len() as u32, &mut self.moves)
            }
            order => {
                self.moves.clear();
                game.moves_into(state, &mut self.moves);
                retain_untried(&mut self.moves, tried.iter().map(|edge| edge.played()));
                match order {
                    Expansion::Order => self.moves[0],
                    Expansion::Random => {
                        self.moves[uniform_below(rng, self.moves.len() as u32) as usize]
                    }
                }
            }
        };
        self.play(game, line, m);
        let state = line.image.as_ref().unwrap_or_else(|| line.played.state());
        let (key, plies) = (game.key(state), self.path.len() as u32);
        let merged = self.merge != Merge::None;
        let found = if merged { self.web.find(key, plies) } else { None };
        let to = found.unwrap_or_else(|| {
            let proof = game.outcome(state);
            let legal_moves = if proof.is_some() { 0 } else { game.move_count(state) };
            self.web.add_node(key, plies, legal_moves, game.turn(state), proof, merged)
        });
        let edge = self.web.add_edge(id, m, to);
        self.edges.push(edge);
        Ok(to)
    }

    /// Plays a move of a node. In a web merged up to symmetry the line continues in the canonical
    /// image. In a game with a history the line itself continues too, with the corresponding move.
    #[inline]
    fn play(&self, game: &G, line: &mut Way<G>, m: G::Move) {
        let Some(symmetries) = self.web.symmetries else {
            line.played.play(game, m);
            return;
        };
        let own = match &line.image {
            Some(image) if G::CYCLIC => own_move(game, &symmetries, line.played.state(), image, m),
            _ => m,
        };
        line.played.play(game, own);
        let image = (symmetries.canonical)(game, line.played.state());
        if G::CYCLIC {
            line.image = Some(image);
        } else {
            line.played.replace(image);
        }
    }

    /// Result of a line that ended by its history, or else of a playout.
    #[inline]
    fn ended_or_playout<R: Rng>(
        &self,
        game: &G,
        line: &Way<G>,
        rng: &mut R,
        observer: &mut Observed<'_, '_>,
        ask: &dyn Fn() -> bool,
    ) -> i32 {
        if let Some(ended) = line.played.ended_by_history(game) {
            return ended.outcome.value();
        }
        let mut state = line.played.state().clone();
        let limits = line.played.playout_limits(game).stopped_by(ask);
        let end = game.playout(&mut state, limits, rng);
        note(observer, UctPhase::Playout);
        end.outcome.value()
    }

    #[inline]
    fn back_up(&mut self, value: i32) {
        match self.back_up {
            BackUp::Single => {
                for &id in &self.path {
                    self.web.visit(id, value);
                }
                for (&id, &edge) in self.path.iter().zip(&self.edges) {
                    self.web.visit_edge(id, edge, value);
                }
            }
            BackUp::All => {
                let last = self.path[self.path.len() - 1];
                self.web.visit_all_above(last, value);
            }
        }
        if self.web.solver {
            let mut above = self.path.iter().rev();
            let last = above.next().map(|&last| self.web.node(last).bounds);
            if last.is_some_and(|last| last != Bounds::OPEN) {
                for &id in above {
                    if !self.web.bound(id) {
                        break;
                    }
                }
            }
        }
    }

    /// Checks the limits before an iteration stores anything.
    fn check_room(&self, most: u32) -> Result<(), Stopped> {
        if self.web.node_count() >= self.budget.nodes_max {
            Err(Stopped::Nodes)
        } else if !self.web.fits(most, self.budget.memory_bytes_max) {
            Err(Stopped::Memory)
        } else {
            Ok(())
        }
    }

    /// Chooses the move with the greatest bound. Every move of the node must have been tried.
    ///
    /// The positions after the moves are scattered in memory: first all their counts are fetched,
    /// then all bounds are computed at once.
    #[inline]
    fn choose(&mut self, id: WebNodeId) -> u32 {
        let node = self.web.node(id);
        // This visit counts in t, but is added to the node only after the iteration.
        let factor = self.exploration.factor(node.visits() + 1);
        let sign = node.turn().sign();
        if self.web.solver {
            return self.choose_open(id, factor);
        }
        self.means.clear();
        self.widths.clear();
        self.web.each_counts(id, |counts| {
            self.means.push(f64::from(sign * counts.score));
            self.widths.push(f64::from(counts.visits));
        });
        for (mean, visits) in self.means.iter_mut().zip(&mut self.widths) {
            *mean /= *visits;
            *visits = (1.0 / *visits).sqrt();
        }
        greatest(&self.means, &self.widths, factor) as u32
    }

    /// Chooses like [`UctWeb::choose`] with a solver: only among moves that may be better than the
    /// player's sure result.
    fn choose_open(&self, id: WebNodeId, factor: f64) -> u32 {
        let node = self.web.node(id);
        let (sure, _) = node.bounds.of(node.turn());
        let (mut best, mut best_bound) = (0, f64::NEG_INFINITY);
        for (n, edge) in self.web.edges(id).iter().enumerate() {
            let bounds = self.web.node(edge.to()).bounds;
            if bounds.of(node.turn()).1 <= sure {
                continue;
            }
            let counts = self.web.counts_of(id, n);
            let score = bounds.clamp(counts);
            let bound =
                mean(node.turn().sign(), score, counts.visits) + factor * width(counts.visits);
            if bound > best_bound {
                (best, best_bound) = (n as u32, bound);
            }
        }
        best
    }
}

/// Line of play and, in a game with a history, the image of its position that the node holds.
struct Way<G: Game> {
    played: Played<G>,
    image: Option<G::State>,
}

/// Move of `state` that a symmetry maps to the move `m` of its `image`.
pub(super) fn own_move<G: Keyed>(
    game: &G,
    symmetries: &Symmetries<G>,
    state: &G::State,
    image: &G::State,
    m: G::Move,
) -> G::Move {
    let all = 0..(symmetries.count)(game);
    let turned = all.clone().find(|&n| (symmetries.map_state)(game, n, state) == *image);
    let turned = turned.expect("the image is one of the position");
    let mut moves = Vec::new();
    game.moves_into(state, &mut moves);
    let own = moves.into_iter().find(|&own| (symmetries.map_move)(game, turned, own) == m);
    own.expect("images have images of the same moves")
}

impl<G: Keyed> Web<G> {
    /// Statistics of a move of a node, clamped to its bounds.
    pub(crate) fn clamped(&self, id: WebNodeId, n: usize) -> Counts {
        let counts = self.counts_of(id, n);
        let to = self.edges(id)[n].to();
        Counts { score: self.node(to).bounds.clamp(counts), ..counts }
    }

    /// Averages of the root's moves for the player to move, in the order of trying.
    pub(crate) fn averages(&self, turn: Player) -> Vec<f64> {
        let sign = f64::from(turn.sign());
        let mean = |n: usize| {
            let counts = self.clamped(WebNodeId::ROOT, n);
            // Adding 0 turns the negative zero of an even average into zero.
            sign * f64::from(counts.score) / f64::from(counts.visits) + 0.0
        };
        (0..self.edges(WebNodeId::ROOT).len()).map(mean).collect()
    }
}

impl<'u, G: Keyed> Search<'u, Web<G>> {
    /// Web of the search; empty if the game was over or the budget was 0.
    #[must_use]
    pub fn web(&self) -> &'u Web<G> {
        self.grown
    }

    /// Visit count of a move of the root, and sum of its results for the first player, as used by
    /// the choice among moves: clamped to the bounds of its value. `n` is the move's number in the
    /// order of trying.
    #[must_use]
    pub fn counts_of(&self, n: usize) -> (u32, i32) {
        let counts = self.grown.clamped(WebNodeId::ROOT, n);
        (counts.visits, counts.score)
    }

    /// Number of the move to play in the order of trying: the move with the best average, the first
    /// of equals. With a solver, averages are clamped to the bounds, and among equal ones the
    /// better sure result comes first. `None` if no move was tried.
    #[must_use]
    pub fn best_move_number(&self) -> Option<u32> {
        self.grown.root()?;
        let sign = i64::from(self.turn().sign());
        let edges = self.grown.edges(WebNodeId::ROOT);
        // Sum of results, visits, and sure result.
        let rank = |n: usize| {
            let counts = self.grown.clamped(WebNodeId::ROOT, n);
            let (sure, _) = self.grown.node(edges[n].to()).bounds.of(self.turn());
            let sure = if self.grown.solver { sure } else { 0 };
            (sign * i64::from(counts.score), i64::from(counts.visits), sure)
        };
        let mut best: Option<(usize, (i64, i64, i32))> = None;
        for n in 0..edges.len() {
            let own = rank(n);
            // Compares a/b > c/d without rounding.
            let is_better = best.is_none_or(|(_, other)| {
                let (a, b) = (own.0 * other.1, other.0 * own.1);
                a > b || a == b && own.2 > other.2
            });
            if is_better {
                best = Some((n, own));
            }
        }
        best.map(|(n, _)| n as u32)
    }

    /// Move to play; `None` if no move was tried.
    #[must_use]
    pub fn best_move(&self) -> Option<G::Move> {
        let n = self.best_move_number()?;
        Some(self.grown.edges(WebNodeId::ROOT)[n as usize].played())
    }
}
