"""Texts of games: strings in, strings out."""

from __future__ import annotations

import json
import os
import time
from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

from . import _operations, _treegauge
from ._call import GameLike, PathLike, call
from ._games import Game
from ._tables import Table


def template(game: GameLike) -> str:
    """The text of a game, to start your own from."""
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


def problem(
    game: GameLike, position: Optional[str] = None, **options: Any
) -> _operations.DifficultyReport:
    """How difficult one position is, by the tree of its meaningful moves. The game is ``chess``, with
    a position as FEN, or a game that is searched; options are those of ``difficulty``."""
    if game == "chess":
        return _operations.difficulty(show=position, **options)
    return _operations.difficulty(game=game, position=position, **options)


def power(*, gap: Optional[float] = None, **options: Any) -> _operations.PowerReport:
    """The number of games in which a match shows a difference of `gap` in points a game, and the
    difference that a number of games shows. Other options are those of ``match``, such as ``games``."""
    report = _operations.match(power=True, gap=gap, **options)
    assert isinstance(report, _operations.PowerReport)
    return report


def rules_words() -> Table:
    """The words of texts of games: each with its sort, pattern, meaning and an example."""
    return Table(json.loads(_treegauge.words()))


def bench(games: Union[GameLike, Sequence[GameLike]], *, seconds: float = 1.4) -> Table:
    """Random games and iterations of searches a CPU second of each game, on one thread. `seconds`
    are those of each measurement."""
    names = [games] if isinstance(games, (str, Game)) else games
    rows = []
    for name in names:
        game = name if isinstance(name, Game) else Game(name)
        count, plies = _counted(seconds, 1, lambda count: game.playouts(count, threads=1))
        iterations, _ = _counted(
            seconds, 100, lambda count: (_operations.search(game, count).report["iterations"], 0)
        )
        rows.append(
            {
                "game": game.canonical,
                "playouts_per_s": count,
                "plies_per_s": plies,
                "plies_per_playout": plies / count,
                "uct_iterations_per_s": iterations,
            }
        )
    return Table(rows)


def _counted(seconds: float, count: int, work: Callable[[int], Sequence[int]]) -> Tuple[float, float]:
    """Rates of both numbers that `work` returns first, with a count that takes long enough."""
    while True:
        before = time.process_time()
        done, other = work(count)[:2]
        spent = time.process_time() - before
        if spent >= seconds / 2 or count >= 1 << 30:
            return done / spent, other / spent
        count = min(1 << 30, max(2 * count, int(0.8 * count * seconds / max(spent, 1e-6))))


def variants(games: Union[GameLike, Sequence[GameLike]]) -> List[str]:
    """The names of games and of the games of ranges, such as ``mnk(rows=3..5)``, as reports call them."""
    names = [games] if isinstance(games, (str, Game)) else games
    report = _operations.games(names=names, canonical=True)
    return [row["game"] for row in report["rows"]]


def corpus(path: Optional[PathLike] = None) -> Table:
    """Labelled games of a file in TOML or CSV; without one, those of Williams 2010.

    The column ``canonical`` joins them with other tables.
    """
    return Table._of(_treegauge.corpus_table(None if path is None else os.fspath(path)))


def ratings(path: PathLike) -> Table:
    """People's ratings of games of a CSV file, by canonical names."""
    return Table._of(_treegauge.ratings_table(os.fspath(path)))
