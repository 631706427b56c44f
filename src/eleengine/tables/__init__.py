"""Endgame tables: who wins an ending, and in how many plies; exact, and made on your own computer.

>>> from tempfile import TemporaryDirectory
>>> from eleengine import Board, tables
>>> with TemporaryDirectory() as folder, tables.open_tables(folder) as opened:
...     facts = opened.make("N-")
...     board = Board("4k4/9/9/9/9/9/9/9/9/N2K5 w")
...     opened.probe_wdl(board), opened.probe_dtm(board)
(1, 11)

A table holds all positions with the same pieces. Its name lists the pieces of both sides without the kings,
the side that has more to attack with first: ``RN-AABB`` is rook and knight against all guards.
``eleengine tables make RN-AABB`` makes it, docs/tables.md explains more. The names of the methods are those
of ``chess.gaviota``.
"""

from __future__ import annotations

from .._core import draws_are_certain, normal_table_name, smaller_tables, table_name
from .file import TableError
from .folder import SHIPPED, MissingTableError, Tables, default_folder, open_tables
from .sets import SETS, TableSize, plan, size_of

__all__ = [
    "SETS",
    "SHIPPED",
    "MissingTableError",
    "TableError",
    "TableSize",
    "Tables",
    "default_folder",
    "draws_are_certain",
    "normal_table_name",
    "open_tables",
    "plan",
    "size_of",
    "smaller_tables",
    "table_name",
]
