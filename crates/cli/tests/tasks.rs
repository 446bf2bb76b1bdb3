//! Tasks: commands as JSON.

use crate::common::{DATA, Ran, USAGE, json, refused, run_with, stdout};

/// Runs a task from standard input.
fn task(text: &str, options: &[&str]) -> Ran {
    run_with(&[&["run", "-"], options].concat(), text)
}

#[test]
fn a_task_is_its_command() {
    let same = |json: &str, words: &[&str]| {
        let ran = task(json, &["--json"]);
        assert_eq!(ran.code, Some(0), "{json}: {}", ran.stderr);
        let expected = stdout(&[words, &["--json"]].concat());
        assert_eq!(ran.stdout, expected, "{json}");
    };
    same(
        r#"{"command": "perft", "game": "tic_tac_toe", "depth": 3, "divide": true, "moves": "b2 a1"}"#,
        &["perft", "tic_tac_toe", "--depth", "3", "--divide", "--moves", "b2 a1"],
    );
    same(
        r#"{"command": "match", "game": "achi", "players": ["random", "uct(iterations=9)"], "games": "4"}"#,
        &["match", "achi", "random", "uct(iterations=9)", "--games", "4"],
    );
    // What begins with a hyphen is a value, and what is not given has its default.
    same(
        r#"{"command": "gauge", "game": "one_to_ten", "games": 2, "iterations": 20, "ladder": [1], "seed": null,
            "solver": false, "draw_rate_max": 0.5, "model": "none"}"#,
        &[
            "gauge",
            "one_to_ten",
            "--games",
            "2",
            "--iterations",
            "20",
            "--ladder",
            "1",
            "--draw-rate-max",
            "0.5",
            "--model",
            "none",
        ],
    );
}

#[test]
fn a_report_has_the_fields_that_were_given() {
    let words = [
        "search",
        "achi",
        "--iterations",
        "60",
        "--cp",
        "0.5",
        "--seed",
        "18446744073709551615",
        "--json",
    ];
    let report = json(&words);
    let expected = serde_json::json!({
        "command": "search", "game": "achi", "iterations": 60, "cp": 0.5, "seed": "18446744073709551615",
    });
    assert_eq!(report["task"], expected);
}

#[test]
fn a_task_is_checked_as_a_command_line_is() {
    for (json, part) in [
        (r#"{"command": "gauge", "game": "achi", "games": 0}"#, "from 1 to 1000000"),
        (r#"{"command": "gauge", "game": "achi", "games": -1}"#, "from 1 to 1000000"),
        (r#"{"command": "gauge", "game": "achi", "gmaes": 1}"#, "did you mean \"games\"?"),
        (r#"{"command": "gauge", "game": "achi", "solver": 1}"#, "expected true or false, found 1"),
        (r#"{"command": "gauge", "game": "achi", "games": {}}"#, "expected a text or a number"),
        (r#"{"command": "gauge", "game": ["achi", "alak"]}"#, "expected one value"),
        (r#"{"command": "gauge", "game": "achi", "merge": "equall"}"#, "'equall'"),
        (r#"{"command": "gauge"}"#, "<GAME>"),
        (r#"{"command": "match", "game": "achi", "players": ["random"]}"#, "2 values"),
        (r#"{"command": "gaug", "game": "achi"}"#, "did you mean \"gauge\"?"),
        (r#"{"command": "play", "game": "achi"}"#, "`play` is not a task"),
        (r#"{"command": "run", "file": "-"}"#, "`run` is not a task"),
        (r#"{"game": "achi"}"#, "a task names its command"),
        (r#"{"kind": "perft", "schema": 1}"#, "does not have its task"),
        ("[]", "not a task or a report"),
        ("", "not a task or a report"),
    ] {
        let ran = task(json, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(DATA), ""), "{json}: {}", ran.stderr);
        assert!(
            ran.stderr.contains(part),
            "{part:?} is not in the answer to {json}: {}",
            ran.stderr
        );
    }
    refused(&["run"], USAGE, &["<FILE>"]);
    refused(&["run", "none.json"], DATA, &["cannot read none.json"]);
}

/// A task may come from somebody else.
#[test]
fn a_task_writes_no_file_and_starts_no_program() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file").to_str().unwrap().to_owned();
    for field in [
        "html",
        "json",
        "record",
        "output",
        "svg",
        "dot",
        "tree_json",
        "csv",
        "engine",
        "threads",
        "force",
    ] {
        for command in ["gauge", "search", "interest", "difficulty", "collect"] {
            let json = serde_json::json!({ "command": command, field: file }).to_string();
            let ran = task(&json, &[]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(DATA), ""), "{json}: {}", ran.stderr);
            let expected = format!("field {field:?} of {command:?}: a task does not say this");
            assert!(ran.stderr.contains(&expected), "{json}: {}", ran.stderr);
        }
    }
    // Values of an option that takes two have no form with `=`.
    for values in [[format!("--html={file}"), "1".to_owned()], ["--".to_owned(), "1".to_owned()]] {
        let json = serde_json::json!({ "command": "generate", "again": values }).to_string();
        let ran = task(&json, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(DATA), ""), "{json}: {}", ran.stderr);
        assert!(ran.stderr.contains("do not begin with a hyphen"), "{json}: {}", ran.stderr);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn options_behind_a_task_replace_its_own() {
    let text = r#"{"command": "perft", "game": "tic_tac_toe", "depth": 3.0}"#;
    assert!(task(text, &["--json"]).stdout.contains("[9,72,504]"));
    let ran = task(text, &["--json", "--depth", "2"]);
    assert!(ran.stdout.contains("[9,72]") && ran.stdout.contains("\"depth\":2}"), "{}", ran.stdout);
    let ran = task(text, &["achi"]);
    assert_eq!(ran.code, Some(USAGE), "{}", ran.stderr);
    assert!(ran.stderr.contains("options stand behind the file"), "{}", ran.stderr);
}
