"""Samples for programs that train elsewhere: as a NumPy array, or as lines of text (docs/nnue.md)."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import Any

from ..._internal.files import new_file
from .samples import Split

__all__ = ["write_array", "write_text"]

BLOCK = 1 << 16  # samples at once
FIELDS: list[tuple[Any, ...]] = [  # as of Samples.inputs(), with the last one in place of a zero
    ("rows", "<i2", (2, 32)),
    ("hanging", "u1", (32,)),
    ("scale", "<f4", (2,)),
    ("score", "<i2"),
    ("classical", "<i2"),
    ("bucket", "u1"),
    ("result", "u1"),
    ("pieces", "u1"),
    ("held_out", "u1"),
]
SAMPLE = struct.Struct("<QI16sh4xBB4x")  # of Samples.tobytes(): squares, pieces, score, quiet plies, result
LETTERS = " KABNRCP kabnrcp"  # by code of a piece
EMPTY = re.compile(" +")
RESULTS = ("0.0", "0.5", "1.0")


def write_array(path: str, sets: Split, show: Callable[[int], None] = lambda samples: None) -> int:
    """Write a new .npy file with a structured array of FIELDS, and return the number of samples.

    Its samples can be read without loading all: `numpy.load(path, mmap_mode="r")`. show: called with the
    number of samples written so far. FileExistsError, OSError.
    """
    import numpy as np

    done = 0
    with new_file(path) as target, open(target, "wb") as file:
        head = {"descr": FIELDS, "fortran_order": False, "shape": (sum(map(len, sets)),)}
        np.lib.format.write_array_header_2_0(file, head)
        for held_out, found in enumerate(sets):
            for part in found.one_pass():
                for first in range(0, len(part), BLOCK):
                    block = bytearray(part.inputs(first, min(first + BLOCK, len(part))))
                    records = np.frombuffer(block, FIELDS)
                    records["held_out"] = held_out
                    file.write(block)
                    done += len(records)
                    show(done)
    return done


def write_text(path: str, sets: Split, show: Callable[[int], None] = lambda samples: None) -> int:
    """Write a new file with a line for each sample, FEN | score | result, and return their number.

    Red is to move in each: positions of Black are turned round, with colors exchanged. score: centipawns for
    Red. result: 1.0 Red won, 0.5, 0.0. show, errors: as for `write_array`.
    """
    done = 0
    with new_file(path) as target, open(target, "w", encoding="ascii", newline="\n") as file:
        for found in sets:
            for part in found.one_pass():
                for low, high, codes, score, quiet, result in SAMPLE.iter_unpack(part.tobytes()):
                    board = _board_fen(low | high << 64, codes)
                    file.write(f"{board} w - - {quiet} 1 | {score} | {RESULTS[result]}\n")
                    done += 1
                    if done % BLOCK == 0:
                        show(done)
    return done


def _board_fen(squares: int, codes: bytes) -> str:
    board = [" "] * 90
    pieces = int.from_bytes(codes, "little")
    while squares:
        lowest = squares & -squares
        board[lowest.bit_length() - 1] = LETTERS[pieces & 15]
        squares ^= lowest
        pieces >>= 4
    ranks = ("".join(board[9 * rank : 9 * rank + 9]) for rank in reversed(range(10)))
    return "/".join(EMPTY.sub(lambda run: str(len(run[0])), rank) for rank in ranks)
