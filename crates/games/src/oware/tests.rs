use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use treegauge_core::{
    Ended, Ending, Game, Graded, HistoryEnd, Keyed, Notation, Outcome, Played, PlayoutLimits,
    Plies, perft,
};
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Capture, GrandSlam, Oware};
use crate::pits::ring;

const CAP: Plies = Plies(1_000);

fn usual() -> Oware {
    Oware::new(6, 4, CAP)
}

fn broken() -> Oware {
    usual().capturing(Capture::Exactly(5))
}

fn all_laws(game: &Oware, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::graded(game, laws);
}

/// The rules seed by seed on a ring of pits: x's houses, x's store, o's houses, o's store.
#[derive(Clone, Debug)]
struct Ring {
    houses: usize,
    captured: Vec<u32>,
    chain: bool,
    slams: bool,
}

impl Ring {
    /// The places of the houses of a player, from the player's left.
    fn row(&self, x: bool) -> std::ops::Range<usize> {
        let begin = if x { 0 } else { self.houses + 1 };
        begin..begin + self.houses
    }

    fn is_empty(&self, pits: &[u32], x: bool) -> bool {
        self.row(x).all(|place| pits[place] == 0)
    }

    /// Sows from a place and returns the place of the last seed.
    fn sow(&self, pits: &mut [u32], from: usize) -> usize {
        let mut place = from;
        for _ in 0..std::mem::take(&mut pits[from]) {
            place = (place + 1) % pits.len();
            while place == from || place == self.houses || place == 2 * self.houses + 1 {
                place = (place + 1) % pits.len();
            }
            pits[place] += 1;
        }
        place
    }

    /// The places that may be sown.
    fn places(&self, pits: &[u32], x: bool) -> Vec<usize> {
        let must_feed = self.is_empty(pits, !x);
        let feeds = |from: usize| {
            let mut after = pits.to_vec();
            self.sow(&mut after, from);
            !self.is_empty(&after, !x)
        };
        self.row(x).filter(|&from| pits[from] > 0 && (!must_feed || feeds(from))).collect()
    }
}

impl Oracle for Ring {
    fn moves(&self, position: &str) -> Vec<String> {
        let (pits, x) = ring::read(position);
        let begin = self.row(x).start;
        self.places(&pits, x).iter().map(|place| (place - begin + 1).to_string()).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut pits, x) = ring::read(position);
        let from = self.row(x).start + m.parse::<usize>().unwrap() - 1;
        let mut last = self.sow(&mut pits, from);
        let mut after = pits.clone();
        while self.row(!x).contains(&last) && self.captured.contains(&after[last]) {
            after[self.row(x).end] += std::mem::take(&mut after[last]);
            if last == 0 || !self.chain {
                break;
            }
            last -= 1;
        }
        if after == pits || self.slams || !self.is_empty(&after, !x) {
            pits = after;
        }
        if self.places(&pits, !x).is_empty() {
            for side in [x, !x] {
                for place in self.row(side) {
                    pits[self.row(side).end] += std::mem::take(&mut pits[place]);
                }
            }
        }
        ring::write(&pits, !x)
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (pits, _) = ring::read(position);
        let (first, second) = (pits[self.row(true).end], pits[self.row(false).end]);
        let all: u32 = pits.iter().sum();
        if 2 * first > all {
            Some(Outcome::FirstWins)
        } else if 2 * second > all {
            Some(Outcome::SecondWins)
        } else {
            (first + second == all).then_some(Outcome::Draw)
        }
    }
}

#[test]
fn the_usual_and_the_broken_game_keep_the_laws() {
    all_laws(&usual(), Laws::default());
    all_laws(&broken(), Laws::default());
    all_laws(&usual().without_chain(), Laws::default());
    all_laws(&usual().with_grand_slam(GrandSlam::All), Laws::default());
}

#[test]
fn the_smallest_and_the_largest_game_keep_the_laws() {
    let few = Laws { games: 5, playouts: 500, seed: 3 };
    for (houses, seeds) in [(1, 1), (1, 18), (2, 1), (7, 1), (7, 18)] {
        let game = Oware::new(houses, seeds, Plies(150));
        all_laws(&game, few);
        all_laws(&game.clone().with_grand_slam(GrandSlam::All), few);
        all_laws(&game.with_draw_plies(Plies(10)), few);
    }
}

#[test]
fn perft_of_the_usual_and_the_broken_game() {
    assert_eq!(perft(&usual(), &usual().start(), 5), [6, 36, 190, 1014, 5219]);
    assert_eq!(perft(&broken(), &broken().start(), 5), [6, 26, 114, 486, 2376]);
}

/// The position after a line of moves.
fn after(game: &Oware, position: &str, line: &str) -> String {
    let mut state = game.parse_position(position).unwrap();
    for text in line.split(' ') {
        let m = game.parse_move(&state, text).unwrap();
        game.play(&mut state, m);
    }
    game.position_text(&state)
}

#[test]
fn the_broken_game_captures_at_the_first_ply() {
    let game = broken();
    let start = game.position_text(&game.start());
    for (m, captured) in [("1", "0"), ("2", "0"), ("3", "5"), ("4", "10"), ("5", "15"), ("6", "20")]
    {
        let text = after(&game, &start, m);
        assert_eq!(text.split(' ').nth(1), Some(captured), "{text}");
    }
    let state = game.parse_position(&after(&game, &start, "6 6")).unwrap();
    assert_eq!(game.position_text(&state), "0,0,0,0,4,0 20 0,0,0,0,4,0 20 x");
    assert_eq!((game.margin(&state), game.outcome(&state)), (0, None));
}

#[test]
fn seeds_are_sown_and_captured_in_chains() {
    let usual = usual();
    // The last seed makes 3, and before it lie a 2 and a 3 and then a 4, which stays.
    let position = "0,0,0,0,0,4 14 3,2,1,2,4,4 14 x";
    assert_eq!(after(&usual, position, "6"), "0,0,0,0,0,0 22 4,0,0,0,4,4 14 o");
    let last = usual.clone().without_chain();
    assert_eq!(after(&last, position, "6"), "0,0,0,0,0,0 17 4,3,2,0,4,4 14 o");
    // Twelve seeds go past the house that they come from.
    let position = "12,0,0,0,0,0 12 0,0,0,0,0,4 20 x";
    assert_eq!(after(&usual, position, "1"), "0,2,1,1,1,1 12 1,1,1,1,1,5 20 o");
}

#[test]
fn a_grand_slam_captures_nothing_unless_it_counts() {
    let position = "0,0,0,0,1,2 20 1,1,0,0,0,0 23 x";
    assert_eq!(after(&usual(), position, "6"), "0,0,0,0,1,0 20 2,2,0,0,0,0 23 o");
    let all = usual().with_grand_slam(GrandSlam::All);
    // Then o has nothing to move with, and x keeps the last seed.
    assert_eq!(after(&all, position, "6"), "0,0,0,0,0,0 25 0,0,0,0,0,0 23 o");
}

#[test]
fn an_empty_row_must_be_fed() {
    let game = usual();
    let state = game.parse_position("1,1,4,1,1,1 18 0,0,0,0,0,0 21 x").unwrap();
    let moves: Vec<String> = (0..game.move_count(&state))
        .map(|n| game.move_text(&state, game.nth_move(&state, n, &mut Vec::new())))
        .collect();
    assert_eq!(moves, ["3", "6"]);
    assert!(!game.is_legal(&state, 0));
    // o gives the last seed away and x, with one seed far on the left, cannot feed o.
    let text = after(&game, "0,0,0,0,0,0 23 0,0,0,0,0,1 24 o", "6");
    assert_eq!(text, "0,0,0,0,0,0 24 0,0,0,0,0,0 24 x");
    let state = game.parse_position(&text).unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::Draw));
}

#[test]
fn more_than_half_wins_at_once() {
    let game = usual();
    let text = after(&game, "0,0,0,0,0,1 23 1,4,4,0,0,0 15 x", "6");
    assert_eq!(text, "0,0,0,0,0,0 25 0,4,4,0,0,0 15 o");
    let state = game.parse_position(&text).unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::FirstWins));
}

#[test]
fn histories_end_with_seeds_going_to_their_owners_and_the_cap_with_a_draw() {
    let game = usual();
    let state = game.parse_position("1,0,0,0,0,0 22 0,0,0,0,0,2 23 x").unwrap();
    assert_eq!(game.margin(&state), -2);
    for (end, outcome) in [
        (HistoryEnd::DrawPlies, Outcome::SecondWins),
        (HistoryEnd::Repetition, Outcome::SecondWins),
        (HistoryEnd::Capped, Outcome::Draw),
    ] {
        assert_eq!(game.settle(&state, end), outcome, "{end:?}");
    }
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    // Nothing is captured on the way of one seed along its row: the playout inherits 98 plies.
    let start = game.parse_position("1,0,0,0,0,0 22 1,0,0,0,0,0 24 x").unwrap();
    for (plies_left, quiet, plies, outcome, capped) in [
        (50, 98, 2, Outcome::SecondWins, false),
        (1, 98, 1, Outcome::Draw, true),
        (2, 98, 2, Outcome::SecondWins, false),
        (0, 100, 0, Outcome::SecondWins, false),
    ] {
        let mut state = start;
        let limits = PlayoutLimits::new(Plies(plies_left), Plies(quiet));
        let end = game.playout(&mut state, limits, &mut rng);
        assert_eq!((end.plies, end.outcome, end.capped), (Plies(plies), outcome, capped));
    }
    // Both seeds go to and fro, and the same position comes back every other ply.
    let tiny = Oware::new(1, 1, CAP).capturing(Capture::Exactly(9));
    let mut played = Played::start(&tiny);
    while played.ended(&tiny).is_none() {
        let m = tiny.random_move(played.state(), &mut rng).unwrap();
        played.play(&tiny, m);
    }
    let outcome = tiny.outcome_of_margin(played.state());
    assert_eq!(played.ended(&tiny), Some(Ended { by: Ending::Repetition, outcome }));
    assert_ne!(outcome, Outcome::Draw, "one of them has both seeds");
}

#[test]
fn captures_are_irreversible_and_nothing_else_is() {
    let game = usual();
    let state = game.parse_position("4,0,0,0,0,4 14 3,2,1,2,4,0 14 x").unwrap();
    assert!(game.is_irreversible(&state, 5));
    assert!(!game.is_irreversible(&state, 0));
    assert_eq!(game.unkey(game.key(&state)), state);
}

#[test]
fn errors_of_a_position_are_named() {
    let game = Oware::new(3, 2, CAP);
    let named = |text: &str, part: &str| {
        let error = game.parse_position(text).expect_err(text).to_string();
        assert!(error.contains(part), "{error}");
    };
    named("", "the row of houses of x is missing");
    named("2,2,2 0 2,2,2 1 x", "there are 13 seeds, not 12");
    named("0,0,0 5 2,1,0 4 x", "x cannot move, so all seeds are in their owners' stores");
    named("1,1,0 5 0,0,0 5 x", "x cannot move");
    assert!(game.parse_position("1,1,1 5 0,0,0 4 x").is_ok(), "house 3 feeds");
    assert!(game.parse_position("0,0,0 6 0,0,0 6 x").is_ok(), "a finished position");
    assert!(game.parse_position("0,0,0 7 2,1,0 2 x").is_ok(), "won with seeds on the board");
}

/// A game and its oracle.
fn rules() -> impl Strategy<Value = (Oware, Ring)> {
    let capture = prop_oneof![2 => Just(None), 1 => (1u8..=9).prop_map(Some)];
    (1u32..=7, 1u32..=18, capture, any::<bool>(), any::<bool>(), 10u32..=120).prop_map(
        |(houses, seeds, capture, chain, slams, draw_plies)| {
            let mut game = Oware::new(houses, seeds, Plies(300))
                .capturing(capture.map_or(Capture::TwoOrThree, Capture::Exactly))
                .with_grand_slam(if slams { GrandSlam::All } else { GrandSlam::None })
                .with_draw_plies(Plies(draw_plies));
            if !chain {
                game = game.without_chain();
            }
            let captured = capture.map_or(vec![2, 3], |n| vec![u32::from(n)]);
            (game, Ring { houses: houses as usize, captured, chain, slams })
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_game_follows_the_ring((game, ring) in rules(), seed: u64) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        oracle::agree(&game, &ring, 5, &mut rng);
    }

    #[test]
    fn any_game_keeps_the_laws((game, _) in rules(), seed: u64) {
        all_laws(&game, Laws { games: 2, playouts: 100, seed });
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü0-9,xo]{0,40}") {
        laws::parsers_stand(&Oware::new(2, 2, CAP), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "[0-2],[0-2] [0-4] [0-2],[0-2] [0-4] [xo]"
    ) {
        laws::parsers_stand(&Oware::new(2, 2, CAP), &text);
    }
}
