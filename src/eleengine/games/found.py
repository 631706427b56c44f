"""What an index of games is asked, and what it answers."""

from __future__ import annotations

from typing import NamedTuple

from .._core import Move, check_color
from ..pieces import RED, Color


class GameFilter(NamedTuple):
    """Which games count. Names are parts of names, capital or not.

    since, until: years; a game without a date has none, and counts only where neither is given.
    """

    player: str = ""  #: of either side
    red: str = ""
    black: str = ""
    since: int | None = None
    until: int | None = None
    result: str | None = None  #: one of `eleengine.records.RESULTS`


class ResultCount(NamedTuple):
    """How games ended."""

    red_wins: int = 0
    draws: int = 0
    black_wins: int = 0
    unknown: int = 0  #: games without a result

    @property
    def games(self) -> int:
        """The number of games, also those without a result."""
        return sum(self)

    def points(self, color: Color) -> float:
        """The share of points that the side won in games with a result, 0 to 1; 0.5 without such games."""
        ended = self.games - self.unknown
        wins = self.red_wins if check_color(color) == RED else self.black_wins
        return (wins + self.draws / 2) / ended if ended else 0.5


class MoveCount(NamedTuple):
    """A move of a position, and how the games with it ended. move: None for games that end there."""

    move: Move | None
    red_wins: int = 0
    draws: int = 0
    black_wins: int = 0
    unknown: int = 0

    @property
    def games(self) -> int:
        """The number of games with this move, also those without a result."""
        return sum(self[1:])

    def points(self, color: Color) -> float:
        """The share of points that the side won, as for `ResultCount`."""
        return ResultCount(*self[1:]).points(color)


class FoundGame(NamedTuple):
    """A game of the index. id: for `GameIndex.game`. file, number: where it was read from, counted from 1."""

    id: int
    red: str
    black: str
    year: int | None
    date: str
    event: str
    result: str
    plies: int
    file: str
    number: int
    ply: int = 0  #: after which the position that was asked for is reached
    site: str = ""
    round: str = ""


class FoundGames(NamedTuple):
    """What is known of a position, or of the games of a filter.

    moves: the most played first; none without a position. games: the newest first, up to the limit.
    """

    results: ResultCount
    moves: list[MoveCount]
    games: list[FoundGame]


class Added(NamedTuple):
    """What was read into an index."""

    games: int = 0  #: of the files, read now
    new: int = 0
    faults: int = 0  #: games, and whole files, that cannot be read
    unchanged: int = 0  #: files that were indexed before, and not read again
