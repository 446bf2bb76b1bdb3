//! Tasks: commands as JSON.

use serde_json::json;

use crate::common::{DATA, Ran, json, run_with, stdout};

/// Runs a task from standard input.
fn task(text: &str, options: &str) -> Ran {
    run_with(format!("run - {options}"), text)
}

#[test]
fn a_task_is_its_command() {
    for (json, command) in [
        (
            r#"{"command": "perft", "game": "tic_tac_toe", "depth": 3, "divide": true, "moves": "b2 a1"}"#,
            "perft tic_tac_toe --depth 3 --divide --moves 'b2 a1'",
        ),
        (
            r#"{"command": "match", "game": "achi", "players": ["random", "uct(iterations=9)"], "games": "4"}"#,
            "match achi random 'uct(iterations=9)' --games 4",
        ),
        // What is not given has its default.
        (
            r#"{"command": "gauge", "game": "one_to_ten", "games": 2, "iterations": 20, "ladder": [1], "seed": null,
                "solver": false, "draw_rate_max": 0.5, "model": "none"}"#,
            "gauge one_to_ten --games 2 --iterations 20 --ladder 1 --draw-rate-max 0.5 --model none",
        ),
    ] {
        let ran = task(json, "--json");
        assert_eq!(ran.code, Some(0), "{json}: {}", ran.stderr);
        assert_eq!(ran.stdout, stdout(format!("{command} --json")), "{json}");
    }
}

#[test]
fn a_report_has_the_fields_that_were_given() {
    let seed = "18446744073709551615";
    let report = json(format!("search achi --iterations 60 --cp 0.5 --seed {seed}"));
    let expected = json!({
        "command": "search", "game": "achi", "iterations": 60, "cp": 0.5, "seed": seed,
    });
    assert_eq!(report["task"], expected);
}

#[test]
fn options_behind_a_task_replace_its_own() {
    let text = r#"{"command": "perft", "game": "tic_tac_toe", "depth": 3.0}"#;
    assert!(task(text, "--json").stdout.contains("[9,72,504]"));
    let ran = task(text, "--json --depth 2");
    assert!(ran.stdout.contains("[9,72]") && ran.stdout.contains("\"depth\":2}"), "{}", ran.stdout);
    assert_eq!(task("[", "").code, Some(DATA));
}
