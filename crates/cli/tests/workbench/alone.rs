//! A machine without a network.

use std::process::Command;

use crate::bench::program;

/// Serves in a network of its own, works there with all pages and some runs, and counts what the kernel saw of
/// connections: those of the script itself, no other, and nothing that has no way out.
const SCRIPT: &str = r#"
import json, os, subprocess, sys, time, urllib.request
program, home = sys.argv[1:]
subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
os.makedirs(home + "/ws")
env = dict(os.environ, XDG_STATE_HOME=home + "/state", HOME=home)
server = subprocess.Popen([program, "serve", home + "/ws", "--port", "0", "--no-open", "--json"], env=env, stdout=subprocess.PIPE)
serving = json.loads(server.stdout.readline())
asked = 0
def ask(path, body=None):
    global asked
    asked += 1
    head = {"Authorization": "Bearer " + serving["key"], "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(serving["origin"] + path, data, head), timeout=60) as answer:
        return answer.read().decode("utf-8", "replace")
def done(**task):
    run = json.loads(ask("/api/runs", {"task": task}))["id"]
    while True:
        state = next(one["state"] for one in json.loads(ask("/runs.json"))["runs"] if one["id"] == run)
        assert state not in ("failed", "stopped"), task
        if state == "done":
            return run
        time.sleep(0.05)
match = done(command="match", game="achi", a="random", b="random", games=4)
assert "Report" in ask("/runs/" + match)
done(command="solve", game="tic_tac_toe")
done(command="gauge", game="tic_tac_toe", games=4, iterations=30)
assert "connect_four" in ask("/games")
assert json.loads(ask("/api/reply", {"game": "achi", "moves": "a1", "player": "random", "seed": 2}))["move"]
skipped = ("/open", "/events")
paths = [one["path"] for one in json.loads(ask("/api/routes"))["routes"] if one["method"] == "GET"]
paths = [path for path in paths if not path.startswith(skipped)]
assert len(paths) > 40, paths
for path in paths:
    ask(path)
server.terminate()
assert server.wait() == 0
counts = {}
for protocol in ("Ip:", "Tcp:", "Udp:"):
    names, values = (line.split() for line in open("/proc/net/snmp") if line.startswith(protocol))
    counts |= {protocol + name: int(value) for name, value in zip(names[1:], values[1:])}
counts |= {name: int(value) for name, value in map(str.split, open("/proc/net/snmp6"))}
assert counts["Tcp:ActiveOpens"] == asked, (counts, asked)
for name in ("Ip:OutNoRoutes", "Ip6OutNoRoutes", "Udp:OutDatagrams", "Udp6OutDatagrams"):
    assert counts[name] == 0, (name, counts)
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
