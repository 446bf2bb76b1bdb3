//! Whether the values of a solution follow from each other.
//!
//! A file can have the right checksums and the wrong positions. What works on a solution may rely on
//! every child being there and on every value being that of the best move, so both are checked when
//! a file is read. [`verify`](crate::verify) checks more, and shares less with the solver.

use std::ops::Range;

use treegauge_core::{Keyed, Phase, Progress, Watch};

use crate::endless::Endless;
use crate::error::Interrupted;
use crate::find::{BATCH, Finder};
use crate::parallel::{piece, try_each};
use crate::rules::{Expander, Links};
use crate::solution::{Solution, TierTable};
use crate::value::{Value, Valued, before, before_avoiding};

/// Positions that a thread takes at a time.
const CHUNK: usize = 1 << 12;

/// Chunks between two looks at the watch.
const ROUND: usize = 64;

impl<G: Keyed> Solution<G> {
    /// A position whose value does not follow from those of its moves, or one of whose moves leads to a
    /// position that is not stored; which of several does not depend on the number of threads.
    pub(crate) fn disagreement(&self, watch: &dyn Watch) -> Result<Option<G::State>, Interrupted> {
        let mut done = 0;
        for table in self.tables() {
            let chunks = table.table().len().div_ceil(CHUNK);
            for round in (0..chunks).step_by(ROUND) {
                watch.progress(Progress::new(Phase::Check, done, self.len() as u64));
                if watch.stop() {
                    return Err(Interrupted);
                }
                let check = |n: usize| {
                    let places = piece(round + n, CHUNK, table.table().len());
                    Room::new(self).first_wrong(table, places).map_or(Ok(()), Err)
                };
                if let Err(key) = try_each(ROUND.min(chunks - round), &check) {
                    return Ok(Some(self.rules().game().unkey(key)));
                }
                done += (ROUND * CHUNK) as u64;
            }
        }
        Ok(None)
    }
}

/// One thread's room.
struct Room<'a, G: Keyed> {
    solution: &'a Solution<G>,
    endless: Endless,
    expander: Expander<'a, G>,
    links: Links<G::Key>,
    finder: Finder<'a, G::Key>,
}

impl<'a, G: Keyed> Room<'a, G> {
    fn new(solution: &'a Solution<G>) -> Self {
        Room {
            solution,
            endless: solution.endless(),
            expander: solution.expander(),
            links: Links::new(),
            finder: Finder::new(solution.tables()),
        }
    }

    /// The first wrong position among some of a table.
    fn first_wrong(&mut self, table: &TierTable<G::Key>, places: Range<usize>) -> Option<G::Key> {
        let mut keys = Vec::new();
        table.table().keys_into(places.clone(), &mut keys);
        for (keys, values) in keys.chunks(BATCH).zip(table.values()[places].chunks(BATCH)) {
            if self.agree(keys, values) {
                continue;
            }
            let one_by_one = keys.iter().zip(values);
            for (&key, &valued) in one_by_one {
                if !self.agree(&[key], &[valued]) {
                    return Some(key);
                }
            }
        }
        None
    }

    /// Whether some positions have the values that they should.
    fn agree(&mut self, keys: &[G::Key], values: &[Valued]) -> bool {
        self.expander.expand(keys, &mut self.links);
        let Ok(found) = self.finder.find(self.links.children()) else { return false };
        let game = self.solution.rules().game();
        self.links.ranges().zip(keys).zip(values).all(|((range, &key), &valued)| {
            // Of positions with an end no player need be known.
            let turn = || game.turn(&game.unkey(key));
            if valued.plies().is_none() && !self.endless.gives(valued, turn()) {
                return false;
            }
            let expected = match range {
                Err(value) => Some(Valued { value, remoteness: 0 }),
                Ok(range) if range.is_empty() => None,
                Ok(range) => {
                    let children = self.links.children()[range.clone()].iter().zip(&found[range]);
                    let children = children.map(|(child, found)| {
                        let table = &self.solution.tables()[found.table as usize];
                        (table.valued(found.place as usize), child.same_turn)
                    });
                    let seen = |(valued, same_turn): (Valued, bool)| valued.seen(same_turn);
                    match self.endless {
                        Endless::Draw => {
                            let seen = |(valued, same_turn): (Valued, bool)| {
                                valued.seen_preference(same_turn)
                            };
                            before(children.map(seen)).ok()
                        }
                        // Ties beside endless play are a matter of all positions, which `verify`
                        // looks at.
                        Endless::Undecided if valued == Valued::DRAW => {
                            let seen: Vec<Valued> = children.map(seen).collect();
                            let is_open = seen.contains(&Valued::DRAW)
                                && seen.iter().all(|child| child.value != Value::Win);
                            is_open.then_some(valued)
                        }
                        _ => {
                            let avoids_ties = self.endless.avoids_ties(turn());
                            before_avoiding(children.map(seen), avoids_ties).ok()
                        }
                    }
                }
            };
            expected == Some(valued)
        })
    }
}
