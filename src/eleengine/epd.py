"""EPD: a position and operations on one line, as test suites are kept.

The first fields are those of a FEN: pieces and side to move, then if wanted the two unused fields and the two
counters. Operations follow, each a name, operands and a semicolon:

>>> from eleengine import Board
>>> board, operations = Board.from_epd('3k5/4a4/9/9/9/9/9/9/4A4/R3K4 w - - bm a0a9; id "back rank"; ce 812;')
>>> operations["bm"], operations["id"], operations["ce"]
([Move.from_iccs('a0a9')], 'back rank', 812)
>>> board.epd(id="back rank", bm=operations["bm"])
'3k5/4a4/9/9/9/9/9/9/4A4/R3K4 w - - id "back rank"; bm a0a9;'

Operands of `bm`, `am` (moves of the position, in any notation) and `pv` (a line of moves) are read as moves,
numbers as numbers, all others as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

from . import notation
from ._core import BaseBoard, Move

__all__ = ["Operand", "read_operations", "split", "write_operations"]

Operand: TypeAlias = str | int | float | Move | list[Move] | None  #: what an operation may say

_MOVES, _LINES = ("bm", "am"), ("pv",)
_WORD = re.compile(r'"(?P<quoted>[^"]*)"|(?P<plain>[^\s";]+)|(?P<end>;)|\s+|(?P<bad>.)')
_INT, _FLOAT = re.compile(r"[+-]?[0-9]+"), re.compile(r"[+-]?[0-9]*\.[0-9]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def split(text: str) -> tuple[str, str]:
    """The FEN and the operations of a line; the FEN gets the counters 0 and 1 unless the line has them."""
    words = list(re.finditer(r"\S+", text))
    n = min(2, len(words))
    while n < min(len(words), 4) and words[n].group() == "-":
        n += 1
    fields = [word.group() for word in words[:n]]
    counters = [word.group() for word in words[n : n + 2]]
    if n == 4 and len(counters) == 2 and all(_INT.fullmatch(word) for word in counters):
        n += 2
    else:
        counters = ["0", "1"]
    fen = " ".join([*fields[:2], "-", "-", *counters]) if len(fields) > 1 else " ".join(fields)
    return fen, text[words[n - 1].end() :] if n else ""


def read_operations(board: BaseBoard, text: str) -> dict[str, Operand]:
    """The operations of the text by name; ValueError names the one that is wrong.

    Text behind a semicolon that follows the position at once is a title: the operation id.
    """
    if text.lstrip().startswith(";"):
        title = text.strip(" \t\r\n;")
        return {"id": title} if title else {}
    found: dict[str, Operand] = {}
    words: list[tuple[str, bool]] = []
    for match in _WORD.finditer(text + ";"):
        if match["bad"]:
            raise ValueError(f"EPD: a quotation mark without its partner in {text.strip()[:60]!r}")
        if match["end"]:
            if words:
                name, quoted = words[0]
                if quoted or not _NAME.fullmatch(name):
                    raise ValueError(f"EPD: {name[:40]!r} cannot be the name of an operation")
                if name in found:
                    raise ValueError(f"EPD: the operation {name} stands there twice")
                found[name] = _operand(board, name, words[1:])
            words = []
        elif match["plain"] or match["quoted"] is not None:
            words.append((match["plain"] or match["quoted"], match["plain"] is None))
    return found


def _operand(board: BaseBoard, name: str, words: list[tuple[str, bool]]) -> Operand:
    if name in _MOVES or name in _LINES:
        moves = []
        position = BaseBoard.copy(board, stack=False)
        try:
            for word, _ in words:
                moves.append(notation.parse(position, word))
                if name in _LINES:
                    BaseBoard.push(position, moves[-1])
        except ValueError as error:
            raise ValueError(f"EPD: {name}: {error}") from None
        return moves
    if not words:
        return None
    text, quoted = words[0]
    if len(words) > 1:
        return " ".join(word for word, _ in words)
    if not quoted and _INT.fullmatch(text):
        return int(text)
    if not quoted and _FLOAT.fullmatch(text):
        return float(text)
    return text


def write_operations(operations: Mapping[str, Operand]) -> str:
    """The operations as text; ValueError for a name or a text that EPD cannot hold."""
    return " ".join(f"{_name(name)}{_text(operand)};" for name, operand in operations.items())


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"EPD: {name[:40]!r} cannot be the name of an operation")
    return name


def _text(operand: Operand) -> str:
    if operand is None:
        return ""
    if isinstance(operand, str):
        if '"' in operand or "\n" in operand:
            raise ValueError(f"EPD: text must be without quotation marks and line ends: {operand[:40]!r}")
        return f' "{operand}"'
    if isinstance(operand, float):
        return f" {operand:f}"
    return "".join(f" {move}" for move in (operand if isinstance(operand, list) else [operand]))
