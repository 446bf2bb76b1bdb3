//! Chess problems: pasted texts, lists of rated problems, solving, and engines that fail.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::bench::{Bench, wait_for};

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
/// Scholar's mate.
const SCHOLAR: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
const EVIL: &str = "<img src=x onerror=alert(1)>";

fn testdata(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    root.canonicalize().unwrap().join(name).display().to_string()
}

/// The first puzzles of the sample of the Lichess database.
fn sample(count: usize) -> String {
    let text = fs::read_to_string(testdata("lichess_puzzles.csv")).unwrap();
    text.lines().take(3 + count).fold(String::new(), |text, line| text + line + "\n")
}

/// A task that is fast.
fn task(file: &str) -> Value {
    json!({"command": "difficulty", "file": file, "depth": 5, "nodes_max": 12})
}

fn rated(bench: &Bench, file: &str, text: &str) -> String {
    assert_eq!(bench.upload(file, text).status, 201);
    let id = bench.start(&task(file));
    bench.wait(&id, "done");
    id
}

fn solved_text(page: &str) -> String {
    page.split("data-said").nth(1).unwrap().split("</p>").next().unwrap().to_owned()
}

#[test]
fn pasted_problems_are_shown_as_they_are_understood() {
    let bench = Bench::new(&[]);
    let text = format!(
        "{BACK_RANK}\n{SCHOLAR}\n# a comment\nnonsense\n{BACK_RANK}; bm Rd8#; id \"{EVIL}\";\n"
    );
    let read = bench.post("/api/problems", &json!({"text": text}));
    assert_eq!(read.status, 200, "{}", read.text());
    let read = read.json();
    assert_eq!(read["kind"], "read_problems");
    let lines: Vec<_> =
        read["problems"].as_array().unwrap().iter().map(|row| &row["line"]).collect();
    assert_eq!(lines, [1, 2, 5]);
    assert_eq!(read["bad_rows"][0]["line"], 4);
    let html = read["html"].as_str().unwrap();
    assert!(html.contains("data-line=\"4\"") && html.contains("Line 4: "), "{html}");
    assert!(html.contains("&lt;img") && !html.contains("<img"), "{html}");

    let pgn = format!(
        "[Event \"{EVIL}\"]\n[SetUp \"1\"]\n[FEN \"{SCHOLAR}\"]\n\n1. Qh3 {{no}} (1. Qxf7#) d5 2. Qh4 *\n\n\
         [Event \"a game\"]\n\n1. e4 e5 1/2-1/2\n"
    );
    let read = bench.post("/api/problems", &json!({"text": pgn})).json();
    assert_eq!(
        (&read["ending"], &read["problems"][0]["solution"]),
        (&json!("pgn"), &json!(["Qh3", "d5", "Qh4"]))
    );
    assert_eq!(read["bad_rows"][0]["line"], 7, "{read}");
    for (text, status) in [("", 422), ("{}", 422), ("x,y\n", 422), (&*"k".repeat(600_000), 400)] {
        let refused = bench.post("/api/problems", &json!({"text": text}));
        assert_eq!(refused.status, status, "{}", refused.text());
        assert!(!refused.json()["error"].as_str().unwrap().is_empty());
    }

    // Without scripts a form saves the text, and leads to the page that shows how it is understood.
    let browser = bench.browser();
    let send = |fields: &str| {
        let head = [
            &*format!("Cookie: {}", browser.cookie),
            &format!("Origin: http://127.0.0.1:{}", bench.port),
            "Content-Type: application/x-www-form-urlencoded",
        ];
        bench.send("POST", "/api/problems", &head, fields)
    };
    let text = format!("{BACK_RANK}%0Anonsense").replace(' ', "+");
    assert_eq!(send(&format!("text={text}")).status, 403, "the value of the page is missing");
    let saved = send(&format!("token={}&text={text}", browser.token));
    assert_eq!((saved.status, saved.header("location")), (303, Some("/chess?file=problems.epd")));
    let again = send(&format!("token={}&text={text}", browser.token));
    assert_eq!(again.header("location"), Some("/chess?file=problems-2.epd"));
    assert_eq!(send(&format!("token={}&text={text}&name=../x", browser.token)).status, 400);
    assert_eq!(send(&format!("token={}&text={text}&name=problems.epd", browser.token)).status, 409);
    let page = bench.get("/chess?file=problems.epd").text();
    assert!(page.contains("Line 2: ") && page.contains(BACK_RANK), "{page}");
    assert!(page.contains("treegauge difficulty --json -- problems.epd"), "{page}");
    let data = bench.get("/chess.json?file=problems.epd").json();
    assert_eq!(data["task"], json!({"command": "difficulty", "file": "problems.epd"}));
    assert_eq!(data["read"]["problems"][0]["line"], 1);
    for file in ["/etc/passwd", "../x", "absent.epd", "%3Cimg%3E"] {
        let page = bench.get(&format!("/chess?file={file}"));
        assert!(page.status == 404 || page.text().contains("class=\"problem\""), "{file}");
        assert!(!page.text().contains("<img"), "{file}");
    }
}

#[test]
fn a_run_has_a_list_of_rated_problems() {
    let bench = Bench::new(&[]);
    let id = rated(&bench, "puzzles.csv", &sample(8));
    let list = format!("/chess/{id}");
    let page = bench.get(&list);
    assert_eq!(page.status, 200, "{}", page.text());
    let page = page.text();
    let printed = String::from_utf8(bench.shown_command(&page).stdout).unwrap();
    let data = bench.get(&format!("{list}.json")).text();
    assert_eq!(printed, data);
    let report: Value = serde_json::from_str(&data).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 8);
    assert_eq!(rows[0]["themes"][0], "crushing");
    // The moves that people play give the solution away.
    let choice = &rows[0]["people"][0];
    let words = format!("people rated 1500: {} ", choice["solution"].as_str().unwrap());
    let problem = |query: &str| bench.get(&format!("{list}/1{query}")).text();
    assert!(problem("?show=solution").contains(&words), "{words}");
    assert!(!problem("").contains("people rated"));

    let numbers = |query: &str| -> Vec<usize> {
        let page = bench.get(&format!("{list}?{query}")).text();
        let problems = page.split("data-problem=\"").skip(1);
        problems.map(|part| part.split('"').next().unwrap().parse().unwrap()).collect()
    };
    let rating = |n: &usize| rows[n - 1]["difficulty"]["rating"].as_f64().unwrap();
    let easiest = numbers("");
    assert!(easiest.len() == 8 && easiest.is_sorted_by_key(rating), "{easiest:?}");
    assert_eq!(numbers("sort=hardest"), easiest.iter().rev().copied().collect::<Vec<_>>());
    assert_eq!(numbers("sort=file"), [1, 2, 3, 4, 5, 6, 7, 8]);
    let near = numbers("near=1500");
    assert!(near.is_sorted_by_key(|n| (rating(n) - 1500.0).abs()), "{near:?}");
    let has =
        |n: &usize, theme: &str| rows[n - 1]["themes"].as_array().unwrap().contains(&theme.into());
    let mates = numbers("theme=mate&sort=file");
    assert_eq!(mates, (1..=8).filter(|n| has(n, "mate")).collect::<Vec<_>>());
    assert_eq!(numbers("text=9eZCm"), [1]);
    let hard = numbers("class=hard&sort=file");
    assert_eq!(
        hard,
        (1..=8).filter(|n| rows[n - 1]["difficulty"]["class"] == "hard").collect::<Vec<_>>()
    );
    assert_eq!(numbers("class=unrated"), [0; 0]);
    assert!(page.contains("(80% interval") || page.contains(" to "), "{page}");
    let sheet = bench.get(&format!("{list}?sheet=problems&theme=mate")).text();
    // Each has two lines to write on.
    assert_eq!(sheet.matches("class=\"answer\"").count(), 2 * mates.len());
    // Nothing beside a diagram tells how difficult it is.
    let tells = [", easy<", ", medium<", ", hard<"];
    assert!(
        !sheet.contains("Solutions") && !tells.iter().any(|word| sheet.contains(word)),
        "{sheet}"
    );
    let sheet = bench.get(&format!("{list}?sheet=answers&sort=file")).text();
    assert!(sheet.contains(" 1. Kc4 fxe4 2. fxe4 Kg4 3. Kd5<span"), "{sheet}");
    assert!(tells.iter().any(|word| sheet.contains(word)), "{sheet}");
    let chosen = bench.get(&format!("{list}?sheet=problems&n=1&n=3")).text();
    assert_eq!(chosen.matches("class=\"answer\"").count(), 4);
    let practice = bench.get(&format!("{list}/practice.html?n=1&n=3"));
    assert_eq!(practice.status, 200, "{}", practice.text());
    assert!(practice.header("content-disposition").unwrap().contains("practice-"));
    assert!(practice.text().contains("Find the best move") && !practice.text().contains("Kc4 is"));
    let run = bench.get(&format!("/runs/{id}")).text();
    assert!(run.contains(&format!("href=\"{list}\"")), "the run leads to the list");
    for path in [
        "/chess/x",
        "/chess/2026-01-01-9-difficulty-x",
        &format!("{list}/9"),
        &format!("{list}/0"),
        &format!("{list}/01"),
    ] {
        assert_eq!(bench.get(path).status, 404, "{path}");
    }
}

#[test]
fn a_problem_keeps_its_solution_until_it_is_solved() {
    let bench = Bench::new(&[]);
    let text = format!("{BACK_RANK}\n{SCHOLAR}; pv Qxf7#; id \"scholar\";\n");
    let id = rated(&bench, "two.epd", &text);
    let at = |n: u32, query: &str| bench.get(&format!("/chess/{id}/{n}?{query}"));
    let page = at(1, "").text();
    // The move is legal, so its text is in the page; nothing says that it is right.
    for secret in ["id=\"why\"", "Why it is hard", "<b>Rd8#</b>", "id=\"solution\""] {
        assert!(!page.contains(secret), "{secret}: {page}");
    }
    assert!(!bench.get(&format!("/chess/{id}/1.json")).text().contains("Rd8"));
    assert!(bench.get(&format!("/chess/{id}/1.json?show=solution")).text().contains("Rd8#"));
    let hinted = at(1, "hint=1").text();
    assert!(solved_text(&hinted).contains("begins at d1"), "{hinted}");
    assert!(solved_text(&at(1, "hint=2").text()).contains("Rd8#"));
    let slower = at(1, "moves=Kf1").text();
    let said = solved_text(&slower);
    assert!(said.contains("Kf1 wins too, but there is a mate in 1."), "{said}");
    assert!(slower.contains("data-judgement=\"slower\""), "{said}");
    let wrong = at(2, "moves=Qg5").text();
    assert!(wrong.contains("data-judgement=\"wrong\""), "{}", solved_text(&wrong));
    // The engine answers what the run has not looked at, too.
    for m in ["Qg5", "a3", "Kd1", "Nh3"] {
        let said = solved_text(&at(2, &format!("moves={m}")).text());
        assert!(said.contains("the answer is"), "{m}: {said}");
    }
    assert!(!slower.contains("Why it is hard") && !wrong.contains("Why it is hard"));
    let solved = at(1, "moves=Rd8%23").text();
    assert!(solved.contains("data-judgement=\"solved\""), "{solved}");
    for part in
        ["Why it is hard", "First moves", "Meaningful tree", "I disagree", "class=\"waterfall\""]
    {
        assert!(solved.contains(part), "{part}: {solved}");
    }
    assert!(at(2, "show=solution").text().contains("id=\"solution\""));
    let typed = at(1, "move=d1d8");
    assert_eq!(
        (typed.status, typed.header("location")),
        (303, Some(&*format!("/chess/{id}/1?moves=Rd8%23")))
    );
    let refused = at(1, "move=Rd9").text();
    assert!(refused.contains("&quot;Rd9&quot; is not a legal move"), "{refused}");
    let touched = at(1, "touch=d1&touch=d8");
    assert_eq!(touched.status, 303, "{}", touched.text());
    assert_eq!(at(1, "moves=Rd9").status, 400);

    // A rating of the reader is kept, and the last one counts.
    let note = |rating: Value| {
        bench.post(
            "/api/notes",
            &json!({"run": id, "problem": "1", "rating": rating, "note": "=too, easy"}),
        )
    };
    assert_eq!(note("900".into()).status, 201);
    assert_eq!(note(950.into()).status, 201);
    assert_eq!((note("much".into()).status, note((-1).into()).status), (400, 400));
    let csv = bench.get(&format!("/chess/{id}/notes.csv"));
    let rows: Vec<String> = csv.text().lines().map(str::to_owned).collect();
    assert!(rows.len() == 2 && rows[1].ends_with(",950,\"'=too, easy\""), "{rows:?}");
    assert!(at(1, "moves=Rd8%23").text().contains("value=\"950\""));

    let attempt = json!({"problem": format!("{id}/1"), "solver": "Ann", "result": "solved", "tries": 2, "seconds": 9, "hints": 0});
    assert_eq!(bench.post("/api/attempts", &attempt).status, 201);
    assert!(bench.get(&format!("/chess/{id}")).text().contains("✓ solved by Ann"));
}

#[test]
fn an_engine_that_fails_leaves_problems_unrated_with_the_cause() {
    let bench = Bench::new(&["--engine", &testdata("engines/dies.sh")]);
    let text = format!("[Event \"{EVIL}\"]\n[FEN \"{BACK_RANK}\"]\n*\n\n[Event \"x\"]\n*\n");
    assert_eq!(bench.upload("one.pgn", &text).status, 201);
    for field in ["engine", "engine_option", "timeout", "output"] {
        let task = json!({"command": "difficulty", "file": "one.pgn", field: "/bin/true"});
        assert_eq!(bench.post("/api/runs", &json!({"task": task})).status, 400, "{field}");
    }
    assert!(bench.children().iter().all(|(_, words)| !words.contains("difficulty")));
    let id = bench.start(&task("one.pgn"));
    let run = bench.wait(&id, "done");
    assert_eq!(run["end"]["exit"], 69, "{run}");
    let page = bench.get(&format!("/chess/{id}")).text();
    assert!(page.contains("data-unrated"), "{page}");
    let cause = "1 of 1 problem is unrated: the engine";
    assert!(page.contains(cause), "{page}");
    assert!(page.contains("1 row of the file skipped") && page.contains("&lt;img"), "{page}");
    assert!(!page.contains("<img"), "{page}");
    let problem = bench.get(&format!("/chess/{id}/1")).text();
    assert!(problem.contains("Neither the file nor the engine has a solution"), "{problem}");
    assert!(!problem.contains("<img"), "{problem}");
}

#[test]
fn a_missing_engine_is_told_before_a_run_and_after_it() {
    let bench = Bench::new(&["--engine", "nosuchengine"]);
    let words = "No chess engine was found. Install Stockfish, or start with";
    assert!(bench.get("/chess").text().contains(words));
    assert_eq!(bench.upload("one.epd", BACK_RANK).status, 201);
    let id = bench.start(&task("one.epd"));
    let run = bench.wait(&id, "failed");
    assert!(run["end"]["error"].as_str().unwrap().contains(words), "{run}");
    let page = bench.get(&format!("/chess/{id}")).text();
    assert!(page.contains(words), "{page}");
    assert!(!Bench::new(&[]).get("/chess").text().contains(words));
}

#[test]
fn a_paused_list_ends_with_the_same_bytes() {
    let bench = Bench::new(&[]);
    assert_eq!(bench.upload("puzzles.csv", &sample(12)).status, 201);
    let task = json!({"command": "difficulty", "file": "puzzles.csv", "depth": 8, "nodes_max": 20});
    let whole = bench.start(&task);
    bench.wait(&whole, "done");
    let id = bench.start(&task);
    let is_there = || {
        let run = bench.run(&id);
        let done = run["progress"]["done"].as_u64().unwrap_or(0);
        (done >= 4 || run["state"] == "done").then_some(())
    };
    wait_for(is_there, || format!("{id} makes progress: {}", bench.run(&id)));
    // Unless the machine was too fast.
    if bench.post(&format!("/api/runs/{id}/pause"), &json!({})).status == 200 {
        bench.wait(&id, "paused");
        assert_eq!(bench.get(&format!("/chess/{id}")).status, 200);
        assert_eq!(bench.post(&format!("/api/runs/{id}/resume"), &json!({})).status, 200);
    }
    bench.wait(&id, "done");
    let data = |id: &str| bench.get(&format!("/chess/{id}.json")).text();
    assert_eq!(data(&id), data(&whole));
}
