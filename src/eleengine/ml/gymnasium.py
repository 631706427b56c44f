"""Xiangqi against the engine as an environment of Gymnasium.

    import gymnasium

    game = gymnasium.make("eleengine.ml.gymnasium:eleengine/Xiangqi-v0", skill=3)
    observation, info = game.reset(seed=1)
    action = game.action_space.sample(info["action_mask"])
    observation, reward, terminated, truncated, info = game.step(action)

The part before the colon is imported first, and registers the name. `gymnasium.make_vec` takes it, too.
Observations and actions are those of `eleengine.ml.pettingzoo`.
"""

from __future__ import annotations

from typing import Any

from gymnasium import Env, spaces
from gymnasium.envs.registration import register, registry

from .._core import STARTING_FEN
from ..board import Board
from ..engines import Engine, Limit
from ..pieces import RED
from .boards import reward
from .environment import RENDER_MODES, action_space, color_of, observation_space, observe, render
from .positions import Array, policy_move

NODES = 100_000  # of a move of the engine at most; levels below 20 take fewer


class XiangqiEnv(Env[dict[str, Array], int]):  # type: ignore[misc]
    """Games against the engine at a level. The reward at the end is 1, 0 or -1.

    skill: of the engine, 0 to 20. agent: "red", "black", or None for either by chance. fen: where games
    start.
    rule_set: which judges repetitions. max_plies: games that last longer are truncated. render_mode: "ansi"
    returns the board as text, "human" prints it, "rgb_array" returns a picture.

    An illegal action ends the game as a loss: reward -1, and `illegal` in info. The mask of legal actions is
    in the observation, in info and in `action_masks`.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        render_mode: str | None = None,
        *,
        skill: int = 0,
        agent: str | None = "red",
        fen: str = STARTING_FEN,
        rule_set: str = "axf",
        max_plies: int = 400,
    ) -> None:
        self.render_mode = render_mode
        self.observation_space: spaces.Space[dict[str, Array]] = observation_space()
        self.action_space: spaces.Space[int] = action_space()
        self._engine = Engine(hash_mib=1, skill=skill, rule_set=rule_set)
        self._agent = agent
        self._color = RED if agent is None else color_of(agent)
        self._start = Board(fen)
        self._rule_set = rule_set
        self._max_plies = max_plies
        self.board: Board = self._start.copy()  #: the position, with the moves of the game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Array], dict[str, Any]]:
        """Begin a game; the seed decides what the engine leaves to chance."""
        super().reset(seed=seed)
        if self._agent is None:
            self._color = bool(self.np_random.integers(2))
        self._engine.seed = int(self.np_random.integers(2**31))
        self._engine.new_game()
        self.board = self._start.copy()
        if self.board.turn != self._color:
            self._answer()
        observation = self._observation()
        return observation, {"action_mask": observation["action_mask"]}

    def action_masks(self) -> Array:
        """Which actions are legal: bools, as the maskable algorithms of sb3-contrib ask for them."""
        mask: Array = self._observation()["action_mask"].astype(bool)
        return mask

    def step(self, action: int) -> tuple[dict[str, Array], float, bool, bool, dict[str, Any]]:
        """Play a move, and let the engine answer."""
        move = policy_move(int(action), self._color)
        if not self.board.is_legal(move):
            observation = self._observation()
            info = {"action_mask": observation["action_mask"], "illegal": move.iccs()}
            return observation, -1.0, True, False, info
        self.board.push(move)
        won = reward(self.board, self._color, self._rule_set)
        if won is None:
            self._answer()
            won = reward(self.board, self._color, self._rule_set)
        truncated = won is None and self.board.ply >= self._max_plies
        if self.render_mode == "human":
            self.render()
        observation = self._observation()
        info = {"action_mask": observation["action_mask"]}
        return observation, won or 0.0, won is not None, truncated, info

    def _answer(self) -> None:
        move = self._engine.play(self.board, Limit(nodes=NODES)).move
        if move is not None:
            self.board.push(move)

    def _observation(self) -> dict[str, Array]:
        return observe(self.board, self._color)

    def render(self) -> Any:
        """The board, as the render mode says."""
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


if "eleengine/Xiangqi-v0" not in registry:
    register("eleengine/Xiangqi-v0", entry_point=f"{__name__}:XiangqiEnv")
