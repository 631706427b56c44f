"""Positions of games in files that other programs read: arrays of numpy, tables of Parquet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

from .._internal.files import new_file
from ..pieces import BLACK, RED, Color
from .positions import POLICY_SIZE, Array, Positions, policy_move
from .reading import FIELDS, arrays, read_positions

ROWS = 1 << 16  # of a group in a table


def export_npz(
    positions: Positions, path: str | os.PathLike[str], fields: Iterable[str], headers: Iterable[str] = ()
) -> None:
    """Write fields of positions as arrays of a compressed npz file; all of them are in memory meanwhile.

    fields: of `FIELDS`; ValueError for another name. headers: of records, as arrays of str. FileExistsError
    if there is such a file.
    """
    fields = tuple(fields)
    if unknown := set(fields) - set(FIELDS):
        raise ValueError(f"unknown field {min(unknown)!r}: there are {', '.join(FIELDS)}")
    named: dict[str, Any] = dict(arrays(positions, fields))
    named |= {name: positions.header(name) for name in headers}
    with new_file(os.fspath(path)) as part, open(part, "wb") as file:
        np.savez_compressed(file, **named)


@cache
def _texts(turn: Color) -> Array:
    """The moves of a policy in ICCS, then None for -1."""
    return np.array([*(policy_move(i, turn).iccs() for i in range(POLICY_SIZE)), None], object)


def to_arrow(positions: Positions, headers: Iterable[str] = ()) -> Any:
    """Positions as a table of Arrow: game, ply, turn, fen, move, score, result, and headers; needs pyarrow.

    turn is "red" or "black", move is in ICCS; score (centipawns) and result (1, 0, -1) are those of the side
    to move; what is not known is null. Positions are such a stream themselves,
    with all headers: `polars.DataFrame(positions)`, `pyarrow.table(positions)`.
    """
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise ModuleNotFoundError("Arrow needs pyarrow: pip install pyarrow", name="pyarrow") from None
    text, real = pyarrow.string(), pyarrow.float32()
    kinds = {"game": pyarrow.int64(), "ply": pyarrow.int32(), "turn": text, "fen": text, "move": text,
             "score": real, "result": real}  # fmt: skip
    games, plies, turns = positions.games(), positions.plies(), positions.turns()
    scores, results = positions.scores(), positions.results()
    moves = positions.moves()
    columns: dict[str, Any] = {
        "game": pyarrow.array(games, mask=games < 0),
        "ply": pyarrow.array(plies, mask=plies < 0),
        "turn": np.where(turns, "red", "black").astype(object),
        "fen": positions.fens(),
        "move": np.where(turns, _texts(RED)[moves], _texts(BLACK)[moves]),
        "score": pyarrow.array(scores, mask=np.isnan(scores)),
        "result": pyarrow.array(results, mask=np.isnan(results)),
    }
    for name in headers:
        if name in kinds:
            raise ValueError(f"{name!r} is a column already")
        kinds[name] = text
        columns[name] = [value or None for value in positions.header(name).tolist()]
    return pyarrow.table(columns, schema=pyarrow.schema(kinds.items()))


def export_parquet(positions: Positions, path: str | os.PathLike[str], headers: Iterable[str] = ()) -> None:
    """Write positions as a table of Parquet, as `to_arrow` makes it; FileExistsError if there is such a
    file.
    """
    headers = tuple(headers)
    schema = to_arrow(Positions(), headers).schema
    from pyarrow.parquet import ParquetWriter

    with new_file(os.fspath(path)) as part, ParquetWriter(part, schema) as writer:
        for start in range(0, len(positions), ROWS):
            writer.write_table(to_arrow(positions[start : start + ROWS], headers))


def export(
    paths: Iterable[str],
    out: str,
    *,
    fields: Iterable[str],
    headers: Iterable[str] = (),
    first_ply: int = 0,
    searched: bool = False,
) -> int:
    """Write the positions of files of games or records; return their number.

    out: NAME.npz or NAME.parquet, which decides the format; ValueError for another name. fields: of an npz.
    headers: of records, as further columns.
    """
    kind = os.path.splitext(out)[1].lower()
    if kind not in (".npz", ".parquet"):
        raise ValueError(f"the file's name must end in .npz or .parquet, not {out!r}")
    positions = read_positions(*paths, first_ply=first_ply, searched=searched)
    if kind == ".npz":
        export_npz(positions, out, fields, headers)
    else:
        export_parquet(positions, out, headers)
    return len(positions)
