"""A position and the moves played from it as one text: `FEN moves h2e2 h9g7`.

Command lines, files of openings and the logs of GUIs have it.

>>> board = read_position("startpos moves h2e2 H8+7")
>>> write_position(board)
'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1 moves h2e2 h9g7'
>>> read_position("< position fen 3k5/9/9/9/9/9/9/9/9/R3K4 w -- 0 1 moves A0-A9").fen()
'R2k5/9/9/9/9/9/9/9/9/4K4 b - - 1 1'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from . import notation
from ._core import STARTING_FEN, BaseBoard, Move, fen_notes
from .board import Board

__all__ = ["play_texts", "position_notes", "read_position", "split_moves", "split_position", "write_position"]


def split_position(text: str) -> tuple[str, list[str]]:
    """The FEN and the texts of the moves; nothing and startpos stand for the start position.

    A line of a log with the command `position` is read as an engine reads it: what stands before the command
    does not count, and the FEN may be one that `BaseBoard.set_fen` forgives. FenError if it is none.
    """
    fen, moves, is_command = _split(text)
    return BaseBoard(fen).fen() if is_command else fen, moves


def position_notes(text: str) -> list[str]:
    """What is guessed or left out of the FEN in a text that `read_position` reads; FenError if it is none.

    >>> position_notes("3k5/9/9/9/9/9/9/9/9/R3K4 moves a0a9")
    ["the side to move is missing; it is taken to be Red's turn"]
    >>> position_notes("3k5/9/9/9/9/9/9/9/9/R3K4 w 0 1")
    []
    """
    return [note for note, _ in fen_notes(_split(text)[0])]


def split_moves(words: list[str]) -> tuple[list[str], list[str]]:
    """The words before `moves`, and the texts of the moves behind it.

    >>> split_moves(["startpos", "Moves", "h2e2"])
    (['startpos'], ['h2e2'])
    """
    lower = [word.lower() for word in words]
    end = lower.index("moves") if "moves" in lower else len(words)
    return words[:end], words[end + 1 :]


def _split(text: str) -> tuple[str, list[str], bool]:
    """FEN and moves as they stand in the text, and whether it is the command of a log."""
    words, moves = split_moves(text.split())
    lower = [word.lower() for word in words]
    is_command = "position" in lower
    first = lower.index("position") + 1 if is_command else 0
    if lower[first : first + 1] == ["fen"]:
        first += 1
    if lower[first:] in ([], ["startpos"]):
        return STARTING_FEN, moves, False
    return " ".join(words[first:]), moves, is_command


def play_texts(board: BaseBoard, moves: Iterable[str]) -> None:
    """Play moves in any notation; ValueError names the one that is wrong by its number."""
    for number, text in enumerate(moves, 1):
        try:
            BaseBoard.push(board, notation.parse(board, text))
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None


def read_position(text: str) -> Board:
    """The board of the text, moves in any notation played on it; ValueError says what is wrong."""
    fen, moves = split_position(text)
    board = Board(fen)
    play_texts(board, moves)
    return board


def write_position(board: BaseBoard, write: Callable[[Move], str] = Move.iccs) -> str:
    """The text of a board with its moves, which `read_position` reads.

    write: makes the text of a move (default: ICCS).
    """
    moves = " ".join(map(write, board.move_stack))
    return f"{BaseBoard.root(board).fen()} moves {moves}" if moves else board.fen()
