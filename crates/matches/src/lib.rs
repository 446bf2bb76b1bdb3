//! Matches between two players of one game.
//!
//! Games come in pairs: both games of a pair begin with the same random opening, and the players
//! swap sides. What an opening gives to one side then goes to both players, so pairs, not games,
//! are independent. The seed and a game's number decide all randomness in it, so the result does
//! not depend on the number of threads, nor on which machine played which pair.

mod game;
mod keeping;
mod play;
mod random;
mod record;
mod report;
mod summary;
mod tournament;
mod verdict;

use std::ops::Range;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use treegauge_core::{Clock, GameCounter, GamesDone};
use treegauge_engine::{AgentError, Competitor, Engine, Line, RandomGamesPlan};
use treegauge_search::Seed;
use treegauge_stats::Sprt;
use treegauge_store::{Keep, Shard};

pub use summary::{Both, ForfeitCount, MatchSummary, pairs_of};

pub use keeping::{OneMatch, TournamentRecord};
pub use play::{Fixture, FixtureGame, Matches};
pub use record::{Effort, ForfeitKind, MatchGame, MatchHeader, RecordedForfeit, Side};
pub use report::{MatchReport, TournamentReport};
use summary::{Tally, is_pair, unbroken};
pub use tournament::{
    Encounter, Standing, TournamentGame, TournamentHeader, TournamentSummary, encounter_seed,
    encounters,
};
pub use verdict::{MISFIT, MatchVerdict, PlayerOrder, TournamentVerdict};

/// What to play.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlan {
    /// Games; game 2k and game 2k + 1 are a pair. Of an odd number the last one has no partner.
    pub games: u32,
    /// Uniformly random plies at the beginning of each game. Where such an opening would end the
    /// game another one is tried, and after [`OPENING_TRIALS`](treegauge_engine::OPENING_TRIALS) of
    /// them one that is a ply shorter than the longest of these.
    pub opening_plies: u32,
    /// The random seed.
    pub seed: u64,
    /// The part of the pairs that is played here.
    pub shard: Shard,
}

/// Games that are played before a test looks at them: whole pairs, enough for many threads.
const TOGETHER: u32 = 128;

impl MatchPlan {
    /// The number of games in the shard.
    fn planned(&self) -> u32 {
        (0..self.games).filter(|&game| self.shard.has(game)).count() as u32
    }

    /// The sources of randomness of the games.
    fn randomness(&self) -> RandomGamesPlan {
        let child = |n| Seed(self.seed).child(n);
        RandomGamesPlan {
            opening_plies: self.opening_plies,
            openings: child(stream::OPENINGS),
            games: child(stream::GAMES),
        }
    }
}

/// Streams of the seed, so that each part of a match has its own randomness.
mod stream {
    pub(super) const OPENINGS: u64 = 0;
    pub(super) const GAMES: u64 = 1;
    pub(super) const ENCOUNTERS: u64 = 2;
}

/// A match, as it is played.
#[derive(Clone, Copy)]
pub(crate) struct Match<'a> {
    /// The game.
    pub(crate) engine: &'a dyn Engine,
    /// Where openings begin.
    pub(crate) start: &'a Line,
    /// The players: a, from whose point of view the score is reported, and b.
    pub(crate) competitors: [&'a dyn Competitor; 2],
    /// How much.
    pub(crate) plan: &'a MatchPlan,
    /// What measures how long moves take.
    pub(crate) clock: &'a dyn Clock,
    /// Where games go, those between two random players too; with `None` the latter are played many
    /// times faster, with the same results, and are not put in words.
    pub(crate) keep: Option<&'a dyn Keep<MatchGame>>,
    /// Counts the games.
    pub(crate) counter: &'a GameCounter<'a>,
}

impl Match<'_> {
    /// Plays the games of the plan, those that are `known` excepted, and sums them up.
    ///
    /// With a test it ends as soon as the test decides. Games are played in parallel on rayon's
    /// current thread pool, and looked at in the order of their numbers, so that the result does
    /// not depend on the number of threads: games that were played beyond the end are left out.
    /// When the watch says stop, those that are over by then are summed up.
    ///
    /// # Errors
    ///
    /// When an agent cannot answer, which says nothing about which player is better.
    ///
    /// # Panics
    ///
    /// With a test, when the plan is a part of the pairs only: a part cannot know when to stop.
    pub(crate) fn play(
        &self,
        known: &[MatchGame],
        sprt: Option<Sprt>,
    ) -> Result<MatchSummary, AgentError> {
        let known = known.iter().map(|game| (game.game, game)).collect();
        let is_random = self.is_random();
        let Some(sprt) = sprt else {
            let tally = if is_random {
                self.random_games()
            } else {
                Tally::of(&self.games(0..self.plan.games, &known)?)
            };
            return Ok(tally.summary(self.plan.planned(), None));
        };
        assert_eq!(self.plan.shard, Shard::WHOLE, "a test looks at all pairs");
        let mut tally = Tally::default();
        for begin in (0..self.plan.games).step_by(TOGETHER as usize) {
            let end = self.plan.games.min(begin + TOGETHER);
            let pairs: Vec<Tally> = if is_random {
                (begin / 2..end.div_ceil(2)).map(|pair| self.random_pairs(pair..pair + 1)).collect()
            } else {
                let games = self.games(begin..end, &known)?;
                unbroken(&games, begin).chunk_by(is_pair).map(Tally::of).collect()
            };
            if tally.append_until(pairs, sprt) {
                let planned = tally.games();
                return Ok(tally.summary(planned, Some(sprt)));
            }
            // Stopped.
            if tally.games() < end {
                break;
            }
        }
        Ok(tally.summary(self.plan.games, Some(sprt)))
    }

    /// The games of a range that are in the shard, by number; some are missing when the watch said
    /// stop.
    fn games(
        &self,
        games: Range<u32>,
        known: &FxHashMap<u32, &MatchGame>,
    ) -> Result<Vec<MatchGame>, AgentError> {
        let games: Result<Vec<Option<MatchGame>>, AgentError> = games
            .into_par_iter()
            .filter(|&number| self.plan.shard.has(number))
            .map(|number| {
                if let Some(&known) = known.get(&number) {
                    return Ok(Some(known.clone()));
                }
                // Of the many games that may be left not even the opening is played then.
                if self.counter.stop() {
                    return Ok(None);
                }
                // Matches that are played at the same time stop as well.
                let game = self.game(number).inspect_err(|_| self.counter.fail())?;
                if let Some(game) = &game {
                    if let Some(keep) = self.keep {
                        keep.keep(game);
                    }
                    self.counter.over(GamesDone::alike(1));
                }
                Ok(game)
            })
            .collect();
        Ok(games?.into_iter().flatten().collect())
    }
}

#[cfg(test)]
mod tests;
