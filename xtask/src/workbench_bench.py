"""Figures of the workbench: `cargo xtask workbench-bench` runs this with the program."""

import json
import os
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = sys.argv[1]
QUIET_S = float(sys.argv[2]) if len(sys.argv) > 2 else 60.0

# The greatest values on two idle cores. Three times as much is allowed for a time.
BARS = {
    "start_ms": 100,
    "home_ms": 20,
    "home_bytes": 60_000,
    "home_requests": 5,
    "first_paint_ms": 500,
    "position_page_ms": 10,
    "position_page_ms_cold": 40,
    "click_to_own_move_ms_p95": 60,
    "click_to_reply_ms_p95": 150,
    "reply_2000_ms_p95": 150,
    "tree_100000_ms": 1000,
    "children_ms_p95": 50,
    "report_page_ms": 100,
    "server_cpu_share_while_a_run_works": 0.05,
    "streams_1000_memory_mb": 32,
    "streams_1000_cpu_s": 0.1,
    "idle_cpu_s": 0.02,
    "memory_at_start_mb": 40,
    "memory_mb_a_run": 1,
    "message_ms_p99_100_streams": 300,
    "descriptors_left": 0,
    "pause_match_ms": 2000,
    "stop_match_ms": 2000,
    "pause_solve_ms": 10_000,
    "stop_solve_ms": 10_000,
    "home_ms_500_runs": 100,
    "runs_ms_500_runs": 100,
}


def over_the_bars(figures):
    """Figures that are greater than their bar allows."""
    times = {name for name in BARS if name.endswith(("_ms", "_s")) or "_ms_" in name}
    allowed = {name: most * (3 if name in times else 1) for name, most in BARS.items()}
    return [f"{name} is {figures[name]}, more than {most}" for name, most in allowed.items() if (figures.get(name) or 0) > most]


# Plays the first move of connect_four again and again, from a click to the own move and to the reply.
CLICK_TO_REPLY = """async (times) => {
  const shown = async (plies) => {
    while (document.querySelector('#position').dataset.plies !== plies) await new Promise(requestAnimationFrame);
  };
  const own = [], reply = [];
  for (let n = 0; n < times; n++) {
    const begun = performance.now();
    document.querySelector('[data-cell=d1]').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
    await shown('1');
    own.push(performance.now() - begun);
    await shown('2');
    reply.push(performance.now() - begun);
    document.querySelector('button[name=undo]').click();
    await shown('0');
    await new Promise((done) => setTimeout(done, 30));
  }
  return [own, reply];
}"""
TICKS = os.sysconf("SC_CLK_TCK")


class Bench:
    """A server on a workspace."""

    def __init__(self, home):
        self.home = home
        os.makedirs(home + "/ws", exist_ok=True)
        env = dict(os.environ, XDG_STATE_HOME=home + "/state", HOME=home)
        words = [PROGRAM, "serve", home + "/ws", "--port", "0", "--no-open", "--json"]
        begun = time.perf_counter()
        self.process = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.serving = json.loads(self.process.stdout.readline())
        self.start_ms = 1e3 * (time.perf_counter() - begun)
        self.port = int(self.serving["origin"].rsplit(":", 1)[1])

    def send(self, path, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        method = "GET" if body is None else "POST"
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.serving['key']}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        )
        stream = socket.create_connection(("127.0.0.1", self.port))
        stream.settimeout(60)
        return stream, head.encode(), data

    def ask(self, path, body=None):
        """Status and body of an answer."""
        stream, head, data = self.send(path, body)
        with stream:
            stream.sendall(head + b"Connection: close\r\n\r\n" + data)
            answer = b""
            while piece := stream.recv(1 << 16):
                answer += piece
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split()[1]), body

    def get(self, path):
        status, body = self.ask(path)
        assert status == 200, (path, status, body[:300])
        return body

    def listen(self):
        """An open stream of changes."""
        stream, head, _ = self.send("/events")
        stream.sendall(head + b"\r\n")
        heard = b""
        while b"event: hello" not in heard:
            heard += stream.recv(4096)
        return stream

    def start(self, **task):
        status, body = self.ask("/api/runs", {"task": task})
        while status == 429:
            # The server starts at most 60 runs a minute.
            time.sleep(5)
            status, body = self.ask("/api/runs", {"task": task})
        assert status == 201, body
        return json.loads(body)["id"]

    def change(self, run, act):
        status, body = self.ask(f"/api/runs/{run}/{act}", {})
        assert status == 200, body

    def state(self, run):
        return next(one for one in json.loads(self.get("/runs.json"))["runs"] if one["id"] == run)

    def wait(self, run, states):
        while self.state(run)["state"] not in states:
            time.sleep(0.01)

    def wait_for_work(self, run):
        while not (self.state(run)["progress"] or {}).get("done"):
            time.sleep(0.01)

    def cpu_s(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def memory(self):
        line = next(line for line in open(f"/proc/{self.process.pid}/status") if line.startswith("VmRSS:"))
        return int(line.split()[1]) * 1024

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def kill_workers(self):
        """Ends the workers, so that the next request starts one."""
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                parent = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1]
                is_worker = b"--worker" in open(f"/proc/{pid}/cmdline", "rb").read()
            except OSError:
                continue
            if int(parent) == self.process.pid and is_worker:
                os.kill(int(pid), signal.SIGKILL)
        time.sleep(0.05)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def times_ms(work, times):
    """Times of some work in order, after it was done once."""
    work()
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        found.append(1e3 * (time.perf_counter() - begun))
    return sorted(found)


def median_ms(work, times=20):
    return round(statistics.median(times_ms(work, times)), 1)


def p95(times):
    """The 95th percentile of some times."""
    return round(sorted(times)[int(0.95 * len(times))], 1)


def mb(bytes):
    return round(bytes / 1e6, 1)


def quiet(bench):
    """CPU seconds of a server to which nothing happens."""
    before = bench.cpu_s()
    time.sleep(QUIET_S)
    return round(bench.cpu_s() - before, 3)


def first_page(bench):
    page = bench.get("/")
    linked = [part.split(b'"')[0].decode() for part in page.split(b'href="/assets/')[1:] + page.split(b'src="/assets/')[1:]]
    assets = [bench.get("/assets/" + path) for path in linked]
    return {
        "home_ms": median_ms(lambda: bench.get("/")),
        "home_requests": 1 + len(assets),
        "home_bytes": len(page) + sum(map(len, assets)),
    }


def in_chromium(bench):
    """Medians and percentiles of what somebody waits for in Chromium, which has nothing of the workbench yet."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return {"first_paint_ms": None}
    found = []
    origin = bench.serving["origin"]

    def opened(browser):
        tab = browser.new_context().new_page()
        code = json.loads(bench.ask("/api/codes", {})[1])["code"]
        tab.goto(f"{origin}/open?code={code}")
        tab.wait_for_timeout(300)
        return tab

    with sync_playwright() as playwright:
        flags = ["--headless", "--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        for _ in range(5):
            tab = opened(browser)
            found.append(tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            tab.context.close()
        tab = opened(browser)
        tab.goto(f"{origin}/games/connect_four/play?second=uct(iterations%3D2000)&history=off")
        tab.wait_for_timeout(300)
        own, reply = tab.evaluate(CLICK_TO_REPLY, 60)
        browser.close()
    return {
        "first_paint_ms": round(statistics.median(found)),
        "click_to_own_move_ms_p95": p95(own),
        "click_to_reply_ms_p95": p95(reply),
    }


def idle_streams(bench):
    """Memory and CPU of many listeners, and whether everything returns."""
    found = {}
    before = bench.memory(), bench.descriptors()
    for count in (100, 1000):
        streams = [bench.listen() for _ in range(count)]
        found[f"streams_{count}_memory_mb"] = mb(bench.memory() - before[0])
        found[f"streams_{count}_cpu_s"] = quiet(bench)
        found[f"home_ms_beside_{count}_streams"] = median_ms(lambda: bench.get("/"))
        for stream in streams:
            stream.close()
        time.sleep(1)
    found["descriptors_left"] = bench.descriptors() - before[1]
    return found


def latency(bench):
    """The time from the end of a short run to its message in 100 streams."""
    streams = [bench.listen() for _ in range(100)]
    found = []
    for _ in range(5):
        run = bench.start(command="perft", game="tic_tac_toe", depth=1)
        for stream in streams:
            heard = b""
            while b'"state":"done"' not in heard:
                heard += stream.recv(1 << 16)
            found.append(time.time())
        end = os.stat(f"{bench.home}/ws/runs/{run}/end.json").st_mtime
        found[-100:] = [1e3 * (at - end) for at in found[-100:]]
    for stream in streams:
        stream.close()
    return {"message_ms_p99_100_streams": round(sorted(found)[int(len(found) * 0.99)], 1)}


def partial_reports(bench):
    """Reports of unfinished work: how many a second, and the CPU that they take beside the run."""
    task = dict(command="gauge", game="othello", games=2000, iterations=200, solve_limit=0, model="none", ladder="1", skill_games=0)
    run = bench.start(**task)
    bench.wait_for_work(run)
    path = f"{bench.home}/ws/runs/{run}/partial.json"
    seen, begun, cpu = set(), time.time(), bench.cpu_s()
    while time.time() < begun + 10:
        if os.path.exists(path):
            seen.add(os.stat(path).st_mtime_ns)
        time.sleep(0.02)
    seconds = time.time() - begun
    found = {
        "partial_reports_a_second": round(len(seen) / seconds, 2),
        "server_cpu_share_while_a_run_works": round((bench.cpu_s() - cpu) / seconds, 4),
        "partial_page_ms": median_ms(lambda: bench.get(f"/runs/{run}?part=run"), 5),
    }
    begun = time.perf_counter()
    bench.change(run, "pause")
    bench.wait(run, ["paused"])
    found["pause_gauge_ms"] = round(1e3 * (time.perf_counter() - begun))
    return found


def positions(bench):
    """Pages of positions and of search trees, replies, and children of a node."""
    page = "/games/connect_four/play?moves=d+c"
    reply = {"game": "connect_four", "moves": "d", "player": "uct(iterations=2000)"}
    tree = {"game": "connect_four", "player": "uct(iterations=100000)", "seed": 100}
    seeds = iter(range(1, 1000))
    cold = []
    for _ in range(20):
        bench.kill_workers()
        begun = time.perf_counter()
        bench.get(page)
        cold.append(1e3 * (time.perf_counter() - begun))
    return {
        "position_page_ms_cold": round(statistics.median(cold), 1),
        "position_page_ms": median_ms(lambda: bench.get(page)),
        "position_part_ms": median_ms(lambda: bench.get(page + "&part=position")),
        "position_page_bytes": len(bench.get(page)),
        "reply_2000_ms_p95": p95(times_ms(lambda: bench.ask("/api/reply", reply), 100)),
        "tree_100000_ms": median_ms(
            lambda: bench.get(f"/games/connect_four/tree?iterations=100000&now=yes&seed={next(seeds)}"), 10
        ),
        "children_ms_p95": p95(times_ms(lambda: bench.ask("/api/children", tree | {"path": "d d"}), 100)),
    }


def ends(bench):
    """The time from a wish to the end of the process."""
    found = {}
    tasks = {
        "match": dict(command="match", game="othello", a="uct(iterations=1000)", b="random", games=5000),
        "solve": dict(command="solve", game="connect_four"),
    }
    for name, task in tasks.items():
        for act, state in (("pause", "paused"), ("stop", "stopped")):
            run = bench.start(**task)
            bench.wait_for_work(run)
            time.sleep(1)
            begun = time.perf_counter()
            bench.change(run, act)
            bench.wait(run, [state])
            found[f"{act}_{name}_ms"] = round(1e3 * (time.perf_counter() - begun))
    return found


def queue(bench):
    """A page while 32 runs wait."""
    first = bench.start(command="solve", game="connect_four")
    others = [bench.start(command="perft", game="tic_tac_toe", depth=1) for _ in range(20)]
    found = {"home_ms_beside_a_queue": median_ms(lambda: bench.get("/"))}
    for run in others + [first]:
        bench.change(run, "stop")
    bench.wait(first, ["stopped"])
    return found


def short_runs(bench):
    """Memory of the server for each run that is over."""
    before, count = bench.memory(), 30
    for _ in range(count):
        run = bench.start(command="gauge", game="achi", games=4, iterations=20)
        bench.wait(run, ["done"])
    return {"memory_mb_a_run": round((bench.memory() - before) / 1e6 / count, 3)}


def idle_clients(bench):
    """A page beside clients that send half of a head or do not read."""
    with open(bench.home + "/ws/large.bin", "wb") as file:
        file.write(b"x" * 8_000_000)
    before, clients = bench.memory(), []
    for _ in range(300):
        stream = socket.create_connection(("127.0.0.1", bench.port))
        stream.sendall(b"GET / HTTP/1.1\r\nHost: ")
        clients.append(stream)
    for _ in range(50):
        stream, head, _ = bench.send("/files/large.bin")
        stream.sendall(head + b"\r\n")
        clients.append(stream)
    found = {
        "home_ms_beside_350_idle_clients": median_ms(lambda: bench.get("/"), 5),
        "memory_of_350_idle_clients_mb": mb(bench.memory() - before),
    }
    for stream in clients:
        stream.close()
    time.sleep(3)
    return found


def many_runs(bench, run):
    """Pages of a workspace with 500 runs."""
    folder = bench.home + "/ws/runs/"
    for n in range(1000, 1500):
        shutil.copytree(folder + run, f"{folder}2026-11-27-{n}-gauge-connect_four")
    bench.end()
    again = Bench(bench.home)
    found = {
        "start_ms_500_runs": round(again.start_ms, 1),
        "home_ms_500_runs": median_ms(lambda: again.get("/")),
        "runs_ms_500_runs": median_ms(lambda: again.get("/runs")),
    }
    again.end()
    return found


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096) if hard > 0 else 4096, hard))
    figures = {}
    with tempfile.TemporaryDirectory() as home:
        starts = []
        for _ in range(5):
            bench = Bench(home)
            starts.append(bench.start_ms)
            bench.end()
        figures["start_ms"] = round(statistics.median(starts), 1)
        bench = Bench(home)
        figures["memory_at_start_mb"] = mb(bench.memory())
        figures["idle_cpu_s"] = quiet(bench)
        figures |= first_page(bench)
        figures |= in_chromium(bench)
        run = bench.start(command="gauge", game="connect_four", games=40, iterations=200)
        bench.wait(run, ["done"])
        figures["report_page_ms"] = median_ms(lambda: bench.get(f"/runs/{run}"))
        figures["report_page_bytes"] = len(bench.get(f"/runs/{run}"))
        figures["game_page_ms"] = median_ms(lambda: bench.get("/games/connect_four"))
        figures["games_page_bytes"] = len(bench.get("/games"))
        for work in (positions, latency, partial_reports, ends, queue, idle_clients, idle_streams, short_runs):
            figures |= work(bench)
            print(work.__name__, file=sys.stderr)
        figures["memory_after_all_mb"] = mb(bench.memory())
        figures |= many_runs(bench, run)
    print(json.dumps(figures, indent=1))
    over = over_the_bars(figures)
    print("\n".join(over), file=sys.stderr)
    sys.exit(1 if over else 0)


main()
