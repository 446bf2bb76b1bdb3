//! Texts laid out, the table of words, and what random games say.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{program, texts};
use crate::{Sort, Text, WORDS, format, lint};

#[test]
fn a_text_that_is_laid_out_says_the_same_and_stays_as_it_is() {
    for (name, source) in texts("rules") {
        let laid_out = format(&source).unwrap();
        assert_eq!(format(&laid_out).unwrap(), laid_out, "{name}");
        let digest = |source: &str| Text::read(source).unwrap().check().unwrap().digest();
        assert_eq!(digest(&laid_out), digest(&source), "{name}");
        let comments = |text: &str| -> Vec<String> {
            let lines = text.lines().filter_map(|line| line.split_once(';'));
            lines.map(|(_, comment)| comment.trim().to_owned()).collect()
        };
        assert_eq!(comments(&laid_out), comments(&source), "{name}");
    }
}

#[test]
fn comments_stay_where_they_are_wherever_they_stand() {
    let source = "; a\n(game ; b\n \"X\" ; c\n(board ; d\n(grid 3 3) ; e\n) (play (or ; f\n (place) ; g\n \
                  (swap))) ; h\n (end (stuck ; i\n draw))) ; j\n";
    let laid_out = format(source).unwrap();
    for comment in 'a'..='j' {
        assert_eq!(laid_out.matches(&format!("; {comment}")).count(), 1, "{laid_out}");
    }
    assert_eq!(format(&laid_out).unwrap(), laid_out, "{laid_out}");
    assert!(Text::read(&laid_out).is_ok());
}

/// A text that has an expression where its sort may stand.
pub(super) fn text_with(word: &crate::Word) -> String {
    let example = word.example;
    let pits = ["store", "opposite", "back", "seeds", "collect", "sweep", "sow"];
    if pits.contains(&word.name) {
        let (then, only_if) = match word.sort {
            Sort::Set => (format!("(collect {example})"), "(some theirs)".to_owned()),
            Sort::Number => (String::from("again"), format!("(> {example} 0)")),
            Sort::Effect => {
                (format!("(if (> (seeds to) 30) {example})"), "(some theirs)".to_owned())
            }
            _ => {
                return format!(
                    "(game \"T\" (board (pits 6)) (start (seeds 4)) (play {example}) (end (stuck draw)))"
                );
            }
        };
        return format!(
            "(game \"T\" (board (pits 6)) (start (seeds 4)) \
             (play (sow (then {then}) (only-if {only_if}))) (end (stuck draw)))"
        );
    }
    let play = match word.sort {
        Sort::Player => format!("(if (is mover {example}) (step man all) (step man all))"),
        Sort::Directions => format!("(or (step man all) (hop man {example}))"),
        Sort::Set => format!("(or (step man all) (step king all (then (capture {example}))))"),
        Sort::Family => {
            format!("(or (step man all) (step king all (then (add (made {example})))))")
        }
        Sort::Number => format!("(step man all (then (add {example})))"),
        Sort::Condition => format!("(or (step man all) (step king all (only-if {example})))"),
        Sort::Moves => format!("(or (step man all) {example})"),
        Sort::Effect => format!("(step man all (then {example}))"),
        Sort::Result => "(step man all)".to_owned(),
    };
    let result = if word.sort == Sort::Result { example } else { "draw" };
    let (board, pieces) = match word.name {
        "boxes" => {
            return "(game \"T\" (board (lattice 2 2)) (pieces (edge neutral)) \
                    (play (place edge (then (add (made boxes occupied))))) (end (stuck draw)))"
                .to_owned();
        }
        "hand" => ("(grid 8 8)", "(man each (hand 3)) (king each)"),
        _ => ("(grid 8 8)", "(man each) (king each)"),
    };
    format!(
        "(game \"T\" (board {board}) (pieces {pieces}) (start (put each man (home 1))) \
         (play {play}) (end (if (none theirs) {result}) (stuck {result})))"
    )
}

#[test]
fn every_word_has_an_example_that_is_a_game() {
    for word in WORDS {
        let source = text_with(word);
        assert!(word.pattern.trim_start_matches('(').starts_with(word.name), "{}", word.name);
        if let Err(mistakes) = Text::read(&source).and_then(|text| text.check()) {
            panic!("{}: {source}\n{}", word.name, mistakes.text("t"));
        }
    }
    assert!(WORDS.len() >= 87);
}

fn codes(source: &str) -> Vec<&'static str> {
    let program = program(source);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    lint(&program, &mut rng, &mut || true).into_iter().map(|warning| warning.code).collect()
}

#[test]
fn random_games_say_what_is_never_used() {
    let (_, good) = texts("rules").into_iter().find(|(name, _)| name == "breakthrough").unwrap();
    // Nobody loses all men by chance.
    assert_eq!(codes(&good), ["W6"]);
    // Kings that never come, a hop that is never possible, a rule that never holds.
    let idle = "(game \"Idle\" (board (grid 4 4)) (pieces (man each) (king each))
        (start (put each man (home 1)))
        (play (or (step man forward (to (or empty theirs))) (hop king all)))
        (end (if (in to (far 1)) (win mover)) (if (some (mine king)) (lose mover))))";
    let found = codes(idle);
    for code in ["W5", "W6", "W8"] {
        assert!(found.contains(&code), "{found:?}");
    }
    let allowed = idle.replace("(end ", "(allow W5 w6) (end ");
    assert!(!codes(&allowed).contains(&"W5") && !codes(&allowed).contains(&"W6"));
    // Men that go to and fro.
    let endless = "(game \"Endless\" (board (grid 4 4)) (pieces (man each))
        (start (put each man (home 1))) (play (step man all)) (end (stuck draw)))";
    assert!(codes(endless).contains(&"W3"));
}

#[test]
fn what_nobody_can_play_is_refused() {
    let said = |play: &str, end: &str| {
        let source = format!("(game \"X\" (board (grid 3 3)) (play {play}) (end {end}))");
        Text::read(&source).and_then(|text| text.check()).unwrap_err().to_string()
    };
    assert!(said("(step all)", "(stuck draw)").contains("no legal first move"));
    assert!(said("(place)", "(if (some mine) (win mover))").contains("every first move ends"));
}

#[test]
fn lint_is_the_same_for_the_same_seed() {
    let (_, source) = texts("rules").into_iter().find(|(name, _)| name == "riptide").unwrap();
    let program: Arc<_> = program(&source);
    let run = || lint(&program, &mut Xoshiro256PlusPlus::seed_from_u64(9), &mut || true);
    assert_eq!(run(), run());
}
