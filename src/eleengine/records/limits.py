"""How large a record may become. A packed file of some kilobytes can hold what would fill any memory.

The limits count what the bytes of a file become: the text of one game, its lines, its nodes. They are far
above what people write; `lift` is for those who need more.

>>> limits.nodes
200000
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, fields

from .errors import RecordError

__all__ = ["Limits", "check_headers", "check_nodes", "check_text", "lift", "limits"]


@dataclass
class Limits:
    """The limits in force.

    file: bytes of an unpacked file, unless it is PGN, CBL or positions, of which one game at a time is in
        memory.
    game: bytes of the text of one game. lines: of that text. headers: of one game of PGN. words: moves,
        numbers, glyphs and comments of one game of PGN.
    nodes: moves of one game with its variations.
    """

    file: int = 1 << 28
    game: int = 1 << 24
    lines: int = 1_000_000
    headers: int = 1_000
    words: int = 1_000_000
    nodes: int = 200_000


limits: Limits = Limits()  #: those of this process


def lift() -> None:
    """Lift all limits for this process: files of any size are read, if memory suffices."""
    for field in fields(limits):
        setattr(limits, field.name, sys.maxsize // 2)


def check_text(size: int, lines: int = 0, *, line: int | None = None) -> None:
    """Raise RecordError if the text of a game has too many bytes or lines."""
    if size > limits.game:
        raise RecordError("a game of more than {} MiB is not read", limits.game >> 20, line=line)
    if lines > limits.lines:
        raise RecordError("a game of more than {:,} lines is not read", limits.lines, line=line)


def check_headers(count: int, *, line: int | None = None) -> None:
    """Raise RecordError if a game has too many headers."""
    if count > limits.headers:
        raise RecordError("a game of more than {:,} headers is not read", limits.headers, line=line)


def check_nodes(count: int) -> None:
    """Raise RecordError if a game has too many moves for one more."""
    if count >= limits.nodes:
        raise RecordError("more than {:,} moves", limits.nodes)
