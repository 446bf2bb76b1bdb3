//! Words about how moves are written, against the moves of random games.

use std::collections::BTreeSet;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Notation, Plies, uniform_below};

use super::library::library_programs;
use super::{library_program, programs};
use crate::Program;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::state::BoardWord;

/// Text of a move with a letter in place of every site, kind and number.
fn form(program: &Program, text: &str) -> String {
    let is_site = |name: &str| program.board.site(name).is_some();
    let part = |part: &str| match part {
        "swap" | "pass" => part.to_owned(),
        _ if program.board.is_pits() => "n".to_owned(),
        _ if part.contains('@') => "k@s".to_owned(),
        _ if is_site(part) => "s".to_owned(),
        _ if part.strip_prefix('x').is_some_and(is_site) => "xs".to_owned(),
        _ if part.contains('-') => "s-s".to_owned(),
        _ => "sxs".to_owned(),
    };
    text.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Forms of the moves of a few random games.
struct Forms<'p>(&'p Program);

impl RulesVisitor for Forms<'_> {
    type Output = BTreeSet<String>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> BTreeSet<String> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        let (mut forms, mut moves) = (BTreeSet::new(), Vec::new());
        for _ in 0..8 {
            let mut state = game.start();
            for _ in 0..60 {
                if game.outcome(&state).is_some() {
                    break;
                }
                game.moves_into(&state, &mut moves);
                let m = moves[uniform_below(&mut rng, moves.len() as u32) as usize];
                forms.insert(form(self.0, &game.move_text(&state, m)));
                game.play(&mut state, m);
            }
        }
        forms
    }
}

#[test]
fn moves_of_every_game_have_the_form_of_an_example() {
    for (name, program) in programs().into_iter().chain(library_programs()) {
        let text = program.moves_text();
        let examples: Vec<String> =
            text.split('`').skip(1).step_by(2).map(|example| form(&program, example)).collect();
        for found in visit(&program, Plies(1_000), Forms(&program)) {
            // Later parts of a move may be left out.
            let is_like =
                |known: &String| *known == found || known.starts_with(&format!("{found}/"));
            assert!(examples.iter().any(is_like), "{name}: {found} is not in {text}");
        }
    }
}

#[test]
fn words_about_moves_are_short() {
    let of = |name: &str| library_program(name).moves_text();
    assert_eq!(
        of("konane"),
        "the cell of a piece taken off, `xa1`, or the cells of its path, `a1xa3xa5`"
    );
    assert_eq!(of("cram"), "its parts one after the other, `a1/b1`");
    assert_eq!(of("congkak"), "the number of the pit, `3`");
    assert_eq!(of("hex"), "the cell, `a1`, or `swap`");
    assert_eq!(of("anti_othello"), "the cell, `a1`, or `pass`");
    assert_eq!(of("order_and_chaos"), "the kind and the cell, `cross@a1`");
    assert_eq!(of("hexapawn"), "the cells left and entered, `a1-a2` or `a1xb2`");
    assert_eq!(of("sim"), "the edge, `ab`");
}
