"""CCM, files of the site 中国游戏中心 (chinagames): the usual start, one line of moves, read only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from .._internal.message import Message
from .entry import RecordEntry
from .errors import RecordError
from .stream import move_of, play, turned
from .tree import Game

_MOVE: Final = 7  # bytes: 1, two unknown, from file, to file, from row, to row


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it cannot be one."""
    data = file.read()
    offsets = range(0, len(data), _MOVE)
    if not data or len(data) % _MOVE or any(data[at] != 1 for at in offsets):
        raise RecordError(
            Message("not a CCM file: {} bytes for each move are expected, the first of them 1", _MOVE),
            offset=0,
        )
    squares = turned([(data[at + 3], data[at + 5], data[at + 4], data[at + 6]) for at in offsets])
    moves = [(move_of(*four, at), at) for at, four in zip(offsets, squares, strict=True)]
    game = Game(headers={"Result": "*"})
    play(game, moves)
    yield RecordEntry(game.headers, lambda: game, offset=0)
