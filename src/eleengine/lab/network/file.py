"""The bytes of a network file, out of numbers: docs/nnue.md describes them."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Iterable
from itertools import cycle, islice, repeat
from operator import mul, truediv
from typing import Any

from ..._core import (
    NETWORK_HEADER,
    NETWORK_KIND,
    NETWORK_LAYERS,
    NETWORK_MAGIC,
    NETWORK_VERSION,
    Network,
    network_arrays,
    network_digest,
)

__all__ = ["packed", "quantised", "unrounded"]

HEADER = struct.Struct("<8s12I")  # magic, version, hidden, the kind, factor, unit as a fraction, text
FIRST_LAYER, SECOND_LAYER, FACTOR, SQUARE_ONE, SQUARED_SHIFT = NETWORK_LAYERS
#: The arrays of Trainer.parameters(), in order.
NAMES = ("rows", "bias", "first weights", "first bias", "second weights", "second bias", "output weights")
UNIT_PARTS = 1000  # of a centipawn, in which a file gives the unit of the output


def quantised(parameters: bytes, hidden: int, unit_cp: float, making: dict[str, Any]) -> bytes:
    """A network in floating point (Trainer.parameters()) as the bytes of a file.

    unit_cp: centipawns of an output of 1. making: how it was made, for the file's text.
    """
    found = array("f", parameters)
    arrays = {}
    for name, (start, count, size) in _places(hidden).items():
        numbers, factors = found[start : start + count], _factors(name, count, FACTOR, SQUARE_ONE)
        arrays[name] = array("h" if size == 2 else "i", map(round, map(mul, numbers, factors)))
    return packed(arrays, hidden, unit_cp, making)


def unrounded(network: Network, parameters: bytes) -> bytes:
    """The numbers of a network in floating point, as of Trainer.parameters(), to go on from.

    parameters: those of a new network of the same size, for what the file does not hold: one of version 1 has
    the first row of the first layer, one that does not know what hangs only the rows of pieces.
    """
    data = network.file
    _, version, hidden, n_inputs, *_, factor, _, _, at = HEADER.unpack_from(data)
    found = array("f", parameters)
    places = _places(hidden)
    at += NETWORK_HEADER
    for name, count, size in network_arrays(hidden, n_inputs, version=version):
        at += -at % 64
        whole = array("h" if size == 2 else "i", data[at : at + count * size])
        if sys.byteorder == "big":
            whole.byteswap()
        at += count * size
        factors = _factors(name, count, factor, SQUARE_ONE if version > 1 else NETWORK_KIND[5])
        numbers = array("f", map(truediv, whole, factors))
        start, room, _ = places[name]
        sets = 1 if name in ("bias", "rows") else NETWORK_KIND[1]
        for i in range(sets):
            part = numbers[count // sets * i : count // sets * (i + 1)]
            first = start + room // sets * i
            found[first : first + len(part)] = part
    return found.tobytes()


def _places(hidden: int) -> dict[str, tuple[int, int, int]]:
    """Of each array: where it begins in Trainer.parameters(), its numbers, and the bytes of one in a file."""
    sizes = {name: (count, size) for name, count, size in network_arrays(hidden)}
    found, at = {}, 0
    for name in NAMES:
        found[name] = (at, *sizes[name])
        at += sizes[name][0]
    return found


def _factors(name: str, count: int, factor: int, one: int) -> Iterable[float]:
    """How many units of the file make 1, number by number."""
    if name in ("bias", "rows"):
        return repeat(NETWORK_KIND[4], count)
    if name.endswith("bias"):
        return repeat(one * factor, count)
    if (
        name == "second weights"
    ):  # of what the first layer says, then of its squares, which are a little short of 1
        half, squared_one = FIRST_LAYER * SECOND_LAYER, SQUARE_ONE**2 / (1 << SQUARED_SHIFT)
        return islice(cycle([factor] * half + [factor * SQUARE_ONE / squared_one] * half), count)
    return repeat(factor, count)


def packed(
    arrays: dict[str, array[int]],
    hidden: int,
    unit_cp: float,
    making: dict[str, Any],
    *,
    kind: tuple[int, ...] = NETWORK_KIND,
    version: int = NETWORK_VERSION,
    factor: int = FACTOR,
) -> bytes:
    """A file with these whole numbers."""
    # A file name that is no text has lone surrogates: their escapes are JSON.
    text = json.dumps(making, sort_keys=True, ensure_ascii=False).encode(errors="backslashreplace")
    unit = round(unit_cp * UNIT_PARTS)
    head = HEADER.pack(NETWORK_MAGIC, version, hidden, *kind, factor, unit, UNIT_PARTS, len(text))
    data = head.ljust(NETWORK_HEADER, b"\0") + text
    for name, _, _ in network_arrays(hidden, kind[0], version=version):
        numbers = array(arrays[name].typecode, arrays[name])
        if sys.byteorder == "big":
            numbers.byteswap()
        data += bytes(-len(data) % 64) + numbers.tobytes()
    return data[: NETWORK_HEADER - 32] + network_digest(data) + data[NETWORK_HEADER:]
