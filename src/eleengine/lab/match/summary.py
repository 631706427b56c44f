"""The result of a match so far as plain figures: what its display, report, page and JSON are made of."""

from __future__ import annotations

import math
from typing import Any, Literal, NamedTuple

from .ratings import Rating, ratings
from .results import MatchResults
from .stats import Estimate, Sprt, estimate


class PairingSummary(NamedTuple):
    """How two players stand, for the first one."""

    players: tuple[str, str]
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  #: five counts of pairs, worst first
    drawn_pairs: int  #: of the third count, those of two draws

    def estimate(self) -> Estimate:
        """What the pairs prove."""
        return estimate(self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON; infinite numbers are None."""
        own = {"players": list(self.players), "wins": self.wins, "draws": self.draws, "losses": self.losses}
        found = {name: _finite(value) for name, value in self.estimate()._asdict().items()}
        return {**own, "pairs": list(self.pairs), **found}


class SprtSummary(NamedTuple):
    """How a sequential test stands. pairs: five counts, worst first."""

    sprt: Sprt
    pairs: tuple[int, ...]
    verdict: Literal["H0", "H1"] | None

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self.sprt.llr(self.pairs)

    def corrected(self) -> tuple[float, float, float]:
        """The Elo difference and its interval, given when the test stops."""
        return self.sprt.corrected(self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON; infinite numbers are None."""
        return {
            **self.sprt._asdict(),
            "llr": self.llr,
            "bounds": self.sprt.bounds,
            "verdict": self.verdict,
            "corrected": [_finite(elo) for elo in self.corrected()],
        }


class MatchSummary(NamedTuple):
    """The result of a match so far.

    games: that count. planned: of the whole match. pairings: in the order of the plan.
    reasons, faults, rule_losses, speeds: as in `MatchResults`.
    """

    players: tuple[str, ...]
    games: int
    planned: int
    is_done: bool
    pairings: tuple[PairingSummary, ...]
    test: SprtSummary | None
    reasons: dict[str, int]
    faults: dict[str, dict[str, int]]
    rule_losses: dict[str, dict[str, int]]
    speeds: dict[str, dict[str, float]]

    def counts(self) -> dict[tuple[str, str], tuple[int, ...]]:
        """The pairs of all pairings by the names of the players, as `ratings` takes them."""
        return {pairing.players: pairing.pairs for pairing in self.pairings}

    def ratings(self) -> list[Rating]:
        """Rate three players and more; two have an `estimate`, and no games none."""
        return ratings(self.counts()) if len(self.players) > 2 and self.games else []

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON; infinite numbers are None."""
        data: dict[str, Any] = {"games": self.games, "planned": self.planned}
        data["pairings"] = [pairing.to_dict() for pairing in self.pairings]
        if self.test is not None:
            data["sprt"] = self.test.to_dict()
        if rows := self.ratings():
            data["ratings"] = [row._asdict() for row in rows]
        names = ("reasons", "faults", "rule_losses", "speeds")
        return data | {name: getattr(self, name) for name in names}


def summary_of(results: MatchResults, *, brief: bool = False) -> MatchSummary:
    """Sum up a match. brief: without how games ended and players used their time, which is quicker."""
    plan = results.plan
    return MatchSummary(
        tuple(player.name for player in plan.players),
        results.counted,
        plan.games,
        results.done,
        tuple(pairing_of(results, pairing) for pairing in plan.pairings),
        test_of(results),
        {} if brief else results.reasons(),
        {} if brief else results.faults(),
        {} if brief else results.rule_losses(),
        {} if brief else results.speeds(),
    )


def pairing_of(results: MatchResults, pairing: tuple[int, int]) -> PairingSummary:
    """Sum up the games of two players, named by their indices."""
    first, second = (results.plan.players[index].name for index in pairing)
    counts, drawn = tuple(results.counts[pairing]), results.drawn_pairs[pairing]
    return PairingSummary((first, second), *results.wins(pairing), counts, drawn)


def test_of(results: MatchResults) -> SprtSummary | None:
    """Sum up the sequential test; None without one."""
    sprt = results.plan.sprt
    return None if sprt is None else SprtSummary(sprt, tuple(results.counts[0, 1]), results.verdict)


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value
