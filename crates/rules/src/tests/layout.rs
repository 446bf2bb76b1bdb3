//! Formatting of texts, and the table of words.

use super::{program, texts};
use crate::{Sort, Text, WORDS, format};

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

/// Text that contains the example of a word where its sort may stand.
pub(super) fn text_with(word: &crate::Word) -> String {
    let example = word.example;
    if word.of_pits {
        let (then, only_if) = match word.sort {
            Sort::Set => (format!("(collect {example})"), "(some theirs)".to_owned()),
            Sort::Number => (String::from("again"), format!("(> {example} 0)")),
            Sort::Condition => (format!("(if {example} again)"), "(some theirs)".to_owned()),
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
        "ride" => ("(grid 8 8 (track (line a2 b2 c2) (line b1 b2 b3)))", "(man each) (king each)"),
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
        assert!(word.pattern().trim_start_matches('(').starts_with(word.name), "{}", word.name);
        if let Err(mistakes) = Text::read(&source).and_then(|text| text.check()) {
            panic!("{}: {source}\n{}", word.name, mistakes.text("t"));
        }
    }
    assert!(WORDS.len() >= 87);
}

/// Words that no text of the corpus uses, with the reason.
const WITHOUT_GAME: &[(&str, &str)] = &[
    ("backward", "the turned opposite of `forward`"),
    ("backward-diagonal", "the turned opposite of `forward-diagonal`"),
    ("column", "`(columns N N)` in one word"),
    ("groups", "counts what `connects` joins"),
    ("largest", "the size of one of the `groups`"),
    ("-", "the other half of `+`"),
    ("<=", "the other half of `>=`"),
    ("least", "the other half of `most`"),
];

#[test]
fn every_word_has_a_meaning_and_a_game_or_a_reason() {
    let mut used = std::collections::BTreeSet::new();
    for (_, source) in texts("rules") {
        for line in source.lines() {
            let line = line.split(';').next().unwrap_or_default();
            let words = line.split(|c: char| c.is_whitespace() || "()".contains(c));
            used.extend(words.map(str::to_owned));
        }
    }
    for word in WORDS {
        let name = word.name;
        let sentence = !word.meaning.is_empty() && !word.meaning.ends_with('.');
        assert!(sentence, "{name}: {}", word.meaning);
        let without = WITHOUT_GAME.iter().any(|(known, _)| *known == name);
        assert!(used.contains(name) != without, "{name} needs a game or a reason, not both");
    }
}

#[test]
fn changed_texts_that_are_laid_out_stay_as_they_are() {
    for word in WORDS {
        let source = text_with(word);
        let laid_out = format(&source).unwrap();
        assert_eq!(format(&laid_out).unwrap(), laid_out, "{source}");
        let digest = |source: &str| program(source).digest();
        assert_eq!(digest(&laid_out), digest(&source), "{source}");
    }
}
