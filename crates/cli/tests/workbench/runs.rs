//! Runs: commands, pausing, crashes, limits and the queue.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{
    Bench, assert_within, is_alive, program, serve, signal, wait_for, without_times,
};

const RULES: &str =
    "(game \"tiny\" (board (grid 3 3)) (pieces man) (turn (place man empty)) (end (win (line 3))))";

#[test]
fn the_command_of_a_page_prints_its_data() {
    let bench = Bench::new(&[]);
    let text = std::process::Command::new(program()).args(["new", "tic_tac_toe"]).output().unwrap();
    bench.upload("my.rules", &String::from_utf8(text.stdout).unwrap());
    bench.upload("bad.rules", RULES);
    bench.program(&["solve", "tic_tac_toe", "--output=solved.tgs"]);
    let tasks = [
        json!({"command": "gauge", "game": "tic_tac_toe", "games": 6, "iterations": 50}),
        json!({"command": "gauge", "game": "my.rules", "games": "4", "iterations": "50", "model": "none"}),
        json!({"command": "compare", "names": ["tic_tac_toe", "wild_tic_tac_toe"], "games": 4, "iterations": 40, "model": null}),
        json!({"command": "match", "game": "achi", "a": "uct(iterations=20)", "b": "random", "games": 10}),
        json!({"command": "solve", "game": "tic_tac_toe", "position": null}),
        json!({"command": "check", "file": "my.rules"}),
        json!({"command": "check", "file": "bad.rules"}),
        json!({"command": "search", "game": "achi", "iterations": 100}),
        json!({"command": "perft", "game": "achi", "depth": 2}),
        json!({"command": "puzzles", "source": "solved.tgs"}),
        json!({"command": "probe", "file": "solved.tgs", "moves": "a1 b2"}),
        json!({"command": "vet", "games": ["achi"], "seed": 1}),
    ];
    for mut task in tasks {
        task.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        let id = bench.start(&task);
        bench.wait(&id, "done");
        let page = bench.get(&format!("/runs/{id}"));
        assert_eq!(page.status, 200, "{task}: {}", page.text());
        let data = bench.get(&format!("/runs/{id}.json")).text();
        let printed = bench.shown_command(&page.text());
        let printed = String::from_utf8(printed.stdout).unwrap();
        assert_eq!(without_times(&printed), without_times(&data), "{task}");
        if task["command"] != "solve" {
            assert_eq!(printed, data, "{task}");
        }
    }
    for path in ["/games", "/games/tic_tac_toe", "/games/my.rules", "/games/mnk(rows=4,cols=4)"] {
        let page = bench.get(path).text();
        let printed = String::from_utf8(bench.shown_command(&page).stdout).unwrap();
        assert_eq!(printed, bench.get(&format!("{path}.json")).text(), "{path}");
    }
}

/// Tasks that keep their work, long enough to be paused.
fn long_tasks() -> [Value; 3] {
    [
        json!({"command": "gauge", "game": "othello", "games": 40, "iterations": 300, "solve_limit": 0, "model": "none",
               "ladder": "1", "skill_games": 0}),
        json!({"command": "match", "game": "othello", "a": "uct(iterations=300)", "b": "uct(iterations=100)", "games": 80}),
        json!({"command": "solve", "game": "connect_four(cols=4,rows=6)"}),
    ]
}

/// Waits until a third of the known work of a run is done.
fn wait_for_progress(bench: &Bench, id: &str) {
    let is_there = || {
        let run = bench.run(id);
        let [done, known] =
            ["done", "known"].map(|name| run["progress"][name].as_u64().unwrap_or(0));
        ((done > 0 && 3 * done >= known) || run["state"] == "done").then_some(())
    };
    wait_for(is_there, || format!("{id} makes progress"));
}

#[test]
fn a_run_that_was_paused_ends_with_the_same_bytes() {
    let bench = Bench::new(&[]);
    for task in long_tasks() {
        let id = bench.start(&task);
        wait_for_progress(&bench, &id);
        assert_eq!(bench.post(&format!("/api/runs/{id}/pause"), &json!({})).status, 200, "{task}");
        let run = bench.wait(&id, "paused");
        assert_eq!(run["end"]["exit"], 130, "{run}");
        assert_eq!(bench.get(&format!("/runs/{id}")).status, 200);
        assert_eq!(bench.post(&format!("/api/runs/{id}/pause"), &json!({})).status, 409);
        assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
        bench.wait(&id, "done");
        let data = bench.get(&format!("/runs/{id}.json")).text();
        let whole = bench.shown_command(&bench.get(&format!("/runs/{id}")).text());
        let whole = String::from_utf8(whole.stdout).unwrap();
        if task["command"] == "solve" {
            assert_eq!(without_times(&data), without_times(&whole));
        } else {
            assert_eq!(data, whole, "{task}");
        }
    }
}

#[test]
fn a_run_survives_the_death_of_the_server() {
    let mut bench = Bench::new(&[]);
    let task = &long_tasks()[1];
    let id = bench.start(task);
    wait_for_progress(&bench, &id);
    let children = bench.children();
    assert!(children.iter().any(|(_, words)| words.contains("match")), "{children:?}");
    bench.signal("KILL");
    wait_for(
        || children.iter().all(|(pid, _)| !is_alive(*pid)).then_some(()),
        || "the run ends".to_owned(),
    );
    let bench = bench.again(&[]);
    assert_eq!(bench.run(&id)["state"], "interrupted");
    assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
    bench.wait(&id, "done");
    let data = bench.get(&format!("/runs/{id}.json")).text();
    let whole = bench.shown_command(&bench.get(&format!("/runs/{id}")).text());
    assert_eq!(data, String::from_utf8(whole.stdout).unwrap());
}

#[test]
fn a_server_that_is_asked_to_end_pauses_its_runs() {
    let mut bench = Bench::new(&[]);
    let browser = bench.browser();
    let id = bench.start(&long_tasks()[0]);
    let queued = bench.start(&long_tasks()[1]);
    wait_for_progress(&bench, &id);
    let children = bench.children();
    let begin = Instant::now();
    assert_eq!(bench.signal("TERM"), Some(0));
    assert_within(begin, Duration::from_secs(3));
    assert!(children.iter().all(|(pid, _)| !is_alive(*pid)), "{children:?}");
    let bench = bench.again(&[]);
    assert_eq!(bench.run(&id)["state"], "paused");
    assert_eq!(bench.run(&queued)["state"], "paused");
    // The other port has no session of the browser.
    assert_eq!(bench.send("GET", "/", &[&format!("Cookie: {}", browser.cookie)], "").status, 401);
}

#[test]
fn a_server_without_a_folder_for_runs_prints_no_address() {
    let home = tempfile::tempdir().unwrap();
    fs::create_dir(home.path().join("ws")).unwrap();
    fs::write(home.path().join("ws/runs"), "").unwrap();
    let refused = serve(home.path(), &[]).stderr(std::process::Stdio::piped()).output().unwrap();
    assert_eq!((refused.status.code(), &*refused.stdout), (Some(65), &b""[..]), "{refused:?}");
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(
        message.contains("the workspace cannot be used: `runs` is a file or a link"),
        "{message}"
    );
}

#[test]
fn a_second_server_shows_the_first_one() {
    let bench = Bench::new(&[]);
    let second = serve(bench.home(), &[]).output().unwrap();
    assert_eq!(second.status.code(), Some(0));
    let shown: Value = serde_json::from_slice(&second.stdout).unwrap();
    assert_eq!(shown["pid"], bench.pid());
    let path = shown["url"].as_str().unwrap().split_once(&bench.port.to_string()).unwrap().1;
    assert_eq!(bench.send("GET", path, &[], "").status, 303);
    let url = std::process::Command::new(program())
        .arg("serve")
        .arg(bench.workspace())
        .arg("--url")
        .env("XDG_STATE_HOME", bench.home().join("state"))
        .output()
        .unwrap();
    let url = String::from_utf8(url.stdout).unwrap();
    let path = url.trim().split_once(&bench.port.to_string()).unwrap().1;
    assert_eq!(bench.send("GET", path, &[], "").status, 303);
    // The file that a killed server left is not believed.
    let first = bench.pid();
    let bench = bench.again(&[]);
    assert_ne!(bench.pid(), first);
    assert_eq!(bench.get("/").status, 200);
}

#[test]
fn a_run_beyond_its_memory_fails_in_words() {
    let bench = Bench::new(&["--memory-per-run", "64M"]);
    bench.get("/");
    let before = bench.memory();
    let task = json!({"command": "search", "game": "connect_four", "iterations": 40_000_000, "memory_max": "8G"});
    let id = bench.start(&task);
    let run = bench.wait(&id, "failed");
    let error = run["end"]["error"].as_str().unwrap();
    assert!(
        error.contains("needed more than 0.1 GiB") && error.contains("--memory-per-run"),
        "{error}"
    );
    assert!(error.contains("Nothing of it is kept.") && !error.contains("Resume"), "{error}");
    assert!(bench.memory().saturating_sub(before) < 16 << 20);
    let page = bench.get(&format!("/runs/{id}"));
    assert!(page.status == 200 && page.text().contains("needed more than"), "{}", page.text());
}

#[test]
fn a_run_that_a_signal_ends_fails_in_words() {
    let bench = Bench::new(&[]);
    bench.get("/");
    let before = bench.memory();
    let id = bench.start(&long_tasks()[2]);
    let find = || bench.children().into_iter().find(|(_, words)| words.contains(" solve "));
    let (pid, _) = wait_for(find, || "the run has a process".to_owned());
    signal(pid, "ABRT");
    let run = bench.wait(&id, "failed");
    let error =
        "The command was ended by signal 6; what it kept is there, and Resume continues it.";
    assert_eq!(run["end"]["error"], error);
    assert_eq!(bench.get("/").status, 200);
    assert!(bench.memory().saturating_sub(before) < 16 << 20);
}

#[test]
fn runs_wait_in_order_and_the_queue_is_bounded() {
    let bench = Bench::new(&[]);
    let first = bench.start(&json!({"command": "solve", "game": "connect_four"}));
    let quick = json!({"task": {"command": "perft", "game": "tic_tac_toe", "depth": 1}});
    let answers: Vec<_> = (0..40).map(|_| bench.post("/api/runs", &quick)).collect();
    let is_taken = |answer: &&crate::bench::Answer| answer.status == 201;
    let ids: Vec<String> = answers
        .iter()
        .filter(is_taken)
        .map(|answer| answer.json()["id"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(ids.len(), 32);
    assert!(answers[32..].iter().all(|answer| answer.status == 429));
    let begin = Instant::now();
    assert_eq!(bench.get("/").status, 200);
    assert_within(begin, Duration::from_millis(50));
    assert_eq!(bench.post(&format!("/api/runs/{}/stop", ids[5]), &json!({})).status, 200);
    assert_eq!(bench.run(&ids[5])["state"], "stopped");
    assert_eq!(
        bench.post(&format!("/api/runs/{}/delete", ids[6]), &json!({})).status,
        409,
        "it waits"
    );
    assert_eq!(bench.post(&format!("/api/runs/{first}/stop"), &json!({})).status, 200);
    bench.wait(&first, "stopped");
    bench.wait(&ids[31], "done");
    let ends = ids.iter().enumerate().filter(|(n, _)| *n != 5).map(|(_, id)| {
        let facts = fs::metadata(bench.workspace().join("runs").join(id).join("end.json")).unwrap();
        facts.modified().unwrap()
    });
    assert!(ends.is_sorted(), "the order is kept");
    assert_eq!(bench.post(&format!("/api/runs/{}/delete", ids[0]), &json!({})).status, 200);
    assert_eq!(bench.get(&format!("/runs/{}", ids[0])).status, 404);
    assert_eq!(fs::read_dir(bench.workspace().join(".treegauge/trash")).unwrap().count(), 1);
}

#[test]
fn a_task_that_is_wrong_is_refused_at_its_field() {
    let bench = Bench::new(&[]);
    let task = json!({"command": "gauge", "game": "achi", "games": 0});
    let answer = bench.post("/api/runs", &json!({"task": task}));
    let error = answer.json();
    assert_eq!((answer.status, &error["field"]), (400, &json!("games")), "{error}");
    let form = bench.get("/new/gauge.json?game=achi&iterations=x").json();
    assert_eq!(form["field"], "iterations", "{form}");
    let form = bench.get("/new/gauge.json?game=achi&iterations=20").json();
    assert_eq!(form["line"], "treegauge gauge --iterations=20 --json -- achi");
}
