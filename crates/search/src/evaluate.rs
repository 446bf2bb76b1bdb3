//! Evaluators for every game.

use std::fmt::{self, Debug};

use rand_core::Rng;
use treegauge_core::{Evaluator, Game, KeyCode, Keyed, OfState, Played};

use crate::budget::Budget;
use crate::random::Seed;
use crate::uct::Uct;

/// Evaluator that counts the legal moves of the player to move.
///
/// The rules list only the moves of the player to move, so those of the other player do not count.
/// A value compares positions in which the same player is to move. Where turns alternate, all
/// leaves of one iteration are such positions: a search then prefers many moves of its own or few
/// of the opponent's, depending on the player to move at its horizon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mobility;

impl<G: Game> Evaluator<G> for Mobility {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        game.move_count(state) as i32
    }
}

/// Evaluator that returns the score of the player to move minus that of the other, in a game
/// decided by score.
#[derive(Clone, Copy)]
pub struct Margin<G: Game> {
    margin: OfState<G, i32>,
}

impl<G: Game> Margin<G> {
    /// Creates the evaluator from the function that returns the first player's score minus the
    /// second's: [`Graded::margin`](treegauge_core::Graded::margin).
    #[must_use]
    pub fn new(margin: OfState<G, i32>) -> Self {
        Margin { margin }
    }
}

impl<G: Game> Debug for Margin<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Margin")
    }
}

impl<G: Game> Evaluator<G> for Margin<G> {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        game.turn(state).sign() * (self.margin)(game, state)
    }
}

/// Evaluator that returns the mean result of a UCT search from the position, without its history,
/// in ten-thousandths of a win. With one iteration it is the result of a random playout.
///
/// The random numbers depend only on the seed and the position, so a position always has the same
/// value.
#[derive(Clone, Copy, Debug)]
pub struct UctValue {
    iterations: u32,
    cp: f64,
    seed: Seed,
}

impl UctValue {
    /// Creates the evaluator: a search of `iterations` iterations, at least 1, with the exploration
    /// constant `cp` on rewards in \[0, 1\].
    #[must_use]
    pub fn new(iterations: u32, cp: f64, seed: Seed) -> Self {
        UctValue { iterations: iterations.max(1), cp, seed }
    }

    const UNIT: f64 = 10_000.0;
}

impl<G: Keyed> Evaluator<G> for UctValue {
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let mut uct = Uct::new(Budget::iterations(self.iterations)).with_cp(self.cp);
        let mut rng = self.seed.child(game.key(state).mix()).generator();
        let search = uct.search(game, &Played::from_state(state.clone()), &mut rng);
        let mean = search.tree().root().map_or(0.0, |root| root.mean());
        (f64::from(search.turn().sign()) * mean * Self::UNIT).round() as i32
    }

    fn unit(&self) -> f64 {
        Self::UNIT
    }
}

/// Evaluator that returns a random number per position, always the same, uniform from -1,000,000 to
/// 1,000,000.
///
/// It contains no knowledge. Still a deep search with it prefers positions with many continuations,
/// since the best of many numbers is larger than the best of few (Beal and Smith, "Random
/// Evaluations in Chess", ICCA Journal 17(1), 1994). So it shows the effect of search alone.
#[derive(Clone, Copy, Debug)]
pub struct RandomValue {
    seed: Seed,
}

impl RandomValue {
    /// Creates the evaluator; each seed gives other numbers.
    #[must_use]
    pub fn new(seed: Seed) -> Self {
        RandomValue { seed }
    }

    const UNIT: i32 = 1_000_000;
}

impl<G: Keyed> Evaluator<G> for RandomValue {
    #[inline]
    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let random = self.seed.child(game.key(state).mix()).generator().next_u32();
        let span = 2 * Self::UNIT as u64 + 1;
        ((u64::from(random) * span) >> 32) as i32 - Self::UNIT
    }

    fn unit(&self) -> f64 {
        f64::from(Self::UNIT)
    }
}

#[cfg(test)]
mod tests {
    use treegauge_core::{Player, Plies};
    use treegauge_games::tic_tac_toe::Standard;

    use super::*;
    use crate::uct::DEFAULT_CP;

    /// Position after a line of moves, given by their numbers among the legal moves.
    fn after(game: &Standard, line: &[u32]) -> <Standard as Game>::State {
        let mut state = game.start();
        for &n in line {
            let m = game.nth_move(&state, n, &mut Vec::new());
            game.play(&mut state, m);
        }
        state
    }

    #[test]
    fn searches_value_positions_for_the_player_to_move_and_always_the_same() {
        let game = Standard::new(Default::default(), Plies(1_000));
        let value = |iterations, state: &_| {
            UctValue::new(iterations, DEFAULT_CP, Seed(1)).evaluate(&game, state)
        };
        // X has two corners, and the square between them is free; o has none next to its own.
        let (wins, loses) = (after(&game, &[0, 2, 0, 2]), after(&game, &[0, 2, 0, 2, 4]));
        assert_eq!((game.turn(&wins), game.turn(&loses)), (Player::First, Player::Second));
        let found = [value(2_000, &wins), value(2_000, &loses)];
        assert!(found[0] > 2_000 && found[1].abs() <= 10_000, "{found:?}");
        assert_eq!(found[0], value(2_000, &wins));
        // One playout gives one of three results.
        for line in [&[][..], &[4], &[4, 0], &[4, 0, 1]] {
            assert!([-10_000, 0, 10_000].contains(&value(1, &after(&game, line))));
        }
        assert!(value(1_000, &game.start()) > 0, "the first player stands better");
        assert!(value(1_000, &after(&game, &[4])) < 0);
    }

    #[test]
    fn random_values_are_spread_over_their_range() {
        let game = Standard::new(Default::default(), Plies(1_000));
        let values = |seed| -> Vec<i32> {
            let value = RandomValue::new(Seed(seed));
            let lines =
                (0..9).flat_map(|a| (0..8).flat_map(move |b| (0..7).map(move |c| [a, b, c])));
            lines.map(|line| value.evaluate(&game, &after(&game, &line))).collect()
        };
        let found = values(1);
        assert_eq!(found, values(1));
        assert_ne!(found, values(2));
        assert!(found.iter().all(|value| value.abs() <= 1_000_000));
        // 252 different positions: mean 0, and a third of the range as deviation around it.
        let mut distinct = found.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 252);
        let n = distinct.len() as f64;
        let mean = distinct.iter().map(|&v| f64::from(v)).sum::<f64>() / n;
        let square = distinct.iter().map(|&v| f64::from(v).powi(2)).sum::<f64>() / n;
        assert!(mean.abs() < 4.0 * 577_350.0 / n.sqrt(), "{mean}");
        assert!((square.sqrt() - 577_350.0).abs() < 80_000.0, "{square}");
    }
}
