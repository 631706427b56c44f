"""Files of endgame tables: results (.table), distances to mate (.dtm) and to conversion (.dtc).

A file is a head of 16 bytes (``eletable``, version, length of the header), the header (JSON, UTF-8), the ends
of the blocks (64 bits each) and their CRCs (32 bits each), the CRC of all that, and the blocks: first those
with red to move, then those with black to move. A block stands for 1,024 rows of 90 entries. It lists a
number for each row (16 bits), then the different rows that these numbers mean; all that is compressed by
zlib. A result takes 2 bits, four to a byte: 0 drawn, 1 won, 2 lost. A distance takes a byte: half of its
plies, rounded down, as those of a win are odd and those of a loss even. All numbers are little-endian.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from typing import Any

from .._core import EndgameTable
from .._internal.files import plain_file, replaced
from .._internal.system import has_room

MAGIC = b"eletable"
VERSION = 3
LAYERS = (".table", ".dtm", ".dtc")  #: suffixes, by the number of the layer in `EndgameTable`
WDL, DTM, DTC = range(3)
BLOCK = 1024  # rows
MAX_BLOCK = BLOCK * (90 + 2)  # bytes
MAX_HEADER = 1 << 20


class TableError(Exception):
    """A file that is no whole endgame table of this version: the message names it and the reason."""


def write_table(path: str, table: EndgameTable, layer: int, facts: dict[str, Any], threads: int = 1) -> None:
    """Write the file of a layer; others see it when it is whole. OSError."""
    plain = [table.block(layer, side, block) or b"" for side in range(2) for block in range(table.blocks)]
    with ThreadPoolExecutor(threads) as pool:
        blocks = list(pool.map(lambda block: zlib.compress(block, 6), plain))
    kept = {"name": table.name, "layer": layer, "entries": table.entries, "memory": sum(map(len, plain))}
    header = json.dumps(kept | facts).encode()
    head = struct.pack("<8sII", MAGIC, VERSION, len(header)) + header
    head += struct.pack(f"<{len(blocks)}Q", *accumulate(map(len, blocks)))
    head += struct.pack(f"<{len(blocks)}I", *map(zlib.crc32, blocks))
    head += struct.pack("<I", zlib.crc32(head))
    with replaced(path) as file:
        file.write(head)
        for block in blocks:
            file.write(block)


class TableFile:
    """A file of one layer of a table: its header is read at once, its blocks when they are asked for.

    Any thread may ask. No file stays open. OSError; TableError if it is damaged, cut or no table.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
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
                    f"it has version {version}, this program reads version {VERSION}: make it again with: "
                    f"eleengine tables make {os.path.basename(self.path).partition('.')[0]}"
                )
            if length > MAX_HEADER:
                raise self.error("its header is damaged")
            head += file.read(length)
            try:
                facts = json.loads(head[16:])
                self.facts: dict[str, Any] = dict(facts)
                self.name: str = str(facts["name"])
                self.layer: int = LAYERS.index(LAYERS[facts["layer"]])
                self.memory: int = int(facts["memory"])  # bytes of all blocks
                self.table: EndgameTable = EndgameTable(self.name)  # without blocks
                self.table.bounds = facts["bounds"]
            except (ValueError, KeyError, TypeError, IndexError) as error:
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

    def block(self, side: int, block: int) -> bytes:
        """Read a block for a side to move; OSError, TableError."""
        number = side * self.table.blocks + block
        start = self._ends[number - 1] if number else 0
        with open(self.path, "rb") as file:
            file.seek(self._data + start)
            packed = file.read(self._ends[number] - start)
        damaged = self.error(f"block {number + 1} of {len(self._ends)} is damaged")
        if zlib.crc32(packed) != self._crcs[number]:
            raise damaged
        try:
            return zlib.decompressobj().decompress(packed, MAX_BLOCK)
        except zlib.error:
            raise damaged from None

    def load(self, table: EndgameTable, progress: Callable[[int, int], None] | None = None) -> None:
        """Read all blocks into a table; progress(done, all) blocks. MemoryError."""
        if not has_room(self.memory):
            raise MemoryError(f"no memory for the table {self.name}")
        for number in range(len(self._ends)):
            side, block = divmod(number, table.blocks)
            try:
                table.keep(self.layer, side, block, self.block(side, block))
            except ValueError as error:
                raise self.error(str(error)) from None
            if progress is not None:
                progress(number + 1, len(self._ends))

    def check(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Read all blocks and compare their checksums; TableError for the first that is damaged."""
        for number in range(len(self._ends)):
            self.block(*divmod(number, self.table.blocks))
            if progress is not None:
                progress(number + 1, len(self._ends))
