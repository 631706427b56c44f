"""CHE, files of QQ's site: decimal numbers for the usual start and one line of moves, read only.

Programs do not agree on the direction of the files: here they count from Red's left, as in XQStudio and
ElephantEye; vschess writes the mirror image.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, Final

from .entry import RecordEntry
from .errors import RecordError
from .stream import move_of, play
from .tree import Game

_MOVE: Final = 10  # numbers: piece, 32, side, from rank, from file, to rank, to file, 0, number, 0


def scan(file: BinaryIO) -> Iterator[RecordEntry]:
    """The one game of a file; RecordError if it cannot be one."""
    words = file.read().split()
    if not all(word.isdigit() and len(word) < 6 for word in words):
        raise RecordError("not a CHE file: only whole numbers are expected", offset=0)
    numbers = [int(word) for word in words]
    if len(numbers) < 2 or numbers[0] != 1 or len(numbers) != 2 + _MOVE * numbers[1]:
        raise RecordError(
            "not a CHE file: 1, the number of moves and 10 numbers for each are expected", offset=0
        )
    moves = []
    for at in range(2, len(numbers), _MOVE):
        rank, file_from, to_rank, to_file = numbers[at + 3 : at + 7]
        moves.append((move_of(file_from, 9 - rank, to_file, 9 - to_rank, 0), 0))
    game = Game(headers={"Result": "*"})
    play(game, moves)
    yield RecordEntry(game.headers, lambda: game, offset=0)
