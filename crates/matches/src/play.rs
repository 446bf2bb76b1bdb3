//! Plays several matches at once.

use std::sync::Arc;

use rayon::prelude::*;
use treegauge_core::{Clock, GameCounter, GamesDone, Watch};
use treegauge_engine::{AgentError, Competitor, Engine, Line};
use treegauge_stats::Sprt;
use treegauge_store::PieceSink;

use super::record::MatchGame;
use super::summary::MatchSummary;
use super::{Match, MatchPlan};

/// Pairing of two competitors, with the settings of their match.
#[derive(Clone, Debug, PartialEq)]
pub struct Fixture {
    /// Players a and b, as indices into the list of competitors.
    pub players: [u32; 2],
    /// Settings of the match.
    pub plan: MatchPlan,
}

/// Matches between competitors in one game.
pub struct Matches<'a> {
    /// Game to play.
    pub engine: &'a dyn Engine,
    /// Position at which openings begin: a line of the engine that has not ended.
    pub start: &'a Line,
    /// Competitors that the pairings refer to.
    pub competitors: &'a [&'a dyn Competitor],
    /// Pairings to play.
    pub pairings: &'a [Fixture],
    /// Sequential test that ends each match; `None` to play all games.
    pub sprt: Option<Sprt>,
    /// Clock that measures the time of moves.
    pub clock: &'a Arc<dyn Clock>,
    /// Whether to keep the games between two random players too. If not, they are played many times
    /// faster, with the same results.
    pub keeps_random: bool,
}

/// Game with the index of its pairing.
pub type FixtureGame = (usize, MatchGame);

impl Matches<'_> {
    /// Plays the games of all matches except the known ones, and summarises each match. `known`
    /// holds one list per pairing. `keep` receives each game when it ends, with the index of its
    /// pairing.
    ///
    /// Games are played on rayon's current thread pool, and the results do not depend on the number
    /// of threads. If `watch` says stop, the finished games are summarised.
    ///
    /// # Errors
    ///
    /// If an agent cannot answer; `keep` has already received the games that ended before.
    pub fn play(
        &self,
        known: &[Vec<MatchGame>],
        keep: &dyn PieceSink<FixtureGame>,
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

/// Destination of the games of one pairing.
struct KeepOfPairing<'a> {
    place: usize,
    keep: &'a dyn PieceSink<FixtureGame>,
}

impl PieceSink<MatchGame> for KeepOfPairing<'_> {
    fn keep(&self, game: &MatchGame) {
        self.keep.keep(&(self.place, game.clone()));
    }
}
