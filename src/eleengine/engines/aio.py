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
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, Self, TypeVar, overload

from .._core import Move
from ..board import Board
from .external import ExternalAnalysis, ExternalEngine
from .local import Engine
from .session import Analysis
from .types import InfoDict, Limit, PlayResult, check_request

__all__ = ["AsyncAnalysis", "AsyncEngine"]

_T = TypeVar("_T")


class AsyncEngine:
    """An `Engine` or an `ExternalEngine`, whose searches are awaited; they run one after the other.

    Arguments and errors of the methods are those of the engine. If a task that awaits a search is cancelled,
    the search is stopped.
    """

    def __init__(self, engine: Engine | ExternalEngine) -> None:
        self.engine = engine
        # One thread: the engine's methods are called one after the other.
        self._pool = ThreadPoolExecutor(1, "eleengine-aio")

    @classmethod
    async def start(cls, command: str | list[str], **options: Any) -> Self:
        """Start another program; arguments and errors as for `ExternalEngine`."""
        return cls(await asyncio.to_thread(lambda: ExternalEngine(command, **options)))

    async def play(self, board: Board, limit: Limit, **options: Any) -> PlayResult:
        """Search for a move to play."""
        check_request(board, limit)
        return await self._call(lambda: self.engine.play(board.copy(), limit, **options))

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, root_moves: Iterable[Move] | None = None
    ) -> InfoDict: ...

    @overload
    async def analyse(
        self, board: Board, limit: Limit, *, multipv: int, root_moves: Iterable[Move] | None = None
    ) -> list[InfoDict]: ...

    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, and return what was found of the best line, or of the best lines."""
        check_request(board, limit)
        place = board.copy()

        def search() -> InfoDict | list[InfoDict]:
            if multipv is None:
                return self.engine.analyse(place, limit, root_moves=root_moves)
            return self.engine.analyse(place, limit, multipv=multipv, root_moves=root_moves)

        return await self._call(search)

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
    ) -> AsyncAnalysis:
        """Start a search, without end if there is no limit."""
        check_request(board, limit)
        begun = await self._call(
            lambda: self.engine.analysis(board.copy(), limit, multipv=multipv, root_moves=root_moves)
        )
        return AsyncAnalysis(begun)

    async def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name."""
        await self._call(lambda: self.engine.configure(options))

    async def close(self) -> None:
        """End what runs, and the engine."""
        self.engine.stop()
        await self._call(self.engine.close)
        self._pool.shutdown(wait=False)

    async def _call(self, work: Callable[[], _T]) -> _T:
        """Do the work in the engine's thread; a cancelled task stops the search, and waits for its end."""
        future = asyncio.get_running_loop().run_in_executor(self._pool, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self.engine.stop()
            await asyncio.wait([future])
            raise

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> Literal[False]:
        await self.close()
        return False


class AsyncAnalysis:
    """A search under way: an asynchronous iterator of its infos, and a context manager that ends it."""

    def __init__(self, analysis: Analysis | ExternalAnalysis) -> None:
        self._analysis = analysis

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
        return await asyncio.to_thread(self._analysis.wait)

    async def get(self) -> InfoDict | None:
        """The next info; None at the end of the search."""
        return await asyncio.to_thread(self._analysis.get)

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
        self.stop()
        await asyncio.to_thread(self._analysis.wait)
        return False
