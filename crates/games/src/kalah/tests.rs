use rustc_hash::FxHashMap;
use treegauge_core::{Game, Graded, Keyed, Notation, Plies};

use treegauge_testkit::facts::facts;

use super::{Captures, Kalah, State};
use crate::pits::mask;

const CAP: Plies = Plies(1_000);

fn usual(houses: u32, seeds: u32) -> Kalah<true> {
    Kalah::new(houses, seeds, Captures::Seeds, CAP)
}

fn broken() -> Kalah<false> {
    Kalah::new(6, 4, Captures::Seeds, CAP)
}

/// Full width search with bounds stored by the houses alone: the seeds in the stores do not affect
/// the seeds that can still be won.
struct Search<'g> {
    game: &'g Kalah<true>,
    /// Fewest and most seeds that the mover can still win over the opponent, by the mover's row and
    /// the other's.
    known: FxHashMap<[u64; 2], (i32, i32)>,
}

impl Search<'_> {
    /// Seeds that the mover can still win over the opponent: exact between `low` and `high`,
    /// otherwise a bound.
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
            "\"a\" at character 3: expected a number of seeds (0 to 12)",
            "\"99\" at character 7: expected the store of x (0 to 12)",
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
