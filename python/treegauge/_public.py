"""All names of the package."""

from __future__ import annotations

from typing import Any, Mapping

from . import _operations
from ._call import Progress, call as _call
from ._errors import (
    DataError,
    EngineError,
    IncompleteError,
    InternalError,
    LimitError,
    Stopped,
    TreegaugeError,
    UsageError,
    WriteError,
)
from ._games import Game, Playouts
from ._operations import *  # noqa: F403
from ._reports import Report, load
from ._results import Dataset, Model, Search, Solution, open_solution
from ._tables import Column, Table
from ._texts import (
    bench,
    check_rules,
    corpus,
    explain,
    format_rules,
    power,
    problem,
    ratings,
    rules_words,
    template,
    variants,
)
from ._treegauge import State, __version__


def run(task: Mapping[str, Any], **means: Any) -> Report:
    """Does a task: a mapping with the command and its options, as reports repeat it."""
    fields = {key: value for key, value in task.items() if key != "command"}
    report, done = _call(str(task.get("command", "")), fields, **means)
    # The report may keep `done` until its text is asked for, and nobody can take these any more.
    done.take_search(), done.take_solution()
    return report


__all__ = [
    "Column",
    "DataError",
    "Dataset",
    "EngineError",
    "Game",
    "IncompleteError",
    "InternalError",
    "LimitError",
    "Model",
    "Playouts",
    "Progress",
    "Report",
    "Search",
    "Solution",
    "State",
    "Stopped",
    "Table",
    "TreegaugeError",
    "UsageError",
    "WriteError",
    "__version__",
    "bench",
    "check_rules",
    "corpus",
    "explain",
    "format_rules",
    "load",
    "open_solution",
    "power",
    "problem",
    "ratings",
    "rules_words",
    "run",
    "template",
    "variants",
    *_operations.__all__,
]
