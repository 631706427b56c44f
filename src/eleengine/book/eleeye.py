"""ElephantEye's BOOK.DAT, which XQWizard and XQWLight use, too: sorted entries of a key, a move, a weight.

An entry is u32 key, u8 origin, u8 destination (on the board of 16 x 16), u16 weight, little-endian. Of a
position and its mirror image one is stored. The order of the entries is all that shows the format.
"""

from __future__ import annotations

import os
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise

from .._core import BaseBoard
from .._internal.copying import NotCopied
from .._internal.files import new_file, plain_file
from .base import Book, BookError, Entry
from .keys import KeyTable, eleeye_keys, move_of_16, to_16

ENTRY = struct.Struct("<IBBH")
MOST = (1 << 16) - 1
MAX_BYTES = 1 << 26  # the programs read the whole file; real books have less than a hundredth of this


class EleeyeBook(Book, NotCopied):
    """A BOOK.DAT."""

    format = "eleeye"

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path)
        with open(plain_file(path), "rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            raise BookError(f"{self.path}: not a BOOK.DAT: more than {MAX_BYTES} bytes")
        if len(data) % ENTRY.size or not data:
            raise BookError(f"{self.path}: not a BOOK.DAT: {len(data)} bytes, not a multiple of {ENTRY.size}")
        self._entries = list(ENTRY.iter_unpack(data))
        self._keys = [key for key, _, _, _ in self._entries]
        for index, (before, key) in enumerate(pairwise(self._keys), 1):
            if key < before:
                offset = index * ENTRY.size
                raise BookError(f"{self.path}: not a BOOK.DAT: offset {offset}: the keys are not in order")

    @classmethod
    def key_table(cls) -> KeyTable:
        return eleeye_keys().third

    def __len__(self) -> int:
        return len(self._entries)

    def stored(self, key: int) -> list[Entry]:
        rows = self._entries[bisect_left(self._keys, key) : bisect_right(self._keys, key)]
        moves = ((move_of_16(start, end), weight) for _, start, end, weight in rows)
        return [Entry(move, weight) for move, weight in moves if move is not None]

    def rows(self) -> Iterator[tuple[int, Entry]]:
        for index, (key, start, end, weight) in enumerate(self._entries):
            move = move_of_16(start, end)
            if move is None:
                raise BookError(f"{self.path}: offset {index * ENTRY.size}: not a move")
            yield key, Entry(move, weight)


def write_eleeye(path: str | os.PathLike[str], positions: Iterable[tuple[BaseBoard, list[Entry]]]) -> int:
    """Write a BOOK.DAT; the number of its moves. A key needs a board, so the positions must be known.

    Weights above 65,535 are scaled down with the others of their position; moves of weight 0 are left out,
    as are results, scores and notes. FileExistsError; BookError without any move.
    """
    entries: set[tuple[int, int, int, int]] = set()
    keys = eleeye_keys()
    for board, moves in positions:
        (second, mirror_second), (third, mirror_third) = keys.second.of(board), keys.third.of(board)
        mirrored = (mirror_third, mirror_second) < (third, second)
        heaviest = max((entry.weight for entry in moves), default=0)
        for entry in moves:
            weight = entry.weight if heaviest <= MOST else -(-entry.weight * MOST // heaviest)
            if weight > 0:
                move = entry.mirrored().move if mirrored else entry.move
                key = mirror_third if mirrored else third
                entries.add((key, to_16(move.from_square), to_16(move.to_square), weight))
    if not entries:
        raise BookError(f"{os.fspath(path)}: no moves for a BOOK.DAT")
    order = sorted(entries, key=lambda entry: (entry[0], -entry[3], entry[1:3]))
    with new_file(path) as part, open(part, "wb") as file:
        file.writelines(ENTRY.pack(*entry) for entry in order)
    return len(order)
