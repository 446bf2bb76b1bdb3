//! Output of the program, as it was when a person last read it. After a change that is meant,
//! `INSTA_UPDATE=always cargo test -p treegauge-cli golden` writes the new texts; read them.

use std::path::Path;

use crate::common::{Fields, Room, json, solved, stdout};

/// Each game of the catalog with a few moves.
const LINES: &[(&str, &str)] = &[
    ("tic_tac_toe", "b2 a1 c3"),
    ("wild_tic_tac_toe", "Xb2 Oa1 Xb1"),
    ("connect_four", "d d e c e"),
    ("qubic", "111 222 444 432"),
    ("achi", "b2 a1 c3 a2 a3 c1 b2-b1"),
    ("alak", "e f g"),
    ("othello", "d3 c3 c4"),
    ("breakthrough", "b2-b3 a7-a6 b3-b4"),
    ("checkers", "c3-d4 f6-e5 d4xf6 e7xg5 9-13"),
    ("alquerque", "c2-c3 c4xc2 c1xc3"),
    ("dots_and_boxes", "h11 h21 v11 v12"),
    ("dots_corridor", "1 2"),
    ("dipole", "e1-g3 d8-a5 e1-off:4 a5-b4"),
    ("finger_game", "LL RL RR"),
    ("forms", "a1xa3 f4xa3"),
    ("isolation", "d4 c3 e6 d5 c5"),
    ("kalah", "3 6 4"),
    ("nine_mens_morris", "d2 f4 d1 f2 d3xf2"),
    ("oware", "3 4 6"),
    ("one_to_ten", "2 1"),
    ("mnk", "h8 i9 g8"),
];

#[test]
fn every_game_of_the_catalog_is_shown_below() {
    let games = json("games");
    let listed: Vec<&str> = games.list("/games").iter().map(|game| game.word("/name")).collect();
    let shown: Vec<&str> = LINES.iter().map(|(game, _)| *game).collect();
    assert_eq!(listed, shown);
}

#[test]
fn show_at_the_start_and_after_a_few_moves() {
    for (game, moves) in LINES {
        let start = stdout(["show", game]);
        let later = stdout(["show", game, "--moves", moves]);
        insta::assert_snapshot!(
            format!("show_{game}"),
            format!("$ show {game}\n{start}\n$ show {game} --moves '{moves}'\n{later}")
        );
        // What is printed is read.
        let position = later.lines().find_map(|line| line.strip_prefix("position: "));
        let position = position.expect("the position is printed");
        assert_eq!(stdout(["show", game, "--position", position]), later);
    }
}

#[test]
fn games() {
    insta::assert_snapshot!(stdout("games"));
}

#[test]
fn search() {
    insta::assert_snapshot!(stdout("search tic_tac_toe --iterations 500 --explain"));
}

/// Pictures of trees: the smallest with everything that pictures show.
#[test]
fn trees_as_pictures() {
    let room = Room::new();
    for (name, search) in [
        ("tree_of_uct", "tic_tac_toe --moves 'a1 b2 c3 a3' --iterations 60 --picture-nodes 12"),
        ("tree_of_alpha_beta", "tic_tac_toe --moves 'a1 b2 c3 a3 c1' --player alphabeta"),
        ("tree_of_lines", "sim --moves 'ab' --iterations 40 --picture-nodes 5 --picture-boards 3"),
    ] {
        room.stdout(format!("search {search} --svg {name}.svg"));
        insta::assert_snapshot!(name, room.text(&format!("{name}.svg")));
    }
}

#[test]
fn gauge() {
    insta::assert_snapshot!(stdout("gauge tic_tac_toe --games 6 --iterations 200"));
}

#[test]
fn perft() {
    insta::assert_snapshot!(stdout("perft connect_four --depth 6 --divide"));
}

/// A solve with its reasons, without the time and the memory that it took.
fn solve_text(game: &str) -> String {
    let text = stdout(format!("solve {game} --explain"));
    let is_time = |line: &&str| line.contains(" s of CPU time");
    assert_eq!(text.lines().filter(is_time).count(), 1, "{text}");
    let rest: Vec<&str> = text.lines().filter(|line| !is_time(line)).collect();
    rest.join("\n")
}

#[test]
fn solve() {
    insta::assert_snapshot!("solve_tic_tac_toe", solve_text("tic_tac_toe --symmetry"));
    insta::assert_snapshot!("solve_achi", solve_text("achi"));
    // A table of many rows is shortened.
    insta::assert_snapshot!("solve_othello", solve_text("othello(size=4)"));
    insta::assert_snapshot!("solve_one_to_ten", solve_text("one_to_ten(target=100)"));
}

#[test]
fn probe_and_verify() {
    let room = Room::new();
    solved(&room, "file", "achi");
    insta::assert_snapshot!("probe", room.stdout("probe file --moves 'b2 a1 c3 a2 a3 c1'"));
    insta::assert_snapshot!("verify", room.stdout("verify file --explain"));
}

#[test]
fn puzzles() {
    insta::assert_snapshot!("puzzles_tic_tac_toe", stdout("puzzles tic_tac_toe --explain"));
    insta::assert_snapshot!("puzzles_achi", stdout("puzzles achi --mate-in 3 --explain"));
}

#[test]
fn a_number_goes_with_its_noun() {
    let many = "games moves plies positions sites iterations searches players points pairs visits trees puzzles \
                candidates nodes problems groups instances boxes sequences mismatches rows lines pieces men stones cells";
    let many: Vec<&str> = many.split_whitespace().collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut read = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let words = text.split(|c: char| c.is_whitespace() || "(\"'".contains(c));
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let noun = pair[1].trim_end_matches(|c: char| !c.is_alphanumeric());
            let wrong = pair[0] == "1" && many.contains(&noun);
            assert!(!wrong, "{}: {} {}", path.display(), pair[0], pair[1]);
        }
        read += 1;
    }
    assert!(read > 20, "{read}");
}
