//! Requests that try to leave the workspace, or to start what they may not.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

const CANARY: &str = "canary-8d1f";

/// Files outside of a workspace, and links to them.
fn traps(bench: &Bench) {
    let text = format!("(game \"{CANARY}\")");
    fs::write(bench.home().join("canary.rules"), &text).unwrap();
    fs::create_dir_all(bench.home().join("outside")).unwrap();
    fs::write(bench.home().join("outside/canary.json"), &text).unwrap();
    let link = |to: &str, name: &str| {
        std::os::unix::fs::symlink(to, bench.workspace().join(name)).unwrap()
    };
    link("../canary.rules", "link.rules");
    link("../outside", "linked");
    link("/dev/zero", "zero.rules");
    link("link.rules", "second.rules");
}

#[test]
fn no_name_leads_out_of_the_workspace() {
    let bench = Bench::new(&[]);
    traps(&bench);
    let absolute = bench.home().join("canary.rules").display().to_string();
    let encoded = absolute.replace('/', "%2F");
    let names = [
        "../canary.rules",
        "..%2Fcanary.rules",
        "%2e%2e/canary.rules",
        "%2e%2e%2fcanary.rules",
        "..%5Ccanary.rules",
        "a/../../canary.rules",
        "./../canary.rules",
        "....//canary.rules",
        "..%252Fcanary.rules",
        "link.rules",
        "linked/canary.json",
        "linked",
        "second.rules",
        "zero.rules",
        "%2Fetc%2Fpasswd",
        "/etc/passwd",
        "canary.rules%00.txt",
        "..%00/canary.rules",
        "~/canary.rules",
        "C:%5Ccanary.rules",
        ".treegauge",
        "runs/..",
        "%c0%ae%c0%ae/canary.rules",
        "link.rules/",
        "runs/../../canary.rules",
        &encoded,
        &absolute,
    ];
    let mut paths: Vec<String> = Vec::new();
    for name in names {
        paths.push(format!("/files/{name}"));
        paths.push(format!("/files?folder={name}"));
        paths.push(format!("/runs/{name}"));
        paths.push(format!("/games/{}", name.replace('/', "%2F")));
        paths.push(format!("/games/{}.json", name.replace('/', "%2F")));
        paths.push(format!("/games/rules(file={})", name.replace('/', "%2F")));
        paths.push(format!("/assets/{name}/app.js"));
    }
    assert!(paths.len() >= 60);
    for path in paths {
        let answer = bench.get(&path);
        let text = answer.text();
        assert!(!text.contains(CANARY), "{path}: {text}");
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
    }
    for name in [
        "../x",
        "..%2Fx",
        "%2Ftmp%2Fx",
        ".hidden",
        "linked%2Fx",
        "link.rules",
        "a%5Cb",
        "a%00b",
        "",
        "a:b",
        "-o",
    ] {
        let answer = bench.upload(name, "text");
        assert!(matches!(answer.status, 400 | 409), "{name}: {}", answer.status);
    }
    assert_eq!(
        fs::read_dir(bench.home().join("outside")).unwrap().count(),
        1,
        "nothing was made outside"
    );
    assert!(!bench.home().join("x").exists());
}

#[test]
fn no_task_reads_a_file_outside_of_the_workspace() {
    let bench = Bench::new(&[]);
    traps(&bench);
    let absolute = bench.home().join("canary.rules").display().to_string();
    let mut tasks: Vec<Value> = Vec::new();
    for name in [
        "../canary.rules",
        "link.rules",
        "second.rules",
        "zero.rules",
        "linked/canary.json",
        &absolute,
    ] {
        let inner = format!("rules(file={name})");
        for game in [name, &inner] {
            tasks.push(json!({"command": "gauge", "game": game}));
            tasks.push(json!({"command": "check", "file": game}));
            tasks.push(json!({"command": "compare", "names": [game, "achi"]}));
            tasks.push(json!({"command": "collect", "games": format!("achi,{game}"), "iterations": 1, "instances": 1}));
        }
        let perfect = format!("perfect(file={name})");
        let judged = format!("alphabeta(eval={perfect})");
        for player in [&perfect, &judged] {
            tasks.push(json!({"command": "match", "game": "achi", "a": player, "b": "random"}));
            tasks.push(json!({"command": "search", "game": "achi", "player": player}));
        }
        tasks.push(json!({"command": "aggregate", "dataset": name}));
        tasks.push(json!({"command": "merge", "files": [name, name]}));
        tasks.push(json!({"command": "gauge", "game": "achi", "model": name}));
        tasks.push(json!({"command": "probe", "file": name}));
        tasks.push(json!({"command": "train", "datasets": [name], "labels": name}));
    }
    for task in &tasks {
        let answer = bench.post("/api/runs", &json!({"task": task}));
        assert!(matches!(answer.status, 400 | 404), "{task}: {} {}", answer.status, answer.text());
        assert!(!answer.text().contains(CANARY), "{task}");
    }
    assert!(bench.get("/runs.json").json()["runs"].as_array().unwrap().is_empty());

    // A list in the workspace names a text outside: the run itself refuses it.
    bench.upload("list.txt", &format!("rules(file={absolute})\n"));
    let id = bench.start(&json!({"command": "vet", "games": ["list.txt"]}));
    let run = bench.wait(&id, "failed");
    let error = run["end"]["error"].as_str().unwrap();
    assert!(error.contains("not in the workspace") && !error.contains(CANARY), "{error}");
}

#[test]
fn options_that_start_programs_or_write_files_are_refused() {
    let bench = Bench::new(&[]);
    for (field, value) in [
        ("engine", json!("/bin/sh")),
        ("engine_option", json!("a=b")),
        ("output", json!("x.json")),
        ("o", json!("x.json")),
        ("force", json!(true)),
        ("open", json!(true)),
        ("html", json!("x.html")),
        ("record", json!("x.jsonl")),
        ("json", json!(false)),
        ("--engine", json!("/bin/sh")),
        ("threads", json!(1000)),
    ] {
        for (command, of_command) in [("gauge", "game"), ("difficulty", "source")] {
            let task = json!({"command": command, of_command: "achi", field: value});
            let answer = bench.post("/api/runs", &json!({"task": task}));
            assert_eq!(answer.status, 400, "{task}: {}", answer.text());
            assert_eq!(answer.json()["kind"], "error");
        }
    }
    for task in [
        json!(null),
        json!([]),
        json!("gauge"),
        json!({}),
        json!({"command": "serve"}),
        json!({"command": "play"}),
    ] {
        assert_eq!(bench.post("/api/runs", &json!({"task": task})).status, 400, "{task}");
    }
    // Neither does a game that looks like an option begin a run.
    let task = json!({"command": "gauge", "game": "--force"});
    let answer = bench.post("/api/runs", &json!({"task": task}));
    let error = answer.json();
    assert_eq!((answer.status, &error["field"]), (400, &json!("game")), "{error}");
    assert!(error["error"].as_str().unwrap().contains("begins with `-`"), "{error}");
    assert!(bench.children().is_empty(), "no process was started");
    assert!(bench.get("/runs.json").json()["runs"].as_array().unwrap().is_empty());
}

#[test]
fn no_file_of_the_workspace_has_a_run_read_a_text_outside() {
    let bench = Bench::new(&[]);
    let outside = bench.home().join("outside.rules");
    let path = outside.to_str().unwrap();
    let run = |words: &[&str]| bench.program(words);
    fs::write(&outside, run(&["new", "tic_tac_toe"])).unwrap();
    let options = ["--games=2", "--iterations=20", "--model=none", "--record=games.jsonl"];
    run(&[&["gauge", path][..], &options].concat());
    run(&["solve", path, "--output=solved.tgs"]);
    run(&["collect", "--games", path, "--iterations=9", "--instances=1", "--output=data"]);
    run(&["collect", "--games=achi", "--iterations=9", "--instances=1", "--output=own"]);
    let rated = format!("game,fun_mean\nachi,50\n\"rules(file={path})\",40\n");
    fs::write(bench.workspace().join("rated.csv"), rated).unwrap();
    // A file of another kind would be quoted in the error.
    for content in [fs::read_to_string(&outside).unwrap(), format!("{CANARY}:x:0:0")] {
        fs::write(&outside, content).unwrap();
        for task in [
            json!({"command": "replay", "file": "games.jsonl"}),
            json!({"command": "verify", "file": "solved.tgs"}),
            json!({"command": "probe", "file": "solved.tgs"}),
            json!({"command": "interest", "source": "solved.tgs"}),
            json!({"command": "interest", "source": "solved.tgs", "start": 1}),
            json!({"command": "puzzles", "source": "solved.tgs"}),
            json!({"command": "aggregate", "dataset": "data", "with": ["solved"]}),
            json!({"command": "evaluate", "datasets": ["own"], "ratings": "rated.csv"}),
        ] {
            let command = task["command"].as_str().unwrap();
            let id = bench.start(&task);
            let run = bench.wait(&id, "failed");
            let error = run["end"]["error"].as_str().unwrap();
            assert!(error.contains("not in the workspace"), "{command}: {error}");
            for view in ["", "/log"] {
                let shown = bench.get(&format!("/runs/{id}{view}")).text();
                assert!(!shown.contains(CANARY), "{command}: {shown}");
            }
        }
    }
}

#[test]
fn a_folder_with_a_link_that_leads_out_is_not_read() {
    let bench = Bench::new(&[]);
    traps(&bench);
    for folder in ["data", "plain"] {
        let options = ["collect", "--games=achi", "--iterations=9", "--instances=1", "--output"];
        bench.program(&[&options[..], &[folder]].concat());
    }
    let data = bench.workspace().join("data");
    std::os::unix::fs::symlink("../../canary.rules", data.join("canary.csv")).unwrap();
    for task in [
        json!({"command": "aggregate", "dataset": "data"}),
        json!({"command": "evaluate", "datasets": ["plain", "data"]}),
        json!({"command": "train", "datasets": ["data"], "labels": "plain"}),
    ] {
        let answer = bench.post("/api/runs", &json!({"task": task}));
        assert_eq!(answer.status, 404, "{task}: {}", answer.text());
        let error = answer.json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("leads out of the workspace"), "{error}");
    }
    // The process of a run refuses it, too.
    let aggregate = |folder: &str| {
        let mut command = std::process::Command::new(crate::bench::program());
        command.args(["aggregate", folder]).env("TREEGAUGE_ROOT", bench.workspace());
        command.current_dir(bench.workspace()).output().unwrap()
    };
    assert!(aggregate("plain").status.success());
    let refused = aggregate("data");
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && error.contains("leads out"), "{error}");
}

#[test]
fn a_run_is_not_continued_through_a_link() {
    let bench = Bench::new(&[]);
    traps(&bench);
    let task = json!({"command": "match", "game": "othello", "a": "uct(iterations=300)", "b": "random", "games": 900});
    let id = bench.start(&task);
    bench.wait(&id, "running");
    assert_eq!(bench.post(&format!("/api/runs/{id}/pause"), &json!({})).status, 200);
    bench.wait(&id, "paused");
    let folder = bench.workspace().join("runs").join(&id);
    let canary = fs::read(bench.home().join("canary.rules")).unwrap();
    for name in ["kept.jsonl", ".output", "log.jsonl", "partial.json.new"] {
        _ = fs::remove_file(folder.join(name));
        std::os::unix::fs::symlink("../../../canary.rules", folder.join(name)).unwrap();
        assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
        let run = bench.wait(&id, "failed");
        let error = run["end"]["error"].as_str().unwrap();
        assert!(error.contains("leads out of the workspace"), "{name}: {error}");
        fs::remove_file(folder.join(name)).unwrap();
    }
    assert_eq!(fs::read(bench.home().join("canary.rules")).unwrap(), canary);
}
