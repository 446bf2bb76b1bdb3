//! `docs/json.md` names every field that a command prints, and the task that each report has makes it again.

use std::path::Path;

use serde_json::Value;

use crate::common::{solved, stdout};
use crate::generate::{FEW, corpus};

/// Names that occur in the documentation as code.
fn documented() -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/json.md");
    let text = std::fs::read_to_string(path).unwrap();
    text.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_field_of_every_report_is_documented_and_its_task_makes_it_again() {
    let documented = documented();
    let folder = tempfile::tempdir().unwrap();
    let file = solved(folder.path(), "achi.tgs", &["achi"]);
    let record = folder.path().join("match.jsonl").to_str().unwrap().to_owned();
    let players = ["--a", "random", "--b", "uct(iterations=9)", "--games", "4"];
    let tested = ["--sprt", "elo0=0,elo1=30"];
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rules/achi.rules");
    let rules = rules.to_str().unwrap().to_owned();
    let few = ["--games", "2", "--iterations", "30"];
    let data = folder.path().join("data").to_str().unwrap().to_owned();
    let (text, run) = (corpus("tic_tac_toe"), folder.path().join("run"));
    let run = run.to_str().unwrap().to_owned();
    let games = "achi,broken_achi,forms,broken_nine_mens_morris";
    let few_trees = ["--iterations", "20", "--instances", "2"];
    let runs: Vec<Vec<&str>> = vec![
        [&["collect", "--games", games, "-o", &data][..], &few_trees].concat(),
        vec!["evaluate", &data, "--permutations", "1"],
        [&["gauge", "achi"], &few[..]].concat(),
        [&["compare", "one_to_ten", "one_to_ten(target=9)"], &few[..]].concat(),
        vec!["vet", "one_to_ten"],
        [&["generate", "--from", &text, "-o", &run, "--games", "8"][..], &FEW].concat(),
        vec!["search", "achi", "--iterations", "60"],
        vec!["search", "tic_tac_toe(k=2)", "--merge", "equal", "--solver", "--expansion", "random"],
        vec!["corridor", "--lengths", "1,2", "--iterations", "9", "--searches", "2"],
        vec!["search", "achi", "--player", "alphabeta(nodes=60)"],
        vec!["solve", "achi"],
        vec!["probe", &file],
        vec!["verify", &file],
        vec!["interest", "achi"],
        vec!["puzzles", "achi"],
        [&["match", "achi"], &players[..], &tested].concat(),
        [&["match", "achi"], &players[..], &["--record", &record]].concat(),
        vec![
            "tournament",
            "achi",
            "--player",
            "random",
            "--player",
            "uct(iterations=9)",
            "--games",
            "4",
        ],
        vec!["replay", &record],
        vec!["replay", &record, "--game", "0"],
        vec!["perft", "achi", "--depth", "2"],
        vec!["perft", "achi", "--depth", "2", "--divide"],
        vec!["show", "achi"],
        vec!["show", &rules],
        vec!["check", &rules],
        vec!["games", "achi"],
        vec!["games", "--canonical", "broken_achi"],
        vec!["new", "--list"],
        vec!["bench", "achi", "--seconds", "0.02", "--iterations", "50"],
    ];
    let saved = folder.path().join("saved.json");
    for run in runs {
        let text = stdout(&[&run[..], &["--json"]].concat());
        let Value::Object(fields) = serde_json::from_str(&text).unwrap() else {
            panic!("{run:?} prints an object")
        };
        for name in fields.keys() {
            assert!(documented.contains(name), "`{name}` of {run:?} is not in docs/json.md");
        }
        // The task of the report has it made again, to the same bytes.
        std::fs::write(&saved, &text).unwrap();
        let folder =
            run.iter().position(|word| *word == "-o").map(|at| run[at + 1].to_owned() + "-2");
        let output = folder.iter().flat_map(|folder| ["-o", folder]);
        let options: Vec<&str> = ["--json", "--quiet"].into_iter().chain(output).collect();
        let again = stdout(&[&["run", saved.to_str().unwrap()], &options[..]].concat());
        let [one, other] = [text, again].map(|text| untimed(serde_json::from_str(&text).unwrap()));
        assert!(one == other, "the task of {run:?} gives another report");
    }
}

/// A report without what may differ between two equal runs: times, rates per second and memory.
fn untimed(value: Value) -> Value {
    let is_stable = |name: &str| {
        let times = ["_s", "_ms", "_ratio"].iter().any(|unit| name.ends_with(unit));
        // `bench` counts for a time.
        !times && !matches!(name, "peak_memory_bytes" | "plies_per_playout" | "bytes_per_node")
    };
    match value {
        Value::Object(fields) => {
            let stable = fields.into_iter().filter(|(name, _)| is_stable(name));
            Value::Object(stable.map(|(name, value)| (name, untimed(value))).collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(untimed).collect()),
        other => other,
    }
}
