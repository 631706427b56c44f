"""Our own books: sorted records of equal length, searched in the file without keeping it in memory.

    8 bytes   "elebook" and a zero byte
    u16       version of the format, 1
    u16       bytes of a record, 28
    u32       bytes of the description
    u32       number of records
    u32       CRC-32 of all that follows
    ...       the description: a JSON object in UTF-8, such as its makers and sources
    ...       the records, in ascending order of their bytes

A record is u64 key (the recipe of OBK), u8 origin, u8 destination (a0 is 0, b0 1, i9 89), i16 score in
centipawns (-32768: unknown), u32 weight, wins, draws, losses. All numbers are big-endian, so that records
are ordered as their bytes are.
"""

from __future__ import annotations

import json
import os
import struct
import sys
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import takewhile
from threading import Lock
from typing import Any

from .._core import Move
from .._internal.copying import NotCopied
from .._internal.files import new_file, plain_file
from .base import Book, BookError, Entry
from .keys import KeyTable, obk_keys

MAGIC = b"elebook\0"
VERSION = 1
HEADER = struct.Struct(">8sHHIII")
RECORD = struct.Struct(">QBBhIIII")
MOST = (1 << 32) - 1
UNKNOWN_SCORE = -(1 << 15)
BLOCK = RECORD.size << 12  # bytes read at once where all are read


class OwnBook(Book, NotCopied):
    """A book in our own format; BookError, in any method, if its file becomes shorter meanwhile."""

    format = "own"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        # Not mapped into memory: there a file that somebody cuts would end the process.
        self._file = open(plain_file(path), "rb", buffering=0)  # noqa: SIM115
        self._lock = Lock()
        try:
            self._read(os.fstat(self._file.fileno()).st_size)
        except BaseException:
            self._file.close()
            raise

    def _read(self, size: int) -> None:
        if size < HEADER.size:
            raise BookError(f"{self.path}: the header ends at byte {size}, not {HEADER.size}")
        magic, version, record, description, count, checksum = HEADER.unpack(self._bytes(0, HEADER.size))
        self._count: int = count
        if magic != MAGIC:
            raise BookError(f"{self.path}: offset 0: not an eleengine book")
        if version != VERSION or record != RECORD.size:
            raise BookError(f"{self.path}: version {version} of the format, but only {VERSION} is known")
        self._start: int = HEADER.size + description
        expected = self._start + self._count * RECORD.size
        if size != expected:
            raise BookError(f"{self.path}: {size} bytes, but its header speaks of {expected}")
        found = 0
        for offset in range(HEADER.size, size, BLOCK):
            found = zlib.crc32(self._bytes(offset, min(BLOCK, size - offset)), found)
        if found != checksum:
            raise BookError(f"{self.path}: damaged: the checksum is wrong")
        try:
            self.info: dict[str, Any] = json.loads(self._bytes(HEADER.size, description))
        except (ValueError, RecursionError):
            self.info = None  # type: ignore[assignment]
        if not isinstance(self.info, dict):
            raise BookError(f"{self.path}: offset {HEADER.size}: the description is not a JSON object")

    @classmethod
    def key_table(cls) -> KeyTable:
        return obk_keys()

    def __len__(self) -> int:
        return self._count

    def _bytes(self, offset: int, count: int) -> bytes:
        if self._file.closed:
            raise BookError(f"{self.path}: it is closed")
        if sys.platform != "win32":  # processes that were forked share one place in the file
            data = os.pread(self._file.fileno(), count, offset)
        else:
            with self._lock:
                self._file.seek(offset)
                data = self._file.read(count)
        if len(data) < count:
            raise BookError(f"{self.path}: offset {offset + len(data)}: the file has been cut")
        return data

    def _record(self, index: int) -> bytes:
        return self._bytes(self._start + index * RECORD.size, RECORD.size)

    def stored(self, key: int) -> list[Entry]:
        wanted = key.to_bytes(8, "big")
        first = bisect_left(range(self._count), wanted, key=self._record)
        records = map(self._record, range(first, self._count))
        rows = map(unpack, takewhile(lambda record: record.startswith(wanted), records))
        return [row[1] for row in rows if row is not None]

    def rows(self) -> Iterator[tuple[int, Entry]]:
        before = b""
        end = self._start + self._count * RECORD.size
        for start in range(self._start, end, BLOCK):
            block = self._bytes(start, min(BLOCK, end - start))
            for offset in range(0, len(block), RECORD.size):
                record = block[offset : offset + RECORD.size]
                row = unpack(record)
                if row is None or record <= before:
                    what = "not a move" if row is None else "not in order"
                    raise BookError(f"{self.path}: offset {start + offset}: {what}")
                before = record
                yield row

    def close(self) -> None:
        self._file.close()


def pack(key: int, entry: Entry) -> bytes:
    """A record; what is out of range is cut to the nearest that fits."""
    score = UNKNOWN_SCORE if entry.score is None else max(1 - (1 << 15), min((1 << 15) - 1, entry.score))
    numbers = (max(0, min(MOST, n)) for n in (entry.weight, entry.wins, entry.draws, entry.losses))
    return RECORD.pack(key, entry.move.from_square, entry.move.to_square, score, *numbers)


def unpack(record: bytes) -> tuple[int, Entry] | None:
    """The (key, entry) of a record; None if it holds no move."""
    key, start, end, score, weight, wins, draws, losses = RECORD.unpack(record)
    if start > 89 or end > 89 or start == end:
        return None
    opinion = None if score == UNKNOWN_SCORE else score
    return key, Entry(Move(start, end), weight, wins, draws, losses, opinion)


def write_own(
    path: str | os.PathLike[str], rows: Iterable[tuple[int, Entry]], info: dict[str, Any] | None = None
) -> int:
    """Write a book in our own format, a move of a position once; the number of its moves.

    info: what the book says of itself, JSON data. Notes have no place in it. FileExistsError.
    """
    records = sorted({record[:10]: record for record in (pack(key, entry) for key, entry in rows)}.values())
    # A file name that is no text has lone surrogates: their escapes are JSON.
    description = json.dumps(info or {}, ensure_ascii=False, sort_keys=True).encode(errors="backslashreplace")
    checksum = zlib.crc32(description)
    for record in records:
        checksum = zlib.crc32(record, checksum)
    header = HEADER.pack(MAGIC, VERSION, RECORD.size, len(description), len(records), checksum)
    with new_file(path) as part, open(part, "wb") as file:
        file.write(header + description)
        file.writelines(records)
    return len(records)
