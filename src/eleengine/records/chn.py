"""CHN, files of the site 联众 (ourgame): the usual start, one line of moves, read only."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import BinaryIO, Final

from .._internal.message import Message
from .entry import RecordEntry
from .errors import RecordError
from .stream import move_of, play, turned
from .tree import Game

_HEADER: Final = 188
_MOVE: Final = struct.Struct("<I4H20x")


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it cannot be one."""
    data = file.read()
    if len(data) < _HEADER + _MOVE.size or (len(data) - _HEADER) % _MOVE.size:
        raise RecordError(
            Message("not a CHN file: {} bytes and {} for each move are expected", _HEADER, _MOVE.size),
            offset=0,
        )
    rows = list(_MOVE.iter_unpack(data[_HEADER:]))
    squares = turned([(row[1], row[2], row[3], row[4]) for row in rows])
    moves = [
        (move_of(*four, at), at)
        for at, four in zip(range(_HEADER, len(data), _MOVE.size), squares, strict=True)
    ]
    game = Game(headers={"Result": "*"})
    play(game, moves)
    yield RecordEntry(game.headers, lambda: game, offset=0)
