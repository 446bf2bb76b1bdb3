"""Exceptions. Their messages are those of the program."""

from __future__ import annotations

from typing import Any, List, Optional, Sequence, Tuple


class TreegaugeError(Exception):
    """Base of all exceptions of the package.

    ``partial`` is the report on unfinished work, where the operation has one.
    """

    partial: Optional[Any] = None
    field: Optional[str] = None
    expected: Optional[str] = None
    nearest: Optional[str] = None


class UsageError(TreegaugeError, ValueError):
    """A wrong argument: a name that does not exist, or a value out of range.

    ``field`` is the argument or parameter, ``expected`` the values that it takes, and ``nearest``
    the most similar valid name; each is ``None`` where it is not known.
    """


class DataError(TreegaugeError, ValueError):
    """A file or a text that is damaged or of another kind."""


class LimitError(TreegaugeError):
    """Work that needs more memory or time than its limit."""


class EngineError(TreegaugeError):
    """A failure of an external engine."""


class InternalError(TreegaugeError, RuntimeError):
    """A bug of treegauge. Please report it with its message."""


class WriteError(TreegaugeError, OSError):
    """A file that cannot be written."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class Stopped(TreegaugeError):
    """Work that ``stop`` ended."""


class IncompleteError(TreegaugeError):
    """Parts that do not make a whole. ``missing`` names those that are missing, where they have
    names."""

    def __init__(self, message: str, missing: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.missing: List[str] = list(missing)

    def __reduce__(self) -> Tuple[type, Tuple[str, List[str]]]:
        return (type(self), (str(self), self.missing))
