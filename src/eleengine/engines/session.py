"""Searches beside the program that asked for them, and those of an engine in this process.

What a search of any engine says to other threads goes through its `Feed`. A search in this process waits,
runs in the engine's thread, and reports.
"""

from __future__ import annotations

import os
import threading
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from queue import SimpleQueue
from time import perf_counter
from typing import Any, Generic, TypeVar, cast

from .._core import MATE, BaseBoard, Move, Searcher, SearchInfo
from .._internal.copying import NotCopied
from .._internal.stack import deep_stacks
from ..score import Mate, PovScore
from .types import (
    AnyAnalysis,
    EngineTerminatedError,
    EngineTimeoutError,
    InfoDict,
    PlayResult,
    Progress,
    SearchArguments,
    shown,
)

CLOSED = "the engine has been closed"
FORKED = "the engine belongs to the process that was forked: make another one"
T = TypeVar("T")


class Feed(Generic[T]):
    """What a search says to other threads: its news, its end, and what came of it."""

    def __init__(self) -> None:
        self.lock = threading.RLock()  # no stop comes after the end; the handler of a signal may stop
        self.news: SimpleQueue[T | None] = SimpleQueue()
        self.done: threading.Event = threading.Event()
        self.error: BaseException | None = None
        self.result: PlayResult = PlayResult(None, None)
        self.callback: Callable[[], object] = lambda: None  # after each piece of news, and at the end

    def run(self, search: Callable[[], PlayResult]) -> None:
        """Do the search; what it returns or raises is for the threads that wait."""
        try:
            self.result = search()
        except BaseException as error:
            self.error = error
        with self.lock:  # the mark of the end and `done` come at once
            self.news.put(None)
            self.done.set()
        try:
            self.callback()
        except Exception:  # the thread may have other searches to do
            traceback.print_exc()

    def put(self, news: Iterable[T]) -> None:
        """Hand news on."""
        for one in news:
            self.news.put(one)
        self.callback()


def _bounded(timeout: float | None) -> float | None:
    """The seconds, not more than a thread can wait: 292 years."""
    return None if timeout is None else min(timeout, threading.TIMEOUT_MAX)


class FeedAnalysis(NotCopied, AnyAnalysis, Generic[T]):
    """A search under way, whose news, end and result are in its feed. It may be used from any thread."""

    _feed: Feed[T]

    def wait(self, *, timeout: float | None = None) -> PlayResult:
        """Wait for the end of the search; raises what it raised.

        timeout: seconds; EngineTimeoutError if the search goes on.
        """
        self._need_end()
        if not self._feed.done.wait(_bounded(timeout)):
            raise EngineTimeoutError(f"the search has not ended within {timeout:g} s")
        if self._feed.error is not None:
            raise self._feed.error
        return self._feed.result

    def is_done(self) -> bool:
        """Has the search ended?"""
        return self._feed.done.is_set()

    def get(self, *, timeout: float | None = None) -> InfoDict | None:
        """The next info, waiting for it if need be; None at the end of the search.

        timeout: seconds; queue.Empty if nothing comes in time.
        """
        self._need_end()
        news = self._feed.news.get(timeout=_bounded(timeout))
        if news is not None:
            return self._read(news)
        self._feed.news.put(None)  # for the next one who asks
        if self._feed.error is not None:
            raise self._feed.error
        return None

    def empty(self) -> bool:
        """Is there no info to get at this moment?"""
        with self._feed.lock:
            return self._feed.news.qsize() <= self.is_done()  # the mark of the end is no info

    def listen(self, callback: Callable[[], object]) -> None:
        """Call this when there are infos to get, and at the end: at once if so, later from another thread."""
        self._feed.callback = callback
        if not self.empty() or self.is_done():
            callback()

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._feed.done.wait()

    def _read(self, news: T) -> InfoDict:
        """The info that a piece of news is."""
        return cast(InfoDict, news)

    def _need_end(self) -> None:
        """EngineTerminatedError if the search will never end."""


class Search:
    """A search that waits for its turn, runs or has ended: what the engine's thread works on.

    Holds no reference to the Engine, so that an engine that nobody holds any more ends its searches.
    """

    def __init__(
        self,
        searcher: Searcher,
        board: BaseBoard,
        arguments: SearchArguments,
        root_moves: list[Move] | None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None,
        new_game: bool,
        ponder: bool,
        reports: bool,
    ) -> None:
        self.searcher = searcher
        self.reports = reports  # does anybody read its infos?
        self.process: int = os.getpid()
        self.endless: bool = not any(
            value for name, value in arguments.items() if name not in ("multipv", "use_tables")
        )
        self.feed: Feed[InfoDict] = Feed()
        self.started: float = perf_counter()
        self.multipv: list[InfoDict] = [shown({})]
        self._board = board
        self._arguments = arguments
        self._root_moves = root_moves
        self._choose = choose
        self._new_game = new_game
        self._ponder = ponder
        self._begun = self._stopped = self._hit = False

    def run(self) -> PlayResult:
        """Do the search."""
        with self.feed.lock:
            self._begun = True
            self.started = perf_counter()
            self.searcher.arm()
            if self._stopped:
                self.searcher.stop()
            if self._hit:
                self.searcher.ponderhit()
        lines = self.searcher.search(
            self._board,
            root_moves=self._root_moves,
            new_game=self._new_game,
            ponder=self._ponder,
            report=self._take if self.reports else None,
            **self._arguments,
        )
        if self.searcher.team < self.searcher.threads:
            message = f"threads is {self.searcher.threads}, but the system gives {self.searcher.team}"
            warnings.warn(message, RuntimeWarning, stacklevel=1)
        return self._conclusion(lines)

    def _is_running(self) -> bool:
        return self._begun and not self.feed.done.is_set()

    def stop(self) -> None:
        """End the search soon, or as soon as it begins; for any thread."""
        with self.feed.lock:
            self._stopped = True
            if self._is_running():
                self.searcher.stop()

    def ponderhit(self) -> None:
        """Let its clock run from now, or as soon as it begins; for any thread."""
        with self.feed.lock:
            self._hit = True
            if self._is_running():
                self.searcher.ponderhit()

    def _take(self, line: SearchInfo) -> None:
        info = self._info_of(line)
        # A new list each time: other threads read it without a lock.
        self.multipv = [*self.multipv[: line.multipv - 1], info, *self.multipv[line.multipv :]]
        self.feed.put([info])

    def _conclusion(self, lines: list[SearchInfo]) -> PlayResult:
        if not lines:
            mated = PovScore(Mate(0), self._board.turn)
            self.multipv = [shown({"depth": 0, "multipv": 1, "score": mated, "pv": []})]
            return PlayResult(None, None, self.multipv[0])
        self.multipv = [self._info_of(line) for line in lines]
        known = [line for line in lines if abs(line.score) <= MATE]
        chosen = self._info_of(self._choose(known)) if self._choose and known else self.multipv[0]
        pv = chosen["pv"]
        return PlayResult(pv[0], pv[1] if len(pv) > 1 else None, chosen)

    def _info_of(self, line: SearchInfo) -> InfoDict:
        info: dict[str, Any] = {
            "depth": line.depth,
            "seldepth": line.seldepth,
            "multipv": line.multipv,
            "pv": line.pv,
            "nodes": line.nodes,
            "nps": line.nodes * 1000 // max(1, line.time_ms),
            "time": line.time_ms / 1000,
            "hashfull": line.hashfull,
            "tbhits": line.tbhits,
        }
        if abs(line.score) <= MATE:  # a search that is stopped at once has no score
            info["score"] = PovScore.from_core(line.score, self._board.turn)
        return shown(info)


#: Called, in the context that asks for it, with what stops each search that any engine begins: so a stop that
#: comes before the search is kept for it.
started: ContextVar[Callable[[Callable[[], object]], object] | None] = ContextVar("started", default=None)


class Analysis(FeedAnalysis[InfoDict]):
    """A search under way, made by `Engine.analysis`: an iterator of its infos, and a context manager.

    It may be used from any thread, and keeps its engine alive.

    >>> from eleengine import Board, Engine
    >>> with Engine() as engine, engine.analysis(Board()) as analysis:
    ...     for info in analysis:
    ...         if info["depth"] >= 4:
    ...             break
    >>> len(analysis.wait().info["pv"]) > 0
    True
    """

    def __init__(self, engine: object, search: Search) -> None:
        self._engine = engine  # kept alive
        self._search = search
        self._feed = search.feed

    @property
    def multipv(self) -> list[InfoDict]:
        """The newest info of each rank, best first."""
        return self._search.multipv

    def stop(self) -> None:
        """End the search soon; the infos and the result so far remain."""
        if not forked(self._search.process):
            self._search.stop()

    def ponderhit(self) -> None:
        """The expected move was played: the clock of a search that was begun to ponder runs from now."""
        if not forked(self._search.process):
            self._search.ponderhit()

    def progress(self) -> Progress:
        """Nodes, time, use of the table and the move being searched at this moment, for displays."""
        spent = perf_counter() - self._search.started
        nodes, move, number = self._search.searcher.progress()
        info: Progress = {"nodes": nodes, "time": spent, "nps": int(nodes / max(spent, 0.001))}
        info["hashfull"] = self._search.searcher.hashfull
        if move is not None:
            info["currmove"] = move
            info["currmovenumber"] = number
        return info

    def __exit__(self, *error: object) -> None:
        if not forked(self._search.process):
            super().__exit__(*error)

    def _need_end(self) -> None:
        """A forked process has no thread that searches: it would wait without end."""
        if forked(self._search.process) and not self.is_done():
            raise EngineTerminatedError(FORKED)


def forked(process: int) -> bool:
    """Has this process been forked from the one of that number?"""
    return os.getpid() != process


def start_thread(jobs: SimpleQueue[Search | None]) -> threading.Thread:
    """Start the thread that does the searches of an engine one by one, until the queue gives None."""
    with deep_stacks():
        thread = threading.Thread(target=_work, args=(jobs,), name="eleengine", daemon=True)
        thread.start()
    return thread


def _work(jobs: SimpleQueue[Search | None]) -> None:
    """Run one search after the other; holds no reference to the Engine, so that it may be collected."""
    while (search := jobs.get()) is not None:
        search.feed.run(search.run)
        del search


def finish(jobs: SimpleQueue[Search | None], waiting: weakref.WeakSet[Search], process: int) -> None:
    """End the thread of an engine that was closed, or that nobody holds any more; not in a forked process."""
    if forked(process):
        return
    for search in list(waiting):
        search.stop()
    jobs.put(None)
