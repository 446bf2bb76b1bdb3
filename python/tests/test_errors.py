"""Errors: their classes, their messages, and what they name."""

from __future__ import annotations

import random
import re
import shlex
from pathlib import Path
from typing import Any, Callable, List, Optional, Tuple, Type

import pytest
from conftest import TESTDATA, Program

import treegauge as tg

Call = Callable[[], Any]
U, D = tg.UsageError, tg.DataError

#: A command line, the call, the class of the exception, and the nearest name.
BAD: List[Tuple[str, Call, Type[Exception], Optional[str]]] = [
    ("search conect_four", lambda: tg.search("conect_four"), U, "connect_four"),
    ("search othelo", lambda: tg.search("othelo"), U, "othello"),
    ("search 'othello(siz=6)'", lambda: tg.search("othello(siz=6)"), U, "size"),
    ("search 'othello(size=5)'", lambda: tg.search("othello(size=5)"), U, None),
    ("search 'othello(size=x)'", lambda: tg.search("othello(size=x)"), U, None),
    ("search 'othello(size=6'", lambda: tg.search("othello(size=6"), U, None),
    ("search ''", lambda: tg.search(""), U, None),
    ("search 'mnk(rows=2,cols=2,l=9)'", lambda: tg.search("mnk(rows=2,cols=2,l=9)"), U, None),
    ("search -", lambda: tg.search("-"), U, None),
    ("search missing.rules", lambda: tg.search("missing.rules"), D, None),
    ("search othello --moves d9", lambda: tg.search("othello", moves="d9"), D, None),
    ("search othello --moves 'd3 d3'", lambda: tg.search("othello", moves="d3 d3"), D, None),
    ("search othello --position x", lambda: tg.search("othello", position="x"), D, None),
    ("search othello --player greedy", lambda: tg.search("othello", player="greedy"), U, None),
    ("search othello --player uctt", lambda: tg.search("othello", player="uctt"), U, "uct"),
    (
        "search othello --player 'uct(iteration=5)'",
        lambda: tg.search("othello", player="uct(iteration=5)"),
        U,
        "iterations",
    ),
    (
        "search othello --player 'alphabeta(eval=mobilit,nodes=5)'",
        lambda: tg.search("othello", player="alphabeta(eval=mobilit,nodes=5)"),
        U,
        None,
    ),
    (
        "search othello --player 'alphabeta(eval=mobility,nodes=5)' --dot a.dot",
        lambda: tg.search("othello", player="alphabeta(eval=mobility,nodes=5)", dot="a.dot"),
        U,
        None,
    ),
    (
        "search othello --player 'uct(iterations=5)' --cp 1",
        lambda: tg.search("othello", player="uct(iterations=5)", cp=1),
        U,
        None,
    ),
    (
        "search othello --merge equal --solver --trees 2 --backup all --counts edge",
        lambda: tg.search(
            "othello", merge="equal", solver=True, trees=2, backup="all", counts="edge"
        ),
        U,
        None,
    ),
    ("search othello --backup all", lambda: tg.search("othello", backup="all"), U, None),
    ("search othello --svg a.csv", lambda: tg.search("othello", svg="a.csv"), U, None),
    (
        "search othello --svg no/such/folder.svg",
        lambda: tg.search("othello", svg="no/such/folder.svg"),
        D,
        None,
    ),
    ("gauge 'othello(size=7)'", lambda: tg.gauge("othello(size=7)"), U, None),
    (
        "gauge tic_tac_toe --games 4 --record no/such/file",
        lambda: tg.gauge("tic_tac_toe", games=4, record="no/such/file"),
        D,
        None,
    ),
    (
        "gauge tic_tac_toe --model missing.json",
        lambda: tg.gauge("tic_tac_toe", model="missing.json"),
        D,
        None,
    ),
    ("compare tic_tac_toe", lambda: tg.compare("tic_tac_toe"), U, None),
    ("compare tic_tac_toe tic_tac_toe", lambda: tg.compare(["tic_tac_toe"] * 2), U, None),
    (
        "compare tic_tac_toe tic_tac_to",
        lambda: tg.compare(["tic_tac_toe", "tic_tac_to"]),
        U,
        "tic_tac_toe",
    ),
    ("vet missing.csv", lambda: tg.vet("missing.csv"), D, None),
    ("vet 'mnk(rows=9..3)'", lambda: tg.vet("mnk(rows=9..3)"), U, None),
    ("match achi randm random", lambda: tg.match("achi", players=["randm", "random"]), U, "random"),
    ("match achi random", lambda: tg.match("achi", players=["random"]), U, None),
    (
        "match achi random random --sprt elo",
        lambda: tg.match("achi", players=["random"] * 2, sprt="elo"),
        U,
        None,
    ),
    (
        "match achi random random --games 0",
        lambda: tg.match("achi", players=["random"] * 2, games=0),
        U,
        None,
    ),
    ("tournament achi random", lambda: tg.tournament("achi", "random"), U, None),
    ("tournament achi random uctt", lambda: tg.tournament("achi", ["random", "uctt"]), U, "uct"),
    ("solve 'othello(size=6)' --memory-max 1", lambda: tg.solve("othello(size=6)", memory_max=1), U, None),
    ("solve tic_tac_toe -o a.csv", lambda: tg.solve("tic_tac_toe", output="a.csv"), U, None),
    (
        "solve tic_tac_toe -o theirs.tgs",
        lambda: tg.solve("tic_tac_toe", output="theirs.tgs"),
        D,
        None,
    ),
    ("solve 'rules(file=missing.rules)'", lambda: tg.solve("rules(file=missing.rules)"), D, None),
    ("probe missing.tgs", lambda: tg.probe("missing.tgs"), D, None),
    ("probe theirs.tgs", lambda: tg.probe("theirs.tgs"), D, None),
    ("verify theirs.tgs", lambda: tg.verify("theirs.tgs"), D, None),
    ("interest theirs.tgs", lambda: tg.interest("theirs.tgs"), D, None),
    (
        "puzzles tic_tac_toe --mate-in 4..2",
        lambda: tg.puzzles("tic_tac_toe", mate_in="4..2"),
        U,
        None,
    ),
    ("difficulty missing.csv", lambda: tg.difficulty("missing.csv"), D, None),
    ("difficulty --show tic_tac_to", lambda: tg.difficulty(show="tic_tac_to"), U, None),
    ("check missing.rules", lambda: tg.check("missing.rules"), D, None),
    ("new othelo", lambda: tg.new("othelo"), U, None),
    ("show othello --moves a1", lambda: tg.show("othello", moves="a1"), D, None),
    ("games othelo", lambda: tg.games("othelo"), U, "othello"),
    ("collect --games missing.csv -o d", lambda: tg.collect("missing.csv", folder="d"), D, None),
    (
        "collect --games achi --players uctt -o d",
        lambda: tg.collect("achi", players="uctt", folder="d"),
        U,
        "uct",
    ),
    ("aggregate missing", lambda: tg.aggregate("missing"), D, None),
    ("evaluate missing", lambda: tg.evaluate("missing"), D, None),
    ("train missing -o m.json", lambda: tg.train("missing", output="m.json"), D, None),
    ("merge missing other", lambda: tg.merge(["missing", "other"]), D, None),
    ("replay missing", lambda: tg.replay("missing"), D, None),
    ("replay theirs.tgs", lambda: tg.replay("theirs.tgs"), D, None),
    ("tasks gaug", lambda: tg.tasks("gaug"), U, None),
    ("perft othello --depth 101", lambda: tg.perft("othello", 101), U, None),
    ("search othello --iterations 0", lambda: tg.search("othello", 0), U, None),
    ("search othello --cp 2000", lambda: tg.search("othello", cp=2000), U, None),
    (
        "collect --games achi --shard 3/2 -o d",
        lambda: tg.collect("achi", shard="3/2", folder="d"),
        U,
        None,
    ),
]


@pytest.mark.parametrize("words, call, kind, nearest", BAD, ids=[bad[0] for bad in BAD])
def test_errors_are_those_of_the_program(
    words: str, call: Call, kind: Type[Exception], nearest: Optional[str], program: Program
) -> None:
    Path("theirs.tgs").write_text("not a solution", encoding="utf-8")
    printed = program([*shlex.split(words), "-q"]).stderr
    with pytest.raises(tg.TreegaugeError) as raised:
        call()
    assert type(raised.value) is kind, raised.value
    message = " ".join(str(raised.value).split())
    said = " ".join(printed.split())
    said = said.removeprefix("treegauge: ").removeprefix("error: ")
    said = re.split(" tip: | Usage: | For more information", said)[0]
    assert said == message, (said, message)
    if nearest is not None:
        assert raised.value.nearest == nearest


def test_classes_are_those_of_python() -> None:
    assert issubclass(tg.UsageError, ValueError) and issubclass(tg.DataError, ValueError)
    assert issubclass(tg.InternalError, RuntimeError) and issubclass(tg.WriteError, OSError)
    for name in ("LimitError", "EngineError", "Stopped", "IncompleteError"):
        assert issubclass(getattr(tg, name), tg.TreegaugeError)


def test_a_wrong_option_is_named() -> None:
    with pytest.raises(tg.UsageError) as raised:
        tg.run({"command": "gauge", "game": "achi", "iteration": 5})
    assert (raised.value.field, raised.value.nearest) == ("iteration", "iterations")
    with pytest.raises(tg.UsageError) as raised:
        tg.perft("achi", 500)
    assert raised.value.field == "depth"
    assert raised.value.expected == "a whole number from 1 to 100"
    with pytest.raises(tg.UsageError):
        tg.run({"command": "gaug"})
    with pytest.raises(TypeError):
        tg.gauge("achi", iterations=object())  # type: ignore[arg-type]


def test_illegal_moves_and_places() -> None:
    state = tg.Game("tic_tac_toe").new_initial_state()
    with pytest.raises(tg.UsageError) as raised:
        state.play("a4")
    # Every cell is spelled almost alike, so the message lists legal moves.
    assert raised.value.nearest is None and "`a1`, `b1`" in str(raised.value)
    with pytest.raises(tg.UsageError) as raised:
        tg.Game("breakthrough").new_initial_state().play("a2-a4")
    assert raised.value.nearest is not None
    for place in (-1, 9, 2**70):
        with pytest.raises((IndexError, OverflowError)):
            state.play(place)
    with pytest.raises(TypeError):
        state.play(1.5)  # type: ignore[arg-type]
    with pytest.raises(tg.UsageError):
        state.undo()
    with pytest.raises(tg.UsageError):
        tg.Game("tic_tac_toe").new_initial_state(position="x")


def test_random_texts_end_no_process() -> None:
    """Texts, moves and positions that nobody would write: each is an error or a value."""
    rng = random.Random(1)
    letters = "abcdxo.()=,0123456789 -#*/'\"\\éß\u202e\x00\n"
    names = ["othello", "connect_four(k=3)", "mnk", "kalah(houses=3)", "rules", "alak", "oware"]
    games = [tg.Game(name) for name in ("othello", "checkers", "alquerque", "tic_tac_toe")]
    errors = values = 0
    for n in range(100_000):
        text = "".join(rng.choice(letters) for _ in range(rng.randint(0, 12)))
        game = games[n % len(games)]
        try:
            if n % 3 == 0:
                name = rng.choice(names)
                at = rng.randint(0, len(name))
                tg.Game(name[:at] + text + name[at:])
            elif n % 3 == 1:
                state = game.new_initial_state()
                start = state.position
                at = rng.randint(0, len(start))
                game.new_initial_state(position=start[:at] + text + start[at + len(text) :])
            else:
                game.new_initial_state().play(text)
            values += 1
        except tg.TreegaugeError as error:
            assert not isinstance(error, tg.InternalError), (text, error)
            errors += 1
    assert errors > 50_000 and values > 100


def test_damaged_reports_are_refused() -> None:
    whole = tg.perft("tic_tac_toe", 3).to_json()
    rng = random.Random(2)
    for _ in range(300):
        at = rng.randint(0, len(whole) - 1)
        damaged = whole[:at] + rng.choice('{}[]":,0x') + whole[at + 1 :]
        try:
            tg.load(damaged if damaged.startswith("{") else "{" + damaged)
        except tg.InternalError:
            raise
        except (tg.TreegaugeError, ValueError):
            pass
    for text in ("{}", "{", '{"kind": "gauge"}', '{"schema":1,"kind":"perft"}'):
        with pytest.raises(tg.DataError):
            tg.load(text)
    bad = TESTDATA / "corpus.toml"
    with pytest.raises(tg.DataError):
        tg.load(bad)
