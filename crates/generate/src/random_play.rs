//! The gate of random play.

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

/// The most first moves of a game that is judged.
const FIRST_MOVES_MAX: u32 = 3_000;

/// What random games of a candidate show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomPlay {
    /// Legal first moves.
    pub first_moves: u32,
    /// The games.
    pub games: u64,
    /// Their plies together.
    pub plies: u64,
    /// The squares of their lengths together.
    pub plies_squared: u64,
    /// Games that the second player won, drawn games, and games that the first player won.
    pub results: [u64; 3],
    /// Games that the cap, a repetition or a lack of progress ended.
    pub stopped: u64,
    /// Plies with one legal move.
    pub forced: u64,
    /// The legal moves of all plies together.
    pub moves: u64,
}

impl RandomPlay {
    /// The mean length in plies.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.plies as f64 / self.games.max(1) as f64
    }

    /// The mean number of legal moves.
    #[must_use]
    pub fn branching(&self) -> f64 {
        self.moves as f64 / self.plies.max(1) as f64
    }

    /// The variance of the mean length.
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

    /// What the games say of the limits; `all` when no more will come.
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

    /// Whether the games of two candidates may be those of one game: neither the mean lengths nor the shares of
    /// either side's wins are three standard errors apart.
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

    /// Plays random games of an engine until the limits are clear or the budget is spent; why the candidate
    /// falls, if it does. Nothing when `watch` says stop.
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
                // Few long games may tell by themselves; what they do not tell is open.
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

    /// Plays the next game; false where the moves of the budget do not last to its end or `watch` says stop, so
    /// that it does not count.
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

    /// Checks numbers that were read.
    pub(super) fn check(&self) -> Result<(), String> {
        let whole = self.results.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
        if whole != Some(self.games) || self.stopped > self.games || self.forced > self.plies {
            return Err("the counts of its random games do not fit together".to_owned());
        }
        Ok(())
    }
}
