//! The solve as a whole.

use std::collections::HashSet;

use thiserror::Error;
use treegauge_core::{KeyCode, Keyed};

use crate::checkpoint::Part;
use crate::discover::Sets;
use crate::memory::Memory;
use crate::shards::ShardedSet;
use crate::trend::Trend;
use crate::{
    Checkpoint, Expander, Reduction, Rules, Solution, Table, TierTable, Valued, dense, indexed,
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
    /// The positions of a file are checked.
    Check,
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
    /// While positions are found, how many there will be in all, estimated from their number level
    /// by level; it may be wrong by a factor of three. `None` as long as there is no trend.
    pub expected: Option<u64>,
    /// The bytes that positions and what is kept with them take.
    pub memory_bytes: u64,
    /// The bytes that they may take, where there is a limit.
    pub memory_bytes_max: Option<u64>,
}

impl Progress {
    /// So much is done of what is known, and nothing else is told.
    #[must_use]
    pub fn new(phase: Phase, done: u64, known: u64) -> Self {
        let (expected, memory_bytes, memory_bytes_max) = (None, 0, None);
        Progress { phase, done, known, expected, memory_bytes, memory_bytes_max }
    }
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
    #[error(
        "solving takes {bytes}, and {bytes_max} are allowed",
        bytes = reached.whole.bytes_words(*needed_bytes)
    )]
    Memory {
        /// The bytes that are needed to go on; the whole may need more.
        needed_bytes: u64,
        /// The bytes that are allowed.
        bytes_max: u64,
        /// How far the solve was, which tells more of the whole.
        reached: Reached,
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

/// How far a solve was when memory did not suffice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// The positions that were found.
    pub positions: u64,
    /// The levels of which all moves were made: tiers, or positions by their plies from the start.
    /// 0 when they were not counted, for example before a checkpoint of a game without tiers.
    pub levels: u64,
    /// What is known of the memory that the whole solve takes.
    pub whole: Whole,
}

/// What is known of the memory that a whole solve takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Whole {
    /// Nothing but that it is more than was taken until now.
    #[default]
    Unknown,
    /// An estimate from the numbers of positions level by level, which may be wrong by a factor of
    /// three.
    About {
        /// The positions that there will be.
        positions: u64,
        /// The bytes that are needed for them.
        bytes: u64,
    },
    /// All positions were found, so that the rest is known.
    Exactly {
        /// The bytes that are needed.
        bytes: u64,
    },
}

impl Whole {
    /// The bytes that the whole takes, or `at least` those that are needed to go on.
    fn bytes_words(&self, needed_bytes: u64) -> String {
        match self {
            Whole::Exactly { bytes } => format!("{bytes} bytes"),
            _ => format!("at least {needed_bytes} bytes"),
        }
    }
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
    // The moves of a checkpoint were made before.
    let moves_known = checkpoint.parts.iter().all(|part| !part.expanded);
    let positions = checkpoint.len();
    let index_len = indexed::usable_len(rules, options.memory_bytes_max);
    let known = match index_len {
        Some(len) => indexed::Known::of_parts(checkpoint.parts, len, &memory).map(Found::Indexed),
        None => Known::of_parts(checkpoint.parts, rules.has_tiers(), &memory).map(Found::Hashed),
    };
    let known = known.map_err(|error| error.at(Reached { positions, ..Reached::default() }))?;
    let mut looker = Looker::new(watch, &memory);
    looker.moves = moves_known.then_some(0);
    let mut run = Run { rules, reduction: &reduction, looker, memory: &memory, known };
    match run.solve() {
        Ok(tables) => {
            let solution = Solution::of_tables(rules.clone(), start, reduction, tables);
            Ok(Solved::Done(Box::new(solution)))
        }
        Err(Break::Failed(error)) => {
            let index_bytes = index_len.map(dense::bytes);
            let sizes = Sizes::of(rules, &reduction, index_bytes);
            let reached = run.looker.reached(&error, sizes);
            Err(error.at(reached))
        }
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

impl SolveError {
    /// The same, and how far the solve was.
    fn at(mut self, how_far: Reached) -> Self {
        if let SolveError::Memory { reached, .. } = &mut self {
            *reached = how_far;
        }
        self
    }
}

/// What the parts of a solve take of memory.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    tiered: bool,
    /// The table of all indexes, in a solve by index.
    index_bytes: Option<u64>,
    key_table: fn(usize) -> u64,
    /// Whether moves need not be written down.
    asks: bool,
}

impl Sizes {
    fn of<G: Keyed>(rules: &Rules<G>, reduction: &Reduction, index_bytes: Option<u64>) -> Self {
        let asks = retrograde::can_ask(rules, reduction);
        Sizes { tiered: rules.has_tiers(), index_bytes, key_table: Table::<G::Key>::bytes, asks }
    }

    /// The bytes of so many positions without their values.
    fn table(self, positions: u64) -> u64 {
        match self.index_bytes {
            Some(bytes) => bytes + indexed::list_bytes(positions as usize),
            None => (self.key_table)(positions as usize),
        }
    }

    /// The least bytes that positions of a game without tiers take with all that their values need.
    fn linked(self, positions: u64, moves: u64) -> u64 {
        let list = if self.asks { 0 } else { retrograde::list_bytes(positions, moves) };
        self.table(positions) + retrograde::POSITION_BYTES * positions + list
    }
}

/// What watches a solve, and how far it is.
pub(crate) struct Looker<'a> {
    watch: &'a dyn Watch,
    memory: &'a Memory,
    progress: Progress,
    trend: Trend,
    /// The moves of the positions that are done, unless some were made before.
    moves: Option<u64>,
}

impl<'a> Looker<'a> {
    pub(crate) fn new(watch: &'a dyn Watch, memory: &'a Memory) -> Self {
        let progress = Progress::new(Phase::Discover, 0, 0);
        Looker { watch, memory, progress, trend: Trend::default(), moves: None }
    }

    /// A phase begins, in which so much is done and so much known.
    pub(crate) fn begin(&mut self, phase: Phase, done: u64, known: u64) {
        self.progress = Progress::new(phase, done, known);
    }

    /// So many positions of levels that are no longer known were done before.
    pub(crate) fn skip_levels(&mut self, len: u64) {
        self.trend.skip(len);
    }

    /// All moves of a level of so many positions were made.
    pub(crate) fn level(&mut self, len: u64) {
        self.trend.add(len);
    }

    /// Moves of positions that are being found were made.
    pub(crate) fn moved(&mut self, moves: u64) {
        self.moves = self.moves.map(|before| before + moves);
    }

    /// The moves of all positions, unless some were made before.
    pub(crate) fn moves(&self) -> Option<u64> {
        self.moves
    }

    /// How far the solve is that an error ends.
    fn reached(&self, error: &SolveError, sizes: Sizes) -> Reached {
        let tiered = sizes.tiered;
        let &SolveError::Memory { needed_bytes, .. } = error else { return Reached::default() };
        let Progress { phase, done, known, .. } = self.progress;
        // The last positions are found when the moves of all have been made.
        let all_found = phase != Phase::Discover || !tiered && known > 0 && done == known;
        let whole = match (all_found, tiered, self.moves, self.trend.expected()) {
            (true, true, ..) => Whole::Exactly { bytes: needed_bytes },
            (true, false, Some(moves), _) => {
                Whole::Exactly { bytes: needed_bytes.max(sizes.linked(known, moves)) }
            }
            (false, _, moves, Some(positions)) => {
                let positions = positions.max(known);
                let times = |number: u64, of: u64| {
                    (number as f64 * positions as f64 / of.max(1) as f64) as u64
                };
                let table = sizes.table(positions);
                let bytes = if tiered {
                    // The next levels take as much as they do now; the rest is in tables.
                    let next = needed_bytes.saturating_sub(sizes.table(known));
                    table + positions * size_of::<Valued>() as u64 + next
                } else {
                    let found = times(needed_bytes, known) + table;
                    let linked = |moves| sizes.linked(positions, times(moves, done));
                    found.max(moves.map_or(0, linked))
                };
                Whole::About { positions, bytes }
            }
            _ => Whole::Unknown,
        };
        Reached { positions: known, levels: self.trend.levels(), whole }
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
        let Looker { watch, memory, trend, progress, .. } = self;
        progress.done += more;
        progress.memory_bytes = memory.used();
        progress.memory_bytes_max = memory.bytes_max();
        if progress.phase == Phase::Discover {
            progress.expected = trend.expected().map(|expected| expected.max(progress.known));
        }
        watch.progress(*progress);
    }
}

/// What is known of the positions.
pub(crate) struct Known<K> {
    /// Tiers whose children are known too, in ascending order; without values where they are not
    /// known.
    pub(crate) tables: Vec<TierTable<K>>,
    /// Positions by tier: those of the next tiers, or, for a game without tiers, all.
    pub(crate) sets: Sets<K>,
    /// The tier, if there is one, whose children were being found when the solve ended.
    pub(crate) open: Option<(u32, Table<K>)>,
    /// For a game without tiers, the positions whose children are not known.
    pub(crate) frontier: Vec<K>,
}

impl<K: KeyCode> Known<K> {
    fn of_parts(parts: Vec<Part<K>>, tiered: bool, memory: &Memory) -> Result<Self, SolveError> {
        let mut known =
            Known { tables: Vec::new(), sets: Sets::new(), open: None, frontier: Vec::new() };
        // By index a tier may have been left half expanded; tables are of whole tiers, so what was
        // found of its children is found again.
        let open: HashSet<u32> =
            parts.iter().filter(|part| !part.expanded).map(|part| part.tier).collect();
        for part in parts {
            if tiered && part.expanded && !open.contains(&part.tier) {
                memory.take(Table::<K>::bytes(part.keys.len()))?;
                known.tables.push(match part.worth {
                    // The keys may come in another order than the table's.
                    Some(worth) => {
                        memory.take((worth.len() * size_of::<Valued>()) as u64)?;
                        TierTable::new(part.tier, part.keys.into_iter().zip(worth).collect())
                    }
                    None => TierTable {
                        tier: part.tier,
                        table: Table::new(part.keys),
                        worth: Vec::new(),
                    },
                });
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
        if let Some((tier, table)) = self.open {
            let keys = table.kept_keys().to_vec();
            parts.push(Part { tier, expanded: false, keys, worth: None });
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
    memory: &'a Memory,
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
