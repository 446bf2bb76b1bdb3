//! Interestingness in games with tiers: one pass from the highest tier down, in which every child
//! is known before its parents.

use treegauge_core::KeyCode;

use super::terms::{Cell, Step, Tally, Walker, combine, units};
use super::{Computed, Form, InterestOptions, keep, needs_children};
use crate::error::WorkError;
use crate::memory::Memory;
use crate::parallel::{self, Items, piece};
use crate::rules::Bounds;
use crate::solution::Solution;
use crate::value::{ExactValue, Value};
use treegauge_core::Watch;

/// Positions that one thread takes at once.
const CHUNK: usize = 1 << 12;

pub(super) fn compute<K: KeyCode>(
    solution: &Solution<K>,
    options: InterestOptions,
    memory: &Memory,
    watch: &dyn Watch,
) -> Result<Computed, WorkError> {
    let mut cells = vec![Cell::UNKNOWN; solution.len()];
    let bounds = Bounds::new(memory, watch);
    if let [table] = solution.tables()
        && let Some(tiers) = table.table().tiers()
    {
        let longest = tiers.iter().map(Vec::len).max().unwrap_or(0);
        let _found = memory.hold((longest * (size_of::<u32>() + size_of::<Cell>())) as u64)?;
        for tier in tiers.iter().rev() {
            let known = Known { solution, options, cells: &cells, first: 0, bounds };
            let found = parallel::try_map(tier.len().div_ceil(CHUNK), &|n| {
                let indexes = &tier[piece(n, CHUNK, tier.len())];
                let (mut keys, mut places) = (Vec::new(), Vec::new());
                for &index in indexes {
                    let key = K::of_number(u64::from(index));
                    keys.push(key);
                    let place = table.table().place(key).expect("the tier is stored");
                    places.push(place as u32);
                }
                let valued = |&place: &u32| table.valued(place as usize);
                let found: Vec<ExactValue> = places.iter().map(valued).collect();
                let mut cells = vec![Cell::UNKNOWN; keys.len()];
                known.fill(&mut keys, &found, &mut cells)?;
                Ok::<_, WorkError>((places, cells))
            })?;
            for (place, cell) in
                found.into_iter().flat_map(|(places, cells)| places.into_iter().zip(cells))
            {
                cells[place as usize] = cell;
            }
        }
        return Ok(Computed { cells, sweeps: 1, in_loops: Vec::new() });
    }
    // Filled from the end: the cells after the current tier are known.
    for (table, ends) in solution.tables().iter().zip(solution.firsts().windows(2)).rev() {
        let (rest, known) = cells.split_at_mut(ends[1]);
        let known = Known { solution, options, cells: known, first: ends[1], bounds };
        let chunks = Items::of(rest[ends[0]..].chunks_mut(CHUNK));
        parallel::try_each(chunks.len(), &|n| {
            let (mut keys, cells) = (Vec::new(), chunks.take(n));
            let places = n * CHUNK..n * CHUNK + cells.len();
            table.table().keys_into(places.clone(), &mut keys);
            known.fill(&mut keys, &table.values()[places], cells)
        })?;
    }
    Ok(Computed { cells, sweeps: 1, in_loops: Vec::new() })
}

/// Cells of the positions in all higher tiers.
struct Known<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    options: InterestOptions,
    cells: &'a [Cell],
    /// Number of the first of these positions.
    first: usize,
    bounds: Bounds<'a>,
}

impl<K: KeyCode> Known<'_, K> {
    /// Computes the cells of the positions with these keys and values. Reorders the keys.
    fn fill(
        &self,
        keys: &mut [K],
        values: &[ExactValue],
        cells: &mut [Cell],
    ) -> Result<(), WorkError> {
        let mut walker = Walker::new(self.solution, self.options, self.bounds);
        let waiting = keep(keys, values, |&valued| self.options.looks_at_children(valued));
        let mut each = values.iter().zip(cells);
        walker.each(waiting, |steps| {
            for (&valued, cell) in each.by_ref() {
                if self.options.looks_at_children(valued) {
                    *cell = self.cell(valued, steps);
                    break;
                }
                *cell = Cell::primitive(valued);
            }
        })?;
        each.for_each(|(&valued, cell)| *cell = Cell::primitive(valued));
        Ok(())
    }

    /// Cell of an unfinished position, computed from its children.
    #[inline]
    fn cell(&self, valued: ExactValue, steps: impl Iterator<Item = Step>) -> Cell {
        if !needs_children(valued) {
            return Cell::primitive(valued).with_moves(steps.count() as u64);
        }
        let mut tally = Tally::default();
        let win = valued.value == Value::Win;
        let mut moves = 0;
        for step in steps {
            moves += 1;
            let found = self.cells[step.index - self.first];
            if win {
                tally.add_to_win(found, step.same_turn, self.options, || {
                    self.solution.valued(step.index).is_next_of(valued)
                });
            } else {
                tally.average(found);
            }
        }
        let accumulated = tally.accumulated();
        let interest =
            if win { combine(tally.stay(self.options.form), accumulated) } else { accumulated };
        let cell = Cell::zero(valued).with(units(interest));
        if self.options.form == Form::Forcing { cell.with_moves(moves) } else { cell }
    }
}
