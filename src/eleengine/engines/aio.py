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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, Final, Generic, Literal, Self, TypeVar, overload

from .._core import Move
from .._internal.copying import NotCopied
from ..board import Board
from .external import ExternalEngine
from .local import Engine
from .options import Option
from .session import Analysis, started
from .types import AnyAnalysis, AnyEngine, EngineTerminatedError, InfoDict, Limit, PlayResult, check_request

__all__ = ["AsyncAnalysis", "AsyncEngine", "popen_ucci", "popen_uci"]

_T = TypeVar("_T")

CLOSED: Final = "the engine has been closed"
CLOSE_SECONDS: Final = 5.0  # for another program to end its search, before it is ended
STOP_AGAIN: Final = 0.02  # seconds, then twice as long: a program that has just begun may miss a stop


class AsyncEngine(NotCopied):
    """An engine, `Engine` or `ExternalEngine`, whose searches are awaited; they run one after the other.

    Arguments and errors of the methods are those of the engine. Cancelling a task stops the search that it
    awaits, and no other one; a search that waits for its turn never begins then.
    """

    def __init__(self, engine: AnyEngine) -> None:
        self.engine = engine
        # One thread: the engine's methods are called one after the other.
        self._pool = ThreadPoolExecutor(1, "eleengine-aio")
        self._calls: set[_Call[Any]] = set()
        self._closing: asyncio.Future[None] | None = None

    @classmethod
    async def start(cls, command: str | list[str], **options: Any) -> Self:
        """Start another program; arguments and errors as for `ExternalEngine`."""
        return cls(await asyncio.to_thread(lambda: ExternalEngine(command, **options)))

    @property
    def id(self) -> Mapping[str, str]:
        """What the engine says of itself: name, author."""
        return self.engine.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that `configure` knows, by name in small letters."""
        return self.engine.options

    async def play(
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> PlayResult:
        """Search for a move to play."""
        check_request(board, limit)
        position = board.copy()
        return await self._call(
            lambda: self.engine.play(
                position, limit, game=game, root_moves=root_moves, ponder=ponder, timeout=timeout
            )
        )

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, game: object = None,
        root_moves: Iterable[Move] | None = None, timeout: float | None = None,
    ) -> InfoDict: ...  # fmt: skip

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int, game: object = None,
        root_moves: Iterable[Move] | None = None, timeout: float | None = None,
    ) -> list[InfoDict]: ...  # fmt: skip

    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        timeout: float | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, and return what was found of the best line, or of the best lines."""
        check_request(board, limit)
        position = board.copy()
        work: Callable[[], InfoDict | list[InfoDict]]
        if multipv is None:
            work = partial(self.engine.analyse, position, limit)
        else:
            work = partial(self.engine.analyse, position, limit, multipv=multipv)
        return await self._call(partial(work, game=game, root_moves=root_moves, timeout=timeout))

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> AsyncAnalysis:
        """Start a search, without end if there is no limit."""
        check_request(board, limit, limit_may_be_none=True)
        position = board.copy()
        begun = await self._call(
            lambda: self.engine.analysis(position, limit, multipv=multipv, game=game, root_moves=root_moves),
            undo=lambda analysis: analysis.stop(),
        )
        return AsyncAnalysis(begun)

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name."""
        await self._call(lambda: self.engine.configure(options))

    async def new_game(self) -> None:
        """Forget what was learnt in the game before."""
        await self._call(self.engine.new_game)

    async def ping(self) -> float:
        """Wait until the engine is ready, and return the seconds that it took."""
        return await self._call(self.engine.ping)

    async def quit(self) -> None:
        """`close` under its name in python-chess."""
        await self.close()

    async def close(self) -> None:
        """End the engine and what runs; calls that wait for their turn raise EngineTerminatedError.

        Another program that does not end its search in 5 seconds is ended. Who is cancelled here does not
        wait any longer, but the engine is closed all the same.
        """
        if self._closing is None or self._closing.cancelled():
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _close(self) -> None:
        loop = asyncio.get_running_loop()
        calls = list(self._calls)
        for call in calls:
            call.withdraw(EngineTerminatedError(CLOSED))
        closed = loop.run_in_executor(self._pool, self.engine.close)  # after the call that runs
        pause, give_up = STOP_AGAIN, loop.time() + CLOSE_SECONDS
        try:
            while not closed.done() and loop.time() < give_up:
                self.engine.stop()
                for call in calls:
                    call.stop()
                await asyncio.wait([closed], timeout=pause)
                pause = min(2 * pause, give_up - loop.time())
        finally:
            # Also if the loop ends, and cancels what runs: a program must not outlive that.
            if isinstance(self.engine, ExternalEngine) and not closed.done():
                self.engine.kill()
        await closed
        self._pool.shutdown(wait=False)

    async def _call(self, work: Callable[[], _T], *, undo: Callable[[_T], object] | None = None) -> _T:
        """Do the work in the engine's thread.

        If the task is cancelled, work that has not begun never does, and a search that has begun is stopped;
        then its end is awaited. undo: what to do with a result that nobody will get.
        """
        if self._closing is not None:
            raise EngineTerminatedError(CLOSED)
        call = _Call(work, self.engine)
        self._calls.add(call)
        future = asyncio.get_running_loop().run_in_executor(self._pool, call.run)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            future.add_done_callback(_forget_error)
            if not call.withdraw(asyncio.CancelledError()):
                # A task of its own, because this one may be cancelled again.
                await asyncio.shield(asyncio.ensure_future(_end(call, future, undo)))
            raise
        finally:
            self._calls.discard(call)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> Literal[False]:
        await self.close()
        return False


async def popen_uci(command: str | list[str], **options: Any) -> AsyncEngine:
    """Start a program that speaks UCI, as an `AsyncEngine`; arguments and errors as for `ExternalEngine`."""
    return await AsyncEngine.start(command, protocol="uci", **options)


async def popen_ucci(command: str | list[str], **options: Any) -> AsyncEngine:
    """Start a program that speaks UCCI, as an `AsyncEngine`; arguments and errors as for `ExternalEngine`."""
    return await AsyncEngine.start(command, protocol="ucci", **options)


class _Call(Generic[_T]):
    """A call of the engine that waits for its turn, runs, or has ended."""

    def __init__(self, work: Callable[[], _T], engine: AnyEngine) -> None:
        self._work = work
        self._engine = engine
        self._lock = threading.Lock()
        self._begun = self._stopped = False
        self._refusal: BaseException | None = None
        self._search: Analysis | None = None  # of an Engine

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

    def _take_search(self, search: Analysis) -> None:
        with self._lock:
            self._search = search
            if self._stopped:
                search.stop()

    def withdraw(self, error: BaseException) -> bool:
        """Let the call raise the error instead of beginning; False if it has begun."""
        with self._lock:
            if not self._begun and self._refusal is None:
                self._refusal = error
            return not self._begun

    def stop(self) -> None:
        """End the search of the call. For other programs it may be too early, so call it again."""
        with self._lock:
            self._stopped = True
            if self._search is not None:
                self._search.stop()
        if not isinstance(self._engine, Engine):
            self._engine.stop()


def _forget_error(future: asyncio.Future[Any]) -> None:
    """For futures that nobody may ask: asyncio complains of errors that nobody gets."""
    if not future.cancelled():
        future.exception()


async def _end(call: _Call[_T], future: asyncio.Future[_T], undo: Callable[[_T], object] | None) -> None:
    """Stop a call and wait for its end."""
    pause = STOP_AGAIN
    while not future.done():
        call.stop()
        await asyncio.wait([future], timeout=pause)
        pause *= 2
    if not future.cancelled() and future.exception() is None and undo is not None:
        undo(future.result())


class AsyncAnalysis(NotCopied):
    """A search under way: an asynchronous iterator of its infos, and a context manager that ends it."""

    def __init__(self, analysis: AnyAnalysis) -> None:
        self._analysis = analysis
        self._loop = asyncio.get_running_loop()
        self._infos: asyncio.Queue[InfoDict | None] = asyncio.Queue()
        self._result: asyncio.Future[PlayResult] = self._loop.create_future()
        self._result.add_done_callback(_forget_error)
        # A thread of its own: those of the loop are few, and others need them.
        threading.Thread(target=self._follow, name="eleengine-analysis", daemon=True).start()

    def _follow(self) -> None:
        """Bring the infos and the result to the loop."""
        with suppress(RuntimeError):  # the loop is closed
            try:
                for info in self._analysis:
                    self._loop.call_soon_threadsafe(self._infos.put_nowait, info)
                result = self._analysis.wait()
            except BaseException as error:
                self._loop.call_soon_threadsafe(self._finish, None, error)
            else:
                self._loop.call_soon_threadsafe(self._finish, result, None)

    def _finish(self, result: PlayResult | None, error: BaseException | None) -> None:
        if error is not None:
            self._result.set_exception(error)
        else:
            assert result is not None
            self._result.set_result(result)
        self._infos.put_nowait(None)

    @property
    def multipv(self) -> list[InfoDict]:
        """The newest info of each line, best first."""
        return self._analysis.multipv

    @property
    def info(self) -> InfoDict:
        """The newest info of the best line."""
        return self._analysis.info

    def stop(self) -> None:
        """End the search soon."""
        self._analysis.stop()

    async def wait(self) -> PlayResult:
        """Wait for the end of the search; raises what it raised."""
        return await asyncio.shield(self._result)

    async def get(self) -> InfoDict | None:
        """The next info; None at the end of the search; raises what it raised."""
        info = await self._infos.get()
        if info is None:
            self._infos.put_nowait(None)  # for the next one who asks
            if (error := self._result.exception()) is not None:
                raise error
        return info

    def __aiter__(self) -> AsyncIterator[InfoDict]:
        return self

    async def __anext__(self) -> InfoDict:
        info = await self.get()
        if info is None:
            raise StopAsyncIteration
        return info

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> Literal[False]:
        pause = STOP_AGAIN
        while not self._result.done():
            self.stop()
            await asyncio.wait([self._result], timeout=pause)
            pause *= 2
        self._result.result()
        return False
