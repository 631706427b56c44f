"""The meetings of a knockout tournament: who loses one is out, and the last player left has won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from .swiss import Round

EXTRA_PAIRS = 8  # of games at most, one after the other, in a meeting that stands level


@dataclass(slots=True)
class Meeting:
    """Two players of a stage, numbered by their seeds from 0, the better seed first.

    second: None if the first one has a bye. pairs: of games that decide; a meeting that stands level after
    them goes on pair by pair, and after EXTRA_PAIRS the better seed has won.
    """

    first: int
    second: int | None
    pairs: int
    first_points: float = 0.0
    second_points: float = 0.0
    played: int = 0  #: pairs of games

    def add(self, points: float) -> None:
        """Take up a pair of games; points: of the first player, 0 to 2."""
        self.first_points += points
        self.second_points += 2 - points
        self.played += 1

    @property
    def winner(self) -> int | None:
        """None while the meeting goes on."""
        if self.second is None:
            return self.first
        if self.first_points == self.second_points and self.played < self.pairs + EXTRA_PAIRS:
            return None
        if self.played < self.pairs:
            return None
        return self.second if self.first_points < self.second_points else self.first


def bracket(players: int) -> list[int | None]:
    """The seeds from the top to the bottom: the best two can meet in the final only; None: a bye.

    >>> bracket(6)
    [0, None, 3, 4, 1, None, 2, 5]
    """
    slots = [0]
    while len(slots) < players:
        last = 2 * len(slots) - 1
        slots = [seed for top in slots for seed in (top, last - top)]
    return [seed if seed < players else None for seed in slots]


def stages(players: int, pairs: int, rounds: Sequence[Round], points: Sequence[float]) -> list[list[Meeting]]:
    """The stages so far, each as its meetings from the top of the bracket to the bottom.

    pairs: of games in a meeting. rounds: those drawn, of one pair of games for each meeting in them. points:
    of the better seed in each of these pairs, as far as they have ended.

    >>> [[meeting.winner for meeting in stage] for stage in stages(3, 1, [((1, 2),)], [0.5])]
    [[0, 2], [None]]
    """
    rest = iter(points)
    played = [(drawn, list(islice(rest, len(drawn)))) for drawn in rounds]
    alive, found = bracket(players), []
    while len(alive) > 1:
        stage = [_meeting(a, b, pairs) for a, b in zip(alive[::2], alive[1::2], strict=True)]
        by_first = {meeting.first: meeting for meeting in stage}
        while played and any(meeting.winner is None for meeting in stage):
            for (first, _), score in zip(*played.pop(0), strict=False):
                by_first[first].add(score)
        found.append(stage)
        alive = [meeting.winner for meeting in stage]
        if None in alive:
            break
    return found


def _meeting(a: int | None, b: int | None, pairs: int) -> Meeting:
    first, *others = sorted(player for player in (a, b) if player is not None)
    return Meeting(first, others[0] if others else None, pairs)


def open_meetings(found: Sequence[Sequence[Meeting]]) -> Round | None:
    """The next round after these stages; None when the tournament is over.

    >>> open_meetings(stages(3, 1, [((1, 2),)], [0.5]))
    ((0, 2),)
    """
    drawn = [(m.first, m.second) for m in found[-1] if m.winner is None and m.second is not None]
    return tuple(drawn) or None
