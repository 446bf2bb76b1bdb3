//! `requests`: damaged requests to the workbench. `deaths`: a workbench that is killed during a run.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::attack::Class;
use crate::attack::arena::Arena;
use crate::attack::random::Random;

/// Time in which the server answers anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Time within which a damaged request is answered: ten times what an idle machine may take, since
/// other checks share this one.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// Time within which the processes of a killed server end.
const END_TIME: Duration = Duration::from_secs(3);

/// Number of requests of a try.
const REQUESTS: usize = 200;

/// A workbench on a workspace in the folder of a try.
struct Bench {
    child: Child,
    port: u16,
    key: String,
}

/// Status and body of an answer.
struct Answer {
    status: u16,
    body: Vec<u8>,
}

impl Drop for Bench {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

impl Bench {
    /// Starts a server in the folder of an arena.
    fn start(arena: &Arena<'_>) -> Result<Bench> {
        fs::create_dir_all(arena.path("ws"))?;
        let mut command = Command::new(arena.program);
        command.arg("serve").arg(arena.path("ws")).args(["--port", "0", "--no-open", "--json"]);
        command.env("XDG_STATE_HOME", arena.path("state")).env("HOME", &arena.folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("the workbench does not start")?;
        let mut line = String::new();
        let stdout = child.stdout.take().context("a piped output is there")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let mut bench = Bench { child, port: 0, key: String::new() };
        let serving: Value = serde_json::from_str(&line).context("the workbench says nothing")?;
        let text = |name: &str| serving[name].as_str().unwrap_or_default().to_owned();
        bench.port = text("origin").rsplit(':').next().unwrap_or_default().parse()?;
        bench.key = text("key");
        Ok(bench)
    }

    /// Sends bytes, and returns what comes back. `is_last` if the client says that no more will come,
    /// which ends a request that is not whole.
    fn send(&self, bytes: &[u8], is_last: bool) -> Result<Vec<u8>> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        // The server may refuse what it has not read.
        _ = stream.write_all(bytes);
        if is_last {
            _ = stream.shutdown(Shutdown::Write);
        }
        let (mut answer, mut piece) = (Vec::new(), [0; 1 << 16]);
        // A connection may stay open behind its answer.
        while !is_answered(&answer, bytes.starts_with(b"HEAD")) {
            match stream.read(&mut piece) {
                Ok(read @ 1..) => answer.extend_from_slice(&piece[..read]),
                _ => break,
            }
        }
        Ok(answer)
    }

    /// Bytes of a request with the key.
    fn request(&self, method: &str, path: &str, body: &str) -> String {
        let length = if method == "POST" {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        } else {
            String::new()
        };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost:{}\r\nAuthorization: Bearer {}\r\n{length}Connection: \
             close\r\n\r\n{body}",
            self.port, self.key
        )
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> Result<Answer> {
        let answer = self.send(self.request(method, path, &body.to_string()).as_bytes(), false)?;
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.with_context(|| format!("no answer to {method} {path}"))?;
        let status = String::from_utf8_lossy(&answer[..end]);
        let status = status.split(' ').nth(1).unwrap_or_default().parse()?;
        Ok(Answer { status, body: answer[end + 4..].to_vec() })
    }

    fn json(&self, path: &str) -> Result<Value> {
        Ok(serde_json::from_slice(&self.ask("GET", path, &Value::Null)?.body)?)
    }

    /// Starts a run, and returns its name.
    fn run(&self, task: &Value) -> Result<String> {
        let answer = self.ask("POST", "/api/runs", &json!({"task": task}))?;
        let text = String::from_utf8_lossy(&answer.body).into_owned();
        ensure!(answer.status == 201, "{task}: {text}");
        let id: Value = serde_json::from_str(&text)?;
        Ok(id["id"].as_str().unwrap_or_default().to_owned())
    }

    fn state(&self, id: &str) -> Result<String> {
        let runs = self.json("/runs.json")?;
        let run = runs["runs"].as_array().into_iter().flatten().find(|run| run["id"] == id);
        Ok(run.and_then(|run| run["state"].as_str()).unwrap_or("lost").to_owned())
    }

    /// Waits until a run is over, and returns its state.
    fn wait(&self, id: &str) -> Result<String> {
        let begun = Instant::now();
        loop {
            let state = self.state(id)?;
            if !["queued", "running", "pausing"].contains(&state.as_str())
                || begun.elapsed() > PATIENCE
            {
                return Ok(state);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Report of a run without the times and the memory that it took.
    fn report(&self, id: &str) -> Result<Value> {
        let mut report = self.json(&format!("/runs/{id}.json"))?;
        if let Some(fields) = report.as_object_mut() {
            ["cpu_s", "peak_memory_bytes", "memory_bytes"]
                .iter()
                .for_each(|name| drop(fields.remove(*name)));
        }
        Ok(report)
    }

    /// Processes that the server started.
    fn children(&self) -> Vec<u32> {
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let child = |entry: fs::DirEntry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let parent: u32 = stat(pid)?.split_whitespace().nth(1)?.parse().ok()?;
            (parent == self.child.id()).then_some(pid)
        };
        entries.filter_map(child).collect()
    }
}

/// State and numbers of a process, behind its name.
fn stat(pid: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    Some(text.rsplit_once(')')?.1.trim_start().to_owned())
}

fn is_alive(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| !stat.starts_with('Z'))
}

/// Bodies of requests that change something, by the beginning of their paths.
const BODIES: [(&str, &str); 9] = [
    ("/api/runs", r#"{"task": {"command": "perft", "game": "achi", "depth": 1}, "title": "t"}"#),
    ("/api/texts", r#"{"name": "b.rules", "from": "achi", "text": "(game"}"#),
    ("/api/rename", r#"{"to": "c.rules"}"#),
    ("/api/check", r#"{"text": "(game \"A\" (board (grid 3 3)))", "stage": "game"}"#),
    ("/api/differences", r#"{"file": "a.rules", "text": "(game"}"#),
    ("/api/reply", r#"{"game": "achi", "moves": "a1", "player": "random", "seed": 2}"#),
    ("/api/search", r#"{"game": "achi", "player": "uct(iterations=50)"}"#),
    (
        "/api/children",
        r#"{"game": "achi", "player": "uct(iterations=20)", "path": "b2", "from": 0}"#,
    ),
    ("/api/", "{}"),
];

/// Parts that are put into requests.
const PARTS: [&[u8]; 14] = [
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
    b"rules(file=../x)",
    b"&part=run&ply=1e9",
    b"NaN",
    b"\xe2\x80\xae",
];

/// Damaged requests to all routes.
pub(crate) struct Requests;

impl Class for Requests {
    fn name(&self) -> &'static str {
        "requests"
    }

    fn quick(&self) -> u64 {
        10
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        let mut bench = Bench::start(arena)?;
        bench.ask("POST", "/api/texts", &json!({"name": "a", "from": "achi"}))?;
        let id = bench
            .run(&json!({"command": "match", "game": "tic_tac_toe", "a": "uct(iterations=9)",
            "b": "random", "games": 4}))?;
        ensure!(bench.wait(&id)? == "done", "a short match ends");
        let routes = bench.json("/api/routes")?;
        let samples: Vec<String> = routes["routes"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|route| {
                let (method, path) = (route["method"].as_str()?, route["path"].as_str()?);
                let body = BODIES.iter().find(|(begin, _)| path.starts_with(begin));
                // The stream of changes does not end.
                (path != "/events")
                    .then(|| bench.request(method, path, body.map_or("", |body| body.1)))
            })
            .collect();
        ensure!(samples.len() > 50, "the workbench has routes");
        let home = arena.folder.display().to_string();
        for _ in 0..REQUESTS {
            let bytes = damaged(random.pick(&samples).as_bytes().to_vec(), random);
            let begun = Instant::now();
            let answer = bench.send(&bytes, !is_whole(&bytes))?;
            let took = begun.elapsed();
            let (request, answer) =
                (String::from_utf8_lossy(&bytes), String::from_utf8_lossy(&answer));
            let status = answer.get(9..12).unwrap_or_default();
            if status.starts_with('5') && status != "503" {
                arena.fault_of_workbench(format!("workbench: status {status}"), &request);
            }
            for word in ["panicked", "RUST_BACKTRACE", ".rs:", home.as_str()] {
                if answer.contains(word) {
                    let word = if word == home { "a path of the machine" } else { word };
                    arena.fault_of_workbench(format!("workbench: an answer has {word}"), &request);
                }
            }
            if took > ANSWER_TIME {
                arena.fault_of_workbench(
                    format!("workbench: slower than {ANSWER_TIME:?}"),
                    &request,
                );
            }
            if bench.child.try_wait()?.is_some() {
                arena.fault_of_workbench("workbench: the server ended", &request);
                return Ok(());
            }
        }
        if bench.ask("GET", "/", &Value::Null)?.status != 200 {
            arena.fault_of_workbench("workbench: no first page after damaged requests", "GET /");
        }
        Ok(())
    }
}

/// Tests whether an answer is whole. The stream of changes is, after its head.
fn is_answered(answer: &[u8], is_head: bool) -> bool {
    let Some(end) = answer.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let length = head.split("content-length: ").nth(1).and_then(|rest| rest.lines().next());
    let body = answer.len() - end - 4;
    match length.and_then(|text| text.parse::<usize>().ok()) {
        Some(length) => body >= length || is_head,
        None if head.contains("text/event-stream") => true,
        None => is_head || answer.ends_with(b"\r\n0\r\n\r\n"),
    }
}

/// Tests whether a request has its whole head and the body whose length it names. The server ends a
/// request whose client says that no more will come.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    if !head.lines().next().is_some_and(|line| line.contains(" http/")) {
        return false;
    }
    let length = head.split("content-length:").nth(1).and_then(|rest| rest.lines().next());
    let length = length.map_or(Some(0), |text| text.trim().parse::<usize>().ok());
    length.is_some_and(|length| bytes.len() - end - 4 >= length)
        && !head.contains("transfer-encoding")
}

/// Changes up to five places of a request.
fn damaged(mut bytes: Vec<u8>, random: &mut Random) -> Vec<u8> {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at..(at + 1 + random.below(20)).min(bytes.len()))),
            2 => drop(bytes.splice(at..at, random.pick(&PARTS).iter().copied())),
            3 => bytes.truncate(at.max(1)),
            _ => {
                let part = bytes[at..(at + 30).min(bytes.len())].to_vec();
                drop(bytes.splice(at..at, part));
            }
        }
        if bytes.is_empty() {
            bytes.push(b'G');
        }
    }
    bytes
}

/// A server that is killed while a run works; the run is resumed by the next one.
pub(crate) struct Deaths;

/// Tasks whose runs keep their work and take a second or two.
fn tasks() -> [Value; 5] {
    [
        json!({"command": "match", "game": "connect_four", "a": "uct(iterations=200)",
            "b": "uct(iterations=100)", "games": 100}),
        json!({"command": "gauge", "game": "connect_four(cols=5,rows=4)", "games": 40, "iterations": 200,
            "solve_limit": 0, "skill_games": 0, "ladder": "1", "model": "none"}),
        json!({"command": "generate", "from": ["tic_tac_toe", "isolation"], "games": 60, "generation": 10,
            "best": 2, "iterations": 40, "gauge_games": 6, "glance_games": 4, "glance_iterations": 20,
            "model": "none"}),
        json!({"command": "solve", "game": "connect_four(cols=4,rows=5)"}),
        json!({"command": "vet", "games": ["achi", "one_to_ten"]}),
    ]
}

impl Class for Deaths {
    fn name(&self) -> &'static str {
        "deaths"
    }

    fn quick(&self) -> u64 {
        3
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, number: u64) -> Result<()> {
        let tasks = tasks();
        let task = &tasks[number as usize % tasks.len()];
        let command = task["command"].as_str().unwrap_or_default();
        let fault = |what: &str| {
            arena.fault_of_workbench(
                format!("workbench, killed during {command}: {what}"),
                &task.to_string(),
            );
        };
        let mut bench = Bench::start(arena)?;
        let id = bench.run(task)?;
        thread::sleep(random.between(Duration::from_millis(20), Duration::from_millis(1_500)));
        let children = bench.children();
        bench.child.kill()?;
        bench.child.wait()?;
        let killed = Instant::now();
        while children.iter().any(|pid| is_alive(*pid)) {
            if killed.elapsed() > END_TIME {
                fault("a process of the server outlives it by 3 s");
                return Ok(());
            }
            thread::sleep(Duration::from_millis(10));
        }
        drop(bench);
        let bench = Bench::start(arena)?;
        match bench.state(&id)?.as_str() {
            "interrupted" => {
                let resumed = bench.ask("POST", &format!("/api/runs/{id}/resume"), &json!({}))?;
                if resumed.status != 200 {
                    fault("the run is not resumed");
                    return Ok(());
                }
            }
            "done" => {}
            state => {
                fault(&format!("the run is {state}"));
                return Ok(());
            }
        }
        let state = bench.wait(&id)?;
        if state != "done" {
            fault(&format!("the resumed run is {state}"));
            return Ok(());
        }
        let whole = bench.run(task)?;
        ensure!(bench.wait(&whole)? == "done", "{task} does not end");
        if bench.report(&id)? != bench.report(&whole)? {
            fault("the resumed run has another report");
        }
        Ok(())
    }
}
