"""The engine in this process: asked for a move or an analysis, at once or beside your program.

>>> from eleengine import Board, Engine, Limit
>>> board = Board("3k5/R8/8R/9/9/9/9/9/9/5K3 w")
>>> with Engine() as engine:
...     info = engine.analyse(board, Limit(depth=6))
...     result = engine.play(board, Limit(depth=6))
>>> info["score"]
PovScore(Mate(+1), RED)
>>> board.wxf(result.move)
'R1+2'

The names are those of python-chess, whose engines are other processes.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import partial
from queue import SimpleQueue
from types import EllipsisType
from typing import TYPE_CHECKING, overload

from .._core import BaseBoard, Context, IllegalMoveError, Move, Network, Searcher, SearchInfo
from .._internal.closing import Closing
from .._internal.copying import NotCopied
from ..rules import NO_CAPTURE_LIMIT
from .chess_names import ChessEngineNames
from .engine_options import HASH, THREADS
from .session import CLOSED, FORKED, Analysis, Search, finish, forked, start_thread, started
from .settings import EngineSettings, with_network
from .strength import TOP_SKILL
from .types import (
    EngineTerminatedError,
    EngineTimeoutError,
    InfoDict,
    Limit,
    PlayResult,
    SearchArguments,
    check_lines,
    check_request,
    shown,
)

if TYPE_CHECKING:
    from random import Random

    from .._core import EndgameTables
    from ..book import Entry, Lookup, Shelf


class Engine(EngineSettings, ChessEngineNames, Closing, NotCopied):
    """An engine with its own memory, whose searches run one after the other in a thread of its own.

    hash_mib: size of the transposition table in MiB, 1 to 1048576; 0 for 64.
    threads: 1 to 256 threads that search together; with one, the same search finds the same. 0 for one on
        each processor, at most 8. If the system gives fewer, a RuntimeWarning says how many.
    parallel: how they share the work, one of `eleengine._core.PARALLEL`; see docs/parallel.md.
    multipv: lines that an analysis looks for by default.
    skill: 0 (a beginner) to 20 (full strength); below 20 `play` searches little and makes
        mistakes, see docs/levels.md.
    rule_set: one of `eleengine.rules.RULE_SETS`, which judges repetitions in the search.
    no_capture_limit: plies without a capture that draw the game in the search; 0 for no limit.
    network: what evaluates positions: the path of a network file, "<internal>" for the network that the
        engine comes with, "classical" for the evaluation without a network, or a `Network`.
    context: all numbers of the search, instead of network.
    tables: endgame tables that the search looks positions up in, those of `Tables.load` or `load_within`;
        those that come with the engine by default, None for none. A skill below 20 plays without.
    book: `play` takes its moves from there while it knows the position; it is not closed with the engine.
    seed: of the choices among book moves and of a level's mistakes, for games that can be repeated.

    These are attributes, too, and may be changed between searches, as may these:

    limit_strength, elo: play at the level nearest to `elo`, 0 to 3102 over level 0, instead of at `skill`.
    randomness: variety of `play` among about equal moves, from "none" to "huge".
    idle: threads left to other programs: "none" of them, "small" (a quarter), "medium" (a half) or "large".
    use_book: False leaves the book aside.
    overhead_ms: kept back from each move of a game with a clock.
    tables_mib: memory for the endgame tables of a folder, which `configure` can name.

    ValueError for values out of range.
    All methods may be called from several threads; close the engine, or use it in a `with` block.
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        parallel: str = "auto",
        multipv: int = 1,
        skill: int = TOP_SKILL,
        rule_set: str = "axf",
        no_capture_limit: int = NO_CAPTURE_LIMIT,
        network: str | os.PathLike[str] | Network | None = None,
        context: Context | None = None,
        tables: EndgameTables | EllipsisType | None = ...,
        book: Lookup | Shelf | None = None,
        seed: int | None = None,
    ) -> None:
        if network is not None:
            if context is not None:
                raise ValueError("give a network or a context, not both: a context holds a network")
            context = with_network(network, None)
        self._process = os.getpid()
        self._pondering: Search | None = None
        self._searcher = Searcher(
            hash_mib=hash_mib or HASH.zero,
            threads=threads or THREADS.zero,
            context=context,
            tables=tables,
        )
        self._threads = self._searcher.threads
        self._jobs: SimpleQueue[Search | None] = SimpleQueue()
        self._lock = threading.RLock()  # the handler of a signal may stop the engine
        self._waiting: weakref.WeakSet[Search] = weakref.WeakSet()
        self._game: object = None
        self._thread: threading.Thread | None = None
        self._finish = weakref.finalize(self, finish, self._jobs, self._waiting, self._process)
        self.multipv = multipv
        self.skill = skill
        self.book = book
        self.seed = seed
        self.parallel = parallel
        self.rule_set = rule_set
        self.no_capture_limit = no_capture_limit

    @property
    def searcher(self) -> Searcher:
        """What searches: for a program that calls it in a thread of its own, and nothing else meanwhile."""
        return self._searcher

    @property
    def id(self) -> dict[str, str]:
        """Name and author, as the engine says them to a GUI."""
        from .._version import __version__

        return {"name": f"eleengine {__version__}", "author": "the eleengine authors"}

    # Searches

    def play(
        self,
        board: BaseBoard,
        limit: Limit,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
        ponder: bool = False,
        timeout: float | None = None,
    ) -> PlayResult:
        """Search for a move to play.

        board: a playable position; the moves on it count for repetitions. It is not changed.
        game: anything that identifies the game; when it differs from the last call's, the engine
            forgets what it has learnt.
        root_moves: consider only these.
        ponder: think on, after the move, about the answer that is expected, until the engine is asked for
            something else; the next search finds what was learnt.
        timeout: seconds until the search is stopped and EngineTimeoutError raised.

        A move of the engine's book is played at once; the info says from which `book` entry it is.

        ValueError: the position cannot be played, the limit is out of range or would never end the search,
            root_moves is empty although there are legal moves.
        IllegalMoveError: one of root_moves is not legal.
        EngineTerminatedError: the engine is closed, or was made before this process was forked.
        """
        self._need_end(board, limit)
        if self.book is not None and board.is_playable() and self.alive:  # the search has the errors
            root_moves = None if root_moves is None else list(root_moves)
            excluded = [] if root_moves is None else [m for m in board.legal_moves if m not in root_moves]
            if (entry := self.book_entry(board, excluded)) is not None:
                self._stop_pondering()
                return PlayResult(entry.move, None, shown({"pv": [entry.move], "book": entry}))
        strength = self.strength
        arguments = strength.limit(limit.arguments(board.turn, overhead_ms=self.overhead_ms))
        choose = partial(strength.choose, source=self._chance())
        begun = self.begin(board, arguments, game=game, root_moves=root_moves, choose=choose, reports=False)
        result = self._wait(begun, timeout)
        if ponder and result.move and result.ponder:
            self._ponder(board, result.move, result.ponder, game)
        return result

    def _ponder(self, board: BaseBoard, move: Move, answer: Move, game: object) -> None:
        """Think about the position after the move and its answer."""
        expected = board.copy()
        expected.push(move)
        expected.push(answer)
        if any(expected.legal_moves):
            with suppress(EngineTerminatedError):  # closed meanwhile
                self._pondering = self.begin(expected, {}, game=game, reports=False)._search

    def _stop_pondering(self) -> None:
        pondering, self._pondering = self._pondering, None
        if pondering is not None:
            pondering.stop()

    def book_entry(self, board: BaseBoard, excluded: Collection[Move] = ()) -> Entry | None:
        """What `play` would take from the book, or None. excluded: moves that must not be it. ValueError."""
        if self.book is None or not self.use_book:
            return None
        return self.book.weighted_choice(board, exclude_moves=excluded, random=self._chance())

    def _chance(self) -> Random:
        if self._random is None:
            from random import Random

            self._random = Random(self.seed)
        return self._random

    @overload
    def analyse(
        self, board: BaseBoard, limit: Limit, *, multipv: None = None, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
    ) -> InfoDict: ...  # fmt: skip

    @overload
    def analyse(
        self, board: BaseBoard, limit: Limit, *, multipv: int, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
    ) -> list[InfoDict]: ...  # fmt: skip

    def analyse(
        self,
        board: BaseBoard,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
        timeout: float | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, and return the info of the best line, or of the best multipv lines as a list.

        Arguments and errors as for `play`; a position without legal moves has the score Mate(0).
        """
        self._need_end(board, limit)
        analysis = self.analysis(board, limit, multipv=multipv, game=game, root_moves=root_moves)
        self._wait(analysis, timeout)
        return analysis.info if multipv is None else analysis.multipv

    def analysis(
        self,
        board: BaseBoard,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        info: object = None,
    ) -> Analysis:
        """Start a search, without end if there is no limit, and return at once; see `Analysis`.

        If another search runs, this one comes after it; one without end is stopped for it. Errors as for
        `play`.
        """
        check_request(board, limit, limit_may_be_none=True)
        arguments = (limit or Limit()).arguments(board.turn, overhead_ms=self.overhead_ms)
        arguments["multipv"] = self.multipv if multipv is None else check_lines(multipv)
        return self.begin(board, arguments, game=game, root_moves=root_moves)

    def stop(self) -> None:
        """End the search that runs, and those that wait for their turn, soon."""
        if forked(self._process):
            return
        with self._lock:
            waiting = list(self._waiting)
        for search in waiting:
            search.stop()

    def new_game(self) -> None:
        """`clear` under its name in `ExternalEngine`."""
        self.clear()

    def ping(self) -> float:
        """Return the seconds until the engine is ready: 0, or EngineTerminatedError if it is closed."""
        self._own()
        return 0.0

    @property
    def alive(self) -> bool:
        """Is it neither closed, nor of the process that this one was forked from?"""
        return self._finish.alive and not forked(self._process)

    def kill(self) -> None:
        """`close` without waiting for the end of what runs."""
        if forked(self._process):
            self._finish.detach()
            return
        self.stop()
        with self._lock:
            self._finish()

    def close(self) -> None:
        """End all searches and the thread; further searches raise EngineTerminatedError."""
        self.kill()
        if forked(self._process):
            return
        thread = self._thread
        if thread is not None:
            thread.join()
        if self._own_book is not None:
            self._own_book.close()

    def _need_open(self) -> None:
        if not self.alive:
            raise EngineTerminatedError(FORKED if forked(self._process) else CLOSED)

    def _own(self) -> Searcher:
        """The searcher, which does not ponder; in a forked process its locks may be held by lost threads.

        EngineTerminatedError there, and once the engine is closed.
        """
        self._need_open()
        self._stop_pondering()
        return self._searcher

    @staticmethod
    def _need_end(board: BaseBoard, limit: Limit) -> None:
        check_request(board, limit)
        if limit.is_infinite(board.turn):
            raise ValueError(f"{limit} never ends the search: it needs a time, depth, nodes, mate or clock")

    def begin(
        self,
        board: BaseBoard,
        arguments: SearchArguments,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None = None,
        ponder: bool = False,
        reports: bool = True,
    ) -> Analysis:
        """Put a search into the queue, with the arguments of the core. Errors as for `analysis`.

        choose: which of the lines is played. ponder: its clock rests until `Analysis.ponderhit`.
        reports: whether it has infos while it runs.
        """
        board = board.copy()
        board._need_playable()
        moves = None if root_moves is None else list(root_moves)
        for move in moves or ():
            if move not in board.legal_moves:
                raise IllegalMoveError(f"illegal move {move} in {board.fen()}")
        if moves == [] and any(board.legal_moves):
            raise ValueError("root_moves is empty: there is nothing to search")
        self._own()
        with self._lock:
            for other in self._waiting:
                if other.endless:
                    other.stop()
            search = Search(
                self._searcher, board, arguments, moves, choose, game != self._game, ponder, reports
            )
            self._game = game
            self._waiting.add(search)
            if self._thread is None:
                self._thread = start_thread(self._jobs)
            self._jobs.put(search)
            if not self._finish.alive:  # perhaps since a moment ago
                raise EngineTerminatedError(CLOSED)
        analysis = Analysis(self, search)
        if (tell := started.get()) is not None:
            tell(analysis.stop)
        return analysis

    @staticmethod
    def _wait(analysis: Analysis, timeout: float | None) -> PlayResult:
        try:
            return analysis.wait(timeout=timeout)
        except (KeyboardInterrupt, EngineTimeoutError):
            analysis.stop()
            raise
