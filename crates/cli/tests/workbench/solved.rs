//! Solved games and puzzles: the explorer, the landscape, solving mode and attempts.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

/// A text as a value of a query.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// A bench with the solution of a game as `four.tgs`.
fn with_solution(game: &str) -> Bench {
    let bench = Bench::new(&[]);
    bench.program(&["solve", game, "-o", "four.tgs"]);
    bench
}

/// A bench with a run of puzzles, and the name of the run.
fn with_puzzles() -> (Bench, String) {
    let bench = Bench::new(&[]);
    let task = json!({"command": "puzzles", "source": "achi", "mate_in": "2..", "top": "2"});
    let run = bench.start(&task);
    bench.wait(&run, "done");
    (bench, run)
}

#[test]
fn the_explorer_shows_its_command_and_the_values_of_probe() {
    let bench = with_solution("connect_four(cols=4,rows=4)");
    for query in ["", "?moves=b+b", "?moves=b+b+c&ply=1"] {
        let page = bench.get(&format!("/solved/four.tgs{query}"));
        assert_eq!(page.status, 200, "{}", page.text());
        let page = page.text();
        let shown = bench.shown_command(&page);
        assert!(shown.status.success(), "{shown:?}");
        let expected: Value = serde_json::from_slice(&shown.stdout).unwrap();
        let data = bench.get(&format!("/solved/four.tgs.json{query}"));
        assert_eq!(data.json(), expected, "{query}");
        // A position that is shown without a new page brings its command.
        let joint = if query.is_empty() { '?' } else { '&' };
        let part = bench.get(&format!("/solved/four.tgs{query}{joint}part=explorer")).text();
        assert_eq!(bench.shown_command(&part).stdout, shown.stdout, "{query}");
        let rows: Vec<&str> = page.split("<tr data-move=\"").skip(1).collect();
        let moves = expected["moves"].as_array().unwrap();
        assert_eq!(rows.len(), moves.len());
        for (row, probed) in rows.iter().zip(moves) {
            assert_eq!(row.split('"').next().unwrap(), probed["move"]);
            assert!(row.contains(&format!("data-plies=\"{}\"", probed["remoteness"])), "{row}");
        }
    }
    let typed = bench.get("/solved/four.tgs?moves=b&move=C");
    assert_eq!(typed.status, 303);
    assert!(typed.header("location").unwrap().ends_with("moves=b+c"), "{}", typed.head);
    let wrong = bench.get("/solved/four.tgs?move=zz").text();
    assert!(wrong.contains("&quot;zz&quot; is not a legal move here."), "{wrong}");
}

#[test]
fn positions_of_a_value_and_a_remoteness_are_found() {
    let bench = with_solution("connect_four(cols=4,rows=4)");
    let landscape = bench.get("/solved/four.tgs/landscape.json").json();
    assert!(landscape["incomplete"].is_null());
    let page = bench.get("/solved/four.tgs/landscape").text();
    let printed = String::from_utf8(bench.shown_command(&page).stdout).unwrap();
    assert_eq!(printed, bench.get("/solved/four.tgs/landscape.json").text());
    let rows = landscape["table"].as_array().unwrap();
    let sum = |name: &str| rows.iter().map(|row| row[name].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("win") + sum("lose") + sum("tie"), landscape["positions"].as_u64().unwrap());
    for row in rows {
        for value in ["win", "lose", "tie"] {
            let remoteness = &row["remoteness"];
            let path =
                format!("/solved/four.tgs?find=random&value={value}&remoteness={remoteness}");
            let found = bench.get(&path);
            if row[value] == 0 {
                assert_eq!(found.status, 200);
                assert!(found.text().contains("The file has no such position."), "{path}");
                continue;
            }
            assert_eq!(found.status, 303, "{path}");
            let to = found.header("location").unwrap().replacen(".tgs?", ".tgs.json?", 1);
            let probed = bench.get(&to).json();
            assert_eq!((&probed["value"], &probed["remoteness"]), (&json!(value), remoteness));
        }
    }
    // The same seed finds the same position.
    let path = "/solved/four.tgs?find=random&value=win&remoteness=3&only=true&seed=7";
    let first = bench.get(path).header("location").unwrap().to_owned();
    assert_eq!(bench.get(path).header("location").unwrap(), first);
    let page = bench.get(&first).text();
    assert_eq!(page.matches("data-class=\"win\"").count(), 1, "{page}");
    for query in ["value=win&remoteness=x", "value=all&remoteness=1", "value=tie"] {
        let page = bench.get(&format!("/solved/four.tgs?find=random&{query}"));
        assert!(page.text().contains("role=\"alert\">"), "{query}: {}", page.text());
    }
}

#[test]
fn a_file_that_keeps_its_interestingness_shows_it() {
    let bench = with_solution("achi");
    let list = bench.get("/solved.json").json();
    assert_eq!(list["files"][0]["has_interest"], false);
    assert!(bench.get("/solved").text().contains("/new/interest?source=four.tgs\""));
    assert!(bench.get("/solved/four.tgs").text().contains(">Rate positions</a>"));
    let run = bench.start(&json!({"command": "interest", "source": "four.tgs"}));
    bench.wait(&run, "done");
    assert_eq!(bench.get("/solved.json").json()["files"][0]["has_interest"], true);
    let page = bench.get("/solved/four.tgs").text();
    assert!(
        page.contains("Interestingness ") && page.contains("the mean of what comes after"),
        "{page}"
    );
    assert!(bench.get("/solved/four.tgs/landscape").text().contains("Most interesting win</a>"));
}

#[test]
fn the_run_of_a_solve_leads_to_its_explorer() {
    let bench = Bench::new(&[]);
    let run = bench.start(&json!({"command": "solve", "game": "tic_tac_toe"}));
    bench.wait(&run, "done");
    let link = format!("/solved/runs/{run}/output.tgs");
    assert!(bench.get(&format!("/runs/{run}")).text().contains(&format!("href=\"{link}\"")));
    assert!(bench.get(&link).text().contains("5,478 positions"));
    assert!(bench.get("/solved").text().contains(&link));
    let outlook = bench.get("/new/solve?game=tic_tac_toe&part=outlook").text();
    assert_eq!(outlook, "The game has 5,478 positions and is solved in a moment.");
    assert_eq!(bench.get("/new/solve?game=zz&part=outlook").text(), "", "the form says it");
}

#[test]
fn a_damaged_or_foreign_file_is_refused() {
    let bench = with_solution("tic_tac_toe");
    let whole = fs::read(bench.workspace().join("four.tgs")).unwrap();
    fs::write(bench.workspace().join("half.tgs"), &whole[..whole.len() / 2]).unwrap();
    fs::write(bench.workspace().join("text.tgs"), "a text").unwrap();
    fs::write(bench.home().join("outside.tgs"), &whole).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../outside.tgs", bench.workspace().join("link.tgs")).unwrap();
    for (file, status) in [
        ("half.tgs", 400),
        ("text.tgs", 400),
        ("link.tgs", 404),
        ("none.tgs", 404),
        ("..%2Foutside.tgs", 404),
        ("a/../four.tgs", 404),
    ] {
        for path in [format!("/solved/{file}"), format!("/solved/{file}/landscape")] {
            let answer = bench.get(&path);
            assert_eq!(answer.status, status, "{path}: {}", answer.text());
            assert!(!answer.text().contains(bench.home().to_str().unwrap()), "{path}");
        }
    }
    let list = bench.get("/solved").text();
    assert!(list.contains("half.tgs") && list.contains("class=\"problem\""), "{list}");
}

#[test]
fn a_page_of_a_puzzle_has_no_solution_before_it_is_earned() {
    let (bench, run) = with_puzzles();
    let report = bench.get(&format!("/runs/{run}.json")).json();
    let puzzles = report["puzzles"].as_array().unwrap();
    let list = bench.get(&format!("/puzzles/{run}")).text();
    for puzzle in puzzles {
        let path = format!("/puzzles/{run}/{}", puzzle["number"]);
        let line: Vec<&str> =
            puzzle["main_line"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
        let page = bench.get(&path).text();
        for text in [&page, &list, &bench.get(&format!("{path}.json")).text()] {
            assert!(!text.contains(&line.join(" ")), "{text}");
            assert!(!text.contains("is the right move") && !text.contains("Hint:"), "{text}");
        }
        let hint = bench.get(&format!("{path}?hint=2")).text();
        assert!(hint.contains(&format!("Hint: {}.", line[0])), "{hint}");
        let shown = bench.get(&format!("{path}?show=solution")).text();
        let solution = shown.split("id=\"solution\"").nth(1).unwrap();
        assert_eq!(solution.split("</ol>").next().unwrap().matches("<li>").count(), line.len());
        // Played to the end, with the longest defences of the page.
        let mut moves = String::new();
        for n in 0..line.len() {
            let hint = bench.get(&format!("{path}?moves={}&hint=2", encoded(&moves))).text();
            if !hint.contains("Hint: ") {
                break;
            }
            let best = hint.split("Hint: ").nth(1).unwrap().split(".<").next().unwrap();
            let part = format!("{path}?part=problem&moves={}", encoded(&format!("{moves} {best}")));
            let after = bench.get(&part).text();
            moves = after.split("data-moves=\"").nth(1).unwrap().split('"').next().unwrap().into();
            assert!(moves.split(' ').count() > n, "{moves}");
        }
        let end = bench.get(&format!("{path}?moves={}", encoded(&moves))).text();
        assert!(end.contains("data-judgement=\"solved\""), "{moves}: {end}");
        assert_eq!(moves.split(' ').count(), line.len(), "the quickest win");
    }
    let page = bench.get(&format!("/puzzles/{run}/1")).text();
    assert!(page.contains("<summary>Rules</summary>"), "{page}");
    let shown = bench.shown_command(&page);
    let data = bench.get(&format!("/puzzles/{run}/1.json")).json();
    assert_eq!(serde_json::from_slice::<Value>(&shown.stdout).unwrap(), data);
    let shown = bench.shown_command(&list);
    let data = bench.get(&format!("/puzzles/{run}.json")).json();
    assert_eq!(serde_json::from_slice::<Value>(&shown.stdout).unwrap(), data);
}

#[test]
fn slower_and_wrong_moves_are_told_apart() {
    let (bench, run) = with_puzzles();
    let report = bench.get(&format!("/runs/{run}.json")).json();
    let mut kinds = [0; 2];
    for puzzle in report["puzzles"].as_array().unwrap() {
        let path = format!("/puzzles/{run}/{}", puzzle["number"]);
        let positions = &puzzle["solution"]["positions"];
        let mut open = vec![(0, String::new())];
        for _ in 0..40 {
            let Some((id, line)) = open.pop() else { break };
            let here = &positions[id];
            for step in here["moves"].as_array().unwrap() {
                let m = step["move"].as_str().unwrap();
                open.push((step["then"].as_u64().unwrap() as usize, format!("{line} {m}")));
            }
            let judged = [("slower", "slower"), ("missteps", "wrong")];
            for (n, (list, judgement)) in judged.iter().enumerate() {
                for other in here[list].as_array().into_iter().flatten() {
                    kinds[n] += 1;
                    let moves = format!("{line} {}", other["move"].as_str().unwrap());
                    let page = bench.get(&format!("{path}?moves={}", encoded(&moves))).text();
                    assert!(page.contains(&format!("data-judgement=\"{judgement}\"")), "{page}");
                    assert!(page.contains("name=\"retry\""));
                    // The board is still.
                    assert!(!page.contains("data-move=") && !page.contains("can move"), "{page}");
                    let after = format!("{path}?moves={}", encoded(&format!("{moves} b2")));
                    assert_eq!(bench.get(&after).status, 400, "the try has ended");
                    if *list == "slower" {
                        let of = |value: &Value| value.as_u64().unwrap();
                        let more = of(&other["plies"]) - of(&here["remoteness"]);
                        assert!(page.contains(&format!("but {more} pl")), "{page}");
                    }
                }
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 0), "{kinds:?}");
    for (path, status) in [
        ("/puzzles/none", 404),
        (&*format!("/puzzles/{run}/99"), 404),
        (&*format!("/puzzles/{run}/0"), 404),
        (&*format!("/puzzles/{run}/1?moves=zz"), 400),
    ] {
        assert_eq!(bench.get(path).status, status, "{path}");
    }
    let other = bench.start(&json!({"command": "solve", "game": "tic_tac_toe"}));
    bench.wait(&other, "done");
    assert_eq!(bench.get(&format!("/puzzles/{other}")).status, 404);
}

#[test]
fn worksheets_and_practice_files_have_the_chosen_puzzles() {
    let (bench, run) = with_puzzles();
    let sheet = |query: &str| bench.get(&format!("/puzzles/{run}/worksheet{query}")).text();
    assert_eq!(sheet("?n=2&n=3").matches("<h2>Puzzle ").count(), 2);
    assert!(!sheet("").contains("Solutions</h1>") && sheet("?answers=true").contains("Solutions"));
    let practice = bench.get(&format!("/puzzles/{run}/practice.html?n=1&n=2"));
    assert_eq!(practice.status, 200, "{}", practice.text());
    assert!(practice.body.len() < 2_000_000);
    assert!(practice.header("content-disposition").unwrap().starts_with("attachment"));
    // The command line writes the same file, of all puzzles.
    bench.program(&["puzzles", "achi", "--mate-in", "2..", "--top", "2", "--practice", "all.html"]);
    let all = bench.get(&format!("/puzzles/{run}/practice.html")).text();
    assert_eq!(fs::read_to_string(bench.workspace().join("all.html")).unwrap(), all);
}

#[test]
fn puzzles_from_play_are_solved_without_a_solution() {
    let bench = Bench::new(&[]);
    let task = json!({
        "command": "puzzles", "source": "connect_four(cols=5,rows=4)", "from_play": true,
        "games": "20", "iterations": "30", "plies": "5", "mate_in": "3",
    });
    let run = bench.start(&task);
    bench.wait(&run, "done");
    let report = bench.get(&format!("/runs/{run}.json")).json();
    let puzzle = &report["puzzles"][0];
    let path = format!("/puzzles/{run}/1");
    let page = |moves: &str| bench.get(&format!("{path}?moves={}", encoded(moves))).text();
    assert!(page("").contains("wins in 3 moves"));
    let line: Vec<&str> =
        puzzle["main_line"].as_array().unwrap().iter().map(|m| m.as_str().unwrap()).collect();
    assert!(page(&line.join(" ")).contains("data-judgement=\"solved\""), "{line:?}");
    let root = &puzzle["solution"]["positions"][0];
    let unknown = root["missteps"].as_array().unwrap().iter().find(|m| m["value"].is_null());
    let wrong = page(unknown.expect("a move that is not quick")["move"].as_str().unwrap());
    assert!(wrong.contains("data-judgement=\"wrong\""), "{wrong}");
    assert!(wrong.contains("gives the quick win away"), "{wrong}");
    let practice = bench.get(&format!("/puzzles/{run}/practice.html"));
    assert_eq!(practice.status, 200, "{}", practice.text());
    let command = [
        "puzzles",
        "connect_four(cols=5,rows=4)",
        "--from-play",
        "--games",
        "20",
        "--iterations",
        "30",
        "--plies",
        "5",
        "--mate-in",
        "3",
        "--practice",
        "all.html",
    ];
    bench.program(&command);
    let written = fs::read_to_string(bench.workspace().join("all.html")).unwrap();
    assert_eq!(written, practice.text());
}

#[test]
fn attempts_are_kept_as_a_table() {
    let bench = Bench::new(&[]);
    let table = bench.workspace().join(".treegauge/attempts.csv");
    let attempt = |solver: &str| {
        json!({"problem": "a/1", "solver": solver, "result": "solved", "tries": 2, "seconds": 40,
            "hints": 0})
    };
    assert_eq!(bench.post("/api/attempts", &attempt("Ann")).status, 201);
    assert_eq!(bench.post("/api/attempts", &attempt("=1+1,\n\"B\"")).status, 201);
    let text = fs::read_to_string(&table).unwrap();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows[0], "time,problem,solver,result,tries,seconds,hints");
    assert!(rows[1].ends_with(",a/1,Ann,solved,2,40,0"), "{text}");
    assert!(rows[2].ends_with(",a/1,\"'=1+1, \"\"B\"\"\",solved,2,40,0"), "{text}");
    for (field, value) in [
        ("tries", json!(-1)),
        ("seconds", json!("many")),
        ("result", json!("won")),
        ("problem", json!("")),
        ("solver", json!("x".repeat(101))),
    ] {
        let mut wrong = attempt("Ann");
        wrong[field] = value;
        assert_eq!(bench.post("/api/attempts", &wrong).status, 400, "{field}");
    }
    assert_eq!(fs::read_to_string(&table).unwrap(), text);
    // Nothing is written through a link.
    #[cfg(unix)]
    {
        fs::remove_file(&table).unwrap();
        fs::write(bench.home().join("canary"), "").unwrap();
        std::os::unix::fs::symlink("../../canary", &table).unwrap();
        assert_eq!(bench.post("/api/attempts", &attempt("Ann")).status, 503);
        assert_eq!(fs::read(bench.home().join("canary")).unwrap(), b"");
    }
}
