"""Squares: their numbers, names, files and ranks.

A square is an int: 0 is a0, Red's left corner, 8 is i0, 9 is a1, 89 is i9. Files are 0 (a) to 8 (i) from
Red's left, ranks 0 (Red's back rank) to 9 (Black's).

>>> square_name(E0), parse_square("e9") == E9, square_file(H2), square_rank(H2)
('e0', True, 7, 2)
"""

from __future__ import annotations

from operator import index

__all__ = [  # noqa: RUF022
    "Square",
    "A0", "B0", "C0", "D0", "E0", "F0", "G0", "H0", "I0",
    "A1", "B1", "C1", "D1", "E1", "F1", "G1", "H1", "I1",
    "A2", "B2", "C2", "D2", "E2", "F2", "G2", "H2", "I2",
    "A3", "B3", "C3", "D3", "E3", "F3", "G3", "H3", "I3",
    "A4", "B4", "C4", "D4", "E4", "F4", "G4", "H4", "I4",
    "A5", "B5", "C5", "D5", "E5", "F5", "G5", "H5", "I5",
    "A6", "B6", "C6", "D6", "E6", "F6", "G6", "H6", "I6",
    "A7", "B7", "C7", "D7", "E7", "F7", "G7", "H7", "I7",
    "A8", "B8", "C8", "D8", "E8", "F8", "G8", "H8", "I8",
    "A9", "B9", "C9", "D9", "E9", "F9", "G9", "H9", "I9",
    "FILE_NAMES", "RANK_NAMES", "SQUARES", "SQUARE_NAMES", "square", "square_file", "square_rank",
    "square_name", "parse_square", "square_distance", "square_mirror", "square_mirror_files",
]  # fmt: skip

Square = int  #: 0 (a0) to 89 (i9)

A0, B0, C0, D0, E0, F0, G0, H0, I0 = range(9)
A1, B1, C1, D1, E1, F1, G1, H1, I1 = range(9, 18)
A2, B2, C2, D2, E2, F2, G2, H2, I2 = range(18, 27)
A3, B3, C3, D3, E3, F3, G3, H3, I3 = range(27, 36)
A4, B4, C4, D4, E4, F4, G4, H4, I4 = range(36, 45)
A5, B5, C5, D5, E5, F5, G5, H5, I5 = range(45, 54)
A6, B6, C6, D6, E6, F6, G6, H6, I6 = range(54, 63)
A7, B7, C7, D7, E7, F7, G7, H7, I7 = range(63, 72)
A8, B8, C8, D8, E8, F8, G8, H8, I8 = range(72, 81)
A9, B9, C9, D9, E9, F9, G9, H9, I9 = range(81, 90)

FILE_NAMES = "abcdefghi"  #: from Red's left
RANK_NAMES = "0123456789"  #: from Red's back rank
SQUARES: range = range(90)  #: all of them, A0 to I9
SQUARE_NAMES: tuple[str, ...] = tuple(
    file + rank for rank in RANK_NAMES for file in FILE_NAMES
)  #: indexed by square


def square(file: int, rank: int) -> Square:
    """The square on a file (0 to 8) and a rank (0 to 9); ValueError off the board."""
    if not (0 <= file < 9 and 0 <= rank < 10):
        raise ValueError(f"no square on file {file}, rank {rank}: files are 0..8, ranks 0..9")
    return 9 * rank + file


def square_file(square: Square) -> int:
    """0 (file a) to 8 (file i)."""
    return index(square) % 9


def square_rank(square: Square) -> int:
    """0 (Red's back rank) to 9."""
    return index(square) // 9


def square_name(square: Square) -> str:
    """Two characters, a0 to i9; ValueError off the board."""
    if not 0 <= square < 90:
        raise ValueError(f"a square must be 0..89, not {square}")
    return SQUARE_NAMES[square]


def parse_square(name: str) -> Square:
    """The square of a name, a0 to i9; ValueError for any other text."""
    if name not in SQUARE_NAMES:
        raise ValueError(f"not a square: {name!r} (expected a0 to i9)")
    return SQUARE_NAMES.index(name)


def square_distance(a: Square, b: Square) -> int:
    """Steps of a chess king from one square to another: the greater of the distances in files and ranks."""
    return max(abs(square_file(a) - square_file(b)), abs(square_rank(a) - square_rank(b)))


def square_mirror(square: Square) -> Square:
    """The square on the other bank: a0 becomes a9."""
    return 81 - square + 2 * (square % 9)


def square_mirror_files(square: Square) -> Square:
    """The square on the other wing: a0 becomes i0."""
    return square - square % 9 + 8 - square % 9
