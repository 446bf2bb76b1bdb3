//! Entry points of the solver.

use treegauge_core::KeyCode;

use crate::checkpoint::{Checkpoint, Keys, Part};
use crate::error::{Break, Reached, SolveError};
use crate::forecast::Sizes;
use crate::known::Known;
use crate::memory::Memory;
use crate::progress::ProgressMeter;
use crate::rules::{Expander, Reduction, Solvable};
use crate::solution::{Solution, TierTable, parts_of};
use crate::value::{ExactValue, Value};
use crate::{dense, indexed, retrograde, tiered};
use treegauge_core::Watch;

/// Options of a solve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether to store one position per symmetry class.
    pub symmetry: bool,
    /// Most bytes for positions and the data kept with them; `None` for unlimited.
    pub memory_bytes_max: Option<u64>,
    /// Most positions; `None` for unlimited. A solve that is reduced by symmetry counts the stored
    /// ones. Whether a game exceeds the limit does not depend on the number of threads.
    pub positions_max: Option<u64>,
    /// Most bytes of the positions, estimated from their number and that of their moves; `None` for
    /// unlimited. The real peak grows with the number of threads, but whether the solve exceeds
    /// this limit does not depend on it.
    pub sized_bytes_max: Option<u64>,
}

/// Result of a solve.
#[derive(Debug)]
pub enum Solved<K: KeyCode> {
    /// The whole solution.
    Done(Box<Solution<K>>),
    /// [`Watch::stop`] returned true; [`resume`] continues from here.
    Stopped(Checkpoint<K>),
}

impl<K: KeyCode> Solved<K> {
    /// Solution of the solve; `None` if it was stopped.
    #[must_use]
    pub fn done(self) -> Option<Solution<K>> {
        match self {
            Solved::Done(solution) => Some(*solution),
            Solved::Stopped(_) => None,
        }
    }
}

/// Solves all positions that can be reached from `start`.
///
/// Uses all threads of the current rayon pool; the result does not depend on their number.
///
/// # Errors
///
/// When memory does not suffice, symmetry is requested but cannot be used, or the game exceeds a
/// fixed limit.
///
/// # Panics
///
/// When the game breaks a rule of its traits: a move does not raise the tier, an unfinished
/// position has no moves, or a key does not lead back to its position.
pub fn solve<K: KeyCode>(
    rules: &Solvable<K>,
    start: K,
    options: Options,
    watch: &dyn Watch,
) -> Result<Solved<K>, SolveError> {
    let reduction = reduction(rules, start, options)?;
    let key = Expander::new(rules, &reduction).stored_key(start);
    let begin = Checkpoint {
        start,
        reduced: options.symmetry,
        tiered: rules.has_tiers(),
        parts: vec![Part {
            tier: rules.tier(start),
            expanded: false,
            keys: Keys::Pieces(vec![vec![key]]),
            values: None,
        }],
    };
    resume(rules, begin, options, watch)
}

/// Continues a stopped solve. The solution is the same as that of a solve that was never stopped.
///
/// # Errors
///
/// As [`solve`]; and when the checkpoint was made with other rules or options.
///
/// # Panics
///
/// As [`solve`].
pub fn resume<K: KeyCode>(
    rules: &Solvable<K>,
    checkpoint: Checkpoint<K>,
    options: Options,
    watch: &dyn Watch,
) -> Result<Solved<K>, SolveError> {
    if checkpoint.tiered != rules.has_tiers() || checkpoint.reduced != options.symmetry {
        return Err(SolveError::OtherCheckpoint);
    }
    if !rules.has_position(checkpoint.start) {
        return Err(SolveError::OtherCheckpoint);
    }
    if !checkpoint.parts.iter().all(|part| can_be(rules, part, watch)) {
        return Err(SolveError::BadCheckpoint);
    }
    if watch.stop() {
        return Ok(Solved::Stopped(checkpoint));
    }
    let start = checkpoint.start;
    let reduction = reduction(rules, start, options)?;
    let memory = Memory::new(options.memory_bytes_max);
    let start_key = checkpoint.start;
    // A checkpoint does not store the number of moves made.
    let moves_known = checkpoint.parts.iter().all(|part| !part.expanded);
    let positions = checkpoint.len();
    let index_len = indexed::usable_len(rules, options.memory_bytes_max);
    let known = match index_len {
        Some(len) => indexed::Known::of_parts(checkpoint.parts, len, rules.has_tiers(), &memory)
            .map(Found::Indexed),
        None => Known::of_parts(checkpoint.parts, rules.has_tiers(), &memory).map(Found::Hashed),
    };
    let known = known.map_err(|error| error.at(Reached { positions, ..Reached::default() }))?;
    let position_bytes = index_len.map_or(size_of::<K>(), |_| 1);
    let sizes = Sizes::of(rules, &reduction, index_len.map(dense::bytes));
    // A lower bound of the size, which also applies before a level is complete.
    let sized_max = options.sized_bytes_max.map(|max| max / position_bytes.max(4) as u64);
    let positions_max = options.positions_max.into_iter().chain(sized_max).min();
    let mut meter = ProgressMeter::new(watch, &memory)
        .with_positions_max(positions_max)
        .with_sized_bytes_max(
            move |positions, moves| sizes.by_number(positions, moves),
            options.sized_bytes_max,
        )
        .with_position_bytes(position_bytes as u64);
    if moves_known {
        meter = meter.counting_moves();
    }
    let mut run = Run { rules, reduction: &reduction, meter, memory: &memory, known };
    match run.solve() {
        Ok(tables) => match Solution::watched(rules.clone(), start, reduction, tables, watch) {
            Ok(solution) => Ok(Solved::Done(Box::new(solution))),
            Err(tables) => Ok(Solved::Stopped(Checkpoint {
                start: start_key,
                reduced: options.symmetry,
                tiered: rules.has_tiers(),
                parts: parts_of(rules, tables),
            })),
        },
        Err(Break::Failed(error)) => {
            let reached = sizes.reached(&run.meter, &error);
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

/// Tests whether the positions of a part can be positions of the game in their tier, and whether
/// finished ones have their values. Also true if `watch` says stop.
fn can_be<K: KeyCode>(rules: &Solvable<K>, part: &Part<K>, watch: &dyn Watch) -> bool {
    let in_tier = |key: &K| rules.has_position(*key) && rules.tier(*key) == part.tier;
    let of_finished = |(key, valued): (&K, &ExactValue)| {
        let ended = rules.outcome(*key);
        let ended = ended.map(|outcome| ExactValue::finished(outcome, rules.turn(*key)));
        ended.map_or(valued.remoteness > 0 || valued.value == Value::Draw, |ended| ended == *valued)
    };
    let values = part.values.as_deref();
    values.is_none_or(|values| values.len() as u64 == part.len())
        && part.keys.all(&|begin, keys| {
            let values = values.map_or(&[][..], |values| &values[begin..begin + keys.len()]);
            watch.stop() || keys.iter().all(in_tier) && keys.iter().zip(values).all(of_finished)
        })
}

fn reduction<K: KeyCode>(
    rules: &Solvable<K>,
    start: K,
    options: Options,
) -> Result<Reduction, SolveError> {
    if options.symmetry { Reduction::of(rules, start) } else { Ok(Reduction::none()) }
}

/// Positions found so far, stored by key or by index.
enum Found<K> {
    Hashed(Known<K>),
    Indexed(indexed::Known),
}

impl<K: KeyCode> Found<K> {
    fn into_parts(self, tiered: bool) -> Vec<Part<K>> {
        match self {
            Found::Hashed(known) => known.into_parts(tiered),
            Found::Indexed(known) => known.into_parts(tiered),
        }
    }
}

/// Solve in progress.
struct Run<'a, K: KeyCode> {
    rules: &'a Solvable<K>,
    reduction: &'a Reduction,
    meter: ProgressMeter<'a>,
    memory: &'a Memory,
    known: Found<K>,
}

impl<K: KeyCode> Run<'_, K> {
    fn solve(&mut self) -> Result<Vec<TierTable<K>>, Break> {
        let Run { rules, reduction, meter, memory, known } = self;
        let table = match known {
            Found::Indexed(known) => indexed::solve(rules, reduction, known, memory, meter)?,
            Found::Hashed(known) if rules.has_tiers() => {
                tiered::discover(rules, reduction, known, memory, meter)?;
                tiered::value(rules, reduction, known, memory, meter)?;
                return Ok(std::mem::take(&mut known.tables));
            }
            Found::Hashed(known) => retrograde::solve(rules, reduction, known, memory, meter)?,
        };
        Ok(vec![table])
    }
}
