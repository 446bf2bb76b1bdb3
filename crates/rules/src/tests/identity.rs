//! Identity of games: changes that keep it and changes that alter it.

use crate::Genome;

fn identity(source: &str) -> u128 {
    Genome::read(source).unwrap_or_else(|m| panic!("{}", m.text(source))).identity()
}

/// Pairs of texts of the same game in different words.
#[test]
fn the_same_game_in_other_words_has_the_same_identity() {
    let pieces = "(pieces (man each) (king each) (post neutral))";
    let game = |sections: &str| format!("(game \"A\" (board (grid 6 6)) {sections})");
    let play = |play: &str| {
        game(&format!("{pieces} (start (put each man (home 1))) (play {play}) (end (stuck draw))"))
    };
    let end = |end: &str| {
        game(&format!("(start (put each (home 1))) (play (step all (to (or empty theirs)))) {end}"))
    };
    let pairs = [
        // Names, comments, and defaults that are written out.
        (
            game("(play (place)) (end (if (makes (line 3)) (win mover)))"),
            "; A game.\n(game \"B\" (about \"Of stones.\") (board (grid 6 6 (diagonals all)))
                (pieces (disc each)) (turns (cycle first second))
                (play (place disc (to empty)))
                (end (if (makes (line 3 all) mine) (win mover)) (stuck (lose mover)))
                (limits (repetition draw)) (allow W3))"
                .to_owned(),
        ),
        // Other names and another order of kinds.
        (
            play("(or (step man forward) (step king all (then (put neutral post from))))"),
            game(
                "(pieces (wall neutral) (queen each) (pawn each)) (start (put each pawn (home 1)))
                 (play (or (step pawn forward) (step queen all (then (put neutral wall from)))))
                 (end (stuck draw))",
            ),
        ),
        // Order of arguments, of clauses, and of ways to move whose texts differ.
        (
            play(
                "(or (step man forward) (step king all (then (capture over)) (to (or empty theirs))))",
            ),
            play(
                "(or (step king all (to (or theirs empty)) (then (capture over))) (step man forward))",
            ),
        ),
        // Equal regions.
        (play("(step man all (to (far 1)))"), play("(step man all (to (and (far 2) (far 1))))")),
        (play("(step man all (to edges))"), play("(step man all (to (or edges corners (row 1))))")),
        (
            play("(step man all (to (not (sites a1))))"),
            play("(step man all (to (not (and corners (row 1) (column 1)))))"),
        ),
        (play("(step man (or forward backward))"), play("(step man (or s n))")),
        // Equal numbers and conditions.
        (
            end("(end (if (none theirs) (win mover)))"),
            end("(end (if (= 0 (count theirs)) (lose opponent)))"),
        ),
        (
            end("(end (if (some taken) (win mover)))"),
            end("(end (if (not (< (count taken) 1)) (win mover)))"),
        ),
        (
            end("(end (if (>= (count mine) 4) (win mover)))"),
            end("(end (if (> (count mine) (+ 1 1 1)) (win mover)))"),
        ),
        (
            end("(end (if (is mover first) (win mover)))"),
            end("(end (if (not (is opponent first)) (win mover)))"),
        ),
        (
            end("(end (if (and (none theirs) (some taken)) (win mover)))"),
            end("(end (if (and (and (some taken)) (none theirs) (is mover mover)) (win mover)))"),
        ),
        // Equal turns.
        (
            game(
                "(turns (opening first) (cycle second second first first)) (play (place)) (end (stuck draw))",
            ),
            game(
                "(turns (opening first second second) (cycle first first second second first first second second)) (play (place)) (end (stuck draw))",
            ),
        ),
    ];
    for (one, other) in pairs {
        assert_eq!(identity(&one), identity(&other), "{one}\n{other}");
    }
}

#[test]
fn the_order_of_ways_to_move_counts_where_they_give_the_same_moves() {
    let play = |play: &str| {
        format!(
            "(game \"A\" (board (grid 4 4)) (start (put each (home 1))) (play {play})
             (end (stuck draw)))"
        )
    };
    // Both ways describe a step forward, and the first described counts.
    let one = play("(or (step forward (then again)) (step all))");
    let other = play("(or (step all) (step forward (then again)))");
    assert_ne!(identity(&one), identity(&other));
    // Here both ways have the same effect.
    let one = play("(or (step forward) (step all))");
    let other = play("(or (step all) (step forward))");
    assert_eq!(identity(&one), identity(&other));
}
