"""Xiangqi as an environment of PettingZoo, for agents that learn by playing each other.

    from eleengine.ml.pettingzoo import env

    game = env()
    game.reset()
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        done = termination or truncation
        game.step(None if done else game.action_space(agent).sample(observation["action_mask"]))

Agents are "red" and "black". An observation has `observation`, the planes of `eleengine.ml.Positions.planes`
as the agent sees them, and `action_mask` of the moves by the numbers of `eleengine.ml.policy_index`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .._core import STARTING_FEN
from ..board import Board
from ..pieces import RED
from .boards import reward
from .environment import AGENTS, RENDER_MODES, action_space, color_of, observation_space, observe, render
from .positions import Array, policy_move


def env(**options: Any) -> AECEnv[str, dict[str, Array], int | None]:
    """Make the environment with PettingZoo's wrappers: an illegal action loses. Arguments of `raw_env`."""
    made = raw_env(**options)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv[str, dict[str, Array], int | None]):  # type: ignore[misc]
    """A game of Xiangqi. The reward at its end is 1 for the winner and -1 for the loser, or 0 for a draw.

    render_mode: "ansi" returns the board as text, "human" prints it. fen: where games start. rule_set: which
    judges repetitions, see `eleengine.rules.RULE_SETS`. max_plies: games that last longer are truncated.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "xiangqi_v0", "render_modes": RENDER_MODES, "is_parallelizable": False, "render_fps": 2,
    }  # fmt: skip

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        fen: str = STARTING_FEN,
        rule_set: str = "axf",
        max_plies: int = 400,
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self._start = Board(fen)
        self._rule_set = rule_set
        self._max_plies = max_plies
        self.board: Board = self._start.copy()  #: the position, with the moves of the game
        self.possible_agents: list[str] = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces: dict[str, spaces.Dict] = {agent: observation_space() for agent in AGENTS}
        self.action_spaces: dict[str, spaces.Discrete[Any]] = {agent: action_space() for agent in AGENTS}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of its observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The numbers of all moves."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> dict[str, Array]:
        """What the agent sees; its mask is empty while the other is to move."""
        return observe(self.board, color_of(agent))

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up the start position; nothing here is left to chance."""
        self.board = self._start.copy()
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.truncations: dict[str, bool] = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.board.turn != RED]

    def step(self, action: int | None) -> None:
        """Play the move of the agent whose turn it is; IllegalMoveError, IndexError."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.board.push(policy_move(int(action), color_of(agent)))
        self._cumulative_rewards[agent] = 0.0
        won = reward(self.board, color_of(agent), self._rule_set)
        other = AGENTS[1 - AGENTS.index(agent)]
        self.rewards = {agent: won or 0.0, other: -(won or 0.0)}
        self.terminations = dict.fromkeys(AGENTS, won is not None)
        self.truncations = dict.fromkeys(AGENTS, won is None and self.board.ply >= self._max_plies)
        self.agent_selection = other
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The board, as the render mode says."""
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


with suppress(ImportError):  # PettingZoo before 1.27 has no registry
    from pettingzoo.env_registry.registration import aec_registry, register

    if "eleengine/xiangqi_v0" not in aec_registry:
        register("aec", "eleengine/xiangqi_v0", entry_point="eleengine.ml.pettingzoo:env")
