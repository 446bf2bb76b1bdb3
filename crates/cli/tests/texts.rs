//! Texts that describe games: checked, explained, begun from, and played by every command.

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Room, USAGE, json, refused, run, run_with, stdout, testdata};

#[test]
fn check_says_what_is_wrong_with_a_text() {
    let good = json(format!("check {}", testdata("rules/riptide.rules")));
    let ended = ["first_wins", "second_wins", "draws", "repetitions", "quiet", "capped"];
    let games = &good["random_games"];
    let sum: u64 = ended.iter().map(|name| games.whole(&format!("/{name}"))).sum();
    assert_eq!((sum, good.list("/errors").len()), (games.whole("/games"), 0));
    let ran = run(format!("check {} --json", testdata("rules_bad/word.rules")));
    assert_eq!(ran.code, Some(DATA), "{}", ran.stderr);
    let bad: serde_json::Value = serde_json::from_str(&ran.stdout).expect("stdout is JSON");
    let error = &bad["errors"][0];
    assert_eq!((error.whole("/line"), error.whole("/column")), (4, 10));
    assert_eq!(error["nearest"], "place");
    assert!(error.word("/message").contains("plase"));
}

#[test]
fn check_takes_the_name_of_a_game_that_is_a_text() {
    for game in ["hexapawn", "congkak", "breakthrough"] {
        let report = json(format!("check {game}"));
        assert_eq!((report.word("/file"), report.list("/errors").len()), (game, 0));
        let formatted = stdout(format!("check {game} --format"));
        assert!(formatted.contains("\n(game \""), "{formatted}");
    }
    // A family without a rules text, and a name of nothing.
    for unknown in ["finger_game", "hexapwn"] {
        assert_eq!(run(format!("check {unknown}")).code, Some(DATA), "{unknown}");
    }
    let meant = ["cannot read hexapwn", "did you mean `hexapawn`?"];
    refused("check hexapwn", DATA, &meant);
    refused("check hexapwn --format", DATA, &meant);
    // A name that resembles none, and one that is that of a file.
    for other in ["zzzzzzzz", "hexapwn.rules", "folder/hexapwn"] {
        let stderr = run(format!("check {other}")).stderr;
        assert!(stderr.contains("cannot read") && !stderr.contains("did you mean"), "{stderr}");
    }
    // Alak has no text, so it is not meant.
    assert!(!run("check alakk").stderr.contains("did you mean"));
}

#[test]
fn the_rules_of_a_text_are_shown_in_plain_english() {
    let text = testdata("rules/breakthrough.rules");
    let shown = json(format!("show {text}"));
    let moves = shown.list("/rules").iter().find(|part| part["heading"] == "Moves");
    let paragraph = &moves.unwrap()["paragraphs"][0];
    assert_eq!(paragraph["level"], 0);
    assert_eq!(
        paragraph["text"],
        "A man steps straight forward to an empty cell, or diagonally forward to an empty cell or \
         onto an opposing man, which is captured."
    );
    let printed = stdout(format!("show {text}"));
    assert!(printed.contains("\nMoves\n  A man steps straight forward"), "{printed}");
    // A built-in game has its origin there.
    let headings: Vec<Value> = json("show breakthrough")
        .list("/rules")
        .iter()
        .map(|section| section["heading"].clone())
        .collect();
    assert_eq!(headings, ["Origin"]);
}

#[test]
fn a_text_to_begin_from_is_a_game_at_once() {
    let room = Room::new();
    let text = room.stdout("new breakthrough");
    assert!(text.starts_with("; The rules of the built-in game breakthrough.\n"), "{text}");
    let written = room.run("new breakthrough -o my.rules");
    assert_eq!((written.stdout.as_str(), written.code), ("", Some(0)));
    assert_eq!(written.stderr, "the text is in my.rules\n");
    assert_eq!(room.text("my.rules"), text);
    let counts = room.json("perft my.rules --depth 3");
    assert_eq!(counts["counts"], json("perft breakthrough --depth 3")["counts"]);
    // What somebody has written is not lost.
    room.refused("new othello -o my.rules", DATA, &["--force replaces it"]);
    assert_eq!(room.text("my.rules"), text);
    let list = stdout("new --list --explain");
    assert!(list.contains("checkers(kings=true)") && list.contains("\nalak "), "{list}");
    let report = json("new --list");
    let lists = |part: &str, name: &str, value: &str| {
        report.list(part).iter().any(|one| one[name] == value)
    };
    assert!(lists("/games", "game", "checkers(kings=true)"), "{report}");
    assert!(lists("/without_text", "family", "alak"), "{report}");
    assert_eq!(json("new othello").word("/source"), stdout("new othello"));
}

#[test]
fn a_text_is_read_from_standard_input() {
    let text = std::fs::read_to_string(testdata("rules/tic_tac_toe.rules")).unwrap();
    let given = |command: &str| {
        let ran = run_with(command, &text);
        (ran.code, ran.stdout)
    };
    let (code, report) = given("check - --json");
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let found = (code, report.word("/file"), report.word("/name"));
    assert_eq!(found, (Some(0), "-", "Tic-tac-toe"));
    for (command, part) in [
        ("check - --format", "(game \"Tic-tac-toe\""),
        ("perft - --depth 2", "72"),
        ("show -", "makes a line of three marks"),
    ] {
        let (code, said) = given(command);
        assert!(code == Some(0) && said.contains(part), "{command}: {said}");
    }
    assert!(!given("show -").1.contains("Next:"), "nothing can read the text again");
    let wrong = run_with("check -", "a").stdout;
    assert!(wrong.contains("\nstandard input:1:1: the file has no game"), "{wrong}");
    // A record would name a file that is not there.
    assert_eq!(given("gauge -").0, Some(USAGE));
}

#[test]
fn a_text_is_a_game_for_every_command() {
    let text = testdata("rules/tic_tac_toe.rules");
    let counts = |command: String| json(command)["counts"].clone();
    assert_eq!(counts(format!("perft {text} --depth 4")), json!([9, 72, 504, 3024]));
    let (solved, built_in) = (json(format!("solve {text}")), json("solve tic_tac_toe"));
    assert_eq!(solved["positions"], built_in["positions"]);
    assert_eq!(solved["start"], built_in["start"]);
    let found = json(format!("search {text} --iterations 500"));
    assert_eq!(found["best_move"], "b2");
    assert!(stdout(format!("show {text} --moves 'b2 a1'")).contains('x'));
    let options = testdata("rules/mnk_options.rules");
    assert_eq!(counts(format!("perft '{options}(width=5)' --depth 1")), json!([20]));
    let misspelt = format!("perft '{options}(widht=5)' --depth 1");
    refused(misspelt, USAGE, &["did you mean `width`?"]);
    let bad = format!("perft {} --depth 1", testdata("rules_bad/line.rules"));
    refused(bad, DATA, &["a line of 5 does not fit"]);
}

#[test]
fn a_text_is_the_same_game_in_every_folder() {
    const TEXT: &str = "(game \"Three: in a row\" (options (k 3 2 4)) (board (grid 3 3)) (play (place)) \
        (end (if (makes (line k)) (win mover)) (stuck draw)))";
    let room = Room::new();
    for path in ["one/three.rules", "two/other_name.rules"] {
        room.write(path, TEXT);
    }
    let [one, two] = ["one/three.rules", "two/other_name.rules(k=3)"];
    let name = room.json(format!("games --canonical {one}"))["rows"][0]["canonical"].clone();
    let name = name.as_str().unwrap();
    assert!(name.starts_with("rules(title=three_in_a_row,digest="), "{name}");
    assert_eq!(room.json(format!("games --canonical '{two}'"))["rows"][0]["canonical"], name);

    // Both play the same games, and parts of a study fit together.
    for (game, data) in [(one, "a"), (two, "b")] {
        room.stdout(format!("collect --games '{game}' --iterations 40 --instances 3 -o {data}"));
        room.stdout(format!(
            "match '{game}' 'uct(iterations=9)' random --games 6 --record {data}.games"
        ));
    }
    for table in ["trees.csv", "instances.csv", "trees.parquet", "instances.parquet"] {
        assert!(room.bytes(format!("a/{table}")) == room.bytes(format!("b/{table}")), "{table}");
    }
    let games = |file: &str| room.text(file).split_once('\n').unwrap().1.to_owned();
    assert_eq!(games("a.games"), games("b.games"));
    for (part, game) in [(1, one), (2, two)] {
        room.stdout(format!(
            "collect --games '{game}' --iterations 40 --instances 3 --shard {part}/2 -o p{part}"
        ));
    }
    room.stdout("merge p1 p2 -o whole");
    assert_eq!(room.bytes("whole/trees.csv"), room.bytes("a/trees.csv"));

    // An exact solution needs the text, which is read where it lies.
    let rows = room.json("aggregate whole --with solved")["rows"].clone();
    assert_eq!(rows[0][0], name, "{rows}");

    // A solution and a record open their game by its path.
    room.stdout(format!("solve {one} -o three.solution"));
    assert_eq!(room.json("probe three.solution")["value"], "tie");
    assert_eq!(room.json("replay a.games")["game"], one);
    let played =
        room.json(format!("match '{two}' 'perfect(file=three.solution)' random --games 4"));
    assert_eq!(played["a"], "perfect(file=three.solution)");
    // Both find a text that lies beside them, and a solution is written again wherever the text is.
    std::fs::remove_file(room.at(one)).unwrap();
    room.write("three.rules", TEXT);
    assert_eq!(room.json("probe three.solution")["value"], "tie");
    assert_eq!(room.json("replay a.games")["game"], "three.rules");
    std::fs::remove_file(room.at("three.rules")).unwrap();
    room.refused("probe three.solution", DATA, &["one/three.rules"]);
    room.stdout("solve two/other_name.rules -o three.solution");
    assert_eq!(room.json("probe three.solution")["value"], "tie");
    let twice = "compare two/other_name.rules two/../two/other_name.rules";
    room.refused(twice, USAGE, &["different games"]);

    // A study that goes on with the text in another place knows that place.
    room.stdout("collect --games two/other_name.rules --iterations 40 --instances 4 -o a");
    room.json("aggregate a --with solved");
    room.write(one, TEXT);
    room.stdout(format!("solve {one} -o three.solution"));
    room.refused(
        format!("gauge '{name}'"),
        USAGE,
        &["three_in_a_row", "write the path of its file"],
    );
    room.write(one, TEXT.replace("(win mover)", "(lose mover)"));
    room.refused("probe three.solution", DATA, &["one/three.rules", "has changed"]);
    room.refused("replay a.games", DATA, &["one/three.rules", "has changed"]);
}
