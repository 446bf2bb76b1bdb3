//! Games between two random players.
//!
//! Only the results are needed, for as many games as possible. The games are the same as those of
//! two players with random moves and the same seeds, but no player is called and no move is written
//! as text.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use treegauge_core::{Ended, Ending, Game, Outcome, Played};
use treegauge_search::{Generator, Seed, random_opening_into};

/// Games played at the same time, one ply of each in turn: while the processor waits for data of
/// one game, it works at the others.
const LANES: usize = 4;

/// Rounds between two calls of `stop`, for games with short plies and for games with long ones. A
/// round is at most one ply of every game in progress.
const ROUNDS: [u32; 2] = [256, 4];

/// Openings tried before a shorter one is tried. An opening that ends the game is not used.
pub const OPENING_TRIALS: u64 = 100;

/// Plan of games in pairs: the games 2k and 2k + 1 begin with the same random plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGamesPlan {
    /// Number of uniformly random plies at the beginning of each game. If such an opening ends the
    /// game, another one is tried. After [`OPENING_TRIALS`] trials the opening becomes one ply
    /// shorter than the longest of these.
    pub opening_plies: u32,
    /// Seed of the openings: pair k uses child k, and each trial a child of that.
    pub openings: Seed,
    /// Seed of the moves after the openings: game n uses child n.
    pub games: Seed,
}

impl RandomGamesPlan {
    /// Generator of a trial of the opening of a pair.
    #[must_use]
    #[inline(always)]
    pub fn opening(&self, pair: u32, trial: u64) -> Generator {
        self.openings.child(u64::from(pair)).child(trial).generator()
    }

    /// Generator of a game after its opening.
    #[must_use]
    #[inline(always)]
    pub fn game(&self, number: u32) -> Generator {
        self.games.child(u64::from(number)).generator()
    }

    /// Trials of an opening, before the first one.
    #[must_use]
    pub fn trials(&self) -> OpeningTrials {
        OpeningTrials { number: 0, plies: self.opening_plies, longest: 0 }
    }
}

/// Trials of an opening: the number made, and the length of the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningTrials {
    /// Number of the next trial, from 0.
    pub number: u64,
    /// Length of the next trial in plies.
    pub plies: u32,
    /// Most plies after which a trial of this length ended the game.
    longest: u32,
}

impl OpeningTrials {
    /// Records that a trial ended the game after `plies`.
    pub fn ended(&mut self, plies: u32) {
        self.number += 1;
        self.longest = self.longest.max(plies);
        if self.number.is_multiple_of(OPENING_TRIALS) {
            // Lengths that no game reached are skipped.
            self.plies = self.longest.min(self.plies).saturating_sub(1);
            self.longest = 0;
        }
    }
}

/// Results of random games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomGames {
    /// Results, in the order of the given game numbers.
    pub outcomes: Vec<Outcome>,
    /// Hash of the moves of each game, in no particular order.
    pub hashes: Vec<u64>,
    /// Number of plies of all games, including openings.
    pub plies: u64,
    /// Number of moves after the openings: those of the player that moves first in games of even
    /// number, then those of the other player.
    pub moves: [u64; 2],
    /// Number of games that the ply cap ended.
    pub capped: u64,
}

/// Creates a hasher for the moves of a game. It starts with a nonzero word, since a leading zero
/// would not change an empty hasher.
#[must_use]
pub fn moves_hasher() -> FxHasher {
    let mut hasher = FxHasher::default();
    hasher.write_u64(1);
    hasher
}

impl RandomGames {
    /// Plays the games with these numbers, in ascending order. `None` if `stop` returns true.
    pub(crate) fn play<G: Game>(
        game: &G,
        start: &Played<G>,
        plan: &RandomGamesPlan,
        numbers: &[u32],
        stop: &dyn Fn() -> bool,
    ) -> Option<RandomGames> {
        let mut found = RandomGames::default();
        let mut waiting = Waiting::new(game, start, plan, numbers);
        let mut outcomes = vec![Outcome::Draw; numbers.len()];
        let mut lanes: Vec<InProgress<G>> = waiting.by_ref().take(LANES).collect();
        // A call of `stop` would keep the compiler from holding games in registers, so it is
        // outside the inner loop.
        let rounds = ROUNDS[usize::from(game.has_long_plies())];
        while !lanes.is_empty() {
            if stop() {
                return None;
            }
            for _ in 0..rounds {
                let step = |(n, lane): (usize, &mut InProgress<G>)| Some((n, lane.step(game)?));
                let Some((n, ended)) = lanes.iter_mut().enumerate().find_map(step) else {
                    continue;
                };
                lanes[n].count(&mut found);
                found.capped += u64::from(ended.by == Ending::Capped);
                outcomes[lanes[n].place] = ended.outcome;
                match waiting.next() {
                    Some(next) => lanes[n] = next,
                    None => _ = lanes.swap_remove(n),
                }
            }
        }
        found.outcomes = outcomes;
        Some(found)
    }
}

/// Games that have not begun, in order.
struct Waiting<'a, G: Game> {
    game: &'a G,
    start: &'a Played<G>,
    plan: &'a RandomGamesPlan,
    numbers: std::iter::Enumerate<std::slice::Iter<'a, u32>>,
    /// Opening of the last pair: the pair's number, the position after it, its hash and its length.
    opened: Option<(u32, Played<G>, FxHasher, u32)>,
    moves: Vec<G::Move>,
}

impl<'a, G: Game> Waiting<'a, G> {
    fn new(
        game: &'a G,
        start: &'a Played<G>,
        plan: &'a RandomGamesPlan,
        numbers: &'a [u32],
    ) -> Self {
        let numbers = numbers.iter().enumerate();
        Waiting { game, start, plan, numbers, opened: None, moves: Vec::new() }
    }

    /// Plays the opening of a pair.
    fn open(&mut self, pair: u32) -> (u32, Played<G>, FxHasher, u32) {
        let mut played = self.start.clone();
        let mut trials = self.plan.trials();
        loop {
            let rng = &mut self.plan.opening(pair, trials.number);
            random_opening_into(self.game, &mut played, trials.plies, rng, &mut self.moves);
            if trials.plies == 0 || played.ended(self.game).is_none() {
                break;
            }
            trials.ended(self.moves.len() as u32);
            played.clone_from(self.start);
        }
        let mut hasher = moves_hasher();
        self.moves.iter().for_each(|m| m.hash(&mut hasher));
        (pair, played, hasher, self.moves.len() as u32)
    }
}

impl<G: Game> Iterator for Waiting<'_, G> {
    type Item = InProgress<G>;

    fn next(&mut self) -> Option<InProgress<G>> {
        let (place, &number) = self.numbers.next()?;
        let pair = number / 2;
        if self.opened.as_ref().is_none_or(|opened| opened.0 != pair) {
            self.opened = Some(self.open(pair));
        }
        let (_, played, hasher, opening) = self.opened.clone()?;
        let rng = self.plan.game(number);
        Some(InProgress { number, place, played, rng, hasher, opening, moves: [0; 2] })
    }
}

/// Game in progress.
struct InProgress<G: Game> {
    number: u32,
    /// Index of its result.
    place: usize,
    played: Played<G>,
    rng: Generator,
    /// Hasher of the moves, including those of the opening.
    hasher: FxHasher,
    /// Number of moves of the opening.
    opening: u32,
    /// Number of moves of each player after the opening.
    moves: [u32; 2],
}

impl<G: Game> InProgress<G> {
    /// Plays a ply; returns the end of the game if it is over instead.
    ///
    /// A finished position has no move to pick, so most plies need not compute its outcome.
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

    /// Adds the hash and the counts of a finished game.
    fn count(&self, found: &mut RandomGames) {
        let firsts = self.number as usize % 2;
        found.moves[firsts] += u64::from(self.moves[0]);
        found.moves[1 - firsts] += u64::from(self.moves[1]);
        found.plies += u64::from(self.opening + self.moves[0] + self.moves[1]);
        found.hashes.push(self.hasher.finish());
    }
}
