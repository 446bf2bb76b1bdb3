//! A workbench in a folder of its own, and requests byte by byte.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The time in which anything that is waited for happens, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(60);

/// Asserts that what began at `begin` took at most ten times `limit`: tests run beside others, and the
/// limits themselves are measured by `cargo xtask workbench-bench`.
pub(crate) fn assert_within(begin: Instant, limit: Duration) {
    let took = begin.elapsed();
    assert!(took < 10 * limit, "{took:?} where {limit:?} is the limit");
}

/// A server that is killed when it is dropped.
pub(crate) struct Bench {
    home: TempDir,
    child: Child,
    /// Messages of the server.
    messages: File,
    pub(crate) port: u16,
    pub(crate) key: String,
    /// Address that opens the workbench once.
    pub(crate) url: String,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

/// A session of a browser.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    pub(crate) cookie: String,
    pub(crate) token: String,
}

impl Answer {
    /// Reads an answer to the end of the connection, or to its length.
    pub(crate) fn read(stream: &mut TcpStream) -> Option<Answer> {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let status = head.split(' ').nth(1)?.parse().ok()?;
        let mut answer = Answer { status, head, body: Vec::new() };
        match answer.header("content-length").and_then(|text| text.parse::<u64>().ok()) {
            Some(length) => reader.take(length).read_to_end(&mut answer.body).ok()?,
            None => reader.read_to_end(&mut answer.body).ok()?,
        };
        Some(answer)
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

impl Bench {
    /// Starts a server on an empty workspace.
    pub(crate) fn new(options: &[&str]) -> Bench {
        Bench::in_home(tempfile::tempdir().unwrap(), options)
    }

    fn in_home(home: TempDir, options: &[&str]) -> Bench {
        fs::create_dir_all(home.path().join("ws")).unwrap();
        let messages = tempfile::tempfile().unwrap();
        let mut command = serve(home.path(), options);
        command.stdout(Stdio::piped()).stderr(messages.try_clone().unwrap());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let serving: Value =
            serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        let text = |name: &str| serving[name].as_str().unwrap().to_owned();
        let port = text("origin").rsplit(':').next().unwrap().parse().unwrap();
        Bench { home, child, messages, port, key: text("key"), url: text("url") }
    }

    /// A workbench with something on pages of every kind: runs that are done, a text, a dataset, and
    /// rated chess problems.
    pub(crate) fn filled() -> Bench {
        let bench = Bench::new(&[]);
        bench.upload("a.rules", &treegauge::template("achi").unwrap());
        bench.upload("a.fen", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n");
        let runs = [
            json!({"command": "difficulty", "file": "a.fen", "depth": 5, "nodes_max": 12}),
            json!({"command": "collect", "games": "achi", "iterations": 20, "instances": 1}),
            json!({"command": "generate", "from": ["tic_tac_toe"], "games": 8, "seed": 1, "best": 2,
                "generation": 8, "iterations": 20, "gauge_games": 4, "glance_games": 2,
                "glance_iterations": 10, "model": "none"}),
            json!({"command": "solve", "game": "tic_tac_toe"}),
            json!({"command": "puzzles", "source": "tic_tac_toe"}),
            json!({"command": "gauge", "game": "tic_tac_toe", "games": 4, "iterations": 30,
                "model": "none"}),
        ];
        for task in &runs {
            let id = bench.start(task);
            bench.wait(&id, "done");
        }
        bench
    }

    pub(crate) fn home(&self) -> &Path {
        self.home.path()
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.home.path().join("ws")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Ends the server with a signal, and returns its exit code.
    pub(crate) fn signal(&mut self, name: &str) -> Option<i32> {
        signal(self.child.id(), name);
        self.child.wait().unwrap().code()
    }

    /// Starts another server on the same workspace and state.
    pub(crate) fn again(mut self, options: &[&str]) -> Bench {
        _ = self.child.kill();
        _ = self.child.wait();
        let other = tempfile::tempdir().unwrap();
        let home = std::mem::replace(&mut self.home, other);
        drop(self);
        Bench::in_home(home, options)
    }

    /// Messages of the server, and whether its process is there.
    fn last_words(&self) -> String {
        let mut messages = String::new();
        (&self.messages).rewind().unwrap();
        (&self.messages).read_to_string(&mut messages).unwrap();
        let state = if is_alive(self.pid()) { "it runs" } else { "it has ended" };
        format!("{messages:?}, and {state}")
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port))
            .unwrap_or_else(|error| panic!("{error}: {}", self.last_words()));
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes and reads the answer; `None` if the connection ends without one.
    pub(crate) fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = self.connect();
        // A server may refuse what it has not read.
        _ = stream.write_all(bytes);
        Answer::read(&mut stream)
    }

    /// Sends a request with these fields of the head.
    pub(crate) fn send(&self, method: &str, path: &str, fields: &[&str], body: &str) -> Answer {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n",
            self.port
        );
        for field in fields {
            head.push_str(field);
            head.push_str("\r\n");
        }
        if method == "POST" {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        self.raw(format!("{head}\r\n{body}").as_bytes())
            .unwrap_or_else(|| panic!("no answer to {head}"))
    }

    fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.key)
    }

    /// Asks as a program with the key.
    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[&self.bearer()], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let fields = [&*self.bearer(), "Content-Type: application/json"];
        self.send("POST", path, &fields, &body.to_string())
    }

    pub(crate) fn upload(&self, name: &str, body: &str) -> Answer {
        let fields = [&*self.bearer(), "Content-Type: application/octet-stream"];
        self.send("POST", &format!("/api/uploads?name={name}"), &fields, body)
    }

    /// Opens a session as a browser.
    pub(crate) fn browser(&self) -> Browser {
        let code = self.post("/api/codes", &json!({})).json()["code"].as_str().unwrap().to_owned();
        let opened = self.send("GET", &format!("/open?code={code}"), &[], "");
        assert_eq!(opened.status, 303, "{}", opened.text());
        let cookie = opened.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        let page = self.send("GET", "/", &[&format!("Cookie: {cookie}")], "").text();
        let token =
            page.split("name=\"treegauge\" content=\"").nth(1).unwrap().split('"').next().unwrap();
        Browser { token: token.to_owned(), cookie }
    }

    /// Starts a run, and returns its name.
    pub(crate) fn start(&self, task: &Value) -> String {
        let started = self.post("/api/runs", &json!({"task": task}));
        assert_eq!(started.status, 201, "{}", started.text());
        started.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn run(&self, id: &str) -> Value {
        let runs = self.get("/runs.json").json();
        let found = runs["runs"].as_array().unwrap().iter().find(|run| run["id"] == id);
        found.unwrap_or_else(|| panic!("{id} is in {runs}")).clone()
    }

    /// Waits until a run is in a state.
    pub(crate) fn wait(&self, id: &str, state: &str) -> Value {
        wait_for(
            || Some(self.run(id)).filter(|run| run["state"] == state),
            || format!("{id} becomes {state}: {}", self.run(id)),
        )
    }

    /// Runs the program in the workspace, and returns what it prints.
    pub(crate) fn program(&self, words: &[&str]) -> Vec<u8> {
        let mut command = Command::new(program());
        let ran = command.args(words).current_dir(self.workspace()).output().unwrap();
        assert!(ran.status.success(), "{words:?}: {ran:?}");
        ran.stdout
    }

    /// Runs the command that a page shows in the workspace.
    pub(crate) fn shown_command(&self, page: &str) -> Output {
        let begun = page.split("<code data-command").nth(1).unwrap();
        let shown = begun.split_once('>').unwrap().1.split("</code>").next().unwrap();
        let shown = shown
            .replace("&amp;", "&")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"");
        let command = shown.strip_prefix("treegauge ").unwrap();
        let line = format!("\"$PROGRAM\" {command}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).env("PROGRAM", program()).current_dir(self.workspace());
        shell.env("XDG_CACHE_HOME", self.home().join("cache"));
        shell.stdin(Stdio::null()).output().unwrap()
    }

    /// Resident memory of the server in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().strip_suffix(" kB").unwrap().parse::<u64>().unwrap() * 1024
    }

    /// Processes that the server started and that are there: their numbers and command lines.
    pub(crate) fn children(&self) -> Vec<(u32, String)> {
        children_of(self.pid())
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

pub(crate) fn program() -> &'static str {
    env!("CARGO_BIN_EXE_treegauge")
}

/// The command that serves the workspace of a folder.
pub(crate) fn serve(home: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(program());
    command
        .arg("serve")
        .arg(home.join("ws"))
        .args(["--port", "0", "--no-open", "--json"])
        .args(options)
        .env("XDG_STATE_HOME", home.join("state"))
        .env("HOME", home)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command
}

pub(crate) fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status();
    assert!(sent.unwrap().success(), "{pid} is there");
}

pub(crate) fn children_of(pid: u32) -> Vec<(u32, String)> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let found = entries.filter_map(|entry| {
        let child: u32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
        let parent: u32 = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        let words = fs::read(entry.path().join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        (parent == pid).then_some((child, words))
    });
    found.collect()
}

/// Whether a process is there.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    stat.is_ok_and(|stat| {
        !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
    })
}

/// Waits for something that happens soon.
pub(crate) fn wait_for<T>(look: impl Fn() -> Option<T>, what: impl Fn() -> String) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "{}", what());
        thread::sleep(Duration::from_millis(20));
    }
}

/// The JSON of a report without what no two runs have in common.
pub(crate) fn without_times(text: &str) -> Value {
    let mut json: Value =
        serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let fields = json.as_object_mut().unwrap();
    ["cpu_s", "peak_memory_bytes", "memory_bytes"]
        .iter()
        .for_each(|name| drop(fields.remove(*name)));
    json
}

/// Random numbers (xorshift64*, Vigna 2016).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}
