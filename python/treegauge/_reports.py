"""Reports: results as read-only mappings."""

from __future__ import annotations

import json
import os
from types import MappingProxyType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import _treegauge
from ._errors import DataError
from ._tables import Table


#: Characters that a notebook shows of a report.
_SHOWN = 200_000


class Report(Mapping[str, Any]):
    """A result with exactly the keys that `docs/json.md` of the program describes.

    The keys are attributes, too; there a list of objects is a :class:`Table`. ``print(report)``
    shows the text of the program.
    """

    __slots__ = ("_json", "_text", "_data", "_sources", "_record", "ending", "finding", "notes")

    #: How the work ended: ``good``, ``no`` (a check failed), ``invalid`` or ``incomplete``.
    ending: str
    #: What is missing or was found, in words; ``None`` if the report says it.
    finding: Optional[str]
    #: Notes on the input and on the run.
    notes: Tuple[str, ...]

    def __init__(
        self,
        json_text: str,
        text: Union[str, Callable[[], str], None] = None,
        sources: Optional[Mapping[str, str]] = None,
        ending: str = "good",
        finding: Optional[str] = None,
        notes: Tuple[str, ...] = (),
    ) -> None:
        self._json = json_text
        self._text = text
        self._data: Optional[Mapping[str, Any]] = None
        self._sources: Dict[str, str] = dict(sources or {})
        #: File with the games of a match.
        self._record: Optional[str] = None
        self.ending = ending
        self.finding = finding
        self.notes = notes

    def _read(self) -> Mapping[str, Any]:
        if self._data is None:
            self._data = _frozen(json.loads(self._json))
        assert self._data is not None
        return self._data

    def __getitem__(self, key: str) -> Any:
        return self._read()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            value = self._read()[name]
        except KeyError:
            if self._declared(name).startswith("Optional["):
                return None
            raise AttributeError(f"{type(self).__name__} has no {name!r}") from None
        is_rows = isinstance(value, tuple) and bool(value)
        if is_rows and all(isinstance(row, Mapping) for row in value):
            return self.table(name)
        is_table = self._declared(name) in ("Table", "Optional[Table]")
        return Table() if value == () and is_table else value

    @classmethod
    def _declared(cls, name: str) -> str:
        """The type that a class of reports declares for an attribute; empty if it declares none."""
        for base in cls.__mro__:
            declared = base.__dict__.get("__annotations__", {}).get(name)
            if declared is not None:
                return str(declared)
        return ""

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *self._read()})

    def table(self, key: str) -> Table:
        """A list of objects of the report as a table."""
        rows = json.dumps(json.loads(self._json)[key])
        return Table._of(_treegauge.Table.of_json(rows, json.dumps(self._header())))

    def _rows_of(self, rows: Sequence[Mapping[str, Any]]) -> Table:
        """Rows that were made of the report, as a table with its header."""
        text = json.dumps(list(rows), default=dict)
        return Table._of(_treegauge.Table.of_json(text, json.dumps(self._header())))

    def _header(self) -> Dict[str, Any]:
        plain = json.loads(self._json)
        return {k: v for k, v in plain.items() if isinstance(v, (str, int, float)) or k == "task"}

    def to_json(self) -> str:
        """The line that the program prints with ``--json``."""
        return self._json

    def text(self, *, explain: bool = False) -> str:
        """The report as the program prints it; with `explain` also reasons, methods and details."""
        if explain:
            return _treegauge.write_report(self._json, "explained", self._sources)
        if self._text is None:
            self._text = _treegauge.write_report(self._json, "text", self._sources)
        elif callable(self._text):
            self._text = self._text()
        return self._text

    def html(self) -> str:
        """The report as a whole web page."""
        return _treegauge.write_report(self._json, "page", self._sources)

    def svg(self) -> str:
        """The picture that the program writes with ``--svg``.

        Raises:
            DataError: if a report of this kind has no picture.
        """
        return _treegauge.write_report(self._json, "picture", self._sources)

    @property
    def task(self) -> Mapping[str, Any]:
        """The task that made the report; ``run(report.task)`` does it again."""
        task: Mapping[str, Any] = self._read().get("task", MappingProxyType({}))
        return task

    def run(self, **means: Any) -> Report:
        """Does the task again, with the same texts of games. Options are those of :func:`run`."""
        from ._public import run

        return run(self.task, texts={**self._sources, **means.pop("texts", {})}, **means)

    @property
    def command(self) -> str:
        """The command line of the program that makes the same report."""
        task = json.loads(self._json).get("task")
        return _treegauge.command_line(json.dumps(task)) if task else ""

    @property
    def incomplete(self) -> bool:
        """Whether work is missing."""
        return self.ending == "incomplete" or bool(self._read().get("incomplete", False))

    @property
    def reproducible(self) -> bool:
        """Whether the same task gives the same report: no player has a budget of time, and none is
        an object of Python."""
        data = self._read()
        # A report of a dataset names its players in the task only.
        players = [data.get(key) for key in ("a", "b", "players")] + [self.task.get("players")]
        if "external(name=" in str(players):
            return False
        budgets = data.get("time_budget", ())
        return not any(budgets.values() if isinstance(budgets, Mapping) else budgets)

    def _repr_html_(self) -> str:
        part = _treegauge.write_report(self._json, "part", self._sources)
        if len(part) <= _SHOWN:
            return part
        from html import escape

        return f"<pre>{escape(self.text()[: _SHOWN // 2])}</pre>"

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        about = self._read().get("game")
        return f"<{type(self).__name__} of {about}>" if about else f"<{type(self).__name__}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Report) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __reduce__(self) -> Any:
        state = (self._json, self.text(), self._sources, self.ending, self.finding, self.notes)
        return (type(self), state)


def _frozen(value: Any) -> Any:
    """The same value, read-only."""
    if isinstance(value, dict):
        return MappingProxyType({key: _frozen(inner) for key, inner in value.items()})
    if isinstance(value, list):
        return tuple(_frozen(inner) for inner in value)
    return value


def load(
    source: Union[str, os.PathLike[str]], *, rules: Optional[Mapping[str, str]] = None
) -> Report:
    """The report of a JSON text, or of a file that holds one. `rules` are texts of games by file name;
    without its text a game of one has no pictures."""
    from ._operations import REPORTS

    text = source if isinstance(source, str) else ""
    if not text.lstrip().startswith("{"):
        with open(source, encoding="utf-8") as file:
            text = file.read()
    text = text.strip()
    try:
        kind = json.loads(text).get("kind")
    except (ValueError, AttributeError):
        raise DataError("not the JSON of a report") from None
    report = REPORTS.get(kind, Report)(text, sources=rules)
    # A text that cannot be written for people is not a report.
    report.text()
    return report
