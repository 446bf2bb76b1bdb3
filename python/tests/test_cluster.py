"""Runs on many machines: whatever dies, the bytes are those of one machine."""

from __future__ import annotations

import errno
import gzip
import json
import os
import pickle
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Mapping, Sequence, Tuple, Union

import heaps
import pytest

import treegauge as tg
from conftest import ROOT, TESTDATA
from treegauge import _call, _treegauge, cluster
from treegauge.cluster import _executors, _pack, _puzzles, _run, _store, _tasks, _work

#: Contents of files by name.
Files = Dict[str, bytes]

GAMES = ["achi", "connect_four", "alak"]


def whole_study(folder: Path, iterations: int = 50, instances: int = 12) -> Path:
    task = {
        "command": "collect",
        "games": ",".join(GAMES),
        "iterations": iterations,
        "instances": instances,
    }
    tg.run(task, kept=folder)
    return folder


def planned(iterations: Sequence[int] = (50,), instances: int = 12) -> cluster.Plan:
    # So small a piece takes one instance.
    return cluster.plan(GAMES, iterations=list(iterations), instances=instances, piece_seconds=1e-5)


def files_of(folder: Path) -> Files:
    files = sorted(one for one in Path(folder).rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in files}


def threads(count: int = 2) -> Callable[[], ThreadPoolExecutor]:
    return lambda: ThreadPoolExecutor(count)


@pytest.fixture(scope="module")
def one_machine(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return files_of(whole_study(tmp_path_factory.mktemp("one") / "study"))


@pytest.fixture(scope="module")
def plan() -> cluster.Plan:
    return planned()


def finished(store: Union[str, Path], tmp_path: Path, name: str = "50") -> Files:
    cluster.finish(store, tmp_path / "joined")
    return files_of(tmp_path / "joined" / name)


def test_pieces_made_by_threads_join_to_the_files_of_one_machine(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    seen: List[int] = []
    done = cluster.run(
        plan, tmp_path / "store", executor=threads(), progress=lambda done: seen.append(done.done)
    )
    assert (done.done, done.failed) == (len(plan), 0)
    assert seen == list(range(1, len(plan) + 1))
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_two_strengths_make_two_datasets(tmp_path: Path) -> None:
    plan = planned(iterations=(20, 40), instances=3)
    cluster.run(plan, tmp_path / "store", executor=threads())
    made = cluster.finish(tmp_path / "store", tmp_path / "joined")
    assert [one.name for one in made] == ["20", "40"]
    for one in made:
        expected = whole_study(tmp_path / f"one{one.name}", int(one.name), 3)
        assert files_of(one) == files_of(expected)


def test_the_cuts_do_not_change_the_dataset(one_machine: Files, tmp_path: Path) -> None:
    plan = cluster.plan(GAMES, iterations=50, instances=12, piece_seconds=3600)
    assert len(plan) == len(GAMES)
    cluster.run(plan, tmp_path / "store", executor=threads())
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_a_killed_process_costs_its_piece_only(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    killed: List[Any] = []

    def kill_one(done: cluster.Done) -> None:
        if killed or done.done < 3:
            return
        for child in children_of(os.getpid()):
            if "spawn_main" in command_of(child):
                os.kill(child, signal.SIGKILL)
                killed.append(child)
                return

    done = cluster.run(plan, tmp_path / "store", executor=cluster.processes(2), progress=kill_one)
    assert killed and done.done == len(plan)
    assert finished(tmp_path / "store", tmp_path) == one_machine


def children_of(pid: int) -> List[int]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
    return found


def command_of(pid: Union[int, str]) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def test_a_piece_that_kills_its_process_is_named_and_the_others_are_made(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first piece names a game that ends the process; only the environment of workers has it.
    victim = next(plan.pieces()).name
    done: List[cluster.Done] = []
    maker = FragileExecutors(victim)
    with pytest.raises(cluster.IncompleteError) as raised:
        cluster.run(plan, tmp_path / "store", executor=maker, progress=done.append)
    assert raised.value.missing == [victim]
    assert len(_store.open_store(tmp_path / "store").names("pieces")) == len(plan) - 1
    # It fell three times alone, so three executors broke for it, and one before anybody knew.
    assert maker.made >= 4


class FragileExecutors:
    """Makes executors that break when they meet one piece."""

    def __init__(self, victim: str) -> None:
        self.victim = victim
        self.made = 0

    def __call__(self) -> FragileExecutor:
        self.made += 1
        return FragileExecutor(self.victim)


class FragileExecutor:
    workers = 2

    def __init__(self, victim: str) -> None:
        self.victim = victim
        self.is_broken = False

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        if self.is_broken or args[2] == self.victim:
            self.is_broken = True
            future.set_exception(BrokenExecutor("a process died"))
            return future
        future.set_result(fn(*args))
        return future


def test_a_piece_that_raises_is_tried_three_times_and_named(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = next(plan.pieces())
    real = _tasks.result
    calls: List[int] = []

    def result(task: Mapping[str, Any], rules: Mapping[str, str], stop: Any = None) -> Files:
        if dict(task) == dict(victim.task):
            calls.append(1)
            raise ValueError("no luck")
        return real(task, rules)

    monkeypatch.setattr(_tasks, "result", result)
    with pytest.raises(cluster.IncompleteError, match="3 times") as raised:
        cluster.run(plan, tmp_path / "store", executor=threads())
    assert raised.value.missing == [victim.name] and len(calls) == 3
    reasons = _store.open_store(tmp_path / "store").names("failed")
    assert len(reasons) == 3
    why = json.loads((tmp_path / "store" / reasons[0]).read_text())
    assert why["error"] == "ValueError: no luck" and why["piece"] == victim.name
    [row] = [row for row in cluster.status(tmp_path / "store").to_dicts() if row["done"] < row["pieces"]]
    assert (row["pieces"] - row["done"], row["failed"]) == (1, 3)
    with pytest.raises(cluster.IncompleteError, match="1 of 36 pieces"):
        cluster.finish(tmp_path / "store", tmp_path / "joined")
    assert not (tmp_path / "joined").exists()
    monkeypatch.setattr(_tasks, "result", real)
    assert cluster.run(plan, tmp_path / "store", executor=threads()).done == len(plan)


def test_a_slow_piece_is_handed_out_once_more_and_not_awaited(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = list(plan.pieces())[-1]
    started: List[int] = []
    free = threading.Event()
    real = _tasks.result

    def result(task: Mapping[str, Any], rules: Mapping[str, str], stop: Any = None) -> Files:
        if dict(task) == dict(slow.task):
            started.append(1)
            if len(started) == 1:
                free.wait(60)
        return real(task, rules)

    monkeypatch.setattr(_tasks, "result", result)
    pool = threads(2)()
    begun = time.monotonic()
    done = cluster.run(plan, tmp_path / "store", executor=pool)
    assert done.done == len(plan) and len(started) == 2 and time.monotonic() - begun < 30
    free.set()
    pool.shutdown()


def test_an_executor_that_breaks_at_a_copy_is_replaced(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = list(plan.pieces())[-1]
    free = threading.Event()
    made: List[Any] = []
    real = _tasks.result

    def result(task: Mapping[str, Any], rules: Mapping[str, str], stop: Any = None) -> Files:
        if dict(task) == dict(slow.task) and len(made) == 1:
            free.wait(60)
        return real(task, rules)

    class Breaks(ThreadPoolExecutor):
        """A pool that takes each piece once, and no copy."""

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            self.taken = getattr(self, "taken", 0) + 1
            if len(made) == 1 and self.taken > len(plan):
                raise BrokenExecutor("no worker is left")
            return super().submit(fn, *args, **kwargs)

    def maker() -> Any:
        made.append(Breaks(2))
        return made[-1]

    monkeypatch.setattr(_tasks, "result", result)
    done = cluster.run(plan, tmp_path / "store", executor=maker)
    assert done.done == len(plan) and len(made) == 2
    free.set()


class Cancels(ThreadPoolExecutor):
    """A pool that cancels its first call, as a cluster does that takes its client for gone."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
        if hasattr(self, "lost"):
            return super().submit(fn, *args, **kwargs)
        self.lost: Future[Any] = Future()
        self.lost.cancel()
        self.lost.set_running_or_notify_cancel()
        return self.lost


def test_a_cancelled_call_is_an_attempt_that_failed(plan: cluster.Plan, tmp_path: Path) -> None:
    done = cluster.run(plan, tmp_path, executor=Cancels(2))
    assert (done.done, done.failed) == (len(plan), 1)
    [reason] = (tmp_path / "failed").iterdir()
    assert "the executor cancelled the call" in json.loads(reason.read_text())["error"]


def broken_loop(plan: cluster.Plan, folder: Path, flying: Sequence[cluster.Piece]) -> Any:
    """The loop of a run with some pieces in flight when the executor breaks."""
    store, done = _store.open_store(folder), cluster.Done(pieces=len(plan), done=0)
    _run._claim(store, plan)
    loop = _run._Loop(store, plan, threads(), 2, 3, None, None, done, deque())
    loop.flying = {Future(): piece for piece in flying}
    loop.began = {future: 0.0 for future in loop.flying}
    return loop


def test_two_copies_in_a_broken_executor_count_once(plan: cluster.Plan, tmp_path: Path) -> None:
    one, other = list(plan.pieces())[:2]
    loop = broken_loop(plan, tmp_path, [one, one, other, other])
    _work.make(str(tmp_path), plan.digest, one.name, one.task)
    # One copy failed for good, and the other was made before the executor broke.
    loop.broken = [one.name]
    loop._replace(BrokenExecutor("a process died"))
    assert (loop.done.done, loop.broken) == (1, [])
    assert list(loop.suspects) == [other]
    # Alone in flight, a piece broke the executor, however many copies there are.
    loop = broken_loop(plan, tmp_path, [other, other])
    loop._replace(BrokenExecutor("a process died"))
    assert (loop.done.failed, list(loop.waiting), list(loop.suspects)) == (1, [other], [])
    [reason] = (tmp_path / "failed").iterdir()
    assert "a process died" in json.loads(reason.read_text())["error"]


def test_a_game_of_another_program_is_made_known_to_workers(tmp_path: Path) -> None:
    game = tg.Game.external(heaps.Heap())
    plan = cluster.plan([game], iterations=10, instances=4, piece_seconds=1e-9)
    assert len(plan) == 4
    with pytest.raises(cluster.IncompleteError):
        cluster.run(plan, tmp_path / "bare", executor=cluster.processes(1), attempts=1)
    (reason, *_) = (tmp_path / "bare" / "failed").iterdir()
    assert "its rules are not in this process" in reason.read_text()
    executor = cluster.processes(2)
    cluster.run(plan, tmp_path / "store", executor=executor, setup=heaps.make_known)
    cluster.finish(tmp_path / "store", tmp_path / "joined")
    tg.collect(game, iterations=10, instances=4, folder=tmp_path / "one")
    assert files_of(tmp_path / "joined" / "10") == files_of(tmp_path / "one")

    # Jobs of a queue name the function.
    store = tmp_path / "queued"
    store.mkdir()
    (store / "plan.json").write_text(plan.to_json())
    work = [sys.executable, "-m", "treegauge.cluster", "work", str(store), "--setup"]
    tests = Path(heaps.__file__).parent
    for function, words in [("heaps:make_known", "4 pieces made"), ("heaps:nothing", "MODULE:FUNCTION")]:
        ran = subprocess.run([*work, function], cwd=tests, capture_output=True, text=True, check=False)
        assert words in ran.stdout + ran.stderr and (ran.returncode == 0) == ("made" in words)


def test_each_run_calls_its_own_setup_once(plan: cluster.Plan, tmp_path: Path) -> None:
    called: List[str] = []

    def setup_of(name: str) -> Callable[[], object]:
        def setup() -> None:
            # No other thread makes a piece before its end.
            assert _work._calling.locked()
            called.append(name)

        return setup

    part = plan.split(3)[0]
    with threads(2)() as pool:
        for name in ("one", "two"):
            cluster.run(part, tmp_path / name, executor=pool, setup=setup_of(name))
    assert called == ["one", "two"]
    one = tmp_path / "three"
    _run._claim(_store.open_store(one), part)
    cluster.work(one, setup=setup_of("three"))
    assert called[2:] == ["three"]


def test_a_setup_that_exits_leaves_its_reason(plan: cluster.Plan, tmp_path: Path) -> None:
    def setup() -> None:
        raise SystemExit("no licence")

    one = plan.split(3)[0]
    with pytest.raises(cluster.IncompleteError, match="failed 1 times"):
        cluster.run(one, tmp_path, executor=threads(), attempts=1, setup=setup)
    reasons = list((tmp_path / "failed").iterdir())
    assert len(reasons) == len(one)
    assert json.loads(reasons[0].read_text())["error"] == "SystemExit: no licence"


def test_a_plan_has_no_objects() -> None:
    class Mine:
        def choose(self, state: tg.State) -> int:
            return 0

    mine: Any = Mine()
    with pytest.raises(tg.UsageError, match="players: .* stay in their process"):
        cluster.plan("achi", iterations=10, instances=1, players=[mine])
    with pytest.raises(tg.UsageError, match="a: .* stay in their process"):
        cluster.plan_match("achi", mine, "random", games=2, pieces=1)


def test_a_split_study_is_whole_or_refused(tmp_path: Path) -> None:
    whole = cluster.plan(["achi", "tic_tac_toe"], iterations=[20], instances=2)
    one, other = whole.split(2)
    seen: List[int] = []
    for name, part in (("one", one), ("other", other)):
        cluster.run(part, tmp_path / name, executor=threads(), progress=lambda d: seen.append(d.done))
    assert seen
    with pytest.raises(cluster.IncompleteError, match="1 of 2 shares") as raised:
        cluster.finish(tmp_path / "one", tmp_path / "joined")
    assert len(raised.value.missing) == 1 and not (tmp_path / "joined").exists()
    with pytest.raises(tg.UsageError, match="same share"):
        cluster.finish([tmp_path / "one"] * 2, tmp_path / "joined")
    assert cluster.finish([tmp_path / "one", tmp_path / "other"], tmp_path / "joined")


def test_every_plan_has_a_status(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    plans = [
        cluster.plan_match("achi", "random", "random", games=4, pieces=2),
        cluster.plan_tournament("achi", ["random", "uct(iterations=5)"], games=4, pieces=1),
        cluster.plan_generate("tic_tac_toe", games=4, pieces=2),
        cluster.plan_vet(["achi"]),
    ]
    for n, made in enumerate(plans):
        store = tmp_path / str(n)
        store.mkdir()
        (store / "plan.json").write_text(made.to_json())
        table = cluster.status(store)
        assert len(table) == 1 and table.to_dicts()[0]["pieces"] == len(made)
        assert table.to_dicts()[0]["game"] in ("achi", "tic_tac_toe")
    cluster.run(plans[0], tmp_path / "0", executor=threads(), progress=True)
    assert re.search("pieces.* 2(/| of )2", capfd.readouterr().err)


def test_a_run_again_makes_only_what_is_missing(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    cluster.run(plan, tmp_path / "store", executor=threads())
    store = _store.open_store(tmp_path / "store")
    lost = random.Random(1).sample(store.names("pieces"), 5)
    for name in lost:
        store.remove(name)
    times = {name: (tmp_path / "store" / name).stat().st_mtime_ns for name in store.names("pieces")}
    with pytest.raises(cluster.IncompleteError) as raised:
        cluster.finish(tmp_path / "store", tmp_path / "joined")
    assert sorted(raised.value.missing) == sorted(lost)
    assert not (tmp_path / "joined").exists()
    done = cluster.run(plan, tmp_path / "store", executor=threads())
    assert done.done == len(plan)
    for name, time_ns in times.items():
        assert (tmp_path / "store" / name).stat().st_mtime_ns == time_ns
    assert finished(tmp_path / "store", tmp_path) == one_machine


def damages(packed: bytes, other: bytes, rng: random.Random) -> Iterator[bytes]:
    """Ways in which a piece can be wrong."""
    for _ in range(10):
        place, bit = rng.randrange(len(packed)), 1 << rng.randrange(8)
        yield packed[:place] + bytes([packed[place] ^ bit]) + packed[place + 1 :]
    for _ in range(6):
        yield packed[: rng.randrange(len(packed))]
    yield b""
    yield packed + packed
    yield b"no piece"
    yield other


def test_no_damaged_piece_reaches_the_dataset(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    cluster.run(plan, tmp_path / "store", executor=threads())
    store = _store.open_store(tmp_path / "store")
    names = store.names("pieces")
    foreign = planned(instances=11)
    cluster.run(foreign, tmp_path / "foreign", executor=threads())
    other = _store.open_store(tmp_path / "foreign")
    rng = random.Random(7)
    wrong = list(damages(store.read(names[0]), other.read(other.names("pieces")[0]), rng))
    # A piece of this plan under the name of another is wrong, too, and so is one that another
    # version of the program made.
    wrong.append(store.read(names[-1]))
    older = cluster.Plan(plan.command, plan.task, plan.cuts, plan.rules, plan.canary, "0.0.1")
    assert older.digest != plan.digest
    piece = names[0]
    wrong.append(_pack.pack(older.digest, piece, _pack.unpack(plan.digest, piece, store.read(piece))))
    for place, bad in enumerate(wrong):
        victim = names[place % (len(names) - 1)]
        right = store.read(victim)
        assert bad != right
        store.write(victim, bad)
        with pytest.raises(cluster.IncompleteError) as raised:
            cluster.finish(tmp_path / "store", tmp_path / "joined")
        assert raised.value.missing == [victim], place
        assert cluster.run(plan, tmp_path / "store", executor=threads()).done == len(plan)
        assert store.read(victim) == right
    assert any(name.endswith(".damaged") for name in store.names("failed"))
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_a_damaged_piece_counts_once(plan: cluster.Plan, tmp_path: Path) -> None:
    cluster.run(plan, tmp_path / "store", executor=threads())
    store = _store.open_store(tmp_path / "store")
    store.write(store.names("pieces")[0], b"no piece")
    with pytest.raises(cluster.IncompleteError):
        cluster.finish(tmp_path / "store", tmp_path / "joined")
    assert len(store.names("failed")) == 2
    rows = cluster.status(tmp_path / "store").to_dicts()
    assert sum(row["pieces"] - row["done"] for row in rows) == 1
    assert sum(row["failed"] for row in rows) == 1


def test_equal_pieces_have_equal_bytes(plan: cluster.Plan, tmp_path: Path) -> None:
    piece = next(plan.pieces())
    made: List[bytes] = []
    for name in ("a", "b"):
        _run._claim(_store.open_store(tmp_path / name), plan)
        _work.make(str(tmp_path / name), plan.digest, piece.name, piece.task)
        made.append((tmp_path / name / piece.name).read_bytes())
    assert made[0] == made[1]
    files = _pack.unpack(plan.digest, piece.name, made[0])
    assert list(files) == ["instances.jsonl"]


def test_what_travels_back_is_small(plan: cluster.Plan, tmp_path: Path) -> None:
    piece = next(plan.pieces())
    _run._claim(_store.open_store(tmp_path / "store"), plan)
    made = _work.make(str(tmp_path / "store"), plan.digest, piece.name, piece.task)
    assert len(pickle.dumps(made)) < 1_000
    assert len(pickle.dumps((str(tmp_path), plan.digest, piece.name, dict(piece.task)))) < 1_000


def test_a_machine_that_plays_the_canary_differently_writes_nothing(
    plan: cluster.Plan, tmp_path: Path
) -> None:
    damaged = dict(plan.canary, digest="0" * 16)
    other = cluster.Plan(plan.command, plan.task, plan.cuts, plan.rules, damaged, plan.version)
    with pytest.raises(cluster.IncompleteError):
        cluster.run(other, tmp_path / "store", executor=threads(), attempts=1)
    store = _store.open_store(tmp_path / "store")
    assert store.names("pieces") == []
    why = json.loads(store.read(store.names("failed")[0]))
    assert "plays the canary of the plan differently" in why["error"]


def test_another_version_is_refused(plan: cluster.Plan, tmp_path: Path) -> None:
    other = cluster.Plan(plan.command, plan.task, plan.cuts, plan.rules, plan.canary, "0.0.1")
    _run._claim(_store.open_store(tmp_path / "store"), other)
    with pytest.raises(tg.UsageError, match="0.0.1"):
        cluster.work(tmp_path / "store")


def test_a_store_keeps_its_plan(plan: cluster.Plan, tmp_path: Path) -> None:
    cluster.run(plan, tmp_path / "store", executor=threads())
    with pytest.raises(tg.UsageError, match="has the plan"):
        cluster.run(planned(instances=3), tmp_path / "store", executor=threads())
    with pytest.raises(tg.UsageError, match="nothing was planned there"):
        cluster.status(tmp_path / "nowhere")


def test_a_script_that_is_started_again_goes_on_with_the_cuts_of_the_store(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    cluster.run(plan, store, executor=threads())
    lost = _store.open_store(store).names("pieces")[3]
    _store.open_store(store).remove(lost)
    # Games took less time now, so the plan of the same study has other cuts.
    again = cluster.plan(GAMES, iterations=[50], instances=12, piece_seconds=3600)
    assert len(again) < len(plan) and again.digest != plan.digest
    assert again.canary == plan.canary
    done = cluster.run(again, store, executor=threads())
    assert done.pieces == done.done == len(plan)
    assert cluster.stored_plan(store) == plan
    assert finished(store, tmp_path) == one_machine


def test_a_plan_of_another_study_is_refused_with_the_difference(
    plan: cluster.Plan, tmp_path: Path
) -> None:
    store = _store.open_store(tmp_path)
    _run._claim(store, plan)
    for other, part in [
        (replace(plan, version="0.0.1"), "version"),
        (replace(plan, task={**plan.task, "seed": 2}), "seed"),
        (replace(plan, rules={"a.rules": ""}), "a.rules"),
        (replace(plan, files={"model.json": "0"}), "model.json"),
        (plan.split(2)[1], "shares"),
    ]:
        with pytest.raises(tg.UsageError, match=f"they differ in {part}$"):
            _run._claim(store, other)
    # Another canary is none of these: the one of the store decides.
    assert _run._claim(store, replace(plan, canary={})) == plan
    parts = replace(plan, command="generate", cuts=[{"parts": 2}])
    store = _store.open_store(tmp_path / "parts")
    _run._claim(store, parts)
    with pytest.raises(tg.UsageError, match="they differ in shares"):
        _run._claim(store, replace(parts, cuts=[{"parts": 3}]))


def test_a_plan_that_is_no_text_is_refused(plan: cluster.Plan, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(b"\xff\xfe")
    calls: List[Callable[[], object]] = [
        lambda: cluster.status(tmp_path),
        lambda: cluster.run(plan, tmp_path),
        lambda: cluster.stored_plan(tmp_path),
    ]
    for call in calls:
        with pytest.raises(tg.UsageError, match="plan.json"):
            call()


def test_a_plan_is_the_same_after_json_and_split(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    again = cluster.Plan.from_json(plan.to_json())
    assert again.digest == plan.digest and list(again.pieces()) == list(plan.pieces())
    with pytest.raises(tg.UsageError):
        cluster.Plan.from_json("{}")
    heads = plan.split(2)
    names = [piece.name for head in heads for piece in head.pieces()]
    assert sorted(names) == sorted(piece.name for piece in plan.pieces())
    stores = [tmp_path / f"head{n}" for n in range(len(heads))]
    for head, store in zip(heads, stores):
        cluster.run(head, store, executor=threads())
    cluster.finish(stores, tmp_path / "joined")
    assert files_of(tmp_path / "joined" / "50") == one_machine


def long_plan(pieces: int = 8) -> cluster.Plan:
    # A piece takes most of a second.
    return cluster.plan(["othello"], iterations=3000, instances=pieces, piece_seconds=1e-5)


def test_ctrl_c_in_a_terminal_ends_a_run_and_its_processes_within_two_seconds(
    tmp_path: Path,
) -> None:
    # The third piece takes far longer than the first two.
    games = ["tic_tac_toe", "tic_tac_toe(misere=true)", "othello"]
    plan = cluster.plan(games, iterations=60_000, instances=1, piece_seconds=1e-5)
    (tmp_path / "plan").write_text(plan.to_json())
    code = (
        "import sys\n"
        "from treegauge import cluster\n"
        "if __name__ == '__main__':\n"
        "    plan = cluster.Plan.from_json(open(sys.argv[1]).read())\n"
        "    heard = lambda done: print(done.done, flush=True)\n"
        "    cluster.run(plan, sys.argv[2], executor=cluster.processes(2), progress=heard)\n"
    )
    (tmp_path / "driver.py").write_text(code)
    store = tmp_path / "store"
    driver = subprocess.Popen(
        [sys.executable, str(tmp_path / "driver.py"), str(tmp_path / "plan"), str(store)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert lines_from(driver, 2) == ["1", "2"]
    workers = [pid for pid in children_of(driver.pid) if "spawn_main" in command_of(pid)]
    assert len(workers) == 2
    began = time.monotonic()
    # A terminal sends it to all processes. One makes the long piece, and the other has nothing to do.
    os.killpg(driver.pid, signal.SIGINT)
    _, errors = driver.communicate(timeout=30)
    assert time.monotonic() - began < 2
    assert [pid for pid in workers if "spawn_main" in command_of(pid)] == []
    rows = cluster.status(store).to_dicts()
    assert sorted((row["done"], row["pieces"]) for row in rows) == [(0, 1), (1, 1), (1, 1)]
    # The head alone says so.
    assert errors.count("Traceback") == 1 and errors.count("KeyboardInterrupt") == 1
    assert re.search(rf"1 of 3 pieces are missing; cluster.run\(plan, '{store}'\)", errors)


def lines_from(driver: "subprocess.Popen[str]", count: int) -> List[str]:
    """The next lines of a process, which is killed if they do not come."""
    timer = threading.Timer(120, driver.kill)
    timer.start()
    try:
        assert driver.stdout is not None
        return [driver.stdout.readline().strip() for _ in range(count)]
    finally:
        timer.cancel()


class Interrupter(threading.Thread):
    """Sends Ctrl-C to this process once two pieces are in the store of a run."""

    def __init__(self) -> None:
        super().__init__()
        self.is_time = threading.Event()
        self.sent = 0.0

    def heard(self, done: cluster.Done) -> None:
        if done.done >= 2:
            self.is_time.set()

    def run(self) -> None:
        self.is_time.wait(60)
        self.sent = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C as a terminal's; processes in the background of a shell ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def run_until_ctrl_c(plan: cluster.Plan, store: Path, executor: Any) -> List[str]:
    """Runs a plan until Ctrl-C comes; returns the pieces that were there at once."""
    sender = Interrupter()
    sender.start()
    with pytest.raises(KeyboardInterrupt) as raised:
        cluster.run(plan, store, executor=executor, progress=sender.heard)
    assert time.monotonic() - sender.sent < 2
    names = _store.open_store(store).names("pieces")
    done = raised.value.partial  # type: ignore[attr-defined]
    assert done.pieces == len(plan) and 2 <= done.done <= len(names) < len(plan)
    [note] = getattr(raised.value, "__notes__", raised.value.args)
    assert note.startswith(f"{len(plan) - done.done} of {len(plan)} pieces are missing")
    assert f"cluster.run(plan, {str(store)!r})" in note
    return names


@pytest.mark.parametrize("is_ours", [True, False])
def test_ctrl_c_ends_the_pieces_of_threads(is_ours: bool, ctrl_c: None, tmp_path: Path) -> None:
    pool, store = threads(2)(), tmp_path / "store"
    names = run_until_ctrl_c(long_plan(), store, (lambda: pool) if is_ours else pool)
    pool.shutdown()
    assert _store.open_store(store).names("pieces") == names
    assert _store.open_store(store).names("failed") == []


class LateSubmits:
    """An executor to which Ctrl-C comes when it has taken a piece and not yet said so."""

    workers = 2

    def __init__(self) -> None:
        self.taken: List[Future[Any]] = []
        self.is_heard = threading.Event()

    def submit(self, fn: Callable[..., Any], /, *args: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        self.taken.append(future)
        if len(self.taken) == 2:
            os.kill(os.getpid(), signal.SIGINT)
            assert self.is_heard.wait(60)
        return future


def test_no_piece_is_lost_between_the_executor_and_ctrl_c(
    plan: cluster.Plan, ctrl_c: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = LateSubmits()
    real = _run._Loop.end_early

    def end_early(loop: Any) -> None:
        executor.is_heard.set()
        real(loop)

    monkeypatch.setattr(_run._Loop, "end_early", end_early)
    with pytest.raises(KeyboardInterrupt):
        cluster.run(plan, tmp_path / "store", executor=executor)
    assert [future.cancelled() for future in executor.taken] == [True, True]


def test_what_a_listener_raises_ends_the_pieces_too(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: List[Mapping[str, Any]] = []
    first = next(plan.pieces())
    is_ended = threading.Event()
    real_result, real_end = _tasks.result, _work.end_run

    def result(task: Mapping[str, Any], rules: Mapping[str, str], stop: Any = None) -> Files:
        # The canary is played, too.
        if stop is not None:
            begun.append(task)
            # All but the first are in flight until the run ends.
            assert dict(task) == dict(first.task) or is_ended.wait(60)
        return real_result(task, rules, stop)

    def end_run(run: str) -> None:
        real_end(run)
        is_ended.set()

    def heard(done: cluster.Done) -> None:
        raise ValueError("enough")

    monkeypatch.setattr(_tasks, "result", result)
    monkeypatch.setattr(_run, "end_run", end_run)
    with threads(2)() as pool:
        with pytest.raises(ValueError, match="enough"):
            cluster.run(plan, tmp_path / "store", executor=pool, progress=heard)
        taken = len(begun)
    # The other thread was at work, and the one of the first piece may have begun its next.
    assert taken == len(begun) <= 3
    assert _store.open_store(tmp_path / "store").names("pieces") == [first.name]


class OldInterrupt(KeyboardInterrupt):
    """Ctrl-C of Python before 3.11, which has no notes."""

    @property
    def add_note(self) -> Any:
        raise AttributeError("add_note")


def test_an_interrupted_call_names_the_one_that_goes_on(tmp_path: Path) -> None:
    def heard(progress: tg.Progress) -> None:
        raise OldInterrupt

    with pytest.raises(OldInterrupt) as raised:
        tg.gauge("achi", budget="quick", progress=heard)
    assert raised.value.args[0].startswith("the same call of treegauge.gauge with record=")
    with pytest.raises(OldInterrupt) as raised:
        tg.gauge("achi", budget="quick", progress=heard, record=tmp_path / "record")
    kept = f"the same call of treegauge.gauge continues the work in {tmp_path / 'record'}"
    assert raised.value.args == (kept,)


class MoodyFiles:
    """A store that refuses now and then."""

    def __init__(self, refusals: int) -> None:
        self.refusals = refusals
        self.asked = 0

    def ask(self) -> str:
        self.asked += 1
        if self.asked <= self.refusals:
            raise TimeoutError("slow down")
        return "here"


def test_a_store_that_refuses_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    moody = MoodyFiles(4)
    assert _store.patiently(moody.ask) == "here" and moody.asked == 5
    with pytest.raises(TimeoutError):
        _store.patiently(MoodyFiles(10**9).ask, patience=0.01)
    with pytest.raises(FileNotFoundError):
        _store.patiently(lambda: open("/no/such/file"))


class Refusals:
    """Functions that raise an error the first times that they are called."""

    def __init__(self, error: OSError, times: int) -> None:
        self.error = error
        self.times = times
        self.asked = 0

    def before(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def asked(*arguments: Any, **options: Any) -> Any:
            self.asked += 1
            if self.asked <= self.times:
                raise self.error
            return real(*arguments, **options)

        return asked


PASSING = ["EAGAIN", "EBUSY", "EIO", "ESTALE", "ETIMEDOUT", "ENOSPC", "EDQUOT", "ENOTCONN"]
#: Functions by which a folder is read, listed, written and cleaned.
DOORS: List[Tuple[Any, str]] = [
    (Path, "read_bytes"),
    (os, "scandir"),
    (os, "fsync"),
    (os, "replace"),
    (Path, "unlink"),
]


@pytest.mark.parametrize("name", PASSING)
@pytest.mark.parametrize("door", DOORS, ids=[name for _, name in DOORS])
def test_a_folder_that_refuses_is_asked_again(
    door: Tuple[Any, str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: List[float] = []
    store = _store.open_store(tmp_path)
    store.write("pieces/old", b"old")
    error = OSError(getattr(errno, name), os.strerror(getattr(errno, name)))
    with monkeypatch.context() as patched:
        patched.setattr(time, "sleep", waits.append)
        refusals = Refusals(error, 4)
        patched.setattr(door[0], door[1], refusals.before(getattr(*door)))
        if door[1] == "read_bytes":
            assert store.read("pieces/old") == b"old"
        elif door[1] == "scandir":
            assert store.names("pieces") == ["pieces/old"]
        elif door[1] == "unlink":
            store.remove("pieces/old")
        else:
            store.write("pieces/new", b"new")
    assert refusals.asked >= 5 and len(waits) == 4
    # Each wait is longer than the one before the last.
    assert waits[2] > waits[0] and waits[3] > waits[1]
    left = {"unlink": [], "fsync": ["new", "old"], "replace": ["new", "old"]}.get(door[1], ["old"])
    # Hidden files of refused attempts are removed.
    assert sorted(one.name for one in (tmp_path / "pieces").iterdir()) == left


@pytest.mark.parametrize("name", ["EACCES", "EPERM", "EROFS", "ENOENT", "ENOTDIR", "EISDIR"])
def test_an_answer_of_a_folder_is_not_awaited(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = _store.open_store(tmp_path)
    refusals = Refusals(OSError(getattr(errno, name), "no"), 9)
    with monkeypatch.context() as patched:
        patched.setattr(time, "sleep", lambda seconds: pytest.fail("waits"))
        patched.setattr(os, "replace", refusals.before(os.replace))
        with pytest.raises(OSError, match="no"):
            store.write("pieces/new", b"new")
    assert refusals.asked == 1


def test_a_missing_root_is_not_awaited(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail("waits"))
    store = _store.open_store(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        store.read("plan.json")
    assert store.names("pieces") == []
    store.remove("pieces/one")
    with pytest.raises(tg.UsageError, match="nothing was planned there"):
        cluster.work(tmp_path / "nowhere")


def test_a_folder_that_refuses_for_good_fails_its_pieces(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    _run._claim(_store.open_store(store), plan)
    monkeypatch.setattr(_store, "PATIENCE", 0.3)
    monkeypatch.setattr(_work, "_PATIENCE", 0.0)
    refusals = Refusals(OSError(errno.ENOSPC, "no space left"), 10**9)
    monkeypatch.setattr(os, "fsync", refusals.before(os.fsync))
    piece = next(plan.pieces())
    with pytest.raises(cluster.PieceError, match="no space left"):
        _work.make(str(store), plan.digest, piece.name, piece.task)
    # The piece, at least twice, and once the reason.
    assert refusals.asked >= 3
    assert [one.name for one in store.rglob("*") if one.is_file()] == ["plan.json"]


def test_a_run_survives_a_folder_that_refuses_now_and_then(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.replace
    asked: List[int] = []

    def replace(*paths: Any) -> None:
        asked.append(1)
        if len(asked) % 3 == 0:
            raise OSError(errno.ESTALE, "stale file handle")
        real(*paths)

    monkeypatch.setattr(os, "replace", replace)
    done = cluster.run(plan, tmp_path / "store", executor=threads())
    assert (done.done, done.failed) == (len(plan), 0) and len(asked) > len(plan) + 10
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_a_run_that_is_over_asks_no_store_again(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    _run._claim(_store.open_store(store), plan)
    refusals = Refusals(OSError(errno.EIO, "input/output error"), 1)
    monkeypatch.setattr(os, "replace", refusals.before(os.replace))
    monkeypatch.setattr(time, "sleep", lambda seconds: _work.end_run("one"))
    piece = next(plan.pieces())
    with pytest.raises(OSError, match="input/output"):
        _work.make(str(store), plan.digest, piece.name, piece.task, 1, "one")
    assert [one.name for one in store.rglob("*") if one.is_file()] == ["plan.json"]
    with pytest.raises(tg.Stopped):
        _work.make(str(store), plan.digest, piece.name, piece.task, 1, "one")


def test_a_job_array_in_which_one_process_is_killed_is_finished_by_the_next(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    _run._claim(_store.open_store(store), plan)

    def array() -> "List[subprocess.Popen[bytes]]":
        # As Slurm names the places of an array that begins at 5.
        return [
            subprocess.Popen(
                [sys.executable, "-m", "treegauge.cluster", "work", str(store)],
                env={
                    **os.environ,
                    "SLURM_ARRAY_TASK_ID": str(5 + n),
                    "SLURM_ARRAY_TASK_MIN": "5",
                    "SLURM_ARRAY_TASK_COUNT": "4",
                },
                stdout=subprocess.DEVNULL,
            )
            for n in range(4)
        ]

    first = array()
    first[0].kill()
    for one in first[1:]:
        one.kill() if one is first[3] else one.wait(120)
    again = array()
    assert [one.wait(120) for one in again] == [0, 0, 0, 0]
    assert finished(store, tmp_path) == one_machine


def test_own_share_first_then_what_is_missing(
    plan: cluster.Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "store"
    _run._claim(_store.open_store(store), plan)
    made: List[str] = []
    real = _work.make

    def make(
        root: str, digest: str, name: str, task: Mapping[str, Any], attempt: int = 1
    ) -> _work.Made:
        made.append(name)
        return real(root, digest, name, task, attempt)

    monkeypatch.setattr(_work, "make", make)
    assert cluster.work(store, 1, 3) == len(plan)
    own = [piece.name for piece in plan.pieces()][1::3]
    assert made[: len(own)] == own and len(set(made)) == len(plan)
    with pytest.raises(tg.UsageError, match="index"):
        cluster.work(store, 3, 3)


def test_command_line_of_the_workers(
    plan: cluster.Plan, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from treegauge.cluster.__main__ import main

    store = str(tmp_path / "store")
    assert main(["work", store]) == 1
    assert "nothing was planned there" in capsys.readouterr().err
    _run._claim(_store.open_store(store), plan)
    assert main(["work", store, "--index", "0", "--count", "1"]) == 0
    assert capsys.readouterr().out == f"{len(plan)} pieces made\n"
    assert main(["status", store]) == 0
    assert "12 of 12\t0 failed" in capsys.readouterr().out
    assert main(["finish", store, "-o", str(tmp_path / "joined")]) == 0
    assert main(["finish", store, "-o", str(tmp_path / "joined")]) == 1
    assert "exists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("array", "places"),
    [("0-9:3", [0, 1, 2, 3]), ("5-8", [0, 1, 2, 3]), ("3,7", [0, 0]), ("1,2,9", [0, 1, 2])],
)
def test_each_process_of_a_job_array_has_a_place(
    array: str, places: List[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    from treegauge.cluster.__main__ import _place

    bounds, _, step = array.partition(":")
    first, _, last = bounds.partition("-")
    listed = range(int(first), int(last) + 1, int(step or 1)) if last else map(int, first.split(","))
    ids = list(listed)
    for name, value in [("MIN", min(ids)), ("COUNT", len(ids)), ("STEP", int(step or 1))]:
        monkeypatch.setenv(f"SLURM_ARRAY_TASK_{name}", str(value))
    found: List[int] = []
    for one in ids:
        monkeypatch.setenv("SLURM_ARRAY_TASK_ID", str(one))
        index, count = _place(None, None)
        assert count == len(ids)
        found.append(index)
    assert found == places
    monkeypatch.setenv("SLURM_ARRAY_TASK_ID", "one")
    with pytest.raises(tg.UsageError, match="SLURM_ARRAY_TASK_ID: 'one'"):
        _place(None, None)


def test_no_error_of_a_setup_or_a_store_is_a_traceback(
    plan: cluster.Plan,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from treegauge.cluster.__main__ import main

    def fails() -> None:
        raise ValueError("no rules")

    _run._claim(_store.open_store(tmp_path), plan)
    monkeypatch.setattr(heaps, "make_known", fails)
    assert main(["work", str(tmp_path), "--setup", "heaps:make_known"]) == 1
    assert "--setup heaps:make_known: ValueError: no rules" in capsys.readouterr().err
    pytest.importorskip("fsspec")
    assert main(["status", "nonsense://studies/one"]) == 1
    assert "nonsense" in capsys.readouterr().err

    class Refuses:
        def cat_file(self, path: str) -> bytes:
            raise ValueError("Unable to locate credentials")

    files = _store._Files("s3://studies", Refuses(), "studies", None)
    monkeypatch.setattr("treegauge.cluster._plan.open_store", lambda root: files)
    monkeypatch.setattr("treegauge.cluster._status.open_store", lambda root: files)
    assert main(["status", "s3://studies"]) == 1
    assert "Unable to locate credentials" in capsys.readouterr().err


def test_games_of_a_vetting(tmp_path: Path) -> None:
    games = ["tic_tac_toe(k=2)", "mnk(rows=1,cols=5,k=3)"]
    cluster.run(cluster.plan_vet(games), tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "joined")
    tg.run({"command": "vet", "games": games}, kept=tmp_path / "one")
    assert files_of(tmp_path / "joined") == files_of(tmp_path / "one")


def test_pairs_of_a_match_with_its_test(tmp_path: Path) -> None:
    options: Dict[str, Any] = {"games": 60, "seed": 3}
    a, b = "random", "uct(iterations=5)"
    plan = cluster.plan_match("achi", a, b, pieces=5, **options)
    cluster.run(plan, tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "record")
    tg.run({"command": "match", "game": "achi", "a": a, "b": b, **options}, kept=tmp_path / "one")
    assert (tmp_path / "record").read_bytes() == (tmp_path / "one").read_bytes()
    # A sequential test is made of all pairs at the end.
    plan = cluster.plan_match("achi", a, b, pieces=2, sprt="elo0=0,elo1=200", **options)
    assert all("sprt" not in piece.task for piece in plan.pieces())


def test_pairs_of_a_tournament(tmp_path: Path) -> None:
    players = ["random", "uct(iterations=5)", "uct(iterations=20)"]
    plan = cluster.plan_tournament("achi", players, games=8, pieces=3)
    cluster.run(plan, tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "record")
    task = {"command": "tournament", "game": "achi", "players": players, "games": 8}
    tg.run(task, kept=tmp_path / "one")
    assert (tmp_path / "record").read_bytes() == (tmp_path / "one").read_bytes()


def test_candidates_of_a_generation(tmp_path: Path) -> None:
    options: Dict[str, Any] = {"games": 4, "iterations": 20, "gauge_games": 2, "model": "none"}
    starts = ["tic_tac_toe", "connect_four"]
    plan = cluster.plan_generate(starts, pieces=2, **options)
    cluster.run(plan, tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "joined")
    parts: List[str] = []
    for part in (1, 2):
        task = {"command": "generate", "from": starts, "shard": f"{part}/2", **options}
        tg.run(task, kept=tmp_path / f"part{part}")
        parts.append(str(tmp_path / f"part{part}"))
    tg.run({"command": "merge", "files": parts}, kept=tmp_path / "one")
    left, right = files_of(tmp_path / "joined"), files_of(tmp_path / "one")
    # The report names the paths of its parts.
    assert left.keys() == right.keys()
    assert {k: v for k, v in left.items() if k != "report.json"} == {
        k: v for k, v in right.items() if k != "report.json"
    }


class Engines:
    """An engine of chess under one path, which a test replaces by others."""

    def __init__(self, folder: Path) -> None:
        found = _call._installed()
        assert found, "the tests need Stockfish"
        self.stockfish = found
        self.path = folder / "engine"
        self.installs("cat")

    def installs(self, change: str) -> None:
        """Installs Stockfish with its answers changed by a filter."""
        self.path.write_text(f"#!/bin/sh\n{self.stockfish} | {change}\n")
        self.path.chmod(0o755)


@pytest.fixture
def engines(tmp_path: Path) -> Engines:
    return Engines(tmp_path)


def puzzles_of(rows: int, folder: Path) -> Path:
    """The first puzzles of the test data, with the comments above them."""
    lines = (TESTDATA / "lichess_puzzles.csv").read_text().splitlines(keepends=True)
    first = next(place for place, line in enumerate(lines) if line.startswith("PuzzleId")) + 1
    path = folder / "some.csv"
    path.write_text("".join(lines[: first + rows]))
    return path


def test_blocks_of_puzzles(engines: Engines, tmp_path: Path) -> None:
    options: Dict[str, Any] = {"engine": str(engines.path), "depth": 1, "engines": 2}
    puzzles = puzzles_of(5, tmp_path)
    plan = cluster.plan_difficulty(puzzles, block=2, **options)
    assert len(plan) == 3
    cluster.run(plan, tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "joined")
    task = {"command": "difficulty", "file": str(puzzles), **options, "engines": 1}
    report = tg.run(task, kept=tmp_path / "answers")
    assert (tmp_path / "joined" / "answers").read_bytes() == (tmp_path / "answers").read_bytes()
    joined = tg.load(tmp_path / "joined" / "report.json")
    assert joined["rows"] == report["rows"] and len(joined["rows"]) == 5
    # Several engines answer in any order.
    piece = list(plan.pieces())[0]
    made = [_tasks.result(piece.task, plan.rules) for _ in range(2)]
    assert made[0] == made[1]


def refusal_of(plan: cluster.Plan, store: Path) -> str:
    """The words by which this machine is refused; it writes no piece."""
    with pytest.raises(cluster.IncompleteError):
        cluster.run(plan, store, executor=threads(), attempts=1)
    found = _store.open_store(store)
    assert found.names("pieces") == []
    with pytest.raises(tg.UsageError) as raised:
        cluster.work(store)
    assert str(raised.value) in json.loads(found.read(found.names("failed")[0]))["error"]
    return str(raised.value)


def test_a_machine_with_another_engine_rates_no_puzzles(engines: Engines, tmp_path: Path) -> None:
    puzzles, engine = puzzles_of(2, tmp_path), str(engines.path)
    plan = cluster.plan_difficulty(puzzles, block=1, engine=engine, depth=4)
    assert plan.canary["engine"].startswith("Stockfish ")
    # It is small: one puzzle, at a small depth.
    assert plan.canary["task"]["lines"] == [3, 4] and plan.canary["task"]["depth"] == 3
    assert cluster.Plan.from_json(plan.to_json()) == plan
    engines.installs("sed -u 's/^id name .*/id name Other 7/'")
    said = refusal_of(plan, tmp_path / "named")
    assert said == f"the plan was made with the engine {plan.canary['engine']}; this machine has Other 7"
    # The same name, but other values.
    engines.installs("sed -u 's/score cp 1/score cp 2/'")
    assert "plays the canary of the plan differently" in refusal_of(plan, tmp_path / "faulty")
    engines.installs("cat")
    assert cluster.run(plan, tmp_path / "right", executor=threads()).done == 2


FEN = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


def test_puzzles_that_workers_could_not_rate_are_not_planned(
    engines: Engines, tmp_path: Path
) -> None:
    fens = tmp_path / "some.fen"
    fens.write_text(f"{FEN}\nnonsense\n")
    with pytest.raises(tg.DataError, match="1 row of the file skipped") as one:
        tg.difficulty(fens, engine=engines.path, depth=1)
    with pytest.raises(tg.DataError, match=str(one.value)):
        cluster.plan_difficulty(fens, engine=str(engines.path))
    for text, said in [("# nothing\n", "no puzzles"), ("Hello,World\n1,2\n", "no column `FEN`")]:
        fens.write_text(text)
        with pytest.raises(tg.DataError, match=said):
            cluster.plan_difficulty(fens)
    fens.write_text(f"{FEN}\n")
    with pytest.raises(tg.DataError, match="cannot read"):
        cluster.plan_difficulty(tmp_path / "nowhere")
    with pytest.raises(tg.EngineError):
        cluster.plan_difficulty(fens, engine=str(tmp_path / "none"))
    with pytest.raises(tg.EngineError, match="no_cache"):
        cluster.plan_difficulty(fens, engine=str(engines.path), no_cache=True)
    wrong: List[Tuple[Dict[str, Any], str]] = [
        ({"depth": "x"}, "--depth"),
        ({"nonsense": 3}, "has no field"),
        ({"file": "other"}, "file: the plan decides"),
    ]
    for options, said in wrong:
        with pytest.raises(tg.UsageError, match=said):
            cluster.plan_difficulty(fens, engine=str(engines.path), **options)
    with pytest.raises(tg.UsageError, match="standard input"):
        cluster.plan_difficulty("-")


def test_blocks_count_puzzles_as_the_program_reads_them(tmp_path: Path) -> None:
    lines = puzzles_of(4, tmp_path).read_text().splitlines()
    head, rows = lines[:-4], lines[-4:]
    # Empty lines, comments, other ends of lines, and a puzzle that comes again.
    lines = [*head, "", rows[0], "  ", "# more", rows[1], "", "", rows[2], rows[0], rows[3], "", ""]
    table = tmp_path / "gaps.csv"
    table.write_bytes("\r\n".join(lines).encode())
    options: Dict[str, Any] = {"depth": 1, "engine": _call._installed()}
    plan = cluster.plan_difficulty(table, block=2, **options)
    assert len(plan) == 3
    cluster.run(plan, tmp_path / "store", executor=threads())
    cluster.finish(tmp_path / "store", tmp_path / "joined")
    report = tg.run(
        {"command": "difficulty", "file": str(table), **options}, kept=tmp_path / "answers"
    )
    assert (tmp_path / "joined" / "answers").read_bytes() == (tmp_path / "answers").read_bytes()
    joined = tg.load(tmp_path / "joined" / "report.json")
    assert joined["rows"] == report["rows"] and len(joined["rows"]) == 5


@pytest.mark.parametrize(
    ("name", "contents", "begins"),
    [
        ("a.csv", f"sep=;\nMoves;FEN\nd1d8;{FEN}\n\nd1d8;{FEN}\n".encode(), [2, 4]),
        ("b.tsv", f'"Solution"\t"Position"\nd1d8\t"{FEN}"\n'.encode(), [1]),
        ("c.csv", f"\ufeffFEN,Solution\n{FEN},d1d8\n".encode(), [1]),
        ("d.csv.gz", gzip.compress(f"FEN,Solution\n{FEN},d1d8\n".encode()), [1]),
        ("e.fen.zst", _treegauge.compress(f"# one\n{FEN}\n{FEN}".encode()), [1, 2]),
        ("f.pgn", f'[FEN "{FEN}"]\n\n1. Rd8# *\n\n[FEN "{FEN}"]\n1. Rd8# *\n'.encode(), [0, 4]),
        ("g.pgn", f'[FEN "{FEN}"]\n1. Rd8# * [FEN "{FEN}"]\n*\n'.encode(), [0]),
        ("h.pgn", f'[Event "M\xfcller"]\n[FEN "{FEN}"]\n1. Rd8# *\n'.encode("latin-1"), [0]),
        ("i.csv", f"FEN,Solution,Themes\n{FEN},d1d8,a\u2028b\n{FEN},d1d8,\n".encode(), [1, 2]),
    ],
)
def test_every_form_of_puzzles_is_cut(
    name: str, contents: bytes, begins: List[int], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(contents)
    solver_first = name == "a.csv"
    kept, text, found = _puzzles.read_puzzles(path, solver_first)
    assert found == begins
    # Each block is read as the same puzzles.
    lines = _puzzles.lines_of(text)
    for place, end in zip(begins, [*begins[1:], len(lines)]):
        block = tmp_path / kept
        block.write_bytes("".join(lines[: begins[0]] + lines[place:end]).encode())
        assert len(_puzzles.read_puzzles(block, solver_first)[2]) == 1


def test_a_rules_text_travels_with_the_plan(tmp_path: Path) -> None:
    source = tg.template("tic_tac_toe")
    game = tg.Game("small.rules", rules={"small.rules": source})
    plan = cluster.plan(game, iterations=20, instances=3, piece_seconds=1e-5)
    assert plan.rules == {"small.rules": source}
    cluster.run(plan, tmp_path / "store", executor=cluster.processes(1))
    (made,) = cluster.finish(tmp_path / "store", tmp_path / "joined")
    task = {"command": "collect", "games": game.text, "iterations": 20, "instances": 3}
    tg.run(task, kept=tmp_path / "one", texts=game.sources)
    assert files_of(made) == files_of(tmp_path / "one")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"games": []}, "there is none"),
        ({"games": ["achi", "achi"]}, "listed twice"),
        ({"games": ["achi"], "piece_seconds": 0}, "piece_seconds"),
        ({"games": ["achi"], "iterations": []}, "iterations"),
        ({"games": ["achi"], "iterations": [5, 5]}, "iterations"),
        ({"games": ["acchi"]}, "achi"),
        ({"games": "achi", "shard": "1/2"}, "shard: the plan decides"),
        ({"games": "achi", "command": "vet"}, "command: the plan decides"),
        ({"games": "achi", "instances": 0}, "--instances"),
        ({"games": "achi", "iterations": [5, 0]}, "--iterations"),
        ({"games": "achi", "nonsense": 3}, "has no field"),
        ({"games": "achi", "players": "randm"}, "unknown player"),
    ],
)
def test_a_wrong_plan_is_refused(arguments: Dict[str, Any], said: str) -> None:
    with pytest.raises(tg.UsageError, match=said):
        cluster.plan(**arguments)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (lambda: match_plan(nonsense=3), "has no field"),
        (lambda: match_plan(b="randm"), "did you mean `random`"),
        (lambda: match_plan(games=0), "--games"),
        (lambda: match_plan(sprt="elo0=x"), "elo0"),
        (lambda: match_plan(shard="1/2"), "shard: the plan decides"),
        (lambda: match_plan(game="achi,tic_tac_toe"), "match takes one game"),
        (lambda: tournament_plan(["random", "randm"]), "did you mean `random`"),
        (lambda: cluster.plan_generate("achi", games=4, pieces=2, seed="x"), "--seed"),
        (lambda: cluster.plan_generate("achi", games=4, pieces=2, model="/no.json"), "/no.json"),
        (lambda: cluster.plan_generate("achi", games=4, pieces=2, **{"from": "othello"}), "from: "),
        (lambda: cluster.plan_vet("achi", model="/no.json"), "/no.json"),
        (lambda: cluster.plan_vet("achi", nonsense=3), "has no field"),
    ],
)
def test_a_task_that_no_worker_could_do_is_not_planned(
    plan: Callable[[], cluster.Plan], said: str
) -> None:
    with pytest.raises(tg.TreegaugeError, match=said):
        plan()


def match_plan(**options: Any) -> cluster.Plan:
    whole: Dict[str, Any] = {"game": "achi", "a": "random", "b": "random", "games": 4, "pieces": 2}
    return cluster.plan_match(**{**whole, **options})


def tournament_plan(players: List[str]) -> cluster.Plan:
    return cluster.plan_tournament("achi", players, games=4, pieces=1)


def test_a_canary_repeats_itself() -> None:
    # The pair of a player with a budget of time would differ on each machine.
    timed = "alphabeta(eval=mobility,time_ms=1)"
    for game, b, command in [("achi", "random", "match"), ("breakthrough", timed, "collect")]:
        plan = match_plan(game=game, b=b)
        assert plan.canary["task"]["command"] == command
        assert match_plan(game=game, b=b).canary == plan.canary
    with pytest.raises(tg.UsageError, match="depend on time"):
        cluster.plan("breakthrough", iterations=10, instances=1, players=["random", timed])


def test_a_plan_expands_games_as_a_collection_does(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_text("achi\nmnk(rows=3)\nmnk(rows=4)\n")
    for games in ("achi,mnk(rows=3..4)", ["achi", "mnk(rows=3..4)"], listed, str(listed)):
        plan = cluster.plan(games, iterations=5, instances=1)  # type: ignore[arg-type]
        assert plan.task["games"] == ["achi", "mnk(rows=3)", "mnk(rows=4)"]
    cluster.run(plan, tmp_path / "store", executor=threads())
    tg.collect("achi,mnk(rows=3..4)", iterations=5, instances=1, folder=tmp_path / "one")
    assert finished(tmp_path / "store", tmp_path, "5") == files_of(tmp_path / "one")
    with pytest.raises(tg.UsageError, match="listed twice"):
        cluster.plan(["mnk(rows=3..4)", "mnk(rows=4)"], iterations=5, instances=1)


def test_a_game_is_timed_at_the_lowest_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    played: List[Any] = []
    real = _tasks.result

    def result(task: Mapping[str, Any], rules: Mapping[str, str], stop: Any = None) -> Files:
        # A task that is only read is stopped at once.
        if stop is None:
            played.append((task["games"], task["iterations"]))
        return real(task, rules, stop)

    monkeypatch.setattr(_tasks, "result", result)
    plan = cluster.plan(["achi", "alak"], iterations=[4_000, 20], instances=2)
    assert played == [("achi", 20), ("alak", 20)]
    assert plan.canary["task"]["games"] == "achi"
    costs = {(cut["game"], cut["iterations"]): cut["seconds"] for cut in plan.cuts}
    assert costs["achi", 4_000] == pytest.approx(200 * costs["achi", 20], abs=0.2)


def test_options_of_a_plan_make_the_task_of_one_machine() -> None:
    players = ["random", "uct(iterations=5)"]
    plan = cluster.plan(
        "achi", iterations=5, instances=1, players=players, solver=False, reuse=True, cp=None
    )
    fields = {"command", "games", "iterations", "instances", "seed", "players", "reuse"}
    assert set(plan.task) == fields and plan.task["players"] == "random,uct(iterations=5)"


def test_a_model_must_be_the_file_of_the_plan(tmp_path: Path) -> None:
    model = tmp_path / "own.model.zst"
    model.write_bytes((ROOT / "crates/treegauge/data/standard.model.zst").read_bytes())
    plan = cluster.plan_vet("mnk(rows=1,cols=5,k=3)", model=model)
    assert list(plan.files) == [str(model)]
    assert cluster.Plan.from_json(plan.to_json()) == plan and plan.split(1) == [plan]
    model.write_bytes(model.read_bytes() + b" ")
    assert f"another file {model}" in refusal_of(plan, tmp_path / "other")
    model.unlink()
    assert f"needs the file {model}" in refusal_of(plan, tmp_path / "none")


def test_numbers_below_one_are_refused(plan: cluster.Plan, tmp_path: Path) -> None:
    store = tmp_path / "store"
    wrong: List[Dict[str, Any]] = [{"workers": -1}, {"workers": 0}, {"attempts": 0}]
    for options in wrong:
        with pytest.raises(tg.UsageError, match=f"^{next(iter(options))}: "):
            cluster.run(plan, store, executor=threads(), **options)
    _run._claim(_store.open_store(store), plan)
    with pytest.raises(tg.UsageError, match="^attempts: 0"):
        cluster.work(store, attempts=0)


class RayCluster:
    """A local cluster of Ray, with 80 MB for objects."""

    def __init__(self, ray: Any) -> None:
        context = ray.init(num_cpus=2, include_dashboard=False, object_store_memory=80 * 2**20)
        self.address: str = context.address_info["address"]
        self.session = Path(context.address_info["session_dir"])

    def spilled(self) -> List[Path]:
        return [one for one in self.session.glob("ray_spilled_objects*/*") if one.is_file()]


@pytest.fixture(scope="module")
def ray_cluster() -> Iterator[RayCluster]:
    """A cluster for all tests, since a start takes seconds; a busy machine may need a second try."""
    ray = pytest.importorskip("ray")
    try:
        started = RayCluster(ray)
    except Exception:
        ray.shutdown()
        started = RayCluster(ray)
    yield started
    ray.shutdown()


def test_ray_with_a_killed_worker(
    plan: cluster.Plan, one_machine: Files, ray_cluster: RayCluster, tmp_path: Path
) -> None:
    killed: List[Any] = []

    def kill_one(done: cluster.Done) -> None:
        if not killed and done.done >= 3:
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit() and command_of(entry.name).startswith("ray::_call"):
                    os.kill(int(entry.name), signal.SIGKILL)
                    killed.append(entry.name)
                    return

    done = cluster.run(plan, tmp_path / "store", executor=cluster.ray(), progress=kill_one)
    assert killed and done.done == len(plan) and done.failed >= 1
    assert ray_cluster.spilled() == []
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_ctrl_c_cancels_the_tasks_of_ray(
    ctrl_c: None, ray_cluster: RayCluster, tmp_path: Path
) -> None:
    plan, store = long_plan(5), tmp_path / "store"
    names = run_until_ctrl_c(plan, store, cluster.ray())
    assert running_tasks_of_ray() == []
    assert _store.open_store(store).names("pieces") == names
    # No half of a file is left, and the cluster takes the rest.
    assert [one.name for one in store.rglob(".*")] == []
    assert cluster.run(plan, store, executor=cluster.ray()).done == len(plan)
    # A task that no interrupt reaches loses its process.
    executor = cluster.ray()()
    begun = tmp_path / "begun"
    os.mkfifo(begun)

    # Workers of Ray do not import this module.
    def begin_and_sleep(pipe: str) -> None:
        with open(pipe, "w") as file:
            file.write("begun")
        time.sleep(600)

    stuck = executor.submit(begin_and_sleep, str(begun))
    assert begun.read_text() == "begun"
    _executors.end_calls(executor, [stuck], 1.2, is_ours=True, everywhere=int)
    assert stuck.exception(timeout=5) is not None
    assert running_tasks_of_ray() == []


def running_tasks_of_ray(tries: int = 20) -> List[str]:
    """Processes that work on a piece; a process that ended one has a moment to say so."""
    for _ in range(tries):
        names = (command_of(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
        found = [name for name in names if name.startswith("ray::_call")]
        if not found:
            break
        time.sleep(0.01)
    return found


@pytest.mark.skipif(
    "ROWS_OF_200_MB" not in os.environ, reason="takes minutes; ROWS_OF_200_MB=1 runs it"
)
def test_rows_beyond_the_object_store_spill_nothing_and_are_joined_as_a_stream(
    ray_cluster: RayCluster, tmp_path: Path
) -> None:
    games = ["breakthrough", "connect_four"]
    plan = cluster.plan(games, iterations=[2], instances=24_000, piece_seconds=1.0)
    done = cluster.run(plan, tmp_path / "store", executor=cluster.ray())
    assert done.done == len(plan) and ray_cluster.spilled() == []
    join = (
        "import re, sys\n"
        "from treegauge import cluster\n"
        "status = lambda: open('/proc/self/status').read()\n"
        "peak = lambda: 1024 * int(re.search(r'VmHWM:\\s+(\\d+)', status())[1])\n"
        "before = peak()\n"
        "cluster.finish(sys.argv[1], sys.argv[2])\n"
        "print(peak() - before)\n"
    )
    command = [sys.executable, "-c", join, str(tmp_path / "store"), str(tmp_path / "joined")]
    joined = subprocess.run(command, check=True, capture_output=True, text=True)
    rows = (tmp_path / "joined" / "2" / "instances.jsonl").stat().st_size
    print(f"{rows / 1e6:.0f} MB of rows joined with {int(joined.stdout) / 1e6:.0f} MB of memory")
    assert rows > 200e6
    assert int(joined.stdout) < rows / 2


def test_ray_whose_head_is_killed_goes_on(
    plan: cluster.Plan, one_machine: Files, ray_cluster: RayCluster, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    (tmp_path / "plan").write_text(plan.to_json())
    script = Path(__file__).with_name("cluster_driver.py")
    arguments = [sys.executable, str(script), str(store), str(tmp_path / "plan"), ray_cluster.address]
    driver = subprocess.Popen(
        arguments,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert lines_from(driver, 3) == ["1", "2", "3"]
    os.killpg(driver.pid, signal.SIGKILL)
    driver.communicate()
    assert 3 <= len(list((store / "pieces").rglob("*.zst"))) < len(plan)
    assert cluster.run(plan, store, executor=cluster.ray()).done == len(plan)
    assert finished(store, tmp_path) == one_machine


@pytest.fixture(scope="module")
def dask_cluster() -> Iterator[Any]:
    """A local cluster of Dask, for all tests."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as local:
        yield local


@pytest.fixture
def dask(dask_cluster: Any) -> Iterator[Any]:
    """A client of the cluster."""
    import distributed

    with distributed.Client(dask_cluster) as client:
        yield client


def test_ctrl_c_ends_the_pieces_of_dask(ctrl_c: None, dask: Any, tmp_path: Path) -> None:
    plan, store = long_plan(), tmp_path / "store"
    names = run_until_ctrl_c(plan, store, dask.get_executor())

    def at_work(dask_worker: Any) -> int:
        return len(dask_worker.active_threads)

    until = time.monotonic() + 60
    while any(dask.run(at_work).values()):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert _store.open_store(store).names("pieces") == names


def test_dask_with_a_killed_worker(
    plan: cluster.Plan, one_machine: Files, dask_cluster: Any, dask: Any, tmp_path: Path
) -> None:
    killed: List[Any] = []

    def kill_one(done: cluster.Done) -> None:
        if not killed and done.done >= 3:
            nanny = next(iter(dask_cluster.workers.values()))
            os.kill(nanny.pid, signal.SIGKILL)
            killed.append(nanny.pid)

    executor = dask.get_executor()
    done = cluster.run(plan, tmp_path / "store", executor=executor, progress=kill_one)
    assert killed and done.done == len(plan)
    assert finished(tmp_path / "store", tmp_path) == one_machine


def test_an_object_store(
    plan: cluster.Plan, one_machine: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moto = pytest.importorskip("moto.server")
    pytest.importorskip("s3fs")
    import boto3

    server = moto.ThreadedMotoServer(port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    endpoint = f"http://{host}:{port}"
    settings = {
        "AWS_ACCESS_KEY_ID": "somebody",
        "AWS_SECRET_ACCESS_KEY": "nothing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": endpoint,
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    try:
        boto3.client("s3").create_bucket(Bucket="studies")
        done = cluster.run(plan, "s3://studies/one", executor=cluster.processes(1))
        assert done.done == len(plan)
        assert sum(row["done"] for row in cluster.status("s3://studies/one").to_dicts()) == len(plan)
        assert finished("s3://studies/one", tmp_path) == one_machine
    finally:
        server.stop()
