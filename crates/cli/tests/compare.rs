//! Comparing variants of a game.

use std::fs;

use crate::common::{json, refused, stdout};

const SMALL: [&str; 8] = [
    "compare",
    "connect_four(cols=4..5,rows=4)",
    "connect_four(cols=4,rows=4,k=5)",
    "--games",
    "8",
    "--iterations",
    "120",
    "--skill-games=0",
];

#[test]
fn the_report_has_every_game_and_every_difference_from_the_first() {
    let report = json(&[&SMALL[..], &["--json"]].concat());
    assert_eq!((&report["schema"], &report["kind"]), (&1.into(), &"compare".into()));
    let games = report["games"].as_array().unwrap();
    let names: Vec<&str> = games.iter().map(|game| game["game"].as_str().unwrap()).collect();
    let expected = [
        "connect_four(cols=4,rows=4)",
        "connect_four(cols=5,rows=4)",
        "connect_four(cols=4,rows=4,k=5)",
    ];
    assert_eq!(names, expected);
    let differences = report["differences"].as_array().unwrap();
    for (b, measure) in [(1, "plies"), (2, "draw_rate"), (1, "first_player")] {
        let found = differences.iter().find(|d| d["measure"] == measure && d["b"] == names[b]);
        let found = found.expect("every measure is compared");
        assert_eq!(found["a"], names[0]);
        let mean = |n: usize| games[n][measure]["mean"].as_f64().unwrap();
        assert_eq!(found["difference"]["mean"].as_f64().unwrap(), mean(b) - mean(0));
        let end = |end: &str| found["difference"][end].as_f64().unwrap();
        assert!(end("low") <= mean(b) - mean(0) && mean(b) - mean(0) <= end("high"), "{found}");
        assert!(found["real"].is_boolean());
    }
    // A gauge alone has the same numbers.
    let gauge = ["gauge", expected[1], "--games", "8", "--iterations", "120", "--skill-games=0"];
    let alone = json(&[&gauge[..], &["--json"]].concat());
    assert_eq!(alone["plies"], games[1]["plies"]);
    assert_eq!(alone["ladder"], games[1]["ladder"]);
}

#[test]
fn the_text_and_the_page_read_back_and_the_threads_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let text = stdout(&[&SMALL[..], &["--threads", "1"]].concat());
    assert!(text.contains("instead of connect_four(cols=4,rows=4)"), "{text}");
    assert!(!text.contains("NaN") && !text.contains("INCOMPLETE"), "{text}");
    fs::write(path("saved.json"), stdout(&[&SMALL[..], &["--threads", "3", "--json"]].concat()))
        .unwrap();
    assert_eq!(stdout(&["report", &path("saved.json")]), text);
    let page = stdout(&["report", &path("saved.json"), "--html", "-"]);
    assert!(page.contains("What the changes do") && page.matches("<svg").count() >= 9);
}

#[test]
fn records_are_kept_and_used() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records").to_str().unwrap().to_owned();
    let recorded = [&SMALL[..], &["--record", &records]].concat();
    let text = stdout(&recorded);
    let mut files: Vec<String> = fs::read_dir(&records)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    assert_eq!(files.len(), 3, "{files:?}");
    // As a kill leaves it: one record is cut, another is missing.
    let first = format!("{records}/{}", files[0]);
    let lines = fs::read_to_string(&first).unwrap();
    let kept: Vec<&str> = lines.lines().take(9).collect();
    fs::write(&first, kept.join("\n") + "\n").unwrap();
    fs::remove_file(format!("{records}/{}", files[1])).unwrap();
    assert_eq!(stdout(&recorded), text);
    let again = fs::read_to_string(&first).unwrap();
    assert!(again == lines, "the same games are in the same order");
}

#[test]
fn bad_games_are_refused() {
    refused(&["compare", "achi"], 2, &["2 to 20 different games"]);
    refused(&["compare", "achi", "achy"], 2, &["did you mean `achi`?"]);
    refused(&["compare", "connect_four(cols=7..5)"], 2, &["a range goes up"]);
    refused(
        &["compare", "connect_four(cols=a..b)"],
        2,
        &["a range of whole numbers like cols=5..9"],
    );
}

#[test]
fn lengths_of_games_have_one_scale_on_the_page() {
    let compare = ["compare", "tic_tac_toe(k=2)", "connect_four(cols=5,rows=4)", "--games", "2"];
    let page = stdout(&[&compare[..], &["--iterations", "30", "--html", "-"]].concat());
    let charts: Vec<&str> = page.split("Median length in plies</text>").skip(1).collect();
    assert_eq!(charts.len(), 2);
    let labels = charts.iter().map(|chart| {
        let chart = chart.split("</svg>").next().unwrap();
        let marks = chart.split("text-anchor=\"end\">").skip(1);
        marks.map(|mark| mark.split('<').next().unwrap().parse().unwrap()).collect::<Vec<u32>>()
    });
    let labels: Vec<Vec<u32>> = labels.collect();
    assert_eq!(labels[0], labels[1]);
    assert!(labels[0].len() > 2 && labels[0][0] == 0, "{labels:?}");
}
