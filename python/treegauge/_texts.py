"""Texts of games: strings in, strings out."""

from __future__ import annotations

import os
from typing import List, Optional, Sequence, Union

from . import _operations, _treegauge
from ._call import GameLike, PathLike, call
from ._games import Game
from ._tables import Table


def template(game: GameLike) -> str:
    """The text of a built-in game, to start your own from."""
    source: str = _operations.new(game)["source"]
    return source


def format_rules(source: str) -> str:
    """The text of a game, formatted. Only its parentheses are checked."""
    report, _ = call("check", {"file": "-", "format": True}, texts={"-": source})
    formatted: str = report["source"]
    return formatted


def check_rules(source: str, *, seed: Optional[int] = None) -> _operations.CheckReport:
    """The mistakes in the text of a game, also those that random games find."""
    report, _ = call("check", {"file": "-", "seed": seed}, texts={"-": source})
    return report  # type: ignore[return-value]


def explain(source: str) -> str:
    """The rules of a text in plain English."""
    return _operations.show(Game.from_rules(source)).text()


def variants(games: Union[GameLike, Sequence[GameLike]]) -> List[str]:
    """The canonical names of games and of ranges of games, such as ``mnk(rows=3..5)``."""
    names = [games] if isinstance(games, (str, Game)) else games
    report = _operations.games(names=names, canonical=True)
    return [row["game"] for row in report["rows"]]


def corpus(path: Optional[PathLike] = None) -> Table:
    """Labelled games of a file in TOML; without one, those of Williams 2010.

    The column ``canonical`` joins them with other tables.
    """
    return Table._of(_treegauge.corpus_table(None if path is None else os.fspath(path)))


def ratings(path: PathLike) -> Table:
    """People's ratings of games of a CSV file, by canonical names."""
    return Table._of(_treegauge.ratings_table(os.fspath(path)))
