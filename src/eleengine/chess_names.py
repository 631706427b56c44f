"""Names of python-chess for those who come from there: what means the same works, what does not says so.

`ChessNames` gives `Board` the methods of `chess.Board` that have another name here; `records.chess_names`
does so for games. A name without an exact counterpart raises an AttributeError that says what to use instead.

>>> from eleengine import Board
>>> board = Board()
>>> board.push_san("C2.5"), board.san(board.parse_san("h9g7"))
(Move.from_iccs('h2e2'), 'H8+7')
>>> board.is_seventyfive_moves()
Traceback (most recent call last):
...
AttributeError: 'Board' has no 'is_seventyfive_moves', which is python-chess's: use outcome(), ...
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

from . import notation
from ._core import STARTING_FEN, BaseBoard
from .pieces import ADVISOR, BISHOP, BLACK, CANNON, KING, KNIGHT, PAWN, RED, ROOK, Color
from .squares import Square
from .text import draw

if TYPE_CHECKING:
    from ._core import Move

#: Names of `chess.Board` that are not here: what to use instead.
BOARD_HINTS: Final = {
    "can_claim_fifty_moves": "can_claim_draw()",
    "can_claim_threefold_repetition": "repetition(), which judges without a claim",
    "ep_square": "nothing: there is no en passant",
    "has_legal_en_passant": "nothing: there is no en passant",
    "is_en_passant": "False: there is no en passant",
    "is_fifty_moves": "no_capture_plies(), or outcome(), which draws after 120 plies without a capture",
    "is_seventyfive_moves": "outcome(), which draws after 120 plies without a capture",
    "pin": "blockers(), a set of pieces and no line",
    "pin_mask": "blockers_mask()",
    "promoted": "nothing: there is no promotion",
    "queens": "rooks or cannons: there is no queen",
    "shredder_fen": "fen(): there is no castling",
    "starting_fen": "eleengine.STARTING_FEN",
    **dict.fromkeys((
        "castling_rights", "chess960", "clean_castling_rights", "has_castling_rights",
        "has_kingside_castling_rights", "has_queenside_castling_rights",
    ), "nothing: there is no castling"),
    **dict.fromkeys(
        ("is_castling", "is_kingside_castling", "is_queenside_castling"), "False: there is no castling"
    ),
}  # fmt: skip

#: Names of the module `chess` that are not here: what to use instead.
MODULE_HINTS: Final = {
    "QUEEN": "ROOK or CANNON: there is no queen",
    "WHITE": "RED",
    "flip_diagonal": "nothing: the board is no square",
    "flip_horizontal": "square_mirror_files, or Board.mirror_files()",
    "flip_vertical": "square_mirror, or Board.mirror()",
    "lsb": "min() of a SquareSet",
    "msb": "max() of a SquareSet",
    "scan_forward": "a SquareSet, which can be iterated",
    "scan_reversed": "reversed() of a SquareSet",
    "square_knight_distance": "square_distance",
    "square_manhattan_distance": "square_distance",
}


def refuse(thing: object, name: str, hints: Mapping[str, str]) -> NoReturn:
    """Raise the AttributeError of a name that the object has not, with what to use instead of it."""
    kind = type(thing).__name__
    if hint := hints.get(name):
        raise AttributeError(
            f"{kind!r} has no {name!r}, which is python-chess's: use {hint}", name=name, obj=thing
        )
    raise AttributeError(f"{kind!r} object has no attribute {name!r}", name=name, obj=thing)


class ChessNames(BaseBoard):
    """What `chess.Board` calls otherwise, under its names there."""

    def __getattr__(self, name: str) -> NoReturn:
        refuse(self, name, BOARD_HINTS)

    def san(self, move: Move) -> str:
        """`Board.wxf`: the short notation in Latin letters."""
        return notation.wxf(self, move)

    def lan(self, move: Move) -> str:
        """`Board.uci`: origin and destination."""
        return notation.uci(self, move)

    def xboard(self, move: Move) -> str:
        """`Board.uci`."""
        return notation.uci(self, move)

    def variation_san(self, moves: Iterable[Move]) -> str:
        """`Board.variation_wxf`."""
        return notation.variation_wxf(self, moves)

    def parse_san(self, text: str) -> Move:
        """The legal move of a text in any notation, as `notation.parse`."""
        return notation.parse(self, text)

    def parse_xboard(self, text: str) -> Move:
        """`Board.parse_uci`."""
        return notation.parse_uci(self, text)

    def push_san(self, text: str) -> Move:
        """Play the move of a text in any notation and return it; errors as for `notation.parse`."""
        move = notation.parse(self, text)
        self.push(move)
        return move

    def push_xboard(self, text: str) -> Move:
        """`Board.push_uci`."""
        move = notation.parse_uci(self, text)
        self.push(move)
        return move

    def san_and_push(self, move: Move) -> str:
        """`Board.wxf`, then `push`."""
        text = notation.wxf(self, move)
        self.push(move)
        return text

    def unicode(self) -> str:
        """`Board.text` with Chinese characters."""
        return draw(self, letters="chinese")

    def reset_board(self) -> None:
        """`Board.reset`."""
        self.set_fen(STARTING_FEN)

    def clear_board(self) -> None:
        """`Board.clear`."""
        self.clear()

    def is_fivefold_repetition(self) -> bool:
        """Has this position occurred five times?"""
        return self.is_repetition(5)

    def is_pinned(self, color: Color, square: Square) -> bool:
        """May the departure of the piece of this color from the square give check to its own king?"""
        board: BaseBoard = self
        if color != self.turn:
            board = self.copy(stack=False)
            board.turn = color
        return bool((board.blockers_mask() & board.occupied_mask(color)) >> square & 1)

    def _transposition_key(self) -> int:
        return self.key

    @property
    def occupied_co(self) -> tuple[int, int]:
        """The squares of Black's pieces and of Red's as masks, so that a color is the index."""
        return self.occupied_mask(BLACK), self.occupied_mask(RED)

    @property
    def kings(self) -> int:
        """The squares of the kings of both sides, as a mask."""
        return self.pieces_mask(KING, RED) | self.pieces_mask(KING, BLACK)

    @property
    def advisors(self) -> int:
        """The squares of the advisors of both sides, as a mask."""
        return self.pieces_mask(ADVISOR, RED) | self.pieces_mask(ADVISOR, BLACK)

    @property
    def bishops(self) -> int:
        """The squares of the bishops of both sides, as a mask."""
        return self.pieces_mask(BISHOP, RED) | self.pieces_mask(BISHOP, BLACK)

    @property
    def knights(self) -> int:
        """The squares of the knights of both sides, as a mask."""
        return self.pieces_mask(KNIGHT, RED) | self.pieces_mask(KNIGHT, BLACK)

    @property
    def rooks(self) -> int:
        """The squares of the rooks of both sides, as a mask."""
        return self.pieces_mask(ROOK, RED) | self.pieces_mask(ROOK, BLACK)

    @property
    def cannons(self) -> int:
        """The squares of the cannons of both sides, as a mask."""
        return self.pieces_mask(CANNON, RED) | self.pieces_mask(CANNON, BLACK)

    @property
    def pawns(self) -> int:
        """The squares of the pawns of both sides, as a mask."""
        return self.pieces_mask(PAWN, RED) | self.pieces_mask(PAWN, BLACK)
