//! Reports of work that is not over.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::{Value, json};
use treegauge::tasks::{Context, Partial, Report, task};

/// Takes a report after each piece.
#[derive(Default)]
struct Each(Mutex<Vec<Value>>);

impl Partial for Each {
    fn every(&self) -> Duration {
        Duration::ZERO
    }

    fn report(&self, report: &dyn Report) {
        let json = report.json(&()).unwrap();
        self.0.lock().unwrap().push(serde_json::from_str(&json).unwrap());
    }
}

/// The partial reports of a task, and the last one.
fn run(fields: &Value) -> (Vec<Value>, Value) {
    let each = Each::default();
    let fields = fields.as_object().unwrap();
    let watched = Context { partial: Some(&each), ..Context::default() };
    let report = |context: &Context<'_>| {
        let done = task(fields).unwrap().run(context).unwrap();
        serde_json::from_str::<Value>(&done.report.json(&()).unwrap()).unwrap()
    };
    let last = report(&watched);
    assert_eq!(last, report(&Context::default()), "somebody who looks changes nothing");
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
    ]);
    for (command, mut fields) in tasks {
        fields["command"] = command.into();
        let (partial, last) = run(&fields);
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
