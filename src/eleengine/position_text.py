"""A position and the moves played from it as one text: `FEN moves h2e2 h9g7`.

Command lines, files of records and openings and the logs of GUIs have it; the word `moves` may be missing.

>>> board = read_position("startpos moves h2e2 H8+7")
>>> write_position(board)
'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7'
>>> read_position("< position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w -- 0 1 moves A0-A9").fen()
'R2k5/9/9/9/9/9/9/9/9/4K4 b - - 1 1'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from . import epd, notation
from ._core import STARTING_FEN, BaseBoard, Move, as_board, fen_notes
from ._internal.message import Message, naming
from .board import Board

__all__ = [
    "PositionText",
    "play_texts",
    "position_notes",
    "read_position",
    "split",
    "split_moves",
    "write_position",
]


_FEN = re.compile(r"\s*fen(?!\S)", re.IGNORECASE)


class PositionText(NamedTuple):
    """The parts of a text that names a position.

    fen: as it stands there, or the start position for nothing and startpos; moves: texts of those behind it.
    operations: those of an EPD behind the FEN, as they stand there; then there are no moves.
    """

    fen: str
    moves: list[str]
    operations: str = ""


def split(text: str) -> PositionText:
    """Take a text apart: a FEN or startpos, then operations or moves, perhaps behind the word `moves`.

    Of a line of a log with the command `position` only what follows it counts; the word fen may be missing.
    What is neither behind a FEN stays with it, see `position_notes`.

    >>> split("startpos h2e2").moves, split("3k5/9/9/9/9/9/9/9/9/R3K4 w 0 1 A0-A9").moves
    (['h2e2'], ['A0-A9'])
    >>> split('3k5/9/9/9/9/9/9/9/9/R3K4 w - - id "a; b"; bm a0a9;').operations
    'id "a; b"; bm a0a9;'
    """
    if command := re.search(r"(?<!\S)position(?!\S)", text, re.IGNORECASE):
        text = text[command.end() :]
    text = text[word.end() :].strip() if (word := _FEN.match(text)) else text.strip()
    words, moves = split_moves(text.split())
    if not words or words[0].lower() == "startpos":
        return PositionText(STARTING_FEN, [*words[1:], *moves])
    if len(words) < len(text.split()):
        return PositionText(_spaced(" ".join(words)), moves)
    found = epd.fen_at(text) or re.match(r"[0-9]{64}(?!\S)", text)
    end = found.end() if found else len(text)
    rest = text[end:].split()
    if rest and notation.is_move_text(rest[0]) and (len(rest[0]) > 3 or ";" not in text):
        return PositionText(_spaced(text[:end]), rest)
    if ";" in text[end:]:
        fen, operations = epd.split(text)
        return PositionText(fen, [], operations.strip())
    return PositionText(_spaced(text), [])


def _spaced(fen: str) -> str:
    return fen.replace("+", " ")


def position_notes(text: str) -> list[str]:
    """What is guessed or left out of the FEN in a text that `read_position` reads; FenError if it is none.

    >>> position_notes("3k5/9/9/9/9/9/9/9/9/R3K4 moves a0a9")
    ["the side to move is missing; it is taken to be Red's turn"]
    >>> position_notes("3k5/9/9/9/9/9/9/9/9/R3K4 w 0 1")
    []
    """
    found = split(text)
    notes = [note for note, _ in fen_notes(found.fen)]
    if found.operations:
        notes.append(Message("{!r} behind the position is left out", found.operations[:40]))
    return notes


def read_exactly(fen: str) -> Board:
    """The board of a FEN; ValueError also for what `position_notes` would note."""
    board = Board(fen)
    for note, _ in fen_notes(fen):
        raise ValueError(f"not an exact FEN: {note}")
    return board


def split_moves(words: list[str]) -> tuple[list[str], list[str]]:
    """The words before `moves`, and the texts of the moves behind it.

    >>> split_moves(["startpos", "Moves", "h2e2"])
    (['startpos'], ['h2e2'])
    """
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    return words[:end], words[end + 1 :]


def play_texts(board: BaseBoard, moves: Iterable[str]) -> None:
    """Play moves in any notation; ValueError names the one that is wrong by its number."""
    for number, text in enumerate(moves, 1):
        with naming(f"move {number}"):
            BaseBoard.push(board, notation.parse(board, text))


def read_position(text: str) -> Board:
    """The board of the text, moves in any notation played on it; ValueError says what is wrong."""
    found = split(text)
    board = Board(found.fen)
    play_texts(board, found.moves)
    return board


def write_position(board: BaseBoard, write: Callable[[Move], str] = Move.iccs) -> str:
    """The text of a board with its moves, which `read_position` reads.

    write: makes the text of a move (default: ICCS).
    """
    moves = " ".join(map(write, as_board(board).move_stack))
    return f"{BaseBoard.root(board).fen()} moves {moves}" if moves else board.fen()
