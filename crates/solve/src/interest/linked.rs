//! Interestingness in games without tiers, from a stored list of dependencies.
//!
//! A position depends on the children over which it averages. In rounds, every position whose
//! children are settled is settled. A position of remoteness r cannot be settled before round r, so
//! it is not looked at earlier. Positions that are never settled lie on a cycle or depend on one.
//! Sweeps from 0 upwards find their values.

use std::ops::Range;

use treegauge_core::KeyCode;

use super::terms::{Cell, Tally, Walker, combine, units};
use super::{Computed, Form, InterestOptions, is_finished, keep, needs_children};
use crate::error::WorkError;
use crate::memory::{Memory, list_bytes};
use crate::parallel::{Items, each_chunk, piece, try_each, try_map};
use crate::rules::Bounds;
use crate::solution::Solution;
use crate::value::{ExactValue, Value};
use treegauge_core::Watch;

/// Positions that one thread takes at once; a power of two.
const CHUNK: usize = 1 << 12;

/// Bytes of a position beside its cell and its children: the end of its children and the complement
/// of a win's immediate term, whether it is settled, its number among the waiting and among the
/// open positions, and its result.
const ONE_OF_EACH: u64 = 4 + 8 + 1 + 4 + 4 + 16;

/// Greatest change of a value in the last sweep.
const STILL: f64 = 1e-13;

pub(super) fn compute<K: KeyCode>(
    solution: &Solution<K>,
    options: InterestOptions,
    memory: &Memory,
    watch: &dyn Watch,
) -> Result<Computed, WorkError> {
    let each = ONE_OF_EACH * solution.len() as u64;
    let _lists = memory.hold(each)?;
    let mut cells = vec![Cell::UNKNOWN; solution.len()];
    each_chunk(&mut cells, CHUNK, &|first, cells| {
        for (index, cell) in (first..).zip(cells) {
            let valued = solution.valued(index);
            let needs = needs_children(valued);
            *cell = if needs { Cell::zero(valued) } else { Cell::primitive(valued) };
        }
    });
    if options.form == Form::Forcing {
        count_moves(solution, options, &mut cells, memory, watch)?;
    }
    let links = Links::new(solution, options, &cells, memory, watch)?;
    let open = settle(solution, &links, &mut cells, watch)?;
    let sweeps = if open.is_empty() { 1 } else { sweep(&links, &open, &mut cells, watch)? };
    Ok(Computed { cells, sweeps, in_loops: open })
}

/// Sets the number of moves of every cell.
fn count_moves<K: KeyCode>(
    solution: &Solution<K>,
    options: InterestOptions,
    cells: &mut [Cell],
    memory: &Memory,
    watch: &dyn Watch,
) -> Result<(), WorkError> {
    let chunks = Items::of(cells.chunks_mut(CHUNK));
    try_each(chunks.len(), &|n| {
        if watch.stop() {
            return Err(WorkError::Interrupted);
        }
        let cells = chunks.take(n);
        let (mut keys, values) = part(solution, n * CHUNK..n * CHUNK + cells.len());
        let waiting = keep(&mut keys, values, |&valued| !is_finished(valued));
        let mut unfinished =
            cells.iter_mut().zip(values).filter(|(_, found)| !is_finished(**found));
        let mut walker = Walker::new(solution, options, Bounds::new(memory, watch));
        walker.each(waiting, |steps| {
            let (cell, _) = unfinished.next().expect("one for each key");
            *cell = cell.with_moves(steps.count() as u64);
        })?;
        Ok(())
    })
}

/// Keys and values of some positions of a game without tiers.
fn part<K: KeyCode>(solution: &Solution<K>, places: Range<usize>) -> (Vec<K>, &[ExactValue]) {
    let [table] = solution.tables() else {
        unreachable!("a game without tiers has one table");
    };
    let mut keys = Vec::new();
    table.table().keys_into(places.clone(), &mut keys);
    (keys, &table.values()[places])
}

/// Children over which each position averages.
struct Links {
    chunks: Vec<LinkChunk>,
}

#[derive(Default)]
struct LinkChunk {
    /// End of each position's children; they begin where those of the previous position end.
    ends: Vec<u32>,
    children: Vec<u32>,
    /// 1 - Immediate for a win; NaN for all others.
    stays: Vec<f64>,
}

impl Links {
    fn new<K: KeyCode>(
        solution: &Solution<K>,
        options: InterestOptions,
        cells: &[Cell],
        memory: &Memory,
        watch: &dyn Watch,
    ) -> Result<Links, WorkError> {
        let chunks = try_map(cells.len().div_ceil(CHUNK), &|n| {
            if watch.stop() {
                return Err(WorkError::Interrupted);
            }
            let (mut keys, values) = part(solution, piece(n, CHUNK, cells.len()));
            let mut walker = Walker::new(solution, options, Bounds::new(memory, watch));
            let mut links = LinkChunk::default();
            let waiting = keep(&mut keys, values, |&valued| needs_children(valued));
            let mut waiting_values = values.iter().filter(|&&valued| needs_children(valued));
            // Entries of the waiting positions; all others have no children.
            let (mut stays, mut ends) = (Vec::new(), Vec::new());
            walker.each(waiting, |steps| {
                let valued = waiting_values.next().expect("one for each key");
                let mut tally = Tally::default();
                for step in steps {
                    let cell = cells[step.index];
                    let averaged = valued.value == Value::Lose
                        || tally.add_to_win(cell, step.same_turn, options, || {
                            solution.valued(step.index).is_next_of(*valued)
                        });
                    if averaged {
                        links.children.push(step.index as u32);
                    }
                }
                let is_win = valued.value == Value::Win;
                stays.push(if is_win { tally.stay(options.form) } else { f64::NAN });
                ends.push(links.children.len() as u32);
            })?;
            let mut found = stays.into_iter().zip(ends);
            let mut end = 0;
            for &valued in values {
                let mut stay = f64::NAN;
                if needs_children(valued) {
                    (stay, end) = found.next().expect("one for each key");
                }
                links.stays.push(stay);
                links.ends.push(end);
            }
            links.children.shrink_to_fit();
            memory.take(list_bytes(&links.children))?;
            Ok(links)
        })?;
        Ok(Links { chunks })
    }

    /// Children over which a position averages.
    fn children(&self, index: u32) -> &[u32] {
        let (chunk, place) = (&self.chunks[index as usize / CHUNK], index as usize % CHUNK);
        let begin = if place == 0 { 0 } else { chunk.ends[place - 1] };
        &chunk.children[begin as usize..chunk.ends[place] as usize]
    }

    /// Computes the interestingness of a position from that of its children, in units.
    fn evaluate(&self, index: u32, cells: &[Cell]) -> u64 {
        let mut tally = Tally::default();
        for &child in self.children(index) {
            tally.average(cells[child as usize]);
        }
        let accumulated = tally.accumulated();
        let stay = self.chunks[index as usize / CHUNK].stays[index as usize % CHUNK];
        units(if stay.is_nan() { accumulated } else { combine(stay, accumulated) })
    }
}

/// Settles all positions that depend on no cycle, and returns the others in ascending order.
fn settle<K: KeyCode>(
    solution: &Solution<K>,
    links: &Links,
    cells: &mut [Cell],
    watch: &dyn Watch,
) -> Result<Vec<u32>, WorkError> {
    let mut settled = vec![false; cells.len()];
    each_chunk(&mut settled, CHUNK, &|first, settled| {
        for (cell, settled) in cells[first..].iter().zip(settled) {
            *settled = cell.units() > 0;
        }
    });
    // Positions to settle, by remoteness.
    let ends = solution.stored_remoteness_table().rows().len();
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); ends + 1];
    for (index, _, valued) in solution.iter() {
        if needs_children(valued) {
            // Endless play is settled by sweeps, after all positions with an end.
            let remoteness = valued.plies().map_or(ends, usize::from);
            waiting[remoteness].push(index as u32);
        }
    }
    let mut open: Vec<u32> = Vec::new();
    for round in 0.. {
        if watch.stop() {
            return Err(WorkError::Interrupted);
        }
        if let Some(more) = waiting.get_mut(round) {
            open.append(more);
        }
        let mut found: Vec<Option<u64>> = vec![None; open.len()];
        each_chunk(&mut found, CHUNK, &|first, found| {
            for (&index, found) in open[first..].iter().zip(found) {
                let ready = links.children(index).iter().all(|&child| settled[child as usize]);
                *found = ready.then(|| links.evaluate(index, cells));
            }
        });
        let before = open.len();
        let mut found = found.into_iter();
        open.retain(|&index| match found.next().flatten() {
            None => true,
            Some(units) => {
                cells[index as usize] = cells[index as usize].with(units);
                settled[index as usize] = true;
                false
            }
        });
        if open.len() == before && round >= waiting.len() {
            break;
        }
    }
    open.sort_unstable();
    Ok(open)
}

/// Recomputes all open positions from each other at once, until none changes. Returns the number of
/// sweeps.
fn sweep(
    links: &Links,
    open: &[u32],
    cells: &mut [Cell],
    watch: &dyn Watch,
) -> Result<u32, WorkError> {
    for sweeps in 1.. {
        if watch.stop() {
            return Err(WorkError::Interrupted);
        }
        let mut next: Vec<u64> = vec![0; open.len()];
        each_chunk(&mut next, CHUNK, &|first, next| {
            for (&index, units) in open[first..].iter().zip(next) {
                *units = links.evaluate(index, cells);
            }
        });
        let mut moved = 0;
        for (&index, units) in open.iter().zip(next) {
            let cell = &mut cells[index as usize];
            moved = moved.max(cell.units().abs_diff(units));
            *cell = cell.with(units);
        }
        if moved <= units(STILL) {
            return Ok(sweeps);
        }
    }
    unreachable!("values grow, and there are finitely many")
}
