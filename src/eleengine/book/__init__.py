"""Opening books: our own, and those of other programs; read, made, converted, played from.

>>> from eleengine import Board, book
>>> with book.shipped() as masters:
...     entry = masters.get(Board())
>>> Board().chinese(entry.move), entry.games > 10000
('炮八平五', True)

`open_book` knows a book by its first bytes, `eleengine.book.tools` merges, prunes, converts and checks
books, `eleengine.book.make` makes one from games. docs/book.md describes the formats.
"""

from __future__ import annotations

import os

from .._core import BaseBoard, as_board
from .._internal.files import plain_file
from .base import Book, BookError, Entry, Lookup, Shelf
from .own import OwnBook

__all__ = [
    "FORMATS", "SHIPPED", "Book", "BookError", "Entry", "Lookup", "Shelf", "open_book", "open_reader",
    "shipped", "zobrist_hash",
]  # fmt: skip

FORMATS = ("own", "obk", "pfbook", "yfk", "eleeye")
SHIPPED = os.path.join(os.path.dirname(__file__), "masters.book")  #: the book that comes with the package


def open_book(path: str | os.PathLike[str]) -> Book:
    """Open a book for reading, whatever its name is: our own, OBK, pfBook, YFK or BOOK.DAT.

    OSError if the file cannot be read; BookError names what is wrong with it.
    """
    with open(plain_file(path), "rb") as file:
        start = file.read(16)
    if start.startswith(b"elebook\0"):
        return OwnBook(path)
    if start.startswith(b"SQLite format 3\0"):
        from .sqlite import SqliteBook

        return SqliteBook(path)
    from .eleeye import EleeyeBook

    return EleeyeBook(path)


open_reader = open_book  # as python-chess calls it


def zobrist_hash(board: BaseBoard) -> int:
    """`Board.key` under its name in python-chess; each format of a book has keys of its own."""
    return as_board(board).key


def shipped() -> Book:
    """Open the book that comes with eleengine: moves of masters' games that the engine found sound.

    The games are those of the Chinese Chess Practical Dataset (Yu-Han Tseng and Bo-Nian Chen, 2026,
    CC BY 4.0).
    """
    return OwnBook(SHIPPED)
