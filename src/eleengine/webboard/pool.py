"""Engines shared by all pages.

A pool has a few engines of one kind. A search that ends by itself (a move in a game, a hint) goes
first: an analysis without end makes room for it at once. Analyses take turns when there are more of them than
engines; what one has learnt waits in the engine's table.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Self

from .._core import EndgameTables, shipped_tables
from .._internal.processors import usable_processors
from .._internal.system import split_command
from ..board import Board
from ..engines.aio import AsyncEngine
from ..engines.external import ExternalEngine
from ..engines.external.named import NAMED
from ..engines.local import Engine
from ..engines.options import find_option
from ..engines.strength import TOP_SKILL
from ..engines.types import AnyEngine, EngineError, InfoDict, Limit, PlayResult
from ..tables import TableError, open_tables
from ..tables.folder import is_near_tables

TABLE_MIB = 64  # of endgame tables
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
        self.changed = asyncio.Event()  # of the pool that has it
        self.result: asyncio.Future[PlayResult] = asyncio.get_running_loop().create_future()

    @property
    def endless(self) -> bool:
        return self.limit is None

    def stop(self) -> None:
        """End the search soon; its result is what it has found."""
        self.stopped = True
        _wake(self.changed)

    def finish(self, result: PlayResult | BaseException) -> None:
        if self.result.done():
            return
        if isinstance(result, BaseException):
            self.result.set_exception(result)
            self.result.exception()  # perhaps nobody waits for it
        else:
            self.result.set_result(result)


class PoolEngine:
    """An engine of a pool, which is set up anew for each search.

    Beside `AsyncEngine` because the settings of an engine are those of a search here: the pages that share it
    want different lines, threads, memory and levels.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._set: dict[str, int] = {"skilllevel": TOP_SKILL}

    @classmethod
    async def start(cls, make: Callable[[], AnyEngine]) -> Self:
        """Start the engine that `make` makes; raises what it raises."""
        return cls(await AsyncEngine.open(make))

    @property
    def alive(self) -> bool:
        return self._engine.engine.alive

    async def search(self, job: PoolJob) -> PlayResult:
        """Do the job, to the end of its search, which `stop` brings on."""
        if job.limit is not None and job.report is None:
            return await self._engine.play(job.board, job.limit)
        report = job.report or (lambda lines: None)
        async with await self._engine.analysis(job.board, job.limit) as analysis:
            result = asyncio.ensure_future(analysis.wait())
            while await analysis.get() is not None:
                await asyncio.wait([result], timeout=REPORT)
                while not analysis.empty():
                    await analysis.get()
                report([info for info in analysis.multipv if info])
            report([info for info in analysis.multipv if info])
            return await result

    async def configure(self, job: PoolJob, threads: int) -> None:
        """Set the engine up for a job; a value that it has not is left out, or the nearest one taken."""
        wanted = {
            "multipv": job.lines, "threads": threads, "hashsize": job.hash_mib, "skilllevel": job.skill,
        }  # fmt: skip
        for name, value in wanted.items():
            option = find_option(self._engine.options, name)
            if option is None or self._set.get(name) == value:
                continue
            low, high = option.min or 1, option.max or value
            with suppress(ValueError):
                await self._engine.configure({option.name: max(low, min(high, value))})
            self._set[name] = value
        if isinstance(self._engine.engine, Engine) and is_near_tables(job.board):
            await self._engine.configure({"tables": await asyncio.to_thread(endgame_tables)})

    def stop(self) -> None:
        """End the search that runs, or is about to."""
        self._engine.stop()

    async def close(self) -> None:
        """Close the engine, in whatever state it is."""
        with suppress(Exception):
            await self._engine.close()


class Pool:
    """Engines of one kind, and the searches that wait for them. An engine that has gone wrong is replaced.

    name: for the page. makers: of the engines. threads: that all of them together may use.
    """

    def __init__(
        self, name: str, makers: list[Callable[[], AnyEngine]], *, threads: int = 1, weak: bool = False
    ) -> None:
        self.name = name
        self.weak = weak  # can it play below its strength?
        self.threads = threads
        self.busy: int = 0  # threads in use
        self.max_busy: int = 0
        self._waiting: deque[PoolJob] = deque()
        self._changed = asyncio.Event()
        self._tasks = [asyncio.create_task(self._serve(make)) for make in makers]

    def submit(self, job: PoolJob) -> PoolJob:
        """Let a search have its turn."""
        job.changed = self._changed
        self._waiting.append(job)
        _wake(self._changed)
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

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._changed.wait()

    async def _next(self) -> PoolJob:
        """The search whose turn it is: those with an end first."""
        while True:
            for job in [job for job in self._waiting if job.stopped]:
                self._waiting.remove(job)
                job.finish(PlayResult(None, None, {}))
            if self._waiting and self.busy < self.threads:
                found = next((job for job in self._waiting if not job.endless), self._waiting[0])
                self._waiting.remove(found)
                return found
            await self._changed.wait()

    async def _end_of_turn(self, job: PoolJob) -> None:
        """Wait until the search has been stopped, or is an analysis that must make room."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SLICE):
                return await self._until(lambda: self._is_over(job, slice_spent=False))
        await self._until(lambda: self._is_over(job, slice_spent=True))

    def _is_over(self, job: PoolJob, *, slice_spent: bool) -> bool:
        others = [other for other in self._waiting if not other.stopped]
        return job.stopped or (job.endless and any(slice_spent or not other.endless for other in others))

    async def _serve(self, make: Callable[[], AnyEngine]) -> None:
        engine: PoolEngine | None = None
        job: PoolJob | None = None
        try:
            while True:
                job = await self._next()
                share = self.threads // len(self._tasks) if self._waiting else self.threads
                threads = max(1, min(job.threads, share, self.threads - self.busy))
                self.busy += threads
                self.max_busy = max(self.max_busy, self.busy)
                try:
                    if engine is not None and not engine.alive:
                        await engine.close()
                        engine = None
                    if engine is None:
                        engine = await PoolEngine.start(make)
                    await self._search(engine, job, threads)
                except Exception as error:  # whatever it was, the next search gets a new engine
                    job.finish(_told(error))
                    if engine is not None:
                        await engine.close()
                        engine = None
                finally:
                    self.busy -= threads
                    _wake(self._changed)
        finally:
            if job is not None:
                job.finish(PlayResult(None, None, {}))
            if engine is not None:
                await engine.close()

    async def _search(self, engine: PoolEngine, job: PoolJob, threads: int) -> None:
        await engine.configure(job, threads)
        search = asyncio.create_task(engine.search(job))
        turn = asyncio.create_task(self._end_of_turn(job))
        try:
            await asyncio.wait([search, turn], return_when=asyncio.FIRST_COMPLETED)
            cut = not search.done() and not job.stopped
            if not search.done():
                engine.stop()
            result = await search
        finally:
            turn.cancel()
            search.cancel()
            await asyncio.wait([search])
        if cut and not job.stopped:
            self.submit(job)
        else:
            job.finish(result)


def _wake(changed: asyncio.Event) -> None:
    """Let those who wait look again, and nobody who comes later."""
    changed.set()
    changed.clear()


def _told(error: Exception) -> EngineError | ValueError:
    """What the one who waits for a search gets: any other error than these is a fault of ours, and shown."""
    if isinstance(error, (EngineError, ValueError)):
        return error
    if not isinstance(error, MemoryError):
        traceback.print_exception(error)
    return EngineError(str(error) or type(error).__name__)


@cache
def endgame_tables() -> EndgameTables:
    """The endgame tables of all engines: those that come with the package, and the user's smaller ones."""
    try:
        return open_tables().load_within(TABLE_MIB)
    except (OSError, TableError, MemoryError):
        return shipped_tables()  # `eleengine tables check` names the file


def make_pools(commands: list[str], *, size: int | None = None, hash_mib: int = 64) -> list[Pool]:
    """The pool of our own engines, and one for each other program: by command, and those of `NAMED`."""
    threads = usable_processors()
    size = size or min(4, threads)
    pools = [Pool("eleengine", [partial(Engine, hash_mib=hash_mib)] * size, threads=threads, weak=True)]
    for command in (*commands, *NAMED):
        pools.append(Pool(program_name(command), [partial(ExternalEngine, command)], threads=threads))
    return pools


def program_name(command: str) -> str:
    """A name for the page, until the program has said its own; ValueError if the command names no program."""
    words = split_command(command)
    if not words:
        raise ValueError("no program")
    return words[0].replace("\\", "/").rpartition("/")[2] or command
