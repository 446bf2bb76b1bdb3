//! Games whose every move leads to a higher tier: found from the lowest tier to the highest,
//! valued from the highest to the lowest.

use rayon::prelude::*;
use treegauge_core::{KeyCode, Keyed};

use crate::discover::Discovery;
use crate::memory::Memory;
use crate::shards::ShardedSet;
use crate::solver::{Break, Known, Looker};
use crate::{Expander, Phase, Reduction, Rules, SolveError, Table, TierTable, Value};

/// Finds all positions, tier by tier.
pub(crate) fn discover<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    known: &mut Known<G::Key>,
    memory: &Memory,
    looker: &mut Looker<'_>,
) -> Result<(), Break> {
    let done = known.len();
    looker.begin(Phase::Discover, done, done);
    let mut discovery = Discovery::new(rules, reduction);
    while let Some((tier, set)) = known.sets.pop_first() {
        let table = set.freeze(memory)?;
        let others = known.len() + table.len() as u64;
        let sets = &mut known.sets;
        let expanded =
            discovery.expand(table.keys(), Some(tier), sets, None, others, memory, looker);
        if let Err(reason) = expanded {
            // What was found of its children already will be found again.
            let mut set = ShardedSet::new();
            let unlimited = Memory::new(None);
            for &key in table.keys() {
                set.insert(key, &unlimited)?;
            }
            known.sets.insert(tier, set);
            return Err(reason);
        }
        known.tables.push(TierTable { tier, table, values: Vec::new(), remoteness: Vec::new() });
    }
    discovery.finish(memory);
    Ok(())
}

/// Positions between two looks at the watch.
const ROUND: usize = 1 << 18;

/// Positions that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// Values all positions, tier by tier from the highest.
pub(crate) fn value<G: Keyed>(
    rules: &Rules<G>,
    reduction: &Reduction,
    known: &mut Known<G::Key>,
    memory: &Memory,
    looker: &mut Looker<'_>,
) -> Result<(), Break> {
    let all = known.len();
    let valued = known.tables.iter().map(|table| table.values.len() as u64).sum();
    looker.begin(Phase::Value, valued, all);
    for n in (0..known.tables.len()).rev() {
        let (lower, higher) = known.tables.split_at_mut(n + 1);
        let target = &mut lower[n];
        if !target.values.is_empty() {
            continue;
        }
        let len = target.table.len();
        memory.take(3 * len as u64)?;
        let (mut values, mut remoteness) = (vec![Value::Draw; len], vec![0u16; len]);
        let rounds = target
            .table
            .keys()
            .chunks(ROUND)
            .zip(values.chunks_mut(ROUND))
            .zip(remoteness.chunks_mut(ROUND));
        for ((keys, values), remoteness) in rounds {
            looker.check()?;
            keys.par_chunks(PIECE)
                .zip(values.par_chunks_mut(PIECE))
                .zip(remoteness.par_chunks_mut(PIECE))
                .try_for_each_init(
                    || Valuer::new(rules, reduction, higher),
                    |valuer, ((keys, values), remoteness)| valuer.value(keys, values, remoteness),
                )?;
            looker.done(keys.len() as u64);
        }
        (target.values, target.remoteness) = (values, remoteness);
    }
    Ok(())
}

/// Positions whose children are looked up together.
///
/// A look-up waits for memory twice or three times. Many of them in a row, with the steps of all
/// before the next step of any, wait at once.
const BATCH: usize = 64;

/// A child on its way to its value.
#[derive(Clone, Copy)]
struct Kid<K> {
    key: K,
    /// Which of the higher tables has it.
    table: u32,
    same_turn: bool,
}

/// One thread's room.
struct Valuer<'a, G: Keyed> {
    expander: Expander<'a, G>,
    /// The tables of all higher tiers, with their values.
    higher: &'a [TierTable<G::Key>],
    kids: Vec<Kid<G::Key>>,
    /// Where each child's bucket begins and ends; then its place.
    places: Vec<(u32, u32)>,
    /// For each position the end of its children, or its value when it is finished.
    ends: Vec<Result<usize, Value>>,
}

impl<'a, G: Keyed> Valuer<'a, G> {
    fn new(rules: &'a Rules<G>, reduction: &'a Reduction, higher: &'a [TierTable<G::Key>]) -> Self {
        Valuer {
            expander: Expander::new(rules, reduction),
            higher,
            kids: Vec::new(),
            places: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn value(
        &mut self,
        keys: &[G::Key],
        values: &mut [Value],
        remoteness: &mut [u16],
    ) -> Result<(), SolveError> {
        let batches =
            keys.chunks(BATCH).zip(values.chunks_mut(BATCH)).zip(remoteness.chunks_mut(BATCH));
        for ((keys, values), remoteness) in batches {
            self.generate(keys);
            self.look_up();
            let mut begin = 0;
            for ((end, value), remoteness) in self.ends.iter().zip(values).zip(remoteness) {
                let end = match *end {
                    Err(finished) => {
                        *value = finished;
                        continue;
                    }
                    Ok(end) => end,
                };
                let children = self.kids[begin..end].iter().zip(&self.places[begin..end]);
                let best = children
                    .map(|(kid, &(place, _))| {
                        self.higher[kid.table as usize].valued(place as usize).seen(kid.same_turn)
                    })
                    .max_by_key(|child| child.preference())
                    .expect("an unfinished position has a move");
                *value = best.value;
                if best.value != Value::Draw {
                    *remoteness = best.remoteness.checked_add(1).ok_or(SolveError::TooRemote)?;
                }
                begin = end;
            }
        }
        Ok(())
    }

    /// The children of some positions.
    fn generate(&mut self, keys: &[G::Key]) {
        let Valuer { expander, higher, kids, ends, .. } = self;
        kids.clear();
        ends.clear();
        let mut table = 0;
        for &key in keys {
            let finished = expander.children(key, |child| {
                if higher.get(table).is_none_or(|found| found.tier != child.tier) {
                    table = higher
                        .binary_search_by_key(&child.tier, |found| found.tier)
                        .expect("all children were found");
                }
                kids.push(Kid { key: child.key, table: table as u32, same_turn: child.same_turn });
            });
            ends.push(finished.map_or(Ok(kids.len()), Err));
        }
    }

    /// The places of the children.
    fn look_up(&mut self) {
        let Valuer { higher, kids, places, .. } = self;
        places.clear();
        places
            .extend(kids.iter().map(|kid| higher[kid.table as usize].table.bucket(kid.key.mix())));
        for (kid, place) in kids.iter().zip(places) {
            let table: &Table<G::Key> = &higher[kid.table as usize].table;
            place.0 = table.place_in(*place, kid.key).expect("all children were found");
        }
    }
}
