//! Games between two random players.
//!
//! Only their results are needed, for as many games as possible. They are the games that two
//! players that pick their moves at random would play with the same seeds; the only difference is
//! that no player is asked and no move is written as text.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use treegauge_core::{Ended, Ending, Game, Outcome, Played};
use treegauge_search::{Generator, Seed, random_opening_into};

/// Games that are played at the same time, a ply of each in turn: while the processor waits for
/// what a ply of one needs, it works at the others.
const LANES: usize = 4;

/// Rounds between two questions whether to stop, where plies are short and where they may be long. A round is at most
/// a ply of every game in progress.
const ROUNDS: [u32; 2] = [256, 4];

/// Openings that are tried before a shorter one: an opening that ends the game is none.
pub const OPENING_TRIALS: u64 = 100;

/// How games come in pairs: the games 2k and 2k + 1 begin with the same random plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomGamesPlan {
    /// Uniformly random plies at the beginning of each game. Where such an opening would end the
    /// game another one is tried, and after [`OPENING_TRIALS`] of them one that is a ply shorter than
    /// the longest of these.
    pub opening_plies: u32,
    /// The seed of the openings: of the pair k the child k, of each trial a child of that.
    pub openings: Seed,
    /// The seed of what comes after the openings: of the game n the child n.
    pub games: Seed,
}

impl RandomGamesPlan {
    /// The generator of a trial of the opening of a pair.
    #[must_use]
    #[inline(always)]
    pub fn opening(&self, pair: u32, trial: u64) -> Generator {
        self.openings.child(u64::from(pair)).child(trial).generator()
    }

    /// The generator of a game after its opening.
    #[must_use]
    #[inline(always)]
    pub fn game(&self, number: u32) -> Generator {
        self.games.child(u64::from(number)).generator()
    }

    /// The trials of an opening, none of which is made yet.
    #[must_use]
    pub fn trials(&self) -> OpeningTrials {
        OpeningTrials { number: 0, plies: self.opening_plies, longest: 0 }
    }
}

/// The trials of an opening: how many there were, and how long the next one is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpeningTrials {
    /// The number of the next one, from 0.
    pub number: u64,
    /// Its plies.
    pub plies: u32,
    /// The most plies after which one of this length ended the game.
    longest: u32,
}

impl OpeningTrials {
    /// The next trial ended the game after some plies.
    pub fn ended(&mut self, plies: u32) {
        self.number += 1;
        self.longest = self.longest.max(plies);
        if self.number.is_multiple_of(OPENING_TRIALS) {
            // What no game came to is not tried again a ply shorter.
            self.plies = self.longest.min(self.plies).saturating_sub(1);
            self.longest = 0;
        }
    }
}

/// The results of some random games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RandomGames {
    /// The results, in the order in which the numbers of the games were given.
    pub outcomes: Vec<Outcome>,
    /// A hash of the moves of each game, in no particular order.
    pub hashes: Vec<u64>,
    /// The plies of all games, openings included.
    pub plies: u64,
    /// The moves after the openings: those of the player that moves first in games of even number,
    /// then those of the other.
    pub moves: [u64; 2],
    /// Games that the ply cap ended.
    pub capped: u64,
}

/// A hasher for the moves of a game. It has taken something before: a zero that comes first leaves
/// no trace in it.
#[must_use]
pub fn moves_hasher() -> FxHasher {
    let mut hasher = FxHasher::default();
    hasher.write_u64(1);
    hasher
}

impl RandomGames {
    /// Plays the games of these numbers, in ascending order.
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
        // A question keeps the compiler from holding games in registers, so it stands outside the loop that plays.
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

/// The games that were not begun yet, in order.
struct Waiting<'a, G: Game> {
    game: &'a G,
    start: &'a Played<G>,
    plan: &'a RandomGamesPlan,
    numbers: std::iter::Enumerate<std::slice::Iter<'a, u32>>,
    /// Of the pair of the last game: its number, the position after its opening, the hash of that
    /// and how long it was.
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

    /// The game after the opening of a pair.
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

/// A game of which the result will be known.
struct InProgress<G: Game> {
    number: u32,
    /// Where its result goes.
    place: usize,
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
    /// A finished position has no move to pick, so that most plies need not ask for its outcome.
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
    fn count(&self, found: &mut RandomGames) {
        let firsts = self.number as usize % 2;
        found.moves[firsts] += u64::from(self.moves[0]);
        found.moves[1 - firsts] += u64::from(self.moves[1]);
        found.plies += u64::from(self.opening + self.moves[0] + self.moves[1]);
        found.hashes.push(self.hasher.finish());
    }
}
