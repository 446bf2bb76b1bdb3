"""Games as environments of PettingZoo: ``pip install 'treegauge[rl]'``."""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

import gymnasium
import numpy
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._errors import UsageError
from ._games import Game
from ._treegauge import State

#: The agents, in the order of their first moves.
AGENTS = ["player_0", "player_1"]


def env(game: Union[str, Game], render_mode: Optional[str] = None) -> AECEnv[str, Any, int]:
    """The environment of a game, with the usual checks of the order of calls.

    An illegal action ends the game with the reward -1 for the agent that chose it.

    Args:
        game: a name, or a game. Its moves must have ids.
        render_mode: ``ansi`` for a text, ``svg`` for a picture, or `None`.

    Raises:
        UsageError: if the moves of the game have no ids.
    """
    inner: Any = raw_env(game, render_mode)
    inner = wrappers.TerminateIllegalWrapper(inner, illegal_reward=-1)
    inner = wrappers.AssertOutOfBoundsWrapper(inner)
    return wrappers.OrderEnforcingWrapper(inner)


class raw_env(AECEnv[str, Any, int], EzPickle):  # type: ignore[misc]
    """The environment of a game, without checks.

    An observation is a dictionary: ``observation`` holds the numbers of
    :meth:`treegauge.State.observation_tensor`, ``action_mask`` a 1 for each legal action. The tensor
    has a plane for the turn, so it is the same for both agents. An agent gets 1 for a win, 0 for a
    draw and -1 for a loss when the game ends.
    """

    metadata: Dict[str, Any] = {
        "render_modes": ["ansi", "svg"],
        "name": "treegauge",
        "is_parallelizable": False,
    }

    #: The agent to move.
    agent_selection: str

    def __init__(self, game: Union[str, Game], render_mode: Optional[str] = None) -> None:
        EzPickle.__init__(self, game, render_mode)
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f"render_mode: {render_mode!r} is not `ansi`, `svg` or None")
        self.game = game if isinstance(game, Game) else Game(game)
        self.metadata = {**self.metadata, "name": self.game.canonical}
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self._count = self.game.num_distinct_actions()
        shape = self.game.observation_shape()
        # One space for each agent: agents that sample must not share a generator.
        self._actions = {agent: spaces.Discrete(self._count) for agent in AGENTS}
        self._observations = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0.0, numpy.inf, shape, numpy.float32),
                    "action_mask": spaces.Box(0, 1, (self._count,), numpy.int8),
                }
            )
            for agent in AGENTS
        }
        self._state: State = self.game.new_initial_state()

    @property
    def treegauge_state(self) -> State:
        """The position, as the library has it."""
        return self._state

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of all moves of the game."""
        return self._actions[agent]

    def observation_space(self, agent: str) -> spaces.Dict:
        """The shapes of `observation` and `action_mask`."""
        return self._observations[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a game. Nothing is random, so a seed changes nothing."""
        self._state = self.game.new_initial_state()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._select()

    def observe(self, agent: str) -> Dict[str, Any]:
        """The position, and the legal actions if it is the agent's turn."""
        mask = numpy.zeros(self._count, numpy.int8)
        if agent == self.agent_selection and not self._state.is_terminal():
            mask = numpy.frombuffer(self._state.legal_actions_mask(), numpy.int8).copy()
        return {"observation": self._state.observation_tensor(), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        """Plays the move of the agent whose turn it is.

        Raises:
            UsageError: if the action is illegal; :func:`env` ends the game instead.
            IndexError: if there is no such action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._state.apply_action(int(action))  # type: ignore[arg-type]
        if self._state.is_terminal():
            self.rewards = dict(zip(AGENTS, self._state.returns()))
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[1 - AGENTS.index(agent)]
        else:
            self._select()
        self._accumulate_rewards()

    def _select(self) -> None:
        self.agent_selection = AGENTS[max(0, self._state.current_player())]

    def render(self) -> Optional[str]:
        """The board as the render mode says; `None` without one."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs a render_mode: `ansi` or `svg`")
            return None
        return str(self._state) if self.render_mode == "ansi" else self._state.svg()

    def close(self) -> None:
        """Does nothing: nothing is open."""
