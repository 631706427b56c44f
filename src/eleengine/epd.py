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
from collections.abc import Callable, Mapping
from math import isfinite
from operator import index
from typing import TypeAlias

from . import notation
from ._core import BaseBoard, Move
from ._internal.digits import whole
from ._internal.message import as_text, naming

__all__ = ["Operand", "fen_at", "fen_in", "read_operations", "split", "write_operations"]

Operand: TypeAlias = str | int | float | Move | list[Move] | None  #: what an operation may say

_MOVES, _LINES = ("bm", "am"), ("pv",)
_WORD = re.compile(r'"(?P<quoted>[^"]*)"|(?P<plain>[^\s";]+)|(?P<end>;)|\s+|(?P<bad>.)')
_INT, _FLOAT = re.compile(r"[+-]?[0-9]+"), re.compile(r"[+-]?[0-9]*\.[0-9]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

_BOARD = r"(?:[a-zA-Z1-9]{1,9}/){9}[a-zA-Z1-9]{1,9}(?![a-zA-Z0-9/])"
_GAP = r"[\s_+]+"  # between fields; addresses of pages have + or _
_GAPS = re.compile(_GAP)
_FEN = re.compile(
    rf"{_BOARD}(?:\[\])?"
    rf"(?:{_GAP}(?P<side>w|b|r|white|black|red|[黑红紅])(?![^\W_]))?"
    rf"(?:{_GAP}[KQ]{{1,4}}(?![^\W_])(?:{_GAP}(?:-|[a-i][0-9])(?![^\s_+]))?)?"  # as chess has it
    rf"(?:[\s_+]*--|{_GAP}-(?![0-9-])){{0,2}}"
    rf"(?:{_GAP}[a-i][0-9](?={_GAP}-?[0-9]+{_GAP}-?[0-9]))?"
    rf"(?:[\s_+]*(?<=[\s_+-])-?[0-9]+(?:{_GAP}-?[0-9]+(?![^\s_+;])|(?![^\s_+])))?",
    re.IGNORECASE,
)
_FEN_WITHIN = re.compile(rf"(?<![a-zA-Z0-9/]){_FEN.pattern}", re.IGNORECASE)


def fen_at(text: str) -> re.Match[str] | None:
    """The FEN at the beginning of a text, in any of the spellings met; None if there is none.

    What follows it, such as operations or moves, does not belong to it. Its group `side` is None without one.

    >>> rests = ("w - - 0 1 e0e1", "R KQkq e3 dm 3;", "a b")
    >>> [fen_at(f"3k5/9/9/9/9/9/9/9/9/4K4 {rest}")[0][24:] for rest in rests]
    ['w - - 0 1', 'R KQkq e3', '']
    """
    return _FEN.match(text)


def fen_in(text: str) -> re.Match[str] | None:
    """The same somewhere in a text."""
    return _FEN_WITHIN.search(text)


def split(text: str) -> tuple[str, str]:
    """The FEN and the operations of a line, as they stand there."""
    text = as_text("an EPD", text).lstrip()
    found = fen_at(text)
    end = found.end() if found else 0
    if (found is None or found["side"] is None) and (more := re.match(r"(?:\s*[^\s;]+){1,2}", text)):
        # what stands in the place of the side, which is wrong, if it is none
        end = max(end, more.end())
    return _GAPS.sub(" ", text[:end]), text[end:]


def read_operations(
    board: BaseBoard, text: str, tell: Callable[[ValueError], object] | None = None
) -> dict[str, Operand]:
    """The operations of the text by name; ValueError names the one that is wrong.

    tell: called with what is wrong with moves, which are then kept as text (default: a ValueError).
    Text behind a semicolon that follows the position at once is a title: the operation id.
    """
    if as_text("the text of operations", text).lstrip().startswith(";"):
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
                try:
                    found[name] = _operand(board, name, words[1:])
                except ValueError as error:
                    if tell is None:
                        raise
                    tell(error)
                    found[name] = " ".join(word for word, _ in words[1:])
            words = []
        elif match["plain"] or match["quoted"] is not None:
            words.append((match["plain"] or match["quoted"], match["plain"] is None))
    return found


def _operand(board: BaseBoard, name: str, words: list[tuple[str, bool]]) -> Operand:
    if name in _MOVES or name in _LINES:
        moves = []
        position = BaseBoard.copy(board, stack=False)
        with naming(f"EPD: {name}"):
            for word, _ in words:
                moves.append(notation.parse(position, word))
                if name in _LINES:
                    BaseBoard.push(position, moves[-1])
        return moves
    if not words:
        return None
    text, quoted = words[0]
    if len(words) > 1:
        return " ".join(word for word, _ in words)
    if not quoted and _INT.fullmatch(text):
        with naming(f"EPD: {name}"):
            return whole(text)
    if not quoted and _FLOAT.fullmatch(text):
        return float(text)
    return text


def write_operations(operations: Mapping[str, Operand]) -> str:
    """The operations as text; ValueError for a name, a text or a number that EPD cannot hold."""
    return " ".join(f"{_name(name)}{_text(operand)};" for name, operand in operations.items())


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"EPD: {name[:40]!r} cannot be the name of an operation")
    return name


def _text(operand: Operand) -> str:
    if operand is None:
        return ""
    if isinstance(operand, str):
        if '"' in operand or operand.splitlines() not in ([], [operand]):
            raise ValueError(f"EPD: text must be without quotation marks and line ends: {operand[:40]!r}")
        return f' "{operand}"'
    if isinstance(operand, float):
        if not isfinite(operand):
            raise ValueError(f"EPD: a number must be finite: {operand}")
        from decimal import Decimal  # not at each start of the engine

        digits = f"{Decimal(float.__repr__(operand)):f}"  # all that it needs, and no exponent
        return f" {digits}" if "." in digits else f" {digits}.0"
    if hasattr(operand, "__index__"):
        return f" {index(operand)}"
    moves = operand if isinstance(operand, list) else [operand]
    for move in moves:
        if not isinstance(move, Move):
            raise TypeError(f"EPD: an operation says moves, a number or a text, not {type(move).__name__}")
    return "".join(f" {move}" for move in moves)
