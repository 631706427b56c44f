"""The 2,086 move labels of the Chinese AlphaZero programs, and where they stand among our policy indices.

The order is that of `create_uci_labels` of cchess-zero and its descendants (chengstone, 2018): by square of
departure, file after file; lines along the rank, along the file, knight's jumps; then advisors, then
elephants. Labels are absolute: they name squares of the board, not squares as the side to move sees them.

>>> len(LABELS), LABELS[0], LABELS[-1]
(2086, 'a0b0', 'i7g9')
>>> from eleengine import RED, Move
>>> from eleengine.ml import policy_index
>>> numbers = label_numbers(RED)
>>> LABELS[numbers[policy_index(Move.from_iccs("h2e2"), RED)]]
'h2e2'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from .._core import Move
from ..pieces import Color
from ..squares import square_name
from .positions import POLICY_SIZE, Array, policy_index, policy_move

_JUMPS: Final = ((-2, -1), (-1, -2), (-2, 1), (1, -2), (2, -1), (-1, 2), (2, 1), (1, 2))


# Each step and its way back, advisors first, in the order of the labels.
_DIAGONALS: Final = (
    "d7e8 e8f9 d0e1 e1f2 d2e1 e1f0 d9e8 e8f7 "
    "a2c4 c0e2 e2g4 g0i2 a7c9 c5e7 e7g9 g5i7 a2c0 c4e2 e2g0 g4i2 a7c5 c9e7 e7g5 g9i7"
)


def _labels() -> Iterator[str]:
    for file in range(9):
        for rank in range(10):
            targets = [(other, rank) for other in range(9)] + [(file, other) for other in range(10)]
            targets += [(file + df, rank + dr) for df, dr in _JUMPS]
            for to_file, to_rank in targets:
                if (to_file, to_rank) != (file, rank) and 0 <= to_file < 9 and 0 <= to_rank < 10:
                    yield square_name(9 * rank + file) + square_name(9 * to_rank + to_file)
    for step in _DIAGONALS.split():
        yield step
        yield step[2:] + step[:2]


#: All labels, moves in ICCS, in their order.
LABELS: Final = tuple(_labels())


def label_numbers(turn: Color) -> Array:
    """For each policy index of the side `turn` the number of its label, or -1: POLICY_SIZE of int64.

    Moves without a label are steps that only composed positions know, such as those of an advisor that has
    left its lines.
    """
    number = {label: i for i, label in enumerate(LABELS)}
    return np.array([number.get(policy_move(i, turn).iccs(), -1) for i in range(POLICY_SIZE)], np.int64)


def policy_numbers(turn: Color) -> Array:
    """For each label the policy index of the same move of the side `turn`, or -1: 2,086 of int64.

    The 24 labels without an index for a side are steps of the other side's elephants and advisors.
    """

    def index(label: str) -> int:
        try:
            return policy_index(Move.from_iccs(label), turn)
        except ValueError:
            return -1

    return np.array([index(label) for label in LABELS], np.int64)
