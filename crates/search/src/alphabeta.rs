//! Alpha-beta search: the minimax value of a position to a given depth.

mod order;
mod table;

use serde::Serialize;
use treegauge_core::{Evaluator, HistoryEnd, Keyed, Outcome, Played, Player, Plies, VALUE_MAX};

use self::order::Order;
use self::table::{Bound, Entry, Table};
use crate::budget::Stopped;

/// Value of a game that is won; a win in `n` plies has the value `WIN - n`. Losses are the
/// negatives, and a draw is 0. A value of absolute size up to
/// [`VALUE_MAX`](treegauge_core::VALUE_MAX) comes from the evaluator.
pub const WIN: i32 = 1 << 30;

/// Least search depth at which the table stores a position. A limit of 3 makes the search a tenth
/// faster where memory is slow, but takes up to a third more nodes (measured on Isolation and on
/// Dots and Boxes).
const TABLE_DEPTH_MIN: u32 = 2;

/// Bound that is larger than every value.
const INFINITE: i32 = WIN + 1;

/// Number of plies to the end of a game with this value; `None` unless the value is a win or loss.
///
/// ```
/// use treegauge_search::{WIN, plies_to_end};
/// assert_eq!(plies_to_end(3 - WIN).map(|plies| plies.0), Some(3));
/// assert_eq!(plies_to_end(3), None);
/// ```
#[inline]
#[must_use]
pub fn plies_to_end(value: i32) -> Option<Plies> {
    (value.abs() >= VALUE_MAX).then(|| Plies((WIN - value.abs()) as u32))
}

/// Limits of a search. They are counts, so that equal limits give equal results on every machine. A
/// caller that limits time passes a closure to [`AlphaBeta::search_until`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaLimits {
    /// Depth of the deepest iteration, 1 to [`AlphaBetaLimits::DEPTH_MAX`]; other numbers are
    /// clamped to that range.
    pub depth_max: Plies,
    /// Exact limit of nodes. The root's evaluation, which comes first, is made in any case.
    pub nodes_max: u64,
}

impl AlphaBetaLimits {
    /// Greatest depth: the search is recursive, and the stack of a thread is finite.
    pub const DEPTH_MAX: Plies = Plies(200);

    /// Limits a search by nodes only.
    #[must_use]
    pub const fn nodes(nodes_max: u64) -> AlphaBetaLimits {
        AlphaBetaLimits { depth_max: AlphaBetaLimits::DEPTH_MAX, nodes_max }
    }

    /// Limits a search by depth only.
    #[must_use]
    pub const fn depth(depth_max: Plies) -> AlphaBetaLimits {
        AlphaBetaLimits { depth_max, nodes_max: u64::MAX }
    }
}

/// Parts of a search that make it faster without changing the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaOptions {
    /// Size of the transposition table in bytes; `None` for a search without a table.
    pub table_bytes: Option<usize>,
    /// Whether to try the table's move, killers and moves with a good history first. The root
    /// always tries the best move of the last iteration first.
    pub ordering: bool,
    /// Whether an iteration first searches a window around the value of the last one.
    pub aspiration: bool,
}

impl Default for AlphaBetaOptions {
    /// All parts on, with a table of 1 MiB.
    ///
    /// Such a table fits in the level 2 cache of a core. Up to some million nodes a larger table
    /// saves few of them, and its cache misses make the search of a fast game slower: on Isolation
    /// with knights 16 MiB saved 2% of 5 million nodes and took two and a half times as long
    /// (measured).
    fn default() -> Self {
        AlphaBetaOptions { table_bytes: Some(1 << 20), ordering: true, aspiration: true }
    }
}

/// Result of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlphaBetaReport<M> {
    /// Move to play; `None` only if the game has ended.
    pub best: Option<M>,
    /// Value **for the player to move**. A value beyond [`VALUE_MAX`](treegauge_core::VALUE_MAX) is
    /// a win or loss: [`WIN`] minus the plies to the end, with its sign. Other values come from the
    /// evaluator. If no iteration was completed, this is the evaluator's value of the position
    /// itself.
    pub value: i32,
    /// Depth in plies of the last completed iteration.
    pub depth: u32,
    /// Number of positions visited, including the root. A position on several lines counts each
    /// time.
    pub nodes: u64,
    /// Principal variation: the line of best play by both players, from the move to play to the
    /// position that the value comes from.
    pub pv: Vec<M>,
    /// Reason that the search ended.
    pub stopped: Stopped,
    /// Whether the value is that of perfect play, so that no deeper search would change it.
    pub exact: bool,
}

impl<M> AlphaBetaReport<M> {
    /// Result of perfect play for the player to move, +1, 0 or -1; `None` if it is not proved.
    #[must_use]
    pub fn decided(&self) -> Option<i32> {
        self.exact.then(|| self.value.signum())
    }
}

/// Alpha-beta search, which can be reused and keeps its table.
///
/// # Algorithm
///
/// Negamax with bounds, fail-soft (Knuth and Moore 1975; Fishburn 1983), by iterative deepening, a
/// ply at a time (Slate and Atkin 1977). Values change their sign exactly where the turn passes to
/// the other player. After the first move of a position a null window tests whether the others are
/// better; those that are get a second search (principal variation search, Marsland and Campbell
/// 1982). A quicker win has a higher value, so the search finds the quickest win and the longest
/// defence. It ends when a win or loss is proved or every line has reached the end of the game:
/// deeper iterations would give the same value.
///
/// The search applies the endings by history of [`Played`]: repetition, quiet plies and the cap.
///
/// # The table
///
/// A value from the table is taken only if the search would find the same without it: it was
/// searched to the same depth, or is a win or loss near enough, or all its lines reached the end of
/// the game. So the value of an iteration does not depend on what was searched before.
///
/// The value of a position may depend on its history. Values are stored and taken only where it
/// does not. This is so where the ply cap is out of reach; in games that can cycle it also requires
/// that the last move was irreversible, so that no earlier position can come back and no quiet
/// plies are counted. Elsewhere the table stores only moves.
///
/// Sources: Chess Programming Wiki, "Alpha-Beta", "Principal Variation Search",
/// "Transposition Table" and "Aspiration Windows".
///
/// ```
/// use treegauge_core::{Played, Plies};
/// use treegauge_games::tic_tac_toe::{Fixed, TicTacToe};
/// use treegauge_search::{AlphaBeta, AlphaBetaLimits, Mobility};
///
/// let game = TicTacToe::new(Fixed::<3, 3>, Plies(1_000));
/// let mut search = AlphaBeta::new(Default::default());
/// let report = search.search(&game, &Played::start(&game), &Mobility, AlphaBetaLimits::nodes(100_000));
/// assert_eq!(report.decided(), Some(0));
/// ```
#[derive(Clone, Debug)]
pub struct AlphaBeta<G: Keyed> {
    options: AlphaBetaOptions,
    table: Option<Table<G::Key, G::Move>>,
    order: Order<G::Move>,
    /// Moves of all positions of the current line, one position after the other, with their scores.
    line: Vec<(i32, G::Move)>,
    moves: Vec<G::Move>,
    /// Principal variation from each ply on.
    lines: Vec<Vec<G::Move>>,
}

impl<G: Keyed> AlphaBeta<G> {
    /// Creates a search with an empty table.
    #[must_use]
    pub fn new(options: AlphaBetaOptions) -> Self {
        let plies = AlphaBetaLimits::DEPTH_MAX.0 as usize + 1;
        AlphaBeta {
            options,
            table: options.table_bytes.map(Table::new),
            order: Order::new(plies),
            line: Vec::new(),
            moves: Vec::new(),
            lines: vec![Vec::new(); plies],
        }
    }

    /// Empties the table, so that later searches do not depend on earlier ones.
    pub fn forget(&mut self) {
        self.table.iter_mut().for_each(Table::forget);
    }

    /// Searches from the current position of a game, within limits.
    pub fn search<E: Evaluator<G> + ?Sized>(
        &mut self,
        game: &G,
        root: &Played<G>,
        evaluator: &E,
        limits: AlphaBetaLimits,
    ) -> AlphaBetaReport<G::Move> {
        self.search_until(game, root, evaluator, limits, &mut || false)
    }

    /// Searches as [`AlphaBeta::search`] does, until the closure returns `true`. The closure is
    /// called whenever the number of nodes has doubled, later every 1,024 nodes, and after long
    /// lists of moves. So a search takes at most twice the time after which the closure returns
    /// `true`.
    ///
    /// An interrupted iteration returns the best of the moves that it completed. It tries the best
    /// move of the last iteration first.
    pub fn search_until<E: Evaluator<G> + ?Sized>(
        &mut self,
        game: &G,
        root: &Played<G>,
        evaluator: &E,
        limits: AlphaBetaLimits,
        stop: &mut dyn FnMut() -> bool,
    ) -> AlphaBetaReport<G::Move> {
        self.order.clear();
        self.table.iter_mut().for_each(Table::begin_search);
        self.line.clear();
        let mut found = AlphaBetaReport {
            best: None,
            value: 0,
            depth: 0,
            nodes: 1,
            pv: Vec::new(),
            stopped: Stopped::Decided,
            exact: true,
        };
        let turn = game.turn(root.state());
        if let Some(ended) = root.ended(game) {
            found.value = value_of(ended.outcome, turn, 0);
            return found;
        }
        let mut moves = Vec::new();
        game.moves_into(root.state(), &mut moves);
        found.best = moves.first().copied();
        found.value = evaluator.evaluate(game, root.state());
        found.exact = false;
        let mut run = Run {
            game,
            evaluator,
            played: root.clone(),
            ply_cap: game.ply_cap().0,
            kept: self,
            nodes: 1,
            check_at: 1,
            nodes_max: limits.nodes_max,
            stop,
            stopped: Stopped::Depth,
            evaluated: 0,
        };
        let depth_max = limits.depth_max.0.clamp(1, AlphaBetaLimits::DEPTH_MAX.0);
        for depth in 1..=depth_max {
            let Some(exact) = run.iteration(root, depth, &mut moves, &mut found) else { break };
            found.depth = depth;
            found.exact = exact;
            if exact {
                run.stopped = Stopped::Decided;
                break;
            }
        }
        found.nodes = run.nodes;
        found.stopped = run.stopped;
        // A win is exact, whatever the values of the unsearched moves.
        found.exact |= found.value >= VALUE_MAX;
        found
    }
}

/// Value for `turn` of a game that ends `ply` plies from the root.
#[inline]
fn value_of(outcome: Outcome, turn: Player, ply: u32) -> i32 {
    outcome.value_for(turn) * (WIN - ply as i32)
}

/// Shifts the plies to the end of a win or loss, as seen from `ply` plies farther from the root.
/// Other values stay the same.
#[inline]
fn seen_from(value: i32, ply: i32) -> i32 {
    if value.abs() < VALUE_MAX { value } else { value + ply * value.signum() }
}

/// Search in progress. Its methods return `None` if the search was stopped.
struct Run<'a, G: Keyed, E: ?Sized> {
    game: &'a G,
    evaluator: &'a E,
    /// Game after the moves of the current line.
    played: Played<G>,
    ply_cap: u32,
    kept: &'a mut AlphaBeta<G>,
    nodes: u64,
    /// Number of nodes at which the limits are checked again.
    check_at: u64,
    nodes_max: u64,
    stop: &'a mut dyn FnMut() -> bool,
    stopped: Stopped,
    /// Number of evaluations that the result depends on.
    evaluated: u64,
}

impl<G: Keyed, E: Evaluator<G> + ?Sized> Run<'_, G, E> {
    /// Counts a node; `None` if a limit is reached.
    #[inline]
    fn count(&mut self) -> Option<()> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Some(())
    }

    /// Schedules a check of the limits at the next node after a long list of moves, which takes
    /// long.
    #[inline]
    fn listed(&mut self, moves: usize) {
        if moves > 255 {
            self.check_at = self.check_at.min(self.nodes);
        }
    }

    #[cold]
    fn check(&mut self) -> Option<()> {
        if self.nodes >= self.nodes_max {
            self.stopped = Stopped::Nodes;
            return None;
        }
        if (self.stop)() {
            self.stopped = Stopped::Caller;
            return None;
        }
        // Checks are more frequent at the beginning, since an evaluator may be slow.
        self.check_at = self.nodes_max.min(self.nodes + self.nodes.clamp(1, 1_024));
        Some(())
    }

    /// Searches to a depth, beginning with the first of `moves`. Moves a better move to the front
    /// and stores it in `found`. Returns whether the value is that of perfect play.
    fn iteration(
        &mut self,
        root: &Played<G>,
        depth: u32,
        moves: &mut [G::Move],
        found: &mut AlphaBetaReport<G::Move>,
    ) -> Option<bool> {
        let last = found.value;
        // One ply deeper, the value usually changes by a few units.
        let unit = (self.evaluator.unit() as i32).max(1);
        let mut width = 2 * unit;
        let aspires = self.kept.options.aspiration && depth > 1;
        let (mut low, mut high) =
            if aspires { (last - width, last + width) } else { (-INFINITE, INFINITE) };
        loop {
            let evaluated = self.evaluated;
            let value = self.root(root, depth, moves, low, high, found)?;
            // A value beyond a bound is itself a bound: the window moves there and grows. The
            // second time, it is unbounded on that side.
            width = if width < 8 * unit { 8 * unit } else { INFINITE };
            if value <= low && low > -INFINITE {
                low = value.saturating_sub(width).max(-INFINITE);
            } else if value >= high && high < INFINITE {
                high = value.saturating_add(width).min(INFINITE);
            } else {
                found.value = value;
                return Some(plies_to_end(value).is_some() || self.evaluated == evaluated);
            }
        }
    }

    /// Searches the root; returns its value, or a bound if it is not between `alpha` and `beta`.
    fn root(
        &mut self,
        root: &Played<G>,
        depth: u32,
        moves: &mut [G::Move],
        mut alpha: i32,
        beta: i32,
        found: &mut AlphaBetaReport<G::Move>,
    ) -> Option<i32> {
        let turn = self.game.turn(root.state());
        let mark = root.mark();
        let mut best = -INFINITE;
        for n in 0..moves.len() {
            let m = moves[n];
            self.played.play(self.game, m);
            let value = self.after_move(turn, depth - 1, 1, alpha, beta, n > 0)?;
            self.played.restore(&mark);
            best = best.max(value);
            if value > alpha {
                alpha = value;
                self.follow(0, m);
                found.best = Some(m);
                found.value = value;
                found.pv.clone_from(&self.kept.lines[0]);
                moves[..=n].rotate_right(1);
                if value >= beta {
                    break;
                }
            }
        }
        Some(best)
    }

    /// Value for `mover` of the position after its move, `ply` plies from the root and with `depth`
    /// to go. A `later` move is first only tested against `alpha`.
    #[inline]
    fn after_move(
        &mut self,
        mover: Player,
        depth: u32,
        ply: u32,
        alpha: i32,
        beta: i32,
        later: bool,
    ) -> Option<i32> {
        self.count()?;
        if beta > alpha + 1 {
            self.kept.lines[ply as usize].clear();
        }
        if let Some(ended) = self.played.ended(self.game) {
            return Some(value_of(ended.outcome, mover, ply));
        }
        let same = self.game.turn(self.played.state()) == mover;
        if depth == 0 {
            self.evaluated += 1;
            let value = self.evaluator.evaluate(self.game, self.played.state());
            return Some(if same { value } else { -value });
        }
        let search = |run: &mut Self, alpha: i32, beta: i32| {
            if same {
                run.node(depth, ply, alpha, beta)
            } else {
                run.node(depth, ply, -beta, -alpha).map(|value| -value)
            }
        };
        if later && beta > alpha + 1 {
            let value = search(self, alpha, alpha + 1)?;
            if value <= alpha || value >= beta {
                return Some(value);
            }
            self.count()?;
        }
        search(self, alpha, beta)
    }

    /// Stores the principal variation of a ply: a move and the line after it.
    fn follow(&mut self, ply: usize, m: G::Move) {
        let (line, after) = self.kept.lines[ply..].split_first_mut().expect("a ply has a line");
        line.clear();
        line.push(m);
        line.extend(after.first().into_iter().flatten());
    }

    /// Value of an unfinished position for the player to move, searched to `depth`, or a bound if
    /// it is not between `alpha` and `beta`.
    fn node(&mut self, depth: u32, ply: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        if depth == 1 && !G::CYCLIC {
            return self.horizon(ply, alpha, beta);
        }
        let on_pv = beta > alpha + 1;
        let history_is_far = !G::CYCLIC || self.played.quiet().0 == 0;
        let valued = history_is_far && self.played.ply().0 + depth < self.ply_cap;
        let uses_table = self.kept.table.is_some() && depth >= TABLE_DEPTH_MIN;
        let key = uses_table.then(|| self.game.key(self.played.state()));
        let mut known = None;
        if let (Some(table), Some(key)) = (&self.kept.table, key)
            && let Some(entry) = table.get(key)
        {
            known = entry.m;
            // The principal variation takes no values from the table, so that its line is complete.
            if valued
                && !on_pv
                && let Some(value) = taken(entry, depth, ply, alpha, beta)
            {
                self.evaluated += u64::from(!entry.complete);
                return Some(value);
            }
        }
        let (evaluated, alpha_before) = (self.evaluated, alpha);
        let turn = self.game.turn(self.played.state());
        let mark = self.played.mark();
        let first = self.list_moves(turn, ply, known);
        let end = self.kept.line.len();
        let (mut best, mut best_move) = (-INFINITE, None);
        for n in first..end {
            let m = if n == first { self.kept.line[n].1 } else { self.next_move(n, end) };
            let evaluated_earlier = self.evaluated;
            self.played.play(self.game, m);
            let value = self.after_move(turn, depth - 1, ply + 1, alpha, beta, n > first)?;
            self.played.restore(&mark);
            if value > best {
                best = value;
                if value > alpha {
                    best_move = Some(m);
                    if value >= beta {
                        if self.kept.options.ordering {
                            self.kept.order.cut_off(ply as usize, turn, m, depth);
                        }
                        // The result does not depend on the values of earlier moves.
                        self.evaluated -= evaluated_earlier - evaluated;
                        break;
                    }
                    alpha = value;
                    self.follow(ply as usize, m);
                }
            }
        }
        self.kept.line.truncate(first);
        let bound = bound_of(best, alpha_before, beta);
        if proved(best, bound) {
            self.evaluated = evaluated;
        }
        if let (Some(table), Some(key)) = (&mut self.kept.table, key) {
            let value = seen_from(best, ply as i32);
            let bound = if valued { bound } else { Bound::Unknown };
            table.put(key, value, best_move, depth, bound, self.evaluated == evaluated);
        }
        Some(best)
    }

    /// Like [`Run::node`] at depth 1 in a game without cycles, where most of the time is spent.
    ///
    /// The positions after the moves are made from this one and dropped. The last killer is tried
    /// before moves are listed, since often no other move is needed. Looking the position up in the
    /// table or sorting its moves by history took longer than evaluating the few positions that
    /// this would save (measured on Isolation with knights).
    fn horizon(&mut self, ply: u32, mut alpha: i32, beta: i32) -> Option<i32> {
        let (game, state) = (self.game, self.played.state().clone());
        let (evaluated, alpha_before) = (self.evaluated, alpha);
        let killer = self.kept.order.killers(ply as usize)[0];
        let killer = killer.filter(|&m| self.kept.options.ordering && game.is_legal(&state, m));
        let mut best = -INFINITE;
        if let Some(m) = killer {
            best = self.leaf(&state, m, ply, alpha, beta)?;
            if best > alpha {
                alpha = best;
            }
        }
        if best < beta {
            let mut moves = std::mem::take(&mut self.kept.moves);
            game.moves_into(&state, &mut moves);
            self.listed(moves.len());
            for &m in &moves {
                if Some(m) == killer {
                    continue;
                }
                let before = self.evaluated;
                let value = self.leaf(&state, m, ply, alpha, beta)?;
                if value > best {
                    best = value;
                    if value >= beta {
                        self.kept.order.kill(ply as usize, m);
                        self.evaluated -= before - evaluated;
                        break;
                    }
                    alpha = alpha.max(value);
                }
            }
            self.kept.moves = moves;
        }
        if proved(best, bound_of(best, alpha_before, beta)) {
            self.evaluated = evaluated;
        }
        Some(best)
    }

    /// Value of the position after one of the moves of `state`, for the player to move in `state`,
    /// `ply` plies from the root. The move becomes the principal variation if the value is between
    /// `alpha` and `beta`.
    #[inline]
    fn leaf(
        &mut self,
        state: &G::State,
        m: G::Move,
        ply: u32,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        self.count()?;
        let game = self.game;
        let turn = game.turn(state);
        let mut after = state.clone();
        game.play(&mut after, m);
        let value = if let Some(outcome) = game.outcome(&after) {
            value_of(outcome, turn, ply + 1)
        } else if self.played.ply().0 + 1 >= self.ply_cap {
            value_of(game.settle(&after, HistoryEnd::Capped), turn, ply + 1)
        } else {
            self.evaluated += 1;
            let value = self.evaluator.evaluate(game, &after);
            if game.turn(&after) == turn { value } else { -value }
        };
        if value > alpha && value < beta {
            self.kept.lines[ply as usize + 1].clear();
            self.follow(ply as usize, m);
        }
        Some(value)
    }

    /// Appends the moves of the current position to the line with their scores, the best one first.
    /// Returns the index of the first.
    #[inline]
    fn list_moves(&mut self, turn: Player, ply: u32, known: Option<G::Move>) -> usize {
        self.game.moves_into(self.played.state(), &mut self.kept.moves);
        self.listed(self.kept.moves.len());
        let AlphaBeta { options, order, line, moves, .. } = &mut *self.kept;
        let first = line.len();
        if options.ordering {
            let killers = order.killers(ply as usize);
            let (mut best, mut most) = (0, i32::MIN);
            line.extend(moves.iter().enumerate().map(|(n, &m)| {
                let score = order.score(killers, turn, m, known);
                best = if score > most { n } else { best };
                most = most.max(score);
                (score, m)
            }));
            line.swap(first, first + best);
        } else {
            line.extend(moves.iter().map(|&m| (0, m)));
        }
        first
    }

    /// Swaps the best of the remaining moves to place `n` of the line. Equal moves keep the order
    /// of the game, except for earlier swaps.
    #[inline]
    fn next_move(&mut self, n: usize, end: usize) -> G::Move {
        let left = &mut self.kept.line[n..end];
        let (mut best, mut most) = (0, left[0].0);
        for (n, &(score, _)) in left.iter().enumerate() {
            best = if score > most { n } else { best };
            most = most.max(score);
        }
        left.swap(0, best);
        left[0].1
    }
}

/// Kind of bound that the best value of a position's moves gives after a search between `alpha` and
/// `beta`.
#[inline]
fn bound_of(best: i32, alpha: i32, beta: i32) -> Bound {
    match best {
        _ if best >= beta => Bound::Lower,
        _ if best <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}

/// Tests whether a value or bound proves a win or loss, regardless of evaluators.
#[inline]
fn proved(value: i32, bound: Bound) -> bool {
    match bound {
        Bound::Unknown => false,
        Bound::Lower => value >= VALUE_MAX,
        Bound::Upper => value <= -VALUE_MAX,
        Bound::Exact => value.abs() >= VALUE_MAX,
    }
}

/// Value from the table, seen from the root; `None` unless it ends the search of a position to
/// `depth`.
#[inline]
fn taken<K, M>(entry: &Entry<K, M>, depth: u32, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
    let value = seen_from(entry.value, -(ply as i32));
    let cuts = match entry.bound {
        Bound::Unknown => false,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
        Bound::Exact => true,
    };
    // A win or loss within reach is found at any depth from there.
    let within = || {
        let plies = plies_to_end(entry.value).filter(|_| proved(entry.value, entry.bound));
        plies.is_some_and(|plies| plies.0 <= depth)
    };
    let entry_depth = u32::from(entry.depth);
    let same = entry_depth == depth || entry.complete && entry_depth < depth || within();
    (cuts && same).then_some(value)
}

#[cfg(test)]
mod tests;
