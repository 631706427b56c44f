"""Xiangqi as a game of OpenSpiel, for its algorithms.

    import pyspiel
    import eleengine.ml.openspiel

    game = pyspiel.load_game("eleengine_xiangqi")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])

Actions are the numbers of `eleengine.ml.policy_index`, as the side to move sees them. Player 0 is Red,
player 1 Black. Observations are the planes of `eleengine.ml.Positions.planes`, seen by the side to move.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from .._core import STARTING_FEN
from ..board import Board
from ..pieces import RED
from ..rules import rule_set_number
from .boards import reward
from .positions import PLANES, POLICY_SIZE, Positions, legal_indices, policy_move

_TYPE = pyspiel.GameType(
    short_name="eleengine_xiangqi",
    long_name="Xiangqi (eleengine)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"fen": STARTING_FEN, "rule_set": "axf", "max_plies": 400},
)


class XiangqiGame(pyspiel.Game):  # type: ignore[misc]
    """The game. Its parameters are fen, where it starts, rule_set, which judges repetitions, and max_plies.

    A longer game is a draw. ValueError for a parameter that is wrong.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.start: Board = Board(params.get("fen", STARTING_FEN))
        self.rule_set: str = params.get("rule_set", "axf")
        self.max_plies: int = params.get("max_plies", 400)
        rule_set_number(self.rule_set)
        info = pyspiel.GameInfo(
            num_distinct_actions=POLICY_SIZE,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.max_plies,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self) -> XiangqiState:
        """The start of a game."""
        return XiangqiState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """What fills the observations."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return PlanesObserver(params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class XiangqiState(pyspiel.State):  # type: ignore[misc]
    """A position with the moves that led to it, as `board`."""

    def __init__(self, game: XiangqiGame) -> None:
        super().__init__(game)
        self.board: Board = game.start.copy()
        self._rule_set = game.rule_set
        self._max_plies = game.max_plies
        self._red: float | None = self._result()  # for Red, None while the game goes on

    def _result(self) -> float | None:
        won = reward(self.board, RED, self._rule_set)
        return 0.0 if won is None and self.board.ply >= self._max_plies else won

    def current_player(self) -> int:
        """0 for Red, 1 for Black; TERMINAL behind the end."""
        return int(pyspiel.PlayerId.TERMINAL) if self._red is not None else int(self.board.turn != RED)

    def _legal_actions(self, player: int) -> list[int]:
        found: list[int] = legal_indices(self.board).tolist()
        return found

    def _apply_action(self, action: int) -> None:
        self.board.push(policy_move(action, self.board.turn))
        self._red = self._result()

    def _action_to_string(self, player: int, action: int) -> str:
        return policy_move(action, (player == 0) == RED).iccs()

    def is_terminal(self) -> bool:
        """Has the game ended?"""
        return self._red is not None

    def returns(self) -> list[float]:
        """1, 0 or -1 for Red and for Black."""
        red = self._red or 0.0
        return [red, 0.0 - red]

    def __str__(self) -> str:
        return self.board.fen()


class PlanesObserver:
    """The planes of a state: 14 x 10 x 9 of float32, 1 for a piece, own pieces and ranks first."""

    def __init__(self, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"there are no parameters of observations, such as {params}")
        self.tensor: np.ndarray[Any, Any] = np.zeros(len(PLANES) * 90, np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {"observation": self.tensor.reshape(-1, 10, 9)}

    def set_from(self, state: XiangqiState, player: int) -> None:
        """Fill the arrays, seen by the side to move."""
        self.dict["observation"][:] = Positions([state.board]).planes()[0]

    def string_from(self, state: XiangqiState, player: int) -> str:
        """The position as text."""
        return str(state)


pyspiel.register_game(_TYPE, XiangqiGame)
