use treegauge_core::perft;

use super::*;
use crate::GameSpec;

/// Heap from which players take 1 to `take`; who takes the last wins.
struct Heap {
    take: u32,
}

#[derive(Clone, Copy)]
struct At {
    left: u32,
    take: u32,
    turn: Player,
}

impl At {
    fn reached(self) -> Reached {
        let outcome = (self.left == 0).then(|| Outcome::win_of(self.turn.other()));
        let actions = (1..=self.take.min(self.left)).collect();
        Reached { position: Box::new(self), turn: self.turn, outcome, actions }
    }

    fn play(&mut self, action: u32) {
        self.left -= action;
        self.turn = self.turn.other();
    }
}

impl ExternalRules for Heap {
    fn action_count(&self) -> u32 {
        self.take + 1
    }

    fn start(&self) -> Reached {
        At { left: 7, take: self.take, turn: Player::First }.reached()
    }
}

impl ExternalPosition for At {
    fn after(&self, action: u32) -> Reached {
        let mut next = *self;
        next.play(action);
        next.reached()
    }

    fn action_text(&self, action: u32) -> String {
        format!("take{action}")
    }

    fn text(&self) -> String {
        format!("{} left", self.left)
    }

    fn playout(
        &self,
        plies_max: u32,
        choose: &mut dyn FnMut(u32) -> u32,
    ) -> (u32, Option<Outcome>) {
        let mut at = *self;
        for plies in 0..=plies_max {
            let Reached { outcome, actions, .. } = at.reached();
            if outcome.is_some() || plies == plies_max {
                return (plies, outcome);
            }
            at.play(actions[choose(actions.len() as u32) as usize]);
        }
        unreachable!("the last ply returns");
    }
}

/// Leaf counts, and texts of a line of play.
struct Facts;

impl Visitor for Facts {
    type Output = (Vec<u64>, String, bool);

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let game = entry.game;
        let mut state = game.start();
        for text in ["take3", "TAKE1"] {
            let m = game.parse_move(&state, text).unwrap();
            game.play(&mut state, m);
        }
        let position = game.position_text(&state);
        let is_same = game.parse_position(&position).unwrap() == state;
        let refused = game.parse_position("3.9").is_err() && game.parse_position("x").is_err();
        let mut ended = state.clone();
        let mut rng = rand_xoshiro::rand_core::SeedableRng::seed_from_u64(1);
        let rng: &mut rand_xoshiro::Xoshiro256PlusPlus = &mut rng;
        let playout = game.playout(&mut ended, PlayoutLimits::of(&game), rng);
        // Three are left: one to three plies.
        let is_short = (1..=3).contains(&playout.plies.0) && !playout.capped;
        let counts = perft(&game, &game.start(), 3);
        (counts, position, is_same && refused && is_short)
    }
}

#[test]
fn a_registered_game_is_played_by_its_text() {
    let text = register_external("heap", "d1", Arc::new(Heap { take: 3 }));
    assert_eq!(text, "external(name=heap,digest=d1)");
    let spec = GameSpec::parse(&text).unwrap();
    assert!(spec.is_external());
    assert_eq!(spec.canonical(), text);
    // The two players take 2 to 6 of 7: 3 + 2 x 3 + 3 x 3 + 2 x 2 + 1 moves are left.
    let expected = (vec![3, 9, 23], "3.1".to_owned(), true);
    let (counts, position, holds) = spec.with_game(Facts).unwrap();
    assert_eq!((counts, position, holds), expected);
    assert_eq!(spec.with_game(Facts).unwrap(), expected);
}

#[test]
fn a_game_that_is_not_registered_is_refused() {
    let spec = GameSpec::parse("external(name=nobody,digest=d1)").unwrap();
    let refused = spec.with_game(Facts).unwrap_err().to_string();
    assert!(refused.contains("not in this process"), "{refused}");
    assert!(spec.with_built_in_game(Facts).is_err());
    assert!(GameSpec::parse("external(name=nobody)").is_err());
}
