"""Positions of games in files that other programs read: arrays of numpy, tables of Parquet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._internal.files import new_file
from .positions import Positions, policy_move
from .reading import FIELDS, arrays, read_positions

ROWS = 1 << 16  # of a group in a table


def export_npz(positions: Positions, path: str | os.PathLike[str], fields: Iterable[str]) -> None:
    """Write fields of positions as arrays of a compressed npz file; all of them are in memory meanwhile.

    fields: of `FIELDS`; ValueError for another name. FileExistsError if there is such a file.
    """
    fields = tuple(fields)
    if unknown := set(fields) - set(FIELDS):
        raise ValueError(f"unknown field {min(unknown)!r}: there are {', '.join(FIELDS)}")
    named: dict[str, Any] = dict(arrays(positions, fields))
    with new_file(os.fspath(path)) as part, open(part, "wb") as file:
        np.savez_compressed(file, **named)


def export_parquet(positions: Positions, path: str | os.PathLike[str]) -> None:
    """Write positions as a table of Parquet: fen, move, score, result; needs pyarrow.

    Move is in ICCS; score (centipawns) and result (1, 0, -1) are those of the side to move; what is not known
    is null. FileExistsError if there is such a file.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Parquet needs pyarrow: pip install pyarrow", name="pyarrow") from None

    kinds = {"fen": pyarrow.string(), "move": pyarrow.string(), "score": pyarrow.float32()}
    schema = pyarrow.schema({**kinds, "result": pyarrow.float32()}.items())
    with new_file(os.fspath(path)) as part, pyarrow.parquet.ParquetWriter(part, schema) as writer:
        for start in range(0, len(positions), ROWS):
            some = positions[start : start + ROWS]
            moves = zip(some.moves().tolist(), some.turns().tolist(), strict=True)
            columns = {
                "fen": [board.fen() for board in some],
                "move": [policy_move(move, turn).iccs() if move >= 0 else None for move, turn in moves],
                "score": [None if np.isnan(score) else score for score in some.scores()],
                "result": [None if np.isnan(result) else result for result in some.results()],
            }
            writer.write_table(pyarrow.table(columns, schema=schema))


def export(
    paths: Iterable[str], out: str, *, fields: Iterable[str], first_ply: int = 0, searched: bool = False
) -> int:
    """Write the positions of files of games or records; return their number.

    out: NAME.npz or NAME.parquet, which decides the format; ValueError for another name. fields: of an npz.
    """
    kind = os.path.splitext(out)[1].lower()
    if kind not in (".npz", ".parquet"):
        raise ValueError(f"the file's name must end in .npz or .parquet, not {out!r}")
    positions = read_positions(*paths, first_ply=first_ply, searched=searched)
    if kind == ".npz":
        export_npz(positions, out, fields)
    else:
        export_parquet(positions, out)
    return len(positions)
