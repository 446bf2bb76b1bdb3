"""Attributes of reports are those of the JSON, with the declared types."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Dict

import pytest

import treegauge as tg
from conftest import plain

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
    for base in type(report).__mro__:
        if not base.__name__.endswith("Fields"):
            continue
        for name, declared in base.__annotations__.items():
            count += 1
            value = getattr(report, name)
            words = str(declared)
            optional = re.fullmatch(r"Optional\[(.*)\]", words)
            if optional:
                if value is None:
                    continue
                words = optional[1]
            assert isinstance(value, IS.get(words, object)), (type(report), name, value)
            if words.startswith("Mapping"):
                assert plain(value) == plain(report[name])
            if words == "Table":
                assert len(value) == len(report[name])
            elif not optional:
                assert name in report
    assert count, type(report)


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
