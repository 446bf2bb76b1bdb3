//! Game as seen by a solver, with its type hidden.

mod partial;
mod typed;

use std::fmt::{self, Debug};
use std::ops::Range;
use std::sync::Arc;

use treegauge_core::{
    Board, Capabilities, Capability, Game, KeyCode, Keyed, Notation, Outcome, Player, Plies,
    PositionError, Watch,
};

use crate::endless::Endless;
use crate::error::{Halt, Interrupted, SolveError};
use crate::find::BATCH;
use crate::memory::{Memory, Wide};
use crate::value::Value;

use partial::Partial;
use rustc_hash::FxHashSet;
use typed::{Positions, Typed};

/// Code of a game's keys.
pub type CodeOf<G> = <<G as Keyed>::Key as KeyCode>::Code;

/// Game as seen by a solver. A position is the code of its key ([`KeyCode::Code`]), and a move is
/// its number in the position's list of legal moves, from 0.
///
/// The type of the game is hidden, so that a program with many games compiles a solver only once
/// for each of the four types of codes. The moves of many positions are made behind one dynamic
/// call (`Expander::expand`), so that solvers lose little speed. A single step costs a dynamic call
/// and a conversion from key to state and back.
#[derive(Clone)]
pub struct Solvable<K> {
    positions: Arc<dyn Positions<K>>,
    start: K,
    facts: Facts,
}

impl<K> Debug for Solvable<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solvable").field("facts", &self.facts).finish_non_exhaustive()
    }
}

/// Properties of the game as a whole.
#[derive(Clone, Copy, Debug)]
struct Facts {
    tiered: bool,
    index_len: Option<u64>,
    retrograde: bool,
    /// Number of symmetries, including the identity.
    symmetry_count: usize,
    graded: bool,
    margin_unit: Option<[&'static str; 2]>,
    endless: Endless,
    quiet_plies: Option<Plies>,
    ply_cap: Plies,
    is_capped_by_rules: bool,
    has_long_plies: bool,
}

impl Facts {
    fn of<G: Game>(game: &G, capabilities: &Capabilities<G>) -> Facts {
        let cyclic = G::CYCLIC && game.cyclic();
        Facts {
            tiered: capabilities.tier.is_some(),
            index_len: capabilities.index_len.map(|index_len| index_len(game)),
            retrograde: capabilities.parents.is_some(),
            symmetry_count: capabilities.symmetry_count(game),
            graded: capabilities.margin.is_some(),
            margin_unit: capabilities.margin_unit,
            endless: if cyclic { Endless::by_limits(game) } else { Endless::Draw },
            quiet_plies: game.draw_plies().filter(|_| cyclic),
            ply_cap: game.ply_cap(),
            is_capped_by_rules: game.is_capped_by_rules(),
            has_long_plies: game.has_long_plies(),
        }
    }
}

impl<K: KeyCode> Solvable<K> {
    /// Wraps a game with its capabilities. A game with [`Capabilities::none`] can be solved too,
    /// but may take more time and memory.
    #[must_use]
    pub fn of<G>(game: G, capabilities: Capabilities<G>) -> Self
    where
        G: Notation + Keyed<Key: KeyCode<Code = K>>,
    {
        let (start, facts) = (game.key(&game.start()).code(), Facts::of(&game, &capabilities));
        Solvable { positions: Arc::new(Typed { game, capabilities }), start, facts }
    }

    /// Removes a capability; the game stays the same.
    #[must_use]
    pub fn without(mut self, capability: Capability) -> Self {
        match capability {
            Capability::Indexed => self.facts.index_len = None,
            Capability::Retrograde => self.facts.retrograde = false,
            Capability::Tiered => self.facts.tiered = false,
            Capability::Symmetric => self.facts.symmetry_count = 1,
            Capability::Graded => self.facts.graded = false,
            Capability::Intuitive | Capability::Actions | Capability::Tensor => {}
        }
        self
    }

    /// Part of the game. Positions that are not `open` and not finished end it without a winner. It
    /// has the symmetries of the game, if `open` has them, and no other capability; endless play in it
    /// is a draw.
    pub(crate) fn partial(&self, open: FxHashSet<K>) -> Self {
        let facts = Facts {
            tiered: false,
            index_len: None,
            retrograde: false,
            graded: false,
            endless: Endless::Draw,
            ..self.facts
        };
        let positions = Arc::new(Partial { whole: Arc::clone(&self.positions), open });
        Solvable { positions, start: self.start, facts }
    }

    /// Returns whether the game has tiers.
    #[must_use]
    pub fn has_tiers(&self) -> bool {
        self.facts.tiered
    }

    /// Exclusive upper bound of the codes of all keys, if keys are an index; else `None`.
    #[must_use]
    pub fn index_len(&self) -> Option<u64> {
        self.facts.index_len
    }

    /// Returns whether moves can be taken back.
    #[must_use]
    pub fn has_parents(&self) -> bool {
        self.facts.retrograde
    }

    /// Number of symmetries, including the identity.
    #[must_use]
    pub fn symmetry_count(&self) -> usize {
        self.facts.symmetry_count
    }

    /// Returns whether finished positions have margins.
    #[must_use]
    pub fn has_margins(&self) -> bool {
        self.facts.graded
    }

    /// Unit of margins after the number 1 and after other numbers; `None` without margins or a
    /// name.
    #[must_use]
    pub fn margin_unit(&self) -> Option<[&'static str; 2]> {
        self.facts.margin_unit.filter(|_| self.facts.graded)
    }

    /// Result of endless play by the rules.
    #[must_use]
    pub fn endless(&self) -> Endless {
        if self.facts.tiered { Endless::Draw } else { self.facts.endless }
    }

    /// Number of plies without progress after which the rules end a game; `None` without such a
    /// limit or if positions cannot come back.
    #[must_use]
    pub fn quiet_plies(&self) -> Option<Plies> {
        self.facts.quiet_plies
    }

    /// Number of plies after which a game is stopped.
    #[must_use]
    pub fn ply_cap(&self) -> Plies {
        self.facts.ply_cap
    }

    /// Returns whether [`Solvable::ply_cap`] is a rule of the game.
    #[must_use]
    pub fn is_capped_by_rules(&self) -> bool {
        self.facts.is_capped_by_rules
    }

    pub(crate) fn has_long_plies(&self) -> bool {
        self.facts.has_long_plies
    }

    /// Position before the first ply.
    #[must_use]
    pub fn start(&self) -> K {
        self.start
    }

    /// Returns whether a code read from a file is that of a valid position.
    pub(crate) fn has_position(&self, code: K) -> bool {
        self.positions.has_position(code)
    }

    /// Player to move.
    #[must_use]
    pub fn turn(&self, state: K) -> Player {
        self.positions.turn(state)
    }

    /// Result of a finished position; `None` if the position is not finished.
    #[must_use]
    pub fn outcome(&self, state: K) -> Option<Outcome> {
        self.positions.outcome(state)
    }

    /// Tier of a position; 0 for a game without tiers.
    #[must_use]
    pub fn tier(&self, state: K) -> u32 {
        if self.facts.tiered { self.positions.tier(state) } else { 0 }
    }

    /// First player's score minus the second's in a finished position.
    ///
    /// # Panics
    ///
    /// When the game has no margins.
    #[must_use]
    pub fn margin(&self, state: K) -> i32 {
        self.positions.margin(state)
    }

    /// Number of legal moves of an unfinished position.
    #[must_use]
    pub fn move_count(&self, state: K) -> u32 {
        self.positions.move_count(state)
    }

    /// Position after a move.
    ///
    /// # Panics
    ///
    /// When the move does not exist.
    #[must_use]
    pub fn after(&self, state: K, m: u32) -> K {
        self.positions.after(state, m)
    }

    /// Positions after all moves, in the order of the moves; empty for a finished position.
    #[must_use]
    pub fn children(&self, state: K) -> Vec<Child<K>> {
        let (memory, own) = (Memory::new(None), Reduction::none());
        let mut links = Links::new(Bounds::new(&memory, &()));
        let expanded = Expander::new(self, &own).expand(&[state], &mut links);
        expanded.expect("there is no limit, and nothing stops it");
        links.children
    }

    /// Image of a position under the symmetry with this number; 0 is the identity.
    #[must_use]
    pub fn image(&self, symmetry: usize, state: K) -> K {
        if symmetry == 0 { state } else { self.positions.image(symmetry, state) }
    }

    /// Representative of the position and all its images: the one with the least key.
    #[must_use]
    pub fn class(&self, state: K) -> K {
        match self.facts.symmetry_count {
            1 => state,
            count => self.positions.stored(&Reduction::all(count), state),
        }
    }

    /// Hash of the image of a move under a symmetry; symmetry 0 gives the move itself. Equal moves
    /// have equal hashes in any position; different moves almost surely have different ones.
    #[must_use]
    pub fn move_number(&self, symmetry: usize, state: K, m: u32) -> u64 {
        self.positions.move_number(symmetry, state, m)
    }

    /// Formats a move as text.
    #[must_use]
    pub fn move_text(&self, state: K, m: u32) -> String {
        self.positions.move_text(state, m)
    }

    /// Formats a position as text.
    #[must_use]
    pub fn position_text(&self, state: K) -> String {
        self.positions.position_text(state)
    }

    /// Parses the text of a position.
    ///
    /// # Errors
    ///
    /// When the text is not that of a position of the game.
    pub fn parse_position(&self, text: &str) -> Result<K, PositionError> {
        self.positions.parse_position(text)
    }

    /// Board as text for a terminal.
    #[must_use]
    pub fn board_text(&self, state: K) -> String {
        self.positions.board_text(state)
    }

    /// Position as a board of cells.
    #[must_use]
    pub fn board(&self, state: K) -> Board {
        self.positions.board(state)
    }

    /// Value of a position by a search of all lines from there; see
    /// [`value_by_history`](crate::history::value_by_history).
    pub(crate) fn value_by_history(
        &self,
        state: K,
        watch: &dyn Watch,
    ) -> Result<Option<Value>, Interrupted> {
        self.positions.value_by_history(state, watch)
    }
}

/// Reduction by symmetry: the symmetries under which one position represents its images.
///
/// Only symmetries that keep the start are used. They form a group, and they map reachable
/// positions to reachable ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// Numbers of the symmetries, the identity first.
    symmetries: Vec<usize>,
    /// Whether these are all symmetries of the game.
    all: bool,
}

impl Reduction {
    /// No reduction: every position represents itself only.
    #[must_use]
    pub fn none() -> Self {
        Reduction { symmetries: vec![0], all: false }
    }

    /// Reduction by all `count` symmetries of a game.
    fn all(count: usize) -> Self {
        Reduction { symmetries: (0..count).collect(), all: true }
    }

    /// Reduction by the symmetries that keep `start`.
    ///
    /// # Errors
    ///
    /// When only the identity keeps it, or the game has no symmetries.
    pub fn of<K: KeyCode>(rules: &Solvable<K>, start: K) -> Result<Self, SolveError> {
        let count = rules.symmetry_count();
        let keeps = |&symmetry: &usize| rules.image(symmetry, start) == start;
        let symmetries: Vec<usize> = (0..count).filter(keeps).collect();
        match symmetries.len() {
            _ if count == 1 => Err(SolveError::NoSymmetries),
            1 => Err(SolveError::StartMoves),
            len => Ok(Reduction { symmetries, all: len == count }),
        }
    }

    /// Returns whether every position represents itself only.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.symmetries.len() == 1
    }

    /// Numbers of the symmetries in use, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> &[usize] {
        &self.symmetries
    }
}

/// Expands positions: computes the stored keys of their children.
#[derive(Clone, Copy, Debug)]
pub struct Expander<'a, K> {
    rules: &'a Solvable<K>,
    way: Way<'a>,
}

/// Options of an expansion.
#[derive(Clone, Copy, Debug)]
struct Way<'a> {
    reduction: &'a Reduction,
    tiered: bool,
    distinct: bool,
}

/// Child of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child<K> {
    /// Key under which the child is stored.
    pub key: K,
    /// Tier of the child.
    pub tier: u32,
    /// Whether the same player is still to move.
    pub same_turn: bool,
}

/// Limits of a batch of children: the memory that they may take, and the watch that may stop the
/// work.
///
/// A position may have tens of thousands of moves, so a batch is limited by the number of its
/// children. A position with more children than the limit is a batch of its own, and its children
/// are counted in the memory account.
#[derive(Clone, Copy)]
pub(crate) struct Bounds<'a> {
    memory: &'a Memory,
    watch: &'a dyn Watch,
    children_max: usize,
    wide: bool,
}

impl Debug for Bounds<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bounds").field("children_max", &self.children_max).finish_non_exhaustive()
    }
}

impl<'a> Bounds<'a> {
    /// Default limit of the children in a batch: few enough to stay in the cache, and to be
    /// negligible beside the positions of a solve.
    const CHILDREN_MAX: usize = 1 << 12;

    pub(crate) fn new(memory: &'a Memory, watch: &'a dyn Watch) -> Self {
        Bounds { memory, watch, children_max: Self::CHILDREN_MAX, wide: true }
    }

    /// Memory account that large batches are taken from.
    pub(crate) fn memory(&self) -> &'a Memory {
        self.memory
    }

    /// Sets the limit of children in a batch to `children_max`, or at least one. A position with
    /// more children is then not expanded.
    pub(crate) fn narrow(self, children_max: usize) -> Self {
        Bounds { children_max: children_max.max(1), wide: false, ..self }
    }
}

/// Children made between two calls of the watch.
const LOOK: usize = 1 << 8;

/// Children of several positions.
#[derive(Debug)]
pub struct Links<'a, K> {
    children: Vec<Child<K>>,
    /// End of each position's children, or its value if it is finished.
    ends: Vec<Result<usize, Value>>,
    bounds: Bounds<'a>,
    /// Bytes held for more children than a batch may have.
    wide: Option<Wide<'a>>,
    /// Children made since the last call of the watch.
    unwatched: usize,
}

impl<'a, K> Links<'a, K> {
    /// Creates an empty list of children with these bounds.
    pub(crate) fn new(bounds: Bounds<'a>) -> Self {
        Links { children: Vec::new(), ends: Vec::new(), bounds, wide: None, unwatched: LOOK }
    }

    /// Children of all positions, position by position.
    #[must_use]
    pub fn children(&self) -> &[Child<K>] {
        &self.children
    }

    /// Range of each position's children in [`Links::children`], or its value if it is finished.
    pub fn ranges(&self) -> impl Iterator<Item = Result<Range<usize>, Value>> + '_ {
        let mut begin = 0;
        self.ends.iter().map(move |end| end.map(|end| std::mem::replace(&mut begin, end)..end))
    }

    /// Children of each position, or its value if it is finished.
    pub fn iter(&self) -> impl Iterator<Item = Result<&[Child<K>], Value>> + '_ {
        self.ranges().map(|range| range.map(|range| &self.children[range]))
    }

    /// Removes the children, and frees memory beyond that of a normal batch.
    pub(crate) fn clear(&mut self) {
        self.children.clear();
        self.ends.clear();
        if self.wide.is_some() {
            self.children = Vec::new();
            self.wide = None;
        }
    }

    /// Makes room for the children of one more position, and returns whether there is room.
    fn make_room(&mut self, more: usize) -> Result<bool, Halt> {
        /// Bytes that callers keep beside a child: for the child and for its move.
        const BESIDE: usize = 32;
        let Bounds { memory, children_max, wide, .. } = self.bounds;
        if self.children.len() + more <= children_max {
            return Ok(true);
        }
        if !wide || !self.ends.is_empty() {
            return Ok(false);
        }
        self.wide = Some(memory.hold_wide((more * (size_of::<Child<K>>() + BESIDE)) as u64)?);
        self.children.reserve_exact(more);
        Ok(true)
    }

    /// Calls the watch every [`LOOK`] children.
    #[inline]
    fn look(&mut self, children: usize) -> Result<(), Halt> {
        self.unwatched += children;
        if self.unwatched < LOOK {
            return Ok(());
        }
        self.unwatched = 0;
        if self.bounds.watch.stop() { Err(Halt::Stopped) } else { Ok(()) }
    }
}

impl<'a, K: KeyCode> Expander<'a, K> {
    /// Creates an expander for positions that are stored with this reduction.
    #[must_use]
    pub fn new(rules: &'a Solvable<K>, reduction: &'a Reduction) -> Self {
        let way = Way { reduction, tiered: rules.has_tiers(), distinct: false };
        Expander { rules, way }
    }

    /// Merges several moves to one position into one child. Two positions that are images of each
    /// other remain two children.
    #[must_use]
    pub fn distinct(mut self) -> Self {
        self.way.distinct = true;
        self
    }

    /// Key under which a position is stored.
    #[inline]
    #[must_use]
    pub fn stored_key(&self, state: K) -> K {
        let reduction = self.way.reduction;
        if reduction.is_none() { state } else { self.rules.positions.stored(reduction, state) }
    }

    /// Replaces the contents of `keys` with the keys of all positions that a stored key represents,
    /// including itself, each once in ascending order.
    pub fn images_into(&self, key: K, keys: &mut Vec<K>) {
        keys.clear();
        keys.extend(self.way.reduction.symmetries.iter().map(|&n| self.rules.image(n, key)));
        keys.sort_unstable();
        keys.dedup();
    }

    /// Replaces the contents of `links` with the children of the first few positions, one for each
    /// move in the order of the game's moves, and with the values of those that are finished.
    /// Returns the number of positions expanded: up to the bounds of `links`, but at least one
    /// unless they are narrow.
    pub(crate) fn expand(&self, keys: &[K], links: &mut Links<'_, K>) -> Result<usize, Halt> {
        self.rules.positions.expand(self.way, keys, links)
    }

    /// Calls `work` with the children of all positions, batch by batch. The range gives the places
    /// of the batch's positions in `keys`.
    pub(crate) fn each_batch<E: From<Halt>>(
        &self,
        keys: &[K],
        links: &mut Links<'_, K>,
        mut work: impl FnMut(Range<usize>, &Links<'_, K>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut done = 0;
        while done < keys.len() {
            let batch = &keys[done..keys.len().min(done + BATCH)];
            let count = self.expand(batch, links)?;
            assert!(count > 0, "bounds that are not narrow have room for a position");
            work(done..done + count, links)?;
            done += count;
        }
        links.clear();
        Ok(())
    }

    /// Replaces the contents of `links` with the parents of the first few positions, each once and
    /// without tiers. Some may not be reachable. Symmetry is ignored. Returns the number of
    /// positions done, as [`Expander::expand`] does.
    ///
    /// # Panics
    ///
    /// When moves of the game cannot be taken back.
    pub(crate) fn parents(&self, keys: &[K], links: &mut Links<'_, K>) -> Result<usize, Halt> {
        self.rules.positions.parents(keys, links)
    }
}

#[cfg(test)]
mod tests;
