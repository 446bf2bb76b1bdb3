//! Games in progress: positions, moves by cells and by text, replies, and values of moves.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, Random, assert_within, program, signal, wait_for};

/// A text as a value of a query.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The moves of an address to which an answer leads.
fn moves_of(answer: &crate::bench::Answer) -> Option<String> {
    assert_eq!(answer.status, 303, "{}", answer.text());
    let location = answer.header("location").unwrap();
    let moves = location.split(['?', '&']).find_map(|field| field.strip_prefix("moves="))?;
    let mut text = String::new();
    let mut rest = moves.bytes();
    while let Some(byte) = rest.next() {
        text.push(match byte {
            b'+' => ' ',
            b'%' => {
                let code = [rest.next().unwrap(), rest.next().unwrap()];
                let code = u8::from_str_radix(std::str::from_utf8(&code).unwrap(), 16).unwrap();
                char::from(code)
            }
            byte => char::from(byte),
        });
    }
    Some(text)
}

/// Plays every legal move of some random positions by its cells and by its text.
fn moves_are_played(bench: &Bench, game: &str, positions: usize, random: &mut Random) {
    let path = format!("/games/{}/play", encoded(game));
    let people = "first=human&second=human";
    let page = bench.get(&path);
    assert_eq!(page.status, 200, "{game}: {}", page.text());
    let mut played: Vec<String> = Vec::new();
    for _ in 0..positions {
        let line = played.join(" ");
        let address = format!("{path}?moves={}&{people}", encoded(&line));
        let data = bench.get(&address.replace("/play?", "/play.json?"));
        assert_eq!(data.status, 200, "{game} {line}: {}", data.text());
        let data = data.json();
        let legal = data["moves"].as_array().unwrap();
        if legal.is_empty() {
            played.clear();
            continue;
        }
        let names: Vec<&str> = data["board"]["cells"]
            .as_array()
            .unwrap()
            .iter()
            .map(|cell| cell["name"].as_str().unwrap())
            .collect();
        let paths = data["board"]["moves"].as_array().unwrap();
        assert_eq!(paths.len(), legal.len(), "{game} {line}");
        // Of many moves a few are tried, or all if they are asked for.
        let is_whole = std::env::var_os("EVERY_MOVE").is_some();
        let step = if is_whole { 1 } else { legal.len().div_ceil(6) };
        for n in (random.below(step)..legal.len()).step_by(step) {
            let (text, path) = (legal[n].as_str().unwrap(), &paths[n]);
            assert_eq!(path["text"], *text, "{game} {line}");
            let after = [line.as_str(), text].join(" ").trim().to_owned();
            let typed = bench.get(&format!("{address}&move={}", encoded(text)));
            assert_eq!(moves_of(&typed).as_deref(), Some(after.as_str()), "{game}");
            let cells: Vec<&str> = path["path"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|touch| touch["role"] != "over")
                .map(|touch| names[touch["cell"].as_u64().unwrap() as usize])
                .collect();
            if cells.is_empty() {
                continue;
            }
            let touch: String =
                cells.iter().map(|name| format!("&touch={}", encoded(name))).collect();
            let touched = bench.get(&format!("{address}{touch}"));
            if touched.status == 303 {
                assert_eq!(moves_of(&touched).as_deref(), Some(after.as_str()), "{game} {cells:?}");
            } else {
                // Several moves touch these cells first: the page offers this one.
                assert_eq!(touched.status, 200, "{game} {cells:?}: {}", touched.text());
                let choices = touched.text();
                let choices =
                    choices.split("id=\"choices\"").nth(1).unwrap().split("</div>").next().unwrap();
                let offered = format!(
                    ">{}</a>",
                    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
                );
                assert!(choices.contains(&offered), "{game} {cells:?}: {choices}");
            }
        }
        for _ in 0..=random.below(4) {
            let shown =
                bench.get(&format!("{path}.json?moves={}", encoded(&played.join(" ")))).json();
            let legal = shown["moves"].as_array().unwrap();
            if legal.is_empty() {
                played.clear();
            } else {
                played.push(legal[random.below(legal.len())].as_str().unwrap().to_owned());
            }
        }
    }
}

#[test]
fn every_family_is_played_by_cells_and_by_text() {
    let bench = Bench::new(&[]);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let games = bench.get("/games.json").json();
    let families: Vec<&str> = games["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    assert!(families.len() >= 20, "{families:?}");
    for family in families {
        moves_are_played(&bench, family, 10, &mut random);
    }
}

#[test]
fn texts_are_played_by_cells_and_by_text() {
    let bench = Bench::new(&[]);
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rules");
    let mut texts: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    texts.retain(|path| path.extension().is_some_and(|ending| ending == "rules"));
    texts.sort();
    let positions = if std::env::var_os("EVERY_MOVE").is_some() { 10 } else { 4 };
    let step = (texts.len() / 20).max(1);
    let chosen: Vec<_> = texts.iter().step_by(step).take(20).collect();
    assert_eq!(chosen.len(), 20);
    for text in chosen {
        let name = text.file_name().unwrap().to_str().unwrap();
        fs::copy(text, bench.workspace().join(name)).unwrap();
        moves_are_played(&bench, name, positions, &mut random);
    }
}

/// The move that `treegauge play` answers with.
fn reply_of_the_command_line(game: &str, moves: &str, player: &str, seed: &str) -> String {
    let ran = Command::new(program())
        .args(["play", game, "--moves", moves, "--second", player, "--seed", seed])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    let reply = said.split("the second player plays ").nth(1).unwrap_or_else(|| panic!("{said}"));
    reply.split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_reply_is_that_of_the_command_line() {
    let bench = Bench::new(&[]);
    for (game, moves, player, seed) in [
        ("connect_four", "d", "uct(iterations=2000)", "1"),
        ("connect_four", "d", "random", "7"),
        ("othello", "d3", "uct(iterations=100)", "3"),
        ("isolation", "", "random", "1"),
    ] {
        if moves.is_empty() {
            continue;
        }
        let body = json!({"game": game, "moves": moves, "player": player, "seed": seed});
        let reply = bench.post("/api/reply", &body);
        assert_eq!(reply.status, 200, "{}", reply.text());
        let expected = reply_of_the_command_line(game, moves, player, seed);
        assert_eq!(reply.json()["move"], expected, "{game} {player}");
        let path = format!(
            "/games/{game}/play?moves={moves}&second={}&seed={seed}&answer=yes",
            encoded(player)
        );
        assert_eq!(moves_of(&bench.get(&path)).unwrap(), format!("{moves} {expected}"));
    }
}

#[test]
fn a_page_of_a_position_shows_its_command_and_is_complete() {
    let bench = Bench::new(&[]);
    let path = "/games/connect_four(cols=5,rows=4)/play?moves=c+c+b&hints=now&history=now";
    let page = bench.get(path).text();
    let shown = bench.shown_command(&page);
    assert!(shown.status.success());
    let expected: Value = serde_json::from_slice(&shown.stdout).unwrap();
    let data = "/games/connect_four(cols=5,rows=4)/play.json?moves=c+c+b";
    assert_eq!(bench.get(data).json(), expected);
    assert_eq!(page.matches("role=\"gridcell\"").count(), 20, "a cell each");
    assert_eq!(page.matches("<tr data-move=").count(), 5, "a hint for each move");
    // Three plies and the position, with five moves each.
    assert_eq!(page.matches("<a data-ply=").count() + page.matches(" data-ply=\"").count(), 20 + 1);
    assert!(page.contains("id=\"coach\""), "{page}");
}

#[test]
fn hints_are_those_of_search_and_of_probe() {
    let bench = Bench::new(&[]);
    let hints = |path: &str| -> Vec<(String, f64, Option<u64>)> {
        let part = bench.get(path).text();
        let rows = part.split("<tr data-move=\"").skip(1).map(|row| {
            let field = |name: &str| {
                let begin = row.split(&format!("{name}=\"")).nth(1)?;
                Some(begin.split('"').next().unwrap().to_owned())
            };
            let value = field("data-value").unwrap().parse().unwrap();
            let count = field("data-visits").or(field("data-plies"));
            (
                row.split('"').next().unwrap().to_owned(),
                value,
                count.map(|text| text.parse().unwrap()),
            )
        });
        rows.collect()
    };
    let run = |words: &[&str]| -> Value {
        let ran = Command::new(program()).args(words).current_dir(bench.workspace()).output();
        serde_json::from_slice(&ran.unwrap().stdout).unwrap()
    };
    let path = "/games/connect_four/play?moves=d+c&hints=on&part=hints&iterations=4000";
    let found = hints(path);
    let search =
        ["search", "connect_four", "--moves", "d c", "--iterations", "4000", "--solver", "--json"];
    let report = run(&search);
    assert_eq!(found.len(), 7);
    for (m, value, visits) in found {
        let row = report["moves"].as_array().unwrap().iter().find(|row| row["move"] == *m).unwrap();
        assert_eq!((&row["mean_score"], &row["visits"]), (&json!(value), &json!(visits)), "{m}");
    }
    let solved = run(&["solve", "tic_tac_toe", "-o", "tic_tac_toe.tgs", "--json"]);
    assert_eq!(solved["kind"], "solve");
    let found = hints("/games/tic_tac_toe/play?moves=a1+b1&hints=on&part=hints");
    let report = run(&["probe", "tic_tac_toe.tgs", "--moves", "a1 b1", "--json"]);
    assert_eq!(found.len(), 7);
    for (m, value, plies) in found {
        let row = report["moves"].as_array().unwrap().iter().find(|row| row["move"] == *m).unwrap();
        let expected = match row["value"].as_str().unwrap() {
            "win" => 1.0,
            "lose" => -1.0,
            _ => 0.0,
        };
        assert_eq!((expected, &row["remoteness"]), (value, &json!(plies)), "{m}: {row}");
    }
    let page = bench.get("/games/tic_tac_toe/play").text();
    assert!(page.contains("perfect(file=tic_tac_toe.tgs)"), "the solution is offered as a player");
}

#[test]
fn what_leaves_a_game_is_well_formed() {
    let bench = Bench::new(&[]);
    let get =
        |file: &str| bench.get(&format!("/games/connect_four/play/{file}?moves=d+d+c")).text();
    assert_eq!(get("moves.txt"), "d d c\n");
    for file in ["board.svg", "history.svg"] {
        let picture = get(file);
        assert!(
            picture.starts_with("<svg xmlns=") && picture.trim_end().ends_with("</svg>"),
            "{file}"
        );
        assert!(!picture.contains("href="), "{file} leads nowhere");
    }
    let table = get("values.csv");
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4 * 7, "four positions with seven moves");
    assert_eq!(rows.iter().filter(|row| &row[3] == "true").count(), 3);
}

#[test]
fn wrong_requests_about_positions_are_refused_in_words() {
    let bench = Bench::new(&[]);
    fs::write(bench.home().join("secret.tgs"), "canary").unwrap();
    for (path, words) in [
        ("/games/connect_four/play?moves=d+z", "is not a legal move"),
        ("/games/connect_four/play?seed=x", "must be a whole number"),
        ("/games/connect_four/play?second=nobody", "nobody"),
        ("/games/connect_four/play?position=x", "osition"),
        ("/games/conect_four/play", "connect_four"),
        ("/games/connect_four/tree?iterations=0", "from 1 to 2,000,000"),
        ("/games/connect_four/tree?merge=all", "merge"),
        ("/games/connect_four/tree?now=yes&node=z", "no node z"),
    ] {
        let answer = bench.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        assert!(answer.text().contains(words), "{path}: {}", answer.text());
    }
    let typed = bench.get("/games/connect_four/play?move=zz");
    assert_eq!(typed.status, 200);
    assert!(typed.text().contains("is not a legal move here"), "{}", typed.text());
    for player in
        ["perfect(file=../secret.tgs)", "alphabeta(eval=perfect(file=/etc/passwd),nodes=9)"]
    {
        let body = json!({"game": "connect_four", "moves": "d", "player": player});
        let answer = bench.post("/api/reply", &body);
        assert_eq!(answer.status, 404, "{}", answer.text());
        assert!(!answer.text().contains("canary"));
        let page = bench.get(&format!("/games/connect_four/play?second={}", encoded(player)));
        assert_eq!(page.status, 404, "{player}");
    }
    assert_eq!(bench.post("/api/reply", &json!({})).status, 400);
    assert_eq!(bench.post("/api/search", &json!({"game": "achi", "player": "random"})).status, 400);
}

#[test]
fn a_worker_that_is_killed_costs_one_answer() {
    let bench = Bench::new(&[]);
    // A search that takes seconds.
    let body = json!({"game": "othello", "player": "uct(iterations=2000000)", "page": "p"});
    let worker = std::thread::scope(|scope| {
        let search = scope.spawn(|| bench.post("/api/search", &body));
        let worker = wait_for(
            || {
                let children = bench.children();
                let worker = children.iter().find(|(_, words)| words.contains("--worker"));
                worker.map(|(pid, _)| *pid)
            },
            || "a worker works".to_owned(),
        );
        std::thread::sleep(Duration::from_millis(100));
        signal(worker, "KILL");
        let answer = search.join().unwrap();
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert!(answer.json()["error"].as_str().unwrap().contains("ended"), "{}", answer.text());
        worker
    });
    let begun = std::time::Instant::now();
    let small = json!({"game": "othello", "player": "uct(iterations=100)", "page": "p"});
    let next = bench.post("/api/search", &small);
    assert_eq!((next.status, &next.json()["iterations"]), (200, &json!(100)));
    assert_within(begun, Duration::from_secs(1));
    assert!(bench.children().iter().all(|(pid, _)| *pid != worker));
}

#[test]
fn a_newer_request_of_a_page_replaces_the_older() {
    let bench = Bench::new(&[]);
    let body = |iterations: u32| {
        let player = format!("uct(iterations={iterations})");
        json!({"game": "othello", "player": player, "page": "p"})
    };
    std::thread::scope(|scope| {
        let older = scope.spawn(|| bench.post("/api/search", &body(2_000_000)));
        wait_for(|| (!bench.children().is_empty()).then_some(()), || "a worker works".to_owned());
        std::thread::sleep(Duration::from_millis(100));
        let newer = bench.post("/api/search", &body(50));
        assert_eq!((newer.status, &newer.json()["iterations"]), (200, &json!(50)));
        let older = older.join().unwrap();
        assert_eq!(older.status, 409, "{}", older.text());
    });
    // The work of the older one ends, too.
    wait_for(
        || {
            let working = bench.children().into_iter().filter(|(pid, _)| is_working(*pid));
            (working.count() == 0).then_some(())
        },
        || "no worker works on".to_owned(),
    );
}

#[test]
fn work_ends_when_nobody_waits_for_it() {
    let bench = Bench::new(&[]);
    let body = json!({"game": "othello", "player": "uct(iterations=2000000)"}).to_string();
    let head = format!(
        "POST /api/search HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        bench.port,
        bench.key,
        body.len()
    );
    let mut stream = bench.connect();
    stream.write_all(head.as_bytes()).unwrap();
    wait_for(
        || bench.children().iter().any(|(pid, _)| is_working(*pid)).then_some(()),
        || "a worker works".to_owned(),
    );
    drop(stream);
    let end = Instant::now() + Duration::from_secs(10);
    while bench.children().iter().any(|(pid, _)| is_working(*pid)) {
        assert!(Instant::now() < end, "the worker works on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Whether a process has a thread that runs.
fn is_working(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('R'))
}
