"""Engines for asyncio: searches that are awaited while the event loop goes on.

>>> import asyncio
>>> from eleengine import Board, Engine, Limit
>>> async def main() -> None:
...     async with AsyncEngine(Engine()) as engine:
...         result = await engine.play(Board(), Limit(nodes=500))
...         print(result.move in Board().legal_moves)
...         async with await engine.analysis(Board(), multipv=2) as analysis:
...             async for info in analysis:
...                 if info["depth"] >= 4:
...                     break
...         print(len(analysis.multipv))
>>> asyncio.run(main())
True
2

Other programs are started without blocking, too: ``await AsyncEngine.start("pikafish")``.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from queue import Empty
from typing import Any, Final, Generic, Literal, Self, TypedDict, TypeVar, Unpack, overload

from .._core import Move
from .._internal.copying import NotCopied
from ..board import Board
from .chess_names import ChessEngineNames
from .external import ExternalEngine
from .options import Option
from .session import CLOSED, started
from .types import AnyAnalysis, AnyEngine, EngineTerminatedError, InfoDict, Limit, PlayResult, check_request

__all__ = ["AsyncAnalysis", "AsyncEngine", "EngineTransport", "popen_ucci", "popen_uci"]

_T = TypeVar("_T")

CLOSE_SECONDS: Final = 5.0  # for another program to end its search, before it is ended
BURST: Final = 256  # infos that a reader gets at once: then the other tasks have their turn


class SearchOptions(TypedDict, total=False):
    """What can be said of a search beside position, limit and lines: as for the engine."""

    game: object
    root_moves: Iterable[Move] | None
    info: object
    timeout: float | None


class AsyncEngine(ChessEngineNames, NotCopied):
    """An engine, `Engine` or `ExternalEngine`, whose searches are awaited; they run one after the other.

    Arguments and errors of the methods are those of the engine. Cancelling a task stops the search that it
    awaits, and no other one; a search that waits for its turn never begins then.
    """

    def __init__(self, engine: AnyEngine) -> None:
        self.engine = engine
        # One thread, and none of the loop's: the engine's methods are called one after the other.
        self._pool = ThreadPoolExecutor(1, "eleengine-aio")
        self._calls: set[_Call[Any]] = set()
        self._analysis: AsyncAnalysis | None = None  # the last one
        self._closing: asyncio.Future[None] | None = None

    @classmethod
    async def start(cls, command: str | list[str], **options: Any) -> Self:
        """Start another program; arguments and errors as for `ExternalEngine`."""
        return await cls.open(partial(ExternalEngine, command, **options))

    @classmethod
    async def open(cls, make: Callable[[], AnyEngine]) -> Self:
        """Call `make` in a thread, and return the engine that comes of it; raises what it raises.

        Cancelling the task ends the engine as soon as it has started.
        """
        thread = ThreadPoolExecutor(1, "eleengine-start")
        begun = thread.submit(make)
        thread.shutdown(wait=False)
        try:
            return cls(await asyncio.shield(asyncio.wrap_future(begun)))
        except asyncio.CancelledError:
            begun.add_done_callback(_kill)
            raise

    @property
    def id(self) -> Mapping[str, str]:
        """What the engine says of itself: name, author."""
        return self.engine.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that `configure` knows by name, which is found in any letters."""
        return self.engine.options

    async def play(
        self, board: Board, limit: Limit, *, ponder: bool = False, **options: Unpack[SearchOptions]
    ) -> PlayResult:
        """Search for a move to play."""
        check_request(board, limit)
        position = board.copy()
        return await self._call(lambda: self.engine.play(position, limit, ponder=ponder, **options))

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, **options: Unpack[SearchOptions]
    ) -> InfoDict: ...

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int, **options: Unpack[SearchOptions]
    ) -> list[InfoDict]: ...

    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int | None = None, **options: Unpack[SearchOptions]
    ) -> InfoDict | list[InfoDict]:
        """Search, and return what was found of the best line, or of the best lines."""
        check_request(board, limit)
        position = board.copy()
        return await self._call(lambda: self.engine.analyse(position, limit, multipv=multipv, **options))

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
    ) -> AsyncAnalysis:
        """Start a search, without end if there is no limit."""
        check_request(board, limit, limit_may_be_none=True)
        position = board.copy()
        begun = await self._call(
            lambda: self.engine.analysis(position, limit, multipv=multipv, game=game, root_moves=root_moves),
            undo=lambda analysis: analysis.stop(),
        )
        self._analysis = AsyncAnalysis(begun)
        return self._analysis

    def stop(self) -> None:
        """End the search that runs or just begins, and those that wait for their turn, soon."""
        for call in self._calls:
            call.stop()
        if self._analysis is not None:
            self._analysis.stop()
        self.engine.stop()

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name."""
        await self._call(lambda: self.engine.configure(options))

    async def new_game(self) -> None:
        """Forget what was learnt in the game before."""
        await self._call(self.engine.new_game)

    async def ping(self) -> float:
        """Wait until the engine is ready, and return the seconds that it took."""
        return await self._call(self.engine.ping)

    async def run(self, work: Callable[[AnyEngine], _T]) -> _T:
        """Call the function with the engine in its thread, and return or raise what it does."""
        return await self._call(lambda: work(self.engine))

    async def send_game_result(self, board: object, winner: object = None, **told: object) -> None:
        """Nothing: neither UCI nor UCCI has a word for the result of a game."""

    async def close(self) -> None:
        """End the engine and what runs; calls that wait for their turn raise EngineTerminatedError.

        Another program that does not end its search in 5 seconds is ended. Who is cancelled here does not
        wait any longer, but the engine is closed all the same.
        """
        if self._closing is None or self._closing.cancelled():
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        for call in self._calls:
            call.withdraw(EngineTerminatedError(CLOSED))
        # After the call that runs.
        closed = asyncio.get_running_loop().run_in_executor(self._pool, self.engine.close)
        self.stop()
        try:
            await asyncio.wait([closed], timeout=CLOSE_SECONDS)
        finally:
            # Also if the loop ends, and cancels what runs: a program must not outlive that.
            if not closed.done():
                self.engine.kill()
        await closed
        self._pool.shutdown(wait=False)

    async def _call(self, work: Callable[[], _T], *, undo: Callable[[_T], object] | None = None) -> _T:
        """Do the work in the engine's thread, once an analysis that was asked to end has done so.

        If the task is cancelled, work that has not begun never does, and a search that has begun is stopped;
        then its end is awaited. undo: what to do with a result that nobody will get.
        """
        call = _Call(work)
        self._calls.add(call)
        try:
            if self._analysis is not None and self._analysis._stopped:
                await asyncio.wait([self._analysis._result])
            if self._closing is not None:
                raise EngineTerminatedError(CLOSED)
            return await self._run(call, undo)
        finally:
            self._calls.discard(call)

    async def _run(self, call: _Call[_T], undo: Callable[[_T], object] | None) -> _T:
        future = asyncio.get_running_loop().run_in_executor(self._pool, call.run)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_forget_error)
            if not call.withdraw(asyncio.CancelledError()):
                # A task of its own, because this one may be cancelled again.
                await asyncio.shield(asyncio.ensure_future(_end(call, future, undo)))
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> Literal[False]:
        await self.close()
        return False


async def popen_uci(command: str | list[str], **options: Any) -> tuple[EngineTransport, AsyncEngine]:
    """Start a program that speaks UCI: its process and the engine, as in python-chess.

    Arguments and errors as for `ExternalEngine`; `AsyncEngine.start` returns the engine alone.
    """
    engine = await AsyncEngine.start(command, protocol="uci", **options)
    return EngineTransport(engine), engine


async def popen_ucci(command: str | list[str], **options: Any) -> tuple[EngineTransport, AsyncEngine]:
    """As `popen_uci`, for a program that speaks UCCI."""
    engine = await AsyncEngine.start(command, protocol="ucci", **options)
    return EngineTransport(engine), engine


class EngineTransport(asyncio.SubprocessTransport):
    """The process of an engine, for whoever has to watch or end it. Nothing here waits."""

    def __init__(self, engine: AsyncEngine) -> None:
        super().__init__()
        assert isinstance(engine.engine, ExternalEngine)
        self._engine = engine.engine

    def get_pid(self) -> int:
        """The number of the process."""
        return self._engine.pid

    def get_returncode(self) -> int | None:
        """The exit status, None while the program runs."""
        return self._engine.returncode

    def is_closing(self) -> bool:
        """Has the program ended?"""
        return not self._engine.alive

    def kill(self) -> None:
        """End the program at once; what runs raises EngineTerminatedError."""
        self._engine.kill()

    terminate = close = kill


class _Call(Generic[_T]):
    """A call of the engine that waits for its turn, runs, or has ended."""

    def __init__(self, work: Callable[[], _T]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._begun = self._stopped = False
        self._refusal: BaseException | None = None
        self._stop_search: Callable[[], object] | None = None

    def run(self) -> _T:
        """Do the work, in the engine's thread."""
        with self._lock:
            if self._refusal is not None:
                raise self._refusal
            self._begun = True
        started.set(self._take_search)
        try:
            return self._work()
        finally:
            started.set(None)
            with self._lock:
                self._stop_search = None  # what the engine searches next is another call's

    def _take_search(self, stop: Callable[[], object]) -> None:
        with self._lock:
            self._stop_search = stop
            if self._stopped:
                stop()

    def withdraw(self, error: BaseException) -> bool:
        """Let the call raise the error instead of beginning; False if it has begun."""
        with self._lock:
            if not self._begun and self._refusal is None:
                self._refusal = error
            return not self._begun

    def stop(self) -> None:
        """End the search of the call, at once or as soon as it begins."""
        with self._lock:
            self._stopped = True
            if self._stop_search is not None:
                self._stop_search()


def _forget_error(future: asyncio.Future[Any]) -> None:
    """For futures that nobody may ask: asyncio complains of errors that nobody gets."""
    if not future.cancelled():
        future.exception()


def _kill(begun: Future[AnyEngine]) -> None:
    """End an engine that nobody waits for any more."""
    if begun.exception() is None:
        begun.result().kill()


async def _end(call: _Call[_T], future: asyncio.Future[_T], undo: Callable[[_T], object] | None) -> None:
    """Stop a call and wait for its end."""
    call.stop()
    await asyncio.wait([future])
    if not future.cancelled() and future.exception() is None and undo is not None:
        undo(future.result())


class AsyncAnalysis(NotCopied):
    """A search under way: an asynchronous iterator of its infos, and a context manager that ends it.

    ``async with`` waits for the end of the search, which ``with`` and `stop` only ask for. For tasks of one
    loop.
    """

    def __init__(self, analysis: AnyAnalysis) -> None:
        self._analysis = analysis
        self._loop = asyncio.get_running_loop()
        self._taken = 0
        self._news = asyncio.Event()
        self._stopped = False  # has it been asked to end?
        self._told = False  # is the loop about to look at the news?
        self._result: asyncio.Future[PlayResult] = self._loop.create_future()
        self._result.add_done_callback(_forget_error)
        analysis.listen(self._hear)

    def _hear(self) -> None:
        """Let the loop look; called by other threads."""
        if not self._told:  # one call for many infos: a flood of them must not fill the loop
            self._told = True
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._look)

    def _look(self) -> None:
        self._told = False
        if self._analysis.is_done() and not self._result.done():
            try:
                self._result.set_result(self._analysis.wait())
            except BaseException as error:
                self._result.set_exception(error)
        self._news.set()

    @property
    def multipv(self) -> list[InfoDict]:
        """The newest info of each line, best first."""
        return self._analysis.multipv

    @property
    def info(self) -> InfoDict:
        """The newest info of the best line."""
        return self._analysis.info

    def stop(self) -> None:
        """End the search soon; what is asked of the engine next waits for that."""
        self._stopped = True
        self._analysis.stop()

    async def wait(self) -> PlayResult:
        """Wait for the end of the search; raises what it raised."""
        return await asyncio.shield(self._result)

    async def get(self) -> InfoDict | None:
        """The next info; None at the end of the search; raises what it raised."""
        while True:
            self._news.clear()
            if not self._analysis.empty():
                with suppress(Empty):  # another task has got it
                    info = self._analysis.get(timeout=0)
                    break
            elif self._result.done():
                self._result.result()
                return None
            else:
                await self._news.wait()
        self._taken += 1
        if self._taken % BURST == 0:
            await asyncio.sleep(0)
        return info

    def empty(self) -> bool:
        """Is there no info to get at this moment?"""
        return self._analysis.empty()

    def __aiter__(self) -> AsyncIterator[InfoDict]:
        return self

    async def __anext__(self) -> InfoDict:
        info = await self.get()
        if info is None:
            raise StopAsyncIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, error: object, *_: object) -> Literal[False]:
        self.stop()
        await asyncio.wait([self._result])
        if error is None:
            self._result.result()
        return False
