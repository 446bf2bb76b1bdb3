//! Who may ask: addresses, sessions, origins, and the headers of answers.

use std::fs;

use serde_json::{Value, json};

use crate::bench::Bench;

#[test]
fn a_server_says_where_it_is_and_listens_on_this_machine_only() {
    let bench = Bench::new(&[]);
    assert!(bench.url.starts_with(&format!("http://127.0.0.1:{}/open?code=", bench.port)));
    let health = bench.send("GET", "/healthz", &[], "");
    assert_eq!((health.status, &health.json()["kind"]), (200, &json!("health")));
    for (table, loopback) in [("tcp", "0100007F"), ("tcp6", "00000000000000000000000001000000")] {
        let table = fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        let port = format!(":{:04X}", bench.port);
        // State 0A is that of a socket that listens.
        let listening = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
        for fields in listening.filter(|fields| fields[3] == "0A" && fields[1].ends_with(&port)) {
            assert!(fields[1].starts_with(loopback), "{}", fields[1]);
        }
    }
}

#[test]
fn a_code_opens_once_and_every_route_needs_a_session_or_the_key() {
    let bench = Bench::new(&[]);
    let path = bench.url.split_once(&bench.port.to_string()).unwrap().1;
    let opened = bench.send("GET", path, &[], "");
    let cookie = opened.header("set-cookie").unwrap();
    for part in ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=2592000"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert!(cookie.starts_with(&format!("treegauge-{}=", bench.port)));
    assert_eq!(bench.send("GET", path, &[], "").status, 401, "the code was used");
}

#[test]
fn every_route_needs_a_session_or_the_key() {
    let bench = Bench::filled();
    let browser = bench.browser();
    let routes = bench.get("/api/routes").json();
    let routes = routes["routes"].as_array().unwrap();
    for part in [
        "/tables/",
        "/charts/",
        "/games/0",
        "/best/",
        "/solved/runs/",
        "/landscape",
        "/puzzles/",
        "/worksheet",
        "/chess/2",
        "/studies/",
        "/texts/a.rules",
        "/files/a.rules",
    ] {
        let has_part = |route: &Value| route["path"].as_str().unwrap().contains(part);
        assert!(routes.iter().any(has_part), "no example of {part}: {routes:?}");
    }
    for route in routes {
        let (method, path) = (route["method"].as_str().unwrap(), route["path"].as_str().unwrap());
        let json = "Content-Type: application/json";
        if route["is_public"] == false {
            assert_eq!(bench.send(method, path, &[json], "{}").status, 401, "{method} {path}");
            let wrong = ["Authorization: Bearer 0123", json];
            assert_eq!(bench.send(method, path, &wrong, "{}").status, 401, "{method} {path}");
            let wrong = [&format!("Cookie: treegauge-{}=0123", bench.port), json];
            assert_eq!(bench.send(method, path, &wrong, "{}").status, 401, "{method} {path}");
        }
        if method == "GET" && path != "/open" && path != "/events" {
            assert_eq!(bench.get(path).status, 200, "{path}");
            let cookie = format!("Cookie: {}", browser.cookie);
            assert_eq!(bench.send("GET", path, &[&cookie], "").status, 200, "{path}");
        }
    }
    assert_eq!(
        bench.send("HEAD", "/events", &[&format!("Cookie: {}", browser.cookie)], "").status,
        200
    );
}

/// Request that this route accepts: fields of the head, the body, and the status of success.
fn good_change(path: &str, tag: &str) -> (Vec<String>, Value, u16) {
    let perft = json!({"command": "perft", "game": "tic_tac_toe", "depth": 1});
    let asked = json!({"game": "achi", "player": "uct(iterations=20)", "seed": 1});
    let text = treegauge::template("achi").unwrap();
    let (body, status) = match path.trim_start_matches("/api/") {
        "runs" => (json!({"task": perft}), 201),
        "texts" => (json!({"name": "new", "from": "achi"}), 201),
        "texts/a.rules" => {
            return (vec![format!("If-Match: \"{tag}\"")], json!({"text": text}), 200);
        }
        "rename/a.rules" => (json!({"to": "c.rules"}), 200),
        "remove/a.rules" => (json!({}), 200),
        "check" => (json!({"text": text, "stage": "game", "page": "p"}), 200),
        "differences" => (json!({"file": "kept.rules", "text": text}), 200),
        "problems" => (json!({"text": "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1"}), 200),
        // The run has no chess problems.
        "notes" => (json!({"run": "none", "problem": "1", "rating": 900, "note": ""}), 404),
        "attempts" => {
            let attempt = json!({"problem": "a/1", "solver": "Ann", "result": "solved", "tries": 2,
                "seconds": 40, "hints": 0});
            (attempt, 201)
        }
        "reply" | "search" => (asked, 200),
        "children" => (json!({"game": "achi", "player": "uct(iterations=20)", "path": ""}), 200),
        act if act.starts_with("runs/") && act.ends_with("/edit") => (json!({"title": "t"}), 200),
        act if act.starts_with("runs/") && act.ends_with("/delete") => (json!({}), 200),
        // The run is over.
        act if act.starts_with("runs/") => (json!({}), 409),
        _ => panic!("no good request for {path}"),
    };
    (vec![], body, status)
}

#[test]
fn every_change_is_made_for_the_key_and_for_a_session() {
    let bench = Bench::new(&[]);
    let browser = bench.browser();
    let own = format!("Origin: http://127.0.0.1:{}", bench.port);
    let cookie = format!("Cookie: {}", browser.cookie);
    let token = format!("x-treegauge: {}", browser.token);
    let bearer = format!("Authorization: Bearer {}", bench.key);
    for visitor in [vec![&*bearer], vec![&*cookie, &*own, &*token]] {
        let id = bench.start(&json!({"command": "perft", "game": "tic_tac_toe", "depth": 2}));
        bench.wait(&id, "done");
        for name in ["c.rules", "new.rules"] {
            _ = fs::remove_file(bench.workspace().join(name));
        }
        for name in ["a.rules", "kept.rules"] {
            fs::write(bench.workspace().join(name), treegauge::template("achi").unwrap()).unwrap();
        }
        let routes = bench.get("/api/routes").json();
        let routes = routes["routes"].as_array().unwrap().iter();
        let changes = routes.filter(|route| route["method"] == "POST");
        let mut changes: Vec<&str> = changes.map(|route| route["path"].as_str().unwrap()).collect();
        changes.sort_by_key(|path| path.ends_with("/delete"));
        assert!(changes.len() >= 18, "{changes:?}");
        for path in changes {
            let (status, answer) = match path {
                "/api/codes" => continue, // Only for the key; every test that opens a session uses it.
                "/api/uploads" => {
                    let head = [&*visitor, &["Content-Type: application/octet-stream"]].concat();
                    (201, bench.send("POST", "/api/uploads?name=b.txt", &head, "text"))
                }
                _ => {
                    // Each act on a text needs one.
                    let text = treegauge::template("achi").unwrap();
                    fs::write(bench.workspace().join("a.rules"), &text).unwrap();
                    let compared = json!({"file": "a.rules", "text": text});
                    let compared = bench.post("/api/differences", &compared).json();
                    let tag = compared["tag"].as_str().unwrap().to_owned();
                    let (fields, body, status) = good_change(path, &tag);
                    let fields = fields.iter().map(String::as_str);
                    let head = visitor.iter().copied().chain(fields);
                    let head: Vec<&str> = head.chain(["Content-Type: application/json"]).collect();
                    (status, bench.send("POST", path, &head, &body.to_string()))
                }
            };
            assert_eq!(answer.status, status, "{path}: {}", answer.text());
        }
        _ = fs::remove_file(bench.workspace().join("b.txt"));
    }
}

#[test]
fn wrong_codes_close_the_door_for_a_while() {
    let bench = Bench::new(&[]);
    for _ in 0..10 {
        assert_eq!(bench.send("GET", "/open?code=0", &[], "").status, 401);
    }
    let path = bench.url.split_once(&bench.port.to_string()).unwrap().1;
    assert_eq!(bench.send("GET", path, &[], "").status, 429);
}

#[test]
fn only_the_names_of_this_machine_are_answered() {
    let bench = Bench::new(&[]);
    let port = bench.port;
    let ask = |line: &str, hosts: &[String]| {
        let hosts: String = hosts.iter().map(|host| format!("Host: {host}\r\n")).collect();
        let bytes = format!("{line}\r\n{hosts}Connection: close\r\n\r\n");
        bench.raw(bytes.as_bytes()).map_or(400, |answer| answer.status)
    };
    let get = "GET /healthz HTTP/1.1";
    for host in ["127.0.0.1", "localhost", "[::1]"] {
        assert_eq!(ask(get, &[format!("{host}:{port}")]), 200, "{host}");
    }
    let own = format!("127.0.0.1:{port}");
    let mut refused = vec![
        (get.to_owned(), vec![]),
        (get.to_owned(), vec![own.clone(), own.clone()]),
        (get.to_owned(), vec![own.clone(), "evil.example".to_owned()]),
        ("GET /healthz HTTP/1.0".to_owned(), vec![]),
        (format!("GET http://evil.example:{port}/healthz HTTP/1.1"), vec![own]),
        (
            format!("GET http://127.0.0.1:{port}/healthz HTTP/1.1"),
            vec![format!("evil.example:{port}")],
        ),
    ];
    for host in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost.:{port}"),
        format!("0.0.0.0:{port}"),
        format!("2130706433:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("user@127.0.0.1:{port}"),
        String::new(),
    ] {
        refused.push((get.to_owned(), vec![host]));
    }
    for (line, hosts) in refused {
        let status = ask(&line, &hosts);
        assert!(status == 421 || status == 400, "{line} {hosts:?}: {status}");
    }
}

#[test]
fn one_more_name_can_be_allowed() {
    let bench = Bench::new(&["--allow-host", "bench.example"]);
    let ask = |host: &str| {
        let bytes = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        bench.raw(bytes.as_bytes()).unwrap().status
    };
    assert_eq!(ask("bench.example"), 200);
    assert_eq!(ask("other.example"), 421);
}

#[test]
fn only_pages_of_the_server_and_the_key_change_something() {
    let bench = Bench::new(&[]);
    let browser = bench.browser();
    let own = format!("Origin: http://127.0.0.1:{}", bench.port);
    let cookie = format!("Cookie: {}", browser.cookie);
    let token = format!("x-treegauge: {}", browser.token);
    let (json, same) = ("Content-Type: application/json", "Sec-Fetch-Site: same-origin");
    let body = r#"{"task": {"command": "perft", "game": "tic_tac_toe", "depth": 1}}"#;
    let other_port = format!("Origin: http://127.0.0.1:{}", bench.port ^ 1);
    let cases: [(&[&str], u16); 14] = [
        (&[&cookie, &own, json, &token, same], 201),
        (&[&cookie, &own, json, &token], 201),
        (&[&cookie, json, &token, same], 403),
        (&[&cookie, "Origin: http://evil.example", json, &token, same], 403),
        (&[&cookie, "Origin: null", json, &token], 403),
        (&[&cookie, &other_port, json, &token], 403),
        (&[&cookie, &own, json, &token, "Sec-Fetch-Site: cross-site"], 403),
        (&[&cookie, &own, json, &token, "Sec-Fetch-Site: same-site"], 403),
        (&[&cookie, &own, json, same], 403),
        (&[&cookie, &own, json, "x-treegauge: 0123", same], 403),
        (&[&cookie, &own, "Content-Type: text/plain", &token, same], 415),
        (&[&cookie, &own, "Content-Type: application/x-www-form-urlencoded", &token, same], 415),
        (&[&cookie, &own, &token, same], 415),
        (&[&own, json, &token, same], 401),
    ];
    let count = || bench.get("/runs.json").json()["runs"].as_array().unwrap().len();
    for (n, (fields, status)) in cases.iter().enumerate() {
        let before = count();
        assert_eq!(bench.send("POST", "/api/runs", fields, body).status, *status, "case {n}");
        assert_eq!(count() - before, usize::from(*status == 201), "case {n}");
    }
    let before = count();
    assert_eq!(bench.post("/api/runs", &serde_json::from_str(body).unwrap()).status, 201);
    assert_eq!(count(), before + 1);
    assert_eq!(
        bench.send("POST", "/api/codes", &[&cookie, &own, json, &token, same], "{}").status,
        403
    );

    let read = |fields: &[&str]| {
        let fields: Vec<&str> = std::iter::once(&*cookie).chain(fields.iter().copied()).collect();
        bench.send("GET", "/runs.json", &fields, "").status
    };
    let cross = "Sec-Fetch-Site: cross-site";
    assert_eq!(read(&[same]), 200);
    assert_eq!(read(&[cross, "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: script"]), 403);
    assert_eq!(read(&[cross, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]), 200);
    assert_eq!(read(&[cross, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]), 403);
}

fn bearer(bench: &Bench) -> String {
    format!("Authorization: Bearer {}", bench.key)
}

/// Policy of every answer; files of the workspace have `sandbox` besides.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types treegauge";

#[test]
fn every_answer_has_the_headers_that_protect_it() {
    let bench = Bench::filled();
    let routes = bench.get("/api/routes").json();
    let paths =
        routes["routes"].as_array().unwrap().iter().filter(|route| route["method"] == "GET");
    let mut paths: Vec<String> =
        paths.map(|route| route["path"].as_str().unwrap().to_owned()).collect();
    paths.retain(|path| path != "/events");
    paths.extend(
        ["/nothing", "/nothing.json", "/files/..", "/games/conect_four", "/new/gauge?games=x"]
            .map(str::to_owned),
    );
    let mut answers: Vec<_> = paths.iter().map(|path| (path.clone(), bench.get(path))).collect();
    answers.push(("a stranger".to_owned(), bench.send("GET", "/", &[], "")));
    answers.push(("another method".to_owned(), bench.post("/games", &json!({}))));
    answers.push(("another type".to_owned(), bench.send("POST", "/api/runs", &[], "x")));
    answers.push(("events".to_owned(), bench.send("HEAD", "/events", &[&bearer(&bench)], "")));
    let long = [&*bearer(&bench), "Content-Type: application/json"];
    let long = bench.send("POST", "/api/runs", &long, &"x".repeat(300_000));
    assert_eq!(long.status, 413);
    answers.push(("a long body".to_owned(), long));
    let foreign =
        format!("GET / HTTP/1.1\r\nHost: evil.example:{}\r\nConnection: close\r\n\r\n", bench.port);
    answers.push(("another host".to_owned(), bench.raw(foreign.as_bytes()).unwrap()));
    let own = format!("Host: 127.0.0.1:{}\r\n", bench.port);
    for (status, bytes) in [
        (400, "NONSENSE\r\n\r\n".to_owned()),
        (400, format!("GET / HTTP/9.9\r\n{own}\r\n")),
        (400, format!("GET / HTTP/1.1\r\n{own}a field without a colon\r\n\r\n")),
        (400, format!("POST /api/runs HTTP/1.1\r\n{own}Content-Length: x\r\n\r\n")),
        (431, format!("GET / HTTP/1.1\r\n{own}{}\r\n", "X: y\r\n".repeat(70))),
        (431, format!("GET /{} HTTP/1.1\r\n{own}\r\n", "x".repeat(300_000))),
    ] {
        let line = bytes.lines().next().unwrap().chars().take(40).collect::<String>();
        let answer = bench.raw(bytes.as_bytes()).unwrap_or_else(|| panic!("an answer to {line}"));
        assert_eq!(answer.status, status, "{line}");
        assert!(answer.text().contains("<h1>"), "{line}: a page says why");
        answers.push((line, answer));
    }
    for (path, answer) in &answers {
        let policy = answer.header("content-security-policy").unwrap_or_else(|| panic!("{path}"));
        assert_eq!(policy.trim_end_matches("; sandbox"), POLICY, "{path}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), Some(value), "{path}");
        }
        let cache = answer.header("cache-control").unwrap();
        assert!(
            if path.starts_with("/assets/") {
                cache.contains("immutable")
            } else {
                cache == "no-store"
            },
            "{path}"
        );
        assert_eq!(answer.header("access-control-allow-origin"), None, "{path}");
        if answer.header("content-type").unwrap().starts_with("text/html")
            && !path.ends_with(".html")
        {
            let page = answer.text();
            for inline in ["<style", " style=", "onclick", "<script>"] {
                assert!(!page.contains(inline), "{path} has {inline}");
            }
        }
    }
    let file = bench.get("/files/a.rules");
    assert!(file.header("content-security-policy").unwrap().ends_with("; sandbox"));
    assert!(file.header("content-disposition").unwrap().starts_with("attachment"));
}
