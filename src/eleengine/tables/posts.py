"""The verdict that books give of an ending: with the defender's king and guards on their normal posts.

Over all placings of the pieces a rook wins 82 % against all guards, because most of them have the guards
scattered; books call it drawn. On normal posts the defending king stands on its first square, advisors and
elephants are there in pairs that protect each other, and single ones beside the king or in the middle. All
other pieces stand anywhere.
"""

from __future__ import annotations

import random
from typing import NamedTuple

from .._core import Piece
from ..board import Board
from ..pieces import RED, Color
from ..squares import SQUARE_NAMES, parse_square
from .folder import Tables

SAMPLE = 3_000  # positions; the shares are right to about a percent
#: Of Black, by letter and number: the places together.
POSTS = {
    "A": {0: ("",), 1: ("e8", "d9", "f9"), 2: ("e8 d9", "e8 f9", "e8 d7", "e8 f7")},
    "B": {0: ("",), 1: ("e7", "c9", "g9"), 2: ("e7 c9", "e7 g9", "e7 c5", "e7 g5")},
}
KING = "e9"
#: Squares of Red's king and guards.
HOMES = {
    "K": tuple(f"{file}{rank}" for file in "def" for rank in "012"),
    "A": ("d0", "f0", "e1", "d2", "f2"),
    "B": ("c0", "g0", "a2", "e2", "i2", "c4", "g4"),
}


class Verdict(NamedTuple):
    """Shares of the positions with Red, who is named first, to move."""

    won: float
    drawn: float
    lost: float

    def __str__(self) -> str:
        return ", ".join(f"{name} {100 * share:.1f} %" for name, share in self._asdict().items())


def position(name: str, chance: random.Random, turn: Color = RED) -> Board:
    """A position of a table with Black's king and guards on normal posts."""
    red, black = name.split("-")
    while True:
        placed = [("k", KING), ("K", chance.choice(HOMES["K"]))]
        for letter, choices in POSTS.items():
            placed += [
                (letter.lower(), square) for square in chance.choice(choices[black.count(letter)]).split()
            ]
        placed += [(letter, chance.choice(HOMES.get(letter, SQUARE_NAMES))) for letter in red]
        placed += [(letter.lower(), chance.choice(SQUARE_NAMES)) for letter in black if letter in "RNCP"]
        board = Board(None)
        board.turn = turn
        for letter, square in placed:
            board.set_piece_at(parse_square(square), Piece.from_symbol(letter))
        if len(board.piece_map()) == len(placed) and not board.status():
            return board


def verdict(tables: Tables, name: str, positions: int = SAMPLE) -> Verdict:
    """How a table's ending stands from normal posts, by a sample that is always the same.

    Errors as for `Tables.probe_wdl`.
    """
    chance = random.Random(name)
    results = [tables.probe_wdl(position(name, chance)) for _ in range(positions)]
    return Verdict(*(results.count(result) / positions for result in (1, 0, -1)))
