"""Books of Chinese GUIs: OBK, pfBook and YFK, which are SQLite files. They differ in names and in details.

OBK stores a key whose top bit is set as the floating-point number of the same 64 bits; pfBook and YFK as a
negative integer. YFK has origin and destination of a move exchanged, and notes in a table of their own.

A book may come from anyone, so only plain tables are read, under the settings of `_internal.sqlite`, and
nothing is written beside the file.
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import struct
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from .._internal.copying import NotCopied
from .._internal.files import new_file, plain_file
from .._internal.sqlite import Database, file_uri
from .base import Book, BookError, Entry
from .keys import MASK64, KeyTable, move_of_16, obk_keys, to_16

MAGIC = b"SQLite format 3\0"
COLUMNS = ("vkey", "vmove", "vscore", "vwin", "vdraw", "vlost", "vvalid")
TABLES = "SELECT name, rootpage, sql FROM sqlite_master WHERE type = 'table'"
PLAIN = re.compile(rb"\s*CREATE\s+TABLE\b", re.IGNORECASE)
MOST = (1 << 63) - 1  # that a number may be
FILE_SECONDS = 600.0  # that a query of the whole file may take
MAX_ROWS = 500  # of a position, which has 119 moves at most; some programs keep old ones
MAX_TEXTS = 1 << 23  # bytes of notes, and of what else is no number, in the rows of a position
SAMPLE = 16  # rows with which an index is tried
SCORE_NOTE = re.compile(r"score ([+-]\d{1,5})")  # how an engine's opinion is noted


class Layout(NamedTuple):
    """How OBK, pfBook and YFK differ: the name of the table, the form of keys and moves, notes, schema."""

    table: str
    real_keys: bool  #: keys with the top bit set as floating-point numbers
    origin_high: bool  #: the origin of a move in the high byte
    texts: bool  #: notes in a table of their own
    schema: tuple[str, ...]


_NUMBERS = (
    "vkey INTEGER, vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER"
)
LAYOUTS = {
    "obk": Layout("bhobk", True, True, False, (
        f"CREATE TABLE bhobk(id INTEGER PRIMARY KEY AUTOINCREMENT, {_NUMBERS}, vmemo BLOB, vindex INTEGER)",
    )),
    "pfbook": Layout("pfBook", False, True, False, (
        f"CREATE TABLE pfBook(id INTEGER PRIMARY KEY AUTOINCREMENT, {_NUMBERS}, vmemo BLOB, vindex INTEGER)",
        "CREATE TABLE bookVersion(key TEXT, version TEXT)",
        "INSERT INTO bookVersion VALUES('pfBook', '1.0.0.0')",
    )),
    "yfk": Layout("bhobk", False, False, True, (
        f"CREATE TABLE bhobk(id INTEGER PRIMARY KEY, {_NUMBERS}, vindex INTEGER)",
        "CREATE TABLE ltext(id INTEGER PRIMARY KEY, lma TEXT)",
    )),
}  # fmt: skip


def signed(key: int) -> int:
    """The key as SQLite's integers have it."""
    return key - (1 << 64) if key >> 63 else key


def as_real(key: int) -> float:
    """The floating-point number of the same 64 bits."""
    real: float
    [real] = struct.unpack("<d", struct.pack("<Q", key))
    return real


class SqliteBook(Book, NotCopied):
    """An OBK, pfBook or YFK. It is opened read-only; only what is asked for is read."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        self._database = Database(_uri(path), self.path, "a book", BookError)
        self._database.connection.text_factory = bytes
        self._ask = self._database.ask
        try:
            self._know()
        except BaseException:
            self._database.close()
            raise

    def _know(self) -> None:
        """Find out which format it is, and whether its index can be trusted."""
        tables = {_text(name).lower(): (root, sql) for name, root, sql in self._ask(TABLES)}
        if "pfbook" in tables:
            self.format: str = "pfbook"
        elif "bhobk" in tables:
            self.format = "yfk" if "ltext" in tables else "obk"
        else:
            raise BookError(f"{self.path}: an SQLite file with neither a table bhobk (OBK, YFK) nor pfBook")
        self._layout = LAYOUTS[self.format]
        self._table = table = self._layout.table
        self._tables = (table, "ltext") if self._layout.texts else (table,)
        for name in self._tables:
            self._need_plain(name, *tables[name.lower()])
        columns = {_text(row[1]).lower() for row in self._ask(f"PRAGMA table_info({table})")}
        if missing := [name for name in COLUMNS if name not in columns]:
            raise BookError(f"{self.path}: its table {table} has no column {missing[0]}")
        note = "lma" if self._layout.texts else "vmemo" if "vmemo" in columns else "NULL"
        texts = f"LEFT JOIN ltext ON ltext.id = {table}.rowid " if self._layout.texts else ""
        self._select = f"SELECT vkey, vmove, vscore, vwin, vdraw, vlost, {note} FROM {table} {texts}"
        self.index_works: bool = self._index_works()

    def _need_plain(self, name: str, root: object, sql: object) -> None:
        """Refuse a table that computes what it holds; BookError."""
        if not (isinstance(root, int) and root > 0 and isinstance(sql, bytes) and PLAIN.match(sql)):
            raise BookError(f"{self.path}: its table {name} is a virtual one, which is not read")
        for row in self._ask(f"PRAGMA table_xinfo({name})"):
            if row[6]:
                raise BookError(
                    f"{self.path}: its column {name}.{_text(row[1])} is computed, which is not read"
                )

    def _has_computed_index(self, table: str) -> bool:
        """Has the table an index by an expression, or of some rows only? A check of the file would run it."""
        for _, index, _, _, is_partial in list(self._ask(f"PRAGMA index_list({table})")):
            columns = self._ask("SELECT cid FROM pragma_index_xinfo(?)", (_text(index),))
            if is_partial or any(cid == -2 for (cid,) in list(columns)):
                return True
        return False

    def _index_works(self) -> bool:
        """Some programs leave an index that does not find floating-point keys: try a few."""
        sample = f"SELECT vkey FROM {self._table} NOT INDEXED WHERE typeof(vkey) = 'real' LIMIT {SAMPLE}"
        find = f"SELECT 1 FROM {self._table} WHERE vkey = ? LIMIT 1"
        return all(list(self._ask(find, key)) for key in list(self._ask(sample)))

    @classmethod
    def key_table(cls) -> KeyTable:
        return obk_keys()

    def __len__(self) -> int:
        [(count,)] = self._ask(f"SELECT count(*) FROM {self._table} WHERE vvalid = 1", seconds=FILE_SECONDS)
        return int(count)

    def stored(self, key: int) -> list[Entry]:
        integer = signed(key)
        real = as_real(key) if integer < 0 else 0.0
        values = integer, real or integer  # -0.0 would find the key 0
        column = "vkey" if self.index_works else "+vkey"  # the sign keeps SQLite from using the index
        where = f"WHERE {column} IN (?, ?) AND vvalid = 1 LIMIT {MAX_ROWS + 1}"
        rows, size = [], 0
        for row in self._ask(f"{self._select} {where}", values, in_all=True):
            rows.append(row)
            size += sum(len(value) for value in row if isinstance(value, bytes))
            if size > MAX_TEXTS:
                raise BookError(f"{self.path}: more than {MAX_TEXTS >> 20} MiB of notes of one position")
        if len(rows) > MAX_ROWS:
            raise BookError(f"{self.path}: more than {MAX_ROWS} moves of one position")
        return [entry for row in rows if (entry := self._entry(row)) is not None]

    def rows(self) -> Iterator[tuple[int, Entry]]:
        for row in self._ask(f"{self._select} WHERE vvalid = 1", seconds=FILE_SECONDS):
            key, entry = self._key(row[0]), self._entry(row)
            if key is not None and entry is not None:
                yield key, entry

    def faults(self) -> Iterator[str]:
        """What is wrong with the file, apart from illegal moves."""
        for name in self._tables:
            if self._has_computed_index(name):
                yield f"the table {name} has a computed index, so it was not checked"
                continue
            problems = self._ask(f"PRAGMA integrity_check({name})", seconds=FILE_SECONDS)
            yield from [text for (row,) in islice(problems, 10) if (text := _text(row)) != "ok"]
        if not self.index_works:
            yield "the index does not find keys that are there: each look-up reads the whole file"
        lost = bad = 0
        for row in self._ask(f"{self._select} WHERE vvalid = 1", seconds=FILE_SECONDS):
            lost += self._key(row[0]) is None
            bad += self._entry(row) is None
        if lost:
            yield f"{lost} moves without a key"
        if bad:
            yield f"{bad} rows without a move"

    def _key(self, value: object) -> int | None:
        """The key in a column; None if it is lost: SQLite keeps no numbers that are none (NaN)."""
        if isinstance(value, int) and self._layout.real_keys and value < 0 and int(float(value)) == value:
            value = float(value)  # SQLite makes an integer of a whole floating-point number
        if isinstance(value, float):
            [key] = struct.unpack("<Q", struct.pack("<d", value))
            return int(key)
        return value & MASK64 if isinstance(value, int) else None

    def _entry(self, row: tuple[Any, ...]) -> Entry | None:
        _, code, weight, wins, draws, losses, note = row
        if not isinstance(code, int) or not 0 <= code < 1 << 16:
            return None
        high, low = divmod(code, 256)
        move = move_of_16(high, low) if self._layout.origin_high else move_of_16(low, high)
        if move is None:
            return None
        text = _text(note)
        opinion = SCORE_NOTE.fullmatch(text)
        return Entry(
            move,
            _count(weight),
            _count(wins),
            _count(draws),
            _count(losses),
            int(opinion[1]) if opinion else None,
            "" if opinion else text,
        )

    def close(self) -> None:
        self._database.close()


def _uri(path: str | os.PathLike[str]) -> str:
    """The URI that opens a file for reading, without files beside it unless a log of changes is there."""
    with open(plain_file(path), "rb") as file:
        has_log = file.read(20)[18:20] == b"\2\2"  # WAL mode
    is_alone = has_log and not os.path.exists(f"{os.fspath(path)}-wal")
    return file_uri(path, f"mode=ro{'&immutable=1' if is_alone else ''}")


def _count(value: object) -> int:
    return max(0, int(value)) if isinstance(value, int) else 0


def _text(value: object) -> str:
    """UTF-8, or what Windows programs of China write."""
    if not isinstance(value, bytes):
        return "" if value is None else str(value)
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("gb18030", "replace")


def write_sqlite(path: str | os.PathLike[str], rows: Iterable[tuple[int, Entry]], name: str) -> int:
    """Write a book as name, one of LAYOUTS; the number of its moves. FileExistsError.

    What is out of range is cut to the nearest that fits. The score of an engine is written as a note such as
    "score +31" where there is no other. One key in 4,096 is left out of an OBK, since it would be no number.
    """
    layout = LAYOUTS[name]
    insert = f"INSERT INTO {layout.table}({', '.join(COLUMNS)}) VALUES(?, ?, ?, ?, ?, ?, ?)"
    add_note = (
        "INSERT INTO ltext(lma, id) VALUES(?, ?)"
        if layout.texts
        else f"UPDATE {layout.table} SET vmemo = ? WHERE id = ?"
    )
    written = 0
    try:
        with new_file(path) as part, closing(sqlite3.connect(part)) as base:
            for statement in layout.schema:
                base.execute(statement)
            for key, entry in rows:
                column: float = as_real(key) if layout.real_keys and key >> 63 else signed(key)
                if column != column:
                    continue
                start, end = to_16(entry.move.from_square), to_16(entry.move.to_square)
                code = start << 8 | end if layout.origin_high else end << 8 | start
                counts = entry.weight, entry.wins, entry.draws, entry.losses
                values = column, code, *(max(0, min(MOST, count)) for count in counts), 1
                row = base.execute(insert, values).lastrowid
                note = entry.note or (f"score {entry.score:+}" if entry.score is not None else "")
                if note:
                    base.execute(add_note, (note if layout.texts else note.encode(), row))
                written += 1
            base.execute(f"CREATE INDEX idxkey ON {layout.table}(vkey)")
            base.commit()
    except sqlite3.Error as error:  # a full disk
        raise OSError(errno.EIO, str(error), os.fspath(path)) from None
    return written
