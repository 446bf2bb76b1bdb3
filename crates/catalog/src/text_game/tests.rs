use std::path::Path;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_core::{Keyed, Notation, Outcome, perft, uniform_below};

use super::*;
use crate::GameSpec;
use crate::tests::Perft;

fn testdata() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// A game of a text of `testdata`.
fn spec(text: &str) -> GameSpec {
    GameSpec::parse_with(text, &mut |file| {
        std::fs::read_to_string(testdata().join("rules").join(file)).map_err(|e| e.to_string())
    })
    .unwrap_or_else(|error| panic!("{error}"))
}

/// The rows of the table: the text with its options, the built-in game, and the plies.
fn rows() -> Vec<(String, String, usize)> {
    let table = std::fs::read_to_string(testdata().join("rules.tsv")).unwrap();
    let rows = table.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [text, options, game, plies] =
            line.split('\t').collect::<Vec<_>>().try_into().expect("four columns");
        let text = match options {
            "-" => format!("{text}.rules"),
            options => format!("{text}.rules({options})"),
        };
        (text, game.to_owned(), plies.parse().unwrap())
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() >= 24);
    rows
}

#[test]
fn a_text_of_a_built_in_game_has_its_counts() {
    for (text, game, plies) in rows() {
        let expected = GameSpec::parse(&game).unwrap().with_game(Perft(plies)).unwrap();
        assert_eq!(spec(&text).with_game(Perft(plies)).unwrap(), expected, "{text} and {game}");
    }
}

/// A random game: at each ply the number of moves and of replies, and the result at the end.
///
/// Which move is played follows from the counts after each, so that the order of moves and how they
/// are written do not matter.
struct Walk(u64);

impl Visitor for Walk {
    type Output = (Vec<Vec<u64>>, Option<Outcome>);

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let game = &entry.game;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(self.0);
        let mut state = game.start();
        let mut plies = Vec::new();
        for _ in 0..120 {
            if let Some(outcome) = game.outcome(&state) {
                return (plies, Some(outcome));
            }
            let mut moves = Vec::new();
            game.moves_into(&state, &mut moves);
            // Positions are told apart by what can follow: by counts two plies deep.
            let mut children: Vec<(Vec<u64>, G::State)> = moves
                .iter()
                .map(|&m| {
                    let mut child = state.clone();
                    game.play(&mut child, m);
                    let mut counts = perft(game, &child, 2);
                    counts.push(game.outcome(&child).map_or(9, |o| (o.value() + 1) as u64));
                    (counts, child)
                })
                .collect();
            children.sort_by(|a, b| a.0.cmp(&b.0));
            let counts: Vec<Vec<u64>> = children.iter().map(|(counts, _)| counts.clone()).collect();
            plies.push(counts.concat());
            // Of children that cannot be told apart none is played, where there are others.
            let alone = |n: &usize| counts.iter().filter(|c| **c == counts[*n]).count() == 1;
            let apart: Vec<usize> = (0..counts.len()).filter(alone).collect();
            if apart.is_empty() {
                return (plies, None);
            }
            let n = apart[uniform_below(&mut rng, apart.len() as u32) as usize];
            state = children.swap_remove(n).1;
        }
        (plies, None)
    }
}

#[test]
fn a_text_of_a_built_in_game_goes_on_as_it_does() {
    let mut far = 0;
    for (text, game, _) in rows() {
        // These have too many moves to be counted two plies deep at each ply.
        let many = ["qubic", "isola", "isolation_queen", "forms", "dots", "mnk.rules"];
        if many.iter().any(|n| text.starts_with(n)) && !text.starts_with("mnk.rules(") {
            continue;
        }
        for seed in 0..2 {
            let expected = GameSpec::parse(&game).unwrap().with_game(Walk(seed)).unwrap();
            far = far.max(expected.0.len());
            assert_eq!(spec(&text).with_game(Walk(seed)).unwrap(), expected, "{text} and {game}");
        }
    }
    assert!(far > 15, "no walk has come further than {far} plies");
}

#[test]
fn a_text_is_named_by_its_path_digest_and_options() {
    let plain = spec("mnk_options.rules");
    let (text, name) = (plain.to_string(), plain.canonical());
    assert_eq!(text, "mnk_options.rules");
    assert!(name.starts_with("rules(file=mnk_options.rules,digest="), "{name}");
    // The name leads back to the game.
    assert_eq!(spec(&name).canonical(), name);
    let wide = spec("mnk_options.rules( width=5, ply_cap=77)");
    assert_eq!(wide.to_string(), "mnk_options.rules(width=5,ply_cap=77)");
    assert!(wide.canonical().ends_with(",width=5,ply_cap=77)"), "{}", wide.canonical());
    assert_eq!(spec(&wide.canonical()).canonical(), wide.canonical());
    assert_eq!(spec("rules(file=mnk_options.rules,width=4)").canonical(), name);
    // A name can be read though the text cannot; then there is no game.
    let unread = GameSpec::parse(&name).unwrap();
    assert_eq!(unread.canonical(), name);
    assert!(matches!(unread.with_game(Perft(1)), Err(SpecError::Unreadable { .. })));
    assert!(matches!(plain.with_built_in_game(Perft(1)), Err(SpecError::Refused { .. })));
}

#[test]
fn what_is_wrong_with_a_text_is_said() {
    let said = |text: &str| {
        let open = &mut |file: &str| match file {
            "good.rules" => std::fs::read_to_string(testdata().join("rules/mnk_options.rules"))
                .map_err(|error| error.to_string()),
            "bad.rules" => {
                Ok("(game \"Bad\"\n (bord (grid 3 3)) (play (place)) (end (stuck draw)))"
                    .to_owned())
            }
            _ => Err("there is no such file".to_owned()),
        };
        GameSpec::parse_with(text, open).unwrap_err().to_string()
    };
    assert_eq!(said("none.rules"), "cannot read none.rules: there is no such file");
    assert!(said("bad.rules").contains("bad.rules:2:3: there is no section `bord`"));
    assert_eq!(
        said("good.rules(widht=5)"),
        "good.rules has no option `widht`; did you mean `width`?"
    );
    assert_eq!(
        said("good.rules(width=50)"),
        "the option `width` of good.rules cannot be 50: it takes 1 to 19"
    );
    assert!(said("good.rules(digest=1)").contains("has changed since it was recorded"));
    assert!(said("good.rules(width=x)").contains("a whole number"));
    assert!(said("rules(width=3)").contains("file"));
    assert!(said("good.rules(width=3").contains("not closed"));
}
