"""Rules of every call: signals, stops, progress, threads, errors."""

from __future__ import annotations

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import pytest
from conftest import ROOT, TESTDATA, Program

import treegauge as tg
from treegauge import _operations, _treegauge

#: Times are measured: nothing runs beside such a test.
alone = pytest.mark.alone

ATTRIBUTES = ROOT / "record/study/attributes-1000.csv"
HANGING = TESTDATA / "engines/hangs.sh"

#: Long calls. Each would take seconds at least.
LONG: Dict[str, Callable[..., Any]] = {
    "search": lambda **k: tg.search("othello", 20_000_000, memory_max="2G", **k),
    "gauge": lambda **k: tg.gauge("othello", budget="thorough", **k),
    "compare": lambda **k: tg.compare(["othello", "othello(size=6)"], budget="thorough", **k),
    "solve: discover": lambda **k: tg.solve("connect_four(cols=6,rows=5)", **k),
    "interest": lambda **k: tg.interest("oware(houses=3)", **k),
    "collect": lambda **k: tg.collect("othello", iterations=5000, instances=1000, **k),
    "evaluate": lambda **k: tg.evaluate(ATTRIBUTES, permutations=10_000, **k),
    "train": lambda **k: tg.train(
        [dataset()], labels="labels.toml", replicates=1000, output="model.json", **k
    ),
    "vet": lambda **k: tg.vet(["othello", "checkers"], **k),
    "difficulty": lambda **k: tg.difficulty("puzzles.fen", engine=HANGING, **k),
    "generate": lambda **k: tg.generate(["breakthrough"], games=10_000, output="made", **k),
    "match": lambda **k: tg.match("othello", *["alphabeta(eval=mobility,time_ms=5000)"] * 2, **k),
    "perft": lambda **k: tg.perft("othello", 12, **k),
}


def dataset() -> str:
    """A small dataset of labelled games, made once a test."""
    if not Path("labelled").exists():
        data = tg.collect(
            "labels.toml", iterations=30, instances=10, folder="labelled", players="random"
        )
        assert data.report is not None and data.report["missing"] == 0
    return "labelled"


@pytest.fixture(autouse=True)
def puzzles() -> None:
    Path("puzzles.fen").write_text("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\n", encoding="utf-8")
    labels = (
        f'[[game]]\ngame = "one_to_ten(target={n})"\nplayable = {str(n > 15).lower()}\ngroup = "{n % 4}"\n'
        for n in range(3, 29)
    )
    Path("labels.toml").write_text("".join(labels), encoding="utf-8")


def until(call: Callable[[], object], wait: float, act: Callable[[], object]) -> float:
    """Seconds from ``act``, which a thread does after ``wait``, to the end of the call."""
    acted: List[float] = []

    def later() -> None:
        time.sleep(wait)
        acted.append(time.monotonic())
        act()

    thread = threading.Thread(target=later)
    thread.start()
    try:
        call()
    finally:
        ended = time.monotonic()
        thread.join()
    return ended - acted[0]


def interrupted(call: Callable[..., object], wait: float = 0.4) -> float:
    acted: List[float] = []

    def act() -> None:
        acted.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(wait, act)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        ended = time.monotonic()
    finally:
        # A call that ended early must not end the tests.
        timer.cancel()
        timer.join()
    return ended - acted[0]


#: Seconds until a call ends. A hanging engine gets a while to end before it is killed.
WITHIN = {"difficulty": 0.7}


@alone
@pytest.mark.parametrize("name", LONG)
def test_a_signal_ends_every_call(name: str) -> None:
    if name == "train":
        dataset()
    taken = [interrupted(LONG[name]) for _ in range(3)]
    assert statistics.median(taken) < WITHIN.get(name, 0.2), taken
    assert tg.perft("tic_tac_toe", 2)["counts"] == (9, 72)


@alone
@pytest.mark.parametrize("phase", ["discover", "value", "write", "digest"])
def test_a_signal_ends_every_phase_of_a_solve(phase: str) -> None:
    taken: List[float] = []
    for attempt in range(3):
        acted: List[float] = []

        # At once, since a phase may be over soon.
        def listen(progress: tg.Progress) -> None:
            if progress.phase == phase and not acted:
                acted.append(time.monotonic())
                os.kill(os.getpid(), signal.SIGINT)

        # Without a file the values are summed up in the end; with one they are written.
        output = None if phase == "digest" else f"{attempt}.tgs"
        with pytest.raises(KeyboardInterrupt):
            tg.solve("connect_four(cols=5,rows=4)", output=output, progress=listen)
        taken.append(time.monotonic() - acted[0])
    # Writing ends within 0.3 s in the build of the tests, which is hardly optimised.
    assert statistics.median(taken) < (0.5 if phase == "write" else 0.2), taken


@alone
@pytest.mark.parametrize("name", ["search", "gauge", "evaluate", "vet", "generate", "match", "perft"])
def test_the_handler_of_the_caller_is_called(name: str) -> None:
    class Mine(Exception):
        pass

    def handler(*_: object) -> None:
        raise Mine

    before = signal.signal(signal.SIGINT, handler)
    try:
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(Mine):
            LONG[name]()
        # A handler that does nothing lets the call go on.
        signal.signal(signal.SIGINT, lambda *_: None)
        timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        report = tg.gauge("connect_four", games=20, iterations=100, model="none")
        assert report["incomplete"] is False
        timer.join()
    finally:
        signal.signal(signal.SIGINT, before)


@alone
def test_an_interrupted_gauge_has_a_report_and_continues() -> None:
    def gauge(**k: Any) -> tg.GaugeReport:
        return tg.gauge("connect_four", games=60, iterations=300, model="none", solve_limit=0, **k)

    interrupted: List[int] = []

    def interrupt(progress: tg.Progress) -> None:
        if progress.phase == "games" and progress.done > 0 and not interrupted:
            interrupted.append(progress.done)
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as raised:
        gauge(record="gauge.jsonl", progress=interrupt)
    partial = raised.value.partial  # type: ignore[attr-defined]
    assert isinstance(partial, tg.GaugeReport)
    assert partial.incomplete and partial["incomplete"] is True
    assert 0 < partial["games"] < partial["games_planned"] == 60
    assert gauge(record="gauge.jsonl") == gauge()


@alone
@pytest.mark.parametrize("name", ["search", "gauge", "solve: discover", "evaluate", "match"])
def test_an_event_stops_a_call(name: str) -> None:
    event = threading.Event()

    def call() -> None:
        with pytest.raises(tg.Stopped):
            LONG[name](stop=event)

    assert until(call, 0.3, event.set) < 0.2


def test_a_function_stops_a_call() -> None:
    asked: List[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 5

    with pytest.raises(tg.Stopped) as raised:
        tg.search("othello", 20_000_000, memory_max="2G", stop=stop)
    assert isinstance(raised.value.partial, tg.SearchReport)
    assert raised.value.partial["stopped"] == "interrupted"


@alone
def test_a_match_of_quick_players_is_stopped() -> None:
    class Quick:
        def choose(self, state: tg.State) -> int:
            return 0

    begun = time.monotonic()
    with pytest.raises(tg.Stopped):
        tg.match("othello", Quick(), "random", games=100_000, stop=lambda: time.monotonic() > begun + 0.3)
    assert time.monotonic() - begun < 5


def test_ctrl_c_in_a_player_is_no_forfeit() -> None:
    class Impatient:
        moves = 0

        def choose(self, state: tg.State) -> int:
            self.moves += 1
            if self.moves == 5:
                raise KeyboardInterrupt
            return 0

    with pytest.raises(KeyboardInterrupt):
        tg.match("tic_tac_toe", Impatient(), "random", games=20)


def test_an_interrupted_solve_says_what_it_kept(tmp_path: Path) -> None:
    def stop(progress: tg.Progress) -> None:
        if progress.done > 50_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as raised:
        tg.solve("connect_four(cols=6,rows=5)", output=tmp_path / "a.tgs", progress=stop)
    if sys.version_info >= (3, 11):
        assert any("positions found so far" in note for note in raised.value.__notes__)


@alone
def test_progress_comes_on_the_calling_thread() -> None:
    heard: List[tg.Progress] = []
    times: List[float] = []

    def listen(progress: tg.Progress) -> None:
        assert threading.current_thread() is threading.main_thread()
        heard.append(progress)
        times.append(time.monotonic())

    tg.gauge("connect_four", games=20, iterations=200, model="none", progress=listen)
    assert heard and all(one.done <= one.known for one in heard if one.phase == "games")
    last = heard[-1]
    assert last.done == last.known
    # The last one may come at once.
    gaps = [after - before for before, after in zip(times, times[1:-1])]
    assert all(gap > 0.09 for gap in gaps), gaps


def test_progress_has_reports_on_the_games_so_far() -> None:
    reports: List[tg.Report] = []

    def listen(progress: tg.Progress) -> None:
        if progress.partial is not None:
            reports.append(progress.partial)

    with pytest.raises(tg.Stopped):
        LONG["gauge"](progress=listen, stop=lambda: len(reports) > 1)
    first, second = reports[:2]
    assert isinstance(first, tg.GaugeReport) and first.incomplete
    assert 0 < first["games"] <= second["games"] < first["games_planned"]
    assert first.task["command"] == "gauge" and "%" in first.text()


def test_an_exception_of_progress_passes_through() -> None:
    def listen(_: tg.Progress) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        LONG["gauge"](progress=listen)


def test_bars_are_filled(capfd: pytest.CaptureFixture[str]) -> None:
    from tqdm import tqdm

    with tqdm(file=open(os.devnull, "w", encoding="utf-8")) as bar:
        tg.gauge("tic_tac_toe", games=20, model="none", progress=bar)
        assert bar.n == bar.total
    tg.gauge("tic_tac_toe", games=20, model="none", progress=True)
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err != ""


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    tg.gauge("tic_tac_toe", games=4, model="none")
    tg.solve("tic_tac_toe")
    with pytest.raises(tg.UsageError):
        tg.gauge("tic_tac_to")
    shown = capfd.readouterr()
    assert shown.out == "" and shown.err == ""


@alone
def test_other_threads_run_during_a_gauge() -> None:
    ticks: List[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    # Longest gaps as shares of the call, which would be one gap if it held the lock. A busy machine
    # may pause a thread once.
    gaps: List[float] = []
    for _ in range(3):
        ticks.clear()
        done.clear()
        thread = threading.Thread(target=tick)
        thread.start()
        began = time.monotonic()
        tg.gauge("connect_four", games=60, iterations=300, model="none", threads=1)
        took = time.monotonic() - began
        done.set()
        thread.join()
        gaps.append(max(b - a for a, b in zip(ticks, ticks[1:])) / took)
        assert len(ticks) > 20
        if gaps[-1] < 0.25:
            break
    assert min(gaps) < 0.25, gaps


CHILD = """
import multiprocessing, sys
import treegauge as tg

def gauge(seed):
    return tg.gauge("tic_tac_toe", games=4, seed=seed, model="none", threads=2).to_json()

if __name__ == "__main__":
    here = [gauge(1), gauge(2)]
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        assert pool.map_async(gauge, [1, 2]).get(timeout=20) == here
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_work(method: str) -> None:
    Path("child.py").write_text(CHILD, encoding="utf-8")
    subprocess.run([sys.executable, "child.py", method], check=True, timeout=60)


AFFINITY = """
import os, threading, time
import treegauge as tg

def names():
    tasks = f"/proc/{os.getpid()}/task"
    return len(os.listdir(tasks))

before, most, done = names(), [], threading.Event()

def count():
    while not done.is_set():
        most.append(names())
        time.sleep(0.002)

thread = threading.Thread(target=count)
thread.start()
tg.gauge("connect_four", games=10, iterations=200, model="none")
done.set()
thread.join()
# The counting thread, and one worker.
print(max(most) - before - 1)
"""


@alone
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="affinity is that of Linux")
def test_threads_follow_the_affinity() -> None:
    allowed = sorted(os.sched_getaffinity(0))
    for cores in ([allowed[0]], allowed[:2]):
        command = [sys.executable, "-c", AFFINITY]
        made = subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            preexec_fn=lambda cores=cores: os.sched_setaffinity(0, cores),  # type: ignore[misc]
        )
        assert int(made.stdout) == len(cores)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_panic_is_an_exception(threads: int, capfd: pytest.CaptureFixture[str]) -> None:
    if not hasattr(_treegauge, "_panic"):
        pytest.skip("a release build has no planted panic")
    planted: Callable[..., None] = getattr(_treegauge, "_panic")
    for _ in range(2):
        with pytest.raises(tg.InternalError, match=r"please report it: .*wait\.rs:\d+.*planted"):
            planted(threads)
    assert tg.perft("tic_tac_toe", 3)["counts"] == (9, 72, 504)
    assert capfd.readouterr().err == ""


IMPORT = """
import sys, time
before = time.process_time()
import treegauge as tg
print(time.process_time() - before)
tg.gauge("tic_tac_toe", games=2, model="none")
print([name for name in {names} if name in sys.modules])
"""


@alone
def test_the_import_is_light(tmp_path: Path) -> None:
    names = ["numpy", "pandas", "polars", "pyarrow", "ray", "sklearn", "tqdm", "asyncio"]
    took: List[float] = []
    # Compiled sources, as after an installation; the first process writes them.
    compiled = {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    env = {**os.environ, **compiled}
    for _ in range(6):
        command = [sys.executable, "-c", IMPORT.format(names=names)]
        made = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
        seconds, loaded = made.stdout.splitlines()
        assert loaded == "[]"
        took.append(float(seconds))
    # 20 ms on an idle machine; tests may share theirs.
    assert min(took) < 0.05, took


#: Options of the program that say how it prints, and those that only a terminal has.
PRINTING = {
    "board", "color", "csv", "explain", "force", "help", "html", "json", "log_trees", "open",
    "plain", "play", "practice", "progress", "quiet", "save", "svg", "svg_dir", "tree_features",
    "stop_on_eof", "partial", "charts", "version", "worksheet",
}  # fmt: skip
#: Arguments of Python alone.
OURS = {"at", "strict", "stop", "progress", "force", "return"}


def options_of(text: str) -> Iterator[str]:
    for found in re.finditer(r"^(?:  -\w, |      )--([a-z][a-z-]*)", text, re.MULTILINE):
        yield found.group(1).replace("-", "_")


@pytest.mark.parametrize("command", [name for name in _operations.__all__ if name.islower()])
def test_options_are_those_of_the_program(command: str, program: Program) -> None:
    function = getattr(tg, command)
    ours = {name.rstrip("_") for name in function.__annotations__} - OURS
    printed = program([command, "--help"])
    theirs = set(options_of(printed.stdout)) - PRINTING
    if command == "collect":
        theirs = theirs - {"output"} | {"folder"}
    declared = json.loads(_treegauge.declared())
    task = next(one["task"] for one in declared if one["task"]["command"] == command)
    placed = {field["field"] for field in task["fields"] if field["option"] is None}
    assert placed <= ours
    assert (ours - placed) - PRINTING == theirs - PRINTING
