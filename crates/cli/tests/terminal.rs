//! Places and forms of output: colours, widths, hints, and what decides the exit code of a verdict.

use serde_json::{Value, json};

use crate::common::{Fields, Room, json, run, stdout};

const DRAWISH: &str = "gauge tic_tac_toe --iterations 1e3";

#[test]
fn tables_wrap_to_the_columns_of_the_terminal() {
    let table = |text: &str| -> Vec<String> {
        let lines = text.lines().skip_while(|line| !line.starts_with(" flaw"));
        lines.take_while(|line| !line.starts_with("Next")).map(str::to_owned).collect()
    };
    let wide = table(&stdout(DRAWISH));
    assert!(wide.iter().any(|line| line.chars().count() > 80));
    let narrow = table(&Room::new().run_in(&[("COLUMNS", "80")], DRAWISH).stdout);
    assert!(narrow.iter().all(|line| line.chars().count() <= 80), "{narrow:?}");
    // The words are the same.
    let words = |lines: &[String]| -> Vec<String> {
        let words = lines.iter().flat_map(|line| line.split_whitespace());
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    assert_eq!(words(&wide), words(&narrow));
}

#[test]
fn small_charts_are_for_terminals_only() {
    let wide = [("COLUMNS", "200")];
    let piped = Room::new().run_in(&wide, DRAWISH).stdout;
    assert!(piped.contains("first player") && !piped.contains(['●', '▁', '█']), "{piped}");
    assert_eq!(Room::new().run_in(&wide, format!("{DRAWISH} --plain")).stdout, piped);
}

#[test]
fn flaws_have_colours_where_they_are_asked_for() {
    let plain = stdout(DRAWISH);
    assert!(!plain.contains('\x1b'), "a pipe has no colours");
    let coloured = stdout(format!("{DRAWISH} --color always"));
    // Red and bold, green.
    assert!(coloured.contains("\x1b[38;5;1m\x1b[1m YES "), "{coloured}");
    assert!(coloured.contains("\x1b[38;5;2m no "), "{coloured}");
    let mut parts = coloured.split("\x1b[");
    let first = parts.next().unwrap();
    let stripped: String = parts.map(|part| part.split_once('m').unwrap().1).collect();
    assert_eq!(first.to_owned() + &stripped, plain);
}

#[test]
fn hints_and_features_are_printed_as_was_asked() {
    let ran = run(DRAWISH);
    assert!(ran.stderr.contains("--html FILE") && !ran.stdout.contains("effective_branching"));
    let quiet = run(format!("--quiet {DRAWISH}"));
    assert_eq!((quiet.code, &quiet.stderr[..]), (Some(0), ""));
    // Errors are not hints.
    assert!(run("--quiet gauge chess").stderr.contains("chess"));
    let all = stdout(format!("{DRAWISH} --tree-features"));
    assert!(all.contains("effective_branching") && all.contains("360 trees"), "{all}");
}

#[test]
fn a_flaw_that_was_asked_for_is_an_exit_code() {
    let with = |fail_on: &str| run(format!("{DRAWISH} --model none --fail-on {fail_on}"));
    for flaw in ["any", "drawish", "too_long,drawish"] {
        let ran = with(flaw);
        assert_eq!(ran.code, Some(1), "{flaw}");
        assert!(ran.stderr.contains("tic_tac_toe: --fail-on found: drawish"), "{}", ran.stderr);
        assert!(ran.stdout.starts_with("tic_tac_toe: "), "the report is printed all the same");
    }
    for other in ["too_long", "biased_first,capped"] {
        assert_eq!(with(other).code, Some(0), "{other}");
    }
    // A few games leave much open.
    let few = "gauge connect_four --iterations 300 --games 4";
    assert_eq!(run(format!("{few} --fail-on any")).code, Some(0));
    assert_eq!(run(format!("{few} --fail-on open")).code, Some(1));
    assert_eq!(json(few)["verdict"]["flawed"], Value::Null);
    assert_eq!(json(DRAWISH)["verdict"]["flawed"], true);
}

/// The events that a run prints on standard error.
fn events(command: &str) -> (Option<i32>, Vec<Value>) {
    let ran = run(format!("{command} --progress json"));
    let read = |line: &str| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    };
    (ran.code, ran.stderr.lines().map(read).collect())
}

#[test]
fn programs_get_events_in_the_place_of_messages() {
    let (code, told) = events("gauge 'tic_tac_toe(k=2)' --games 30 --iterations 300");
    let of = |name: &str| told.iter().filter(|one| one["event"] == name).collect::<Vec<_>>();
    assert_eq!(code, Some(0));
    assert_eq!(told.last().unwrap(), &json!({"event": "end", "exit": 0, "error": null}));
    assert_eq!(of("end").len(), 1);
    let hints: Vec<&str> = of("hint").iter().map(|hint| hint.word("/text")).collect();
    assert!(hints.iter().any(|hint| hint.contains("--explain")), "{hints:?}");
    for progress in of("progress") {
        let is_known = progress.whole("/done") <= progress.whole("/known");
        assert!(is_known && progress["phase"].is_string(), "{progress}");
    }
    let (code, told) = events("gauge nogame");
    let end = told.last().unwrap();
    assert_eq!((code, told.len(), &end["exit"]), (Some(2), 1, &2.into()));
    assert!(end.word("/error").contains("unknown game"), "{end}");
}

#[test]
fn a_run_stops_when_standard_input_ends_if_it_is_told_to() {
    // Nothing is typed, so the input ends at once.
    let long = "gauge othello --iterations 20000 --games 1000 --solve-limit 0";
    let ran = run(format!("{long} --stop-on-eof --progress json"));
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("\"event\":\"resume\""), "{}", ran.stderr);
}
