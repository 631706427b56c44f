"""SPSA: tune many numbers at once by games between two sets that differ in all of them.

Simultaneous perturbation stochastic approximation (J. C. Spall, "Implementation of the simultaneous
perturbation algorithm for stochastic optimization", IEEE Transactions on Aerospace and Electronic Systems
34, 1998): add c_k to or subtract it from each number by the toss of a coin, let the two opposite sets play,
and move all numbers towards the winner. The gains are those that testers of chess engines use: the last step
is `rate` times the last c for a whole point.

>>> plan = SpsaPlan((Tunable("a", 0, -100, 100, 10), Tunable("b", 50, -100, 100, 10)), steps=400, rate=0.02)
>>> def measure(pairs):      # how much better plus is than minus, as the points of two games
...     return [(f(minus) - f(plus)) / 500 for plus, minus in pairs]
>>> def f(x):                # to be minimum at (40, -20)
...     return (x["a"] - 40) ** 2 + (x["b"] + 20) ** 2
>>> plan.rounded(tune(plan, measure))
{'a': 40, 'b': -20}
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["SpsaPlan", "Tunable", "tune"]

Values = dict[str, int]


class Tunable(NamedTuple):
    """A number to tune: where it starts, its range, and how far from it the last sets are."""

    name: str
    start: float
    minimum: int
    maximum: int
    step: float


@dataclass(frozen=True)
class SpsaPlan:
    """What a run depends on.

    steps: pairs of opposite sets. batch: of them measured at the same point, so that they may be played at
    once. rate: the last step for a point, in units of the last perturbation. stability: the part of the
    steps in which the gain stays small. alpha, gamma: how the gains of steps and perturbations decay.
    ValueError: what is out of range.
    """

    tunables: tuple[Tunable, ...]
    steps: int
    batch: int = 1
    rate: float = 0.002
    alpha: float = 0.602
    gamma: float = 0.101
    stability: float = 0.1
    seed: int = 1

    def __post_init__(self) -> None:
        names = [t.name for t in self.tunables]
        if not names:
            raise ValueError("SPSA needs numbers to tune")
        if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
            raise ValueError(f"{', '.join(twice)}: named twice")
        for t in self.tunables:
            if not t.minimum <= t.start <= t.maximum or not 0 < t.step <= t.maximum - t.minimum:
                raise ValueError(
                    f"{t.name}: start {t.start:g}, step {t.step:g} do not fit {t.minimum} to {t.maximum}"
                )
        if self.steps < 0 or self.batch < 1 or not 0 < self.rate < math.inf:
            raise ValueError("SPSA needs steps, a batch of at least one and a finite rate above 0")

    def gains(self, step: int) -> tuple[float, float]:
        """For a step from 0: the move for a point in units of each tunable's step, and the perturbation."""
        first = self.stability * self.steps
        spread = (self.steps / (step + 1)) ** self.gamma
        gain = self.rate * ((first + self.steps) / (first + step + 1)) ** self.alpha
        return gain / spread, spread

    def rounded(self, point: Sequence[float]) -> Values:
        """The nearest whole numbers."""
        return {t.name: round(x) for t, x in zip(self.tunables, point, strict=True)}


def tune(
    plan: SpsaPlan,
    measure: Callable[[list[tuple[Values, Values]]], Sequence[float]],
    report: Callable[[int, list[float]], object] | None = None,
) -> list[float]:
    """The point at which the run ends.

    measure: the points of the first set less those of the second, for each pair of sets; it may ask a
    journal, and is called with the same sets in each run of the same plan with the same answers.
    report: called after each batch with the steps done and the point.
    """
    rng = random.Random(plan.seed)
    point = [float(t.start) for t in plan.tunables]
    for first in range(0, plan.steps, plan.batch):
        steps = range(first, min(first + plan.batch, plan.steps))
        signs = [[rng.choice((-1, 1)) for _ in point] for _ in steps]
        sets = []
        for step, sign in zip(steps, signs, strict=True):
            _, spread = plan.gains(step)
            toss = [rng.random() for _ in point]  # rounds the same way up or down on both sides
            sets.append((_moved(plan, point, sign, spread, toss), _moved(plan, point, sign, -spread, toss)))
        results = measure(sets)
        for step, sign, result in zip(steps, signs, results, strict=True):
            gain, _ = plan.gains(step)
            point = [
                x + gain * t.step * s * result for x, t, s in zip(point, plan.tunables, sign, strict=True)
            ]
        point = [min(max(x, t.minimum), t.maximum) for x, t in zip(point, plan.tunables, strict=True)]
        if report is not None:
            report(steps[-1] + 1, point)
    return point


def _moved(plan: SpsaPlan, point: list[float], sign: list[int], spread: float, toss: list[float]) -> Values:
    found = {}
    for t, x, s, up in zip(plan.tunables, point, sign, toss, strict=True):
        value = math.floor(x + s * spread * t.step + up)
        found[t.name] = min(max(value, t.minimum), t.maximum)
    return found
