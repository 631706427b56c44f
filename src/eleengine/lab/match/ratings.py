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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import mul
from statistics import NormalDist
from typing import NamedTuple

from .stats import check_counts

__all__ = ["LOGIT", "Counts", "Rating", "ratings"]

LOGIT = 400 / math.log(10)  #: Elo for one unit of the logarithm of the odds
PRIOR_VARIANCE = 0.5  # of scores of pairs: like that of coins in four pairs of equal players
STEPS, CLOSE = 100, 1e-7  # of Newton's method: at most, and the change of a rating that ends it
LONGEST = 2.0  # step of a rating, in units of LOGIT
STIFF = 1e6  # of the spring that holds a rating at a value
MANY = 32  # players, whose intervals are computed in a shorter way
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
    best = field.best()
    allowed = NormalDist().inv_cdf(0.5 + confidence / 2) ** 2 * field.scatter(best)
    table = [
        Rating(name, LOGIT * elo, LOGIT * low, LOGIT * high, points, games)
        for name, elo, (low, high), points, games in zip(
            field.names, best, field.limits(best, allowed), field.points, field.games, strict=True
        )
    ]
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
            if (one := group[a]) != (other := group[b]):
                group = [one if number == other else number for number in group]
        if apart := [name for name, number in zip(self.names, group, strict=True) if number != group[0]]:
            shown = f"{', '.join(apart[:3])}{' ...' if len(apart) > 3 else ''}"
            raise ValueError(f"no games link {self.names[0]} with {shown}: rate them apart")

    def scatter(self, ratings: Sequence[float]) -> float:
        """The variance of the results around what is expected, in units of that of coins."""
        found = expected = 0.0
        pairs = 0  # or games
        for (a, b), counts in self._results:
            p = _chance(ratings[a] - ratings[b])
            most = len(counts) - 1  # half points
            found += sum(n * (i / most - p) ** 2 for i, n in enumerate(counts))
            expected += sum(counts) * p * (1 - p) / (most / 2)
            pairs += sum(counts)
        free = max(1, pairs - len(self.names) + 1)
        return (found * pairs / free + PRIOR_VARIANCE) / (expected + PRIOR_VARIANCE)

    def likelihood(self, ratings: Sequence[float]) -> float:
        """Its logarithm, as if games were coins."""
        return sum(
            won * (x := ratings[a] - ratings[b]) - games * _softplus(x) for a, b, won, games in self._scores
        )

    def best(
        self, start: Sequence[float] | None = None, index: int = 0, held: float | None = None
    ) -> list[float]:
        """The ratings of the greatest likelihood, one of them held at a value if there is one."""
        n = len(self.names)
        ratings = [0.0] * n if start is None else list(start)
        # On the rating, or on that above the mean.
        pull = [(i == index) - (0 if self._anchors else 1 / n) for i in range(n)]
        for _ in range(STEPS):
            slope, bend = self._slope(ratings), self._information(ratings)
            if held is not None:
                off = held - sum(map(mul, pull, ratings))
                for i, x in enumerate(pull):
                    slope[i] += STIFF * off * x
                    bend[i] = [value + STIFF * x * y for value, y in zip(bend[i], pull, strict=True)]
            step = _solve(_factor(bend), slope)
            longest = max(map(abs, step))
            part = min(1.0, LONGEST / longest) if longest else 1.0
            ratings = [x + part * d for x, d in zip(ratings, step, strict=True)]
            if longest < CLOSE:
                break
        mean = 0.0 if self._anchors else sum(ratings) / n
        return [x - mean for x in ratings]

    def _slope(self, ratings: Sequence[float]) -> list[float]:
        """The first derivatives of the likelihood, and what pulls on the anchors."""
        found = [0.0] * len(ratings)
        for i, value in self._anchors.items():
            found[i] += STIFF * (value - ratings[i])
        for a, b, won, games in self._scores:
            rest = won - games * _chance(ratings[a] - ratings[b])
            found[a] += rest
            found[b] -= rest
        return found

    def _information(self, ratings: Sequence[float]) -> list[list[float]]:
        """Minus the second derivatives of the likelihood, with the sum of all ratings or the anchors held."""
        n = len(self.names)
        found = [[0.0 if self._anchors else 1 / n] * n for _ in range(n)]
        for i in self._anchors:
            found[i][i] += STIFF
        for a, b, _, games in self._scores:
            p = _chance(ratings[a] - ratings[b])
            weight = games * p * (1 - p)
            found[a][a] += weight
            found[b][b] += weight
            found[a][b] -= weight
            found[b][a] -= weight
        return found

    def limits(self, best: Sequence[float], allowed: float) -> Iterator[tuple[float, float]]:
        """For each player the ratings below and above the best where twice the likelihood falls by `allowed`.

        All other ratings are chosen best; with MANY players or more as if they changed in proportion, and
        games among others counted by their second derivatives.
        """
        fall = self._falls(best) if len(best) < MANY else self._quick_falls(best)
        for index, rating in enumerate(best):
            if index in self._anchors:
                yield rating, rating
            else:
                of_player = fall(index)
                low, high = (sign * _away(of_player, sign, allowed) for sign in (-1, 1))
                yield rating + low, rating + high

    def _falls(self, best: Sequence[float]) -> Callable[[int], Callable[[float], float]]:
        """By how much twice the likelihood falls when a player's rating changes."""
        top = self.likelihood(best)

        def of_player(index: int) -> Callable[[float], float]:
            ratings = best

            def fall(away: float) -> float:
                nonlocal ratings
                ratings = self.best(ratings, index, best[index] + away)
                return 2 * (top - self.likelihood(ratings))

            return fall

        return of_player

    def _quick_falls(self, best: Sequence[float]) -> Callable[[int], Callable[[float], float]]:
        """About the same as `_falls`."""
        n = len(best)
        factor = _factor(self._information(best))
        met: list[dict[int, float]] = [{} for _ in best]
        for a, b, _, games in self._scores:
            met[a][b] = met[b][a] = met[a].get(b, 0.0) + games

        def of_player(index: int) -> Callable[[float], float]:
            covariance = _solve(factor, [float(i == index) for i in range(n)])
            if not self._anchors:
                covariance = [x - 1 / n for x in covariance]  # of ratings above the mean
            variance = covariance[index]
            own = [  # games, difference of ratings, and how it changes with the player's rating
                (games, best[index] - best[other], 1 - covariance[other] / variance)
                for other, games in met[index].items()
            ]
            others = 1 / variance - sum(games * _chance(x) * _chance(-x) * y * y for games, x, y in own)

            def fall(away: float) -> float:
                found = others * away * away
                for games, x, change in own:
                    d = change * away
                    found += 2 * games * (_softplus(x + d) - _softplus(x) - _chance(x) * d)
                return found

            return fall

        return of_player


def _away(fall: Callable[[float], float], sign: int, allowed: float) -> float:
    """By how much a rating changes, down or up, until the fall is what is allowed."""
    away = FIRST_TRY
    for _ in range(TRIES):
        grown = math.sqrt(allowed / max(fall(sign * away), 1e-9))  # it grows as the square, or more slowly
        away *= min(max(grown, 0.1), 10.0)
        if abs(grown - 1) < CLOSE_LIMIT:
            break
    return away


def _softplus(x: float) -> float:
    """log(1 + exp(x)), whose slope is the chance."""
    return max(x, 0.0) + math.log1p(math.exp(-abs(x)))


def _chance(x: float) -> float:
    return 1 / (1 + math.exp(-x)) if x > -700 else 0.0


def _factor(matrix: list[list[float]]) -> list[list[float]]:
    """The factor of Cholesky of a symmetric positive definite matrix: its lower triangle, by rows."""
    rows: list[list[float]] = []
    for i, line in enumerate(matrix):
        row: list[float] = []
        for value, other in zip(line, rows, strict=False):
            row.append((value - sum(map(mul, row, other))) / other[-1])
        row.append(math.sqrt(line[i] - sum(map(mul, row, row))))
        rows.append(row)
    return rows


def _solve(rows: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of the linear equations whose matrix has this factor."""
    found: list[float] = []
    for row, value in zip(rows, right, strict=True):
        found.append((value - sum(map(mul, row, found))) / row[-1])
    for i in reversed(range(len(rows))):
        row = rows[i]
        found[i] = last = found[i] / row[-1]
        found[:i] = [x - y * last for x, y in zip(found[:i], row, strict=False)]
    return found
