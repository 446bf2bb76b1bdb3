//! Margin with best play, in games that are decided by score.
//!
//! A value says who wins; in a game that is decided by score there is also a largest margin that a
//! player can force. One more pass over the positions of a solution, from the last tier to the
//! first, finds it. The game must have tiers, since endless play has no margin.

use std::collections::BTreeMap;
use std::ops::Range;

use treegauge_core::{KeyCode, Phase, Player, Progress, Watch};

use crate::error::Halt;
use crate::find::Finder;
use crate::memory::Memory;
use crate::parallel::{self, Shelf, piece};
use crate::rules::{Bounds, Expander, Links, Solvable};
use crate::solution::Solution;
use crate::table::Table;
use crate::value::ExactValue;

/// Positions between two calls of the watch; few in tests, so that small games take several rounds.
const ROUND: usize = if cfg!(test) { 1 << 6 } else { 1 << 18 };

/// Positions that one thread takes at a time.
const PIECE: usize = if cfg!(test) { 1 << 4 } else { 1 << 12 };

/// Margin as it is stored in memory.
type Small = i16;

impl<K: KeyCode> Solution<K> {
    /// Computes the margin of the start for the player to move, when both players play for the
    /// largest margin. Its sign agrees with the value. Uses all threads of the current rayon pool.
    ///
    /// `None` for a game without margins or without tiers, if the margins do not fit into
    /// `memory_bytes_max` next to the solution, and if `watch` says stop.
    #[must_use]
    pub fn start_margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<i32> {
        if !self.rules().has_margins() || !self.rules().has_tiers() {
            return None;
        }
        let memory = Memory::new(memory_bytes_max);
        memory.take(self.margin_bytes()).ok()?;
        let bounds = Bounds::new(&memory, watch);
        let mut margins: Vec<Small> = vec![0; self.len()];
        let mut progress = Progress::new(Phase::Margin, 0, self.len() as u64);
        for level in self.levels().iter().rev() {
            for begin in (0..level.len()).step_by(ROUND) {
                if watch.stop() {
                    return None;
                }
                let round = begin..level.len().min(begin + ROUND);
                let keys: Vec<K> = round.clone().map(|n| self.at(level.index(n)).0).collect();
                let rooms = Shelf::new();
                let found = parallel::try_map(keys.len().div_ceil(PIECE), &|n| {
                    let mut room = rooms.take(&|| Room::new(self, &margins, bounds));
                    let found = room.margins(&keys[piece(n, PIECE, keys.len())]);
                    rooms.put(room);
                    found.ok_or(())
                })
                .ok()?;
                drop(rooms);
                for (n, margin) in round.zip(found.into_iter().flatten()) {
                    margins[level.index(n)] = margin;
                }
                progress.done += keys.len() as u64;
                watch.progress(progress);
            }
        }
        Some(margins[self.index_of(self.start())?].into())
    }

    /// Bytes of the solution with a margin for each position.
    fn margin_bytes(&self) -> u64 {
        let each = size_of::<ExactValue>() + size_of::<Small>();
        Table::<K>::bytes(self.len()) + (self.len() * each) as u64
    }

    /// Positions of each tier, by ascending tier.
    fn levels(&self) -> Vec<Level> {
        if self.tables().len() > 1 {
            return self.firsts().windows(2).map(|ends| Level::All(ends[0]..ends[1])).collect();
        }
        // A single table may hold the positions of every tier.
        let mut tiers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, key, _) in self.iter() {
            let tier = self.rules().tier(key);
            tiers.entry(tier).or_default().push(index as u32);
        }
        tiers.into_values().map(Level::Some).collect()
    }
}

/// Positions of a tier, by their numbers in the solution.
enum Level {
    All(Range<usize>),
    Some(Vec<u32>),
}

impl Level {
    fn len(&self) -> usize {
        match self {
            Level::All(range) => range.len(),
            Level::Some(indexes) => indexes.len(),
        }
    }

    fn index(&self, n: usize) -> usize {
        match self {
            Level::All(range) => range.start + n,
            Level::Some(indexes) => indexes[n] as usize,
        }
    }
}

/// Buffers of one thread.
struct Room<'a, K: KeyCode> {
    solution: &'a Solution<K>,
    /// Margins by position number; those of all higher tiers are known.
    known: &'a [Small],
    expander: Expander<'a, K>,
    links: Links<'a, K>,
    finder: Finder<'a, K>,
}

impl<'a, K: KeyCode> Room<'a, K> {
    fn new(solution: &'a Solution<K>, known: &'a [Small], bounds: Bounds<'a>) -> Self {
        Room {
            solution,
            known,
            expander: solution.expander(),
            links: Links::new(bounds),
            finder: Finder::new(solution.tables()),
        }
    }

    /// Computes the margins of some positions for the players to move; `None` if one is too large,
    /// memory does not suffice, or the watch says stop.
    fn margins(&mut self, keys: &[K]) -> Option<Vec<Small>> {
        let mut margins = Vec::with_capacity(keys.len());
        let Room { solution, known, expander, links, finder } = self;
        let found = expander.each_batch(keys, links, |places, links| {
            let found = finder.find(links.children()).expect("all children were found");
            for (range, &key) in links.ranges().zip(&keys[places]) {
                let Ok(range) = range else {
                    let margin = at_end(solution.rules(), key);
                    margins.push(margin.ok_or(NoMargin)?);
                    continue;
                };
                let children = links.children()[range.clone()].iter().zip(&found[range]);
                let seen = children.map(|(child, found)| {
                    let first = solution.firsts()[found.table as usize];
                    let margin = known[first + found.place as usize];
                    if child.same_turn { margin } else { -margin }
                });
                margins.push(seen.max().ok_or(NoMargin)?);
            }
            Ok::<(), NoMargin>(())
        });
        found.ok().map(|()| margins)
    }
}

/// Some margin could not be found.
struct NoMargin;

impl From<Halt> for NoMargin {
    fn from(_: Halt) -> Self {
        NoMargin
    }
}

/// Margin of a finished position for the player to move.
fn at_end<K: KeyCode>(rules: &Solvable<K>, key: K) -> Option<Small> {
    let of_first = Small::try_from(rules.margin(key)).ok()?;
    match rules.turn(key) {
        Player::First => Some(of_first),
        Player::Second => of_first.checked_neg(),
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;
    use treegauge_core::{Capabilities, Capability, Game, Outcome, Plies};
    use treegauge_games::one_to_ten::OneToTen;

    use super::*;
    use crate::tests::any_game::{StopAfter, both, cases, on, solved};
    use crate::value::Value;

    /// Margin for the first player by plain minimax.
    fn minimax<K: KeyCode>(rules: &Solvable<K>, state: K, known: &mut FxHashMap<K, i32>) -> i32 {
        if rules.outcome(state).is_some() {
            return rules.margin(state);
        }
        if let Some(&margin) = known.get(&state) {
            return margin;
        }
        let children = 0..rules.move_count(state);
        let after = children.map(|m| minimax(rules, rules.after(state, m), known));
        let best = match rules.turn(state) {
            Player::First => after.max(),
            Player::Second => after.min(),
        };
        known.insert(state, best.unwrap());
        best.unwrap()
    }

    /// Margin of a game for the first player, after checking that every way to solve it and minimax
    /// agree.
    fn checked<K: KeyCode>(rules: Solvable<K>) -> i32 {
        let start = rules.start();
        let of_first = minimax(&rules, start, &mut FxHashMap::default());
        for (rules, symmetry) in cases(&rules).filter(|(rules, _)| rules.has_tiers()) {
            let solution = solved(&rules, symmetry);
            let margin = solution.start_margin(None, &()).unwrap();
            let value = Value::of_outcome(Outcome::of_margin(margin), Player::First);
            assert_eq!(value, solution.start_valued().value);
            let sign = if rules.turn(start) == Player::First { 1 } else { -1 };
            assert_eq!(sign * margin, of_first);
        }
        of_first
    }

    #[test]
    fn margins_are_those_of_minimax() {
        for (game, margin) in [
            ("dots_and_boxes(rows=1,cols=1)", -1),
            ("dots_and_boxes(rows=1,cols=2)", 0),
            ("dots_and_boxes(rows=2,cols=2)", 2),
            ("dots_corridor(length=6)", 6),
            ("kalah(houses=1,seeds=3)", 6),
            ("kalah(houses=3,seeds=2)", 4),
            ("kalah(houses=2,seeds=4,empty_capture=true)", -12),
            ("othello(size=4)", -8),
        ] {
            assert_eq!(on!(game, checked), margin, "{game}");
        }
    }

    /// Counting to ten, where the winner wins by two.
    fn counting() -> Solvable<u64> {
        let capabilities = Capabilities::none().tiered().indexed();
        Solvable::of(
            OneToTen::new(10, 2, false, Plies(100)),
            Capabilities {
                margin: Some(|game, state| game.outcome(state).map_or(0, |won| 2 * won as i32)),
                ..capabilities
            },
        )
    }

    #[test]
    fn a_single_table_has_the_positions_of_every_tier() {
        let rules = counting();
        assert_eq!(solved(&rules, false).tables().len(), 1);
        assert_eq!(checked(rules), 2);
    }

    #[test]
    fn there_is_no_margin_without_tiers_memory_or_time() {
        let rules = counting();
        let solution = solved(&rules, false);
        assert_eq!(solution.start_margin(None, &StopAfter::new(0)), None);
        assert_eq!(solution.start_margin(Some(10), &()), None);
        for capability in [Capability::Graded, Capability::Tiered] {
            let solution = solved(&rules.clone().without(capability), false);
            assert_eq!(solution.start_margin(None, &()), None);
        }
        assert_eq!(both(&counting()), [false]);
    }
}
