//! Games that are made: the same for any threads and parts, made again and reported.

use std::fs;

use serde_json::Value;

use crate::common::{DATA, Fields, Room, USAGE, stdout, testdata};

/// Few candidates, weak players and no model: a run of seconds.
pub(crate) const FEW: &str = "--generation 4 --best 2 --control 0.1 --iterations 40 --gauge-games 4 --model none \
                              --glance-iterations 10 --glance-games 6";

/// A run from two texts, into the folder that follows.
pub(crate) fn generate(rest: &str) -> String {
    let [one, other] =
        ["tic_tac_toe", "wild_tic_tac_toe"].map(|name| testdata(&format!("rules/{name}.rules")));
    let games = if rest.contains("--games") { "" } else { "--games 12" };
    format!("generate --from {one} --from {other} {FEW} {games} -o {rest}")
}

#[test]
fn a_run_has_the_same_bytes_for_any_threads_and_can_be_looked_at() {
    let room = Room::new();
    let report = room.json(generate("one --threads 1"));
    let text = room.stdout(generate("two --threads 3"));
    assert!(room.files("one") == room.files("two"));
    // The same command again plays nothing and changes nothing.
    assert_eq!(room.json(generate("one")), report);
    assert!(room.files("one") == room.files("two"));

    let best = report.list("/best");
    assert!(!best.is_empty(), "twelve changes of Tic-Tac-Toe leave one game: {text}");
    let game = format!("two/best/{}.rules", best[0].word("/game"));
    assert_eq!(room.text(&game), best[0].word("/source"));
    // What the report says to do next can be done.
    let next = text.split("Next: `treegauge ").nth(1).and_then(|next| next.split('`').next());
    assert!(room.stdout(next.expect(&text)).contains('1'), "{text}");
    let saved = room.stdout("report two/report.json");
    let report = text.split("\nNext:").next();
    assert_eq!(report, Some(saved.as_str()), "a saved report reads back");
    let page = room.page("report two/report.json");
    for part in ["the start", "<svg", "<h3>Origin</h3>"] {
        assert!(page.contains(part), "boards and lineage: {part}");
    }
}

#[test]
fn a_run_begins_with_built_in_games_where_no_text_is_given() {
    let report = Room::new().json(format!("generate -o run --games 2 {FEW}"));
    let starts = report.list("/starts");
    assert!(starts.len() > 1, "{report}");
    let list = stdout("new --list");
    assert!(starts.iter().all(|start| list.contains(start.word("/name"))), "{report}");
}

#[test]
fn candidates_that_cannot_be_measured_are_counted() {
    let room = Room::new();
    let few = "--best 1 --iterations 40 --gauge-games 4 --model none";
    let text = room.stdout(format!("generate -o run --games 3 --seed 3 {few}"));
    let report: Value = serde_json::from_str(&room.text("run/report.json")).unwrap();
    assert!(text.contains(" 1 candidate could not be measured."), "{text}");
    let unmeasured = report.list("/gates").iter().map(|gate| gate.whole("/unrated"));
    assert_eq!(unmeasured.sum::<u64>(), 1, "{report}");
}

#[test]
fn a_candidate_is_made_again_and_parts_are_merged() {
    let room = Room::new();
    for part in [1, 2] {
        room.stdout(generate(&format!("part{part} --shard {part}/2")));
    }
    let report = room.answer("merge part1 part2 -o whole");
    assert_eq!(report["parts"], 2);
    let controls = report.list("/controls").iter().map(|one| one.whole("/candidates"));
    assert_eq!(controls.sum::<u64>() + report.whole("/gates/0/entered"), 12);
    assert_eq!(room.answer("merge part2 part1 -o whole"), report, "in any order");

    let made = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let number: u32 = line["game"].as_str()?.parse().ok()?;
        Some((number, line["made"]["source"].as_str()?.to_owned()))
    };
    let mut again = 0;
    for (number, source) in room.text("whole/candidates.jsonl").lines().filter_map(made) {
        assert_eq!(room.stdout(format!("generate --again whole {number}")), source);
        again += 1;
    }
    assert!(again > 6, "{again} of 12 candidates have a text");
    room.refused("merge part1 -o whole", DATA, &["part 2 of 2 is absent"]);
    room.refused("merge part1 part2", USAGE, &["--output"]);
    room.refused("merge part1 part2 -o whole --games 3", USAGE, &["--games"]);
    room.refused("generate --again part1 12", USAGE, &["no candidate 12", "0 to 11"]);
    room.refused("generate --again part1 x", USAGE, &["--again", "whole number"]);
    room.refused("generate --again part1 1 --seed 2", USAGE, &["--seed", "--again"]);
}

#[test]
fn what_somebody_wrote_is_not_replaced() {
    let room = Room::new();
    room.stdout(generate("run"));
    let best = room.names("run/best").remove(0);
    let (path, written) = (format!("run/best/{best}"), room.text(&format!("run/best/{best}")));
    room.write(&path, format!("{written}; my notes\n"));
    let files = room.files("run");
    room.refused(generate("run"), DATA, &[&best, "--force"]);
    assert!(room.files("run") == files, "nothing was done");
    room.stdout(generate("run --force"));
    assert_eq!(room.text(&path), written);
    // A file that does not belong to a run.
    room.write("run/report.json", "my notes");
    room.refused(generate("run"), DATA, &["report.json", "--force"]);
    assert_eq!(room.text("run/report.json"), "my notes");
    // A text of another's in the place of one of a run that has not begun.
    fs::create_dir_all(room.at("other/best")).unwrap();
    room.write(&format!("other/best/{best}"), &written);
    room.refused(generate("other"), DATA, &[&best]);
}
