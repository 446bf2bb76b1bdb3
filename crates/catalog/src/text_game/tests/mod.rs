mod agreement;
mod families;

use std::collections::BTreeSet;
use std::path::Path;

use agreement::{Pair, Pick, Written, agree};
use families::WRITTEN;

use treegauge_core::without_path;

use super::*;
use crate::GameSpec;
use crate::tests::Perft;

fn testdata() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
}

/// Text of `testdata`.
fn source(file: &str) -> String {
    let path = testdata().join("rules").join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Game of a text of `testdata`.
fn spec(text: &str) -> GameSpec {
    GameSpec::parse_with(text, &mut |file| Ok(source(file)))
        .unwrap_or_else(|error| panic!("{error}"))
}

/// Rows of the table: the text with its options, the built-in game, and the plies.
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

/// The board of drawn lines names its points by letters, row by row from the top.
const DRAWN_ACHI: Written = Written {
    game_move: |m| {
        let name = |point: char| {
            let n = u32::from(point) - u32::from('a');
            format!("{}{}", ['a', 'b', 'c'][n as usize % 3], 3 - n / 3)
        };
        m.chars().map(|c| if c.is_alphabetic() { name(c) } else { c.to_string() }).collect()
    },
    text_position: |position| position.replace('/', ""),
    ..Written::ALIKE
};

#[test]
fn a_text_of_a_built_in_game_goes_on_as_it_does() {
    let mut families = BTreeSet::new();
    for (text, game, _) in rows() {
        let family = GameSpec::parse(&game).unwrap().family().name;
        families.insert(family);
        let known = WRITTEN.iter().find(|(name, _)| *name == family);
        let (_, written) = known.unwrap_or_else(|| panic!("{family} is missing"));
        let written = if text == "graph.rules" { &DRAWN_ACHI } else { written };
        let pair = Pair { game, text: Some(spec(&text)), from: None };
        for seed in 0..20 {
            agree(&pair, written, &mut Pick::new(seed));
        }
    }
    assert_eq!(families.len(), WRITTEN.len());
}

#[test]
fn a_text_is_named_by_its_title_digest_and_options() {
    let plain = spec("mnk_options.rules");
    let (text, name) = (plain.to_string(), plain.canonical());
    assert_eq!(text, "mnk_options.rules");
    let digest = plain.digest().unwrap();
    assert_eq!(name, format!("rules(title=lame_misere,digest={digest:016x})"));
    let wide = spec("mnk_options.rules( width=5, ply_cap=77)");
    assert_eq!(wide.to_string(), "mnk_options.rules(width=5,ply_cap=77)");
    assert!(wide.canonical().ends_with(",width=5,ply_cap=77)"), "{}", wide.canonical());
    assert_eq!(spec("rules(file=mnk_options.rules,width=4)").canonical(), name);
    // With the path the name opens the same game.
    for game in [&plain, &wide] {
        let (canonical, path) = (game.canonical(), game.canonical_with_path());
        assert_eq!(path, with_path(&canonical, "mnk_options.rules"));
        assert_eq!(without_path(&path), canonical);
        let again = spec(&path);
        assert_eq!((again.canonical(), again.canonical_with_path()), (canonical, path));
    }
    // A name can be parsed even if the text cannot be read; then the game cannot be used.
    let unread = GameSpec::parse(&name).unwrap();
    assert_eq!((unread.canonical(), unread.to_string()), (name.clone(), name.clone()));
    assert!(matches!(unread.with_game(Perft(1)), Err(SpecError::Unreadable { .. })));
    let mut open = |_: &str| panic!("there is no path to open");
    assert_eq!(
        GameSpec::parse_with(&name, &mut open).unwrap_err(),
        SpecError::NoPath { game: "lame_misere".to_owned() }
    );
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
    assert!(said("bad.rules").contains("bad.rules:2:3: unknown section `bord`"));
    assert_eq!(
        said("good.rules(widht=5)"),
        "good.rules has no option `widht`; did you mean `width`?"
    );
    assert_eq!(
        said("good.rules(width=50)"),
        "the option `width` of good.rules cannot be 50: it takes 1 to 19"
    );
    assert!(said("good.rules(digest=1)").contains("has changed since it was recorded"));
    assert!(said("good.rules(title=chess)").contains("has changed since it was recorded"));
    assert!(said("rules(title=chess,digest=1)").contains("write the path of its file instead"));
    assert!(said("good.rules(width=x)").contains("a whole number"));
    assert!(said("rules(width=3)").contains("file"));
    assert!(said("good.rules(width=3").contains("not closed"));
}
