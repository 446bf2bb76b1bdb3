//! Names of games and evaluators as people write them, and the answers to those that are wrong.

use proptest::prelude::*;
use treegauge_core::{CallError, Keyed, Notation};
use treegauge_grammar::Error as GrammarError;

use super::{FAMILIES, any_game, any_value};
use crate::tests::Moves;
use crate::{Entry, GameSpec, SpecError, Visitor};

/// Game with one value for each parameter of its family, written in two ways. The first uses the
/// family's name with all parameters in a random order. The second uses any name, including those
/// of presets, with short names first and then the parameters that differ from what these set.
fn written_twice() -> impl Strategy<Value = (String, String)> {
    prop::sample::select(FAMILIES).prop_flat_map(|family| {
        let values: Vec<_> = family
            .all_parameters()
            .map(|p| {
                let default = Just(p.default.to_owned());
                prop_oneof![2 => default, 1 => any_value(p.values)]
                    .prop_map(move |value| (p.name, value))
            })
            .collect();
        let presets = family.presets.iter().map(|preset| (preset.name, preset.sets));
        let aliases = family.aliases.iter().map(|alias| (*alias, &[][..]));
        let names: Vec<_> = presets.chain(aliases).chain([(family.name, &[][..])]).collect();
        (values.prop_shuffle(), prop::sample::select(names), any::<bool>()).prop_map(
            move |(values, (name, sets), shortens)| {
                let list = |parts: Vec<String>| match parts.is_empty() {
                    true => String::new(),
                    false => format!("({})", parts.join(",")),
                };
                let one = values.iter().map(|(name, value)| format!("{name}={value}"));
                let one = format!("{}{}", family.name, list(one.collect()));
                let mut parts = Vec::new();
                let mut has: Vec<(&str, String)> =
                    family.all_parameters().map(|p| (p.name, p.default.to_owned())).collect();
                let mut set = |name: &str, value: &str| {
                    let of = has.iter_mut().find(|(known, _)| *known == name);
                    of.expect("it is a parameter").1 = value.to_owned();
                };
                sets.iter().for_each(|(name, value)| set(name, value));
                for (short, both) in family.both.iter().filter(|_| shortens) {
                    let value = &values.iter().find(|(name, _)| *name == both[0]).unwrap().1;
                    parts.push(format!("{short}={value}"));
                    both.iter().for_each(|name| set(name, value));
                }
                for (name, value) in &values {
                    if !has.contains(&(*name, value.clone())) {
                        parts.push(format!("{name}={value}"));
                    }
                }
                (one, format!("{name}{}", list(parts)))
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Checks that all spellings of a game have one canonical name, which is parsed to the same
    /// game.
    #[test]
    fn a_game_has_one_name((one, other) in written_twice()) {
        let [a, b] = [&one, &other].map(|text| GameSpec::parse(text).unwrap_or_else(|e| panic!("{text}: {e}")));
        prop_assert_eq!(a.args(), b.args(), "{} is {}", one, other);
        prop_assert_eq!(a.to_string(), b.to_string(), "{} is {}", one, other);
        let again = GameSpec::parse(&a.to_string()).unwrap();
        prop_assert_eq!((again.args(), again.to_string()), (a.args(), a.to_string()));
        prop_assert_eq!(again.written(), a.to_string(), "the name is written as it is");
    }

    /// Checks that different games have different canonical names.
    #[test]
    fn other_games_have_other_names(one in any_game(), other in any_game()) {
        let [a, b] = [&one, &other].map(|text| GameSpec::parse(text).unwrap());
        let same = a.family().name == b.family().name && a.args() == b.args();
        prop_assert_eq!(a.to_string() == b.to_string(), same, "{} and {}", one, other);
    }
}

/// Value of the start by each of the listed evaluators, or the error.
struct Evaluations<'a>(&'a [&'a str]);

impl Visitor for Evaluations<'_> {
    type Output = Vec<Result<f64, String>>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let value = |text: &&str| {
            let evaluator = entry.evaluator(text).map_err(|error| error.to_string())?;
            let value = evaluator.evaluate(&entry.game, &entry.game.start());
            Ok(f64::from(value) / evaluator.unit())
        };
        // Each evaluator works with its defaults.
        assert!(entry.evaluators().iter().all(|named| value(&named.name).is_ok()));
        self.0.iter().map(value).collect()
    }
}

#[test]
fn evaluators_are_read_by_name_with_their_parameters() {
    let values = |game: &str, texts: &[&str]| {
        GameSpec::parse(game).unwrap().with_built_in_game(Evaluations(texts)).unwrap()
    };
    let game = "isolation(starts=fixed)";
    // The knights on c4 and e4 are mirror images and share d2 and d6, which have 6 exits each.
    let good = ["improved_score", "open_move_score", "center_score", "custom_score_2(limit=1)"];
    assert_eq!(values(game, &good), [Ok(0.0), Ok(8.0), Ok(2.5), Ok(0.0)]);
    let f = ["custom_score", "custom_score(f=0)", "custom_score(f=0.5)", "custom_score(f=1)"];
    assert_eq!(values(game, &f), [Ok(1.5), Ok(1.5), Ok(0.75), Ok(0.0)]);
    assert_eq!(values(game, &["custom_score_3(limit=1)"]), [Ok(12.0)]);
    let said = |game, text| values(game, &[text])[0].clone().unwrap_err();
    assert_eq!(
        said("kalah", "improved_score"),
        "unknown evaluator \"improved_score\"; there are none"
    );
    assert_eq!(
        said(game, "custom_score_2(depth=3)"),
        "evaluator `custom_score_2` has no parameter \"depth\" (character 16); its only parameter is `limit`, as in `custom_score_2(limit=3)`"
    );
    assert_eq!(
        said(game, "custom_score_2(limit=0)"),
        "`limit` of evaluator `custom_score_2` cannot be \"0\" (character 22): it takes 1 to 16"
    );
    assert!(said(game, "custom_score_2(").starts_with("bad evaluator \"custom_score_2(\": "));
}

#[test]
fn another_file_is_not_taken_for_a_game() {
    let said = |text: &str| {
        let open = &mut |file: &str| match file {
            "notes.md" => Ok("A letter.".to_owned()),
            _ => Err("no such file".to_owned()),
        };
        GameSpec::parse_with(text, open).unwrap_err().to_string()
    };
    let expected = "\"notes.md\" is not a game: a file that describes one ends in `.rules`";
    assert_eq!(said("notes.md"), expected);
    let expected =
        "\"other.md\" is neither a game nor a file; a file that describes a game ends in `.rules`";
    assert_eq!(said("other.md(k=3)"), expected);
    assert!(said("two?").contains("is not a name"));
}

/// Checks that a name as it is printed is read, and that a famous game that is missing is answered
/// with the reason or with what there is instead.
#[test]
fn names_are_read_as_they_are_printed_and_famous_games_are_known() {
    let named = |text: &str| GameSpec::parse(text).unwrap().to_string();
    assert_eq!(named("Nine Men's Morris"), named("nine_mens_morris"));
    assert_eq!(named("Pong Hau K\u{2019}i"), named("pong_hau_ki"));
    let said = |text: &str| GameSpec::parse(text).unwrap_err().to_string();
    assert!(said("chess").contains("`treegauge difficulty` rates chess puzzles"));
    assert!(said("Xiangqi").starts_with("unknown game \"xiangqi\"; there are no"));
    assert!(said("bao").starts_with("unknown game \"bao\"; the language of rules has one row"));
    for (alias, name) in [
        ("Go-Moku", "gomoku"),
        ("awari", "oware"),
        ("awale", "oware"),
        ("assalto", "asalto"),
        ("draughts", "checkers"),
        ("mill", "nine_mens_morris"),
    ] {
        assert_eq!(named(alias), name);
    }
    for (slip, name) in [
        ("TicTacToe", "tic_tac_toe"),
        ("fanorona3x3", "fanorona_3x3"),
        ("tigers", "tigers_and_goats"),
    ] {
        assert!(said(slip).contains(&format!("did you mean `{name}`?")), "{}", said(slip));
    }
    // What is offered instead exists, and what is missing does not.
    for (names, words) in crate::spec::FAMOUS {
        assert!(names.iter().all(|name| said(name).contains(words)), "{names:?}");
        let quoted = words.split('`').skip(1).step_by(2);
        for name in quoted.filter(|word| !word.contains(' ')) {
            assert!(GameSpec::parse(name).is_ok(), "{name}");
        }
    }
}

#[test]
fn a_slip_is_answered_with_the_nearest_name() {
    let said = |text: &str| GameSpec::parse(text).unwrap_err().to_string();
    assert_eq!(said("conect_four"), "unknown game \"conect_four\"; did you mean `connect_four`?");
    assert_eq!(
        said("connect_four(cols=7, row=6)"),
        "game `connect_four` has no parameter \"row\" (character 22); did you mean `rows`? (all: cols, rows, k, ply_cap)"
    );
    assert_eq!(
        said("connect_four(k=21)"),
        "`k` of game `connect_four` cannot be \"21\" (character 16): it takes 1 to 20"
    );
    for bad in ["connect_four(k=04)", "connect_four(k=+4)", "connect_four(k=)", "", "(", "é(k=1)"]
    {
        assert!(GameSpec::parse(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn a_preset_can_be_changed_further() {
    let spec = GameSpec::parse("broken_connect_four( cols = 8 )").unwrap();
    assert_eq!(spec.written(), "broken_connect_four(cols=8)");
    assert_eq!(spec.to_string(), "connect_four(cols=8,k=6)");
    assert_eq!(spec.canonical(), "connect_four(cols=8,k=6)");
}

#[test]
fn an_entry_names_its_game() {
    struct Named;
    impl Visitor for Named {
        type Output = String;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> String {
            entry.canonical_name().to_owned()
        }
    }
    for text in ["connect_four(k=6,cols=8)", "broken_connect_four", "qirkat", "mnk(k=3)"] {
        let spec = GameSpec::parse(text).unwrap();
        assert_eq!(spec.with_built_in_game(Named).unwrap(), spec.canonical(), "{text}");
    }
}

/// Rest of a text from a place on, which is counted in characters from 1.
fn from(text: &str, at: usize) -> String {
    assert!(at >= 1, "places are counted from 1");
    text.chars().skip(at - 1).collect()
}

/// Checks the result of parsing a text. A game must be the same when it is parsed again from either
/// of its own texts, and an error must name a token at its correct place in the text.
fn reads_or_says_why(text: &str) {
    let error = match GameSpec::parse(text) {
        Ok(spec) => {
            let canonical = spec.canonical();
            let again = GameSpec::parse(&canonical).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(again.family().name, spec.family().name, "{text}");
            assert_eq!(again.args(), spec.args(), "{text}");
            assert_eq!(again.canonical(), canonical, "{text}");
            let shown = spec.to_string();
            let again = GameSpec::parse(&shown).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(again.args(), spec.args(), "{text}");
            assert_eq!(again.to_string(), shown, "{text}");
            assert_eq!(again.canonical(), canonical, "{text}");
            match spec.with_built_in_game(Moves) {
                Ok(moves) => assert!(moves.iter().all(|m| !m.is_empty()), "{text}"),
                Err(SpecError::Refused { game, reason }) => {
                    assert_eq!(game, spec.written());
                    assert!(!reason.is_empty(), "{text}");
                }
                Err(other) => panic!("{text} was read before: {other}"),
            }
            return;
        }
        Err(error) => error,
    };
    let said = error.to_string();
    let SpecError::Written(error) = error else {
        panic!("{text}: reading a text does not give {error:?}")
    };
    let token = match &error {
        GrammarError::Form { text: whole, error, .. } => {
            assert_eq!(whole, text);
            match error {
                CallError::NoName => {
                    assert!(text.trim_start().is_empty() || text.trim_start().starts_with('('));
                    return;
                }
                CallError::BadName { found, at }
                | CallError::BadArgument { found, at }
                | CallError::Trailing { found, at } => {
                    assert!(from(text, *at).starts_with(found.as_str()), "{text}: {said}");
                    format!("{found:?}")
                }
                CallError::Unclosed { at } => {
                    assert!(from(text, *at).starts_with('('), "{text}: {said}");
                    format!("character {at}")
                }
                CallError::Unopened { at } => {
                    assert!(from(text, *at).starts_with(')'), "{text}: {said}");
                    format!("character {at}")
                }
                CallError::Twice { name, at } => {
                    assert!(from(text, *at).starts_with(name.as_str()), "{text}: {said}");
                    format!("`{name}`")
                }
                other => panic!("{text}: what is to be found in the text of {other:?}?"),
            }
        }
        GrammarError::Name { found, at, .. } => {
            // Names are also accepted with capitals, spaces, hyphens and apostrophes.
            let written = from(text, *at).replace(['\'', '\u{2019}'], "");
            let written = written.replace([' ', '-'], "_").to_ascii_lowercase();
            assert!(written.starts_with(found.as_str()), "{text}: {said}");
            format!("{found:?}")
        }
        GrammarError::Parameter { found, at, .. } | GrammarError::Value { found, at, .. } => {
            assert!(from(text, *at).starts_with(found.as_str()), "{text}: {said}");
            format!("{found:?}")
        }
        other => panic!("{text}: reading a text does not give {other:?}"),
    };
    assert!(said.contains(&token), "{token} is not in the answer to {text:?}: {said}");
}

/// Game of the catalog, or a preset or alias with one parameter, with one character replaced,
/// removed or inserted; some are left unchanged.
fn nearly_a_game() -> impl Strategy<Value = String> {
    let names: Vec<&str> = FAMILIES
        .iter()
        .flat_map(|f| f.aliases.iter().copied().chain(f.presets.iter().map(|p| p.name)))
        .collect();
    let named = (prop::sample::select(names), 1..2_000u32)
        .prop_map(|(name, cap)| format!(" {name} ( ply_cap = {cap} ) "));
    let text = prop_oneof![4 => any_game(), 1 => named];
    let edit = prop::option::of((any::<prop::sample::Index>(), 0..3u8, "[a-z_()=,0-9 é]"));
    (text, edit).prop_map(|(text, edit)| {
        let mut chars: Vec<char> = text.chars().collect();
        if let Some((place, kind, by)) = edit {
            let place = place.index(chars.len());
            let taken = usize::from(kind != 0);
            let put = if kind == 1 { "" } else { by.as_str() };
            chars.splice(place..place + taken, put.chars());
        }
        chars.into_iter().collect()
    })
}

proptest! {
    #[test]
    fn any_text_is_a_game_or_an_error_that_names_its_place(
        text in prop_oneof!["[a-z_()=,0-9 é]{0,40}", nearly_a_game()]
    ) {
        reads_or_says_why(&text);
    }

    #[test]
    fn any_argument_is_a_game_or_an_error_that_names_it(
        name in "[a-z]{1,6}",
        value in "[a-z0-9+-]{1,8}",
    ) {
        for family in FAMILIES {
            for parameter in family.all_parameters().map(|p| p.name).chain([name.as_str()]) {
                reads_or_says_why(&format!("{}({parameter}={value})", family.name));
            }
        }
    }
}
