"""Games and players that are objects of Python."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

from . import _treegauge
from ._errors import UsageError

if TYPE_CHECKING:
    from typing import Protocol

    class ExternalState(Protocol):
        """A state of a game, with the methods of OpenSpiel.

        ``action_to_string(action)`` may be there too; without it actions are written as numbers.
        ``str(state)`` is the board as text.
        """

        def current_player(self) -> int: ...
        def legal_actions(self) -> Sequence[int]: ...
        def apply_action(self, action: int) -> Any: ...
        def is_terminal(self) -> bool: ...
        def returns(self) -> Sequence[float]: ...
        def clone(self) -> Any: ...

    class ExternalGame(Protocol):
        """A game with the methods of OpenSpiel, such as ``pyspiel.load_game("clobber")``."""

        def new_initial_state(self) -> Any: ...

    class Player(Protocol):
        """A player written in Python. It returns the text of a move, or its place in
        ``state.moves()``."""

        def choose(self, state: _treegauge.State) -> Union[str, int]: ...


#: Name of the family of these games, and of the kind of these players.
FAMILY = "external"

#: Random games by which a game is checked, and named.
_GAMES = 100

#: Plies after which the check gives a game up.
_PLIES_MAX = 100_000

#: Facts of a game of OpenSpiel that must hold: attribute of its type, value, and the reason.
_TYPE = [
    ("dynamics", "SEQUENTIAL", "both players move at the same time"),
    ("chance_mode", "DETERMINISTIC", "it has chance"),
    ("information", "PERFECT_INFORMATION", "players do not see the whole position"),
]


def register(game: Any, ply_cap: Optional[int]) -> str:
    """Checks a game object and makes it known; returns the text of the game."""
    name = _name(game)
    refused = _refused_by_type(game)
    if refused:
        raise UsageError(f"{name} cannot be used: {refused}")
    digest, actions, has_texts = _played(game, name)
    text = _treegauge.register_game(game, name, digest, actions, has_texts)
    return text if ply_cap is None else f"{text[:-1]},ply_cap={ply_cap})"


def _name(game: Any) -> str:
    """The name of a game as a word."""
    written = str(game) if hasattr(game, "get_type") else type(game).__name__
    name = re.sub(r"[^0-9A-Za-z]+", "_", written).strip("_")[:60]
    # A word that is a number would be one of the game's parameters.
    return name if name[:1].isalpha() else f"game_{name}"


def _refused_by_type(game: Any) -> Optional[str]:
    """The reason why a game of OpenSpiel cannot be used, as far as its type tells."""
    if not callable(getattr(game, "get_type", None)):
        return None
    kind = game.get_type()
    for attribute, wanted, reason in _TYPE:
        value = getattr(kind, attribute, None)
        if value is not None and getattr(value, "name", str(value)) != wanted:
            return reason
    utility = getattr(getattr(kind, "utility", None), "name", "ZERO_SUM")
    if utility not in ("ZERO_SUM", "CONSTANT_SUM"):
        return "one player's gain is not the other's loss"
    players = game.num_players() if hasattr(game, "num_players") else 2
    return None if players == 2 else f"it has {players} players, not 2"


class _Choices:
    """A sequence of numbers that is the same in all versions of Python (Numerical Recipes' LCG)."""

    def __init__(self) -> None:
        self.state = 1

    def below(self, count: int) -> int:
        self.state = (1664525 * self.state + 1013904223) % (1 << 32)
        return (self.state * count) >> 32


def _played(game: Any, name: str) -> Tuple[str, int, bool]:
    """The digest of random games, the number of ids of actions, and whether the texts of actions
    differ in each position. Refuses a game that is not one of two players without chance."""

    def refuse(reason: str) -> UsageError:
        return UsageError(f"{name} cannot be used: {reason}")

    import hashlib

    choices, digest = _Choices(), hashlib.sha256()
    greatest, has_texts, total = 0, True, None
    for _ in range(_GAMES):
        state = game.new_initial_state()
        has_texts = has_texts and hasattr(state, "action_to_string")
        plies = 0
        while not state.is_terminal():
            player = state.current_player()
            if player not in (0, 1):
                raise refuse(f"the player to move is {int(player)}, and only 0 and 1 can be")
            legal = sorted(int(action) for action in state.legal_actions())
            if not legal:
                raise refuse("a state that is not over has no legal action")
            if legal[0] < 0 or len(set(legal)) < len(legal):
                raise refuse("legal actions are different numbers from 0")
            has_texts = has_texts and _are_texts(state, legal)
            greatest = max(greatest, legal[-1])
            action = legal[choices.below(len(legal))]
            digest.update(f"{player}:{legal}:{action};".encode())
            parent, state = state, state.clone()
            state.apply_action(action)
            if parent.is_terminal() or sorted(map(int, parent.legal_actions())) != legal:
                raise refuse("clone() shares its state with the original")
            plies += 1
            if plies > _PLIES_MAX:
                raise refuse(f"a random game goes on for more than {_PLIES_MAX} plies")
        returns = [float(value) for value in state.returns()]
        if len(returns) != 2:
            raise refuse(f"it has {len(returns)} players, not 2")
        total = sum(returns) if total is None else total
        if abs(sum(returns) - total) > 1e-9:
            raise refuse("one player's gain is not the other's loss")
        digest.update(f"{returns[0] > 0},{returns[0] < 0}\n".encode())
    count = game.num_distinct_actions() if hasattr(game, "num_distinct_actions") else greatest + 1
    # A letter comes first, so that no digest is a number.
    return "d" + digest.hexdigest()[:16], max(int(count), greatest + 1), has_texts


def _are_texts(state: Any, legal: List[int]) -> bool:
    """Whether the texts of the legal actions are different words of ASCII."""
    texts = ["_".join(str(state.action_to_string(action)).split()) for action in legal]
    folded = {text.lower() for text in texts}
    return len(folded) == len(texts) and all(text and text.isascii() for text in texts)


#: Players of the calls that go on, by name.
_players: Dict[str, Any] = {}
_lock = threading.Lock()


class Players:
    """The player objects of one call. Their names depend on the call alone, so that the same call goes
    on with what an earlier one kept, unless other threads have players of the same class meanwhile."""

    def __init__(self, is_strict: bool) -> None:
        self.is_strict = is_strict
        self.names: Dict[str, Any] = {}

    def __bool__(self) -> bool:
        return bool(self.names)

    def register(self, player: Any, games: Sequence[_treegauge.Game]) -> str:
        """Makes a player object known for some games; returns the text of the player."""
        if not callable(getattr(player, "choose", None)):
            raise TypeError(f"a player is a text or has choose(state); {player!r} has not")
        word = re.sub(r"[^0-9A-Za-z_]+", "_", type(player).__name__).strip("_") or "player"
        name, number = word, 1
        with _lock:
            while name in _players and self.names.get(name) is not player:
                number += 1
                name = f"{word}_{number}"
            _players[name] = self.names[name] = player
            return _treegauge.register_player(player, name, list(games), self.is_strict)

    def close(self) -> None:
        """Leaves the names to later calls."""
        with _lock:
            for name in self.names:
                del _players[name]


#: Commands that take games of other programs.
_COMMANDS = frozenset(
    ["collect", "compare", "gauge", "match", "perft", "search", "show", "tournament", "vet"]
)


def check(command: str, fields: Dict[str, Any]) -> None:
    """Refuses what needs the keys of positions, which games of other programs do not have."""
    if command not in _COMMANDS:
        raise UsageError(f"{command} takes no games of other programs")
    needs = "needs a game of this program: positions of others are not found again"
    if fields.get("merge") not in (None, "none"):
        raise UsageError(f"merge {needs}")
    if fields.get("solver"):
        raise UsageError(f"solver {needs}")
    texts = str([value for key, value in fields.items() if key in ("a", "b", "player", "players")])
    for word in ("merge", "solver", "perfect"):
        if word in texts:
            raise UsageError(f"a player with {word} {needs}")
