"""Winning chances: what a score is worth, fitted to the results of masters."""

from __future__ import annotations

import math
from typing import Final

from ..pieces import Color
from ..score import Cp, PovScore, Score

# Centipawns. One position of each of 2,930 master games was searched with 10,000 nodes and the network: 215
# predicts the results best by the squared error, 220 by the log loss.
SCALE: Final = 220.0
#: Positions in which chances hardly move are judged on a scale that is wider by this, and count half.
WIDTH: Final = 4.0


def winning_chances(score: Score, scale: float = SCALE) -> float:
    """The points to expect with a score, from 0 (lost) to 1 (won); a draw counts 1/2.

    scale: centipawns that multiply the odds by e.

    >>> from eleengine.score import Cp, Mate
    >>> winning_chances(Cp(0)), round(winning_chances(Cp(220)), 2), winning_chances(Mate(-3))
    (0.5, 0.73, 0.0)
    """
    centipawns = score.score()
    if centipawns is None:
        return 1.0 if score > Cp(0) else 0.0
    return 1 / (1 + math.exp(-max(-20.0, min(20.0, centipawns / scale))))


def points_lost(before: PovScore, after: PovScore, side: Color) -> float:
    """What a move of a side lost, 0 to 1: winning chances or, where these are decided, material.

    >>> from eleengine import RED
    >>> from eleengine.score import Cp
    >>> lost = lambda one, two: round(points_lost(PovScore(Cp(one), RED), PovScore(Cp(two), RED), RED), 2)
    >>> lost(0, -100), lost(-1500, -2500), lost(-1500, -1400)
    (0.11, 0.05, 0.0)
    """
    had, has = before.pov(side), after.pov(side)
    narrow = winning_chances(had) - winning_chances(has)
    wide = winning_chances(had, WIDTH * SCALE) - winning_chances(has, WIDTH * SCALE)
    return max(0.0, narrow, wide / 2)
