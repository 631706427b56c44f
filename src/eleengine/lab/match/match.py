"""Many games between two or more players: planned, played several at once, written down, judged.

>>> from eleengine import Limit
>>> from eleengine.lab.match.spec import PlayerSpec
>>> players = (PlayerSpec("a"), PlayerSpec("b", options={"skill": "0"}))
>>> results = play_match(Match(players, limit=Limit(nodes=300), pairs=2))
>>> sum(results.counts[0, 1]), len(results.games()), results.faults()
(2, 4, {})

A `Match` is the plan: game n of it is always the same game. With players in this process, one thread each
and limits of nodes or depth, a match repeats exactly, however many games run at once and however often it
was interrupted. `play_match` plays what of the plan is not in the journal yet.
"""

from __future__ import annotations

import itertools
import os
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from queue import Empty, SimpleQueue
from typing import Any, Literal, NamedTuple

from ..._core import STARTING_FEN
from ...engines import Limit
from ...engines.session import STACK_BYTES
from ...rules import NO_CAPTURE_LIMIT
from ..jobs.cluster import Executor
from ..jobs.journal import JournalFile
from .game import FAULTS, RULE_LOSSES, Adjudication, GameRecord, play_game
from .openings import vary
from .player import Player
from .spec import PlayerSpec, limit_data
from .stats import Sprt

JOURNAL = "eleengine match 1"  # format and version, in the first line of a journal


class Task(NamedTuple):
    """A game of the plan."""

    number: int  #: from 0
    pairing: tuple[int, int]  #: indices of the players; the first one's result is counted
    pair: int  #: of games of this pairing, from 0
    red: int
    black: int


@dataclass(frozen=True)
class Match:
    """The plan of a match: everything that its games depend on.

    players: two or more, of different names. limit: of those without one of their own.
    pairs: of games for each pairing; the two games of a pair have one opening and changed colours.
    openings: as for `openings.read_opening`; the seed shuffles them. When all have been used they are used
        again, each time with other random_plies moves after them: without, players that repeat
        themselves would play the same games again, which prove nothing.
    gauntlet: the first player meets each other one, instead of each meeting each.
    sprt: ends a match of two players. Others: as for `game.play_game`.
    hang: seconds for a move of an external program under a limit that is no time.
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

    def __post_init__(self) -> None:
        names = [player.name for player in self.players]
        if len(names) < 2 or len(set(names)) < len(names):
            raise ValueError(f"a match needs two players or more, of different names, not {', '.join(names)}")
        if not self.openings or self.pairs < 1:
            raise ValueError("a match needs an opening and a pair of games")
        for player in self.players:
            if player.limit is None and self.limit is None:
                raise ValueError(f"{player.name} has no limit: neither time, nodes nor depth")
        if self.sprt is not None:
            self.sprt.check()
            if len(names) != 2:
                raise ValueError("an SPRT is for two players")
        self.adjudication.check()

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

    def task(self, number: int) -> Task:
        """Game number of the plan: rounds of one pair of games for each pairing."""
        place, swap = divmod(number, 2)
        pair, index = divmod(place, len(self.pairings))
        a, b = self.pairings[index]
        red, black = (b, a) if swap else (a, b)
        return Task(number, (a, b), pair, red, black)

    def opening(self, pair: int) -> str:
        """The opening of the pair; each time through the openings has an order of its own."""
        lap, place = divmod(pair, len(self.openings))
        opening = self.openings[_order(self.seed, lap, len(self.openings))[place]]
        if lap and self.random_plies:
            return vary(opening, self.random_plies, random.Random(f"{self.seed} {pair}"))
        return opening

    def play(self, task: Task, red: Player, black: Player) -> GameRecord:
        """Play a game of the plan between players made of their specs."""
        limits = [self.players[i].limit or self.limit for i in (task.red, task.black)]
        assert limits[0] is not None and limits[1] is not None
        return play_game(
            red,
            black,
            self.opening(task.pair),
            limit=(limits[0], limits[1]),
            adjudication=self.adjudication,
            rule_set=self.rule_set,
            no_capture_limit=self.no_capture_limit,
            margin=self.margin,
            seed=random.Random(f"{self.seed} {task.number}").getrandbits(32),
        )

    def to_dict(self) -> dict[str, Any]:
        """The plan as JSON data, without how many pairs it has: a match may be made longer."""
        return {
            "players": [player.to_dict() for player in self.players],
            "openings": list(self.openings),
            "limit": None if self.limit is None else limit_data(self.limit),
            "random_plies": self.random_plies,
            "gauntlet": self.gauntlet,
            "sprt": None if self.sprt is None else self.sprt._asdict(),
            "adjudication": asdict(self.adjudication),
            "rule_set": self.rule_set,
            "no_capture_limit": self.no_capture_limit,
            "margin": self.margin,
            "seed": self.seed,
        }


@lru_cache(maxsize=8)
def _order(seed: int, lap: int, size: int) -> list[int]:
    order = list(range(size))
    random.Random(f"{seed} {lap}").shuffle(order)
    return order


class Results:
    """The games of a match so far, and their counts.

    records: by number of the game. counts: five counts of pairs for each pairing, for its first player.
    Pairs are counted in the order of the plan, each as soon as all before it are there. Games that end
    soon are not counted before long ones that began earlier: that would be biased.
    verdict: of the SPRT; pairs after it are not counted.
    """

    def __init__(self, match: Match) -> None:
        self.match = match
        self.records: dict[int, GameRecord] = {}
        self.counts: dict[tuple[int, int], list[int]] = {p: [0] * 5 for p in match.pairings}
        self.verdict: Literal["H0", "H1"] | None = None
        self.counted = 0  #: games

    def add(self, number: int, record: GameRecord) -> None:
        """Take up a game."""
        self.records[number] = record
        while self.verdict is None and self.counted in self.records and self.counted + 1 in self.records:
            pairing = self.match.task(self.counted).pairing
            points = self.records[self.counted].points + 1 - self.records[self.counted + 1].points
            self.counts[pairing][round(2 * points)] += 1
            self.counted += 2
            if self.match.sprt is not None:
                self.verdict = self.match.sprt.verdict(self.counts[pairing])

    @property
    def done(self) -> bool:
        """Is nothing left to play?"""
        return self.verdict is not None or self.counted >= self.match.games

    @property
    def llr(self) -> float:
        """The log-likelihood ratio of the SPRT so far."""
        assert self.match.sprt is not None
        return self.match.sprt.llr(self.counts[0, 1])

    def games(self) -> list[GameRecord]:
        """The games that count, in order."""
        return [self.records[number] for number in range(self.counted)]

    def wins(self, pairing: tuple[int, int]) -> tuple[int, int, int]:
        """Games that the first of the pairing has won, drawn and lost."""
        found = [0, 0, 0]
        for number, record in enumerate(self.games()):
            task = self.match.task(number)
            if task.pairing == pairing:
                points = record.points if task.red == pairing[0] else 1 - record.points
                found[round(2 - 2 * points)] += 1
        return found[0], found[1], found[2]

    def reasons(self) -> dict[str, int]:
        """How the games ended, the most frequent reason first."""
        found: dict[str, int] = {}
        for record in self.games():
            found[record.reason] = found.get(record.reason, 0) + 1
        return dict(sorted(found.items(), key=lambda item: -item[1]))

    def faults(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by its own fault, by reason: crashes, time, illegal moves."""
        return self._losses(FAULTS)

    def rule_losses(self) -> dict[str, dict[str, int]]:
        """Games that each player lost by perpetual check or chase."""
        return self._losses(RULE_LOSSES)

    def _losses(self, reasons: tuple[str, ...]) -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for record in self.games():
            if record.loser is not None and record.reason in reasons:
                of_player = found.setdefault(record.loser, {})
                of_player[record.reason] = of_player.get(record.reason, 0) + 1
        return found

    def speeds(self) -> dict[str, dict[str, float]]:
        """Of each player: moves, their mean depth, mean and longest seconds, nodes per second."""
        notes: dict[str, list[Any]] = {player.name: [] for player in self.match.players}
        for record in self.games():
            first = record.book + (" b " in record.fen)
            for ply, note in enumerate(record.notes, first):
                notes[record.black if ply % 2 else record.red].append(note)
        found = {}
        for name, told in notes.items():
            if told:
                seconds = sum(note.seconds for note in told)
                found[name] = {
                    "moves": len(told),
                    "depth": sum(note.depth for note in told) / len(told),
                    "seconds": seconds / len(told),
                    "longest": max(note.seconds for note in told),
                    "nps": sum(note.nodes for note in told) / seconds if seconds else 0.0,
                }
        return found


class Journal(JournalFile):
    """The journal of a match: after the plan a game a line. Those that were found are in `records`."""

    work = "match"

    def __init__(self, path: str | os.PathLike[str], match: Match) -> None:
        self.records: dict[int, GameRecord] = {}
        super().__init__(path, {"format": JOURNAL, **match.to_dict()})

    def _take(self, found: Any) -> None:
        self.records[found["game"]] = GameRecord.from_dict(found)

    def append(self, number: int, record: GameRecord) -> None:
        """Write a game, to the disk."""
        self._write({"game": number, **record.to_dict()})


def play_match(
    match: Match,
    *,
    journal: Journal | None = None,
    concurrency: int = 1,
    executor: Executor | None = None,
    report: Callable[[Results, int], object] | None = None,
) -> Results:
    """Play the games that are not in the journal, and return the results of all.

    concurrency: games at once, each in a thread with players of its own.
    executor: plays them instead, a pair of games a job.
    report: called with the results and the number of each game that has ended, in this thread.
    Interrupted (by any exception here or in report), it ends the games under way, which are lost, and
    keeps those that are over. OSError, EngineError, ValueError: a player cannot be made.
    """
    results = Results(match)
    for number, record in sorted((journal.records if journal else {}).items()):
        results.add(number, record)
    if results.done:
        return results
    done = set(results.records)
    crew = _Crew(match, done, concurrency) if executor is None else _Remote(match, done, executor)

    def take(number: int, record: GameRecord) -> None:
        if journal is not None:
            journal.append(number, record)
        results.add(number, record)

    try:
        while not results.done and (news := crew.wait()) is not None:
            take(*news)
            if report is not None:
                report(results, news[0])
    finally:
        for news in crew.stop():
            take(*news)
    return results


def play_tasks(job: tuple[Match, list[int]]) -> list[tuple[int, GameRecord]]:
    """Play games of a plan, given by their numbers, as a job of an `Executor`."""
    match, numbers = job
    held: dict[int, Player] = {}
    try:
        found = []
        for task in map(match.task, numbers):
            for index in (task.red, task.black):
                if index not in held:
                    held[index] = match.players[index].open(hang=match.hang)
            found.append((task.number, match.play(task, held[task.red], held[task.black])))
        return found
    finally:
        for player in held.values():
            player.close()


class _Remote:
    """The games as jobs of an executor, with the methods of a crew."""

    def __init__(self, match: Match, done: set[int], executor: Executor) -> None:
        pairs = ([n for n in (first, first + 1) if n not in done] for first in range(0, match.games, 2))
        self._running = executor.run(play_tasks, ((match, pair) for pair in pairs if pair))
        self._ready: list[tuple[int, GameRecord]] = []

    def wait(self) -> tuple[int, GameRecord] | None:
        """The next game that ends; None when there are no more. Raises what a job raised."""
        while not self._ready:
            _, found = next(self._running, (-1, None))
            if found is None:
                return None
            self._ready = found
        return self._ready.pop(0)

    def stop(self) -> Iterator[tuple[int, GameRecord]]:
        """Give up the games under way; those that had ended before."""
        self._running.close()
        yield from self._ready


class _Crew:
    """The threads that play the games."""

    def __init__(self, match: Match, done: set[int], size: int) -> None:
        self._match = match
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._todo = (number for number in range(match.games) if number not in done)
        self._players: list[Player] = []
        self._news: SimpleQueue[tuple[int, GameRecord] | BaseException | None] = SimpleQueue()
        old = threading.stack_size(STACK_BYTES)  # the players of this process search in these threads
        try:
            self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(size)]
            for thread in self._threads:
                thread.start()
        finally:
            threading.stack_size(old)
        self._working = size

    def _next(self) -> int | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._todo, None)

    def _work(self) -> None:
        held: dict[int, Player] = {}
        try:
            while (number := self._next()) is not None:
                task = self._match.task(number)
                for index in (task.red, task.black):
                    if index not in held:
                        player = self._match.players[index].open(hang=self._match.hang)
                        with self._lock:
                            self._players.append(player)
                        held[index] = player
                record = self._match.play(task, held[task.red], held[task.black])
                if not self._stopped.is_set():  # otherwise it was cut off
                    self._news.put((number, record))
        except BaseException as error:
            self._news.put(error)
        finally:
            for player in held.values():
                player.close()
            self._news.put(None)

    def wait(self) -> tuple[int, GameRecord] | None:
        """The next game that ends; None when there are no more. Raises what a thread raised."""
        while self._working:
            with suppress(Empty):
                # Waiting without end could not be interrupted on Windows.
                news = self._news.get(timeout=1.0)
                if isinstance(news, BaseException):
                    raise news
                if news is not None:
                    return news
                self._working -= 1
        return None

    def stop(self) -> Iterator[tuple[int, GameRecord]]:
        """End all threads; the games that had ended before."""
        self._stopped.set()
        while any(thread.is_alive() for thread in self._threads):
            with self._lock:
                for player in self._players:
                    player.abort()
            for thread in self._threads:
                thread.join(0.1)
        while not self._news.empty():
            news = self._news.get()
            if isinstance(news, tuple):
                yield news
