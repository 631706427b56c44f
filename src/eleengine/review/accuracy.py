"""How well a side played: the accuracy that lichess has published, with the winning chances of Xiangqi.

Each move gets 0 to 100 by the winning chances that it lost, and a side the mean of two means of its moves:
one weighted by how much the chances moved about (a move in a sharp position counts more), and the harmonic
one (a bad move counts more than a good one).

What a decided position still had to lose counts, too: see `eleengine.review.chances.points_lost`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import harmonic_mean, pstdev
from typing import Final

from .._core import check_color
from ..pieces import RED, Color
from .chances import winning_chances
from .judging import MoveReview

_WINDOWS: Final = (2, 8)  # positions whose chances make a weight: a tenth of the game, within these
_WEIGHTS: Final = (0.5, 12.0)


def move_accuracy(lost: float) -> float:
    """The accuracy of a move, 0 to 100, by what it lost, 0 to 1.

    >>> [round(move_accuracy(lost)) for lost in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)]
    [100, 80, 64, 40, 9, 0]
    """
    return max(0.0, min(100.0, 103.1668100711649 * math.exp(-4.354415386753951 * lost) - 3.166924740191411))


def side_accuracy(moves: Sequence[MoveReview], side: Color) -> float | None:
    """The accuracy of a side, 0 to 100; None if it has no move outside the opening book.

    moves: of both sides, from the start of the game.
    """
    side = check_color(side)
    chances = [100 * winning_chances(moves[0].before.pov(RED))] if moves else []
    chances += [100 * winning_chances(move.after.pov(RED)) for move in moves]
    size = max(_WINDOWS[0], min(_WINDOWS[1], len(moves) // 10))
    accuracies, weights = [], []
    for ply, move in enumerate(moves, 1):
        if move.side != side or move.in_book:
            continue
        accuracies.append(move_accuracy(move.lost))
        first = max(0, ply + 1 - size)
        window = chances[first : first + size]
        weights.append(max(_WEIGHTS[0], min(_WEIGHTS[1], pstdev(window))))
    if not accuracies:
        return None
    weighted = sum(map(math.prod, zip(accuracies, weights, strict=True))) / sum(weights)
    return (weighted + harmonic_mean([max(1.0, found) for found in accuracies])) / 2
