//! A machine without a network.

use std::process::Command;

use crate::bench::program;

/// Serves in a network of its own, plays a match there and reads the report.
const SCRIPT: &str = r#"
import json, os, subprocess, sys, time, urllib.request
program, home = sys.argv[1:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
os.makedirs(home + "/ws")
env = dict(os.environ, XDG_STATE_HOME=home + "/state", HOME=home)
server = subprocess.Popen([program, "serve", home + "/ws", "--port", "0", "--no-open", "--json"], env=env, stdout=subprocess.PIPE)
serving = json.loads(server.stdout.readline())
def ask(path, body=None):
    head = {"Authorization": "Bearer " + serving["key"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(serving["origin"] + path, data, head), timeout=60) as answer:
        return answer.read().decode()
task = {"command": "match", "game": "achi", "a": "random", "b": "random", "games": 4}
run = json.loads(ask("/api/runs", {"task": task}))["id"]
while not any(one["id"] == run and one["state"] == "done" for one in json.loads(ask("/runs.json"))["runs"]):
    time.sleep(0.05)
assert "Report" in ask("/runs/" + run)
assert "connect_four" in ask("/games")
server.terminate()
assert server.wait() == 0
print("works")
"#;

#[test]
fn everything_works_without_a_network() {
    let unshare = |words: &[&str]| {
        Command::new("unshare").args(["--user", "--map-root-user", "--net"]).args(words).output()
    };
    let has_all = |words: &[&str]| unshare(words).is_ok_and(|ran| ran.status.success());
    if !has_all(&["ip", "link", "set", "lo", "up"]) || !has_all(&["python3", "-c", ""]) {
        eprintln!("left out: no network namespaces, `ip` or Python here");
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let home = home.path().to_str().unwrap();
    let ran = unshare(&["python3", "-c", SCRIPT, program(), home]).unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "works\n", "{said}");
}
