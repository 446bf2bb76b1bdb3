"""Games and positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterable, List, NamedTuple, Optional, Union

from . import _external, _treegauge
from ._treegauge import State

if TYPE_CHECKING:
    from ._external import ExternalGame

#: Name of the file that stands for the text of :meth:`Game.from_rules`.
_SUFFIX = ".rules"


class Playouts(NamedTuple):
    """Results of random games: their number, the plies of all, and how they ended."""

    games: int
    plies: int
    first_wins: int
    draws: int
    second_wins: int


class Game(_treegauge.Game):
    """A game: ``name`` or ``name(param=value,...)``, or the path of a text of rules.

    ``rules`` are texts by file name; files that are not there are read from the disk. Two games are
    equal if their canonical names are.

    >>> Game("connect_four(cols=5,rows=4)").new_initial_state().move_count()
    5
    """

    def new_initial_state(self, position: Optional[str] = None, moves: Iterable[str] = ()) -> State:
        """The beginning of a game, or a position of it, after moves from there."""
        if isinstance(moves, str):
            raise TypeError("moves are a list of texts, one for each move")
        return super().new_initial_state(position, list(moves))

    def playouts(
        self,
        count: int,
        *,
        at: Optional[State] = None,
        seed: int = 1,
        threads: Optional[int] = None,
    ) -> Playouts:
        """Results of random games."""
        return Playouts(*super().playouts(count, at=at, seed=seed, threads=threads))

    @classmethod
    def from_rules(cls, source: str, name: str = "game", **options: Union[str, int, bool]) -> Game:
        """The game of a text of rules. ``options`` are the options of the text."""
        words = [f"{key}={_word(value)}" for key, value in options.items()]
        file = name if name.endswith(_SUFFIX) else name + _SUFFIX
        text = f"{file}({','.join(words)})" if words else file
        return cls(text, rules={file: source})

    @classmethod
    def external(cls, game: ExternalGame, *, ply_cap: Optional[int] = None) -> Game:
        """A game of another program: one of OpenSpiel (``pyspiel.load_game("clobber")``), or any
        object with its methods ``new_initial_state()``, and for states ``current_player()``,
        ``legal_actions()``, ``apply_action(action)``, ``is_terminal()``, ``returns()``, ``clone()``
        and, if there are texts of moves, ``action_to_string(action)``.

        It has two players, perfect information, no chance and a constant sum; 100 random games are
        played to check that, and their digest is part of the name, so that records of a game that
        was changed since are refused. Results are the sign of ``returns()[0]``. It can be played,
        searched by trees, gauged, compared, vetted and collected, and can play matches. It cannot be
        solved, and searches do not merge its positions.

        This is slow: a ply takes 1 to 10 microseconds or whatever the object takes, on one thread,
        about a hundred times as long as in games of the catalog. A gauge with ``budget="quick"``
        takes minutes. `ply_cap` is the number of plies after which a game is stopped [default: 1000].
        """
        made = cls(_external.register(game, ply_cap))
        made._object = (game, ply_cap)
        return made

    #: Object of a game of another program, and its ply cap.
    _object: Any = None

    def __reduce__(self) -> Any:
        if self._object is None:
            return super().__reduce__()
        return (_external_of, self._object)

    def _repr_html_(self) -> str:
        from html import escape

        if self.family == _external.FAMILY:
            board = f"<pre>{escape(str(self.new_initial_state()))}</pre>"
        else:
            board = self.new_initial_state().svg()
        return f"<h3>{escape(self.title)}</h3><p>{escape(self.rules)}</p>{board}"


def _word(value: Union[str, int, bool]) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _external_of(game: Any, ply_cap: Optional[int]) -> Game:
    """The game of another program of a pickle."""
    return Game.external(game, ply_cap=ply_cap)


def game_of(text: str, sources: Dict[str, str]) -> Game:
    """The game of a pickle."""
    return Game(text, rules=sources)


class Picture(str):
    """An SVG document that notebooks show."""

    def _repr_svg_(self) -> str:
        return str(self)


def shown(state: State, values: Any) -> Picture:
    """The board of a state with the values of its moves."""
    if values is None:
        return Picture(state.svg())
    if hasattr(values, "to_dicts"):
        rows = values.to_dicts()
        most = max((row["visits"] for row in rows), default=1)
        marks = [
            (row["move"], _number(row["mean_score"]), row["visits"] / max(most, 1))
            for row in rows
            if row["visits"]
        ]
    else:
        numbers = [float(value) for value in values.values()]
        low, high = min(numbers, default=0.0), max(numbers, default=1.0)
        marks = [
            (move, _number(value), (float(value) - low) / ((high - low) or 1.0))
            for move, value in values.items()
        ]
    return Picture(state._svg_with(marks))


def _number(value: float) -> str:
    return f"{value:.2f}"


def state_of(game: _treegauge.Game, start: str, moves: List[int]) -> State:
    """The state of a pickle."""
    return State._again(game, start, moves)
