//! Batches of random games.

use std::hash::{Hash, Hasher};

use proptest::prelude::*;
use treegauge_core::{Ending, Keyed, Notation, Outcome, Played};
use treegauge_engine::{OPENING_TRIALS, RandomGames, RandomGamesPlan, moves_hasher};
use treegauge_search::Seed;

use crate::common::{Check, Typed, every_game};

/// Plays each game by itself, move by move.
fn slow<G: Notation + Keyed>(
    game: &G,
    start: &Played<G>,
    plan: &RandomGamesPlan,
    numbers: &[u32],
) -> RandomGames {
    let mut found = RandomGames::default();
    for &number in numbers {
        let (mut played, mut moves, mut trial) = (start.clone(), Vec::new(), 0);
        let (mut plies, mut longest) = (plan.opening_plies as usize, 0);
        loop {
            let child = plan.openings.child(u64::from(number / 2)).child(trial);
            let mut rng = child.generator();
            for _ in 0..plies {
                if played.ended(game).is_some() {
                    break;
                }
                let m = game.random_move(played.state(), &mut rng).unwrap();
                moves.push(m);
                played.play(game, m);
            }
            if plies == 0 || played.ended(game).is_none() {
                break;
            }
            longest = longest.max(moves.len());
            (played, moves, trial) = (start.clone(), Vec::new(), trial + 1);
            if trial.is_multiple_of(OPENING_TRIALS) {
                (plies, longest) = (longest - 1, 0);
            }
        }
        let mut rng = plan.games.child(u64::from(number)).generator();
        let ended = loop {
            if let Some(ended) = played.ended(game) {
                break ended;
            }
            let m = game.random_move(played.state(), &mut rng).unwrap();
            let mover = game.turn(played.state()).index();
            found.moves[if number % 2 == 0 { mover } else { 1 - mover }] += 1;
            moves.push(m);
            played.play(game, m);
        };
        found.outcomes.push(ended.outcome);
        found.capped += u64::from(ended.by == Ending::Capped);
        found.plies += moves.len() as u64;
        let mut hasher = moves_hasher();
        moves.iter().for_each(|m| m.hash(&mut hasher));
        found.hashes.push(hasher.finish());
    }
    found.hashes.sort_unstable();
    found
}

struct SameAsSlow {
    plan: RandomGamesPlan,
    numbers: Vec<u32>,
    /// Random plies before the line from which the games begin.
    plies: u32,
}

impl Check for SameAsSlow {
    fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
        let SameAsSlow { plan, numbers, plies } = self;
        let (played, line) = typed.after(*plies, &mut Seed(3).generator());
        if played.ended(&typed.game).is_some() {
            return;
        }
        let mut fast = typed.engine.random_games(&line, plan, numbers, &|| false).unwrap();
        fast.hashes.sort_unstable();
        assert_eq!(fast, slow(&typed.game, &played, plan, numbers), "{}: {plan:?}", typed.name);
        assert_eq!(fast.outcomes.len(), numbers.len());
    }
}

fn plan(opening_plies: u32, seed: u64) -> RandomGamesPlan {
    RandomGamesPlan { opening_plies, openings: Seed(seed), games: Seed(seed).child(1) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Whole plans, odd numbers of games and shards.
    #[test]
    fn batches_are_the_games_that_are_played_by_themselves(
        opening_plies in 0..12u32,
        seed in any::<u64>(),
        games in 0..40u32,
        shards in 1..4u32,
        plies in 0..4u32,
    ) {
        let numbers = (0..games).filter(|n| n / 2 % shards == seed as u32 % shards).collect();
        every_game(&SameAsSlow { plan: plan(opening_plies, seed), numbers, plies });
    }

    #[test]
    fn any_numbers_in_order_are_played(
        seed in any::<u64>(),
        numbers in prop::collection::btree_set(0..u32::MAX, 0..9),
    ) {
        let numbers = numbers.into_iter().collect();
        every_game(&SameAsSlow { plan: plan(2, seed), numbers, plies: 0 });
    }
}

#[test]
fn openings_that_always_end_the_game_get_shorter() {
    struct Short;

    impl Check for Short {
        fn check<G: Notation + Keyed>(&self, typed: &Typed<G>) {
            if !typed.name.starts_with("one_to_ten") {
                return;
            }
            let numbers: Vec<u32> = (0..40).collect();
            let line = typed.engine.start();
            let found = typed.engine.random_games(&line, &plan(9, 7), &numbers, &|| false).unwrap();
            // To count up to 3 by steps of 1 and 2 takes three plies at most, so what is left of
            // each opening is 1 and 2, and the player that moves first makes the third ply.
            assert_eq!(found.outcomes, [Outcome::FirstWins; 40]);
            assert_eq!((found.plies, found.moves, found.capped), (3 * 40, [20, 20], 0));
            let plan = plan(9, 7);
            let mut trials = plan.trials();
            let mut plies = Vec::new();
            while trials.plies > 0 {
                if trials.number.is_multiple_of(OPENING_TRIALS) {
                    plies.push(trials.plies);
                }
                trials.ended(trials.plies.min(3));
            }
            assert_eq!(plies, [9, 2, 1]);
        }
    }

    every_game(&Short);
}
