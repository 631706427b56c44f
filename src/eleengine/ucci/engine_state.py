"""The engine behind the protocol: made when it is first needed, and set up as the options say."""

from .._core import NetworkError
from .._internal.paths import find_path
from .._internal.system import has_room
from ..engines.engine_options import HASH, OPTIONS, THREADS, EngineOption, with_room
from .options import UcciOptions
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from .._core import BaseBoard, Move, Searcher
    from ..book import Entry
    from ..engines.engine_options import Value
    from ..engines.local import Engine

_SETTINGS = tuple(option for option in OPTIONS if option.attribute and option.type != "button")


class EngineState:
    """An engine that obeys the options of a conversation; `papers.ucci.ProgramState` is one, too.

    Beside `Engine` because a GUI sets options before the engine has memory, and must get an engine, with less
    memory or fewer threads, where a program in Python gets an error.

    send: sends a message to the GUI. engine: None until `get` has made it; a handshake waits for no memory.
    """

    name = "eleengine"

    def __init__(self, options: UcciOptions, send: "Callable[[str], None]") -> None:
        self.engine: Engine | None = None
        self._reported = THREADS.max  # the fewest threads reported so far
        self._values = options.values
        self._send_message = send

    @property
    def searcher(self) -> "Searcher | None":
        return None if self.engine is None else self.engine.searcher

    def get(self) -> "Engine":
        """The engine; with less memory or fewer threads than wanted if there is not enough. MemoryError."""
        if self.engine is None:
            self.engine = self._make()
            for option in _SETTINGS:
                value = self._values[option.ucci]
                if option not in (HASH, THREADS) and value != option.library_default:
                    try:
                        self._set(option, value)
                    except ProtocolError as error:
                        self._send_message(str(error))
        return self.engine

    def _make(self) -> "Engine":
        from ..engines.local import Engine

        wanted = [int(self._values[option.ucci]) or option.zero for option in (HASH, THREADS)]
        engine, *found = with_room(lambda size, n: Engine(hash_mib=size, threads=n), *wanted)
        for option, most, n in zip((HASH, THREADS), wanted, found, strict=True):
            if n < most:
                self._values[option.ucci] = n
                self._send_message(f"error {option.ucci} {most} unavailable keeping {n}")
        return engine

    def book_entry(self, board: "BaseBoard", excluded: "Collection[Move]") -> "Entry | None":
        """What is played from the book, if anything; a book that cannot be read is given up."""
        engine = self.get()
        try:
            return engine.book_entry(board, excluded)
        except ValueError as error:
            engine.book = None
            self._send_message(_complaint("bookfiles", error))
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

    def set(self, option: EngineOption, value: "Value") -> None:
        """Give an option a value; ProtocolError if it keeps its own."""
        if option not in _SETTINGS:
            return
        try:
            if option.type == "string":
                self.get()
            if self.engine is not None:
                self._set(option, value)
            elif option is HASH and not has_room((int(value) or HASH.zero) << 20):
                raise MemoryError  # said now, not when the table is made
        except MemoryError:
            wanted = f"hashsize {int(value) or HASH.zero}" if option is HASH else "threads"
            other = HASH if option is HASH else THREADS
            kept = int(self._values[other.ucci]) or other.zero
            raise ProtocolError(f"error {wanted} unavailable keeping {kept}") from None

    def _set(self, option: EngineOption, value: "Value") -> None:
        """The same of the engine; MemoryError, or ProtocolError for a file that cannot be used."""
        assert self.engine is not None
        if option.type == "string":
            names = map(str.strip, str(value).split(";"))
            value = ";".join(name if name in ("", *option.choices) else find_path(name) for name in names)
        try:
            self.engine.configure({option.ucci: value})
            if option.ucci == "tablememory":
                self._set(_TABLES, self._values[_TABLES.ucci])
        except (OSError, ValueError, MemoryError) as error:
            if option.type != "string":
                raise
            raise ProtocolError(_complaint(option.ucci, error)) from None
        if option is _TABLES and value not in ("", *option.choices) and self.engine.tables is not None:
            from ..tables import open_tables

            held, there = len(self.engine.tables), len(open_tables(str(value)).names())
            if held < there:
                self._send_message(f"warning tablememory holds {held} of {there} tables")


_TABLES = next(option for option in OPTIONS if option.attribute == "tables")


def _complaint(name: str, error: Exception) -> str:
    """Why a file cannot be used, without what it holds; of several books also which."""
    reason = "no memory" if isinstance(error, MemoryError) else "damaged or of another version"
    if isinstance(error, OSError):
        reason = error.strerror or "it cannot be read"
    elif isinstance(error, NetworkError):
        reason = str(error.__cause__)
    if name == "bookfiles":
        where = f"{error.filename}: {reason}" if isinstance(error, OSError) else error  # names its file
        return f"error book file unreadable: {where}"
    return f"error {name} unavailable keeping the old one: {reason}"
