//! Requests that are too long, too slow, or too many.

use std::io::{Read, Write};
use std::thread;
use std::time::{Duration, Instant};

use crate::bench::{Answer, Bench, assert_within, is_alive, signal, wait_for};

#[test]
fn bodies_and_heads_have_a_length() {
    let bench = Bench::new(&[]);
    let key = format!("Authorization: Bearer {}", bench.key);
    let json = "Content-Type: application/json";
    let long = format!("{{\"title\": \"{}\"}}", "x".repeat(70_000));
    assert_eq!(bench.send("POST", "/api/runs", &[&key, json], &long).status, 413);
    // One that does not say its length is cut off, too.
    let mut stream = bench.connect();
    let head = format!(
        "POST /api/runs HTTP/1.1\r\nHost: localhost:{}\r\n{key}\r\n{json}\r\nTransfer-Encoding: chunked\r\n\r\n",
        bench.port
    );
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..10 {
        // The server may have ended the connection already.
        _ = stream.write_all(format!("{:x}\r\n{}\r\n", 10_000, "x".repeat(10_000)).as_bytes());
    }
    assert!(Answer::read(&mut stream).is_none_or(|answer| answer.status == 413));

    let long = format!("X-Long: {}", "x".repeat(40_000));
    assert_eq!(bench.send("GET", "/healthz", &[&long], "").status, 431);
    let many: Vec<String> = (0..70).map(|n| format!("X-{n}: 1")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(bench.send("GET", "/healthz", &many, "").status, 431);
    let huge = format!("X-Long: {}", "x".repeat(400_000));
    assert_eq!(bench.send("GET", "/healthz", &[&huge], "").status, 431);
    let claimed = format!(
        "POST /api/uploads?name=x HTTP/1.1\r\nHost: localhost:{}\r\n{key}\r\nContent-Type: application/octet-stream\r\n\
         Content-Length: 100000000\r\n\r\n",
        bench.port
    );
    assert_eq!(bench.raw(claimed.as_bytes()).unwrap().status, 413);
    assert!(!bench.workspace().join("x").exists());
}

#[test]
fn a_request_that_drips_is_given_up() {
    let bench = Bench::new(&[]);
    let key = &bench.key;
    let port = bench.port;
    let drip = |mut stream: std::net::TcpStream, head: String, drop: &'static [u8]| {
        let head = head.into_bytes();
        thread::spawn(move || {
            stream.write_all(&head).unwrap();
            let mut other = stream.try_clone().unwrap();
            let dripping = thread::spawn(move || {
                while other.write_all(drop).is_ok() {
                    thread::sleep(Duration::from_millis(500));
                }
            });
            let mut answer = Vec::new();
            let begun = Instant::now();
            // Waits for the end of the connection.
            _ = stream.read_to_end(&mut answer);
            let seconds = begun.elapsed().as_secs();
            _ = stream.shutdown(std::net::Shutdown::Both);
            dripping.join().unwrap();
            (String::from_utf8_lossy(&answer).into_owned(), seconds)
        })
    };
    let head =
        drip(bench.connect(), format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\n"), b"X: y\r\n");
    let body = format!(
        "POST /api/runs HTTP/1.1\r\nHost: localhost:{port}\r\nAuthorization: Bearer {key}\r\n\
         Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"
    );
    let body = drip(bench.connect(), body, b" ");
    for (answered, most_s) in [(head, 7), (body, 20)] {
        let (answer, seconds) = answered.join().unwrap();
        assert!(answer.starts_with("HTTP/1.1 408") && seconds <= most_s, "{seconds} s: {answer}");
        assert!(answer.contains("content-security-policy: "), "{answer}");
    }
}

#[test]
fn a_connection_stays_open_between_requests() {
    let bench = Bench::new(&[]);
    let request = format!("GET /healthz HTTP/1.1\r\nHost: localhost:{}\r\n\r\n", bench.port);
    let ask = |stream: &mut std::net::TcpStream| {
        stream.write_all(request.as_bytes()).unwrap();
        Answer::read(stream).map(|answer| answer.status)
    };
    let (mut used, mut fresh) = (bench.connect(), bench.connect());
    assert_eq!(ask(&mut used), Some(200));
    // Longer than a head may take.
    thread::sleep(Duration::from_secs(7));
    assert_eq!((ask(&mut used), ask(&mut fresh)), (Some(200), Some(200)));
}

/// CPU time of a process in ticks of the system, a hundredth of a second each.
#[cfg(target_os = "linux")]
fn cpu_ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn many_idle_streams_cost_little_and_are_given_back() {
    let bench = Bench::new(&[]);
    let pid = bench.pid();
    let descriptors = || std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().count();
    bench.get("/");
    let (memory, before) = (bench.memory(), descriptors());
    let request = format!(
        "GET /events HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n",
        bench.port, bench.key
    );
    // As many as fit into the usual limit of descriptors of a test; `cargo xtask workbench-bench` opens a thousand.
    let count = 450;
    let open = |_| {
        let mut stream = bench.connect();
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        assert_eq!(&head, b"HTTP/1.1 200");
        stream
    };
    let streams: Vec<_> = (0..count).map(open).collect();
    let grown = bench.memory().saturating_sub(memory);
    assert!(grown < 32 << 20, "{grown} bytes");
    let begun = cpu_ticks(pid);
    thread::sleep(Duration::from_secs(3));
    let ticks = cpu_ticks(pid) - begun;
    assert!(ticks <= 5, "{ticks} hundredths of a second in 3 s");
    assert!(descriptors() + 3 >= before + count, "the streams are open");
    drop(streams);
    wait_for(
        || (descriptors() <= before + 2).then_some(()),
        || format!("descriptors return: {} of {before}", descriptors()),
    );
}

#[test]
fn clients_that_do_nothing_keep_nobody_waiting() {
    let bench = Bench::new(&[]);
    bench.upload("large.bin", &"x".repeat(8_000_000));
    bench.get("/");
    let before = bench.memory();
    let mut idle = Vec::new();
    for _ in 0..300 {
        let mut stream = bench.connect();
        stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        idle.push(stream);
    }
    for _ in 0..50 {
        let mut stream = bench.connect();
        let request = format!(
            "GET /files/large.bin HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n\r\n",
            bench.port, bench.key
        );
        stream.write_all(request.as_bytes()).unwrap();
        idle.push(stream);
    }
    let begin = Instant::now();
    assert_eq!(bench.get("/").status, 200);
    assert_within(begin, Duration::from_millis(500));
    let grown = bench.memory().saturating_sub(before);
    assert!(grown < 64 << 20, "{grown} bytes");
}

#[test]
fn a_stream_tells_of_changes_and_a_browser_has_up_to_64() {
    let bench = Bench::new(&[]);
    let browser = bench.browser();
    let open = || {
        let mut stream = bench.connect();
        let request = format!(
            "GET /events HTTP/1.1\r\nHost: localhost:{}\r\nCookie: {}\r\n\r\n",
            bench.port, browser.cookie
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = [0; 12];
        stream.read_exact(&mut head).unwrap();
        (stream, String::from_utf8_lossy(&head[9..]).into_owned())
    };
    let mut streams: Vec<_> = (0..64).map(|_| open()).collect();
    assert!(streams.iter().all(|(_, status)| status == "200"));
    assert_eq!(open().1, "429");
    let (mut first, _) = streams.remove(0);
    let id = bench.start(&serde_json::json!({"command": "perft", "game": "achi", "depth": 1}));
    bench.wait(&id, "done");
    let mut heard = String::new();
    while !heard.contains("\"state\":\"done\"") {
        let mut bytes = [0; 4096];
        let count = first.read(&mut bytes).unwrap();
        assert!(count > 0, "{heard}");
        heard.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
    assert!(heard.contains("event: change") && heard.contains(&id), "{heard}");
    drop((first, streams));
    // The server notices with the next message.
    wait_for(
        || {
            let id =
                bench.start(&serde_json::json!({"command": "perft", "game": "achi", "depth": 1}));
            bench.wait(&id, "done");
            Some(()).filter(|()| open().1 == "200")
        },
        || "a stream is free again".to_owned(),
    );
}

#[test]
fn a_worker_that_was_killed_is_replaced() {
    let bench = Bench::new(&[]);
    for _ in 0..3 {
        assert_eq!(bench.get("/games/achi").status, 200);
        let workers: Vec<_> =
            bench.children().into_iter().filter(|(_, words)| words.contains("--worker")).collect();
        assert!(!workers.is_empty());
        for (pid, _) in workers {
            signal(pid, "KILL");
            wait_for(|| (!is_alive(pid)).then_some(()), || format!("{pid} ends"));
        }
    }
}
