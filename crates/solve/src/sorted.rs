//! Visits of all positions in ascending order of keys.

use std::mem::take;
use std::ops::Range;

use rayon::prelude::*;
use treegauge_core::{KeyCode, Phase, Progress, Watch};

use crate::dense::{self, DenseSet};
use crate::error::Interrupted;
use crate::parallel::{self, piece};
use crate::solution::{Solution, TierTable};
use crate::value::ExactValue;

/// Fewest positions picked in one pass: smaller passes save nothing.
const PASS_LEN_MIN: usize = 1 << 18;

/// Number of passes over all positions, if memory allows.
const PASSES: usize = 4;

/// Positions sorted at a time, without calls of the watch.
const SORT_LEN: usize = 1 << 21;

/// Length of a run of positions that need no sorting.
const RUN_LEN: usize = 1 << 16;

/// Positions that one thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Chunks between two calls of the watch.
const ROUND: usize = 64;

/// Sampled positions per sorted list when choosing the bounds of the lists.
const SAMPLES: usize = 256;

/// Positions to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The stored positions.
    Stored,
    /// All reachable positions, symmetry not reduced.
    Reachable,
}

/// Visit of positions in ascending order of keys.
pub(crate) struct InOrder<'a, K: KeyCode> {
    pub(crate) solution: &'a Solution<K>,
    pub(crate) which: Which,
    /// The lengths of all runs but the last are multiples of this.
    pub(crate) unit: usize,
    /// Bytes that may be taken beside the solution.
    pub(crate) room_bytes: u64,
    /// Phase in which progress is reported.
    pub(crate) phase: Phase,
    pub(crate) watch: &'a dyn Watch,
}

impl<K: KeyCode> InOrder<'_, K> {
    /// Calls `take` with runs of all positions, in order.
    ///
    /// Tables are in the order of hashes. To sort everything at once would take as much memory as
    /// the solution. Instead a sample divides the keys into ranges, and one range after the other
    /// is picked out of all positions and sorted. Tables by index need no sorting: they are in
    /// order. If images are requested too, they are first marked in a set by index.
    pub(crate) fn visit<E: From<Interrupted>>(
        &self,
        take: impl FnMut(&[(K, ExactValue)]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let [table] = self.solution.tables()
            && let Some(index_len) = table.table().index_len()
        {
            if self.which == Which::Stored || !self.solution.is_reduced() {
                return self.ascending(table, RUN_LEN, take);
            }
            if dense::bytes(index_len) <= self.room_bytes {
                return self.images(table, index_len, RUN_LEN, take);
            }
        }
        let lists = Lists::within::<K>(self.room_bytes, self.len(), self.unit);
        let positions = |places, add: &mut dyn FnMut(K, ExactValue)| self.positions(places, add);
        in_passes(self.solution.len(), positions, lists, |done| self.done(done), take)
    }

    /// Number of positions to visit.
    fn len(&self) -> usize {
        match self.which {
            Which::Stored => self.solution.len(),
            Which::Reachable => self.solution.reachable().total() as usize,
        }
    }

    /// Reports the number of positions visited; fails if the watch says stop.
    fn done(&self, done: usize) -> Result<(), Interrupted> {
        self.watch.progress(Progress::new(self.phase, done as u64, self.len() as u64));
        if self.watch.stop() { Err(Interrupted) } else { Ok(()) }
    }

    /// Visits the positions of a table that is in order.
    fn ascending<E: From<Interrupted>>(
        &self,
        table: &TierTable<K>,
        run_len: usize,
        take: impl FnMut(&[(K, ExactValue)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let positions = |places: Range<usize>| {
            let keys = table.table().iter_from(places.start);
            keys.zip(table.values()[places].iter().copied()).collect()
        };
        self.in_runs(run_len, positions, take)
    }

    /// Visits the images of the positions of a table by index.
    fn images<E: From<Interrupted>>(
        &self,
        table: &TierTable<K>,
        index_len: u64,
        run_len: usize,
        take: impl FnMut(&[(K, ExactValue)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let expander = self.solution.expander();
        let set = DenseSet::new(index_len);
        let chunks = table.table().len().div_ceil(CHUNK);
        for round in (0..chunks).step_by(ROUND) {
            self.done(0)?;
            parallel::each(ROUND.min(chunks - round), &|n| {
                let mut images = Vec::new();
                for key in table.table().iter_from((round + n) * CHUNK).take(CHUNK) {
                    expander.images_into(key, &mut images);
                    images.iter().for_each(|image| _ = set.insert(image.number()));
                }
            });
        }
        let members = set.freeze();
        let positions = |places: Range<usize>| {
            let numbers = members.iter_from(places.start).take(places.len());
            let position = |number| {
                let key = K::of_number(number);
                let stored = table.table().place(expander.stored_key(key));
                (key, table.valued(stored.expect("it is the image of a stored one")))
            };
            numbers.map(position).collect()
        };
        self.in_runs(run_len, positions, take)
    }

    /// Visits positions at places that are in order, in runs.
    fn in_runs<E: From<Interrupted>>(
        &self,
        run_len: usize,
        positions: impl Fn(Range<usize>) -> Vec<(K, ExactValue)> + Sync,
        mut take: impl FnMut(&[(K, ExactValue)]) -> Result<(), E>,
    ) -> Result<(), E> {
        let len = self.len();
        let run_len = run_len.next_multiple_of(self.unit);
        for begin in (0..len).step_by(run_len) {
            self.done(begin)?;
            let end = len.min(begin + run_len);
            let run = parallel::map((end - begin).div_ceil(CHUNK), &|n| {
                let begin = begin + n * CHUNK;
                positions(begin..end.min(begin + CHUNK))
            });
            take(&run.concat())?;
        }
        Ok(())
    }

    /// Calls `add` with the positions that some stored ones, given by their numbers, represent.
    fn positions(&self, numbers: Range<usize>, add: &mut dyn FnMut(K, ExactValue)) {
        let expander = self.solution.expander();
        let mut images = Vec::new();
        for (table, &first) in self.solution.tables().iter().zip(self.solution.firsts()) {
            let places = numbers.start.max(first)..numbers.end.min(first + table.table().len());
            if places.is_empty() {
                continue;
            }
            let places = places.start - first..places.end - first;
            for (place, key) in places.clone().zip(table.table().iter_from(places.start)) {
                let valued = table.valued(place);
                match self.which {
                    Which::Stored => add(key, valued),
                    Which::Reachable => {
                        expander.images_into(key, &mut images);
                        images.iter().for_each(|&image| add(image, valued));
                    }
                }
            }
        }
    }
}

/// Sizes of the lists in which positions are picked and sorted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists {
    /// Number of all positions.
    len: usize,
    /// Number of positions picked in one pass.
    pass_len: usize,
    /// Number of positions sorted at a time.
    sort_len: usize,
    /// The lengths of all runs but the last are multiples of this.
    unit: usize,
}

impl Lists {
    /// Sizes of lists for `len` positions that take no more than `room_bytes`.
    pub(crate) fn within<K>(room_bytes: u64, len: usize, unit: usize) -> Lists {
        // Growing lists may have twice the capacity that they need.
        let each = 2 * size_of::<(K, ExactValue)>() as u64;
        let fitting = usize::try_from(room_bytes / each).unwrap_or(usize::MAX);
        let pass_len = len.div_ceil(PASSES).max(PASS_LEN_MIN).min(fitting).max(CHUNK);
        Lists { len, pass_len, sort_len: SORT_LEN.min(pass_len), unit }
    }
}

/// Calls `take_run` with positions in ascending order of keys. `positions` calls a function with
/// the positions that a range of stored ones represents. `go_on` is called with the number of
/// positions visited, and may end the work.
pub(crate) fn in_passes<K: Copy + Ord + Send + Sync, E: From<Interrupted>>(
    stored_len: usize,
    positions: impl Fn(Range<usize>, &mut dyn FnMut(K, ExactValue)) + Sync,
    lists: Lists,
    go_on: impl Fn(usize) -> Result<(), Interrupted>,
    mut take_run: impl FnMut(&[(K, ExactValue)]) -> Result<(), E>,
) -> Result<(), E> {
    let Lists { len, pass_len, sort_len, unit } = lists;
    let bounds = bounds(stored_len, &positions, len.div_ceil(sort_len));
    let per_pass = (pass_len / sort_len).max(1);
    let chunks = stored_len.div_ceil(CHUNK);
    let mut rest: Vec<(K, ExactValue)> = Vec::new();
    let mut done = 0;
    // List n has the keys from bound n - 1 to bound n.
    for first in (0..=bounds.len()).step_by(per_pass) {
        let last = bounds.len().min(first + per_pass - 1);
        let low = first.checked_sub(1).map(|n| bounds[n]);
        let high = bounds.get(last).copied();
        let inner = &bounds[first..last];
        let mut lists = vec![Vec::new(); inner.len() + 1];
        for round in (0..chunks).step_by(ROUND) {
            go_on(done)?;
            let pick = |n: usize| {
                let mut picked = Vec::new();
                let places = piece(round + n, CHUNK, stored_len);
                positions(places, &mut |key, valued| {
                    if low.is_none_or(|low| key >= low) && high.is_none_or(|high| key < high) {
                        picked.push((key, valued));
                    }
                });
                picked
            };
            let picked = parallel::map(ROUND.min(chunks - round), &pick);
            for position in picked.into_iter().flatten() {
                lists[inner.partition_point(|&bound| bound <= position.0)].push(position);
            }
        }
        for mut list in lists {
            go_on(done)?;
            sort(&mut list);
            if !rest.is_empty() {
                list.splice(0..0, take(&mut rest));
            }
            rest = list.split_off(list.len() / unit * unit);
            take_run(&list)?;
            done += list.len();
        }
    }
    if rest.is_empty() { Ok(()) } else { take_run(&rest) }
}

fn sort<K: Copy + Ord + Send>(positions: &mut [(K, ExactValue)]) {
    positions.par_sort_unstable_by_key(|position| position.0);
}

/// Keys that divide all positions into this number of lists of about the same length. They affect
/// only the memory used.
fn bounds<K: Copy + Ord + Send>(
    stored_len: usize,
    positions: impl Fn(Range<usize>, &mut dyn FnMut(K, ExactValue)),
    lists: usize,
) -> Vec<K> {
    if lists < 2 {
        return Vec::new();
    }
    // Hashes look random, and the images of keys in order are scattered, so every n-th key is a
    // fair sample.
    let step = (stored_len / (lists * SAMPLES)).max(1);
    let mut sample = Vec::new();
    for place in (0..stored_len).step_by(step) {
        positions(place..place + 1, &mut |key, _| sample.push(key));
    }
    sample.par_sort_unstable();
    (1..lists).map(|n| sample[n * sample.len() / lists]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Solvable;
    use crate::tests::any_game::{cases, on, solved};

    /// Compares the concatenated runs with the result of sorting everything at once.
    fn in_runs<K: KeyCode>(rules: Solvable<K>) {
        for (rules, symmetry) in cases(&rules) {
            let solution = solved(&rules, symmetry);
            for which in [Which::Stored, Which::Reachable] {
                let order = InOrder {
                    solution: &solution,
                    which,
                    unit: 64,
                    room_bytes: u64::MAX,
                    phase: Phase::Digest,
                    watch: &(),
                };
                let mut expected = Vec::new();
                let positions = |places, add: &mut dyn FnMut(_, _)| order.positions(places, add);
                positions(0..solution.len(), &mut |code, valued| expected.push((code, valued)));
                expected.sort_unstable_by_key(|position| position.0);
                for (pass_len, sort_len) in
                    [(100, 100), (2_000, 300), (usize::MAX, 5_000), (usize::MAX, usize::MAX)]
                {
                    let mut runs = Vec::new();
                    let lists = Lists { len: order.len(), pass_len, sort_len, unit: 64 };
                    let take = |run: &[_]| {
                        runs.push(run.to_vec());
                        Ok::<_, Interrupted>(())
                    };
                    let taken = in_passes(solution.len(), positions, lists, |_| Ok(()), take);
                    assert!(taken.is_ok());
                    assert!(runs[..runs.len() - 1].iter().all(|run| run.len() % 64 == 0));
                    assert!(sort_len > 300 || runs.len() > 3, "{} runs", runs.len());
                    assert_eq!(runs.concat(), expected);
                }
                let [table] = solution.tables() else { continue };
                let Some(index_len) = table.table().index_len() else { continue };
                let mut found = Vec::new();
                let mut add = |run: &[_]| {
                    found.extend_from_slice(run);
                    Ok::<_, Interrupted>(())
                };
                let taken = if which == Which::Stored {
                    order.ascending(table, 100, &mut add)
                } else {
                    order.images(table, index_len, 100, &mut add)
                };
                assert!(taken.is_ok());
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn runs_are_the_whole_in_order() {
        on!("achi", in_runs);
        on!("tic_tac_toe", in_runs);
    }
}
