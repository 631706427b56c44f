"""Engines shared by all pages.

A pool has a few engines of one kind. A search that ends by itself (a move in a game, a hint) goes
first: an analysis without end makes room for it at once. Analyses take turns when there are more of them than
engines; what one has learnt waits in the engine's table.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cache, partial
from math import inf
from time import monotonic
from typing import Any, Protocol

from .._core import EndgameTables, shipped_tables
from .._internal.processors import usable_processors
from .._internal.system import split_command
from ..board import Board
from ..engines.external import ExternalEngine
from ..engines.external.analysis import ExternalAnalysis
from ..engines.external.named import NAMED
from ..engines.local import Engine
from ..engines.strength import TOP_SKILL
from ..engines.types import AnyAnalysis, EngineError, EngineTimeoutError, InfoDict, Limit, PlayResult
from ..tables import TableError, open_tables
from ..tables.folder import is_near_tables

TABLE_MIB = 64  # of endgame tables
POLL = 0.02  # seconds between two looks at an engine
STOP_AGAIN = 0.3  # seconds between two calls of stop: one before the search has begun is lost
STOP_PATIENCE = 10.0  # seconds from the first of them until an engine that goes on is replaced
REPORT = 0.1  # seconds between two reports of a search
SLICE = 1.5  # seconds that an analysis runs while others wait

Report = Callable[[list[InfoDict]], object]


class PoolJob:
    """A search: asked for, waiting for its turn, running or done.

    limit: None for an analysis without end. lines: how many to report. skill: below 20 for a weak move.
    report: called with the lines so far, at most ten times a second and always with the last ones.
    """

    def __init__(
        self,
        board: Board,
        limit: Limit | None,
        *,
        lines: int = 1,
        threads: int = 1,
        hash_mib: int = 64,
        skill: int = TOP_SKILL,
        report: Report | None = None,
    ) -> None:
        self.board = board
        self.limit = limit
        self.lines = lines
        self.threads = threads
        self.hash_mib = hash_mib
        self.skill = skill
        self.report = report
        self.stopped: bool = False
        self.result: asyncio.Future[PlayResult] = asyncio.get_running_loop().create_future()

    @property
    def endless(self) -> bool:
        return self.limit is None

    def stop(self) -> None:
        """End the search soon; its result is what it has found."""
        self.stopped = True

    def finish(self, result: PlayResult | BaseException) -> None:
        if self.result.done():
            return
        if isinstance(result, BaseException):
            self.result.set_exception(result)
            self.result.exception()  # perhaps nobody waits for it
        else:
            self.result.set_result(result)


class PoolEngine(Protocol):
    """An engine of the pool. start and close may block for a moment and are called from threads."""

    def start(self, job: PoolJob, threads: int) -> AnyAnalysis: ...
    def close(self) -> None: ...


class Pool:
    """Engines of one kind, and the searches that wait for them.

    name: for the page. players: makers of the engines. threads: that all of them together may use.
    """

    def __init__(
        self, name: str, makers: list[Callable[[], PoolEngine]], *, threads: int = 1, weak: bool = False
    ) -> None:
        self.name = name
        self.weak = weak  # can it play below its strength?
        self.threads = threads
        self.busy: int = 0  # threads in use
        self.max_busy: int = 0
        self._waiting: deque[PoolJob] = deque()
        self._changed = asyncio.Condition()
        self._tasks = [asyncio.create_task(self._serve(make)) for make in makers]

    def submit(self, job: PoolJob) -> PoolJob:
        """Let a search have its turn."""
        self._put(job)
        return job

    async def search(self, job: PoolJob) -> PlayResult:
        """Let a search have its turn and wait for it; who is cancelled ends it. EngineError, ValueError."""
        try:
            return await self.submit(job).result
        except asyncio.CancelledError:
            job.stop()
            raise

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in self._waiting:
            job.finish(PlayResult(None, None, {}))

    def _put(self, job: PoolJob) -> None:
        self._waiting.append(job)
        _spawn(self._wake())

    async def _wake(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _next(self) -> PoolJob:
        """The search whose turn it is: those with an end first."""
        async with self._changed:
            while True:
                for job in [job for job in self._waiting if job.stopped]:
                    self._waiting.remove(job)
                    job.finish(PlayResult(None, None, {}))
                found = next((job for job in self._waiting if not job.endless), None)
                if found is None and self._waiting:
                    found = self._waiting[0]
                if found is not None and self.busy < self.threads:
                    self._waiting.remove(found)
                    return found
                await self._changed.wait()

    def _must_yield(self, spent: float) -> bool:
        """Must an analysis that has run so long make room?"""
        waiting = [job for job in self._waiting if not job.stopped]
        return bool(waiting) and (spent > SLICE or any(not job.endless for job in waiting))

    async def _serve(self, make: Callable[[], PoolEngine]) -> None:
        player: PoolEngine | None = None
        job: PoolJob | None = None
        try:
            while True:
                job = await self._next()
                share = self.threads // len(self._tasks) if self._waiting else self.threads
                threads = max(1, min(job.threads, share, self.threads - self.busy))
                self.busy += threads
                self.max_busy = max(self.max_busy, self.busy)
                try:
                    if player is None:
                        player = await asyncio.to_thread(make)
                    await self._search(player, job, threads)
                except Exception as error:  # whatever it was, the next search gets a new engine
                    job.finish(_told(error))
                    if player is not None:
                        await asyncio.to_thread(_close, player)
                        player = None
                finally:
                    self.busy -= threads
                    _spawn(self._wake())
        finally:
            if job is not None:
                job.finish(PlayResult(None, None, {}))
            if player is not None:
                _close(player)

    async def _search(self, player: PoolEngine, job: PoolJob, threads: int) -> None:
        analysis = await asyncio.to_thread(player.start, job, threads)
        started = reported = monotonic()
        first_stop, last_stop = inf, -inf
        shown: list[InfoDict] = []
        cut = False
        try:
            while not analysis.is_done():
                await asyncio.sleep(POLL)
                now = monotonic()
                cut = cut or (job.endless and not job.stopped and self._must_yield(now - started))
                if (job.stopped or cut) and now - last_stop >= STOP_AGAIN:
                    first_stop, last_stop = min(first_stop, now), now
                    analysis.stop()
                if now - first_stop >= STOP_PATIENCE:
                    raise EngineTimeoutError(f"{self.name} does not stop its search")
                lines = _lines(analysis)
                if job.report and lines != shown and now - reported >= REPORT:
                    shown, reported = lines, now
                    job.report(lines)
        except BaseException:  # we go, or a report has failed
            analysis.stop()
            raise
        result = analysis.wait()
        lines = _lines(analysis)
        if cut and not job.stopped:
            if job.report and lines:
                job.report(lines)
            self._put(job)
            return
        if job.report:
            job.report(lines)
        job.finish(result)


def _told(error: Exception) -> EngineError | ValueError:
    """What the one who waits for a search gets: any other error than these is a fault of ours, and shown."""
    if isinstance(error, (EngineError, ValueError)):
        return error
    if not isinstance(error, MemoryError):
        traceback.print_exception(error)
    return EngineError(str(error) or type(error).__name__)


def _close(player: PoolEngine) -> None:
    """Close an engine that may be in any state."""
    with suppress(Exception):
        player.close()


def _lines(analysis: AnyAnalysis) -> list[InfoDict]:
    return [info for info in analysis.multipv if info]


@cache
def endgame_tables() -> EndgameTables:
    """The endgame tables of all engines: those that come with the package, and the user's smaller ones."""
    try:
        return open_tables().load_within(TABLE_MIB)
    except (OSError, TableError, MemoryError):
        return shipped_tables()  # `eleengine tables check` names the file


class LocalPoolEngine:
    """The engine of this package."""

    def __init__(self, hash_mib: int) -> None:
        self._engine = Engine(hash_mib=hash_mib)

    def start(self, job: PoolJob, threads: int) -> AnyAnalysis:
        engine = self._engine
        if engine.hash_mib != job.hash_mib:
            engine.hash_mib = job.hash_mib
        engine.threads = threads
        if job.skill < TOP_SKILL and job.limit is not None:
            limit = job.limit
            engine.skill = job.skill
            return _PoolAnalysis(lambda report: engine.play(job.board, limit), engine.stop)
        engine.skill = TOP_SKILL
        if is_near_tables(job.board):
            engine.tables = endgame_tables()
        return engine.analysis(job.board, job.limit, multipv=job.lines)

    def close(self) -> None:
        self._engine.close()


class ExternalPoolEngine:
    """Another program that speaks UCCI or UCI."""

    def __init__(self, command: str) -> None:
        self._engine = ExternalEngine(command)
        self._set: dict[str, int] = {}

    def start(self, job: PoolJob, threads: int) -> AnyAnalysis:
        self._configure({"multipv": job.lines, "threads": threads, "hash": job.hash_mib})
        engine, limit = self._engine, job.limit
        if limit is not None and job.report is None:
            return _PoolAnalysis(lambda report: engine.play(job.board, limit), engine.stop)

        def analyse(report: Callable[[InfoDict], object]) -> PlayResult:
            info = engine.analyse(job.board, limit or Limit(), report=report)
            pv = info.get("pv") or []
            return PlayResult(pv[0] if pv else None, pv[1] if len(pv) > 1 else None, info)

        return _PoolAnalysis(analyse, engine.stop)

    def _configure(self, wanted: dict[str, int]) -> None:
        for name, value in wanted.items():
            option = self._engine.options.get(name)
            if option is None or self._set.get(name) == value:
                continue
            low, high = option.min or 1, option.max or value
            with suppress(ValueError):
                self._engine.configure({option.name: max(low, min(high, value))})
            self._set[name] = value

    def close(self) -> None:
        self._engine.close()


class _PoolAnalysis(ExternalAnalysis):
    """A search by a call that blocks; only infos with a score and a line count as lines."""

    def _take(self, news: InfoDict) -> None:
        if "score" in news and news.get("pv"):
            super()._take(news)


def make_pools(commands: list[str], *, size: int | None = None, hash_mib: int = 64) -> list[Pool]:
    """The pool of our own engines, and one for each other program: by command, and those of `NAMED`."""
    threads = usable_processors()
    size = size or min(4, threads)
    pools = [Pool("eleengine", [lambda: LocalPoolEngine(hash_mib)] * size, threads=threads, weak=True)]
    for command in (*commands, *NAMED):
        pools.append(Pool(program_name(command), [partial(ExternalPoolEngine, command)], threads=threads))
    return pools


def program_name(command: str) -> str:
    """A name for the page, until the program has said its own; ValueError if the command names no program."""
    words = split_command(command)
    if not words:
        raise ValueError("no program")
    return words[0].replace("\\", "/").rpartition("/")[2] or command


_tasks: set[asyncio.Task[Any]] = set()


def _spawn(work: Coroutine[Any, Any, object]) -> None:
    """Start a task that nobody waits for."""
    task = asyncio.ensure_future(work)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
