"""Squares as two digits, file and row from Black's side; and positions as 32 squares.

Those are the squares of the pieces that a game begins with, as XQF and DhtmlXQ keep them, in the order
R N B A K A B N R C C P P P P P, Red first. A piece that is not on the board has an impossible square.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from .._core import STARTING_FEN, BaseBoard, Piece
from .._internal.message import Message
from ..pieces import BLACK, RED
from ..squares import parse_square
from .errors import RecordError

PIECES: Final = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
_RED_START: Final = "i0 h0 g0 f0 e0 d0 c0 b0 a0 h2 b2 i3 g3 e3 c3 a3"
_BLACK_START: Final = "a9 b9 c9 d9 e9 f9 g9 h9 i9 b7 h7 a6 c6 e6 g6 i6"
#: the usual start, in the order that every program writes
START: Final = tuple(map(parse_square, f"{_RED_START} {_BLACK_START}".split()))


def board_of(squares: Sequence[int | None]) -> tuple[BaseBoard, Message | None]:
    """The unchecked board of 32 squares, None for missing pieces, and what is wrong: two stand on one."""
    board, fault = BaseBoard(None), None
    for letter, square in zip(PIECES, squares, strict=True):
        if square is not None and board.color_at(square) is not None:
            fault = Message("two pieces on one square")
        elif square is not None:
            board.set_piece_at(square, Piece.from_symbol(letter))
    return board, fault


def squares_of(fen: str) -> list[int | None]:
    """The 32 squares of a position; RecordError if there are more pieces of a kind than slots."""
    if fen.split()[0] == STARTING_FEN.split()[0]:
        return list(START)
    board = BaseBoard(None)
    board.set_fen(fen, validate=False)
    free: dict[str, list[int]] = {}
    for slot, letter in enumerate(PIECES):
        free.setdefault(letter, []).append(slot)
    squares: list[int | None] = [None] * 32
    for square in range(90):
        if piece := board.piece_at(square):
            letter = piece.symbol()
            if not free[letter]:
                raise RecordError("too many pieces of kind {} for this format", letter)
            squares[free[letter].pop(0)] = square
    return squares


def start_fen(board: BaseBoard, mover: int | None, black: bool = False) -> str:
    """The FEN of a board, to move the side of the piece on the square of the first move.

    mover: that square, None without a move; black: what the file says. It counts only without a move, and
    only if that side can be to move: files of diagrams often say Red where Black is in check.
    ValueError if the position cannot be played from.
    """
    color = board.color_at(mover) if mover is not None else None
    sides = [color] if color is not None else [BLACK, RED] if black else [RED, BLACK]
    failure: ValueError | None = None
    for side in sides:
        try:
            return BaseBoard(f"{board.board_fen()} {'w' if side == RED else 'b'}").fen()
        except ValueError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def square_of(digits: str) -> int:
    """The square that two digits name, the first of which is below 9."""
    file, row = map(int, digits)
    return 9 * (9 - row) + file


def digits_of(square: int) -> str:
    """The two digits of a square."""
    return f"{square % 9}{9 - square // 9}"


def fen_of_digits(digits: str, mover: int | None = None) -> str:
    """The FEN of DhtmlXQ's 64 digits, file and row from Black's side; else as for `start_fen`."""
    board, fault = board_of(squares_of_digits(digits))
    if fault:
        raise ValueError(fault)
    return start_fen(board, mover)


def squares_of_digits(digits: str) -> list[int | None]:
    """The 32 squares of DhtmlXQ's 64 digits; those that are impossible are None."""
    pairs = [digits[at : at + 2] for at in range(0, 64, 2)]
    return [None if pair[0] == "9" else square_of(pair) for pair in pairs]
