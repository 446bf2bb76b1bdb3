//! Games by name, for tests.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Capability, Game, KeyCode, Keyed, Notation, Outcome, Player, Watch};

use crate::any::AnySolvable;
use crate::rules::{Reduction, Solvable};
use crate::solution::Solution;
use crate::solver::{Options, solve};

/// Games with and without ties, loops, moves that keep the turn, and ends by the loser's move.
pub(crate) const SMALL_GAMES: [&str; 9] = [
    "tic_tac_toe",
    "wild_tic_tac_toe",
    "achi",
    "connect_four(cols=4,rows=4,k=3)",
    "finger_game",
    "dots_and_boxes(rows=2,cols=2)",
    "kalah(houses=2,seeds=2)",
    "one_to_ten(misere=true)",
    "tic_tac_toe(misere=true)",
];

/// Parses the name of a game.
pub(crate) fn any(spec: &str) -> AnySolvable {
    struct Hide;
    impl Visitor for Hide {
        type Output = AnySolvable;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> AnySolvable {
            let capabilities = *entry.capabilities();
            AnySolvable::of(entry.game, capabilities)
        }
    }
    let spec = GameSpec::parse(spec).unwrap_or_else(|error| panic!("{error}"));
    spec.with_built_in_game(Hide).unwrap()
}

/// Calls a generic function with the rules of the small game of this name. Positions of small games
/// have codes of at most 128 bits; the compiler need not make the function for longer ones.
macro_rules! on {
    ($spec:expr, $test:ident $(, $more:expr)*) => {
        match $crate::tests::any_game::any($spec) {
            $crate::AnySolvable::Bits64(rules) => $test(rules $(, $more)*),
            $crate::AnySolvable::Bits128(rules) => $test(rules $(, $more)*),
            _ => panic!("a position of {} needs more than 128 bits", $spec),
        }
    };
}

/// Calls a generic function with the rules of the game of this name, with codes of any length.
macro_rules! on_any {
    ($spec:expr, $test:ident $(, $more:expr)*) => {
        $crate::with_rules!(
            $crate::tests::any_game::any($spec),
            rules => $test(rules $(, $more)*)
        )
    };
}

pub(crate) use {on, on_any};

/// Implements [`Notation`](treegauge_core::Notation) for a game with numbers as positions and
/// moves.
macro_rules! numbers {
    ($game:ty) => {
        impl treegauge_core::Notation for $game {
            fn write_move(
                &self,
                _: &u64,
                m: u64,
                out: &mut dyn std::fmt::Write,
            ) -> std::fmt::Result {
                write!(out, "{m}")
            }
            fn parse_move(&self, _: &u64, text: &str) -> Result<u64, treegauge_core::MoveError> {
                Ok(text.parse().expect("tests read what they wrote"))
            }
            fn write_position(&self, at: &u64, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
                write!(out, "{at}")
            }
            fn parse_position(&self, text: &str) -> Result<u64, treegauge_core::PositionError> {
                Ok(text.parse().expect("tests read what they wrote"))
            }
            fn board_text(&self, at: &u64) -> String {
                at.to_string()
            }
            fn board(&self, _: &u64) -> treegauge_core::Board {
                treegauge_core::Board::default()
            }
        }
    };
}

pub(crate) use numbers;

/// Game on codes, for slow solvers without code of this crate.
impl<K: KeyCode> Game for Solvable<K> {
    type State = K;
    type Move = u32;

    fn start(&self) -> K {
        self.start()
    }
    fn turn(&self, &state: &K) -> Player {
        self.turn(state)
    }
    fn outcome(&self, &state: &K) -> Option<Outcome> {
        self.outcome(state)
    }
    fn moves_into(&self, &state: &K, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend(0..self.move_count(state));
    }
    fn play(&self, state: &mut K, m: u32) {
        *state = self.after(*state, m);
    }
}

/// Variants of the game: as it is, and without its tiers, its index and taking moves back. Solvers
/// store and find the positions of each variant in another way.
pub(crate) fn ways<K: KeyCode>(rules: &Solvable<K>) -> Vec<Solvable<K>> {
    let mut ways = vec![rules.clone()];
    let mut also = |capability, has| {
        if has {
            ways.extend(ways.clone().into_iter().map(|way| way.without(capability)));
        }
    };
    also(Capability::Tiered, rules.has_tiers());
    also(Capability::Indexed, rules.index_len().is_some());
    also(Capability::Retrograde, rules.has_parents());
    ways
}

/// All variants of [`ways`], each with and, where possible, without reduction by symmetry.
pub(crate) fn cases<K: KeyCode>(rules: &Solvable<K>) -> impl Iterator<Item = (Solvable<K>, bool)> {
    ways(rules)
        .into_iter()
        .flat_map(|rules| both(&rules).iter().map(move |&symmetry| (rules.clone(), symmetry)))
}

/// Solution from the start.
pub(crate) fn solved<K: KeyCode>(rules: &Solvable<K>, symmetry: bool) -> Solution<K> {
    let options = Options { symmetry, ..Options::default() };
    solve(rules, rules.start(), options, &()).unwrap().done().unwrap()
}

/// Values of the option `symmetry` to test: both if the game can be reduced.
pub(crate) fn both<K: KeyCode>(rules: &Solvable<K>) -> &'static [bool] {
    if Reduction::of(rules, rules.start()).is_ok() { &[false, true] } else { &[false] }
}

/// Watch that says stop at every call after the first few.
pub(crate) struct StopAfter(AtomicU64);

impl StopAfter {
    pub(crate) fn new(calls: u64) -> Self {
        StopAfter(AtomicU64::new(calls))
    }
}

impl Watch for StopAfter {
    fn stop(&self) -> bool {
        self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
    }
}
