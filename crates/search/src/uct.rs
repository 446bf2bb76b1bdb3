//! UCT: tree search by upper confidence bounds on random playouts.

use std::cell::{Cell, RefCell};
use std::f64::consts::FRAC_1_SQRT_2;
use std::hash::Hash;

use rand_core::Rng;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use treegauge_core::{Game, Played, Player, SavedPoint, uniform_below};

use crate::bound::Exploration;
use crate::budget::{Budget, Stopped};
use crate::ran::{Ran, Search};
use crate::shape::averages;
use crate::tree::{NodeId, Tree};
use crate::variant::UctVariant;

/// Default of the exploration constant C_p, on rewards in \[0, 1\].
///
/// 1/sqrt(2) is the value that satisfies Hoeffding's bound for such rewards (Kocsis and Szepesvari
/// 2006; Browne et al. 2012, section 3.3).
pub const DEFAULT_CP: f64 = FRAC_1_SQRT_2;

/// Order in which the moves of a node are first tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expansion {
    /// Move order, as in Williams 2010. A search with fewer iterations than moves sees only the
    /// first of them.
    #[default]
    Order,
    /// Random order: each of the untried moves is equally likely.
    Random,
}

/// Options of a UCT search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UctOptions {
    /// Limits of the search.
    pub budget: Budget,
    /// Exploration constant C_p, at least 0, on rewards in \[0, 1\].
    pub cp: f64,
    /// Order in which moves are first tried.
    pub expansion: Expansion,
    /// Other differences from the search of Williams 2010.
    pub variant: UctVariant,
}

impl UctOptions {
    /// Options of the search of Williams 2010, with a budget and an exploration constant.
    #[must_use]
    pub fn new(budget: Budget, cp: f64) -> UctOptions {
        let (expansion, variant) = (Expansion::default(), UctVariant::default());
        UctOptions { budget, cp, expansion, variant }
    }
}

/// Phase of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UctPhase {
    /// Descent from the root to a new node or a finished position, including the creation of the
    /// node.
    Descent,
    /// Random game from there.
    Playout,
    /// Update of the nodes on the path with the result, and of their choices for later iterations.
    BackUp,
}

/// Observer of the phases of iterations. The search reads no clock; an implementation that measures
/// time reads one here.
pub trait Observer {
    /// Records that `phase` has just ended.
    fn ended(&mut self, phase: UctPhase);
}

/// Optional observer. Testing for it costs less than a second copy of the search for every game.
pub(crate) type Observed<'o, 'd> = Option<&'o mut (dyn Observer + 'd)>;

#[inline]
pub(crate) fn note(observer: &mut Observed<'_, '_>, phase: UctPhase) {
    if let Some(observer) = observer {
        observer.ended(phase);
    }
}

/// UCT search, which can be reused and keeps its memory.
///
/// # Algorithm
///
/// An iteration descends from the root. At a node it first tries every move once in move order;
/// afterwards it selects the child with the greatest
///
/// ```text
/// Q + C_p * sqrt(2 ln t / n)
/// ```
///
/// where `t` is the number of visits of the node, this one included, `n` that of the child, and
/// Q the child's average result **for the player who moves at the node**, on the scale 0 to 1.
/// With results of -1, 0 and 1, as they are stored, the same search is
///
/// ```text
/// score / n + 2 C_p * sqrt(2 ln t / n)
/// ```
///
/// because `(score / n + 1) / 2` is Q and an increasing map of all candidates keeps their order.
/// Equal candidates go to the first in move order. A position reached for the first time becomes a
/// node. A uniformly random playout is made from it, and the result is added to every node of the
/// path. At most one node is added per iteration, and none when the path ends in a finished
/// position that is already a node.
///
/// The move to play is the child of the root with the best average, not the most visited one.
///
/// Source: Kocsis and Szepesvari 2006 (the algorithm); Williams 2010, section 2.3 (the form in
/// which it is used here).
///
/// ```
/// use treegauge_core::{Game, Played};
/// use treegauge_games::connect_four::{ConnectFour, Fixed};
/// use treegauge_search::{Budget, Seed, Uct};
///
/// let game = ConnectFour::new(Fixed::<7, 6, 4>, treegauge_core::Plies(1_000));
/// let mut uct = Uct::new(Budget::iterations(500));
/// let search = uct.search(&game, &Played::start(&game), &mut Seed(1).generator());
/// assert_eq!(search.tree().root().unwrap().visits(), 500);
/// assert!(search.best_child().is_some());
/// ```
#[derive(Clone, Debug)]
pub struct Uct<G: Game> {
    budget: Budget,
    exploration: Exploration,
    expansion: Expansion,
    tree: Tree<G::Move>,
    /// Whether the next search continues from this tree.
    kept: bool,
    path: Vec<NodeId>,
    moves: Vec<G::Move>,
    /// Data of the last search.
    ran: Ran,
}

impl<G: Game> Uct<G> {
    /// Creates a search with [`DEFAULT_CP`].
    #[must_use]
    pub fn new(mut budget: Budget) -> Self {
        budget.iterations_max = budget.iterations_max.min(Budget::ITERATIONS_MAX);
        Uct {
            budget,
            exploration: Exploration::new(DEFAULT_CP),
            expansion: Expansion::Order,
            tree: Tree::default(),
            kept: false,
            path: Vec::new(),
            moves: Vec::new(),
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

    /// Sets the order of expansion. With [`Expansion::Random`] the children of a node are in the
    /// order in which they were tried.
    #[must_use]
    pub fn with_expansion(mut self, expansion: Expansion) -> Self {
        self.expansion = expansion;
        self
    }

    /// Keeps the part of the last search's tree below the position after `moves` for the next
    /// search, which must search that position, reached by those moves. It makes all its iterations
    /// in addition to the visits kept. Returns whether that position is a node; if not, the next
    /// search begins with an empty tree as usual.
    ///
    /// The time is proportional to the tree.
    ///
    /// ```
    /// # use treegauge_core::{Game, Played};
    /// # use treegauge_games::connect_four::{ConnectFour, Fixed};
    /// # use treegauge_search::{Budget, Seed, Uct};
    /// let game = ConnectFour::new(Fixed::<7, 6, 4>, treegauge_core::Plies(1_000));
    /// let (mut played, mut rng) = (Played::start(&game), Seed(1).generator());
    /// let mut uct = Uct::new(Budget::iterations(500));
    /// let search = uct.search(&game, &played, &mut rng);
    /// let best = search.tree().node(search.best_child().unwrap());
    /// let (m, visits) = (best.last_move(), best.visits());
    /// played.play(&game, m);
    /// assert!(uct.keep_after(&[m]));
    /// let search = uct.search(&game, &played, &mut rng);
    /// assert_eq!(search.tree().root().unwrap().visits(), visits + 500);
    /// ```
    pub fn keep_after(&mut self, moves: &[G::Move]) -> bool {
        self.kept = false;
        let Some(_) = self.tree.root() else { return false };
        let mut id = NodeId::ROOT;
        for &m in moves {
            let mut children = self.tree.child_ids(id);
            let Some(child) = children.find(|&child| self.tree.node(child).last_move() == m) else {
                return false;
            };
            id = child;
        }
        if id != NodeId::ROOT {
            self.tree.keep_below(id);
        }
        self.kept = true;
        true
    }

    /// Searches from the current position of a game.
    pub fn search<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        rng: &mut R,
    ) -> Search<'_, Tree<G::Move>> {
        self.search_observed(game, root, rng, None, &mut || false)
    }

    /// Searches as [`Uct::search`] does, with an observer of the phases and a closure that stops
    /// the search by returning `true`. The closure is called every 256 iterations, and in playouts
    /// whose plies take long.
    pub fn search_observed<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        rng: &mut R,
        observer: Option<&mut dyn Observer>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Search<'_, Tree<G::Move>> {
        self.ran.begin(game.turn(root.state()));
        if !std::mem::take(&mut self.kept) || root.ended(game).is_some() {
            self.tree.clear();
        }
        self.iterations(game, root, self.budget.iterations_max, rng, observer, stop);
        self.last()
    }

    /// Continues the last search by up to `more` iterations, regardless of the budget's limit of
    /// iterations. With the `root` and `rng` of that search, the result is the same as if that
    /// search had made these iterations too. The last search may have made no iteration: a search
    /// with a budget of 0 only begins.
    ///
    /// ```
    /// # use treegauge_core::{Game, Played};
    /// # use treegauge_games::connect_four::{ConnectFour, Fixed};
    /// # use treegauge_search::{Budget, Seed, Uct};
    /// let game = ConnectFour::new(Fixed::<7, 6, 4>, treegauge_core::Plies(1_000));
    /// let (played, mut rng) = (Played::start(&game), Seed(1).generator());
    /// let mut uct = Uct::new(Budget::iterations(300));
    /// uct.search(&game, &played, &mut rng);
    /// uct.grow(&game, &played, 200, &mut rng, &mut || false);
    /// let grown = uct.last().tried();
    /// let mut uct = Uct::new(Budget::iterations(500));
    /// assert_eq!(uct.search(&game, &played, &mut Seed(1).generator()).tried(), grown);
    /// ```
    pub fn grow<R: Rng>(
        &mut self,
        game: &G,
        root: &Played<G>,
        more: u32,
        rng: &mut R,
        stop: &mut dyn FnMut() -> bool,
    ) -> Search<'_, Tree<G::Move>> {
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
        let visits = self.tree.root().map_or(0, |root| root.visits());
        let more = more.min(Budget::ITERATIONS_MAX - visits);
        let iterations_max = self.ran.iterations.saturating_add(more);
        // The last iteration makes a choice for one more.
        self.exploration.extend_to(visits + more + 1);
        if self.tree.root().is_none() {
            game.moves_into(root.state(), &mut self.moves);
            // A finished game has no moves, so its tree stays empty.
            let Some(&any) = self.moves.first() else { return };
            if let Err(limit) = self.check_room(1) {
                self.ran.stopped = limit;
                return;
            }
            self.tree.add_root(self.moves.len() as u32, any);
        }
        let mut line = root.clone();
        let mark = root.mark();
        let (stopped, stop) = (Cell::new(false), RefCell::new(stop));
        let ask = || asked(&stopped, &stop);
        while self.ran.iterations < iterations_max && !stopped.get() {
            if self.ran.iterations % 256 == 255 && ask() {
                break;
            }
            if let Err(limit) = self.iterate(game, &mut line, &mark, rng, &mut observer, &ask) {
                self.ran.stopped = limit;
                break;
            }
            self.ran.iterations += 1;
            let tree = &self.tree;
            self.ran.drift.note(self.ran.iterations, || averages(tree, turn));
        }
        if stopped.get() {
            self.ran.stopped = Stopped::Caller;
        }
    }

    /// The last search; an empty one if there was none.
    #[must_use]
    pub fn last(&self) -> Search<'_, Tree<G::Move>> {
        Search { grown: &self.tree, ran: &self.ran, cp: self.exploration.cp() }
    }

    /// Makes one iteration. An error is the limit that forbids it; then nothing has changed.
    #[inline]
    fn iterate<R: Rng>(
        &mut self,
        game: &G,
        line: &mut Played<G>,
        root: &SavedPoint<G::State>,
        rng: &mut R,
        observer: &mut Observed<'_, '_>,
        ask: &dyn Fn() -> bool,
    ) -> Result<(), Stopped> {
        line.restore(root);
        self.path.clear();
        if self.tree.has_gaps() {
            self.tree.close_gaps();
        }
        // The choices were made when the nodes were last visited.
        let mut id = NodeId::ROOT;
        self.path.push(id);
        while let Some(child) = self.tree.next_child(id) {
            line.play(game, self.tree.node(child).last_move());
            id = child;
            self.path.push(id);
        }
        let node = self.tree.node(id);
        let (visits, legal_moves) = (node.visits(), node.legal_moves());
        let mut completed_by = None;
        let value = if visits == 0 {
            // Only the root is created before its first visit.
            note(observer, UctPhase::Descent);
            playout(game, line, rng, observer, ask)
        } else if legal_moves == 0 {
            let value = node.score().signum();
            note(observer, UctPhase::Descent);
            value
        } else {
            let count = visits - 1;
            self.check_room(legal_moves)?;
            let m = match self.expansion {
                Expansion::Order => game.nth_move(line.state(), count, &mut self.moves),
                Expansion::Random => self.untried_move(game, line.state(), id, rng),
            };
            if count + 1 == legal_moves {
                completed_by = Some(game.turn(line.state()));
            }
            line.play(game, m);
            let ended = line.ended(game);
            let moves_there = if ended.is_some() { 0 } else { game.move_count(line.state()) };
            let child = self.tree.add_child(id, count, moves_there, m);
            self.path.push(child);
            note(observer, UctPhase::Descent);
            match ended {
                Some(ended) => ended.outcome.value(),
                None => playout(game, line, rng, observer, ask),
            }
        };
        self.tree.back_up(&self.path, value, &self.exploration);
        if let Some(turn) = completed_by {
            self.tree.complete(id, turn, &self.exploration);
        }
        note(observer, UctPhase::BackUp);
        Ok(())
    }

    /// Random move among those without a child, all equally likely.
    fn untried_move<R: Rng>(
        &mut self,
        game: &G,
        state: &G::State,
        id: NodeId,
        rng: &mut R,
    ) -> G::Move {
        self.moves.clear();
        game.moves_into(state, &mut self.moves);
        let tried = self.tree.children(id);
        retain_untried(&mut self.moves, tried.iter().map(|child| child.last_move()));
        self.moves[uniform_below(rng, self.moves.len() as u32) as usize]
    }

    /// Checks that a child of a node with `most` moves may be added. An error is the limit that
    /// forbids it.
    #[inline]
    fn check_room(&self, most: u32) -> Result<(), Stopped> {
        if self.tree.node_count() >= self.budget.nodes_max {
            Err(Stopped::Nodes)
        } else if !self.tree.fits(most, self.budget.memory_bytes_max) {
            Err(Stopped::Memory)
        } else {
            Ok(())
        }
    }
}

/// Removes the moves that were tried.
pub(crate) fn retain_untried<M: Copy + Eq + Hash>(
    moves: &mut Vec<M>,
    tried: impl ExactSizeIterator<Item = M> + Clone,
) {
    if tried.len() > 64 {
        let tried: FxHashSet<M> = tried.collect();
        moves.retain(|m| !tried.contains(m));
    } else {
        moves.retain(|m| tried.clone().all(|tried| tried != *m));
    }
}

/// Returns whether a search was stopped. Calls `stop` until it returns `true` once.
pub(crate) fn asked(stopped: &Cell<bool>, stop: &RefCell<&mut dyn FnMut() -> bool>) -> bool {
    if !stopped.get() {
        stopped.set((stop.borrow_mut())());
    }
    stopped.get()
}

/// Plays a random game from the current position and returns its result.
#[inline]
fn playout<G: Game, R: Rng>(
    game: &G,
    line: &Played<G>,
    rng: &mut R,
    observer: &mut Observed<'_, '_>,
    ask: &dyn Fn() -> bool,
) -> i32 {
    let mut state = line.state().clone();
    let end = game.playout(&mut state, line.playout_limits(game).stopped_by(ask), rng);
    note(observer, UctPhase::Playout);
    end.outcome.value()
}

impl<'u, M: Copy> Search<'u, Tree<M>> {
    /// Tree of the search; empty if the game was over or the budget was 0.
    #[must_use]
    pub fn tree(&self) -> &'u Tree<M> {
        self.grown
    }

    /// Child of the root with the best average for the player to move, the first in move order
    /// among equals; `None` if the root has no child.
    #[must_use]
    pub fn best_child(&self) -> Option<NodeId> {
        let root = self.grown.root()?;
        best_by_mean(self.grown, NodeId::ROOT, self.turn()).filter(|_| root.child_count() > 0)
    }

    /// Number of [`Search::best_child`] in move order, from 0.
    #[must_use]
    pub fn best_move_number(&self) -> Option<u32> {
        let root = self.grown.root()?;
        best_number(self.grown, NodeId::ROOT, self.turn()).filter(|_| root.child_count() > 0)
    }

    /// Move to play: the move of [`Search::best_child`].
    #[must_use]
    pub fn best_move(&self) -> Option<M> {
        self.best_child().map(|id| self.grown.node(id).last_move())
    }
}

/// Child with the best average for `turn`, compared exactly.
pub(crate) fn best_by_mean<M: Copy>(tree: &Tree<M>, id: NodeId, turn: Player) -> Option<NodeId> {
    best_number(tree, id, turn).map(|n| tree.child_id(id, n))
}

/// Number of that child in move order.
fn best_number<M: Copy>(tree: &Tree<M>, id: NodeId, turn: Player) -> Option<u32> {
    let children = tree.children(id);
    let mut best: Option<usize> = None;
    for (n, child) in children.iter().enumerate() {
        let better = best.is_none_or(|b| {
            // Compares a/b > c/d without rounding.
            let own = i64::from(turn.sign()) * i64::from(child.score());
            let other = i64::from(turn.sign()) * i64::from(children[b].score());
            own * i64::from(children[b].visits()) > other * i64::from(child.visits())
        });
        if better {
            best = Some(n);
        }
    }
    best.map(|n| n as u32)
}

#[cfg(test)]
mod tests;
