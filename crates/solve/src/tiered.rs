//! Solver for games whose every move leads to a higher tier. Positions are found from the lowest
//! tier to the highest, and valued from the highest to the lowest.

use treegauge_core::KeyCode;

use crate::discover::{Discovery, Into};
use crate::error::Break;
use crate::find::Finder;
use crate::known::Known;
use crate::memory::Memory;
use crate::parallel::{self, Items, Shelf};
use crate::plies::Plies;
use crate::progress::ProgressMeter;
use crate::rules::{Bounds, Expander, Links, Reduction, Solvable};
use crate::solution::TierTable;
use crate::value::{ExactValue, before};
use treegauge_core::Phase;

/// Finds all positions, tier by tier.
pub(crate) fn discover<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known<K>,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Break> {
    let done = known.len();
    meter.begin(Phase::Discover, done, done);
    known.tables.iter().try_for_each(|table| meter.level(table.table.len() as u64))?;
    let mut discovery = Discovery::new(rules, reduction, memory, meter)?;
    let mut others = done;
    let mut plies = Plies::new();
    while let Some((tier, set)) = known.sets.pop_first() {
        let table = set.freeze(memory)?;
        others += table.len() as u64;
        let mut into = Into { sets: &mut known.sets, fresh: None, others };
        let expanded = discovery.expand(table.kept_keys(), Some(tier), &mut into, memory, meter);
        if let Err(reason) = expanded {
            // The children found so far will be found again.
            known.open = Some((tier, table));
            return Err(reason);
        }
        plies.expanded(tier, known.sets.keys().copied(), discovery.ended())?;
        meter.level(table.len() as u64)?;
        known.tables.push(TierTable { tier, table, values: Vec::new() });
    }
    Ok(())
}

/// Positions between two calls of the watch.
const ROUND: usize = 1 << 18;

/// Positions that one thread takes at a time.
const PIECE: usize = 1 << 12;

/// Values all positions, tier by tier from the highest.
pub(crate) fn value<K: KeyCode>(
    rules: &Solvable<K>,
    reduction: &Reduction,
    known: &mut Known<K>,
    memory: &Memory,
    meter: &mut ProgressMeter<'_>,
) -> Result<(), Break> {
    let all = known.len();
    let valued = known.tables.iter().map(|table| table.values.len() as u64).sum();
    meter.begin(Phase::Value, valued, all);
    // Taken for all positions at once: if they do not fit, the exact number of missing bytes is
    // known, and no time is spent on some of them.
    memory.take((all - valued) * size_of::<ExactValue>() as u64)?;
    for n in (0..known.tables.len()).rev() {
        let (lower, higher) = known.tables.split_at_mut(n + 1);
        let target = &mut lower[n];
        if !target.values.is_empty() {
            continue;
        }
        let len = target.table.len();
        let mut values = vec![ExactValue::DRAW; len];
        let bounds = meter.bounds();
        for (keys, values) in target.table.kept_keys().chunks(ROUND).zip(values.chunks_mut(ROUND)) {
            meter.check()?;
            let pieces = Items::of(keys.chunks(PIECE).zip(values.chunks_mut(PIECE)));
            let valuers = Shelf::new();
            parallel::try_each(pieces.len(), &|n| {
                let (keys, values) = pieces.take(n);
                let mut valuer = valuers.take(&|| Valuer::new(rules, reduction, higher, bounds));
                let valued = valuer.value(keys, values);
                valuers.put(valuer);
                valued
            })?;
            meter.done(keys.len() as u64);
        }
        target.values = values;
    }
    Ok(())
}

/// Buffers of one thread.
struct Valuer<'a, K: KeyCode> {
    expander: Expander<'a, K>,
    /// Tables of all higher tiers, with their values.
    higher: &'a [TierTable<K>],
    links: Links<'a, K>,
    finder: Finder<'a, K>,
}

impl<'a, K: KeyCode> Valuer<'a, K> {
    fn new(
        rules: &'a Solvable<K>,
        reduction: &'a Reduction,
        higher: &'a [TierTable<K>],
        bounds: Bounds<'a>,
    ) -> Self {
        Valuer {
            expander: Expander::new(rules, reduction),
            higher,
            links: Links::new(bounds),
            finder: Finder::new(higher),
        }
    }

    fn value(&mut self, keys: &[K], values: &mut [ExactValue]) -> Result<(), Break> {
        let Valuer { expander, higher, links, finder } = self;
        expander.each_batch(keys, links, |places, links| {
            let found = finder.find(links.children())?;
            for (range, valued) in links.ranges().zip(&mut values[places]) {
                let range = match range {
                    Err(value) => {
                        *valued = ExactValue { value, remoteness: 0 };
                        continue;
                    }
                    Ok(range) => range,
                };
                let children = links.children()[range.clone()].iter().zip(&found[range]);
                let preferences = children.map(|(child, found)| {
                    let table = &higher[found.table as usize];
                    table.valued(found.place as usize).seen_preference(child.same_turn)
                });
                *valued = before(preferences)?;
            }
            Ok(())
        })
    }
}
