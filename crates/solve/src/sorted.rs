//! All positions in ascending order of keys.

use std::ops::Range;

use rayon::prelude::*;
use treegauge_core::{KeyCode, Keyed};

use crate::erased::CodeOf;
use crate::solution::{Solution, TierTable};
use crate::value::Valued;

/// The most positions that are sorted at a time: each takes its key and 4 bytes.
const RANGE_LEN_MAX: usize = 1 << 22;

/// The least: fewer save nothing.
const RANGE_LEN_MIN: usize = 1 << 16;

/// The most ranges, as far as their length allows: all positions are looked at for each.
const RANGES: usize = 16;

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 14;

/// Keys of which one is looked at to find bounds, for each range.
const SAMPLES: usize = 256;

/// Which positions to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Those that are stored.
    Stored,
    /// All that can be reached, symmetry not reduced.
    Reachable,
}

/// Calls `take` with all positions in ascending order of keys, in runs whose lengths are multiples
/// of `unit` but for the last.
///
/// Tables are in the order of hashes. To sort everything at once would take as much memory as the
/// solution; instead keys are divided into ranges, by a sample, and one range after the other is
/// picked out and sorted.
pub(crate) fn for_sorted<G: Keyed, E>(
    solution: &Solution<G>,
    which: Which,
    unit: usize,
    take: impl FnMut(&[(CodeOf<G>, Valued)]) -> Result<(), E>,
) -> Result<(), E> {
    let is_sorted = solution.tables().iter().all(|table| table.table().is_ascending());
    let range_len = if is_sorted { RANGE_LEN_MIN } else { solution.len().div_ceil(RANGES) };
    in_ranges(solution, which, unit, range_len.clamp(RANGE_LEN_MIN, RANGE_LEN_MAX), take)
}

/// The same with ranges of about `range_len` positions.
fn in_ranges<G: Keyed, E>(
    solution: &Solution<G>,
    which: Which,
    unit: usize,
    range_len: usize,
    mut take: impl FnMut(&[(CodeOf<G>, Valued)]) -> Result<(), E>,
) -> Result<(), E> {
    let len = match which {
        Which::Stored => solution.len(),
        Which::Reachable => solution.reachable().total() as usize,
    };
    if let [table] = solution.tables()
        && table.table().is_ascending()
        && (which == Which::Stored || !solution.is_reduced())
    {
        // Nothing needs sorting.
        let mut begin = 0;
        while begin < len {
            let end = len
                .min(begin.saturating_add(range_len.checked_next_multiple_of(unit).unwrap_or(len)));
            let chunks = (begin..end).into_par_iter().step_by(CHUNK);
            let run: Vec<_> = chunks
                .flat_map_iter(|begin| {
                    let mut found = Vec::with_capacity(CHUNK);
                    let places = begin..end.min(begin + CHUNK);
                    positions(solution, which, table, places, &mut |code, valued| {
                        found.push((code, valued));
                    });
                    found
                })
                .collect();
            take(&run)?;
            begin = end;
        }
        return Ok(());
    }
    let range_count = len.div_ceil(range_len);
    let mut bounds: Vec<Option<CodeOf<G>>> = vec![None];
    if range_count > 1 {
        // Hashes look random, so every n-th key is a fair sample. The bounds affect only the memory
        // used.
        let step = (solution.len() / (range_count * SAMPLES)).max(1);
        let mut sample = Vec::new();
        for table in solution.tables() {
            for place in (0..table.table().len()).step_by(step) {
                let mut add = |code, _| sample.push(code);
                positions(solution, which, table, place..place + 1, &mut add);
            }
        }
        sample.par_sort_unstable();
        bounds.extend((1..range_count).map(|n| Some(sample[n * sample.len() / range_count])));
    }
    let mut run: Vec<(CodeOf<G>, Valued)> = Vec::new();
    for (n, &low) in bounds.iter().enumerate() {
        let high = bounds.get(n + 1).copied().flatten();
        let is_in = |code| low.is_none_or(|low| code >= low) && high.is_none_or(|high| code < high);
        for table in solution.tables() {
            let chunks = (0..table.table().len().div_ceil(CHUNK)).into_par_iter();
            run.par_extend(chunks.flat_map_iter(|chunk| {
                let mut found = Vec::new();
                let end = table.table().len().min((chunk + 1) * CHUNK);
                positions(solution, which, table, chunk * CHUNK..end, &mut |code, valued| {
                    if is_in(code) {
                        found.push((code, valued));
                    }
                });
                found
            }));
        }
        run.par_sort_unstable_by_key(|position| position.0);
        let whole = if n + 1 == bounds.len() { run.len() } else { run.len() / unit * unit };
        take(&run[..whole])?;
        run.drain(..whole);
    }
    Ok(())
}

/// Calls `add` with the positions that some places of a table stand for.
fn positions<G: Keyed>(
    solution: &Solution<G>,
    which: Which,
    table: &TierTable<G::Key>,
    places: Range<usize>,
    add: &mut dyn FnMut(CodeOf<G>, Valued),
) {
    let expander = solution.expander();
    let mut images = Vec::new();
    for (place, key) in places.clone().zip(table.table().iter_from(places.start)) {
        let valued = table.valued(place);
        match which {
            Which::Stored => add(key.code(), valued),
            Which::Reachable => {
                expander.images_into(key, &mut images);
                images.iter().for_each(|image| add(image.code(), valued));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::any_game::{cases, solved, visit};
    use crate::erased::{Erased, RulesVisitor};
    use crate::rules::Rules;

    /// Ranges put together are what sorting everything at once gives.
    struct InRanges;

    impl RulesVisitor for InRanges {
        type Output = ();

        fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) {
            for (rules, symmetry) in cases(&rules) {
                let solution = solved(&rules, symmetry);
                for which in [Which::Stored, Which::Reachable] {
                    let mut expected = Vec::new();
                    for table in solution.tables() {
                        let mut add = |code, valued| expected.push((code, valued));
                        positions(&solution, which, table, 0..table.table().len(), &mut add);
                    }
                    expected.sort_unstable_by_key(|position| position.0);
                    for range_len in [100, 5_000, usize::MAX] {
                        let mut runs = Vec::new();
                        let Ok(()) = in_ranges(&solution, which, 64, range_len, |run| {
                            runs.push(run.to_vec());
                            Ok::<_, Infallible>(())
                        });
                        assert!(runs[..runs.len() - 1].iter().all(|run| run.len() % 64 == 0));
                        assert!(range_len > 100 || runs.len() > 3, "{} runs", runs.len());
                        assert_eq!(runs.concat(), expected);
                    }
                }
            }
        }
    }

    #[test]
    fn ranges_are_the_whole_in_order() {
        visit("achi", InRanges);
        visit("tic_tac_toe", InRanges);
    }
}
