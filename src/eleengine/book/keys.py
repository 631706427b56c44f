"""How books name positions: numbers that any program can compute, of the position and of its mirror image.

Both recipes XOR a word for each piece on its square and one for the side to move. The words come from
random number generators with a fixed seed, so they are computed here when they are first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from .._core import BaseBoard, Move, as_board
from ..pieces import RED
from ..squares import square_mirror_files

PIECES = "KABNRCPkabnrcp"  # the order of the tables
MASK64 = (1 << 64) - 1


def to_16(square: int) -> int:
    """The number of a square on the board of 16 x 16 that books use: 0x33 is a9, 0xCB is i0."""
    rank, file = divmod(square, 9)
    return 16 * (12 - rank) + file + 3


SQUARE_OF_16 = {to_16(square): square for square in range(90)}


def move_of_16(start: int, end: int) -> Move | None:
    """The move between two squares of the board of 16 x 16; None when it leaves the board or stays."""
    if start not in SQUARE_OF_16 or end not in SQUARE_OF_16 or start == end:
        return None
    return Move(SQUARE_OF_16[start], SQUARE_OF_16[end])


MIRROR = [square_mirror_files(square) for square in range(90)]  #: of each square, files a to i for i to a


def mirror_move(move: Move) -> Move:
    """The move seen in a mirror.

    >>> mirror_move(Move.from_iccs("h2e2"))
    Move.from_iccs('b2e2')
    """
    return Move(MIRROR[move.from_square], MIRROR[move.to_square])


class KeyTable(NamedTuple):
    """The random words whose exclusive or is the key of a position."""

    pieces: dict[str, list[int]]  #: for each letter of FEN, the words of its 90 squares
    side: int
    side_of: bool  #: the color to move for which `side` counts

    def of(self, board: BaseBoard) -> tuple[int, int]:
        """The keys of the position and of its mirror image."""
        own = mirror = self.side if as_board(board).turn == self.side_of else 0
        for letter, square in pieces_of(board):
            words = self.pieces[letter]
            own ^= words[square]
            mirror ^= words[MIRROR[square]]
        return own, mirror

    def along(self, board: BaseBoard, moves: Iterable[Move]) -> Iterator[tuple[int, int]]:
        """The keys of the position and those after each of the moves, which must be legal, as `of` has them.

        >>> from eleengine import Board
        >>> board, move = Board(), Move.from_iccs("h2e2")
        >>> first, second = obk_keys().along(board, [move])
        >>> board.push(move)
        >>> second == obk_keys().of(board)
        True
        """
        own, mirror = self.of(board)
        letters = {square: letter for letter, square in pieces_of(board)}
        yield own, mirror
        for move in moves:
            origin, end = move.from_square, move.to_square
            letter = letters.pop(origin)
            words = self.pieces[letter]
            own ^= words[origin] ^ words[end] ^ self.side
            mirror ^= words[MIRROR[origin]] ^ words[MIRROR[end]] ^ self.side
            if (taken := letters.get(end)) is not None:
                own ^= self.pieces[taken][end]
                mirror ^= self.pieces[taken][MIRROR[end]]
            letters[end] = letter
            yield own, mirror


def pieces_of(board: BaseBoard) -> Iterator[tuple[str, int]]:
    """The pieces as (letter of FEN, square)."""
    for square in range(90):
        if piece := board.piece_at(square):
            yield piece.symbol(), square


def _table(words: Iterator[int], side: int, side_of: bool) -> KeyTable:
    """A table of 14 x 256 words in the order of the books."""
    pieces = {}
    for letter in PIECES:
        by_16 = [next(words) for _ in range(256)]
        pieces[letter] = [by_16[to_16(square)] for square in range(90)]
    return KeyTable(pieces, side, side_of)


@cache
def obk_keys() -> KeyTable:
    """The 64-bit keys of OBK, pfBook and YFK, which our own books use as well.

    The words are the output of Microsoft's C function rand() seeded with 0, five results of 15 bits each;
    the last one is XORed when Red is to move.

    >>> from eleengine import Board
    >>> hex(obk_keys().of(Board())[0])
    '0x628d04d7c9c144ae'
    """

    def words() -> Iterator[int]:
        state = 0
        while True:
            word = 0
            for shift in range(0, 75, 15):
                state = (214013 * state + 2531011) & 0xFFFFFFFF
                word |= (state >> 16 & 0x7FFF) << shift
            yield word & MASK64

    stream = words()
    table = _table(stream, 0, RED)
    return table._replace(side=next(stream))


class EleeyeKeys(NamedTuple):
    """The words of BOOK.DAT: `third` are the keys, `second` decides which mirror image is stored."""

    second: KeyTable
    third: KeyTable


@cache
def eleeye_keys() -> EleeyeKeys:
    """The 32-bit keys of ElephantEye's BOOK.DAT.

    The words are the stream of RC4 with the key 0, 0, 0, 0, three for the side to move and three for each
    piece and square; the side's are XORed when Black is to move.

    >>> from eleengine import Board
    >>> hex(eleeye_keys().third.of(Board())[0])
    '0x52656d5'
    """
    stream = _rc4(b"\0\0\0\0")

    def word() -> int:
        return int.from_bytes(bytes(next(stream) for _ in range(4)), "little")

    word()
    sides = word(), word()
    seconds: list[int] = []
    thirds: list[int] = []
    for _ in range(14 * 256):
        word()
        seconds.append(word())
        thirds.append(word())
    return EleeyeKeys(_table(iter(seconds), sides[0], not RED), _table(iter(thirds), sides[1], not RED))


def _rc4(key: bytes) -> Iterator[int]:
    """The bytes of the cipher RC4."""
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) & 255
        box[i], box[j] = box[j], box[i]
    i = j = 0
    while True:
        i = (i + 1) & 255
        j = (j + box[i]) & 255
        box[i], box[j] = box[j], box[i]
        yield box[box[i] + box[j] & 255]
