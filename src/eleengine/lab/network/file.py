"""The bytes of a network file, out of numbers: docs/nnue.md describes them."""

from __future__ import annotations

import json
import struct
import sys
from array import array
from collections.abc import Sequence
from typing import Any

from ..._core import (
    NETWORK_HEADER,
    NETWORK_KIND,
    NETWORK_MAGIC,
    NETWORK_VERSION,
    Network,
    network_arrays,
    network_digest,
)

__all__ = ["packed", "quantised", "unrounded"]

HEADER = struct.Struct("<8s12I")  # magic, version, hidden, the kind, output factor, unit as a fraction, text
WEIGHT_LIMIT = 127
UNIT_PARTS = 1000  # of a centipawn, in which a file gives the unit of the output


def quantised(parameters: bytes, hidden: int, unit_cp: float, making: dict[str, Any]) -> bytes:
    """A network in floating point (Trainer.parameters()) as the bytes of a file.

    unit_cp: centipawns of an output of 1. making: how it was made, for the file's text.
    """
    found = array("f", parameters)
    sizes = {name: count for name, count, _ in network_arrays(hidden)}
    rows, rest = found[: sizes["rows"]], found[sizes["rows"] :]
    bias, rest = rest[:hidden], rest[hidden:]
    weights, output_bias = rest[: sizes["weights"]], rest[sizes["weights"] :][: sizes["output bias"]]
    inputs, active = NETWORK_KIND[4], NETWORK_KIND[5]
    factor = int(WEIGHT_LIMIT / max(map(abs, weights)))  # as fine as 127 allows
    return packed(
        {
            "bias": _rounded("h", bias, inputs),
            "rows": _rounded("h", rows, inputs),
            "weights": _rounded("h", weights, factor),
            "output bias": _rounded("i", output_bias, active * factor),
        },
        hidden,
        factor,
        unit_cp,
        making,
    )


def unrounded(network: Network) -> bytes:
    """The numbers of a network in floating point, as of Trainer.parameters(), to go on from."""
    data = network.file
    _, _, hidden, n_inputs, *_, factor, _, _, at = HEADER.unpack_from(data)
    inputs, active = NETWORK_KIND[4], NETWORK_KIND[5]
    factors = {"rows": inputs, "bias": inputs, "weights": factor, "output bias": active * factor}
    found = {}
    at += NETWORK_HEADER
    for name, count, size in network_arrays(hidden, n_inputs):
        at += -at % 64
        whole = array("h" if size == 2 else "i", data[at : at + count * size])
        if sys.byteorder == "big":
            whole.byteswap()
        found[name] = array("f", [number / factors[name] for number in whole])
        at += count * size
    # One that does not know what hangs is one to which it makes no difference.
    found["rows"].frombytes(bytes(4 * hidden * (NETWORK_KIND[0] - n_inputs)))
    padding = array("f", bytes(4 * (-len(found["output bias"]) % 16)))
    return b"".join(found[name].tobytes() for name in factors) + padding.tobytes()


def packed(
    arrays: dict[str, array[int]],
    hidden: int,
    factor: int,
    unit_cp: float,
    making: dict[str, Any],
    kind: tuple[int, ...] = NETWORK_KIND,
) -> bytes:
    """A file with these whole numbers."""
    # A file name that is no text has lone surrogates: their escapes are JSON.
    text = json.dumps(making, sort_keys=True, ensure_ascii=False).encode(errors="backslashreplace")
    unit = round(unit_cp * UNIT_PARTS)
    head = HEADER.pack(NETWORK_MAGIC, NETWORK_VERSION, hidden, *kind, factor, unit, UNIT_PARTS, len(text))
    data = head.ljust(NETWORK_HEADER, b"\0") + text
    for name, _, _ in network_arrays(hidden, kind[0]):
        numbers = array(arrays[name].typecode, arrays[name])
        if sys.byteorder == "big":
            numbers.byteswap()
        data += bytes(-len(data) % 64) + numbers.tobytes()
    return data[: NETWORK_HEADER - 32] + network_digest(data) + data[NETWORK_HEADER:]


def _rounded(code: str, numbers: Sequence[float], factor: int) -> array[int]:
    return array(code, [round(number * factor) for number in numbers])
