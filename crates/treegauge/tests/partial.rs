//! Reports of work that is not over.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use treegauge::report::{NoBoards, TextStyle};
use treegauge::tasks::{Context, Keeping, Partial, Report, task};

/// Takes a report after each piece.
#[derive(Default)]
struct Each(Mutex<Vec<Value>>);

impl Partial for Each {
    fn every(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &dyn Report) {
        let text = report.doc(&NoBoards).text(TextStyle::default());
        let json = report.json(&()).unwrap();
        let json: Value = serde_json::from_str(&json).unwrap();
        let lacks = json["missing"].as_u64().is_some_and(|missing| missing > 0)
            || json.to_string().contains("\"incomplete\":true");
        assert_eq!(lacks, text.contains("INCOMPLETE"), "{text}");
        self.0.lock().unwrap().push(json);
    }
}

/// The partial reports of a task, and the last one. The task runs twice; its work is kept in new
/// folders if `keeps`.
fn run(fields: &Value, keeps: bool) -> (Vec<Value>, Value) {
    let each = Each::default();
    let fields = fields.as_object().unwrap();
    let report = |partial: Option<&dyn Partial>| {
        let folder = tempfile::tempdir().unwrap();
        let keeping = Keeping { path: folder.path(), is_required: true, every: None };
        let keeping = keeps.then_some(keeping);
        let context = Context { partial, keeping, ..Context::default() };
        let done = task(fields).unwrap().run(&context).unwrap();
        serde_json::from_str::<Value>(&done.report.json(&()).unwrap()).unwrap()
    };
    let last = report(Some(&each));
    assert_eq!(last, report(None), "somebody who looks changes nothing");
    (each.0.into_inner().unwrap(), last)
}

#[test]
fn games_that_are_over_are_judged() {
    let tasks = BTreeMap::from([
        (
            "gauge",
            json!({"game": "achi", "games": 4, "skill_games": 0, "iterations": 9, "model": "none"}),
        ),
        (
            "compare",
            json!({"names": ["achi", "one_to_ten"], "games": 4, "skill_games": 0, "iterations": 9}),
        ),
        ("match", json!({"game": "achi", "players": ["uct(iterations=9)", "random"], "games": 4})),
        (
            "tournament",
            json!({"game": "achi", "players": ["uct(iterations=9)", "random"], "games": 4}),
        ),
        (
            "corridor",
            json!({"lengths": [1], "iterations": [9], "variant": ["tree"], "searches": 4}),
        ),
        ("vet", json!({"games": ["achi", "tic_tac_toe"]})),
    ]);
    for (command, mut fields) in tasks {
        fields["command"] = command.into();
        let (partial, last) = run(&fields, false);
        assert!(!partial.is_empty(), "{command}");
        for report in &partial {
            assert_eq!(report["kind"], last["kind"], "{command}");
        }
        assert!(
            partial[0].to_string().contains("\"incomplete\":true"),
            "{command}: {}",
            partial[0]
        );
        assert!(!last.to_string().contains("\"incomplete\":true"), "{command}: {last}");
    }
}

/// Numbers of the candidates that entered each gate.
fn entered(report: &Value) -> Vec<u64> {
    let gates = report["gates"].as_array().unwrap();
    gates.iter().map(|gate| gate["entered"].as_u64().unwrap()).collect()
}

#[test]
fn candidates_are_counted_gate_by_gate() {
    let fields = json!({
        "command": "generate", "from": ["tic_tac_toe"], "games": 8, "generation": 4, "best": 2,
        "model": "none", "iterations": 40, "gauge_games": 4, "control": 0.0,
        "glance_iterations": 20, "glance_games": 4,
    });
    let (partial, last) = run(&fields, true);
    assert!(partial.iter().all(|report| report["incomplete"] == true));
    assert_eq!(last.get("incomplete"), None);
    let counts: Vec<Vec<u64>> = partial.iter().map(entered).collect();
    // Nobody has entered the thorough gauge before the last generation is over.
    assert_eq!(counts[0].last(), Some(&0));
    let of_run = entered(&last);
    for (before, after) in counts.iter().zip(counts[1..].iter().chain([&of_run])) {
        let grows = before.iter().zip(after).all(|(before, after)| before <= after);
        assert!(grows, "{before:?} {after:?}");
        assert!(after.is_sorted_by(|one, next| one >= next), "{after:?}");
    }
    assert_eq!(of_run[0], 8);
}

#[test]
fn instances_are_counted_until_none_is_missing() {
    let fields = json!({
        "command": "collect", "games": "tic_tac_toe,achi", "iterations": 9, "instances": 5,
        "shard": "2/2",
    });
    let (partial, last) = run(&fields, true);
    let missing = |report: &Value| report["missing"].as_u64().unwrap();
    let counts: Vec<u64> = partial.iter().map(missing).collect();
    // A report that is due while another is made is left out.
    assert!(!counts.is_empty() && counts.is_sorted_by(|one, next| one > next), "{counts:?}");
    assert!(counts.iter().all(|&missing| missing < 4), "{counts:?}");
    assert_eq!(missing(&last), 0);
}

#[test]
fn games_with_all_instances_are_judged_in_a_folder_too() {
    let fields = json!({"command": "vet", "games": ["achi", "tic_tac_toe"]});
    let (partial, last) = run(&fields, true);
    let (in_memory, same) = run(&fields, false);
    assert_eq!(last, same);
    for reports in [partial, in_memory] {
        let rows = |report: &Value| report["rows"].as_array().unwrap().clone();
        // A report that is due while another is made is left out.
        for report in &reports {
            assert!(!rows(report).is_empty());
            assert!(rows(report).iter().all(|row| rows(&last).contains(row)));
        }
    }
}
