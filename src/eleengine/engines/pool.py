"""A pool of engines for asyncio: searches wait for their turn, and an engine that has gone wrong is replaced.

>>> import asyncio
>>> from functools import partial
>>> from eleengine import Board, Engine, Limit
>>> async def main() -> None:
...     async with EnginePool([partial(Engine, hash_mib=4)] * 2) as pool:
...         results = await asyncio.gather(*(pool.play(Board(), Limit(nodes=300)) for _ in range(5)))
...     print(len(results), all(result.move in Board().legal_moves for result in results))
>>> asyncio.run(main())
5 True

A search that ends by itself goes first: an analysis without end makes room for it at once. Analyses take
turns when there are more of them than engines; what one has learnt waits in the engine's table.
"""

from __future__ import annotations

import asyncio
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from operator import index
from typing import Literal, Self, TypeVar, overload

from ..board import Board
from .aio import AsyncEngine
from .options import find_option
from .types import (
    AnyEngine,
    EngineError,
    EngineTerminatedError,
    InfoDict,
    Limit,
    PlayResult,
    check_lines,
    check_request,
)

__all__ = ["EnginePool", "PoolJob"]

REPORT = 0.1  # seconds between two reports of a search
SLICE = 1.5  # seconds that an analysis runs while others wait

Report = Callable[[list[InfoDict]], object]
Prepare = Callable[[AnyEngine, Board], object]


class PoolJob:
    """A search: asked for, waiting for its turn, running or done. For the tasks of one loop.

    limit: None for an analysis without end. options: by names as for `Engine.configure`, for this search and
        until another search sets the same; an option that an engine has not is left out, and instead of a
        number that it cannot have it gets the nearest. threads: as many at most, as far as the pool has them;
        None leaves the engine those that it has. report: called with the lines so far, at most ten times a
        second and always with the last ones.
    """

    def __init__(
        self,
        board: Board,
        limit: Limit | None,
        *,
        options: Mapping[str, int] | None = None,
        threads: int | None = None,
        report: Report | None = None,
    ) -> None:
        check_request(board, limit, limit_may_be_none=True)
        self.board = board.copy()
        self.limit = limit
        self.options = dict(options or {})
        self.threads = threads
        self.report = report
        self.stopped: bool = False
        self.changed = asyncio.Event()  # of the pool that has it
        self.result: asyncio.Future[PlayResult] = asyncio.get_running_loop().create_future()

    @property
    def endless(self) -> bool:
        """Return whether the search has no limit: it gives way to searches that have one."""
        return self.limit is None

    def stop(self) -> None:
        """End the search soon; its result is what it has found."""
        self.stopped = True
        _wake(self.changed)

    def finish(self, result: PlayResult | BaseException) -> None:
        """Set the result, or the error that `result` raises when awaited; only the first call counts."""
        if self.result.done():
            return
        if isinstance(result, BaseException):
            self.result.set_exception(result)
            self.result.exception()  # perhaps nobody waits for it
        else:
            self.result.set_result(result)


_J = TypeVar("_J", bound=PoolJob)


class _PoolEngine(AsyncEngine):
    """An engine of a pool, which is set up anew for each search."""

    def __init__(self, engine: AnyEngine) -> None:
        super().__init__(engine)
        self._set: dict[str, int] = {}

    async def search(self, job: PoolJob) -> PlayResult:
        """Do the job, to the end of its search, which `stop` brings on."""
        if job.limit is not None and job.report is None:
            return await self.play(job.board, job.limit)
        report = job.report or (lambda lines: None)
        async with await self.analysis(job.board, job.limit) as analysis:
            result = asyncio.ensure_future(analysis.wait())
            while await analysis.get() is not None:
                await asyncio.wait([result], timeout=REPORT)
                while not analysis.empty():
                    await analysis.get()
                report([info for info in analysis.multipv if info])
            report([info for info in analysis.multipv if info])
            return await result

    async def set_up(self, job: PoolJob, threads: int, prepare: Prepare | None) -> None:
        """Set the engine up for a job."""
        wanted = job.options if job.threads is None else {**job.options, "threads": threads}
        for name, value in wanted.items():
            option = find_option(self.options, name)
            if option is None or self._set.get(option.name) == value:
                continue
            low, high = option.min or 0, option.max or value
            with suppress(ValueError):
                await self.configure({option.name: max(low, min(high, value))})
            self._set[option.name] = value
        if prepare is not None:
            await self.run(lambda engine: prepare(engine, job.board))

    async def close(self) -> None:
        """Close the engine, in whatever state it is."""
        with suppress(Exception):
            await super().close()


class EnginePool:
    """Engines that share searches, for the tasks of the loop that runs; an asynchronous context manager.

    makers: of the engines, one each, which are called in threads of their own when there is a search to do,
        and again when an engine has ended or raised an error. The search that it failed in raises that error.
    threads: the most that all engines use together; by default one for each engine. ValueError below 1.
    prepare: called with the engine and the position before each search, in the engine's thread.
    """

    def __init__(
        self,
        makers: Iterable[Callable[[], AnyEngine]],
        *,
        threads: int | None = None,
        prepare: Prepare | None = None,
    ) -> None:
        makers = list(makers)
        self.threads: int = len(makers) if threads is None else index(threads)
        if makers and self.threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._prepare = prepare
        self.busy: int = 0  # threads in use
        self.max_busy: int = 0
        self._waiting: deque[PoolJob] = deque()
        self._changed = asyncio.Event()
        self._tasks = [asyncio.create_task(self._serve(make)) for make in makers]

    async def play(
        self, board: Board, limit: Limit, *, options: Mapping[str, int] | None = None
    ) -> PlayResult:
        """Search for a move to play, as soon as an engine is free; options and errors as for `PoolJob`."""
        return await self.search(PoolJob(board, limit, options=options))

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, options: Mapping[str, int] | None = None
    ) -> InfoDict: ...
    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int, options: Mapping[str, int] | None = None
    ) -> list[InfoDict]: ...
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        options: Mapping[str, int] | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search as soon as an engine is free, and return what was found of the best line, or lines."""
        lines: list[InfoDict] = []

        def take(found: list[InfoDict]) -> None:
            lines[:] = found

        options = {**(options or {}), "multipv": 1 if multipv is None else check_lines(multipv)}
        result = await self.search(PoolJob(board, limit, options=options, report=take))
        return result.info if multipv is None else lines[:multipv]

    def submit(self, job: _J) -> _J:
        """Let a search have its turn. EngineTerminatedError if no engine will ever take it."""
        if all(task.done() or task.cancelling() for task in self._tasks):
            raise EngineTerminatedError("the pool has been closed, or has no engines")
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
        """Close all engines; searches that run or wait end with what they have."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for job in self._waiting:
            job.finish(PlayResult(None, None))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> Literal[False]:
        await self.close()
        return False

    async def _until(self, is_so: Callable[[], bool]) -> None:
        while not is_so():
            await self._changed.wait()

    async def _next(self) -> PoolJob:
        """The search whose turn it is: those with an end first."""
        while True:
            for job in [job for job in self._waiting if job.stopped]:
                self._waiting.remove(job)
                job.finish(PlayResult(None, None))
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
        engine: _PoolEngine | None = None
        job: PoolJob | None = None
        try:
            while True:
                job = await self._next()
                share = self.threads // len(self._tasks) if self._waiting else self.threads
                threads = max(1, min(job.threads or 1, share, self.threads - self.busy))
                self.busy += threads
                self.max_busy = max(self.max_busy, self.busy)
                try:
                    if engine is not None and not engine.engine.alive:
                        await engine.close()
                        engine = None
                    if engine is None:
                        engine = await _PoolEngine.open(make)
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
                job.finish(PlayResult(None, None))
            if engine is not None:
                await engine.close()

    async def _search(self, engine: _PoolEngine, job: PoolJob, threads: int) -> None:
        await engine.set_up(job, threads, self._prepare)
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
