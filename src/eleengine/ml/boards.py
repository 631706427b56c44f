"""Games on many boards at once, for players that learn from games against themselves.

>>> import numpy as np
>>> from eleengine.ml import Boards
>>> boards, rng = Boards(64, max_plies=200), np.random.default_rng(1)
>>> finished = 0
>>> for _ in range(300):
...     legal = boards.positions().legal_moves()
...     actions = (rng.random(legal.shape) * legal).argmax(axis=1)  # by chance
...     results = boards.play(actions)
...     finished += np.count_nonzero(~np.isnan(results))
>>> bool(finished >= 64)
True
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from .._core import STARTING_FEN, BoardBatch
from .._internal.copying import NotCopied
from ..board import Board
from ..pieces import Color
from ..rules import rule_set_number
from .positions import Array, Positions, results_for


class Boards(NotCopied):
    """Games on n boards, 1 to 65,536, each of which begins anew when its game has ended.

    Playing lets go of the GIL, and threads share it. fen: where games begin. rule_set: which judges
    repetitions, see `eleengine.rules.RULE_SETS`. max_plies: longer games are drawn. ValueError for what is
    out of range.
    """

    def __init__(
        self, n: int, *, fen: str = STARTING_FEN, rule_set: str = "axf", max_plies: int = 400
    ) -> None:
        self._fen = Board(fen).fen()
        self._batch = BoardBatch(self._fen, n, rule_set=rule_set_number(rule_set), max_plies=max_plies)

    def __len__(self) -> int:
        return len(self._batch)

    def positions(self) -> Positions:
        """The positions as they are, each with its ply, and the number of its board as game."""
        return Positions._of_array(self._batch.take())

    def play(self, actions: ArrayLike, *, threads: int = 1) -> Array:
        """Play on each board the move of a number of `policy_index`; a board whose game ends begins anew.

        Returns the results for the sides that have moved: n of float32, 1 won, 0 drawn, -1 lost, nan where
        the game goes on. ValueError for an action that is no legal move; then none is played.
        """
        numbers = np.ascontiguousarray(actions)
        if numbers.dtype.kind not in "iu" or numbers.shape != (len(self),):
            raise ValueError(
                f"{len(self)} boards need as many integers, not {numbers.dtype} of {numbers.shape}"
            )
        turns = self.positions().turns()
        results = np.empty(len(self), np.uint8)
        self._batch.play(numbers.astype(np.int64), results, threads=threads)
        return results_for(turns, results)

    def board(self, index: int) -> Board:
        """One of the boards with its moves, as a copy; IndexError."""
        board = Board(self._fen)
        for move in self._batch.board(range(len(self))[index]).move_stack:
            board.push(move)
        return board


def reward(board: Board, color: Color, rule_set: str) -> float | None:
    """1 for a win of the side, 0 for a draw, -1 for a loss; None while the game goes on."""
    outcome = board.outcome(rule_set=rule_set)
    if outcome is None:
        return None
    return 0.0 if outcome.winner is None else 1.0 if outcome.winner == color else -1.0
