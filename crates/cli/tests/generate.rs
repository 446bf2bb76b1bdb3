//! Games that are made: killed, continued, merged, made again and reported.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{DATA, USAGE, answer, json, kill_until_it_ends, refused, stdout};

/// The path of a text of the corpus.
pub(crate) fn corpus(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rules");
    folder.join(format!("{name}.rules")).to_str().unwrap().to_owned()
}

/// Few candidates, weak players and no model: a run of seconds.
pub(crate) const FEW: [&str; 16] = [
    "--generation",
    "4",
    "--best",
    "2",
    "--control",
    "0.1",
    "--iterations",
    "40",
    "--gauge-games",
    "4",
    "--model",
    "none",
    "--glance-iterations",
    "10",
    "--glance-games",
    "6",
];

struct Run {
    from: [String; 2],
    folder: String,
}

impl Run {
    fn new(root: &tempfile::TempDir, name: &str) -> Run {
        let folder = root.path().join(name).to_str().unwrap().to_owned();
        Run { from: ["tic_tac_toe", "wild_tic_tac_toe"].map(corpus), folder }
    }

    fn arguments<'a>(&'a self, more: &[&'a str]) -> Vec<&'a str> {
        let [one, other] = &self.from;
        let own = ["generate", "--from", one, "--from", other, "-o", &self.folder];
        let games: &[&str] = if more.contains(&"--games") { &[] } else { &["--games", "12"] };
        [&own[..], &FEW, games, more].concat()
    }

    /// The journal, the report and the texts.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let root = Path::new(&self.folder);
        let mut files = Vec::new();
        for folder in [root.to_owned(), root.join("best"), root.join("parents")] {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
                files.push((name, fs::read(&path).unwrap()));
            }
        }
        files.sort();
        files
    }
}

#[test]
fn a_run_has_the_same_bytes_for_any_threads_and_can_be_looked_at() {
    let root = tempfile::tempdir().unwrap();
    let (one, two) = (Run::new(&root, "one"), Run::new(&root, "two"));
    let report = json(&one.arguments(&["--threads", "1", "--json"]));
    let page = root.path().join("page.html").to_str().unwrap().to_owned();
    let text = stdout(&two.arguments(&["--threads", "3", "--html", &page]));
    assert_eq!(one.files(), two.files());
    // The same command again plays nothing and changes nothing.
    assert_eq!(json(&one.arguments(&["--json"])), report);
    assert_eq!(one.files(), two.files());

    assert_eq!(report["kind"], "generation");
    let best = report["best"].as_array().unwrap();
    assert!(!best.is_empty(), "twelve changes of Tic-Tac-Toe leave one game: {text}");
    let game = format!("{}/best/{}.rules", two.folder, best[0]["game"].as_str().unwrap());
    assert_eq!(fs::read_to_string(&game).unwrap(), best[0]["source"].as_str().unwrap());
    // What the report says to do next can be done.
    let next: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("  treegauge ")).collect();
    assert_eq!(next.len(), 4, "{text}");
    assert!(next[0].starts_with("show ") && next[3].starts_with("compare "), "{text}");
    for name in next[3].split(' ').skip(1).chain(next[0].split(' ').skip(1)) {
        assert!(stdout(&["show", name]).contains('1'), "{name}");
    }
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<svg") && html.contains("Where it comes from"), "boards and lineage");
    let saved = format!("{}/report.json", two.folder);
    assert!(text.starts_with(&stdout(&["report", &saved])), "a saved report reads back");
    let again = stdout(&["report", &saved, "--html", "-"]);
    assert!(again.contains("the start") && again.contains("<svg"), "with its boards");
}

#[test]
fn a_run_begins_with_built_in_games_where_no_text_is_given() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("run").to_str().unwrap().to_owned();
    let own = ["generate", "-o", &folder, "--games", "2", "--json"];
    let report = json(&[&own[..], &FEW].concat());
    let starts = report["starts"].as_array().unwrap();
    assert!(starts.len() > 1, "{report}");
    for start in starts {
        let list = stdout(&["new", "--list"]);
        assert!(list.contains(start["name"].as_str().unwrap()), "{start}");
    }
}

#[test]
fn a_killed_run_continues_to_the_same_bytes() {
    let root = tempfile::tempdir().unwrap();
    let (whole, killed) = (Run::new(&root, "whole"), Run::new(&root, "killed"));
    stdout(&whole.arguments(&[]));
    let journal = Path::new(&killed.folder).join("candidates.jsonl");
    let grown = || fs::metadata(&journal).map_or(0, |there| there.len());
    kill_until_it_ends(&killed.arguments(&[]), grown);
    assert_eq!(whole.files(), killed.files());
}

#[test]
fn a_candidate_is_made_again_and_parts_are_merged() {
    let root = tempfile::tempdir().unwrap();
    let parts = [1, 2].map(|part| {
        let run = Run::new(&root, &format!("part{part}"));
        let shard = format!("{part}/2");
        stdout(&run.arguments(&["--shard", &shard]));
        run
    });
    let whole = root.path().join("whole").to_str().unwrap().to_owned();
    let [one, two] = [0, 1].map(|n| parts[n].folder.clone());
    let report = answer(&["merge", &one, &two, "-o", &whole, "--json"]);
    assert_eq!(report["parts"], 2);
    let candidates = |report: &Value| {
        let controls = report["controls"].as_array().unwrap().iter();
        let controls: u64 = controls.map(|one| one["candidates"].as_u64().unwrap()).sum();
        controls + report["gates"][0]["entered"].as_u64().unwrap()
    };
    assert_eq!(candidates(&report), 12);
    assert_eq!(answer(&["merge", &two, &one, "-o", &whole, "--json"]), report, "in any order");

    let lines = fs::read_to_string(Path::new(&whole).join("candidates.jsonl")).unwrap();
    let made = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let number: u32 = line["game"].as_str()?.parse().ok()?;
        Some((number, line["made"]["source"].as_str()?.to_owned()))
    };
    let mut again = 0;
    for (number, source) in lines.lines().filter_map(made) {
        assert_eq!(stdout(&["generate", "--again", &whole, &number.to_string()]), source);
        again += 1;
    }
    assert!(again > 6, "{again} of 12 candidates have a text");
    refused(&["merge", &one, "-o", &whole], DATA, &["part 2 of 2 is absent"]);
    refused(&["merge", &one, &two], USAGE, &["--output"]);
    refused(&["merge", &one, &two, "-o", &whole, "--games", "3"], USAGE, &["--games"]);
    refused(&["generate", "--again", &one, "12"], USAGE, &["no candidate 12", "0 to 11"]);
    refused(&["generate", "--again", &one, "x"], USAGE, &["--again", "whole number"]);
    refused(&["generate", "--again", &one, "1", "--seed", "2"], USAGE, &["--seed", "--again"]);
}

#[test]
fn wrong_input_is_refused_before_anything_is_made() {
    let root = tempfile::tempdir().unwrap();
    let run = Run::new(&root, "run");
    let file = root.path().join("bad.rules").to_str().unwrap().to_owned();
    let dir = root.path().join("none").to_str().unwrap().to_owned();
    let from = |text| ["generate", "--from", text, "-o", &dir];
    fs::write(&file, "(game \"x\"").unwrap();
    refused(&from(&file), DATA, &["bad.rules", "`(game` is not closed"]);
    refused(&from("missing.rules"), DATA, &["missing.rules"]);
    refused(&from("alak"), USAGE, &["`alak` has no text"]);
    // The text of a built-in game is the same game as the game.
    let achi = corpus("achi");
    refused(&[&from(&achi)[..], &["--from", "achi"]].concat(), USAGE, &["are the same game"]);
    refused(&from("conect_four"), USAGE, &["`connect_four`"]);
    let hex = corpus("hex");
    refused(&["generate", "--from", &hex, "--from", &hex, "-o", &dir], USAGE, &["given twice"]);
    refused(&["generate", "--from", &hex], USAGE, &["--output"]);
    for (option, value, says) in [
        ("--shard", "3/2", "I from 1 to N"),
        ("--control", "2", "from 0 to 1"),
        ("--axes", "plies", "plies,branching"),
        ("--axes", "plies,wit", "\"wit\""),
        ("--axes", "plies,plies", "the same"),
        ("--games", "0", "1 to 1000000"),
    ] {
        refused(&[&from(&hex)[..], &[option, value]].concat(), USAGE, &[option, says]);
    }
    refused(&[&from(&hex)[..], &["--glance-games", "3"]].concat(), USAGE, &["--glance-games"]);
    assert!(!Path::new(&dir).exists(), "nothing was written");
    refused(&["generate", "--again", root.path().to_str().unwrap(), "1"], DATA, &["`generate`"]);

    stdout(&run.arguments(&["--games", "1"]));
    let before = run.files();
    refused(&run.arguments(&["--games", "1", "--seed", "2"]), DATA, &["another run", "`seed`"]);
    assert_eq!(run.files(), before);
    // A file that is none of a run is not replaced.
    let report = Path::new(&run.folder).join("report.json");
    fs::write(&report, "my notes").unwrap();
    refused(&run.arguments(&["--games", "1"]), DATA, &["report.json", "--force"]);
    assert_eq!(fs::read(&report).unwrap(), b"my notes");
}

#[test]
fn a_text_that_somebody_changed_is_not_replaced() {
    let root = tempfile::tempdir().unwrap();
    let run = Run::new(&root, "run");
    stdout(&run.arguments(&[]));
    let best =
        fs::read_dir(Path::new(&run.folder).join("best")).unwrap().next().unwrap().unwrap().path();
    let written = fs::read_to_string(&best).unwrap();
    fs::write(&best, format!("{written}; my notes\n")).unwrap();
    let files = run.files();
    let name = best.file_name().unwrap().to_str().unwrap();
    refused(&run.arguments(&[]), DATA, &[name, "--force"]);
    assert_eq!(run.files(), files, "nothing was done");
    stdout(&run.arguments(&["--force"]));
    assert_eq!(fs::read_to_string(&best).unwrap(), written);
    // A text of another's in the place of one of a run that has not begun.
    let other = Run::new(&root, "other");
    let mine = Path::new(&other.folder).join("best").join(name);
    fs::create_dir_all(mine.parent().unwrap()).unwrap();
    fs::write(&mine, &written).unwrap();
    refused(&other.arguments(&[]), DATA, &[name]);
}
