"""The state of a run."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Dict, List, Mapping, Tuple

from .._tables import Table
from ._plan import plan_of
from ._store import StoreLike, open_store


#: The file of an attempt that failed, or of a damaged piece, which begins with the name of the piece.
_FAILED = re.compile(r"failed/(.*)\.(?:[0-9]+\.json|damaged)")


def status(root: StoreLike) -> Table:
    """Counts the pieces of a store, a row for each share of the study: of one game at one strength,
    where it has several.

    Columns are ``game`` (empty for puzzles), ``iterations`` (0 if the task decides them), ``pieces``
    (planned), ``done`` (in the store), ``failed`` (attempts at missing pieces that failed, or gave a
    piece that was damaged, by the files in ``failed/``) and ``seconds_left`` (the CPU seconds that
    the missing pieces are expected to take; 0 if nobody knows).

    Raises:
        UsageError: if the store has no plan.
    """
    store = open_store(root)
    plan = plan_of(store)
    done = set(store.names("pieces"))
    # A damaged piece has two files: what was found, and why it is wrong.
    matches = (_FAILED.fullmatch(name) for name in store.names("failed"))
    failed = Counter(match[1] for match in matches if match)
    rows: Dict[Tuple[str, int], List[float]] = {}
    for piece in plan.pieces():
        strength = piece.task.get("iterations", 0)
        share = (_games_of(piece.task), strength if isinstance(strength, int) else 0)
        row = rows.setdefault(share, [0, 0, 0, 0.0])
        row[0] += 1
        if piece.name in done:
            row[1] += 1
        else:
            short = piece.name[len("pieces/") :].replace("/", "-")
            row[2] += failed[short]
            row[3] += piece.seconds
    return Table(
        [
            {
                "game": game,
                "iterations": strength,
                "pieces": int(row[0]),
                "done": int(row[1]),
                "failed": int(row[2]),
                "seconds_left": round(row[3], 3),
            }
            for (game, strength), row in rows.items()
        ]
    )


def _games_of(task: Mapping[str, Any]) -> str:
    """The games of a piece; empty if it has none. Some commands have a number of `games`."""
    for name in ("game", "games", "from"):
        games = task.get(name)
        if isinstance(games, str):
            return games
        if isinstance(games, list):
            return ",".join(games)
    return ""
