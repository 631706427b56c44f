"""Colors and piece types: numbers and names.

>>> piece_name(CANNON), piece_symbol(CANNON), COLOR_NAMES[RED]
('cannon', 'c', 'red')
"""

from __future__ import annotations

__all__ = [  # noqa: RUF022
    "Color", "PieceType", "RED", "BLACK", "COLORS", "COLOR_NAMES", "KING", "ADVISOR", "BISHOP", "KNIGHT",
    "ROOK", "CANNON", "PAWN", "PIECE_TYPES", "PIECE_SYMBOLS", "PIECE_NAMES", "piece_name", "piece_symbol",
]  # fmt: skip

Color = bool  #: RED (True) or BLACK (False)
PieceType = int  #: KING (1) to PAWN (7)

RED: Color = True  #: moves first, from below
BLACK: Color = False  #: from above
COLORS: tuple[Color, ...] = (RED, BLACK)
COLOR_NAMES = ("black", "red")  #: indexed by color

KING: PieceType = 1  #: 帅, 将
ADVISOR: PieceType = 2  #: 仕, 士
BISHOP: PieceType = 3  #: 相, 象, also called elephant
KNIGHT: PieceType = 4  #: 马, also called horse
ROOK: PieceType = 5  #: 车, also called chariot
CANNON: PieceType = 6  #: 炮
PAWN: PieceType = 7  #: 兵, 卒, also called soldier
PIECE_TYPES: tuple[PieceType, ...] = (KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN)  #: all of them
PIECE_SYMBOLS = ("", "k", "a", "b", "n", "r", "c", "p")  #: indexed by piece type
PIECE_NAMES = ("", "king", "advisor", "bishop", "knight", "rook", "cannon", "pawn")  #: indexed by piece type


def piece_symbol(piece_type: PieceType) -> str:
    """The letter of a piece type, k to p; ValueError unless it is 1..7."""
    return PIECE_SYMBOLS[_piece_type(piece_type)]


def piece_name(piece_type: PieceType) -> str:
    """The name of a piece type, king to pawn; ValueError unless it is 1..7."""
    return PIECE_NAMES[_piece_type(piece_type)]


def _piece_type(piece_type: PieceType) -> PieceType:
    if piece_type not in PIECE_TYPES:
        raise ValueError(f"a piece type must be 1..7, not {piece_type!r}")
    return piece_type
