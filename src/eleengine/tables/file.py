"""Files of endgame tables.

A file is a head of 16 bytes (``eletable``, version, length of the header), the header (JSON, UTF-8), the ends
of the blocks (64 bits each) and their CRCs (32 bits each), the CRC of all that, and the blocks: first those
with red to move, then those with black to move. A block stands for 1,024 rows of 90 values, a byte each. It
lists a number for each row (16 bits), then the different rows that these numbers mean; all that is compressed
by zlib. All numbers are little-endian.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from threading import Lock
from typing import Any

from .._core import BaseBoard, EndgameTable
from .._internal.files import plain_file, replaced

MAGIC = b"eletable"
VERSION = 2
SUFFIX = ".table"
ROW = 90  # values
BLOCK = 1024  # rows
MAX_HEADER = 1 << 20
CACHED_BLOCKS = 64  # of a file


class TableError(Exception):
    """A file that is no whole endgame table of this version: the message names it and the reason."""


def write_table(path: str, table: EndgameTable, facts: dict[str, Any], threads: int = 1) -> int:
    """Write the table and return the size of the file in bytes; others see it when it is whole. OSError."""
    starts = [(side, block) for side in range(2) for block in range(table.blocks)]
    with ThreadPoolExecutor(threads) as pool:
        blocks = list(pool.map(lambda start: zlib.compress(table.pack(*start), 6), starts))
    header = json.dumps({"name": table.name, "entries": table.entries, **facts}).encode()
    head = struct.pack("<8sII", MAGIC, VERSION, len(header)) + header
    head += struct.pack(f"<{len(blocks)}Q", *accumulate(map(len, blocks)))
    head += struct.pack(f"<{len(blocks)}I", *map(zlib.crc32, blocks))
    head += struct.pack("<I", zlib.crc32(head))
    with replaced(path) as file:
        file.write(head)
        for block in blocks:
            file.write(block)
    return len(head) + sum(map(len, blocks))


class TableFile:
    """A file of one table: its header is read at once, its blocks when they are asked for.

    Any thread may ask. No file stays open. OSError; TableError if it is damaged, cut or no table.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        self._lock = Lock()
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        with open(plain_file(self.path), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(16)
            if head[:8] != MAGIC:
                raise self.error("it is no endgame table of eleengine")
            if len(head) < 16:
                raise self.error("it ends in its head")
            _, version, length = struct.unpack("<8sII", head)
            if version != VERSION:
                raise self.error(
                    f"it has version {version}, this program reads version {VERSION}: make it again"
                )
            if length > MAX_HEADER:
                raise self.error("its header is damaged")
            head += file.read(length)
            try:
                facts = json.loads(head[16:])
                self.facts: dict[str, Any] = dict(facts)
                self.name: str = str(facts["name"])
                self.table: EndgameTable = EndgameTable(self.name)
            except (ValueError, KeyError, TypeError) as error:
                raise self.error("its header is damaged") from error
            if facts.get("entries") != self.table.entries:
                raise self.error(
                    f"it has {facts.get('entries')} entries, the table {self.name} {self.table.entries}"
                )
            count = 2 * self.table.blocks
            index = file.read(12 * count)
            if len(index) < 12 * count or len(crc := file.read(4)) < 4:
                raise self.error("it ends in its index")
            if zlib.crc32(head + index) != struct.unpack("<I", crc)[0]:
                raise self.error("its index is damaged")
            self._data = len(head) + len(index) + 4
            self._ends = struct.unpack_from(f"<{count}Q", index)
            self._crcs = struct.unpack_from(f"<{count}I", index, 8 * count)
        if self._data + self._ends[-1] != size:
            raise self.error(f"it has {size} bytes, a whole one {self._data + self._ends[-1]}")

    def error(self, reason: str) -> TableError:
        """Return the error that names the file and what is wrong with it."""
        return TableError(f"{self.path}: {reason}")

    def _block(self, number: int) -> bytes:
        start = self._ends[number - 1] if number else 0
        with open(self.path, "rb") as file:
            file.seek(self._data + start)
            packed = file.read(self._ends[number] - start)
        damaged = self.error(f"block {number + 1} of {len(self._ends)} is damaged")
        if zlib.crc32(packed) != self._crcs[number]:
            raise damaged
        try:
            return zlib.decompressobj().decompress(packed, BLOCK * (ROW + 2))
        except zlib.error:
            raise damaged from None

    def value(self, board: BaseBoard) -> int:
        """The value of a position of the table: 0 drawn, else 1 + plies to the end, even for a win."""
        side, index = self.table.index(board)
        row, square = divmod(index, ROW)
        number, row = divmod(row, BLOCK)
        rows = min(BLOCK, self.table.entries // ROW - number * BLOCK)
        number += side * self.table.blocks
        with self._lock:
            block = self._cache.get(number)
            if block is None:
                block = self._cache[number] = self._block(number)
                if len(self._cache) > CACHED_BLOCKS:
                    self._cache.popitem(last=False)
            else:
                self._cache.move_to_end(number)
        offset = 2 * rows + ROW * int.from_bytes(block[2 * row : 2 * row + 2], "little") + square
        if offset >= len(block):
            raise self.error(f"block {number + 1} of {len(self._ends)} is damaged")
        return block[offset]

    def load(self, progress: Callable[[int, int], None] | None = None) -> EndgameTable:
        """Read all values into memory and return the table; progress(done, all) blocks."""
        table = EndgameTable(self.name)
        for number in range(len(self._ends)):
            side, block = divmod(number, table.blocks)
            try:
                table.unpack(side, block, self._block(number))
            except ValueError as error:
                raise self.error(str(error)) from None
            if progress is not None:
                progress(number + 1, len(self._ends))
        return table

    def check(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Read all blocks and compare their checksums; TableError for the first that is damaged."""
        for number in range(len(self._ends)):
            self._block(number)
            if progress is not None:
                progress(number + 1, len(self._ends))
