"""What a match has brought so far: its games and their counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from .game import FAULTS, RULE_LOSSES, PlayedGame
from .plan import MatchPlan


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
        """Take up a game."""
        self.records[number] = record
        self._count()

    def _count(self) -> None:
        """Count the pairs whose turn it is."""
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

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the SPRT so far."""
        assert self.plan.sprt is not None
        return self.plan.sprt.llr(self.counts[0, 1])

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
        found: dict[str, int] = {}
        for record in self.games():
            found[record.reason] = found.get(record.reason, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def faults(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by its own fault, by reason: crashes, time, illegal moves.

        Also those that do not count, because the other game of the pair was not played.
        """
        return _losses((record for _, record in sorted(self.records.items())), FAULTS)

    def rule_losses(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by perpetual check or chase."""
        return _losses(self.games(), RULE_LOSSES)

    def speeds(self) -> dict[str, dict[str, float]]:
        """Of each player: moves, their mean depth, mean and longest seconds, nodes per second."""
        notes: dict[str, list[Any]] = {player.name: [] for player in self.plan.players}
        for record in self.games():
            first = record.book + (" b " in record.fen)
            for ply, note in enumerate(record.notes, first):
                notes[record.black if ply % 2 else record.red].append(note)
        found = {}
        for name, moves in notes.items():
            if moves:
                seconds = sum(note.seconds for note in moves)
                found[name] = {
                    "moves": len(moves),
                    "depth": sum(note.depth for note in moves) / len(moves),
                    "seconds": seconds / len(moves),
                    "longest": max(note.seconds for note in moves),
                    "nps": sum(note.nodes for note in moves) / seconds if seconds else 0.0,
                }
        return found


def _losses(records: Iterable[PlayedGame], reasons: tuple[str, ...]) -> dict[str, dict[str, int]]:
    """How many of the games each player lost by each of the reasons."""
    found: dict[str, dict[str, int]] = {}
    for record in records:
        if record.loser is not None and record.reason in reasons:
            of_player = found.setdefault(record.loser, {})
            of_player[record.reason] = of_player.get(record.reason, 0) + 1
    return found
