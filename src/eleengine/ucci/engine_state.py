"""The search behind the protocol: made when it is first needed, and set up as the options say."""

from .._core import Context, NetworkError, Searcher, shipped_tables
from .._internal.system import memory_mib
from ..engines.engine_options import HASH, IDLE_SHARE, NO_CAPTURES, THREADS, EngineOption
from ..engines.searcher import set_up
from ..network import INTERNAL, choose
from .options import UcciOptions
from .paths import find_path
from .replies import ProtocolError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from .._core import EndgameTables

MAX_THREADS = 256


class EngineState:
    """A searcher that obeys options.

    tell: sends a message to the GUI. searcher: None until `need` has made it: the handshake should not wait
        for its memory.
    """

    def __init__(self, options: UcciOptions, send: "Callable[[str], None]") -> None:
        self.searcher: Searcher | None = None
        self._context: Context | None = None  # None: the default one
        self._tables: EndgameTables | None = None
        self._reported = MAX_THREADS  # the fewest threads reported so far
        self._options = options
        self._send_message = send

    def get_searcher(self) -> Searcher:
        """The searcher; with less memory or fewer threads than wanted if there is not enough. MemoryError."""
        if self.searcher is None:
            searcher = self._make()
            if self._tables is None and self._options.word("tablepath") == INTERNAL:
                self._tables = shipped_tables()
            self._set_up(searcher)
            self.searcher = searcher
        return self.searcher

    def _make(self) -> Searcher:
        hash_mib, threads = self._hash_mib(), self._threads()
        sizes = sorted({size for size in (hash_mib, HASH.zero, 1) if size <= hash_mib}, reverse=True)
        for size, n in ((size, n) for n in dict.fromkeys((threads, 1)) for size in sizes):
            try:
                searcher = Searcher(hash_mib=size, threads=n)
            except MemoryError:
                continue
            if size < hash_mib:
                self._options.restore("hashsize", size)
                self._send_message(f"error hashsize {hash_mib} unavailable keeping {size}")
            if n < threads:
                self._options.restore("threads", n)
                self._send_message(f"error threads {threads} unavailable keeping {n}")
            return searcher
        raise MemoryError("no memory for a search")

    def report_threads(self) -> None:
        """Say once if the system has given the last search fewer threads than it should have."""
        if self.searcher is not None and self.searcher.team < min(self.searcher.threads, self._reported):
            self._reported = self.searcher.team
            self._send_message(
                f"warning threads {self.searcher.threads}: the system gives no more than {self._reported}"
            )

    def clear(self) -> None:
        """Forget the game before."""
        if self.searcher is not None:
            self.searcher.clear()

    def stop(self) -> None:
        """End the search that runs, if one does."""
        if self.searcher is not None:
            self.searcher.stop()

    def apply(self, option: EngineOption, before: bool | int | str) -> None:
        """Let an option that was set take effect; ProtocolError if it cannot: then it is as before."""
        if option.ucci == "newgame":
            self.clear()
        elif option.ucci == "hashsize":
            self._resize(before)
        elif option.ucci == "evalfile":
            self._read_network(before)
        elif option.ucci in ("tablepath", "tablememory"):
            self._read_tables(option.ucci, before)
        elif self.searcher is None:
            pass
        elif option.ucci in ("threads", "idle"):
            try:
                self.searcher.threads = self._threads()
            except MemoryError:
                raise ProtocolError(f"error threads unavailable keeping {self.searcher.threads}") from None
        elif option.ucci in ("parallel", "repetition", "naturallimit"):
            self._set_up(self.searcher)

    def _read_network(self, before: bool | int | str) -> None:
        try:
            network = choose(_network_of(self._options.word("evalfile")))
        except (OSError, NetworkError) as error:
            self._options.restore("evalfile", before)
            raise ProtocolError(f"error evalfile unavailable keeping the old one: {_reason(error)}") from None
        self._context = Context(network=network)
        if self.searcher is not None:
            self.searcher.context = self._context

    def _read_tables(self, name: str, before: bool | int | str) -> None:
        """Read the endgame tables of the folder, as many as fit into the memory for them."""
        folder = self._options.word("tablepath")
        tables = None
        if folder == INTERNAL:
            tables = shipped_tables()
        elif folder:
            from ..tables import TableError, open_tables

            opened = open_tables(find_path(folder))
            try:
                tables = opened.load_within(self._options.number("tablememory")) if opened.names() else None
                reason = "no tables in {}"
            except (OSError, TableError, MemoryError) as error:
                tables, reason = None, _reason(error)
            if tables is None:
                self._options.restore(name, before)
                raise ProtocolError(f"error {name} unavailable keeping the old one: {reason}", folder)
            if len(tables) < len(opened.names()):
                self._send_message(f"warning tablememory holds {len(tables)} of {len(opened.names())} tables")
        self._tables = tables
        if self.searcher is not None:
            self._set_up(self.searcher)

    def _resize(self, before: bool | int | str) -> None:
        wanted = self._hash_mib()
        try:
            if wanted > memory_mib() * 3 // 4:  # the system would promise it, then kill the process
                raise MemoryError
            if self.searcher is not None:
                self.searcher.resize(wanted)
        except MemoryError:
            self._options.restore("hashsize", before)
            raise ProtocolError(f"error hashsize {wanted} unavailable keeping {self._hash_mib()}") from None

    def _hash_mib(self) -> int:
        return self._options.number("hashsize") or HASH.zero

    def _threads(self) -> int:
        wanted = self._options.number("threads") or THREADS.zero
        return max(1, min(MAX_THREADS, round(wanted * IDLE_SHARE[self._options.word("idle")])))

    def _set_up(self, searcher: Searcher) -> None:
        searcher.context = self._context
        searcher.tables = self._tables
        set_up(
            searcher,
            parallel=self._options.word("parallel"),
            rule_set=self._options.word("repetition"),
            no_capture_limit=self._options.number("naturallimit") or NO_CAPTURES.zero,
        )


def _reason(error: Exception) -> str:
    """Why a file cannot be used, without its name or what it holds."""
    if isinstance(error, OSError):
        return error.strerror or "it cannot be read"
    if isinstance(error, MemoryError):
        return "no memory"
    return str(error.__cause__) if isinstance(error, NetworkError) else "damaged or of another version"


def _network_of(word: str) -> str:
    """What `network.choose` takes, for the value of the option."""
    if not word or word.startswith("<") or word == "classical":
        return word or INTERNAL
    return find_path(word)
