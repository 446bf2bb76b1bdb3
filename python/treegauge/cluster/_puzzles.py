"""Files of chess puzzles."""

from __future__ import annotations

import gzip
import os
from pathlib import Path
from typing import List, Tuple, Union

from .. import _treegauge, run as run_task
from .._errors import DataError, UsageError

#: First bytes of a file that zstd compressed, and of one that gzip did.
_ZSTD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"


def read_puzzles(
    path: Union[str, "os.PathLike[str]"], solver_first: bool
) -> Tuple[str, str, List[int]]:
    """A name for a file of puzzles, its text, and the lines, from 0, at which a block may begin: each
    puzzle in a line of its own, as the program reads them.

    Raises:
        DataError: if the file cannot be read, has no puzzles, or rows that are none.
        UsageError: if it is standard input.
    """
    if os.fspath(path) == "-":
        raise UsageError("puzzles: a plan takes a file, not standard input")
    task = {"command": "difficulty", "file": os.fspath(path), "model": "none", "recover": True}
    if solver_first:
        task["solver_first"] = True
    try:
        # Nothing is measured, and nothing rated.
        rows = run_task({**task, "engine": "none"})["rows"]
    except DataError as error:
        words = str(error)
        if os.fspath(path) not in words:
            words = f"{os.fspath(path)}: {words}; `treegauge difficulty` of this file names them"
        raise DataError(words) from None
    text = _text_of(Path(path).read_bytes())
    lines = lines_of(text)
    begins = sorted({int(row["line"]) - 1 for row in rows})
    if lines[begins[0]].startswith("["):
        # A game of PGN may begin behind the end of another.
        begins = [place for place in begins if lines[place].startswith("[")]
    suffixes = [one for one in Path(path).suffixes if one.lower() not in (".gz", ".zst")]
    return "puzzles" + (suffixes[-1] if suffixes else ".txt"), text, begins


def lines_of(text: str) -> List[str]:
    """Lines with their ends, as the program counts them."""
    lines = text.split("\n")
    ended = [line + "\n" for line in lines[:-1]]
    return ended + ([lines[-1]] if lines[-1] else [])


def _text_of(contents: bytes) -> str:
    """The text of a file that the program reads."""
    if contents.startswith(_ZSTD):
        contents = _treegauge.decompress(contents)
    elif contents.startswith(_GZIP):
        contents = gzip.decompress(contents)
    # Names of games in PGN may have letters of other encodings.
    return contents.decode("utf-8-sig", errors="replace")
