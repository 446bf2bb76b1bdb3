//! Summary of the interestingness of a whole game.

use treegauge_core::KeyCode;

use super::terms::of_units;
use super::{Computed, needs_children};
use crate::parallel::{self, Shelf};
use crate::solution::Solution;
use crate::value::{ExactValue, Value};

/// Number of bins of [`InterestRow::bins`].
pub const BINS: usize = 20;

/// Positions that one thread takes at once.
const CHUNK: usize = 1 << 14;

/// Position with its interestingness.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point<K> {
    /// Number of the position in the solution.
    pub index: usize,
    /// Key of the position; of several symmetric positions, the smallest key.
    pub key: K,
    /// Value and remoteness.
    pub valued: ExactValue,
    /// Interestingness, from 0 to 1.
    pub interestingness: f64,
}

/// Summary of the wins of one remoteness.
#[derive(Clone, Debug, PartialEq)]
pub struct InterestRow<K> {
    /// Remoteness in plies.
    pub remoteness: u16,
    /// Number of wins, symmetry not reduced.
    pub wins: u64,
    /// Mean interestingness of these wins, from 0 to 1.
    pub mean: f64,
    /// Most interesting win; among equals the one with the smallest key.
    pub most: Point<K>,
    /// Number of wins per bin; bin n counts interestingness from n / 20 up to less than (n + 1) /
    /// 20.
    pub bins: [u64; BINS],
}

pub(super) struct Summary<K> {
    pub(super) start: Point<K>,
    pub(super) most: Option<Point<K>>,
    pub(super) rows: Vec<InterestRow<K>>,
    pub(super) in_loops: u64,
}

/// Summary of the wins of one remoteness while they are counted.
#[derive(Clone)]
struct Partial<K> {
    wins: u64,
    sum: u128,
    /// Units, key and number of the most interesting win.
    most: Option<(u64, K, usize)>,
    bins: [u64; BINS],
}

impl<K: Copy + Ord> Partial<K> {
    const NONE: Self = Partial { wins: 0, sum: 0, most: None, bins: [0; BINS] };

    #[inline]
    fn offer(&mut self, (units, key, index): (u64, K, usize)) {
        let better = match self.most {
            None => true,
            Some((best, smallest, _)) => units > best || units == best && key < smallest,
        };
        if better {
            self.most = Some((units, key, index));
        }
    }

    fn merge(&mut self, other: Self) {
        self.wins += other.wins;
        self.sum += other.sum;
        other.most.into_iter().for_each(|most| self.offer(most));
        for (count, more) in self.bins.iter_mut().zip(other.bins) {
            *count += more;
        }
    }
}

/// Summarizes the wins by remoteness.
pub(super) fn summary<K: KeyCode>(solution: &Solution<K>, computed: &Computed) -> Summary<K> {
    let remoteness_max = solution.remoteness_table().rows().len();
    let none = || vec![Partial::<K>::NONE; remoteness_max];
    let partials = Shelf::new();
    let tables = solution.tables().iter().zip(solution.firsts());
    let chunks: Vec<_> = tables
        .flat_map(|(table, &first)| {
            let begins = (0..table.table().len()).step_by(CHUNK);
            begins.map(move |begin| (table, first, begin))
        })
        .collect();
    parallel::each(chunks.len(), &|n| {
        let (table, first, begin) = chunks[n];
        let mut rows = partials.take(&none);
        let expander = solution.expander();
        let mut images = Vec::new();
        let places = begin..table.table().len().min(begin + CHUNK);
        for (place, key) in places.zip(table.table().iter_from(begin)) {
            let valued = table.valued(place);
            // A win by endless play has no remoteness, so it is not a puzzle.
            if valued.value != Value::Win || !needs_children(valued) || valued.plies().is_none() {
                continue;
            }
            let units = computed.cells[first + place].units();
            let mut count = 1;
            if solution.is_reduced() {
                expander.images_into(key, &mut images);
                count = images.len() as u64;
            }
            let row = &mut rows[usize::from(valued.remoteness)];
            row.wins += count;
            row.sum += u128::from(units) * u128::from(count);
            row.bins[(of_units(units) * BINS as f64) as usize] += count;
            row.offer((units, key, first + place));
        }
        partials.put(rows);
    });
    let merge = |mut rows: Vec<Partial<K>>, others: Vec<_>| {
        for (row, other) in rows.iter_mut().zip(others) {
            row.merge(other);
        }
        rows
    };
    let partials = partials.into_all().into_iter().fold(none(), merge);
    let point = |index: usize| {
        let (key, valued) = solution.at(index);
        Point { index, key, valued, interestingness: computed.cells[index].interestingness() }
    };
    let mut all = Partial::NONE;
    let mut rows = Vec::new();
    for (remoteness, row) in partials.into_iter().enumerate() {
        let Some(most) = row.most else { continue };
        all.offer(most);
        rows.push(InterestRow {
            remoteness: remoteness as u16,
            wins: row.wins,
            mean: of_units(1) * (row.sum as f64 / row.wins as f64),
            most: point(most.2),
            bins: row.bins,
        });
    }
    Summary {
        start: point(solution.index_of(solution.start()).expect("the start is stored")),
        most: all.most.map(|most| point(most.2)),
        rows,
        in_loops: count(solution, &computed.in_loops),
    }
}

/// Number of reachable positions that the stored ones represent.
fn count<K: KeyCode>(solution: &Solution<K>, stored: &[u32]) -> u64 {
    if !solution.is_reduced() {
        return stored.len() as u64;
    }
    let expander = solution.expander();
    let mut images = Vec::new();
    let mut count = 0;
    for &index in stored {
        expander.images_into(solution.at(index as usize).0, &mut images);
        count += images.len() as u64;
    }
    count
}
