//! Matches as they are played, several at once.

use std::sync::Arc;

use rayon::prelude::*;
use treegauge_core::{Clock, GameCounter, GamesDone, Watch};
use treegauge_engine::{AgentError, Competitor, Engine, Line};
use treegauge_stats::Sprt;
use treegauge_store::Keep;

use super::record::MatchGame;
use super::summary::MatchSummary;
use super::{Match, MatchPlan};

/// Two competitors, by their places in a list, and what they play.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// The players: a and b.
    pub players: [u32; 2],
    /// How much.
    pub plan: MatchPlan,
}

/// Matches between some competitors in one game.
pub struct Matches<'a> {
    /// The game.
    pub engine: &'a dyn Engine,
    /// Where openings begin: a line of the engine that has not ended.
    pub start: &'a Line,
    /// The players.
    pub competitors: &'a [&'a dyn Competitor],
    /// Which players meet.
    pub pairings: &'a [Fixture],
    /// The test that ends each match.
    pub sprt: Option<Sprt>,
    /// Measures how long moves take.
    pub clock: &'a Arc<dyn Clock>,
    /// Whether games between two random players are kept too. If not, these are played many times
    /// faster, with the same results.
    pub keeps_random: bool,
}

/// A game with the place of its pairing.
pub type FixtureGame = (usize, MatchGame);

impl Matches<'_> {
    /// Plays the games of all matches, those that are known excepted, and sums each match up.
    /// `known` has a list for each pairing, and `keep` gets each game as it ends, with the place of
    /// its pairing.
    ///
    /// Everything is played on rayon's current thread pool, and no result depends on the number of
    /// its threads. When `watch` says stop, the games that are over by then are summed up.
    ///
    /// # Errors
    ///
    /// When an agent cannot answer; games that are over by then went to `keep`.
    pub fn play(
        &self,
        known: &[Vec<MatchGame>],
        keep: &dyn Keep<FixtureGame>,
        watch: &dyn Watch,
    ) -> Result<Vec<MatchSummary>, AgentError> {
        let planned = |plan: &MatchPlan, game: &MatchGame| {
            game.game < plan.games && plan.shard.has(game.game)
        };
        let total = self.pairings.iter().map(|pairing| u64::from(pairing.plan.planned())).sum();
        let done = self.pairings.iter().zip(known).map(|(pairing, known)| {
            known.iter().filter(|game| planned(&pairing.plan, game)).count() as u64
        });
        let counter =
            GameCounter::new(watch, GamesDone::alike(done.sum()), GamesDone::alike(total));
        self.pairings
            .par_iter()
            .zip(known)
            .enumerate()
            .map(|(place, (pairing, known))| {
                let keep = KeepOfPairing { place, keep };
                let competitors = pairing.players.map(|player| self.competitors[player as usize]);
                let is_random = competitors.iter().all(|competitor| competitor.is_random());
                let played = Match {
                    engine: self.engine,
                    start: self.start,
                    competitors,
                    plan: &pairing.plan,
                    clock: self.clock.as_ref(),
                    keep: if is_random && !self.keeps_random { None } else { Some(&keep) },
                    counter: &counter,
                };
                played.play(known, self.sprt)
            })
            .collect()
    }
}

/// Where the games of one pairing go.
struct KeepOfPairing<'a> {
    place: usize,
    keep: &'a dyn Keep<FixtureGame>,
}

impl Keep<MatchGame> for KeepOfPairing<'_> {
    fn keep(&self, game: &MatchGame) {
        self.keep.keep(&(self.place, game.clone()));
    }
}
