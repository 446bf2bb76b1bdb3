//! Matches and what is made of their records.

use std::fs;

use serde_json::{Value, json};

use crate::common::{DATA, Fields, Ran, Room, USAGE, answer, json, resealed, stdout, unsigned};
use crate::degenerate::check_page;

/// A randomised match of a search, soon over.
const UNEQUAL: &str = "match tic_tac_toe --a 'uct(iterations=60)' --b random --games 24";

/// A tournament that is soon over.
const THREE: &str =
    "tournament 'isolation(cols=3,rows=3)' random 'uct(iterations=40)' random --games 20";

/// A merge of parts that are not a whole, and its JSON.
fn incomplete(room: &Room, merge: &str) -> (Ran, Value) {
    let ran = room.run(format!("{merge} --json"));
    assert_eq!(ran.code, Some(1), "{merge}: {}", ran.stderr);
    let report = serde_json::from_str(&ran.stdout).unwrap_or_default();
    (ran, report)
}

#[test]
fn merged_parts_are_the_whole_match() {
    let room = Room::new();
    room.stdout(format!("{UNEQUAL} --record whole --threads 2"));
    for part in [1, 2, 3] {
        room.stdout(format!("{UNEQUAL} --record part{part} --shard {part}/3 --threads 1"));
    }
    // In any order; a game that two files have is not an error.
    let text = room.stdout("merge part3 part1 part2 part1 -o merged");
    assert_eq!(text, stdout(UNEQUAL));
    assert_eq!(room.bytes("merged"), room.bytes("whole"));
    assert_eq!(room.answer("merge whole"), answer(UNEQUAL));
    let twice = room.run("merge whole whole");
    assert_eq!((twice.code, &twice.stdout), (Some(0), &text));
    assert!(twice.stderr.contains("whole is given twice and counts once"), "{}", twice.stderr);

    // The game has one name, and is the same run however it is written.
    let named =
        |k: &str| format!("match 'mnk(rows=3,cols=4,{k})' random random --games 4 --record kept");
    let text = room.stdout(named("k=3"));
    assert!(text.starts_with("mnk(rows=3,cols=4,k1=3,k2=3): "), "{text}");
    assert_eq!(room.stdout("merge kept --games 4"), text);
    assert_eq!(room.stdout(named("k1=3,k2=3")), text);

    // Pairs 0 to 11 without 1, 4, 7, 10.
    let (ran, report) = incomplete(&room, "merge part1 part3 -o merged");
    assert_eq!(report["missing_parts"]["absent"], json!([2]));
    assert_eq!((&report["missing"], &report["incomplete"]), (&8.into(), &true.into()));
    assert_eq!((&report["games"], &report["pairs"]), (&16.into(), &8.into()));
    let missing =
        "INCOMPLETE: missing are games 2, 3, 8, 9, 14, 15, 20, 21; part 2 of 3 is absent.";
    assert!(ran.stderr.contains(missing), "{}", ran.stderr);
    let text = room.run("merge part1 part3").stdout;
    assert!(text.starts_with("INCOMPLETE: 8 games are missing.\n"), "{text}");
    // A lost last part is seen: the records have the plan.
    let ran = incomplete(&room, "merge part1 part2").0;
    assert!(ran.stderr.contains("part 3 of 3 is absent"), "{}", ran.stderr);
    let said = |merge: &str| incomplete(&room, merge).1["missing"].clone();
    assert_eq!((said("merge part1"), said("merge part1 --games 30")), (16.into(), 22.into()));
    // Older records have none.
    let without = |object: &str| object.split(",\"planned\"").next().unwrap().to_owned();
    room.write("older", resealed(&room.text("part1"), 0, &without));
    let (ran, report) = incomplete(&room, "merge older");
    assert!(ran.stderr.contains("assuming"), "{}", ran.stderr);
    assert_eq!(report["missing"], 12);
    // The match continues from what was merged.
    room.stdout(format!("{UNEQUAL} --record merged"));
    assert_eq!(room.bytes("merged"), room.bytes("whole"));
    // A record that is still being written is read up to its last whole line.
    let text = room.text("whole");
    room.write("merged", &text[..text.len() - 5]);
    let ran = room.run("replay merged");
    assert!(ran.stderr.contains("merged has 23 of 24 planned games"), "{}", ran.stderr);
    assert_eq!(room.run("replay whole").stderr, "");
    incomplete(&room, "merge merged part2 -o again");
    let lines = room.text("again").lines().count();
    assert_eq!(lines, 24, "the last game is missing, which is in part 3");
}

#[test]
fn records_that_contradict_each_other_are_refused() {
    let room = Room::new();
    let text = room.stdout(format!("{UNEQUAL} --record one --shard 1/2"));
    assert!(text.contains("Next: `treegauge merge` joins this part, 1/2, "), "{text}");
    // Players with time budgets do not play the same game twice.
    let more_nodes = |line: &str| line.replacen("\"nodes\":", "\"nodes\":1", 1);
    let text = room.text("one");
    room.write("changed", resealed(&text, 3, &more_nodes));
    room.refused("merge one changed", DATA, &["game 4 in changed is not that in one"]);
    room.write("changed", text.replacen("random", "Random", 1));
    room.refused("merge changed", DATA, &["damaged", "at line 1", "checksum"]);
}

#[test]
fn a_match_that_one_side_wins_has_no_infinite_numbers() {
    // A player that moves at random for this long does not keep what it has.
    let command = "match 'one_to_ten(target=60)' 'uct(iterations=300)' random --games 20";
    let report = json(command);
    assert_eq!((&report["a_wins"], &report["b_wins"]), (&20.into(), &0.into()));
    assert_eq!(report["pentanomial"], json!([0, 0, 0, 0, 10]));
    assert_eq!((&report["elo"]["mean"], &report["elo"]["high"]), (&Value::Null, &Value::Null));
    assert!(report.number("/elo/low") > 0.0, "{report}");
    let text = stdout(command);
    let is_finite = !text.contains("inf") && !text.contains("NaN");
    assert!(text.contains("at least +") && is_finite, "{text}");
}

#[test]
fn what_a_match_prints() {
    let command = "match 'isolation(cols=3,rows=3)' 'uct(iterations=40)' random";
    insta::assert_snapshot!("match", stdout(format!("{command} --games 41 --explain")));
    let test = stdout(format!("{command} --games 2000 --sprt elo0=0,elo1=150 --explain"));
    insta::assert_snapshot!("match_with_a_test", test);
}

#[test]
fn a_match_counts_points_and_pairs() {
    let command = "match tic_tac_toe --a 'uct(iterations=30)' --b random --games 11";
    let report = json(command);
    let counts = ["games", "pairs", "a_wins", "draws", "b_wins", "seed"]
        .map(|field| report.whole(&format!("/{field}")));
    let [games, pairs, a_wins, draws, b_wins, seed] = counts;
    assert_eq!((games, seed, a_wins + draws + b_wins), (11, 1, games));
    let points = a_wins as f64 + draws as f64 / 2.0;
    assert!((report.number("/score/mean") - points / games as f64).abs() < 1e-12, "{report}");
    let pentanomial = report.list("/pentanomial");
    assert_eq!(pentanomial.iter().filter_map(Value::as_u64).sum::<u64>(), pairs);
    assert_eq!((&report["nodes"]["a"], &report["depth"]["b"]), (&json!(30.0), &Value::Null));
    assert_eq!(report["faults"], json!({ "a": 0, "b": 0 }));
    assert_eq!((&report["sprt"], &report["incomplete"]), (&Value::Null, &json!(false)));
    // Players that stand after the game are the same players.
    let listed = "match tic_tac_toe 'uct(iterations=30)' random --games 11";
    assert_eq!(answer(listed), answer(command));
    let named = "tournament tic_tac_toe --player 'uct(iterations=9)' --player random --games 4";
    let listed = "tournament tic_tac_toe 'uct(iterations=9)' random --games 4";
    assert_eq!(answer(listed), answer(named));
    let timed = "alphabeta(eval=improved_score,time_ms=1)";
    let command = format!("match 'isolation(cols=3,rows=3)' '{timed}' random --games 4");
    assert_eq!(json(&command)["time_budget"], json!({ "a": true, "b": false }));
    let text = stdout(format!("{command} --explain"));
    assert!(text.contains("cannot be repeated exactly") && text.contains("milliseconds"), "{text}");
}

#[test]
fn how_many_games_to_play() {
    insta::assert_snapshot!("power", stdout("match --power --explain"));
    let report = json("match --power");
    assert_eq!((&report["rows"][1]["games"], &report["gap"]), (&1_226.into(), &0.04.into()));
    assert_eq!(report["spread"]["assumed"]["draw_rate"], 0.0);
    let gaps = report.list("/smallest_gaps").iter();
    let gap = { gaps }.find(|gap| gap["games"] == 1_000 && gap["power"] == 0.5).unwrap();
    // Half of all matches show 1.96 standard errors of 0.5 / sqrt(1000).
    assert!((gap.number("/gap") - 0.031).abs() < 1e-4, "{gap}");
    // Half of the games drawn is half of the variance; so is a correlation of -0.5.
    let games =
        |more: &str| json(format!("match --power --gap 0.01 {more}")).number("/rows/0/games");
    for less in ["--draw-rate 0.5", "--correlation -0.5"] {
        assert!((games(less) / games("") - 0.5).abs() < 1e-3, "{less:?}");
    }
    let room = Room::new();
    room.stdout(format!("{UNEQUAL} --record record"));
    let report = room.json("match --power --record record");
    assert_eq!(report["measured_pairs"], 12);
    let effect = report.number("/spread/measured/design_effect");
    assert!((0.0..=1.0).contains(&effect), "{report}");
    let text = room.stdout("match --power --record record");
    assert!(text.contains("the 12 pairs of the record"), "{text}");
}

#[test]
fn records_are_replayed() {
    let room = Room::new();
    let game = "isolation(cols=3,rows=3)";
    room.stdout(format!("match '{game}' 'uct(iterations=30)' random --games 5 --record match"));
    let (list, shown) = (room.stdout("replay match"), room.stdout("replay match --game 3"));
    let both = format!("$ replay FILE\n{list}\n$ replay FILE --game 3\n{shown}");
    insta::assert_snapshot!("replay", both);
    let report = room.json("replay match");
    assert_eq!(report.list("/games").len(), 5);
    let fourth = &report["games"][3];
    assert_eq!((&fourth["first"], &fourth["name"]), (&"b".into(), &"3".into()));
    let whole = room.json("replay match --game 3 --svg-dir pictures");
    let positions = whole.list("/positions");
    assert_eq!(room.names("pictures").len(), positions.len());
    assert_eq!(positions.len() as u64, whole.whole("/plies") + 1);
    // The moves lead there, as `show` has it.
    let moves: Vec<&str> = positions[1..].iter().map(|p| p.word("/move")).collect();
    let end = json(format!("show '{game}' --moves '{}'", moves.join(" ")));
    let last = positions.last().unwrap();
    assert_eq!((&end["position"], &end["outcome"]), (&last["position"], &whole["outcome"]));

    let few = "--games 3 --skill-games 2 --iterations 20 --moves b2 --record gauge";
    room.stdout(format!("gauge tic_tac_toe {few}"));
    let list = room.stdout("replay gauge");
    assert!(list.contains("skill-1") && list.contains("stronger"), "{list}");
    let shown = room.stdout("replay gauge --game skill-1");
    assert!(shown.contains("the first player is weaker"), "{shown}");
}

#[test]
fn records_that_do_not_replay_are_reported() {
    let room = Room::new();
    room.stdout(format!("{UNEQUAL} --record record --shard 1/3"));
    let good = room.text("record");
    let changed = |from: &str, to: &str, expected: &[&str]| {
        room.write("record", resealed(&good, 3, &|line: &str| line.replace(from, to)));
        for replay in ["replay record", "replay record --game 6"] {
            room.refused(replay, DATA, &[&["game 6 does not replay"], expected].concat());
        }
        room.stdout("replay record --game 1");
    };
    let outcome = good.lines().nth(3).unwrap().split_once("\"outcome\":\"").unwrap().1;
    let outcome = outcome.split_once('"').unwrap().0.to_owned();
    let other = if outcome == "draw" { "first_wins" } else { "draw" };
    changed(&outcome, other, &["its moves lead to", "the record says"]);
    changed("\"by\":\"outcome\"", "\"by\":\"capped\"", &["by the ply cap"]);
    changed("\"moves\":[\"", "\"moves\":[\"z", &["at ply 3", "not a legal move"]);
    changed("\"moves\":[", "\"moves\":[],\"more\":[", &["no result"]);
    let forfeit = "\"by\":null,\"fault\":{\"side\":\"a\",\"kind\":\"time\",\"detail\":\"\"}";
    changed("\"by\":\"outcome\"", forfeit, &["a forfeit: a took more time than allowed"]);
    for (from, to, expected) in [
        ("tic_tac_toe", "tic_tac_to", &["tic_tac_to", "`tic_tac_toe`"][..]),
        ("of a match", "of love", &["\"games of love\""]),
        ("\"seed\"", "\"sod\"", &["invalid header", "`seed`"]),
    ] {
        room.write("record", resealed(&good, 0, &|line: &str| line.replace(from, to)));
        room.refused("replay record", DATA, expected);
    }
}

#[test]
fn what_a_tournament_prints() {
    insta::assert_snapshot!("tournament", stdout(format!("{THREE} --explain")));
    let report = json(THREE);
    let players = ["random #1", "uct(iterations=40)", "random #2"];
    assert_eq!(report["players"], json!(players));
    let encounters = report.list("/encounters");
    let meet: Vec<&Value> = encounters.iter().map(|one| &one["players"]).collect();
    assert_eq!(meet, [&json!([0, 1]), &json!([0, 2]), &json!([1, 2])]);
    let points: f64 = report.list("/standings").iter().map(|one| one.number("/points")).sum();
    assert_eq!((points, &report["games"]), (60.0, &60.into()));
    for encounter in encounters {
        let own: u64 = ["/a_wins", "/b_wins", "/draws"].map(|n| encounter.whole(n)).iter().sum();
        assert_eq!((encounter.whole("/games"), own), (20, 20));
    }
    let rating = |n: usize| report.number(&format!("/bradley_terry/ratings/{n}/elo/mean"));
    assert!(rating(1) > rating(0) && rating(1) > rating(2), "{report}");
    assert_eq!(report["bradley_terry"]["fit"]["degrees_of_freedom"], 1);
}

#[test]
fn a_tournament_is_the_same_for_any_threads_and_parts() {
    let room = Room::new();
    let played = |name: &str, more: &str| {
        let files = format!("--record {name} --html {name}.html --force");
        let text = room.stdout(format!("{THREE} {files} {more}"));
        (text, room.text(name), unsigned(&room.text(&format!("{name}.html"))))
    };
    let whole = played("whole", "--threads 1");
    assert!(played("two", "--threads 2") == whole, "the threads show");
    assert_ne!(played("other", "--threads 2 --seed 2").1, whole.1);
    let list = room.stdout("replay whole");
    assert!(list.contains("2 is uct(iterations=40)") && list.contains("2-3-19"), "{list}");
    let shown = room.stdout("replay whole --game 1-2-0");
    assert!(shown.contains("the first player is 1, random #1\n"), "{shown}");

    for part in [1, 2] {
        room.stdout(format!("{THREE} --shard {part}/2 --record part{part}"));
    }
    let text = room.stdout("merge part2 part1 -o out --html merged.html");
    let merged = (text, room.text("out"), unsigned(&room.text("merged.html")));
    assert!(merged == whole, "the parts show");
    assert_eq!(room.answer("merge part1 part2"), answer(THREE));
    let report = incomplete(&room, "merge part1").1;
    assert_eq!((&report["games"], &report["incomplete"]), (&30.into(), &true.into()));
}

#[test]
fn a_test_is_made_of_merged_parts_as_it_was_of_the_match() {
    let room = Room::new();
    let play = "match tic_tac_toe 'uct(iterations=60)' random --games 200";
    let sprt = "--sprt elo0=0,elo1=200";
    room.stdout(format!("{play} --record record"));
    let (merged, whole) = (format!("merge record {sprt}"), format!("{play} {sprt}"));
    assert_eq!(room.stdout(&merged), stdout(&whole));
    let page = room.page(&merged);
    assert!(page.contains("pentanomial") && page.contains("Reasons and method"));
    let report = room.answer(&merged);
    assert_eq!(report, answer(&whole));
    let test = &report["sprt"];
    assert_eq!((&test["verdict"], &test["elo_is_biased"]), (&"accept_h1".into(), &true.into()));
    assert!(report.whole("/games") < 200, "{report}");
    // What comes behind a missing part decides nothing.
    room.stdout(format!("{play} --shard 2/2 --record part"));
    let report = incomplete(&room, &format!("merge part {sprt}")).1;
    assert_eq!((&report["games"], &report["missing"]), (&0.into(), &200.into()));
}

#[test]
fn random_players_have_the_same_games_whether_they_are_kept_or_not() {
    let room = Room::new();
    for game in ["isolation", "kalah", "oware"] {
        let play = format!("match {game} random random --games 301");
        let kept = room.stdout(format!("{play} --record {game}"));
        for threads in ["1", "2"] {
            assert_eq!(stdout(format!("{play} --threads {threads}")), kept);
        }
        assert_eq!(room.stdout(format!("merge {game}")), kept);
    }
}

#[test]
fn reports_say_where_games_began_and_that_they_were_stopped() {
    let room = Room::new();
    let play = "match 'isolation(ply_cap=8)' random random --games 20 --moves 'd4 a1'";
    let text = room.stdout(format!("{play} --record record"));
    assert!(text.starts_with("isolation(ply_cap=8) after d4 a1: a is random"), "{text}");
    let report = room.answer("merge record");
    let stopped = report.whole("/capped");
    assert!(stopped > 10, "{report}");
    assert!(text.contains(&format!("The ply cap ended {stopped} games.")), "{text}");
    assert_eq!(report["moves"], json!(["d4", "a1"]));
    assert_eq!(report["position"], Value::Null);
    assert_eq!(answer(play), report);
    let list = room.stdout("replay record");
    assert!(list.starts_with("isolation(ply_cap=8) after d4 a1: 20 games"), "{list}");
}

#[test]
fn every_game_has_evaluators() {
    let room = Room::new();
    room.stdout("solve tic_tac_toe -o solved.tgs");
    let played = |eval: &str| {
        let player = format!("alphabeta(eval={eval},depth=1)");
        room.json(format!("match tic_tac_toe '{player}' random --games 60"))
    };
    // A player that knows all values loses nothing, however little it searches.
    let report = played("perfect(file=solved.tgs)");
    assert_eq!((&report["b_wins"], &report["faults"]["a"]), (&0.into(), &0.into()), "{report}");
    let score = |eval: &str| played(eval).number("/score/mean");
    let (searched, drawn) = (score("uct(iterations=30)"), score("random"));
    assert!(searched > 0.8, "{searched}");
    assert!((0.3..0.8).contains(&drawn), "{drawn}");
    assert_ne!(score("random(seed=2)"), drawn);
    assert_eq!(score("uct(iterations=30)"), searched);
}

#[test]
fn alphabeta_reports_what_it_finds() {
    let search = |rest: &str| {
        format!("search 'isolation(cols=4,rows=4)' --player 'alphabeta(eval=improved_score,{rest}")
    };
    let improved = search("depth=3)' --moves 'b2 d3'");
    insta::assert_snapshot!("search_by_alphabeta", stdout(format!("{improved} --explain")));
    let report = json(&improved);
    assert_eq!((&report["depth"], &report["stopped"]), (&3.into(), &"depth".into()));
    assert_eq!((&report["decided"], &report["plies_to_end"]), (&Value::Null, &Value::Null));
    assert_eq!(report.list("/principal_variation").len(), 3);
    assert_eq!(report["principal_variation"][0], report["best_move"]);
    // The second player wins the whole game on this board.
    let whole = search("nodes=100000000)'");
    insta::assert_snapshot!("search_of_a_decided_game", stdout(format!("{whole} --explain")));
    let report = json(&whole);
    assert_eq!((&report["decided"], &report["value"]), (&"lose".into(), &Value::Null));
    let plies = report.whole("/plies_to_end");
    assert_eq!(report.list("/principal_variation").len() as u64, plies);
    // The last iteration is broken off after its first move, which loses.
    let broken = search("nodes=22625)'");
    let report = json(&broken);
    assert_eq!((&report["decided"], &report["value"]), (&Value::Null, &Value::Null));
    assert_eq!((&report["plies_to_end"], &report["depth"]), (&14.into(), &13.into()));
    let text = stdout(&broken);
    assert!(text.contains("loses in 14 plies with it; not every other move"), "{text}");
}

#[test]
fn a_search_as_a_uct_player_is_a_search_with_its_options() {
    let start = "search tic_tac_toe --seed 3";
    let player = format!("{start} --player 'uct(iterations=500,cp=1)'");
    assert_eq!(answer(&player), answer(format!("{start} --iterations 500 --cp 1")));
    assert!(stdout(format!("{player} --top 2")).contains("500 iterations"));
}

#[test]
fn tournaments_at_the_edge() {
    let room = Room::new();
    // A player that wins everything, and another that loses everything.
    let sure = "tournament 'one_to_ten(target=60)' random 'uct(iterations=300)' --games 6";
    let report = json(sure);
    let rating = |player: usize| &report["bradley_terry"]["ratings"][player]["elo"];
    assert_eq!((&rating(1)["high"], &rating(0)["low"]), (&Value::Null, &Value::Null));
    assert!(rating(1)["low"].is_number() && rating(1)["mean"].is_number());
    let all = &report["bradley_terry"];
    assert_eq!((&all["separated"], &all["fit"]), (&true.into(), &Value::Null));
    insta::assert_snapshot!("tournament_of_two", stdout(format!("{sure} --explain")));
    // One game each, which is not a pair; and a game without a choice, where all are equal.
    let one = "tournament 'isolation(cols=3,rows=3)' random 'uct(iterations=40)' random --games 1";
    for command in [sure, one, "tournament 'one_to_ten(max_step=1)' random random"] {
        let text = room.stdout(format!("{command} --html page.html"));
        assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
        check_page(&fs::read_to_string(room.at("page.html")).unwrap());
    }
    let many = " random".repeat(101);
    room.refused(format!("tournament tic_tac_toe {many}"), USAGE, &["there are 101"]);
}

#[test]
fn perfect_play_that_lost_by_random_plies_is_explained() {
    let room = Room::new();
    room.stdout("solve tic_tac_toe -o solved.tgs");
    let note =
        "although it plays perfectly: a game can be lost by the random plies at its beginning";
    for command in ["tournament", "match"] {
        for (plies, is_said) in [(2, true), (0, false)] {
            let players = "tic_tac_toe 'perfect(file=solved.tgs)' 'uct(iterations=200)'";
            let games = format!("--games 40 --opening-plies {plies}");
            let text = room.stdout(format!("{command} {players} {games} --explain"));
            assert_eq!(text.contains(note), is_said, "{command}: {text}");
        }
    }
}
