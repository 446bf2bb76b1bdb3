//! Checks that the values of a solution follow from each other.
//!
//! A file can have valid checksums and wrong positions. Code that works on a solution may rely on
//! every child being stored and on every value being that of the best move, so both are checked
//! when a file is read. [`verify`](crate::verify) checks more, and shares less code with the
//! solver.

use std::ops::Range;

use treegauge_core::{KeyCode, Phase, Progress, Watch};

use crate::endless::Endless;
use crate::error::Halt;
use crate::find::{Finder, Found};
use crate::memory::Memory;
use crate::parallel::{piece, try_each};
use crate::rules::{Bounds, Child, Expander, Links};
use crate::solution::{Solution, TierTable};
use crate::value::{ExactValue, Value, before, before_avoiding};

/// Positions that one thread checks at a time.
const CHUNK: usize = 1 << 12;

/// Chunks checked between two calls of [`Watch::stop`].
const ROUND: usize = 64;

impl<K: KeyCode> Solution<K> {
    /// Finds a position that is wrong: its value does not follow from those of its moves, or a move
    /// leads to a position that is not stored. `None` if all are right. The position returned does
    /// not depend on the number of threads.
    pub(crate) fn disagreement(
        &self,
        memory: &Memory,
        watch: &dyn Watch,
    ) -> Result<Option<K>, Halt> {
        let bounds = Bounds::new(memory, watch);
        let mut done = 0;
        for table in self.tables() {
            let chunks = table.table().len().div_ceil(CHUNK);
            for round in (0..chunks).step_by(ROUND) {
                watch.progress(Progress::new(Phase::Check, done, self.len() as u64));
                if watch.stop() {
                    return Err(Halt::Stopped);
                }
                let check = |n: usize| {
                    let places = piece(round + n, CHUNK, table.table().len());
                    Room::new(self, bounds).all_right(table, places)
                };
                match try_each(ROUND.min(chunks - round), &check) {
                    Ok(()) => {}
                    Err(Wrong::At(key)) => return Ok(Some(key)),
                    Err(Wrong::Halted(halt)) => return Err(halt),
                }
                done += (ROUND * CHUNK) as u64;
            }
        }
        Ok(None)
    }
}

/// Reason that the check of some positions ended early.
enum Wrong<K> {
    /// The position with this key is wrong.
    At(K),
    /// The children were not made: the watch said stop, or memory did not suffice.
    Halted(Halt),
}

impl<K> From<Halt> for Wrong<K> {
    fn from(halt: Halt) -> Self {
        Wrong::Halted(halt)
    }
}

/// Buffers of one thread.
struct Room<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    endless: Endless,
    expander: Expander<'a, K>,
    links: Links<'a, K>,
    finder: Finder<'a, K>,
}

impl<'a, K: KeyCode> Room<'a, K> {
    fn new(solution: &'a Solution<K>, bounds: Bounds<'a>) -> Self {
        Room {
            solution,
            endless: solution.endless(),
            expander: solution.expander(),
            links: Links::new(bounds),
            finder: Finder::new(solution.tables()),
        }
    }

    /// Checks the values of the positions at `places` of a table; fails with the first wrong one.
    fn all_right(&mut self, table: &TierTable<K>, places: Range<usize>) -> Result<(), Wrong<K>> {
        let mut keys = Vec::new();
        table.table().keys_into(places.clone(), &mut keys);
        let values = &table.values()[places];
        let Room { solution, endless, expander, links, finder } = self;
        expander.each_batch(&keys, links, |batch, links| {
            let (keys, values) = (&keys[batch.clone()], &values[batch]);
            let found = finder.find(links.children()).ok();
            // The batch look-up failed, so some child is in no table: find the position that lacks
            // it.
            let mut one_by_one = found.is_none().then(|| Finder::new(solution.tables()));
            for ((range, &key), &valued) in links.ranges().zip(keys).zip(values) {
                let is_right = match range {
                    Err(value) => valued == ExactValue { value, remoteness: 0 },
                    Ok(range) => {
                        let children = &links.children()[range.clone()];
                        let found = match (&mut one_by_one, found) {
                            (Some(finder), _) => finder.find(children).ok(),
                            (None, found) => found.map(|found| &found[range]),
                        };
                        found.is_some_and(|found| follows(solution, key, valued, children, found))
                    }
                };
                // The player to move is needed only for a position without an end.
                let turn = || solution.rules().turn(key);
                if !is_right || valued.plies().is_none() && !endless.gives(valued, turn()) {
                    return Err(Wrong::At(key));
                }
            }
            Ok(())
        })
    }
}

/// Tests whether the value of an unfinished position follows from those of its children, all of
/// which were found.
fn follows<K: KeyCode>(
    solution: &Solution<K>,
    key: K,
    valued: ExactValue,
    children: &[Child<K>],
    found: &[Found],
) -> bool {
    if children.is_empty() {
        return false;
    }
    let children = children.iter().zip(found).map(|(child, found)| {
        let table = &solution.tables()[found.table as usize];
        (table.valued(found.place as usize), child.same_turn)
    });
    let seen = |(valued, same_turn): (ExactValue, bool)| valued.seen(same_turn);
    let expected = match solution.endless() {
        Endless::Draw => {
            let seen = |(valued, same_turn): (ExactValue, bool)| valued.seen_preference(same_turn);
            before(children.map(seen)).ok()
        }
        // A tie beside endless play depends on all positions together; `verify` checks it.
        Endless::Undecided if valued == ExactValue::DRAW => {
            let seen: Vec<ExactValue> = children.map(seen).collect();
            let is_open = seen.contains(&ExactValue::DRAW)
                && seen.iter().all(|child| child.value != Value::Win);
            is_open.then_some(valued)
        }
        endless => {
            let avoids_ties = endless.avoids_ties(solution.rules().turn(key));
            before_avoiding(children.map(seen), avoids_ties).ok()
        }
    };
    expected == Some(valued)
}
