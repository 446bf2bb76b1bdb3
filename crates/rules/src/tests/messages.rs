//! Messages about invalid texts.

use super::texts;
use crate::everyday::EVERYDAY;
use crate::frame::FRAME;
use crate::words::WORDS;
use crate::{Genome, Text};

#[test]
fn every_wrong_text_has_its_message() {
    for (name, source) in texts("rules_bad") {
        let mistakes = Text::read(&source).and_then(|text| text.check()).unwrap_err();
        insta::assert_snapshot!(name.clone(), mistakes.text(&format!("{name}.rules")));
    }
}

#[test]
fn everyday_words_stand_for_words_of_the_language() {
    for (word, name) in EVERYDAY {
        let names = WORDS.iter().map(|known| known.name).chain(FRAME.iter().map(|one| one.name));
        assert!(names.into_iter().any(|known| known == *name), "{name}");
        assert_ne!(word, name);
    }
}

#[test]
fn a_jump_is_a_hop() {
    let source = "(game \"Jumps\" (board (grid 3 3)) (play (jump man all)) (end (if (none theirs) (win mover))))";
    let mistakes = Text::read(source).and_then(|text| text.check()).unwrap_err().text("a.rules");
    assert!(mistakes.contains("unknown word `jump`") && mistakes.contains("`hop`"), "{mistakes}");
}

#[test]
fn a_message_says_what_the_language_cannot_express() {
    let message = |text: &str| {
        let source =
            format!("(game \"A\" (board (grid 3 3)) {text} (end (if (none theirs) (win mover))))");
        Text::read(&source).and_then(|text| text.check()).unwrap_err().text("a.rules")
    };
    let push = message("(play (push man all))");
    assert!(push.contains("`push`") && push.contains("cannot push or pull"), "{push}");
    assert!(!push.contains("did you mean"), "{push}");
    let players = message("(players 3) (play (place))");
    assert!(players.contains("every game has two players"), "{players}");
    assert_eq!(players.matches("a.rules:").count(), 1, "one mistake is one message: {players}");
}

#[test]
fn a_set_a_line_or_a_number_for_a_condition_has_a_hint_that_is_one() {
    let check = |condition: &str| {
        let source = format!(
            "(game \"A\" (board (grid 3 3)) (play (place)) (end (if {condition} (win mover)) (if (none empty) draw)))"
        );
        Text::read(&source).and_then(|text| text.check().map(|_| ()))
    };
    for wrong in ["(line 3)", "(made (line 3))", "(home 2)", "(> (home 2) 3)"] {
        let message = check(wrong).unwrap_err().text("a.rules");
        let hint = message.lines().find(|line| line.trim().starts_with("= ")).unwrap();
        let hinted = hint.split('`').nth(1).unwrap();
        // A number stands within its comparison.
        let right = if wrong.contains('>') { format!("(> {hinted} 3)") } else { hinted.to_owned() };
        // A game that its first move ends is another mistake.
        let other = check(&right).err().map(|mistakes| mistakes.text("a.rules"));
        assert!(other.is_none_or(|other| other.contains("every first move")), "{message}");
    }
}

#[test]
fn wrong_places_of_sites_have_their_messages() {
    for (places, said) in [
        ("(at a 0)", "`at` has a site, its column and its row"),
        ("(at)", "`at` has a site, its column and its row"),
        ("(at x 0 0)", "no line has the site `x`"),
        ("(at a 0 0 a 1 1)", "`a` has two places"),
        ("(at a 0 0) (at b 0 0)", "`a` and `b` have one place"),
        ("(at a 0 2000)", "a coordinate is at most 1000"),
        ("(at a 0 b)", "expected"),
    ] {
        let source = format!(
            "(game \"A\" (board (graph (line a b c) {places})) (play (place)) (end (if (none empty) draw)))"
        );
        let mistakes =
            Text::read(&source).and_then(|text| text.check()).unwrap_err().text("a.rules");
        assert!(mistakes.contains(said), "{places}: {mistakes}");
    }
}

#[test]
fn wrong_dots_have_their_messages() {
    for (line, dots, said) in [
        ("ab bc", "(dots a 0)", "`dots` has a name, a column and a row"),
        ("ab bc", "(dots a 0 0 b 1 0 c 0 1) (at ab 0 0)", "`at` or `dots`, not both"),
        ("ab bc", "(dots a 0 0 b 1 0 b 0 1)", "`b` has two places"),
        ("ab bc", "(dots a 0 0 b 1 0 c 1 0)", "`b` and `c` have one place"),
        ("ab bc", "(dots a 0 0 b 1 0)", "the name of `bc` does not join two dots"),
        ("ab bb", "(dots a 0 0 b 1 0)", "the name of `bb` does not join two dots"),
        ("aab b", "(dots a 0 0 aa 1 0 ab 2 0 b 3 0)", "the name of `aab` joins dots in two ways"),
        ("ab ba", "(dots a 0 0 b 1 0)", "`ab` and `ba` join the same dots"),
        ("ab bc", "(dots a 0 0 b 1 0 c 0 1 d 1 1)", "the dot `d` is not the end of a site"),
    ] {
        let source = format!(
            "(game \"A\" (board (graph (line {line}) {dots})) (play (place)) (end (if (none empty) draw)))"
        );
        let mistakes =
            Text::read(&source).and_then(|text| text.check()).unwrap_err().text("a.rules");
        assert!(mistakes.contains(said), "{line} {dots}: {mistakes}");
    }
}

#[test]
fn wrong_letters_and_owners_have_their_messages() {
    for (kinds, said) in [
        ("(man each (letter 5))", "a letter is one of a to z"),
        ("(man each (letter ab))", "a letter is one of a to z"),
        ("(man each (letter))", "a letter is one of a to z"),
        ("(man each (letter x))", "`man` cannot have the letter x or o"),
        ("(man each) (wall neutral (letter o))", "`wall` cannot have the letter x or o"),
        ("(man each (letter m)) (wall neutral (letter m))", "the letter of `man` is `m` too"),
        ("(man each (letter m) (letter n))", "there is a second `letter`"),
        ("(man each (leter m))", "did you mean `letter`?"),
        ("(man each (hand 2 3))", "a hand is one number"),
        ("(man 5)", "the owner of `man` is missing"),
    ] {
        let source = format!(
            "(game \"A\" (board (grid 3 3)) (pieces {kinds}) (play (place man)) (end (if (none empty) draw)))"
        );
        let mistakes = Text::read(&source).and_then(|text| text.check()).unwrap_err();
        let text = mistakes.text("a.rules");
        assert!(text.contains(said), "{kinds}: {text}");
    }
}

#[test]
fn what_stands_in_the_wrong_place_behind_a_mover_has_one_message() {
    for (play, said, hint) in [
        ("(place 3 man all)", "`place` takes no number here", "it is written `(place [KIND] "),
        ("(place man all)", "`place` takes no direction", "it is written `(place [KIND] "),
        ("(place man man)", "`place` takes one kind of piece, right behind it", "(place [KIND] "),
        ("(step all man)", "`step` takes one kind of piece, right behind it", "(step [KIND] "),
        ("(step man n e)", "`step` has a direction before `e` already", "`(or n e)`"),
        ("(slide man all 2)", "`slide` takes no number here", "`(at-most 2)`"),
        ("(fly man \"to\")", "`fly` takes no text", "it is written `(fly [KIND] "),
        ("(place man ())", "what follows `place` in parentheses begins with a word", "takes to"),
    ] {
        let source = format!(
            "(game \"A\" (board (grid 3 3)) (pieces (man each)) (play {play}) (end (if (none empty) draw)))"
        );
        let mistakes = Text::read(&source).and_then(|text| text.check()).unwrap_err();
        let text = mistakes.text("a.rules");
        assert!(text.contains(said) && text.contains(hint), "{play}: {text}");
        assert_eq!(mistakes.list().len(), 1, "{play}: {text}");
    }
}

#[test]
fn words_for_rows_and_columns_may_name_options() {
    let game = |options: &str, board: &str, far: &str| {
        format!(
            "(game \"A\" (options {options}) (board {board}) (pieces (man each))
               (start (put first man (rows 1 1)))
               (play (step man forward)) (end (if (in to {far}) (win mover))))"
        )
    };
    let check = |source: &str| {
        Text::read(source)
            .and_then(|text| text.check().map(|_| ()))
            .map_err(|mistakes| mistakes.text("a.rules"))
    };
    let both = "(rows 5 3 8) (columns 4 3 8)";
    let fine = game(both, "(grid columns rows (wrap columns))", "(rows rows rows)");
    assert_eq!(check(&fine), Ok(()));
    let options = [("rows".to_owned(), 7), ("columns".to_owned(), 3)];
    let text = Text::read(&fine).unwrap();
    let program = text.check_with(&options).unwrap();
    assert_eq!(program.board.extent(), Some((3, 7)));
    let genome = Genome::of(&text, &options).unwrap();
    assert!(genome.source().contains("(rows 7 7)"), "{}", genome.source());
    // Other words still cannot.
    for name in ["row", "line", "mine", "digest"] {
        let said = check(&game(&format!("({name} 5 3 8)"), "(grid 4 4)", "(far 1)")).unwrap_err();
        assert!(said.contains("is a word, so it cannot name an option"), "{name}: {said}");
    }
}

#[test]
fn only_codes_of_warnings_can_be_allowed() {
    let check = |code: &str| {
        let source = format!(
            "(game \"A\" (board (grid 3 3)) (play (place)) (end (if (makes (line 3)) (win mover))
              (if (none empty) draw)) (allow {code}))"
        );
        Text::read(&source).and_then(|text| text.check().map(|_| ()))
    };
    for code in ["W1", "w8", "W15"] {
        check(code).unwrap();
    }
    for code in ["W99", "W16", "W0", "w", "loops", "8"] {
        let message = check(code).unwrap_err().text("a.rules");
        let expected = format!("`{code}` is not the code of a warning");
        assert!(message.contains(&expected) && message.contains("(allow W8)"), "{message}");
    }
}

#[test]
fn beginnings_names_and_repeated_clauses_have_their_messages() {
    let message = |source: &str| {
        let checked = Text::read(source).and_then(|text| text.check().map(|_| ()));
        checked.unwrap_err().text("a.rules")
    };
    let game = |name: &str, board: &str, start: &str, play: &str, end: &str| {
        format!("(game \"{name}\"\n(board {board})\n(start {start})\n(play {play})\n{end})")
    };
    let end = "(end (if (none empty) draw))";
    let of_start = "(put each (home 1))";
    let plain = |name| game(name, "(grid 3 3)", of_start, "(place)", end);
    for (source, place, said) in [
        ("game \"Frogs\" (board (grid 3 3))".to_owned(), "1:1", "a `(` is missing before `game`"),
        ("; A game.\n  Hello, with dice".to_owned(), "2:3", "the file has no game"),
        ("\"Frogs\" (game)".to_owned(), "1:1", "the file has no game"),
        ("2 (game \"N\")".to_owned(), "1:1", "something stands before it"),
        (plain(" "), "1:7", "the name is empty"),
        (plain("a\tb"), "1:7", "the character '\\t', which cannot be seen"),
        (plain("a\u{202e}b"), "1:7", "which cannot be seen"),
        (plain(&"a".repeat(81)), "1:7", "81 bytes, and 80 are the most"),
        (
            game(
                "A",
                "(grid 3 3 (wrap both) (diagonals none) (wrap rows))",
                of_start,
                "(place)",
                end,
            ),
            "2:47",
            "there is a second `wrap`",
        ),
        (
            game(
                "A",
                "(grid 3 3)",
                of_start,
                "(place)",
                &format!("{end} (limits (cap 5)\n(quiet 3) (cap 7))"),
            ),
            "6:11",
            "there is a second `cap`",
        ),
        (
            game("A", "(grid 3 3)", "(put each (row 1))", "(place)", end),
            "3:8",
            "`(home 1)` is a row of each player's own",
        ),
        (
            game("A", "(grid 3 3)", of_start, "(seq (place) (place) (place) (place) (place))", end),
            "4:44",
            "`seq` has 5 arguments, and 4 are the most",
        ),
    ] {
        let message = message(&source);
        assert!(message.starts_with(&format!("a.rules:{place}: ")), "{message}");
        assert!(message.contains(said), "{message}");
    }
    // Tracks may stand several times.
    let tracks = "(grid 4 4 (track (line a2 b2) (line b1 b2)) (track (line c2 d2) (line c1 c2)))";
    let checked =
        Text::read(&game("A", tracks, of_start, "(place)", end)).and_then(|text| text.check());
    assert!(checked.is_ok(), "{}", checked.unwrap_err().text("a.rules"));
}
