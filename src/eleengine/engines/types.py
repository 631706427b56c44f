"""What all engines share, under the names of python-chess: limits, results, errors.

>>> Limit(time=0.5, depth=20)
Limit(time=0.5, depth=20)
"""

from __future__ import annotations

import enum
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import index
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Final,
    NotRequired,
    Protocol,
    Self,
    TypedDict,
    cast,
    overload,
    runtime_checkable,
)

from .._core import BaseBoard, Move, as_board, check_color
from ..pieces import RED, Color
from ..rules import ByValue
from ..score import PovScore, PovWdl, Wdl
from .clock import MAX_MS, clock_budget
from .engine_options import LIBRARY_OVERHEAD_MS
from .options import Option
from .searcher import SearchArguments

if TYPE_CHECKING:
    from ..board import Board
    from ..book import Entry

__all__ = [
    "INFO_ALL", "INFO_BASIC", "INFO_CURRLINE", "INFO_NONE", "INFO_PV", "INFO_REFUTATION", "INFO_SCORE",
    "AnyAnalysis", "AnyEngine", "EngineError", "EngineTerminatedError", "EngineTimeoutError", "Info",
    "InfoDict", "Limit", "PlayResult", "PovWdl", "Progress", "SearchArguments", "Wdl",
]  # fmt: skip

#: What a `Limit` may limit, in the order of its arguments.
LIMITS: Final = (
    "time", "depth", "nodes", "mate", "red_clock", "black_clock", "red_inc", "black_inc", "remaining_moves",
)  # fmt: skip
#: Those of them that are seconds.
TIMES: Final = ("time", "red_clock", "black_clock", "red_inc", "black_inc")
_MOST = {"depth": 2**31 - 1, "nodes": 2**63 - 1, "mate": 2**31 - 1, "remaining_moves": 2**31 - 1}


class EngineError(RuntimeError):
    """An engine does not do what it should."""


class EngineTerminatedError(EngineError):
    """The engine has been closed, or has ended by itself."""


class EngineTimeoutError(EngineError):
    """No answer in time."""


class Limit:
    """When a search ends: at the first of these limits. None stands for no limit. Not for sharing by threads.

    clock_id: taken for python-chess's sake; no engine here asks for it.

    >>> limit = Limit(time=0.5)
    >>> limit.depth = 20
    >>> limit, limit.replace(time=None) == Limit(depth=20)
    (Limit(time=0.5, depth=20), True)
    """

    __slots__ = (*LIMITS, "clock_id")

    def __init__(
        self,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        red_clock: float | None = None,
        black_clock: float | None = None,
        red_inc: float | None = None,
        black_inc: float | None = None,
        remaining_moves: int | None = None,
        *,
        clock_id: object = None,
    ) -> None:
        self.time: float | None = time  #: seconds for this move
        self.depth: int | None = depth  #: plies, 1 to 100
        self.nodes: int | None = nodes  #: positions searched
        self.mate: int | None = mate  #: end when a mate in this number of moves is found
        self.red_clock: float | None = red_clock  #: seconds left on Red's clock
        self.black_clock: float | None = black_clock
        self.red_inc: float | None = red_inc  #: seconds that Red gains with each move
        self.black_inc: float | None = black_inc
        self.remaining_moves: int | None = remaining_moves  #: to the next time control; None: the whole game
        self.clock_id = clock_id

    def given(self) -> dict[str, Any]:
        """The limits that are not None, by name: the arguments of an equal one."""
        named = ((name, getattr(self, name)) for name in LIMITS)
        return {name: value for name, value in named if value is not None}

    def replace(self, **changes: Any) -> Limit:
        """A new Limit with some of the values changed; TypeError for a name that is none."""
        return Limit(**{**self.given(), "clock_id": self.clock_id, **changes})

    __replace__ = replace  # for copy.replace

    def finite(self) -> Limit:
        """The same without times that never end: no protocol has a number for them."""
        never: dict[str, Any] = {name: None for name in TIMES if getattr(self, name) == math.inf}
        return self.replace(**never)

    def clock_of(self, color: Color) -> tuple[float | None, float | None]:
        """Seconds left on the clock of a side, and those that it gains with each move."""
        is_red = check_color(color) == RED
        return (self.red_clock, self.red_inc) if is_red else (self.black_clock, self.black_inc)

    @property
    def is_timed(self) -> bool:
        """Is there a time for the move, or a clock of either side?"""
        return not self.given().keys().isdisjoint(TIMES)

    def __eq__(self, other: object) -> bool:
        return self.given() == other.given() if isinstance(other, Limit) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"

    def arguments(
        self, turn: Color, *, overhead_ms: int = LIBRARY_OVERHEAD_MS, ponder: bool = False
    ) -> SearchArguments:
        """The limits as the core's search takes them; ValueError names one out of range.

        overhead_ms: of each move with a clock, not available for searching. ponder: some of the thinking will
        be done on the opponent's time, so some more may be spent.
        """
        for name, value in self.given().items():
            minimum = 1 if name in _MOST else 0
            if isinstance(value, str):
                raise TypeError(f"the limit {name} must be a number, not {value!r}")
            if not value >= minimum:
                raise ValueError(f"the limit {name} must be at least {minimum}, not {value!r}")
            if name in _MOST and not (value <= _MOST[name] and value == int(value)):
                raise ValueError(
                    f"the limit {name} must be a whole number up to {_MOST[name]}, not {value!r}"
                )
        optimum = maximum = 0
        limit = self.finite()
        clock, inc = limit.clock_of(turn)
        if clock is not None:
            optimum, maximum = clock_budget(
                _milliseconds(clock),
                _milliseconds(inc) if inc else None,
                self.remaining_moves,
                overhead_ms=overhead_ms,
                ponder=ponder,
            )
        if limit.time is not None:
            exactly = _milliseconds(limit.time)
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
    return max(1, int(min(round(seconds * 1000, 6), MAX_MS)))  # 0.299 is 299, whatever floats make of it


class InfoDict(TypedDict):
    """What a search has found; entries that are not known are missing, and a KeyError says so.

    `Engine` knows depth, multipv, score and pv of whatever it has searched. Of another program there is what
    it has said so far.
    """

    depth: int
    multipv: int  #: rank of the line, from 1
    score: PovScore
    pv: list[Move]  #: a line of legal moves; of another program as far as it is one
    seldepth: NotRequired[int]
    nodes: NotRequired[int]
    nps: NotRequired[int]  #: nodes per second
    time: NotRequired[float]  #: seconds
    hashfull: NotRequired[int]  #: per mille of the table
    tbhits: NotRequired[int]  #: values found in endgame tables
    currmove: NotRequired[Move]  #: being searched now
    currmovenumber: NotRequired[int]
    wdl: NotRequired[PovWdl]  #: chances as the engine says them
    string: NotRequired[str]  #: what the engine said in plain words, the last of it
    book: NotRequired[Entry]  #: the entry of the book that the move is from, instead of a search


class Info(enum.IntFlag):
    """What python-chess can leave out of infos; here all are always given."""

    NONE = 0
    BASIC = 1
    SCORE = 2
    PV = 4
    REFUTATION = 8
    CURRLINE = 16
    ALL = 31


INFO_NONE, INFO_BASIC, INFO_SCORE, INFO_PV = Info.NONE, Info.BASIC, Info.SCORE, Info.PV
INFO_REFUTATION, INFO_CURRLINE, INFO_ALL = Info.REFUTATION, Info.CURRLINE, Info.ALL


class Progress(TypedDict):
    """How far a search is at this moment."""

    nodes: int
    nps: NotRequired[int]
    time: NotRequired[float]
    hashfull: NotRequired[int]
    currmove: NotRequired[Move]
    currmovenumber: NotRequired[int]


class _ShownInfo(dict[str, Any]):
    """An InfoDict that notebooks show as a table."""

    __slots__ = ()

    def __missing__(self, name: str) -> Any:
        raise KeyError(f"the engine has said no {name}" if name in InfoDict.__annotations__ else name)

    def _repr_html_(self) -> str:
        from .._internal.display import html_table

        rows = []
        for name, value in self.items():
            if name == "score":
                value = f"{value.red()} for red"
            elif name == "pv":
                value = " ".join(move.iccs() for move in value)
            rows.append((name, value))
        return html_table(rows)


def shown(info: Mapping[str, Any]) -> InfoDict:
    """Return the info as an InfoDict that notebooks draw, and whose KeyError names the missing key."""
    return cast(InfoDict, _ShownInfo(info))


def check_request(board: BaseBoard, limit: object, *, limit_may_be_none: bool = False) -> None:
    """TypeError says what was expected of who asks for a search."""
    as_board(board)
    if not (isinstance(limit, Limit) or (limit is None and limit_may_be_none)):
        raise TypeError(f"a limit is a Limit, not {type(limit).__name__}: Limit(time=1) is one second a move")


def check_lines(multipv: int) -> int:
    """The number of lines that are asked for; ValueError below 1, TypeError if it is no integer."""
    if index(multipv) < 1:
        raise ValueError(f"multipv must be at least 1, not {multipv}")
    return min(index(multipv), sys.maxsize)  # no more than the core can count


class PlayResult(ByValue):
    """The engine's move; None when there is no legal move, because the game is over.

    ponder: the answer that the engine expects. draw_offered and resigned are for engines of other programs
    (`eleengine.engines.external`).
    """

    __slots__ = ("draw_offered", "info", "move", "ponder", "resigned")

    def __init__(
        self,
        move: Move | None,
        ponder: Move | None,
        info: InfoDict | None = None,
        draw_offered: bool = False,
        resigned: bool = False,
    ) -> None:
        self.move: Move | None = move
        self.ponder: Move | None = ponder
        self.info: InfoDict = shown({}) if info is None else info
        self.draw_offered: bool = draw_offered
        self.resigned: bool = resigned

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        told = "".join(f", {name}=True" for name in ("draw_offered", "resigned") if getattr(self, name))
        return f"PlayResult(move={self.move!r}, ponder={self.ponder!r}, info={self.info!r}{told})"


class AnyAnalysis(Protocol):
    """A search under way of any engine: an iterator of its infos, and a context manager that ends it."""

    @property
    def multipv(self) -> list[InfoDict]:
        """The newest info of each line, best first."""

    @property
    def info(self) -> InfoDict:
        """The newest info of the best line."""
        return self.multipv[0]

    def stop(self) -> None:
        """End the search soon."""

    def wait(self) -> PlayResult:
        """Wait for the end of the search."""

    def is_done(self) -> bool:
        """Has the search ended?"""

    def get(self, *, timeout: float | None = None) -> InfoDict | None:
        """The next info; None at the end of the search; queue.Empty if there is none in time."""

    def empty(self) -> bool:
        """Is there no info to get at this moment?"""

    def listen(self, callback: Callable[[], object]) -> None:
        """Call this when there are infos to get, and at the end: at once if so, later from another thread."""

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        info = self.get()
        if info is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None: ...


@runtime_checkable
class AnyEngine(Protocol):
    """What `Engine` and `ExternalEngine` have in common, for functions that take either.

    `AsyncEngine` has the same methods, which are awaited. info= is taken for python-chess's sake: all infos
    are always given.

    >>> from eleengine import Engine
    >>> def best_move(engine: AnyEngine, board: Board) -> Move | None:
    ...     return engine.play(board, Limit(nodes=500)).move
    >>> isinstance(Engine(), AnyEngine)
    True
    """

    @property
    def id(self) -> Mapping[str, str]:
        """What the engine says of itself: name, author."""

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that `configure` knows by name, which is found in any letters."""

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options by name; ValueError for unknown names and for values out of range."""

    def play(
        self, board: Board, limit: Limit, *, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None,
        ponder: bool = False, timeout: float | None = None,
    ) -> PlayResult:  # fmt: skip
        """Search for a move to play."""

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: None = None, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
    ) -> InfoDict: ...  # fmt: skip

    @overload
    def analyse(
        self, board: Board, limit: Limit, *, multipv: int, game: object = None,
        root_moves: Iterable[Move] | None = None, info: object = None, timeout: float | None = None,
    ) -> list[InfoDict]: ...  # fmt: skip

    def analysis(
        self, board: Board, limit: Limit | None = None, *, multipv: int | None = None,
        game: object = None, root_moves: Iterable[Move] | None = None, info: object = None,
    ) -> AnyAnalysis:  # fmt: skip
        """Start a search and return at once."""

    def new_game(self) -> None:
        """Forget what was learnt in the game before."""

    def ping(self) -> float:
        """Wait until the engine is ready, and return the seconds that it took."""

    def stop(self) -> None:
        """End the search that runs soon."""

    @property
    def alive(self) -> bool:
        """Can it still be asked?"""

    def kill(self) -> None:
        """End the engine at once, from any thread; what runs ends, or raises EngineTerminatedError."""

    def close(self) -> None:
        """End the engine."""

    def quit(self) -> None:
        """`close` under its name in python-chess."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...
