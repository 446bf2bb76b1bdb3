//! The margin with best play, in games that are decided by score.
//!
//! A value says who wins; where a game is decided by score there is also a largest margin that a
//! player can force. It is found by one more pass over the positions of a solution, from the last
//! tier to the first, so the game must have tiers: endless play has no margin.

use std::collections::BTreeMap;
use std::ops::Range;

use treegauge_core::{Keyed, OfState, Phase, Player, Progress, Watch};

use crate::error::Halt;
use crate::find::Finder;
use crate::memory::Memory;
use crate::parallel::{self, Shelf, piece};
use crate::rules::{Bounds, Expander, Links};
use crate::solution::Solution;
use crate::table::Table;
use crate::value::Valued;

/// Positions between two looks at the watch; few in tests, so that small games take rounds.
const ROUND: usize = if cfg!(test) { 1 << 6 } else { 1 << 18 };

/// Positions that a thread takes at a time.
const PIECE: usize = if cfg!(test) { 1 << 4 } else { 1 << 12 };

/// A margin in memory.
type Small = i16;

impl<G: Keyed> Solution<G> {
    /// The margin of the start for the player to move there, when both players play for the largest
    /// margin: its sign is the value. Uses all threads of the current rayon pool.
    ///
    /// `None` for a game without margins or without tiers, when the margins do not fit into
    /// `memory_bytes_max` next to the solution, and when `watch` says stop.
    #[must_use]
    pub fn start_margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<i32> {
        let margin = self.rules().capabilities().margin?;
        if !self.rules().has_tiers() {
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
                let keys: Vec<G::Key> = round.clone().map(|n| self.at(level.index(n)).0).collect();
                let rooms = Shelf::new();
                let found = parallel::try_map(keys.len().div_ceil(PIECE), &|n| {
                    let mut room = rooms.take(&|| Room::new(self, margin, &margins, bounds));
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
        Some(margins[self.index_of_state(self.start())?].into())
    }

    /// The bytes of the solution with a margin for each position.
    fn margin_bytes(&self) -> u64 {
        let each = size_of::<Valued>() + size_of::<Small>();
        Table::<G::Key>::bytes(self.len()) + (self.len() * each) as u64
    }

    /// The positions of each tier, by ascending tier.
    fn levels(&self) -> Vec<Level> {
        if self.tables().len() > 1 {
            return self.firsts().windows(2).map(|ends| Level::All(ends[0]..ends[1])).collect();
        }
        // A single table may have the positions of every tier.
        let mut tiers: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (index, key, _) in self.iter() {
            let tier = self.rules().tier(&self.rules().game().unkey(key));
            tiers.entry(tier).or_default().push(index as u32);
        }
        tiers.into_values().map(Level::Some).collect()
    }
}

/// The positions of a tier, by their numbers in the solution.
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

/// One thread's room.
struct Room<'a, G: Keyed> {
    solution: &'a Solution<G>,
    margin: OfState<G, i32>,
    /// Those of all higher tiers are known.
    known: &'a [Small],
    expander: Expander<'a, G>,
    links: Links<'a, G::Key>,
    finder: Finder<'a, G::Key>,
}

impl<'a, G: Keyed> Room<'a, G> {
    fn new(
        solution: &'a Solution<G>,
        margin: OfState<G, i32>,
        known: &'a [Small],
        bounds: Bounds<'a>,
    ) -> Self {
        Room {
            solution,
            margin,
            known,
            expander: solution.expander(),
            links: Links::new(bounds),
            finder: Finder::new(solution.tables()),
        }
    }

    /// The margins of some positions for the players to move there; `None` when one is too large, memory
    /// does not suffice, or the watch says stop.
    fn margins(&mut self, keys: &[G::Key]) -> Option<Vec<Small>> {
        let mut margins = Vec::with_capacity(keys.len());
        let Room { solution, margin, known, expander, links, finder } = self;
        let found = expander.each_batch(keys, links, |places, links| {
            let found = finder.find(links.children()).expect("all children were found");
            for (range, &key) in links.ranges().zip(&keys[places]) {
                let Ok(range) = range else {
                    let margin = at_end(solution.rules().game(), *margin, key);
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

/// There is a position whose margin is not known.
struct NoMargin;

impl From<Halt> for NoMargin {
    fn from(_: Halt) -> Self {
        NoMargin
    }
}

/// The margin of a finished position for the player to move.
fn at_end<G: Keyed>(game: &G, margin: OfState<G, i32>, key: G::Key) -> Option<Small> {
    let state = game.unkey(key);
    let of_first = Small::try_from(margin(game, &state)).ok()?;
    match game.turn(&state) {
        Player::First => Some(of_first),
        Player::Second => of_first.checked_neg(),
    }
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;
    use treegauge_core::{Capabilities, Game, KeyCode, Outcome, Plies};
    use treegauge_games::one_to_ten::OneToTen;

    use super::*;
    use crate::any_game::{both, cases, solved, visit};
    use crate::erased::{Erased, SolvableVisitor};
    use crate::rules::Solvable;
    use crate::value::Value;

    /// The margin for the first player by plain minimax.
    fn minimax<G: Keyed>(
        rules: &Solvable<G>,
        state: &G::State,
        known: &mut FxHashMap<G::Key, i32>,
    ) -> i32 {
        let game = rules.game();
        if game.outcome(state).is_some() {
            return (rules.capabilities().margin.unwrap())(game, state);
        }
        if let Some(&margin) = known.get(&game.key(state)) {
            return margin;
        }
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        let after = moves.into_iter().map(|m| {
            let mut child = state.clone();
            game.play(&mut child, m);
            minimax(rules, &child, known)
        });
        let best = match game.turn(state) {
            Player::First => after.max(),
            Player::Second => after.min(),
        };
        known.insert(game.key(state), best.unwrap());
        best.unwrap()
    }

    /// The margin of a game for the first player, the same by every way to solve it and by minimax.
    fn checked<G: Keyed>(rules: &Solvable<G>) -> i32 {
        let start = rules.game().start();
        let of_first = minimax(rules, &start, &mut FxHashMap::default());
        for (rules, symmetry) in cases(rules).filter(|(rules, _)| rules.has_tiers()) {
            let solution = solved(&rules, symmetry);
            let margin = solution.start_margin(None, &()).unwrap();
            let value = Value::of_outcome(Outcome::of_margin(margin), Player::First);
            assert_eq!(value, solution.start_valued().value);
            let sign = if rules.game().turn(&start) == Player::First { 1 } else { -1 };
            assert_eq!(sign * margin, of_first);
        }
        of_first
    }

    struct Margin;

    impl SolvableVisitor for Margin {
        type Output = i32;

        fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> i32 {
            checked(&rules)
        }
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
            assert_eq!(visit(game, Margin), margin, "{game}");
        }
    }

    /// Counting to ten, who wins winning by two.
    fn counting() -> Solvable<OneToTen> {
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
        assert_eq!(checked(&rules), 2);
    }

    #[test]
    fn there_is_no_margin_without_tiers_memory_or_time() {
        struct Stop;
        impl Watch for Stop {
            fn stop(&self) -> bool {
                true
            }
        }
        let rules = counting();
        let solution = solved(&rules, false);
        assert_eq!(solution.start_margin(None, &Stop), None);
        assert_eq!(solution.start_margin(Some(10), &()), None);
        let none = Capabilities { margin: None, ..*rules.capabilities() };
        assert_eq!(
            solved(&rules.clone().with_capabilities(none), false).start_margin(None, &()),
            None
        );
        let cyclic = Capabilities { tier: None, ..*rules.capabilities() };
        assert_eq!(solved(&rules.with_capabilities(cyclic), false).start_margin(None, &()), None);
        assert_eq!(both(&counting()), [false]);
    }
}
