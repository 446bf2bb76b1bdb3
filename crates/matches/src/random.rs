//! Matches between two random players.

use std::ops::Range;

use rayon::prelude::*;
use treegauge_core::{GamesDone, Player};

use super::Match;
use super::record::Side;
use super::summary::Tally;

/// Number of pairs that a thread plays between two polls of the watch.
const PAIRS: u32 = 512;

impl Match<'_> {
    /// Tests whether both players choose their moves at random and the games are not kept.
    pub(super) fn is_random(&self) -> bool {
        self.keep.is_none() && self.competitors.iter().all(|competitor| competitor.is_random())
    }

    /// Plays and counts the games of the plan that are in the shard. After a stop, some are
    /// missing.
    pub(super) fn random_games(&self) -> Tally {
        let pairs = self.plan.games.div_ceil(2);
        let parts: Vec<Tally> = (0..pairs.div_ceil(PAIRS))
            .into_par_iter()
            .map(|part| self.random_pairs(part * PAIRS..pairs.min((part + 1) * PAIRS)))
            .collect();
        let mut all = Tally::default();
        parts.into_iter().for_each(|part| all.append(part));
        all
    }

    /// Plays and counts the games of some pairs that are in the shard; none of them after a stop.
    pub(super) fn random_pairs(&self, pairs: Range<u32>) -> Tally {
        let mut tally = Tally::default();
        if self.counter.stop() {
            return tally;
        }
        let (begin, end) = (2 * pairs.start, self.plan.games.min(pairs.end.saturating_mul(2)));
        let numbers: Vec<u32> = (begin..end).filter(|&game| self.plan.shard.has(game)).collect();
        let stop = || self.counter.stop();
        let randomness = self.plan.randomness();
        let Some(found) = self.engine.random_games(self.start, &randomness, &numbers, &stop) else {
            return tally;
        };
        // A shard consists of whole pairs, so only the last one can lack a game.
        for pair in found.outcomes.chunks(2) {
            match *pair {
                [one, other] => tally.pairs.add(one, other),
                _ => pair.iter().for_each(|&one| tally.pairs.add_single(one, Player::First)),
            }
        }
        for (side, moves) in [Side::A, Side::B].into_iter().zip(found.moves) {
            tally.effort[side.index()].moves += moves;
        }
        tally.capped += found.capped;
        tally.add_hashes(found.plies, found.hashes);
        self.counter.over(GamesDone::alike(tally.games().into()));
        tally
    }
}
