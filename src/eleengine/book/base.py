"""What all books have in common: entries, looking a position up, and choosing among its moves."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self

from .._core import BaseBoard, Move
from .._internal.closing import Closing
from ..chess_names import refuse
from .keys import KeyTable, mirror_move

if TYPE_CHECKING:
    from random import Random


class BookError(ValueError):
    """A book that cannot be read or written: names the file, the place and what is wrong."""


class Entry(NamedTuple):
    """A move of a book. Wins and losses are those of the side that makes the move."""

    move: Move
    weight: int  #: how often to play it, against the other moves of the position; 0: never
    wins: int = 0
    draws: int = 0
    losses: int = 0
    score: int | None = None  #: an engine's opinion in centipawns, for the side that makes the move
    note: str = ""

    @property
    def games(self) -> int:
        """The number of games with this move."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The share of points won, 0 to 1; 0.5 without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def __getattr__(self, name: str) -> NoReturn:
        refuse(self, name, {"learn": "games and points, or note"})

    def mirrored(self) -> Self:
        """The same entry in the mirror image of its position, files a to i for i to a."""
        return self._replace(move=mirror_move(self.move))


def by_weight(entry: Entry) -> tuple[int, str]:
    """A key for sorting: the heaviest first, the rest in a fixed order."""
    return -entry.weight, entry.move.iccs()


class Lookup(Closing, ABC):
    """Something that knows moves of positions: what `Engine(book=...)` takes; a context manager."""

    @abstractmethod
    def find_all(
        self, board: BaseBoard, *, minimum_weight: int = 0, exclude_moves: Collection[Move] = ()
    ) -> list[Entry]:
        """The legal moves that are known in the position, the heaviest first, but those excluded."""

    def get(
        self, board: BaseBoard, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()
    ) -> Entry | None:
        """The heaviest move that `choices` allows, or None."""
        return next(iter(choices(self, board, exclude_moves, minimum_weight)), None)

    def find(
        self, board: BaseBoard, *, minimum_weight: int = 1, exclude_moves: Collection[Move] = ()
    ) -> Entry:
        """As `get`, but an IndexError instead of None, as in python-chess."""
        return _known(choices(self, board, exclude_moves, minimum_weight), board)[0]

    def choice(
        self,
        board: BaseBoard,
        *,
        minimum_weight: int = 1,
        exclude_moves: Collection[Move] = (),
        random: Random | None = None,
    ) -> Entry:
        """One of the moves that `choices` allows, each as often as the others; IndexError without one."""
        allowed = choices(self, board, exclude_moves, minimum_weight)
        return _chance(random).choice(_known(allowed, board))

    def weighted_choice(
        self, board: BaseBoard, *, exclude_moves: Collection[Move] = (), random: Random | None = None
    ) -> Entry | None:
        """One of the moves that `choices` allows, each as often as its weight says; None if there is none.

        random: a generator of one's own, for choices that can be repeated.

        >>> from random import Random
        >>> from eleengine import Board, book
        >>> with book.shipped() as masters:
        ...     picked = {masters.weighted_choice(Board(), random=Random(seed)) for seed in range(20)}
        >>> len(picked) > 1
        True
        """
        entries = choices(self, board, exclude_moves)
        if not entries:
            return None
        [entry] = _chance(random).choices(entries, [entry.weight for entry in entries])
        return entry

    def close(self) -> None:
        """Let go of the file."""


class Book(Lookup):
    """A book in a file, open for reading: a context manager. Several threads may use it in turn.

    path, and `info`: what the file says of itself. A position is looked up as it stands and as its mirror
    image; only legal moves are returned, since keys of different positions may be equal.
    """

    format: str  #: one of FORMATS

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path: str = os.fspath(path)
        self.info: dict[str, Any] = {}

    @abstractmethod
    def stored(self, key: int) -> list[Entry]:
        """Return the entries stored under a key, in any order; moves may be illegal, as keys collide."""

    @abstractmethod
    def rows(self) -> Iterator[tuple[int, Entry]]:
        """Everything in the book as (key, entry); BookError where the file is damaged."""

    @abstractmethod
    def __len__(self) -> int:
        """The number of stored moves."""

    @classmethod
    @abstractmethod
    def key_table(cls) -> KeyTable:
        """Return the random words from which the keys of positions are computed."""

    def find_all(
        self, board: BaseBoard, *, minimum_weight: int = 0, exclude_moves: Collection[Move] = ()
    ) -> list[Entry]:
        """The legal moves that the book has in the position, the heaviest first, but those excluded.

        >>> from eleengine import Board, book
        >>> with book.shipped() as masters:
        ...     masters.find_all(Board())[0].games > 1000
        True
        """
        excluded = excluded_moves(exclude_moves)
        own, mirror = self.key_table().of(board)
        found = {entry.move: entry for entry in self.stored(own)}
        if mirror != own:
            for entry in self.stored(mirror):
                entry = entry.mirrored()
                found.setdefault(entry.move, entry)
        kept = (e for e in found.values() if e.weight >= minimum_weight and e.move not in excluded)
        return sorted((entry for entry in kept if board.is_legal(entry.move)), key=by_weight)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path!r}>"  # to count the moves may take long


def _known(allowed: list[Entry], board: BaseBoard) -> list[Entry]:
    """The moves that a book allows; IndexError without one."""
    if not allowed:
        raise IndexError(f"the book has no move in {board.fen()}")
    return allowed


def _chance(random: Random | None) -> Random:
    if random is None:
        from random import Random

        return Random()
    return random


def excluded_moves(moves: Collection[Move]) -> frozenset[Move]:
    """The moves, looked at once; TypeError for what could exclude none, such as a text."""
    found = frozenset(moves)
    for move in found:
        if not isinstance(move, Move):
            raise TypeError(f"exclude_moves has {move!r}, which is no Move")
    return found


def choices(
    book: Lookup, board: BaseBoard, exclude_moves: Collection[Move] = (), minimum_weight: int = 1
) -> list[Entry]:
    """The moves of the book that may be played, the heaviest first.

    Not those of less weight, 0 in any case, not those excluded, and none that brings back a position of the
    game, so that the rules of repetition never have anything to say about a book move.
    """
    entries = book.find_all(board, minimum_weight=max(1, minimum_weight), exclude_moves=exclude_moves)
    if not entries:
        return []
    board = board.copy()
    seen = set()
    later = board.copy()
    while later.ply and later.halfmove_clock:
        later.pop()
        seen.add(later.key)
    allowed = []
    for entry in entries:
        board.push(entry.move)
        if board.key not in seen:
            allowed.append(entry)
        board.pop()
    return allowed


class Shelf:
    """Several books, of which the first that knows a position answers."""

    def __init__(self, books: list[Book]) -> None:
        self.books = books

    def weighted_choice(
        self, board: BaseBoard, *, exclude_moves: Collection[Move] = (), random: Random | None = None
    ) -> Entry | None:
        """The choice of the first book that has one; see `Book.weighted_choice`."""
        excluded = excluded_moves(exclude_moves)
        found = (book.weighted_choice(board, exclude_moves=excluded, random=random) for book in self.books)
        return next((entry for entry in found if entry is not None), None)

    def close(self) -> None:
        """Close every book of the shelf."""
        for book in self.books:
            book.close()
