"""Results that are more than a report: searches, solutions, datasets and models."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence

from . import _treegauge
from ._call import Listener, PathLike, Stop, _asked, _listener, call, lending
from ._errors import IncompleteError, InternalError, LimitError, UsageError
from ._reports import Report
from ._tables import Table

if TYPE_CHECKING:
    import tempfile

#: Most bytes of a dataset without a folder.
_DATASET_BYTES_MAX = 2 << 30


class Search:
    """A search of one position, with its tree.

    A search by alpha-beta has a report and no tree.
    """

    def __init__(self, report: Report, inner: Optional[_treegauge.Search]) -> None:
        self.report = report
        self._inner = inner

    @classmethod
    def _run(cls, fields: Dict[str, Any], **means: Any) -> Search:
        report, done = call("search", fields, **means)
        return cls(report, done.take_search())

    def _tree(self) -> _treegauge.Search:
        if self._inner is None:
            raise UsageError("a search by alpha-beta keeps no tree")
        return self._inner

    @property
    def features(self) -> Mapping[str, float]:
        """Features of the shape of the tree."""
        features: Mapping[str, float] = self.report["features"]
        return features

    @property
    def moves(self) -> Table:
        """The legal moves with visits and values."""
        return self.report.table("moves")

    @property
    def best(self) -> Optional[str]:
        """The move to play."""
        best: Optional[str] = self.report["best_move"]
        return best

    @property
    def proved(self) -> Optional[Any]:
        """The proved result, if a solver proved one."""
        return self.report.get("proved")

    def tree(self) -> Table:
        """A row for each node of the tree, parents first."""
        return Table._of(self._tree().tree())

    def grow(self, iterations: int, *, stop: Stop = None, progress: Listener = None) -> Search:
        """Makes up to ``iterations`` more and returns the search itself.

        A search that grew in steps equals one that grew at once.
        """
        inner = self._tree()
        listener, close = _listener(progress)
        try:
            inner.grow(iterations, stop=_asked(stop), progress=listener)
        finally:
            close()
            json_text = _with_task(inner.json(), self.report, iterations)
            self.report = type(self.report)(json_text, sources=self.report._sources)
        return self

    def svg(
        self,
        *,
        style: str = "plain",
        children: Optional[int] = None,
        nodes: Optional[int] = None,
        depth: Optional[int] = None,
        boards: Optional[int] = None,
    ) -> str:
        """A picture of the tree with its most visited nodes.

        ``style`` is plain or williams; ``boards`` is the number of nodes with a small board, 20 by
        default and 0 for none.
        """
        tree = self._tree()
        return tree.svg(style=style, children=children, nodes=nodes, depth=depth, boards=boards)

    def _repr_svg_(self) -> Optional[str]:
        return None if self._inner is None else self.svg()

    def __str__(self) -> str:
        return str(self.report)

    def __repr__(self) -> str:
        return f"<Search of {self.report['game']}: {self.best}>"

    def __reduce__(self) -> Any:
        raise TypeError("a search cannot be pickled: pass its `report` or `tree()`")


def _with_task(json_text: str, report: Report, more: int) -> str:
    """The JSON of a search that grew, with the task of one that is as long."""
    task = dict(report.task)
    task["iterations"] = json.loads(json_text)["iterations"]
    words = json.dumps(task, separators=(",", ":"), ensure_ascii=False)
    return f'{json_text[:-1]},"task":{words}}}'


class Solution:
    """A solved game, in memory or in a file."""

    def __init__(
        self,
        path: Optional[PathLike] = None,
        report: Optional[Report] = None,
        inner: Optional[_treegauge.Solution] = None,
    ) -> None:
        self.report = report
        #: Texts of the game, by file name.
        self._texts: Mapping[str, str] = {} if report is None else report._sources
        self._path = None if path is None else os.fspath(path)
        self._inner = inner
        self._folder: Optional[tempfile.TemporaryDirectory[str]] = None

    @classmethod
    def _run(cls, fields: Dict[str, Any], **means: Any) -> Solution:
        report, done = call("solve", fields, **means)
        return cls((means.get("files") or {}).get("output"), report, done.take_solution())

    @property
    def path(self) -> str:
        """The file of the solution. One that is in memory is written to a temporary file first."""
        if self._path is None:
            if self._inner is None:
                raise InternalError("the solution is lost")
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="treegauge-")
            self._path = os.path.join(self._folder.name, "solution.tgs")
            self._inner.write(self._path)
        return self._path

    def write(self, path: PathLike) -> None:
        """Writes the solution to a file."""
        if self._inner is not None:
            self._inner.write(os.fspath(path))
        else:
            import shutil

            shutil.copyfile(self.path, path)

    def probe(self, at: Optional[_treegauge.State] = None, **options: Any) -> Any:
        """The value of a position and of its moves."""
        from . import _operations

        with lending(self._texts):
            return _operations.probe(self.path, at=at, **options)

    def interest(self, **options: Any) -> Any:
        """The positions by how well their wins are hidden."""
        from . import _operations

        with lending(self._texts):
            return _operations.interest(self.path, **options)

    def puzzles(self, **options: Any) -> Any:
        """The most interesting wins."""
        from . import _operations

        with lending(self._texts):
            return _operations.puzzles(self.path, **options)

    def verify(self, **options: Any) -> Any:
        """A check of the file against the rules."""
        from . import _operations

        with lending(self._texts):
            return _operations.verify(self.path, **options)

    def table(self, columns: Optional[Sequence[str]] = None) -> Table:
        """A row for each position: its value for the player to move, the plies to the end, and, for a
        win, how well it is hidden and the terms of that. `columns` are some of the columns; all
        unless given.

        The rows are made as Python objects first: about a kilobyte of memory each.
        """
        import csv
        import tempfile

        with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
            file = os.path.join(folder, "positions.csv")
            self.interest(csv=file)
            with open(file, encoding="utf-8", newline="") as text:
                reader = csv.DictReader(text)
                names = list(reader.fieldnames or ())
                unknown = [name for name in columns or () if name not in names]
                if unknown:
                    raise UsageError(f"{unknown[0]!r} is not a column: {', '.join(names)}")
                wanted = names if columns is None else list(columns)
                return Table([{name: _cell(name, row[name]) for name in wanted} for row in reader])

    def __len__(self) -> int:
        if self._inner is None:
            raise TypeError("the number of positions is in the report of verify()")
        return len(self._inner)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return str(self.report) if self.report is not None else repr(self)

    def __repr__(self) -> str:
        if self.report is not None:
            return f"<Solution of {self.report['game']}>"
        return f"<Solution in {self._path}>"

    def __reduce__(self) -> Any:
        raise TypeError("a solution cannot be pickled: write it to a file and pass the path")


def _cell(name: str, text: str) -> Any:
    """A cell of the table of positions."""
    if name in ("position", "value"):
        return text
    if name in ("interestingness", "immediate", "accumulated"):
        return float(text) if text else None
    return int(text) if text else None


def open_solution(path: PathLike, *, rules: Optional[Mapping[str, str]] = None) -> Solution:
    """The solution in a file that `solve` wrote. `rules` are texts of games by file name."""
    solution = Solution(path)
    solution._texts = dict(rules or {})
    # Fails for a file of another kind.
    solution.probe()
    return solution


class Dataset:
    """Self-play of many games, with the features of every search tree, in a folder."""

    def __init__(self, folder: PathLike) -> None:
        self.folder = os.fspath(folder)
        self.report: Optional[Report] = None
        self._temporary: Optional[tempfile.TemporaryDirectory[str]] = None
        self._tables: Dict[str, Table] = {}

    @classmethod
    def _run(cls, fields: Dict[str, Any], **means: Any) -> Dataset:
        temporary = None
        if means.get("kept") is None:
            import tempfile

            temporary = tempfile.TemporaryDirectory(prefix="treegauge-")
            means["kept"] = temporary.name
            stop = _asked(means.get("stop"))
            full: List[bool] = []

            def asked() -> object:
                if _bytes_in(temporary.name) > _DATASET_BYTES_MAX:
                    full.append(True)
                return full or (stop is not None and stop())

            means["stop"] = asked
            try:
                report, _ = call("collect", fields, **means)
            except Exception:
                if full:
                    raise LimitError("the dataset takes more than 2 GB: name a folder") from None
                raise
        else:
            report, _ = call("collect", fields, **means)
        dataset = cls(means["kept"])
        dataset.report, dataset._temporary = report, temporary
        return dataset

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables[name] = Table._of(_treegauge.dataset_table(self.folder, name))
        return self._tables[name]

    @property
    def trees(self) -> Table:
        """A row for each search tree."""
        return self._table("trees")

    @property
    def instances(self) -> Table:
        """A row for each instance: a game of self-play."""
        return self._table("instances")

    @property
    def player_games(self) -> Table:
        """A row for each game between players."""
        return self._table("player_games")

    def aggregate(self, **options: Any) -> Any:
        """The attributes of each game."""
        from . import _operations

        return _operations.aggregate(self, **options)

    def __fspath__(self) -> str:
        return self.folder

    def __str__(self) -> str:
        return str(self.report) if self.report is not None else repr(self)

    def __repr__(self) -> str:
        return f"<Dataset in {self.folder}>"

    def __reduce__(self) -> Any:
        raise TypeError("a dataset cannot be pickled: pass its folder")


def _bytes_in(folder: str) -> int:
    try:
        with os.scandir(folder) as entries:
            return sum(entry.stat().st_size for entry in entries if entry.is_file())
    except OSError:
        return 0


class Model:
    """A model that judges games or rates puzzles, in a file."""

    def __init__(self, path: PathLike, report: Optional[Report] = None) -> None:
        self.path = os.fspath(path)
        self.report = report

    @classmethod
    def _run(cls, fields: Dict[str, Any], **means: Any) -> Model:
        report, _ = call("train", fields, **means)
        return cls(means["files"]["output"], report)

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return str(self.report) if self.report is not None else repr(self)

    def __repr__(self) -> str:
        return f"<Model in {self.path}>"


def whole(report: Report, partial: bool) -> Report:
    """The report of a merge; parts that do not make a whole are an error."""
    if report.ending == "good" or partial:
        return report
    error = IncompleteError(report.finding or "parts are missing")
    error.partial = report
    raise error
