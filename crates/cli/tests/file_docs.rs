//! `docs/files.md` describes the journals that runs write.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::common::{Fields, Room, testdata};
use crate::generate::FEW;

fn text() -> String {
    std::fs::read_to_string(testdata("../docs/files.md")).unwrap()
}

/// The names that each section of the document has as code.
fn documented() -> BTreeMap<String, BTreeSet<String>> {
    let section = |part: &str| {
        let (title, text) = part.split_once('\n').unwrap();
        let code = text.split('`').skip(1).step_by(2).map(str::to_owned).collect();
        (title.trim().to_owned(), code)
    };
    text().split("\n### ").skip(1).map(section).collect()
}

/// The names of the fields of a value, but those that are names of games, features or measures.
fn fields(value: &Value, names: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                names.insert(name.clone());
                let is_named =
                    matches!(name.as_str(), "features" | "variances" | "measures" | "instances");
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
    let room = Room::new();
    let from = testdata("rules/tic_tac_toe.rules");
    let players = "achi random 'uct(iterations=9)' --games 4 --record";
    for run in [
        format!("match {players} match.jsonl"),
        format!("tournament {players} tournament.jsonl"),
        "gauge achi --ladder 2 --iterations 9 --games 4 --record gauge.jsonl".to_owned(),
        "corridor --lengths 1,2 --iterations 9 --searches 2 --record corridor.jsonl".to_owned(),
        "collect --games achi --iterations 9 --instances 2 --players random --shard 1/2 -o data"
            .to_owned(),
        format!("generate --from {from} -o run --games 8 {FEW}"),
    ] {
        room.stdout(run);
    }
    let (text, documented) = (text(), documented());
    let is_journal = |name: &String| name.ends_with(".jsonl");
    for journal in room.names(".").into_iter().filter(is_journal) {
        let lines = room.text(&journal);
        let mut lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let header = lines.next().unwrap();
        let holds = header.word("/holds");
        let mut names = BTreeSet::new();
        fields(&header, &mut names);
        lines.for_each(|line| fields(&line, &mut names));
        names.remove("crc32");
        let sections = [holds, "First lines", "games of a match", "games of a gauge"];
        for name in &names {
            let is_known = sections.iter().any(|section| documented[*section].contains(name));
            assert!(is_known, "`{name}` of {journal} is not in docs/files.md");
        }
        // What is said to be always there is there.
        let own = text.split(&format!("\n### {holds}\n")).nth(1);
        let own = own.unwrap().split("\n##").next().unwrap();
        for bullet in own.split("\n- ").skip(1).filter(|bullet| !bullet.contains(": where")) {
            let (fields, _) = bullet.split_once(": ").unwrap();
            for name in fields.split('`').skip(1).step_by(2) {
                assert!(names.contains(name), "{journal} has no `{name}`");
            }
        }
    }
}
