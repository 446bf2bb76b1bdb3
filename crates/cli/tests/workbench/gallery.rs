//! Generated games, recorded games, comparisons, and texts that move.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, wait_for};

/// A run of the generator that takes a few seconds.
fn few(games: u32) -> Value {
    json!({
        "command": "generate", "from": ["tic_tac_toe", "isolation"], "games": games, "seed": 1, "best": 3,
        "generation": 10, "iterations": 40, "gauge_games": 6, "glance_games": 4, "glance_iterations": 20,
        "model": "none",
    })
}

/// The texts between two marks of a page.
fn parts<'a>(page: &'a str, begin: &str, end: &str) -> Vec<&'a str> {
    page.split(begin).skip(1).map(|rest| rest.split(end).next().unwrap()).collect()
}

#[test]
fn a_generated_game_has_a_card_a_page_and_a_copy() {
    let bench = Bench::new(&[]);
    let id = bench.start(&few(30));
    bench.wait(&id, "done");
    let page = bench.get(&format!("/runs/{id}")).text();
    let cards = parts(&page, "<li data-game=\"", "\"");
    let report = bench.get(&format!("/runs/{id}.json")).json();
    let best: Vec<&str> = report["best"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["game"].as_str().unwrap())
        .collect();
    assert!(!best.is_empty() && cards == best, "{cards:?} {best:?}");
    assert!(report["incomplete"].is_null() && !report["map"].as_array().unwrap().is_empty());
    for name in ["charts/funnel.svg", "charts/map.svg", "tables/map.csv", "tables/best.csv"] {
        assert_eq!(bench.get(&format!("/runs/{id}/{name}")).status, 200, "{name}");
    }
    let by_number = bench.get(&format!("/runs/{id}?part=gallery&order=number")).text();
    let numbers: Vec<u32> =
        parts(&by_number, "<li data-game=\"", "\"").iter().map(|n| n.parse().unwrap()).collect();
    assert!(numbers.is_sorted() && numbers.len() == best.len(), "{numbers:?}");
    let shown = bench.get(&format!("/runs/{id}?part=gallery&show=flawed")).text();
    assert!(parts(&shown, "data-judged=\"", "\"").iter().all(|judged| *judged == "bad"));

    let number = best[0];
    let path = format!("/runs/{id}/best/{number}");
    let game = bench.get(&path);
    assert_eq!(game.status, 200, "{}", game.text());
    let game = game.text();
    for part in
        ["<h3>Moves", "id=\"lineage\"", "a start text", "<ins>", "Edit a copy", "Keep", "/play"]
    {
        assert!(game.contains(part), "{part}: {game}");
    }
    let printed = String::from_utf8(bench.shown_command(&game).stdout).unwrap();
    assert_eq!(printed, bench.get(&format!("{path}.json")).text());
    let board = bench.get(&format!("{path}/board.svg")).text();
    assert!(board.starts_with("<svg") && board.trim_end().ends_with("</svg>"), "{board}");
    for wrong in ["99999", "x", "01", "-1"] {
        assert_eq!(bench.get(&format!("/runs/{id}/best/{wrong}")).status, 404, "{wrong}");
    }

    let from = format!("runs/{id}/result/best/{number}.rules");
    let copied = bench.post("/api/texts", &json!({"name": "copy", "copy": from}));
    assert_eq!((copied.status, copied.json()["href"].as_str()), (201, Some("/texts/copy.rules")));
    let editor = bench.get("/texts/copy.rules").text();
    assert!(editor.contains("No mistakes."), "{editor}");
    assert_eq!(bench.post("/api/texts", &json!({"name": "copy", "copy": from})).status, 409);
    let outside = json!({"name": "other", "copy": "../canary.rules"});
    assert_eq!(bench.post("/api/texts", &outside).status, 404);
}

#[test]
fn the_funnel_and_the_map_grow_while_games_are_made() {
    let bench = Bench::new(&[]);
    let id = bench.start(&few(400));
    let partial = bench.workspace().join("runs").join(&id).join("partial.json");
    let entered = |report: &Value| report["gates"][0]["entered"].as_u64().unwrap();
    let read = || -> Option<Value> {
        let report: Value = serde_json::from_slice(&fs::read(&partial).ok()?).ok()?;
        (entered(&report) > 0).then_some(report)
    };
    let first = wait_for(read, || "there is a report".to_owned());
    assert_eq!(first["incomplete"], true);
    let grows = || read().filter(|report| entered(report) > entered(&first));
    let second = wait_for(grows, || "the funnel grows".to_owned());
    let passed = |report: &Value| -> Vec<u64> {
        let gates = report["gates"].as_array().unwrap().iter();
        gates.map(|gate| gate["passed"].as_u64().unwrap()).collect()
    };
    assert!(passed(&first).iter().zip(passed(&second)).all(|(a, b)| *a <= b), "{second}");
    let page = bench.get(&format!("/runs/{id}?part=run")).text();
    assert!(page.contains("INCOMPLETE") && page.contains("id=\"gallery\""), "{page}");
    bench.post(&format!("/api/runs/{id}/stop"), &json!({}));
    bench.wait(&id, "stopped");
}

/// Starts a task and pauses it at a third of its work; `None` if it ended before.
fn paused(bench: &Bench, task: &Value) -> Option<String> {
    let id = bench.start(task);
    let state = |run: &Value| run["state"].as_str().unwrap_or_default().to_owned();
    let begins = || {
        let run = bench.run(&id);
        let [done, known] =
            ["done", "known"].map(|name| run["progress"][name].as_u64().unwrap_or(0));
        ((done > 0 && 3 * done >= known) || state(&run) == "done").then_some(())
    };
    wait_for(begins, || format!("{id} makes progress"));
    bench.post(&format!("/api/runs/{id}/pause"), &json!({}));
    let ended =
        || Some(state(&bench.run(&id))).filter(|state| state == "paused" || state == "done");
    let is_paused = wait_for(ended, || format!("{id} pauses")) == "paused";
    is_paused.then_some(id)
}

#[test]
fn generated_and_vetted_games_survive_a_pause() {
    let bench = Bench::new(&[]);
    let vetted = |games: u32| {
        let games: Vec<String> =
            (0..games).map(|n| format!("one_to_ten(target={})", 10 + n)).collect();
        json!({"command": "vet", "games": games, "seed": 1})
    };
    let tasks: [&dyn Fn(u32) -> Value; 2] = [&few, &vetted];
    for (task, size) in tasks.into_iter().zip([60, 4]) {
        // A fast machine ends a small task before it can be paused.
        let sizes = (0..4).map(|n| size << (2 * n));
        let mut tried = sizes.map(task).map(|task| (paused(&bench, &task), task));
        let (id, task) = tried.find_map(|(id, task)| Some((id?, task))).expect("a task is paused");
        assert_eq!(bench.get(&format!("/runs/{id}")).status, 200);
        assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
        bench.wait(&id, "done");
        let whole = bench.start(&task);
        bench.wait(&whole, "done");
        let data = bench.get(&format!("/runs/{id}.json")).text();
        assert_eq!(data, bench.get(&format!("/runs/{whole}.json")).text(), "{task}");
        let printed = bench.shown_command(&bench.get(&format!("/runs/{id}")).text());
        assert_eq!(String::from_utf8(printed.stdout).unwrap(), data, "{task}");
    }
}

#[test]
fn recorded_games_are_replayed_move_by_move() {
    let bench = Bench::new(&[]);
    let id = bench.start(
        &json!({"command": "match", "game": "tic_tac_toe", "a": "uct(iterations=30)", "b": "random",
        "games": 6, "sprt": "elo0=0,elo1=50"}),
    );
    bench.wait(&id, "done");
    let run = bench.get(&format!("/runs/{id}")).text();
    assert!(run.contains(&format!("/runs/{id}/games")) && run.contains("id=\"power\""), "{run}");
    let chart = bench.get(&format!("/runs/{id}/charts/llr.svg")).text();
    assert!(
        chart.contains("LLR ") && chart.contains("H0 at") && chart.contains("H1 at"),
        "{chart}"
    );
    let list = bench.get(&format!("/runs/{id}/games")).text();
    assert_eq!(parts(&list, "<tr data-text=\"", "\"").len(), 6);
    let path = format!("/runs/{id}/games/3");
    let page = bench.get(&path).text();
    let data = bench.get(&format!("{path}.json"));
    for (page, data) in [(&page, &data), (&list, &bench.get(&format!("/runs/{id}/games.json")))] {
        let printed = String::from_utf8(bench.shown_command(page).stdout).unwrap();
        assert_eq!(printed, data.text());
    }
    let data = data.json();
    let plies = data["positions"].as_array().unwrap().len() - 1;
    let part = |ply: usize| bench.get(&format!("{path}?ply={ply}&part=position")).text();
    assert!(page.contains(&format!("data-ply=\"{plies}\"")) && page.contains("The game is over"));
    assert_eq!(part(0).matches("role=\"gridcell\"").count(), 9);
    assert!(part(1).contains(data["positions"][1]["position"].as_str().unwrap()));
    assert_eq!(part(999), part(plies), "beyond the end is the end");
    assert!(part(1).contains("data-step=\"back\"") && !part(0).contains("data-step=\"back\""));
    assert_eq!(bench.get(&format!("/runs/{id}/games/77")).status, 404);
    // A run without recorded games says so.
    let other = bench.start(&json!({"command": "perft", "game": "achi", "depth": 1}));
    bench.wait(&other, "done");
    assert_eq!(bench.get(&format!("/runs/{other}/games")).status, 404);
    let flipped = bench.get(&format!("{path}?ply=2&flip=true")).text();
    assert!(
        flipped.contains("?ply=1&amp;flip=true\"")
            && flipped.contains("?ply=2\" data-step=\"flip\"")
    );
}

#[test]
fn the_page_of_a_gauge_opens_its_games_and_its_variants() {
    let bench = Bench::new(&[]);
    let gauge = json!({"command": "gauge", "game": "connect_four(cols=5,rows=4)", "games": 8,
        "iterations": 60, "model": "none"});
    let id = bench.start(&gauge);
    bench.wait(&id, "done");
    let page = bench.get(&format!("/runs/{id}")).text();
    let report = bench.get(&format!("/runs/{id}.json")).json();
    let highlights = report["highlights"].as_array().unwrap();
    assert!(!highlights.is_empty());
    for one in highlights {
        let game = format!("/runs/{id}/games/{}", one["game"]);
        assert!(page.contains(&format!("<a href=\"{game}?ply=0\">")), "{game}: {page}");
        for turn in one["turns"].as_array().unwrap() {
            let link = format!("{game}?ply={}", turn["ply"]);
            let is_linked = page.contains(&format!("href=\"{link}\""));
            assert_eq!(is_linked, !turn["values"].is_null(), "{link}");
            let shown = bench.get(&link).text();
            assert!(shown.contains(turn["position"].as_str().unwrap()), "{link}");
        }
    }
    let compare = parts(&page, "<a href=\"/new/compare?names=", "\"");
    let form = bench.get(&format!("/new/compare?names={}", compare[0]));
    assert!(form.text().contains(report["variants"].as_str().unwrap()), "{compare:?}");
    assert_eq!(bench.get(&format!("/runs/{id}/games/skill-1")).status, 200);
}

#[test]
fn a_gap_between_players_says_how_many_games_show_it() {
    let bench = Bench::new(&[]);
    let id = bench.start(
        &json!({"command": "match", "game": "tic_tac_toe", "a": "uct(iterations=30)", "b": "random",
        "games": 20}),
    );
    bench.wait(&id, "done");
    let part = |gap: &str| bench.get(&format!("/runs/{id}?part=power&gap={gap}"));
    let record = format!("--record=runs/{id}/kept.jsonl");
    let printed = bench.program(&["match", "--power", "--gap=0.1", &record, "--json"]);
    let report: Value = serde_json::from_slice(&printed).unwrap();
    let games = report["rows"].as_array().unwrap().iter().find(|row| row["power"] == 0.8).unwrap();
    let games = games["games"].as_u64().unwrap();
    let shown = part("0.1").text();
    assert!(shown.contains(&format!("Play {}", treegauge::report::grouped(games))), "{shown}");
    for wrong in ["0", "x", "1", "-1", "NaN", "1e999"] {
        let answer = part(wrong);
        assert!(answer.status == 200 && answer.text().contains("from 0.001 to 0.5"), "{wrong}");
    }
    let page = bench.get(&format!("/runs/{id}?gap=0.1")).text();
    assert!(
        page.contains("value=\"0.1\"") && page.contains("--gap=0.1"),
        "the address holds the gap"
    );
}

#[test]
fn a_comparison_marks_what_is_better_and_two_runs_stand_side_by_side() {
    let bench = Bench::new(&[]);
    let text = treegauge::template("tic_tac_toe").unwrap();
    bench.upload("one.rules", &text);
    bench.upload("two.rules", &text.replace("(line 3)", "(line 2)"));
    let task = json!({"command": "compare", "names": ["one.rules", "two.rules"], "games": 6, "iterations": 40,
        "seed": 7});
    let id = bench.start(&task);
    bench.wait(&id, "done");
    let page = bench.get(&format!("/runs/{id}")).text();
    let effects = bench.get(&format!("/runs/{id}/tables/effects.csv")).text();
    assert!(effects.contains("draws,not distinguishable"), "{effects}");
    assert!(page.contains("games of each would show it"), "{page}");
    assert!(page.contains("id=\"texts-compared\"") && page.contains("<ins>2</ins>"), "{page}");
    // The form has all options again.
    let again = parts(&page, "/new/compare?", "\"")[0].replace("&amp;", "&");
    let form = bench.get(&format!("/new/compare.json?{again}")).json();
    assert_eq!(form["task"]["names"], task["names"]);
    for field in ["games", "iterations", "seed"] {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        assert_eq!(text(&form["task"][field]), text(&task[field]), "{field}");
    }
    let gauge = |games: u32| {
        let task = json!({"command": "gauge", "game": "achi", "games": games, "iterations": 20, "model": "none"});
        let id = bench.start(&task);
        bench.wait(&id, "done");
        id
    };
    let (first, second) = (gauge(2), gauge(3));
    let both = bench.get(&format!("/runs?side={first}&side={second}"));
    let page = both.text();
    assert!(both.status == 200 && page.matches("<section class=\"report\"").count() == 2, "{page}");
    assert!(page.contains("<td>games</td><td>2</td><td>3</td>"), "{page}");
    assert_eq!(bench.get(&format!("/runs?side={first}")).status, 400);
    assert_eq!(bench.get(&format!("/runs?side={first}&side={id}")).status, 400);
    assert_eq!(bench.get(&format!("/runs?side={first}&side=nothing")).status, 404);
}

#[test]
fn a_text_is_renamed_with_its_versions_and_removed_to_the_trash() {
    let bench = Bench::new(&[]);
    bench.post("/api/texts", &json!({"name": "a", "from": "achi"}));
    bench.post("/api/texts", &json!({"name": "taken", "from": "achi"}));
    fs::create_dir(bench.workspace().join("inner")).unwrap();
    let rename =
        |name: &str, to: &str| bench.post(&format!("/api/rename/{name}"), &json!({"to": to}));
    for (to, status) in
        [("taken", 409), ("", 400), ("../b.rules", 400), ("none/b.rules", 404), (".b.rules", 400)]
    {
        let answer = rename("a.rules", to);
        assert_eq!(answer.status, status, "{to}: {}", answer.text());
    }
    let renamed = rename("a.rules", "inner/b");
    assert_eq!(
        (renamed.status, renamed.json()["href"].as_str()),
        (200, Some("/texts/inner/b.rules"))
    );
    assert_eq!(bench.get("/texts/a.rules").status, 404);
    assert_eq!(bench.get("/texts/inner/b.rules?version=1").status, 200, "versions move along");
    assert_eq!(rename("a.rules", "c").status, 404);
    let id = bench.start(&few(2));
    bench.wait(&id, "done");
    let own = fs::read_dir(bench.workspace().join("runs").join(&id).join("result/best"));
    for entry in own.into_iter().flatten().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let path = format!("runs/{id}/result/best/{name}");
        assert_eq!(rename(&path, "stolen").status, 400, "files of runs stay");
        assert_eq!(bench.post(&format!("/api/remove/{path}"), &json!({})).status, 400);
    }
    assert_eq!(bench.post("/api/remove/taken.rules", &json!({})).status, 200);
    assert_eq!(bench.get("/texts/taken.rules").status, 404);
    let trash = bench.workspace().join(".treegauge/trash");
    let kept = fs::read_dir(trash).unwrap().next().unwrap().unwrap().path();
    assert!(kept.join("taken.rules").is_file());
    // A form without scripts does the same.
    let browser = bench.browser();
    let head = [
        format!("Cookie: {}", browser.cookie),
        format!("Origin: http://127.0.0.1:{}", bench.port),
        "Content-Type: application/x-www-form-urlencoded".to_owned(),
    ];
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let wrong = bench.send("POST", "/api/remove/inner/b.rules", &head, "token=wrong");
    assert_eq!(wrong.status, 403);
    let body = format!("token={}&to=d", browser.token);
    let sent = bench.send("POST", "/api/rename/inner/b.rules", &head, &body);
    assert_eq!((sent.status, sent.header("location")), (303, Some("/texts/d.rules")));
}

#[test]
fn a_form_keeps_its_fields_while_a_game_is_chosen_by_the_board() {
    let bench = Bench::new(&[]);
    let link_of = |page: &str, begin: &str| {
        let link = parts(page, &format!("href=\"{begin}"), "\"")[0];
        format!("{begin}{link}").replace("&amp;", "&")
    };
    for (form, chosen) in [
        ("/new/gauge?games=8&iterations=40", "/new/gauge?games=8&iterations=40&game=achi"),
        ("/new/puzzles?source=nim&count=3", "/new/puzzles?count=3&source=achi"),
        ("/new/compare?names=nim&names=kalah", "/new/compare?names=nim&names=kalah&names=achi"),
        ("/new/vet?seed=2", "/new/vet?seed=2&games=achi"),
        ("/new/difficulty?depth=4", "/new/difficulty?depth=4&game=achi"),
    ] {
        let page = bench.get(form).text();
        let catalog = bench.get(&link_of(&page, "/games?for=")).text();
        assert!(catalog.contains(&format!("href=\"{}\"", chosen.replace('&', "&amp;"))), "{form}");
        assert_eq!(bench.get(chosen).status, 200);
    }
    for wrong in ["/games?for=gauge", "/games?for=gauge&field=seed", "/games?for=serve&field=game"]
    {
        assert!(bench.get(wrong).text().contains("<h1>Games</h1>"), "{wrong}");
    }
}

#[test]
fn a_form_says_how_long_the_last_run_of_its_game_took() {
    let bench = Bench::new(&[]);
    for game in ["achi", "tic_tac_toe"] {
        let id = bench.start(&json!({"command": "compare", "names": [game, "nim"], "games": 2,
            "iterations": 10}));
        bench.wait(&id, "done");
    }
    let said =
        |query: &str| bench.get(&format!("/new/compare.json?{query}")).json()["estimate"].clone();
    assert!(
        said("names=achi&games=4")
            .as_str()
            .unwrap()
            .starts_with("The last run of compare for achi took ")
    );
    assert!(said("names=kalah").is_null() && said("").is_null());
    let page = bench.get("/new/compare?names=achi").text();
    assert!(page.contains("The last run of compare for achi took "), "{page}");
}

#[test]
fn the_options_of_a_text_are_a_form() {
    let bench = Bench::new(&[]);
    let text = "(game \"Rows\" (options (width 3 2 9) (height 4 2 6)) (board (grid width height))
        (play (place)) (end (stuck draw)))";
    fs::create_dir(bench.workspace().join("own")).unwrap();
    fs::write(bench.workspace().join("own/rows.rules"), text).unwrap();
    fs::write(bench.workspace().join("own/wrong.rules"), "(game").unwrap();
    let page = bench.get("/games/own%2Frows.rules").text();
    for shown in ["name=\"width\" value=\"3\"", "2 to 9; default 3", "name=\"height\" value=\"4\""]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    let chosen = bench.get("/games?family=own%2Frows.rules&width=5&height=");
    assert_eq!(chosen.status, 303);
    let to = chosen.header("location").unwrap().to_owned();
    let page = bench.get(&to).text();
    assert!(
        page.contains("name=\"width\" value=\"5\"") && page.contains("rows.rules(width=5)"),
        "{to}"
    );
    let wrong =
        bench.get("/games?family=own%2Frows.rules&width=99").header("location").unwrap().to_owned();
    assert_eq!(bench.get(&wrong).status, 404, "{}", bench.get(&wrong).text());
    // The catalog has texts of all folders, with the boards of those that describe games.
    let catalog = bench.get("/games").text();
    let boards = parts(&catalog, "data-board=\"", "\"");
    assert!(boards.iter().any(|board| board.contains("rows.rules")), "{boards:?}");
    assert!(
        !boards.iter().any(|board| board.contains("wrong.rules"))
            && catalog.contains("own/wrong.rules")
    );
    assert!(bench.get("/new/gauge").text().contains("<option value=\"own/rows.rules\">"));
}

#[test]
fn the_catalog_is_small_and_its_boards_are_fetched() {
    let bench = Bench::new(&[]);
    let page = bench.get("/games");
    assert!(page.body.len() < 60_000, "{}", page.body.len());
    let page = page.text();
    let boards = parts(&page, "data-board=\"", "\"");
    assert!(boards.len() >= 20, "{boards:?}");
    for board in boards {
        let drawn = bench.get(board);
        assert!(
            drawn.status == 200 && drawn.text().starts_with("<svg"),
            "{board}: {}",
            drawn.text()
        );
    }
}
