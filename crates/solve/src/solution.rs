//! Solution of a game in memory.

use treegauge_core::{KeyCode, Plies, Watch};

use crate::checkpoint::{Checkpoint, Keys, Part};
use crate::counts::{Counts, RemotenessTable};
use crate::endless::Endless;
use crate::error::Interrupted;
use crate::memory::list_bytes;
use crate::parallel::{self, Shelf, piece};
use crate::rules::{Expander, Reduction, Solvable};
use crate::table::{Contents, Table};
use crate::value::{ExactValue, Value};

/// Positions of one tier with their values. A game without tiers has all positions in one table,
/// and so has a game that was solved by its index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TierTable<K> {
    pub(crate) tier: u32,
    pub(crate) table: Table<K>,
    /// Values in the order of the keys; empty until they are known.
    pub(crate) values: Vec<ExactValue>,
}

impl<K: KeyCode> TierTable<K> {
    /// Creates a table of positions in any order, each once.
    ///
    /// # Panics
    ///
    /// When a key occurs twice or there are 2^32 positions.
    #[must_use]
    pub fn new(tier: u32, positions: Vec<(K, ExactValue)>) -> Self {
        let table = Table::new(positions.iter().map(|position| position.0).collect());
        let mut values = vec![ExactValue::DRAW; table.len()];
        for (key, valued) in positions {
            values[table.place(key).expect("the table was made of these keys")] = valued;
        }
        TierTable { tier, table, values }
    }

    /// Tier of the positions.
    #[must_use]
    pub fn tier(&self) -> u32 {
        self.tier
    }

    /// Keys of the positions.
    #[must_use]
    pub fn table(&self) -> &Table<K> {
        &self.table
    }

    /// Values of the positions, in the order of the keys.
    #[must_use]
    pub fn values(&self) -> &[ExactValue] {
        &self.values
    }

    /// Value of the position at a place.
    ///
    /// # Panics
    ///
    /// When `place` is not less than the number of positions.
    #[inline]
    #[must_use]
    pub fn valued(&self, place: usize) -> ExactValue {
        self.values[place]
    }
}

/// All positions that can be reached from a start, with their values.
///
/// Positions are numbered from 0 by ascending tiers and, within a tier, in the order of its
/// [`Table`]. If there is only one table, its order alone decides. A reduced solution stores only
/// the canonical one of several symmetric positions.
#[derive(Clone, Debug)]
pub struct Solution<K> {
    rules: Solvable<K>,
    start: K,
    reduction: Reduction,
    tables: Vec<TierTable<K>>,
    /// Number of the first position of each table, and at the end the number of all positions.
    firsts: Vec<usize>,
    stored: RemotenessTable,
    reachable: RemotenessTable,
    start_by_history: Option<Value>,
}

impl<K: KeyCode> Solution<K> {
    /// Creates a solution from existing tables, in any order.
    ///
    /// # Panics
    ///
    /// When two tables have the same tier.
    #[must_use]
    pub fn of_tables(
        rules: Solvable<K>,
        start: K,
        reduction: Reduction,
        tables: Vec<TierTable<K>>,
    ) -> Self {
        let solution = Solution::watched(rules, start, reduction, tables, &());
        solution.unwrap_or_else(|_| unreachable!("nothing stops it"))
    }

    /// Like [`Solution::of_tables`]; returns the tables if `watch` says stop.
    pub(crate) fn watched(
        rules: Solvable<K>,
        start: K,
        reduction: Reduction,
        mut tables: Vec<TierTable<K>>,
        watch: &dyn Watch,
    ) -> Result<Self, Vec<TierTable<K>>> {
        tables.sort_by_key(|table| table.tier);
        assert!(tables.is_sorted_by(|a, b| a.tier < b.tier), "each tier has one table");
        let mut firsts = vec![0];
        for table in &tables {
            firsts.push(firsts[firsts.len() - 1] + table.table.len());
        }
        let Ok([stored, reachable]) = count(&rules, &reduction, &tables, watch) else {
            return Err(tables);
        };
        let start_by_history = None;
        let mut solution = Solution {
            rules,
            start,
            reduction,
            tables,
            firsts,
            stored,
            reachable,
            start_by_history,
        };
        let left_to_limits = solution.endless() == Endless::Undecided
            && solution.get(solution.start) == Some(ExactValue::DRAW);
        if left_to_limits {
            match solution.rules.value_by_history(solution.start, watch) {
                Ok(value) => solution.start_by_history = value,
                Err(Interrupted) => return Err(solution.tables),
            }
        }
        Ok(solution)
    }

    /// Turns the solution back into a checkpoint, from which it can be rebuilt at once.
    #[must_use]
    pub fn into_checkpoint(self) -> Checkpoint<K> {
        Checkpoint {
            start: self.start,
            reduced: self.is_reduced(),
            tiered: self.rules.has_tiers(),
            parts: parts_of(&self.rules, self.tables),
        }
    }

    /// Number of bytes that the positions take.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let bytes = |table: &TierTable<_>| table.table.bytes_taken() + list_bytes(&table.values);
        self.tables.iter().map(bytes).sum()
    }

    /// Bytes left beside the positions within `memory_bytes_max`, but at least 8 MB.
    pub(crate) fn room_bytes(&self, memory_bytes_max: Option<u64>) -> u64 {
        const ROOM_MIN: u64 = 8 << 20;
        memory_bytes_max.map_or(u64::MAX, |max| max.saturating_sub(self.bytes()).max(ROOM_MIN))
    }

    /// Rules of the game.
    #[must_use]
    pub fn rules(&self) -> &Solvable<K> {
        &self.rules
    }

    /// Result of endless play by the rules of the game.
    #[must_use]
    pub fn endless(&self) -> Endless {
        self.rules.endless()
    }

    /// Number of plies without progress after which the rules end a game, if they have such a
    /// limit. Values ignore it.
    #[must_use]
    pub fn quiet_plies(&self) -> Option<Plies> {
        self.rules.quiet_plies()
    }

    /// Position from which all others are reached.
    #[must_use]
    pub fn start(&self) -> K {
        self.start
    }

    /// Value of the start.
    #[must_use]
    pub fn start_valued(&self) -> ExactValue {
        self.get(self.start).expect("the start is stored")
    }

    /// Value of the start by a search of all lines. `None` unless the value depends on the history
    /// ([`Endless::Undecided`]) and few lines lead to an end.
    #[must_use]
    pub fn start_by_history(&self) -> Option<Value> {
        self.start_by_history
    }

    /// Returns whether only canonical positions are stored.
    #[must_use]
    pub fn is_reduced(&self) -> bool {
        !self.reduction.is_none()
    }

    /// Reduction by symmetry that the positions are stored with.
    #[must_use]
    pub fn reduction(&self) -> &Reduction {
        &self.reduction
    }

    /// Number of stored positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.firsts[self.firsts.len() - 1]
    }

    /// Returns whether nothing is stored; a solved game stores at least its start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Counts of all reachable positions by value, symmetry not reduced.
    #[must_use]
    pub fn reachable(&self) -> Counts {
        self.reachable.counts()
    }

    /// Counts of the stored positions by value: the canonical ones if the solution is reduced, else
    /// all.
    #[must_use]
    pub fn stored(&self) -> Counts {
        self.stored.counts()
    }

    /// Counts of all reachable positions by remoteness and value, symmetry not reduced.
    #[must_use]
    pub fn remoteness_table(&self) -> &RemotenessTable {
        &self.reachable
    }

    /// Counts of the stored positions by remoteness and value.
    #[must_use]
    pub fn stored_remoteness_table(&self) -> &RemotenessTable {
        &self.stored
    }

    /// Number of positions that differ by more than a symmetry; `None` if the solution is not
    /// reduced.
    #[must_use]
    pub fn canonical_len(&self) -> Option<usize> {
        self.is_reduced().then(|| self.len())
    }

    /// Tables by ascending tier.
    #[must_use]
    pub fn tables(&self) -> &[TierTable<K>] {
        &self.tables
    }

    /// Number of the first position of each table, and at the end the number of all positions.
    #[must_use]
    pub fn firsts(&self) -> &[usize] {
        &self.firsts
    }

    /// Expander from stored keys to the stored keys of their children.
    #[must_use]
    pub fn expander(&self) -> Expander<'_, K> {
        Expander::new(&self.rules, &self.reduction)
    }

    /// Number of the position that is stored under a key in a tier; `None` if there is none.
    #[inline]
    #[must_use]
    pub fn index_in_tier(&self, tier: u32, key: K) -> Option<usize> {
        let n = match &self.tables[..] {
            // A single table holds the positions of every tier.
            [_] => 0,
            tables => tables.binary_search_by_key(&tier, |table| table.tier).ok()?,
        };
        Some(self.firsts[n] + self.tables[n].table.place(key)?)
    }

    /// Number of a position, or of its canonical image if the solution is reduced; `None` if it
    /// cannot be reached from the start.
    #[must_use]
    pub fn index_of(&self, state: K) -> Option<usize> {
        self.index_in_tier(self.rules.tier(state), self.expander().stored_key(state))
    }

    /// Value of a state; `None` if it cannot be reached from the start.
    #[must_use]
    pub fn get(&self, state: K) -> Option<ExactValue> {
        self.index_of(state).map(|index| self.valued(index))
    }

    /// Key and value of a position, by its number.
    ///
    /// # Panics
    ///
    /// When `index` is not less than [`Solution::len`].
    #[must_use]
    pub fn at(&self, index: usize) -> (K, ExactValue) {
        let (table, place) = self.table_of(index);
        (table.table.key(place), table.valued(place))
    }

    /// Value of a position, by its number.
    ///
    /// # Panics
    ///
    /// When `index` is not less than [`Solution::len`].
    #[inline]
    #[must_use]
    pub fn valued(&self, index: usize) -> ExactValue {
        let (table, place) = self.table_of(index);
        table.valued(place)
    }

    /// Table of a position, by its number, and the position's place there.
    #[inline]
    fn table_of(&self, index: usize) -> (&TierTable<K>, usize) {
        assert!(index < self.len(), "there are {} positions", self.len());
        let n = self.firsts.partition_point(|&first| first <= index) - 1;
        (&self.tables[n], index - self.firsts[n])
    }

    /// Iterates over the stored positions with their number, key and value.
    pub fn iter(&self) -> impl Iterator<Item = (usize, K, ExactValue)> + '_ {
        let all = self.tables.iter().flat_map(|table| {
            table.table.iter().enumerate().map(|(n, key)| (key, table.valued(n)))
        });
        all.enumerate().map(|(index, (key, valued))| (index, key, valued))
    }
}

/// Converts tables to the parts of a checkpoint.
pub(crate) fn parts_of<K: KeyCode>(rules: &Solvable<K>, tables: Vec<TierTable<K>>) -> Vec<Part<K>> {
    let tiered = rules.has_tiers();
    let mut parts = Vec::new();
    for TierTable { tier, table, values } in tables {
        match table.into_contents() {
            Contents::Keys(keys) => {
                let keys = Keys::Pieces(vec![keys]);
                parts.push(Part { tier, expanded: true, keys, values: tiered.then_some(values) });
            }
            Contents::Index(members, _) if !tiered => {
                let keys = Keys::Members(members);
                parts.push(Part { tier, expanded: true, keys, values: None });
            }
            Contents::Index(members, tiers) => {
                for numbers in tiers {
                    let tier = numbers
                        .first()
                        .map_or(0, |&first| rules.tier(K::of_number(u64::from(first))));
                    let place = |&number: &u32| members.place(u64::from(number));
                    let valued = |place: u32| values[place as usize];
                    let values = numbers.iter().filter_map(place).map(valued).collect();
                    let keys = Keys::Numbers(numbers);
                    parts.push(Part { tier, expanded: true, keys, values: Some(values) });
                }
            }
        }
    }
    parts
}

/// Counts the stored and the reachable positions.
fn count<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    tables: &[TierTable<K>],
    watch: &dyn Watch,
) -> Result<[RemotenessTable; 2], Interrupted> {
    const CHUNK: usize = 1 << 12;
    const ROUND: usize = 1 << 8;
    let counts: Shelf<[RemotenessTable; 2]> = Shelf::new();
    let merge = |mut a: [RemotenessTable; 2], b: [RemotenessTable; 2]| {
        a[0].merge(&b[0]);
        a[1].merge(&b[1]);
        a
    };
    for table in tables {
        let of_chunk = |chunk: usize| {
            let mut counted = counts.take(&Default::default);
            let expander = Expander::new(rules, reduction);
            let mut images = Vec::new();
            let places = piece(chunk, CHUNK, table.table.len());
            table.values[places.clone()].iter().for_each(|&valued| counted[0].add(valued, 1));
            if !reduction.is_none() {
                for (place, key) in places.clone().zip(table.table.iter_from(places.start)) {
                    expander.images_into(key, &mut images);
                    counted[1].add(table.valued(place), images.len() as u64);
                }
            }
            counts.put(counted);
        };
        let chunks = table.table.len().div_ceil(CHUNK);
        for round in (0..chunks).step_by(ROUND) {
            if watch.stop() {
                return Err(Interrupted);
            }
            parallel::each(ROUND.min(chunks - round), &|n| of_chunk(round + n));
        }
    }
    let [stored, reachable] = counts.into_all().into_iter().fold(Default::default(), merge);
    Ok(if reduction.is_none() { [stored.clone(), stored] } else { [stored, reachable] })
}
