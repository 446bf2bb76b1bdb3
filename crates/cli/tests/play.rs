//! Games at the terminal, typed through a pipe.

use std::fs;

use serde_json::Value;

use crate::common::{Ran, run, run_with, solved, stdout};

/// What is seen when these lines are typed, one a turn.
fn typed(arguments: &[&str], lines: &[&str]) -> Ran {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let ran = run_with(&[&["play"], arguments].concat(), &input);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stderr, "");
    ran
}

#[track_caller]
fn sees(ran: &Ran, expected: &str) {
    assert!(ran.stdout.contains(expected), "no {expected:?} in\n{}", ran.stdout);
}

const HUMANS: [&str; 5] = ["tic_tac_toe", "--first", "human", "--second", "human"];

#[test]
fn two_people_play_to_the_end() {
    let ran = typed(&HUMANS, &["a1", "a2", "B1", "  b2 ", "c1"]);
    sees(&ran, "the first player has won (ended by the rules)");
    sees(&ran, "2  o o .\n1  x x x\n");
}

#[test]
fn a_person_plays_against_a_search() {
    let uct = ["tic_tac_toe", "--second", "uct(iterations=2000)"];
    // The search must stop the line a1 b1 c1.
    let ran = typed(&uct, &["a1", "b1", "quit"]);
    sees(&ran, "the first player, x, is human; the second player, o, is uct(iterations=2000);");
    sees(&ran, "the second player plays c1 (value ");
    sees(&ran, "The game is left unfinished.");
    let first =
        typed(&["tic_tac_toe", "--first", "uct(iterations=2000)", "--second", "human"], &["quit"]);
    sees(&first, "the first player plays b2 (value +");
}

#[test]
fn a_hint_finds_the_winning_move_first() {
    let ran = typed(&HUMANS, &["a1", "a2", "b1", "b2", "hint", "quit"]);
    sees(&ran, "hint (proved, repetitions aside): you win by force, for example by c1\n");
    // For the second player, too, a good move has a positive value.
    let ran = typed(&HUMANS, &["a1", "a2", "c3", "b2", "b1", "hint", "quit"]);
    sees(&ran, "hint (proved, repetitions aside): you win by force, for example by c2\n");
}

#[test]
fn undo_takes_back_to_the_persons_last_turn() {
    let ran = typed(&["tic_tac_toe", "--second", "random"], &["b2", "undo", "moves", "quit"]);
    sees(&ran, "taken back\n");
    sees(&ran, "a1 b1 c1 a2 b2 c2 a3 b3 c3\n");
    // Between two people one move is taken back, and the other may be, too.
    let ran = typed(&HUMANS, &["a1", "b2", "undo", "undo", "undo", "moves", "quit"]);
    assert_eq!(ran.stdout.matches("taken back\n").count(), 2, "{}", ran.stdout);
    sees(&ran, "there is nothing to take back");
    sees(&ran, "a1 b1 c1 a2 b2 c2 a3 b3 c3\n");
}

#[test]
fn undo_at_the_beginning_takes_nothing_back() {
    let ran = typed(&HUMANS, &["undo", "quit"]);
    sees(&ran, "there is nothing to take back");
    // The computer began: before its move there is no turn of a person.
    let ran = typed(&["tic_tac_toe", "--first", "random", "--second", "human"], &["undo", "quit"]);
    sees(&ran, "there is nothing to take back");
    // Moves of the command line are the beginning.
    let ran = typed(&[&HUMANS[..], &["--moves", "a1 b2"]].concat(), &["undo", "quit"]);
    sees(&ran, "there is nothing to take back");
    sees(&ran, "2  . o .\n1  x . .\n");
}

#[test]
fn a_player_that_resigns_has_lost() {
    sees(&typed(&HUMANS, &["resign"]), "the first player resigns: the second player has won");
    sees(&typed(&HUMANS, &["a1", "resign"]), "the second player resigns: the first player has won");
}

#[test]
fn the_end_of_the_input_leaves_the_game() {
    for lines in [&[][..], &["a1"], &["help"], &[""]] {
        sees(&typed(&HUMANS, lines), "The game is left unfinished.");
    }
    // A last line without its line feed is a line.
    let ran = run_with(&[&["play"], &HUMANS[..]].concat(), "resign");
    sees(&ran, "the first player resigns");
}

#[test]
fn an_illegal_move_is_explained_and_asked_again() {
    let ran = typed(&HUMANS, &["b9", "a1", "a1", "quit"]);
    sees(&ran, "\"b9\" is not a legal move here; the nearest legal move is `b");
    sees(&ran, "\"a1\" is not a legal move here; the nearest legal move is `");
    sees(&typed(&HUMANS, &["b1c1", "quit"]), "`b1` is; separate moves by spaces");
    assert_eq!(ran.stdout.matches("o to move> ").count(), 2, "{}", ran.stdout);
    let ran = typed(&HUMANS, &["\u{1b}[A", "é", "quit"]);
    sees(&ran, "\"é\" is not a legal move here");
    assert!(!ran.stdout.contains('\u{1b}'), "control characters are not echoed");
}

#[test]
fn help_names_every_command() {
    let ran = typed(&HUMANS, &["?", "quit"]);
    for command in ["hint", "moves", "history", "undo", "resign", "quit"] {
        sees(&ran, &format!("\n  {command} "));
    }
}

#[test]
fn a_player_that_moves_again_is_asked_again() {
    // The player that closes a box moves again: the fourth side of the only box ends it.
    let game = ["dots_and_boxes(rows=1,cols=2)", "--first", "human", "--second", "human"];
    let ran = typed(&game, &["h11", "h21", "v11", "v12", "moves", "quit"]);
    assert!(ran.stdout.contains("o to move> \n\n"), "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("o to move> ").count(), 4, "{}", ran.stdout);
}

#[test]
fn a_finished_game_is_not_played_on() {
    let ran = typed(&["tic_tac_toe(k=2)", "--moves", "a1 c3 b1"], &["a2"]);
    sees(&ran, "the first player has won (ended by the rules)");
    assert!(!ran.stdout.contains("to move"), "{}", ran.stdout);
}

#[test]
fn the_seed_decides_the_game() {
    let played = |seed| {
        stdout(&["play", "connect_four", "--first", "random", "--second", "random", "--seed", seed])
    };
    assert_eq!(played("1"), played("1"));
    assert_ne!(played("1"), played("2"));
}

#[test]
fn trees_are_logged_for_each_searched_move() {
    let folder = tempfile::tempdir().unwrap();
    let trees = folder.path().join("new/trees");
    let text = stdout(&[
        "play",
        "tic_tac_toe",
        "--first",
        "uct(iterations=60)",
        "--second",
        "uct(iterations=30)",
        "--log-trees",
        trees.to_str().unwrap(),
    ]);
    let plies = text.matches("player plays").count();
    let mut names: Vec<String> = fs::read_dir(&trees)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let expected: Vec<String> = (1..=plies)
        .flat_map(|n| [format!("tree-{n:04}.dot"), format!("tree-{n:04}.json")])
        .collect();
    assert_eq!(names, expected);
    for n in 1..=plies {
        let json = fs::read_to_string(trees.join(format!("tree-{n:04}.json"))).unwrap();
        let tree: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(tree["schema"], 1);
        assert_eq!(tree["iterations"], if n % 2 == 1 { 60 } else { 30 });
        assert_eq!(tree["nodes"][0]["visits"], tree["iterations"]);
        let dot = fs::read_to_string(trees.join(format!("tree-{n:04}.dot"))).unwrap();
        assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'), "{dot}");
    }
}

#[test]
fn random_players_leave_no_trees() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().to_str().unwrap();
    let arguments =
        ["play", "tic_tac_toe", "--first", "random", "--second", "random", "--log-trees", log];
    assert_eq!(run(&arguments).code, Some(0));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_seeded_game_between_searches() {
    insta::assert_snapshot!(stdout(&[
        "play",
        "connect_four(cols=5,rows=4)",
        "--first",
        "uct(iterations=300)",
        "--second",
        "uct(iterations=100,cp=0.5)",
        "--seed",
        "11",
    ]));
}

#[test]
fn a_person_plays_against_a_solved_game_with_the_values_of_moves() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["tic_tac_toe"]);
    for game in [&["tic_tac_toe"][..], &[]] {
        let ran = typed(&[game, &["--perfect", &file]].concat(), &["hint", "b2", "quit"]);
        sees(
            &ran,
            &format!(
                "tic_tac_toe: the first player, x, is human; the second player, o, is perfect(file={file})"
            ),
        );
        sees(
            &ran,
            "hint (the value of each move for you, best first, with the plies to the end):\n  tie in 9: a1 b1 c1",
        );
        sees(&ran, " (tie in 8)\n");
        assert!(!ran.stdout.contains('\u{1b}'), "no colours but on a terminal");
    }
    // A corner holds the tie against the centre; next to an edge it wins.
    let ran = typed(&["--perfect", &file, "--moves", "b2 b1"], &["hint", "a1", "hint", "quit"]);
    sees(
        &ran,
        "best first, with the plies to the end):\n  wins in 5: a1 c1 a2 c2 a3 c3\n  tie in 7: b3\n",
    );
    sees(&ran, "the second player plays c3 (loses in 4)\n");
    sees(&ran, "best first, with the plies to the end):\n  wins in 3: a2 a3\n");
    // A person that takes the second side alone plays against perfect play as well.
    let ran = typed(&["--perfect", &file, "--second", "human"], &["quit"]);
    sees(&ran, "the first player, x, is perfect(");
    sees(&ran, " (tie in 9)\n");
    // Two people with hints.
    let people = ["--perfect", &file, "--first", "human", "--second", "human"];
    sees(
        &typed(&people, &["a1", "hint"]),
        "best first, with the plies to the end):\n  tie in 8: b2\n  loses in ",
    );
}

#[test]
fn endless_play_is_reported_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["achi"]);
    let line = ["--perfect", &file, "--moves", "b2 a1 c3 a2 a3 c1"];
    let ran = typed(&line, &["hint", "c3-c2", "quit"]);
    sees(&ran, "\n  wins in 3: c3-b3\n  endless: b2-b1 c3-c2\n  loses in 10: a3-b3\n");
    sees(&ran, " (endless)\n");
}

#[test]
fn a_game_begins_where_the_file_begins() {
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "file", &["tic_tac_toe", "--moves", "a1 a2 b1 b2"]);
    let ran = typed(&["--perfect", &file], &["c1"]);
    sees(&ran, "2  o o .\n1  x x .\n");
    sees(&ran, "the first player has won");
}

#[test]
fn a_perfect_player_does_not_lose() {
    let folder = tempfile::tempdir().unwrap();
    for symmetry in [&[][..], &["--symmetry"]] {
        let file = solved(folder.path(), "file", &[&["tic_tac_toe"], symmetry].concat());
        let perfect = format!("perfect(file={file})");
        let mut games = std::collections::BTreeSet::new();
        for seed in ["1", "2", "3", "4"] {
            let play = |first: &str, second: &str| {
                let sides = ["--first", first, "--second", second, "--seed", seed];
                stdout(&[&["play", "tic_tac_toe"], &sides[..]].concat())
            };
            assert!(!play(&perfect, "random").contains("the second player has won"));
            assert!(!play("random", &perfect).contains("the first player has won"));
            let both = play(&perfect, &perfect);
            assert!(both.contains(" (tie in 9)\n") && both.contains(" (tie in 1)\n"), "{both}");
            assert!(both.contains("the game is drawn"), "{both}");
            games.insert(both);
        }
        assert!(games.len() > 1, "of equal moves one is drawn");
    }
}

/// A loop, moves that keep the turn, and keys of each length.
#[test]
fn perfect_players_get_the_value_of_the_start() {
    let folder = tempfile::tempdir().unwrap();
    for (game, end) in [
        ("one_to_ten", "the first player has won (ended by the rules)"),
        ("alak(length=5)", "the first player has won (ended by the rules)"),
        ("finger_game", "the game is drawn (ended by repetition)"),
        ("dots_and_boxes(rows=1,cols=2)", "the game is drawn (ended by the rules)"),
        ("mnk(rows=9,cols=9,k=1)", "the first player has won (ended by the rules)"),
        ("mnk(rows=19,cols=19,k=1)", "the first player has won (ended by the rules)"),
    ] {
        let file = solved(folder.path(), "file", &[game]);
        let perfect = format!("perfect(file={file})");
        let text = stdout(&["play", game, "--first", &perfect, "--second", &perfect]);
        assert!(text.contains(end), "{text}");
    }
}
