"""A game written in Python, in a module that workers can import."""

from __future__ import annotations

from typing import List

import treegauge as tg


class Heap:
    """Nim with one heap: take 1 to 3 of 7; the player who takes the last wins."""

    def __init__(self, left: int = 7, take: int = 3) -> None:
        self.left, self.take = left, take

    def new_initial_state(self) -> HeapState:
        return HeapState(self.left, self.take)


class HeapState:
    def __init__(self, left: int, take: int, player: int = 0) -> None:
        self.left, self.take, self.player = left, take, player

    def current_player(self) -> int:
        return self.player if self.left else -4

    def legal_actions(self) -> List[int]:
        return list(range(1, min(self.take, self.left) + 1)) if self.left else []

    def apply_action(self, action: int) -> None:
        self.left -= action
        self.player = 1 - self.player

    def is_terminal(self) -> bool:
        return self.left == 0

    def returns(self) -> List[float]:
        if self.left:
            return [0.0, 0.0]
        return [-1.0, 1.0] if self.player == 0 else [1.0, -1.0]

    def clone(self) -> HeapState:
        return type(self)(self.left, self.take, self.player)

    def __str__(self) -> str:
        return f"{self.left} left"


def make_known() -> None:
    """Makes the game known in a worker."""
    tg.Game.external(Heap())
