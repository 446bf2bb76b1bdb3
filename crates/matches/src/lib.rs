//! Matches between two players of one game.
//!
//! Games are played in pairs: both games of a pair begin with the same random opening, and the
//! players swap sides. So an advantage from the opening benefits both players, and the pairs, not
//! the games, are independent. The seed and a game's number determine all randomness in it. So the
//! result does not depend on the number of threads, nor on the machine that played a pair.

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
use treegauge_store::{PieceSink, Shard};

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
pub use verdict::{FIT_P_MIN, MatchVerdict, PlayerOrder, TournamentVerdict};

/// Settings of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlan {
    /// Number of games; games 2k and 2k + 1 are a pair. With an odd number, the last game has no
    /// partner.
    pub games: u32,
    /// Number of uniformly random plies at the beginning of each game. An opening that ends the
    /// game is replaced by another. After [`OPENING_TRIALS`](treegauge_engine::OPENING_TRIALS) such
    /// openings, one is tried that is a ply shorter than the longest of them.
    pub opening_plies: u32,
    /// Random seed.
    pub seed: u64,
    /// Part of the pairs to play here.
    pub shard: Shard,
}

/// Number of games played between two looks of a test: whole pairs, enough for many threads.
const TOGETHER: u32 = 128;

impl MatchPlan {
    /// Number of games in the shard.
    fn planned(&self) -> u32 {
        (0..self.games).filter(|&game| self.shard.has(game)).count() as u32
    }

    /// Returns the seeds of the openings and of the games.
    fn randomness(&self) -> RandomGamesPlan {
        let child = |n| Seed(self.seed).child(n);
        RandomGamesPlan {
            opening_plies: self.opening_plies,
            openings: child(stream::OPENINGS),
            games: child(stream::GAMES),
        }
    }
}

/// Streams of the seed: each part of a match has its own random numbers.
mod stream {
    pub(super) const OPENINGS: u64 = 0;
    pub(super) const GAMES: u64 = 1;
    pub(super) const ENCOUNTERS: u64 = 2;
}

/// Match in progress.
#[derive(Clone, Copy)]
pub(crate) struct Match<'a> {
    /// Game to play.
    pub(crate) engine: &'a dyn Engine,
    /// Position at which openings begin.
    pub(crate) start: &'a Line,
    /// Players a and b; the score is reported for a.
    pub(crate) competitors: [&'a dyn Competitor; 2],
    /// Number of games, openings, seed and shard.
    pub(crate) plan: &'a MatchPlan,
    /// Clock that measures the time of moves.
    pub(crate) clock: &'a dyn Clock,
    /// Destination of finished games. With `None`, games between two random players are played many
    /// times faster, with the same results, and their moves are not converted to text.
    pub(crate) keep: Option<&'a dyn PieceSink<MatchGame>>,
    /// Counter of finished games.
    pub(crate) counter: &'a GameCounter<'a>,
}

impl Match<'_> {
    /// Plays the games of the plan except those in `known`, and summarises all of them.
    ///
    /// With a test, the match ends as soon as the test decides. Games are played in parallel on
    /// rayon's current thread pool but enter the test in the order of their numbers, so the result
    /// does not depend on the number of threads. Games played beyond the end are discarded. If the
    /// watch says stop, the finished games are summarised.
    ///
    /// # Errors
    ///
    /// If an agent cannot answer; this says nothing about which player is better.
    ///
    /// # Panics
    ///
    /// If there is a test and the plan covers only some of the pairs: a shard alone cannot know
    /// when to stop.
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
            // The watch said stop.
            if tally.games() < end {
                break;
            }
        }
        Ok(tally.summary(self.plan.games, Some(sprt)))
    }

    /// Plays the games of a range that are in the shard, in the order of their numbers. After a
    /// stop, some are missing.
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
                // After a stop, do not even play the openings of the remaining games.
                if self.counter.stop() {
                    return Ok(None);
                }
                // An error also stops the matches that run at the same time.
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
