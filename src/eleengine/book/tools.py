"""What can be done with whole books: walk through them, merge, prune, convert and check them.

>>> from eleengine import book
>>> from eleengine.book import tools
>>> table = tools.load(book.shipped())
>>> few = tools.prune(table, plies=2, min_games=1000)
>>> len(few) < len(table) and max(ply for ply, _, _ in tools.walk(few)) == 1
True
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from .._core import STARTING_FEN, BaseBoard, Move
from . import FORMATS
from .base import Book, Entry
from .keys import KeyTable, obk_keys


class BookTable(Book):
    """A book in memory that can be changed, with keys as in our file format (`keys.obk_keys`).

    entries: by key and move.
    """

    format = "table"

    def __init__(self, rows: Iterable[tuple[int, Entry]] = (), info: dict[str, Any] | None = None) -> None:
        super().__init__("")
        self.info: dict[str, Any] = dict(info or {})
        self.entries: dict[int, dict[Move, Entry]] = {}
        for key, entry in rows:
            self.add(key, entry)

    @classmethod
    def key_table(cls) -> KeyTable:
        return obk_keys()

    def add(self, key: int, entry: Entry) -> None:
        """Put a move in; when it is there, weights and results are added, score and note stay if known."""
        moves = self.entries.setdefault(key, {})
        there = moves.get(entry.move)
        if there is not None:
            entry = Entry(
                entry.move,
                there.weight + entry.weight,
                there.wins + entry.wins,
                there.draws + entry.draws,
                there.losses + entry.losses,
                entry.score if there.score is None else there.score,
                there.note or entry.note,
            )
        moves[entry.move] = entry

    def stored(self, key: int) -> list[Entry]:
        return list(self.entries.get(key, {}).values())

    def rows(self) -> Iterator[tuple[int, Entry]]:
        for key, moves in self.entries.items():
            for entry in moves.values():
                yield key, entry

    def __len__(self) -> int:
        return sum(map(len, self.entries.values()))


class BookPosition(NamedTuple):
    """A position of a book: plies from the start, the board, and its legal moves in the book."""

    ply: int
    board: BaseBoard
    entries: list[Entry]


def walk(book: Book, start: str = STARTING_FEN, *, wide: bool = False) -> Iterator[BookPosition]:
    """The positions that moves of the book lead to, nearest first, each and its mirror image once.

    wide: also those that one move outside the book leads to, for books that know the answers to moves
    that they would not make.
    """
    keys = obk_keys()
    seen: set[int] = {min(keys.of(BaseBoard(start)))}
    waiting = deque([(0, start)])
    while waiting:
        ply, fen = waiting.popleft()
        board = BaseBoard(fen)
        entries = book.find_all(board)
        if not entries:
            continue
        yield BookPosition(ply, board, entries)
        for move in board.legal_moves if wide else [entry.move for entry in entries]:
            board.push(move)
            key = min(keys.of(board))
            if key not in seen:
                seen.add(key)
                waiting.append((ply + 1, board.fen()))
            board.pop()


def load(book: Book) -> BookTable:
    """The book in memory. Of a BOOK.DAT, whose keys are others, that which a wide `walk` reaches."""
    if book.key_table() is obk_keys():
        return BookTable(book.rows(), book.info)
    table = BookTable(info=book.info)
    for _, board, entries in walk(book, wide=True):
        key = obk_keys().of(board)[0]
        for entry in entries:
            table.add(key, entry)
    return table


def fold(table: BookTable) -> None:
    """Put each position that can be walked to and its mirror image under one key, the smaller."""
    for _, board, _ in list(walk(table)):
        own, mirror = obk_keys().of(board)
        if own != mirror:
            for entry in table.entries.pop(max(own, mirror), {}).values():
                table.add(min(own, mirror), entry.mirrored())


def merge(books: Iterable[Book]) -> BookTable:
    """One book out of several: weights and results are added, of scores and notes the first stays."""
    merged = BookTable()
    sources = []
    for book in books:
        table = load(book)
        fold(table)
        sources.append({"file": os.path.basename(book.path), **book.info})
        for key, entry in table.rows():
            merged.add(key, entry)
    merged.info = {"sources": sources}
    return merged


def prune(
    book: Book,
    *,
    min_games: int = 0,
    min_weight: int = 0,
    min_score: int | None = None,
    max_moves: int | None = None,
    plies: int | None = None,
) -> BookTable:
    """Return the part of a book whose moves have enough games, weight and score.

    min_score: centipawns; moves without a score stay. max_moves: of a position, the heaviest. plies: only
    moves that close to the start.
    """
    table = load(book)
    if plies is not None:
        near = BookTable(info=table.info)
        for ply, board, entries in walk(table):
            if ply < plies:
                for entry in entries:
                    near.add(obk_keys().of(board)[0], entry)
        table = near
    pruned = BookTable(info=table.info)
    for key, moves in table.entries.items():
        for entry in sorted(moves.values(), key=lambda entry: -entry.weight)[:max_moves]:
            sound = min_score is None or entry.score is None or entry.score >= min_score
            if sound and entry.games >= min_games and entry.weight >= min_weight:
                pruned.add(key, entry)
    return pruned


def format_of(path: str | os.PathLike[str]) -> str:
    """The format that the name of a file to be written asks for.

    >>> format_of("a.obk"), format_of("BOOK.DAT"), format_of("my.book")
    ('obk', 'eleeye', 'own')
    """
    suffix = os.path.splitext(os.fspath(path))[1].lower().lstrip(".")
    return "eleeye" if suffix == "dat" else suffix if suffix in FORMATS else "own"


def save(
    book: Book, path: str | os.PathLike[str], name: str | None = None, info: dict[str, Any] | None = None
) -> int:
    """Write a book as a new file, in the format of that name or of its suffix; the number of moves written.

    info: kept in our own format, instead of the book's. A BOOK.DAT gets what `walk` reaches. What a format
    has no place for is left out: our own has no notes, a BOOK.DAT only weights above 0. FileExistsError,
    OSError, BookError.
    """
    name = name or format_of(path)
    if name == "eleeye":
        from .eleeye import write_eleeye

        return write_eleeye(path, ((board, entries) for _, board, entries in walk(book)))
    rows = (book if book.key_table() is obk_keys() else load(book)).rows()
    if name == "own":
        from .own import write_own

        return write_own(path, rows, book.info if info is None else info)
    from .sqlite import write_sqlite

    return write_sqlite(path, rows, name)


class BookReport(NamedTuple):
    """What `check` found. faults: what is wrong, in words; no faults, no line."""

    moves: int
    positions: int  #: that can be walked to
    reached: int  #: moves of these
    plies: int  #: of the longest shortest way
    faults: list[str]


def check(book: Book) -> BookReport:
    """Read all of a book, and walk through it by the rules. BookError where it cannot be read."""
    faults = []
    if (find_faults := getattr(book, "faults", None)) is not None:
        faults += find_faults()
    for _ in book.rows():
        pass
    positions = reached = plies = illegal = 0
    first = ""
    for ply, board, entries in walk(book):
        own, mirror = book.key_table().of(board)
        stored = {entry.move for entry in book.stored(own)}
        if mirror != own:
            stored |= {entry.mirrored().move for entry in book.stored(mirror)}
        wrong = stored - {entry.move for entry in entries}
        if wrong and not first:
            first = f"{min(wrong, key=str)} in {board.fen()}"
        illegal += len(wrong)
        positions += 1
        reached += len(entries)
        plies = max(plies, ply + 1)
    if illegal:
        faults.append(f"{illegal} moves that are not legal, such as {first}")
    return BookReport(len(book), positions, reached, plies, faults)
