//! Games whose rules are the same for both players: each position is played in the same way when
//! the board is rotated or reflected and the players are exchanged.

use std::collections::BTreeSet;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Outcome, Plies, uniform_below};

use super::generated::generated;
use super::{program, programs};
use crate::board::Site;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::identity::{Sides, sides};
use crate::state::{BoardWord, State};
use crate::statics;
use crate::symmetry::mapped;
use crate::tree::{Owner, Program};

/// Plays random games and compares each position with the exchanged one.
struct Exchange {
    image: Vec<Site>,
}

/// Visible part of a state: pieces on the board, hands, side to move, and result.
type Seen = (Vec<Vec<u32>>, [[u8; 4]; 2], usize, Option<i8>);

impl Exchange {
    /// Position with the pieces of the players exchanged and the board mapped by the image.
    fn exchanged<W: BoardWord>(&self, state: &State<W>) -> State<W> {
        let map = |plane: W| mapped(plane, &self.image);
        let mut other = *state;
        other.owners = other.owners.map(map);
        other.kinds = other.kinds.map(map);
        other.owners.swap(0, 1);
        let rest = &mut other.rest;
        rest.hands.swap(0, 1);
        rest.score.swap(0, 1);
        rest.last = rest.last.map(|site| match site {
            0 => 0,
            site => self.image[usize::from(site) - 1] + 1,
        });
        rest.last.swap(0, 1);
        rest.turn = rest.turn.other();
        rest.result = rest.result.map(|outcome| match outcome {
            Outcome::FirstWins => Outcome::SecondWins,
            Outcome::SecondWins => Outcome::FirstWins,
            Outcome::Draw => Outcome::Draw,
        });
        other
    }

    /// Positions after every legal move.
    fn after<W: BoardWord, M: MoveBits>(
        &self,
        game: &TextRules<W, M>,
        state: &State<W>,
        seen: impl Fn(&State<W>) -> State<W>,
    ) -> BTreeSet<Seen> {
        let mut moves = Vec::new();
        game.moves_into(state, &mut moves);
        let after = |&m: &M| {
            let mut after = *state;
            game.code.play(&mut after, m.bits());
            let after = seen(&after);
            let planes = after.owners.iter().chain(&after.kinds);
            let planes = planes.map(|plane| plane.ones().collect()).collect();
            let rest = after.rest;
            (planes, rest.hands, rest.turn.index(), rest.result.map(|result| result.value() as i8))
        };
        moves.iter().map(after).collect()
    }
}

impl RulesVisitor for Exchange {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        for _ in 0..2 {
            let mut state = game.start();
            for _ in 0..25 {
                let outcome = game.outcome(&state);
                // The first plies may differ because of `swap` and `opening`.
                let begins = u32::from(state.rest.plies) < game.program().memory.plies;
                if !begins && game.move_count(&state) <= 100 {
                    let other = self.exchanged(&state);
                    let at = format!("{}: {:?}", game.program().normal, game.position(&state));
                    let turned = outcome.map(|outcome| -outcome.value());
                    assert_eq!(game.outcome(&other).map(|outcome| outcome.value()), turned, "{at}");
                    if outcome.is_none() {
                        let here = self.after(&game, &state, |after| self.exchanged(after));
                        assert_eq!(here, self.after(&game, &other, |after| *after), "{at}");
                    }
                }
                if outcome.is_some() {
                    break;
                }
                let n = uniform_below(&mut rng, game.move_count(&state));
                let m = game.nth_move(&state, n, &mut Vec::new());
                game.code.play(&mut state, m.bits());
            }
        }
    }
}

/// Tests whether the rules of a program are the same for both players. Checks that its games are,
/// too.
fn is_same(program: &Arc<Program>) -> bool {
    let Sides::Same(image) = sides(program) else { return false };
    // Turns are stored by index, and pits and kinds of a single player have other indices when
    // exchanged.
    let is_plain = program.turns.is_none()
        && !program.board.is_pits()
        && program.kinds.iter().all(|kind| !matches!(kind.owner, Owner::Only(_)));
    if let Some(image) = image.filter(|_| is_plain) {
        visit(program, Plies(1_000), Exchange { image });
    }
    true
}

#[test]
fn games_that_are_the_same_for_both_players_are_played_so() {
    let differ: Vec<String> = programs()
        .into_iter()
        .filter(|(_, program)| !is_same(program))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(differ, ["mnk_options"]);
    let (mut same, mut others) = (0, 0);
    generated(24, 150, |_, _, program| match is_same(&Arc::new(program)) {
        true => same += 1,
        false => others += 1,
    });
    assert!(same > 60 && others > 10, "{same} are the same for both, {others} are not");
}

/// Place and sections of the warning W11 about a text, as line, column and names.
fn said(source: &str) -> Option<String> {
    let warnings = statics(&program(source));
    let found = warnings.iter().find(|warning| warning.code == "W11")?;
    assert!(found.remark);
    let (_, what) = found.message.split_once("makes what ").unwrap();
    let (sections, _) = what.split_once(" say").unwrap();
    Some(format!("{}:{} {sections}", found.place.line, found.place.column))
}

#[test]
fn rules_that_differ_for_the_players_are_a_remark() {
    let game = |pieces: &str, start: &str, play: &str, end: &str| {
        format!(
            "(game \"T\" (board (grid 5 6))\n{pieces}\n(start {start})\n(play {play})\n(end {end}))"
        )
    };
    let men = "(pieces (man each))";
    let home = "(put each (home 1))";
    let far = "(if (in to (far 1)) (win mover))";
    let step = "(step man forward (to (or empty theirs)))";
    let same = |source: &str| assert_eq!(said(source), None, "{source}");
    same(&game(men, home, step, far));
    // The same rules worded for each player, with directions and sites by name.
    let of_each = "(if (is mover first) (step man n) (step man s))";
    same(&game(men, home, of_each, far));
    let rows = "(if (and (is mover first) (in to (row 6))) (win mover)) \
                (if (and (is mover second) (in to (row 1))) (win first) )";
    assert_eq!(said(&game(men, home, step, rows)).unwrap(), "5:1 `end`");
    same(&game(men, home, step, &rows.replace("(win first)", "(win mover)")));
    // Pieces in opposite corners match under a half turn but not under a reflection.
    let corners = "(put first (sites a1 b1)) (put second (sites e6 d6))";
    same(&game(men, corners, "(step man (or ne e))", "(stuck draw)").replace("(or ne e)", "all"));
    let skew = "(put first (sites a1 b1)) (put second (sites e6 d5))";
    assert_eq!(said(&game(men, skew, "(step man all)", "(stuck draw)")).unwrap(), "3:1 `start`");
    // A named direction is the same for both players only if a half turn preserves it.
    let apart = "(put first (sites a1)) (put second (sites a6))";
    let east = game(men, apart, "(step man e)", "(stuck draw)");
    same(&east);
    let north = game(men, home, "(step man n)", "(stuck draw)");
    assert_eq!(said(&north).unwrap(), "4:1 `play`");
    // Kinds of a single player, with equal and with different moves.
    let kinds = "(pieces (fox first) (dog second))";
    let start = "(put first fox (home 1)) (put second dog (home 1))";
    let play = "(or (step fox forward) (step dog forward))";
    same(&game(kinds, start, play, "(stuck draw)"));
    let hunt = "(or (step fox all) (step dog forward))";
    assert_eq!(said(&game(kinds, start, hunt, "(stuck draw)")).unwrap(), "4:1 `play`");
    let uneven = "(put first (sites a1)) (put second (home 1))";
    let ways = "(if (is mover first) (step man all) (step man forward))";
    let race = "(if (and (is mover first) (in to (far 1))) (win mover))";
    let stuck = "(stuck draw)";
    assert_eq!(said(&game(men, uneven, ways, stuck)).unwrap(), "3:1 `start` and `play`");
    assert_eq!(said(&game(men, uneven, ways, race)).unwrap(), "3:1 `start`, `play` and `end`");
    let hands = kinds.replace("(fox first)", "(fox first (hand 3))");
    let place = "(or (place fox) (place dog))";
    let end = "(if (makes (line 3)) (win mover)) (stuck draw)";
    assert_eq!(said(&game(&hands, start, place, end)).unwrap(), "2:1 `pieces`");
    // The player who begins does not matter, but the one who moves more often does.
    let turns = |turns: &str| {
        format!(
            "(game \"T\" (board (grid 5 5))\n(turns {turns}) (play (place)) (end (stuck draw)))"
        )
    };
    same(&turns("(opening first) (cycle second second first first)"));
    assert_eq!(said(&turns("(cycle first second second)")).unwrap(), "2:1 `turns`");
    // A drawn board has no known image: differences that do not depend on an image count.
    let drawn = |start: &str| {
        format!(
            "(game \"T\" (board (graph (line a b c) (line c d)))\n(start {start})
             (play (step all)) (end (stuck (lose mover))))"
        )
    };
    same(&drawn("(put first (sites a)) (put second (sites d))"));
    let two = drawn("(put first (sites a b)) (put second (sites d))");
    assert_eq!(said(&two).unwrap(), "2:1 `start`");
    // Pits lie opposite each other.
    let pits = |end: &str| {
        format!(
            "(game \"T\" (board (pits 3)) (start (seeds 3)) (play (sow (stores own)))\n(end {end} (stuck draw)))"
        )
    };
    same(&pits("(if (> (seeds store) 5) (win mover))"));
    let first = pits("(if (and (is mover first) (> (seeds store) 5)) (win mover))");
    assert_eq!(said(&first).unwrap(), "2:1 `end`");
}
