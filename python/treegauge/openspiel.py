"""Games with the methods of OpenSpiel's Python interface.

For algorithms that are written in Python against ``pyspiel.Game`` and ``pyspiel.State``. Algorithms in
C++ do not take these objects.

>>> from treegauge import openspiel
>>> game = openspiel.load_game("tic_tac_toe")
>>> state = game.new_initial_state()
>>> state.apply_action(state.legal_actions()[4])
>>> state.current_player(), state.is_terminal()
(1, False)
"""

from __future__ import annotations

from typing import Any, List, Optional, Union

from ._errors import UsageError
from ._games import Game as _Game
from ._treegauge import State as _State

#: Number of the player when a game is over, as in ``pyspiel.PlayerId``.
TERMINAL = -4


def load_game(text: Union[str, _Game]) -> Game:
    """A game of the program with OpenSpiel's methods.

    Raises:
        UsageError: if the game is unknown, or its moves have no ids.
    """
    return Game(text if isinstance(text, _Game) else _Game(text))


class Game:
    """A game as ``pyspiel.Game``."""

    def __init__(self, game: _Game) -> None:
        self._game = game
        self._actions = game.num_distinct_actions()

    def new_initial_state(self) -> State:
        """The position before the first move."""
        return State(self, self._game.new_initial_state())

    def num_distinct_actions(self) -> int:
        """The number of ids; some may never be legal."""
        return self._actions

    def num_players(self) -> int:
        """2."""
        return 2

    def min_utility(self) -> float:
        """The result of a loss."""
        return -1.0

    def max_utility(self) -> float:
        """The result of a win."""
        return 1.0

    def utility_sum(self) -> float:
        """The results of both players add up to 0."""
        return 0.0

    def max_game_length(self) -> int:
        """The greatest number of plies."""
        return self._game.max_game_length()

    def max_chance_outcomes(self) -> int:
        """0: nothing is random."""
        return 0

    def observation_tensor_shape(self) -> List[int]:
        """The shape of the tensor of a position."""
        return list(self._game.observation_shape())

    def observation_tensor_size(self) -> int:
        """The number of elements of that tensor."""
        size = 1
        for length in self._game.observation_shape():
            size *= length
        return size

    def __str__(self) -> str:
        return self._game.canonical

    def __repr__(self) -> str:
        return f"<openspiel.Game {self._game.canonical}>"


class State:
    """A position as ``pyspiel.State``."""

    def __init__(self, game: Game, state: _State) -> None:
        self._of = game
        self._state = state

    def get_game(self) -> Game:
        """The game."""
        return self._of

    def current_player(self) -> int:
        """0 or 1, and -4 when the game is over."""
        return self._state.current_player()

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self._state.is_terminal()

    def is_chance_node(self) -> bool:
        """False: nothing is random."""
        return False

    def is_simultaneous_node(self) -> bool:
        """False: players move one after the other."""
        return False

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """The ids of the legal moves, ascending; none for the player who is not to move."""
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        return self._state.legal_actions()

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """A number for each id: 1 if it is legal, or 0."""
        if self.is_terminal() or player not in (None, self.current_player()):
            return [0] * self._of.num_distinct_actions()
        return list(self._state.legal_actions_mask())

    def apply_action(self, action: int) -> None:
        """Plays a move."""
        self._state.apply_action(action)

    def undo_action(self, player: int, action: int) -> None:
        """Takes the last move back."""
        if not self._state.history() or self._state.history()[-1] != action:
            raise UsageError(f"action {action} is not the last one")
        self._state.undo_action()

    def action_to_string(self, *arguments: int) -> str:
        """The text of a move: ``action_to_string(action)`` or ``(player, action)``."""
        return self._state.action_to_string(arguments[-1])

    def string_to_action(self, *arguments: Any) -> int:
        """The id of a text: ``string_to_action(text)`` or ``(player, text)``."""
        return self._state.string_to_action(arguments[-1])

    def returns(self) -> List[float]:
        """The results of both players: 1, 0 or -1; 0 while the game goes on."""
        return self._state.returns()

    def rewards(self) -> List[float]:
        """The same: results come at the end only."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The result of one player."""
        return self.returns()[player]

    def history(self) -> List[int]:
        """The ids of the moves so far."""
        return self._state.history()

    def history_str(self) -> str:
        """The ids of the moves so far, as a text."""
        return ", ".join(str(action) for action in self.history())

    def move_number(self) -> int:
        """The number of moves so far."""
        return len(self._state.history())

    def clone(self) -> State:
        """A copy."""
        return State(self._of, self._state.clone())

    def child(self, action: int) -> State:
        """The position after a move."""
        after = self.clone()
        after.apply_action(action)
        return after

    def observation_tensor(self, player: Optional[int] = None) -> List[float]:
        """The numbers of the position, in rows. Both players see the same."""
        tensor: List[float] = self._state.observation_tensor().ravel().tolist()
        return tensor

    def observation_string(self, player: Optional[int] = None) -> str:
        """The position as text. Both players see the same."""
        return self._state.position

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The history as text: all information is public."""
        return self.history_str()

    def __str__(self) -> str:
        return str(self._state)
