//! One pass over the tiers, from the highest down: every child is known before its parents.

use rayon::prelude::*;
use treegauge_core::Keyed;

use super::terms::{Cell, Step, Tally, Walker, combine, units};
use super::{Computed, InterestOptions, needs_children};
use crate::find::BATCH;
use crate::{Solution, TierTable, Value, Valued, Watch};

/// Positions that a thread takes at once.
const CHUNK: usize = 1 << 12;

pub(super) fn compute<G: Keyed>(
    solution: &Solution<G>,
    options: InterestOptions,
    watch: &dyn Watch,
) -> Option<Computed> {
    // Filled from the end: what lies behind the tier in hand is known.
    let mut cells = vec![Cell::UNKNOWN; solution.len()];
    for (table, bounds) in solution.tables().iter().zip(solution.firsts().windows(2)).rev() {
        let (rest, known) = cells.split_at_mut(bounds[1]);
        let tier = Tier { solution, options, table, known, known_first: bounds[1] };
        rest[bounds[0]..].par_chunks_mut(CHUNK).enumerate().for_each(|(n, cells)| {
            if !watch.stop() {
                tier.fill(n * CHUNK, cells);
            }
        });
        if watch.stop() {
            return None;
        }
    }
    Some(Computed { cells, sweeps: 1, in_loops: Vec::new() })
}

struct Tier<'a, G: Keyed> {
    solution: &'a Solution<G>,
    options: InterestOptions,
    table: &'a TierTable<G::Key>,
    /// The cells of all higher tiers.
    known: &'a [Cell],
    /// The number of the first of them.
    known_first: usize,
}

impl<G: Keyed> Tier<'_, G> {
    /// Computes the positions from a place on.
    fn fill(&self, begin: usize, cells: &mut [Cell]) {
        let mut walker = Walker::new(self.solution, self.options);
        let (mut keys, mut waiting) = (Vec::new(), Vec::new());
        for (begin, cells) in (begin..).step_by(BATCH).zip(cells.chunks_mut(BATCH)) {
            keys.clear();
            waiting.clear();
            for (place, cell) in (begin..).zip(cells.iter_mut()) {
                let valued = self.table.valued(place);
                if needs_children(valued) {
                    keys.push(self.table.table().keys()[place]);
                    waiting.push((valued, cell));
                } else {
                    *cell = Cell::primitive(valued);
                }
            }
            for ((valued, cell), steps) in waiting.drain(..).zip(walker.steps(&keys)) {
                *cell = self.cell(valued, steps);
            }
        }
    }

    /// An unfinished win or loss by its children.
    #[inline]
    fn cell(&self, valued: Valued, steps: impl Iterator<Item = Step>) -> Cell {
        let mut tally = Tally::default();
        let win = valued.value == Value::Win;
        for step in steps {
            let found = self.known[step.index - self.known_first];
            if win {
                tally.add_to_win(found, step.same_turn, self.options, || {
                    self.solution.at(step.index).1.remoteness + 1 == valued.remoteness
                });
            } else {
                tally.average(found);
            }
        }
        let accumulated = tally.accumulated();
        let interest =
            if win { combine(tally.stay(self.options.form), accumulated) } else { accumulated };
        Cell::zero(valued).with(units(interest))
    }
}
