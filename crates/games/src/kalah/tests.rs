use proptest::prelude::*;
use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
use rustc_hash::FxHashMap;
use treegauge_core::{Game, Graded, Keyed, Notation, Outcome, Plies, perft};
use treegauge_testkit::facts::facts;
use treegauge_testkit::{Laws, Oracle, laws, oracle};

use super::{Captures, Kalah, State};
use crate::pits::{mask, ring};

const CAP: Plies = Plies(1_000);

fn usual(houses: u32, seeds: u32) -> Kalah<true> {
    Kalah::new(houses, seeds, Captures::Seeds, CAP)
}

fn broken() -> Kalah<false> {
    Kalah::new(6, 4, Captures::Seeds, CAP)
}

fn laws_of<const STORES: bool>(game: &Kalah<STORES>, laws: Laws) {
    laws::check(game, laws);
    laws::keyed(game, laws);
    laws::graded(game, laws);
}

fn all_laws(game: &Kalah<true>, laws: Laws) {
    laws_of(game, laws);
    laws::tiered(game, laws);
}

/// The rules seed by seed on a ring of pits: x's houses, x's store, o's houses, o's store.
struct Ring {
    houses: usize,
    stores: bool,
    captures: Captures,
}

impl Ring {
    /// The place of the first house of a player.
    fn begin(&self, x: bool) -> usize {
        if x { 0 } else { self.houses + 1 }
    }
}

impl Oracle for Ring {
    fn moves(&self, position: &str) -> Vec<String> {
        let (pits, x) = ring::read(position);
        let own = &pits[self.begin(x)..][..self.houses];
        (0..self.houses).filter(|&h| own[h] > 0).map(|h| (h + 1).to_string()).collect()
    }

    fn play(&self, position: &str, m: &str) -> String {
        let (mut pits, x) = ring::read(position);
        let n = self.houses;
        let own_store = self.begin(x) + n;
        let other_store = self.begin(!x) + n;
        let mut place = self.begin(x) + m.parse::<usize>().unwrap() - 1;
        let mut hand = std::mem::take(&mut pits[place]);
        let mut was_empty = false;
        while hand > 0 {
            place = (place + 1) % pits.len();
            if place == other_store || (place == own_store && !self.stores) {
                continue;
            }
            was_empty = pits[place] == 0;
            pits[place] += 1;
            hand -= 1;
        }
        let own_house = (self.begin(x)..own_store).contains(&place);
        if own_house && was_empty && self.captures != Captures::Never {
            // Houses face each other so that their places add up to that of the last house.
            let opposite = 2 * n - place;
            if pits[opposite] > 0 || self.captures == Captures::Always {
                pits[own_store] += pits[place] + pits[opposite];
                pits[place] = 0;
                pits[opposite] = 0;
            }
        }
        let rows = [0..n, n + 1..2 * n + 1];
        if rows.iter().any(|row| pits[row.clone()].iter().all(|&seeds| seeds == 0)) {
            for row in rows {
                pits[row.end] += pits[row.clone()].iter().sum::<u32>();
                pits[row].fill(0);
            }
        }
        ring::write(&pits, x == (place == own_store))
    }

    fn outcome(&self, position: &str) -> Option<Outcome> {
        let (pits, _) = ring::read(position);
        let (first, second) = (pits[self.houses], pits[2 * self.houses + 1]);
        (first + second == pits.iter().sum::<u32>()).then_some(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::FirstWins,
            std::cmp::Ordering::Less => Outcome::SecondWins,
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }
}

#[test]
fn the_usual_and_the_broken_game_keep_the_laws() {
    all_laws(&usual(6, 4), Laws::default());
    all_laws(&Kalah::new(6, 4, Captures::Always, CAP), Laws::default());
    laws_of(&broken(), Laws::default());
}

#[test]
fn the_smallest_and_the_largest_game_keep_the_laws() {
    let few = Laws { games: 5, playouts: 500, seed: 3 };
    for (houses, seeds) in [(1, 1), (1, 18), (7, 1), (7, 18)] {
        all_laws(&usual(houses, seeds), few);
        all_laws(&Kalah::new(houses, seeds, Captures::Never, CAP), few);
        laws_of(&Kalah::<false>::new(houses, seeds, Captures::Seeds, Plies(200)), few);
    }
    // Seeds only go round and round until a row happens to be empty.
    laws_of(&Kalah::<false>::new(3, 2, Captures::Never, Plies(100)), few);
}

#[test]
fn perft_of_the_usual_and_the_broken_game() {
    let usual = usual(6, 4);
    assert_eq!(perft(&usual, &usual.start(), 5), [6, 35, 185, 942, 4690]);
    let empty = Kalah::<true>::new(6, 4, Captures::Always, CAP);
    assert_eq!(perft(&empty, &empty.start(), 5), [6, 35, 185, 942, 4685]);
    assert_eq!(perft(&broken(), &broken().start(), 5), [6, 36, 190, 1007, 5229]);
}

/// Full width search with bounds that are kept by the houses alone: what is in the stores
/// changes nothing in what can still be won.
struct Search<'g> {
    game: &'g Kalah<true>,
    /// By the mover's row and the other's: the least and the most that the mover can still win
    /// over the opponent.
    known: FxHashMap<[u64; 2], (i32, i32)>,
}

impl Search<'_> {
    /// What the mover can still win over the opponent, exact between `low` and `high` and a
    /// bound beyond them.
    fn value(&mut self, state: State, mut low: i32, high: i32) -> i32 {
        if self.game.outcome(&state).is_some() {
            return 0;
        }
        let (own, other) = state.split();
        let houses = [own, other].map(|row| row & mask(self.game.houses()));
        let total = self.game.total() as i32;
        let (least, most) = *self.known.get(&houses).unwrap_or(&(-total, total));
        if least >= high || most <= low || least == most {
            return if least >= high { least } else { most };
        }
        let (floor, mut best) = (low, -total);
        let mut moves = Vec::new();
        self.game.moves_into(&state, &mut moves);
        // The last houses reach the store soonest.
        for m in moves.into_iter().rev() {
            let mut child = state;
            self.game.play(&mut child, m);
            let now = state.turn.sign() * (self.game.margin(&child) - self.game.margin(&state));
            let then = if child.turn == state.turn {
                self.value(child, low - now, high - now)
            } else {
                -self.value(child, now - high, now - low)
            };
            best = best.max(now + then);
            low = low.max(best);
            if low >= high {
                break;
            }
        }
        let bounds = (
            if best > floor { best.max(least) } else { least },
            if best < high { best.min(most) } else { most },
        );
        self.known.insert(houses, bounds);
        best
    }
}

#[test]
fn small_games_have_their_known_margins() {
    let facts = facts().kalah_margin_first_minus_second;
    let kinds = [(Captures::Seeds, &facts.standard), (Captures::Always, &facts.empty_capture)];
    let mut rows = 0;
    for (captures, margins) in kinds {
        for (size, &margin) in margins {
            let (houses, seeds) = size.split_once(',').expect("houses,seeds");
            let (houses, seeds) = (houses.parse().unwrap(), seeds.parse().unwrap());
            // 40 million positions are too many for a test.
            if houses == 6 && captures == Captures::Seeds {
                continue;
            }
            let game = Kalah::new(houses, seeds, captures, CAP);
            let mut search = Search { game: &game, known: FxHashMap::default() };
            let total = game.total() as i32;
            let found = search.value(game.start(), -total, total);
            assert_eq!(found, margin, "({size}) {captures:?}");
            rows += 1;
        }
    }
    assert_eq!(rows, 35);
}

fn after<const STORES: bool>(game: &Kalah<STORES>, position: &str, m: &str) -> String {
    let mut state = game.parse_position(position).unwrap();
    let m = game.parse_move(&state, m).unwrap();
    game.play(&mut state, m);
    game.position_text(&state)
}

#[test]
fn seeds_are_sown_captured_and_swept() {
    let four = usual(6, 4);
    let played = |position: &str, m: &str| after(&four, position, m);
    // The last seed in the store: x moves again.
    assert_eq!(played("4,4,4,4,4,4 0 4,4,4,4,4,4 0 x", "3"), "4,4,0,5,5,5 1 4,4,4,4,4,4 0 x");
    // House 5 captures the 7 seeds in o's house 2, which lies opposite.
    assert_eq!(played("4,0,0,4,0,9 5 1,7,4,4,4,4 2 x", "1"), "0,1,1,5,0,9 13 1,0,4,4,4,4 2 o");
    // Thirteen seeds come round to the house they left, and its one seed captures.
    assert_eq!(played("13,0,0,0,0,1 9 2,2,2,2,2,2 13 x", "1"), "0,1,1,1,1,2 14 3,3,3,3,3,0 13 o");
    // x's row is empty after the move: o gets the seeds in the other row.
    assert_eq!(played("0,0,0,0,0,1 20 1,2,0,0,0,0 24 x", "6"), "0,0,0,0,0,0 21 0,0,0,0,0,0 27 x");
    // The single seed finds the house opposite empty, and goes to the store only if it may.
    let (position, stays) = ("1,0,0,0,0,2 20 3,0,2,0,0,0 20 x", "0,1,0,0,0,2 20 3,0,2,0,0,0 20 o");
    assert_eq!(played(position, "1"), stays);
    let empty = Kalah::<true>::new(6, 4, Captures::Always, CAP);
    assert_eq!(after(&empty, position, "1"), "0,0,0,0,0,2 21 3,0,2,0,0,0 20 o");
    // Without stores the seed goes past.
    let start = "4,4,4,4,4,4 0 4,4,4,4,4,4 0 x";
    assert_eq!(after(&broken(), start, "6"), "4,4,4,4,4,0 0 5,5,5,5,4,4 0 o");
}

#[test]
fn only_more_seeds_in_stores_are_irreversible_without_sowing_into_them() {
    let game = broken();
    let state = game.parse_position("4,0,0,4,0,9 5 1,7,4,4,4,4 2 x").unwrap();
    assert!(game.is_irreversible(&state, 0), "a capture");
    assert!(!game.is_irreversible(&state, 3));
    assert!(usual(6, 4).is_irreversible(&state, 3));
}

#[test]
fn errors_of_a_position_are_named() {
    let game = usual(3, 2);
    let named = |text: &str, parts: &[&str]| {
        let error = game.parse_position(text).expect_err(text).to_string();
        for part in parts {
            assert!(error.contains(part), "{error}");
        }
    };
    named("", &["the row of houses of x is missing", "the store of o is missing"]);
    named(
        "2,a,2 99 2,2 0 z !",
        &[
            "\"a\" at character 3 where a number of seeds (0 to 12)",
            "\"99\" at character 7 where the store of x (0 to 12)",
            "o has 2 houses, not 3",
            "\"z\" at character 16",
            "unexpected \"!\" at character 18",
        ],
    );
    named("2,2,2 0 2,2,2 1 x", &["there are 13 seeds, not 12"]);
    named("2,2,2 0 0,0,0 6 x", &["one row is empty, so the seeds of the other are in its store"]);
    assert!(game.parse_position("0,0,0 6 0,0,0 6 x").is_ok(), "a finished position");
    assert_eq!(game.unkey(game.key(&game.start())), game.start());
}

#[test]
fn the_board_is_drawn_with_the_first_player_below() {
    let game = usual(3, 2);
    let state = game.parse_position("0,1,2 4 3,0,1 1 o").unwrap();
    assert_eq!(
        game.board_text(&state),
        "          3   2   1\no   1     1   0   3\n          0   1   2    4 x\n          1   2   3\n"
    );
}

fn captures() -> impl Strategy<Value = Captures> {
    prop_oneof![Just(Captures::Never), Just(Captures::Seeds), Just(Captures::Always)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_game_follows_the_ring(
        houses in 1u32..=7, seeds in 1u32..=18, captures in captures(), seed: u64
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut rules = Ring { houses: houses as usize, stores: true, captures };
        oracle::agree(&Kalah::<true>::new(houses, seeds, captures, CAP), &rules, 10, &mut rng);
        rules.stores = false;
        let short = Plies(200);
        oracle::agree(&Kalah::<false>::new(houses, seeds, captures, short), &rules, 5, &mut rng);
    }

    #[test]
    fn any_game_keeps_the_laws(
        houses in 1u32..=7, seeds in 1u32..=18, captures in captures(), seed: u64
    ) {
        let few = Laws { games: 3, playouts: 200, seed };
        all_laws(&Kalah::new(houses, seeds, captures, CAP), few);
        laws_of(&Kalah::<false>::new(houses, seeds, captures, Plies(100)), few);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[ -~ü0-9,xo]{0,40}") {
        laws::parsers_stand(&usual(2, 2), &text);
    }

    #[test]
    fn any_text_like_a_position_is_read_or_refused(
        text in "[0-4],[0-4] [0-8] [0-4],[0-4] [0-8] [xo]"
    ) {
        laws::parsers_stand(&usual(2, 2), &text);
    }
}
