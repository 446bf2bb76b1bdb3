//! What is printed where: colours, widths, hints, and what decides the exit code of a verdict.

use crate::common::{json, refused, run, run_in, stdout};

const DRAWISH: [&str; 4] = ["gauge", "tic_tac_toe", "--iterations", "1e3"];

#[test]
fn tables_wrap_to_the_columns_of_the_terminal() {
    let wide = run(&DRAWISH).stdout;
    let table = |text: &str| -> Vec<String> {
        text.lines().skip_while(|line| !line.starts_with(" flaw")).map(str::to_owned).collect()
    };
    assert!(table(&wide).iter().any(|line| line.chars().count() > 110));
    let narrow = run_in(&[("COLUMNS", "80")], &DRAWISH, "").stdout;
    for line in table(&narrow) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // The words are the same.
    let words = |lines: Vec<String>| -> Vec<String> {
        let mut words: Vec<String> =
            lines.iter().flat_map(|line| line.split_whitespace()).map(str::to_owned).collect();
        words.sort_unstable();
        words
    };
    assert_eq!(words(table(&wide)), words(table(&narrow)));
}

#[test]
fn flaws_have_colours_where_they_are_asked_for() {
    let plain = stdout(&DRAWISH);
    assert!(!plain.contains('\x1b'), "a pipe has no colours");
    let coloured = stdout(&[&DRAWISH[..], &["--color", "always"]].concat());
    // Red and bold, green.
    assert!(coloured.contains("\x1b[38;5;1m\x1b[1m YES "), "{coloured}");
    assert!(coloured.contains("\x1b[38;5;2m no "), "{coloured}");
    let mut parts = coloured.split("\x1b[");
    let first = parts.next().unwrap();
    let stripped: String = parts.map(|part| part.split_once('m').unwrap().1).collect();
    assert_eq!(first.to_owned() + &stripped, plain);
}

#[test]
fn quiet_leaves_out_the_hints() {
    assert!(run(&DRAWISH).stderr.contains("--html FILE"));
    let quiet = run(&[&["--quiet"], &DRAWISH[..]].concat());
    assert_eq!((quiet.code, &quiet.stderr[..]), (Some(0), ""));
    // Errors are no hints.
    assert!(run(&["--quiet", "gauge", "hex"]).stderr.contains("hex"));
}

#[test]
fn tree_features_are_printed_on_request() {
    assert!(!stdout(&DRAWISH).contains("effective_branching"));
    let all = stdout(&[&DRAWISH[..], &["--tree-features"]].concat());
    assert!(all.contains("effective_branching") && all.contains("360 trees"), "{all}");
}

#[test]
fn a_flaw_that_was_asked_for_is_an_exit_code() {
    let with = |fail_on: &str| run(&[&DRAWISH[..], &["--fail-on", fail_on]].concat());
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
    let few = ["gauge", "connect_four", "--iterations", "300", "--games", "4", "--fail-on"];
    assert_eq!(run(&[&few[..], &["any"]].concat()).code, Some(0));
    let open = run(&[&few[..], &["open"]].concat());
    assert_eq!(open.code, Some(1));
    let report = json(&[&few[..6], &["--json"]].concat());
    assert_eq!(report["verdict"]["flawed"], serde_json::Value::Null);
    assert_eq!(json(&[&DRAWISH[..], &["--json"]].concat())["verdict"]["flawed"], true);
    refused(&["gauge", "tic_tac_toe", "--fail-on", ""], 2, &["--fail-on"]);
}

/// The events that a run prints on standard error.
fn events(arguments: &[&str]) -> (Option<i32>, Vec<serde_json::Value>) {
    let ran = run(&[arguments, &["--progress", "json"]].concat());
    let read = |line: &str| {
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line:?}"))
    };
    (ran.code, ran.stderr.lines().map(read).collect())
}

#[test]
fn programs_get_events_in_the_place_of_messages() {
    let gauge = ["gauge", "tic_tac_toe(k=2)", "--games", "30", "--iterations", "300"];
    let (code, told) = events(&gauge);
    let of = |name: &str| told.iter().filter(|one| one["event"] == name).collect::<Vec<_>>();
    assert_eq!(code, Some(0));
    assert_eq!(
        told.last().unwrap(),
        &serde_json::json!({"event": "end", "exit": 0, "error": null})
    );
    assert_eq!(of("end").len(), 1);
    let hints: Vec<&str> = of("hint").iter().map(|hint| hint["text"].as_str().unwrap()).collect();
    assert!(hints.iter().any(|hint| hint.contains("treegauge compare")), "{hints:?}");
    for progress in of("progress") {
        let [done, known] = ["done", "known"].map(|name| progress[name].as_u64().unwrap());
        assert!(done <= known && progress["phase"].is_string(), "{progress}");
    }
    let (code, told) = events(&["gauge", "nogame"]);
    let end = told.last().unwrap();
    assert_eq!((code, told.len(), &end["exit"]), (Some(2), 1, &2.into()));
    assert!(end["error"].as_str().unwrap().contains("unknown game"), "{end}");
}

#[test]
fn a_run_stops_when_standard_input_ends_if_it_is_told_to() {
    // Nothing is typed, so the input ends at once.
    let long =
        ["gauge", "othello", "--iterations", "20000", "--games", "1000", "--solve-limit", "0"];
    let ran = run(&[&long[..], &["--stop-on-eof", "--progress", "json"]].concat());
    assert_eq!(ran.code, Some(130), "{}", ran.stderr);
    assert!(ran.stderr.contains("\"event\":\"resume\""), "{}", ran.stderr);
}
