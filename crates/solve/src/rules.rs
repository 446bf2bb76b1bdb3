//! A game with what a solver can use of it.

use std::fmt::{self, Debug};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::FxHashSet;
use treegauge_core::{Capabilities, KeyCode, Keyed, Symmetries, Watch};
use xxhash_rust::xxh3::Xxh3;

use crate::error::{Halt, SolveError};
use crate::find::BATCH;
use crate::memory::{Memory, Wide};
use crate::value::Value;

/// A game with the capabilities that a solver makes use of.
#[derive(Clone, Debug)]
pub struct Solvable<G: Keyed> {
    game: G,
    capabilities: Capabilities<G>,
    by_batch: ByBatch<G>,
}

type Expand<G, K> = fn(Expander<'_, G>, &[K], &mut Links<'_, K>) -> Result<usize, Halt>;

/// What a game whose type is hidden does in batches, rather than by one call per step.
#[derive(Debug)]
pub(crate) struct ByBatch<G: Keyed> {
    /// [`Expander::expand`].
    pub(crate) expand: Expand<G, <G as Keyed>::Key>,
    /// [`Expander::parents`].
    pub(crate) parents: Expand<G, <G as Keyed>::Key>,
    /// [`Solvable::move_number`].
    pub(crate) move_number: fn(&Solvable<G>, usize, &G::State, G::Move) -> u64,
}

// A derive would add bounds on the parameters of `G`.
impl<G: Keyed> Clone for ByBatch<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Keyed> Copy for ByBatch<G> {}

impl<G: Keyed> Solvable<G> {
    /// A game with its capabilities: with [`Capabilities::none`] it can be solved too, but may take
    /// more time and memory. Margins are not used.
    #[must_use]
    pub fn of(game: G, capabilities: Capabilities<G>) -> Self {
        let by_batch = ByBatch {
            expand: |expander, keys, links| expander.expand_as(keys, |key| key, |key| key, links),
            parents: |expander, keys, links| expander.parents_as(keys, |key| key, |key| key, links),
            move_number: Solvable::mapped_move_number,
        };
        Solvable { game, capabilities, by_batch }
    }

    /// With other functions for whole batches of positions.
    pub(crate) fn with_batches(self, by_batch: ByBatch<G>) -> Self {
        Solvable { by_batch, ..self }
    }

    /// The same game with other capabilities.
    #[must_use]
    pub fn with_capabilities(self, capabilities: Capabilities<G>) -> Self {
        Solvable { capabilities, ..self }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What the game can do.
    #[must_use]
    pub fn capabilities(&self) -> &Capabilities<G> {
        &self.capabilities
    }

    /// Whether the game has tiers.
    #[must_use]
    pub fn has_tiers(&self) -> bool {
        self.capabilities.tier.is_some()
    }

    /// The number below which the codes of all keys are, where keys are an index.
    #[must_use]
    pub fn index_len(&self) -> Option<u64> {
        self.capabilities.index_len.map(|index_len| index_len(&self.game))
    }

    /// Whether a code that was read is that of a position which the rules allow.
    pub(crate) fn has_position(&self, code: <G::Key as KeyCode>::Code) -> bool {
        let key = G::Key::of_code(code);
        key.code() == code && self.game.try_unkey(key).is_some()
    }

    /// Whether moves can be taken back.
    #[must_use]
    pub fn has_parents(&self) -> bool {
        self.capabilities.parents.is_some()
    }

    /// Replaces the contents of `parents` with the states from which a move leads to a state.
    ///
    /// # Panics
    ///
    /// When moves of the game cannot be taken back.
    pub(crate) fn parents_into(&self, state: &G::State, parents: &mut Vec<G::State>) {
        let parents_into = self.capabilities.parents.expect("moves can be taken back");
        parents_into(&self.game, state, parents);
    }

    /// The functions of the symmetries, where there are any.
    #[must_use]
    pub fn symmetries(&self) -> Option<&Symmetries<G>> {
        self.capabilities.symmetries.as_ref()
    }

    /// The tier of a state; 0 for a game without tiers.
    #[inline]
    #[must_use]
    pub fn tier(&self, state: &G::State) -> u32 {
        self.capabilities.tier.map_or(0, |tier| tier(&self.game, state))
    }

    /// A number for the image of a move under a symmetry, 0 for the move itself: the same for the
    /// same move in any position, and almost surely another for other moves.
    #[must_use]
    pub fn move_number(&self, symmetry: usize, state: &G::State, m: G::Move) -> u64 {
        (self.by_batch.move_number)(self, symmetry, state, m)
    }

    /// The XXH3 of the mapped move.
    pub(crate) fn mapped_move_number(&self, symmetry: usize, _: &G::State, m: G::Move) -> u64 {
        let map = |symmetries: &Symmetries<G>| (symmetries.map_move)(&self.game, symmetry, m);
        let mut hash = Xxh3::new();
        self.symmetries().map_or(m, map).hash(&mut hash);
        hash.finish()
    }
}

/// Which positions stand for which.
///
/// Of the symmetries only those that leave the start as it is are used: they form a group, and
/// what they make of a reachable position is reachable too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The numbers of the symmetries, the identity first.
    symmetries: Vec<usize>,
    /// Whether these are all that the game has.
    all: bool,
}

impl Reduction {
    /// Every position stands for itself.
    #[must_use]
    pub fn none() -> Self {
        Reduction { symmetries: vec![0], all: false }
    }

    /// Every position stands for its images under the symmetries that keep `start`.
    ///
    /// # Errors
    ///
    /// When there are none but the identity.
    pub fn of<G: Keyed>(rules: &Solvable<G>, start: &G::State) -> Result<Self, SolveError> {
        let symmetries = rules.symmetries().ok_or(SolveError::NoSymmetries)?;
        let count = (symmetries.count)(rules.game());
        let keeping: Vec<usize> = (0..count)
            .filter(|&symmetry| &(symmetries.map_state)(rules.game(), symmetry, start) == start)
            .collect();
        if keeping.len() == 1 {
            return Err(if count == 1 { SolveError::NoSymmetries } else { SolveError::StartMoves });
        }
        Ok(Reduction { all: keeping.len() == count, symmetries: keeping })
    }

    /// Whether every position stands for itself alone.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.symmetries.len() == 1
    }

    /// The numbers of the symmetries in use, the identity first.
    #[must_use]
    pub fn symmetries(&self) -> &[usize] {
        &self.symmetries
    }
}

/// The way from the keys of positions to the keys of their children.
#[derive(Debug)]
pub struct Expander<'a, G: Keyed> {
    rules: &'a Solvable<G>,
    reduction: &'a Reduction,
    tiered: bool,
    distinct: bool,
}

impl<G: Keyed> Clone for Expander<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Keyed> Copy for Expander<'_, G> {}

/// A child of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Child<K> {
    /// The key under which it is stored.
    pub key: K,
    /// Its tier.
    pub tier: u32,
    /// Whether the same player is still to move.
    pub same_turn: bool,
}

/// The memory that the children of a batch of positions may take, and the watch that may stop their making.
///
/// A position may have tens of thousands of moves, so a batch ends by the number of its children. One
/// position with more children than a batch may have is a batch of its own, and its children
/// are taken from the account.
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
    /// The children of a batch, where nothing else is said: few enough to stay in the cache, and to be
    /// no part of what a solve takes for its positions.
    const CHILDREN_MAX: usize = 1 << 12;

    pub(crate) fn new(memory: &'a Memory, watch: &'a dyn Watch) -> Self {
        Bounds { memory, watch, children_max: Self::CHILDREN_MAX, wide: true }
    }

    /// The account that children are taken from.
    pub(crate) fn memory(&self) -> &'a Memory {
        self.memory
    }

    /// The same for batches of this many children, or at least one. A position that has more is not
    /// expanded.
    pub(crate) fn narrow(self, children_max: usize) -> Self {
        Bounds { children_max: children_max.max(1), wide: false, ..self }
    }
}

/// Children that are made between two looks at the watch.
const LOOK: usize = 1 << 8;

/// The children of several positions.
#[derive(Debug)]
pub struct Links<'a, K> {
    children: Vec<Child<K>>,
    /// For each position the end of its children, or its value when it is finished.
    ends: Vec<Result<usize, Value>>,
    bounds: Bounds<'a>,
    /// The bytes of more children than a batch has.
    wide: Option<Wide<'a>>,
    /// The children that were made since the last look at the watch.
    unwatched: usize,
}

impl<'a, K> Links<'a, K> {
    /// Room for children.
    pub(crate) fn new(bounds: Bounds<'a>) -> Self {
        Links { children: Vec::new(), ends: Vec::new(), bounds, wide: None, unwatched: LOOK }
    }

    /// All children, position by position.
    #[must_use]
    pub fn children(&self) -> &[Child<K>] {
        &self.children
    }

    /// For each position where its children are among all, or its value when it is finished.
    pub fn ranges(&self) -> impl Iterator<Item = Result<Range<usize>, Value>> + '_ {
        let mut begin = 0;
        self.ends.iter().map(move |end| end.map(|end| std::mem::replace(&mut begin, end)..end))
    }

    /// For each position its children, or its value when it is finished.
    pub fn iter(&self) -> impl Iterator<Item = Result<&[Child<K>], Value>> + '_ {
        self.ranges().map(|range| range.map(|range| &self.children[range]))
    }

    /// Forgets the children, and gives back what is more than the room of a batch.
    pub(crate) fn clear(&mut self) {
        self.children.clear();
        self.ends.clear();
        if self.wide.is_some() {
            self.children = Vec::new();
            self.wide = None;
        }
    }

    /// Makes room for the children of one more position. Whether there is room.
    fn make_room(&mut self, more: usize) -> Result<bool, Halt> {
        /// The bytes that callers keep of a child, and those of a move.
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

    /// Looks at the watch now and then.
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

/// The positions that a position leads to, each counted once.
struct Distinct<K> {
    few: Vec<K>,
    more: FxHashSet<K>,
}

impl<K: Copy + Eq + Hash> Distinct<K> {
    /// Positions that are compared one by one.
    const FEW: usize = 64;

    fn clear(&mut self) {
        self.few.clear();
        self.more = FxHashSet::default();
    }

    /// Whether a position is new.
    fn insert(&mut self, key: K) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return true;
        }
        self.more.insert(key)
    }
}

impl<'a, G: Keyed> Expander<'a, G> {
    /// For positions that are stored as a reduction says.
    #[must_use]
    pub fn new(rules: &'a Solvable<G>, reduction: &'a Reduction) -> Self {
        Expander { rules, reduction, tiered: rules.has_tiers(), distinct: false }
    }

    /// Takes several moves to one position as one child. Two positions that are images of each
    /// other are still two.
    #[must_use]
    pub fn distinct(self) -> Self {
        Expander { distinct: true, ..self }
    }

    pub(crate) fn rules(&self) -> &'a Solvable<G> {
        self.rules
    }

    /// The same way for positions of the same game under another reduction.
    pub(crate) fn with_rules<H: Keyed>(self, rules: &'a Solvable<H>) -> Expander<'a, H> {
        let Expander { reduction, tiered, distinct, .. } = self;
        Expander { rules, reduction, tiered, distinct }
    }

    /// The key under which a state is stored.
    #[inline]
    #[must_use]
    pub fn stored_key(&self, state: &G::State) -> G::Key {
        if self.reduction.is_none() {
            self.rules.game.key(state)
        } else {
            self.canonical_key(state)
        }
    }

    /// The least key of the images.
    fn canonical_key(&self, state: &G::State) -> G::Key {
        let game = &self.rules.game;
        let symmetries = self.rules.symmetries().expect("a reduction is made of symmetries");
        if self.reduction.all {
            return game.key(&(symmetries.canonical)(game, state));
        }
        let images = self.reduction.symmetries.iter();
        let keys = images.map(|&n| game.key(&(symmetries.map_state)(game, n, state)));
        keys.min().expect("the identity is a symmetry")
    }

    /// Replaces the contents of `keys` with the keys of all positions that the one of a stored key
    /// stands for, itself among them, each once in ascending order.
    pub fn images_into(&self, key: G::Key, keys: &mut Vec<G::Key>) {
        keys.clear();
        match self.rules.symmetries() {
            Some(symmetries) if !self.reduction.is_none() => {
                let game = &self.rules.game;
                let state = game.unkey(key);
                keys.extend(
                    self.reduction
                        .symmetries
                        .iter()
                        .map(|&n| game.key(&(symmetries.map_state)(game, n, &state))),
                );
                keys.sort_unstable();
                keys.dedup();
            }
            _ => keys.push(key),
        }
    }

    /// Replaces the contents of `links` with the children of the first of some positions, one for each
    /// move in the order of the game's moves, and the values of those that are finished. Returns
    /// the number of these positions: as many as the bounds of `links` allow, at least one unless they
    /// are narrow.
    pub(crate) fn expand(
        &self,
        keys: &[G::Key],
        links: &mut Links<'_, G::Key>,
    ) -> Result<usize, Halt> {
        (self.rules.by_batch.expand)(*self, keys, links)
    }

    /// Calls `work` with the children of all positions, batch by batch, and with the numbers of the
    /// positions that they are of.
    pub(crate) fn each_batch<E: From<Halt>>(
        &self,
        keys: &[G::Key],
        links: &mut Links<'_, G::Key>,
        mut work: impl FnMut(Range<usize>, &Links<'_, G::Key>) -> Result<(), E>,
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

    /// [`Expander::expand`] for keys that are written as something else.
    #[inline]
    pub(crate) fn expand_as<K: Copy>(
        &self,
        keys: &[K],
        of: impl Fn(K) -> G::Key,
        to: impl Fn(G::Key) -> K,
        links: &mut Links<'_, K>,
    ) -> Result<usize, Halt> {
        links.clear();
        let game = &self.rules.game;
        let mut moves = Vec::new();
        let mut seen = Distinct { few: Vec::new(), more: FxHashSet::default() };
        for &key in keys {
            links.look(1)?;
            let state = game.unkey(of(key));
            let turn = game.turn(&state);
            if let Some(outcome) = game.outcome(&state) {
                links.ends.push(Err(Value::of_outcome(outcome, turn)));
                continue;
            }
            game.moves_into(&state, &mut moves);
            if !links.make_room(moves.len())? {
                break;
            }
            seen.clear();
            for moves in moves.chunks(LOOK) {
                links.look(moves.len())?;
                for &m in moves {
                    let mut child = state.clone();
                    game.play(&mut child, m);
                    if self.distinct && !seen.insert(game.key(&child)) {
                        continue;
                    }
                    links.children.push(Child {
                        key: to(self.stored_key(&child)),
                        tier: if self.tiered { self.rules.tier(&child) } else { 0 },
                        same_turn: game.turn(&child) == turn,
                    });
                }
            }
            links.ends.push(Ok(links.children.len()));
        }
        Ok(links.ends.len())
    }

    /// Replaces the contents of `links` with the parents of the first of some positions, each once, with
    /// the tiers left out. Some may not be reachable. Symmetry is ignored. Returns the number of these
    /// positions, as [`Expander::expand`] does.
    ///
    /// # Panics
    ///
    /// When moves of the game cannot be taken back.
    pub(crate) fn parents(
        &self,
        keys: &[G::Key],
        links: &mut Links<'_, G::Key>,
    ) -> Result<usize, Halt> {
        (self.rules.by_batch.parents)(*self, keys, links)
    }

    /// [`Expander::parents`] for keys that are written as something else.
    #[inline]
    pub(crate) fn parents_as<K: Copy>(
        &self,
        keys: &[K],
        of: impl Fn(K) -> G::Key,
        to: impl Fn(G::Key) -> K,
        links: &mut Links<'_, K>,
    ) -> Result<usize, Halt> {
        links.clear();
        let game = &self.rules.game;
        let mut parents = Vec::new();
        for &key in keys {
            let state = game.unkey(of(key));
            let turn = game.turn(&state);
            self.rules.parents_into(&state, &mut parents);
            links.look(parents.len())?;
            if !links.make_room(parents.len())? {
                break;
            }
            links.children.extend(parents.iter().map(|parent| Child {
                key: to(game.key(parent)),
                tier: 0,
                same_turn: game.turn(parent) == turn,
            }));
            links.ends.push(Ok(links.children.len()));
        }
        Ok(links.ends.len())
    }
}

#[cfg(test)]
mod tests;
