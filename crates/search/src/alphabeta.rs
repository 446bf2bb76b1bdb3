//! Alpha-beta: the minimax value of a position to a given depth.

mod order;
mod table;

use serde::Serialize;
use treegauge_core::{Evaluator, HistoryEnd, Keyed, Outcome, Played, Player, Plies, VALUE_MAX};

use self::order::Order;
use self::table::{Bound, Entry, Table};
use crate::budget::Stopped;

/// The value of a game that is already won; a win in `n` plies has `n` less.
/// Losses are the negatives, a draw is 0, and a value of no more than
/// [`VALUE_MAX`](treegauge_core::VALUE_MAX) in size is the evaluator's.
pub const WIN: i32 = 1 << 30;

/// The table stores positions that are searched to this depth or deeper. From 3 on it is a tenth
/// faster where memory is slow, and takes up to a third more nodes (measured on Isolation and on
/// Dots and Boxes).
const TABLE_DEPTH_MIN: u32 = 2;

/// Larger than every value.
const INFINITE: i32 = WIN + 1;

/// The plies to the end of a game of this value, if it is won or lost.
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

/// The limits of a search. They are counts, so that equal limits give equal results on every
/// machine; a caller that limits time passes a closure to [`AlphaBeta::search_until`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaLimits {
    /// The deepest iteration, 1 to [`AlphaBetaLimits::DEPTH_MAX`]; other numbers are clamped to
    /// that range.
    pub depth_max: Plies,
    /// Nodes, exactly. The root's evaluation, which is the first, is made in any case.
    pub nodes_max: u64,
}

impl AlphaBetaLimits {
    /// The limit of the depth: the search is recursive, and the stack of a thread is finite.
    pub const DEPTH_MAX: Plies = Plies(200);

    /// As deep as `nodes_max` nodes allow.
    #[must_use]
    pub const fn nodes(nodes_max: u64) -> AlphaBetaLimits {
        AlphaBetaLimits { depth_max: AlphaBetaLimits::DEPTH_MAX, nodes_max }
    }

    /// `depth_max` plies deep.
    #[must_use]
    pub const fn depth(depth_max: Plies) -> AlphaBetaLimits {
        AlphaBetaLimits { depth_max, nodes_max: u64::MAX }
    }
}

/// The parts of a search that make it faster and do not change the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlphaBetaOptions {
    /// The size of the transposition table; `None` for a search without a table.
    pub table_bytes: Option<usize>,
    /// Whether the table's move, killers and moves with a good history are tried first. At the
    /// root the best move of the last iteration is the first in any case.
    pub ordering: bool,
    /// Whether an iteration first searches a window around the value of the last one.
    pub aspiration: bool,
}

impl Default for AlphaBetaOptions {
    /// All of them, with a table of 1 MiB.
    ///
    /// That fits in the level 2 cache of a core. Up to some million nodes a larger table saves few
    /// of them, and its cache misses make the search of a fast game slower: on Isolation with
    /// knights 16 MiB saved 2% of 5 million nodes and took two and a half times as long
    /// (measured).
    fn default() -> Self {
        AlphaBetaOptions { table_bytes: Some(1 << 20), ordering: true, aspiration: true }
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlphaBetaReport<M> {
    /// The move to play; `None` only where the game has ended.
    pub best: Option<M>,
    /// The value **for the player to move**: the evaluator's, or beyond
    /// [`VALUE_MAX`](treegauge_core::VALUE_MAX) [`WIN`] less the plies to the end, with its sign.
    /// Where no iteration was completed it is the evaluator's of the position itself.
    pub value: i32,
    /// Plies of the last iteration that was completed.
    pub depth: u32,
    /// Positions visited, the root included; a position visited on several lines counts each time.
    pub nodes: u64,
    /// The principal variation: the line of best play by both players, from the move to play
    /// to the position whose value this is.
    pub pv: Vec<M>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// Whether the value is that of perfect play, so that no deeper search would change it.
    pub exact: bool,
}

impl<M> AlphaBetaReport<M> {
    /// +1, 0 or -1 for the player to move, if that is proved to be the result of perfect play.
    #[must_use]
    pub fn decided(&self) -> Option<i32> {
        self.exact.then(|| self.value.signum())
    }
}

/// An alpha-beta search that can be reused and keeps its table.
///
/// # What it does
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
/// The value of a position may depend on its history. Values are stored and taken only
/// where it does not: where the ply cap is out of reach, and in games that can cycle right after
/// an irreversible move, when no earlier position can come back and no quiet plies are counted.
/// Elsewhere the table keeps moves and no values.
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
    /// The moves of all positions of the current line, one after the other, with their scores.
    line: Vec<(i32, G::Move)>,
    moves: Vec<G::Move>,
    /// By ply, the principal variation from there.
    lines: Vec<Vec<G::Move>>,
}

impl<G: Keyed> AlphaBeta<G> {
    /// A search with an empty table.
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

    /// Searches from the current position of a game.
    pub fn search<E: Evaluator<G> + ?Sized>(
        &mut self,
        game: &G,
        root: &Played<G>,
        evaluator: &E,
        limits: AlphaBetaLimits,
    ) -> AlphaBetaReport<G::Move> {
        self.search_until(game, root, evaluator, limits, &mut || false)
    }

    /// The same, with a closure that can end the search: it is called whenever the number of nodes
    /// has doubled, later every 1,024 nodes and where many moves were listed, and `true` stops the search. So a search takes at most
    /// twice the time after which the closure says `true`.
    ///
    /// The move of an interrupted iteration is the best of those that it completed; the first of
    /// these is the best move so far.
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
        // A win is exact, whatever the values of the moves that were not searched.
        found.exact |= found.value >= VALUE_MAX;
        found
    }
}

/// The value for `turn` of a game that ends `ply` plies from the root.
#[inline]
fn value_of(outcome: Outcome, turn: Player, ply: u32) -> i32 {
    outcome.value_for(turn) * (WIN - ply as i32)
}

/// A value with its plies to the end counted from `ply` plies farther from the root.
#[inline]
fn seen_from(value: i32, ply: i32) -> i32 {
    if value.abs() < VALUE_MAX { value } else { value + ply * value.signum() }
}

/// A search in progress. `None` everywhere means that it was stopped.
struct Run<'a, G: Keyed, E: ?Sized> {
    game: &'a G,
    evaluator: &'a E,
    /// The game with the moves of the current line.
    played: Played<G>,
    ply_cap: u32,
    kept: &'a mut AlphaBeta<G>,
    nodes: u64,
    /// When to look at the limits again.
    check_at: u64,
    nodes_max: u64,
    stop: &'a mut dyn FnMut() -> bool,
    stopped: Stopped,
    /// The evaluations on which the result depends.
    evaluated: u64,
}

impl<G: Keyed, E: Evaluator<G> + ?Sized> Run<'_, G, E> {
    /// Counts a node, if the limit allows another.
    #[inline]
    fn count(&mut self) -> Option<()> {
        if self.nodes >= self.check_at {
            self.check()?;
        }
        self.nodes += 1;
        Some(())
    }

    /// Looks at the limits before the next node where many moves were listed, which takes long.
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
        // Sooner at the beginning: an evaluator may be slow.
        self.check_at = self.nodes_max.min(self.nodes + self.nodes.clamp(1, 1_024));
        Some(())
    }

    /// Searches to a depth, the first of `moves` first, and brings a better one to the front of
    /// them and into `found`. Whether the value is that of perfect play.
    fn iteration(
        &mut self,
        root: &Played<G>,
        depth: u32,
        moves: &mut [G::Move],
        found: &mut AlphaBetaReport<G::Move>,
    ) -> Option<bool> {
        let last = found.value;
        // A ply deeper the value usually changes by a few units.
        let unit = (self.evaluator.unit() as i32).max(1);
        let mut width = 2 * unit;
        let aspires = self.kept.options.aspiration && depth > 1;
        let (mut low, mut high) =
            if aspires { (last - width, last + width) } else { (-INFINITE, INFINITE) };
        loop {
            let evaluated = self.evaluated;
            let value = self.root(root, depth, moves, low, high, found)?;
            // What is found beyond a bound is a bound itself: the window moves there and grows, and
            // the second time it has no end on that side.
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

    /// The value of the root, or a bound where it is not between `alpha` and `beta`.
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

    /// The value for `mover` of the position after its move, `ply` plies from the root and
    /// with `depth` to go: where it is `later` than others, first only whether it is above `alpha`.
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

    /// Writes the principal variation of a ply: a move and what follows it.
    fn follow(&mut self, ply: usize, m: G::Move) {
        let (line, after) = self.kept.lines[ply..].split_first_mut().expect("a ply has a line");
        line.clear();
        line.push(m);
        line.extend(after.first().into_iter().flatten());
    }

    /// The value of an unfinished position for the player to move, `depth` plies deep, or a bound
    /// where it is not between `alpha` and `beta`.
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
            // On the principal variation no value is taken, so that the line is found whole.
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
                        // The values of earlier moves do not matter.
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

    /// The same as [`Run::node`] at depth 1 in a game without cycles, where most of the time goes.
    ///
    /// The positions after the moves are made from this one and dropped. The last killer is
    /// tried before moves are listed, since often no other is needed. Looking the position up in
    /// the table or sorting its moves by history took longer than evaluating the few positions that
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

    /// The value for the player to move in `state`, `ply` plies from the root, of the position
    /// after one of its moves. It becomes the principal variation if it is between `alpha` and
    /// `beta`.
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

    /// Puts the moves of the current position on the line with their scores, the best one first:
    /// where they begin.
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

    /// Brings the best of the moves that are left to place `n` of the line. The order of equals
    /// is that of the game, and then what the exchanges leave.
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

/// What the best value of a position's moves says about it, after a search between `alpha` and
/// `beta`.
#[inline]
fn bound_of(best: i32, alpha: i32, beta: i32) -> Bound {
    match best {
        _ if best >= beta => Bound::Lower,
        _ if best <= alpha => Bound::Upper,
        _ => Bound::Exact,
    }
}

/// Whether a value or bound is that of a game that is won or lost, regardless of evaluators.
#[inline]
fn proved(value: i32, bound: Bound) -> bool {
    match bound {
        Bound::Unknown => false,
        Bound::Lower => value >= VALUE_MAX,
        Bound::Upper => value <= -VALUE_MAX,
        Bound::Exact => value.abs() >= VALUE_MAX,
    }
}

/// The value from the table, seen from the root, if it ends the search of a position that is to
/// be searched to `depth`.
#[inline]
fn taken<K, M>(entry: &Entry<K, M>, depth: u32, ply: u32, alpha: i32, beta: i32) -> Option<i32> {
    let value = seen_from(entry.value, -(ply as i32));
    let cuts = match entry.bound {
        Bound::Unknown => false,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
        Bound::Exact => true,
    };
    // A win within reach is found at any depth from there, and so is a loss.
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
