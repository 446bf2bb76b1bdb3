//! Damaged requests.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::bench::{Bench, Random};

/// Requests that are well-formed.
fn samples(bench: &Bench) -> Vec<Vec<u8>> {
    let key = format!("Authorization: Bearer {}", bench.key);
    let host = format!("Host: localhost:{}", bench.port);
    let get =
        |path: &str| format!("GET {path} HTTP/1.1\r\n{host}\r\n{key}\r\nConnection: close\r\n\r\n");
    let post = |path: &str, body: &str| {
        format!(
            "POST {path} HTTP/1.1\r\n{host}\r\n{key}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            body.len()
        )
    };
    let mut samples = vec![
        get("/"),
        get("/games"),
        get("/games/tic_tac_toe.json"),
        get("/new/gauge?game=achi&games=3"),
        get("/runs?text=a&page=2"),
        get("/files?folder=runs"),
        get("/help"),
        get("/games/tic_tac_toe/play?moves=b2+a1&hints=now&touch=c3&second=random&answer=yes"),
        get("/games/tic_tac_toe/tree?iterations=50&node=b2&now=yes"),
        post(
            "/api/children",
            r#"{"game": "achi", "player": "uct(iterations=20)", "path": "b2", "from": 0}"#,
        ),
        post("/api/reply", r#"{"game": "achi", "moves": "a1", "player": "random", "seed": 2}"#),
        get("/open?code=00"),
        get("/healthz"),
        post(
            "/api/runs",
            r#"{"task": {"command": "perft", "game": "achi", "depth": 1}, "title": "t"}"#,
        ),
        post("/api/runs/2026-11-27-1-perft-achi/pause", "{}"),
        post("/api/codes", "{}"),
        get("/runs/2026-11-27-1-match-achi/games/3?ply=2&part=position"),
        get("/runs/2026-11-27-1-generate-achi/best/17.json"),
        get("/runs?side=2026-11-27-1-match-achi&side=2026-11-27-2-match-achi"),
        get("/studies"),
        get("/studies/runs/2026-11-27-1-collect-achi/result.json"),
        get("/help?part=keys"),
        post("/api/rename/a.rules", r#"{"to": "b.rules"}"#),
        post("/api/remove/a.rules", "{}"),
        get("/texts"),
        get("/texts/a.rules?version=1&compare=1"),
        post("/api/texts", r#"{"name": "a.rules", "from": "achi"}"#),
        post("/api/texts/a.rules", r#"{"text": "(game"}"#),
        post(
            "/api/check",
            r#"{"text": "(game \"A\" (board (grid 3 3)))", "stage": "game", "page": "p"}"#,
        ),
        post("/api/differences", r#"{"file": "a.rules", "text": "(game"}"#),
    ];
    samples.extend([
        get("/api/routes"),
        get("/games?for=gauge&field=game&with=games%3D3"),
        get("/games?family=a.rules&width=5"),
        get("/solved"),
        get("/solved/a/b.tgs?position=x&moves=a+b&ply=1&flip=true"),
        get("/solved/a.tgs/landscape.json"),
        get("/puzzles/2026-11-27-1-puzzles-achi?sort=interest&n=1"),
        get("/puzzles/2026-11-27-1-puzzles-achi/1?moves=a1&hint=1&show=solution"),
        get("/chess?file=a.fen"),
        get("/chess/2026-11-27-1-difficulty-a?class=hard&rating=1500"),
        get("/chess/2026-11-27-1-difficulty-a/1?moves=d1d8"),
        post("/api/problems", r#"{"text": "6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1"}"#),
        post("/api/notes", r#"{"run": "none", "problem": "1", "rating": 900, "note": ""}"#),
        post(
            "/api/attempts",
            r#"{"problem": "a/1", "solver": "A", "result": "solved", "tries": 2, "seconds": 4, "hints": 0}"#,
        ),
        post("/api/uploads?name=b.txt", "text"),
    ]);
    samples.into_iter().map(String::into_bytes).collect()
}

#[test]
fn a_damaged_request_is_refused_and_nothing_breaks() {
    let bench = Bench::new(&[]);
    let samples = samples(&bench);
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let pieces: [&[u8]; 10] = [
        b"\r\n",
        b"\0",
        b"%00",
        b"..",
        b"%2e%2e/",
        b"\xff\xfe",
        b"(((((((((",
        b"[[[[[",
        b"99999999999999999999",
        b"{\"a\":",
    ];
    let asked = std::env::var("MUTATED_REQUESTS").ok().map(|count| count.parse().unwrap());
    let mut slowest = Duration::ZERO;
    for n in 0..asked.unwrap_or(2_000) {
        let mut bytes = samples[random.below(samples.len())].clone();
        for _ in 0..=random.below(4) {
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => bytes[at] = random.below(256) as u8,
                1 => drop(bytes.drain(at..(at + 1 + random.below(20)).min(bytes.len()))),
                2 => drop(bytes.splice(at..at, pieces[random.below(pieces.len())].iter().copied())),
                3 => bytes.truncate(at.max(1)),
                _ => {
                    let part: Vec<u8> = bytes[at..(at + 30).min(bytes.len())].to_vec();
                    drop(bytes.splice(at..at, part));
                }
            }
            if bytes.is_empty() {
                bytes.push(b'G');
            }
        }
        let begun = Instant::now();
        let mut stream = bench.connect();
        _ = stream.write_all(&bytes);
        // A request that is not whole ends here.
        _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        slowest = slowest.max(begun.elapsed());
        let answer = String::from_utf8_lossy(&answer);
        let request = String::from_utf8_lossy(&bytes);
        let status = answer.get(9..12).unwrap_or_default();
        assert!(!status.starts_with('5') || status == "503", "try {n}: {request}\n{answer}");
        for word in ["panicked", "RUST_BACKTRACE", ".rs:", &bench.home().display().to_string()] {
            assert!(!answer.contains(word), "try {n}: {request}\n{answer}");
        }
    }
    assert_eq!(bench.get("/").status, 200);
    // A machine that does much else at the same time may be slow.
    assert!(asked.is_none() || slowest < Duration::from_secs(2), "{slowest:?}");
}
