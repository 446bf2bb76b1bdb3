//! Games between two players who draw all their moves.
//!
//! Only their results are wanted, of as many games as can be had. They are the same games as any
//! others would be with the same numbers: nobody is asked, nothing is put in words, and that is
//! all.

use std::hash::Hash;
use std::ops::Range;
use std::sync::atomic::Ordering;

use rayon::prelude::*;
use rustc_hash::FxHasher;
use treegauge_core::{Ended, Ending, Game, Played, Player};
use treegauge_search::Generator;

use super::record::Side;
use super::summary::{Tally, moves_hasher};
use super::{Match, Streams, opening};

/// Pairs that a thread plays before it looks whether to stop.
const PAIRS: u32 = 512;

/// Games that a thread plays at the same time, a ply of each in turn: while the processor waits for
/// what a ply of one needs, it works at the others.
const LANES: usize = 4;

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
        let (begin, end) = (2 * pairs.start, self.plan.games.min(pairs.end.saturating_mul(2)));
        let mut waiting = Waiting::new(self, begin..end);
        let mut outcomes = vec![None; (end - begin) as usize];
        let mut lanes: Vec<InProgress<G>> = waiting.by_ref().take(LANES).collect();
        while !lanes.is_empty() {
            let step = |(n, lane): (usize, &mut InProgress<G>)| Some((n, lane.step(self.game)?));
            let Some((n, ended)) = lanes.iter_mut().enumerate().find_map(step) else { continue };
            lanes[n].count(&mut tally);
            tally.capped += u64::from(ended.by == Ending::Capped);
            outcomes[(lanes[n].number - begin) as usize] = Some(ended.outcome);
            match waiting.next() {
                Some(next) => lanes[n] = next,
                None => _ = lanes.swap_remove(n),
            }
        }
        for pair in outcomes.chunks(2) {
            match *pair {
                [Some(one), Some(other)] => tally.pairs.add(one, other),
                [Some(one)] => tally.pairs.add_single(one, Player::First),
                // It is in another shard.
                _ => (),
            }
        }
        self.progress.games_over(tally.games());
        tally
    }
}

/// The games of a range, in the shard, that were not begun yet, in order.
struct Waiting<'a, G: Game> {
    of: &'a Match<'a, G>,
    streams: Streams,
    games: Range<u32>,
    /// Of the pair of the last game: the position after its opening, the hash of that and how long
    /// it was.
    opened: (Played<G>, FxHasher, u32),
    moves: Vec<G::Move>,
}

impl<'a, G: Game> Waiting<'a, G> {
    /// The first game of the range has its partner in it.
    fn new(of: &'a Match<'a, G>, games: Range<u32>) -> Self {
        let (streams, moves) = (of.plan.streams(), Vec::new());
        Waiting { of, streams, games, opened: (of.start.clone(), moves_hasher(), 0), moves }
    }
}

impl<G: Game> Iterator for Waiting<'_, G> {
    type Item = InProgress<G>;

    fn next(&mut self) -> Option<InProgress<G>> {
        let Waiting { of, streams, .. } = *self;
        let number = self.games.by_ref().find(|&game| of.plan.shard.has(game))?;
        if number % 2 == 0 {
            let mut played = of.start.clone();
            let chance = |trial| streams.opening(number / 2, trial);
            opening(of.game, &mut played, of.plan.opening_plies, chance, &mut self.moves);
            let mut hasher = moves_hasher();
            self.moves.iter().for_each(|m| m.hash(&mut hasher));
            self.opened = (played, hasher, self.moves.len() as u32);
        }
        let (played, hasher, opening) = self.opened.clone();
        Some(InProgress {
            number,
            played,
            rng: streams.game(number),
            hasher,
            opening,
            moves: [0; 2],
        })
    }
}

/// A game of which the result will be known.
struct InProgress<G: Game> {
    number: u32,
    played: Played<G>,
    rng: Generator,
    /// Takes the moves, those of the opening too.
    hasher: FxHasher,
    /// Moves of the opening.
    opening: u32,
    /// Moves of either player after the opening.
    moves: [u32; 2],
}

impl<G: Game> InProgress<G> {
    /// Plays a ply; if the game is over instead, how it ended.
    ///
    /// A finished position has no move to draw, so that most plies need not ask for its outcome.
    #[inline]
    fn step(&mut self, game: &G) -> Option<Ended> {
        let state = self.played.state();
        let Some(m) = game.random_move(state, &mut self.rng) else {
            let outcome = game.outcome(state).expect("only a finished position has no move");
            return Some(Ended { by: Ending::Outcome, outcome });
        };
        if let Some(ended) = self.played.ended_by_history(game) {
            return Some(ended);
        }
        self.moves[game.turn(state).index()] += 1;
        m.hash(&mut self.hasher);
        self.played.play(game, m);
        None
    }

    /// Counts what is not its result.
    fn count(&self, tally: &mut Tally) {
        let first = Side::of_first(self.number);
        let [firsts, seconds] = self.moves.map(u64::from);
        tally.effort[first.index()].moves += firsts;
        tally.effort[first.other().index()].moves += seconds;
        tally.add_moves(u64::from(self.opening) + firsts + seconds, &self.hasher);
    }
}
