"""Positions of games in files that other programs read: arrays of numpy, tables of Parquet."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._internal.files import new_file
from .positions import Positions, several, to_arrow
from .reading import arrays, field_names, read_positions

ROWS = 1 << 16  # of a group in a table


def export_npz(
    positions: Positions, path: str | os.PathLike[str], fields: Iterable[str], headers: Iterable[str] = ()
) -> None:
    """Write fields of positions as arrays of a compressed npz file; all of them are in memory meanwhile.

    fields: of `FIELDS`; ValueError for another name. headers: of records, as arrays of str. FileExistsError
    if there is such a file.
    """
    headers = several("headers", headers)
    named: dict[str, Any] = dict(arrays(positions, field_names(fields)))
    named |= {name: positions.header(name) for name in headers}
    with new_file(os.fspath(path)) as part, open(part, "wb") as file:
        np.savez_compressed(file, **named)


def export_parquet(positions: Positions, path: str | os.PathLike[str], headers: Iterable[str] = ()) -> None:
    """Write positions as a table of Parquet, as `to_arrow` makes it; FileExistsError if there is such a
    file.
    """
    headers = several("headers", headers)
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
