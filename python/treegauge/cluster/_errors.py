"""Errors of runs on many machines."""

from __future__ import annotations

from typing import Sequence

from .._errors import TreegaugeError


class PieceError(TreegaugeError):
    """A piece that could not be made, is damaged, or belongs to another plan."""


def named(names: Sequence[str], shown: int = 5) -> str:
    """The first of some names, and the number of the others."""
    first = ", ".join(names[:shown])
    more = len(names) - shown
    return f"{first} and {more} more" if more > 0 else first
