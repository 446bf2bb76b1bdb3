"""Attributes of reports are those of the JSON, with the declared types."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict, Iterator, Tuple

import pytest

import treegauge as tg
from conftest import ROOT, plain
from treegauge import _operations

#: Tests of the types that are declared in words.
IS: Dict[str, Any] = {
    "str": str,
    "int": int,
    "float": (int, float),
    "bool": bool,
    "Table": tg.Table,
}


def check(report: tg.Report) -> None:
    """Reads every declared attribute."""
    count = 0
    is_main = type(report).__bases__[0].__name__.endswith("Fields")
    for base in type(report).__mro__:
        if not base.__name__.endswith("Fields"):
            continue
        for name, declared in base.__annotations__.items():
            words = str(declared)
            optional = re.fullmatch(r"Optional\[(.*)\]", words)
            if not is_main and not optional and name not in report:
                # The first kind of the class has it, and others do not.
                continue
            count += name in report
            value = getattr(report, name)
            if optional:
                if value is None:
                    assert report.get(name) is None
                    continue
                words = optional[1]
            if words.startswith("Tuple"):
                assert isinstance(value, tuple), (type(report), name, value)
            assert isinstance(value, IS.get(words, object)), (type(report), name, value)
            if words.startswith("Mapping"):
                assert plain(value) == plain(report[name])
            if words == "Table":
                assert len(value) == len(report[name])
            elif not optional:
                assert name in report
    made = {name for name in report if isinstance(getattr(type(report), name, None), property)}
    assert count >= len(report.keys() - HEADER - TAKEN - made), type(report)


#: Members of every report.
HEADER = {"kind", "schema", "task", "incomplete"}
#: Keys whose names are methods.
TAKEN = {"table", "values"}
#: A key whose type differs between the kinds of a class.
OTHER_TYPE = "difficulty_evaluation.games"


def sorts() -> Iterator[Tuple[str, str, str]]:
    """Each kind of report with each of its keys and the sort of the value, as the program's tests know
    them: `text`, `number`, `bool`, `null`, `object`, `list` or `objects`."""
    for name in ("positions", "studies"):
        path = ROOT / f"crates/cli/tests/snapshots/program__every_task__reports_of_{name}.snap"
        kind, is_inside = "", False
        for line in path.read_text(encoding="utf-8").split("---\n", 2)[2].splitlines():
            indent = len(line) - len(line.lstrip())
            key, _, value = line.strip().partition(":")
            value = value.strip()
            if indent == 0:
                kind, is_inside = key, False
                for one in value.split(", ") if value else ():
                    yield kind, one.split()[0], one.split()[1]
            elif indent == 2 or (indent == 4 and not is_inside):
                is_inside = value == ""
                is_object = is_inside or " " in value
                if key.endswith(" of"):
                    yield kind, key[: -len(" of")], "objects" if is_object and indent == 2 else "list"
                else:
                    yield kind, key, "object" if is_object else value


#: The declared types that fit a sort.
FITS = {
    "text": r"str",
    "number": r"int|float",
    "bool": r"bool",
    "object": r"Mapping\[str, (Any|float)\]",
    "list": r"(Tuple|Sequence)\[.*\]|Table",
    "objects": r"Table",
    "null": r".*",
}


def test_keys_of_all_kinds_are_attributes_with_their_types() -> None:
    missing, wrong, kinds = [], [], set()
    for kind, key, sort in sorts():
        kinds.add(kind)
        made = _operations.REPORTS[kind]
        if f"{kind}.{key}" == OTHER_TYPE or key in HEADER | TAKEN or isinstance(getattr(made, key, None), property):
            continue
        declared = made._declared(key)
        if not declared:
            missing.append(f"{kind}.{key}: {sort}")
            continue
        optional = re.fullmatch(r"Optional\[(.*)\]", declared)
        if not re.fullmatch(FITS[sort], optional[1] if optional else declared):
            wrong.append(f"{kind}.{key}: {sort}, declared as {declared}")
    assert kinds == set(_operations.REPORTS)
    assert (missing, wrong) == ([], [])


MATE = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"


@pytest.mark.parametrize(
    ("kind", "task"),
    [
        ("alphabeta_search", {"command": "search", "game": "breakthrough",
                              "player": "alphabeta(eval=mobility,depth=2)"}),
        ("power", {"command": "match", "power": True, "gap": 0.1, "draw_rate": 0.3}),
        ("problem", {"command": "difficulty", "show": "tic_tac_toe", "moves": "a1 b1",
                     "iterations": 300}),
        ("problem", {"command": "difficulty", "show": MATE, "depth": 2, "nodes_max": 12,
                     "no_cache": True}),
        ("templates", {"command": "new", "list": True}),
        ("formatted", {"command": "new", "game": "breakthrough"}),
        ("show", {"command": "show", "game": "othello", "moves": "d3 c3"}),
        ("games", {"command": "games", "names": ["achi", "mnk"]}),
        ("names", {"command": "games", "names": ["broken_achi"], "canonical": True}),
        ("corridor", {"command": "corridor", "lengths": "1,2", "iterations": 9, "searches": 4}),
        ("tasks", {"command": "tasks", "commands": ["perft"]}),
        ("perft", {"command": "perft", "game": "connect_four", "depth": 3, "divide": True}),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_other_kinds(kind: str, task: Dict[str, Any]) -> None:
    report = tg.run(task)
    assert report["kind"] == kind
    check(report)
    check(tg.load(report.to_json()))


def test_kinds_that_need_files(tmp_path: Path) -> None:
    tg.match("tic_tac_toe", "random", "uct(iterations=9)", games=4, record="games.jsonl")
    tg.solve("achi", output="achi.tgs")
    Path("small.rules").write_text(tg.template("tic_tac_toe"))
    Path("some.fen").write_text(f"{MATE}\n")
    Path("puzzles.json").write_text(tg.puzzles("achi.tgs", top=2).to_json())
    kinds = [
        tg.replay("games.jsonl"),
        tg.replay("games.jsonl", game="1"),
        tg.probe("achi.tgs"),
        tg.landscape("achi.tgs"),
        tg.interest("achi.tgs", save=True),
        tg.interest("achi.tgs", start=True),
        tg.check("small.rules"),
        tg.difficulty("some.fen", depth=2, nodes_max=12, no_cache=True),
        tg.difficulty("puzzles.json", solved="achi.tgs"),
    ]
    for report in kinds:
        check(report)
    assert [one["kind"] for one in kinds] == (
        "replay replayed_game probe landscape interest interest_position check difficulty "
        "graded_puzzles"
    ).split()
    assert len(kinds[7].rows) == 1 and len(kinds[7].bad_rows) == 0 and kinds[7].tree is None
    # A key that only the first kind of a class has is no attribute of others.
    with pytest.raises(AttributeError, match="by_remoteness"):
        _ = kinds[5].by_remoteness


def test_gauges(tmp_path: Path) -> None:
    report = tg.gauge("tic_tac_toe", games=6, iterations=50, ladder=["1/4", "1"], model="none")
    check(report)
    assert len(report.flags) == len(report.verdict["flags"])
    measures = {row["measure"]: row for row in report.measures.to_dicts()}
    assert measures["plies"]["mean"] == report.plies["mean"]
    assert len(report.curves) == sum(len(game["values"]) for game in report["curves"]) > 6
    compared = tg.compare(["achi", "forms"], games=4, iterations=30)
    check(compared)
    assert [one.game for one in compared.gauges] == ["achi", "forms"]
    check(compared.gauges[0])
    check(tg.vet(["achi"]))
    check(tg.search("achi", 100).report)


def test_matches(tmp_path: Path) -> None:
    report = tg.match("tic_tac_toe", "uct(iterations=20)", "random", games=6, record="games.jsonl")
    check(report)
    pairs = report.pairs.to_dicts()
    assert len(pairs) == report["pairs"] == 3
    won = sum(row["outcome_a_first"] == "first_wins" for row in pairs)
    won += sum(row["outcome_b_first"] == "second_wins" for row in pairs)
    assert won == report.a_wins
    assert all(row["moves_a_first"] and row["opening"] for row in pairs)
    with pytest.raises(tg.UsageError, match="record=FILE"):
        _ = tg.match("tic_tac_toe", "random", "random", games=2).pairs
    check(tg.tournament("tic_tac_toe", players=["uct(iterations=20)", "random"], games=2))


def test_solutions() -> None:
    solution = tg.solve("tic_tac_toe")
    assert solution.report is not None
    check(solution.report)
    for report in (solution.probe(), solution.verify(), solution.interest(), solution.puzzles()):
        check(report)


def test_generated_games() -> None:
    report = tg.generate(
        "tic_tac_toe", games=4, iterations=20, gauge_games=4, model="none", output="run"
    )
    check(report)
    best = report.best
    assert len(best) == len(report["best"]) > 0
    assert all(game.perft(1)[0] > 0 for game in best)


def test_words_and_speeds() -> None:
    words = tg.rules_words()
    assert {"makes", "place", "board"} <= {row["word"] for row in words.to_dicts()}
    [row] = tg.bench("tic_tac_toe", seconds=0.02).to_dicts()
    assert 5 <= row["plies_per_playout"] <= 9
    assert min(row["playouts_per_s"], row["uct_iterations_per_s"]) > 100


def test_marks_on_a_board() -> None:
    search = tg.search("tic_tac_toe", 200)
    state = tg.Game("tic_tac_toe").new_initial_state()
    marked = state.show(values=search.moves)
    assert marked.count('class="value"') == 9
    assert marked.count("</svg>") == 1
    assert state.show() == state.svg()
    assert state.show({"b2": 1, "a1": 0.5}).count('class="value"') == 2
    assert ">0.50<" in state.show({"b2": 1, "a1": 0.5})
