"""Measures the package beside OpenSpiel and the program; prints one JSON object.

usage: bench.py PROGRAM
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Dict, List

import pyspiel

import treegauge as tg

#: Games that both have under the same rules, by our names.
BOTH = {
    "tic_tac_toe": "tic_tac_toe",
    "connect_four": "connect_four",
    "othello": "othello",
    "breakthrough": "breakthrough",
}

#: Measurements of each figure, in turn. The best counts: other work on a machine only slows them.
ROUNDS = 12

#: CPU seconds of a measurement.
SECONDS = 0.3

#: Numbers that choose moves, the same for both sides.
CHOICES = [random.Random(1).randrange(1 << 30) for _ in range(1 << 12)]

SEARCHED = 100_000


def main() -> int:
    figures: Dict[str, Any] = {
        "openspiel": version("open_spiel"),
        "import_cpu_ms": import_ms(),
        "step": [steps(ours, theirs) for ours, theirs in BOTH.items()],
        "clone_us": min(clone_us() for _ in range(ROUNDS)),
        "playouts": [rates(sys.argv[1], game) for game in BOTH],
        "search": searches(sys.argv[1]),
        "tree": tree(),
    }
    print(json.dumps(figures, indent=1))
    missed = list(misses(figures))
    for words in missed:
        print(f"missed: {words}", file=sys.stderr)
    return 1 if missed else 0


def misses(figures: Dict[str, Any]) -> Any:
    """The targets that were missed, in words."""
    if figures["import_cpu_ms"] > 20:
        yield "import within 20 ms"
    for row in figures["step"]:
        if row["us"] > 1.0:
            yield f"1.0 us a ply of {row['game']}"
        if row["ratio"] < 1.5:
            yield f"1.5 times pyspiel in {row['game']}"
    if figures["clone_us"] > 0.2:
        yield "0.2 us a clone"
    for row in figures["playouts"]:
        if row["ratio"] < 0.97:
            yield f"0.97 of the program's playouts of {row['game']}"
    if figures["search"]["ratio"] < 0.97:
        yield "0.97 of the program's searches"
    if figures["search"]["one_iteration_us"] > 10:
        yield "10 us for a search of one iteration"
    for name, most in [("tree_ms", 1000), ("pyarrow_ms", 50), ("polars_ms", 200)]:
        if figures["tree"][name] > most:
            yield f"{most} ms for {name[:-3]} of 10^6 nodes"


def version(name: str) -> str:
    from importlib.metadata import version as version_of

    return version_of(name)


def import_ms() -> float:
    """CPU milliseconds of the import, in processes that had it once before."""
    code = (
        "import time; t = time.process_time(); import treegauge; print(time.process_time() - t)"
    )
    with tempfile.TemporaryDirectory() as folder:
        # Compiled sources, as after an installation.
        kept = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        run = [sys.executable, "-c", code]
        spent = [
            float(subprocess.check_output(run, env={**os.environ, **kept}))
            for _ in range(ROUNDS + 1)
        ]
    return 1e3 * min(spent[1:])


def us_a_ply(start: Callable[[], Any]) -> float:
    """Microseconds of a ply of random games, step by step: the test for the end, the list of legal
    moves, and the move."""
    plies, at = 0, 0
    before = time.process_time()
    while (spent := time.process_time() - before) < SECONDS:
        for _ in range(50):
            state = start()
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[CHOICES[at & 0xFFF] % len(legal)])
                at += 1
        plies = at
    return 1e6 * spent / plies


def steps(ours: str, theirs: str) -> Dict[str, Any]:
    mine, other = tg.Game(ours), pyspiel.load_game(theirs)
    rounds: List[List[float]] = [[], []]
    for _ in range(ROUNDS):
        rounds[0].append(us_a_ply(mine.new_initial_state))
        rounds[1].append(us_a_ply(other.new_initial_state))
    us, pyspiel_us = map(min, rounds)
    return {"game": ours, "us": us, "pyspiel_us": pyspiel_us, "ratio": pyspiel_us / us}


def clone_us() -> float:
    state = tg.Game("connect_four").new_initial_state(moves=["d", "d", "c"])
    count = 200_000
    before = time.process_time()
    for _ in range(count):
        state.clone()
    return 1e6 * (time.process_time() - before) / count


def bench(program: str, game: str, *options: str) -> Dict[str, Any]:
    words = [program, "bench", game, "--seconds", str(SECONDS), "--json", *options]
    row: Dict[str, Any] = json.loads(subprocess.check_output(words, stderr=subprocess.DEVNULL))
    return row["rows"][0]  # type: ignore[no-any-return]


def rates(program: str, name: str) -> Dict[str, Any]:
    """Playouts a CPU second, here and in the program, in turn."""
    game = tg.Game(name)
    count = 200_000
    rounds: List[List[float]] = [[], []]
    for _ in range(ROUNDS):
        played = 0
        before = time.process_time()
        while (spent := time.process_time() - before) < SECONDS:
            game.playouts(count, threads=1)
            played += count
        rounds[0].append(played / spent)
        rounds[1].append(bench(program, name)["playouts_per_s"])
    here, there = map(max, rounds)
    return {"game": name, "per_s": here, "program_per_s": there, "ratio": here / there}


def searches(program: str) -> Dict[str, Any]:
    """Iterations a CPU second of searches of connect_four, here and in the program, in turn."""
    game = tg.Game("connect_four")
    rounds: List[List[float]] = [[], []]
    for n in range(ROUNDS):
        made = 0
        before = time.process_time()
        while (spent := time.process_time() - before) < SECONDS:
            tg.search(game, SEARCHED, seed=n + 1)
            made += SEARCHED
        rounds[0].append(made / spent)
        row = bench(program, "connect_four", "--iterations", str(SEARCHED))
        rounds[1].append(row["uct_iterations_per_s"])
    here, there = map(max, rounds)
    count, ones = 300, []
    for _ in range(ROUNDS):
        before = time.perf_counter()
        for _ in range(count):
            tg.search(game, 1)
        ones.append(1e6 * (time.perf_counter() - before) / count)
    return {
        "game": "connect_four",
        "per_s": here,
        "program_per_s": there,
        "ratio": here / there,
        "one_iteration_us": min(ones),
    }


def tree() -> Dict[str, Any]:
    """Milliseconds of the tree of a search as a table, and of the table in other libraries."""
    import polars
    import pyarrow

    search = tg.search("othello", 1_000_000)
    before = time.perf_counter()
    table = search.tree()
    tree_ms = 1e3 * (time.perf_counter() - before)
    figures = {"nodes": len(table), "tree_ms": tree_ms}
    for name, taken in [("pyarrow_ms", pyarrow.table), ("polars_ms", polars.DataFrame)]:
        spent = []
        for _ in range(ROUNDS):
            before = time.perf_counter()
            taken(table)
            spent.append(1e3 * (time.perf_counter() - before))
        figures[name] = min(spent)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.parquet"
        before = time.perf_counter()
        table.write_parquet(path)
        figures["parquet_ms"] = 1e3 * (time.perf_counter() - before)
    return figures


if __name__ == "__main__":
    sys.exit(main())
