//! Pages: the same at the same address, complete, and escaped.

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};

use crate::bench::Bench;

/// The part of a page that people read.
fn main_of(page: &str) -> String {
    let (_, main) = page.split_once("<main").unwrap_or_else(|| panic!("{page}"));
    main.split("</main>").next().unwrap().to_owned()
}

#[test]
fn a_page_is_the_same_after_a_restart() {
    let bench = Bench::new(&[]);
    let id = bench
        .start(&json!({"command": "gauge", "game": "tic_tac_toe", "games": 4, "iterations": 40}));
    bench.wait(&id, "done");
    bench.upload("a.txt", "text");
    bench.upload("a.rules", &treegauge::template("achi").unwrap());
    let paths = [
        format!("/runs/{id}"),
        "/games/mnk(rows=4,cols=4,k=3)".to_owned(),
        "/new/match?game=achi&games=20".to_owned(),
        "/runs?command=gauge".to_owned(),
        "/texts".to_owned(),
        "/texts/a.rules".to_owned(),
        "/files?folder=runs".to_owned(),
        "/".to_owned(),
    ];
    let before: Vec<String> = paths.iter().map(|path| main_of(&bench.get(path).text())).collect();
    let bench = bench.again(&[]);
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(main_of(&bench.get(path).text()), before, "{path}");
    }
}

#[test]
fn a_workspace_with_many_runs_is_listed_in_pages() {
    let bench = Bench::new(&[]);
    let id = bench.start(&json!({"command": "perft", "game": "tic_tac_toe", "depth": 1}));
    bench.wait(&id, "done");
    let runs = bench.workspace().join("runs");
    for n in 2..=500 {
        let copy = runs.join(format!("2026-11-27-{n}-perft-tic_tac_toe"));
        fs::create_dir(&copy).unwrap();
        for name in ["run.json", "end.json", "report.json"] {
            fs::copy(runs.join(&id).join(name), copy.join(name)).unwrap();
        }
    }
    let bench = bench.again(&[]);
    let rows = |path: &str| bench.get(path).text().matches("<tr data-run=").count();
    assert_eq!(
        (rows("/runs"), rows("/runs?page=10"), rows("/runs?page=11"), rows("/")),
        (50, 50, 0, 10)
    );
    assert_eq!(bench.get("/runs.json").json()["runs"].as_array().unwrap().len(), 500);
    assert_eq!(rows("/runs?text=2026-11-27-77-"), 1);
    assert!(bench.get("/").body.len() < 60_000);
}

/// Short tasks of every kind of report with a page.
fn reports() -> Vec<Value> {
    let small = json!({"command": "gauge", "game": "connect_four", "games": 4, "iterations": 40});
    let generated = json!({"command": "generate", "from": ["tic_tac_toe"], "games": 12, "seed": 1, "best": 2,
        "generation": 6, "iterations": 20, "gauge_games": 4, "glance_games": 2, "glance_iterations": 10,
        "model": "none"});
    vec![
        small,
        json!({"command": "compare", "names": ["achi", "tic_tac_toe"], "games": 4, "iterations": 20}),
        json!({"command": "match", "game": "achi", "a": "uct(iterations=20)", "b": "random", "games": 10}),
        json!({"command": "tournament", "game": "achi", "players": ["uct(iterations=20)", "uct(iterations=5)", "random"],
            "games": 4}),
        json!({"command": "vet", "games": ["one_to_ten"], "seed": 1}),
        json!({"command": "solve", "game": "achi"}),
        json!({"command": "interest", "source": "achi"}),
        json!({"command": "puzzles", "source": "achi"}),
        generated,
    ]
}

#[test]
fn a_report_leaves_in_every_form() {
    let bench = Bench::new(&[]);
    let mut charts = 0;
    for task in reports() {
        let id = bench.start(&task);
        bench.wait(&id, "done");
        charts += leaves_in_every_form(&bench, &id, &task);
    }
    assert!(charts >= 8, "{charts}");
}

/// Checks the files of a report, and returns the number of its charts.
fn leaves_in_every_form(bench: &Bench, id: &str, task: &Value) -> usize {
    let data = bench.get(&format!("/runs/{id}.json"));
    assert!(data.json()["schema"].is_u64(), "{task}");
    let page = bench.get(&format!("/runs/{id}.html")).text();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("default-src 'none'"));
    // References within the page are fine.
    let page = page.replace("url(#", "");
    for outside in ["src=\"http", "href=\"http", "@import", "url(", "<script", "<link"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(bench.get(&format!("/runs/{id}.txt")).text().len() > 100, "{task}");
    let shown = bench.get(&format!("/runs/{id}")).text();
    let links = |kind: &str| -> Vec<String> {
        let begin = format!("href=\"/runs/{id}/{kind}/");
        shown.split(&begin).skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let (tables, charts) = (links("tables"), links("charts"));
    // A sheet of puzzles has boards, and its data are JSON.
    let is_sheet = task["command"] == "puzzles";
    assert!(is_sheet || !tables.is_empty() || !charts.is_empty(), "{task}");
    let count = charts.len();
    for name in tables {
        let table = bench.get(&format!("/runs/{id}/tables/{name}"));
        let mut reader = csv::Reader::from_reader(&*table.body);
        assert!(!reader.headers().unwrap().is_empty(), "{name}");
        assert!(reader.records().all(|record| record.is_ok()), "{name}");
    }
    for name in charts {
        let chart = bench.get(&format!("/runs/{id}/charts/{name}")).text();
        assert!(
            chart.trim_start().starts_with("<svg") && chart.trim_end().ends_with("</svg>"),
            "{name}: {chart}"
        );
        assert!(chart.contains("xmlns=\"http://www.w3.org/2000/svg\""), "{name}");
    }
    assert_eq!(bench.get(&format!("/runs/{id}/tables/nothing.csv")).status, 404);
    assert!(is_sheet || shown.contains("id=\"verdict\" data-verdict="), "{task}");
    let log = bench.get(&format!("/runs/{id}/log")).text();
    assert!(
        log.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()),
        "{log}"
    );
    count
}

#[test]
fn titles_notes_and_file_names_are_text() {
    let bench = Bench::new(&[]);
    let evil = "<script>alert(1)</script><img src=x onerror=\"alert(2)\">";
    fs::write(bench.workspace().join("<img src=x onerror=alert(1)>.txt"), "text").unwrap();
    let task = json!({"command": "perft", "game": "tic_tac_toe", "depth": 1});
    let started = bench.post("/api/runs", &json!({"task": task, "title": evil})).json();
    let id = started["id"].as_str().unwrap();
    bench.wait(id, "done");
    let edited = bench
        .post(&format!("/api/runs/{id}/edit"), &json!({"title": format!("{evil}!"), "note": evil}));
    assert_eq!(edited.status, 200);
    let failed = bench.start(&json!({"command": "gauge", "game": evil}));
    bench.wait(&failed, "failed");
    for path in [
        "/",
        "/runs",
        &format!("/runs/{id}"),
        &format!("/runs/{failed}"),
        "/files",
        "/new/gauge?game=%3Cscript%3E",
    ] {
        let page = bench.get(path).text();
        assert!(!page.contains("<script>") && !page.contains("<img"), "{path}: {page}");
    }
    assert!(bench.get(&format!("/runs/{id}")).text().contains("alert(1)&lt;/script&gt;"));
    let again = bench.again(&[]);
    assert!(again.run(id)["title"].as_str().unwrap().ends_with('!'), "the title is kept");
}

#[test]
fn the_report_of_the_work_until_now_is_shown() {
    let bench = Bench::new(&[]);
    let id = bench.start(&json!({"command": "gauge", "game": "othello", "games": 400, "iterations": 200, "solve_limit": 0}));
    let partial = bench.workspace().join("runs").join(&id).join("partial.json");
    crate::bench::wait_for(|| partial.exists().then_some(()), || "there is a report".to_owned());
    let page = bench.get(&format!("/runs/{id}?part=run")).text();
    assert!(
        page.contains("The report of the work until now")
            && page.contains("<section class=\"report\""),
        "{page}"
    );
    assert_eq!(bench.post(&format!("/api/runs/{id}/stop"), &json!({})).status, 200);
    bench.wait(&id, "stopped");
    assert!(bench.get(&format!("/runs/{id}")).text().contains("The report of the work until now"));
    // A moment later nothing of the run works any more.
    std::thread::sleep(Duration::from_millis(1));
    assert!(bench.children().iter().all(|(_, words)| !words.contains(" gauge ")));
}

#[test]
fn the_page_of_a_published_game_says_where_it_comes_from() {
    let bench = Bench::new(&[]);
    let page = bench.get("/games/hex(size=5)").text();
    assert!(page.contains("Published game: Hex (1942, by Piet Hein, John Nash)."), "{page}");
    assert!(page.contains("Source of the rules: Martin Gardner"), "{page}");
    // The sides to connect have the colours of the players.
    assert!(page.contains("first-side") && page.contains("second-side"));
    assert!(bench.get("/games/achi").text().contains("Published game: Achi (traditional, Ghana)."));
    assert!(!bench.get("/games/mnk").text().contains("Published game"));
}
