//! Lints of valid texts: findings from their words, and from random games.

use std::sync::Arc;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{program, programs, texts};
use crate::{Findings, Text, Warning, lint, statics};

fn findings(source: &str) -> Findings {
    let program = program(source);
    lint(&program, &mut Xoshiro256PlusPlus::seed_from_u64(5), &mut || true)
}

fn codes(source: &str) -> Vec<&'static str> {
    findings(source).warnings.into_iter().map(|warning| warning.code).collect()
}

/// Text with men that step, with the given moves and end.
fn men(play: &str, end: &str) -> String {
    format!(
        "(game \"T\" (board (grid 5 5)) (pieces (man each) (king each))\n(start (put each man (home 1)) \
         (put each king (row 3)))\n(play {play})\n(end {end}))"
    )
    .replace("(put each king (row 3))", "(put first king (sites a3)) (put second king (sites e3))")
}

/// The only warning of a code that follows from the words of a text, as line, column and message.
fn shown(code: &str, source: &str) -> String {
    let warnings = statics(&program(source));
    let found: Vec<&Warning> = warnings.iter().filter(|warning| warning.code == code).collect();
    let [one] = found[..] else { panic!("{code}: {warnings:?} of {source}") };
    format!("{}:{} {}", one.place.line, one.place.column, one.message)
}

#[test]
fn the_words_of_good_games_show_nothing_but_remarks() {
    let mut all = String::new();
    for (name, program) in programs() {
        for warning in statics(&program) {
            assert!(warning.remark, "{name}: {warning:?}");
            all.push_str(&format!("{name}: {} {}\n", warning.code, warning.message));
        }
    }
    insta::assert_snapshot!("remarks_on_good_games", all);
}

#[test]
fn a_game_that_nothing_ends_is_shown() {
    let said = shown("W3", &men("(step all)", ""));
    assert!(said.starts_with("4:1 no rule ends this game"), "{said}");
    // Being stuck is a rule of the text. Random games show whether it ends them.
    let stuck = men("(step all)", "(stuck draw)");
    assert!(statics(&program(&stuck)).iter().all(|warning| warning.code != "W3"));
    let found = findings(&stuck).warnings;
    let few = found.iter().find(|warning| warning.code == "W3").expect("nobody is stuck");
    assert!(few.message.starts_with("the rules ended few games"), "{few:?}");
    let konane = texts("rules").into_iter().find(|(name, _)| name == "konane").unwrap().1;
    assert_eq!(codes(&konane), [""; 0], "each move takes a stone, and who has none loses");
    // Men that only advance come to an end.
    let onward = men("(step man forward)", "(stuck draw)");
    assert!(statics(&program(&onward)).iter().all(|warning| warning.code != "W3"));
    let said = shown("W4", &men("(step all)", "(if (in to (far 1)) (win mover))"));
    assert!(said.contains("may go on for ever"), "{said}");
    // One player whose pieces only advance runs out of moves, whatever the other does.
    let hunt = |sheep: &str, more: &str| {
        format!(
            "(game \"T\" (board (grid 5 5)) (pieces (wolf first) (sheep second) (stone neutral))
            (start (put first wolf (sites c1)) (put second sheep (sites b5 d5)) (put neutral stone (sites a3)))
            (play (or (step wolf all) (step sheep {sheep}) {more}))
            (end (if (in (piece wolf) (row 5)) (win first)) (stuck (lose mover))))"
        )
    };
    let is_endless = |text: &str| statics(&program(text)).iter().any(|one| one.code == "W4");
    assert!(!is_endless(&hunt("forward", "")));
    assert!(is_endless(&hunt("all", "")));
    assert!(is_endless(&hunt("forward", "(step stone all)")), "both may move the stone");
}

#[test]
fn a_kind_that_never_comes_or_never_moves_is_shown() {
    let idle = "(game \"T\" (board (grid 4 4)) (pieces (man each)\n (king each))
        (start (put each man (home 1)))
        (play (or (step man forward) (hop king all))) (end (stuck draw)))";
    assert_eq!(
        shown("W5", idle),
        "2:2 no `king` can ever come to the board: nothing puts it there"
    );
    let still = men("(step man forward)", "(stuck draw)");
    assert_eq!(shown("W5", &still), "1:49 no `king` can ever move");
}

#[test]
fn a_rule_that_can_never_hold_is_shown() {
    let never = |end: &str| shown("W6", &men("(or (step man forward) (step king sideways))", end));
    assert_eq!(
        never("(if (none theirs) (win mover))"),
        "4:6 this rule can never hold: no move captures, so that the opponent's pieces stay"
    );
    assert_eq!(
        never("(if (some taken) (win mover))"),
        "4:6 this rule can never hold: no move captures or flips"
    );
    // Men only advance.
    assert_eq!(
        never("(if (in to (home 1)) (win mover))"),
        "4:6 this rule can never hold: no move brings a piece there"
    );
    let line = "(game \"T\" (board (grid 5 5)) (play (place (to (and empty edges))))\n\
                (end (if (makes (shape (0 0) (1 0) (0 1) (1 1))) (win mover)) (stuck draw)))";
    assert_eq!(
        shown("W6", line),
        "2:6 this rule can never hold: the pieces cannot come to its sites"
    );
    let sides = "(game \"T\" (board (rhombus 5 5)) (play (place (to (and empty (not (side n))))))\n\
                 (end (if (connects mine (side s) (side n)) (win mover)) (stuck draw)))";
    assert_eq!(
        shown("W6", sides),
        "2:6 this rule can never hold: the pieces cannot touch all of these"
    );
}

#[test]
fn sites_that_no_piece_reaches_are_a_remark() {
    let checkers = texts("rules").into_iter().find(|(name, _)| name == "checkers").unwrap().1;
    let said = shown("W7", &checkers);
    assert!(said.contains("no piece can ever stand on 32 sites: b1, d1"), "{said}");
    assert!(statics(&program(&checkers)).iter().all(|warning| warning.remark));
}

#[test]
fn parts_that_change_nothing_are_shown() {
    let end = "(if (in to (far 1)) (win mover))";
    let idle = |play: &str| shown("W8", &men(play, end));
    assert_eq!(
        idle("(step all (then (capture (and mine theirs))))"),
        "3:32 `(and mine theirs)` is always empty"
    );
    assert_eq!(
        idle("(step all (to (or empty occupied)))"),
        "3:21 `(or empty occupied)` is always every site of the board"
    );
    assert_eq!(
        idle("(step all (only-if (not (is first second))))"),
        "3:31 `(is first second)` never holds"
    );
    assert_eq!(
        idle("(step all (only-if (>= (count everywhere) 0)))"),
        "3:26 `(>= (count everywhere) 0)` always holds"
    );
    assert_eq!(
        idle("(step all (then (flip mine)))"),
        "3:23 `(flip mine)` turns nothing: only theirs change sides"
    );
    assert_eq!(
        idle("(step all (then (put mover man occupied)))"),
        "3:23 `(put mover man occupied)` puts nothing: pieces come to empty sites only"
    );
    assert_eq!(
        idle("(step all (then (capture empty)))"),
        "3:23 `(capture empty)` captures nothing: these sites are empty"
    );
    assert_eq!(
        idle("(or (step king all) (step man all (then (become man))))"),
        "3:47 `(become man)` changes nothing: what moves is a `man` already"
    );
    assert_eq!(idle("(step all (then (add 0)))").split(' ').next(), Some("3:23"));
    assert_eq!(idle("(or (step all) (step all))"), "3:7 `(step all)` occurs twice in this `or`");
    assert_eq!(
        idle("(if (some theirs) (step all) (step all))"),
        "3:7 both branches of this `if` are the same"
    );
}

#[test]
fn points_and_hands_of_no_use_are_shown() {
    let place = |then: &str, end: &str| {
        format!("(game \"T\" (board (grid 3 3))\n(play (place {then}))\n(end {end} (stuck draw)))")
    };
    assert_eq!(
        shown("W9", &place("(then (add 1))", "(if (makes (line 3)) (win mover))")),
        "2:20 no word reads the points: `(most score)` in end would"
    );
    assert_eq!(
        shown("W9", &place("", "(if (none empty) (most score))")),
        "3:29 no effect changes the points: `(add 1)` in then would"
    );
    let hand = "(game \"T\" (board (grid 5 5)) (pieces (man each)\n (king each (hand 2)))
        (start (put each man (home 1))) (play (step man forward)) (end (stuck draw)))";
    assert_eq!(shown("W9", hand), "2:2 no move places a `king`, so that the hand stays full");
}

#[test]
fn too_many_first_moves_and_wins_at_once_are_shown() {
    let many = "(game \"T\" (board (grid 6 6))\n(play (seq (place) (place)))
        (end (if (makes (line 5)) (win mover)) (stuck draw)))";
    assert!(shown("W10", many).starts_with("2:1 there are 1260 first moves"));
    let short = "(game \"T\" (board (grid 4 4))\n(play (place))
        (end (if (makes (line 2)) (win mover)) (stuck draw)))";
    assert_eq!(
        shown("W12", short),
        "2:1 the first player wins within three plies, beginning with a1"
    );
}

#[test]
fn random_games_say_what_is_never_used() {
    let (_, good) = texts("rules").into_iter().find(|(name, _)| name == "breakthrough").unwrap();
    // Random play never captures all men.
    assert_eq!(codes(&good), ["W6"]);
    assert!(findings(&good).warnings[0].remark);
    // Men that move back and forth.
    let endless = "(game \"Endless\" (board (grid 4 4)) (pieces (man each))
        (start (put each man (home 1))) (play (step man all))
        (end (if (some (and mine (far 3) (home 1))) (win mover)) (stuck draw)))";
    assert!(codes(endless).contains(&"W3"));
    let idle = men("(step man (or forward sideways))", "(if (in to (far 1)) (win mover))");
    assert!(codes(&idle).contains(&"W5"));
    let allowed = idle.replace("(end ", "(allow w5) (end ");
    assert!(!codes(&allowed).contains(&"W5"));
}

#[test]
fn each_part_of_a_move_that_never_matters_is_named() {
    let text = "(game \"T\" (board (grid 6 6)) (pieces (man each) (king each))
(start (put each man (home 1)))
(play (or (step man forward (to (or empty theirs))
(then (if (in to (row 9)) (become king)) (capture over))
(only-if (< (count mine) 30)))
(step king all)))
(end (if (in to (far 1)) (win mover)) (if (none mine) (lose mover))))"
        .replace("(row 9)", "(and (home 1) (far 1))");
    let found = findings(&text).warnings;
    let at = |line: u32, column: u32| {
        let at: Vec<&str> = found
            .iter()
            .filter(|warning| (warning.place.line, warning.place.column) == (line, column))
            .map(|warning| warning.message.as_str())
            .collect();
        at.join("; ")
    };
    assert_eq!(at(4, 57), "`(capture over)` never changed anything in 200 random games");
    assert!(at(5, 1).contains("this `only-if` never refused a move"), "{found:?}");
    assert!(at(6, 1).contains("this `step` was never possible"), "{found:?}");
    assert!(at(4, 7).contains("this `if` never held") || at(4, 14).contains("always empty"));
}

#[test]
fn games_that_were_stopped_are_not_counted_as_drawn() {
    let endless = men("(step all)", "(if (and (none mine) (none theirs)) draw) (stuck draw)");
    let games = findings(&endless).games;
    assert_eq!((games.draws, games.stopped()), (0, games.games));
    let nobody = "(game \"T\" (board (grid 3 3)) (play (place)) (end (stuck draw)))";
    let games = findings(nobody).games;
    assert_eq!((games.draws, games.stopped(), games.plies), (200, 0, 1_800));
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
