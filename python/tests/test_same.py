"""Reports and files are those of the program, for any number of threads."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any, Callable, Dict, List, Tuple

import pytest
from conftest import ROOT, TESTDATA, Program, masked, plain

import treegauge as tg

Made = Callable[[Dict[str, Any]], Any]

#: A command line, and the call that does the same. The keywords are added to the call.
SAME: List[Tuple[str, Made]] = [
    ("search connect_four", lambda k: tg.search("connect_four", **k)),
    (
        "search connect_four --iterations 500 --seed 7 --moves 'd d'",
        lambda k: tg.search("connect_four", 500, seed=7, moves="d d", **k),
    ),
    (
        "search othello --iterations 300 --merge equal --solver",
        lambda k: tg.search("othello", 300, merge="equal", solver=True, **k),
    ),
    (
        "search isolation --player 'alphabeta(eval=mobility,nodes=2000)'",
        lambda k: tg.search("isolation", player="alphabeta(eval=mobility,nodes=2000)", **k),
    ),
    ("perft othello --depth 4 --divide", lambda k: tg.perft("othello", 4, divide=True, **k)),
    ("show tic_tac_toe --moves 'a1 b1'", lambda k: tg.show("tic_tac_toe", moves="a1 b1", **k)),
    ("show kalah --cells", lambda k: tg.show("kalah", cells=True, **k)),
    ("games", lambda k: tg.games(**k)),
    ("games kalah oware", lambda k: tg.games(["kalah", "oware"], **k)),
    (
        "games 'mnk(rows=3..5)' --canonical",
        lambda k: tg.games("mnk(rows=3..5)", canonical=True, **k),
    ),
    ("tasks gauge", lambda k: tg.tasks("gauge", **k)),
    ("new --list", lambda k: tg.new(list=True, **k)),
    ("new breakthrough", lambda k: tg.new("breakthrough", **k)),
    (
        "gauge tic_tac_toe --games 4 --skill-games 0",
        lambda k: tg.gauge("tic_tac_toe", games=4, skill_games=0, **k),
    ),
    (
        "gauge connect_four --games 3 --iterations 40 --model none --ladder 1/4,1,4 --solve-limit 0",
        lambda k: tg.gauge(
            "connect_four",
            games=3,
            iterations=40,
            model="none",
            ladder=["1/4", "1", "4"],
            solve_limit=0,
            **k,
        ),
    ),
    (
        "gauge 'othello(size=4)' --iterations 30 --skill-games 2 --games 3 --opening-plies 1 --solve-limit 0",
        lambda k: tg.gauge(
            "othello(size=4)",
            iterations=30,
            skill_games=2,
            games=3,
            opening_plies=1,
            solve_limit=0,
            **k,
        ),
    ),
    (
        "compare one_to_ten 'one_to_ten(target=9)' --games 2 --iterations 30",
        lambda k: tg.compare(["one_to_ten", "one_to_ten(target=9)"], games=2, iterations=30, **k),
    ),
    ("vet one_to_ten", lambda k: tg.vet("one_to_ten", **k)),
    (
        "match connect_four random 'uct(iterations=20)' --games 10",
        lambda k: tg.match("connect_four", players=["random", "uct(iterations=20)"], games=10, **k),
    ),
    (
        "match connect_four --a random --b 'uct(iterations=20)' --games 6 --seed 3",
        lambda k: tg.match("connect_four", "random", "uct(iterations=20)", games=6, seed=3, **k),
    ),
    ("match --power --gap 0.05", lambda k: tg.power(gap=0.05, **k)),
    (
        "tournament tic_tac_toe random 'uct(iterations=10)' 'uct(iterations=20)' --games 4",
        lambda k: tg.tournament(
            "tic_tac_toe", ["random", "uct(iterations=10)", "uct(iterations=20)"], games=4, **k
        ),
    ),
    ("solve tic_tac_toe", lambda k: tg.solve("tic_tac_toe", **k)),
    ("solve achi --symmetry", lambda k: tg.solve("achi", symmetry=True, **k)),
    ("interest tic_tac_toe", lambda k: tg.interest("tic_tac_toe", **k)),
    (
        "puzzles tic_tac_toe --mate-in 2 --top 2",
        lambda k: tg.puzzles("tic_tac_toe", mate_in="2", top=2, **k),
    ),
    (
        "difficulty --show tic_tac_toe --moves 'a1 b1' --iterations 300",
        lambda k: tg.difficulty(show="tic_tac_toe", moves="a1 b1", iterations=300, **k),
    ),
    (
        "corridor --lengths 1,2 --iterations 9 --searches 4",
        lambda k: tg.corridor(lengths=[1, 2], iterations=[9], searches=4, **k),
    ),
    (
        "evaluate data --permutations 1",
        lambda k: tg.evaluate("data", permutations=1, **k),
    ),
    ("aggregate data --with play", lambda k: tg.aggregate("data", with_=["play"], **k)),
    (
        f"check {TESTDATA}/rules_bad/line.rules",
        lambda k: tg.check(TESTDATA / "rules_bad/line.rules", **k),
    ),
]

DATA = "collect --games achi,broken_achi,forms,broken_nine_mens_morris -o {} --iterations 20 --instances 2"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, program: Program) -> Path:
    path = tmp_path_factory.mktemp("data") / "data"
    made = program(shlex.split(DATA.format(path)))
    assert made.returncode == 0, made.stderr
    return path


def report_of(result: Any) -> tg.Report:
    return result if isinstance(result, tg.Report) else result.report


@pytest.mark.parametrize("words, made", SAME, ids=[words for words, _ in SAME])
def test_json_is_that_of_the_program(words: str, made: Made, data: Path, program: Program) -> None:
    Path("data").symlink_to(data)
    printed = program([*shlex.split(words), "--json"])
    if printed.stdout == "":
        with pytest.raises(tg.TreegaugeError) as raised:
            made({})
        assert printed.stderr.strip() == f"treegauge: {raised.value}"
        return
    report = report_of(made({}))
    assert masked(report.to_json()) == masked(printed.stdout)
    # The command line of the report makes the same report.
    again = program(with_json(report.command))
    assert masked(again.stdout) == masked(printed.stdout)


def with_json(command: str) -> List[str]:
    words = shlex.split(command)[1:]
    return [words[0], "--json", *words[1:]]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_threads_change_nothing(threads: int, data: Path, program: Program) -> None:
    Path("data").symlink_to(data)
    for words, made in SAME:
        if words.startswith(("gauge tic", "compare", "match connect_four random", "solve achi")):
            printed = program([*shlex.split(words), "--json"])
            report = report_of(made({"threads": threads}))
            assert masked(report.to_json()) == masked(printed.stdout), words
    made_here = tg.collect(
        ["achi", "broken_achi", "forms", "broken_nine_mens_morris"],
        iterations=20,
        instances=2,
        folder="here",
        threads=threads,
    )
    assert made_here.report is not None and made_here.report["missing"] == 0
    names = sorted(path.name for path in data.iterdir() if not path.name.startswith("."))
    assert len(names) == 6
    for name in names:
        assert Path("here", name).read_bytes() == (data / name).read_bytes(), name


def test_records_are_those_of_the_program(program: Program) -> None:
    words = "match tic_tac_toe random random --games 12 --record theirs.jsonl"
    assert program(shlex.split(words)).returncode == 0
    tg.match("tic_tac_toe", players=["random", "random"], games=12, record="ours.jsonl", threads=2)
    assert Path("ours.jsonl").read_bytes() == Path("theirs.jsonl").read_bytes()


def test_solutions_are_those_of_the_program(program: Program) -> None:
    assert program(["solve", "achi", "-o", "theirs.tgs"]).returncode == 0
    in_memory = tg.solve("achi")
    in_memory.write("ours.tgs")
    assert Path("ours.tgs").read_bytes() == Path("theirs.tgs").read_bytes()
    from_file = tg.solve("achi", output="ours2.tgs")
    assert Path("ours2.tgs").read_bytes() == Path("theirs.tgs").read_bytes()
    assert not Path("ours2.tgs.checkpoint").exists()
    state = tg.Game("achi").new_initial_state()
    state.play(0)
    assert in_memory.probe(state)["value"] == from_file.probe(state)["value"]
    assert tg.open_solution("theirs.tgs").verify()["ok"]


def test_a_search_grows_to_the_same_report() -> None:
    grown = tg.search("othello", 300, seed=5)
    grown.grow(700)
    assert grown.report.to_json() == tg.search("othello", 1000, seed=5).report.to_json()
    assert len(grown.tree()) == grown.report["nodes"]


def test_a_report_reads_back_and_runs_again() -> None:
    report = tg.gauge("tic_tac_toe", games=4, skill_games=0)
    Path("report.json").write_text(report.to_json(), encoding="utf-8")
    loaded = tg.load("report.json")
    assert loaded == report and type(loaded) is type(report)
    # A saved report names no next command of this run.
    assert report.text() in loaded.text()
    assert tg.run(report.task) == report
    assert plain(report["verdict"]) == json.loads(report.to_json())["verdict"]


def test_reasons_and_pictures_are_those_of_the_program(program: Program) -> None:
    task = "gauge tic_tac_toe --games 8 --iterations 30 --skill-games 0"
    explained = program([*task.split(), "--explain", "--svg", "picture.svg"]).stdout
    report = tg.gauge("tic_tac_toe", games=8, iterations=30, skill_games=0)
    # A file has a mark of the program besides.
    picture = Path("picture.svg").read_text(encoding="utf-8")
    assert picture == report.svg() + "<!-- treegauge -->\n"
    assert report.text(explain=True).split("\nNext:")[0] in explained
    assert len(report.text(explain=True)) > len(report.text())
    with pytest.raises(tg.DataError, match="no picture"):
        tg.perft("achi", 2).svg()


def test_no_argument_is_wiped_by_a_state() -> None:
    state = tg.Game("connect_four").new_initial_state(moves=["d", "c"])
    by_state = tg.search("connect_four", 200, at=state).report
    by_words = tg.search("connect_four", 200, moves="d c").report
    assert by_state == by_words
    with pytest.raises(tg.UsageError):
        tg.search("connect_four", 200, at=state, moves="d")


def test_parts_without_one_are_no_whole() -> None:
    whole = tg.collect("achi", iterations=10, instances=6, folder="whole")
    for part in (1, 2, 3):
        tg.collect("achi", iterations=10, instances=6, shard=f"{part}/3", folder=f"part{part}")
    with pytest.raises(tg.IncompleteError) as raised:
        tg.merge(["part1", "part3"], output="two")
    assert raised.value.partial is not None and "achi" in str(raised.value)
    assert tg.merge(["part1", "part3"], output="other", partial=True).ending == "no"
    merged = tg.merge(["part1", "part2", "part3"], output="three")
    assert merged.ending == "good"
    assert Path("three/trees.parquet").read_bytes() == Path("whole/trees.parquet").read_bytes()
    assert len(tg.Dataset("three").trees) == len(whole.trees)


def test_tables_of_others_are_read() -> None:
    import pandas
    import polars

    whole = polars.read_csv(ROOT / "record/study/attributes-1000.csv")
    file = "few.csv"
    whole.select(whole.columns[:7]).write_csv(file)
    from_file = plain(dict(tg.evaluate(file, permutations=0)))
    frames: List[Any] = [
        pandas.read_csv(file),
        polars.read_csv(file),
        polars.read_csv(file).to_arrow(),
    ]
    rows = polars.read_csv(file).to_dicts()
    for table in [*frames, tg.Table(rows)]:
        made = plain(dict(tg.evaluate(table, permutations=0)))
        assert {**made, "task": 0} == {**from_file, "task": 0}
    with pytest.raises(tg.UsageError, match="table 1 of the call: .*no column `game`") as raised:
        tg.evaluate(pandas.DataFrame({"gam": ["achi"]}))
    assert raised.value.nearest == "gam"
    # Attributes of a call are a table of the next one, and so are labels and ratings.
    known = tg.corpus().to_dicts()
    games = [row["game"] for row in known]
    data = tg.collect(games, iterations=20, instances=1)
    rows = polars.DataFrame(tg.aggregate(data, split="none").rows)
    labels = tg.Table(
        [
            {"game": row["canonical"], "playable": row["playable"], "group": row["group"]}
            for row in known
        ]
    )
    few = rows.select([*rows.columns[:4], *(name for name in rows.columns if "legal_moves" in name)])
    expected = plain(tg.evaluate(few, permutations=0)["datasets"])
    assert plain(tg.evaluate(few, corpus=labels, permutations=0)["datasets"]) == expected
    with open("labels.toml", "w") as out:
        for row in labels.to_dicts():
            words = [f"{name} = {json.dumps(value)}\n" for name, value in row.items()]
            out.write("[[game]]\n" + "".join(words))
    with open("ratings.csv", "w") as out:
        out.write("game,fun_mean,payoff_mean\n")
        out.writelines(f'"{game}",{3 * n},{n / 30}\n' for n, game in enumerate(games))
    pairs: List[Any] = [("labels.toml", labels), ("ratings.csv", tg.ratings("ratings.csv"))]
    for file, table in pairs:
        models = [
            Path(tg.train(data, labels=one, output=f"{n}.json", replicates=10, force=True).path)
            for n, one in enumerate((file, table))
        ]
        assert models[0].read_bytes() == models[1].read_bytes(), file
    # Wrong ones are named by their number.
    ratings = polars.DataFrame({"gme": ["achi"], "fun_mean": [50.0]})
    with pytest.raises(tg.UsageError, match="table 1 of the call") as raised:
        tg.evaluate(file, ratings=ratings)
    assert raised.value.nearest == "gme"
    ratings.rename({"gme": "game"}).write_csv("typo.csv")
    with pytest.raises(tg.DataError, match="is `fun_man` meant for `fun_mean`"):
        Path("typo.csv").write_text(Path("typo.csv").read_text().replace("mean", "man"))
        tg.evaluate(file, ratings="typo.csv")
