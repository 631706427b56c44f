"""Squares and sets of squares.

A square is an int: 0 is a0, Red's left corner, 8 is i0, 9 is a1, 89 is i9. Files are 0 (a) to 8 (i) from
Red's left, ranks 0 (Red's back rank) to 9 (Black's).

>>> square_name(E0), parse_square("e9") == E9, square_file(H2), square_rank(H2)
('e0', True, 7, 2)
>>> SquareSet([A0, E4]) | SquareSet([I9])
SquareSet([0, 40, 89])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet

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
    "square_name", "parse_square", "square_distance", "square_mirror", "square_mirror_files", "SquareSet",
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

_ALL = (1 << 90) - 1


def square(file: int, rank: int) -> Square:
    """The square on a file (0 to 8) and a rank (0 to 9); ValueError off the board."""
    if not (0 <= file < 9 and 0 <= rank < 10):
        raise ValueError(f"no square on file {file}, rank {rank}: files are 0..8, ranks 0..9")
    return 9 * rank + file


def square_file(square: Square) -> int:
    """0 (file a) to 8 (file i)."""
    return square % 9


def square_rank(square: Square) -> int:
    """0 (Red's back rank) to 9."""
    return square // 9


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


class SquareSet(MutableSet[Square]):
    """A set of squares held in one int, bit s for square s.

    Made from any iterable of squares or from such an int, it has the methods of `set` and those of
    python-chess; iteration is in ascending order. ValueError for squares off the board.

    >>> squares = SquareSet([C4, E2])
    >>> squares.add(G4)
    >>> E2 in squares, len(squares), list(squares)
    (True, 3, [22, 38, 42])
    >>> int(squares & SquareSet.from_square(E2)) == 1 << E2
    True
    >>> print(squares)
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . . . . . . . .
    . . 1 . . . 1 . .
    . . . . . . . . .
    . . . . 1 . . . .
    . . . . . . . . .
    . . . . . . . . .
    """

    __slots__ = ("mask",)

    mask: int

    def __init__(self, squares: int | Iterable[Square] = 0) -> None:
        self.mask = _mask(squares)

    @classmethod
    def from_square(cls, square: Square) -> SquareSet:
        """The set of one square."""
        return cls((square,))

    @classmethod
    def between(cls, a: Square, b: Square) -> SquareSet:
        """The squares strictly between two squares of a rank or a file; empty for any other two.

        >>> [square_name(s) for s in SquareSet.between(E0, E4)]
        ['e1', 'e2', 'e3']
        """
        low, high = sorted((a, b))
        if square_rank(low) == square_rank(high):
            return cls(range(low + 1, high))
        if square_file(low) == square_file(high):
            return cls(range(low + 9, high, 9))
        return cls()

    @classmethod
    def ray(cls, a: Square, b: Square) -> SquareSet:
        """All squares of the rank or file that two squares share; empty if they share none.

        >>> len(SquareSet.ray(E0, E4)), len(SquareSet.ray(A3, B3)), len(SquareSet.ray(A0, B1))
        (10, 9, 0)
        """
        if square_rank(a) == square_rank(b) and a != b:
            return cls(range(9 * square_rank(a), 9 * square_rank(a) + 9))
        if square_file(a) == square_file(b) and a != b:
            return cls(range(square_file(a), 90, 9))
        return cls()

    # One square

    def __contains__(self, square: object) -> bool:
        return isinstance(square, int) and 0 <= square < 90 and bool(self.mask >> square & 1)

    def add(self, square: Square) -> None:
        """Put the square into the set."""
        self.mask |= _bit(square)

    def discard(self, square: Square) -> None:
        """Take the square out of the set, if it is there."""
        self.mask &= ~_bit(square)

    def remove(self, square: Square) -> None:
        """Take the square out of the set; KeyError if it is not there."""
        if square not in self:
            raise KeyError(square)
        self.discard(square)

    def pop(self) -> Square:
        """Take out the lowest square and return it; KeyError if the set is empty."""
        if not self.mask:
            raise KeyError("pop from an empty SquareSet")
        lowest = (self.mask & -self.mask).bit_length() - 1
        self.mask &= self.mask - 1
        return lowest

    def clear(self) -> None:
        """Take out all squares."""
        self.mask = 0

    # All squares

    def __iter__(self) -> Iterator[Square]:
        mask = self.mask
        while mask:
            yield (mask & -mask).bit_length() - 1
            mask &= mask - 1

    def __reversed__(self) -> Iterator[Square]:
        mask = self.mask
        while mask:
            highest = mask.bit_length() - 1
            yield highest
            mask ^= 1 << highest

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __bool__(self) -> bool:
        return bool(self.mask)

    def __int__(self) -> int:
        return self.mask

    __index__ = __int__

    def tolist(self) -> list[bool]:
        """Ninety booleans, one for each square."""
        return [bool(self.mask >> square & 1) for square in SQUARES]

    def carry_rippler(self) -> Iterator[int]:
        """The masks of all subsets, the empty one first."""
        subset = 0
        while True:
            yield subset
            subset = (subset - self.mask) & self.mask
            if not subset:
                break

    def copy(self) -> SquareSet:
        """Another set of the same squares."""
        return SquareSet(self.mask)

    def mirror(self) -> SquareSet:
        """The set with ranks 0 to 9 exchanged for 9 to 0."""
        return SquareSet(map(square_mirror, self))

    def mirror_files(self) -> SquareSet:
        """The set with files a to i exchanged for i to a."""
        return SquareSet(map(square_mirror_files, self))

    # Comparison. Everything that makes a set may stand on the right: a set of squares, an iterable, an int.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (int, Iterable)):
            return NotImplemented
        try:
            return self.mask == _mask(other)
        except (TypeError, ValueError):
            return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def isdisjoint(self, other: int | Iterable[Square]) -> bool:
        """Have the sets no square in common?"""
        return not self.mask & _mask(other)

    def issubset(self, other: int | Iterable[Square]) -> bool:
        """Are all squares of this set in the other?"""
        return not self.mask & ~_mask(other)

    def issuperset(self, other: int | Iterable[Square]) -> bool:
        """Are all squares of the other set in this one?"""
        return not _mask(other) & ~self.mask

    def __le__(self, other: int | Iterable[Square]) -> bool:
        return self.issubset(other)

    def __ge__(self, other: int | Iterable[Square]) -> bool:
        return self.issuperset(other)

    def __lt__(self, other: int | Iterable[Square]) -> bool:
        return self.issubset(other) and self.mask != _mask(other)

    def __gt__(self, other: int | Iterable[Square]) -> bool:
        return self.issuperset(other) and self.mask != _mask(other)

    # New sets

    def union(self, *others: int | Iterable[Square]) -> SquareSet:
        """The squares of any of the sets."""
        result = self.copy()
        result.update(*others)
        return result

    def intersection(self, *others: int | Iterable[Square]) -> SquareSet:
        """The squares common to all the sets."""
        result = self.copy()
        result.intersection_update(*others)
        return result

    def difference(self, *others: int | Iterable[Square]) -> SquareSet:
        """The squares of this set that are in none of the others."""
        result = self.copy()
        result.difference_update(*others)
        return result

    def symmetric_difference(self, other: int | Iterable[Square]) -> SquareSet:
        """The squares of exactly one of the two sets."""
        return SquareSet(self.mask ^ _mask(other))

    def __or__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self.mask | _mask(other))

    def __and__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(self.mask & _mask(other))

    def __sub__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(self.mask & ~_mask(other))

    def __xor__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self.mask ^ _mask(other))

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __rsub__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(_mask(other) & ~self.mask)

    def __lshift__(self, shift: int) -> SquareSet:
        return SquareSet(self.mask << shift & _ALL)

    def __rshift__(self, shift: int) -> SquareSet:
        return SquareSet(self.mask >> shift)

    def __invert__(self) -> SquareSet:
        return SquareSet(~self.mask & _ALL)

    # In place

    def update(self, *others: int | Iterable[Square]) -> None:
        """Add the squares of the other sets."""
        for other in others:
            self.mask |= _mask(other)

    def intersection_update(self, *others: int | Iterable[Square]) -> None:
        """Keep only the squares that are in all the other sets."""
        for other in others:
            self.mask &= _mask(other)

    def difference_update(self, *others: int | Iterable[Square]) -> None:
        """Take out the squares of the other sets."""
        for other in others:
            self.mask &= ~_mask(other)

    def symmetric_difference_update(self, other: int | Iterable[Square]) -> None:
        """Take out the common squares, add the rest of the other set."""
        self.mask ^= _mask(other)

    def __ior__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        self.mask |= _mask(other)
        return self

    def __iand__(self, other: int | Iterable[Square]) -> SquareSet:
        self.mask &= _mask(other)
        return self

    def __isub__(self, other: int | Iterable[Square]) -> SquareSet:
        self.mask &= ~_mask(other)
        return self

    def __ixor__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        self.mask ^= _mask(other)
        return self

    def __ilshift__(self, shift: int) -> SquareSet:
        self.mask = self.mask << shift & _ALL
        return self

    def __irshift__(self, shift: int) -> SquareSet:
        self.mask >>= shift
        return self

    # Display

    def __repr__(self) -> str:
        return f"SquareSet({list(self)})"

    def __str__(self) -> str:
        rows = [
            " ".join("1" if square in self else "." for square in range(9 * rank, 9 * rank + 9))
            for rank in range(9, -1, -1)
        ]
        return "\n".join(rows)

    def _repr_svg_(self) -> str:
        from . import svg

        return svg.board(squares=self, size=400)


def _bit(square: Square) -> int:
    if not 0 <= square < 90:
        raise ValueError(f"a square must be 0..89, not {square}")
    return 1 << square


def _mask(squares: int | Iterable[Square]) -> int:
    """The squares as one int."""
    if isinstance(squares, SquareSet):
        return squares.mask
    if isinstance(squares, int):
        if not 0 <= squares <= _ALL:
            raise ValueError(f"a mask of squares must have bits 0 to 89 only, not {squares:#x}")
        return squares
    mask = 0
    for square in squares:
        mask |= _bit(square)
    return mask
