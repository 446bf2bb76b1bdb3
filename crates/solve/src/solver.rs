//! The solve as a whole.

use std::collections::HashSet;

use thiserror::Error;
use treegauge_core::{KeyCode, Keyed};

use crate::checkpoint::Part;
use crate::discover::Sets;
use crate::memory::Memory;
use crate::shards::ShardedSet;
use crate::{
    Checkpoint, Expander, Reduction, Rules, Solution, Table, TierTable, Valued, indexed,
    retrograde, tiered,
};

/// How to solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Of positions that are images of each other, stores one only.
    pub symmetry: bool,
    /// The most bytes that positions and what is kept with them may take; `None` is no limit.
    pub memory_bytes_max: Option<u64>,
}

/// What a solve is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Positions are found.
    Discover,
    /// Moves between positions are recorded: games without tiers only.
    Link,
    /// Values are found, from the ends backwards.
    Value,
}

/// How far a solve is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// Positions for which it is done.
    pub done: u64,
    /// Positions for which it is to be done, as far as is known: while positions are found, those
    /// found until now.
    pub known: u64,
}

/// Someone who looks on and may say stop. `()` does neither.
pub trait Watch: Sync {
    /// Called now and then, by one thread at a time, with numbers that grow within a phase.
    fn progress(&self, progress: Progress) {
        let _ = progress;
    }

    /// Whether to stop. Asked often, by any thread.
    fn stop(&self) -> bool {
        false
    }
}

impl Watch for () {}

/// What came of a solve.
#[derive(Debug)]
pub enum Solved<G: Keyed> {
    /// Everything is known.
    Done(Box<Solution<G>>),
    /// [`Watch::stop`] said so; [`resume`] goes on from here.
    Stopped(Checkpoint<G::Key>),
}

impl<G: Keyed> Solved<G> {
    /// The solution, if it is there.
    #[must_use]
    pub fn done(self) -> Option<Solution<G>> {
        match self {
            Solved::Done(solution) => Some(*solution),
            Solved::Stopped(_) => None,
        }
    }
}

/// Why a game cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SolveError {
    /// It takes too much memory.
    #[error("solving takes at least {needed_bytes} bytes, and {bytes_max} are allowed")]
    Memory {
        /// The bytes that are needed to go on; the whole may need more.
        needed_bytes: u64,
        /// The bytes that are allowed.
        bytes_max: u64,
    },
    /// Symmetry was asked for and there is none.
    #[error("the game has no symmetries")]
    NoSymmetries,
    /// Symmetry was asked for and none keeps the start.
    #[error("every symmetry of the game moves the start, so none can be used")]
    StartMoves,
    /// Remoteness does not fit its 16 bits.
    #[error("a position is more than 65535 plies from its end")]
    TooRemote,
    /// There are more positions than can be numbered.
    #[error("there are more than {max} positions in a table")]
    TooMany {
        /// The most that a table can have.
        max: u64,
    },
    /// The checkpoint was made with other rules or options.
    #[error("the checkpoint was made with other rules or options")]
    OtherCheckpoint,
}

/// Why a solve did not go on to its end.
pub(crate) enum Break {
    Stopped,
    Failed(SolveError),
}

impl From<SolveError> for Break {
    fn from(error: SolveError) -> Self {
        Break::Failed(error)
    }
}

/// Solves everything that can be reached from `start`.
///
/// Uses all threads of the current rayon pool; the result does not depend on their number.
///
/// # Errors
///
/// When memory does not suffice, symmetry is asked for where it cannot be used, or the game is
/// out of all proportion.
///
/// # Panics
///
/// When a rule is broken: a move that does not raise the tier, an unfinished position without
/// moves, a key that does not lead back.
pub fn solve<G: Keyed>(
    rules: &Rules<G>,
    start: &G::State,
    options: Options,
    watch: &dyn Watch,
) -> Result<Solved<G>, SolveError> {
    let reduction = reduction(rules, start, options)?;
    let key = Expander::new(rules, &reduction).stored_key(start);
    let begin = Checkpoint {
        start: rules.game().key(start),
        reduced: options.symmetry,
        tiered: rules.has_tiers(),
        parts: vec![Part {
            tier: rules.tier(start),
            expanded: false,
            keys: vec![key],
            worth: None,
        }],
    };
    resume(rules, begin, options, watch)
}

/// Goes on with a solve that was stopped, to the same solution as if it had not been.
///
/// # Errors
///
/// As [`solve`]; and when the checkpoint was made with other rules or options.
///
/// # Panics
///
/// As [`solve`].
pub fn resume<G: Keyed>(
    rules: &Rules<G>,
    checkpoint: Checkpoint<G::Key>,
    options: Options,
    watch: &dyn Watch,
) -> Result<Solved<G>, SolveError> {
    if checkpoint.tiered != rules.has_tiers() || checkpoint.reduced != options.symmetry {
        return Err(SolveError::OtherCheckpoint);
    }
    let start = rules.game().unkey(checkpoint.start);
    let reduction = reduction(rules, &start, options)?;
    let memory = Memory::new(options.memory_bytes_max);
    let start_key = checkpoint.start;
    let known = match indexed::usable_len(rules, options.memory_bytes_max) {
        Some(len) => Found::Indexed(indexed::Known::of_parts(checkpoint.parts, len, &memory)?),
        None => Found::Hashed(Known::of_parts(checkpoint.parts, rules.has_tiers(), &memory)?),
    };
    let looker = Looker::new(watch);
    let mut run = Run { rules, reduction: &reduction, looker, memory, known };
    match run.solve() {
        Ok(tables) => {
            let solution = Solution::of_tables(rules.clone(), start, reduction, tables);
            Ok(Solved::Done(Box::new(solution)))
        }
        Err(Break::Failed(error)) => Err(error),
        Err(Break::Stopped) => Ok(Solved::Stopped(Checkpoint {
            start: start_key,
            reduced: options.symmetry,
            tiered: rules.has_tiers(),
            parts: run.known.into_parts(rules.has_tiers()),
        })),
    }
}

fn reduction<G: Keyed>(
    rules: &Rules<G>,
    start: &G::State,
    options: Options,
) -> Result<Reduction, SolveError> {
    if options.symmetry { Reduction::of(rules, start) } else { Ok(Reduction::none()) }
}

/// What watches a solve, and how far it is.
pub(crate) struct Looker<'a> {
    watch: &'a dyn Watch,
    progress: Progress,
}

impl<'a> Looker<'a> {
    fn new(watch: &'a dyn Watch) -> Self {
        Looker { watch, progress: Progress { phase: Phase::Discover, done: 0, known: 0 } }
    }

    /// A phase begins, in which so much is done and so much known.
    pub(crate) fn begin(&mut self, phase: Phase, done: u64, known: u64) {
        self.progress = Progress { phase, done, known };
    }

    /// Whether to go on.
    pub(crate) fn check(&self) -> Result<(), Break> {
        if self.watch.stop() { Err(Break::Stopped) } else { Ok(()) }
    }

    /// More positions are known.
    pub(crate) fn know(&mut self, known: u64) {
        self.progress.known = known;
    }

    /// More positions are done.
    pub(crate) fn done(&mut self, more: u64) {
        self.progress.done += more;
        self.watch.progress(self.progress);
    }
}

/// What is known of the positions.
pub(crate) struct Known<K> {
    /// Tiers whose children are known too, in ascending order; without values where they are not
    /// known.
    pub(crate) tables: Vec<TierTable<K>>,
    /// Positions by tier: those of the next tiers, or, for a game without tiers, all.
    pub(crate) sets: Sets<K>,
    /// For a game without tiers, the positions whose children are not known.
    pub(crate) frontier: Vec<K>,
}

impl<K: KeyCode> Known<K> {
    fn of_parts(parts: Vec<Part<K>>, tiered: bool, memory: &Memory) -> Result<Self, SolveError> {
        let mut known = Known { tables: Vec::new(), sets: Sets::new(), frontier: Vec::new() };
        for part in parts {
            if tiered && part.expanded {
                memory.take(Table::<K>::bytes(part.keys.len()))?;
                let worth = part.worth.unwrap_or_default();
                memory.take((worth.len() * size_of::<Valued>()) as u64)?;
                let table = Table::new(part.keys);
                known.tables.push(TierTable { tier: part.tier, table, worth });
            } else {
                let set = known.sets.entry(part.tier).or_insert_with(ShardedSet::new);
                for &key in &part.keys {
                    set.insert(key, memory)?;
                }
                if !part.expanded {
                    known.frontier.extend(part.keys);
                }
            }
        }
        Ok(known)
    }

    fn into_parts(self, tiered: bool) -> Vec<Part<K>> {
        let mut parts = Vec::new();
        for TierTable { tier, table, worth } in self.tables {
            let worth = (!worth.is_empty()).then_some(worth);
            parts.push(Part { tier, expanded: true, keys: table.kept_keys().to_vec(), worth });
        }
        let open: HashSet<K> = self.frontier.iter().copied().collect();
        for (tier, set) in self.sets {
            if tiered {
                parts.push(Part { tier, expanded: false, keys: set.keys().collect(), worth: None });
                continue;
            }
            let (frontier, expanded) = set.keys().partition(|key| open.contains(key));
            parts.push(Part { tier, expanded: true, keys: expanded, worth: None });
            parts.push(Part { tier, expanded: false, keys: frontier, worth: None });
        }
        parts
    }

    /// The positions of the tables.
    pub(crate) fn len(&self) -> u64 {
        self.tables.iter().map(|table| table.table.len() as u64).sum()
    }
}

/// What was found, kept in the one way or the other.
enum Found<K> {
    Hashed(Known<K>),
    Indexed(indexed::Known),
}

impl<K: KeyCode> Found<K> {
    fn into_parts(self, tiered: bool) -> Vec<Part<K>> {
        match self {
            Found::Hashed(known) => known.into_parts(tiered),
            Found::Indexed(known) => known.into_parts(),
        }
    }
}

/// A solve at work.
struct Run<'a, G: Keyed> {
    rules: &'a Rules<G>,
    reduction: &'a Reduction,
    looker: Looker<'a>,
    memory: Memory,
    known: Found<G::Key>,
}

impl<G: Keyed> Run<'_, G> {
    fn solve(&mut self) -> Result<Vec<TierTable<G::Key>>, Break> {
        let Run { rules, reduction, looker, memory, known } = self;
        let table = match known {
            Found::Indexed(known) => indexed::solve(rules, reduction, known, memory, looker)?,
            Found::Hashed(known) if rules.has_tiers() => {
                tiered::discover(rules, reduction, known, memory, looker)?;
                tiered::value(rules, reduction, known, memory, looker)?;
                return Ok(std::mem::take(&mut known.tables));
            }
            Found::Hashed(known) => retrograde::solve(rules, reduction, known, memory, looker)?,
        };
        Ok(vec![table])
    }
}
