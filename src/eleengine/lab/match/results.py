"""What a match has brought so far: its games, their counts, and the summary that all displays are made of."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from .game import FAULTS, RULE_LOSSES, MoveRecord, PlayedGame
from .plan import MatchPlan
from .ratings import Rating, ratings
from .stats import Estimate, Sprt, estimate


class PairingSummary(NamedTuple):
    """How two players stand, for the first one."""

    players: tuple[str, str]
    wins: int
    draws: int
    losses: int
    pairs: tuple[int, ...]  #: five counts of pairs, worst first
    drawn_pairs: int  #: of the third count, those of two draws

    @property
    def estimate(self) -> Estimate:
        """What the pairs prove."""
        return estimate(self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return data for JSON; infinite numbers are None."""
        own = {"players": list(self.players), "wins": self.wins, "draws": self.draws, "losses": self.losses}
        found = {name: _finite(value) for name, value in self.estimate._asdict().items()}
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
    reasons: Mapping[str, int] = MappingProxyType({})
    faults: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    rule_losses: Mapping[str, Mapping[str, int]] = MappingProxyType({})
    speeds: Mapping[str, Mapping[str, float]] = MappingProxyType({})

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


class MatchResults:
    """The games of a match so far, and their counts.

    records: by number of the game. counts: five counts of pairs for each pairing, for its first player.
    drawn_pairs: how many pairs of the third count are two draws, not a win for each player.
    Pairs are counted in the order of the plan, each as soon as all before it are there. Games that end
    soon are not counted before long ones that began earlier: that would be biased.
    verdict: of the SPRT; pairs after it are not counted.
    """

    def __init__(self, plan: MatchPlan, records: Mapping[int, PlayedGame] = MappingProxyType({})) -> None:
        self.plan = plan
        self.records: dict[int, PlayedGame] = {}
        self.counts: dict[tuple[int, int], list[int]] = {p: [0] * 5 for p in plan.pairings}
        self.drawn_pairs: dict[tuple[int, int], int] = dict.fromkeys(plan.pairings, 0)
        self._wins: dict[tuple[int, int], list[int]] = {p: [0] * 3 for p in plan.pairings}
        self.verdict: Literal["H0", "H1"] | None = None
        self.counted: int = 0  #: games
        for number, record in sorted(records.items()):
            self.add(number, record)

    def add(self, number: int, record: PlayedGame) -> None:
        """Take up a game, and count the pairs whose turn it is."""
        self.records[number] = record
        while self.verdict is None and self.counted < self.plan.games:
            if not {self.counted, self.counted + 1} <= self.records.keys():
                break
            pairing = self.plan.task(self.counted).pairing
            one, two = self._points_of_pair(self.counted)
            self.counts[pairing][round(2 * (one + two))] += 1
            self.drawn_pairs[pairing] += one == two == 0.5
            for points in (one, two):
                self._wins[pairing][round(2 - 2 * points)] += 1
            self.counted += 2
            if self.plan.sprt is not None:
                self.verdict = self.plan.sprt.verdict(self.counts[pairing])

    def _points_of_pair(self, number: int) -> tuple[float, float]:
        """Of the first player of the pairing, in the games of the pair that begins with the number."""
        return self.records[number].points, 1 - self.records[number + 1].points

    @property
    def done(self) -> bool:
        """Is nothing left to play?"""
        return self.verdict is not None or self.counted >= self.plan.games

    def course(self) -> list[float]:
        """The log-likelihood ratios of the SPRT after no pair, one pair, and so on."""
        assert self.plan.sprt is not None
        found, counts = [0.0], [0] * 5
        for number in range(0, self.counted, 2):
            counts[round(2 * sum(self._points_of_pair(number)))] += 1
            found.append(self.plan.sprt.llr(counts))
        return found

    def games(self) -> list[PlayedGame]:
        """The games that count, in order."""
        return [self.records[number] for number in range(self.counted)]

    def wins(self, pairing: tuple[int, int]) -> tuple[int, int, int]:
        """Games that the first of the pairing has won, drawn and lost."""
        won, drawn, lost = self._wins[pairing]
        return won, drawn, lost

    def reasons(self) -> dict[str, int]:
        """How the games ended, the most frequent reason first."""
        return dict(Counter(record.reason for record in self.games()).most_common())

    def faults(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by its own fault, by reason: crashes, time, illegal moves.

        Also those that do not count, because the other game of the pair was not played.
        """
        return _losses((record for _, record in sorted(self.records.items())), FAULTS)

    def rule_losses(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by perpetual check or chase."""
        return _losses(self.games(), RULE_LOSSES)

    def speeds(self) -> dict[str, dict[str, float]]:
        """Of each player: moves, their mean depth, mean and longest seconds, nodes per second.

        Depth and nodes are of the moves with which some were said; without any such move they are left out.
        """
        notes: dict[str, list[MoveRecord]] = {player.name: [] for player in self.plan.players}
        for record in self.games():
            first = record.book + (" b " in record.fen)
            for ply, note in enumerate(record.notes, first):
                notes[record.black if ply % 2 else record.red].append(note)
        found = {}
        for name, moves in notes.items():
            if moves:
                depths = [note.depth for note in moves if note.depth]
                searching = sum(note.seconds for note in moves if note.nodes)
                found[name] = {
                    "moves": len(moves),
                    "seconds": sum(note.seconds for note in moves) / len(moves),
                    "longest": max(note.seconds for note in moves),
                }
                if depths:
                    found[name]["depth"] = sum(depths) / len(depths)
                if searching:
                    found[name]["nps"] = sum(note.nodes for note in moves) / searching
        return found

    def pairing(self, pairing: tuple[int, int]) -> PairingSummary:
        """Sum up the games of two players, named by their indices."""
        first, second = (self.plan.players[index].name for index in pairing)
        counts, drawn = tuple(self.counts[pairing]), self.drawn_pairs[pairing]
        return PairingSummary((first, second), *self.wins(pairing), counts, drawn)

    def test(self) -> SprtSummary | None:
        """Sum up the sequential test; None without one."""
        sprt = self.plan.sprt
        return None if sprt is None else SprtSummary(sprt, tuple(self.counts[0, 1]), self.verdict)

    def summary(self, *, brief: bool = False) -> MatchSummary:
        """Sum up all. brief: without how games ended and players used their time, which is quicker."""
        found = MatchSummary(
            players=tuple(player.name for player in self.plan.players),
            games=self.counted,
            planned=self.plan.games,
            is_done=self.done,
            pairings=tuple(map(self.pairing, self.plan.pairings)),
            test=self.test(),
        )
        if brief:
            return found
        return found._replace(
            reasons=self.reasons(), faults=self.faults(), rule_losses=self.rule_losses(), speeds=self.speeds()
        )


def _losses(records: Iterable[PlayedGame], reasons: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """How many of the games each player lost by each of the reasons."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        if record.loser is not None and record.reason in reasons:
            found[record.loser][record.reason] += 1
    return {name: dict(counts) for name, counts in found.items()}


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value
