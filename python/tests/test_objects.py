"""Games, states, tables, displays and pickles."""

from __future__ import annotations

import copy
import json
import pickle
import random
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Dict, List
from xml.etree import ElementTree

import pytest
from conftest import TESTDATA, Program, plain

import treegauge as tg

#: A game of every family.
FAMILIES: List[str] = [
    row["name"] if "name" in row else row["game"] for row in plain(tg.games()["games"])
]
TEXT = tg.template("connect_four")


def test_there_are_games() -> None:
    assert len(FAMILIES) >= 20 and "othello" in FAMILIES


@pytest.mark.parametrize("name", FAMILIES)
def test_walks_are_undone(name: str) -> None:
    rng = random.Random(name)
    state = tg.Game(name).new_initial_state()
    seen = [(state.position, state.moves())]
    while not state.is_terminal() and state.ply < 200:
        moves = state.moves()
        place = rng.randrange(len(moves))
        child = state.child(moves[place])
        state.play(moves[place] if rng.random() < 0.5 else place)
        assert child == state and hash(child) == hash(state)
        assert state.history_str()[-1] == moves[place]
        seen.append((state.position, state.moves()))
    assert state.ply > 0
    if state.is_terminal():
        assert state.current_player() == -4 and state.moves() == [] and state.ended_by
        assert sum(state.returns()) == 0
    for position, moves in reversed(seen[:-1]):
        state.undo()
        assert (state.position, state.moves()) == (position, moves)
    assert state.ply == 0


def test_states_of_positions_and_moves() -> None:
    game = tg.Game("connect_four(cols=5,rows=4)")
    state = game.new_initial_state(moves=["c", "c"])
    assert state.ply == 2 and state.current_player() == 0 and state.returns() == [0, 0]
    again = game.new_initial_state(position=state.position)
    assert again == state and again.ply == 0 and again.history() == []
    other = tg.Game("connect_four(rows=4,cols=5)")
    assert (
        other == game
        and hash(other) == hash(game)
        and other.new_initial_state(moves=["c", "c"]) == state
    )
    assert other != tg.Game("connect_four") and not state.__eq__("x")
    clone = state.clone()
    clone.play("a")
    assert clone != state and state.ply == 2
    assert game.playouts(1000, at=state, seed=3) == other.playouts(
        1000, at=state, seed=3, threads=1
    )
    games, plies, first, draws, second = game.playouts(5000)
    assert games == 5000 == first + draws + second and 5000 * 7 <= plies <= 5000 * 20
    assert game.perft(2) == [5, 25] and game.perft(1, at=state) == [5]
    with pytest.raises(tg.UsageError):
        tg.Game("othello").perft(1, at=state)


def test_facts_of_games() -> None:
    game = tg.Game("othello(size=6)")
    assert game.parameters["size"] == 6 and game.family == "othello"
    assert game.symmetries == 8 and game.canonical == "othello(size=6)"
    assert game.max_game_length() == 1000
    state = game.new_initial_state()
    assert state.margin == 0
    assert tg.variants("mnk(rows=3..5)") == ["mnk(rows=3)", "mnk(rows=4)", "mnk(rows=5)"]


@pytest.mark.parametrize("name", FAMILIES)
def test_ids_stand_for_texts(name: str) -> None:
    game = tg.Game(name)
    state = game.new_initial_state()
    try:
        count = game.num_distinct_actions()
    except tg.UsageError as error:
        assert "play()" in str(error)
        with pytest.raises(tg.UsageError):
            state.legal_actions()
        return
    rng = random.Random(name)
    texts: dict[int, str] = {}
    for _ in range(20):
        state = game.new_initial_state()
        while not state.is_terminal() and state.ply < 100:
            actions = state.legal_actions()
            assert sorted(set(actions)) == actions and len(actions) == state.move_count()
            assert actions[-1] < count
            mask = state.legal_actions_mask()
            assert len(mask) == count and [n for n, one in enumerate(mask) if one] == actions
            action = rng.choice(actions)
            text = state.action_to_string(action)
            assert texts.setdefault(action, text) == text
            assert state.string_to_action(text) == action
            state.apply_action(action)
    with pytest.raises(IndexError):
        game.new_initial_state().apply_action(count)


OTHER = """
import pickle, sys
import treegauge as tg
game, state, report, table = pickle.load(open("pickle", "rb"))
assert game.new_initial_state().move_count() > 0
before = state.ply
state.play(0)
assert state.ply == before + 1 and len(report) > 3
print(tg.search(game, 20).report["game"], len(table))
"""


@pytest.mark.parametrize("text", ["kalah", "mine.rules", ""])
def test_pickles_are_equal(text: str) -> None:
    Path("mine.rules").write_text(TEXT, encoding="utf-8")
    game = tg.Game(text) if text else tg.Game.from_rules(TEXT)
    state = game.new_initial_state()
    state.play(0)
    state.play(1)
    search = tg.search(game, 50, at=state)
    report, table = search.report, search.tree()
    for one in (game, state, report, table):
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert other == one and type(other) is type(one)
    same = pickle.loads(pickle.dumps(state))
    assert same.history_str() == state.history_str()
    assert [c.type for c in pickle.loads(pickle.dumps(table)).columns] == [
        c.type for c in table.columns
    ]
    Path("pickle").write_bytes(pickle.dumps((game, state, report, table)))
    # The other process does not have the file.
    Path("mine.rules").unlink()
    made = subprocess.run([sys.executable, "-c", OTHER], check=True, capture_output=True, text=True)
    assert made.stdout.split()[-1] == str(len(table))


def test_what_cannot_be_pickled_says_what_to_pass() -> None:
    for one in (
        tg.search("achi", 10),
        tg.solve("tic_tac_toe"),
        tg.collect("achi", iterations=5, instances=1),
    ):
        with pytest.raises(TypeError, match="pass"):
            pickle.dumps(one)


def test_games_of_texts() -> None:
    game = tg.Game.from_rules(TEXT)
    report = tg.gauge(game, games=4, iterations=20, model="none", solve_limit=0)
    assert report["game"].startswith("game.rules") or "game.rules" in report["game"]
    assert "<svg" in report.html() and report.text()
    with pytest.raises(tg.UsageError, match="different texts"):
        tg.compare([game, tg.Game.from_rules(tg.template("othello"))], games=2)
    formatted = tg.format_rules(TEXT)
    assert tg.format_rules(formatted) == formatted
    assert tg.Game.from_rules(formatted).perft(3) == game.perft(3)
    assert tg.check_rules(TEXT)["errors"] == ()
    bad = tg.check_rules("(game")
    assert bad.ending == "invalid" and len(bad["errors"]) > 0
    assert "move" in tg.explain(TEXT)


def tables() -> List[tg.Table]:
    data = tg.collect(["achi", "forms"], iterations=20, instances=2, players="random")
    search = tg.search("othello", 200)
    return [data.trees, data.instances, data.player_games, search.tree(), search.moves]


def test_tables_of_other_libraries() -> None:
    import duckdb
    import pandas
    import polars
    import pyarrow

    for table in tables():
        rows = table.to_dicts()
        assert len(rows) == len(table) > 0 and list(rows[0]) == table.column_names
        arrow = table.to_pyarrow()
        assert arrow.num_rows == len(table) and arrow.to_pylist() == rows
        frame = table.to_polars()
        assert frame.columns == table.column_names and frame.to_dicts() == rows
        assert len(table.to_pandas()) == len(table)
        assert duckdb.from_arrow(arrow).count("*").fetchall() == [(len(table),)]
        # Every taker sees the same memory.
        for _ in range(3):
            other = pyarrow.table(table)
            for name, column in zip(table.column_names, table.columns):
                if column.type in ("int64", "double"):
                    one, two = arrow[name].chunk(0), other[name].chunk(0)
                    assert one.buffers()[1].address == two.buffers()[1].address
                    mine = frame[name]
                    if mine.null_count() == 0 and mine.dtype in (polars.Int64, polars.Float64):
                        seen = mine.to_numpy(allow_copy=False)
                        assert seen.__array_interface__["data"][0] == one.buffers()[1].address
    assert pandas.DataFrame is not None


def test_exports_do_not_leak() -> None:
    import pyarrow

    table = tg.search("othello", 5000).tree()
    pyarrow.table(table)

    def resident() -> int:
        text = Path("/proc/self/status").read_text(encoding="utf-8")
        return int(text.split("VmRSS:")[1].split()[0])

    for _ in range(100):
        pyarrow.table(table)
    before = resident()
    for _ in range(2000):
        pyarrow.table(table)
    assert resident() - before < 1024, "kibibytes"


def test_a_table_outlives_its_run() -> None:
    import gc

    search = tg.search("othello", 1000)
    arrow = search.tree().to_pyarrow()
    visits = arrow["visits"].to_pylist()
    del search
    gc.collect()
    tg.search("othello", 1000, seed=2)
    assert arrow["visits"].to_pylist() == visits and visits[0] == 1000


def test_parquet_says_where_it_comes_from() -> None:
    import pyarrow.parquet

    data = tg.collect("achi", iterations=20, instances=2, seed=9, folder="data")
    data.trees.write_parquet("trees.parquet")
    for path in ("data/trees.parquet", "trees.parquet"):
        file = pyarrow.parquet.ParquetFile(path)
        metadata = file.metadata.metadata
        run = json.loads(metadata[b"treegauge"])
        assert run["seed"] == 9 and "version" in json.dumps(run)
        assert "20" in json.dumps(run)
        columns = json.loads(metadata[b"columns"])
        for field in file.schema_arrow:
            assert set(columns[field.name]) == {"unit", "definition"}
            is_number = str(field.type) not in ("string", "large_string", "bool")
            assert not is_number or str(field.type) in ("int64", "double"), field
        assert str(file.schema_arrow.field("ply").type) == "int64"
    assert data.trees.to_dicts() == pyarrow.parquet.read_table("data/trees.parquet").to_pylist()
    schema = data.trees.to_pyarrow().schema
    assert json.loads(schema.metadata[b"treegauge"])["seed"] == 9
    for field in schema:
        assert set(field.metadata) == {b"unit", b"definition"}
    assert str(schema.field("ply").type) == "int64"
    data.trees.write_csv("trees.csv")
    assert Path("trees.csv").read_bytes() == Path("data/trees.csv").read_bytes()


def test_a_game_of_a_text_opens_by_the_names_of_tables() -> None:
    game = tg.Game.from_rules(TEXT, "mine")
    table = tg.collect(game, iterations=10, instances=1).aggregate()
    name = table.rows.to_dicts()[0]["game"]
    assert name == game.canonical
    assert tg.Game(name, rules=game.sources) == game
    with pytest.raises(tg.UsageError, match="the path of its file"):
        tg.Game(name, rules={"other.rules": tg.template("achi")})
    labels = [{"game": name, "playable": True}, {"game": "achi", "playable": False}]
    tg.Table(labels).write_csv("labels.csv")
    assert [row["canonical"] for row in tg.corpus("labels.csv").to_dicts()] == [name, "achi"]


def test_vet_keeps_the_order() -> None:
    asked = ["one_to_ten(target=9)", "one_to_ten(target=4..6)", "tic_tac_toe(k=2)"]
    report = tg.vet(asked)
    names = [row["game"] for row in plain(report["rows"])]
    wanted = [name for one in asked for name in tg.variants(one)]
    assert names == wanted
    inputs = [row["input"] for row in plain(report["rows"])]
    assert inputs[0] == asked[0] and inputs[-1] == asked[-1] and len(inputs) == 5
    assert [row["place"] for row in plain(report["rows"])] == [1, 2, 3, 4, 5]
    # A game that is asked for twice has two rows.
    asked = ["alak", "one_to_ten", "alak", "alak(length=11)"]
    rows = plain(tg.vet(asked)["rows"])
    assert [row["input"] for row in rows] == asked
    assert rows[0]["playable"] == rows[2]["playable"] == rows[3]["playable"] != rows[1]["playable"]


#: Elements of HTML without an end.
VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"}


class Elements(HTMLParser):
    """Checks that every element of HTML ends where it must."""

    def __init__(self) -> None:
        super().__init__()
        self.open: List[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()


def well_formed(markup: str) -> None:
    assert len(markup) < 200_000 and "<script" not in markup.lower()
    elements = Elements()
    elements.feed(markup)
    elements.close()
    assert elements.open == []


def test_displays() -> None:
    game = tg.Game("othello")
    state = game.new_initial_state()
    search = tg.search("othello", 500)
    for svg in (state._repr_svg_(), search._repr_svg_()):
        assert svg is not None
        assert len(svg) < 200_000 and "<script" not in svg.lower()
        ElementTree.fromstring(svg)
    gauge = tg.gauge("tic_tac_toe", games=4, model="none")
    shown: List[Any] = [game, search.tree(), gauge, search.report, tg.games()]
    small: Dict[str, Any] = {"games": 4, "iterations": 20}
    shown += [
        tg.solve("tic_tac_toe").report,
        tg.compare(["tic_tac_toe", "achi"], **small),
        tg.match("tic_tac_toe", "uct(iterations=20)", "random", games=4),
        tg.tournament("tic_tac_toe", ["uct(iterations=20)", "random"], games=2),
        tg.vet(["tic_tac_toe"]),
        tg.puzzles("achi", top=3),
        tg.interest("achi"),
        tg.perft("achi", 3),
        tg.collect("achi", iterations=10, instances=2).trees,
    ]
    for one in shown:
        well_formed(one._repr_html_())
    # The style of a report is for nothing else on the page, and it is read without one, too.
    part = gauge._repr_html_()
    assert part.startswith('<div class="treegauge"><style>.treegauge{') and "<table" in part
    for one in (game, state, search, gauge, search.tree(), tg.solve("achi")):
        assert "\n" not in repr(one)
    assert "@" in str(state) or "o" in str(state)
    assert gauge.html().startswith("<!DOCTYPE html>")


def test_reports_are_read_only_mappings(program: Program) -> None:
    report = tg.gauge("tic_tac_toe", games=4, model="none")
    assert plain(dict(report)) == json.loads(report.to_json())
    assert report.game == report["game"] == "tic_tac_toe"
    assert not hasattr(report, "__setitem__")
    with pytest.raises(TypeError):
        report["verdict"]["flawed"] = False
    with pytest.raises(AttributeError):
        report.nothing
    printed = program(["gauge", "tic_tac_toe", "--games", "4", "--model", "none", "-q"]).stdout
    assert str(report).strip() == printed.strip()
    assert isinstance(report.ladder, tg.Table) and len(report.ladder) == len(report["ladder"])


def test_texts_of_the_test_data_are_games() -> None:
    for path in sorted((TESTDATA / "rules").glob("*.rules"))[:10]:
        game = tg.Game.from_rules(path.read_text(encoding="utf-8"), path.name)
        assert game.playouts(10)[0] == 10


def test_loops_of_openspiel() -> None:
    rng = random.Random(1)
    state: Any = tg.Game("connect_four").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert state.returns() in ([1, -1], [-1, 1], [0, 0])
    state.undo_action()
    assert not state.is_terminal()


def test_labelled_games_have_canonical_names(monkeypatch: pytest.MonkeyPatch) -> None:
    # The corpus names texts by their paths from here.
    monkeypatch.chdir(TESTDATA.parent)
    corpus = tg.corpus(TESTDATA / "corpus.toml").to_dicts()
    assert len(corpus) > 300 and {row["playable"] for row in corpus} == {True, False}
    for row in corpus[:20]:
        assert row["canonical"] == tg.Game(row["game"]).canonical
    assert len(tg.corpus()) == 28
    ratings = tg.ratings(TESTDATA / "human_ratings.csv").to_dicts()
    assert len(ratings) > 50
    assert all(row["fun"] is None or 0 <= row["fun"] <= 100 for row in ratings)


def test_children_are_by_id_as_in_openspiel() -> None:
    state = tg.Game("connect_four").new_initial_state(moves="d d d d d d".split())
    assert state.moves().index("e") == 3 and state.string_to_action("e") == 4
    assert state.child(4).history_str()[-1] == "e" and state.child("f").history()[-1] == 5
    with pytest.raises(tg.UsageError, match="action 3 is not"):
        state.child(3)
    with pytest.raises(IndexError):
        state.child(7)
    import numpy

    assert state.child(numpy.int64(4)).history_str()[-1] == "e"
    with pytest.raises(tg.UsageError, match="use play"):
        tg.Game("checkers").new_initial_state().child(0)


def test_results_have_names_and_moves_may_be_any_iterable() -> None:
    game = tg.Game("tic_tac_toe")
    played = game.playouts(100)
    assert played == tuple(played) and played.games == 100
    assert played.first_wins + played.draws + played.second_wins == 100
    state = game.new_initial_state(moves=(move for move in ["a1", "b2"]))
    assert state.history_str() == ["a1", "b2"]
    with pytest.raises(TypeError, match="one for each move"):
        game.new_initial_state(moves="a1")
    assert game.digest == ""
    one, other = (tg.Game.from_rules(TEXT, name=name) for name in ("a", "b"))
    assert one.digest == other.digest and len(one.digest) == 16
    assert tg.Game.from_rules(TEXT.replace("7", "6")).digest != one.digest


def test_submodules_load_when_they_are_used() -> None:
    code = "import treegauge as tg; print(tg.cluster.plan.__name__, tg.openspiel.load_game('achi'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.startswith("plan "), run.stderr


def test_solutions_and_reports_keep_the_texts_of_games() -> None:
    game = tg.Game.from_rules(tg.template("tic_tac_toe"), name="mine")
    solution = tg.solve(game)
    assert solution.probe()["value"] == "tie"
    assert solution.probe(at=game.new_initial_state(moves=["b2"]))["value"] == "tie"
    assert len(solution.puzzles(count=2).puzzles) == 2
    assert solution.interest()["positions"] > 0 and not solution.verify()["faults"]
    report = tg.search(game, 50).report
    assert report.run().to_json() == report.to_json()
    loaded = tg.load(report.to_json())
    assert loaded == report and loaded.text()
    assert "<svg" not in loaded.html()
    assert "<svg" in tg.load(report.to_json(), rules=game.sources).html()


def test_a_solution_is_a_table_of_its_positions() -> None:
    solution = tg.solve(tg.Game.from_rules(tg.template("tic_tac_toe"), name="mine"))
    rows = solution.table().to_dicts()
    assert len(rows) == 5478
    for row in random.Random(1).sample(rows, 20):
        found = solution.probe(position=row["position"])
        assert (row["value"], row["remoteness"]) == (found["value"], found["remoteness"])
        assert row["value"] != "win" or 0 <= row["interestingness"] <= 1
    few = solution.table(["value", "winning"])
    assert few.column_names == ["value", "winning"] and len(few) == 5478
    with pytest.raises(tg.UsageError, match="'worth' is not a column: position, value"):
        solution.table(["worth"])


def test_attributes_are_a_table() -> None:
    import polars

    report = tg.aggregate(tg.collect(["achi", "tic_tac_toe"], iterations=20, instances=2))
    frame = polars.DataFrame(report.rows)
    assert frame.columns == list(report["columns"]) and frame["game"].to_list() == ["achi", "tic_tac_toe"]
    assert report.rows.to_dicts()[0]["trees"] == report["rows"][0][3]


def test_words_of_a_problem_are_those_of_its_json() -> None:
    report = tg.problem("tic_tac_toe", "x../.o./... x")
    assert report.words == report["words"] and report.finding is None


def test_notes_go_to_a_logger(caplog: pytest.LogCaptureFixture) -> None:
    import logging

    with caplog.at_level(logging.INFO, logger="treegauge"):
        report = tg.interest("one_to_ten", symmetry=True)
    assert report.notes and [record.message for record in caplog.records] == list(report.notes)
