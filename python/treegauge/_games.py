"""Games and positions."""

from __future__ import annotations

from typing import Dict, List, Union

from . import _treegauge
from ._treegauge import State

#: Name of the file that stands for the text of :meth:`Game.from_rules`.
_SUFFIX = ".rules"


class Game(_treegauge.Game):
    """A game: ``name`` or ``name(param=value,...)``, or the path of a text of rules.

    ``rules`` are texts by file name; files that are not there are read from the disk. Two games are
    equal if their canonical names are.

    >>> Game("connect_four(cols=5,rows=4)").new_initial_state().move_count()
    5
    """

    @classmethod
    def from_rules(cls, source: str, name: str = "game", **options: Union[str, int, bool]) -> Game:
        """The game of a text of rules. ``options`` are the options of the text."""
        words = [f"{key}={_word(value)}" for key, value in options.items()]
        file = name if name.endswith(_SUFFIX) else name + _SUFFIX
        text = f"{file}({','.join(words)})" if words else file
        return cls(text, rules={file: source})

    def _repr_html_(self) -> str:
        from html import escape

        board = self.new_initial_state().svg()
        return f"<h3>{escape(self.title)}</h3><p>{escape(self.rules)}</p>{board}"


def _word(value: Union[str, int, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def game_of(text: str, sources: Dict[str, str]) -> Game:
    """The game of a pickle."""
    return Game(text, rules=sources)


def state_of(game: _treegauge.Game, start: str, moves: List[int]) -> State:
    """The state of a pickle."""
    return State._again(game, start, moves)
