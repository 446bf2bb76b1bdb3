//! Positions that no game reaches: what is found at once for all sites, or remembered from ply to
//! ply, holds there, too.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Outcome, Player, Playout, PlayoutLimits, Plies, uniform_below};

use super::agreement::Agree;
use super::library::{library_programs, program as library_program};
use super::{program, programs, texts};
use crate::fast::{Moment, run_general};
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::reference::Reference;
use crate::state::{BoardWord, State};
use crate::tree::{Owner, Program};

/// State of random pieces on random sites; `full` of ten sites are occupied.
fn scattered<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    full: u32,
    rng: &mut Xoshiro256PlusPlus,
) -> State<W> {
    let program = game.program();
    let mut position = program.start_position();
    let mut pieces = Vec::new();
    for (kind, of) in program.kinds.iter().enumerate() {
        match of.owner {
            Owner::Neutral => pieces.push((None, kind as u8)),
            Owner::Only(player) => pieces.push((Some(player), kind as u8)),
            Owner::Each => pieces.extend(Player::BOTH.map(|player| (Some(player), kind as u8))),
        }
    }
    for site in program.board.sites() {
        let is_full = uniform_below(rng, 10) < full;
        let piece = pieces[uniform_below(rng, pieces.len() as u32) as usize];
        position.pieces[site as usize] = is_full.then_some(piece);
    }
    position.turn = Player::BOTH[uniform_below(rng, 2) as usize];
    game.state(&position)
}

/// Compares the moves of scattered positions with those of the reference.
struct Scattered<'a> {
    name: &'a str,
    positions: u32,
}

impl RulesVisitor for Scattered<'_> {
    type Output = u32;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> u32 {
        let slow = Reference::new(game.program().clone());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
        let name = self.name;
        let agree = Agree { name, games: 0, plies: 0, seed: 0, moves_max: u32::MAX };
        let mut moves = 0;
        for n in 0..self.positions {
            let state = scattered(&game, 2 + n % 8, &mut rng);
            moves += agree.compare(&game, &slow, &state, &mut |_, _| {});
        }
        moves
    }
}

fn agrees_anywhere(name: &str, program: &Arc<Program>, positions: u32) {
    let moves = visit(program, Plies(1_000), Scattered { name, positions });
    assert!(moves > 0, "{name} has no moves in these positions");
}

/// Stones whose groups must keep a liberty; the second text captures groups without one.
const LIBERTIES: [&str; 2] = [
    "(game \"N\" (board BOARD)
        (play (place (only-if (and (none (enclosed mine)) (none (enclosed theirs))))))
        (end (stuck (lose mover))))",
    "(game \"C\" (board BOARD)
        (play (place (then (capture (enclosed theirs))) (only-if (none (enclosed mine)))))
        (end (if (> (count taken) 2) (win mover)) (stuck (lose mover))) (limits (cap 40)))",
];

#[test]
fn groups_without_liberties_are_judged_by_the_rules() {
    for name in ["nogo(size=3)", "nogo(size=9)", "atari_go(size=4)"] {
        agrees_anywhere(name, &library_program(name), if name.contains('9') { 8 } else { 80 });
    }
    for board in [
        "(grid 4 4)",
        "(hexagon 3)",
        "(rings 2)",
        "(grid 4 5 (wrap columns))",
        "(grid 2 6 (wrap both))",
        "(graph (line a b c d) (line a c e))",
    ] {
        for text in LIBERTIES {
            let text = text.replace("BOARD", board);
            agrees_anywhere(&text, &program(&text), 80);
        }
    }
}

#[test]
fn conditions_on_neighbours_hold_wherever_pieces_stand() {
    for name in ["gopher(size=3)", "gopher(size=4)", "crossway(size=4)", "crossway(size=12)"] {
        agrees_anywhere(name, &library_program(name), if name.contains("12") { 4 } else { 60 });
    }
    let text = "(game \"N\" (board BOARD) (pieces (stone each) (post neutral))
        (play (or (place stone (only-if COND)) (place post (only-if (not COND)))))
        (end (stuck draw)))";
    let anywhere = [
        "(> (count (and theirs (next to))) 2)",
        "(in (and occupied (next to)) theirs)",
        "(and (< (count (and mine (next to))) 2) (not (some (and (piece post) (next to)))))",
    ];
    let on_grids = [
        "(<= (count (next to orthogonal)) 3)",
        "(= (count (and (not mine) (next to forward))) 0)",
        "(in (next to diagonal) (or empty (piece post)))",
        "(or (some (and mine (row 1) (next to))) (none (and (next to) theirs)))",
        "(some (next to w))",
    ];
    for board in ["(grid 4 4)", "(grid 3 4 (wrap columns))", "(hexagon 2)", "(rings 2)"] {
        let more = if board.contains("grid") { &on_grids[..] } else { &[] };
        for cond in anywhere.iter().chain(more) {
            let text = text.replace("COND", cond).replace("BOARD", board);
            agrees_anywhere(&text, &program(&text), 40);
        }
    }
}

/// Amazons on a board of twenty cells.
const AMAZONS: &str = "(game \"A\" (board (grid 4 5)) (pieces (amazon each) (arrow neutral))
    (start (put first amazon (sites a1)) (put second amazon (sites d5)))
    (play (seq (slide amazon all) (place arrow (to (rays to all)))))
    (end (stuck (lose mover))))";

/// Whether moves of a game are counted as slides with a shot.
struct HasShots;

impl RulesVisitor for HasShots {
    type Output = bool;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> bool {
        game.code.shots.is_some()
    }
}

#[test]
fn slides_with_a_shot_agree_wherever_pieces_stand() {
    for (old, new, shoots) in [
        ("all", "all", true),
        ("(slide amazon all)", "(slide amazon all (at-most 2))", true),
        ("(slide amazon all)", "(slide amazon forward)", true),
        ("(slide amazon all)", "(slide amazon orthogonal)", true),
        ("(arrow neutral)", "(arrow each)", true),
        ("(grid 4 5)", "(grid 4 5 (holes b3 c2))", true),
        ("(grid 4 5)", "(grid 9 8)", true),
        ("(rays to all)", "(rays to orthogonal)", false),
        ("(rays to all)", "(rays to forward)", false),
        ("(grid 4 5)", "(grid 4 5 (wrap columns))", false),
        ("(slide amazon all)", "(slide amazon all (then (put neutral arrow from)))", false),
        ("(to (rays to all))", "(to (and (rays to all) (not edges)))", false),
    ] {
        let text = AMAZONS.replacen(old, new, 1);
        let program = program(&text);
        assert_eq!(visit(&program, Plies(1_000), HasShots), shoots, "{text}");
        agrees_anywhere(&text, &program, if new.contains('9') { 2 } else { 12 });
        visit(&program, Plies(1_000), PlaysPlainly { name: &text });
    }
}

#[test]
fn chains_agree_wherever_pieces_stand() {
    agrees_anywhere("konane(size=6)", &library_program("konane(size=6)"), 20);
    let halma = texts("rules").into_iter().find(|(name, _)| name == "halma_small");
    let (_, text) = halma.expect("the text is there");
    for over in ["occupied", "mine", "theirs"] {
        let text = text.replace("(over occupied)", &format!("(over {over})"));
        agrees_anywhere(&text, &program(&text), 24);
    }
}

/// The loop of random games as the language defines it: the moves of each ply are counted, one is
/// found, and it is played.
fn played_plainly<W: BoardWord, M: MoveBits>(
    game: &TextRules<W, M>,
    state: &mut State<W>,
    limits: PlayoutLimits,
    rng: &mut Xoshiro256PlusPlus,
) -> Playout {
    let code = &game.code;
    let (mut plies, mut quiet) = (0, limits.quiet.0);
    loop {
        let ended = |outcome: Outcome, capped| Playout { outcome, plies: Plies(plies), capped };
        if let Some(outcome) = state.rest.result {
            return ended(outcome, false);
        }
        let now = Moment::before(state, state.rest.turn);
        let count = code.count(&now);
        if count == 0
            && let Some(outcome) = code.stuck(state)
        {
            return ended(outcome, false);
        }
        if game.draw_plies().is_some_and(|limit| quiet >= limit.0) {
            return ended(code.settle_quiet(state), false);
        }
        if plies >= limits.plies_left.0 {
            return ended(Outcome::Draw, true);
        }
        let n = if count > 1 { uniform_below(rng, count) } else { 0 };
        let m = if count == 0 { crate::fast::PASS } else { code.nth(&now, n).expect("it exists") };
        let progress = code.play(state, m);
        quiet = if progress || !code.cyclic { 0 } else { quiet + 1 };
        plies += 1;
    }
}

/// Compares random games of the general loop with those of the plain one.
struct PlaysPlainly<'a> {
    name: &'a str,
}

impl RulesVisitor for PlaysPlainly<'_> {
    type Output = ();

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
        let moves = game.move_count(&game.start());
        let most = Plies((4_000 / moves).clamp(6, 150));
        for n in 0..4 {
            // Later games begin in positions that no game reaches, where a side may have won.
            let begin = if n == 0 || game.code.pits > 0 {
                game.start()
            } else {
                scattered(&game, 2 * n, &mut rng)
            };
            let limits = PlayoutLimits::new(most, Plies(0));
            let (mut fast, mut plain) = (begin, begin);
            let mut copy = rng.clone();
            let found = run_general(&game.code, &mut fast, limits, &mut rng);
            let wanted = played_plainly(&game, &mut plain, limits, &mut copy);
            let at = format!("{}: {:?}", self.name, game.position(&begin));
            assert_eq!(fast, plain, "{at}");
            assert_eq!(
                (found.outcome, found.plies, found.capped),
                (wanted.outcome, wanted.plies, wanted.capped),
                "{at}"
            );
            assert_eq!(rng, copy, "the same numbers are drawn: {at}");
        }
    }
}

#[test]
fn the_general_loop_plays_the_games_of_the_plain_one() {
    for (name, program) in programs().into_iter().chain(library_programs()) {
        visit(&program, Plies(1_000), PlaysPlainly { name: &name });
    }
}

#[test]
fn letters_of_a_text_stand_for_its_pieces() {
    let symbols = |kinds: &str| -> String {
        let source = format!(
            "(game \"L\" (board (grid 3 3)) (pieces {kinds}) (play (place)) (end (stuck draw)))"
        );
        program(&source).symbols().into_iter().collect()
    };
    assert_eq!(symbols("(ess neutral (letter s)) (oh neutral (letter o))"), "SO");
    assert_eq!(symbols("(man each) (king each (letter k)) (wall neutral)"), "xK#");
    assert_eq!(symbols("(man each) (elk each) (king each) (ox each (letter k))"), "xXIK");
    assert_eq!(symbols("(wall neutral) (kite neutral (letter w)) (man each)"), "AWx");
    // The letters of the second player are small.
    let program = program(
        "(game \"L\" (board (grid 3 1)) (pieces (man each (letter m))) (start (put first man (sites a1))
         (put second man (sites c1))) (play (step man all)) (end (stuck draw)))",
    );
    let mut text = String::new();
    program.write_position(&program.start_position(), &mut text).unwrap();
    assert!(text.starts_with("M.m "), "{text}");
    assert_eq!(program.parse_position(&text).unwrap(), program.start_position());
}
