//! Matches and what is made of their records.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{DATA, Ran, USAGE, answer, json, refused, run, stdout, unsigned_page};
use crate::degenerate::check_page;

/// A randomised match of a search, soon over.
const UNEQUAL: [&str; 8] =
    ["match", "tic_tac_toe", "--a", "uct(iterations=60)", "--b", "random", "--games", "24"];

/// The path of a file in a folder.
fn at(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("the path is text").to_owned()
}

/// Plays the match, or a part of it, into a record, and returns its path.
fn recorded(folder: &Path, name: &str, more: &[&str]) -> String {
    let path = at(folder, name);
    stdout(&[&UNEQUAL[..], &["--record", &path], more].concat());
    path
}

#[test]
fn merged_parts_are_the_whole_match() {
    let folder = tempfile::tempdir().unwrap();
    let whole = recorded(folder.path(), "whole", &["--threads", "2"]);
    let parts = ["1/3", "2/3", "3/3"].map(|part| {
        let name = part.replace('/', "-");
        recorded(folder.path(), &name, &["--shard", part, "--threads", "1"])
    });
    let [one, two, three] = parts.each_ref().map(String::as_str);
    let out = at(folder.path(), "merged");
    // In any order; a game that two files have is no error.
    let text = stdout(&["merge", three, one, two, one, "-o", &out]);
    assert_eq!(text, stdout(&UNEQUAL));
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(answer(&["merge", &whole, "--json"]), answer(&[&UNEQUAL[..], &["--json"]].concat()));

    // The game has one name, and is the same run however it is written.
    let named = |game: &'static str| ["match", game, "random", "random", "--games", "4"];
    let [short, long] = ["mnk(rows=3,cols=4,k=3)", "mnk(rows=3,cols=4,k1=3,k2=3)"].map(named);
    let kept = at(folder.path(), "kept");
    let text = stdout(&[&short[..], &["--record", &kept]].concat());
    assert!(text.starts_with("mnk(rows=3,cols=4,k1=3,k2=3): "), "{text}");
    assert_eq!(stdout(&["merge", &kept, "--games", "4"]), text);
    assert!(stdout(&[&long[..], &["--record", &kept]].concat()).starts_with(long[1]));

    // Pairs 0 to 11 without 1, 4, 7, 10.
    let report = incomplete(&["merge", one, three, "--json", "-o", &out]).1;
    assert_eq!(report["missing_parts"]["absent"], serde_json::json!([2]));
    assert_eq!((&report["missing"], &report["incomplete"]), (&8.into(), &true.into()));
    assert_eq!((&report["games"], &report["pairs"]), (&16.into(), &8.into()));
    let ran = incomplete(&["merge", one, three]).0;
    assert!(ran.stdout.starts_with("INCOMPLETE: 8 games are missing.\n"), "{}", ran.stdout);
    let missing =
        "INCOMPLETE: missing are games 2, 3, 8, 9, 14, 15, 20, 21; part 2 of 3 is absent.";
    assert!(ran.stderr.contains(missing), "{}", ran.stderr);
    // A lost last part is seen: the records have the plan.
    let ran = incomplete(&["merge", one, two]).0;
    assert!(ran.stderr.contains("part 3 of 3 is absent"), "{}", ran.stderr);
    let said = |more: &[&'static str]| {
        incomplete(&[&["merge", one, "--json"], more].concat()).1["missing"].clone()
    };
    assert_eq!((said(&[]), said(&["--games", "30"])), (16.into(), 22.into()));
    // Older records have none.
    let text = fs::read_to_string(one).unwrap();
    let older = at(folder.path(), "older");
    let without = |object: &str| object.split(",\"planned\"").next().unwrap().to_owned();
    fs::write(&older, resealed(&text, 0, &without)).unwrap();
    let (ran, report) = incomplete(&["merge", &older, "--json"]);
    assert!(ran.stderr.contains("assuming"), "{}", ran.stderr);
    assert_eq!(report["missing"], 12);
    // The record of a part is not that of another part.
    let other = [&UNEQUAL[..], &["--record", one, "--shard", "2/3"]].concat();
    refused(&other, DATA, &["it holds part 1/3, and this is part 2/3"]);
    // Only a record of the same run is replaced.
    let other = at(folder.path(), "other");
    stdout(&[&UNEQUAL[..], &["--record", &other, "--seed", "2"]].concat());
    let notes = at(folder.path(), "notes");
    fs::write(&notes, "to be kept").unwrap();
    for place in [&other, &notes] {
        let before = fs::read(place).unwrap();
        refused(&["merge", one, "-o", place], DATA, &["that is not a record"]);
        assert_eq!(fs::read(place).unwrap(), before);
    }
    // The match continues from what was merged.
    stdout(&[&UNEQUAL[..], &["--record", &out]].concat());
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    // A record that is still being written is read as far as it is, and no input is written.
    let text = fs::read_to_string(&whole).unwrap();
    fs::write(&out, &text[..text.len() - 5]).unwrap();
    let again = at(folder.path(), "again");
    incomplete(&["merge", &out, two, "-o", &again]);
    let lines = fs::read_to_string(&again).unwrap().lines().count();
    assert_eq!(lines, 24, "the last game is missing, which is in part 3");
    refused(&["merge", &out, two, "-o", &out], USAGE, &["this command reads it"]);
}

/// A merge of parts that are not a whole, and its JSON.
fn incomplete(arguments: &[&str]) -> (Ran, Value) {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(1), "{arguments:?}: {}", ran.stderr);
    let report = serde_json::from_str(&ran.stdout).unwrap_or_default();
    (ran, report)
}

#[test]
fn records_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let one = recorded(folder.path(), "one", &["--shard", "1/2"]);
    let other = recorded(folder.path(), "other", &["--shard", "2/2", "--seed", "2"]);
    let out = at(folder.path(), "merged");
    let of = format!("{other} is of another run than {one}: `seed` is 2 there and 1 in {one}");
    refused(&["merge", &one, &other, "-o", &out], DATA, &[&of]);
    assert!(!Path::new(&out).exists());

    // Players with time budgets do not play the same game twice.
    let changed = at(folder.path(), "changed");
    let more_nodes = |line: &str| line.replacen("\"nodes\":", "\"nodes\":1", 1);
    let text = fs::read_to_string(&one).unwrap();
    fs::write(&changed, resealed(&text, 3, &more_nodes)).unwrap();
    let not = format!("game 4 in {changed} is not that in {one}");
    refused(&["merge", &one, &changed], DATA, &[&not]);

    let gauge = at(folder.path(), "gauge");
    stdout(&["gauge", "one_to_ten", "--games", "2", "--iterations", "5", "--record", &gauge]);
    let wrong = "holds \"games of a gauge\", not \"games of a match\"";
    refused(&["merge", &one, &gauge], DATA, &[&gauge, wrong]);
    let nothing = at(folder.path(), "nothing");
    refused(&["merge", &one, &nothing], DATA, &[&nothing]);
    fs::write(&nothing, "").unwrap();
    refused(&["merge", &one, &nothing], DATA, &[&nothing, "at line 1"]);
    fs::write(&nothing, text.replacen("random", "Random", 1)).unwrap();
    refused(&["merge", &nothing], DATA, &["damaged", "at line 1", "checksum"]);
    refused(&["merge", &one, "-o", "/no/such/folder/file"], DATA, &["cannot write"]);
    refused(&["merge"], USAGE, &["<FILE|DIR>"]);
}

/// A record with one line changed, and the checksum that fits.
pub(crate) fn resealed(record: &str, at: usize, change: &dyn Fn(&str) -> String) -> String {
    let seal = ",\"crc32\":\"";
    let line = |(n, line): (usize, &str)| {
        let (object, _) = line.rsplit_once(seal).unwrap();
        let changed = if n == at { change(object) } else { object.to_owned() };
        assert_eq!(changed == object, n != at, "{object}");
        format!("{changed}{seal}{:08x}\"}}\n", crc32(changed.as_bytes()))
    };
    record.lines().enumerate().map(line).collect()
}

/// The checksum of ISO 3309, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

#[test]
fn a_match_that_one_side_wins_has_no_infinite_numbers() {
    // A player that moves at random for this long does not keep what it has.
    let game = "one_to_ten(target=60)";
    let arguments = ["match", game, "--a", "uct(iterations=300)", "--b", "random", "--games", "20"];
    let report = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((&report["a_wins"], &report["b_wins"]), (&20.into(), &0.into()));
    assert_eq!(report["pentanomial"], serde_json::json!([0, 0, 0, 0, 10]));
    assert_eq!((&report["elo"]["mean"], &report["elo"]["high"]), (&Value::Null, &Value::Null));
    assert!(report["elo"]["low"].as_f64().unwrap() > 0.0, "{report}");
    let text = stdout(&arguments);
    assert!(
        text.contains("at least +") && !text.contains("inf") && !text.contains("NaN"),
        "{text}"
    );
}

#[test]
fn what_a_match_prints() {
    let arguments =
        ["match", "isolation(cols=3,rows=3)", "--a", "uct(iterations=40)", "--b", "random"];
    insta::assert_snapshot!("match", stdout(&[&arguments[..], &["--games", "41"]].concat()));
    let test = ["--games", "2000", "--sprt", "elo0=0,elo1=150"];
    insta::assert_snapshot!("match_with_a_test", stdout(&[&arguments[..], &test].concat()));
}

#[test]
fn bad_matches_are_refused() {
    let with = |rest: &[&'static str]| [&["match"], rest].concat();
    refused(&with(&["tic_tac_toe", "--a", "random"]), USAGE, &["--b <PLAYER>"]);
    refused(&with(&["--a", "random", "--b", "random"]), USAGE, &["<GAME>"]);
    let ready = ["tic_tac_toe", "--a", "random", "--b", "random"];
    let and = |rest: &[&'static str]| with(&[&ready[..], rest].concat());
    refused(&with(&["tic_tac_toe", "--a", "human", "--b", "random"]), USAGE, &["do not play"]);
    refused(&with(&["tic_tac_toe", "--a", "randm", "--b", "random"]), USAGE, &["`random`"]);
    refused(&and(&["--games", "0"]), USAGE, &["--games"]);
    refused(&and(&["--shard", "1/2"]), USAGE, &["--record"]);
    for shard in ["0/2", "3/2", "1", "1/0", "a/b"] {
        let shard = [&and(&["--record", "x"])[..], &["--shard", shard]].concat();
        refused(&shard, USAGE, &["I/N"]);
    }
    refused(
        &and(&["--shard", "1/2", "--record", "x", "--sprt", "elo0=0,elo1=5"]),
        USAGE,
        &["--sprt"],
    );
    refused(&and(&["--sprt", "elo0=5,elo1=0"]), USAGE, &["elo"]);
    refused(&and(&["--gap", "0.1"]), USAGE, &["--power"]);
    refused(&and(&["--power"]), USAGE, &["--power"]);
    refused(&and(&["--moves", "a1 b1 a2 b2 a3"]), DATA, &["over at the start"]);
    let file = "perfect(file=/no/such/file)";
    refused(&with(&["tic_tac_toe", "--a", file, "--b", "random"]), DATA, &["/no/such/file"]);
}

#[test]
fn how_many_games_to_play() {
    insta::assert_snapshot!("power", stdout(&["match", "--power"]));
    let report = json(&["match", "--power", "--json"]);
    assert_eq!(report["rows"][1]["games"], 1_226);
    assert_eq!(report["gap"], 0.04);
    assert_eq!(report["spread"]["assumed"]["draw_rate"], 0.0);
    let gaps = report["smallest_gaps"].as_array().unwrap();
    let gap = gaps.iter().find(|gap| gap["games"] == 1_000 && gap["power"] == 0.5).unwrap();
    // Half of all matches show 1.96 standard errors of 0.5 / sqrt(1000).
    assert!((gap["gap"].as_f64().unwrap() - 0.031).abs() < 1e-4, "{gap}");
    // Half of the games drawn is half of the variance; so is a correlation of -0.5.
    let games = |more: &[&str]| {
        let report = json(&[&["match", "--power", "--gap", "0.01", "--json"], more].concat());
        report["rows"][0]["games"].as_f64().unwrap()
    };
    for less in [["--draw-rate", "0.5"], ["--correlation", "-0.5"]] {
        assert!((games(&less) / games(&[]) - 0.5).abs() < 1e-3, "{less:?}");
    }

    let folder = tempfile::tempdir().unwrap();
    let record = recorded(folder.path(), "record", &[]);
    let report = json(&["match", "--power", "--record", &record, "--json"]);
    assert_eq!(report["measured_pairs"], 12);
    let effect = report["spread"]["measured"]["design_effect"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&effect), "{report}");
    let text = stdout(&["match", "--power", "--record", &record]);
    assert!(text.contains("the 12 pairs of the record"), "{text}");

    let with = |rest: &[&'static str]| [&["match", "--power"], rest].concat();
    refused(&with(&["--gap", "0"]), USAGE, &["a gap of 0 is impossible", "0.5"]);
    refused(&with(&["--gap", "0.5"]), USAGE, &["a gap of 0.5 is impossible"]);
    refused(&with(&["--gap", "0.3", "--draw-rate", "0.5"]), USAGE, &["below 0.25"]);
    refused(&with(&["--draw-rate", "1"]), USAGE, &["a draw rate of 1"]);
    refused(&with(&["--correlation", "-1"]), USAGE, &["a correlation of -1"]);
    refused(&with(&["--gap", "x"]), USAGE, &["--gap"]);
    refused(&with(&["--seed", "2"]), USAGE, &["--seed"]);
    refused(&with(&["--record", "/no/such/file"]), DATA, &["/no/such/file"]);
    let both = ["match", "--power", "--record", &record, "--draw-rate", "0.1"];
    refused(&both, USAGE, &["--draw-rate", "--record"]);
}

#[test]
fn records_are_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let path = at(folder.path(), "match");
    let a = "uct(iterations=30)";
    let game = "isolation(cols=3,rows=3)";
    stdout(&["match", game, "--a", a, "--b", "random", "--games", "5", "--record", &path]);
    let list = stdout(&["replay", &path]);
    let shown = stdout(&["replay", &path, "--game", "3"]);
    insta::assert_snapshot!(
        "replay",
        format!("$ replay FILE\n{list}\n$ replay FILE --game 3\n{shown}")
    );
    let report = json(&["replay", &path, "--json"]);
    assert_eq!(report["games"].as_array().unwrap().len(), 5);
    assert_eq!(
        (&report["games"][3]["first"], &report["games"][3]["name"]),
        (&"b".into(), &"3".into())
    );
    let pictures = at(folder.path(), "pictures");
    let whole = json(&["replay", &path, "--game", "3", "--json", "--svg-dir", &pictures]);
    let positions = whole["positions"].as_array().unwrap();
    assert_eq!(fs::read_dir(&pictures).unwrap().count(), positions.len());
    assert_eq!(positions.len() as u64, whole["plies"].as_u64().unwrap() + 1);
    // The moves lead there, as `show` has it.
    let moves: Vec<&str> = positions[1..].iter().map(|p| p["move"].as_str().unwrap()).collect();
    let end = json(&["show", game, "--moves", &moves.join(" "), "--json"]);
    let last = positions.last().unwrap();
    assert_eq!((&end["position"], &end["outcome"]), (&last["position"], &whole["outcome"]));

    let gauge = at(folder.path(), "gauge");
    let limits = ["--games", "3", "--skill-games", "2", "--iterations", "20"];
    let at_move = ["--moves", "b2", "--record", &gauge];
    stdout(&[&["gauge", "tic_tac_toe"], &limits[..], &at_move].concat());
    let list = stdout(&["replay", &gauge]);
    assert!(list.contains("skill-1") && list.contains("stronger"), "{list}");
    let shown = stdout(&["replay", &gauge, "--game", "skill-1"]);
    assert!(shown.contains("the first player, x, is"), "{shown}");
}

#[test]
fn records_that_do_not_replay_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = recorded(folder.path(), "record", &["--shard", "1/3"]);
    refused(&["replay", &path, "--game", "2"], USAGE, &["no game \"2\""]);
    refused(&["replay", &path, "--svg-dir", "x"], USAGE, &["--game"]);
    refused(&["replay"], USAGE, &["<FILE>"]);
    refused(&["replay", "/no/such/file"], DATA, &["/no/such/file"]);
    let good = fs::read_to_string(&path).unwrap();
    let changed = |what: &dyn Fn(&str) -> String, expected: &[&str]| {
        fs::write(&path, resealed(&good, 3, what)).unwrap();
        for one in [&["replay", &path[..]][..], &["replay", &path, "--game", "6"]] {
            refused(one, DATA, &[&["game 6 does not replay"], expected].concat());
        }
        stdout(&["replay", &path, "--game", "1"]);
    };
    let outcome = good.lines().nth(3).unwrap().split_once("\"outcome\":\"").unwrap().1;
    let outcome = outcome.split_once('"').unwrap().0.to_owned();
    let other = if outcome == "draw" { "first_wins" } else { "draw" };
    changed(&|line| line.replace(&outcome, other), &["its moves lead to", "the record says"]);
    changed(&|line| line.replace("\"by\":\"outcome\"", "\"by\":\"capped\""), &["by the ply cap"]);
    changed(
        &|line| line.replace("\"moves\":[\"", "\"moves\":[\"z"),
        &["at ply 3", "not a legal move"],
    );
    changed(&|line| line.replace("\"moves\":[", "\"moves\":[],\"more\":["), &["no result"]);
    let forfeit = "\"by\":null,\"fault\":{\"side\":\"a\",\"kind\":\"time\",\"detail\":\"\"}";
    let by_forfeit = |line: &str| line.replace("\"by\":\"outcome\"", forfeit);
    changed(&by_forfeit, &["a forfeit: a took more time than allowed"]);
    fs::write(&path, resealed(&good, 0, &|line| line.replace("tic_tac_toe", "tic_tac_to")))
        .unwrap();
    refused(&["replay", &path], DATA, &["tic_tac_to", "`tic_tac_toe`"]);
    fs::write(&path, resealed(&good, 0, &|line| line.replace("of a match", "of love"))).unwrap();
    refused(&["replay", &path], DATA, &["\"games of love\""]);
    fs::write(&path, resealed(&good, 0, &|line| line.replace("\"seed\"", "\"sod\""))).unwrap();
    refused(&["replay", &path], DATA, &["the first line", "`seed`"]);
}

/// A tournament that is soon over.
const THREE: [&str; 10] = [
    "tournament",
    "isolation(cols=3,rows=3)",
    "--player",
    "random",
    "--player",
    "uct(iterations=40)",
    "--player",
    "random",
    "--games",
    "20",
];

#[test]
fn what_a_tournament_prints() {
    let text = stdout(&THREE);
    insta::assert_snapshot!("tournament", text);
    let report = json(&[&THREE[..], &["--json"]].concat());
    let players = ["random #1", "uct(iterations=40)", "random #2"];
    assert_eq!(report["players"], serde_json::json!(players));
    let encounters = report["encounters"].as_array().unwrap();
    assert_eq!(encounters.len(), 3);
    let points: f64 =
        report["standings"].as_array().unwrap().iter().map(|s| s["points"].as_f64().unwrap()).sum();
    assert_eq!((points, &report["games"]), (60.0, &60.into()));
    for encounter in encounters {
        assert_eq!(encounter["games"], 20);
        let own: f64 =
            ["a_wins", "b_wins", "draws"].iter().map(|n| encounter[n].as_f64().unwrap()).sum();
        assert_eq!(own, 20.0);
    }
    let rating =
        |player: usize| report["bradley_terry"]["ratings"][player]["elo"]["mean"].as_f64().unwrap();
    assert!(rating(1) > rating(0) && rating(1) > rating(2), "{report}");
    assert_eq!(report["bradley_terry"]["fit"]["degrees_of_freedom"], 1);
}

#[test]
fn a_tournament_depends_on_no_threads_and_goes_on_from_any_part() {
    let folder = tempfile::tempdir().unwrap();
    let played = |name: &str, threads: &str, more: &[&str]| {
        let [record, page] =
            ["record", "page"].map(|what| at(folder.path(), &format!("{name}-{what}")));
        let run = ["--record", &record, "--html", &page, "--threads", threads];
        let text = stdout(&[&THREE[..], &run, more].concat());
        (text, fs::read(record).unwrap(), unsigned_page(&page))
    };
    let whole = played("one", "1", &[]);
    assert!(played("two", "2", &[]) == whole, "the threads show");
    assert_ne!(played("other", "2", &["--seed", "2"]).1, whole.1);
    // Cut anywhere, also within a line.
    for cut in [whole.1.len() / 3, whole.1.len() - 2] {
        fs::write(folder.path().join("cut-record"), &whole.1[..cut]).unwrap();
        assert!(played("cut", "2", &[]) == whole, "it was cut after {cut} bytes");
    }
    let record = at(folder.path(), "one-record");
    let list = stdout(&["replay", &record]);
    assert!(list.contains("2 is uct(iterations=40)") && list.contains("2-3-19"), "{list}");
    let shown = stdout(&["replay", &record, "--game", "1-2-0"]);
    assert!(shown.contains("the first player, x, is 1, random #1;"), "{shown}");
    let other = [
        "tournament",
        "isolation(cols=3,rows=3)",
        "--player",
        "random",
        "--player",
        "random",
        "--record",
        &record,
    ];
    refused(&other, DATA, &["belongs to another run: `players`"]);
    assert_eq!(stdout(&["merge", &record]), stdout(&THREE));
}

#[test]
fn merged_parts_are_the_whole_tournament() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, one, two, out, page, merged_page] =
        ["whole", "one", "two", "out", "page", "merged"].map(|name| at(folder.path(), name));
    stdout(&[&THREE[..], &["--record", &whole, "--html", &page]].concat());
    for (part, path) in [("1/2", &one), ("2/2", &two)] {
        stdout(&[&THREE[..], &["--shard", part, "--record", path]].concat());
    }
    let text = stdout(&["merge", &two, &one, "-o", &out, "--html", &merged_page]);
    assert_eq!(text, stdout(&THREE));
    assert_eq!(fs::read(&out).unwrap(), fs::read(&whole).unwrap());
    assert_eq!(unsigned_page(&merged_page), unsigned_page(&page));
    let answer_of = |arguments: &[&str]| answer(&[arguments, &["--json"]].concat());
    assert_eq!(answer_of(&["merge", &one, &two]), answer_of(&THREE));
    let report = incomplete(&["merge", &one, "--json"]).1;
    assert_eq!((&report["games"], &report["incomplete"]), (&30.into(), &true.into()));
    let of_match = recorded(folder.path(), "match", &[]);
    refused(&["merge", &one, &of_match], DATA, &[&of_match, "games of a match"]);
    refused(&["merge", &of_match, &one], DATA, &[&one, "games of a tournament"]);
    refused(&["merge", &one, "--sprt", "elo0=0,elo1=10"], USAGE, &["a sequential test applies"]);
    refused(&[&THREE[..], &["--shard", "1/2"]].concat(), USAGE, &["--record"]);
}

#[test]
fn a_test_is_made_of_merged_parts_as_it_was_of_the_match() {
    let folder = tempfile::tempdir().unwrap();
    let more = ["--games", "200", "--sprt", "elo0=0,elo1=200"];
    let whole = [&UNEQUAL[..6], &more].concat();
    let record = at(folder.path(), "record");
    stdout(&[&UNEQUAL[..6], &["--games", "200", "--record", &record]].concat());
    let merged = ["merge", &record, "--sprt", more[3]];
    assert_eq!(stdout(&merged), stdout(&whole));
    let answer_of = |arguments: &[&str]| answer(&[arguments, &["--json"]].concat());
    let report = answer_of(&merged);
    assert_eq!(report, answer_of(&whole));
    let test = &report["sprt"];
    assert_eq!((&test["verdict"], &test["elo_is_biased"]), (&"accept_h1".into(), &true.into()));
    assert!(report["games"].as_u64().unwrap() < 200, "{report}");
    // What comes behind a missing part decides nothing.
    let part = at(folder.path(), "part");
    let second = ["--games", "200", "--shard", "2/2", "--record", &part];
    stdout(&[&UNEQUAL[..6], &second].concat());
    let report = incomplete(&["merge", &part, "--sprt", more[3], "--json"]).1;
    assert_eq!((&report["games"], &report["missing"]), (&0.into(), &200.into()));
    refused(&["merge", &record, "--sprt", "elo0=5,elo1=1"], USAGE, &["must be less"]);
}

#[test]
fn random_players_have_the_same_games_whether_they_are_kept_or_not() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["isolation", "kalah", "oware"] {
        let record = at(folder.path(), game);
        let arguments = ["match", game, "--a", "random", "--b", "random", "--games", "301"];
        let kept = stdout(&[&arguments[..], &["--record", &record]].concat());
        for threads in ["1", "2"] {
            assert_eq!(stdout(&[&arguments[..], &["--threads", threads]].concat()), kept);
        }
        assert_eq!(stdout(&["merge", &record]), kept);
    }
}

#[test]
fn reports_say_where_games_began_and_that_they_were_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let record = at(folder.path(), "record");
    let capped = ["match", "isolation(ply_cap=8)", "--a", "random", "--b", "random"];
    let more = ["--games", "20", "--moves", "d4 a1", "--record", &record];
    let text = stdout(&[&capped[..], &more].concat());
    assert!(text.starts_with("isolation(ply_cap=8) after d4 a1: a is random"), "{text}");
    let report = answer(&["merge", &record, "--json"]);
    let stopped = report["capped"].as_u64().unwrap();
    assert!(stopped > 10, "{report}");
    assert!(text.contains(&format!("The ply cap ended {stopped} games.")), "{text}");
    assert_eq!(report["moves"], serde_json::json!(["d4", "a1"]));
    assert_eq!(report["position"], Value::Null);
    // No progress is shown.
    let quick = answer(&[&capped[..], &more[..4], &["--json"]].concat());
    assert_eq!(quick, report);
    let list = stdout(&["replay", &record]);
    assert!(list.starts_with("isolation(ply_cap=8) after d4 a1: 20 games"), "{list}");
    let timed = "alphabeta(eval=improved_score,time_ms=1)";
    let small = "isolation(cols=3,rows=3)";
    let text = stdout(&["match", small, "--a", timed, "--b", "random", "--games", "4"]);
    assert!(text.contains("cannot be repeated exactly") && text.contains("milliseconds"), "{text}");
}

#[test]
fn every_game_has_evaluators() {
    let folder = tempfile::tempdir().unwrap();
    let file = at(folder.path(), "solved.tgs");
    stdout(&["solve", "tic_tac_toe", "-o", &file]);
    let perfect = format!("perfect(file={file})");
    let played = |eval: &str, budget: &str| {
        let player = format!("alphabeta(eval={eval},{budget})");
        json(&["match", "tic_tac_toe", "--a", &player, "--b", "random", "--games", "60", "--json"])
    };
    // A player that knows all values loses nothing, however little it searches.
    let report = played(&perfect, "depth=1");
    assert_eq!((&report["b_wins"], &report["faults"]["a"]), (&0.into(), &0.into()), "{report}");
    let score = |report: &Value| report["score"]["mean"].as_f64().unwrap();
    let searched = score(&played("uct(iterations=30)", "depth=1"));
    let drawn = score(&played("random", "depth=1"));
    assert!(searched > 0.8, "{searched}");
    assert!((0.3..0.8).contains(&drawn), "{drawn}");
    assert_ne!(score(&played("random(seed=2)", "depth=1")), drawn);
    assert_eq!(score(&played("uct(iterations=30)", "depth=1")), searched);

    let bad = |eval: &str, code, words: &[&str]| {
        let player = format!("alphabeta(eval={eval},depth=1)");
        let more = ["--a", &player, "--b", "random"];
        refused(&[&["match", "tic_tac_toe"], &more[..]].concat(), code, words);
    };
    bad("uct(iterations=0)", USAGE, &["`iterations`", "uct"]);
    bad("uct(depth=3)", USAGE, &["no parameter", "depth"]);
    bad("random(seed=x)", USAGE, &["`seed` of evaluator `random`"]);
    bad("random(sed=1)", USAGE, &["evaluator `random` has no parameter", "sed"]);
    bad("perfect", USAGE, &["evaluator `perfect` needs `file`"]);
    bad("perfect(file=/no/such)", DATA, &["/no/such"]);
    bad("mobility(x=1)", USAGE, &["mobility"]);
    bad("margin", USAGE, &["no scores"]);
    bad("mobilty", USAGE, &["mobilty", "did you mean `mobility`?"]);
    let other = at(folder.path(), "other.tgs");
    stdout(&["solve", "one_to_ten", "-o", &other]);
    bad(&format!("perfect(file={other})"), DATA, &["one_to_ten"]);
}

#[test]
fn alphabeta_reports_what_it_finds() {
    let game = "isolation(cols=4,rows=4)";
    let search = |more: &[&'static str]| [&["search", game, "--moves", "b2 d3"], more].concat();
    let improved = ["--player", "alphabeta(eval=improved_score,depth=3)"];
    insta::assert_snapshot!("search_by_alphabeta", stdout(&search(&improved)));
    let report = json(&[&search(&improved)[..], &["--json"]].concat());
    assert_eq!((&report["depth"], &report["stopped"]), (&3.into(), &"depth".into()));
    assert_eq!((&report["decided"], &report["plies_to_end"]), (&Value::Null, &Value::Null));
    assert_eq!(report["principal_variation"].as_array().unwrap().len(), 3);
    assert_eq!(report["principal_variation"][0], report["best_move"]);
    // The second player wins the whole game on this board.
    let whole = ["search", game, "--player", "alphabeta(eval=improved_score,nodes=100000000)"];
    insta::assert_snapshot!("search_of_a_decided_game", stdout(&whole));
    let report = json(&[&whole[..], &["--json"]].concat());
    assert_eq!((&report["decided"], &report["value"]), (&"lose".into(), &Value::Null));
    let plies = report["plies_to_end"].as_u64().unwrap();
    assert_eq!(report["principal_variation"].as_array().unwrap().len() as u64, plies);
    // The last iteration is broken off after its first move, which loses.
    let broken = ["search", game, "--player", "alphabeta(eval=improved_score,nodes=22625)"];
    let report = json(&[&broken[..], &["--json"]].concat());
    assert_eq!((&report["decided"], &report["value"]), (&Value::Null, &Value::Null));
    assert_eq!((&report["plies_to_end"], &report["depth"]), (&14.into(), &13.into()));
    let text = stdout(&broken);
    assert!(text.contains("loses in 14 plies with it; not every other move"), "{text}");
    refused(&search(&["--player", "random"]), USAGE, &["--player takes alphabeta"]);
    refused(&search(&["--player", "alphabeta(depth=0)"]), USAGE, &["`depth`"]);
    let conflicts = [
        ["--iterations", "5"],
        ["--svg", "x"],
        ["--cp", "1"],
        ["--seed", "2"],
        ["--nodes-max", "9"],
        ["--memory-max", "1G"],
        ["--dot", "x"],
        ["--tree-json", "x"],
        ["--style", "plain"],
        ["--picture-children", "3"],
        ["--picture-nodes", "3"],
        ["--picture-depth", "3"],
        ["--top", "3"],
        ["--spread-third", "up"],
        ["--variance", "sample"],
        ["--uct-nodes", "strict"],
        ["--unvisited", "skip"],
    ];
    for conflict in conflicts {
        refused(&search(&[&improved[..], &conflict].concat()), USAGE, &[conflict[0], "--player"]);
    }
}

#[test]
fn a_search_as_a_uct_player_is_a_search_with_its_options() {
    let start = ["search", "tic_tac_toe", "--seed", "3"];
    let options = answer(&[&start[..], &["--iterations", "500", "--cp", "1", "--json"]].concat());
    let player = ["--player", "uct(iterations=500,cp=1)"];
    assert_eq!(answer(&[&start[..], &player, &["--json"]].concat()), options);
    assert!(stdout(&[&start[..], &player, &["--top", "2"]].concat()).contains("500 iterations"));
    for conflict in [["--iterations", "5"], ["--cp", "1"]] {
        let expected = [conflict[0], "cannot be used with '--player uct(iterations=500,cp=1)'"];
        refused(&[&start[..], &player, &conflict].concat(), USAGE, &expected);
    }
}

#[test]
fn players_may_stand_after_the_game() {
    let rest = ["--games", "4", "--json"];
    let named = ["match", "tic_tac_toe", "--a", "uct(iterations=9)", "--b", "random"];
    let listed = ["match", "tic_tac_toe", "uct(iterations=9)", "random"];
    assert_eq!(answer(&[&listed[..], &rest].concat()), answer(&[&named[..], &rest].concat()));
    refused(
        &["match", "tic_tac_toe", "random"],
        USAGE,
        &["2 values", "match [OPTIONS]", "[A] [B]"],
    );
    refused(&["match", "tic_tac_toe"], USAGE, &["--a <PLAYER>", "--b <PLAYER>"]);
    refused(&[&listed[..], &["--a", "random"]].concat(), USAGE, &["--a", "cannot be used with"]);
    let named =
        ["tournament", "tic_tac_toe", "--player", "uct(iterations=9)", "--player", "random"];
    let listed = ["tournament", "tic_tac_toe", "uct(iterations=9)", "random"];
    assert_eq!(answer(&[&listed[..], &rest].concat()), answer(&[&named[..], &rest].concat()));
    refused(&["tournament", "tic_tac_toe"], USAGE, &["tournament <GAME> <PLAYER>..."]);
    refused(&[&listed[..], &["--player", "random"]].concat(), USAGE, &["cannot be used with"]);
}

#[test]
fn a_match_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let [page, again] = ["page", "again"].map(|name| at(folder.path(), name));
    let record = recorded(folder.path(), "match", &["--html", &page]);
    let html = unsigned_page(&page);
    assert!(html.contains("pentanomial") && html.contains("What the games show"));
    stdout(&["merge", &record, "--html", &again]);
    assert_eq!(unsigned_page(&again), html);
    stdout(&["match", "--power", "--html", &page, "--force"]);
    assert!(unsigned_page(&page).contains("games"));
}

#[test]
fn a_record_that_is_given_twice_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let record = recorded(folder.path(), "match", &[]);
    let once = run(&["merge", &record]);
    let twice = run(&["merge", &record, &record]);
    assert_eq!((twice.code, &twice.stdout), (Some(0), &once.stdout));
    assert!(twice.stderr.contains("match is given twice and counts once"), "{}", twice.stderr);
    assert!(!once.stderr.contains("twice"), "{}", once.stderr);
}

#[test]
fn tournaments_at_the_edge() {
    let folder = tempfile::tempdir().unwrap();
    let page = at(folder.path(), "page");
    // A player that wins everything, and another that loses everything.
    let game = "one_to_ten(target=60)";
    let players = ["--player", "random", "--player", "uct(iterations=300)"];
    let arguments =
        [&["tournament", game], &players[..], &["--games", "6", "--html", &page]].concat();
    let report = json(&[&arguments[..], &["--json"]].concat());
    let rating = |player: usize| &report["bradley_terry"]["ratings"][player]["elo"];
    assert_eq!((&rating(1)["high"], &rating(0)["low"]), (&Value::Null, &Value::Null));
    assert!(rating(1)["low"].is_number() && rating(1)["mean"].is_number());
    assert_eq!(
        (&report["bradley_terry"]["separated"], &report["bradley_terry"]["fit"]),
        (&true.into(), &Value::Null)
    );
    let text = stdout(&arguments);
    insta::assert_snapshot!("tournament_of_two", text);
    check_page(&fs::read_to_string(&page).unwrap());
    // One game each, which is no pair; and a game without a choice, where all are equal.
    for arguments in [
        &[&THREE[..8], &["--games", "1"]].concat()[..],
        &["tournament", "one_to_ten(max_step=1)", "--player", "random", "--player", "random"],
    ] {
        let text = stdout(&[arguments, &["--html", &page]].concat());
        assert!(!text.contains("NaN") && !text.contains("inf "), "{text}");
        check_page(&fs::read_to_string(&page).unwrap());
    }
}

#[test]
fn bad_tournaments_are_refused() {
    let with = |rest: &[&'static str]| [&["tournament", "tic_tac_toe"], rest].concat();
    refused(&with(&[]), USAGE, &["<PLAYER>..."]);
    refused(&with(&["--player", "random"]), USAGE, &["2 to 100 players", "there are 1"]);
    refused(&with(&["--player", "random", "--player", "human"]), USAGE, &["do not play"]);
    refused(&with(&["--player", "random", "--player", "utc"]), USAGE, &["`uct`"]);
    let two = ["--player", "random", "--player", "random"];
    let and = |rest: &[&'static str]| with(&[&two[..], rest].concat());
    refused(&and(&["--games", "0"]), USAGE, &["--games"]);
    refused(&and(&["--html", "/no/such/folder/page"]), DATA, &["cannot write"]);
    refused(&and(&["--moves", "a1 b1 a2 b2 a3"]), DATA, &["over at the start"]);
    refused(&["tournament", "tic_tac_to", "--player", "random"], USAGE, &["`tic_tac_toe`"]);
    let many = std::iter::repeat_n(["--player", "random"], 101).flatten();
    refused(&with(&many.collect::<Vec<_>>()), USAGE, &["there are 101"]);
}

#[test]
fn perfect_play_that_lost_by_random_plies_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("solved.tgs");
    let file = file.to_str().unwrap();
    stdout(&["solve", "tic_tac_toe", "-o", file]);
    let perfect = format!("perfect(file={file})");
    let note =
        "although it plays perfectly: a game can be lost by the random plies at its beginning";
    let said = |command: &[&str], plies: &str| {
        let games = ["--games", "40", "--opening-plies", plies];
        stdout(&[command, &games[..]].concat()).contains(note)
    };
    let tournament = ["tournament", "tic_tac_toe", &perfect, "uct(iterations=200)"];
    let pair = ["match", "tic_tac_toe", "--a", &perfect, "--b", "uct(iterations=200)"];
    for command in [&tournament[..], &pair] {
        assert!(said(command, "2"), "{command:?}");
        assert!(!said(command, "0"), "{command:?}");
    }
}
