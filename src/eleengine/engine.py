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
from collections.abc import Callable, Iterable, Iterator, Mapping
from queue import SimpleQueue
from time import monotonic
from typing import Literal, NamedTuple, Self, TypedDict, overload

from ._core import MATE, BaseBoard, IllegalMoveError, Move, Searcher, SearchInfo
from .rules import NO_CAPTURE_LIMIT, RULE_SETS
from .score import Cp, Mate, MateGiven, PovScore, Score
from .squares import RED, Color
from .ucci.clock import MAX_MS, share, usable_ms
from .ucci.strength import LINES, TOP_SKILL, choose, skill_nodes, skill_noise

__all__ = [
    "Analysis", "Cp", "Engine", "EngineError", "EngineTerminatedError", "InfoDict", "Limit", "Mate",
    "MateGiven", "PlayResult", "PovScore", "Score",
]  # fmt: skip

_OPTIONS = ("hash_mib", "threads", "parallel", "skill", "rule_set", "no_capture_limit")
STACK_BYTES = 16 << 20  # of a searching thread; some systems give threads very little
_MOST = {"depth": 2**31 - 1, "nodes": 2**63 - 1, "mate": 2**31 - 1, "remaining_moves": 2**31 - 1}
OVERHEAD_MS = 10  # between the clock's start and the search's, and at its end


class EngineError(RuntimeError):
    """An engine does not do what it should."""


class EngineTerminatedError(EngineError):
    """The engine has been closed, or has ended by itself."""


class _Arguments(TypedDict, total=False):
    """Keyword arguments of the core's search."""

    depth: int
    nodes: int
    mate: int
    optimum_ms: int
    maximum_ms: int
    multipv: int


class Limit(NamedTuple):
    """When a search ends: at the first of these limits. None stands for no limit.

    >>> Limit(time=0.5, depth=20)
    Limit(time=0.5, depth=20)
    """

    time: float | None = None  #: seconds for this move
    depth: int | None = None  #: plies, 1 to 100
    nodes: int | None = None  #: positions searched
    mate: int | None = None  #: end when a mate in so many moves is found
    red_clock: float | None = None  #: seconds left on Red's clock
    black_clock: float | None = None
    red_inc: float | None = None  #: seconds that Red gains with each move
    black_inc: float | None = None
    remaining_moves: int | None = None  #: until the next time control; None: the whole game

    def __repr__(self) -> str:
        given = [f"{name}={value!r}" for name, value in self._asdict().items() if value is not None]
        return f"Limit({', '.join(given)})"

    def arguments(self, turn: Color) -> _Arguments:
        """The limits as the core's search takes them; ValueError names one out of range."""
        for name, value in self._asdict().items():
            least = 1 if name in _MOST else 0
            if value is not None and not value >= least:
                raise ValueError(f"the limit {name} must be at least {least}, not {value!r}")
            if name in _MOST and value is not None and not (value <= _MOST[name] and value == int(value)):
                raise ValueError(
                    f"the limit {name} must be a whole number up to {_MOST[name]}, not {value!r}"
                )
        optimum = maximum = 0
        clock, inc = (self.red_clock, self.red_inc) if turn == RED else (self.black_clock, self.black_inc)
        if clock is not None:
            usable = usable_ms(_milliseconds(clock), OVERHEAD_MS)
            optimum, maximum = share(usable, self.remaining_moves, _milliseconds(inc) if inc else None)
        if self.time is not None:
            exactly = _milliseconds(self.time)
            maximum = min(maximum, exactly) if maximum else exactly
            optimum = min(optimum, maximum)
        return {
            "depth": int(self.depth or 0),
            "nodes": int(self.nodes or 0),
            "mate": int(self.mate or 0),
            "optimum_ms": optimum,
            "maximum_ms": maximum,
        }

    def is_infinite(self, turn: Color) -> bool:
        """Is there nothing that would end a search for this side?"""
        return not any(self.arguments(turn).values())


def _milliseconds(seconds: float) -> int:
    """At least 1, because the core takes 0 for no limit."""
    return max(1, int(min(seconds * 1000, MAX_MS)))


class InfoDict(TypedDict, total=False):
    """What a search has found; entries that are not known are missing."""

    depth: int
    seldepth: int
    multipv: int  #: rank of the line, from 1
    score: PovScore
    pv: list[Move]
    nodes: int
    nps: int  #: nodes per second
    time: float  #: seconds
    hashfull: int  #: per mille of the table
    currmove: Move  #: being searched now
    currmovenumber: int


class PlayResult(NamedTuple):
    """The engine's move; None when there is no legal move, because the game is over.

    draw_offered and resigned are for engines of other programs (`eleengine.external`).
    """

    move: Move | None
    ponder: Move | None  #: the answer that the engine expects
    info: InfoDict
    draw_offered: bool = False
    resigned: bool = False


class _Search:
    """A search that waits for its turn, runs or has ended: what the engine's thread works on.

    Holds no reference to the Engine, so that an engine that nobody holds any more ends its searches.
    """

    def __init__(
        self,
        searcher: Searcher,
        board: BaseBoard,
        arguments: _Arguments,
        root_moves: list[Move] | None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None,
        new_game: bool,
    ) -> None:
        self.searcher = searcher
        self.endless = not any(value for name, value in arguments.items() if name != "multipv")
        self.infos: SimpleQueue[InfoDict | None] = SimpleQueue()
        self.done = threading.Event()
        self.started = monotonic()
        self.error: BaseException | None = None
        self.result = PlayResult(None, None, {})
        self.multipv: list[InfoDict] = [{}]
        self._board = board
        self._arguments = arguments
        self._root_moves = root_moves
        self._choose = choose
        self._new_game = new_game
        self._lock = threading.Lock()
        self._running = False
        self._stopped = False

    def run(self) -> None:
        """Do the search."""
        try:
            if self._new_game:
                self.searcher.clear()
            with self._lock:
                self._running = True
                self.started = monotonic()
                self.searcher.arm()
                if self._stopped:
                    self.searcher.stop()
            lines = self.searcher.search(
                self._board, root_moves=self._root_moves, report=self._take, **self._arguments
            )
            self._conclude(lines)
        except BaseException as error:  # told to the thread that waits
            self.error = error
        finally:
            with self._lock:
                self._running = False
            self.infos.put(None)
            self.done.set()

    def stop(self) -> None:
        """End the search soon, or as soon as it begins; for any thread."""
        with self._lock:
            self._stopped = True
            if self._running:
                self.searcher.stop()

    def _take(self, line: SearchInfo) -> None:
        info = self._info_of(line)
        # A new list each time: other threads read it without a lock.
        self.multipv = [*self.multipv[: line.multipv - 1], info, *self.multipv[line.multipv :]]
        self.infos.put(info)

    def _conclude(self, lines: list[SearchInfo]) -> None:
        if not lines:
            mated = PovScore(Mate(0), self._board.turn)
            self.multipv = [{"depth": 0, "score": mated, "pv": []}]
            self.result = PlayResult(None, None, self.multipv[0])
            return
        self.multipv = [self._info_of(line) for line in lines]
        chosen = self._info_of(self._choose(lines)) if self._choose else self.multipv[0]
        pv = chosen["pv"]
        self.result = PlayResult(pv[0], pv[1] if len(pv) > 1 else None, chosen)

    def _info_of(self, line: SearchInfo) -> InfoDict:
        info: InfoDict = {
            "depth": line.depth,
            "seldepth": line.seldepth,
            "multipv": line.multipv,
            "pv": line.pv,
            "nodes": line.nodes,
            "nps": line.nodes * 1000 // max(1, line.time_ms),
            "time": line.time_ms / 1000,
            "hashfull": line.hashfull,
        }
        if abs(line.score) <= MATE:  # a search that is stopped at once has no score
            info["score"] = PovScore.from_core(line.score, self._board.turn)
        return info


class Analysis:
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

    def __init__(self, engine: Engine, search: _Search) -> None:
        self._engine = engine
        self._search = search

    @property
    def multipv(self) -> list[InfoDict]:
        """The newest info of each rank, best first."""
        return self._search.multipv

    @property
    def info(self) -> InfoDict:
        """The newest info of the best line."""
        return self.multipv[0]

    def stop(self) -> None:
        """End the search soon; the infos and the result so far remain."""
        self._search.stop()

    def wait(self) -> PlayResult:
        """Wait for the end of the search; raises what it raised."""
        self._search.done.wait()
        if self._search.error is not None:
            raise self._search.error
        return self._search.result

    def is_done(self) -> bool:
        """Has the search ended?"""
        return self._search.done.is_set()

    def progress(self) -> InfoDict:
        """Nodes, time and the move being searched at this moment, for displays."""
        spent = monotonic() - self._search.started
        nodes, move, number = self._search.searcher.progress()
        info: InfoDict = {"nodes": nodes, "time": spent, "nps": int(nodes / max(spent, 0.001))}
        if move is not None:
            info["currmove"] = move
            info["currmovenumber"] = number
        return info

    def get(self, *, timeout: float | None = None) -> InfoDict | None:
        """The next info, waiting for it if need be; None at the end of the search.

        timeout: seconds; queue.Empty if nothing comes in time.
        """
        info = self._search.infos.get(timeout=timeout)
        if info is None:
            self._search.infos.put(None)  # for the next one who asks
            if self._search.error is not None:
                raise self._search.error
        return info

    def empty(self) -> bool:
        """Is there no info to get at this moment?"""
        return self._search.infos.qsize() <= self.is_done()  # the mark of the end is no info

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.get()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
        self._search.done.wait()


class Engine:
    """An engine with its own memory, whose searches run one after the other in a thread of its own.

    hash_mib: size of the transposition table in MiB, 1 to 1048576.
    threads: 1 to 256 threads that search together; with one, the same search finds the same.
    parallel: how they share the work, one of `eleengine._core.PARALLEL`; see docs/parallel.md.
    skill: 0 (a beginner) to 20 (full strength); below 20 `play` searches little and chooses among good
        moves at random.
    rule_set: one of `eleengine.rules.RULE_SETS`, which judges repetitions in the search.
    no_capture_limit: plies without a capture that draw the game in the search.

    These are attributes, too, and may be changed between searches. ValueError for values out of range.
    All methods may be called from several threads; close the engine, or use it in a `with` block.
    """

    def __init__(
        self,
        *,
        hash_mib: int = 16,
        threads: int = 1,
        parallel: str = "hybrid",
        skill: int = TOP_SKILL,
        rule_set: str = "axf",
        no_capture_limit: int = NO_CAPTURE_LIMIT,
    ) -> None:
        self._searcher = Searcher(hash_mib=hash_mib, threads=threads)
        self.parallel = parallel
        self.skill = skill
        self.rule_set = rule_set
        self.no_capture_limit = no_capture_limit
        self._jobs: SimpleQueue[_Search | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._waiting: weakref.WeakSet[_Search] = weakref.WeakSet()
        self._game: object = None
        self._thread: threading.Thread | None = None
        self._process = os.getpid()
        self._finish = weakref.finalize(self, _finish, self._jobs, self._waiting)

    # Options

    @property
    def hash_mib(self) -> int:
        """Size of the transposition table in MiB; a new size empties it. Waits for a search to end."""
        return self._searcher.hash_mib

    @hash_mib.setter
    def hash_mib(self, value: int) -> None:
        self._searcher.resize(value)

    @property
    def threads(self) -> int:
        """Threads that search together."""
        return self._searcher.threads

    @threads.setter
    def threads(self, value: int) -> None:
        self._searcher.threads = value

    @property
    def parallel(self) -> str:
        """How threads share the work. Setting it waits for a search to end."""
        return self._searcher.parallel

    @parallel.setter
    def parallel(self, value: str) -> None:
        self._searcher.parallel = value

    @property
    def skill(self) -> int:
        """Strength of `play`, 0 to 20."""
        return self._skill

    @skill.setter
    def skill(self, value: int) -> None:
        if not 0 <= value <= TOP_SKILL:
            raise ValueError(f"skill must be 0..{TOP_SKILL}, not {value}")
        self._skill = value

    @property
    def rule_set(self) -> str:
        """Name of the rules that judge repetitions in the search. Setting it waits for a search to end."""
        return RULE_SETS[self._searcher.rule_set]

    @rule_set.setter
    def rule_set(self, value: str) -> None:
        if value not in RULE_SETS:
            raise ValueError(f"rule_set must be one of {', '.join(RULE_SETS)}, not {value!r}")
        self._searcher.rule_set = RULE_SETS.index(value)

    @property
    def no_capture_limit(self) -> int:
        """Plies without a capture that draw the game in the search. Setting it waits for a search to end."""
        return self._searcher.no_capture_limit

    @no_capture_limit.setter
    def no_capture_limit(self, value: int) -> None:
        self._searcher.no_capture_limit = value

    @property
    def options(self) -> dict[str, int | str]:
        """All options and their values.

        >>> Engine().options  # doctest: +NORMALIZE_WHITESPACE
        {'hash_mib': 16, 'threads': 1, 'parallel': 'hybrid', 'skill': 20, 'rule_set': 'axf',
         'no_capture_limit': 120}
        """
        return {name: getattr(self, name) for name in _OPTIONS}

    def configure(self, options: Mapping[str, int | str]) -> None:
        """Set options by name; ValueError for unknown ones, before any is set."""
        for name in options:
            if name not in _OPTIONS:
                raise ValueError(f"unknown option {name!r}: the engine has {', '.join(_OPTIONS)}")
        for name, value in options.items():
            setattr(self, name, value)

    # Searches

    def play(
        self,
        board: BaseBoard,
        limit: Limit,
        *,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> PlayResult:
        """Search for a move to play.

        board: a valid position; the moves on it count for repetitions. It is not changed.
        game: anything that identifies the game; when it is not that of the call before, the engine
            forgets what it has learnt.
        root_moves: consider only these.

        ValueError: the position is not valid, the limit is out of range or would never end the search,
            root_moves is empty although there are legal moves.
        IllegalMoveError: one of root_moves is not legal.
        EngineTerminatedError: the engine is closed, or was made before this process was forked.
        """
        self._need_end(board, limit)
        weaker = self.skill < TOP_SKILL
        arguments = limit.arguments(board.turn)
        if weaker:
            nodes = skill_nodes(self.skill)
            arguments["nodes"] = min(nodes, arguments["nodes"] or nodes)
            arguments["multipv"] = LINES
        noise = skill_noise(self.skill)
        return self._wait(
            self._start(
                board, arguments, game, root_moves, (lambda lines: choose(lines, noise)) if weaker else None
            )
        )

    @overload
    def analyse(
        self, board: BaseBoard, limit: Limit, *, multipv: Literal[None] = None, game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> InfoDict: ...  # fmt: skip

    @overload
    def analyse(
        self, board: BaseBoard, limit: Limit, *, multipv: int, game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> list[InfoDict]: ...  # fmt: skip

    def analyse(
        self,
        board: BaseBoard,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, and return the info of the best line, or of the best multipv lines as a list.

        Arguments and errors as for `play`; a position without legal moves has the score Mate(0).
        """
        self._need_end(board, limit)
        analysis = self.analysis(board, limit, multipv=multipv, game=game, root_moves=root_moves)
        self._wait(analysis)
        return analysis.info if multipv is None else analysis.multipv

    def analysis(
        self,
        board: BaseBoard,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        root_moves: Iterable[Move] | None = None,
    ) -> Analysis:
        """Start a search, without end if there is no limit, and return at once; see `Analysis`.

        If another search runs, this one comes after it; one without end is stopped for it. Errors as for
        `play`.
        """
        arguments = (limit or Limit()).arguments(board.turn)
        if multipv is not None:
            if multipv < 1:
                raise ValueError(f"multipv must be at least 1, not {multipv}")
            arguments["multipv"] = multipv
        return self._start(board, arguments, game, root_moves, None)

    def stop(self) -> None:
        """End the search that runs, and those that wait for their turn, soon."""
        with self._lock:
            waiting = list(self._waiting)
        for search in waiting:
            search.stop()

    def clear(self) -> None:
        """Forget what was learnt, as for a new game. Waits for a search to end."""
        self._searcher.clear()

    def close(self) -> None:
        """End all searches and the thread; further searches raise EngineTerminatedError."""
        self.stop()
        with self._lock:
            self._finish()
            thread = self._thread
        if thread is not None:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    @staticmethod
    def _need_end(board: BaseBoard, limit: Limit) -> None:
        if limit.is_infinite(board.turn):
            raise ValueError(f"{limit} never ends the search: it needs a time, depth, nodes, mate or clock")

    def _start(
        self,
        board: BaseBoard,
        arguments: _Arguments,
        game: object,
        root_moves: Iterable[Move] | None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None,
    ) -> Analysis:
        """Put a search into the queue."""
        board = board.copy()
        if defects := board.defects():
            raise ValueError(f"the position is not valid: {defects[0][1]}")
        moves = None if root_moves is None else list(root_moves)
        for move in moves or ():
            if move not in board.legal_moves:
                raise IllegalMoveError(f"illegal move {move} in {board.fen()}")
        if moves == [] and any(board.legal_moves):
            raise ValueError("root_moves is empty: there is nothing to search")
        if os.getpid() != self._process:
            raise EngineTerminatedError("the engine belongs to the process that was forked: make another one")
        with self._lock:
            if not self._finish.alive:
                raise EngineTerminatedError("the engine has been closed")
            for other in self._waiting:
                if other.endless:
                    other.stop()
            search = _Search(self._searcher, board, arguments, moves, choose, game != self._game)
            self._game = game
            self._waiting.add(search)
            if self._thread is None:
                self._thread = _start_thread(self._jobs)
            self._jobs.put(search)
        return Analysis(self, search)

    @staticmethod
    def _wait(analysis: Analysis) -> PlayResult:
        try:
            return analysis.wait()
        except KeyboardInterrupt:
            analysis.stop()
            raise


def _start_thread(jobs: SimpleQueue[_Search | None]) -> threading.Thread:
    old = threading.stack_size(STACK_BYTES)
    try:
        thread = threading.Thread(target=_work, args=(jobs,), name="eleengine", daemon=True)
        thread.start()
    finally:
        threading.stack_size(old)
    return thread


def _work(jobs: SimpleQueue[_Search | None]) -> None:
    """Run one search after the other; holds no reference to the Engine, so that it may be collected."""
    while (search := jobs.get()) is not None:
        search.run()
        del search


def _finish(jobs: SimpleQueue[_Search | None], waiting: weakref.WeakSet[_Search]) -> None:
    """End the thread of an engine that was closed, or that nobody holds any more."""
    for search in list(waiting):
        search.stop()
    jobs.put(None)
