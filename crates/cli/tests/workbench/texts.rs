//! Own games: lists, checks, saves and versions.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Answer, Bench, Browser, program};

const JSON: &str = "Content-Type: application/json";

/// The text of a built-in game.
fn text_of(game: &str) -> String {
    treegauge::template(game).unwrap()
}

/// Saves a text over the one with a tag; a new one if there is no tag.
fn save(bench: &Bench, path: &str, text: &str, tag: Option<&str>) -> Answer {
    let expected = match tag {
        Some(tag) => format!("If-Match: \"{tag}\""),
        None => "If-None-Match: *".to_owned(),
    };
    let key = format!("Authorization: Bearer {}", bench.key);
    let body = json!({ "text": text }).to_string();
    bench.send("POST", &format!("/api/texts/{path}"), &[&key, JSON, &expected], &body)
}

fn tag_of(answer: &Answer) -> String {
    answer.json()["tag"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
}

fn check(bench: &Bench, text: &str, stage: &str) -> Answer {
    bench.post("/api/check", &json!({"text": text, "stage": stage, "page": "one"}))
}

#[test]
fn of_two_savers_one_wins_and_no_text_is_torn() {
    let bench = Bench::new(&[]);
    let path = bench.workspace().join("a.rules");
    let made = save(&bench, "a.rules", "start", None);
    assert_eq!(made.status, 201, "{}", made.text());
    let first = tag_of(&made);
    let texts: Vec<String> = (0..8).map(|n| format!("{n} ").repeat(20_000)).collect();
    let answers: Vec<Answer> = thread::scope(|scope| {
        let savers =
            texts.iter().map(|text| scope.spawn(|| save(&bench, "a.rules", text, Some(&first))));
        let savers: Vec<_> = savers.collect();
        savers.into_iter().map(|saver| saver.join().unwrap()).collect()
    });
    let won: Vec<usize> = (0..8).filter(|&n| answers[n].status == 200).collect();
    assert_eq!(won.len(), 1, "one of eight wins");
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 409)));
    assert_eq!(fs::read_to_string(&path).unwrap(), texts[won[0]]);

    // The loser learns the other text, and the difference.
    let stale = save(&bench, "a.rules", "late", Some(&first));
    let told = stale.json();
    assert_eq!((stale.status, &told["text"]), (409, &json!(texts[won[0]])));
    assert!(told["html"].as_str().unwrap().contains("<ins>late</ins>"), "{told}");
    assert_eq!(fs::read_to_string(&path).unwrap(), texts[won[0]], "the file is unchanged");
    let tag = told["tag"].as_str().unwrap();
    assert_eq!(save(&bench, "a.rules", "late", Some(tag)).status, 200);

    // Another program changes or removes the file.
    let seen = tag_of(&save(&bench, "b.rules", "mine", None));
    fs::write(bench.workspace().join("b.rules"), "theirs").unwrap();
    let stale = save(&bench, "b.rules", "mine 2", Some(&seen));
    assert_eq!((stale.status, &stale.json()["text"]), (409, &json!("theirs")));
    fs::remove_file(bench.workspace().join("b.rules")).unwrap();
    let gone = save(&bench, "b.rules", "mine 2", Some(&seen));
    assert_eq!((gone.status, &gone.json()["tag"]), (409, &json!(null)));
    assert!(gone.json()["error"].as_str().unwrap().contains("removed"));
    assert_eq!(save(&bench, "b.rules", "mine 2", None).status, 201);
    assert_eq!(save(&bench, "b.rules", "mine 3", None).status, 409, "there is a file");
    let careless = bench.post("/api/texts/b.rules", &json!({"text": "mine 3"}));
    assert_eq!(careless.status, 428, "a save names the text that it replaces");
}

#[test]
fn a_page_and_a_check_name_mistakes_with_their_places() {
    let bench = Bench::new(&[]);
    let text = text_of("breakthrough").replacen("(step man forward)", "(step man foward)", 1);
    let tag = tag_of(&save(&bench, "my.rules", &text, None));
    let page = bench.get("/texts/my.rules");
    assert_eq!(page.header("etag"), Some(&*format!("\"{tag}\"")));
    let page = page.text();
    let place = "<li data-line=\"6\" data-column=\"23\" data-length=\"6\">";
    assert!(page.contains(place) && page.contains("data-replace=\"forward\""), "{page}");

    let checked = check(&bench, &text, "mistakes").json();
    let error = &checked["errors"][0];
    assert_eq!(
        (&error["line"], &error["column"], &error["length"], &error["nearest"]),
        (&json!(6), &json!(23), &json!(6), &json!("forward"))
    );
    assert!(checked["game"].is_null() && checked["problems"].as_str().unwrap().contains(place));
    let unknown = check(&bench, &text.replace("(none", "(nonne"), "mistakes").json();
    assert!(unknown["errors"][1]["hint"].as_str().unwrap().contains("for example"), "{unknown}");

    let whole = check(&bench, &text_of("breakthrough"), "game").json();
    let game = whole["game"].as_str().unwrap();
    for part in ["<svg", "22 moves", "200 random games", "<h3>Moves</h3>", "steps straight forward"]
    {
        assert!(game.contains(part), "{part}: {game}");
    }
    let formatted = check(&bench, "(game  \"A\"\n(board   (grid 3 3)))", "format").json();
    assert_eq!(formatted["formatted"], "(game \"A\"\n  (board (grid 3 3)))\n");
    assert!(check(&bench, "(game", "format").json()["formatted"].is_null());
    assert_eq!(check(&bench, "", "other").status, 400);
}

#[test]
fn the_data_of_a_text_are_those_of_its_command() {
    let bench = Bench::new(&[]);
    for (name, text) in
        [("good.rules", text_of("achi")), ("bad.rules", text_of("achi").replace("step", "stepp"))]
    {
        save(&bench, name, &text, None);
        let page = bench.get(&format!("/texts/{name}")).text();
        let printed = String::from_utf8(bench.shown_command(&page).stdout).unwrap();
        assert_eq!(bench.get(&format!("/texts/{name}.json")).text(), printed, "{name}");
    }
    let listed = bench.get("/texts.json").json();
    let row = |n: usize| (&listed["texts"][n]["path"], &listed["texts"][n]["errors"]);
    assert_eq!((row(0).0, row(1)), (&json!("bad.rules"), (&json!("good.rules"), &json!(0))));
    assert!(listed["texts"][0]["errors"].as_u64().unwrap() > 0);
    let words = listed["words"].as_array().unwrap();
    assert!(words.iter().any(|word| word["pattern"] == "(next SET [DIRECTION])"));
    let page = bench.get("/texts").text();
    assert!(page.contains("href=\"/texts/good.rules\"") && page.contains("mistake"), "{page}");
}

#[test]
fn a_game_begins_with_the_text_of_a_built_in_one() {
    let bench = Bench::new(&[]);
    let page = bench.get("/texts").text();
    for template in treegauge::templates().games {
        let game = template.game.replace('&', "&amp;");
        assert!(page.contains(&format!("<option value=\"{game}\"")), "{game}");
    }
    for (name, from, text) in [
        ("one.rules", "breakthrough", text_of("breakthrough")),
        ("two", "mnk(rows=6,cols=7,k=4)", text_of("mnk(rows=6,cols=7,k=4)")),
    ] {
        let made = bench.post("/api/texts", &json!({"name": name, "from": from}));
        assert_eq!(made.status, 201, "{}", made.text());
        let file = made.json()["file"].as_str().unwrap().to_owned();
        assert_eq!(fs::read_to_string(bench.workspace().join(&file)).unwrap(), text);
        assert_eq!(bench.get(made.json()["href"].as_str().unwrap()).status, 200);
    }
    for (name, from, status) in [
        ("one.rules", "achi", 409),
        ("../x.rules", "achi", 400),
        ("", "achi", 400),
        ("x.rules", "conect_four", 400),
        ("x.rules", "finger_game", 400),
        ("x.rules", "one.rules", 400),
        ("x.rules", "", 400),
    ] {
        let refused = bench.post("/api/texts", &json!({"name": name, "from": from}));
        assert_eq!(refused.status, status, "{name}, {from}: {}", refused.text());
    }
    assert_eq!(bench.get("/texts.json").json()["texts"].as_array().unwrap().len(), 2);
}

#[test]
fn earlier_versions_are_listed_compared_and_opened() {
    let bench = Bench::new(&[]);
    let old = text_of("breakthrough");
    let new = old.replace("(grid 8 8)", "(grid 6 6)");
    let first = tag_of(&save(&bench, "my.rules", &old, None));
    save(&bench, "my.rules", &new, Some(&first));
    let page = bench.get("/texts/my.rules").text();
    assert!(page.contains("Earlier versions (2)") && page.contains("?compare=1"), "{page}");
    let compared = bench.get("/texts/my.rules?compare=1").text();
    assert!(compared.contains("<del>8 8</del>") || compared.contains("<del>8</del>"), "{compared}");
    assert!(compared.contains("lines</td>") || compared.contains("the same"), "{compared}");
    assert!(bench.get("/texts/my.rules?version=1").text().contains("(grid 8 8)"));
    for wrong in ["?version=9", "?compare=0", "?compare=x", "?version=-1"] {
        assert_eq!(bench.get(&format!("/texts/my.rules{wrong}")).status, 404, "{wrong}");
    }

    // Both are gauged as they were saved, by their digests.
    let link = page.split("href=\"/new/compare?").nth(1).unwrap().split('"').next().unwrap();
    let form = bench.get(&format!("/new/compare.json?{}", link.replace("&amp;", "&"))).json();
    let names = form["task"]["names"].as_array().unwrap();
    assert_eq!(names.len(), 2, "{form}");
    assert!(
        names[0]
            .as_str()
            .unwrap()
            .starts_with("rules(file=.treegauge/versions/my.rules/1.rules,digest=")
    );
    let task = json!({"command": "compare", "names": names, "games": 4, "iterations": 20,
        "solve_limit": 0, "skill_games": 0});
    let id = bench.start(&task);
    bench.wait(&id, "done");
    assert_eq!(bench.get(&format!("/runs/{id}")).status, 200);

    // A text that is gone tells where its last version is.
    fs::remove_file(bench.workspace().join("my.rules")).unwrap();
    let gone = bench.get("/texts/my.rules");
    assert!(gone.status == 404 && gone.text().contains(".treegauge/versions/my.rules/2.rules"));
    assert_eq!(bench.get("/files/.treegauge/versions/my.rules/2.rules").text(), new);
    assert_eq!(bench.get("/files/.treegauge/versions/../settings").status, 404);
}

#[test]
fn a_text_that_cannot_be_shown_says_why() {
    let bench = Bench::new(&[]);
    let write = |name: &str, bytes: &[u8]| fs::write(bench.workspace().join(name), bytes).unwrap();
    write("latin.rules", b"(game \"\xe9\")");
    write("nul.rules", b"(game \0)");
    write("bell.rules", b"(game \"\x07\")");
    write("large.rules", &vec![b' '; 1_000_000]);
    write("table.csv", b"a,b\n");
    for (name, status, words) in [
        ("latin.rules", 422, "line 1"),
        ("nul.rules", 422, "line 1"),
        ("bell.rules", 422, "control character"),
        ("large.rules", 413, "1.0 MB"),
        ("table.csv", 422, "not the text of a game"),
        ("none.rules", 404, "no text"),
    ] {
        let page = bench.get(&format!("/texts/{name}"));
        assert_eq!(page.status, status, "{name}: {}", page.text());
        assert!(page.text().contains(words), "{name}: {}", page.text());
    }
    let listed = bench.get("/texts").text();
    assert!(listed.contains("control character") && listed.contains("large.rules"), "{listed}");
    let long = "x".repeat(1_000_000);
    assert_eq!(check(&bench, &long, "mistakes").status, 413);
    assert_eq!(check(&bench, &long[..70_000], "mistakes").status, 413);
    assert_eq!(save(&bench, "a.rules", &long[..70_000], None).status, 413);
    assert_eq!(save(&bench, "a.rules", "a\u{7}", None).status, 400);
    assert_eq!(check(&bench, "a\u{0}b", "game").status, 400);
    assert!(!bench.workspace().join("a.rules").exists());

    // A file keeps its line ends.
    write("dos.rules", b"(game\r\n\"A\")\r\n");
    let tag = bench.get("/texts/dos.rules").header("etag").unwrap().trim_matches('"').to_owned();
    assert_eq!(save(&bench, "dos.rules", "(game\n\"B\")\n", Some(&tag)).status, 200);
    assert_eq!(fs::read(bench.workspace().join("dos.rules")).unwrap(), b"(game\r\n\"B\")\r\n");
}

#[test]
fn hostile_names_and_texts_are_text() {
    let bench = Bench::new(&[]);
    let evil = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    let text = text_of("achi").replacen("\"Achi\"", &format!("\"{evil}\""), 1);
    let mut text = text.replacen("(board", &format!("(about \"</textarea>{evil}\") (board"), 1);
    text.push_str(&format!("; {evil}\n"));
    let name = "<img src=x onerror=alert(3)>.rules";
    fs::write(bench.workspace().join(name), &text).unwrap();
    let link = "/texts/%3Cimg%20src%3Dx%20onerror%3Dalert%283%29%3E.rules";
    let bad = text.replace("step", evil);
    fs::write(bench.workspace().join("bad.rules"), &bad).unwrap();
    for path in ["/texts", link, "/texts/bad.rules", "/files"] {
        let page = bench.get(path);
        assert_eq!(page.status, 200, "{path}");
        let page = page.text();
        assert!(!page.contains("<script>") && !page.contains("<img"), "{path}: {page}");
        assert_eq!(
            page.matches("</textarea>").count(),
            page.matches("<textarea").count(),
            "{path}"
        );
    }
    for stage in ["mistakes", "game"] {
        for text in [&text, &bad] {
            let checked = check(&bench, text, stage).json();
            for part in ["problems", "game"] {
                let html = checked[part].as_str().unwrap_or_default();
                assert!(!html.contains("<script") && !html.contains("<img"), "{html}");
            }
        }
    }
}

#[test]
fn names_of_texts_do_not_lead_out() {
    let bench = Bench::new(&[]);
    fs::write(bench.home().join("canary.rules"), "(game \"canary-77\")").unwrap();
    std::os::unix::fs::symlink("../canary.rules", bench.workspace().join("link.rules")).unwrap();
    fs::create_dir_all(bench.workspace().join("runs")).unwrap();
    let absolute = bench.home().join("canary.rules").display().to_string().replace('/', "%2F");
    for name in [
        "..%2Fcanary.rules",
        "../canary.rules",
        "%2e%2e/canary.rules",
        "link.rules",
        &absolute,
        "a/../../canary.rules",
        "%2Fetc%2Fpasswd",
        ".treegauge/x.rules",
        "a%00.rules",
        "a%5Cb.rules",
        ".hidden.rules",
        "C:%5Ca.rules",
        "runs/x.rules",
        "-o.rules/",
        "none/x.rules",
        "x.txt",
    ] {
        for path in [
            format!("/texts/{name}"),
            format!("/texts/{name}.json"),
            format!("/texts/{name}?version=1"),
        ] {
            let page = bench.get(&path);
            assert!(matches!(page.status, 400 | 404), "{path}: {}", page.status);
            assert!(!page.text().contains("canary-77"), "{path}");
        }
        let saved = save(&bench, name, "(game)", None);
        assert!(matches!(saved.status, 400 | 404 | 405 | 409), "{name}: {}", saved.status);
    }
    let compared = bench.post("/api/differences", &json!({"file": "../canary.rules", "text": ""}));
    assert_eq!(compared.status, 404);
    assert_eq!(fs::read_dir(bench.home()).unwrap().count(), 3, "nothing was made outside");
    assert_eq!(
        fs::read_to_string(bench.home().join("canary.rules")).unwrap(),
        "(game \"canary-77\")"
    );
}

#[test]
fn a_form_saves_without_scripts() {
    let bench = Bench::new(&[]);
    let Browser { cookie, token } = bench.browser();
    let tag = tag_of(&save(&bench, "a.rules", "one", None));
    let cookie = format!("Cookie: {cookie}");
    let form = "Content-Type: application/x-www-form-urlencoded";
    let own = format!("Origin: http://127.0.0.1:{}", bench.port);
    let send = |origin: &str, site: &str, token: &str, tag: &str, text: &str| {
        let body = format!("token={token}&tag={tag}&text={text}");
        bench.send("POST", "/api/texts/a.rules", &[&cookie, form, origin, site], &body)
    };
    let (same, other) = ("Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: cross-site");
    for (origin, site, token) in [
        (&*own, same, "00"),
        (&*own, other, &*token),
        ("Origin: http://evil.example", same, &*token),
        ("Origin: null", other, &*token),
        ("Origin: null", "X: y", &*token),
        ("X: z", same, &*token),
    ] {
        assert_eq!(send(origin, site, token, &tag, "evil").status, 403, "{origin}, {site}");
    }
    // A form does not get around the checks of other changes.
    let body = format!("token={token}");
    let started = bench.send("POST", "/api/runs", &[&cookie, form, &own, same], &body);
    assert_eq!(started.status, 403);
    // A browser hides the origin of a form on a page without referrer.
    let saved = send("Origin: null", same, &token, &tag, "one%0D%0Atwo");
    assert_eq!((saved.status, saved.header("location")), (303, Some("/texts/a.rules")));
    assert_eq!(fs::read_to_string(bench.workspace().join("a.rules")).unwrap(), "one\ntwo");
    // Somebody has saved meanwhile: the page shows both, and keeps the writer's text.
    let stale = send(&own, same, &token, &tag, "three");
    let page = stale.text();
    assert!(
        stale.status == 409
            && page.contains("<ins>three</ins>")
            && page.contains("\nthree</textarea>"),
        "{page}"
    );
    assert_eq!(fs::read_to_string(bench.workspace().join("a.rules")).unwrap(), "one\ntwo");
    let body = format!("token={token}&name=new&from=achi");
    let made = bench.send("POST", "/api/texts", &[&cookie, form, &own, same], &body);
    assert_eq!((made.status, made.header("location")), (303, Some("/texts/new.rules")));
}

#[test]
fn a_text_that_takes_for_ever_is_given_up_and_the_next_check_works() {
    let bench = Bench::new(&[]);
    // Each ply looks for connections from every site.
    let all = "(connects everywhere (side n) (side s))";
    let slow = format!(
        "(game \"Slow\" (board (grid 22 22)) (play (seq (place) (place) (only-if (and {}))))\n (end (if {all} (win mover))))",
        [all; 60].join(" ")
    );
    let begun = Instant::now();
    let answer = check(&bench, &slow, "game");
    assert!(matches!(answer.status, 200 | 503), "{}", answer.text());
    assert!(begun.elapsed() < Duration::from_secs(20));
    let quick = check(&bench, &text_of("achi"), "mistakes");
    assert_eq!(quick.status, 200);
    // A list with such a text is a list all the same.
    fs::write(bench.workspace().join("slow.rules"), &slow).unwrap();
    assert!(bench.get("/texts").text().contains("slow.rules"));
}

#[test]
fn a_newer_check_of_a_page_ends_the_older() {
    let bench = Bench::new(&[]);
    let text = text_of("othello");
    let answers: Vec<u16> = thread::scope(|scope| {
        let checks = (0..12).map(|_| scope.spawn(|| check(&bench, &text, "game").status));
        let checks: Vec<_> = checks.collect();
        checks.into_iter().map(|check| check.join().unwrap()).collect()
    });
    assert!(
        answers.contains(&200) && answers.iter().all(|status| matches!(status, 200 | 409)),
        "{answers:?}"
    );
    let other = bench.post("/api/check", &json!({"text": text, "stage": "game", "page": "two"}));
    assert_eq!(other.status, 200);
}

#[test]
fn the_command_line_says_where_a_word_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let text = text_of("breakthrough").replacen("(step man forward)", "(step man foward)", 1);
    fs::write(folder.path().join("my.rules"), text).unwrap();
    let mut command = std::process::Command::new(program());
    let ran = command.args(["check", "--json", "my.rules"]).current_dir(folder.path()).output();
    let report: Value = serde_json::from_slice(&ran.unwrap().stdout).unwrap();
    assert_eq!(report["errors"][0]["length"], 6);
}
