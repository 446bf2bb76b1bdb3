//! Reports that were saved as JSON, and what `report` makes of them.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::{DATA, USAGE, refused, run, stdout, unsigned_page};

/// Saves what a command prints with --json, and returns the path.
fn saved(folder: &Path, arguments: &[&str]) -> String {
    let path = folder.join("report.json").to_str().expect("the path is text").to_owned();
    fs::write(&path, stdout(&[arguments, &["--json"]].concat())).expect("it is written");
    path
}

/// Demands that a saved report says of its kind what the command said, and is printed as it was.
#[track_caller]
fn reads_back(kind: &str, arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = saved(folder.path(), arguments);
    let text = fs::read_to_string(&path).expect("it was saved");
    assert!(text.starts_with(&format!("{{\"schema\":1,\"kind\":\"{kind}\",")), "{text}");
    assert_eq!(stdout(&["report", &path]), stdout(arguments), "{arguments:?}");
}

/// Demands the same of the page.
#[track_caller]
fn page_is_made_again(arguments: &[&str]) {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = saved(folder.path(), arguments);
    let [first, again] = ["first.html", "again.html"].map(|name| folder.path().join(name));
    stdout(&[arguments, &["--html", first.to_str().unwrap()]].concat());
    assert_eq!(stdout(&["report", &path, "--html", again.to_str().unwrap()]), "");
    let page = unsigned_page(&first);
    assert!(page.contains("<svg"), "{arguments:?} has pictures");
    let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';";
    assert!(page.contains(policy), "{arguments:?} says what may run");
    for active in ["<script", "<link", "<img", "<iframe", "<form", "src=", "href=\"h", "@import"] {
        assert!(!page.contains(active), "{arguments:?} has {active}");
    }
    assert!(page == unsigned_page(&again), "{arguments:?}: the pages differ");
}

#[test]
fn a_gauge_reads_back() {
    let some = ["gauge", "connect_four", "--games", "6", "--iterations", "60"];
    let opened = ["--games", "3", "--skill-games", "2", "--opening-plies", "1", "--moves", "d3"];
    let own = ["gauge", "othello(size=4)", "--iterations", "30", "--model", "none"];
    let opened = [&own[..], &opened[..6]].concat();
    // The number of iterations at which games are compared with known ones.
    let known = ["gauge", "tic_tac_toe", "--games", "4", "--skill-games", "0"];
    let over = ["gauge", "tic_tac_toe(k=2)", "--moves", "a1 c3 b1", "--games", "2"];
    for arguments in [&some[..], &opened, &known, &over] {
        reads_back("gauge", arguments);
        page_is_made_again(arguments);
    }
}

#[test]
fn matches_and_tournaments_read_back() {
    let random = ["match", "tic_tac_toe", "--a", "random", "--b", "random", "--games", "11"];
    let test = ["match", "tic_tac_toe", "--a", "uct(iterations=60)", "--b", "random"];
    let test = [&test[..], &["--games", "200", "--sprt", "elo0=0,elo1=80"]].concat();
    let sided = ["match", "one_to_ten", "--a", "uct(iterations=90)", "--b", "uct(iterations=80)"];
    let sided = [&sided[..], &["--games", "40", "--opening-plies", "0"]].concat();
    for arguments in [&random[..], &test, &sided] {
        reads_back("match", arguments);
    }
    let players = ["--player", "random", "--player", "uct(iterations=40)", "--player", "random"];
    let three = [&["tournament", "tic_tac_toe", "--games", "10"][..], &players].concat();
    let few = [&["tournament", "tic_tac_toe", "--games", "1"][..], &players[..4]].concat();
    for arguments in [&three[..], &few] {
        reads_back("tournament", arguments);
        page_is_made_again(arguments);
    }
    reads_back("power", &["match", "--power", "--gap", "0.1", "--draw-rate", "0.3"]);
}

#[test]
fn a_match_of_players_with_a_time_budget_is_known_by_its_report() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let timed = "alphabeta(eval=mobility,time_ms=1)";
    let path = saved(
        folder.path(),
        &["match", "tic_tac_toe", "--a", timed, "--b", "random", "--games", "2"],
    );
    let report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(report["time_budget"], json!({ "a": true, "b": false }));
    assert!(stdout(&["report", &path]).contains("cannot be repeated exactly"));
}

#[test]
fn reports_of_positions_and_records_read_back() {
    reads_back("search", &["search", "othello", "--iterations", "90"]);
    let player = "alphabeta(eval=mobility,depth=3)";
    reads_back("alphabeta_search", &["search", "breakthrough", "--player", player]);
    reads_back("perft", &["perft", "connect_four", "--depth", "3"]);
    reads_back("perft", &["perft", "tic_tac_toe", "--depth", "2", "--divide"]);
    reads_back("show", &["show", "othello", "--moves", "d3 c3"]);
    reads_back("show", &["show", "tic_tac_toe(k=2)", "--moves", "a1 c3 b1"]);
    reads_back("games", &["games"]);

    let folder = tempfile::tempdir().expect("there is room for a folder");
    let record = folder.path().join("record.jsonl").to_str().unwrap().to_owned();
    let play = ["match", "tic_tac_toe", "--a", "random", "--b", "random", "--games", "4"];
    stdout(&[&play[..], &["--moves", "b2", "--record", &record]].concat());
    reads_back("replay", &["replay", &record]);
    reads_back("replayed_game", &["replay", &record, "--game", "3"]);
    reads_back("match", &["merge", &record, "--games", "4"]);
}

#[test]
fn control_characters_of_a_report_are_not_sent_to_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let report = stdout(&["show", "tic_tac_toe", "--json"]);
    fs::write(&path, report.replace("\"a1\"", "\"\\u001b[31mred\"")).unwrap();
    let text = stdout(&["report", path.to_str().unwrap()]);
    assert!(text.contains("\\u{1b}[31mred") && !text.contains('\u{1b}'), "{text:?}");
}

#[test]
fn a_puzzle_whose_solution_is_damaged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let report: Value =
        serde_json::from_str(&stdout(&["puzzles", "tic_tac_toe", "--json"])).unwrap();
    let damaged = |damage: fn(&mut Value)| {
        let mut report = report.clone();
        damage(&mut report["puzzles"][0]["written"]["positions"]);
        fs::write(&path, report.to_string()).unwrap();
        let wrong = "the solution of puzzle 1 is damaged";
        refused(&["report", path.to_str().unwrap()], DATA, &["puzzles", wrong]);
    };
    damaged(|positions| drop(positions.as_array_mut().unwrap().pop()));
    damaged(|positions| *positions = Value::Array(Vec::new()));
    // A move that leads back would be followed without end.
    damaged(|positions| positions[0]["moves"][0]["then"] = 0.into());
}

#[test]
fn what_is_no_report_is_refused() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let path = folder.path().join("bad.json").to_str().unwrap().to_owned();
    let refuses = |text: &str, expected: &[&str]| {
        fs::write(&path, text).unwrap();
        refused(&["report", &path], DATA, expected);
    };
    refused(&["report", &path], DATA, &["cannot read", "bad.json"]);
    refuses("", &["bad.json", "not the JSON of a report"]);
    refuses("[1, 2]", &["not the JSON of a report"]);
    refuses("{\"schema\": 1, \"game\": \"othello\"}", &["kind"]);
    refuses("{\"schema\": 1, \"kind\": \"gage\"}", &["gage", "gauge"]);

    let show = stdout(&["show", "tic_tac_toe", "--json"]);
    refuses(&show.replace("\"schema\":1", "\"schema\":2"), &["show", "schema 2", "schema 1"]);
    refuses(&show.replace("\"moves\"", "\"motions\""), &["show", "moves"]);
    refuses(&show.replace("tic_tac_toe", "tic_tac_two"), &["tic_tac_two", "tic_tac_toe"]);
    refuses(&show.replace("null", "\"nobody\""), &["nobody", "first"]);
    // A position of another game has no board, but the report is printed.
    fs::write(&path, show.replace("... x", "x x")).unwrap();
    assert_eq!(run(&["report", &path]).code, Some(0));

    let page = folder.path().join("page.html").to_str().unwrap().to_owned();
    fs::write(&path, &show).unwrap();
    // Every report has a page.
    stdout(&["report", &path, "--html", &page]);
    assert!(
        fs::read_to_string(page).unwrap().contains("<title>treegauge: a position of tic_tac_toe")
    );
}

#[test]
fn a_report_whose_parts_do_not_fit_together_is_refused() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let gauge = ["gauge", "tic_tac_toe", "--games", "1", "--skill-games", "0", "--iterations", "9"];
    let two = ["tournament", "tic_tac_toe", "--games", "4", "--player", "random"];
    let two = [&two[..], &["--player", "uct(iterations=9)"]].concat();
    let huge = json!([[u64::MAX, 0, 0], [0, 0, 0], [0, 0, 0]]);
    let cases: [(&[&str], &str, Value, &str); 5] = [
        (&gauge, "/search_tree/nodes/1/parent", json!(7), "parent"),
        (&two, "/players", json!(["random"]), "players than the 1"),
        (&two, "/encounters/0/players", json!([0, 5]), "players than the 2"),
        (&two, "/bradley_terry/differences/0/worse", json!(2), "players than the 2"),
        (&two, "/encounters/0/outcomes/paired", huge, "more games"),
    ];
    for (arguments, place, value, expected) in cases {
        let path = saved(folder.path(), arguments);
        let mut report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        *report.pointer_mut(place).expect(place) = value;
        fs::write(&path, report.to_string()).unwrap();
        refused(&["report", &path], DATA, &[expected]);
    }
}

#[test]
fn a_report_says_nothing_of_files_that_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    let (path, secret) = (folder.path().join("report.json"), folder.path().join("secret"));
    fs::write(&secret, "root:x:0:0:a secret\n").unwrap();
    let game = format!("rules(file={})", secret.to_str().unwrap());
    let show = stdout(&["show", "tic_tac_toe", "--json"]);
    fs::write(&path, show.replace("\"tic_tac_toe\"", &json!(game).to_string())).unwrap();
    let ran = run(&["report", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(DATA), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is not the text of a game"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("root") && !ran.stderr.contains("a secret"), "{}", ran.stderr);
}

#[test]
fn pictures_of_a_saved_report_are_drawn_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = saved(folder.path(), &["puzzles", "tic_tac_toe"]);
    let sound = stdout(&["report", &path, "--html", "-"]);
    let mut report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    report["puzzles"][0]["svg"] = "<svg><script>alert(1)</script></svg>".into();
    fs::write(&path, report.to_string()).unwrap();
    let page = stdout(&["report", &path, "--html", "-"]);
    assert!(!page.contains("alert(1)"));
    assert_eq!(page, sound);
}

#[test]
fn numbers_that_no_run_gives_are_refused_with_their_field() {
    let folder = tempfile::tempdir().unwrap();
    let gauge = ["gauge", "tic_tac_toe", "--games", "1", "--skill-games", "0", "--iterations", "9"];
    let counts = ["perft", "tic_tac_toe", "--depth", "1"];
    let cases: [(&[&str], &str, Value, &str); 3] = [
        (&gauge, "/capped/mean", json!(1e308), "`capped.mean` is 1e308, which is not from 0 to 1"),
        (&gauge, "/plies/mean", json!(-1), "`plies.mean` is -1.0, which is not from 0 to"),
        (&counts, "/counts/0", json!(-9), "`counts[0]` is -9.0"),
    ];
    for (arguments, place, value, expected) in cases {
        let path = saved(folder.path(), arguments);
        let mut report: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        *report.pointer_mut(place).expect(place) = value;
        fs::write(&path, report.to_string()).unwrap();
        refused(&["report", &path], DATA, &[expected]);
    }
}

#[test]
fn a_page_says_how_it_was_made_and_goes_where_it_is_asked_to() {
    let gauge = ["gauge", "tic_tac_toe", "--games", "2", "--iterations", "200", "--ladder", "1"];
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("treegauge"));
    command.args(gauge).arg("--html").arg(&page).env("SOURCE_DATE_EPOCH", "1795392000");
    let output = command.output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("the page is in {}", page.display())), "{said}");
    let written = fs::read_to_string(&page).unwrap();
    let version = env!("CARGO_PKG_VERSION");
    let foot =
        format!("Made by treegauge {version} on 2026-11-23: <code>treegauge gauge tic_tac_toe ");
    assert!(written.contains(&foot), "{}", &written[written.len() - 400..]);

    // `-` is standard output, in the place of the text.
    let printed = stdout(&[&gauge[..], &["--html", "-"]].concat());
    assert!(printed.starts_with("<!DOCTYPE html>") && printed.ends_with("</html>"));
    assert_eq!(printed.split("<footer>").next(), written.split("<footer>").next());
    for other in ["--json", "--open"] {
        let arguments = [&gauge[..], &["--html", "-", other]].concat();
        refused(&arguments, USAGE, &[&format!("{other} cannot be used with it")]);
    }
}

/// A folder for the search path with a script in it that stands for the desktop's launcher.
#[cfg(target_os = "linux")]
fn launcher(does: &str) -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("xdg-open");
    fs::write(&script, format!("#!/bin/sh\n{does}\n")).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    folder
}

#[cfg(target_os = "linux")]
#[test]
fn a_page_is_shown_in_a_browser_or_the_error_names_it() {
    use crate::common::run_in;

    let folder = tempfile::tempdir().unwrap();
    let (page, opened) = (folder.path().join("a page.html"), folder.path().join("opened"));
    let [page, opened] = [&page, &opened].map(|path| path.to_str().unwrap());
    let gauge = ["gauge", "tic_tac_toe", "--games", "2", "--iterations", "200", "--ladder", "1"];
    let asked = [&gauge[..], &["--html", page, "--open"]].concat();

    let works = launcher(&format!("printf %s \"$1\" > '{opened}'"));
    let path = works.path().to_str().unwrap();
    let ran = run_in(&[("PATH", path)], &asked, "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(opened).unwrap(), page);

    let fails = launcher("exit 3");
    let path = fails.path().to_str().unwrap();
    let ran = run_in(&[("PATH", path)], &asked, "");
    assert_eq!(ran.code, Some(DATA));
    let message = format!("cannot show {page} in a browser");
    assert!(ran.stderr.contains(&message), "{}", ran.stderr);
    assert!(fs::read_to_string(page).unwrap().ends_with("</html>"));
}
