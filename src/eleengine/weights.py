"""The weights of the classical evaluation: read them, change them, keep them in files.

The engine evaluates by its network; a context with weights evaluates classically, by them.

>>> weights = Weights.shipped()
>>> weights["material"].mg[5] > weights["material"].mg[6]       # a rook is worth more than a cannon
True
>>> better = weights.replace("tempo", mg=30)
>>> better.context().weights == weights.context().weights
False
"""

from __future__ import annotations

import json
import os
import warnings
from array import array
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from ._core import WEIGHT_TABLES, Context, shipped_weights
from ._internal.files import read_file, write_whole
from ._internal.json_text import read_object

__all__ = ["LIMIT", "NUMBERS", "TABLES", "WeightTable", "Weights", "WeightsError"]

LIMIT = 10_000  #: of each weight, up and down, in centipawns
PHASES = ("mg", "eg")
VERSION = 1

#: Table: its sizes; () for a single number. The order is that of the numbers of one phase.
TABLES: dict[str, tuple[int, ...]] = dict(WEIGHT_TABLES)
_FIRST: dict[str, int] = {}
for _name, _sizes in TABLES.items():
    _FIRST[_name] = sum(prod(TABLES[earlier]) for earlier in _FIRST)
NUMBERS = sum(map(prod, TABLES.values()))  #: of one phase


class WeightsError(ValueError):
    """Weights out of range; the message says where and why."""


class WeightTable(NamedTuple):
    """The numbers of one table, row by row, in the middlegame and in the endgame."""

    sizes: tuple[int, ...]
    mg: tuple[int, ...]
    eg: tuple[int, ...]


class Weights:
    """One set of weights, immutable: centipawns from the owner's side for both phases.

    Indices of tables are counts, squares or piece types as the evaluation's terms say; a place of
    `square` is 5 * rank + file, seen from the owner's side, with files f to i mirrored to d to a.
    """

    __slots__ = ("_numbers",)
    _numbers: bytes

    def __init__(self, numbers: Sequence[int]) -> None:
        """numbers: NUMBERS for the middlegame, then as many for the endgame; else WeightsError."""
        if len(numbers) != 2 * NUMBERS:
            raise WeightsError(f"expected {2 * NUMBERS} weights, not {len(numbers)}")
        for i, number in enumerate(numbers):
            _check(number, i)
        self._numbers = array("h", numbers).tobytes()

    @classmethod
    def shipped(cls) -> Weights:
        """Those of this version of eleengine."""
        return cls._of(shipped_weights())

    @classmethod
    def _of(cls, numbers: bytes) -> Weights:
        weights = cls.__new__(cls)
        weights._numbers = numbers
        return weights

    def context(self) -> Context:
        """A context with these weights, for engines that are to go by them.

        >>> from eleengine import Engine
        >>> with Engine(context=Weights.shipped().replace("tempo", mg=0).context()) as engine:
        ...     engine.context is not None
        True
        """
        return Context(weights=self._numbers)

    def numbers(self) -> list[int]:
        """As for the constructor."""
        return array("h", self._numbers).tolist()

    def __getitem__(self, name: str) -> WeightTable:
        """The table of that name; KeyError if there is none."""
        sizes, first, numbers = TABLES[name], _FIRST[name], self.numbers()
        last = first + prod(sizes)
        return WeightTable(
            sizes, tuple(numbers[first:last]), tuple(numbers[NUMBERS + first : NUMBERS + last])
        )

    def replace(self, name: str, *index: int, mg: int | None = None, eg: int | None = None) -> Weights:
        """Weights that differ in one number: weights.replace("material", 5, mg=1000)."""
        sizes, offset = TABLES[name], 0
        if len(index) != len(sizes) or not all(0 <= i < size for i, size in zip(index, sizes, strict=True)):
            raise IndexError(f"{name} has the sizes {sizes}, which has no index {index}")
        for i, size in zip(index, sizes, strict=True):
            offset = offset * size + i
        numbers = self.numbers()
        for phase, value in enumerate((mg, eg)):
            if value is not None:
                numbers[phase * NUMBERS + _FIRST[name] + offset] = value
        return Weights(numbers)

    def __eq__(self, other: object) -> bool:
        return self._numbers == other._numbers if isinstance(other, Weights) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._numbers)

    def __reduce__(self) -> tuple[type[Weights], tuple[list[int]]]:
        return Weights, (self.numbers(),)

    def __repr__(self) -> str:
        changed = sum(a != b for a, b in zip(self.numbers(), Weights.shipped().numbers(), strict=True))
        return f"<Weights, {changed} of {2 * NUMBERS} not as shipped>"

    def to_json(self) -> str:
        """The text of a weights file: an object with nested lists for each table of each phase."""
        lines = [f'{{"eleengine weights": {VERSION}']
        for phase, title in enumerate(PHASES):
            rows = []
            for name, sizes in TABLES.items():
                nested = _nest(self[name][1 + phase], sizes)
                if len(sizes) >= 2:
                    text = "[\n    " + ",\n    ".join(json.dumps(row) for row in nested) + "]"
                else:
                    text = json.dumps(nested)
                rows.append(f'  "{name}": {text}')
            lines.append(f' "{title}": {{\n' + ",\n".join(rows) + "}")
        return ",\n".join(lines) + "}\n"

    @classmethod
    def from_json(cls, text: str) -> Weights:
        """Read what to_json wrote; WeightsError says what is wrong, and where."""
        try:
            data = read_object(text)
        except ValueError as error:
            raise WeightsError(str(error)) from None
        if data.get("eleengine weights") != VERSION:
            raise WeightsError(f'no weights: expected an object with "eleengine weights": {VERSION}')
        _check_names(data, {"eleengine weights", *PHASES}, "")
        numbers: list[int] = []
        for phase in PHASES:
            if not isinstance(data[phase], dict):
                raise WeightsError(f"{phase}: must be an object with a list for each table")
            _check_names(data[phase], TABLES, f"{phase}.")
            for name, sizes in TABLES.items():
                numbers += _flatten(data[phase][name], sizes, f"{phase}.{name}")
        return cls(numbers)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a weights file; OSError if it cannot be written."""
        write_whole(path, self.to_json().encode())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Weights:
        """Read a weights file; WeightsError names it and what is wrong, OSError if it cannot be read."""
        content = read_file(path)
        try:
            return cls.from_json(content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise WeightsError(
                f"{os.fspath(path)}: not UTF-8 text ({error.reason} at byte {error.start})"
            ) from None
        except WeightsError as error:
            raise WeightsError(f"{os.fspath(path)}: {error}") from None


def index_name(i: int) -> str:
    """The i-th number of the constructor, as it is found in a file.

    >>> index_name(0), index_name(8 + 50 * 7 + 3), index_name(NUMBERS + 408)
    ('mg.material[0]', 'mg.square[7][3]', 'eg.tempo')
    """
    phase, i = divmod(i, NUMBERS)
    name = next(name for name in reversed(TABLES) if _FIRST[name] <= i)
    offset, indices = i - _FIRST[name], []
    for size in reversed(TABLES[name]):
        offset, index = divmod(offset, size)
        indices.append(f"[{index}]")
    return f"{PHASES[phase]}.{name}{''.join(reversed(indices))}"


def _check(number: object, i: int) -> None:
    if type(number) is not int or not -LIMIT <= number <= LIMIT:
        shown = f"{number!r}"[:40]
        raise WeightsError(f"{index_name(i)}: must be a whole number from -{LIMIT} to {LIMIT}, not {shown}")


def _check_names(data: dict[str, Any], wanted: Sequence[str] | set[str] | dict[str, Any], where: str) -> None:
    for name in wanted:
        if name not in data:
            raise WeightsError(f"{where}{name} is missing")
    for name in data:
        if name not in wanted:
            raise WeightsError(f"{where}{name[:40]} is unknown")


def _nest(numbers: Sequence[int], sizes: tuple[int, ...]) -> Any:
    if not sizes:
        return numbers[0]
    step = len(numbers) // sizes[0]
    return [_nest(numbers[i * step : (i + 1) * step], sizes[1:]) for i in range(sizes[0])]


def _flatten(data: Any, sizes: tuple[int, ...], where: str) -> list[int]:
    if not sizes:
        return [data]
    if not isinstance(data, list) or len(data) != sizes[0]:
        found = f"{len(data)} values" if isinstance(data, list) else "something else"
        raise WeightsError(f"{where}: must be a list of {sizes[0]} values, but there is {found}")
    return [number for i, part in enumerate(data) for number in _flatten(part, sizes[1:], f"{where}[{i}]")]


def __getattr__(name: str) -> Any:
    if name != "Table":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{__name__}.Table is now WeightTable", DeprecationWarning, stacklevel=2)
    return WeightTable
