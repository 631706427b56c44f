"""What the results of games prove: Elo with intervals, likelihood of superiority, SPRT.

Results are counted by score, worst first: three counts (losses, draws, wins) of single games, or five
counts of pairs (0, 1/2, 1, 1 1/2 and 2 points out of 2). A pair is one opening played with both colours.
Its two games are not independent, so pairs are the better unit wherever there are any.

>>> result = estimate([34, 54, 63, 64, 75])
>>> f"{result.elo:+.1f} [{result.low:+.1f}, {result.high:+.1f}], LOS {result.los:.4f}"
'+55.6 [+28.0, +83.3], LOS 1.0000'
>>> test = Sprt(0, 10)
>>> round(test.llr([34, 54, 63, 64, 75]), 2), test.verdict([34, 54, 63, 64, 75])
(2.55, None)

Sources: M. Van den Bergh, "The generalized SPRT", "Normalized Elo" and "Normalized Elo: practical"
(hardy.uhasselt.be/Fishtest): the likelihood ratio of two composite hypotheses, with the maximum
likelihood distribution under each; A. Owen, "Empirical likelihood" (2001), for intervals by the same
likelihoods; A. Wald, "Sequential analysis" (1947), for the bounds. `ratings` rates many players.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Final, Literal, NamedTuple

from .stopping import RandomWalk

__all__ = ["Estimate", "Sprt", "check_counts", "elo_of", "estimate", "expected_score"]

Model = Literal["logistic", "normalized"]

NELO = 800 / math.log(10)  # normalized Elo for one standard deviation of a game's score
USUAL_DRAWS = 0.3
USUAL_DEVIATION = math.sqrt((1 - USUAL_DRAWS) / 8)  # of the score of a pair, 0 to 1, of equal players
MAX_ELO: Final = {"logistic": 1000, "normalized": 200}  # of a test, either way
MIN_WIDTH = 0.01  # Elo from H0 to H1
MIN_ERROR, MAX_ERROR = 1e-9, 0.49  # chances of a wrong end
UNSEEN = 1e-3  # counted in place of 0, as fishtest does, so that every likelihood is finite


class Estimate(NamedTuple):
    """A difference in strength, with the limits of its confidence interval."""

    games: int
    score: float  #: points of the first player per game, 0 to 1
    elo: float  #: logistic Elo difference, infinite for a score of 0 or 1
    low: float
    high: float
    nelo: float  #: normalized Elo difference: score above one half, in units of a game's deviation
    los: float  #: likelihood of superiority: chance that the first player is the stronger one


def elo_of(score: float) -> float:
    """The Elo difference at which the expected score (0 to 1) is this one; infinite at 0 and 1.

    >>> round(elo_of(0.76), 1), elo_of(1)
    (200.2, inf)
    """
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """The expected score per game of a player who is stronger by `elo`.

    >>> round(expected_score(-100), 3)
    0.36
    """
    return 1 / (1 + 10 ** (-elo / 400))


def estimate(counts: Sequence[int], *, confidence: float = 0.95) -> Estimate:
    """What three or five counts say about the difference between the players.

    The interval holds the scores that a likelihood ratio test does not reject. It needs no normal
    approximation of the score, so that it is right for one-sided and for short matches, too. LOS is the
    same test's one-sided confidence. Without games everything is open: 0 in [-inf, inf], LOS 1/2.
    ValueError for other numbers of counts, negative ones, or a confidence outside 0..1.
    """
    if not 0 < confidence < 1:
        raise ValueError(f"the confidence must be between 0 and 1, not {confidence}")
    check_counts(counts)
    games = sum(counts) * (2 if len(counts) == 5 else 1)
    if not games:
        return Estimate(0, 0.5, 0.0, -math.inf, math.inf, 0.0, 0.5)
    values = _values(counts)
    score = sum(n * x for n, x in zip(counts, values, strict=True)) / sum(counts)
    weights = _weights(counts)
    _, deviation = moments(weights)
    per_game = deviation * math.sqrt(2 if len(counts) == 5 else 1)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    root = math.copysign(math.sqrt(_deviance(weights, 0.5)[0]), score - 0.5) if score != 0.5 else 0.0
    return Estimate(
        games,
        score,
        elo_of(score),
        elo_of(_limit(weights, score, 0.0, z * z)),
        elo_of(_limit(weights, score, 1.0, z * z)),
        NELO * (score - 0.5) / per_game if 0 < score < 1 else elo_of(score),
        NormalDist().cdf(root),
    )


class Sprt(NamedTuple):
    """A sequential probability ratio test: is the difference elo0 (H0) or rather elo1 (H1)?

    alpha: chance to accept H1 where H0 is true; beta: to accept H0 where H1 is true.
    model: what elo0 and elo1 mean, "logistic" (usual) Elo, or "normalized" Elo, which makes the number
        of games that a test takes independent of how drawish and how unbalanced the openings are.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "logistic"

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted (Wald).

        >>> [round(bound, 2) for bound in Sprt(0, 5).bounds]
        [-2.94, 2.94]
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def check(self) -> None:
        """ValueError says what is wrong with the test."""
        if not self.elo0 < self.elo1:
            raise ValueError(f"elo0 must be below elo1, but {self.elo0:g} is not below {self.elo1:g}")
        if self.model not in MAX_ELO:
            raise ValueError(f"the model must be logistic or normalized, not {self.model!r}")
        bound = MAX_ELO[self.model]
        if max(-self.elo0, self.elo1) > bound:
            raise ValueError(
                f"elo0 and elo1 must be within -{bound}..{bound}, not {self.elo0:g} and {self.elo1:g}"
            )
        if self.elo1 - self.elo0 < MIN_WIDTH:
            raise ValueError(f"elo1 must be at least {MIN_WIDTH} above elo0, not {self.elo1 - self.elo0:g}")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not MIN_ERROR <= value <= MAX_ERROR:
                raise ValueError(f"{name} must be from {MIN_ERROR:g} to {MAX_ERROR}, not {value:g}")

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 over H0, from three or five counts; 0 without games."""
        check_counts(counts)
        if not any(counts):
            return 0.0
        weights = _weights(counts)
        q0, q1 = self._fit(weights, self.elo0), self._fit(weights, self.elo1)
        return sum(n * math.log(b / a) for n, a, b in zip(weights, q0, q1, strict=True))

    def verdict(self, counts: Sequence[int]) -> Literal["H0", "H1"] | None:
        """The hypothesis that is accepted, or None while the test goes on."""
        low, high = self.bounds
        llr = self.llr(counts)
        return "H1" if llr >= high else "H0" if llr <= low else None

    def _fit(self, weights: Sequence[float], elo: float) -> list[float]:
        if self.model == "logistic":
            return _fit_offsets(weights, [x - expected_score(elo) for x in _values(weights)])
        return _fit_normalized(weights, elo / NELO * math.sqrt(2 if len(weights) == 5 else 1))

    def course(self, elo: float, counts: Sequence[int] | None = None) -> tuple[float, float]:
        """How the test goes if elo is the true difference: the chance of H1, and the mean number of pairs.

        counts: five, whose scatter the pairs will have (default: USUAL_DEVIATION). After Wald's formulas for
        a sum that moves by small steps: real tests take a little longer.

        >>> chance, pairs = Sprt(0, 10).course(10)
        >>> round(chance, 3), round(pairs, -2)
        (0.95, 2200.0)
        """
        deviation = USUAL_DEVIATION
        if counts is not None and any(counts):
            deviation = moments(_weights(counts))[1]
        low, high, true = (self._score(x, deviation * math.sqrt(2)) for x in (self.elo0, self.elo1, elo))
        drift = (high - low) * (true - (low + high) / 2) / deviation**2  # of the LLR, a pair
        spread = ((high - low) / deviation) ** 2
        lower, upper = self.bounds
        power = -2 * drift / spread
        if abs(power) < 1e-6:
            return -lower / (upper - lower), -lower * upper / spread
        chance = math.expm1(power * lower) / (math.exp(power * lower) - math.exp(power * upper))
        return chance, (chance * upper + (1 - chance) * lower) / drift

    def corrected(self, counts: Sequence[int], *, confidence: float = 0.95) -> tuple[float, float, float]:
        """The Elo difference after this test, and the limits of its interval: `estimate` takes no account of
        the match having stopped because of its results.

        counts: three or five, looked at after each game or pair, up to the end of the test or to now.
        Near the bounds the estimate is as often too high as too low; far outside them it is too low. See
        `stopping`.

        >>> [round(elo) for elo in Sprt(0, 20).corrected([5, 8, 30, 18, 24])]
        [95, 45, 148]
        """
        check_counts(counts)
        if not any(counts):
            return 0.0, -math.inf, math.inf
        mean, deviation = moments(_weights(counts))
        # The likelihoods are those of distributions around low and high, which scatter more than the counts;
        # where they are depends on that, if Elo is normalized.
        observed, of_game = deviation, math.sqrt(2 if len(counts) == 5 else 1)
        for _ in range(100):  # each brings it closer by a sixth or more
            low, high = (self._score(x, deviation * of_game) for x in (self.elo0, self.elo1))
            deviation = math.hypot(observed, mean - (low + high) / 2)
        unit = (high - low) / deviation**2  # of the drift, for a score of 1
        walk = RandomWalk(*self.bounds, (high - low) * unit)
        llr, pairs = self.llr(counts), sum(counts)

        def elo_at(chance: float) -> float:
            drift = walk.drift_at(chance, pairs, llr, bound=unit)
            return elo_of(min(1.0, max(0.0, (low + high) / 2 + drift / unit)))

        left = (1 - confidence) / 2
        return elo_at(0.5), elo_at(left), elo_at(1 - left)

    def _score(self, elo: float, deviation: float) -> float:
        """The expected score of games at that difference; deviation: of the score of one."""
        if self.model == "normalized":
            return 0.5 + elo / NELO * deviation
        return expected_score(elo)


# Distributions of maximum likelihood


def check_counts(counts: Sequence[int]) -> None:
    """ValueError unless these are three or five counts."""
    if len(counts) not in (3, 5) or min(counts) < 0:
        raise ValueError(f"expected three or five counts, none negative, not {list(counts)}")


def _values(counts: Sequence[float]) -> list[float]:
    return [i / (len(counts) - 1) for i in range(len(counts))]


def _weights(counts: Sequence[int]) -> list[float]:
    return [n or UNSEEN for n in counts]


def moments(weights: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of a result's score."""
    values, total = _values(weights), sum(weights)
    mean = sum(w * x for w, x in zip(weights, values, strict=True)) / total
    square = sum(w * (x - mean) ** 2 for w, x in zip(weights, values, strict=True)) / total
    return mean, math.sqrt(square)


def _multiplier(weights: Sequence[float], offsets: Sequence[float]) -> float:
    """The Lagrange multiplier of the distribution that makes the counts likeliest and has mean offset 0.

    Setting the gradient of sum n_i log p_i to zero gives p_i = n_i / (N (1 + m x_i)) with the m at which
    sum n_i x_i / (1 + m x_i) = 0. That sum falls from +inf to -inf over the interval in which
    all p_i are positive: Newton's method, with bisection where it would leave the bracket.
    """
    low, high = -1 / max(offsets), -1 / min(offsets)
    m = 0.0
    for _ in range(200):
        terms = [x / (1 + m * x) for x in offsets]
        value = sum(n * t for n, t in zip(weights, terms, strict=True))
        if value > 0:
            low = m
        else:
            high = m
        step = value / sum(n * t * t for n, t in zip(weights, terms, strict=True))
        new = m + step
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - m) <= 1e-13 * (1 + abs(new)):
            return new
        m = new
    return m


def _fit_offsets(weights: Sequence[float], offsets: Sequence[float]) -> list[float]:
    """The likeliest distribution with mean offset 0."""
    m, total = _multiplier(weights, offsets), sum(weights)
    return [n / (total * (1 + m * x)) for n, x in zip(weights, offsets, strict=True)]


def _fit_normalized(weights: Sequence[float], t: float) -> list[float]:
    """The likeliest distribution whose mean is t standard deviations above 1/2.

    The condition is not linear in the probabilities: it is linearised at the current distribution (the
    offsets are its influence function) until that no longer changes.
    """
    values, q = _values(weights), [1 / len(weights)] * len(weights)
    for _ in range(100):
        mean, deviation = moments(q)
        offsets = [x - 0.5 - t * deviation * (1 + ((x - mean) / deviation) ** 2) / 2 for x in values]
        old, q = q, _fit_offsets(weights, offsets)
        if max(abs(a - b) for a, b in zip(old, q, strict=True)) < 1e-11:
            break
    return q


def _deviance(weights: Sequence[float], score: float) -> tuple[float, float]:
    """Twice the log-likelihood that is lost by forcing the mean to be the score, and its slope there."""
    offsets = [x - score for x in _values(weights)]
    m = _multiplier(weights, offsets)
    lost = 2 * sum(n * math.log1p(m * x) for n, x in zip(weights, offsets, strict=True))
    return max(0.0, lost), -2 * m * sum(weights)


def _limit(weights: Sequence[float], score: float, end: float, allowed: float) -> float:
    """The score between the observed one and the end, 0 or 1, where the deviance reaches what is allowed."""
    inside, outside = score, end
    estimate = (inside + outside) / 2
    for _ in range(60 if score != end else 0):
        deviance, slope = _deviance(weights, estimate)
        if deviance < allowed:
            inside = estimate
        else:
            outside = estimate
        new = estimate - (deviance - allowed) / slope if slope else inside
        if not min(inside, outside) < new < max(inside, outside):
            new = (inside + outside) / 2
        if abs(new - estimate) < 1e-12:
            break
        estimate = new
    return estimate if score != end else end
