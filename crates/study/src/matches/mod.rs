//! Matches between two players of one game.
//!
//! Games come in pairs: both games of a pair begin with the same random opening, and the players
//! change sides. What an opening gives one side is then given to both players, so pairs, not
//! games, are what is independent. The seed and a game's number decide all chance in it, so the
//! result does not depend on the number of threads, nor on which machine played which pair.

mod chance;
mod game;
mod record;
mod summary;
mod tournament;

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use treegauge_core::{Game, Notation, Played};
use treegauge_search::{Generator, Seed, random_opening_into};

use crate::compare::Sprt;

pub use game::{Clock, Competitor, Limits};
pub use summary::{Both, FaultCount, MatchSummary, pairs_of};

pub use record::{Effort, Fault, FaultKind, MatchGame, MatchHeader, Side};
use summary::{Tally, is_pair, unbroken};
pub use tournament::{
    Encounter, Standing, TournamentGame, TournamentHeader, TournamentSummary, encounter_seed,
    encounters,
};

/// What to play.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchPlan {
    /// Games; game 2k and game 2k + 1 are a pair. Of an odd number the last one has no other.
    pub games: u32,
    /// Uniformly random plies at the beginning of each game. Where such an opening would end the
    /// game another one is drawn, and after [`OPENING_TRIALS`] of them one a ply shorter.
    pub opening_plies: u32,
    /// The seed of everything.
    pub seed: u64,
    /// The part of the pairs that is played here.
    pub shard: Shard,
}

/// A part of the pairs of a match: every `count`-th.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which part, from 0, less than `count`.
    pub index: u32,
    /// How many parts there are, at least 1.
    pub count: u32,
}

impl Shard {
    /// Everything.
    pub const WHOLE: Shard = Shard { index: 0, count: 1 };

    /// Whether a game is in the part.
    #[must_use]
    pub fn has(self, game: u32) -> bool {
        game / 2 % self.count == self.index
    }
}

/// Games that are played before a test looks at them: whole pairs, enough for many threads.
const TOGETHER: u32 = 128;

/// Openings that are drawn before a shorter one is.
pub const OPENING_TRIALS: u64 = 100;

impl MatchPlan {
    /// The number of games in the shard.
    fn wanted(&self) -> u32 {
        (0..self.games).filter(|&game| self.shard.has(game)).count() as u32
    }

    /// Where the chance of the games comes from.
    fn streams(&self) -> Streams {
        let child = |n| Seed(self.seed).child(n);
        Streams { openings: child(stream::OPENINGS), games: child(stream::GAMES) }
    }
}

/// Where the chance of the games of a match comes from.
#[derive(Clone, Copy)]
struct Streams {
    openings: Seed,
    games: Seed,
}

impl Streams {
    /// The chance in the opening of a pair, by what was tried before.
    fn opening(self, pair: u32, trial: u64) -> Generator {
        self.openings.child(u64::from(pair)).child(trial).generator()
    }

    /// The chance in a game after its opening.
    fn game(self, number: u32) -> Generator {
        self.games.child(u64::from(number)).generator()
    }
}

/// Streams of the seed, so that each part of a match has its own chance.
mod stream {
    pub(super) const OPENINGS: u64 = 0;
    pub(super) const GAMES: u64 = 1;
    pub(super) const ENCOUNTERS: u64 = 2;
}

/// How far a match is, and whether it should stop.
pub trait MatchProgress: Sync {
    /// One more game is over. Games that were known before are not announced.
    fn game_over(&self, game: &MatchGame);

    /// Whether [`MatchProgress::game_over`] wants to see games between two players who draw all
    /// their moves, too. If not, these are played many times faster, with the same results, and
    /// only announced by [`MatchProgress::games_over`].
    fn sees_chance(&self) -> bool {
        true
    }

    /// So many more games are over, none of which is seen.
    fn games_over(&self, games: u32) {
        let _ = games;
    }

    /// The flag that ends the match when it is set. Games in progress are then dropped.
    fn stop(&self) -> &AtomicBool;
}

/// The two players of a match: a, whose score is told, and b.
pub type Competitors<'a, G> = [&'a dyn Competitor<G>; 2];

/// A match, as it is played.
#[derive(Clone, Copy)]
pub struct Match<'a, G: Game> {
    /// The game.
    pub game: &'a G,
    /// Where openings begin.
    pub start: &'a Played<G>,
    /// Who plays.
    pub competitors: Competitors<'a, G>,
    /// How much.
    pub plan: &'a MatchPlan,
    /// What tells how long moves take.
    pub clock: &'a dyn Clock,
    /// Who looks on.
    pub progress: &'a dyn MatchProgress,
}

impl<G: Notation> Match<'_, G> {
    /// Plays the games of the plan, those that are `known` excepted, and sums them up.
    ///
    /// With a test it ends as soon as the test decides. Games are played in parallel on rayon's
    /// current thread pool, and looked at in the order of their numbers, so that the result does
    /// not depend on the number of threads: games that were played beyond the end are left out.
    /// When [`Match::progress`] says stop, those that are over by then are summed up.
    ///
    /// # Panics
    ///
    /// With a test, when the plan is a part of the pairs only: a part cannot tell when to stop.
    #[must_use]
    pub fn play(&self, known: &[MatchGame], sprt: Option<Sprt>) -> MatchSummary {
        let known = known.iter().map(|game| (game.game, game)).collect();
        let chance = self.is_chance();
        let Some(sprt) = sprt else {
            let tally = if chance {
                self.chance()
            } else {
                Tally::of(&self.games(0..self.plan.games, &known))
            };
            return tally.summary(self.plan.wanted(), None);
        };
        assert_eq!(self.plan.shard, Shard::WHOLE, "a test looks at all pairs");
        let mut tally = Tally::default();
        for begin in (0..self.plan.games).step_by(TOGETHER as usize) {
            let end = self.plan.games.min(begin + TOGETHER);
            let pairs: Vec<Tally> = if chance {
                (begin / 2..end.div_ceil(2)).map(|pair| self.chance_pairs(pair..pair + 1)).collect()
            } else {
                let games = self.games(begin..end, &known);
                unbroken(&games, begin).chunk_by(is_pair).map(Tally::of).collect()
            };
            if tally.append_until(pairs, sprt) {
                let wanted = tally.games();
                return tally.summary(wanted, Some(sprt));
            }
            // Stopped.
            if tally.games() < end {
                break;
            }
        }
        tally.summary(self.plan.games, Some(sprt))
    }

    /// The games of a range that are in the shard, by number; some are missing when
    /// [`Match::progress`] said stop.
    fn games(
        &self,
        games: std::ops::Range<u32>,
        known: &FxHashMap<u32, &MatchGame>,
    ) -> Vec<MatchGame> {
        games
            .into_par_iter()
            .filter(|&number| self.plan.shard.has(number))
            .filter_map(|number| {
                if let Some(&known) = known.get(&number) {
                    return Some(known.clone());
                }
                // Of the many games that may be left not even the opening is drawn then.
                if self.progress.stop().load(Ordering::Relaxed) {
                    return None;
                }
                let game = self.game(number)?;
                self.progress.game_over(&game);
                Some(game)
            })
            .collect()
    }
}

/// Replaces the contents of `moves` by those with which both games of a pair begin, by the chance
/// of each trial. `played` is where they begin, and afterwards where they lead.
fn opening<G: Game>(
    game: &G,
    played: &mut Played<G>,
    opening_plies: u32,
    mut chance: impl FnMut(u64) -> Generator,
    moves: &mut Vec<G::Move>,
) {
    let start = played.mark();
    for trial in 0.. {
        let shorter = u32::try_from(trial / OPENING_TRIALS).unwrap_or(u32::MAX);
        let plies = opening_plies.saturating_sub(shorter);
        random_opening_into(game, played, plies, &mut chance(trial), moves);
        if plies == 0 || played.ended(game).is_none() {
            return;
        }
        played.restore(&start);
    }
    unreachable!("an opening of no plies does not end the game")
}

#[cfg(test)]
mod tests;
