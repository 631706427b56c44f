"""SQLite files that anybody may have made.

They can compute: views, virtual tables and generated columns run without end or make values of any size. So
sizes and the time of a query are limited, and nothing of the schema is trusted. The settings are those of
https://sqlite.org/security.html.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

SAFE = ("PRAGMA trusted_schema = OFF", "PRAGMA cell_size_check = ON", "PRAGMA mmap_size = 0")
MAX_VALUE = 1 << 20  # bytes of a value
LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: MAX_VALUE,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_COLUMN: 100,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 20,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 3,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 25_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 8,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
    sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 20,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 10,
}
LOOKUP_SECONDS = 10.0  # a look-up may take so long
STEPS = 20_000  # of SQLite between two looks at the clock
#: What is no fault of the file, by the error codes of SQLite: "" for what SQLite itself says.
ELSEWHERE = {
    sqlite3.SQLITE_BUSY: "another program is writing to it: try again later",
    sqlite3.SQLITE_LOCKED: "another program is writing to it: try again later",
    sqlite3.SQLITE_READONLY: "it is not open for writing, or must not be written to",
    sqlite3.SQLITE_PERM: "",
    sqlite3.SQLITE_CANTOPEN: "",
    sqlite3.SQLITE_FULL: "",
    sqlite3.SQLITE_IOERR: "",
}


class Database:
    """An SQLite file under these settings.

    uri: names the file and how it is opened. path: of the file, for messages. what: it should be, such as
    "a book". fault: raised where the file cannot be read or is closed. writable: may queries change it?
    """

    def __init__(
        self, uri: str, path: str, what: str, fault: type[ValueError], *, writable: bool = False
    ) -> None:
        self._path = path
        self._what = what
        self._fault = fault
        self._deadline = 0.0
        self._is_closed = False
        try:
            self.connection = sqlite3.connect(uri, uri=True, check_same_thread=False, isolation_level=None)
        except sqlite3.Error as error:
            raise fault(f"{path}: {error}") from None
        try:
            for limit, maximum in LIMITS.items():
                self.connection.setlimit(limit, maximum)
            if sys.version_info >= (3, 12):
                self.connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
            self.connection.set_progress_handler(self._is_late, STEPS)
            for pragma in SAFE if writable else (*SAFE, "PRAGMA query_only = ON"):
                list(self.ask(pragma))
        except BaseException:
            self.connection.close()
            raise

    def ask(
        self, query: str, values: tuple[object, ...] = (), *, seconds: float = LOOKUP_SECONDS,
        in_all: bool = False,
    ) -> Iterator[tuple[Any, ...]]:  # fmt: skip
        """The rows of a query; the fault if SQLite fails, or needs more time: between two rows, or in all."""
        self._deadline = time.monotonic() + seconds
        with self._faults_told(seconds):
            for row in self.connection.execute(query, values):
                yield row
                if not in_all:
                    self._deadline = time.monotonic() + seconds

    def ask_each(self, query: str, rows: Iterable[tuple[object, ...]], *, seconds: float) -> None:
        """Run a query that changes the file for each row of values; errors as for `ask`."""
        self._deadline = time.monotonic() + seconds
        with self._faults_told(seconds):
            self.connection.executemany(query, rows)

    @contextmanager
    def _faults_told(self, seconds: float) -> Iterator[None]:
        """A block that asks SQLite, whose errors become the fault, in words that blame the right one."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, MemoryError) as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code == sqlite3.SQLITE_INTERRUPT:
                if time.monotonic() < self._deadline:  # a handler of a signal raised something
                    raise KeyboardInterrupt from None
                reason = f"given up: it takes more than {seconds:g} s"
            elif self._is_closed:
                reason = "it is closed"
            elif code in ELSEWHERE:
                reason = ELSEWHERE[code] or str(error)
            else:
                reason = f"not {self._what} that can be read: {error}"
            raise self._fault(f"{self._path}: {reason}") from None

    def _is_late(self) -> bool:
        """Shall SQLite give up? Handlers of signals run here, too; what they raise ends the query."""
        return time.monotonic() > self._deadline

    def close(self) -> None:
        self._is_closed = True
        self.connection.close()


def file_uri(path: str | os.PathLike[str], mode: str) -> str:
    """The URI of a file, with parameters such as mode=ro."""
    return f"file:{quote(os.fsencode(os.path.abspath(path)))}?{mode}"
