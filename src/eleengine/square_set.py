"""Sets of squares, with the operators of `set` and of integers.

>>> from eleengine import A0, E4, I9
>>> SquareSet([A0, E4]) | SquareSet([I9])
SquareSet([0, 40, 89])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableSet
from operator import index
from typing import SupportsIndex

from .squares import SQUARES, Square, square_file, square_mirror, square_mirror_files, square_rank

__all__ = ["SquareSet"]

_ALL = (1 << 90) - 1


class SquareSet(MutableSet[Square]):
    """A set of squares held in one int, bit s for square s.

    Made from any iterable of squares or from such an int, it has the methods of `set` and those of
    python-chess; iteration is in ascending order. ValueError for squares off the board.

    >>> from eleengine import C4, E2, G4
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

    __slots__ = ("_bits",)

    def __init__(self, squares: int | Iterable[Square] = 0) -> None:
        self._bits = _mask(squares)

    @property
    def mask(self) -> int:
        """The squares as one int, bit s for square s; ValueError where it is set to anything else."""
        return self._bits

    @mask.setter
    def mask(self, value: int) -> None:
        self._bits = _mask(index(value))

    @classmethod
    def from_square(cls, square: Square) -> SquareSet:
        """The set of one square."""
        return cls((square,))

    @classmethod
    def between(cls, a: Square, b: Square) -> SquareSet:
        """The squares strictly between two squares of a rank or a file; empty for any other two.

        >>> from eleengine import E0, E4, square_name
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

        >>> from eleengine import A0, A3, B1, B3, E0, E4
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
        if not isinstance(square, SupportsIndex):
            return False
        number = index(square)
        return 0 <= number < 90 and bool(self._bits >> number & 1)

    def add(self, square: Square) -> None:
        """Put the square into the set."""
        self._bits |= _bit(square)

    def discard(self, square: Square) -> None:
        """Take the square out of the set, if it is there."""
        self._bits &= ~_bit(square)

    def remove(self, square: Square) -> None:
        """Take the square out of the set; KeyError if it is not there."""
        if square not in self:
            raise KeyError(square)
        self.discard(square)

    def pop(self) -> Square:
        """Take out the lowest square and return it; KeyError if the set is empty."""
        if not self._bits:
            raise KeyError("pop from an empty SquareSet")
        lowest = (self._bits & -self._bits).bit_length() - 1
        self._bits &= self._bits - 1
        return lowest

    def clear(self) -> None:
        """Take out all squares."""
        self._bits = 0

    # All squares

    def __iter__(self) -> Iterator[Square]:
        mask = self._bits
        while mask:
            yield (mask & -mask).bit_length() - 1
            mask &= mask - 1

    def __reversed__(self) -> Iterator[Square]:
        mask = self._bits
        while mask:
            highest = mask.bit_length() - 1
            yield highest
            mask ^= 1 << highest

    def __len__(self) -> int:
        return self._bits.bit_count()

    def __bool__(self) -> bool:
        return bool(self._bits)

    def __int__(self) -> int:
        return self._bits

    __index__ = __int__

    def tolist(self) -> list[bool]:
        """Ninety booleans, one for each square."""
        return [bool(self._bits >> square & 1) for square in SQUARES]

    def carry_rippler(self) -> Iterator[int]:
        """The masks of all subsets, the empty one first."""
        subset = 0
        while True:
            yield subset
            subset = (subset - self._bits) & self._bits
            if not subset:
                break

    def copy(self) -> SquareSet:
        """Another set of the same squares."""
        return SquareSet(self._bits)

    def mirror(self) -> SquareSet:
        """The set with ranks 0 to 9 exchanged for 9 to 0."""
        return SquareSet(map(square_mirror, self))

    def mirror_files(self) -> SquareSet:
        """The set with files a to i exchanged for i to a."""
        return SquareSet(map(square_mirror_files, self))

    # Comparison. Everything that makes a set may stand on the right: a set of squares, an iterable, an int.

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (SupportsIndex, Iterable)):
            return NotImplemented
        try:
            return self._bits == _mask(other)
        except (TypeError, ValueError):
            return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def isdisjoint(self, other: int | Iterable[Square]) -> bool:
        """Have the sets no square in common?"""
        return not self._bits & _mask(other)

    def issubset(self, other: int | Iterable[Square]) -> bool:
        """Are all squares of this set in the other?"""
        return not self._bits & ~_mask(other)

    def issuperset(self, other: int | Iterable[Square]) -> bool:
        """Are all squares of the other set in this one?"""
        return not _mask(other) & ~self._bits

    __le__ = issubset
    __ge__ = issuperset

    def __lt__(self, other: int | Iterable[Square]) -> bool:
        return self.issubset(other) and self._bits != _mask(other)

    def __gt__(self, other: int | Iterable[Square]) -> bool:
        return self.issuperset(other) and self._bits != _mask(other)

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
        return SquareSet(self._bits ^ _mask(other))

    def __or__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self._bits | _mask(other))

    def __and__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(self._bits & _mask(other))

    def __sub__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(self._bits & ~_mask(other))

    def __xor__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        return SquareSet(self._bits ^ _mask(other))

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __rsub__(self, other: int | Iterable[Square]) -> SquareSet:
        return SquareSet(_mask(other) & ~self._bits)

    def __lshift__(self, shift: int) -> SquareSet:
        return SquareSet(self._bits << min(index(shift), 90) & _ALL)

    def __rshift__(self, shift: int) -> SquareSet:
        return SquareSet(self._bits >> shift)

    def __invert__(self) -> SquareSet:
        return SquareSet(~self._bits & _ALL)

    # In place

    def update(self, *others: int | Iterable[Square]) -> None:
        """Add the squares of the other sets."""
        for other in others:
            self._bits |= _mask(other)

    def intersection_update(self, *others: int | Iterable[Square]) -> None:
        """Keep only the squares that are in all the other sets."""
        for other in others:
            self._bits &= _mask(other)

    def difference_update(self, *others: int | Iterable[Square]) -> None:
        """Take out the squares of the other sets."""
        for other in others:
            self._bits &= ~_mask(other)

    def symmetric_difference_update(self, other: int | Iterable[Square]) -> None:
        """Take out the common squares, add the rest of the other set."""
        self._bits ^= _mask(other)

    def __ior__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        self._bits |= _mask(other)
        return self

    def __iand__(self, other: int | Iterable[Square]) -> SquareSet:
        self._bits &= _mask(other)
        return self

    def __isub__(self, other: int | Iterable[Square]) -> SquareSet:
        self._bits &= ~_mask(other)
        return self

    def __ixor__(self, other: int | Iterable[Square]) -> SquareSet:  # type: ignore[override]
        self._bits ^= _mask(other)
        return self

    def __ilshift__(self, shift: int) -> SquareSet:
        self._bits = (self << shift)._bits
        return self

    def __irshift__(self, shift: int) -> SquareSet:
        self._bits >>= shift
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
    number = index(square)
    if not 0 <= number < 90:
        raise ValueError(f"a square must be 0..89, not {number}")
    return 1 << number


def _mask(squares: SupportsIndex | Iterable[Square]) -> int:
    """The squares as one int."""
    if isinstance(squares, SquareSet):
        return squares._bits
    mask = 0
    if isinstance(squares, Iterable):
        for square in squares:
            mask |= _bit(square)
        return mask
    mask = index(squares)
    if not 0 <= mask <= _ALL:
        raise ValueError(f"a mask of squares must have bits 0 to 89 only, not {mask:#x}")
    return mask
