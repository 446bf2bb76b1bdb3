//! `docs/files.md` describes the journals that runs write.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::common::stdout;
use crate::generate::{FEW, corpus};

/// The names that each section of the document has as code.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md");
    let text = std::fs::read_to_string(path).unwrap();
    let section = |part: &str| {
        let (title, text) = part.split_once('\n').unwrap();
        let code = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        (title.trim().to_owned(), code)
    };
    text.split("\n### ").skip(1).map(section).collect()
}

/// The names of the fields of a value, but those that are names of games, features or measures.
fn fields(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                let is_named = matches!(name.as_str(), "features" | "measures" | "instances");
                let is_opaque = matches!(
                    name.as_str(),
                    "shape_options" | "budgets" | "verdict" | "vetted" | "random" | "fell" | "game"
                );
                if !is_named && !is_opaque {
                    fields(value, names);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| fields(value, names)),
        _ => {}
    }
}

#[test]
fn every_field_of_every_journal_is_documented_and_the_other_way_round() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let [one, more, gauge, corridor] =
        ["match.jsonl", "tournament.jsonl", "gauge.jsonl", "corridor.jsonl"].map(at);
    let (data, run, text) = (at("data"), at("run"), corpus("tic_tac_toe"));
    let searcher = "uct(iterations=9)";
    let few = ["--iterations", "9", "--games", "4"];
    let runs: [Vec<&str>; 6] = [
        vec!["match", "achi", "random", searcher, "--games", "4", "--record", &one],
        vec!["tournament", "achi", "random", searcher, "--games", "4", "--record", &more],
        [&["gauge", "achi", "--ladder", "2", "--record", &gauge][..], &few].concat(),
        vec![
            "corridor",
            "--lengths",
            "1,2",
            "--iterations",
            "9",
            "--searches",
            "2",
            "--record",
            &corridor,
        ],
        vec![
            "collect",
            "--games",
            "achi",
            "--iterations",
            "9",
            "--instances",
            "2",
            "--players",
            "random",
            "--shard",
            "1/2",
            "-o",
            &data,
        ],
        [&["generate", "--from", &text, "-o", &run, "--games", "8"][..], &FEW].concat(),
    ];
    for run in &runs {
        stdout(run);
    }
    let journals = [one, more, gauge, corridor]
        .into_iter()
        .chain([format!("{data}/instances.jsonl"), format!("{run}/candidates.jsonl")]);
    let documented = documented();
    for journal in journals {
        let text = std::fs::read_to_string(&journal).unwrap();
        let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let header = lines.next().unwrap();
        let section = &documented[header["holds"].as_str().unwrap()];
        let mut names = BTreeSet::new();
        fields(&header, &mut names);
        lines.for_each(|line| fields(&line, &mut names));
        names.remove("crc32");
        let common = &documented["First lines"];
        for name in &names {
            let is_known = section.contains(name) || common.contains(name);
            let of_match = documented["games of a match"].contains(name);
            let of_gauge = documented["games of a gauge"].contains(name);
            assert!(
                is_known || of_match || of_gauge,
                "`{name}` of {journal} is not in docs/files.md"
            );
        }
        // What is said to be always there is there.
        let text = std::fs::read_to_string(
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/files.md"),
        );
        let text = text.unwrap();
        let own = text.split(&format!("\n### {}\n", header["holds"].as_str().unwrap())).nth(1);
        let own = own.unwrap().split("\n##").next().unwrap();
        for bullet in own.split("\n- ").skip(1).filter(|bullet| !bullet.contains(": where")) {
            let (fields, _) = bullet.split_once(": ").unwrap();
            for name in fields.split('`').skip(1).step_by(2) {
                assert!(names.contains(name), "{journal} has no `{name}`");
            }
        }
    }
}
