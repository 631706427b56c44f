"""Texts that name a position, perhaps with moves: FEN in the spellings met, UCCI's `position`, binit.

>>> read_fen("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR_r")
'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1'
>>> game = parse("position startpos moves h2e2 马8进7")
>>> [str(move) for move in game.mainline_moves()]
['h2e2', 'h9g7']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import BinaryIO

from .. import epd
from .._core import STARTING_FEN, BaseBoard, fen_notes
from .._internal.message import message_of
from ..position_text import split
from . import slots
from .annotations import annotate
from .encoding import decode
from .entry import RecordEntry, fail, warn
from .errors import RecordError
from .limits import check_text
from .sides import Line, Sides
from .tree import Game

_BINIT = re.compile(r"[0-9]{64}$")
_BLOCK = 1 << 18  # bytes that are read, and whose encoding is guessed, at once


def read_fen(text: str) -> str:
    """The FEN of six fields of a text that is one in any of the spellings met, or a `binit` of 64 digits.

    One to six fields, separated by spaces, ``+`` or ``_``, read as `BaseBoard.set_fen` does. ValueError says
    what is wrong.
    """
    text = text.strip().replace("+", " ")
    return slots.fen_of_digits(text) if _BINIT.match(text) else BaseBoard(text).fen()


def set_start(game: Game, text: str, where: str, line: int) -> bool:
    """Give a game the start position of a FEN, and warn of what was guessed in it.

    where: what to call the place of the FEN. False if it cannot be read: then the game has an error.
    """
    before = game.start
    try:
        game.start = read_fen(text)
    except ValueError as error:
        fail(game, text, "{}: {}; the moves are not read", where, error, line=line)
        return False
    if before not in (STARTING_FEN, game.start):
        warn(game, "another header {}: the last one is kept", where, line=line)
    if not _BINIT.match(text.strip()):
        for note, _ in fen_notes(text.replace("+", " ")):
            warn(game, "{}: {}", where, note, line=line)
    return True


def is_fen(line: str) -> bool:
    """Is the line a FEN, complete or in one of the shorter spellings, and nothing else?"""
    found = epd.fen_at(line.strip())
    if found is None or found[0] != line.strip():
        return False
    try:
        read_fen(line)
    except ValueError:
        return False
    return True


def fen_in(line: str) -> str:
    """The FEN that stands somewhere in a line, as it stands there; "" if there is none."""
    if found := epd.fen_in(line):
        with suppress(ValueError):
            read_fen(found[0])
            return found[0]
    return ""


def is_position(text: str) -> bool:
    """Does the text begin like a position?"""
    head = text.lstrip()[:400]
    if head.startswith(("position ", "startpos", "fen ")) or epd.fen_at(head):
        return True
    try:
        return bool(_BINIT.match(head.strip()) and slots.fen_of_digits(head.strip()))
    except ValueError:
        return False


def scan(file: BinaryIO, mark: bytes = b"") -> Iterator[RecordEntry]:
    """The positions of a file, one a line, with their moves; RecordError for a line that is too long.

    mark: that of UTF-8 if it is known that the text is.
    """
    number = 0
    waiting = b""  # the beginning of a line
    while block := file.read(_BLOCK):
        lines, end, waiting = (waiting + block).rpartition(b"\n")
        check_text(len(waiting), line=number + lines.count(b"\n") + 1 + len(end))
        yield from _entries(mark + lines, number + 1) if end else ()
        number += lines.count(b"\n") + len(end)
    yield from _entries(mark + waiting, number + 1)


def _entries(data: bytes, first: int) -> Iterator[RecordEntry]:
    """The positions of some lines."""
    for number, line in enumerate(decode(data).split("\n"), first):
        if line.strip() and not line.lstrip().startswith("#"):
            yield RecordEntry({}, partial(_parse_line, line, number), line=number)


def _parse_line(text: str, number: int) -> Game:
    """As `parse`; a position that is wrong is the error of its game, so that the others are read."""
    try:
        return parse(text, line_number=number)
    except RecordError as error:
        game = Game(headers={"Result": "*"})
        found = split(text)
        fail(game, found.fen, error.message, line=number)
        annotate(game, " ".join([*filter(None, [found.operations]), *found.moves]))
        return game


def parse(text: str, *, line_number: int = 1) -> Game:
    """The game of "FEN moves m m" or UCCI's "position {fen FEN | startpos} moves m m", see `position_text`.

    Of the operations of an EPD the id becomes the header Title, the others the comment. RecordError if the
    position is wrong; a move that is wrong ends the reading, with a warning.
    """
    check_text(len(text), line=line_number)
    found = split(text)
    try:
        game = Game(read_fen(found.fen), headers={"Result": "*"})
        notes = [] if _BINIT.match(found.fen) else fen_notes(found.fen)
    except ValueError as error:
        raise RecordError(message_of(error), line=line_number) from None
    for note, _ in notes:
        warn(game, note, line=line_number)
    if found.operations:
        _set_operations(game, found.operations, line_number)
    moves = Line(game, Sides(lambda: " ".join(found.moves)))
    for word in found.moves:
        if not moves.play(word, line_number):
            break
    return game


def _set_operations(game: Game, text: str, line: int) -> None:
    def tell(error: ValueError) -> None:
        warn(game, "{}; it is a comment", error, line=line)

    try:
        operations = epd.read_operations(BaseBoard(game.start), text, tell)
    except ValueError as error:
        warn(game, "{}; the operations are a comment", error, line=line)
        game.comment = text
        return
    title = operations.pop("id", None)
    if title is not None:
        game.headers["Title"] = str(title)
    game.comment = epd.write_operations(operations)


def text_of(game: Game, loss: Callable[[str], object] = lambda _: None) -> str:
    """The main line as "FEN moves m m"; loss is called with what is left out. RecordError for a pass."""
    if set(game.headers) - {"Game", "Result"} or game.result != "*":
        loss("a line of moves holds no headers")
    if not all(game.mainline_moves()):
        raise RecordError("the format cannot hold a pass")
    moves = " ".join(move.iccs() for move in game.mainline_moves())
    return f"{game.start} moves {moves}" if moves else game.start
