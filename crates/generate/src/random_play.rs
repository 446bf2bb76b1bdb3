//! Gate of random play.

use serde::{Deserialize, Serialize};
use treegauge_core::{Ending, Watch};
use treegauge_engine::Engine;
use treegauge_search::Seed;
use treegauge_stats::Z;

use super::gate::{Fall, Gate, Rejection};
use super::limits::{
    DRAWS_MAX, FORCED_MAX, PLIES_MIN, SIDE_MAX, STOPPED_MAX, Share, Within, within,
};
use super::plan::Budgets;

/// Upper limit of first moves.
const FIRST_MOVES_MAX: u32 = 3_000;

/// Counts over random games of a candidate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomPlay {
    /// Number of legal first moves.
    pub first_moves: u32,
    /// Number of games.
    pub games: u64,
    /// Total number of plies.
    pub plies: u64,
    /// Sum of the squared lengths.
    pub plies_squared: u64,
    /// Number of games won by the second player, drawn, and won by the first player.
    pub results: [u64; 3],
    /// Number of games ended by the cap, by repetition or by lack of progress.
    pub stopped: u64,
    /// Number of plies with only one legal move.
    pub forced: u64,
    /// Total number of legal moves over all plies.
    pub moves: u64,
}

impl RandomPlay {
    /// Mean length in plies.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// Mean number of legal moves per ply.
    #[must_use]
    pub fn branching(&self) -> f64 {
        self.moves as f64 / self.plies.max(1) as f64
    }

    /// Variance of the mean length.
    fn length_variance(&self) -> f64 {
        let n = self.games.max(1) as f64;
        (self.plies_squared as f64 / n - self.length().powi(2)).max(0.0) / n
    }

    fn shares(&self) -> [Share; 5] {
        let games = |reason, count, limit| Share { reason, count, of: self.games, limit };
        let [second, draws, first] = self.results;
        [
            games(Rejection::Stopped, self.stopped, STOPPED_MAX),
            games(Rejection::Drawn, draws, DRAWS_MAX),
            games(Rejection::OneSided, first, SIDE_MAX),
            games(Rejection::OneSided, second, SIDE_MAX),
            Share {
                reason: Rejection::Forced,
                count: self.forced,
                of: self.plies,
                limit: FORCED_MAX,
            },
        ]
    }

    /// Compares the games with the limits; `all` if no further games will follow.
    fn within(&self, all: bool) -> Within {
        let reach = Z * self.length_variance().sqrt();
        if self.length() + reach < PLIES_MIN || (all && self.length() < PLIES_MIN) {
            return Within::No(Rejection::Short);
        }
        match within(&self.shares(), all) {
            Within::Yes if !all && self.length() - reach < PLIES_MIN => Within::Open,
            answer => answer,
        }
    }

    /// Tests whether two sets of games may come from the same game: the numbers of first moves are
    /// equal, and the mean lengths and the share of each result differ by at most three standard
    /// errors.
    #[must_use]
    pub fn is_like(&self, other: &RandomPlay) -> bool {
        let near = |a: f64, b: f64, variance: f64| (a - b).powi(2) <= 9.0 * variance + 1e-9;
        let n = [self.games.max(1) as f64, other.games.max(1) as f64];
        let alike = |result: usize| {
            let counts = [self.results[result] as f64, other.results[result] as f64];
            let p = (counts[0] + counts[1]) / (n[0] + n[1]);
            near(counts[0] / n[0], counts[1] / n[1], p * (1.0 - p) * (1.0 / n[0] + 1.0 / n[1]))
        };
        self.first_moves == other.first_moves
            && near(self.length(), other.length(), self.length_variance() + other.length_variance())
            && (0..3).all(alike)
    }

    /// Plays random games until the limits are clear or the budget is spent; returns the counts
    /// and, if the candidate fell, the reason. `None` if `watch` says stop.
    pub(super) fn of(
        engine: &dyn Engine,
        budgets: &Budgets,
        seed: Seed,
        watch: &dyn Watch,
    ) -> Option<(RandomPlay, Option<Fall>)> {
        let fall = |reason| Some(Fall::of(Gate::Random, reason));
        let start = engine.start();
        let mut seen = RandomPlay { first_moves: start.move_count(), ..RandomPlay::default() };
        if seen.first_moves > FIRST_MOVES_MAX {
            return Some((seen, fall(Rejection::ManyMoves)));
        }
        let [few, most] = budgets.random_games;
        let mut next = u64::from(few);
        loop {
            let counts = seen.game(engine, budgets.random_moves, seed, watch);
            if watch.stop() {
                return None;
            }
            if !counts {
                // Even fewer games than planned may be clear, since they are long; if they are not,
                // the budget is exceeded.
                let enough = seen.games >= u64::from(few);
                let reason = match seen.within(enough) {
                    Within::No(reason) => reason,
                    Within::Yes | Within::Open if enough => return Some((seen, None)),
                    Within::Yes | Within::Open => Rejection::OverBudget,
                };
                return Some((seen, fall(reason)));
            }
            if seen.games < next {
                continue;
            }
            let all = seen.games >= u64::from(most);
            match seen.within(all) {
                Within::No(reason) => return Some((seen, fall(reason))),
                Within::Yes => return Some((seen, None)),
                Within::Open => next = (2 * next).min(u64::from(most)),
            }
        }
    }

    /// Plays the next game and counts it. Returns false, without counting it, if the budget of
    /// moves ends before the game or `watch` says stop.
    fn game(&mut self, engine: &dyn Engine, moves_max: u64, seed: Seed, watch: &dyn Watch) -> bool {
        let mut rng = seed.child(self.games).generator();
        let mut line = engine.start();
        let (mut plies, mut forced, mut moves) = (0, 0, 0);
        let ended = loop {
            if let Some(ended) = line.ended() {
                break ended;
            }
            let count = line.move_count();
            forced += u64::from(count == 1);
            moves += u64::from(count);
            if self.moves + moves > moves_max || watch.stop() {
                return false;
            }
            plies += 1;
            let number = line.random_move(&mut rng).expect("a game that goes on has a move");
            line.play(number);
        };
        self.games += 1;
        self.plies += plies;
        self.plies_squared += plies * plies;
        self.forced += forced;
        self.moves += moves;
        self.stopped += u64::from(ended.by != Ending::Outcome);
        self.results[(1 + ended.outcome.value()) as usize] += 1;
        true
    }

    /// Checks that counts read from a file are consistent.
    pub(super) fn check(&self) -> Result<(), String> {
        let whole = self.results.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
        if whole != Some(self.games) || self.stopped > self.games || self.forced > self.plies {
            return Err("the counts of its random games contradict each other".to_owned());
        }
        Ok(())
    }
}
