//! Search trees.

use serde_json::{Value, json};

use crate::bench::Bench;

#[test]
fn a_tree_grows_in_steps_to_that_of_the_command_line() {
    let bench = Bench::new(&[]);
    let search = |iterations: u32| {
        let player = format!("uct(iterations={iterations},solver=true)");
        json!({"game": "connect_four", "moves": "d", "player": player, "seed": 3})
    };
    for iterations in [100, 1_000, 3_000] {
        let grown = bench.post("/api/search", &search(iterations)).json();
        assert_eq!(grown["iterations"], iterations);
        assert_eq!(grown["stopped"], "iterations");
    }
    let path = "/games/connect_four/tree.json?moves=d&iterations=3000&seed=3&solver=true";
    let report = bench.get(path).json();
    let children = bench.post("/api/children", &search(3_000)).json();
    let rows = children["rows"].as_array().unwrap();
    assert_eq!(children["count"], 7);
    for row in report["moves"].as_array().unwrap() {
        let is_row = |child: &&Value| child["node"]["path"] == json!([row["move"]]);
        let child = &rows.iter().find(is_row).unwrap()["node"];
        assert_eq!(
            (&child["visits"], &child["value"]),
            (&row["visits"], &row["mean_score"]),
            "{row}"
        );
    }
    let visits: Vec<u64> = rows.iter().map(|row| row["node"]["visits"].as_u64().unwrap()).collect();
    assert!(visits.is_sorted_by(|a, b| a >= b), "{visits:?}");
}

#[test]
fn the_page_of_a_tree_shows_its_command_and_the_way_to_a_node() {
    let bench = Bench::new(&[]);
    let address = "/games/connect_four/tree?iterations=2000&seed=2&now=yes&node=a+b";
    let page = bench.get(address).text();
    let shown = bench.shown_command(&page);
    let printed: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let data = bench.get("/games/connect_four/tree.json?iterations=2000&seed=2").json();
    assert_eq!(data, printed);
    assert!(page.contains("data-path=\"a b\" aria-level=\"2\""), "{page}");
    assert!(page.matches("role=\"treeitem\"").count() < 200);
    assert!(page.matches("<rect class=\"v").count() <= 1_500);
    for words in ["expected", "legal_moves", "legal moves at the root", "data-node=\"a b\""] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn folded_children_open_fifty_at_a_time() {
    let bench = Bench::new(&[]);
    // Most of the 361 moves have few visits.
    let search = |path: &str, from: u32| json!({"game": "mnk(rows=19,cols=19,k=5)", "player": "uct(iterations=2000)", "path": path, "from": from});
    let mut from = 0;
    let mut seen = 0;
    loop {
        let rows = bench.post("/api/children", &search("", from)).json();
        let rows = rows["rows"].as_array().unwrap().clone();
        let nodes = rows.iter().filter(|row| row.get("node").is_some()).count();
        assert!(nodes > 0 && nodes <= 50, "{nodes}");
        seen += nodes;
        let Some(folded) = rows.last().and_then(|row| row.get("folded")) else { break };
        from = folded["from"].as_u64().unwrap() as u32;
        assert_eq!(seen as u64 + folded["count"].as_u64().unwrap(), 361);
    }
    assert_eq!(seen, 361);
}

#[test]
fn a_tree_leaves_in_every_form() {
    let bench = Bench::new(&[]);
    let get = |file: &str| {
        let answer = bench.get(&format!("/games/tic_tac_toe/tree/{file}?iterations=300"));
        assert_eq!(answer.status, 200, "{file}: {}", answer.text());
        answer
    };
    assert!(get("main.svg").text().starts_with("<svg"));
    assert!(get("main.dot").text().starts_with("digraph"));
    assert!(get("main.json").json()["nodes"].as_array().unwrap().len() > 10);
    let whole = get("whole.json").json();
    assert!(whole.is_object(), "{whole}");
    let large = bench.get("/games/othello/tree/whole.json?iterations=100000");
    assert_eq!(large.status, 413);
    assert!(large.text().contains("--tree-json"), "{}", large.text());
}
