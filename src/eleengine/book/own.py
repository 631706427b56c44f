"""Our own books: sorted records of equal length, searched in the file without reading it into memory.

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
import mmap
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from .._core import Move
from .._files import new_file, plain_file
from .base import Book, BookError, Entry
from .keys import KeyTable, obk_keys

MAGIC = b"elebook\0"
VERSION = 1
HEADER = struct.Struct(">8sHHIII")
RECORD = struct.Struct(">QBBhIIII")
MOST = (1 << 32) - 1
UNKNOWN_SCORE = -(1 << 15)


class OwnBook(Book):
    """A book in our own format."""

    format = "own"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        with open(plain_file(path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < HEADER.size:
                raise BookError(f"{self.path}: the header ends at byte {size}, not {HEADER.size}")
            self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        try:
            self._read(size)
        except BaseException:
            self._data.close()
            raise

    def _read(self, size: int) -> None:
        magic, version, record, description, count, checksum = HEADER.unpack_from(self._data)
        self._count: int = count
        if magic != MAGIC:
            raise BookError(f"{self.path}: offset 0: not an eleengine book")
        if version != VERSION or record != RECORD.size:
            raise BookError(f"{self.path}: version {version} of the format, but only {VERSION} is known")
        self._start: int = HEADER.size + description
        expected = self._start + self._count * RECORD.size
        if size != expected:
            raise BookError(f"{self.path}: {size} bytes, but its header speaks of {expected}")
        with memoryview(self._data) as view, view[HEADER.size :] as body:
            if zlib.crc32(body) != checksum:
                raise BookError(f"{self.path}: damaged: the checksum is wrong")
        try:
            self.info: dict[str, Any] = json.loads(self._data[HEADER.size : self._start])
        except (ValueError, RecursionError):
            self.info = None  # type: ignore[assignment]
        if not isinstance(self.info, dict):
            raise BookError(f"{self.path}: offset {HEADER.size}: the description is not a JSON object")

    @classmethod
    def key_table(cls) -> KeyTable:
        return obk_keys()

    def __len__(self) -> int:
        return self._count

    def _record(self, index: int) -> bytes:
        offset = self._start + index * RECORD.size
        return self._data[offset : offset + RECORD.size]

    def stored(self, key: int) -> list[Entry]:
        wanted = key.to_bytes(8, "big")
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            if self._record(middle) < wanted:
                low = middle + 1
            else:
                high = middle
        found = []
        while low < self._count and (record := self._record(low)).startswith(wanted):
            if (row := unpack(record)) is not None:
                found.append(row[1])
            low += 1
        return found

    def rows(self) -> Iterator[tuple[int, Entry]]:
        before = b""
        for index in range(self._count):
            record = self._record(index)
            row = unpack(record)
            if row is None or record <= before:
                offset = self._start + index * RECORD.size
                what = "not a move" if row is None else "not in order"
                raise BookError(f"{self.path}: offset {offset}: {what}")
            before = record
            yield row

    def close(self) -> None:
        self._data.close()


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
    description = json.dumps(info or {}, ensure_ascii=False, sort_keys=True).encode()
    checksum = zlib.crc32(description)
    for record in records:
        checksum = zlib.crc32(record, checksum)
    header = HEADER.pack(MAGIC, VERSION, RECORD.size, len(description), len(records), checksum)
    with new_file(path) as part, open(part, "wb") as file:
        file.write(header + description)
        file.writelines(records)
    return len(records)
