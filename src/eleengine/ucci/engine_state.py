"""The engine behind the protocol: made when it is first needed, and set up as the options say."""

from contextlib import suppress
from typing import Protocol

from .._core import NetworkError
from .._internal.paths import find_path
from .._internal.system import has_room
from ..engines.engine_options import HASH, MASTERS, OPTIONS, THREADS, EngineOption
from .options import UcciOptions
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from .._core import BaseBoard, Move, Searcher, SearchInfo
    from ..book import Entry
    from ..engines.engine_options import Value
    from ..engines.local import Engine
    from ..engines.strength import Strength
    from ..engines.types import InfoDict, PlayResult, SearchArguments

_SETTINGS = tuple(option for option in OPTIONS if option.attribute and option.type != "button")


class Searching(Protocol):
    """A search under way, as a conversation needs it; `Analysis` is one."""

    @property
    def multipv(self) -> "list[InfoDict]": ...
    def stop(self) -> None: ...
    def ponderhit(self) -> None: ...
    def get(self, *, timeout: float | None = None) -> "InfoDict | None": ...
    def progress(self) -> "InfoDict": ...
    def wait(self) -> "PlayResult": ...


class Knowing(Protocol):
    """What knows about positions without a search; `Searcher` does."""

    @property
    def hashfull(self) -> int: ...
    def evaluate(self, board: "BaseBoard") -> int: ...
    def probe(self, board: "BaseBoard") -> "tuple[Move | None, int, int, str] | None": ...


class Player(Protocol):
    """What searches for a conversation; `Engine` does."""

    @property
    def searcher(self) -> Knowing: ...
    @property
    def strength(self) -> "Strength": ...
    def begin(
        self, board: "BaseBoard", arguments: "SearchArguments", *, root_moves: "Iterable[Move] | None",
        choose: "Callable[[list[SearchInfo]], SearchInfo] | None", ponder: bool,
    ) -> Searching: ...  # fmt: skip


class State(Protocol):
    """What is behind a conversation, made when it is first needed; `EngineState` is one."""

    name: str

    @property
    def searcher(self) -> Knowing | None: ...
    def get(self) -> Player: ...
    def book_entry(self, board: "BaseBoard", excluded: "Collection[Move]") -> "Entry | None": ...
    def report_threads(self) -> None: ...
    def new_game(self) -> None: ...
    def apply(self, option: EngineOption, before: "Value") -> None: ...


class EngineState:
    """An engine that obeys the options of a conversation.

    Beside `Engine` because a GUI sets options before the engine has memory, and must get an engine, with less
    memory or fewer threads, where a program in Python gets an error.

    send: sends a message to the GUI. engine: None until `get` has made it: the handshake should not wait for
        its memory.
    """

    name = "eleengine"

    def __init__(self, options: UcciOptions, send: "Callable[[str], None]") -> None:
        self.engine: Engine | None = None
        self._reported = THREADS.max  # the fewest threads reported so far
        self._options = options
        self._send_message = send

    @property
    def searcher(self) -> "Searcher | None":
        return None if self.engine is None else self.engine.searcher

    def get(self) -> "Engine":
        """The engine; with less memory or fewer threads than wanted if there is not enough. MemoryError."""
        if self.engine is None:
            self.engine = self._make()
            for option in _SETTINGS:
                default = option.default if option.library is None else option.library
                if option not in (HASH, THREADS) and self._options.values()[option.ucci] != default:
                    try:
                        self._set(option)
                    except ProtocolError as error:
                        self._send_message(str(error))
        return self.engine

    def _make(self) -> "Engine":
        from ..engines.local import Engine

        hash_mib, threads = self._number(HASH), self._number(THREADS)
        sizes = sorted({size for size in (hash_mib, HASH.zero, 1) if size <= hash_mib}, reverse=True)
        for size, n in ((size, n) for n in dict.fromkeys((threads, 1)) for size in sizes):
            try:
                engine = Engine(hash_mib=size, threads=n)
            except MemoryError:
                continue
            for option, wanted, found in ((HASH, hash_mib, size), (THREADS, threads, n)):
                if found < wanted:
                    self._options.restore(option.ucci, found)
                    self._send_message(f"error {option.ucci} {wanted} unavailable keeping {found}")
            return engine
        raise MemoryError("no memory for a search")

    def _number(self, option: EngineOption) -> int:
        return self._options.number(option.ucci) or option.zero

    def book_entry(self, board: "BaseBoard", excluded: "Collection[Move]") -> "Entry | None":
        """What is played from the book, if anything; a book that cannot be read is given up."""
        engine = self.get()
        try:
            return engine.book_entry(board, excluded)
        except ValueError:
            engine.book = None
            self._send_message("error book file unreadable")
            return None

    def report_threads(self) -> None:
        """Say once if the system has given the last search fewer threads than it should have."""
        searcher = self.searcher
        if searcher is not None and searcher.team < min(searcher.threads, self._reported):
            self._reported = searcher.team
            self._send_message(
                f"warning threads {searcher.threads}: the system gives no more than {searcher.team}"
            )

    def new_game(self) -> None:
        """Forget the game before, and let the choices of a seed begin again."""
        if self.engine is not None:
            self.engine.clear()
            self.engine.seed = self.engine.seed

    def apply(self, option: EngineOption, before: "Value") -> None:
        """Let an option that was set take effect; ProtocolError if it cannot: then it is as before."""
        if option.ucci == "newgame":
            self.new_game()
        if option not in _SETTINGS:
            return
        try:
            if option is HASH and self.engine is None and not has_room(self._number(HASH) << 20):
                raise MemoryError  # said now, not when the table is made
            if option.type == "string" and self.engine is None:
                value = self._options.values()[option.ucci]
                self._options.restore(option.ucci, before)
                self.get()
                self._options.restore(option.ucci, value)
            if self.engine is not None:
                self._set(option)
        except MemoryError:
            wanted = f"hashsize {self._number(HASH)}" if option is HASH else "threads"
            self._options.restore(option.ucci, before)
            kept = self._number(HASH) if self.engine is None or option is HASH else self.engine.threads
            raise ProtocolError(f"error {wanted} unavailable keeping {kept}") from None
        except ProtocolError:
            self._options.restore(option.ucci, before)
            raise

    def _set(self, option: EngineOption) -> None:
        """Give the engine the value of an option; MemoryError, or ProtocolError for an unusable file."""
        assert self.engine is not None
        name, value = option.ucci, self._options.values()[option.ucci]
        if option.type == "string":
            value = ";".join(self._files(option))
        try:
            self.engine.configure({name: value})
            if name == "tablememory":
                self._set(_TABLES)
        except (OSError, ValueError, MemoryError) as error:
            if option.type != "string":
                raise
            if name == "bookfiles" and (readable := list(filter(_is_book, self._files(option)))):
                self.engine.configure({name: ";".join(readable)})
            raise ProtocolError(_complaint(name, error)) from None
        if option is _TABLES:
            self._report_tables(str(value))

    def _files(self, option: EngineOption) -> list[str]:
        """The files that an option names, as the system finds them."""
        text = self._options.word(option.ucci)
        names = map(str.strip, text.split(";")) if option.ucci == "bookfiles" else (text,)
        return [name if name in ("", *option.choices) else find_path(name) for name in names]

    def _report_tables(self, folder: str) -> None:
        """Say so if the memory for tables does not hold all of the folder."""
        if folder in ("", *_TABLES.choices):
            return
        from ..tables import open_tables

        assert self.engine is not None and self.engine.tables is not None
        held, there = len(self.engine.tables), len(open_tables(folder).names())
        if held < there:
            self._send_message(f"warning tablememory holds {held} of {there} tables")


_TABLES = next(option for option in OPTIONS if option.attribute == "tables")


def _is_book(name: str) -> bool:
    """Is the name that of a book that can be read?"""
    from ..book import SHIPPED, open_book

    with suppress(OSError, ValueError):
        open_book(SHIPPED if name == MASTERS else name).close()
        return True
    return False


def _complaint(name: str, error: Exception) -> str:
    """Why a file cannot be used, without its name or what it holds."""
    if name == "bookfiles":
        return "error book file unreadable"
    reason = "no memory" if isinstance(error, MemoryError) else "damaged or of another version"
    if isinstance(error, OSError):
        reason = error.strerror or "it cannot be read"
    elif isinstance(error, NetworkError):
        reason = str(error.__cause__)
    return f"error {name} unavailable keeping the old one: {reason}"
