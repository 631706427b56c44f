"""The plan of a match: which games are to be played between whom, how, and from which openings.

Game n of a plan is always the same game. With players in this process, one thread each and limits of nodes or
depth, a match repeats exactly, however many games run at once and however often it was interrupted.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, Literal, NamedTuple, Self

from ..._core import STARTING_FEN
from ..._internal.benchmark import speed
from ...engines import Limit
from ...engines.types import TIMES
from ...jobs.identity import Identity, varies
from ...pieces import BLACK, RED, Color
from ...rules import NO_CAPTURE_LIMIT
from .adjudication import Adjudication
from .game import PlayedGame, play_game
from .openings import vary
from .player import Player
from .spec import PlayerSpec
from .stats import Sprt

__all__ = ["MatchPlan", "PlannedGame", "limit_text", "scaled"]


class PlannedGame(NamedTuple):
    """A game of the plan."""

    number: int  #: from 0
    pairing: tuple[int, int]  #: indices of the players; the first one's result is counted
    pair: int  #: of games of this pairing, from 0
    red: int
    black: int


Order = Literal["shuffled", "file"]


@dataclass(frozen=True)
class MatchPlan:
    """The plan of a match: everything that its games depend on.

    players: two or more, of different names. limit: of those without one of their own.
    pairs: of games for each pairing; the two games of a pair have one opening and changed colours.
    openings: as for `position_text.read_position`. order: "shuffled" by the seed, or that of the "file".
        first: how many of that order are left out at first. When all have been used they
        are used again, each time with other random_plies moves after them: without, players that repeat
        themselves would play the same games again, which prove nothing.
    gauntlet: the first player meets each other one, instead of each meeting each.
    sprt: ends a match of two players. Others: as for `game.play_game`.
    hang: seconds for a move of an external program under a limit that is no time.
    scale_to: nodes per second (`benchmark.speed`) of the machine that all times are meant for: where games
        are played on a different machine, they are longer or shorter in that proportion.
    ValueError: what is wrong with it.
    """

    players: tuple[PlayerSpec, ...]
    openings: tuple[str, ...] = (STARTING_FEN,)
    limit: Limit | None = None
    pairs: int = 1
    gauntlet: bool = False
    sprt: Sprt | None = None
    random_plies: int = 4
    adjudication: Adjudication = field(default_factory=Adjudication)
    rule_set: str = "axf"
    no_capture_limit: int | None = NO_CAPTURE_LIMIT
    margin: float = 0.1
    hang: float = 600.0
    seed: int = 1
    order: Order = "shuffled"
    first: int = 0
    scale_to: int | None = None

    def __post_init__(self) -> None:
        names = [player.name for player in self.players]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"a match needs two players or more, of different names, not {', '.join(names)}")
        if not self.openings or self.pairs < 1:
            raise ValueError("a match needs an opening and a pair of games")
        if not 0 <= self.first < len(self.openings):
            raise ValueError(f"there is no opening {self.first + 1}: there are {len(self.openings)}")
        for player in self.players:
            if self.limit_of(player) == Limit():
                raise ValueError(f"{player.name} has no limit: neither time, nodes nor depth")
            if player.ponder and self.limit_of(player).red_clock is None:
                raise ValueError(f"{player.name} cannot ponder without a clock")
        if self.sprt is not None:
            self.sprt.check()
            if len(names) != 2:
                raise ValueError("an SPRT is for two players")
        self.adjudication.check()

    def limit_of(self, player: PlayerSpec) -> Limit:
        """The limit of a player: its own, or that of the match."""
        return player.limit or self.limit or Limit()

    @property
    def is_timed(self) -> bool:
        """Has a player a limit of time?"""
        return any(self.limit_of(player).is_timed for player in self.players)

    def changes(self, player: PlayerSpec, engine: Identity) -> list[str]:
        """Why games of the player may go otherwise each time; nothing if they repeat exactly."""
        threads = "its own" if player.threads is None else player.threads
        found = [] if threads == 1 else [f"{threads} threads"]
        if self.limit_of(player).is_timed:
            found.append("time")
        return [*found, *(f"{name} {value}" for name, value in engine.items() if varies(engine, name))]

    @property
    def pairings(self) -> list[tuple[int, int]]:
        """Who meets whom."""
        if self.gauntlet:
            return [(0, other) for other in range(1, len(self.players))]
        return list(itertools.combinations(range(len(self.players)), 2))

    @property
    def games(self) -> int:
        """How many games are planned."""
        return 2 * self.pairs * len(self.pairings)

    def task(self, number: int) -> PlannedGame:
        """Return game `number` of the plan: rounds of one pair of games for each pairing."""
        pair_number, swap = divmod(number, 2)
        pair, index = divmod(pair_number, len(self.pairings))
        a, b = self.pairings[index]
        red, black = (b, a) if swap else (a, b)
        return PlannedGame(number, (a, b), pair, red, black)

    def opening(self, pair: int) -> str:
        """The opening of the pair; each time through the openings has an order of its own."""
        lap, _ = self._lap_and_index(pair)
        opening = self.openings[self.opening_number(pair)]
        if lap and self.random_plies:
            return vary(opening, self.random_plies, random.Random(f"{self.seed} {pair}"))
        return opening

    def opening_number(self, pair: int) -> int:
        """Which of the openings that is, from 0."""
        lap, index = self._lap_and_index(pair)
        return index if self.order == "file" else _order(self.seed, lap, len(self.openings))[index]

    def _lap_and_index(self, pair: int) -> tuple[int, int]:
        """How often all openings have been used before the pair, and its index in the order."""
        return divmod(self.first + pair, len(self.openings))

    def headers(self, number: int) -> dict[str, str]:
        """What PGN says of a game of the plan beside its record.

        Round is the pair and the game in it, Opening the number of the opening in its file.
        """
        task = self.task(number)
        names = [self.players[index].name for index in task.pairing]
        sides = (self.players[task.red], RED), (self.players[task.black], BLACK)
        controls = [limit_text(self.limit_of(player), color) for player, color in sides]
        return {
            "Event": f"{names[0]} v {names[1]}",
            "Round": f"{task.pair + 1}.{number % 2 + 1}",
            "Opening": str(self.opening_number(task.pair) + 1),
            "TimeControl": controls[0] if controls[0] == controls[1] else " - ".join(controls),
        }

    def without_openings(self) -> MatchPlan:
        """The plan for workers that get the opening of each game: it may be sent for every few games."""
        return replace(self, openings=(STARTING_FEN,), first=0)

    def play(self, number: int, held: dict[int, Player], opening: str | None = None) -> PlayedGame:
        """Play a game of the plan.

        held: players by index, for the games of one thread; what is missing is made. opening: that of its
        pair. Errors of `PlayerSpec.open`.
        """
        task = self.task(number)
        for index in (task.red, task.black):
            if index not in held:
                held[index] = self.players[index].open(hang=self.hang)
        red, black = held[task.red], held[task.black]
        factor = 1.0 if self.scale_to is None else self.scale_to / speed()
        limits = [scaled(self.limit_of(self.players[index]), factor) for index in (task.red, task.black)]
        record = play_game(
            red,
            black,
            self.opening(task.pair) if opening is None else opening,
            limit=(limits[0], limits[1]),
            adjudication=self.adjudication,
            rule_set=self.rule_set,
            no_capture_limit=self.no_capture_limit,
            margin=self.margin,
            seed=random.Random(f"{self.seed} {task.number}").getrandbits(32),
        )
        for player in (red, black):
            player.end_game()
        return record

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON data, without how many pairs it has: a match may be made longer."""
        return {name: getattr(self, name) for name in self._kept()} | {
            "players": [player.to_dict() for player in self.players],
            "openings": list(self.openings),
            "limit": None if self.limit is None else self.limit.given(),
            "sprt": None if self.sprt is None else self.sprt._asdict(),
            "adjudication": self.adjudication.to_dict(),
        }

    @classmethod
    def _kept(cls) -> list[str]:
        """The names of what `to_dict` has."""
        return [one.name for one in fields(cls) if one.name not in ("pairs", "hang")]

    @classmethod
    def from_dict(cls, data: dict[str, Any], pairs: int) -> Self:
        """Return the plan of `to_dict`; ValueError, KeyError or TypeError if that is not one."""
        return cls(
            **{
                **{name: data[name] for name in cls._kept()},
                "players": tuple(PlayerSpec.from_dict(player) for player in data["players"]),
                "openings": tuple(data["openings"]),
                "limit": None if data["limit"] is None else Limit(**data["limit"]),
                "sprt": None if data["sprt"] is None else Sprt(**data["sprt"]),
                "adjudication": Adjudication(**data["adjudication"]),
            },
            pairs=pairs,
        )


def limit_text(limit: Limit, color: Color) -> str:
    """A limit as PGN's TimeControl has it, or in words.

    >>> limit_text(Limit(red_clock=60, black_clock=60, red_inc=0.5), RED), limit_text(Limit(nodes=500), RED)
    ('60+0.5', '500 nodes a move')
    """
    clock, inc = limit.clock_of(color)
    words = []
    if clock is not None:
        moves = f"{limit.remaining_moves}/" if limit.remaining_moves else ""
        words.append(f"{moves}{clock:g}" + (f"+{inc:g}" if inc else ""))
    for value, unit in ((limit.time, "s"), (limit.nodes, "nodes"), (limit.depth, "plies")):
        if value is not None:
            words.append(f"{value:g} {unit} a move")
    return ", ".join(words)


def scaled(limit: Limit, factor: float) -> Limit:
    """Return the limit with all its times multiplied.

    >>> scaled(Limit(red_clock=8, red_inc=0.08, nodes=100), 2)
    Limit(nodes=100, red_clock=16, red_inc=0.16)
    """
    return limit.replace(**{name: value * factor for name, value in limit.given().items() if name in TIMES})


@lru_cache(maxsize=8)
def _order(seed: int, lap: int, size: int) -> list[int]:
    order = list(range(size))
    random.Random(f"{seed} {lap}").shuffle(order)
    return order
