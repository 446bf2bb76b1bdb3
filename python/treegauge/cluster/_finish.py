"""Joining pieces into the files that one machine writes."""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any, List, Sequence, Tuple, Union

from .._errors import UsageError
from . import _tasks
from .._errors import IncompleteError
from ._errors import PieceError, named
from ._pack import unpack
from ._plan import Plan, differences, plan_of
from ._store import Store, StoreLike, open_store


def finish(
    root: Union[StoreLike, Sequence[StoreLike]], target: Union[str, "os.PathLike[str]"]
) -> List[Path]:
    """Joins the pieces of a store, or of the stores of a plan that was split, into `target`: the
    files that one machine would have written, byte by byte. Returns their paths.

    A collection becomes a dataset for each strength, in ``target/ITERATIONS``; vetted games become
    the folder of ``vet(record=)``; a match or tournament becomes its record; a run of ``generate``
    becomes its folder; rated puzzles become a folder with the answers of the engine and the report.

    A piece that is damaged or belongs to another plan goes to ``failed/`` and counts as missing;
    :func:`run` makes it again. The pieces are unpacked into a temporary folder, which takes about
    four times the space of the packed ones.

    Raises:
        IncompleteError: if a piece is missing or was damaged, or a share of the study is in none of the
            stores. `target` is then left alone.
        FileExistsError: if `target` exists and is not an empty folder.
        UsageError: if a store has no plan, or the stores are of different studies or have the same
            share.
    """
    place = Path(target)
    if place.exists() and (place.is_file() or any(place.iterdir())):
        raise FileExistsError(f"{place} exists; finish writes a new one")
    roots = [root] if isinstance(root, (str, os.PathLike)) else list(root)
    stores = [open_store(one) for one in roots]
    plans = [plan_of(store) for store in stores]
    for other in plans[1:]:
        if any(name != "shares" for name in differences(plans[0], other)):
            raise UsageError(f"{stores[0].root} and the others are of different studies")
    _check_shares(plans)
    bad: List[str] = []
    with tempfile.TemporaryDirectory(prefix="treegauge-") as folder:
        for store, plan in zip(stores, plans):
            bad += _unpack_all(store, plan, Path(folder))
        planned = sum(len(plan) for plan in plans)
        if bad:
            raise IncompleteError(
                f"{len(bad)} of {planned} pieces are missing: {named(bad)}; `run` with the same plan "
                "makes them",
                bad,
            )
        return _tasks.KINDS[plans[0].command].join(plans[0], Path(folder), place)


def _check_shares(plans: Sequence[Plan]) -> None:
    """Checks that the plans have each share of their study once."""
    task = plans[0].task
    named_by = {"collect": ("game", "iterations"), "vet": ("game",)}.get(plans[0].command)
    if named_by is None:
        # Other studies have one share.
        planned: Sequence[Tuple[Any, ...]] = [()]
    else:
        strengths = task["iterations"] if len(named_by) == 2 else [None]
        planned = [(game, one)[: len(named_by)] for one in strengths for game in task["games"]]
    found = [tuple(cut[name] for name in named_by or ()) for plan in plans for cut in plan.cuts]
    counts = Counter(found)
    for share, count in counts.items():
        if count > 1:
            raise UsageError(f"two stores have the same share of the study: {_share(share)}")
    lost = [_share(share) for share in planned if share not in counts]
    if lost:
        raise IncompleteError(
            f"{len(lost)} of {len(planned)} shares of the study are in no store named: {named(lost)}; "
            "name the stores of all plans of the split",
            lost,
        )


def _share(share: Tuple[Any, ...]) -> str:
    return " at ".join(str(part) for part in share) or "the whole"


def _unpack_all(store: Store, plan: Plan, folder: Path) -> List[str]:
    """Unpacks the pieces of a store; returns the names of those that are missing."""
    bad = []
    for piece in plan.pieces():
        try:
            packed = store.read(piece.name)
            files = unpack(plan.digest, piece.name, packed)
        except FileNotFoundError:
            bad.append(piece.name)
            continue
        except PieceError as error:
            _put_aside(store, piece.name, packed, error)
            bad.append(piece.name)
            continue
        inside = Path(*Path(piece.name).with_suffix("").parts[1:])
        for name, contents in files.items():
            path = folder / inside / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(contents)
    return bad


def _put_aside(store: Store, name: str, packed: bytes, error: Any) -> None:
    short = name[len("pieces/") :].replace("/", "-")
    store.write(f"failed/{short}.damaged", packed)
    store.write(f"failed/{short}.damaged.txt", f"{error}\n".encode())
    store.remove(name)
