"""What a sequential test that has stopped says of the true difference.

A test stops when the results look good or bad, so the plain estimate lies too far out, and its interval
holds the truth too seldom. Here outcomes are ordered, as in group sequential trials: best is to reach the
upper bound, the earlier the better; then to be under way, by the likelihood ratio; then to reach the lower
bound, the later the better. The limits are the differences at which an outcome at least as good, or at least
as bad, has the chance that the confidence leaves; the estimate is the one at which both are equally likely.

The log-likelihood ratio is taken for a Brownian motion with drift between two bounds; as it moves by
steps and overshoots, the bounds are moved outward by 0.583 of a step's deviation.

Source: D. Siegmund, "Sequential Analysis" (1985), for the order, the step correction and the distributions.
"""

from __future__ import annotations

import math
from typing import NamedTuple

OVERSHOOT = 0.583  # of a step's standard deviation
SHORT = 0.04  # of the bounds' distance squared: with a variance below, only the nearer bound matters
STEPS = 60  # of a bisection


class RandomWalk(NamedTuple):
    """A walk from 0 that ends at one of two bounds, low < 0 < high; variance: of a step."""

    low: float
    high: float
    variance: float

    def chance_of_better(self, drift: float, steps: int, value: float) -> float:
        """The chance of an outcome better than to be at `value` after `steps` steps.

        value: at or beyond a bound if the walk has ended there. drift: mean of a step.

        >>> walk = RandomWalk(-3, 3, 0.01)
        >>> round(walk.chance_of_better(0, 500, 0), 6), walk.chance_of_better(0.1, 10**6, -3) > 0.999
        (0.5, True)
        """
        margin = OVERSHOOT * math.sqrt(self.variance)
        width = self.high - self.low + 2 * margin
        start = margin - self.low  # above the lower bound
        end = width if value >= self.high else 0.0 if value <= self.low else value + start
        spread = self.variance * steps
        lean = drift / self.variance
        if spread < SHORT * width**2:
            return _near_one_bound(lean, spread, start, end, width)
        return _between_bounds(lean, spread, start, end, width)

    def drift_at(self, chance: float, steps: int, value: float, bound: float) -> float:
        """The drift, within -most..most, at which the chance of a better outcome is this one."""
        low, high = -bound, bound
        for _ in range(STEPS):
            middle = (low + high) / 2
            if self.chance_of_better(middle, steps, value) < chance:
                low = middle
            else:
                high = middle
        return (low + high) / 2


def _between_bounds(lean: float, spread: float, start: float, end: float, width: float) -> float:
    """Both bounds, 0 and width, matter: the eigenfunctions of the motion that ends there."""
    found = _chance_of_high(lean, start, width)
    factor = 2 / width * math.exp(lean * (end - start) - lean**2 * spread / 2)
    n = 1
    while (fading := math.exp(-((n * math.pi / width) ** 2) * spread / 2)) > 1e-12 / (1 + factor):
        k = n * math.pi / width
        shape = (k * math.cos(k * end) - lean * math.sin(k * end)) / (lean**2 + k**2)
        found += factor * fading * math.sin(k * start) * shape
        n += 1
    return min(1.0, max(0.0, found))


def _chance_of_high(lean: float, start: float, width: float) -> float:
    """That the upper bound is reached before the lower one."""
    if abs(lean) * width < 1e-6:
        return start / width
    if lean > 0:
        return math.expm1(-2 * lean * start) / math.expm1(-2 * lean * width)
    above = math.exp(2 * lean * (width - start))
    return above * math.expm1(2 * lean * start) / math.expm1(2 * lean * width)


def _near_one_bound(lean: float, spread: float, start: float, end: float, width: float) -> float:
    """A walk too short to have met both bounds: the reflection principle at the nearer one."""
    deviation, gone, way = math.sqrt(spread), lean * spread, end - start
    if end >= width / 2:
        rest = width - start
        worse = _tail(0.0, (gone - way) / deviation)
        return 1 - worse + _tail(2 * lean * rest, (gone + 2 * rest - way) / deviation)
    better = _tail(0.0, (way - gone) / deviation)
    return better - _tail(-2 * lean * start, (2 * start + way - gone) / deviation)


def _tail(exponent: float, far: float) -> float:
    """exp(exponent) times the chance of a standard normal value above far."""
    if far > 20:  # the first term of the asymptotic series, where erfc is near 0
        return math.exp(min(700.0, exponent - far**2 / 2)) / (far * math.sqrt(2 * math.pi))
    return math.exp(min(700.0, exponent)) * math.erfc(far / math.sqrt(2)) / 2
