"""Playing a match: several games at once, in threads here or as jobs of an executor.

>>> from eleengine import Limit
>>> from eleengine.lab.match.spec import EngineSpec
>>> players = (EngineSpec("a"), EngineSpec("b", options={"skill": "0"}))
>>> results = play_match(MatchPlan(players, limit=Limit(nodes=300), pairs=2))
>>> sum(results.counts[0, 1]), len(results.games()), results.faults()
(2, 4, {})
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from typing import NamedTuple
from uuid import uuid4

from ..._internal.stack import deep_stacks
from ..._internal.system import keep_on, share_processors
from ...engines import EngineError
from ...jobs.executor import Executor, WorkerError
from ...jobs.identity import Identity, differences
from .adjudication import Adjudication, tables_digest
from .game import FAULTS, PlayedGame
from .journal import MatchJournal
from .plan import MatchPlan
from .player import Player
from .results import MatchResults
from .spec import PlayerSpec

__all__ = ["GamesJob", "check_engine", "check_tables", "play_games", "play_match", "usual_seconds"]

JOB_SECONDS = 60.0  # a job of an executor should take: long beside its way to the worker and back
LEAST_SECONDS = 15.0  # a job takes while each worker can have one of that length
MAX_PAIRS = 500  # of games a job
# Before a game has ended, its length is guessed:
USUAL_PLIES = 100
USUAL_SPEED = 1_000_000  # positions a second

_checked: set[tuple[str, ...]] = set()  # match, player and its files, on this worker


def play_match(
    plan: MatchPlan,
    *,
    results: MatchResults | None = None,
    journal: MatchJournal | None = None,
    concurrency: int = 1,
    executor: Executor | None = None,
    reports: Sequence[Callable[[MatchResults, int], object]] = (),
    most_faults: int | None = None,
    own_processors: bool = False,
    engines: Sequence[Identity] | None = None,
) -> MatchResults:
    """Play the games that are not in the journal, and return the results of all.

    results: to go on with, and to look at while it plays (default: those of the journal).
    concurrency: games at once, each in a thread with players of its own.
    executor: plays them instead, some pairs of games a job.
    reports: called with the results and the number of each game that has ended, in this thread.
    most_faults: number of games lost by a player's fault (`game.FAULTS`) at which the match is broken off.
    own_processors: each of the games at once gets as many processors as its players have threads, and stays
        there (Linux only; not with an executor).
    engines: identities of the players' engines (default: found out). A worker that has a different engine
        is left out.
    Interrupted (by any exception here or in reports), it ends the games under way, which are lost, and
    keeps those that are over. OSError, EngineError, ValueError: a player cannot be made, or there are not
    enough processors.
    """
    results = results or MatchResults(plan, journal.records if journal else {})
    faults = sum(record.reason in FAULTS for record in results.records.values())
    if executor is not None and engines is None:
        engines = [player.identity() for player in plan.players]

    def take(games: list[tuple[int, PlayedGame]]) -> None:
        if journal is not None:
            journal.append(games)
        for number, record in games:
            results.add(number, record)

    def goes_on() -> bool:
        return not results.done and (most_faults is None or faults < most_faults)

    if not goes_on():
        return results
    done = set(results.records)
    crew: _GameThreads | _GameJobs
    if executor is None:
        crew = _GameThreads(plan, done, concurrency, own_processors=own_processors)
    else:
        crew = _GameJobs(plan, done, executor, engines or [])
    try:
        while goes_on() and (news := crew.wait()):
            take(news)
            faults += sum(record.reason in FAULTS for _, record in news)
            for number, _ in news:
                for report in reports:
                    report(results, number)
    finally:
        take(list(crew.stop()))
    return results


class GamesJob(NamedTuple):
    """Some games of a plan, as a job of an `Executor`."""

    plan: MatchPlan  #: without its openings
    games: list[tuple[int, str]]  #: number and opening
    engines: Sequence[Identity]  #: of the players
    match: str  #: a name of this run of the match

    @property
    def title(self) -> str:
        """The games, from 1, for messages."""
        return f"games {self.games[0][0] + 1} to {self.games[-1][0] + 1}"


def play_games(job: GamesJob) -> list[tuple[int, PlayedGame]]:
    """Play the games of a job. WorkerError: a player is another engine on this machine."""
    plan = job.plan
    held: dict[int, Player] = {}
    try:
        check_tables(plan.adjudication)
        tasks = [plan.task(number) for number, _ in job.games]
        for index in sorted({index for task in tasks for index in task.pairing}):
            check_engine(plan.players[index], job.engines[index], job.match)
        return [(number, plan.play(number, held, opening)) for number, opening in job.games]
    finally:
        for player in held.values():
            player.close()


def check_engine(player: PlayerSpec, wanted: Identity, match: str) -> None:
    """Raise WorkerError if the player is not the wanted engine on this machine.

    Files are compared for each job, the answers of a program once a match.
    """
    try:
        key = (match, player.name, *player.program_identity().values())
        if key not in _checked:
            if other := differences(wanted, player.identity()):
                raise WorkerError(f"{player.name} is another engine there: other {other}")
            _checked.add(key)
    except (EngineError, OSError) as error:
        raise WorkerError(f"{player.name} cannot be used there: {error}") from None


def check_tables(rules: Adjudication) -> None:
    """Raise WorkerError unless the endgame tables that end games are the same on this machine."""
    if rules.tables is None:
        return
    try:
        found = tables_digest(rules.tables)
    except (OSError, ValueError) as error:
        raise WorkerError(f"its endgame tables cannot be used: {error}") from None
    if found != rules.tables_digest:
        raise WorkerError(f"other endgame tables in {rules.tables}")


def usual_seconds(plan: MatchPlan) -> float | None:
    """About how many seconds a game takes; None if a player has neither time nor nodes as its limit."""
    total = 0.0
    for player in plan.players:
        limit = plan.limit_of(player)
        moves = USUAL_PLIES / 2
        if limit.nodes is not None:
            total += moves * limit.nodes / USUAL_SPEED
        elif limit.time is not None:
            total += moves * limit.time
        elif limit.red_clock is not None:
            periods = moves / limit.remaining_moves if limit.remaining_moves else 1
            total += max(1.0, periods) * limit.red_clock + moves * (limit.red_inc or 0.0)
        else:
            return None
    return 2 * total / len(plan.players)


class _GameJobs:
    """The games as jobs of an executor, with the methods of a crew.

    How long the games take, by guess at first, decides how many pairs make a job of JOB_SECONDS. Towards the
    end jobs grow smaller, so that all workers end at about the same time.
    """

    def __init__(
        self, plan: MatchPlan, done: set[int], executor: Executor, engines: Sequence[Identity]
    ) -> None:
        self._plan = plan
        self._executor = executor
        self._rest = deque(
            pair
            for first in range(0, plan.games, 2)
            if (pair := [n for n in (first, first + 1) if n not in done])
        )
        self._games, self._seconds = 0, 0.0  # that have ended, and how long they took
        self._engines = engines
        self._match = uuid4().hex
        players = zip(plan.players, engines, strict=True)
        repeats = not any(plan.changes(player, engine) for player, engine in players)
        self._running = executor.run(play_games, self._jobs(), repeats=repeats)

    def _jobs(self) -> Iterator[GamesJob]:
        plan = self._plan.without_openings()
        while self._rest:
            pairs = [self._rest.popleft() for _ in range(min(self._pairs_of_a_job(), len(self._rest)))]
            games = [(n, self._plan.opening(self._plan.task(n).pair)) for pair in pairs for n in pair]
            yield GamesJob(plan, games, self._engines, self._match)

    def _pairs_of_a_job(self) -> int:
        """So many that a job takes its time, but that all workers have something to do to the end."""
        game = self._seconds / self._games if self._games else usual_seconds(self._plan)
        if game is None:
            return 1
        wanted = JOB_SECONDS / max(2 * game, 1e-9)
        minimum = LEAST_SECONDS / max(2 * game, 1e-9)
        fair = len(self._rest) / max(1, self._executor.workers())
        return max(1, min(int(wanted), int(max(fair / 2, min(fair, minimum))), MAX_PAIRS))

    def wait(self) -> list[tuple[int, PlayedGame]]:
        """The games of the next job that ends; none when there are no more. Raises what a job raised."""
        _, found = next(self._running, (-1, []))
        self._games += len(found)
        self._seconds += sum(note.seconds for _, record in found for note in record.notes)
        return found

    def stop(self) -> Iterator[tuple[int, PlayedGame]]:
        """Give up the games under way."""
        self._running.close()
        return iter(())


class _GameThreads:
    """The threads that play the games."""

    def __init__(self, plan: MatchPlan, done: set[int], size: int, *, own_processors: bool = False) -> None:
        self._plan = plan
        threads = max(player.threads or 1 for player in plan.players)
        processors = share_processors(size, threads) if own_processors else [None] * size
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._todo = (number for number in range(plan.games) if number not in done)
        self._held: list[dict[int, Player]] = []  # players of each thread
        # Games that nobody has taken hold up the next ones: short games do not run far ahead of the journal.
        self._news: Queue[tuple[int, PlayedGame] | BaseException | None] = Queue(size)
        self._threads = [threading.Thread(target=self._work, args=(p,), daemon=True) for p in processors]
        with deep_stacks():  # the players of this process search in these threads
            for thread in self._threads:
                thread.start()
        self._working = size

    def _next(self) -> int | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._todo, None)

    def _work(self, processors: set[int] | None) -> None:
        held: dict[int, Player] = {}
        with self._lock:
            self._held.append(held)
        try:
            if processors is not None:
                keep_on(processors)
            while (number := self._next()) is not None:
                record = self._plan.play(number, held)
                if not self._stopped.is_set():  # otherwise it was cut off
                    self._news.put((number, record))
        except BaseException as error:
            self._news.put(error)
        finally:
            for player in held.values():
                player.close()
            self._news.put(None)

    def wait(self) -> list[tuple[int, PlayedGame]]:
        """The next game that ends; none when there are no more. Raises what a thread raised."""
        while self._working:
            with suppress(Empty):
                # Waiting without end could not be interrupted on Windows.
                news = self._news.get(timeout=1.0)
                if isinstance(news, BaseException):
                    raise news
                if news is not None:
                    return [news]
                self._working -= 1
        return []

    def stop(self) -> Iterator[tuple[int, PlayedGame]]:
        """End all threads; the games that had ended before."""
        self._stopped.set()
        while any(thread.is_alive() for thread in self._threads) or not self._news.empty():
            with self._lock:
                for player in [player for held in self._held for player in list(held.values())]:
                    player.abort()
            with suppress(Empty):
                if isinstance(news := self._news.get(timeout=0.1), tuple):
                    yield news
