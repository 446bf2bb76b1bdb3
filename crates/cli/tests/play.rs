//! Games at the terminal. What is typed at them is in the transcripts of `refusals`.

use serde_json::Value;

use crate::common::{Room, run_with, solved, stdout};

#[test]
fn what_is_no_word_is_typed_too() {
    // Spaces are left out, a line without a word is none, and a last line without its line feed is one.
    let play = "play tic_tac_toe --first human --second human";
    let ran = run_with(play, "\n  b2 \nresign");
    assert!(ran.stdout.contains("the second player resigns"), "{}", ran.stdout);
    let ran = run_with(play, "\u{1b}[A\nquit\n");
    assert!(!ran.stdout.contains('\u{1b}'), "control characters are not echoed");
}

#[test]
fn the_seed_decides_the_game() {
    let played = |seed: u8| {
        stdout(format!("play connect_four --first random --second random --seed {seed}"))
    };
    assert_eq!(played(1), played(1));
    assert_ne!(played(1), played(2));
}

#[test]
fn trees_are_logged_for_each_searched_move() {
    let room = Room::new();
    let players = "--first uct(iterations=60) --second uct(iterations=30)";
    let text = room.stdout(format!("play tic_tac_toe {players} --log-trees new/trees"));
    let plies = text.matches("player plays").count();
    let names = |n: usize| [format!("tree-{n:04}.dot"), format!("tree-{n:04}.json")];
    assert_eq!(room.names("new/trees"), (1..=plies).flat_map(names).collect::<Vec<_>>());
    for n in 1..=plies {
        let [dot, json] = names(n).map(|name| room.text(&format!("new/trees/{name}")));
        let tree: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(tree["schema"], 1);
        assert_eq!(tree["iterations"], if n % 2 == 1 { 60 } else { 30 });
        assert_eq!(tree["nodes"][0]["visits"], tree["iterations"]);
        assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'), "{dot}");
    }
    // Random players leave none.
    room.stdout("play tic_tac_toe --first random --second random --log-trees none");
    assert!(room.names("none").is_empty());
}

#[test]
fn a_seeded_game_between_searches() {
    let players = "--first uct(iterations=300) --second uct(iterations=100,cp=0.5)";
    insta::assert_snapshot!(stdout(format!(
        "play connect_four(cols=5,rows=4) {players} --seed 11"
    )));
}

#[test]
fn a_perfect_player_does_not_lose() {
    let room = Room::new();
    for symmetry in ["", "--symmetry"] {
        solved(&room, "file", &format!("tic_tac_toe {symmetry}"));
        let mut games = std::collections::BTreeSet::new();
        for seed in 1..5 {
            let perfect = "perfect(file=file)";
            let play = |first: &str, second: &str| {
                let sides = format!("--first {first} --second {second} --seed {seed}");
                room.stdout(format!("play tic_tac_toe {sides}"))
            };
            assert!(!play(perfect, "random").contains("the second player has won"));
            assert!(!play("random", perfect).contains("the first player has won"));
            let both = play(perfect, perfect);
            assert!(both.contains(" (tie in 9)\n") && both.contains(" (tie in 1)\n"), "{both}");
            assert!(both.contains("the game is drawn"), "{both}");
            games.insert(both);
        }
        assert!(games.len() > 1, "of equal moves one is drawn");
    }
    // A loop, moves that keep the turn, and keys of each length.
    for (game, end) in [
        ("one_to_ten", "the first player has won\n"),
        ("alak(length=5)", "the first player has won\n"),
        ("finger_game", "the game is drawn (ended by repetition)"),
        ("dots_and_boxes(rows=1,cols=2)", "the game is drawn\n"),
        ("mnk(rows=9,cols=9,k=1)", "the first player has won\n"),
        ("mnk(rows=19,cols=19,k=1)", "the first player has won\n"),
    ] {
        solved(&room, "file", game);
        let sides = "--first perfect(file=file) --second perfect(file=file)";
        let text = room.stdout(format!("play {game} {sides}"));
        assert!(text.contains(end), "{text}");
    }
}
