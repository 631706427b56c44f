"""Ratings of many players by the results of their games, with intervals.

>>> results = {("a", "b"): [0, 2, 4, 6, 8], ("b", "c"): [1, 3, 8, 3, 1], ("a", "c"): [0, 3, 3, 7, 7]}
>>> [(r.name, round(r.elo), round(r.low), round(r.high)) for r in ratings(results)]
[('a', 118, 73, 165), ('c', -55, -102, -10), ('b', -63, -109, -18)]

The model is that of R. Bradley and M. Terry (1952): the expected score of a game depends on the difference of
two ratings. Results of games are less scattered than tosses of a coin, because there are draws and the two
games of a pair have one opening: the likelihood is that of coins, and its differences are divided by the
scatter found (R. Wedderburn, "Quasi-likelihood functions, generalized linear models, and the Gauss-Newton
method", 1974). Estimate and interval are of this one likelihood: the interval holds the ratings at which it
is not too small with all other ratings chosen best.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from statistics import NormalDist
from typing import NamedTuple

from .stats import check_counts

LOGIT = 400 / math.log(10)  #: Elo for one unit of the logarithm of the odds
PRIOR_VARIANCE = 0.5  # of scores of pairs: like that of coins in four pairs of equal players
STEPS, CLOSE = 100, 1e-7  # of Newton's method: at most, and the change of a rating that ends it
LONGEST = 2.0  # step of a rating, in units of LOGIT
STIFF = 1e6  # of the spring that holds a rating at a value
FIRST_TRY, CLOSE_LIMIT, TRIES = 0.2, 1e-4, 50  # for the end of an interval


class Rating(NamedTuple):
    """A line of a rating table: Elo above the mean of all players, with its interval."""

    name: str
    elo: float
    low: float
    high: float
    points: float
    games: int


Counts = tuple[tuple[str, str], Sequence[int]]  #: names of two, three or five counts for the first


def ratings(
    results: Mapping[tuple[str, str], Sequence[int]] | Iterable[Counts],
    *,
    confidence: float = 0.95,
    anchors: Mapping[str, float] | None = None,
) -> list[Rating]:
    """Ratings of players by the results of all their games, best first.

    results: for each pairing (a, b), from a's side, five counts of pairs of games or three of games. anchors:
    ratings that are known; without any the mean of all is 0. ValueError: nobody met anybody, an anchor is
    unknown, or some players never met any of the others.

    Each player counts half a drawn game more than it had, and half a one comes from those it met, spread over
    all, so that no rating is infinite; for two players that is the prior of Jeffreys.
    """
    pairings = list(results.items() if isinstance(results, Mapping) else results)
    for _, counts in pairings:
        check_counts(counts)
    field = _Field(pairings, anchors or {})
    best = field.best(None)
    allowed = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2 * field.scatter(best)
    table = []
    for index, name in enumerate(field.names):
        low, high = (field.limit(index, best, sign, allowed) for sign in (-1, 1))
        table.append(
            Rating(
                name, LOGIT * best[index], LOGIT * low, LOGIT * high, field.points[index], field.games[index]
            )
        )
    return sorted(table, key=lambda rating: -rating.elo)


class _Field:
    """Players by number, what they scored against each other, and the likelihood of ratings.

    Ratings are in units of LOGIT; without anchors their sum is 0.
    """

    def __init__(self, results: Sequence[Counts], anchors: Mapping[str, float]) -> None:
        self.names = sorted({name for pairing, _ in results for name in pairing})
        indices = {name: index for index, name in enumerate(self.names)}
        if unknown := [name for name in anchors if name not in indices]:
            raise ValueError(f"no games of {', '.join(unknown)}")
        self._anchors = {indices[name]: elo / LOGIT for name, elo in anchors.items()}
        self._results = [((indices[a], indices[b]), list(counts)) for (a, b), counts in results]
        self._check_connected()
        met = [0] * len(self.names)
        for pairing, _ in self._results:
            for index in pairing:
                met[index] += 1
        self.points = [0.0] * len(self.names)
        self.games = [0] * len(self.names)
        self._scores: list[tuple[int, int, float, float]] = []  # points of the first, games, prior included
        for (a, b), counts in self._results:
            won, games = sum(n * i / 2 for i, n in enumerate(counts)), sum(counts) * (len(counts) - 1) // 2
            self.points[a] += won
            self.points[b] += games - won
            self.games[a] += games
            self.games[b] += games
            prior = (1 / met[a] + 1 / met[b]) / 2
            self._scores.append((a, b, won + prior / 2, games + prior))

    def _check_connected(self) -> None:
        """ValueError if the players fall into groups that never met."""
        if not self._results:
            raise ValueError("there are no games to rate")
        group = list(range(len(self.names)))
        for (a, b), _ in self._results:
            one, other = group[a], group[b]
            group = [one if number == other else number for number in group]
        if apart := [name for name, number in zip(self.names, group, strict=True) if number != group[0]]:
            shown = f"{', '.join(apart[:3])}{' ...' if len(apart) > 3 else ''}"
            raise ValueError(f"no games link {self.names[0]} with {shown}: rate them apart")

    def likelihood(self, ratings: Sequence[float]) -> float:
        """Its logarithm, as if games were coins."""
        total = 0.0
        for a, b, won, games in self._scores:
            x = ratings[a] - ratings[b]
            total += won * x - games * (max(x, 0.0) + math.log1p(math.exp(-abs(x))))
        return total

    def scatter(self, ratings: Sequence[float]) -> float:
        """The variance of the results around what is expected, in units of that of coins."""
        found = expected = 0.0
        pairs = 0  # or games
        for (a, b), counts in self._results:
            p = _chance(ratings[a] - ratings[b])
            max_points = len(counts) - 1  # half points
            found += sum(n * (i / max_points - p) ** 2 for i, n in enumerate(counts))
            expected += sum(counts) * p * (1 - p) / (max_points / 2)
            pairs += sum(counts)
        free = max(1, pairs - len(self.names) + 1)
        return (found * pairs / free + PRIOR_VARIANCE) / (expected + PRIOR_VARIANCE)

    def best(self, start: Sequence[float] | None, index: int = 0, held: float | None = None) -> list[float]:
        """The ratings of the greatest likelihood, one of them held at a value if there is one."""
        n = len(self.names)
        ratings = list(start) if start is not None else [0.0] * n
        free = not self._anchors
        spring = [(i == index) - free / n for i in range(n)]  # pulls on the rating, or on that above the mean
        for _ in range(STEPS):
            slope = [0.0] * n
            bend = [[free / n] * n for _ in range(n)]  # keeps the sum where it is
            for i, value in self._anchors.items():
                slope[i] += STIFF * (value - ratings[i])
                bend[i][i] += STIFF
            for a, b, won, games in self._scores:
                p = _chance(ratings[a] - ratings[b])
                slope[a] += won - games * p
                slope[b] -= won - games * p
                weight = games * p * (1 - p)
                bend[a][a] += weight
                bend[b][b] += weight
                bend[a][b] -= weight
                bend[b][a] -= weight
            if held is not None:
                off = held - sum(x * y for x, y in zip(spring, ratings, strict=True))
                for i, x in enumerate(spring):
                    slope[i] += STIFF * off * x
                    for k, y in enumerate(spring):
                        bend[i][k] += STIFF * x * y
            step = _solve(bend, slope)
            longest = max(map(abs, step))
            part = min(1.0, LONGEST / longest) if longest else 1.0
            ratings = [x + part * d for x, d in zip(ratings, step, strict=True)]
            if longest < CLOSE:
                break
        mean = sum(ratings) / n if free else 0.0
        return [x - mean for x in ratings]

    def limit(self, index: int, best: list[float], sign: int, allowed: float) -> float:
        """The rating of a player, below or above the best, where twice the likelihood falls by `allowed`."""
        if index in self._anchors:
            return best[index]
        top = self.likelihood(best)
        away = FIRST_TRY
        ratings = best
        for _ in range(TRIES):
            ratings = self.best(ratings, index, best[index] + sign * away)
            fall = 2 * (top - self.likelihood(ratings))
            change = math.sqrt(allowed / max(fall, 1e-9))  # the fall grows as the square, or more slowly
            away *= min(max(change, 0.1), 10.0)
            if abs(change - 1) < CLOSE_LIMIT:
                break
        return best[index] + sign * away


def _chance(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations with a symmetric positive definite matrix."""
    n = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(n):
        pivot = rows[i]
        for j in range(i + 1, n):
            if factor := rows[j][i] / pivot[i]:
                row = rows[j]
                for k in range(i, n + 1):
                    row[k] -= factor * pivot[k]
    found = [0.0] * n
    for i in reversed(range(n)):
        found[i] = (rows[i][n] - sum(rows[i][k] * found[k] for k in range(i + 1, n))) / rows[i][i]
    return found
