//! The same seed gives the same bytes, for any number of threads.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::{answer, json, solved, stdout, unsigned_page};

const GAMES: [&str; 3] =
    ["tic_tac_toe", "connect_four(cols=5,rows=4)", "dots_and_boxes(rows=2,cols=2)"];

/// What `gauge` prints and writes with this number of threads: text, JSON and the page.
fn gauged(folder: &Path, game: &str, threads: &str) -> [String; 3] {
    let few = ["gauge", game, "--games", "5", "--iterations", "60", "--model", "none"];
    let arguments = [&few[..], &["--seed", "3", "--threads", threads]].concat();
    let page = folder.join(format!("{threads}.html"));
    let page = page.to_str().expect("the path is text");
    let text = stdout(&[&arguments[..], &["--html", page]].concat());
    let json = answer(&[&arguments[..], &["--json"]].concat()).to_string();
    [text, json, unsigned_page(page)]
}

#[test]
fn gauge_does_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    for game in GAMES {
        let one = gauged(folder.path(), game, "1");
        for threads in ["2", "4"] {
            let more = gauged(folder.path(), game, threads);
            for (n, what) in ["text", "JSON", "page"].into_iter().enumerate() {
                assert!(one[n] == more[n], "the {what} of {game} differs on {threads} threads");
            }
        }
    }
}

#[test]
fn gauge_differs_with_the_seed() {
    let report = |seed: &str| {
        json(&[
            "gauge",
            "connect_four",
            "--games",
            "2",
            "--iterations",
            "30",
            "--seed",
            seed,
            "--json",
        ])
    };
    // The seed itself is in the report, so the trees are compared.
    assert_ne!(report("1")["tree"], report("2")["tree"]);
    // From 2^53 on a number of JSON would be rounded by most who read it.
    assert_eq!(report("18446744073709551615")["seed"], u64::MAX.to_string());
}

/// What `search` prints and writes: JSON, SVG, DOT and the whole tree.
fn searched(folder: &Path, seed: &str) -> [String; 4] {
    let [svg, dot, tree] =
        ["svg", "dot", "json"].map(|kind| folder.join(kind).to_str().unwrap().to_owned());
    let json = stdout(&[
        "search",
        "othello(size=6)",
        "--iterations",
        "800",
        "--seed",
        seed,
        "--json",
        "--svg",
        &svg,
        "--dot",
        &dot,
        "--tree-json",
        &tree,
    ]);
    [
        json,
        fs::read_to_string(svg).unwrap(),
        fs::read_to_string(dot).unwrap(),
        fs::read_to_string(tree).unwrap(),
    ]
}

#[test]
fn search_is_the_same_twice_and_differs_with_the_seed() {
    let folder = tempfile::tempdir().unwrap();
    let one = searched(folder.path(), "5");
    assert_eq!(one, searched(folder.path(), "5"));
    let other = searched(folder.path(), "6");
    for n in 0..4 {
        assert_ne!(one[n], other[n]);
    }
    // Apart from the seed, which the JSON names, the search itself is another one.
    let moves = |text: &str| serde_json::from_str::<Value>(text).unwrap()["moves"].clone();
    assert_ne!(moves(&one[0]), moves(&other[0]));
}

#[test]
fn the_exported_tree_is_the_tree_of_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let [report, svg, dot, tree] = searched(folder.path(), "5");
    let report: Value = serde_json::from_str(&report).unwrap();
    let tree: Value = serde_json::from_str(&tree).unwrap();
    let nodes = tree["nodes"].as_array().unwrap();
    assert_eq!(nodes.len() as u64, report["nodes"].as_u64().unwrap());
    assert_eq!(nodes[0]["visits"], report["iterations"]);
    for row in report["moves"].as_array().unwrap() {
        let found = nodes.iter().find(|node| node["parent"] == 0 && node["move"] == row["move"]);
        assert_eq!(found.expect("each tried move has a node")["visits"], row["visits"]);
    }
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>\n<!-- treegauge -->"));
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'));
}

/// What `solve` prints and writes, except for times and sizes of memory.
fn solved_on(folder: &Path, game: &str, threads: &str, symmetry: &[&str]) -> (Value, Vec<u8>) {
    let file = folder.join(threads);
    let path = file.to_str().unwrap();
    let arguments = ["solve", game, "--json", "--threads", threads, "-o", path, "--force"];
    let mut report = json(&[&arguments[..], symmetry].concat());
    let fields = report.as_object_mut().unwrap();
    assert!(fields.remove("peak_memory_bytes").is_some() && fields.remove("cpu_s").is_some());
    (report, fs::read(file).unwrap())
}

#[test]
fn a_solved_game_does_not_depend_on_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["connect_four(cols=4,rows=4)", "achi"] {
        for symmetry in [&[][..], &["--symmetry"]] {
            let one = solved_on(folder.path(), game, "1", symmetry);
            for threads in ["2", "4"] {
                let more = solved_on(folder.path(), game, threads, symmetry);
                assert!(more == one, "{game} {symmetry:?} differs on {threads} threads");
            }
        }
    }
}

#[test]
fn puzzles_do_not_depend_on_the_threads_nor_on_the_source_of_the_solution() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("sheet.html");
    let sheet = sheet.to_str().unwrap();
    let printed = |arguments: &[&str]| {
        let arguments = [&["puzzles"], arguments, &["--top", "2", "--html", sheet]].concat();
        let text = stdout(&arguments);
        let json = answer(&[&arguments[..], &["--json"]].concat()).to_string();
        [text, json, unsigned_page(sheet)]
    };
    let one = printed(&["achi", "--threads", "1"]);
    assert!(printed(&["achi", "--threads", "4"]) == one, "the threads show");
    let file = solved(folder.path(), "file", &["achi"]);
    assert!(printed(&[&file]) == one, "the file shows");
    // Positions that are not stored are counted otherwise, but the puzzles are the same.
    let file = solved(folder.path(), "file", &["achi", "--symmetry"]);
    let puzzles = |json: &str| serde_json::from_str::<Value>(json).unwrap()["puzzles"].clone();
    for reduced in [printed(&["achi", "--symmetry"]), printed(&[&file])] {
        assert_eq!(puzzles(&reduced[1]), puzzles(&one[1]));
    }
}
