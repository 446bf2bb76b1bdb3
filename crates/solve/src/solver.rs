//! The solve as a whole.

use std::collections::{BTreeMap, HashSet};

use thiserror::Error;
use treegauge_core::Keyed;

use crate::checkpoint::Known;
use crate::memory::Memory;
use crate::{Checkpoint, Expander, Reduction, Rules, Solution, Table, TierTable, Value};

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
    Done(Solution<G>),
    /// [`Watch::stop`] said so; [`resume`] goes on from here.
    Stopped(Checkpoint<G::Key>),
}

impl<G: Keyed> Solved<G> {
    /// The solution, if it is there.
    #[must_use]
    pub fn done(self) -> Option<Solution<G>> {
        match self {
            Solved::Done(solution) => Some(solution),
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
        known: vec![Known {
            tier: rules.tier(start),
            expanded: false,
            keys: vec![key],
            valued: None,
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
    let mut run = Run { rules, reduction: &reduction, watch, memory, known: checkpoint.known };
    match run.solve() {
        Ok(tables) => {
            Ok(Solved::Done(Solution::of_tables(rules.clone(), start, reduction, tables)))
        }
        Err(Break::Failed(error)) => Err(error),
        Err(Break::Stopped) => Ok(Solved::Stopped(Checkpoint {
            start: start_key,
            reduced: options.symmetry,
            tiered: rules.has_tiers(),
            known: run.known,
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

struct Run<'a, G: Keyed> {
    rules: &'a Rules<G>,
    reduction: &'a Reduction,
    watch: &'a dyn Watch,
    memory: Memory,
    known: Vec<Known<G::Key>>,
}

impl<G: Keyed> Run<'_, G> {
    fn solve(&mut self) -> Result<Vec<TierTable<G::Key>>, Break> {
        if self.watch.stop() {
            return Err(Break::Stopped);
        }
        // The first version: whole sets, one thread, rounds over everything.
        let mut expander = Expander::new(self.rules, self.reduction);
        let mut sets: BTreeMap<u32, HashSet<G::Key>> = BTreeMap::new();
        let mut queue = Vec::new();
        for known in &self.known {
            for &key in &known.keys {
                sets.entry(known.tier).or_default().insert(key);
                queue.push(key);
            }
        }
        while let Some(key) = queue.pop() {
            expander.children(key, |child| {
                if sets.entry(child.tier).or_default().insert(child.key) {
                    queue.push(child.key);
                }
            });
        }
        let bytes: u64 = sets.values().map(|set| set.len() as u64 * 12).sum();
        self.memory.take(bytes)?;
        let mut tables: Vec<TierTable<G::Key>> = sets
            .into_iter()
            .map(|(tier, keys)| {
                let table = Table::new(keys.into_iter().collect());
                let (values, remoteness) = (vec![Value::Draw; table.len()], vec![0; table.len()]);
                TierTable { tier, table, values, remoteness }
            })
            .collect();
        self.value_by_rounds(&mut tables);
        Ok(tables)
    }

    fn value_by_rounds(&self, tables: &mut [TierTable<G::Key>]) {
        let mut expander = Expander::new(self.rules, self.reduction);
        let mut known: std::collections::HashMap<G::Key, (Value, u16)> = Default::default();
        for ties in [false, true] {
            for round in 0..=u16::MAX {
                let mut found = Vec::new();
                for table in tables.iter() {
                    for &key in table.table.keys() {
                        if known.contains_key(&key) {
                            continue;
                        }
                        let (mut good, mut tie, mut lost, mut longest) = (false, false, true, 0);
                        let finished = expander.children(key, |child| {
                            let seen =
                                known.get(&child.key).map(|v| (v.0.seen(child.same_turn), v.1));
                            good |= seen.is_some_and(|v| v.0 == Value::Win && v.1 + 1 == round);
                            tie |= seen.is_some_and(|v| v.0 == Value::Tie && v.1 + 1 == round);
                            lost &= seen.is_some_and(|v| v.0 == Value::Lose);
                            longest = longest.max(seen.map_or(0, |v| v.1));
                        });
                        if let Some(value) = finished {
                            if round == 0 {
                                found.push((key, value));
                            }
                        } else if good {
                            found.push((key, Value::Win));
                        } else if lost && longest + 1 == round {
                            found.push((key, Value::Lose));
                        } else if ties && tie {
                            found.push((key, Value::Tie));
                        }
                    }
                }
                if found.is_empty() && round > 0 {
                    break;
                }
                known.extend(found.into_iter().map(|(key, value)| (key, (value, round))));
            }
        }
        for table in tables {
            for (place, key) in table.table.keys().iter().enumerate() {
                if let Some(&(value, remoteness)) = known.get(key) {
                    table.values[place] = value;
                    table.remoteness[place] = remoteness;
                }
            }
        }
    }
}
