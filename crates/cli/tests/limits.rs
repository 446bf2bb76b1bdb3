//! Games that repetition, quiet plies or what is shared out at the end decide: every command says
//! the same of them as alpha-beta, which plays with the history of the game.

use std::fs;
use std::path::Path;

use crate::common::{DATA, json, refused, solved, stdout};

/// Two men go round a board of four cells; only a limit ends the game.
fn round(folder: &Path, name: &str, limits: &str) -> String {
    let path = folder.join(format!("{name}.rules"));
    let text = format!(
        "(game \"Round\" (board (grid 2 2)) (pieces (man each))\n\
         (start (put first man (sites a1)) (put second man (sites b2)))\n\
         (play (step man orthogonal)) (end (stuck (lose mover))) (limits {limits}))\n"
    );
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Pong Hau K'i, whose third repetition is won by the second player.
fn pong(folder: &Path) -> String {
    let path = folder.join("pong.rules");
    let text = "(game \"Pong\" (board (graph (line a c b) (line d c e) (line a d) (line b e) (line d e)))\n\
                (pieces (stone each))\n\
                (start (put first stone (sites a b)) (put second stone (sites d e)))\n\
                (play (step stone all)) (end (stuck (lose mover)))\n\
                (limits (repetition (win second))))\n";
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn solve_gauge_and_probe_agree_with_alpha_beta() {
    let folder = tempfile::tempdir().unwrap();
    let games = [
        pong(folder.path()),
        round(folder.path(), "quiet", "(quiet 6 (win first))"),
        round(folder.path(), "repetition", "(repetition (lose mover))"),
        round(folder.path(), "both", "(quiet 5 (win second)) (repetition (win second))"),
        "oware(houses=1,seeds=4)".to_owned(),
    ];
    for (n, game) in games.iter().enumerate() {
        let alpha_beta = json(&["search", game, "--player", "alphabeta(depth=24)", "--json"]);
        let expected = alpha_beta["decided"].as_str().unwrap();
        let file = solved(folder.path(), &n.to_string(), &[game]);
        let value = |start: &serde_json::Value| {
            let known = if start["by_history"].is_null() { "value" } else { "by_history" };
            start[known].as_str().unwrap().to_owned()
        };
        assert_eq!(value(&json(&["solve", game, "--json"])["start"]), expected, "solve {game}");
        assert_eq!(value(&json(&["probe", &file, "--json"])), expected, "probe {game}");
        let few = ["--games", "2", "--iterations", "20", "--model", "none", "--json"];
        let gauge = json(&[&["gauge", game][..], &few].concat());
        assert_eq!(gauge["solved"]["value"], expected, "gauge {game}");
        assert!(stdout(&["verify", &file]).contains("right. All "), "verify {game}");
    }
}

#[test]
fn a_solution_says_who_wins_endless_play() {
    let folder = tempfile::tempdir().unwrap();
    let game = pong(folder.path());
    let text = stdout(&["solve", &game]);
    assert!(text.contains("the first player, to move, loses by endless play."), "{text}");
    assert!(text.contains("By endless play 22 are won and 22 are lost."), "{text}");
    let report = json(&["solve", &game, "--json"]);
    assert_eq!((&report["draw"], &report["endless"]), (&0.into(), &"second_wins".into()));
    assert_eq!(report["endless_win"], 22);
    assert_eq!(report["win"].as_u64().unwrap() + report["lose"].as_u64().unwrap(), 56);
}

#[test]
fn whoever_wins_endless_play_wins_with_perfect_play() {
    let folder = tempfile::tempdir().unwrap();
    let game = pong(folder.path());
    let file = solved(folder.path(), "pong", &[&game]);
    let perfect = format!("perfect(file={file})");
    let play = ["--games", "40", "--opening-plies", "0", "--json"];
    let report = json(&[&["match", &game, &perfect, "random"][..], &play].concat());
    // As the second player it wins all 20 games.
    assert_eq!(report["pentanomial"][0], 0, "{report}");
    assert_eq!(report["pentanomial"][1], 0, "{report}");
}

#[test]
fn perfect_play_is_refused_where_the_history_decides() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "oware", &["oware(houses=2,seeds=2)"]);
    let perfect = format!("perfect(file={file})");
    let why = "perfect play is not known";
    refused(&["match", "oware(houses=2,seeds=2)", &perfect, "random"], 65, &[why]);
    let evaluator = format!("alphabeta(eval={perfect},depth=2)");
    refused(&["search", "oware(houses=2,seeds=2)", "--player", &evaluator], 65, &[why]);
}

/// A race of two men on a board of 2 x 6, which the first player wins in nine plies unless a limit stops it.
fn race(folder: &Path, name: &str, limits: &str) -> String {
    let path = folder.join(format!("{name}.rules"));
    let text = format!(
        "(game \"Race\" (board (grid 2 6)) (pieces (man each))\n\
         (start (put first man (sites a1)) (put second man (sites b6))) (play (step man orthogonal))\n\
         (end (if (in to (far 1)) (win mover)) (stuck (lose mover))) (limits {limits}))\n"
    );
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn no_command_claims_a_win_that_a_limit_of_plies_stops() {
    let folder = tempfile::tempdir().unwrap();
    let games = [
        ("quiet_win", "(quiet 4 (win second))", "4 plies without progress"),
        ("quiet_draw", "(quiet 4)", "4 plies without progress"),
        ("cap", "(cap 6)", "6 plies"),
    ];
    for (name, limits, words) in games {
        let game = race(folder.path(), name, limits);
        let file = solved(folder.path(), name, &[&game]);
        let not_known =
            format!("Not known: the rules stop a game after {words}. Without this limit");
        assert!(stdout(&["solve", &game]).contains(&not_known), "solve {name}");
        assert!(stdout(&["probe", &file]).contains(&not_known), "probe {name}");
        let limit = &json(&["probe", &file, "--json"])["limit"];
        assert_eq!(limit["without_progress"], name != "cap", "{limit}");
        let few = ["--games", "2", "--iterations", "20", "--model", "none"];
        let text = stdout(&[&["gauge", &game][..], &few].concat());
        let not_solved = format!("Not solved: the rules stop a game after {words}, and best play");
        assert!(text.contains(&not_solved) && !text.contains("Solved: "), "{text}");
        let gauge = json(&[&["gauge", &game][..], &few, &["--json"]].concat());
        assert_eq!(gauge["unsolved"]["reason"], "limit");
        assert!(gauge["solved"].is_null());
        let perfect = format!("perfect(file={file})");
        // Who wins endless play decides some positions of the first game.
        let refusal = match name {
            "quiet_win" => "perfect play is not known".to_owned(),
            _ => format!("the rules stop it after {words}"),
        };
        refused(&["match", &game, &perfect, "random", "--games", "2"], 65, &[&refusal]);
        let evaluator = format!("alphabeta(eval={perfect},depth=2)");
        refused(&["search", &game, "--player", &evaluator], 65, &[&refusal]);
        if name != "cap" {
            let puzzles = json(&["puzzles", &game, "--json"]);
            let wins = puzzles["puzzles"].as_array().unwrap();
            assert!(!wins.is_empty());
            assert!(wins.iter().all(|puzzle| puzzle["remoteness"].as_u64().unwrap() <= 4));
        }
    }
    // Without a limit in its way the same race is solved.
    let game = race(folder.path(), "free", "(quiet 40)");
    assert!(
        stdout(&["solve", &game]).contains("With best play the first player, to move, wins in 9")
    );
}

/// A cap that the rules have may come before the third repetition, which the second player waits for.
#[test]
fn a_win_by_endless_play_is_not_claimed_where_a_cap_may_come_first() {
    let folder = tempfile::tempdir().unwrap();
    // Four cells for each man and two sides to move: 24 positions at most, so 48 plies are enough.
    for (cap, is_known) in [("(cap 10)", false), ("(cap 60)", true), ("", true)] {
        let name = format!("cap{}", cap.len() + usize::from(is_known));
        let game = round(folder.path(), &name, &format!("(repetition (win second)) {cap}"));
        let solve = json(&["solve", &game, "--json"]);
        assert_eq!(solve["start"]["value"], "lose", "{cap}: {solve}");
        assert_eq!(solve["start"].get("limit").is_none(), is_known, "{cap}: {solve}");
        let file = solved(folder.path(), &name, &[&game]);
        assert_eq!(json(&["probe", &file, "--json"]).get("limit").is_none(), is_known, "{cap}");
        let few = ["--games", "2", "--iterations", "20", "--model", "none", "--json"];
        let gauge = json(&[&["gauge", &game][..], &few].concat());
        assert_eq!(gauge["solved"].is_null(), !is_known, "{cap}: {gauge}");
        let perfect = format!("perfect(file={file})");
        let play = ["match", &game, &perfect, "random", "--games", "2", "--opening-plies", "0"];
        if is_known {
            let alpha_beta = json(&["search", &game, "--player", "alphabeta(depth=24)", "--json"]);
            assert_eq!(alpha_beta["decided"], "lose", "{cap}");
            stdout(&play);
        } else {
            let alpha_beta = json(&["search", &game, "--player", "alphabeta(depth=12)", "--json"]);
            assert_ne!(alpha_beta["decided"], "lose", "{cap}: the cap comes first");
            refused(&play, DATA, &["perfect play is not known", "after 10 plies"]);
        }
    }
}
