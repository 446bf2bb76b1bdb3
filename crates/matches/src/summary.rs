//! Summary of the games of a match.

use std::hash::{Hash, Hasher};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Player};
use treegauge_engine::moves_hasher;
use treegauge_stats::{Comparison, Pairs, Sprt, SprtReport, SprtVerdict};

use super::record::{Effort, ForfeitKind, MatchGame, RecordedForfeit, Side};

/// Value for each of the two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Both<T> {
    /// Value for player a.
    pub a: T,
    /// Value for player b.
    pub b: T,
}

/// Number of games that one player forfeited in one way.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForfeitCount {
    /// Player that forfeited.
    pub side: Side,
    /// Kind of violation.
    pub kind: ForfeitKind,
    /// Number of games that it ended.
    pub games: u64,
    /// Details of the first of these games.
    pub first_detail: String,
}

/// Result of a match.
///
/// Serialised, it is the body of a [`MatchReport`](super::MatchReport).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSummary {
    /// Whether planned games are missing.
    pub incomplete: bool,
    /// Number of missing games.
    pub missing: u64,
    /// Comparison of the players: score, Elo difference and their intervals.
    #[serde(flatten)]
    pub comparison: Comparison,
    /// Counts of pairs and single games behind the comparison.
    #[serde(rename = "outcomes")]
    pub pairs: Pairs,
    /// Number of different move sequences, counted by 64-bit hashes. Among a million games, the
    /// probability that two different ones have the same hash is below one in ten million.
    pub distinct_games: u64,
    /// Mean length of a game in plies, the opening included; `None` without games.
    pub plies: Option<f64>,
    /// Effort of a and of b.
    pub effort: [Effort; 2],
    /// Mean depth in plies of the searches that report one.
    pub depth: Both<Option<f64>>,
    /// Mean number of nodes per move.
    pub nodes: Both<Option<f64>>,
    /// Mean time per move in milliseconds; `None` unless the player's budget is time.
    pub time_ms: Both<Option<f64>>,
    /// Number of games ended by the ply cap.
    pub capped: u64,
    /// Number of games that each player forfeited.
    #[serde(rename = "faults")]
    pub forfeits: Both<u64>,
    /// Number of forfeits by player and kind.
    #[serde(rename = "fault_kinds")]
    pub forfeit_kinds: Vec<ForfeitCount>,
    /// Result of the sequential test; `None` without a test.
    pub sprt: Option<SprtReport>,
}

/// Tests whether two games belong to the same pair.
pub(super) fn is_pair(one: &MatchGame, other: &MatchGame) -> bool {
    one.game / 2 == other.game / 2
}

/// Returns the games with consecutive numbers from `begin` on, up to the first missing one.
pub(super) fn unbroken(games: &[MatchGame], begin: u32) -> &[MatchGame] {
    let there = games.iter().zip(begin..).take_while(|(game, number)| game.game == *number).count();
    &games[..there]
}

/// Counts the pairs of games, which must be in the order of their numbers. A game without its
/// partner counts as a single game.
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
    /// Summarises games in the order of their numbers; `planned` is the number of games that were
    /// to be played.
    ///
    /// With a test, only the games up to the pair with which the test decides count, and later ones
    /// are treated as not planned. Games after the first missing one do not count either, because
    /// the test looks at pairs in order.
    #[must_use]
    pub fn of(games: &[MatchGame], planned: u32, sprt: Option<Sprt>) -> Self {
        let Some(sprt) = sprt else { return Tally::of(games).summary(planned, None) };
        let mut tally = Tally::default();
        let pairs = unbroken(games, 0).chunk_by(is_pair).map(Tally::of);
        let planned = if tally.append_until(pairs, sprt) { tally.games() } else { planned };
        tally.summary(planned, Some(sprt))
    }
}

/// Counts of some games of a match, to which those of later games can be appended.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) pairs: Pairs,
    /// Total number of plies.
    plies: u64,
    /// Hash of the moves of each game, one list per appended part.
    hashes: Vec<Vec<u64>>,
    pub(super) effort: [Effort; 2],
    /// Number of games ended by the ply cap.
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

    /// Adds games by their total number of plies and one hash of the moves for each.
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

    /// Number of games counted.
    pub(super) fn games(&self) -> u32 {
        self.hashes.iter().map(Vec::len).sum::<usize>() as u32
    }

    /// Adds the counts of later games.
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

    /// Adds later pairs until the test decides; returns whether it did.
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

    /// Creates the summary; `planned` is the number of games that were to be played.
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

/// Counts the different numbers. Sorts them into buckets by their leading bits first, so that each
/// bucket is small and quickly sorted.
fn distinct(numbers: &[Vec<u64>]) -> u64 {
    let all = || numbers.iter().flatten().copied();
    let len: usize = numbers.iter().map(Vec::len).sum();
    // About 256 numbers per bucket, and at most 4096 buckets, so that several share a page.
    let shift = u64::BITS - (usize::BITS - (len / 256).leading_zeros()).clamp(1, 12);
    let bucket = |number: u64| (number >> shift) as usize;
    let mut ends = vec![0; 1 << (u64::BITS - shift)];
    all().for_each(|number| ends[bucket(number)] += 1);
    let mut end = 0;
    for size in &mut ends {
        // Start of the bucket; advances to its end while the bucket is filled.
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
    /// Mean depth in plies of the searches that report one; `None` if no search did.
    #[must_use]
    pub fn depth(&self) -> Option<f64> {
        mean_of(self.depth_sum, self.searches)
    }

    /// Mean time per move in milliseconds; `None` unless the budget is time.
    #[must_use]
    pub fn time_ms_a_move(&self) -> Option<f64> {
        mean_of(self.time_us, self.moves).filter(|&time| time > 0.0).map(|time| time / 1e3)
    }

    /// Mean number of nodes per move; `None` without moves.
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
