//! One game of each family, position by position, as a person last read it.
//!
//! After a change that is meant, `INSTA_UPDATE=always cargo test -p treegauge-catalog transcripts`
//! writes the new texts; read them, with the rules of the game beside.

use std::fmt::Write;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_catalog::{DynPosition, FAMILIES, GameSpec, open};
use treegauge_core::below;

/// The greatest length of a transcript: the rest of a longer game shows nothing new.
const PLIES_MAX: u32 = 150;

/// A game of uniformly random moves.
fn transcript(name: &str) -> String {
    let spec = GameSpec::parse(name).unwrap_or_else(|error| panic!("{error}"));
    let game = open(&spec).unwrap_or_else(|error| panic!("{error}"));
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut position = game.start();
    let mut text = format!("{name}\n\n{}\n", position.drawing());
    line(&mut text, 0, "", &*position);
    for ply in 1..=PLIES_MAX {
        let moves = position.moves();
        let Some(count) = u32::try_from(moves.len()).ok().filter(|&count| count > 0) else { break };
        let chosen = &moves[below(&mut rng, count) as usize];
        position.play(chosen).expect("a listed move can be played");
        line(&mut text, ply, chosen, &*position);
    }
    match position.ended() {
        Some(ended) => {
            let winner = ended.outcome.winner().map(|player| format!("{player} wins"));
            let result = winner.unwrap_or_else(|| "nobody wins".to_owned());
            let _ = writeln!(text, "\nended by {}: {result}", ended.by);
        }
        None => text.push_str("\nnot ended yet\n"),
    }
    let _ = write!(text, "\n{}", position.drawing());
    text
}

/// The ply, the move that was made, and the position after it with its score and its moves.
fn line(text: &mut String, ply: u32, m: &str, position: &dyn DynPosition) {
    let margin = position.margin().map_or(String::new(), |margin| format!("  {margin:+}"));
    let moves = position.moves().len();
    let _ = writeln!(text, "{ply:>3}  {m:<9} {}{margin}  {moves} moves", position.text());
}

#[test]
fn one_game_of_each_family_is_as_it_was() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../testdata/transcripts");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description("a game of uniformly random moves, by crates/catalog/tests");
    settings.set_omit_expression(true);
    settings.bind(|| {
        for family in FAMILIES {
            insta::assert_snapshot!(family.name, transcript(family.name));
        }
    });
}
