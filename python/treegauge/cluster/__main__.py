"""``python -m treegauge.cluster``: workers without Python code of one's own."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from typing import Callable, List, Optional

from .._errors import TreegaugeError, UsageError
from . import finish, status, work


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m treegauge.cluster", description="Makes the pieces of a study."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("work", help="make missing pieces until none is left")
    one.add_argument("store", help="folder or address with a plan")
    one.add_argument(
        "--index", type=int, help="this process, from 0; SLURM_ARRAY_TASK_ID if not set"
    )
    one.add_argument(
        "--count", type=int, help="number of processes; SLURM_ARRAY_TASK_COUNT if not set"
    )
    one.add_argument(
        "--setup",
        metavar="MODULE:FUNCTION",
        help="function to call first, which makes games of other programs known",
    )
    two = commands.add_parser("status", help="count the pieces")
    two.add_argument("store", help="folder or address with a plan")
    three = commands.add_parser("finish", help="join the pieces into the files of one machine")
    three.add_argument("store", nargs="+", help="folder or address with a plan")
    three.add_argument("-o", "--output", required=True, help="the folder or record to write")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "work":
            index, count = _place(chosen.index, chosen.count)
            print(f"{work(chosen.store, index, count, setup=_function(chosen.setup))} pieces made")
        elif chosen.command == "status":
            for row in status(chosen.store).to_dicts():
                print(
                    f"{row['game'] or 'all'}\t{row['iterations']}\t{row['done']} of {row['pieces']}\t"
                    f"{row['failed']} failed\t{row['seconds_left']:.0f} s left"
                )
        else:
            for path in finish(chosen.store, chosen.output):
                print(path)
    except (TreegaugeError, ImportError, OSError) as error:
        print(f"treegauge: {error}", file=sys.stderr)
        return 1
    return 0


def _function(name: Optional[str]) -> Optional[Callable[[], object]]:
    """The function of a module, written as ``module:function``; the module may lie in the current
    folder."""
    if name is None:
        return None
    module, _, function = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"--setup {name}: {error}; it is written as MODULE:FUNCTION") from None
    if not callable(found):
        raise UsageError(f"--setup {name}: this is not a function")

    def called() -> None:
        try:
            found()
        except (Exception, SystemExit) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            raise UsageError(
                f"--setup {name}: {type(error).__name__}: {error} ({place.filename}, line "
                f"{place.lineno})"
            ) from None

    return called


def _place(index: Optional[int], count: Optional[int]) -> "tuple[int, int]":
    """The place of this process among its equals: from the options, or of a job array of Slurm."""

    def of(name: str, default: int) -> int:
        text = os.environ.get(name, str(default))
        try:
            return int(text)
        except ValueError:
            raise UsageError(f"{name}: {text!r} is not a whole number") from None

    if count is None:
        count = of("SLURM_ARRAY_TASK_COUNT", 1)
    if index is None:
        place = of("SLURM_ARRAY_TASK_ID", 0) - of("SLURM_ARRAY_TASK_MIN", 0)
        # An array may have gaps. Two processes of one place share its pieces.
        index = place // max(1, of("SLURM_ARRAY_TASK_STEP", 1)) % max(1, count)
    return index, count


if __name__ == "__main__":
    sys.exit(main())
