//! What the games of a match show.

use std::hash::{Hash, Hasher};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Player};
use treegauge_engine::moves_hasher;
use treegauge_stats::{Comparison, Pairs, Sprt, SprtReport, SprtVerdict};

use super::record::{Effort, ForfeitKind, MatchGame, RecordedForfeit, Side};

/// A number for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Both<T> {
    /// That of a.
    pub a: T,
    /// That of b.
    pub b: T,
}

/// How often a player forfeited in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForfeitCount {
    /// The player.
    pub side: Side,
    /// The way.
    pub kind: ForfeitKind,
    /// Games that it ended.
    pub games: u64,
    /// The detail of the first of them.
    pub first_detail: String,
}

/// The result of a match.
///
/// Serialised, it is the body of a [`MatchReport`](super::MatchReport).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// Whether planned games are missing.
    pub incomplete: bool,
    /// How many are.
    pub missing: u64,
    /// Which player is better, and by how much.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// The counts from which it comes.
    #[serde(rename = "outcomes")]
    pub pairs: Pairs,
    /// How many games were different sequences of moves, counted by hashes of 64 bits: among a
    /// million games the probability that two of them are taken for one is below one in ten million.
    pub distinct_games: u64,
    /// The mean length of a game in plies, the opening included; `None` without games.
    pub plies: Option<f64>,
    /// What the searches of a took, and those of b.
    pub effort: [Effort; 2],
    /// The mean depth in plies of the searches that report one.
    pub depth: Both<Option<f64>>,
    /// The mean number of nodes per move.
    pub nodes: Both<Option<f64>>,
    /// The mean milliseconds per move, of a player whose budget is time.
    pub time_ms: Both<Option<f64>>,
    /// Games that the ply cap ended.
    pub capped: u64,
    /// Games that each player forfeited.
    #[serde(rename = "faults")]
    pub forfeits: Both<u64>,
    /// The forfeits by player and kind.
    #[serde(rename = "fault_kinds")]
    pub forfeit_kinds: Vec<ForfeitCount>,
    /// What the sequential test says, if there is one.
    pub sprt: Option<SprtReport>,
}

/// Whether two games have the same opening.
pub(super) fn is_pair(one: &MatchGame, other: &MatchGame) -> bool {
    one.game / 2 == other.game / 2
}

/// The games from the number `begin` on, in order, up to the first that is missing.
pub(super) fn unbroken(games: &[MatchGame], begin: u32) -> &[MatchGame] {
    let there = games.iter().zip(begin..).take_while(|(game, number)| game.game == *number).count();
    &games[..there]
}

/// The pairs of some games in the order of their numbers; a game whose partner is not among them
/// counts alone.
#[must_use]
pub fn pairs_of(games: &[MatchGame]) -> Pairs {
    let mut pairs = Pairs::default();
    for pair in games.chunk_by(is_pair) {
        match pair {
            [one, other] => pairs.add(one.outcome, other.outcome),
            alone => alone.iter().for_each(|game| {
                let a = if game.first == Side::A { Player::First } else { Player::Second };
                pairs.add_single(game.outcome, a);
            }),
        }
    }
    pairs
}

impl MatchSummary {
    /// Sums up games in the order of their numbers, of which `planned` were to be played. With a
    /// test, games after the pair with which it decides are left out and count as not planned; so
    /// do those after the first game that is missing, since the test looks at pairs in their order.
    #[must_use]
    pub fn of(games: &[MatchGame], planned: u32, sprt: Option<Sprt>) -> Self {
        let Some(sprt) = sprt else { return Tally::of(games).summary(planned, None) };
        let mut tally = Tally::default();
        let pairs = unbroken(games, 0).chunk_by(is_pair).map(Tally::of);
        let planned = if tally.append_until(pairs, sprt) { tally.games() } else { planned };
        tally.summary(planned, Some(sprt))
    }
}

/// The counts of some games of a match. Those of later games are appended.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) pairs: Pairs,
    /// Of all games together.
    plies: u64,
    /// A hash of the moves of each game, by what was appended.
    hashes: Vec<Vec<u64>>,
    pub(super) effort: [Effort; 2],
    /// Games that the ply cap ended.
    pub(super) capped: u64,
    forfeit_kinds: Vec<ForfeitCount>,
}

impl Tally {
    /// Counts games in the order of their numbers.
    pub(super) fn of(games: &[MatchGame]) -> Self {
        let mut tally = Tally { pairs: pairs_of(games), ..Tally::default() };
        for game in games {
            let mut hasher = moves_hasher();
            let moves = game.opening.iter().chain(&game.moves);
            let plies = moves.inspect(|m| m.hash(&mut hasher)).count() as u64;
            tally.add_hashes(plies, vec![hasher.finish()]);
            tally.capped += u64::from(game.by == Some(Ending::Capped));
            for (sum, effort) in tally.effort.iter_mut().zip(game.effort) {
                *sum = sum.and(effort);
            }
            if let Some(RecordedForfeit { side, kind, detail }) = game.forfeit.clone() {
                tally.count(ForfeitCount { side, kind, games: 1, first_detail: detail });
            }
        }
        tally
    }

    /// Counts the moves of games: the plies of all of them, and a hash of the moves of each.
    pub(super) fn add_hashes(&mut self, plies: u64, hashes: Vec<u64>) {
        self.plies += plies;
        match self.hashes.last_mut() {
            Some(known) => known.extend(hashes),
            None => self.hashes.push(hashes),
        }
    }

    fn count(&mut self, forfeit: ForfeitCount) {
        let same =
            |known: &&mut ForfeitCount| (known.side, known.kind) == (forfeit.side, forfeit.kind);
        match self.forfeit_kinds.iter_mut().find(same) {
            Some(known) => known.games += forfeit.games,
            None => self.forfeit_kinds.push(forfeit),
        }
    }

    /// How many games were counted.
    pub(super) fn games(&self) -> u32 {
        self.hashes.iter().map(Vec::len).sum::<usize>() as u32
    }

    /// Counts later games, too.
    pub(super) fn append(&mut self, later: Tally) {
        self.pairs += later.pairs;
        self.plies += later.plies;
        self.capped += later.capped;
        self.hashes.extend(later.hashes);
        for (sum, effort) in self.effort.iter_mut().zip(later.effort) {
            *sum = sum.and(effort);
        }
        later.forfeit_kinds.into_iter().for_each(|forfeit| self.count(forfeit));
    }

    /// Counts later pairs until the test decides; whether it did.
    pub(super) fn append_until(
        &mut self,
        pairs: impl IntoIterator<Item = Tally>,
        sprt: Sprt,
    ) -> bool {
        pairs.into_iter().any(|pair| {
            self.append(pair);
            sprt.test(self.pairs.pentanomial()).verdict != SprtVerdict::Continue
        })
    }

    /// The summary of the games, of which `planned` were to be played.
    pub(super) fn summary(self, planned: u32, sprt: Option<Sprt>) -> MatchSummary {
        let games = self.games();
        let missing = u64::from(planned.saturating_sub(games));
        let effort = self.effort;
        let both = |of: fn(&Effort) -> Option<f64>| Both { a: of(&effort[0]), b: of(&effort[1]) };
        let forfeits_of = |side: Side| {
            let own = self.forfeit_kinds.iter().filter(|forfeit| forfeit.side == side);
            own.map(|forfeit| forfeit.games).sum()
        };
        MatchSummary {
            incomplete: missing > 0,
            missing,
            comparison: self.pairs.comparison(),
            pairs: self.pairs,
            distinct_games: distinct(&self.hashes),
            plies: mean_of(self.plies, u64::from(games)),
            effort,
            depth: both(Effort::depth),
            nodes: both(Effort::nodes_a_move),
            time_ms: both(Effort::time_ms_a_move),
            capped: self.capped,
            forfeits: Both { a: forfeits_of(Side::A), b: forfeits_of(Side::B) },
            forfeit_kinds: self.forfeit_kinds,
            sprt: sprt.map(|sprt| sprt.test(self.pairs.pentanomial())),
        }
    }
}

/// How many different numbers there are. They are put into buckets by their first bits, so that each
/// is soon sorted.
fn distinct(numbers: &[Vec<u64>]) -> u64 {
    let all = || numbers.iter().flatten().copied();
    let len: usize = numbers.iter().map(Vec::len).sum();
    // Some hundred numbers per bucket, and few enough buckets that several share a page.
    let shift = u64::BITS - (usize::BITS - (len / 256).leading_zeros()).clamp(1, 12);
    let bucket = |number: u64| (number >> shift) as usize;
    let mut ends = vec![0; 1 << (u64::BITS - shift)];
    all().for_each(|number| ends[bucket(number)] += 1);
    let mut end = 0;
    for size in &mut ends {
        // Where the bucket begins; it moves to the end as the bucket is filled.
        end += std::mem::replace(size, end);
    }
    let mut sorted = vec![0; len];
    for number in all() {
        let place: &mut usize = &mut ends[bucket(number)];
        sorted[*place] = number;
        *place += 1;
    }
    let buckets: Vec<&mut [u64]> =
        sorted.chunk_by_mut(|&one, &other| bucket(one) == bucket(other)).collect();
    let count = |numbers: &mut [u64]| {
        numbers.sort_unstable();
        numbers.chunk_by(u64::eq).count() as u64
    };
    buckets.into_par_iter().map(count).sum()
}

impl Effort {
    /// The mean depth in plies of the searches that report one; `None` without any.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        mean_of(self.depth_sum, self.searches)
    }

    /// The mean milliseconds per move; `None` where the budget is not time.
    #[must_use]
    pub fn time_ms_a_move(&self) -> Option<f64> {
        mean_of(self.time_us, self.moves).filter(|&time| time > 0.0).map(|time| time / 1e3)
    }

    /// The mean number of nodes per move; `None` without moves.
    #[must_use]
    pub fn nodes_a_move(&self) -> Option<f64> {
        mean_of(self.nodes, self.moves)
    }
}

fn mean_of(sum: u64, n: u64) -> Option<f64> {
    (n > 0).then(|| sum as f64 / n as f64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn distinct_numbers_are_counted(
            mut numbers in prop::collection::vec(prop_oneof![0..20u64, any::<u64>()], 0..300),
            again in 0..100usize,
        ) {
            numbers.extend_from_within(..again.min(numbers.len()));
            let known: HashSet<u64> = numbers.iter().copied().collect();
            let parts: Vec<Vec<u64>> = numbers.chunks(7).map(<[u64]>::to_vec).collect();
            prop_assert_eq!(distinct(&parts), known.len() as u64);
        }
    }
}
