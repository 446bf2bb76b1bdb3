//! Ways of hops behind moves that differ only on the way.

use std::collections::BTreeMap;

use super::{Code, Moment, PASS};
use crate::layout::Part;
use crate::state::{BoardWord, State};
use crate::tree::{Mover, Verb};

/// Ways to hop from one site to others.
struct Ways<'a, W> {
    mover: &'a Mover<W>,
    from: u32,
    /// Sites where a legal move ends.
    ends: W,
    found: u64,
    /// Number of hops that may still be tried.
    left: &'a mut u64,
}

impl<W: BoardWord> Code<W> {
    /// Numbers of ways to hop and of hops that they are, for chains of hops that only their ends
    /// tell apart. A hop that is a later part of moves counts once for each way to play the parts
    /// before it. A way hops over no site twice. `None` if there are more than `left` hops, which it
    /// lowers by those that it has tried.
    pub(crate) fn hop_ways(
        &self,
        state: &State<W>,
        legal: impl Iterator<Item = u64>,
        left: &mut u64,
    ) -> Option<[u64; 2]> {
        // The parts before a hop, the index of its mover, its origin, and where it ends.
        let mut ends: BTreeMap<(Vec<Part>, usize, usize), W> = BTreeMap::new();
        for code in legal.filter(|&code| code != PASS) {
            let mut before = Vec::new();
            for at in 0..self.layout.parts.len() {
                let Some(part) = self.layout.decode(code, at) else { break };
                if self.movers[part.mover].is_reach() {
                    let key = (before.clone(), part.mover, part.from);
                    ends.entry(key).or_insert(W::ZERO).set(part.to as u32);
                }
                before.push(part);
            }
        }
        let start = Moment::before(state, state.rest.turn);
        let mut counts = [0, 0];
        for ((before, mover, from), ends) in ends {
            let mut now = start;
            before.iter().enumerate().for_each(|(at, part)| self.part(&mut now, at, part));
            let (mover, from) = (&self.movers[mover], from as u32);
            let mut ways = Ways { mover, from, ends, found: 0, left };
            self.hop_on(&now, from, W::ZERO, &mut ways)?;
            counts[0] += ways.found;
            counts[1] += u64::from(ends.count());
        }
        Some(counts)
    }

    /// Counts the ways that go on from a site.
    fn hop_on(&self, now: &Moment<W>, at: u32, hopped: W, ways: &mut Ways<'_, W>) -> Option<()> {
        let Verb::Hop { dirs, over, .. } = &ways.mover.verb else { return Some(()) };
        let mut then = *now;
        then.from = W::bit(ways.from);
        if at != ways.from {
            self.travel(&mut then, ways.from, at);
        }
        let (over, to) = (self.set(&then, over), self.set(&then, &ways.mover.to));
        for &d in &dirs[now.mover.index()] {
            let Some(land) = self.land(over, at, d).filter(|&land| to.has(land)) else { continue };
            let mid = u32::from(self.next[d as usize][at as usize]);
            if hopped.has(mid) {
                continue;
            }
            *ways.left = ways.left.checked_sub(1)?;
            ways.found += u64::from(ways.ends.has(land));
            self.hop_on(now, land, hopped | W::bit(mid), ways)?;
        }
        Some(())
    }
}
