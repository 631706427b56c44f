"""Scores, and whose point of view they are.

>>> score = PovScore(Mate(-3), RED)
>>> score.black(), score.red() < Cp(-900), score.is_mate()
(Mate(+3), True, True)
>>> PovScore.from_core(29_997, BLACK)
PovScore(Mate(+2), BLACK)
"""

from __future__ import annotations

import math
import operator
from functools import total_ordering
from typing import Any, Final, Generic, Literal, NamedTuple, TypeVar, overload

from ._core import MATE, check_color
from .pieces import BLACK, RED, Color

__all__ = ["Cp", "Mate", "MateGiven", "Pov", "PovScore", "PovWdl", "Score", "Wdl"]

MATE_FROM: Final = MATE - 1000  # the core's scores beyond are mates: MATE - n in n plies

#: Centipawns of a UCCI point: UCCI counts 100 for a knight or cannon, the search about 500.
UCCI_POINT: Final = 5
UCCI_MATE: Final = 10_000  # less the plies to it
UCCI_MOST: Final = 9_000  # points of what is no mate


class Wdl(NamedTuple):
    """Games of 1,000 that a side is expected to win, to draw and to lose.

    >>> wdl = Wdl(300, 500, 200)
    >>> wdl.expectation(), wdl.drawing_chance(), -wdl
    (0.55, 0.5, Wdl(wins=200, draws=500, losses=300))
    """

    wins: int
    draws: int
    losses: int

    def total(self) -> int:
        """The number of games, 1,000 as a rule."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """Share of wins, 0 to 1."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """Share of draws, 0 to 1."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """Share of losses, 0 to 1."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """Points of a game, 0 to 1; a draw counts 1/2."""
        return (self.wins + 0.5 * self.draws) / self.total()

    def __neg__(self) -> Wdl:
        return Wdl(self.losses, self.draws, self.wins)


@total_ordering
class Score:
    """Centipawns (`Cp`) or a mate (`Mate`) from one point of view; the better one is the greater.

    >>> Mate(-0) < Mate(-1) < Cp(-50) < Cp(200) < Mate(4) < Mate(1) < MateGiven
    True
    >>> -Mate(2), -Cp(30), Cp(30).score(), Mate(-2).score(mate_score=10_000)
    (Mate(-2), Cp(-30), 30, -9998)
    >>> [str(score) for score in (Cp(30), Cp(0), Mate(2), Mate(-2), Mate(0), MateGiven)]
    ['+30', '0', '#+2', '#-2', '#-0', '#+0']
    """

    __slots__ = ()

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: None = None) -> int | None: ...
    def score(self, *, mate_score: int | None = None) -> int | None:
        """Centipawns. A mate in n moves counts mate_score - n; None if that is not given."""
        raise NotImplementedError

    def mate(self) -> int | None:
        """Moves until the mate, negative for the side that is mated; None for centipawns.

        0 is a mate on the board: `Mate(0)` for the side mated, `MateGiven` for the other.
        """
        return None

    def is_mate(self) -> bool:
        """Is it a mate?"""
        return self.mate() is not None

    def wdl(self) -> Wdl:
        """Rough chances to win, to draw and to lose with the score, as the engine writes them in UCI.

        >>> Cp(0).wdl(), Mate(-5).wdl()
        (Wdl(wins=182, draws=636, losses=182), Wdl(wins=0, draws=0, losses=1000))
        """
        advantage = self.score(mate_score=30_000)
        wins, losses = _share_of_wins(advantage), _share_of_wins(-advantage)
        return Wdl(wins, 1000 - wins - losses, losses)

    def _order(self) -> tuple[int, int]:
        raise NotImplementedError

    def __neg__(self) -> Score:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._order() == other._order() if isinstance(other, Score) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._order())

    def __lt__(self, other: Score) -> bool:
        return self._order() < other._order() if isinstance(other, Score) else NotImplemented


class Cp(Score):
    """Centipawns: 100 are about a pawn that has crossed the river."""

    __slots__ = ("cp",)

    def __init__(self, cp: int) -> None:
        self.cp: int = operator.index(cp)

    def score(self, *, mate_score: int | None = None) -> int:
        return self.cp

    def _order(self) -> tuple[int, int]:
        return 0, self.cp

    def __neg__(self) -> Cp:
        return Cp(-self.cp)

    def __repr__(self) -> str:
        return f"Cp({self})"

    def __str__(self) -> str:
        return f"{self.cp:+d}" if self.cp else "0"


class Mate(Score):
    """A mate in N moves, given (1 and more) or suffered (0 and less)."""

    __slots__ = ("moves",)

    def __init__(self, moves: int) -> None:
        self.moves: int = operator.index(moves)

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: None = None) -> int | None: ...
    def score(self, *, mate_score: int | None = None) -> int | None:
        if mate_score is None:
            return None
        return self._order()[0] * mate_score - self.moves

    def mate(self) -> int:
        return self.moves

    def _order(self) -> tuple[int, int]:
        return (1 if self.moves > 0 else -1), -self.moves

    def __neg__(self) -> Mate:
        return Mate(-self.moves) if self.moves else MateGiven

    def __repr__(self) -> str:
        return f"Mate({str(self)[1:]})"

    def __str__(self) -> str:
        return f"#{self.moves:+d}" if self.moves else "#-0"


class _MateGiven(Mate):
    """The other side stands mated."""

    __slots__ = ()

    def _order(self) -> tuple[int, int]:
        return 1, 0

    def __neg__(self) -> Mate:
        return Mate(0)

    def __repr__(self) -> str:
        return "MateGiven"

    def __str__(self) -> str:
        return "#+0"


MateGiven: Final = _MateGiven(0)  #: the better end of `Mate(0)`


def _share_of_wins(advantage: int) -> int:
    """Games of 1,000 that are won with that score in centipawns."""
    return round(1000 / (1 + math.exp((180 - max(-3000, min(3000, advantage))) / 120)))


_S = TypeVar("_S", Wdl, Score)


class Pov(Generic[_S]):
    """What is said from a point of view: `relative` is for the side `turn`. Equal if it is so for Red."""

    __slots__ = ("relative", "turn")

    def __init__(self, relative: _S, turn: Color) -> None:
        self.relative: _S = relative
        self.turn: Color = check_color(turn)

    def red(self) -> _S:
        """From Red's point of view."""
        return self.pov(RED)

    white = red  # as python-chess calls the side that begins

    def black(self) -> _S:
        """From Black's point of view."""
        return self.pov(BLACK)

    def pov(self, color: Color) -> _S:
        """From a side's point of view."""
        return self.relative if self.turn == check_color(color) else -self.relative

    def __eq__(self, other: object) -> bool:
        return self.red() == other.red() if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.red())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.relative!r}, {'RED' if self.turn == RED else 'BLACK'})"


class PovWdl(Pov[Wdl]):
    """Chances that know their point of view.

    >>> wdl = PovWdl(Wdl(300, 500, 200), BLACK)
    >>> wdl.red().wins, wdl.black().wins
    (200, 300)
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        return bool(self.relative.total())


class PovScore(Pov[Score]):
    """A score that knows its point of view.

    >>> score = PovScore(Cp(25), BLACK)
    >>> score.relative, score.black(), score.red()
    (Cp(+25), Cp(+25), Cp(-25))
    """

    __slots__ = ()

    @staticmethod
    def from_core(score: int, turn: Color) -> PovScore:
        """Read a score of the core: centipawns, or MATE - n for a mate in n plies."""
        if abs(score) < MATE_FROM:
            return PovScore(Cp(score), turn)
        plies = MATE - abs(score)
        if score > 0:
            return PovScore(Mate((plies + 1) // 2) if plies else MateGiven, turn)
        return PovScore(Mate(-(plies // 2)), turn)

    def is_mate(self) -> bool:
        """Is it a mate, given or suffered?"""
        return self.relative.is_mate()

    def wdl(self) -> PovWdl:
        """Rough chances with the score; see `Score.wdl`."""
        return PovWdl(self.relative.wdl(), self.turn)


def to_core(score: Score) -> int:
    """Centipawns, or MATE - n and n - MATE for a mate in n plies, as the core has them.

    What is more than the core has is cut, as some engines speak of 40,000 centipawns, which must not become
    a mate, or of mates in more than 500 moves, which must stay mates.

    >>> to_core(Cp(31)), to_core(Mate(2)), to_core(Mate(-1))
    (31, 29997, -29998)
    >>> to_core(MateGiven), to_core(Mate(0))
    (30000, -30000)
    >>> to_core(Cp(40_000)), score_text(to_core(Cp(-40_000)))
    (28999, '-28999')
    >>> PovScore.from_core(to_core(Mate(600)), RED).relative, to_core(Mate(-20_000))
    (Mate(+500), -29000)
    """
    moves = score.mate()
    if moves is None:
        return max(1 - MATE_FROM, min(MATE_FROM - 1, score.score() or 0))
    if score == MateGiven:
        return MATE
    return max(MATE_FROM, MATE + 1 - 2 * moves) if moves > 0 else min(-MATE_FROM, -MATE - 2 * moves)


# The scale of UCCI


def ucci_points(score: int) -> int:
    """A score of the core on the scale of UCCI: a knight is 100, a mate in p plies 10000 - p.

    >>> ucci_points(500), ucci_points(-30_000), ucci_points(29_997), ucci_points(28_000)
    (100, -10000, 9997, 5600)
    """
    if abs(score) >= MATE_FROM:
        points = UCCI_MATE - (MATE - abs(score))
    else:
        points = min(UCCI_MOST, (abs(score) + UCCI_POINT // 2) // UCCI_POINT)
    return points if score >= 0 else -points


def read_ucci_score(points: int) -> Score:
    """Read the score of a UCCI engine, for the side to move.

    Engines whose mates are on another scale speak of 30,000: no mate that one knows the length of.

    >>> read_ucci_score(-37), read_ucci_score(9997), read_ucci_score(-9998), read_ucci_score(-10_000)
    (Cp(-185), Mate(+2), Mate(-1), Mate(-0))
    >>> read_ucci_score(29_998), read_ucci_score(-10_001)
    (Cp(+149990), Cp(-50005))
    """
    if not UCCI_MOST < abs(points) <= UCCI_MATE:
        return Cp(points * UCCI_POINT)
    plies = UCCI_MATE - abs(points)
    return PovScore.from_core(MATE - plies if points > 0 else plies - MATE, RED).relative


# Scores as text and as data

Style = Literal["words", "pgn", "uci", "ucci", "centipawns", "pawns"]


def score_text(score: Score | int, style: Style = "words") -> str:
    """Write a score; an integer is one of the core.

    style: "words" for players; "pgn" as in `[%eval]`, for Red; "uci" or "ucci", what stands behind `score`;
        "centipawns", or "pawns" with mates in plies as fastchess and cutechess-cli write them.

    >>> [score_text(score) for score in (Cp(31), Mate(5), Mate(-3))]
    ['+31', 'mate 5', 'mate -3']
    >>> [score_text(score, "pgn") for score in (Cp(-31), Mate(-3), Mate(0), MateGiven)]
    ['-0.31', '#-3', '#-0', '#+0']
    >>> [score_text(score, "uci") for score in (31, 29_997, -29_998, -30_000)]
    ['cp 31', 'mate 2', 'mate -1', 'mate 0']
    >>> score_text(34, "centipawns"), score_text(34, "pawns"), score_text(3 - MATE, "pawns")
    ('+34', '+0.34', '-M3')
    """
    core = score if isinstance(score, int) else to_core(score)
    if style == "ucci":
        return str(ucci_points(core))
    if style == "centipawns":
        return f"{core:+}"
    found = PovScore.from_core(score, RED).relative if isinstance(score, int) else score
    centipawns, moves = found.score(), found.mate()
    if centipawns is not None:
        if style == "uci":
            return f"cp {centipawns}"
        if style == "pgn":
            return f"{centipawns / 100:.2f}"
        if style == "pawns":
            return f"{centipawns / 100:+.2f}" if centipawns else "0.00"
        return str(found)
    if style == "pgn":
        return f"#{moves}" if moves else str(found)
    if style == "pawns":
        return f"{'+' if core > 0 else '-'}M{MATE - abs(core)}"
    return f"mate {moves}"


def score_data(score: Score, given: object = "given") -> dict[str, Any]:
    """Return data for JSON: centipawns, or moves to a mate.

    given: what stands for a mate on the board that the other side suffers; 0 is one of this side.

    >>> score_data(Cp(31)), score_data(Mate(-3)), score_data(Mate(0)), score_data(MateGiven)
    ({'cp': 31}, {'mate': -3}, {'mate': 0}, {'mate': 'given'})
    """
    if score.is_mate():
        return {"mate": given if score == MateGiven else score.mate()}
    return {"cp": score.score()}


def read_score_data(data: Any) -> Score:
    """Read what `score_data` returned; KeyError, TypeError or ValueError for anything else.

    >>> [read_score_data(score_data(score)) for score in (Cp(31), Mate(-3), Mate(0), MateGiven)]
    [Cp(+31), Mate(-3), Mate(-0), MateGiven]
    """
    mate = data.get("mate")
    if mate is None:
        return Cp(operator.index(data["cp"]))
    return MateGiven if mate == "given" else Mate(operator.index(mate))
