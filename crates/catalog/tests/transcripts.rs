//! One game of each family, position by position, and one of each game of the library, as a person
//! last read it.
//!
//! After a change that is meant, `INSTA_UPDATE=always cargo test -p treegauge-catalog transcripts`
//! writes the new texts; read them, with the rules of the game at hand.

use std::fmt::Write;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_catalog::{Entry, FAMILIES, GameSpec, Visitor, library};
use treegauge_core::{Ended, Keyed, Notation, Played, uniform_below};

/// The greatest length of a transcript: the rest of a longer game shows nothing new.
const PLIES_MAX: u32 = 150;

/// A game of uniformly random moves.
struct Transcript<'a>(&'a str);

impl Visitor for Transcript<'_> {
    type Output = String;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> String {
        let game = &entry.game;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut played = Played::start(game);
        let mut text = format!("{}\n\n{}\n", self.0, game.board_text(played.state()));
        let mut moves = line(&mut text, "", &entry, &played);
        for _ in 0..PLIES_MAX {
            let Some(count) = u32::try_from(moves.len()).ok().filter(|&count| count > 0) else {
                break;
            };
            let chosen = moves[uniform_below(&mut rng, count) as usize];
            let words = game.move_text(played.state(), chosen);
            assert_eq!(game.parse_move(played.state(), &words).ok(), Some(chosen), "{words}");
            played.play(game, chosen);
            moves = line(&mut text, &words, &entry, &played);
        }
        text.push_str(&end_words(played.ended(game)));
        let _ = write!(text, "\n{}", game.board_text(played.state()));
        text
    }
}

/// Writes the ply, the move that was made, and the position after it with its score and the number
/// of its moves, which are returned.
fn line<G: Notation + Keyed>(
    text: &mut String,
    m: &str,
    entry: &Entry<G>,
    played: &Played<G>,
) -> Vec<G::Move> {
    let (game, state) = (&entry.game, played.state());
    let mut moves = Vec::new();
    if played.ended(game).is_none() {
        game.moves_into(state, &mut moves);
    }
    let margin = entry.margin(state).map_or(String::new(), |margin| format!("  {margin:+}"));
    let (ply, position) = (played.ply().0, game.position_text(state));
    let _ = writeln!(text, "{ply:>3}  {m:<9} {position}{margin}  {} moves", moves.len());
    moves
}

fn transcript(name: &str) -> String {
    let spec = GameSpec::parse(name).unwrap_or_else(|error| panic!("{error}"));
    spec.with_built_in_game(Transcript(name)).unwrap_or_else(|error| panic!("{error}"))
}

/// End of a game in a line of its own.
fn end_words(ended: Option<Ended>) -> String {
    let Some(ended) = ended else { return "\nnot ended yet\n".to_owned() };
    let winner = ended.outcome.winner().map(|player| format!("{player} wins"));
    let result = winner.unwrap_or_else(|| "nobody wins".to_owned());
    format!("\nended by {}: {result}\n", ended.by)
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

/// Greatest length of a game of the library.
const LIBRARY_PLIES_MAX: u32 = 24;

/// The beginning of a game of uniformly random moves: the moves, with the number of choices of each,
/// and the last position.
struct Beginning;

impl Visitor for Beginning {
    type Output = String;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> String {
        let game = &entry.game;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let mut played = Played::start(game);
        let (mut text, mut moves) = (String::new(), Vec::new());
        for _ in 0..LIBRARY_PLIES_MAX {
            if played.ended(game).is_some() {
                break;
            }
            game.moves_into(played.state(), &mut moves);
            let count = u32::try_from(moves.len()).expect("a list of moves is short");
            let chosen = moves[uniform_below(&mut rng, count) as usize];
            let _ = write!(text, "{} ({count}) ", game.move_text(played.state(), chosen));
            played.play(game, chosen);
        }
        let _ = writeln!(text, "\n\n{}", game.board_text(played.state()).trim_end());
        text.push_str(&end_words(played.ended(game)));
        text
    }
}

#[test]
fn one_game_of_each_game_of_the_library_is_as_it_was() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../testdata/transcripts/library");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_description("the beginning of a game of uniformly random moves");
    settings.set_omit_expression(true);
    settings.bind(|| {
        for game in library() {
            let spec = GameSpec::parse(game.name).unwrap_or_else(|error| panic!("{error}"));
            insta::assert_snapshot!(game.name, spec.with_game(Beginning).unwrap());
        }
    });
}
