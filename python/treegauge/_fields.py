"""Attributes of reports with their types: keys of the JSON, and tables of what is deeper in it.

A list of objects is a :class:`Table`. A key that is not always there is ``None`` where it is missing.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from ._errors import UsageError
from ._games import Game
from ._reports import Report
from ._tables import Table

#: Measures of a gauge in the order of reports.
_MEASURES = (
    "draw_rate first_player completion plies capped branching decision_moves lead_changes drama "
    "decisiveness decided_ply tension clarity variety skill_depth"
).split()


class GaugeFields(Report):
    """Attributes of a gauge."""

    __slots__ = ()

    game: str
    canonical: str
    position: str
    moved: bool
    seed: int
    iterations: int
    cp: float
    games: int
    games_planned: int
    distinct_games: int
    opening_plies: int
    verdict: Mapping[str, Any]
    solved: Optional[Mapping[str, Any]]
    unsolved: Optional[Mapping[str, Any]]
    draw_rate: Mapping[str, Any]
    first_player: Mapping[str, Any]
    plies: Mapping[str, Any]
    ladder: Table
    copying: Optional[Mapping[str, Any]]
    first_moves: Table
    highlights: Table
    tree: Mapping[str, Any]
    vetted: Optional[Mapping[str, Any]]

    @property
    def flags(self) -> Table:
        """A row for each flag of the verdict: its name, state and reason."""
        return self._rows_of(self["verdict"]["flags"])

    @property
    def measures(self) -> Table:
        """A row for each measure: its name, mean, 95% interval and number of observations."""
        names = ("mean", "low", "high", "n")
        return self._rows_of(
            [{"measure": measure, **{name: self[measure][name] for name in names}}
             for measure in _MEASURES if self.get(measure)]
        )  # fmt: skip

    @property
    def curves(self) -> Table:
        """A row for each ply of each game that was followed: the value for the first player."""
        rows, names = [], ("mean", "low", "high")
        for game in self["curves"]:
            for ply, values in enumerate(game["values"], game["first_ply"]):
                rows.append({"game": game["game"], "ply": ply, **dict(zip(names, values))})
        return self._rows_of(rows)


class CompareFields(Report):
    """Attributes of a comparison."""

    __slots__ = ()

    differences: Table
    sentences: Tuple[str, ...]

    @property
    def gauges(self) -> List[GaugeFields]:
        """The gauge of each game."""
        from ._operations import GaugeReport

        games = json.loads(self.to_json())["games"]
        return [GaugeReport(json.dumps(game), sources=self._sources) for game in games]


class VettingFields(Report):
    """Attributes of a vetting."""

    __slots__ = ()

    seed: int
    model: Mapping[str, Any]
    rows: Table


class SearchFields(Report):
    """Attributes of a search."""

    __slots__ = ()

    game: str
    position: str
    turn: str
    seed: int
    iterations: int
    nodes: int
    stopped: str
    best_move: Optional[str]
    wins_at_once: Optional[bool]
    moves: Table
    features: Mapping[str, float]
    proved: Optional[Mapping[str, Any]]


class MatchFields(Report):
    """Attributes of a match."""

    __slots__ = ()

    game: str
    a: str
    b: str
    seed: int
    games: int
    a_wins: int
    draws: int
    b_wins: int
    verdict: Mapping[str, Any]
    score: Mapping[str, Any]
    elo: Optional[Mapping[str, Any]]
    p_value: Optional[float]
    sprt: Optional[Mapping[str, Any]]

    @property
    def pairs(self) -> Table:
        """A row for each pair of games of the record: the opening, then the outcome and the moves
        of the game that ``a`` begins, and of the one that ``b`` begins."""
        if self._record is None:
            raise UsageError("the games of a match are kept with record=FILE")
        pairs: Dict[int, Dict[str, Any]] = {}
        for line in _lines(self._record):
            if "opening" not in line:
                continue
            row = pairs.setdefault(line["game"] // 2, {"pair": line["game"] // 2})
            row["opening"] = " ".join(line["opening"])
            row[f"outcome_{line['first']}_first"] = line["outcome"]
            row[f"moves_{line['first']}_first"] = " ".join(line["moves"])
        return self._rows_of([pairs[number] for number in sorted(pairs)])


class TournamentFields(Report):
    """Attributes of a tournament."""

    __slots__ = ()

    game: str
    players: Tuple[str, ...]
    seed: int
    games: int
    encounters: Table
    standings: Table


class SolveFields(Report):
    """Attributes of a solve."""

    __slots__ = ()

    game: str
    position: str
    turn: str
    positions: int
    win: int
    lose: int
    tie: int
    draw: int
    start: Mapping[str, Any]
    digest: str


class ProbeFields(Report):
    """Attributes of a probe."""

    __slots__ = ()

    position: str
    turn: str
    value: str
    remoteness: Optional[int]
    moves: Table


class VerifyFields(Report):
    """Attributes of a check of a solution."""

    __slots__ = ()

    ok: bool
    positions: int
    moves: int
    fault_count: int


class InterestFields(Report):
    """Attributes of the interest of positions."""

    __slots__ = ()

    positions: int
    start: Mapping[str, Any]
    most_interesting: Optional[Mapping[str, Any]]
    by_remoteness: Table


class PuzzlesFields(Report):
    """Attributes of puzzles."""

    __slots__ = ()

    game: str
    puzzles: Table
    from_play: Optional[Mapping[str, Any]]


class DatasetFields(Report):
    """Attributes of a collection."""

    __slots__ = ()

    iterations: int
    seed: int
    missing: int
    games: Table


class EvaluationFields(Report):
    """Attributes of an evaluation of learners."""

    __slots__ = ()

    seed: int
    games: Table
    datasets: Table
    quality: Table

    def _predicted(self) -> Iterator[Dict[str, Any]]:
        for result in self["datasets"]:
            of = {key: result[key] for key in ("iterations", "split", "shapes", "learner", "protocol")}
            for number, row in enumerate(result["predictions"]):
                is_alone = result["protocol"] == "leave_one_out"
                yield {**of, "fold": number if is_alone else row["group"], **row}

    @property
    def predictions(self) -> Table:
        """A row for each learner, protocol and held-out game: the fold in which it was held out, and
        the predicted probability that it is playable."""
        return self._rows_of(list(self._predicted()))

    @property
    def folds(self) -> Table:
        """A row for each dataset, protocol and game: the number of the fold in which the game is
        held out, so that any estimator can be tried under the same folds."""
        names = ("iterations", "split", "shapes", "protocol", "fold", "game", "group", "playable")
        rows = {tuple(row[name] for name in names): None for row in self._predicted()}
        return self._rows_of([dict(zip(names, row)) for row in rows])


class GenerationFields(Report):
    """Attributes of a generation of games."""

    __slots__ = ()

    seed: int
    candidates: int
    gates: Table
    map: Table

    @property
    def best(self) -> List[Game]:
        """The best games, best first."""
        return [Game.from_rules(row["source"], f"best{n}") for n, row in enumerate(self["best"], 1)]


def _lines(path: str) -> Iterator[Dict[str, Any]]:
    with open(os.fspath(path), encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


class AttributesFields(Report):
    """Attributes of games. It is a table for any library with Arrow, and for `evaluate` and `train`."""

    __slots__ = ()
    columns: Sequence[str]

    @property
    def rows(self) -> Table:
        """A row for each game, with the columns by name; ``report["rows"]`` are lists."""
        names = self["columns"]
        return self._rows_of([dict(zip(names, row)) for row in self["rows"]])

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.rows.__arrow_c_stream__(requested_schema)

    def write_csv(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the rows as comma-separated values."""
        self.rows.write_csv(path)
