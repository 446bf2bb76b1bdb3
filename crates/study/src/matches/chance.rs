//! Games between two players who draw all their moves.
//!
//! Only their results are wanted, of as many games as can be had. They are the same games as any
//! others would be with the same numbers: nobody is asked, nothing is put in words, and that is
//! all.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rustc_hash::FxHasher;
use treegauge_core::{Game, Outcome, Played, Player};
use treegauge_search::Generator;

use super::record::Side;
use super::summary::{Tally, moves_hasher};
use super::{Match, opening};

/// Pairs that a thread plays before it looks whether to stop.
const PAIRS: u32 = 512;

impl<G: Game> Match<'_, G> {
    /// Whether the games can be played here: both players draw their moves, and nobody looks on.
    pub(super) fn is_chance(&self) -> bool {
        self.competitors.iter().all(|competitor| competitor.is_chance())
            && !self.progress.sees_chance()
    }

    /// Counts the games of the plan that are in the shard; some are missing when
    /// [`Match::progress`](super::MatchProgress) said stop.
    pub(super) fn chance(&self) -> Tally {
        let pairs = self.plan.games.div_ceil(2);
        let parts: Vec<Tally> = (0..pairs.div_ceil(PAIRS))
            .into_par_iter()
            .map(|part| self.chance_pairs(part * PAIRS..pairs.min((part + 1) * PAIRS)))
            .collect();
        let mut all = Tally::default();
        parts.into_iter().for_each(|part| all.append(part));
        all
    }

    /// Counts the games of some pairs that are in the shard; none when it is time to stop.
    pub(super) fn chance_pairs(&self, pairs: Range<u32>) -> Tally {
        let mut tally = Tally::default();
        if self.progress.stop().load(Ordering::Relaxed) {
            return tally;
        }
        for pair in pairs.filter(|&pair| self.plan.shard.has(2 * pair)) {
            self.chance_pair(pair, &mut tally);
        }
        self.progress.games_over(tally.games());
        tally
    }

    /// The games of a pair are played at the same time, since the processor works at one while it
    /// waits for the other.
    fn chance_pair(&self, pair: u32, tally: &mut Tally) {
        let (game, plan) = (self.game, self.plan);
        let mut played = self.start.clone();
        let moves = opening(game, &mut played, plan, pair);
        let mut hasher = moves_hasher();
        moves.iter().for_each(|m| m.hash(&mut hasher));
        let begin = |number| InProgress {
            played: played.clone(),
            rng: plan.chance_of(number),
            hasher: hasher.clone(),
            moves: [0; 2],
            outcome: None,
        };
        let mut games = [begin(2 * pair), begin(2 * pair + 1)];
        let [one, other] = &mut games;
        while one.step(game) | other.step(game) {}
        let outcomes = games.each_ref().map(|game| game.outcome.expect("it is over"));
        let there = (plan.games - 2 * pair).min(2);
        match there {
            1 => tally.pairs.add_single(outcomes[0], Player::First),
            _ => tally.pairs.add(outcomes[0], outcomes[1]),
        }
        for (number, game) in (2 * pair..).zip(&games[..there as usize]) {
            let first = Side::of_first(number);
            let [firsts, seconds] = game.moves;
            tally.effort[first.index()].moves += firsts;
            tally.effort[first.other().index()].moves += seconds;
            tally.plies += moves.len() as u64 + firsts + seconds;
            tally.hashes.push(game.hasher.finish());
        }
    }
}

/// A game of which the result will be known.
struct InProgress<G: Game> {
    played: Played<G>,
    rng: Generator,
    /// Takes the moves, those of the opening too.
    hasher: FxHasher,
    /// Moves of either player after the opening.
    moves: [u64; 2],
    outcome: Option<Outcome>,
}

impl<G: Game> InProgress<G> {
    /// Plays a ply; `false` when the game is over.
    ///
    /// A finished position has no move to draw, so that most plies need not ask for its outcome.
    #[inline]
    fn step(&mut self, game: &G) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        let state = self.played.state();
        let Some(m) = game.random_move(state, &mut self.rng) else {
            self.outcome = game.outcome(state);
            return false;
        };
        if let Some(ended) = self.played.ended_by_history(game) {
            self.outcome = Some(ended.outcome);
            return false;
        }
        self.moves[game.turn(state).index()] += 1;
        m.hash(&mut self.hasher);
        self.played.play(game, m);
        true
    }
}
