"""The state of a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import List

from ._plan import stored_plan
from ._store import StoreLike, open_store


@dataclass(frozen=True)
class Row:
    """The pieces of one share of a study: of one game at one strength, where it has several.

    Attributes:
        game: the game; empty if the study has one share.
        iterations: iterations per move; 0 if the task decides them.
        pieces: planned pieces.
        done: pieces in the store.
        failed: files in ``failed/`` about missing pieces: attempts that failed.
        seconds_left: the CPU seconds that the missing pieces are expected to take.
    """

    game: str
    iterations: int
    pieces: int
    done: int
    failed: int
    seconds_left: float


def status(root: StoreLike) -> List[Row]:
    """Counts the pieces of a store, a row for each share of the study.

    Raises:
        UsageError: if the store has no plan.
    """
    store = open_store(root)
    plan = stored_plan(store)
    done = set(store.names("pieces"))
    failed = store.names("failed")
    rows: dict[tuple[str, int], list[float]] = {}
    for piece in plan.pieces():
        game = piece.task.get("games", "")
        game = game if isinstance(game, str) else ",".join(game)
        strength = piece.task.get("iterations", 0)
        row = rows.setdefault((game, strength if isinstance(strength, int) else 0), [0, 0, 0, 0.0])
        row[0] += 1
        if piece.name in done:
            row[1] += 1
        else:
            short = piece.name[len("pieces/") :].replace("/", "-")
            row[2] += sum(1 for name in failed if name.startswith(f"failed/{short}."))
            row[3] += piece.seconds
    return [
        Row(game, strength, int(row[0]), int(row[1]), int(row[2]), round(row[3], 3))
        for (game, strength), row in rows.items()
    ]
