//! Studies: datasets, their tables, and what rests on them.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::json;

use crate::bench::{Bench, wait_for};

#[test]
fn a_dataset_names_what_is_missing_and_offers_its_tables() {
    let bench = Bench::new(&[]);
    let task =
        json!({"command": "collect", "games": "achi,othello", "iterations": 150, "instances": 40});
    let id = bench.start(&task);
    let journal = bench.workspace().join("runs").join(&id).join("result/instances.jsonl");
    let has_some = || {
        let text = fs::read_to_string(&journal).ok()?;
        (text.lines().count() > 10 || bench.run(&id)["state"] == "done").then_some(())
    };
    wait_for(has_some, || "some instances are played".to_owned());
    bench.post(&format!("/api/runs/{id}/pause"), &json!({}));
    wait_for(
        || matches!(bench.run(&id)["state"].as_str(), Some("paused" | "done")).then_some(()),
        || "the collection pauses".to_owned(),
    );
    let path = format!("/studies/runs/{id}/result");
    assert!(bench.get("/studies").text().contains(&format!("href=\"{path}\"")));
    if bench.run(&id)["state"] == "paused" {
        let page = bench.get(&path);
        assert_eq!(page.status, 200, "{}", page.text());
        let page = page.text();
        assert!(page.contains("id=\"missing\"") && page.contains("INCOMPLETE: "), "{page}");
        assert!(page.contains(" of othello"), "the games are named: {page}");
        assert!(page.contains("The tables are written when"), "{page}");
        assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
        bench.wait(&id, "done");
    }
    let page = bench.get(&path).text();
    assert!(!page.contains("id=\"missing\""), "{page}");
    let printed = String::from_utf8(bench.shown_command(&page).stdout).unwrap();
    assert_eq!(printed, bench.get(&format!("{path}.json")).text());
    for name in ["trees.csv", "trees.parquet", "instances.parquet", "schema.json"] {
        // The ending of JSON stands for the data of a page.
        let file = format!("/files/runs/{id}/result/{}", name.replace(".json", "%2Ejson"));
        assert!(page.contains(&format!("href=\"{file}\"")), "{name}");
        assert_eq!(bench.get(&file).status, 200, "{name}");
    }
    let code = format!("pd.read_parquet(&quot;runs/{id}/result/trees.parquet&quot;)");
    assert!(page.contains(&code), "{page}");
    assert!(bench.get(&format!("/runs/{id}")).text().contains(&format!("href=\"{path}\"")));

    let evaluated = bench
        .start(&json!({"command": "evaluate", "datasets": [format!("runs/{id}/result")],
        "permutations": 0}));
    wait_for(
        || (bench.run(&evaluated)["end"] != json!(null)).then_some(()),
        || "the evaluation ends".to_owned(),
    );
    let page = bench.get(&path).text();
    assert!(page.contains(&format!("data-run=\"{evaluated}\"")), "{page}");
    let list = bench.get("/studies").text();
    assert!(list.contains("Evaluations") && list.contains(&evaluated), "{list}");
    let data = bench.get("/studies.json").json();
    let expected = json!([{"path": format!("runs/{id}/result"), "is_complete": true}]);
    assert_eq!(data["datasets"], expected);
}

#[test]
fn what_is_not_a_dataset_of_the_workspace_is_not_found() {
    let bench = Bench::new(&[]);
    let outside = bench.home().join("outside");
    fs::create_dir(&outside).unwrap();
    bench.program(&["collect", "--games=achi", "--iterations=20", "--instances=1", "-o", "own"]);
    fs::rename(bench.workspace().join("own"), outside.join("own")).unwrap();
    symlink(outside.join("own"), bench.workspace().join("link")).unwrap();
    fs::create_dir(bench.workspace().join("empty")).unwrap();
    fs::create_dir(bench.workspace().join("damaged")).unwrap();
    fs::write(bench.workspace().join("damaged/instances.jsonl"), "{\"schema\":1").unwrap();
    for name in [
        "link",
        "empty",
        "damaged",
        "nothing",
        "..",
        "../outside/own",
        "a%2Fb",
        ".treegauge",
        "%00",
    ] {
        let answer = bench.get(&format!("/studies/{name}"));
        assert!(matches!(answer.status, 404 | 422), "{name}: {}", answer.status);
        let text = answer.text();
        assert!(!text.contains(&bench.home().display().to_string()), "{name}: {text}");
    }
    let list = bench.get("/studies").text();
    assert!(
        list.contains("data-dataset=\"damaged\"") && list.matches("data-dataset=").count() == 1
    );
    bench.program(&["collect", "--games=achi", "--iterations=20", "--instances=1", "-o", "<b>"]);
    let list = bench.get("/studies").text();
    assert!(list.contains("&lt;b&gt;") && !list.contains("<b>&lt;"), "{list}");
    let page = bench.get("/studies/%3Cb%3E").text();
    assert!(page.contains("&lt;b&gt;/schema.json") && !page.contains("<b>/"), "{page}");
}
