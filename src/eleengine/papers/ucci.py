"""A thesis's program behind a pair of pipes: the conversation of `ucci`, with another program to talk for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from .._core import BaseBoard, Move, SearchInfo, ThesisInfo
from .._internal.stack import deep_stacks
from ..board import Board
from ..engines import engine_options
from ..engines.engine_options import HASH, MOST_THREADS, THREADS, EngineOption
from ..engines.session import Feed, FeedAnalysis
from ..engines.strength import Strength
from ..engines.types import InfoDict, PlayResult, Progress, SearchArguments, shown
from ..ucci.engine_state import EngineState
from ..ucci.loop import Loop
from ..ucci.options import UcciOptions
from ..ucci.replies import ProtocolError
from .engine import ThesisEngine
from .programs import OPTIONS, Program, read, write

if TYPE_CHECKING:
    from ..book import Entry
    from ..engines.engine_options import Value

# Of the options of our engine, beside those of the protocol alone.
_SHARED = ("hashsize", "threads", "repetition", "moveoverhead", "multipv", "newgame")


def option_table(values: dict[str, Any], hash_mib: int, threads: int) -> list[EngineOption]:
    """The options of a conversation about a program: the protocol's, and the program's with their values."""
    changed = {
        "hashsize": HASH._replace(default=hash_mib, min=1, max=4096, zero=hash_mib),
        "threads": THREADS._replace(default=threads, min=1, max=min(64, MOST_THREADS), zero=threads),
        "multipv": engine_options.MULTIPV._replace(max=1),
    }
    table = [
        changed.get(option.ucci, option)
        for option in engine_options.OPTIONS
        if not option.attribute or option.ucci in _SHARED
    ]
    for option in OPTIONS:
        value = values[option.name]
        table.append(option._replace(default=write(value) if option.type == "string" else value))
    return table


def conversation(
    program: Program, *, hash_mib: int = 64, threads: int = 1, options: dict[str, object] | None = None
) -> Callable[..., Loop]:
    """What makes a conversation with the program, with the arguments of `Loop`.

    hash_mib, threads: to begin with. options: other than the program's, as `ThesisSearch` takes them;
    ValueError for a value out of range.
    """
    values = program.search(options)
    ThesisEngine(program, hash_mib=1, threads=threads, **values)  # ValueError

    def make(write: Callable[[bytes], None], **others: Any) -> Loop:
        return Loop(
            write,
            state=partial(ProgramState, program),
            options=UcciOptions(option_table(values, hash_mib, threads)),
            **others,
        )

    return make


class ProgramState(EngineState):
    """The program behind a conversation, in place of our engine.

    It has no book, no levels and no clock of its own, and only one line.
    """

    engine: Any  # a ProgramPlayer, or None

    def __init__(self, program: Program, options: UcciOptions, send: Callable[[str], None]) -> None:
        super().__init__(options, send)
        self.name = f"eleengine {program.name}"
        self._program = program

    def get(self) -> Any:
        """Return the program, made now if it was not needed before."""
        if self.engine is None:
            self.engine = self._program_of(self._values)
        return self.engine

    def _program_of(self, values: dict[str, Value]) -> ProgramPlayer:
        return ProgramPlayer(
            ThesisEngine(
                self._program,
                hash_mib=int(values["hashsize"]),
                threads=int(values["threads"]),
                rule_set=str(values["repetition"]),
                **{option.name: read(option, str(values[option.name])) for option in OPTIONS},
            )
        )

    def book_entry(self, board: BaseBoard, excluded: Collection[Move]) -> Entry | None:
        """Return None: there is no book."""
        return None

    def report_threads(self) -> None:
        """Nothing: a search that gets fewer threads than it should is an error."""

    def new_game(self) -> None:
        """Empty the table and the histories."""
        if self.engine is not None:
            self.engine.searcher.clear()

    def set(self, option: EngineOption, value: Value) -> None:
        """Give an option a value; ProtocolError if it keeps its own."""
        if option.ucci in _MADE_ANEW:
            try:
                self.engine = self._program_of({**self._values, option.ucci: value})
            except (ValueError, MemoryError) as error:
                raise ProtocolError(f"error option {option.ucci} bad value") from error


_MADE_ANEW = {"hashsize", "threads", "repetition", *(option.name for option in OPTIONS)}


class ProgramPlayer:
    """A program that searches for a conversation."""

    strength = Strength()

    def __init__(self, engine: ThesisEngine) -> None:
        self.searcher = engine

    def begin(
        self,
        board: BaseBoard,
        arguments: SearchArguments,
        *,
        root_moves: Iterable[Move] | None,
        choose: Callable[[list[SearchInfo]], SearchInfo] | None,
        ponder: bool,
    ) -> ProgramAnalysis:
        """Start a search and return at once."""
        game = Board(board.root().fen())
        for move in board.move_stack:
            game.push(move)
        return ProgramAnalysis(self.searcher, game, arguments, root_moves, ponder)


class ProgramAnalysis(FeedAnalysis[InfoDict]):
    """A search of a program under way, for a conversation."""

    def __init__(
        self,
        engine: ThesisEngine,
        board: Board,
        arguments: SearchArguments,
        root_moves: Iterable[Move] | None,
        ponder: bool,
    ) -> None:
        self._feed = Feed()
        self._lines: list[InfoDict] = [shown({})]
        self._engine = engine
        self._board = board
        self._root_moves = None if root_moves is None else list(root_moves)
        self._stopped = False
        self._timer: threading.Timer | None = None
        self._ponder_ms = 0  # to search when the expected move has been played
        if ponder:  # its clock rests
            self._ponder_ms = arguments["optimum_ms"] or arguments["maximum_ms"]
            arguments = {**arguments, "optimum_ms": 0, "maximum_ms": 0}
        self._arguments = arguments
        with deep_stacks():
            threading.Thread(target=self._feed.run, args=(self._search,), daemon=True).start()

    def _search(self) -> PlayResult:
        found = self._engine.iterations(
            self._board, self._arguments, root_moves=self._root_moves, report=self._take
        )
        with self._feed.lock:
            if self._timer is not None:
                self._timer.cancel()
        if not found:
            return PlayResult(None, None, self._lines[0])
        self._lines = [self._info(found[-1])]
        return PlayResult(found[-1].move, None, self._lines[0])

    def _info(self, found: ThesisInfo) -> InfoDict:
        return shown(
            {**self._engine.info(self._board, found), "multipv": 1, "hashfull": self._engine.hashfull}
        )

    def _take(self, found: ThesisInfo) -> None:
        self._lines = [self._info(found)]
        self._feed.put(self._lines)
        if self._stopped:  # before there was a search to stop
            self._engine.stop()

    @property
    def multipv(self) -> list[InfoDict]:
        """The last info."""
        return self._lines

    def stop(self) -> None:
        """End the search soon."""
        with self._feed.lock:
            self._stopped = True
            if not self.is_done():  # another search may be under way
                self._engine.stop()

    def ponderhit(self) -> None:
        """Start the clock of a search that ponders."""
        with self._feed.lock:
            if self._ponder_ms and not self.is_done():
                self._timer = threading.Timer(self._ponder_ms / 1000, self.stop)
                self._timer.daemon = True
                self._timer.start()

    def progress(self) -> Progress:
        """As of the last iteration: a search under way is not asked."""
        return {"nodes": self._lines[0].get("nodes", 0), "hashfull": self._engine.hashfull}
